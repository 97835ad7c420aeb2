//! Functions.

use super::{Callable, Generator, Lvalue};

impl Generator {
    pub fn pure_function(&mut self) {
        let (ty, name) = (self.integer_type(), self.fresh("pure"));
        let parameters: Vec<String> =
            (0..1 + self.random.below(3)).map(|i| format!("q{i}")).collect();
        let mut declared = Vec::new();
        for parameter in &parameters {
            let ty = self.integer_type();
            declared.push(format!("{ty} {parameter}"));
        }
        let saved = (std::mem::take(&mut self.lvalues), std::mem::take(&mut self.locals));
        for parameter in &parameters {
            let (is_float, is_bit_field) = (false, false);
            let ty = "int".to_string();
            self.lvalues.push(Lvalue { text: parameter.clone(), is_float, is_bit_field, ty });
        }
        let value = self.integer(3);
        (self.lvalues, self.locals) = saved;
        self.line(format!("static {ty} {name}({}) {{ return {value}; }}", declared.join(", ")));
        self.functions.push(Callable { name, parameters: parameters.len(), is_pure: true });
    }

    /// Recursion, variable arguments, variable-length arrays, static locals, old-style parameters.
    pub fn special_functions(&mut self) {
        let bound = self.constant(false);
        self.open("static long long recursive(long long n, long long acc)");
        self.line(format!("if (n <= 0) return acc ^ {bound};"));
        self.line("acc = acc * 31 + n; return n % 3 ? recursive(n - 1, acc) : recursive(n - 2, acc + 1) + 1;");
        self.close();
        self.open("static long long variadic(int count, ...)");
        self.line("__builtin_va_list list; __builtin_va_start(list, count); long long sum = 0;");
        self.line("while (count-- > 0) { sum = sum * 7 + __builtin_va_arg(list, int); sum += __builtin_va_arg(list, long long); }");
        self.line("__builtin_va_end(list); return sum;");
        self.close();
        self.open("static long long lengths(int n)");
        self.line("static unsigned calls = 3; calls += n; int grid[n][n + 1]; long long sum = sizeof grid;");
        self.line("for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) grid[i][j] = i * 10 + j + calls;");
        self.line(
            "for (int i = 0; i < n; i++) sum = sum * 3 + grid[i][i] + (&grid[i][n] - &grid[0][0]);",
        );
        self.line("return sum;");
        self.close();
        self.text.push_str("static int old(c, s, f) char c; unsigned short s; int *f; { *f += c; return c * s; }\n");
        self.open("static void specials(int k)");
        self.line("int z = k; emit((unsigned long long)recursive(k + 10, k));");
        self.line("emit((unsigned long long)variadic(2, k, 5ll + k, 'x', -1ll));");
        self.line("emit((unsigned long long)lengths((k & 3) + 1)); emit(old(k + 200, k - 70000, &z)); emit(z);");
        self.close();
    }

    pub fn function(&mut self) {
        let name = self.fresh("f");
        let count = self.random.below(3);
        let parameters: Vec<String> = (0..count).map(|i| format!("{name}_{i}")).collect();
        let declared: Vec<String> = parameters.iter().map(|p| format!("long long {p}")).collect();
        let list = if declared.is_empty() { "void".to_string() } else { declared.join(", ") };
        self.open(format!("static long long {name}({list})"));
        for parameter in parameters {
            let (is_float, is_bit_field) = (false, false);
            let ty = "long long".to_string();
            self.locals.push(Lvalue { text: parameter, is_float, is_bit_field, ty });
        }
        for _ in 0..3 + self.random.below(6) {
            self.statement(3);
        }
        let value = self.integer(2);
        self.line(format!("return {value};"));
        self.locals.clear();
        self.close();
        self.functions.push(Callable { name, parameters: count, is_pure: false });
    }

    pub fn main_function(&mut self) {
        self.open("int main(void)");
        self.line("sizes();");
        for round in 0..2 {
            let number = self.random.below(50) + round;
            self.line(format!("specials({number});"));
            self.line(format!("recursions({number});"));
            for function in self.functions.clone() {
                if function.is_pure {
                    continue;
                }
                let arguments: Vec<String> =
                    (0..function.parameters).map(|_| self.constant(false)).collect();
                let call = format!("{}({})", function.name, arguments.join(", "));
                self.line(format!("emit((unsigned long long){call});"));
            }
        }
        for lvalue in self.lvalues.clone() {
            self.emit(&lvalue);
        }
        self.line("return 0;");
        self.close();
    }
}
