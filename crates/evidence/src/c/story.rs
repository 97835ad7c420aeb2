//! The run of an alarm for people: where it went and the values that matter.
//!
//! One line per step of interest: inputs, assignments to variables of the program, decisions, and
//! calls. Temporaries of the front end are left out. Long stories are cut in the middle.

use super::replay::Alarm;
use super::sources::Sources;
use wedge_c::interp::Event;
use wedge_c::source::Position;
use wedge_c::typed::{FuncId, LocalKind, Place, PlaceKind, Program};

/// Lines at the beginning and at the end that are always shown.
const HEAD: usize = 15;
const TAIL: usize = 25;

struct Line {
    place: String,
    what: String,
}

/// The story, cut in the middle unless it is wanted as a whole.
pub fn story(program: &Program, sources: &Sources, alarm: &Alarm, whole: bool) -> String {
    let teller = Teller { program, sources };
    let mut lines: Vec<Line> = Vec::new();
    if alarm.trace.dropped > 0 {
        let what = format!("({} earlier events were not kept)", alarm.trace.dropped);
        lines.push(Line { place: String::new(), what });
    }
    lines.extend(alarm.trace.events.iter().filter_map(|event| teller.line(event)));
    let what = alarm.violation.kind.event().to_string();
    lines.push(Line { place: teller.place(alarm.violation.position), what });
    let omitted = lines.len().saturating_sub(HEAD + TAIL);
    let width = lines.iter().map(|line| line.place.len()).max().unwrap_or(0) + 2;
    let mut text = String::from("Error trace:\n");
    for (index, Line { place, what }) in lines.iter().enumerate() {
        if omitted > 1 && !whole && (HEAD..HEAD + omitted).contains(&index) {
            if index == HEAD {
                text += &format!("  ... {omitted} steps left out; --trace shows them\n");
            }
            continue;
        }
        text += &format!("  {place:width$}{what}\n");
    }
    text
}

struct Teller<'a> {
    program: &'a Program,
    sources: &'a Sources,
}

impl Teller<'_> {
    fn place(&self, position: Position) -> String {
        let name = self.program.files.name(position.file);
        let name = name.rsplit('/').next().unwrap_or(name);
        format!("{name}:{}", position.line)
    }

    fn line(&self, event: &Event) -> Option<Line> {
        let (position, what) = match event {
            Event::Enter(function, position) => {
                (position, format!("call of {}", self.program.function(*function).name))
            }
            Event::Return(function, position) => {
                (position, format!("return from {}", self.program.function(*function).name))
            }
            Event::Branch(_, truth, position) => {
                let source = self.sources.line(&self.program.files, *position);
                let source = source.map_or("condition".into(), |line| shortened(&line));
                (position, format!("{source}   decided: {truth}"))
            }
            Event::Store(function, place, bits, position) => {
                (position, self.assignment(*function, place, *bits)?)
            }
            Event::Choice { name, is_call, ty, bits, position, .. } => {
                let value = self.program.show_value(*ty, *bits);
                let call = if *is_call { "()" } else { "" };
                (position, format!("{name}{call} gives {value}"))
            }
            Event::Access(..) => return None,
        };
        Some(Line { place: self.place(*position), what })
    }

    fn assignment(&self, function: FuncId, place: &Place, bits: u128) -> Option<String> {
        let body = self.program.function(function).body.as_ref();
        if let PlaceKind::Local(id) = place.kind
            && body.is_some_and(|body| body.local(id).kind == LocalKind::Temporary)
        {
            return None;
        }
        let shown = self.program.show_place(body, place);
        Some(format!("{shown} = {}", self.program.show_value(place.ty, bits)))
    }
}

fn shortened(line: &str) -> String {
    const LIMIT: usize = 60;
    match line.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line.to_string(),
    }
}
