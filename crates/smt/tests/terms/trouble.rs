//! Solvers that are missing, die, hang or talk nonsense.

use crate::played::Played;
use std::time::{Duration, Instant};
use wedge_logic::{Sort, Term, TermStore};
use wedge_sat::Interrupt;
use wedge_smt::external::catalog::version;
use wedge_smt::external::{External, Purpose, Reply, Trouble, find};

const SHORT: Duration = Duration::from_millis(500);
const LONG: Duration = Duration::from_secs(20);

fn condition() -> (TermStore, Term) {
    let mut store = TermStore::new();
    let condition = store.var("c", Sort::BOOL);
    (store, condition)
}

/// The answer of a solver to one query.
fn ask(command: &str, limit: Duration) -> Result<Reply, Trouble> {
    let (mut store, condition) = condition();
    let mut external = External::start(&find(command), limit)?;
    external.assert(&mut store, condition);
    external.check()
}

fn ask_script(test: &str, script: &str) -> Result<Reply, Trouble> {
    ask(&Played::script(test, "solver", script).command(), SHORT)
}

#[test]
fn a_missing_solver_is_named() {
    for command in ["no-such-solver-here", "/no/such/solver -in", ""] {
        let trouble = ask(command, LONG).unwrap_err();
        assert!(matches!(trouble, Trouble::Missing { .. }), "{trouble:?}");
        assert!(trouble.to_string().contains(&format!("the solver {command} cannot be started")));
    }
}

#[test]
fn a_solver_that_dies_says_why() {
    let trouble = ask_script("dies", "echo 'out of luck' >&2; exit 3").unwrap_err();
    assert!(matches!(trouble, Trouble::Died { .. }), "{trouble:?}");
    assert!(trouble.to_string().ends_with("it said: out of luck"), "{trouble}");
    // The answer of a solver that dies before it is complete is none.
    for script in ["kill -9 $$", "echo unsat; exit 1", "echo '(error'; exit 0"] {
        let said = ask_script("dies", script);
        assert!(matches!(said, Err(Trouble::Died { .. })), "{script}: {said:?}");
    }
}

/// Nobody waits for a solver that does not answer, does not even read a query that fills its
/// pipe, or never stops talking; and nothing that it has started is left.
#[test]
fn a_hanging_solver_is_ended_with_its_children() {
    let scripts =
        ["echo $$ > $here/pid; exec sleep 1000", "sleep 1000 & echo $! > $here/pid; wait"];
    for script in scripts {
        let played = Played::script("hangs", "solver", script);
        let clock = Instant::now();
        let said = ask(&played.command(), SHORT);
        assert!(matches!(said, Err(Trouble::TimedOut { .. })), "{said:?}");
        assert!(clock.elapsed() < LONG, "it does not wait for a hanging solver");
        assert!(is_gone(played.file("pid").trim()), "{script}");
    }
    let played = Played::script("deaf", "solver", "exec sleep 1000");
    let (mut store, _) = condition();
    let mut external = External::start(&find(&played.command()), SHORT).unwrap();
    for number in 0..5000 {
        let variable = store.var(format!("a variable with a long name {number}"), Sort::BOOL);
        external.assert(&mut store, variable);
    }
    assert!(matches!(external.check(), Err(Trouble::TimedOut { .. })));
    let said = ask_script("talks-on", "while :; do echo '(('; done");
    assert!(matches!(said, Err(Trouble::Nonsense { .. } | Trouble::TimedOut { .. })), "{said:?}");
}

/// A killed process may still be listed until somebody has waited for it.
fn is_gone(pid: &str) -> bool {
    let until = Instant::now() + LONG;
    while Instant::now() < until {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        if stat.is_empty() || stat.contains(") Z ") {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

#[test]
fn nonsense_is_no_answer() {
    let print = ["perhaps", "(error \"no\")", "sat unsat", "(sat)", "\"sat\"", "", "sat)"];
    for print in print {
        let cases = format!("*check-sat*) echo '{print}';;");
        let played = Played::cases("talks", "solver", &cases);
        let said = ask(&played.command(), LONG);
        assert!(matches!(said, Err(Trouble::Nonsense { .. })), "{print}: {said:?}");
    }
    let said = ask_script("noise", "printf '\\377\\376 '; cat > /dev/null");
    assert!(matches!(said, Err(Trouble::TimedOut { .. })), "{said:?}");
    // An error about an assertion comes before an answer without it.
    let cases = "*assert*) echo '(error \"unknown sort\")';; *check-sat*) echo sat;;";
    let said = ask(&Played::cases("errs", "solver", cases).command(), LONG).unwrap_err();
    assert!(said.to_string().contains("unknown sort"), "{said}");
}

/// What a solver says too much does not answer the next question, and options that it does not
/// know do not disturb.
#[test]
fn answers_belong_to_their_questions() {
    let cases = "*set-option*) echo unsupported;; *check-sat*) echo sat;;";
    let played = Played::cases("unsupported", "solver", cases);
    assert_eq!(ask(&played.command(), LONG), Ok(Reply::Sat));

    let cases = "*assert*) asserted=1;; *check-sat*) if [ $asserted ]; then echo unsat; fi; \
        echo sat;;";
    let played = Played::cases("twice", "solver", cases);
    let (mut store, condition) = condition();
    let mut external = External::start(&find(&played.command()), LONG).unwrap();
    assert_eq!(external.check(), Ok(Reply::Sat));
    external.assert(&mut store, condition);
    assert!(matches!(external.check(), Err(Trouble::Nonsense { .. })));
}

/// A solver that died is started again and knows everything it was told.
#[test]
fn a_dead_solver_is_started_again() {
    let first = "if [ ! -e $here/again ]; then touch $here/again; exit 1; fi";
    let cases = format!("*check-sat*) {first}; if [ $asserted ]; then echo sat; fi;;");
    let cases = format!("*assert*) asserted=1;; {cases}");
    let played = Played::cases("again", "solver", &cases);
    let (mut store, condition) = condition();
    let mut external = External::start(&find(&played.command()), LONG).unwrap();
    external.assert(&mut store, condition);
    assert!(matches!(external.check(), Err(Trouble::Died { .. })));
    assert_eq!(external.check(), Ok(Reply::Sat));
}

#[test]
fn an_interrupt_ends_a_question() {
    let played = Played::script("interrupted", "solver", "exec sleep 1000");
    let interrupt = Interrupt::default();
    let entry = find(&played.command());
    let mut external = External::start_for(Purpose::Cores, &entry, LONG, &interrupt).unwrap();
    interrupt.flag.store(true, std::sync::atomic::Ordering::Relaxed);
    let clock = Instant::now();
    assert!(matches!(external.check(), Err(Trouble::Stopped { .. })));
    assert!(clock.elapsed() < LONG);
}

#[test]
fn a_version_is_asked_for_in_vain() {
    let played = Played::script("version", "z3", "echo 'Z3 version 9.9'");
    assert_eq!(version(&find(&played.command())), "Z3 version 9.9");
    let played = Played::script("version-hangs", "z3", "exec sleep 1000");
    assert_eq!(version(&find(&played.command())), "version unknown");
}
