//! What a compiled program gets from its surroundings, as a part of a test: the variables that it declares
//! and does not have, with the values that the alarm found in them, and its standard input.
//!
//! Both are there before `main` begins, and before constructors of the program. Of pointers into memory
//! that is not the program's a test can only give the numbers.

use super::replay::Alarm;
use super::sources::Sources;
use std::fmt::Write;
use std::path::Path;
use wedge_c::typed::{Global, GlobalId, Initial, Program};

/// Definitions of the variables, and what the surroundings do before the program begins.
pub fn surroundings(program: &Program, sources: &Sources, alarm: &Alarm) -> String {
    let mut text = String::new();
    let mut missing = Vec::new();
    for (index, global) in program.globals.iter().enumerate() {
        let declared = program.types.declare(global.ty, &global.name);
        if is_missing(program, sources, global) && !declared.contains('<') {
            let _ = writeln!(text, "{declared};");
            missing.push(GlobalId(index as u32));
        }
    }
    let variables = values(program, &missing, alarm);
    let input = alarm.outside.input().filter(|input| !input.is_empty());
    if let Some(input) = &input {
        text += &feeding(input);
    }
    if input.is_none() && variables.is_empty() {
        return text;
    }
    let feed = if input.is_some() { "  wedge_feed();\n" } else { "" };
    text += "__attribute__((constructor(101))) static void wedge_begin(void) {\n";
    text + &variables + feed + "}\n"
}

/// Whether the program declares a variable and does not have it.
fn is_missing(program: &Program, sources: &Sources, global: &Global) -> bool {
    let file = program.files.name(global.position.file);
    matches!(global.initial, Initial::External)
        && !global.is_argument
        && sources.files.iter().any(|source| source.path == Path::new(file))
}

/// Gives the variables the bytes that the run has read.
fn values(program: &Program, missing: &[GlobalId], alarm: &Alarm) -> String {
    let mut text = String::new();
    let outer = alarm.outside.variables.iter();
    for outer in outer.filter(|outer| missing.contains(&outer.variable)) {
        let name = &program.global(outer.variable).name;
        let bytes = outer.bits.to_le_bytes();
        for (index, byte) in (0..outer.bytes).zip(bytes).filter(|(_, byte)| *byte != 0) {
            let at = outer.offset + index;
            let _ = writeln!(text, "  ((unsigned char *)&{name})[{at}] = {byte:#x};");
        }
    }
    text
}

/// A function that makes these characters the standard input. The functions that it calls have names of
/// its own, since headers declare them with types of theirs.
fn feeding(input: &[u8]) -> String {
    let mut text = String::from(
        "int wedge_pipe(int *) __asm__(\"pipe\");\nint wedge_dup2(int, int) __asm__(\"dup2\");\n\
         int wedge_close(int) __asm__(\"close\");\n__PTRDIFF_TYPE__ wedge_write(int, const void *, \
         __SIZE_TYPE__) __asm__(\"write\");\nint wedge_setvbuf(void *, char *, int, __SIZE_TYPE__) \
         __asm__(\"setvbuf\");\nextern void *wedge_stdin __asm__(\"stdin\");\nstatic const unsigned char wedge_input[] = {",
    );
    for (index, byte) in input.iter().enumerate() {
        let before = if index % 16 == 0 { "\n " } else { "" };
        let _ = write!(text, "{before} {byte},");
    }
    text += "\n};\nstatic void wedge_feed(void) {\n  int ends[2];\n  \
             if (wedge_pipe(ends)) return;\n  \
             wedge_write(ends[1], wedge_input, sizeof wedge_input);\n  wedge_close(ends[1]);\n  \
             wedge_dup2(ends[0], 0);\n  wedge_close(ends[0]);\n  \
             /* Nothing is read before it is asked for. */\n  wedge_setvbuf(wedge_stdin, 0, 2, 0);\n}\n";
    text
}
