//! Craig interpolants from resolution refutations, by labelled interpolation systems
//! (D'Silva, Kroening, Purandare, Weissenbacher, VMCAI 2010).
//!
//! With A the clauses of the first partitions and B the others, each clause of the refutation
//! gets a partial interpolant, built along the chain:
//!
//! | system | clause of A | clause of B | pivot local to A | pivot local to B | shared pivot x |
//! | --- | --- | --- | --- | --- | --- |
//! | McMillan | its shared literals | true | or | and | and |
//! | Pudlák | false | true | or | and | (x ∨ I⁺) ∧ (¬x ∨ I⁻) |
//! | dual McMillan | false | its shared literals, negated | or | and | or |
//!
//! McMillan gives the strongest of the three, dual McMillan the weakest. The negated McMillan
//! interpolant of (B, A) is the dual one of (A, B): backward derivation (Beyer, Lee, Wendler,
//! section 4.5) is a choice of system.

use crate::check::{check_interpolant, sides};
use crate::proof::{ClauseId, Proof, ProofError};
use crate::refutation::{Origin, Refutation, Resolution};
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit, audit};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InterpolationSystem {
    McMillan,
    Pudlak,
    DualMcMillan,
}

impl InterpolationSystem {
    /// The system S' for which S'(A, B) = ¬S(B, A).
    pub fn dual(self) -> InterpolationSystem {
        match self {
            InterpolationSystem::McMillan => InterpolationSystem::DualMcMillan,
            InterpolationSystem::Pudlak => InterpolationSystem::Pudlak,
            InterpolationSystem::DualMcMillan => InterpolationSystem::McMillan,
        }
    }
}

/// Where a variable occurs, relative to a cut of the partitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// Only in clauses of A.
    A,
    /// Only in clauses of B.
    B,
    /// In both; in the interpolant it is this literal.
    Shared(Lit),
}

/// Computes interpolants at one cut, for any number of queries of one recording session.
/// Partial interpolants are kept between queries, so labels must not change once used.
pub struct Interpolator {
    system: InterpolationSystem,
    /// Partitions below the cut are A.
    cut: u32,
    labels: Vec<Label>,
    /// Partial interpolant per clause number.
    partial: Vec<Option<Lit>>,
}

impl Interpolator {
    /// `labels[v]` is the label of variable v; a variable beyond the end is local to B.
    pub fn new(system: InterpolationSystem, cut: u32, labels: Vec<Label>) -> Interpolator {
        Interpolator { system, cut, labels, partial: Vec::new() }
    }

    /// Labels a variable that is new since the last call.
    pub fn set_label(&mut self, var: i32, label: Label) {
        let var = var as usize;
        if self.labels.len() <= var {
            self.labels.resize(var + 1, Label::B);
        }
        self.labels[var] = label;
    }

    /// Requires: `root` is the empty clause, or a clause of negated assumptions each of which is
    /// local to A or to B (it then counts as a unit clause of that side).
    /// Ensures: A implies the result, the result contradicts B, and it is a function of shared
    /// variables only. `aig` must be the same graph in every call.
    pub fn interpolate(
        &mut self,
        proof: &Proof,
        root: ClauseId,
        aig: &mut Aig,
    ) -> Result<Lit, ProofError> {
        let known = |id: ClauseId| self.partial.get(id.0 as usize).is_some_and(Option::is_some);
        let refutation = Refutation::extract(proof, root, known)?;
        if self.partial.len() < proof.len() {
            self.partial.resize(proof.len(), None);
        }
        let view = View { system: self.system, cut: self.cut, label: |v| self.label(v) };
        let values =
            view.partial_interpolants(proof, &refutation, aig, |id| self.partial[id.0 as usize]);
        for (id, &value) in refutation.clauses.iter().zip(&values) {
            self.partial[id.0 as usize] = Some(value);
        }
        let interpolant = *values.last().expect("a refutation has its root");
        audited(proof, root, self.cut, &|v| self.label(v), aig, interpolant);
        Ok(interpolant)
    }

    pub fn label(&self, var: i32) -> Label {
        self.labels.get(var as usize).copied().unwrap_or(Label::B)
    }
}

/// An inductive sequence of interpolants from one refutation: element c−1 of the result is the
/// interpolant at cut c, for c in 1..parts (paper: Vizel and Grumberg, FMCAD 2009).
///
/// Requires: `label(c, v)` is the label of variable v when the partitions below c are A.
/// Ensures: with I₀ true and I_parts false, each I_c and partition c imply I_{c+1}.
pub fn sequence(
    proof: &Proof,
    root: ClauseId,
    system: InterpolationSystem,
    parts: u32,
    label: impl Fn(u32, i32) -> Label,
    aig: &mut Aig,
) -> Result<Vec<Lit>, ProofError> {
    let refutation = Refutation::extract(proof, root, |_| false)?;
    let interpolant = |cut: u32| {
        let view = View { system, cut, label: |v| label(cut, v) };
        let values = view.partial_interpolants(proof, &refutation, aig, |_| None);
        let interpolant = *values.last().expect("a root");
        audited(proof, root, cut, &|v| label(cut, v), aig, interpolant);
        interpolant
    };
    Ok((1..parts).map(interpolant).collect())
}

/// Asserts that an interpolant is one of all that was recorded, where such checks are made.
fn audited(
    proof: &Proof,
    root: ClauseId,
    cut: u32,
    label: &dyn Fn(i32) -> Label,
    aig: &Aig,
    interpolant: Lit,
) {
    if !audit::is_on() {
        return;
    }
    let mut variables = vec![0; aig.num_inputs()];
    let (a, b) = sides(proof, root, cut, label);
    let largest = a.iter().chain(&b).flatten().map(|lit| lit.abs()).max().unwrap_or(0);
    for var in 1..=largest {
        if let Label::Shared(lit) = label(var)
            && let Node::Input(index) = aig.node(lit.node())
        {
            variables[index as usize] = if lit.is_negated() { -var } else { var };
        }
    }
    let checked = check_interpolant(&a, &b, aig, interpolant, &variables);
    assert_eq!(checked, Ok(()), "what was computed is an interpolant");
}

/// One cut through the partitions, seen by one interpolation system.
struct View<L> {
    system: InterpolationSystem,
    cut: u32,
    label: L,
}

impl<L: Fn(i32) -> Label> View<L> {
    fn partial_interpolants(
        &self,
        proof: &Proof,
        refutation: &Refutation,
        aig: &mut Aig,
        known: impl Fn(ClauseId) -> Option<Lit>,
    ) -> Vec<Lit> {
        let mut values: Vec<Lit> = Vec::with_capacity(refutation.clauses.len());
        for (&id, &origin) in refutation.clauses.iter().zip(&refutation.origins) {
            let value = match origin {
                Origin::Known => known(id).expect("known clauses have a partial interpolant"),
                Origin::Original(partition) => self.leaf(proof.clause(id), partition, aig),
                Origin::Chain { first, start, end } => {
                    let chain = &refutation.resolutions[start as usize..end as usize];
                    self.chain(values[first as usize], chain, &values, aig)
                }
            };
            values.push(value);
        }
        values
    }

    fn leaf(&self, clause: &[i32], partition: u32, aig: &mut Aig) -> Lit {
        match (self.system, partition < self.cut) {
            (InterpolationSystem::McMillan, true) => {
                let shared = self.shared_literals(clause);
                aig.or_all(&shared)
            }
            (_, true) => Lit::FALSE,
            (InterpolationSystem::DualMcMillan, false) => {
                let shared = self.shared_literals(clause);
                !aig.or_all(&shared)
            }
            (_, false) => Lit::TRUE,
        }
    }

    fn shared_literals(&self, clause: &[i32]) -> Vec<Lit> {
        let shared = |&lit: &i32| match (self.label)(lit.abs()) {
            Label::Shared(shared) => Some(shared.xor(lit < 0)),
            _ => None,
        };
        clause.iter().filter_map(shared).collect()
    }

    fn chain(&self, first: Lit, steps: &[Resolution], values: &[Lit], aig: &mut Aig) -> Lit {
        let mut current = first;
        for step in steps {
            let other = values[step.node as usize];
            current = match ((self.label)(step.pivot.abs()), self.system) {
                (Label::A, _) | (Label::Shared(_), InterpolationSystem::DualMcMillan) => {
                    aig.or(current, other)
                }
                (Label::B, _) | (Label::Shared(_), InterpolationSystem::McMillan) => {
                    aig.and(current, other)
                }
                // The pivot occurs in `other`'s clause with the polarity of `step.pivot`.
                (Label::Shared(x), InterpolationSystem::Pudlak) => {
                    let x = x.xor(step.pivot < 0);
                    let with = aig.or(x, other);
                    let without = aig.or(!x, current);
                    aig.and(with, without)
                }
            };
        }
        current
    }
}
