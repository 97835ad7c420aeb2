//! Interpolants of sequences of terms, lifted (see [`super::lift`]).
//!
//! From the last cut to the first, Iₖ is weakened to a conjunction of facts about words that
//! excludes what does not step into Iₖ₊₁:
//!
//! ```text
//! A = Iₖ        B = partₖ ∧ ¬I'ₖ₊₁
//! ```
//!
//! so that the sequence stays inductive. Where there are no such facts, or looking for them takes
//! too long, Iₖ stays.

use super::{Effort, Fact, Set, View, Vocabulary, separate};
use crate::encoding::Encoding;
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};
use wedge_logic::{Lit, Op, Sort, Term, TermStore};
use wedge_sat::{Interrupt, Session};

/// What one interpolant may cost.
const TIME: Duration = Duration::from_millis(200);
/// What a sequence may cost, besides a multiple of what its proof did.
const TIME_OF_SEQUENCE: Duration = Duration::from_millis(400);
const MULTIPLE: u32 = 2;
const CONFLICTS: i32 = 2000;
/// Formulas that are as small as this are not lifted.
const SMALL: usize = 3;

pub(crate) fn sequence(
    store: &mut TermStore,
    parts: &[Term],
    sequence: Vec<Term>,
    proof: Duration,
    interrupt: &Interrupt,
) -> Vec<Term> {
    let mut lifted = sequence;
    let end = Instant::now() + TIME_OF_SEQUENCE + MULTIPLE * proof;
    let numbers = Numbers::new(store, parts);
    for cut in (1..parts.len()).rev() {
        if interrupt.is_raised() || Instant::now() >= end {
            break;
        }
        let beyond = store.not(lifted[cut + 1]);
        let outside = store.and(parts[cut], beyond);
        let numbers = numbers.until(cut);
        if let Some(term) = lift(store, lifted[cut], outside, numbers, end, interrupt) {
            lifted[cut] = term;
        }
    }
    lifted
}

/// The numbers that parts mention, with their widths.
struct Numbers {
    all: Vec<(usize, u64)>,
    /// How many of them each part and those before it have.
    ends: Vec<usize>,
}

impl Numbers {
    fn new(store: &TermStore, parts: &[Term]) -> Numbers {
        let mut numbers = Numbers { all: Vec::new(), ends: Vec::new() };
        let mut seen = FxHashSet::default();
        for &part in parts {
            let mut stack = vec![part];
            while let Some(term) = stack.pop() {
                if !seen.insert(term) {
                    continue;
                }
                stack.extend_from_slice(store.args(term));
                if let (Op::Const(_), Sort::Bv(width @ 1..=64)) = (store.op(term), store.sort(term))
                {
                    let value = store.value(term).and_then(|value| value.to_u64());
                    numbers.all.extend(value.map(|value| (width as usize, value)));
                }
            }
            numbers.ends.push(numbers.all.len());
        }
        numbers
    }

    fn until(&self, part: usize) -> &[(usize, u64)] {
        &self.all[..self.ends[part]]
    }
}

/// A conjunction of facts about words that `inside` implies and that excludes `outside`.
fn lift(
    store: &mut TermStore,
    inside: Term,
    outside: Term,
    numbers: &[(usize, u64)],
    end: Instant,
    interrupt: &Interrupt,
) -> Option<Term> {
    let fits = |word: &Term| matches!(store.sort(*word), Sort::Bv(1..=64));
    let words: Vec<Term> = store.free_vars(&[inside]).into_iter().filter(fits).collect();
    if words.is_empty() || store.size(&[inside]) <= SMALL {
        return None;
    }
    let deadline = end.min(Instant::now() + TIME);
    let effort = Effort { deadline, conflicts: CONFLICTS };
    let mut inside = Side::new(store, inside, &words, interrupt)?;
    let mut outside = Side::new(store, outside, &words, interrupt)?;
    let mut vocabulary = vocabulary(store, &words, numbers);
    let numbers: Vec<usize> = (0..words.len()).collect();
    let (mut inside, mut outside) = (inside.set(effort), outside.set(effort));
    let facts = separate(&mut inside, &mut outside, &mut vocabulary, &numbers, None)?;
    let terms: Vec<Term> = facts
        .iter()
        .map(|fact| match fact {
            Fact::Atom { place: None, atom } => atom.term(store, &words),
            fact => unreachable!("there is no control word in {fact:?}"),
        })
        .collect();
    Some(store.and_all(&terms))
}

/// The words, with the numbers of the terms.
fn vocabulary(store: &TermStore, words: &[Term], numbers: &[(usize, u64)]) -> Vocabulary {
    let mut inputs = 0;
    let mut bits = Vec::new();
    for &word in words {
        let width = store.width(word) as usize;
        // Node 0 of a graph is the constant; its inputs follow.
        bits.push((inputs..inputs + width).map(|i| Lit::new(i as u32 + 1, false)).collect());
        inputs += width;
    }
    Vocabulary::new(inputs, bits, None, numbers)
}

/// A term in a session of its own, with the literals of the words. Without lemmas about arrays it
/// has more states than it should; what holds in them holds in fewer, too.
struct Side {
    session: Session,
    view: View,
    literal: i32,
}

impl Side {
    fn new(
        store: &mut TermStore,
        term: Term,
        words: &[Term],
        interrupt: &Interrupt,
    ) -> Option<Side> {
        let mut session = Session::light(interrupt);
        let mut encoding = Encoding::new();
        let plain = encoding.plain(store, term);
        let literal = encoding.literal(store, &mut session, plain).ok()?;
        let mut bits = Vec::new();
        for &word in words {
            let Encoding { blaster, aig, growing, .. } = &mut encoding;
            for &bit in blaster.blast(store, aig, word).ok()? {
                bits.push(growing.encode(aig, &mut session, bit));
            }
        }
        Some(Side { session, view: View::new(&bits), literal })
    }

    fn set(&mut self, effort: Effort) -> Set<'_> {
        let assumptions = vec![self.literal];
        Set { session: &mut self.session, view: &mut self.view, assumptions, effort }
    }
}
