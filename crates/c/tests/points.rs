//! The points-to analysis against the interpreter: every place that a run reads or writes must
//! lie where the analysis says, and every call must lead where the flat program says.

mod generator;

use generator::{Features, program};
use std::collections::HashMap;
use wedge_c::Properties;
use wedge_c::flat::{Flat, FlatStmt, InstanceId, Options, flatten};
use wedge_c::interp::{Choice, Event, Limits, Oracle, Origin, run};
use wedge_c::points::{ObjectKind, Points, Target};
use wedge_c::source::Position;
use wedge_c::typed::{Expr, FuncId, GlobalId, Place, PlaceKind, Program};
use wedge_c::{DataModel, load_text};

struct Constant;

impl Oracle for Constant {
    fn choose(&mut self, _: &Choice) -> u128 {
        1
    }
}

type Calls = HashMap<(InstanceId, FuncId), Vec<(InstanceId, Position)>>;

struct Checker<'a, 'p> {
    flat: &'a Flat<'p>,
    points: &'a Points<'p>,
    /// For each active function, the instances that it may be: two calls may share a position.
    /// None below the depth to which the program was flattened.
    stack: Vec<Vec<InstanceId>>,
    /// The functions and instances that instances call, and where.
    calls: Calls,
    name: &'a str,
    accesses: usize,
}

/// Activations of one function that are made; runs are followed to this depth.
const DEPTH: usize = 5;

/// Runs a program and compares; gives the number of accesses that were checked.
fn check(text: &str, model: DataModel, name: &str) -> usize {
    let program = load_text(text, name, model).unwrap_or_else(|error| panic!("{error}"));
    let properties = Properties::default();
    let flat = flatten(&program, &properties, Options { depth: DEPTH, ..Options::default() })
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let points = Points::analyse(&flat);
    let limits = Limits { steps: 50_000, trace: usize::MAX, accesses: true, ..Limits::default() };
    let run = run(&program, &Properties::default(), &mut Constant, limits);
    let calls = calls(&flat);
    let (stack, accesses) = (Vec::new(), 0);
    let mut checker = Checker { flat: &flat, points: &points, stack, calls, name, accesses };
    for event in &run.trace.events {
        checker.event(&program, event);
    }
    checker.accesses
}

/// The calls that make instances, and those of instances that share their body.
fn calls(flat: &Flat) -> Calls {
    let mut calls = Calls::new();
    for (index, instance) in flat.instances.iter().enumerate() {
        if let Some((caller, at)) = instance.caller {
            let called = calls.entry((caller, instance.function)).or_default();
            called.push((InstanceId(index as u32), at));
        }
    }
    for block in &flat.blocks {
        for statement in &block.statements {
            if let FlatStmt::Rebind { callee, position, .. } = statement {
                let function = flat.instance(*callee).function;
                let called = calls.entry((block.instance, function)).or_default();
                called.push((*callee, *position));
            }
        }
    }
    calls
}

impl<'p> Checker<'_, 'p> {
    fn event(&mut self, program: &'p Program, event: &Event<'p>) {
        match event {
            Event::Enter(function, at) => {
                let called = match self.stack.last() {
                    None => vec![InstanceId(0)],
                    Some(callers) => self.called(callers, *function, *at),
                };
                let name = &program.function(*function).name;
                let below = self.active(*function) >= DEPTH
                    || self.stack.last().is_some_and(|callers| callers.is_empty());
                assert!(
                    !called.is_empty() || below,
                    "{}: no instance of {name} from here",
                    self.name
                );
                self.stack.push(called);
            }
            Event::Return(..) => {
                self.stack.pop();
            }
            Event::Access(_, place, origin, offset) => {
                self.access(program, place, *origin, *offset)
            }
            _ => {}
        }
    }

    fn active(&self, function: FuncId) -> usize {
        let is = |ids: &&Vec<InstanceId>| {
            ids.first().is_some_and(|id| self.flat.instance(*id).function == function)
        };
        self.stack.iter().filter(is).count()
    }

    fn called(&self, callers: &[InstanceId], function: FuncId, at: Position) -> Vec<InstanceId> {
        let known = callers.iter().filter_map(|caller| self.calls.get(&(*caller, function)));
        let here = known.flatten().filter(|(_, position)| *position == at);
        here.map(|(id, _)| *id).collect()
    }

    fn access(&mut self, program: &Program, place: &Place, origin: Origin, offset: u64) {
        let Some(here) = self.stack.last().filter(|here| !here.is_empty()) else { return };
        self.accesses += 1;
        let covered = here.iter().any(|instance| {
            let targets = self.points.place(*instance, place);
            targets.list.iter().any(|target| self.covers(target, origin, offset))
        });
        assert!(
            covered,
            "{}: byte {offset} of {origin:?} is not expected at {}",
            self.name,
            program.files.show(place.position)
        );
    }

    fn covers(&self, target: &Target, origin: Origin, offset: u64) -> bool {
        let offsets = target.offsets;
        let index = offset.checked_sub(offsets.first);
        let inside = index.is_some_and(|bytes| match offsets.count {
            1 => bytes == 0,
            count => bytes % offsets.stride == 0 && bytes / offsets.stride < count,
        });
        let object = self.points.object(target.object);
        inside
            && object.size.is_none_or(|size| offset <= size)
            && match (origin, object.kind) {
                (Origin::Global(id), ObjectKind::Global(other)) => id == other,
                (Origin::Function(id), ObjectKind::Function(other)) => id == other,
                (Origin::Local(_, id), ObjectKind::Local(instance, other)) => {
                    id == other && self.stack.iter().any(|active| active.contains(&instance))
                }
                (Origin::Heap, ObjectKind::Site(..)) => true,
                (Origin::Frame, ObjectKind::Site(..) | ObjectKind::Variadic(_)) => true,
                _ => false,
            }
    }
}

#[test]
fn random_programs_stay_inside_their_sets() {
    let mut accesses = 0;
    for seed in 1000..1030 {
        for (model, wide) in [(DataModel::Lp64, true), (DataModel::Ilp32, false)] {
            let text = program(seed, Features { wide });
            accesses += check(&text, model, &format!("seed {seed}"));
        }
    }
    assert!(accesses > 10_000, "{accesses}");
}

#[test]
fn hand_written_programs_stay_inside_their_sets() {
    for (name, text) in PROGRAMS {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            assert!(check(text, model, name) > 0, "{name} accesses nothing");
        }
    }
}

const PROGRAMS: &[(&str, &str)] = &[
    ("lists", include_str!("points/lists.c")),
    ("copies", include_str!("points/copies.c")),
    ("tables", include_str!("points/tables.c")),
    ("arguments", include_str!("points/arguments.c")),
    ("numbers", include_str!("points/numbers.c")),
    ("texts", include_str!("points/texts.c")),
];

/// What a global pointer may point to in `main`, in words: `name+offset`, or
/// `name+first/stride x count`; `?` for values that are arbitrary, `-` for uninitialised ones.
fn targets(text: &str, name: &str) -> String {
    let program = load_text(text, "test.c", DataModel::Ilp32).unwrap();
    let properties = Properties::default();
    let flat = flatten(&program, &properties, Options::default()).unwrap();
    let points = Points::analyse(&flat);
    let id = program.globals.iter().position(|global| global.name == name).unwrap();
    let global = &program.globals[id];
    let place = Place::new(PlaceKind::Global(GlobalId(id as u32)), global.ty, global.position);
    let targets = points.value(InstanceId(0), &Expr::load(place));
    let mut words: Vec<String> =
        targets.list.iter().map(|target| show(&program, &flat, &points, target)).collect();
    words.sort();
    if targets.unknown {
        words.push(String::from(if targets.arbitrary { "?" } else { "-" }));
    }
    words.join(" ")
}

fn show(program: &Program, flat: &Flat, points: &Points, target: &Target) -> String {
    let name = match points.object(target.object).kind {
        ObjectKind::Global(id) => program.global(id).name.clone(),
        ObjectKind::Function(id) => program.function(id).name.clone(),
        ObjectKind::Local(instance, id) => {
            flat.instance(instance).body.local(id).name.clone().unwrap_or_default()
        }
        ObjectKind::Site(..) => String::from("heap"),
        ObjectKind::Variadic(_) => String::from("arguments"),
    };
    let offsets = target.offsets;
    match offsets.count {
        1 => format!("{name}+{}", offsets.first),
        u64::MAX => format!("{name}+{}/{}", offsets.first, offsets.stride),
        count => format!("{name}+{}/{}x{count}", offsets.first, offsets.stride),
    }
}

const START: &str = "
    void *malloc(unsigned); void *calloc(unsigned, unsigned);
    int __VERIFIER_nondet_int(void); int *outside(void);
    struct pair { int *x, *y; }; struct list { int key; struct list *next; };
    int a, b, c, i, n[4], grid[3][5], *p, *q; int (*f)(int); struct list *l; struct pair s, t;
    struct { int size; int data[3]; int rest; } record; struct { int size; int data[1]; } tail;
    int *same(int *x) { return x; }
    int inc(int x) { return x + 1; } int dec(int x) { return x - 1; } int id(int x) { return x; }
";

fn expect(body: &str, name: &str, expected: &str) {
    let text =
        format!("{START} int main(void) {{ i = __VERIFIER_nondet_int(); {body} return 0; }}");
    assert_eq!(targets(&text, name), expected, "{name} after {body}");
}

#[test]
fn addresses_and_copies() {
    expect("p = &a; if (i) p = &n[2]; q = p;", "q", "a+0 n+8");
    expect("s.x = &a; s.y = &b; t = s; p = t.x; q = t.y;", "p", "a+0");
    expect("s.x = &a; s.y = &b; t = s; p = t.x; q = t.y;", "q", "b+0");
    expect("p = same(&a); q = same(&b);", "q", "b+0");
    expect("int **r = &p; *r = &c;", "p", "c+0");
    expect("p = 0; q = p ? &a : p;", "q", "a+0");
}

#[test]
fn offsets_of_elements() {
    expect("p = &n[i];", "p", "n+0/4x4");
    expect("p = &record.data[i];", "p", "record+4/4x3");
    expect("p = &grid[i][2];", "p", "grid+8/20x3");
    expect("p = &grid[1][i];", "p", "grid+0/4x15");
    expect("p = &tail.data[i];", "p", "tail+4/4");
    expect("p = n; while (i) { p++; i--; }", "p", "n+0/4");
    expect("p = n; p = p + i;", "p", "n+0/4x4");
    expect("p = n + 3; p = p - 1;", "p", "n+0/4");
    expect("q = n + 3; p = q - 1;", "p", "n+8");
    expect("p = (int *)((char *)&s.y - 4);", "p", "s+0");
    expect("p = (int *)((unsigned)&a & ~3u);", "p", "a+0/1");
}

#[test]
fn allocated_objects() {
    expect("l = malloc(8); l->next = malloc(8); l = l->next;", "l", "heap+0 heap+0 -");
    expect("l = calloc(1, 8); l->next = l; l = l->next;", "l", "heap+0");
    expect("int **r = malloc(40); r[i] = &a; r[3] = &b; p = r[2];", "p", "a+0 b+0 -");
}

#[test]
fn unknown_values() {
    expect("p = outside();", "p", "?");
    expect("p = (int *)4;", "p", "?");
    expect("int *r; if (i) r = &a; p = r;", "p", "a+0 -");
    expect("int *r; r = &a; p = r;", "p", "a+0");
    expect("p = 0;", "p", "");
}

#[test]
fn functions_as_values() {
    expect("f = inc; if (i) f = dec;", "f", "dec+0 inc+0");
    expect("int (*table[])(int) = { inc, id }; f = table[i & 1];", "f", "id+0 inc+0 -");
}
