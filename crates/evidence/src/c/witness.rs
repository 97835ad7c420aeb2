//! Witnesses of the software-verification competition, independently of their syntax.
//!
//! A violation witness gives the result of every call that the program leaves open, in order, the
//! decisions that can be named by a keyword of the source, and the place of the violation. A
//! correctness witness gives an invariant for every loop. [`super::yaml`] and [`super::graphml`]
//! write them.

use super::expression::number;
use super::invariants::LoopInvariant;
use super::moment;
use super::replay::Alarm;
use super::sources::Sources;
use wedge_c::interp::Event;
use wedge_c::library::{FunctionModel, model};
use wedge_c::source::Position;
use wedge_c::typed::{FuncId, Program};
use wedge_c::types::{DataModel, Ty};
use wedge_logic::BitVec;

/// Waypoints beyond this number are left out: decisions first, since inputs determine them.
const WAYPOINTS: usize = 5000;

/// What a witness says about itself.
#[derive(Clone, Debug)]
pub struct Metadata {
    /// The input files with their hashes.
    pub files: Vec<(String, String)>,
    pub specification: String,
    pub data_model: DataModel,
    pub uuid: String,
    /// As in ISO 8601.
    pub time: String,
    pub version: String,
}

impl Metadata {
    /// A new witness, made now.
    pub fn new(sources: &Sources, specification: &str, data_model: DataModel) -> Metadata {
        let file =
            |source: &super::sources::Source| (source.path.display().to_string(), source.hash());
        Metadata {
            files: sources.files.iter().map(file).collect(),
            specification: specification.to_string(),
            data_model,
            uuid: uuid::Uuid::new_v4().to_string(),
            time: moment::now(),
            version: env!("CARGO_PKG_VERSION").to_string(),
        }
    }

    pub fn model_name(&self) -> &'static str {
        match self.data_model {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
}

/// An invariant at its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stated {
    pub place: Place,
    /// Of a loop; else of the statement there.
    pub is_loop: bool,
    pub value: String,
}

/// A contract of a function at the place of its definition, as conditions of C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Promise {
    pub place: Place,
    pub requires: String,
    pub ensures: String,
}

/// The versions of the format in YAML.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Version {
    #[default]
    V20,
    V21,
}

impl Version {
    /// Whether it has contracts of functions.
    pub fn has_contracts(self) -> bool {
        self == Version::V21
    }

    pub fn name(self) -> &'static str {
        match self {
            Version::V20 => "2.0",
            Version::V21 => "2.1",
        }
    }

    /// How it calls expressions over the result of a function.
    pub fn extended(self) -> &'static str {
        match self {
            Version::V20 => "acsl_expression",
            Version::V21 => "ext_c_expression",
        }
    }
}

/// A place in an input file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub file: String,
    pub line: u32,
    /// 0 if unknown.
    pub column: u32,
    pub function: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A call of this function returned this value, written as C. The place is that of the
    /// closing parenthesis.
    Result { callee: String, value: String },
    /// Before the statement here this expression of C is true: a variable that was never written
    /// has a value that the run depends on.
    Assume(String),
    /// The `if` or `while` here was decided this way.
    Branch(bool),
    /// The property is violated.
    Target,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    pub place: Place,
    pub step: Step,
}

/// The waypoints of an alarm; the last one is its target.
pub fn violation(program: &Program, sources: &Sources, alarm: &Alarm) -> Vec<Waypoint> {
    let scout = Scout { program, sources };
    let mut points: Vec<Waypoint> = Vec::new();
    let events = alarm.trace.chosen.iter().chain(&alarm.trace.events);
    for point in events.filter_map(|event| scout.waypoint(event)) {
        let at = match point.step {
            Step::Assume(_) => before_statement(&points, &point.place),
            _ => points.len(),
        };
        points.insert(at, point);
    }
    if points.len() > WAYPOINTS {
        points.retain(|point| !matches!(point.step, Step::Branch(_)));
        points.truncate(WAYPOINTS);
    }
    let function = current(alarm.trace.events.iter()).or(program.main);
    let place = scout.place(function, alarm.violation.position);
    points.push(Waypoint { place, step: Step::Target });
    points
}

/// Where a waypoint before a statement belongs: what the statement itself has done by now comes
/// after it.
fn before_statement(points: &[Waypoint], place: &Place) -> usize {
    let is_later = |point: &&Waypoint| {
        let other = &point.place;
        other.function == place.function
            && (other.line, other.column) > (place.line, place.column)
            && matches!(point.step, Step::Result { .. })
    };
    points.len() - points.iter().rev().take_while(is_later).count()
}

/// The function that a run is in after some events; none where `main` has returned.
fn current<'a>(events: impl DoubleEndedIterator<Item = &'a Event<'a>>) -> Option<FuncId> {
    let mut returned = 0;
    for event in events.rev() {
        match event {
            Event::Return(..) => returned += 1,
            Event::Enter(..) if returned > 0 => returned -= 1,
            _ if returned > 0 => {}
            Event::Enter(function, _) | Event::Access(function, ..) => return Some(*function),
            Event::Branch(function, ..) | Event::Store(function, ..) => return Some(*function),
            Event::Choice { function, .. } => return Some(*function),
        }
    }
    None
}

struct Scout<'a> {
    program: &'a Program,
    sources: &'a Sources,
}

impl Scout<'_> {
    fn waypoint(&self, event: &Event) -> Option<Waypoint> {
        match event {
            Event::Choice { function, name, is_call: true, ty, bits, position } => {
                if !self.is_result(name) {
                    return None;
                }
                let source = self.sources.of(&self.program.files, *position)?;
                let (line, column) = source.call_end(*position, name)?;
                let value = self.value(*ty, *bits)?;
                let place = self.place(Some(*function), *position);
                let step = Step::Result { callee: name.clone(), value };
                Some(Waypoint { place: Place { line, column, ..place }, step })
            }
            Event::Choice { function, name, is_call: false, ty, bits, position } => {
                let source = self.sources.of(&self.program.files, *position)?;
                // Behind a macro, columns are those of what it stands for.
                let found = source.variable(*position)?;
                let name = (found == *name).then_some(found)?;
                let value = self.value(*ty, *bits)?;
                let (line, column) = source.statement_start(*position)?;
                let place = self.place(Some(*function), *position);
                let step = Step::Assume(format!("{name} == {value}"));
                Some(Waypoint { place: Place { line, column, ..place }, step })
            }
            // The text of the program has no caller of an entry.
            Event::Branch(function, ..)
                if self.program.entry.is_some() && Some(*function) == self.program.main =>
            {
                None
            }
            Event::Branch(function, truth, position) => {
                let source = self.sources.of(&self.program.files, *position)?;
                let (line, column, is_negated) = source.branch_keyword(*position)?;
                let place = self.place(Some(*function), *position);
                let step = Step::Branch(*truth != is_negated);
                Some(Waypoint { place: Place { line, column, ..place }, step })
            }
            _ => None,
        }
    }

    /// Whether what a call of this function asks for is its result, and not what it reads.
    fn is_result(&self, name: &str) -> bool {
        match model(name) {
            Some(FunctionModel::Program | FunctionModel::Formatted) => false,
            // The reason for a failure is asked for as well.
            Some(FunctionModel::Open(..)) => self.program.error_number().is_none(),
            _ => true,
        }
    }

    fn place(&self, function: Option<FuncId>, position: Position) -> Place {
        place(self.program, self.sources, function, position)
    }

    /// A value as C writes it; none for floats that are not numbers and for pointers other than
    /// null.
    fn value(&self, ty: Ty, bits: u128) -> Option<String> {
        let types = &self.program.types;
        if types.is_pointer(ty) {
            return (bits == 0).then(|| "0".to_string());
        }
        match types.int_format(ty) {
            Some(format) if format.width <= 64 => {
                number(&BitVec::new(format.width, bits as u64), format.signed)
            }
            Some(_) => None,
            None => {
                let text = self.program.show_value(ty, bits);
                let digits = |c: char| c.is_ascii_digit() || c == '-';
                text.starts_with(digits).then_some(text)
            }
        }
    }
}

/// A position as witnesses name it: the input file and the line of its text.
pub fn place(
    program: &Program,
    sources: &Sources,
    function: Option<FuncId>,
    position: Position,
) -> Place {
    let source = sources.of(&program.files, position).or(sources.files.first());
    Place {
        file: source.map_or(String::new(), |source| source.path.display().to_string()),
        line: source.map_or(position.line, |source| source.row(position)),
        column: position.column,
        function: function.map_or(String::new(), |id| program.function(id).name.clone()),
    }
}

/// The place of an invariant.
pub fn invariant_place(program: &Program, sources: &Sources, found: &LoopInvariant) -> Place {
    let mut place = place(program, sources, None, found.position);
    place.function = found.function.clone();
    // Of an `if` the program has the condition.
    if !found.is_loop
        && let Some(source) = sources.of(&program.files, found.position)
        && let Some((line, column, _)) = source.branch_keyword(found.position)
    {
        (place.line, place.column) = (line, column);
    }
    place
}
