//! Which atoms hold in a whole set of states.
//!
//! Candidates start from one state of the set. As long as the set has a state in which one of them
//! is false, that state is found, and all candidates that are false in it are dropped.

use super::affine::equations;
use super::candidates::{Level, candidates};
use super::set::Set;
use super::vocabulary::{Fact, Vocabulary};
use wedge_logic::Lit;
use wedge_logic::atoms::{Atom, Relation, Side, mask, signed};
use wedge_sat::session::Answer;

/// More words than this are not looked at together.
const MAX_WORDS: usize = 16;
/// With more places, nothing is said about each by itself.
const MAX_PLACES: usize = 10;

/// The values of the control word in a set; none if there is no control word or there are too
/// many. `Err` if the effort does not suffice.
pub fn places(set: &mut Set, vocabulary: &mut Vocabulary) -> Result<Option<Vec<u64>>, Answer> {
    let Some(control) = vocabulary.control() else { return Ok(None) };
    let fresh = set.session.new_var();
    let mut places = Vec::new();
    let found = loop {
        match set.solve(&[fresh]) {
            Answer::Unsat => break Some(places),
            Answer::Stopped => return Err(Answer::Stopped),
            Answer::Sat if places.len() == MAX_PLACES => break None,
            Answer::Sat => {}
        }
        let place = set.value(vocabulary, control);
        places.push(place);
        let here = vocabulary.at(place);
        let elsewhere = -set.literal(vocabulary, here);
        set.session.add_clause(&[-fresh, elsewhere]);
    };
    set.session.add_clause(&[-fresh]);
    Ok(found)
}

/// What holds in the whole set about these words, up to a level; about the first ones if they are
/// many. Nothing if the set is empty.
pub fn implied(
    set: &mut Set,
    vocabulary: &mut Vocabulary,
    words: &[usize],
    level: Level,
) -> Result<Vec<Fact>, Answer> {
    let mut facts = Vec::new();
    for level in Level::ALL.into_iter().filter(|&other| other <= level) {
        facts.extend(implied_at(set, vocabulary, words, level)?);
    }
    Ok(facts)
}

/// The same of one level only.
pub(super) fn implied_at(
    set: &mut Set,
    vocabulary: &mut Vocabulary,
    words: &[usize],
    level: Level,
) -> Result<Vec<Fact>, Answer> {
    let words = &words[..words.len().min(MAX_WORDS)];
    let places = places(set, vocabulary)?;
    let Some(places) = places else { return at_place(set, vocabulary, words, level, None) };
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let mut facts = match level {
        Level::Model => vec![Fact::Places(places.clone())],
        _ => Vec::new(),
    };
    for &place in &places {
        let here = vocabulary.at(place);
        let here = set.literal(vocabulary, here);
        set.assumptions.push(here);
        let found = at_place(set, vocabulary, words, level, Some(place));
        set.assumptions.pop();
        facts.extend(found?);
    }
    Ok(facts)
}

fn at_place(
    set: &mut Set,
    vocabulary: &mut Vocabulary,
    words: &[usize],
    level: Level,
    place: Option<u64>,
) -> Result<Vec<Fact>, Answer> {
    match set.solve(&[]) {
        Answer::Unsat => return Ok(Vec::new()),
        Answer::Stopped => return Err(Answer::Stopped),
        Answer::Sat => {}
    }
    let mut atoms = Vec::new();
    match level {
        Level::Model => {
            let values = set.values(vocabulary);
            atoms = candidates(vocabulary, words, &values);
            drop_refuted(set, vocabulary, &mut atoms)?;
        }
        Level::Linear => atoms = equations(set, vocabulary, words)?,
        Level::Bounds => {
            for &word in words {
                bounds(set, vocabulary, word, &mut atoms)?;
            }
        }
    }
    Ok(atoms.into_iter().map(|atom| Fact::Atom { place, atom }).collect())
}

/// Keeps the atoms that hold in the whole set and are not valid anyway.
fn drop_refuted(
    set: &mut Set,
    vocabulary: &mut Vocabulary,
    atoms: &mut Vec<Atom>,
) -> Result<(), Answer> {
    let literal = |vocabulary: &mut Vocabulary, atom: Atom| {
        vocabulary.literal(&Fact::Atom { place: None, atom })
    };
    atoms.retain(|&atom| literal(vocabulary, atom) != Lit::TRUE);
    while !atoms.is_empty() {
        let some_fails = set.session.new_var();
        let mut clause = vec![-some_fails];
        for &atom in atoms.iter() {
            let lit = literal(vocabulary, atom);
            clause.push(-set.literal(vocabulary, lit));
        }
        set.session.add_clause(&clause);
        // S(s) ∧ (¬a₁(s) ∨ ¬a₂(s) ∨ …)
        let answer = set.solve(&[some_fails]);
        if answer == Answer::Sat {
            let values = set.values(vocabulary);
            let before = atoms.len();
            atoms.retain(|atom| atom.holds(&values, vocabulary.widths()));
            debug_assert!(atoms.len() < before, "the solver and the evaluator agree");
            if atoms.len() == before {
                return Err(Answer::Stopped);
            }
        }
        set.session.add_clause(&[-some_fails]);
        match answer {
            Answer::Sat => {}
            Answer::Unsat => return Ok(()),
            Answer::Stopped => return Err(Answer::Stopped),
        }
    }
    Ok(())
}

/// Adds the tightest bounds of a word, signed and unsigned.
fn bounds(
    set: &mut Set,
    vocabulary: &mut Vocabulary,
    word: usize,
    atoms: &mut Vec<Atom>,
) -> Result<(), Answer> {
    let width = vocabulary.width(word);
    if width == 1 {
        return Ok(());
    }
    let sign = 1u64 << (width - 1);
    for (relation, flip) in [(Relation::Ule, 0), (Relation::Sle, sign)] {
        let least = extreme(set, vocabulary, word, flip, false)?;
        let greatest = extreme(set, vocabulary, word, flip, true)?;
        let this = Side::Word(word);
        if least ^ flip != 0 {
            atoms.push(Atom::Compare(relation, Side::Value(least), this));
        }
        if greatest ^ flip != mask(width) {
            atoms.push(Atom::Compare(relation, this, Side::Value(greatest)));
        }
        // Where both orders agree, one of them says it all.
        let same_half = signed(least, width) >= 0 && signed(greatest, width) >= 0;
        if relation == Relation::Ule && same_half && greatest < sign {
            break;
        }
    }
    Ok(())
}

/// The least or greatest value of a word in the set, where the bits `flip` count the other way
/// round. From the highest bit down, each is asked for in the wanted direction.
///
/// Requires: the set is not empty.
fn extreme(
    set: &mut Set,
    vocabulary: &mut Vocabulary,
    word: usize,
    flip: u64,
    up: bool,
) -> Result<u64, Answer> {
    match set.solve(&[]) {
        Answer::Sat => {}
        _ => return Err(Answer::Stopped),
    }
    let mut best = set.value(vocabulary, word);
    let mut fixed = Vec::new();
    for index in (0..vocabulary.width(word)).rev() {
        let wanted = up != (flip >> index & 1 == 1);
        let bit = vocabulary.bits(word)[index as usize];
        let lit = set.literal(vocabulary, bit.xor(!wanted));
        fixed.push(lit);
        if (best >> index & 1 == 1) == wanted {
            continue;
        }
        match set.solve(&fixed) {
            Answer::Sat => best = set.value(vocabulary, word),
            Answer::Unsat => *fixed.last_mut().expect("just pushed") = -lit,
            Answer::Stopped => return Err(Answer::Stopped),
        }
    }
    Ok(best)
}
