use super::*;
use crate::execute::coverage::Coverage;
use crate::execute::random::Random;
use crate::execute::values::Style;
use crate::execute::walk::Walks;
use crate::execute::words::Words;
use crate::interp::{Limits, run};
use crate::source::Position;
use crate::types::DataModel;

const DECLARATIONS: &str = "extern int __VERIFIER_nondet_int(void);\n\
    extern unsigned char __VERIFIER_nondet_uchar(void);\n\
    extern unsigned long long __VERIFIER_nondet_ulonglong(void);\n\
    extern void __VERIFIER_assume(int);\nextern void reach_error(void);\nextern void abort(void);\n\
    extern int printf(const char *, ...);\nextern void exit(int);\nint unknown(int);\n";

fn program(text: &str) -> Program {
    crate::load_text(&format!("{DECLARATIONS}{text}"), "t.c", DataModel::Lp64).unwrap()
}

/// The same run in both ways: how it ends, and its answers.
fn both(program: &Program, swift: &mut Swift, seed: u64) -> [(Outcome, Vec<(u128, u32)>); 2] {
    [false, true].map(|is_swift| {
        let (words, mut coverage) = (Words::of(program), Coverage::new(program));
        let (mut random, mut walks) = (Random::new(seed), Walks::default());
        let mut guide = Guide::new(program, &[], Style::Mixed, 20_000, &|| false);
        guide.connect(&mut random, &words, &mut coverage, &mut walks);
        let outcome = if is_swift {
            swift.run(program, &mut guide).0
        } else {
            let limits = Limits { steps: u64::MAX, ..Limits::default() };
            run(program, &Properties::default(), &mut guide, limits).outcome
        };
        let outcome = match outcome {
            Outcome::UndefinedBehaviour(what, _) => {
                Outcome::UndefinedBehaviour(what, Position::default())
            }
            other => other,
        };
        // Where it was asked is not as exact.
        let answers = guide.finish().0;
        (outcome, answers.iter().map(|answer| (answer.bits, answer.width)).collect())
    })
}

const PROGRAMS: &[&str] = &[
    "int g = 5; int main(void) { int x = __VERIFIER_nondet_int(); g += x; if (g == 6) reach_error();
        return g; }",
    "int main(void) { int s = 0; for (unsigned char i = 0; i < 200; i++) { s = s * 31 + i % 7; }
        return s; }",
    "unsigned long long h = 14695981039346656037ull; void add(unsigned char c) { h ^= c;
        h *= 1099511628211ull; } int main(void) { for (int i = 0; i < 9; i++)
        add(__VERIFIER_nondet_uchar()); return h > 9223372036854775807ull ? h >> 33 : h % 1000; }",
    "int t[5] = { 3, 1, 4 }; int main(void) { int i = __VERIFIER_nondet_int(); t[4] = 7;
        return t[i] - t[3]; }",
    "int f(int a, int b) { if (a < b) return b - a; return a / b; } int main(void) {
        int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c;
        if (a > 0) c = f(a, b); return c + f(b, a) + (a && b || !c ? -a : ~b); }",
    "int main(void) { int n = __VERIFIER_nondet_int(); switch (n) { case 0: n = 5; case 1: return n;
        case 2 ... 9: exit(n + 1); default: abort(); } }",
    "int main(void) { while (1) { int x; int y = __VERIFIER_nondet_int(); __VERIFIER_assume(y != 3);
        if (x == 7) return 1; if (unknown(y) == 1) return 2; printf(\"%d\", y);
        if (y == 1) reach_error(); } }",
    "int main(void) { short s = __VERIFIER_nondet_int(); signed char c = s; _Bool b = s;
        unsigned u = c; long long l = s << 3; int a[3]; a[1] = u; return (l >> 2) + b + u % 10u
        + a[b] + (u < 10u) + (c <= -1) + (l >= 5); }",
];

#[test]
fn runs_are_those_of_the_interpreter() {
    for text in PROGRAMS {
        let program = program(text);
        let mut swift = Swift::of(&program, &Properties::default())
            .unwrap_or_else(|| panic!("not compiled: {text}"));
        for seed in 0..300 {
            let [slow, quick] = both(&program, &mut swift, seed);
            if slow.0 == Outcome::StepLimit {
                continue;
            }
            assert_eq!(slow, quick, "seed {seed}: {text}");
        }
    }
}

/// Not a test: says how many steps there are in a second.
#[test]
#[ignore = "a measurement"]
fn speed() {
    for body in [
        "while (x != 3000000000u) x = x ^ 1;",
        "for (i = 0; i < 4000000000u; i++) x = x * 1664525u + 1013904223u;",
        "for (i = 0; i < 4000000000u; i++) { if (i & 1) x += 3; else x -= 2; }",
        "for (i = 0; i < 4000000000u; i++) for (unsigned j = 0; j < 100; j++) x += j;",
        "unsigned char c = 0; for (;;) { c++; if (c == 200) x++; }",
    ] {
        let text = format!(
            "int main(void) {{ unsigned k = __VERIFIER_nondet_int(), x = k, i;
            {body} return x; }}"
        );
        let program = program(&text);
        let mut swift = Swift::of(&program, &Properties::default()).unwrap();
        let mut guide = Guide::new(&program, &[], Style::Constant(0), 200_000_000, &|| false);
        let start = std::time::Instant::now();
        let (_, steps) = swift.run(&program, &mut guide);
        let seconds = start.elapsed().as_secs_f64();
        println!("{:.0} million steps per second: {body}", steps as f64 / seconds / 1e6);
    }
}

#[test]
fn what_needs_memory_or_a_stack_is_left_to_the_interpreter() {
    for text in [
        "int main(void) { int x, *p = &x; *p = 3; return x; }",
        "int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(3); }",
        "int main(void) { double d = 0.5; return d < 1; }",
        "struct s { int a; } s; int main(void) { return s.a; }",
    ] {
        assert!(Swift::of(&program(text), &Properties::default()).is_none(), "{text}");
    }
}
