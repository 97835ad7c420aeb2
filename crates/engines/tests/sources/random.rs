//! Random paths of random automata: every sequence is inductive, projection keeps it so, and live
//! variables say the same whether they are projected to at once or in the end.

use crate::common::{below, random_automaton};
use crate::example::{assert_consecutive, assert_inductive, context, equivalent, newton};
use rustc_hash::FxHashSet;
use wedge_engines::paths::newton::trace::Trace;
use wedge_engines::paths::{
    BlockSize, Blocked, CoreGrain, Feasibility, Goal, Infeasible, Paths, Source, StepId,
    Transformer, Variant,
};
use wedge_logic::Term;
use wedge_sat::Interrupt;
use wedge_sat::random::Random;
use wedge_smt::projection::{Limits, exists, forall};

/// A path to a target with at most so many steps, if the random walk finds one.
fn walk(blocked: &Blocked, random: &mut Random, most: usize) -> Option<Vec<StepId>> {
    let mut place = Blocked::ENTRY;
    let mut steps = Vec::new();
    while steps.len() < most {
        let outgoing = &blocked.place(place).steps;
        if outgoing.is_empty() {
            return None;
        }
        let step = outgoing[below(random, outgoing.len())];
        steps.push(step);
        match blocked.step(step).to {
            Goal::Target(_) => return Some(steps),
            Goal::Place(next) => place = next,
        }
    }
    None
}

/// Calls the function with infeasible paths of random automata.
pub fn infeasible_paths(seed: u64, count: usize, mut each: impl FnMut(&mut Blocked, &Infeasible)) {
    let mut random = Random(seed);
    let mut found = 0;
    while found < count {
        let cfa = random_automaton(&mut random);
        let size = [BlockSize::Edge, BlockSize::Loops, BlockSize::AtMost(2)][below(&mut random, 3)];
        let mut blocked = Blocked::new(&cfa, size, true).expect("small");
        let mut paths = Paths::new(&Interrupt::default());
        for _ in 0..6 {
            let Some(steps) = walk(&blocked, &mut random, 8) else { continue };
            if let Feasibility::Infeasible(path) = paths.check(&mut blocked, &steps) {
                each(&mut blocked, &path);
                found += 1;
            }
        }
    }
}

#[test]
fn sequences_are_inductive() {
    let context = context();
    infeasible_paths(11, 120, |blocked, path| {
        for variant in Variant::all() {
            for grain in [CoreGrain::Statements, CoreGrain::Conjuncts] {
                let mut source = newton(variant, grain, &context);
                let found = source.assertions(blocked, path, &context.interrupt());
                let found = found.unwrap_or_else(|why| panic!("{variant}: {why:?}"));
                assert_inductive(blocked, &path.steps, &found, &variant.to_string());
            }
        }
    });
}

/// Assertions between two formulas, for the middle of a path.
#[test]
fn sequences_between_formulas_are_inductive() {
    let context = context();
    let mut between = 0;
    infeasible_paths(12, 60, |blocked, path| {
        for variant in Variant::all() {
            let mut source = newton(variant, CoreGrain::Statements, &context);
            let interrupt = context.interrupt();
            let whole = source.assertions(blocked, path, &interrupt).expect("assertions");
            let last = path.steps.len() - 1;
            if last < 2 {
                continue;
            }
            let (before, after) = (whole[1], whole[last]);
            let steps = &path.steps[1..last];
            let found = source.between(blocked, before, steps, after, &interrupt);
            let found = found.unwrap_or_else(|| panic!("{variant}: none"));
            assert_eq!((found[0], found[steps.len()]), (before, after));
            assert_consecutive(blocked, steps, &found, &variant.to_string());
            between += 1;
        }
    });
    assert!(between > 100, "{between}");
}

/// Lemma 5.3, and that projecting at each position gives the same as projecting in the end.
#[test]
fn projection_preserves_inductivity() {
    let (context, limits) = (context(), Limits { bits: 64, models: 64, ..Limits::default() });
    let interrupt = context.interrupt();
    infeasible_paths(13, 60, |blocked, path| {
        let trace = Trace::new(blocked, &path.steps, CoreGrain::Statements, None, None);
        for transformer in [Transformer::Post, Transformer::Pre] {
            let of = |live: bool, blocked: &mut Blocked| {
                let variant = Variant { core: false, transformer, live };
                let mut source = newton(variant, CoreGrain::Statements, &context);
                source.assertions(blocked, path, &interrupt).expect("assertions")
            };
            let plain = of(false, blocked);
            let at_once = of(true, blocked);
            let live = match transformer {
                Transformer::Post => trace.future_live(&blocked.store),
                Transformer::Pre => trace.past_live(&blocked.store),
            };
            let mut projected = Vec::new();
            for (&phi, live) in plain.iter().zip(&live) {
                let gone = others(blocked, live);
                let store = &mut blocked.store;
                projected.push(match transformer {
                    // ep(φ, FL)
                    Transformer::Post => exists(store, &gone, phi, &limits, &interrupt).plain(),
                    // up(φ, PL)
                    Transformer::Pre => forall(store, &gone, phi, &limits, &interrupt).ok(),
                });
            }
            let projected: Option<Vec<Term>> = projected.into_iter().collect();
            let projected = projected.expect("few bits");
            assert_inductive(blocked, &path.steps, &projected, &format!("{transformer:?}"));
            for (left, right) in projected.into_iter().zip(at_once) {
                assert!(equivalent(blocked, left, right), "{transformer:?}");
            }
        }
    });
}

fn others(blocked: &Blocked, live: &FxHashSet<Term>) -> Vec<Term> {
    blocked.cfa.variables.iter().copied().filter(|v| !live.contains(v)).collect()
}
