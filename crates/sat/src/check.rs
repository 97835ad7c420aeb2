//! Checks interpolants with a fresh solver, independently of how they were computed.

use crate::interpolate::Label;
use crate::proof::{ClauseId, Proof};
use crate::session::{Answer, Interrupt, Session};
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

/// Which property of an interpolant fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// A does not imply I.
    NotImplied,
    /// I and B have a common model.
    NotRefuting,
    /// I mentions an input that is no shared variable.
    NotShared,
    /// Interrupted.
    Unchecked,
}

/// Checks that `a` implies `interpolant`, which contradicts `b`. Input i of the graph stands for
/// the variable `variables[i]`; an input without one (0) must not occur.
pub fn check_interpolant(
    a: &[Vec<i32>],
    b: &[Vec<i32>],
    aig: &Aig,
    interpolant: Lit,
    variables: &[i32],
) -> Result<(), Flaw> {
    check_step(Lit::TRUE, a, interpolant, aig, variables)?;
    match check_step(interpolant, b, Lit::FALSE, aig, variables) {
        Err(Flaw::NotImplied) => Err(Flaw::NotRefuting),
        other => other,
    }
}

/// All clauses that were recorded on the two sides of a cut. What was assumed, which the root of the
/// refutation names, counts as unit clauses.
pub(crate) fn sides(
    proof: &Proof,
    root: ClauseId,
    cut: u32,
    label: &dyn Fn(i32) -> Label,
) -> (Vec<Vec<i32>>, Vec<Vec<i32>>) {
    let (mut a, mut b) = (proof.originals(|p| p < cut), proof.originals(|p| p >= cut));
    for &lit in proof.clause(root) {
        let side = if label(lit.abs()) == Label::A { &mut a } else { &mut b };
        side.push(vec![-lit]);
    }
    (a, b)
}

/// Checks that a sequence is inductive: I_c and partition c imply I_{c+1}, from true to false.
pub fn check_sequence(
    parts: &[Vec<Vec<i32>>],
    aig: &Aig,
    interpolants: &[Lit],
    variables: &[i32],
) -> Result<(), Flaw> {
    let mut before = Lit::TRUE;
    for (index, part) in parts.iter().enumerate() {
        let after = interpolants.get(index).copied().unwrap_or(Lit::FALSE);
        check_step(before, part, after, aig, variables)?;
        before = after;
    }
    Ok(())
}

/// before ∧ clauses ⇒ after.
fn check_step(
    before: Lit,
    clauses: &[Vec<i32>],
    after: Lit,
    aig: &Aig,
    variables: &[i32],
) -> Result<(), Flaw> {
    let mut session = Session::new(&Interrupt::default());
    let largest = clauses.iter().flatten().chain(variables).map(|l| l.abs()).max().unwrap_or(1);
    while session.num_vars() < largest {
        session.new_var();
    }
    for clause in clauses {
        session.add_clause(clause);
    }
    let before = encode(&mut session, aig, before, variables)?;
    let after = encode(&mut session, aig, after, variables)?;
    match session.solve(&[before, -after]) {
        Answer::Unsat => Ok(()),
        Answer::Sat => Err(Flaw::NotImplied),
        Answer::Stopped => Err(Flaw::Unchecked),
    }
}

/// Plain Tseitin encoding, kept apart from the encoder that the engines use.
fn encode(session: &mut Session, aig: &Aig, root: Lit, variables: &[i32]) -> Result<i32, Flaw> {
    let cone = aig.cone(&[root]);
    let mut image = vec![-crate::session::TRUE; aig.len()];
    let lit = |image: &[i32], l: Lit| {
        if l.is_negated() { -image[l.node() as usize] } else { image[l.node() as usize] }
    };
    for node in (0..aig.len()).filter(|&n| cone[n]) {
        image[node] = match aig.node(node as u32) {
            Node::Const => -crate::session::TRUE,
            Node::Input(index) => match variables.get(index as usize) {
                Some(&variable) if variable != 0 => variable,
                _ => return Err(Flaw::NotShared),
            },
            Node::And(a, b) => {
                let (a, b) = (lit(&image, a), lit(&image, b));
                let gate = session.new_var();
                session.add_clause(&[-gate, a]);
                session.add_clause(&[-gate, b]);
                session.add_clause(&[gate, -a, -b]);
                gate
            }
        };
    }
    Ok(lit(&image, root))
}
