//! Interpolants reduced to what two proofs need of them.
//!
//! An interpolant I is a circuit of conjunctions. It has to contradict B, and a proof of that need
//! not use all conjuncts: each is one clause of the proof's encoding, so those that the proof does
//! not use can be dropped, which makes I weaker and smaller. Likewise it has to follow from A: a
//! proof that A contradicts ¬I need not use all conjuncts of ¬I, which are the disjuncts of I, and
//! dropping those makes I stronger and smaller. Either way it stays an interpolant. (Cabodi,
//! Lolacono, Vendraminetto, "Optimization techniques for Craig interpolant compaction in unbounded
//! model checking", DATE 2013, and Cabodi et al., "Reducing interpolant circuit size by ad hoc logic
//! synthesis and SAT-based weakening", FMCAD 2016, ask for single nodes whether they can be
//! constants; here one proof speaks about all of them.)
//!
//! A is one step from the last frontier, which is cheap. B has the steps up to the bound, but from
//! a start set that is known to be good, so its proof is usually shorter than that of the query.

use crate::contract::Context;
use crate::interpolants::add_folded;
use crate::unroll::{Encoder, Steps, encode_predicate};
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};
use wedge_model::Predicate;
use wedge_sat::session::TRUE;
use wedge_sat::{Answer, Session};

/// Which of the two reductions are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduce {
    None,
    /// Drop disjuncts that A does not need.
    Strengthen,
    /// Drop conjuncts that B does not need.
    Weaken,
    /// The second, then the first.
    Both,
}

/// Conflicts spent on one proof: it is there to save time. Every proof that is not found within them
/// halves what the next ones may cost.
const CONFLICTS: i32 = 2000;
/// Interpolants with fewer conjunctions are small enough.
const WORTHWHILE: usize = 16;
/// What old predicates may add to a session, by its own number of variables, before it is made anew.
const LITTER: i32 = 2;

pub struct Reducer<'e> {
    encoder: &'e Encoder<'e>,
    reduce: Reduce,
    step: Option<Side>,
    step_conflicts: i32,
    goal: Option<(usize, Side)>,
    goal_conflicts: i32,
}

/// A recording session with a state that predicates are about.
struct Side {
    session: Session,
    /// The latches of that state.
    latches: Vec<i32>,
    /// Those of the state before it.
    before: Vec<i32>,
    /// What is assumed besides the predicate.
    assumption: i32,
    /// Number of variables without any predicate.
    own: i32,
    /// The next partition that no clause has; 0 is for all that is no conjunct.
    partition: u32,
}

impl Side {
    /// T(s₀,s₁), about s₁.
    fn step(encoder: &Encoder, context: &Context) -> Side {
        let mut session = Session::recording(&context.interrupt());
        let before = encoder.free_state(&mut session);
        let mut frame = encoder.frame(&before);
        encoder.constrain(&mut frame, &mut session);
        let latches = encoder.next_state(&mut frame, &mut session);
        let own = session.num_vars();
        Side { session, latches, before, assumption: TRUE, own, partition: 1 }
    }

    /// T(s₁,s₂) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ (¬P(s₁) ∨ … ∨ ¬P(sₖ)), about s₁.
    fn goal(encoder: &Encoder, bound: usize, context: &Context) -> Side {
        let mut session = Session::recording(&context.interrupt());
        let latches = encoder.free_state(&mut session);
        let mut steps = Steps::new(encoder, &latches);
        steps.extend(bound, &mut session);
        add_folded(&mut session, &steps.bads);
        let own = session.num_vars();
        Side { session, latches, before: Vec::new(), assumption: TRUE, own, partition: 1 }
    }

    fn is_littered(&self) -> bool {
        self.session.num_vars() > self.own + LITTER * self.own.max(1000)
    }

    /// The predicate without the conjuncts that a refutation does not use; `None` if there is no
    /// refutation within the limit.
    fn weaken(&mut self, predicate: &Predicate, conflicts: i32) -> Option<Predicate> {
        let aig = &predicate.aig;
        let conjuncts = Conjuncts::add(predicate, self);
        let assumptions = [self.assumption, conjuncts.root];
        let answer = self.session.solve_limited(&assumptions, Some(conflicts));
        let needed = match answer {
            Answer::Unsat => self.needed(&conjuncts, aig.len()),
            _ => None,
        };
        self.session.add_clause(&[-conjuncts.root]);
        Some(conjuncts.rebuild(predicate, &needed?))
    }

    /// By conjunct: whether the refutation just found uses it.
    fn needed(&mut self, conjuncts: &Conjuncts, nodes: usize) -> Option<Vec<bool>> {
        let root = self.session.refutation();
        let proof = self.session.proof();
        if proof.error().is_some() || root.0 as usize >= proof.len() {
            return None;
        }
        let mut needed = vec![false; 2 * nodes];
        for id in proof.core(root, |_| false).into_iter().filter(|&id| proof.is_original(id)) {
            if let Some(conjunct) = proof.partition(id).checked_sub(conjuncts.first) {
                needed[conjunct as usize] = true;
            }
        }
        Some(needed)
    }
}

/// The clauses that say of a predicate what follows if it is true: a conjunction has each of its
/// conjuncts, one clause each, and a disjunction one of its disjuncts.
struct Conjuncts {
    root: i32,
    /// The partition of the first conjunct; that of literal l in its node is this plus 2n or 2n + 1.
    first: u32,
    /// By literal: whether the root depends on it being true.
    used: Vec<bool>,
}

impl Conjuncts {
    /// Requires: the root is no constant and no input.
    fn add(predicate: &Predicate, side: &mut Side) -> Conjuncts {
        let Predicate { aig, root } = predicate;
        let used = used_literals(aig, *root);
        let first = side.partition;
        side.partition += 2 * aig.len() as u32;
        let mut images = vec![0; 2 * aig.len()];
        for (index, &latch) in side.latches.iter().enumerate() {
            let input = aig.input(index);
            (images[input.0 as usize], images[(!input).0 as usize]) = (latch, -latch);
        }
        let session = &mut side.session;
        for lit in (2..2 * aig.len() as u32).map(Lit).filter(|l| used[l.0 as usize]) {
            let Node::And(a, b) = aig.node(lit.node()) else { continue };
            let gate = session.new_var();
            images[lit.0 as usize] = gate;
            let image = |l: Lit| images[l.0 as usize];
            if lit.is_negated() {
                session.set_partition(0);
                add_folded(session, &[-gate, image(!a), image(!b)]);
            } else {
                session.set_partition(first + 2 * lit.node());
                add_folded(session, &[-gate, image(a)]);
                session.set_partition(first + 2 * lit.node() + 1);
                add_folded(session, &[-gate, image(b)]);
            }
        }
        session.set_partition(0);
        Conjuncts { root: images[root.0 as usize], first, used }
    }

    /// The predicate with those conjuncts only.
    fn rebuild(&self, predicate: &Predicate, needed: &[bool]) -> Predicate {
        let Predicate { aig: source, root } = predicate;
        let mut aig = Aig::with_inputs(source.num_inputs());
        let mut images = vec![Lit::TRUE; 2 * source.len()];
        for index in 0..source.num_inputs() {
            let (old, new) = (source.input(index), aig.input(index));
            (images[old.0 as usize], images[(!old).0 as usize]) = (new, !new);
        }
        for lit in (2..2 * source.len() as u32).map(Lit).filter(|l| self.used[l.0 as usize]) {
            let Node::And(a, b) = source.node(lit.node()) else { continue };
            let image = |l: Lit| images[l.0 as usize];
            images[lit.0 as usize] = if lit.is_negated() {
                let (a, b) = (image(!a), image(!b));
                aig.or(a, b)
            } else {
                let kept = |which: u32, l: Lit| match needed[(2 * lit.node() + which) as usize] {
                    true => image(l),
                    false => Lit::TRUE,
                };
                let (a, b) = (kept(0, a), kept(1, b));
                aig.and(a, b)
            };
        }
        crate::interpolants::compact(&aig, images[root.0 as usize])
    }
}

/// By literal: whether its being true matters to the root's being true.
fn used_literals(aig: &Aig, root: Lit) -> Vec<bool> {
    let mut used = vec![false; 2 * aig.len()];
    used[root.0 as usize] = true;
    for lit in (2..2 * aig.len() as u32).rev().map(Lit) {
        if let (true, Node::And(a, b)) = (used[lit.0 as usize], aig.node(lit.node())) {
            let negated = lit.is_negated();
            used[a.xor(negated).0 as usize] = true;
            used[b.xor(negated).0 as usize] = true;
        }
    }
    used
}

impl<'e> Reducer<'e> {
    pub fn new(encoder: &'e Encoder<'e>, reduce: Reduce) -> Reducer<'e> {
        let (step_conflicts, goal_conflicts) = (CONFLICTS, CONFLICTS);
        Reducer { encoder, reduce, step: None, step_conflicts, goal: None, goal_conflicts }
    }

    /// The interpolant of the query from `frontier` with this bound, reduced.
    pub fn reduce(
        &mut self,
        interpolant: Predicate,
        frontier: &Predicate,
        bound: usize,
        context: &Context,
    ) -> Predicate {
        let mut reduced = interpolant;
        let weakens = matches!(self.reduce, Reduce::Weaken | Reduce::Both);
        if weakens && self.goal_conflicts > 0 && is_large(&reduced) {
            let conflicts = self.goal_conflicts;
            let weaker = self.goal_side(bound, context).weaken(&reduced, conflicts);
            self.goal_conflicts >>= weaker.is_none() as u32;
            reduced = smaller(weaker, reduced);
        }
        let strengthens = matches!(self.reduce, Reduce::Strengthen | Reduce::Both);
        if strengthens && self.step_conflicts > 0 && is_large(&reduced) {
            let conflicts = self.step_conflicts;
            let outside = Predicate { aig: reduced.aig, root: !reduced.root };
            let weaker = self.step_side(frontier, context).weaken(&outside, conflicts);
            self.step_conflicts >>= weaker.is_none() as u32;
            let outside = smaller(weaker, outside);
            reduced = Predicate { root: !outside.root, aig: outside.aig };
        }
        reduced
    }

    fn goal_side(&mut self, bound: usize, context: &Context) -> &mut Side {
        let old = self.goal.take().filter(|(known, side)| *known == bound && !side.is_littered());
        let fresh = || (bound, Side::goal(self.encoder, bound, context));
        &mut self.goal.insert(old.unwrap_or_else(fresh)).1
    }

    /// T(s₀,s₁) from the frontier.
    fn step_side(&mut self, frontier: &Predicate, context: &Context) -> &mut Side {
        let old = self.step.take().filter(|side| !side.is_littered());
        let mut side = old.unwrap_or_else(|| Side::step(self.encoder, context));
        side.assumption = encode_predicate(frontier, &side.before, &mut side.session);
        self.step.insert(side)
    }
}

fn is_large(predicate: &Predicate) -> bool {
    predicate.aig.num_ands() >= WORTHWHILE
        && matches!(predicate.aig.node(predicate.root.node()), Node::And(..))
}

fn smaller(reduced: Option<Predicate>, original: Predicate) -> Predicate {
    match reduced {
        Some(reduced) if reduced.aig.num_ands() < original.aig.num_ands() => reduced,
        _ => original,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cut::{CutUnrolling, Start};
    use wedge_model::{Circuit, Reset};
    use wedge_sat::InterpolationSystem;
    use wedge_sat::random::Random;

    fn random_circuit(random: &mut Random) -> Circuit {
        let mut circuit = Circuit::default();
        for _ in 0..6 {
            circuit.add_latch(Reset::Const(false));
        }
        for _ in 0..2 {
            circuit.add_input();
        }
        let mut pool: Vec<Lit> = circuit.latches.iter().map(|l| l.state).collect();
        pool.extend(&circuit.inputs);
        let mut below = |n: usize| (random.word() >> 20) as usize % n;
        for _ in 0..25 {
            let a = pool[below(pool.len())].xor(below(2) == 0);
            let b = pool[below(pool.len())].xor(below(2) == 0);
            pool.push(circuit.aig.and(a, b));
        }
        for latch in 0..6 {
            circuit.latches[latch].next = pool[below(pool.len())].xor(below(2) == 0);
        }
        circuit.bad = pool[pool.len() - 1];
        circuit
    }

    /// What is left is an interpolant of the same query, by a fresh solver, and no larger.
    #[test]
    fn what_is_left_is_an_interpolant() {
        let mut random = Random(11);
        let context = Context::new(None);
        let mut dropped = 0;
        for _ in 0..300 {
            let circuit = random_circuit(&mut random);
            let encoder = Encoder::new(&circuit);
            let initial = circuit.initial_states();
            let systems = &[InterpolationSystem::Pudlak];
            let mut unrolling = CutUnrolling::new(&encoder, 3, systems, Start::Initial, &context);
            if unrolling.solve(&context) != Answer::Unsat {
                continue;
            }
            let interpolant = unrolling.interpolant().expect("a proof");
            let size = interpolant.aig.num_ands();
            if !matches!(interpolant.aig.node(interpolant.root.node()), Node::And(..)) {
                continue;
            }
            let mut reducer = Reducer::new(&encoder, Reduce::Both);
            let weaker =
                reducer.goal_side(3, &context).weaken(&interpolant, CONFLICTS).expect("a proof");
            assert_eq!(unrolling.check(&weaker), Ok(()));
            assert!(weaker.aig.num_ands() <= size);
            dropped += (weaker.aig.num_ands() < size) as usize;
            let outside = Predicate { root: !interpolant.root, aig: interpolant.aig };
            let step = reducer.step_side(&initial, &context);
            let outside = step.weaken(&outside, CONFLICTS).expect("a proof");
            let stronger = Predicate { root: !outside.root, aig: outside.aig };
            assert_eq!(unrolling.check(&stronger), Ok(()));
            assert!(stronger.aig.num_ands() <= size);
        }
        assert!(dropped > 0);
    }

    /// Three latches that stay false, of which the first must: what the others do is of no use.
    #[test]
    fn what_a_proof_does_not_use_goes() {
        let mut circuit = Circuit::default();
        for _ in 0..3 {
            circuit.add_latch(Reset::Const(false));
        }
        circuit.bad = circuit.latches[0].state;
        let (encoder, context) = (Encoder::new(&circuit), Context::new(None));
        let mut reducer = Reducer::new(&encoder, Reduce::Both);
        let mut aig = Aig::with_inputs(3);
        let (x, y, z) = (aig.input(0), aig.input(1), aig.input(2));
        let others = aig.and(y, z);
        // ¬x ∧ ¬(y ∧ z) contradicts a bad s₁ without its second half.
        let inside = aig.and(!x, !others);
        let interpolant = Predicate { aig: aig.clone(), root: inside };
        let weaker =
            reducer.goal_side(1, &context).weaken(&interpolant, CONFLICTS).expect("a proof");
        assert_eq!((weaker.aig.num_ands(), weaker.root), (0, !weaker.aig.input(0)));
        // ¬x ∨ (y ∧ z) follows from the first states without its second half.
        let outside = Predicate { root: aig.and(x, !others), aig };
        let step = reducer.step_side(&circuit.initial_states(), &context);
        let outside = step.weaken(&outside, CONFLICTS).expect("a proof");
        assert_eq!((outside.aig.num_ands(), outside.root), (0, outside.aig.input(0)));
    }
}
