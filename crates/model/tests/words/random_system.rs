//! Random systems, and the comparison of their circuits with the word-level simulator.

use proptest::prelude::*;
use wedge_logic::blast::Limits;
use wedge_logic::{Aig, ArrayValue, BitVec, Lit, Sort, Term, Value};
use wedge_model::simulate::evaluate;
use wedge_model::simulate_words::{evaluator, run};
use wedge_model::{
    Choice, Circuit, LoweringMap, Predicate, Reset, System, Trace, WordTrace, first_state, lower,
};

const ARRAY: Sort = Sort::Array { index: 2, element: 3 };

/// Numbers from which everything is drawn.
pub struct Genes {
    state: u64,
}

impl Genes {
    pub fn new(seed: u64) -> Genes {
        Genes { state: seed | 1 }
    }
    pub fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state >> 11
    }
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
    pub fn chance(&mut self, one_in: u64) -> bool {
        self.next().is_multiple_of(one_in)
    }
}

/// A system with a few inputs and states of several sorts, with and without inits and nexts.
pub fn random_system(genes: &mut Genes) -> System {
    let mut system = System::new();
    let sorts = [Sort::Bv(1), Sort::Bv(2), Sort::Bv(3), Sort::Bv(5), ARRAY];
    for i in 0..1 + genes.below(4) {
        system.add_input(format!("in{i}"), sorts[genes.below(sorts.len())]);
    }
    for i in 0..1 + genes.below(5) {
        system.add_state(format!("s{i}"), sorts[genes.below(sorts.len())]);
    }
    let inputs = system.inputs.clone();
    for i in 0..system.states.len() {
        let mut init_pool: Vec<Term> = system.states[..i].iter().map(|s| s.var).collect();
        if genes.chance(3) {
            init_pool.extend(&inputs);
        }
        let mut next_pool: Vec<Term> = system.states.iter().map(|s| s.var).collect();
        next_pool.extend(&inputs);
        let (var, sort) = (system.states[i].var, system.terms.sort(system.states[i].var));
        system.states[i].init = match genes.below(4) {
            0 => None,
            1 => Some(random_term(&mut system, genes, sort, &init_pool, 3)),
            _ => Some(random_term(&mut system, genes, sort, &[], 1)),
        };
        system.states[i].next = match genes.below(5) {
            0 => None,
            1 => Some(var),
            _ => Some(random_term(&mut system, genes, sort, &next_pool, 6)),
        };
    }
    let mut pool: Vec<Term> = system.states.iter().map(|s| s.var).collect();
    pool.extend(&inputs);
    for _ in 0..genes.below(3) {
        let constraint = random_term(&mut system, genes, Sort::BOOL, &pool, 4);
        system.constraints.push(constraint);
    }
    let bad = random_term(&mut system, genes, Sort::BOOL, &pool, 6);
    system.add_bad(None, bad);
    system
}

/// A term of the sort over the pool, built in a few random steps.
fn random_term(
    system: &mut System,
    genes: &mut Genes,
    sort: Sort,
    pool: &[Term],
    steps: usize,
) -> Term {
    let mut pool = pool.to_vec();
    let value = genes.next();
    let zero = system.terms.number(3, value);
    let array = system.terms.const_array(2, zero);
    pool.extend([zero, array]);
    for _ in 0..steps {
        let term = random_step(system, genes, &pool);
        pool.push(term);
    }
    let last = *pool.last().expect("constants at least");
    fit(system, genes, last, sort, &pool)
}

fn random_step(system: &mut System, genes: &mut Genes, pool: &[Term]) -> Term {
    let pick = |genes: &mut Genes| pool[genes.below(pool.len())];
    let (a, b, c) = (pick(genes), pick(genes), pick(genes));
    let a = fit(system, genes, a, Sort::Bv(3), pool);
    let b = fit(system, genes, b, Sort::Bv(3), pool);
    let p = fit(system, genes, c, Sort::BOOL, pool);
    let i = fit(system, genes, c, Sort::Bv(2), pool);
    let array = fit(system, genes, c, ARRAY, pool);
    let other = pick(genes);
    let other = fit(system, genes, other, ARRAY, pool);
    let terms = &mut system.terms;
    match genes.below(14) {
        0 => terms.add(a, b),
        1 => terms.mul(a, b),
        2 => terms.ult(a, b),
        3 => terms.eq(a, b),
        4 => terms.concat(a, i),
        5 => terms.ite(p, a, b),
        6 => terms.udiv(a, b),
        7 => terms.sra(a, b),
        8 => terms.eq(array, other),
        9 => terms.ite(p, array, other),
        10 | 11 => terms.write(array, i, a),
        _ => terms.read(array, i),
    }
}

/// The term, or one made from it, with the wanted sort.
fn fit(system: &mut System, genes: &mut Genes, term: Term, sort: Sort, pool: &[Term]) -> Term {
    let terms = &mut system.terms;
    match (terms.sort(term), sort) {
        (given, wanted) if given == wanted => term,
        (Sort::Bv(given), Sort::Bv(wanted)) if given > wanted => terms.slice(term, wanted - 1, 0),
        (Sort::Bv(given), Sort::Bv(wanted)) => terms.sext(term, wanted - given),
        (Sort::Array { .. }, Sort::Bv(_)) => {
            let index = terms.number(2, genes.next());
            let read = terms.read(term, index);
            fit(system, genes, read, sort, pool)
        }
        (_, Sort::Array { .. }) => {
            let element = fit(system, genes, term, Sort::Bv(3), pool);
            let arrays: Vec<Term> =
                pool.iter().copied().filter(|&t| system.terms.sort(t) == sort).collect();
            let array = arrays[genes.below(arrays.len())];
            let index = system.terms.number(2, genes.next());
            system.terms.write(array, index, element)
        }
    }
}

/// A random walk through the circuit, whether or not the constraints hold.
pub fn random_walk(circuit: &Circuit, genes: &mut Genes, steps: usize) -> Trace {
    let chosen: Vec<Option<bool>> =
        circuit.latches.iter().map(|l| (l.reset == Reset::Free).then(|| genes.chance(2))).collect();
    let mut draw = || circuit.inputs.iter().map(|_| genes.chance(2)).collect();
    let inputs = (0..steps).map(|_| draw()).collect();
    Trace { initial: first_state(circuit, &chosen), inputs }
}

/// Checks that the circuit and the system agree on bad and constraints along the walk.
pub fn compare(system: &System, circuit: &Circuit, back: &LoweringMap, walk: &Trace) -> WordTrace {
    let words = back.trace(system, walk).expect("a walk of the circuit is one of the system");
    compare_steps(system, circuit, walk, &words);
    words
}

fn compare_steps(system: &System, circuit: &Circuit, walk: &Trace, words: &WordTrace) {
    let mut state = walk.initial.clone();
    for (step, inputs) in walk.inputs.iter().enumerate() {
        let nodes = evaluate(circuit, &state, inputs);
        let bit = |lit: Lit| wedge_logic::aig::word(&nodes, lit) & 1 == 1;
        let mut evaluator = evaluator(system, &words.steps[step]);
        assert_eq!(bit(circuit.bad), evaluator.holds(system.bads[0].term).expect("assigned"));
        let constrained = system.constraints.iter().all(|&c| evaluator.holds(c).expect("assigned"));
        assert_eq!(circuit.constraints.iter().all(|&c| bit(c)), constrained, "step {step}");
        state = circuit.latches.iter().map(|l| bit(l.next)).collect();
    }
}

/// A predicate over the latches, drawn at random.
fn random_predicate(circuit: &Circuit, genes: &mut Genes) -> Predicate {
    let mut aig = Aig::with_inputs(circuit.latches.len());
    let mut root = Lit::TRUE;
    for i in 0..circuit.latches.len() {
        let lit = aig.input(i).xor(genes.chance(2));
        root = match genes.below(3) {
            0 => aig.xor(root, lit),
            1 => !aig.and(root, lit),
            _ => root,
        };
    }
    Predicate { aig, root }
}

fn random_value(sort: Sort, genes: &mut Genes) -> Value {
    match sort {
        Sort::Bv(width) => Value::Bv(BitVec::new(width, genes.next())),
        Sort::Array { index, element } => {
            let mut array = ArrayValue::constant(index, BitVec::new(element, genes.next()));
            for i in 0..1 << index {
                array = array.write(&BitVec::new(index, i), &BitVec::new(element, genes.next()));
            }
            Value::Array(array)
        }
    }
}

/// A random path of the system, whether or not the constraints hold.
pub fn random_words(system: &System, genes: &mut Genes, steps: usize) -> WordTrace {
    let mut choices = vec![Choice::open(system); steps];
    for (step, choice) in choices.iter_mut().enumerate() {
        for (slot, &var) in choice.inputs.iter_mut().zip(&system.inputs) {
            *slot = Some(random_value(system.terms.sort(var), genes));
        }
        for (slot, state) in choice.states.iter_mut().zip(&system.states) {
            let given = if step == 0 { state.init } else { state.next };
            if given.is_none() {
                *slot = Some(random_value(system.terms.sort(state.var), genes));
            }
        }
    }
    run(system, &choices).expect("only free values are chosen")
}

/// The walk of the circuit along a path of the system: a free bit of the circuit is set if the
/// bit of the system that it stands for is. Which one that is shows when it alone is set.
fn walk_of(system: &System, circuit: &Circuit, back: &LoweringMap, words: &WordTrace) -> Trace {
    let steps = words.steps.len();
    let zero = Trace {
        initial: vec![false; circuit.latches.len()],
        inputs: vec![vec![false; circuit.inputs.len()]; steps],
    };
    let is_set = |unit: &Trace| {
        let choices = back.choices(system, unit).expect("the right shape");
        choices.iter().zip(&words.steps).any(|(choice, step)| {
            let states = choice.states.iter().zip(&step.states);
            states.chain(choice.inputs.iter().zip(&step.inputs)).any(|(unit, v)| overlap(unit, v))
        })
    };
    let mut walk = zero.clone();
    let mut chosen = vec![None; circuit.latches.len()];
    for (latch, value) in chosen.iter_mut().enumerate() {
        let mut unit = zero.clone();
        unit.initial[latch] = true;
        *value = (circuit.latches[latch].reset == Reset::Free).then(|| is_set(&unit));
    }
    walk.initial = first_state(circuit, &chosen);
    for step in 0..steps {
        for input in 0..circuit.inputs.len() {
            let mut unit = zero.clone();
            unit.inputs[step][input] = true;
            walk.inputs[step][input] = is_set(&unit);
        }
    }
    walk
}

/// Whether the two values have a set bit in common.
fn overlap(unit: &Option<Value>, value: &Value) -> bool {
    match (unit, value) {
        (Some(Value::Bv(unit)), Value::Bv(value)) => !unit.and(value).is_zero(),
        (Some(Value::Array(unit)), Value::Array(value)) => {
            unit.entries().any(|(index, bit)| !bit.and(value.read(index)).is_zero())
        }
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn circuits_agree_with_their_systems(seed in any::<u64>()) {
        let genes = &mut Genes::new(seed);
        let system = random_system(genes);
        prop_assert_eq!(system.check(), Ok(()));
        let (circuit, back) = lower(&system, 0, Limits::default()).expect("small systems");
        circuit.check();
        for _ in 0..4 {
            let walk = random_walk(&circuit, genes, 6);
            compare(&system, &circuit, &back, &walk);
        }
    }

    #[test]
    fn predicates_mean_the_same_over_words(seed in any::<u64>()) {
        let genes = &mut Genes::new(seed);
        let mut system = random_system(genes);
        let (circuit, back) = lower(&system, 0, Limits::default()).expect("small systems");
        let predicate = random_predicate(&circuit, genes);
        let term = back.predicate(&mut system, &predicate);
        let walk = random_walk(&circuit, genes, 4);
        let words = compare(&system, &circuit, &back, &walk);
        let mut state = walk.initial.clone();
        for (step, inputs) in walk.inputs.iter().enumerate() {
            let holds = predicate.aig.eval(predicate.root, &state);
            prop_assert_eq!(evaluator(&system, &words.steps[step]).holds(term), Ok(holds));
            let nodes = evaluate(&circuit, &state, inputs);
            let bit = |lit: Lit| wedge_logic::aig::word(&nodes, lit) & 1 == 1;
            state = circuit.latches.iter().map(|l| bit(l.next)).collect();
        }
    }

    /// The other direction: every path of the system is one of the circuit, whatever the values
    /// of what was not lowered.
    #[test]
    fn systems_agree_with_their_circuits(seed in any::<u64>()) {
        let genes = &mut Genes::new(seed);
        let system = random_system(genes);
        let (circuit, back) = lower(&system, 0, Limits::default()).expect("small systems");
        let words = random_words(&system, genes, 4);
        let walk = walk_of(&system, &circuit, &back, &words);
        compare_steps(&system, &circuit, &walk, &words);
    }
}
