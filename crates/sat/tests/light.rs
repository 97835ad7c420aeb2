//! The light solver against exhaustive enumeration and against CaDiCaL.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use wedge_sat::light::{Domain, Lit, Query, Solver, Var};
use wedge_sat::{Answer, Interrupt};

/// xorshift64*; the tests need reproducible, not good, randomness.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }

    fn lit(&mut self, vars: usize) -> Lit {
        Lit::new(self.below(vars) as Var, self.below(2) == 1)
    }

    fn lits(&mut self, vars: usize, count: usize) -> Vec<Lit> {
        (0..count).map(|_| self.lit(vars)).collect()
    }
}

fn solver_with(vars: usize) -> Solver {
    let mut solver = Solver::new();
    (0..vars).for_each(|_| {
        solver.new_var();
    });
    solver
}

fn satisfied(bits: u32, clause: &[Lit]) -> bool {
    clause.iter().any(|l| (bits >> l.var() & 1 == 1) != l.is_negated())
}

/// The units that assume, and the temporary clause if any, as clauses.
fn as_clauses(query: &Query) -> Vec<Vec<Lit>> {
    let mut clauses: Vec<Vec<Lit>> = query.assumptions.iter().map(|&l| vec![l]).collect();
    if !query.temporary.is_empty() {
        clauses.push(query.temporary.to_vec());
    }
    clauses
}

fn brute_force(vars: usize, clauses: &[Vec<Lit>]) -> bool {
    (0..1u32 << vars).any(|bits| clauses.iter().all(|c| satisfied(bits, c)))
}

fn cadical(clauses: &[Vec<Lit>]) -> bool {
    let mut solver = cadical_sys::CaDiCal::new();
    let _ = solver.set("factor", 0);
    for clause in clauses {
        for lit in clause {
            let name = lit.var() as i32 + 1;
            solver.add(if lit.is_negated() { -name } else { name });
        }
        solver.add(0);
    }
    solver.solve() == cadical_sys::Status::SATISFIABLE
}

/// Compares one query with `decide`, an oracle for a list of clauses, core included.
fn check(
    solver: &mut Solver,
    clauses: &[Vec<Lit>],
    query: Query,
    decide: impl Fn(&[Vec<Lit>]) -> bool,
) -> Answer {
    let all: Vec<Vec<Lit>> = clauses.iter().cloned().chain(as_clauses(&query)).collect();
    let answer = solver.ask(query);
    match answer {
        Answer::Sat => assert!(decide(&all), "claimed satisfiable"),
        Answer::Unsat => {
            let core = solver.core().to_vec();
            assert!(core.iter().all(|l| query.assumptions.contains(l)));
            assert!(query.assumptions.iter().all(|&l| solver.failed(l) == core.contains(&l)));
            let temporary = if solver.temporary_used() { query.temporary } else { &[] };
            let reduced = Query { assumptions: &core, temporary, ..Query::default() };
            let mut needed = clauses.to_vec();
            needed.extend(as_clauses(&reduced));
            assert!(!decide(&needed), "the core is satisfiable");
        }
        Answer::Stopped => panic!("there is no limit"),
    }
    answer
}

/// Asserts that a full model satisfies all clauses and the query.
fn check_model(clauses: &[Vec<Lit>], query: &Query, value: impl Fn(Lit) -> bool) {
    let all = clauses.iter().cloned().chain(as_clauses(query));
    all.for_each(|c| assert!(c.iter().any(|&l| value(l)), "the model violates {c:?}"));
}

#[test]
fn incremental_sequences_against_enumeration() {
    let mut random = Random(1);
    let mut answers = [0, 0];
    for round in 0..400 {
        let vars = 4 + random.below(8);
        let mut solver = solver_with(vars);
        let mut clauses = Vec::new();
        for _ in 0..30 {
            for _ in 0..random.below(4) {
                let width = if round % 4 == 0 { 1 + random.below(4) } else { 3 };
                let clause = random.lits(vars, width);
                solver.add_clause(&clause);
                clauses.push(clause);
            }
            let assumptions = (0..random.below(4)).map(|_| random.lit(vars)).collect::<Vec<_>>();
            let width = random.below(4);
            let temporary = random.lits(vars, width);
            let query =
                Query { assumptions: &assumptions, temporary: &temporary, ..Query::default() };
            let answer = check(&mut solver, &clauses, query, |c| brute_force(vars, c));
            answers[(answer == Answer::Sat) as usize] += 1;
            if answer == Answer::Sat {
                check_model(&clauses, &query, |l| solver.value(l) == Some(true));
            }
        }
    }
    assert!(answers[0] > 1000 && answers[1] > 1000, "one-sided test: {answers:?}");
}

#[test]
fn harder_formulas_against_cadical() {
    let mut random = Random(2);
    for _ in 0..12 {
        let vars = 110;
        let mut solver = solver_with(vars);
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        for _ in 0..6 {
            for _ in 0..75 {
                let clause = random.lits(vars, 3);
                solver.add_clause(&clause);
                clauses.push(clause);
            }
            for _ in 0..3 {
                let assumptions = random.lits(vars, 4);
                let temporary = random.lits(vars, 3);
                let query =
                    Query { assumptions: &assumptions, temporary: &temporary, ..Query::default() };
                check(&mut solver, &clauses, query, cadical);
            }
        }
    }
}

/// Definitions `v = a ∧ b` over earlier variables, from the variable `leaves` on.
struct Gates {
    leaves: usize,
    gates: Vec<(Lit, Lit)>,
}

impl Gates {
    fn random(random: &mut Random, leaves: usize, vars: usize) -> Gates {
        let gates = (leaves..vars).map(|var| (random.lit(var), random.lit(var))).collect();
        Gates { leaves, gates }
    }

    fn clauses(&self, gate: usize) -> [Vec<Lit>; 3] {
        let (a, b) = self.gates[gate];
        let out = Lit::new((self.leaves + gate) as Var, false);
        [vec![!out, a], vec![!out, b], vec![out, !a, !b]]
    }

    fn fanins(&self) -> Vec<Vec<Var>> {
        let gates = self.gates.iter().map(|(a, b)| vec![a.var(), b.var()]);
        (0..self.leaves).map(|_| vec![]).chain(gates).collect()
    }

    /// Extends a model of the solver: open leaves are false, gates have their value.
    fn extend(&self, solver: &Solver) -> Vec<bool> {
        let leaf = |v: usize| solver.value(Lit::new(v as Var, false)) == Some(true);
        let mut values: Vec<bool> = (0..self.leaves).map(leaf).collect();
        for &(a, b) in &self.gates {
            let value = |l: Lit| values[l.var() as usize] != l.is_negated();
            values.push(value(a) && value(b));
        }
        values
    }
}

fn closure(fanins: &[Vec<Var>], roots: impl Iterator<Item = Var>) -> Vec<Var> {
    let mut cone: Vec<Var> = Vec::new();
    let mut stack: Vec<Var> = roots.collect();
    while let Some(var) = stack.pop() {
        if !cone.contains(&var) {
            cone.push(var);
            stack.extend(&fanins[var as usize]);
        }
    }
    cone
}

/// Queries on a circuit as PDR asks them: clauses over leaves and now and then a fact about a
/// gate come in, each query decides only the cone of what it mentions and of those.
#[test]
fn domains_and_partial_models_on_definitions() {
    let mut random = Random(3);
    let mut answers = [0, 0];
    let mut open = 0;
    for _ in 0..200 {
        let (leaves, vars) = (6, 30);
        let gates = Gates::random(&mut random, leaves, vars);
        let fanins = gates.fanins();
        let mut solver = solver_with(vars);
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        for gate in 0..vars - leaves {
            let definition = gates.clauses(gate);
            solver.define((leaves + gate) as Var, definition.iter().map(|c| &c[..]));
            clauses.extend(definition);
        }
        let mut bound: Vec<Var> = Vec::new();
        for _ in 0..25 {
            if random.below(3) == 0 {
                let clause = match random.below(8) {
                    0 => random.lits(vars, 1),
                    _ => random.lits(leaves, 3),
                };
                bound.extend(clause.iter().map(|l| l.var()));
                solver.add_clause(&clause);
                clauses.push(clause);
            }
            let assumptions = random.lits(vars, 3);
            let width = random.below(4);
            let temporary = random.lits(leaves, width);
            let roots = assumptions.iter().map(|l| l.var()).chain(bound.iter().copied());
            let domain = closure(&fanins, roots);
            let query = Query {
                assumptions: &assumptions,
                temporary: &temporary,
                domain: if random.below(8) > 0 { Domain::Of(&domain) } else { Domain::All },
                partial: random.below(2) == 1,
            };
            let answer = check(&mut solver, &clauses, query, cadical);
            answers[(answer == Answer::Sat) as usize] += 1;
            if answer == Answer::Sat {
                let model = gates.extend(&solver);
                check_model(&clauses, &query, |l| model[l.var() as usize] != l.is_negated());
                let unassigned = |v: &&Var| solver.value(Lit::new(**v, false)).is_none();
                open += domain.iter().filter(unassigned).count();
            }
            let fewer = &assumptions[..random.below(3)];
            let again = Query { assumptions: fewer, domain: Domain::Same, ..query };
            if check(&mut solver, &clauses, again, cadical) == Answer::Sat {
                let model = gates.extend(&solver);
                check_model(&clauses, &again, |l| model[l.var() as usize] != l.is_negated());
            }
        }
    }
    assert!(answers[0] > 300 && answers[1] > 300, "one-sided test: {answers:?}");
    assert!(open > 300, "models are never partial: {open}");
}

fn pigeons(solver: &mut Solver, holes: usize) {
    let at = |pigeon: usize, hole: usize| Lit::new((pigeon * holes + hole) as Var, false);
    for pigeon in 0..=holes {
        let clause: Vec<Lit> = (0..holes).map(|hole| at(pigeon, hole)).collect();
        solver.add_clause(&clause);
        for (other, hole) in (0..pigeon).flat_map(|p| (0..holes).map(move |h| (p, h))) {
            solver.add_clause(&[!at(pigeon, hole), !at(other, hole)]);
        }
    }
}

#[test]
fn limits_stop_and_the_solver_goes_on() {
    let mut solver = solver_with(8 * 7);
    pigeons(&mut solver, 7);
    solver.limits.conflicts = Some(10);
    assert_eq!(solver.solve(&[]), Answer::Stopped);
    solver.limits.conflicts = None;
    let flag = Arc::new(AtomicBool::new(true));
    solver.limits.interrupt = Some(Interrupt { flag, deadline: None });
    assert_eq!(solver.solve(&[]), Answer::Stopped);
    solver.limits.interrupt = None;
    assert_eq!(solver.solve(&[]), Answer::Unsat);
    assert_eq!(solver.solve(&[Lit::new(0, false)]), Answer::Unsat);
    assert!(!solver.add_clause(&[Lit::new(0, false)]));
}

#[test]
fn stopping_at_every_conflict_loses_nothing() {
    let mut random = Random(4);
    for _ in 0..60 {
        let vars = 40;
        let clauses: Vec<Vec<Lit>> = (0..168).map(|_| random.lits(vars, 3)).collect();
        let mut solver = solver_with(vars);
        clauses.iter().for_each(|c| {
            solver.add_clause(c);
        });
        let mut conflicts = 1;
        let answer = loop {
            solver.limits.conflicts = Some(conflicts);
            match solver.solve(&[]) {
                Answer::Stopped => conflicts += 1,
                answer => break answer,
            }
        };
        assert_eq!(answer == Answer::Sat, cadical(&clauses));
    }
}

#[test]
fn facts_are_fixed_and_simplified_away() {
    let mut solver = solver_with(4);
    let lit = |v| Lit::new(v, false);
    solver.add_clause(&[lit(0), lit(1), lit(2)]);
    solver.add_clause(&[!lit(0), lit(3)]);
    solver.add_clause(&[lit(0)]);
    solver.simplify();
    assert_eq!(solver.fixed(lit(3)), Some(true));
    assert_eq!(solver.fixed(lit(1)), None);
    assert_eq!(solver.solve(&[!lit(3)]), Answer::Unsat);
    assert_eq!(solver.core(), &[!lit(3)]);
    assert_eq!(solver.solve(&[lit(1), !lit(1)]), Answer::Unsat);
    assert_eq!(solver.core().len(), 2);
}
