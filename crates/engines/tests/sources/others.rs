//! Interpolants and cores of other solvers, and solvers in trouble; all sources in turn.

use crate::example::{Example, assert_inductive};
use crate::figures::counter;
use crate::played::Played;
use crate::random::infeasible_paths;
use std::time::Duration;
use wedge_engines::paths::{Infeasible, NoAssertions, PathConfig, SourceChoice, source};
use wedge_engines::registry::{Options, find};
use wedge_engines::{AutomatonOutcome, Context};
use wedge_logic::Term;
use wedge_smt::external::installed;

fn config(name: &str) -> PathConfig {
    let source = SourceChoice::parse(name).expect("a source");
    PathConfig { source: Some(source), ..PathConfig::default() }
}

/// What a source says about the trace of an example, within some time.
fn ask(example: &Example, name: &str, seconds: f64) -> Result<Vec<Term>, NoAssertions> {
    let context = Context::new(Some(Duration::from_secs_f64(seconds)));
    let (mut blocked, steps) = example.blocked();
    let mut source =
        source(&config(name), &mut blocked, &context).map_err(NoAssertions::NotFound)?;
    let path = Infeasible::whole(&blocked, steps);
    let found = source.assertions(&mut blocked, &path, &context.interrupt())?;
    assert_inductive(&mut blocked, &path.steps, &found, name);
    Ok(found)
}

fn said(result: Result<Vec<Term>, NoAssertions>) -> String {
    match result {
        Err(NoAssertions::NotFound(why)) => why,
        other => panic!("{other:?}"),
    }
}

fn is_installed(name: &str) -> bool {
    let found = installed().iter().any(|solver| solver.entry.name == name);
    if !found {
        println!("{name} is not installed: nothing is asked of it");
    }
    found
}

/// The figures of a run say which other solver was asked, and which version of it.
#[test]
fn solvers_are_in_the_figures() {
    if !is_installed("z3") {
        return;
    }
    let context = Context::new(Some(Duration::from_secs(60)));
    let counter = counter();
    let (mut blocked, _) = counter.example.blocked();
    for name in ["newton:z3", "craig", "newton:z3"] {
        source(&config(name), &mut blocked, &context).map(|_| ()).expect("it starts");
    }
    let said = context.figures().said;
    let [(what, z3)] = said.as_slice() else { panic!("{said:?}") };
    let version = z3.strip_prefix("z3: ").expect("its name");
    assert_eq!(what, "solver");
    assert!(version.contains(|c: char| c.is_ascii_digit()), "{version}");
}

#[test]
fn cores_of_other_solvers() {
    for solver in ["z3", "cvc5"] {
        if !is_installed(solver) {
            continue;
        }
        for variant in ["it-sp-lv", "it-wp"] {
            ask(&counter().example, &format!("newton:{variant}:{solver}"), 60.0).expect("a core");
        }
    }
    if is_installed("z3") {
        let context = Context::new(Some(Duration::from_secs(60)));
        infeasible_paths(14, 12, |blocked, path| {
            let mut source = source(&config("newton:z3"), blocked, &context).expect("it starts");
            let found = source.assertions(blocked, path, &context.interrupt());
            assert_inductive(blocked, &path.steps, &found.expect("assertions"), "newton:z3");
        });
    }
}

#[test]
fn interpolants_of_other_solvers() {
    if is_installed("z3") {
        assert_eq!(
            said(ask(&counter().example, "craig:z3", 60.0)),
            "the solver z3 has no interpolants"
        );
    }
    if is_installed("cvc5") {
        // It guesses interpolants, which may take long.
        let context = Context::new(Some(Duration::from_secs(6)));
        let (mut found, mut none) = (0, 0);
        infeasible_paths(15, 3, |blocked, path| {
            let mut source = source(&config("craig:cvc5"), blocked, &context).expect("it starts");
            match source.assertions(blocked, path, &context.interrupt()) {
                Ok(sequence) => {
                    assert_inductive(blocked, &path.steps, &sequence, "craig:cvc5");
                    found += 1;
                }
                Err(_) => none += 1,
            }
        });
        println!("cvc5: {found} sequences, {none} times none");
    }
}

#[test]
fn a_missing_solver_is_named() {
    for name in ["craig:/no/such/cvc5", "craig:/no/such/program", "newton:/no/such/z3"] {
        let why = said(ask(&counter().example, name, 60.0));
        assert!(why.contains("/no/such/") && why.contains("cannot be started"), "{why}");
    }
}

/// The core of a solver that answers like this, as the end of a check by `impact`.
fn outcome(played: &Played) -> String {
    let source = format!("newton:{}", played.command());
    end_of("impact", &[("source", &source), ("no-facts", "")])
}

/// The end of a check of the counter by an engine with these options.
fn end_of(engine: &str, settings: &[(&str, &str)]) -> String {
    let example = counter().example;
    let entry = find(engine).expect("an engine");
    let mut options = Options::default();
    for (name, value) in settings {
        let option = entry.options.iter().find(|option| option.name == *name).expect("an option");
        option.set(&mut options, value).expect("a value of the option");
    }
    let engine = entry.on_automaton(&options).expect("it reads automata");
    match engine.run(&example.cfa, &Context::new(Some(Duration::from_secs(5)))) {
        AutomatonOutcome::Unknown(reason) => reason.to_string(),
        AutomatonOutcome::Safe(_)
        | AutomatonOutcome::SafeByExhaustion { .. }
        | AutomatonOutcome::SafeForAll(_)
        | AutomatonOutcome::SafeForIntegers(_) => "safe".to_string(),
        AutomatonOutcome::Unsafe(_) => "unsafe".to_string(),
    }
}

/// Solvers of integer arithmetic: one that dies and one that raves are named, and one that hangs
/// ends with the engine.
#[test]
fn solvers_of_integers_in_trouble_give_no_verdict() {
    let end = |played: &Played| {
        let arithmetic = format!("integer:{}", played.command());
        end_of("trace", &[("arithmetic", &arithmetic), ("no-facts", "")])
    };
    let dies = Played::cases("integer-dies", "dies", "*check-sat*) exit 3;;");
    assert!(end(&dies).contains("ended without an answer"), "{}", end(&dies));
    let raves = Played::cases("integer-raves", "raves", "*check-sat*) echo perhaps;;");
    assert!(end(&raves).contains("cannot be understood"), "{}", end(&raves));
    let hangs =
        Played::script("integer-hangs", "hangs", "echo $$ >> $here/process\nexec sleep 600");
    assert_eq!(end(&hangs), "timeout");
    gone(&hangs);
}

/// No process of the solver runs any more.
fn gone(played: &Played) {
    let processes = played.file("process");
    assert!(!processes.trim().is_empty(), "it was started");
    for process in processes.lines().filter(|_| std::path::Path::new("/proc/self").exists()) {
        let folder = std::path::Path::new("/proc").join(process.trim());
        assert!(!folder.exists(), "the process {process} still runs");
    }
}

#[test]
fn solvers_in_trouble_give_no_verdict() {
    let dies = Played::cases("source-dies", "dies", "*check-sat*) exit 3;;");
    assert!(outcome(&dies).contains("ended without an answer"), "{}", outcome(&dies));
    let raves = Played::cases("source-raves", "raves", "*check-sat*) echo perhaps;;");
    assert!(outcome(&raves).contains("cannot be understood"), "{}", outcome(&raves));
    let lies = "*check-sat*) echo unsat;; *get-unsat-core*) echo '()';;";
    let lies = Played::cases("source-lies", "lies", lies);
    assert!(outcome(&lies).contains("wrong unsat core"), "{}", outcome(&lies));
    let denies = Played::cases(
        "source-denies",
        "denies",
        "*check-sat*) echo sat;; *get-value*) echo '((x #b0))';;",
    );
    let said = outcome(&denies);
    assert!(said != "safe" && said != "unsafe", "{said}");
}

/// A hanging solver ends with the time of the engine, and its process with it.
#[test]
fn hanging_solvers_leave_nothing_behind() {
    let hangs = Played::script("source-hangs", "hangs", "echo $$ > $here/process\nexec sleep 600");
    let name = format!("newton:{}", hangs.command());
    assert_eq!(ask(&counter().example, &name, 0.5), Err(NoAssertions::Stopped));
    gone(&hangs);
}

#[test]
fn all_sources_in_turn() {
    let context = Context::new(Some(Duration::from_secs(60)));
    infeasible_paths(16, 30, |blocked, path| {
        let mut source = source(&config("all"), blocked, &context).expect("built in");
        let found = source.assertions(blocked, path, &context.interrupt()).expect("assertions");
        assert_inductive(blocked, &path.steps, &found, "all");
    });
    let of = |name: &str| {
        let context = Context::new(Some(Duration::from_secs(60)));
        infeasible_paths(17, 40, |blocked, path| {
            let mut source = source(&config(name), blocked, &context).expect("built in");
            source.assertions(blocked, path, &context.interrupt()).expect("assertions");
        });
        let figures = context.figures();
        let get = |key| figures.get(key).expect("it was counted");
        use wedge_engines::figures::{PERFECT_SEQUENCES, SEQUENCES};
        (get(SEQUENCES), get(PERFECT_SEQUENCES))
    };
    let (craig, newton, all) = (of("craig"), of("newton"), of("all"));
    println!("sequences, perfect ones: craig {craig:?}, newton {newton:?}, all {all:?}");
    assert!(craig.0 == all.0 && newton.0 == all.0, "each path has one sequence");
    assert!(all.1 >= craig.1 && all.1 >= newton.1 && all.1 > 0.0);
}
