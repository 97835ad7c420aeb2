//! Facts about words, on random sets of states, against enumeration.

use std::time::{Duration, Instant};
use wedge_logic::{Aig, Lit};
use wedge_sat::random::Random;
use wedge_sat::{Interrupt, Session};
use wedge_smt::words::{Effort, Fact, Level, Set, View, Vocabulary, implied, separate};

const WIDTH: usize = 3;
/// Two words of three bits and a control word of two.
const INPUTS: usize = 2 * WIDTH + 2;

fn below(random: &mut Random, n: usize) -> usize {
    (random.word() >> 20) as usize % n
}

/// A solver with one copy of the inputs, in which a set of states is switched on.
struct Solver {
    session: Session,
    view: View,
    assumption: i32,
}

impl Solver {
    fn new(states: &[bool]) -> Solver {
        let mut session = Session::light(&Interrupt::default());
        let inputs: Vec<i32> = (0..INPUTS).map(|_| session.new_var()).collect();
        let assumption = session.new_var();
        for (state, _) in states.iter().enumerate().filter(|(_, inside)| !**inside) {
            let differs = |i: usize| if state >> i & 1 == 1 { -inputs[i] } else { inputs[i] };
            let clause: Vec<i32> = (0..INPUTS).map(differs).chain([-assumption]).collect();
            session.add_clause(&clause);
        }
        let view = View::new(&inputs);
        Solver { session, view, assumption }
    }

    fn set(&mut self) -> Set<'_> {
        let effort =
            Effort { deadline: Instant::now() + Duration::from_secs(60), conflicts: 100_000 };
        let assumptions = vec![self.assumption];
        Set { session: &mut self.session, view: &mut self.view, assumptions, effort }
    }
}

fn vocabulary(with_control: bool) -> Vocabulary {
    let graph = Aig::with_inputs(INPUTS);
    let word =
        |from: usize, to: usize| -> Vec<Lit> { (from..to).map(|i| graph.input(i)).collect() };
    let words = vec![word(0, WIDTH), word(WIDTH, 2 * WIDTH), word(2 * WIDTH, INPUTS)];
    let numbers = [(WIDTH, 5), (2, 2)];
    Vocabulary::new(INPUTS, words, with_control.then_some(2), &numbers)
}

/// Half-spaces and other shapes, so that there is something to be said.
fn random_set(random: &mut Random) -> Vec<bool> {
    let (kind, limit, pick) = (below(random, 4), below(random, 8), below(random, 4));
    let inside = |state: usize| {
        let (x, y, z) = (state & 7, state >> WIDTH & 7, state >> (2 * WIDTH));
        match kind {
            0 => x <= y,
            1 => x < limit && (z == pick || y > x),
            2 => x % 2 == limit % 2 && z != pick,
            _ => x + y == limit || (z == pick && x == y),
        }
    };
    let sparse: Vec<bool> = (0..1 << INPUTS).map(|_| below(random, 3) > 0).collect();
    (0..1 << INPUTS).map(|state| inside(state) && sparse[state]).collect()
}

fn holds(vocabulary: &mut Vocabulary, facts: &[Fact], state: usize) -> bool {
    let (aig, root) = vocabulary.conjunction(facts);
    let bits: Vec<bool> = (0..INPUTS).map(|i| state >> i & 1 == 1).collect();
    aig.eval(root, &bits)
}

#[test]
fn implied_facts_hold_in_every_state() {
    let mut random = Random(7);
    let mut count = 0;
    for round in 0..60 {
        let states = random_set(&mut random);
        let mut vocabulary = vocabulary(round % 2 == 0);
        let mut solver = Solver::new(&states);
        for level in [Level::Model, Level::Linear, Level::Bounds] {
            let facts = implied(&mut solver.set(), &mut vocabulary, &[0, 1], level).unwrap();
            count += facts.len();
            for state in (0..states.len()).filter(|&state| states[state]) {
                assert!(holds(&mut vocabulary, &facts, state), "{state}: {facts:?}");
            }
        }
    }
    assert!(count > 500, "hardly anything is implied: {count}");
}

#[test]
fn what_separates_is_an_interpolant() {
    let mut random = Random(21);
    let (mut found, mut missed) = (0, 0);
    for round in 0..120 {
        let inside = random_set(&mut random);
        let mut outside = random_set(&mut random);
        outside.iter_mut().zip(&inside).for_each(|(out, &inside)| *out &= !inside);
        let mut vocabulary = vocabulary(round % 2 == 0);
        let (mut a, mut b) = (Solver::new(&inside), Solver::new(&outside));
        let facts = separate(&mut a.set(), &mut b.set(), &mut vocabulary, &[0, 1], None);
        let Some(facts) = facts else {
            missed += 1;
            continue;
        };
        found += 1;
        for state in 0..inside.len() {
            let holds = holds(&mut vocabulary, &facts, state);
            assert!(!inside[state] || holds, "{state} is lost: {facts:?}");
            assert!(!outside[state] || !holds, "{state} is not excluded: {facts:?}");
        }
    }
    assert!(found > 10 && missed > 5, "one-sided: {found} found, {missed} missed");
}

#[test]
fn linear_equations_are_found() {
    // y = 3x + 2 against everything else.
    let inside = |s: usize| (s >> WIDTH & 7) == (3 * (s & 7) + 2) & 7;
    let states: Vec<bool> = (0..1 << INPUTS).map(inside).collect();
    let others: Vec<bool> = states.iter().map(|&inside| !inside).collect();
    let (mut a, mut b) = (Solver::new(&states), Solver::new(&others));
    let mut vocabulary = vocabulary(false);
    let facts = separate(&mut a.set(), &mut b.set(), &mut vocabulary, &[0, 1], None).unwrap();
    for (state, &inside) in states.iter().enumerate() {
        assert_eq!(holds(&mut vocabulary, &facts, state), inside, "{facts:?}");
    }
}

#[test]
fn general_facts_come_first() {
    // x = 2 and y = 4 against x > y: that x <= y is enough, and less than any number says.
    let states = |inside: &dyn Fn(usize, usize) -> bool| -> Vec<bool> {
        (0..1 << INPUTS).map(|s| inside(s & 7, s >> WIDTH & 7)).collect()
    };
    let mut a = Solver::new(&states(&|x, y| x == 2 && y == 4));
    let mut b = Solver::new(&states(&|x, y| x > y));
    let mut vocabulary = vocabulary(false);
    let facts = separate(&mut a.set(), &mut b.set(), &mut vocabulary, &[0, 1], None).unwrap();
    assert_eq!(facts.len(), 1, "{facts:?}");
    for state in 0..1usize << INPUTS {
        let (x, y) = (state & 7, state >> WIDTH & 7);
        assert_eq!(holds(&mut vocabulary, &facts, state), x <= y, "{facts:?}");
    }
}
