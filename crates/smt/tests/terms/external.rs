//! Other solvers: random terms against them where they are installed, and solvers in trouble.

use crate::generator::{Generator, Kinds};
use std::time::Duration;
use wedge_logic::{Sort, Term, smtlib};
use wedge_sat::Interrupt;
use wedge_smt::external::{External, Reply, Trouble, find, installed};
use wedge_smt::{Answer, Solver};

const LIMIT: Duration = Duration::from_secs(20);

pub fn solver(name: &str) -> Option<External> {
    if !installed().iter().any(|found| found.entry.name == name) {
        println!("{name} is not installed: nothing is compared with it");
        return None;
    }
    Some(External::start(&find(name), LIMIT).expect("an installed solver starts"))
}

const SORTS: [Sort; 6] = [
    Sort::Bv(8),
    Sort::Bv(13),
    Sort::Bv(32),
    Sort::BOOL,
    Sort::Array { index: 8, element: 13 },
    Sort::Array { index: 32, element: 8 },
];

/// Answers of both solvers to random queries, incrementally, until there are so many.
fn compare(name: &str, seeds: std::ops::Range<u64>, queries: usize, kinds: Kinds) {
    if solver(name).is_none() {
        return;
    }
    let (mut done, mut sat) = (0, 0);
    for seed in seeds {
        let sorts = if kinds.arrays { &SORTS[..] } else { &SORTS[..4] };
        let mut generator = Generator::new(seed, sorts);
        let mut own = Solver::new(&Interrupt::default());
        own.set_conflicts(Some(2000));
        // Variables of another store must not be confused with those of the last one.
        let mut external = External::start(&find(name), LIMIT).expect("it starts");
        for _ in 0..8 {
            (0..5).for_each(|_| generator.step(kinds));
            let query: Vec<Term> = (0..2).map(|_| generator.condition()).collect();
            let answer = own.check_assuming(&mut generator.store, &query);
            external.push();
            query.iter().for_each(|&term| external.assert(&mut generator.store, term));
            let reply = external.check();
            external.pop();
            let expected = match reply {
                Ok(Reply::Sat) => Answer::Sat,
                Ok(Reply::Unsat) => Answer::Unsat,
                Ok(Reply::Unknown) | Err(Trouble::TimedOut { .. }) => continue,
                Err(trouble) => panic!("{trouble}"),
            };
            if matches!(answer, Answer::Unknown(_)) {
                continue;
            }
            let script = smtlib::script(&generator.store, &query);
            assert_eq!(answer, expected, "seed {seed}:\n{script}");
            done += 1;
            sat += (answer == Answer::Sat) as usize;
        }
        if done >= queries {
            break;
        }
    }
    println!("{name}: {done} queries agree, {sat} of them satisfiable");
    assert!(done >= queries.min(20));
}

#[test]
fn words_and_arrays_agree_with_z3() {
    compare("z3", 0..60, 240, Kinds { arrays: true, floats: false });
}

#[test]
fn words_agree_with_cvc5() {
    compare("cvc5", 0..10, 60, Kinds { arrays: false, floats: false });
}

/// Values and cores of an installed solver.
#[test]
fn values_and_cores_come_back() {
    for name in ["z3", "cvc5"] {
        let Some(mut external) = solver(name) else { continue };
        let mut generator = Generator::new(3, &SORTS);
        let [x, _, y, b, a, _] = SORTS.map(|sort| sort).map(|sort| {
            let at = SORTS.iter().position(|s| *s == sort).unwrap();
            generator.variables[at]
        });
        let s = &mut generator.store;
        let five = s.number(8, 5);
        let read = s.read(a, x);
        let seven = s.number(13, 7);
        let [is_five, is_seven] = [s.eq(x, five), s.eq(read, seven)];
        external.assert(s, is_five);
        external.assert(s, is_seven);
        external.assert(s, b);
        assert_eq!(external.check(), Ok(Reply::Sat));
        assert_eq!(external.value(s, x).unwrap().bv().to_u64(), Some(5));
        assert!(external.value(s, b).unwrap().is_true());
        let array = external.value(s, a).unwrap();
        assert_eq!(array.array().read(&wedge_logic::BitVec::new(8, 5)).to_u64(), Some(7));
        external.push();
        let (not_five, zero) = (s.not(is_five), s.zero(32));
        let other = s.eq(y, zero);
        let names = [other, not_five].map(|term| external.assert_named(s, term));
        assert_eq!(external.check(), Ok(Reply::Unsat));
        assert_eq!(external.core(), Ok(vec![names[1]]));
        external.pop();
        assert_eq!(external.check(), Ok(Reply::Sat));
    }
}
