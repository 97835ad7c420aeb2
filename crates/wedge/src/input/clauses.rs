//! Sets of states as formulas for people.

use wedge_evidence::c::expression::{Name, Printer};
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit, Sort, Term, TermStore, smtlib};
use wedge_model::Predicate;

/// Longer formulas are described by their size.
const LIMIT: usize = 1500;

/// A term over variables by their names in the model, in the operators of C where they suffice.
pub fn show(terms: &TermStore, term: Term) -> String {
    let mut names = rustc_hash::FxHashMap::default();
    for variable in terms.free_vars(&[term]) {
        if let (Sort::Bv(_), Some(name)) = (terms.sort(variable), terms.name(variable)) {
            names.insert(variable, Name { text: name.to_string(), signed: false });
        }
    }
    let short = Printer { terms, names: &names, limit: LIMIT }.print(term);
    short.unwrap_or_else(|| {
        let nodes = terms.size(&[term]);
        let text = if nodes < 200 { smtlib::formula(terms, term) } else { String::new() };
        match text.len() {
            1..=LIMIT => text,
            _ => format!("(a formula of {nodes} nodes)"),
        }
    })
}

/// The conjuncts of a set of states of a circuit whose latches have these names, short ones first.
pub fn clauses(predicate: &Predicate, names: &[String]) -> Vec<String> {
    let aig = &predicate.aig;
    let mut parts: Vec<String> = leaves(aig, predicate.root)
        .into_iter()
        .map(|part| {
            let text = literal(aig, part, names, 0);
            text.unwrap_or_else(|| format!("(a function of {} AND gates)", gates(aig, part)))
        })
        .collect();
    parts.sort_by_key(|part| part.chars().count());
    parts
}

/// The literals whose conjunction a literal is, as far as the graph shows them.
fn leaves(aig: &Aig, root: Lit) -> Vec<Lit> {
    let mut found = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![root];
    while let Some(lit) = stack.pop() {
        match aig.node(lit.node()) {
            _ if !seen.insert(lit) => {}
            Node::And(a, b) if !lit.is_negated() => stack.extend([b, a]),
            _ => found.push(lit),
        }
    }
    found
}

fn gates(aig: &Aig, lit: Lit) -> usize {
    let cone = aig.cone(&[lit]);
    (0..aig.len()).filter(|&n| cone[n] && matches!(aig.node(n as u32), Node::And(..))).count()
}

/// Conjunctions and disjunctions in turn, down to a depth at which nobody reads on.
fn literal(aig: &Aig, lit: Lit, names: &[String], depth: usize) -> Option<String> {
    const DEPTH: usize = 4;
    let not = if lit.is_negated() { "¬" } else { "" };
    match aig.node(lit.node()) {
        Node::Input(index) => Some(format!("{not}{}", names.get(index as usize)?)),
        Node::And(..) if depth > DEPTH => None,
        Node::And(..) => {
            let positive = if lit.is_negated() { !lit } else { lit };
            let turn = |leaf: Lit| if lit.is_negated() { !leaf } else { leaf };
            let parts: Vec<String> = leaves(aig, positive)
                .into_iter()
                .map(|leaf| literal(aig, turn(leaf), names, depth + 1))
                .collect::<Option<_>>()?;
            let text = parts.join(if lit.is_negated() { " ∨ " } else { " ∧ " });
            let text = if depth == 0 { text } else { format!("({text})") };
            (text.len() <= LIMIT).then_some(text)
        }
        _ => Some(if lit == Lit::TRUE { "true" } else { "false" }.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjuncts_are_clauses_over_names() {
        let mut aig = Aig::with_inputs(3);
        let [a, b, c] = [0, 1, 2].map(|index| aig.input(index));
        let clause = aig.or(!a, b);
        let root = aig.and(clause, c);
        let names = ["a", "b", "c"].map(String::from);
        assert_eq!(clauses(&Predicate { aig, root }, &names), ["c", "¬a ∨ b"]);
        let all = Predicate::constant(true, 3);
        assert_eq!(clauses(&all, &names), ["true"]);
    }
}
