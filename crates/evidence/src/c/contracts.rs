//! Contracts of recursive functions, from the only run of a program.
//!
//! A program that leaves nothing open has one run. What its recursive functions are called with
//! there, and what they give, is all that they are ever called with and give: a contract that says
//! so is true, and each of its cases follows from those of the calls inside. So a validator can
//! prove one call after the other instead of unwinding the recursion.
//!
//! What can be said shortly is said so (`\result == n`), the rest is a list of cases. Of programs with
//! several runs see [`super::samples`].

use super::expression::number;
use std::collections::BTreeSet;
use wedge_c::Properties;
use wedge_c::interp::{
    Arguments, Calls, Choice, Limits, Oracle, Outcome, register_candidates, run,
};
use wedge_c::source::Position;
use wedge_c::typed::{Body, Callee, FuncId, LocalId, Place, Program, StmtKind};
use wedge_c::types::Ty;
use wedge_logic::BitVec;

/// Longer runs are not followed.
const STEPS: u64 = 50_000_000;
/// The longest condition.
const LIMIT: usize = 4000;
/// More combinations of several arguments are said as the range of each.
const COMBINATIONS: usize = 12;

/// What holds whenever a function is called and whenever it returns, as conditions of C; `1` where
/// there is nothing to say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    pub function: String,
    /// Where the definition begins.
    pub position: Position,
    pub requires: String,
    pub ensures: String,
    /// A place inside of the function, and what is always true there.
    pub inside: Option<(Position, String)>,
}

/// The contracts of the recursive functions of a program that has only one run. None if it turns
/// out to have more, or if that cannot be found out in time.
pub fn contracts(
    program: &Program,
    properties: &Properties,
    stop: &dyn Fn() -> bool,
) -> Vec<Contract> {
    if !has_recursion(program) {
        return Vec::new();
    }
    let mut oracle = Silent { was_asked: false, stop };
    let limits = Limits { steps: STEPS, calls: true, ..Limits::default() };
    let run = run(program, properties, &mut oracle, limits);
    let is_only = !oracle.was_asked && run.unspecified.is_none();
    let has_ended = matches!(
        run.outcome,
        Outcome::Finished(_) | Outcome::Aborted(_) | Outcome::AssumeFailed(_)
    );
    match run.seen.filter(|_| has_ended && is_only) {
        Some(seen) => {
            let found = seen.recursive().into_iter();
            found.filter_map(|(function, calls)| contract(program, function, calls)).collect()
        }
        None => Vec::new(),
    }
}

/// Whether functions call one another in a circle, by their names.
pub(super) fn has_recursion(program: &Program) -> bool {
    let callees = |id: FuncId| -> Vec<FuncId> {
        let body = program.function(id).body.as_ref();
        let blocks = body.map_or(&[][..], |body| &body.blocks);
        let statements = blocks.iter().flat_map(|block| &block.statements);
        let callee = |statement: &wedge_c::typed::Stmt| match &statement.kind {
            StmtKind::Call { callee: Callee::Function(id), .. } => Some(*id),
            _ => None,
        };
        statements.filter_map(callee).collect()
    };
    // Functions that nothing calls any more are taken away until only circles, and what leads from
    // one to another, are left.
    let count = program.functions.len();
    let calls: Vec<Vec<FuncId>> = (0..count as u32).map(|id| callees(FuncId(id))).collect();
    let mut callers = vec![0usize; count];
    calls.iter().flatten().for_each(|id| callers[id.0 as usize] += 1);
    let mut free: Vec<usize> = (0..count).filter(|&id| callers[id] == 0).collect();
    let mut taken = 0;
    while let Some(id) = free.pop() {
        taken += 1;
        for callee in &calls[id] {
            let callee = callee.0 as usize;
            callers[callee] -= 1;
            if callers[callee] == 0 {
                free.push(callee);
            }
        }
    }
    taken < count
}

/// It is not asked by a program that leaves nothing open.
struct Silent<'a> {
    was_asked: bool,
    stop: &'a dyn Fn() -> bool,
}

impl Oracle for Silent<'_> {
    fn choose(&mut self, _: &Choice) -> u128 {
        self.was_asked = true;
        0
    }

    fn wants_stop(&mut self, _: u64) -> bool {
        self.was_asked || (self.stop)()
    }
}

/// A parameter that can be spoken of.
pub(super) struct Parameter<'p> {
    pub index: usize,
    pub name: &'p str,
    pub ty: Ty,
    /// It keeps its value.
    pub is_kept: bool,
}

fn contract(program: &Program, id: FuncId, calls: &Calls) -> Option<Contract> {
    let function = program.function(id);
    let body = function.body.as_ref().filter(|_| !function.is_library && !calls.is_cut)?;
    let all = parameters(program, body);
    let every: Vec<&Parameter> = all.iter().collect();
    let kept: Vec<&Parameter> = all.iter().filter(|parameter| parameter.is_kept).collect();
    let requires = called_with(program, &every, &calls.entered);
    let result = program.types.signature(function.ty).map(|signature| signature.result);
    let ensures = result.and_then(|ty| given(program, &kept, ty, calls));
    if requires.is_none() && ensures.is_none() {
        return None;
    }
    let inside = called_with(program, &kept, &calls.entered);
    let inside = first_statement(body).zip(inside);
    let or_nothing = |text: Option<String>| text.unwrap_or_else(|| "1".to_string());
    let position = body.scopes.first().map_or(function.position, |scope| scope.begin);
    let (requires, ensures) = (or_nothing(requires), or_nothing(ensures));
    Some(Contract { function: function.name.clone(), position, requires, ensures, inside })
}

/// The parameters that are integers with a name.
pub(super) fn parameters<'p>(program: &Program, body: &'p Body) -> Vec<Parameter<'p>> {
    let is_kept = kept(program, body);
    let mut found = Vec::new();
    for (index, local) in body.locals[..body.parameters].iter().enumerate() {
        let is_word = program.types.int_format(local.ty).is_some_and(|f| f.width <= 64);
        if let (true, Some(name)) = (is_word, local.name.as_deref()) {
            found.push(Parameter { index, name, ty: local.ty, is_kept: is_kept[index] });
        }
    }
    found
}

/// For each parameter, whether nothing in the function can change it.
fn kept(program: &Program, body: &Body) -> Vec<bool> {
    // Those whose address is never needed.
    let mut kept = register_candidates(program, body);
    let mut change = |place: &Place| {
        if let Some(LocalId(id)) = place.root_local() {
            kept[id as usize] = false;
        }
    };
    for statement in body.blocks.iter().flat_map(|block| &block.statements) {
        match &statement.kind {
            StmtKind::Assign { place, .. } | StmtKind::Zero(place) => change(place),
            StmtKind::Call { result, .. } => result.iter().for_each(&mut change),
            StmtKind::Allocate { pointer, .. } => change(pointer),
            StmtKind::VaStart(place) => change(place),
            StmtKind::VaArg { result, list } => [result, list].into_iter().for_each(&mut change),
            StmtKind::VaCopy { to, .. } => change(to),
            StmtKind::Declare(_) | StmtKind::Begin(_) | StmtKind::End(_) => {}
        }
    }
    kept
}

pub(super) fn first_statement(body: &Body) -> Option<Position> {
    let block = body.blocks.first()?;
    Some(block.statements.first().map_or(block.position, |statement| statement.position))
}

/// What is known of parameters when the function is called.
fn called_with(
    program: &Program,
    parameters: &[&Parameter],
    entered: &BTreeSet<Arguments>,
) -> Option<String> {
    let mut tuples: BTreeSet<Vec<i128>> = BTreeSet::new();
    for arguments in entered {
        let values = parameters.iter().map(|p| value(program, p.ty, *arguments.get(p.index)?));
        tuples.insert(values.collect::<Option<_>>()?);
    }
    if parameters.is_empty() || tuples.is_empty() {
        return None;
    }
    let said = match parameters {
        [_, _, ..] if tuples.len() <= COMBINATIONS => cases(program, parameters, None, &tuples)?,
        _ => {
            let ranges = (0..parameters.len()).map(|index| {
                let values: BTreeSet<i128> = tuples.iter().map(|tuple| tuple[index]).collect();
                range(program, parameters[index], &values)
            });
            ranges.collect::<Option<Vec<_>>>()?.join(" && ")
        }
    };
    (said.len() <= LIMIT).then_some(said)
}

/// The values of a parameter.
fn range(program: &Program, parameter: &Parameter, values: &BTreeSet<i128>) -> Option<String> {
    let (low, high) = (*values.first()?, *values.last()?);
    let (name, ty) = (parameter.name, parameter.ty);
    let has_all = high.checked_sub(low)? as u128 == values.len() as u128 - 1;
    let bounds = || {
        Some(format!(
            "{name} >= {} && {name} <= {}",
            text(program, ty, low)?,
            text(program, ty, high)?
        ))
    };
    match values.len() {
        1 => Some(format!("{name} == {}", text(program, ty, low)?)),
        _ if has_all || values.len() > COMBINATIONS => bounds(),
        _ => {
            let equal =
                values.iter().map(|&v| Some(format!("{name} == {}", text(program, ty, v)?)));
            Some(format!("({})", equal.collect::<Option<Vec<_>>>()?.join(" || ")))
        }
    }
}

/// What is known of the result, by the parameters.
fn given(program: &Program, kept: &[&Parameter], ty: Ty, calls: &Calls) -> Option<String> {
    program.types.int_format(ty).filter(|format| format.width <= 64)?;
    let mut tuples: BTreeSet<Vec<i128>> = BTreeSet::new();
    for (arguments, result) in &calls.returned {
        let values = kept.iter().map(|p| value(program, p.ty, *arguments.get(p.index)?));
        let values = values.chain([value(program, ty, *result)]);
        tuples.insert(values.collect::<Option<_>>()?);
    }
    let first = tuples.first()?;
    let at = kept.len();
    if tuples.iter().all(|tuple| tuple[at] == first[at]) {
        return Some(format!("\\result == {}", text(program, ty, first[at])?));
    }
    let differs_by = |index: usize| -> Option<i128> {
        let distance = first[at] - first[index];
        let is_same = tuples.iter().all(|tuple| tuple[at] - tuple[index] == distance);
        (kept[index].ty == ty && is_same).then_some(distance)
    };
    for (index, parameter) in kept.iter().enumerate() {
        if let Some(distance) = differs_by(index) {
            let name = parameter.name;
            return Some(match distance {
                0 => format!("\\result == {name}"),
                1.. => format!("\\result == {name} + {}", text(program, ty, distance)?),
                _ => format!("\\result == {name} - {}", text(program, ty, -distance)?),
            });
        }
    }
    cases(program, kept, Some(ty), &tuples).filter(|said| said.len() <= LIMIT)
}

/// Values of parameters, and of the result behind them if there is one, one case after the other.
fn cases(
    program: &Program,
    parameters: &[&Parameter],
    result: Option<Ty>,
    tuples: &BTreeSet<Vec<i128>>,
) -> Option<String> {
    let mut cases = Vec::new();
    for tuple in tuples {
        let names =
            parameters.iter().map(|p| (p.name, p.ty)).chain(result.map(|ty| ("\\result", ty)));
        let parts = names
            .zip(tuple)
            .map(|((name, ty), &value)| Some(format!("{name} == {}", text(program, ty, value)?)));
        cases.push(format!("({})", parts.collect::<Option<Vec<_>>>()?.join(" && ")));
    }
    match cases.len() {
        1 => Some(cases.remove(0)),
        _ => Some(format!("({})", cases.join(" || "))),
    }
}

pub(super) fn value(program: &Program, ty: Ty, bits: Option<u128>) -> Option<i128> {
    let (format, bits) = (program.types.int_format(ty)?, bits?);
    let shift = 128 - format.width;
    Some(match format.signed {
        true => ((bits << shift) as i128) >> shift,
        false => ((bits << shift) >> shift) as i128,
    })
}

pub(super) fn text(program: &Program, ty: Ty, value: i128) -> Option<String> {
    let format = program.types.int_format(ty).filter(|format| format.width <= 64)?;
    number(&BitVec::new(format.width, value as u64), format.signed)
}
