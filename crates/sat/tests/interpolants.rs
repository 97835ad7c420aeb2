//! Every interpolant of random unsatisfiable formulas is checked by a fresh solver and by brute
//! force over all assignments, for all systems, as pairs and as sequences, with and without
//! assumptions.

use wedge_logic::{Aig, Lit};
use wedge_sat::check::{check_interpolant, check_sequence};
use wedge_sat::interpolate::sequence;
use wedge_sat::{Answer, InterpolationSystem, Interpolator, Interrupt, Label, Session};

const SYSTEMS: [InterpolationSystem; 3] =
    [InterpolationSystem::McMillan, InterpolationSystem::Pudlak, InterpolationSystem::DualMcMillan];

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn clause(&mut self, first: u64, last: u64) -> Vec<i32> {
        let size = 1 + self.below(3);
        let mut clause: Vec<i32> = Vec::new();
        for _ in 0..size {
            let var = (first + self.below(last - first + 1)) as i32;
            if clause.iter().all(|l| l.abs() != var) {
                clause.push(if self.below(2) == 1 { var } else { -var });
            }
        }
        clause
    }
}

/// Variables first..=last of partition p overlap with those of p + 1 by `shared`.
fn partition_range(p: u64, own: u64, shared: u64) -> (u64, u64) {
    let first = 2 + p * own;
    (first, first + own + shared - 1)
}

fn in_range((first, last): (u64, u64), var: i32) -> bool {
    (first..=last).contains(&(var as u64))
}

fn session_with(parts: &[Vec<Vec<i32>>], vars: i32) -> Session {
    let mut session = Session::recording(&Interrupt::default());
    while session.num_vars() < vars {
        session.new_var();
    }
    for (index, part) in parts.iter().enumerate() {
        part.iter().for_each(|clause| session.add_clause_to(index as u32, clause));
    }
    session
}

fn satisfies(clauses: &[Vec<i32>], bits: u64) -> bool {
    let value = |l: &i32| (bits >> l.abs() & 1 == 1) == (*l > 0);
    clauses.iter().all(|c| c.iter().any(value))
}

/// The interpolant's graph has one input per variable.
fn evaluate(aig: &Aig, lit: Lit, bits: u64) -> bool {
    let inputs: Vec<bool> = (0..aig.num_inputs()).map(|v| bits >> v & 1 == 1).collect();
    aig.eval(lit, &inputs)
}

#[test]
fn pairs() {
    wedge_logic::audit::turn_on();
    let mut random = Random(7);
    let mut found = 0;
    while found < 150 {
        let ranges = [partition_range(0, 4, 3), partition_range(1, 4, 3)];
        let parts: Vec<Vec<Vec<i32>>> = ranges
            .iter()
            .map(|&(first, last)| (0..14).map(|_| random.clause(first, last)).collect())
            .collect();
        let vars = ranges[1].1 as i32;
        let mut session = session_with(&parts, vars);
        if session.solve(&[]) != Answer::Unsat {
            continue;
        }
        found += 1;
        let root = session.refutation();
        for system in SYSTEMS {
            let mut aig = Aig::with_inputs(vars as usize + 1);
            let labels = (0..=vars).map(|v| label(&ranges, &aig, 1, v)).collect();
            let mut interpolator = Interpolator::new(system, 1, labels);
            let itp = interpolator.interpolate(&session.proof(), root, &mut aig).unwrap();
            let shared: Vec<i32> = (0..=vars)
                .map(|v| if ranges.iter().all(|&r| in_range(r, v)) { v } else { 0 })
                .collect();
            assert_eq!(check_interpolant(&parts[0], &parts[1], &aig, itp, &shared), Ok(()));
            for bits in 0..1u64 << (vars - 1) {
                let bits = bits << 2;
                let value = evaluate(&aig, itp, bits);
                assert!(value || !satisfies(&parts[0], bits), "A implies I");
                assert!(!value || !satisfies(&parts[1], bits), "I contradicts B");
            }
        }
    }
}

fn label(ranges: &[(u64, u64)], aig: &Aig, cut: usize, var: i32) -> Label {
    let in_a = ranges[..cut].iter().any(|&r| in_range(r, var));
    let in_b = ranges[cut..].iter().any(|&r| in_range(r, var));
    match (in_a, in_b) {
        (true, true) => Label::Shared(aig.input(var as usize)),
        (false, true) => Label::B,
        _ => Label::A,
    }
}

#[test]
fn sequences() {
    wedge_logic::audit::turn_on();
    let mut random = Random(11);
    let mut found = 0;
    while found < 80 {
        let ranges: Vec<(u64, u64)> = (0..4).map(|p| partition_range(p, 3, 3)).collect();
        let parts: Vec<Vec<Vec<i32>>> = ranges
            .iter()
            .map(|&(first, last)| (0..10).map(|_| random.clause(first, last)).collect())
            .collect();
        let vars = ranges[3].1 as i32;
        let mut session = session_with(&parts, vars);
        if session.solve(&[]) != Answer::Unsat {
            continue;
        }
        found += 1;
        let root = session.refutation();
        for system in SYSTEMS {
            let mut aig = Aig::with_inputs(vars as usize + 1);
            let inputs = aig.clone();
            let label = |cut: u32, var: i32| label(&ranges, &inputs, cut as usize, var);
            let itps = sequence(&session.proof(), root, system, 4, label, &mut aig).unwrap();
            let variables: Vec<i32> = (0..=vars).collect();
            assert_eq!(check_sequence(&parts, &aig, &itps, &variables), Ok(()));
            for (index, itp) in itps.iter().enumerate() {
                let (a, b) = parts.split_at(index + 1);
                let shared: Vec<i32> = (0..=vars)
                    .map(|v| matches!(label(index as u32 + 1, v), Label::Shared(_)) as i32 * v)
                    .collect();
                assert_eq!(
                    check_interpolant(&a.concat(), &b.concat(), &aig, *itp, &shared),
                    Ok(())
                );
            }
        }
    }
}

/// One session, many queries: each start set is switched on by an activation literal local to A,
/// the goal by one local to B; partial interpolants are reused between queries.
#[test]
fn incremental_under_assumptions() {
    let mut random = Random(3);
    let mut found = 0;
    while found < 60 {
        let ranges = [partition_range(0, 4, 3), partition_range(1, 4, 3)];
        let vars = ranges[1].1 as i32;
        let base: Vec<Vec<Vec<i32>>> = ranges
            .iter()
            .map(|&(first, last)| (0..9).map(|_| random.clause(first, last)).collect())
            .collect();
        let mut session = session_with(&base, vars);
        let goal = session.new_var();
        let goal_clause = random.clause(ranges[0].1 + 1, ranges[1].1);
        session.add_clause_to(1, &[&goal_clause[..], &[-goal]].concat());
        let mut aig = Aig::with_inputs(vars as usize + 40);
        let labels = (0..=vars).map(|v| label(&ranges, &aig, 1, v)).collect();
        let mut interpolator = Interpolator::new(SYSTEMS[found % 3], 1, labels);
        for _ in 0..6 {
            let start = session.new_var();
            interpolator.set_label(start, Label::A);
            let units: Vec<Vec<i32>> =
                (0..3).map(|_| random.clause(ranges[0].0, ranges[1].0 - 1)).collect();
            for unit in &units {
                session.add_clause_to(0, &[&unit[..], &[-start]].concat());
            }
            if session.solve(&[start, goal]) != Answer::Unsat {
                continue;
            }
            found += 1;
            let root = session.refutation();
            let itp = interpolator.interpolate(&session.proof(), root, &mut aig).unwrap();
            let a = [&base[0][..], &units[..]].concat();
            let b = [&base[1][..], std::slice::from_ref(&goal_clause)].concat();
            let shared: Vec<i32> = (0..=vars)
                .map(|v| if ranges.iter().all(|&r| in_range(r, v)) { v } else { 0 })
                .collect();
            assert_eq!(check_interpolant(&a, &b, &aig, itp, &shared), Ok(()));
        }
    }
}

#[test]
fn a_wrong_interpolant_is_found() {
    let (a, b) = (vec![vec![2]], vec![vec![-2]]);
    let aig = Aig::with_inputs(4);
    let shared = [0, 0, 2, 0];
    assert_eq!(check_interpolant(&a, &b, &aig, aig.input(2), &shared), Ok(()));
    use wedge_sat::check::Flaw;
    let wrong = |itp| check_interpolant(&a, &b, &aig, itp, &shared).unwrap_err();
    assert_eq!(wrong(!aig.input(2)), Flaw::NotImplied);
    assert_eq!(wrong(Lit::TRUE), Flaw::NotRefuting);
    assert_eq!(wrong(aig.input(3)), Flaw::NotShared);
}

#[test]
fn a_running_solve_stops_at_the_deadline() {
    use std::time::{Duration, Instant};
    let deadline = Instant::now() + Duration::from_millis(300);
    let interrupt = Interrupt { deadline: Some(deadline), ..Interrupt::default() };
    let mut session = Session::new(&interrupt);
    pigeons(&mut session, 11);
    assert_eq!(session.solve(&[]), Answer::Stopped);
    assert!(deadline.elapsed() < Duration::from_secs(20));
}

/// One pigeon more than holes: hard for resolution.
fn pigeons(session: &mut Session, holes: i32) {
    let base = session.num_vars();
    let var = |p: i32, h: i32| base + 1 + p * holes + h;
    while session.num_vars() < var(holes, holes - 1) {
        session.new_var();
    }
    for p in 0..=holes {
        session.add_clause(&(0..holes).map(|h| var(p, h)).collect::<Vec<_>>());
        for (q, h) in (0..p).flat_map(|q| (0..holes).map(move |h| (q, h))) {
            session.add_clause(&[-var(p, h), -var(q, h)]);
        }
    }
}

/// A implies a B-weak interpolant, over shared variables; a complete one is an interpolant.
#[test]
fn b_weak_interpolants() {
    wedge_logic::audit::turn_on();
    use wedge_sat::bweak::b_weak_interpolant;
    let mut random = Random(29);
    let (mut found, mut complete) = (0, 0);
    while found < 200 {
        let ranges = [partition_range(0, 6, 3), partition_range(1, 4, 3)];
        let parts: Vec<Vec<Vec<i32>>> = ranges
            .iter()
            .map(|&(first, last)| (0..22).map(|_| random.clause(first, last)).collect())
            .collect();
        let vars = ranges[1].1 as i32;
        let mut session = session_with(&parts, vars);
        if session.solve(&[]) != Answer::Unsat {
            continue;
        }
        found += 1;
        let root = session.refutation();
        let aig = Aig::with_inputs(vars as usize + 1);
        let weak =
            b_weak_interpolant(&session.proof(), root, 1, &[], |v| label(&ranges, &aig, 1, v))
                .unwrap();
        complete += weak.complete as usize;
        let shared = |l: &i32| ranges.iter().all(|&r| in_range(r, l.abs()));
        assert!(weak.clauses.iter().flatten().all(shared));
        for bits in 0..1u64 << (vars - 1) {
            let bits = bits << 2;
            let value = satisfies(&weak.clauses, bits);
            assert!(value || !satisfies(&parts[0], bits), "A implies I");
            assert!(!weak.complete || !value || !satisfies(&parts[1], bits), "I contradicts B");
        }
    }
    assert!(complete > 20, "{complete} of {found} were complete");
}
