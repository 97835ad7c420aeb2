//! An alarm as a test: a C file that gives the program its inputs and recognises the error.
//!
//! The file is a whole program. It includes the program that was checked and defines the functions
//! that are missing: inputs return what the alarm recorded, in order, the standard input and variables of
//! other files hold what the run found there ([`surroundings`](super::surroundings)), and the error function, or
//! what `<assert.h>` calls when an assertion does not hold, ends the program with a status of its
//! own. A program that defines the error function itself is
//! copied into the file instead, with that one definition renamed, so that calls find the harness.

use super::caller;
use super::replay::Alarm;
use super::sources::{Source, Sources};
use super::surroundings::surroundings;
use std::fmt::Write;
use wedge_c::Properties;
use wedge_c::library::{FAILURE, FunctionModel, ORDER, SOME_NUMBER, is_standard, model};
use wedge_c::typed::{Function, Program};
use wedge_c::types::{DataModel, Ty};
use wedge_c::violation::{Check, Kind, When};

/// The status with which the test ends at the violation.
pub const REACHED: u8 = 107;
/// The status when an assumption does not hold, which would be a mistake of the harness.
pub const ASSUMPTION: u8 = 108;
/// The text of the harness, or why there cannot be one.
pub fn harness(
    program: &Program,
    properties: &Properties,
    sources: &Sources,
    alarm: &Alarm,
) -> Result<String, String> {
    let [source] = &sources.files[..] else {
        return Err("a harness is made for programs of one file only".to_string());
    };
    let mut text = header(program, source, alarm);
    let is_error = |f: &Function| violated(program, properties, f) == Some(Kind::UnreachCall);
    let own = program.functions.iter().find(|f| is_error(f) && f.body.is_some());
    text += &caller::before(program);
    text += &match own {
        None => format!("#include \"{}\"\n", include_path(source)),
        Some(function) => copied(source, function)?,
    };
    text += &format!(
        "\nstatic void wedge_reached(const char *what) {{\n  __builtin_puts(what);\n  \
         __builtin_exit({REACHED});\n}}\n"
    );
    let caller = caller::after(program, alarm)?;
    text += &surroundings(program, sources, alarm);
    let is_needed = |f: &&Function| {
        // Names with a space are those of arguments and of what they refer to.
        f.name != ORDER
            && (!f.name.contains(' ') || f.written.is_some())
            && (f.body.is_none() || is_error(f))
    };
    for function in program.functions.iter().filter(is_needed) {
        text += &definition(program, properties, sources, function, alarm).unwrap_or_default();
    }
    Ok(text + &caller)
}

/// What a call of a function violates, if that is asked for.
fn violated(program: &Program, properties: &Properties, function: &Function) -> Option<Kind> {
    let check = properties.check(&program.types, function)?;
    check.is_asked.then_some(check.kind)
}

fn include_path(source: &Source) -> String {
    let path = source.path.canonicalize().unwrap_or_else(|_| source.path.clone());
    path.display().to_string()
}

fn header(program: &Program, source: &Source, alarm: &Alarm) -> String {
    let (model, flag) = match program.types.model {
        DataModel::Ilp32 => ("ILP32", "-m32"),
        DataModel::Lp64 => ("LP64", "-m64"),
    };
    let mut text = format!(
        "/* A test made by Wedge from a counterexample.\n *\n * Program: {}\n * Compile: cc {flag} -w \
         THIS_FILE.c -lm\n * The program was checked under the data model {model}; with another one, \
         such as\n * without {flag} on a machine of the other kind, the widths of types differ.\n * \
         It ends with status {REACHED} where {}.\n",
        source.path.display().to_string().replace("*/", "* /"),
        alarm.violation.kind.event(),
    );
    if alarm.given.iter().any(|given| given.name == ORDER) {
        text += " *\n * The counterexample also depends on the order in which operands are evaluated;\n \
                 * a compiler may choose another one.\n";
    }
    if alarm.given.iter().any(|given| given.name == SOME_NUMBER) {
        text += " *\n * The counterexample also depends on a result of which C promises the sign only; a\n * \
                 library may give another one.\n";
    }
    if alarm.given.iter().any(|given| given.name == FAILURE && given.bits != 0) {
        text += " *\n * The counterexample also depends on an allocation that fails; in a compiled program \
                 it\n * may not.\n";
    }
    if alarm.uninitialised {
        text += " *\n * The counterexample also depends on memory that is read before it is written;\n \
                 * a compiled program may find other values there.\n";
    }
    text + " */\n"
}

/// The program with the definition of its error function renamed.
fn copied(source: &Source, function: &Function) -> Result<String, String> {
    let missing = || format!("the definition of {} was not found in the text", function.name);
    if !source.has_word(function.position, &function.name) {
        return Err(missing());
    }
    let at = source.offset(function.position).ok_or_else(missing)?;
    let text = source.text();
    let (before, after) = (&text[..at], &text[at + function.name.len()..]);
    let mut copy = format!("void {}();\n", function.name);
    copy += &String::from_utf8_lossy(before);
    copy += &format!("wedge_unused_{}", function.name);
    copy += &String::from_utf8_lossy(after);
    copy.push('\n');
    Ok(copy)
}

/// The definition of a function that the program calls and does not have; none for functions of
/// the C library and for types without a name.
fn definition(
    program: &Program,
    properties: &Properties,
    sources: &Sources,
    function: &Function,
    alarm: &Alarm,
) -> Option<String> {
    let name = &function.name;
    let check = properties.check(&program.types, function).filter(|check| check.is_asked);
    if let Some(check) = check {
        return violation(program, function, check);
    }
    let head = head(program, function)?;
    match model(name) {
        Some(FunctionModel::Assume) => {
            let stop = format!("__builtin_exit({ASSUMPTION})");
            Some(format!("{head} {{ if (!p0) {stop}; }}\n"))
        }
        Some(FunctionModel::Atomic) => Some(format!("{head} {{ }}\n")),
        // The C library has it, and its header says how it is declared.
        None if is_standard(name) || sources.of(&program.files, function.position).is_none() => {
            None
        }
        Some(FunctionModel::Nondet) | None => {
            Some(format!("{head} {{\n{}}}\n", body(program, function, alarm)))
        }
        Some(_) => None,
    }
}

/// The definition of a function whose call is or may be a violation.
fn violation(program: &Program, function: &Function, check: Check) -> Option<String> {
    let (name, what) = (&function.name, check.kind.event());
    let reached = format!("wedge_reached(\"wedge: {what}\");");
    if check.kind == Kind::UnreachCall {
        let head = match function.body {
            Some(_) => format!("void {name}()"),
            None => head(program, function)?,
        };
        return Some(format!("{head} {{ {reached} }}\n"));
    }
    // Headers declare it with types of their own, so it has another name in C.
    let symbol = function.written.as_ref().unwrap_or(name);
    let signature = program.types.signature(function.ty);
    let (parameter, body) = match check.when {
        When::Always => ("void".to_string(), reached),
        When::IfZero => {
            let first = signature.and_then(|signature| signature.parameters.first());
            let ty = first.copied().unwrap_or(Ty::INT);
            (program.types.declare(ty, "p0"), format!("if (!p0) {reached}"))
        }
    };
    let head = format!("void wedge_{name}({parameter})");
    Some(format!("{head} __asm__(\"{symbol}\");\n{head} {{ {body} }}\n"))
}

/// The declaration with names for the parameters.
fn head(program: &Program, function: &Function) -> Option<String> {
    let types = &program.types;
    let signature = types.signature(function.ty)?;
    let mut parameters: Vec<String> = Vec::new();
    for (index, &ty) in signature.parameters.iter().enumerate() {
        parameters.push(types.declare(ty, &format!("p{index}")));
    }
    if signature.variadic && !parameters.is_empty() {
        parameters.push("...".to_string());
    }
    let list = match (parameters.is_empty(), signature.prototype) {
        (true, true) => "void".to_string(),
        _ => parameters.join(", "),
    };
    let name = function.written.as_ref().unwrap_or(&function.name);
    let head = types.declare(signature.result, &format!("{name}({list})"));
    (!head.contains('<')).then_some(head)
}

/// Returns the recorded values one after the other, then 0.
fn body(program: &Program, function: &Function, alarm: &Alarm) -> String {
    let result = program.types.signature(function.ty).map_or(Ty::VOID, |s| s.result);
    if !program.types.is_scalar(result) {
        let value = program.types.declare(result, "result");
        return match result == Ty::VOID {
            true => String::new(),
            false => format!(
                "  {value};\n  __builtin_memset(&result, 0, sizeof result);\n  return result;\n"
            ),
        };
    }
    let values = alarm.given.iter().filter(|given| given.name == function.name);
    let mut text = String::from("  static const unsigned long long values[][2] = {\n");
    let mut count = 0;
    for given in values {
        let (low, high) = (given.bits as u64, (given.bits >> 64) as u64);
        let shown = program.show_value(given.ty, given.bits).replace("*/", "* /");
        let _ = writeln!(text, "    {{{low:#x}ull, {high:#x}ull}}, /* {shown} */");
        count += 1;
    }
    text += "    {0, 0}};\n  static unsigned long next;\n";
    let declared = program.types.declare(result, "result");
    let _ = write!(
        text,
        "  {declared};\n  __builtin_memcpy(&result, values[next], sizeof result);\n  \
         if (next < {count}) next++;\n  return result;\n"
    );
    text
}
