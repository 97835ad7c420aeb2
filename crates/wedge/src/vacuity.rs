//! Checks and code that no run comes to.
//!
//! A few runs with arbitrary inputs show most of what is reached. About the places that are left
//! there is one question: can any of them be reached? Each run that is found settles its place, and
//! a proof all that are left. Where it is not decided in the time for it nothing is said.

use crate::check::{check_model, read};
use crate::checks::violated;
use crate::input::{Checks, InputError};
use crate::observer::Observer;
use crate::options::Options;
use crate::verdict::Said;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use wedge_c::execute;
use wedge_c::reach::goals_of;
use wedge_c::{CheckPoint, Kind};

/// The inputs of the first runs are the same every time.
const SEED: u64 = 1;
/// The questions may take this long, or as long as the checks have taken.
const LEAST: Duration = Duration::from_secs(10);

/// What no run comes to.
#[derive(Default)]
pub struct Vacuity {
    pub checks: BTreeSet<CheckPoint>,
    /// Where code begins that is not reached, each after code that may be.
    pub unreachable: Vec<CheckPoint>,
}

/// Looks for checks and code of a program that no run comes to.
pub fn vacuity(
    files: &[PathBuf],
    options: &Options,
    known: &Checks,
    start: Instant,
    observer: &mut dyn Observer,
) -> Result<Vacuity, InputError> {
    let mut options = options.clone();
    let left = options.timeout.map(|timeout| timeout.saturating_sub(start.elapsed()));
    let time = LEAST.max(start.elapsed()).min(left.unwrap_or(Duration::MAX));
    options.timeout = Some(start.elapsed() + time);
    let Some(model) = read(files, &options.program, Some(time))? else {
        return Ok(Vacuity::default());
    };
    let Some(program) = model.as_program() else { return Ok(Vacuity::default()) };
    let Ok(code) = program.program() else { return Ok(Vacuity::default()) };
    let goals: BTreeMap<&CheckPoint, BTreeSet<CheckPoint>> = known
        .points
        .iter()
        .map(|point| (point, goals_of(code, program.properties(), point)))
        .collect();
    let visited = execute::visited(code, SEED);
    let visited: BTreeSet<CheckPoint> =
        visited.into_iter().map(|at| CheckPoint::new(Kind::Reached, &code.files, at)).collect();
    let begin = known.beginnings.iter().map(|beginning| &beginning.place);
    let wanted = goals.values().flatten().chain(begin);
    let open: BTreeSet<CheckPoint> =
        wanted.filter(|goal| !visited.contains(goal)).cloned().collect();
    let never = never_reached(files, &mut options, open, start, observer)?;
    let is_never = |goals: &BTreeSet<CheckPoint>| !goals.is_empty() && goals.is_subset(&never);
    let checks = goals.into_iter().filter(|(_, goals)| is_never(goals));
    let checks = checks.map(|(point, _)| point.clone()).collect();
    let mut unreachable: Vec<CheckPoint> = known
        .beginnings
        .iter()
        .filter(|beginning| never.contains(&beginning.place))
        .filter(|beginning| beginning.before.iter().any(|before| !never.contains(before)))
        .map(|beginning| beginning.place.clone())
        .collect();
    unreachable.sort_by_key(|place| (place.file.clone(), place.line, place.column));
    unreachable.dedup();
    Ok(Vacuity { checks, unreachable })
}

/// Those of some places that are proved not to be reached. What is settled in the options stays so: a run
/// that violates a check ends there, and is no reason to doubt a proof.
fn never_reached(
    files: &[PathBuf],
    options: &mut Options,
    mut open: BTreeSet<CheckPoint>,
    start: Instant,
    observer: &mut dyn Observer,
) -> Result<BTreeSet<CheckPoint>, InputError> {
    let failed = std::mem::take(&mut options.program.settled);
    while !open.is_empty() {
        options.program.settled = failed.iter().chain(&open).cloned().collect();
        let left = options.timeout.map(|timeout| timeout.saturating_sub(start.elapsed()));
        if left.is_some_and(|left| left.is_zero()) {
            break;
        }
        let Some(model) = read(files, &options.program, left)? else { break };
        // What the model does not have cannot be proved of it.
        let modelled = model.as_program().and_then(|program| program.checks().ok());
        let modelled: BTreeSet<CheckPoint> =
            modelled.map(|checks| checks.points.into_iter().collect()).unwrap_or_default();
        open.retain(|goal| modelled.contains(goal));
        let answer = check_model(&model, options, start, observer)?;
        match (answer.verdict.said(), violated(&answer)) {
            (Said::True, _) => return Ok(open),
            (Said::False(_), Some((place, _))) if open.remove(&place) => {}
            _ => break,
        }
    }
    Ok(BTreeSet::new())
}
