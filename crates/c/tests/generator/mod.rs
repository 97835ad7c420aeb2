//! Random C programs without undefined behaviour, for comparison with the system's compiler.
//!
//! A program calls `emit(unsigned long long)` with numbers that depend on everything it computes.
//! What C leaves unspecified is avoided: expressions have at most one side effect between sequence
//! points, divisors are not zero, indices are masked, shift counts are small.

// No test uses programs of all kinds.
#![allow(dead_code)]

mod declarations;
mod expressions;
mod functions;
mod idioms;
pub mod library;
mod recursion;
mod statements;

use std::fmt::Write;

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// An object that can be read and written, of arithmetic type.
#[derive(Clone)]
pub struct Lvalue {
    pub text: String,
    pub is_float: bool,
    /// Bit-fields have no address.
    pub is_bit_field: bool,
    pub ty: String,
}

/// A function with integer parameters.
#[derive(Clone)]
pub struct Callable {
    pub name: String,
    pub parameters: usize,
    /// Touches nothing but its parameters.
    pub is_pure: bool,
}

/// What the target offers.
#[derive(Clone, Copy)]
pub struct Features {
    /// Floating types and `__int128`.
    pub wide: bool,
}

pub struct Generator {
    pub random: Random,
    pub features: Features,
    pub text: String,
    pub lvalues: Vec<Lvalue>,
    /// Lvalues of the function being generated.
    pub locals: Vec<Lvalue>,
    /// Names of pointers that always point to a valid object.
    pub pointers: Vec<Lvalue>,
    /// Names and types of structs, to be copied as a whole.
    pub records: Vec<(String, String)>,
    pub functions: Vec<Callable>,
    /// Numbers for fresh names.
    pub count: usize,
    /// Loops around the statement being generated.
    pub loops: usize,
    pub indent: usize,
}

/// The text of the program with this number.
pub fn program(seed: u64, features: Features) -> String {
    let mut generator = Generator {
        random: Random::new(seed),
        features,
        text: String::from("extern void emit(unsigned long long);\n"),
        lvalues: Vec::new(),
        locals: Vec::new(),
        pointers: Vec::new(),
        records: Vec::new(),
        functions: Vec::new(),
        count: 0,
        loops: 0,
        indent: 0,
    };
    generator.globals();
    for _ in 0..2 + generator.random.below(3) {
        generator.pure_function();
    }
    generator.special_functions();
    generator.recursive_functions();
    generator.idiom_functions();
    for _ in 0..2 + generator.random.below(3) {
        generator.function();
    }
    generator.main_function();
    generator.text
}

impl Generator {
    pub fn fresh(&mut self, prefix: &str) -> String {
        self.count += 1;
        format!("{prefix}{}", self.count)
    }

    pub fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.text, "{}{}", "  ".repeat(self.indent), text.as_ref());
    }

    /// A line with an open block.
    pub fn open(&mut self, text: impl AsRef<str>) {
        self.line(format!("{} {{", text.as_ref()));
        self.indent += 1;
    }

    pub fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    /// Emits a number that depends on the value of an lvalue.
    pub fn emit(&mut self, lvalue: &Lvalue) {
        let text = &lvalue.text;
        if lvalue.is_float {
            // The sign and payload of what is not a number are not specified.
            self.line(format!("emit({text} != {text} ? 77ull : bits_of({text}));"));
        } else {
            self.line(format!("emit((unsigned long long)({text}));"));
        }
    }
}
