//! Facts about words as terms to be printed at a loop.
//!
//! Two bounds that meet are an equation, a bound that is not met is a strict one, and what is said
//! twice is said once. Facts about another loop say nothing here.

use wedge_logic::{Term, TermStore};
use wedge_smt::words::{Atom, Fact, Relation, Side};

/// What the facts say where the control word has this value, relations between variables first.
pub fn sentences(
    terms: &mut TermStore,
    variables: &[Term],
    facts: &[Fact],
    place: Option<u64>,
) -> Vec<Term> {
    let mut atoms: Vec<Atom> = Vec::new();
    for fact in facts {
        match fact {
            Fact::Places(places) => {
                if place.is_some_and(|place| !places.contains(&place)) {
                    return vec![terms.bool(false)];
                }
            }
            Fact::Atom { place: own, atom } if own.is_none() || *own == place => atoms.push(*atom),
            Fact::Atom { .. } => {}
        }
    }
    atoms.sort_by_key(|atom| (!atom.is_relation(), *atom));
    atoms.dedup();
    meet(&mut atoms);
    sharpen(&mut atoms);
    let mut said: Vec<Term> = Vec::new();
    for atom in atoms {
        let term = atom.term(terms, variables);
        if !said.contains(&term) {
            said.push(term);
        }
    }
    said
}

/// Replaces `a <= b` and `b <= a` by `a == b`.
fn meet(atoms: &mut Vec<Atom>) {
    let turned = |atom: &Atom| match *atom {
        Atom::Compare(relation @ (Relation::Ule | Relation::Sle), left, right) => {
            Some((Atom::Compare(relation, right, left), left, right))
        }
        _ => None,
    };
    let mut at = 0;
    while at < atoms.len() {
        if let Some((other, left, right)) = turned(&atoms[at])
            && let Some(twin) = atoms.iter().position(|&atom| atom == other)
        {
            // The word comes first, as people write it.
            let (left, right) = match left {
                Side::Value(_) => (right, left),
                Side::Word(_) => (left, right),
            };
            atoms[at] = Atom::Compare(Relation::Eq, left, right);
            if twin != at {
                atoms.remove(twin);
            }
            continue;
        }
        at += 1;
    }
}

/// Replaces `a <= b` and `a != b` by `a < b`.
fn sharpen(atoms: &mut Vec<Atom>) {
    let unequal = |left, right| {
        [Atom::Compare(Relation::Ne, left, right), Atom::Compare(Relation::Ne, right, left)]
    };
    for at in 0..atoms.len() {
        let (strict, left, right) = match atoms.get(at) {
            Some(&Atom::Compare(Relation::Ule, left, right)) => (Relation::Ult, left, right),
            Some(&Atom::Compare(Relation::Sle, left, right)) => (Relation::Slt, left, right),
            _ => continue,
        };
        let unequal = unequal(left, right);
        if let Some(other) = atoms.iter().position(|atom| unequal.contains(atom)) {
            atoms[at] = Atom::Compare(strict, left, right);
            atoms.remove(other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wedge_logic::Sort;

    fn bound(relation: Relation, left: Side, right: Side, place: Option<u64>) -> Fact {
        Fact::Atom { place, atom: Atom::Compare(relation, left, right) }
    }

    #[test]
    fn bounds_that_meet_are_equations() {
        let mut terms = TermStore::new();
        let (x, y) = (terms.var("x", Sort::Bv(8)), terms.var("y", Sort::Bv(8)));
        let (word, other, number) = (Side::Word(0), Side::Word(1), Side::Value(7));
        let facts = [
            bound(Relation::Ule, word, number, Some(1)),
            bound(Relation::Sle, other, word, None),
            bound(Relation::Ule, number, word, Some(1)),
            bound(Relation::Ule, other, number, Some(2)),
        ];
        let here = sentences(&mut terms, &[x, y], &facts, Some(1));
        let seven = terms.number(8, 7);
        assert_eq!(here, [terms.sle(y, x), terms.eq(x, seven)]);
        let there = sentences(&mut terms, &[x, y], &facts, Some(2));
        assert_eq!(there, [terms.sle(y, x), terms.ule(y, seven)]);
    }

    #[test]
    fn bounds_that_are_not_met_are_strict() {
        let mut terms = TermStore::new();
        let (x, y) = (terms.var("x", Sort::Bv(8)), terms.var("y", Sort::Bv(8)));
        let (word, other) = (Side::Word(0), Side::Word(1));
        let facts =
            [bound(Relation::Ne, other, word, None), bound(Relation::Sle, word, other, None)];
        assert_eq!(sentences(&mut terms, &[x, y], &facts, None), [terms.slt(x, y)]);
    }

    #[test]
    fn a_loop_that_is_never_reached_has_no_state() {
        let mut terms = TermStore::new();
        let facts = [Fact::Places(vec![0, 2])];
        assert_eq!(sentences(&mut terms, &[], &facts, Some(1)), [terms.bool(false)]);
        assert_eq!(sentences(&mut terms, &[], &facts, Some(2)), []);
    }
}
