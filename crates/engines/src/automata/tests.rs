//! Operations on random automata against naive ones: words are enumerated up to a length.

use super::*;
use wedge_sat::random::Random;

const LETTERS: u32 = 3;
const LENGTH: usize = 6;

fn below(random: &mut Random, n: usize) -> usize {
    (random.word() >> 33) as usize % n
}

/// Some transitions are missing, and there are two colours.
fn random_automaton(random: &mut Random) -> Automaton {
    let mut automaton = Automaton::new();
    let count = 1 + below(random, 6);
    for _ in 1..count {
        let colour = [None, None, Some(Colour(0)), Some(Colour(1))][below(random, 4)];
        automaton.add_state(colour);
    }
    for from in automaton.states() {
        for letter in (0..LETTERS).map(Letter) {
            if below(random, 4) > 0 {
                let to = State(below(random, count) as u32);
                automaton.add_transition(from, letter, to);
            }
        }
    }
    automaton
}

fn random_nondeterministic(random: &mut Random) -> Nondeterministic {
    let count = 1 + below(random, 4);
    let mut automaton = Nondeterministic {
        initial: vec![below(random, count), below(random, count)],
        is_accepting: (0..count).map(|_| below(random, 2) == 0).collect(),
        ..Nondeterministic::default()
    };
    for from in 0..count {
        for letter in (0..LETTERS).map(Letter) {
            let leads: Vec<usize> = (0..count).filter(|_| below(random, 3) == 0).collect();
            automaton.transitions.insert((from, letter), leads);
        }
    }
    automaton
}

fn accepts(automaton: &Nondeterministic, word: &[Letter]) -> bool {
    fn from(automaton: &Nondeterministic, state: usize, word: &[Letter]) -> bool {
        match word.split_first() {
            None => automaton.is_accepting[state],
            Some((&letter, rest)) => {
                let leads = &automaton.transitions[&(state, letter)];
                leads.iter().any(|&to| from(automaton, to, rest))
            }
        }
    }
    automaton.initial.iter().any(|&state| from(automaton, state, word))
}

/// The shortest first.
fn words() -> Vec<Vec<Letter>> {
    let mut all = vec![Vec::new()];
    let mut next = 0;
    while next < all.len() && all[next].len() < LENGTH {
        for letter in (0..LETTERS).map(Letter) {
            let word: Vec<Letter> = all[next].iter().copied().chain([letter]).collect();
            all.push(word);
        }
        next += 1;
    }
    all
}

/// A product, whose states are reached and live, and often the same.
fn random_product(random: &mut Random) -> Automaton {
    let mut taken = Powerset::new(random_nondeterministic(random));
    let automaton = random_automaton(random);
    difference(&automaton, &mut taken, true, &mut || true).expect("nobody stops it").automaton
}

/// How many states are left if those are one from which the same words are accepted: pairs of states
/// are told apart until no letter tells others apart (Moore).
fn distinct(automaton: &Automaton) -> usize {
    let states: Vec<Option<State>> = automaton.states().map(Some).chain([None]).collect();
    let colour = |state: &Option<State>| state.and_then(|state| automaton.colour(state));
    let index = |state: Option<State>| state.map_or(automaton.len(), State::index);
    let mut class: Vec<usize> =
        states.iter().map(|s| colour(s).map_or(0, |colour| 1 + usize::from(colour.0))).collect();
    let mut count = 0;
    loop {
        let leads = |state: &Option<State>| -> Vec<usize> {
            let next = |letter| index(state.and_then(|state| automaton.next(state, letter)));
            let after = (0..LETTERS).map(Letter).map(|letter| class[next(letter)]);
            [class[index(*state)]].into_iter().chain(after).collect()
        };
        let keys: Vec<Vec<usize>> = states.iter().map(leads).collect();
        let mut sorted = keys.clone();
        sorted.sort();
        sorted.dedup();
        let finer: Vec<usize> =
            keys.iter().map(|key| sorted.binary_search(key).expect("it is there")).collect();
        if sorted.len() == std::mem::replace(&mut count, sorted.len()) {
            let mut classes = finer[..automaton.len()].to_vec();
            classes.sort_unstable();
            classes.dedup();
            return classes.len();
        }
        class = finer;
    }
}

#[test]
fn differences_have_the_right_words() {
    let mut random = Random(11);
    let words = words();
    let (mut some, mut waited) = (0, 0);
    for round in 0..200 {
        let automaton = random_automaton(&mut random);
        let taken = random_nondeterministic(&mut random);
        let [eager, lazy] = [false, true].map(|subsumption| {
            let mut lazy = Powerset::new(taken.clone());
            difference(&automaton, &mut lazy, subsumption, &mut || true).expect("nobody stops it")
        });
        for word in &words {
            let expected = automaton.accepts(word).filter(|_| !accepts(&taken, word));
            assert_eq!(eager.automaton.accepts(word), expected, "{round}: {word:?}");
            assert_eq!(lazy.automaton.accepts(word), expected, "{round}: {word:?}");
            some += usize::from(expected.is_some());
        }
        assert_eq!(eager.automaton.len(), lazy.automaton.len());
        assert_eq!(lazy.automaton.len(), lazy.pairs.len());
        waited += eager.dead.len() - lazy.dead.len();
    }
    assert!(some > 1000 && waited > 20, "{some} words, {waited} pairs waited");
}

#[test]
fn dead_pairs_lead_to_dead_pairs() {
    let mut random = Random(12);
    for _ in 0..100 {
        let automaton = random_automaton(&mut random);
        let mut lazy = Powerset::new(random_nondeterministic(&mut random));
        let difference = difference(&automaton, &mut lazy, true, &mut || true).unwrap();
        for &(left, right) in &difference.dead {
            for &(letter, to) in automaton.transitions(left) {
                let next = lazy.next(right, letter);
                let weaker = |&(q, s): &(State, State)| q == to && lazy.subsumes(next, s);
                assert!(difference.dead.iter().any(weaker));
            }
        }
    }
}

#[test]
fn minimisation_keeps_the_words_and_only_distinct_states() {
    let mut random = Random(13);
    let words = words();
    let mut fewer = 0;
    for round in 0..200 {
        let automaton = random_product(&mut random);
        let (small, class) = minimise(&automaton);
        for word in &words {
            assert_eq!(small.accepts(word), automaton.accepts(word), "{round}: {word:?}");
        }
        assert_eq!(small.len(), distinct(&automaton), "{round}");
        for state in automaton.states() {
            assert_eq!(small.colour(class[state.index()]), automaton.colour(state));
        }
        fewer += usize::from(small.len() < automaton.len());
    }
    assert!(fewer > 10, "{fewer}");
}

#[test]
fn words_are_shortest_and_cheapest() {
    let mut random = Random(14);
    let words = words();
    let mut found = 0;
    for round in 0..200 {
        let automaton = random_automaton(&mut random);
        let costs: Vec<u64> = (0..LETTERS).map(|_| 1 + below(&mut random, 3) as u64).collect();
        let cost = |letter: Letter| costs[letter.0 as usize];
        let total = |word: &[Letter]| word.iter().map(|&letter| cost(letter)).sum::<u64>();
        for colour in [Colour(0), Colour(1)] {
            let mut accepted = words.iter().filter(|word| automaton.accepts(word) == Some(colour));
            let least = accepted.clone().map(|word| total(word)).min();
            let expected = accepted.next().map(Vec::len);
            let short = shortest(&automaton, colour);
            assert_eq!(short.as_ref().map(Vec::len), expected, "{round}");
            // At most six states: a cheapest word is no longer than that.
            let cheap = cheapest(&automaton, colour, cost);
            assert_eq!(cheap.as_ref().map(|word| total(word)), least, "{round}");
            for word in short.into_iter().chain(cheap) {
                assert_eq!(automaton.accepts(&word), Some(colour));
                found += 1;
            }
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn a_difference_can_be_stopped() {
    let automaton = random_automaton(&mut Random(15));
    let mut nothing = Powerset::new(Nondeterministic::default());
    assert!(difference(&automaton, &mut nothing, true, &mut || false).is_none());
}
