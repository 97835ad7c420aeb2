//! Expressions. A pure expression has no side effects and calls only pure functions.

use super::{Generator, Lvalue};

impl Generator {
    pub fn constant(&mut self, is_float: bool) -> String {
        if is_float {
            let number = self.random.below(2000) as f64 / 16.0 - 60.0;
            return format!("{number:?}");
        }
        let interesting = [
            "0",
            "1",
            "-1",
            "2",
            "7",
            "127",
            "128",
            "255",
            "256",
            "-128",
            "32767",
            "65535",
            "65536",
            "2147483647",
            "(-2147483647 - 1)",
            "4294967295u",
            "0x80000000",
            "1ull",
            "-5ll",
            "'a'",
            "'\\n'",
            "BLUE",
            "LIGHT",
            "077",
            "0xffu",
            "123456789",
            "9223372036854775807ll",
            "0x8000000000000000ull",
            "'\\377'",
            "12345678901ll",
            "100000L",
            "3000000000",
        ];
        match self.random.below(3) {
            0 => (self.random.next() as i16).to_string(),
            1 => self.random.below(40).to_string(),
            _ => self.random.pick(&interesting).to_string(),
        }
    }

    pub fn lvalue(&mut self) -> Lvalue {
        let use_local = !self.locals.is_empty() && self.random.chance(50);
        let list = if use_local { &self.locals } else { &self.lvalues };
        let index = self.random.next() as usize % list.len();
        list[index].clone()
    }

    fn leaf(&mut self) -> (String, bool) {
        if self.random.chance(25) {
            return (self.constant(false), false);
        }
        let lvalue = self.lvalue();
        (lvalue.text, lvalue.is_float)
    }

    /// A pure expression of integer type.
    pub fn integer(&mut self, depth: usize) -> String {
        let (text, is_float) = self.pure(depth);
        if !is_float {
            return text;
        }
        // Conversions of floats that do not fit are undefined.
        format!("(({text}) > -1000.0 && ({text}) < 1000.0 ? (int)({text}) : 3)")
    }

    /// A pure expression, and whether its type is a floating one.
    pub fn pure(&mut self, depth: usize) -> (String, bool) {
        if depth == 0 {
            return self.leaf();
        }
        match self.random.below(20) {
            0..=5 => self.arithmetic(depth),
            6..=8 => self.integer_operation(depth),
            9 | 10 => self.comparison(depth),
            11 => (self.logical(depth), false),
            12 => self.conditional(depth),
            13 | 14 => self.cast(depth),
            15 => self.sign(depth),
            16 => (self.pure_call(depth), false),
            17 => (self.odd(depth), false),
            _ => self.leaf(),
        }
    }

    fn arithmetic(&mut self, depth: usize) -> (String, bool) {
        let (a, a_float) = self.pure(depth - 1);
        let (b, b_float) = self.pure(depth - 1);
        let op = *self.random.pick(&["+", "-", "*"]);
        (format!("({a} {op} {b})"), a_float || b_float)
    }

    fn integer_operation(&mut self, depth: usize) -> (String, bool) {
        let a = self.integer(depth - 1);
        let b = self.integer(depth - 1);
        let text = match self.random.below(8) {
            0 => format!("({a} & {b})"),
            1 => format!("({a} | {b})"),
            2 => format!("({a} ^ {b})"),
            3 => format!("({a} << ({b} & 15))"),
            4 => format!("({a} >> ({b} & 31))"),
            5 => format!("({a} / ((int)({b} & 15) + 1))"),
            6 => format!("({a} % ((int)({b} & 31) + 2))"),
            _ => format!("({a} / -((int)({b} & 7) + 2))"),
        };
        (text, false)
    }

    fn comparison(&mut self, depth: usize) -> (String, bool) {
        let (a, _) = self.pure(depth - 1);
        let (b, _) = self.pure(depth - 1);
        let op = *self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        (format!("({a} {op} {b})"), false)
    }

    fn logical(&mut self, depth: usize) -> String {
        let (a, _) = self.pure(depth - 1);
        let (b, _) = self.pure(depth - 1);
        match self.random.below(3) {
            0 => format!("({a} && {b})"),
            1 => format!("({a} || {b})"),
            _ => format!("(!{a})"),
        }
    }

    fn conditional(&mut self, depth: usize) -> (String, bool) {
        let (c, _) = self.pure(depth - 1);
        let (a, a_float) = self.pure(depth - 1);
        let (b, b_float) = self.pure(depth - 1);
        if !a_float && !b_float && self.random.chance(15) {
            return (format!("({a} ?: {b})"), false);
        }
        (format!("({c} ? {a} : {b})"), a_float || b_float)
    }

    fn cast(&mut self, depth: usize) -> (String, bool) {
        let (ty, is_float) = self.scalar_type();
        if is_float {
            let (a, _) = self.pure(depth - 1);
            return (format!("(({ty})({a}))"), true);
        }
        let a = self.integer(depth - 1);
        (format!("(({ty})({a}))"), false)
    }

    fn sign(&mut self, depth: usize) -> (String, bool) {
        if self.random.chance(40) {
            let a = self.integer(depth - 1);
            return (format!("(~{a})"), false);
        }
        let (a, is_float) = self.pure(depth - 1);
        (format!("(- {a})"), is_float)
    }

    fn pure_call(&mut self, depth: usize) -> String {
        let pure: Vec<_> = self.functions.iter().filter(|f| f.is_pure).cloned().collect();
        if pure.is_empty() {
            return self.constant(false);
        }
        let function = self.random.pick(&pure).clone();
        let arguments: Vec<String> =
            (0..function.parameters).map(|_| self.integer(depth - 1)).collect();
        format!("{}({})", function.name, arguments.join(", "))
    }

    /// Less common forms.
    fn odd(&mut self, depth: usize) -> String {
        let a = self.integer(depth - 1);
        let b = self.integer(depth - 1);
        match self.random.below(9) {
            0 => format!("({{ int t_ = {a}; t_ ^ (int)({b}); }})"),
            1 => format!("((int[]){{ {a}, {b}, 3, 4 }}[({b}) & 3])"),
            2 => format!("((struct {{ short x; unsigned y : 5; }}){{ .y = {a}, .x = {b} }}).y"),
            3 => format!("(\"wedge\\0\\xff\"[({a}) & 7])"),
            4 => format!("(sizeof(({a}) + 0) + ({b}))"),
            5 => format!("__builtin_popcountll({a})"),
            6 => format!("__builtin_bswap32({a})"),
            7 => format!("__builtin_clz(({a}) | 1)"),
            _ => format!("({a}, {b})"),
        }
    }
}
