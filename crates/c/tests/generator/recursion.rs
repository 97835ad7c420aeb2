//! Functions that call themselves and one another.
//!
//! Every call passes on less fuel, so the number of activations is small. No local needs an
//! address. What a function computes depends on its locals before and after its calls.

use super::{Generator, Lvalue};

/// Functions that may call one another.
const FAMILY: usize = 3;

impl Generator {
    pub fn recursive_functions(&mut self) {
        let count = 1 + self.random.below(FAMILY);
        let names: Vec<String> = (0..count).map(|_| self.fresh("again")).collect();
        let types: Vec<String> = (0..count).map(|_| self.result_type()).collect();
        for (name, ty) in names.iter().zip(&types) {
            self.line(format!("static {ty} {name}(int fuel, int p, long long q, short r);"));
        }
        let pointer = self.fresh("through");
        let (first, ty) = (&names[0], &types[0]);
        self.line(format!("static {ty} (*{pointer})(int, int, long long, short) = {first};"));
        let mut callees: Vec<(String, String)> = names.into_iter().zip(types).collect();
        callees.push((pointer, callees[0].1.clone()));
        for index in 0..count {
            self.recursive_function(index, &callees);
        }
        self.open("static void recursions(int k)");
        for (name, ty) in &callees {
            let fuel = 2 + self.random.below(3);
            let call = format!("{name}({fuel}, k, k * 77ll - 5, (short)k)");
            match ty.as_str() {
                "void" => self.line(format!("{call};")),
                _ => self.line(format!("emit((unsigned long long){call});")),
            }
        }
        self.close();
    }

    fn result_type(&mut self) -> String {
        self.random.pick(&["int", "long long", "unsigned char", "int", "void"]).to_string()
    }

    fn recursive_function(&mut self, index: usize, callees: &[(String, String)]) {
        let (name, ty) = callees[index].clone();
        let is_void = ty == "void";
        self.open(format!("static {ty} {name}(int fuel, int p, long long q, short r)"));
        self.line("int x = p + 1; long long y = q * 3; unsigned char z = 9;");
        for (text, ty) in [("p", "int"), ("q", "long long"), ("x", "int"), ("y", "long long")] {
            let (text, ty) = (text.to_string(), ty.to_string());
            self.locals.push(Lvalue { text, is_float: false, is_bit_field: false, ty });
        }
        let early = self.plain(2);
        self.line(match is_void {
            true => "if (fuel <= 0) { emit(y); return; }".to_string(),
            false => format!("if (fuel <= 0) return {early};"),
        });
        let calls = 1 + self.random.below(3);
        for _ in 0..calls {
            let (callee, of) = self.random.pick(callees).clone();
            self.recursive_call(&callee, &of);
            let value = self.plain(2);
            self.line(format!("x = x * 5 + (int)({value}); y ^= r;"));
        }
        let (last, of) = self.random.pick(callees).clone();
        let tail = self.passed_on(&last);
        let value = self.plain(2);
        match (is_void, of == "void") {
            (true, _) if self.random.chance(50) => self.line(format!("emit(x); {tail};")),
            (false, false) if self.random.chance(50) => self.line(format!("return {tail};")),
            (true, _) => self.line("emit(x + y + z);"),
            (false, _) => self.line(format!("return {value};")),
        }
        self.locals.clear();
        self.close();
    }

    /// A call that passes on less fuel; parameters change their places.
    fn passed_on(&mut self, callee: &str) -> String {
        let less = 1 + self.random.below(2);
        match self.random.below(3) {
            0 => format!("{callee}(fuel - {less}, (int)q, p, r + 1)"),
            1 => format!("{callee}(fuel - {less}, r, y - x, (short)p)"),
            _ => {
                let (a, b) = (self.plain(1), self.plain(1));
                format!("{callee}(fuel - {less}, (int)({a}), {b}, z)")
            }
        }
    }

    fn recursive_call(&mut self, callee: &str, of: &str) {
        let call = self.passed_on(callee);
        if of == "void" {
            let condition = self.plain(1);
            let text = match self.random.below(2) {
                0 => format!("{call};"),
                _ => format!("if (({condition}) & 1) {call}; else z++;"),
            };
            return self.line(text);
        }
        let target = self.lvalue();
        let text = match self.random.below(6) {
            0 => format!("y += {call};"),
            1 => format!("x = {call} + p;"),
            2 => format!("if (x & 1 && {call} > 3) z += 2;"),
            3 => format!("for (int i = 0; i < 2; i++) y = y * 3 + {call} + i;"),
            4 => format!("{call};"),
            _ if target.is_float => format!("q = {call};"),
            _ => format!("{} = {call};", target.text),
        };
        self.line(text);
    }

    /// An integer expression without memory of its own.
    fn plain(&mut self, depth: usize) -> String {
        if depth == 0 {
            let lvalue = self.lvalue();
            return match lvalue.is_float {
                true => self.constant(false),
                false => lvalue.text,
            };
        }
        let (a, b) = (self.plain(depth - 1), self.plain(depth - 1));
        let op = *self.random.pick(&["+", "-", "*", "^", "&", "<", "=="]);
        format!("({a} {op} {b})")
    }
}
