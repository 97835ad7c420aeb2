//! Runs that went somewhere new, and variations of them.
//!
//! Later entries are preferred: they build on the earlier ones. A run that ended in an assumption,
//! an abort or undefined behaviour is varied near its last answers, since those were read last
//! before its end.

use super::Attempt;
use super::random::Random;
use super::values::any;
use super::words::Words;
use crate::arith::int;
use crate::interp::{Answer, Outcome};
use crate::source::Position;

/// Entries at once; a random one makes room.
const MAX_ENTRIES: usize = 512;
/// Answers kept of a run. What follows is drawn anew.
const MAX_KEPT: usize = 2000;
/// Answers at the end of a run among which the reason for its end is looked for.
const NEAR: u64 = 3;

#[derive(Default)]
pub struct Corpus {
    entries: Vec<Entry>,
    added: usize,
    /// The assumptions that runs have violated.
    ends: Vec<Position>,
}

struct Entry {
    answers: Vec<Answer>,
    comparisons: Vec<(u128, u128)>,
    /// The run was cut off by the program, not finished.
    ended_early: bool,
}

impl Corpus {
    pub fn len(&self) -> usize {
        self.added
    }

    /// Whether a run is the first to end in this assumption: it has passed all before, although
    /// no branch says so.
    pub fn is_new_end(&mut self, outcome: &Outcome) -> bool {
        let Outcome::AssumeFailed(position) = outcome else { return false };
        let is_new = !self.ends.contains(position);
        if is_new {
            self.ends.push(*position);
        }
        is_new
    }

    /// Keeps a run; one without answers has no variations.
    pub fn keep(&mut self, attempt: &Attempt) {
        if attempt.answers.is_empty() {
            return;
        }
        self.added += 1;
        let kept = attempt.answers.len().min(MAX_KEPT);
        let entry = Entry {
            answers: attempt.answers[..kept].to_vec(),
            comparisons: attempt.comparisons.clone(),
            ended_early: matches!(
                attempt.outcome,
                Outcome::AssumeFailed(_) | Outcome::Aborted(_) | Outcome::UndefinedBehaviour(..)
            ),
        };
        if self.entries.len() == MAX_ENTRIES {
            self.entries.remove(self.added * 7919 % (MAX_ENTRIES / 2));
        }
        self.entries.push(entry);
    }

    /// The answers with which another run should begin; none without entries.
    pub fn variation(&self, random: &mut Random, words: &Words) -> Option<Vec<Answer>> {
        let count = self.entries.len() as u64;
        // The larger of two draws: a linear preference for later ones.
        let index = random.below(count).max(random.below(count));
        let entry = self.entries.get(index as usize)?;
        let mut answers = entry.answers.clone();
        match random.below(8) {
            0..=2 if !entry.comparisons.is_empty() => substitute(&mut answers, entry, random),
            0..=3 => change(&mut answers, entry, words, random),
            4 => {
                for _ in 0..2 + random.below(6) {
                    change(&mut answers, entry, words, random);
                }
            }
            5 => self.splice(&mut answers, random),
            6 => repeat(&mut answers, random),
            _ => answers.truncate(random.below(answers.len() as u64 + 1) as usize),
        }
        Some(answers)
    }

    /// The beginning of one run with the end of another.
    fn splice(&self, answers: &mut Vec<Answer>, random: &mut Random) {
        let other = &self.entries[random.below(self.entries.len() as u64) as usize].answers;
        let cut = random.below(answers.len().min(other.len()) as u64 + 1) as usize;
        answers.truncate(cut);
        answers.extend_from_slice(&other[cut..]);
    }
}

/// The answers of a run with the last comparisons of it in mind: one of them decided its end.
pub fn repaired(attempt: &Attempt, random: &mut Random) -> Option<Vec<Answer>> {
    let last = attempt.comparisons.len().checked_sub(1)?;
    for back in 0..NEAR as usize {
        let (left, right) = *attempt.comparisons.get(last.checked_sub(back)?)?;
        for (from, to) in [(left, right), (right, left)] {
            let matching = |answer: &Answer| answer.bits == int::truncate(from, answer.width);
            let Some(place) = attempt.answers.iter().rposition(matching) else { continue };
            let mut answers = attempt.answers.clone();
            let to = to.wrapping_add(random.below(3) as u128).wrapping_sub(1);
            answers[place].bits = int::truncate(to, answers[place].width);
            return Some(answers);
        }
    }
    None
}

/// A place among the answers; of a run that ended early, often one of the last.
fn place(answers: &[Answer], entry: &Entry, random: &mut Random) -> usize {
    let count = answers.len() as u64;
    if entry.ended_early && !random.once_in(3) {
        return (count - 1 - random.below(NEAR.min(count))) as usize;
    }
    random.below(count) as usize
}

fn change(answers: &mut Vec<Answer>, entry: &Entry, words: &Words, random: &mut Random) {
    let place = place(answers, entry, random);
    let answer = &mut answers[place];
    let bits = match random.below(4) {
        0 => answer.bits.wrapping_add(1 + random.below(4) as u128),
        1 => answer.bits.wrapping_sub(1 + random.below(4) as u128),
        2 => answer.bits ^ 1 << random.below(answer.width.clamp(1, 128) as u64),
        _ => any(answer.width, words, random),
    };
    answer.bits = int::truncate(bits, answer.width);
    if entry.ended_early {
        answers.truncate(place + 1);
    }
}

/// A value that an answer was compared with in place of that answer, or a neighbour of it.
fn substitute(answers: &mut [Answer], entry: &Entry, random: &mut Random) {
    let pairs = &entry.comparisons;
    for _ in 0..8 {
        let (left, right) = pairs[random.below(pairs.len() as u64) as usize];
        let (from, to) = if random.once_in(2) { (left, right) } else { (right, left) };
        let matching = |answer: &Answer| answer.bits == int::truncate(from, answer.width);
        let start = place(answers, entry, random);
        let found = (start..answers.len()).chain(0..start).find(|&i| matching(&answers[i]));
        if let Some(found) = found {
            let to = to.wrapping_add(random.below(3) as u128).wrapping_sub(1);
            answers[found].bits = int::truncate(to, answers[found].width);
            return;
        }
    }
}

/// A stretch of answers twice.
fn repeat(answers: &mut Vec<Answer>, random: &mut Random) {
    let count = answers.len() as u64;
    let start = random.below(count) as usize;
    let length = 1 + random.below((count - start as u64).min(32)) as usize;
    let stretch: Vec<Answer> = answers[start..(start + length).min(answers.len())].to_vec();
    answers.splice(start..start, stretch);
    answers.truncate(MAX_KEPT);
}
