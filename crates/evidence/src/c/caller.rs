//! The caller of an entry function, as C: the arguments of an alarm, then the call.
//!
//! The run of the caller is a list of assignments, so it is written down as it happened. Objects
//! come from the allocator, as they did in the program that was checked.

use super::replay::Alarm;
use std::fmt::Write;
use wedge_c::interp::Event;
use wedge_c::library::ARGUMENT;
use wedge_c::typed::{ExprKind, FuncId, Place, PlaceKind, Program};
use wedge_c::types::{Ty, Type};

/// The name that a program's own `main` has in a test that begins elsewhere.
const MAIN: &str = "wedge_main_of_the_program";

/// What stands before the program's text: its own `main` is another function.
pub fn before(program: &Program) -> String {
    match program.entry.is_some() && program.function_named("main").is_some() {
        true => format!("#define main {MAIN}\n"),
        false => String::new(),
    }
}

/// What stands behind the program's text: a `main` that calls the entry as the alarm did.
pub fn after(program: &Program, alarm: &Alarm) -> Result<String, String> {
    let (Some(entry), Some(caller)) = (program.entry, program.main) else {
        return Ok(String::new());
    };
    if alarm.trace.dropped > 0 {
        return Err("the run is too long to know its arguments".to_string());
    }
    let mut writer = Writer { program, text: String::new(), count: 0, functions: String::new() };
    writer.declare(entry)?;
    for event in &alarm.trace.events {
        match event {
            Event::Choice { function, name, bits, .. }
                if *function == caller
                    && name.starts_with(&format!("{ARGUMENT}elements behind ")) =>
            {
                writer.count = *bits as u64;
            }
            Event::Store(function, place, bits, _) if *function == caller => {
                writer.store(place, *bits)?;
            }
            Event::Enter(function, _) if *function == entry => break,
            _ => {}
        }
    }
    let names: Vec<String> = arguments(program, entry).map(|(name, _)| name).collect();
    let name = &program.function(entry).name;
    let _ = writeln!(writer.text, "  {name}({});\n  return 0;", names.join(", "));
    let undefine = if before(program).is_empty() { "" } else { "#undef main\n" };
    Ok(format!("{undefine}\n{}int main(void) {{\n{}}}\n", writer.functions, writer.text))
}

/// The arguments with their types.
fn arguments(program: &Program, entry: FuncId) -> impl Iterator<Item = (String, Ty)> {
    let body = program.function(entry).body.as_ref();
    let parameters = body.map_or(&[][..], |body| &body.locals[..body.parameters]);
    parameters.iter().enumerate().map(|(index, local)| {
        let name = local.name.clone();
        (name.unwrap_or_else(|| format!("argument{}", index + 1)), local.ty)
    })
}

struct Writer<'a> {
    program: &'a Program,
    text: String,
    /// How many elements the next object has.
    count: u64,
    /// Definitions of functions that arguments refer to.
    functions: String,
}

impl Writer<'_> {
    fn declare(&mut self, entry: FuncId) -> Result<(), String> {
        for (name, ty) in arguments(self.program, entry) {
            let declared = self.program.types.declare(ty, &name);
            if declared.contains('<') {
                return Err(format!("the type of the argument `{name}` has no name"));
            }
            let _ = writeln!(self.text, "  static {declared};");
        }
        Ok(())
    }

    fn store(&mut self, place: &Place, bits: u128) -> Result<(), String> {
        // Temporaries of the caller.
        let Some(lvalue) = self.lvalue(place) else { return Ok(()) };
        let types = &self.program.types;
        let value = match types.get(place.ty) {
            Type::Pointer(_) if bits == 0 => "0".to_string(),
            Type::Pointer(target) if types.is_function(*target) => self.function(*target)?,
            Type::Pointer(target) => {
                let size = types.size(*target).filter(|&size| size > 0).unwrap_or(1);
                format!("__builtin_calloc({}, {size})", self.count)
            }
            Type::Float(_) => {
                let (low, high) = (bits as u64, (bits >> 64) as u64);
                let shown = self.program.show_value(place.ty, bits);
                let _ = writeln!(
                    self.text,
                    "  __builtin_memcpy(&{lvalue}, (unsigned long long[]){{{low:#x}ull, \
                     {high:#x}ull}}, sizeof {lvalue}); /* {shown} */"
                );
                return Ok(());
            }
            _ => format!(
                "({})({:#x}ull) /* {} */",
                self.cast(place.ty),
                bits as u64,
                self.program.show_value(place.ty, bits)
            ),
        };
        let _ = writeln!(self.text, "  {lvalue} = {value};");
        Ok(())
    }

    /// The name of an integer type; enumerations need none.
    fn cast(&self, ty: Ty) -> String {
        let shown = self.program.types.show(ty);
        if shown.contains(['<', ':']) { "long long".to_string() } else { shown }
    }

    /// A function that gives 0.
    fn function(&mut self, ty: Ty) -> Result<String, String> {
        let name = format!("wedge_function{}", self.functions.lines().count());
        let declared = self.program.types.declare(ty, &name);
        if declared.contains('<') {
            return Err("the type of a function has no name".to_string());
        }
        let result = self.program.types.signature(ty).map_or(Ty::VOID, |s| s.result);
        let body = match self.program.types.is_scalar(result) {
            true => "return 0;",
            false if result == Ty::VOID => "",
            false => return Err("a function that is an argument returns a record".to_string()),
        };
        // Parameters need names only where they are used.
        let _ = writeln!(self.functions, "static {declared} {{ {body} }}");
        Ok(name)
    }

    /// A place that the caller writes to, as C.
    fn lvalue(&self, place: &Place) -> Option<String> {
        match &place.kind {
            PlaceKind::Local(_) => None,
            PlaceKind::Global(id) => {
                let global = self.program.global(*id);
                global.scope.is_none().then(|| global.name.clone())
            }
            PlaceKind::Field(base, index) => {
                let field = &self.program.types.fields(base.ty)[*index as usize];
                let base = self.lvalue(base)?;
                Some(field.name.as_ref().map_or(base.clone(), |name| format!("{base}.{name}")))
            }
            PlaceKind::Index(base, index) => {
                Some(format!("{}[{}]", self.lvalue(base)?, index.as_int()?))
            }
            PlaceKind::Deref(pointer) => match &pointer.kind {
                ExprKind::Load(pointer) => Some(format!("{}[0]", self.lvalue(pointer)?)),
                ExprKind::PointerAdd { pointer, index, .. } => match &pointer.kind {
                    ExprKind::Load(pointer) => {
                        Some(format!("{}[{}]", self.lvalue(pointer)?, index.as_int()?))
                    }
                    _ => None,
                },
                _ => None,
            },
        }
    }
}
