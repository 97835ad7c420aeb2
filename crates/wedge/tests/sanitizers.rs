//! What Wedge says about memory and arithmetic, against the sanitizers of the compiler: tests that
//! are made of alarms fail at the same line, and random programs fail alike.

mod common;

use common::{run, write};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const FLAGS: [&str; 5] =
    ["-w", "-g", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// What a program prints to standard error under sanitizers; `None` if there is no such compiler.
fn sanitized(source: &Path, folder: &Path) -> Option<String> {
    let binary = folder.join("sanitized");
    let built = Command::new("cc").args(FLAGS).arg(source).arg("-o").arg(&binary).status();
    if !built.is_ok_and(|status| status.success()) {
        eprintln!("cc with sanitizers does not compile {}", source.display());
        return None;
    }
    let run = Command::new(&binary).env("ASAN_OPTIONS", "detect_leaks=0").output().ok()?;
    Some(String::from_utf8_lossy(&run.stderr).to_string())
}

fn is_report(errors: &str) -> bool {
    errors.contains("runtime error") || errors.contains("AddressSanitizer")
}

/// Programs that fail for some input, with the check: 48 of them.
fn failing() -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    for ty in ["char", "short", "int", "long long"] {
        let objects = [
            format!("{ty} a[4] = {{0}};"),
            format!("{ty} *a = malloc(4 * sizeof({ty}));"),
            format!("static {ty} a[4];"),
        ];
        for object in objects {
            all.push(("bounds", format!("{object}\n  if (n > 0 && n < 6) a[n] = 1;")));
            all.push(("bounds", format!("{object}\n  if (n >= -1 && n < 4) a[n] = 1;")));
        }
        let heap = format!("{ty} *a = malloc(4 * sizeof({ty}));");
        all.push(("bounds", format!("{heap}\n  free(a);\n  if (n == 7) a[1] = 1;")));
        all.push(("free", format!("{heap}\n  if (n == 9) free(a);\n  free(a);")));
        all.push(("bounds", format!("{ty} *a = 0;\n  if (n != 3) a = ({ty} *)&n;\n  *a = 1;")));
    }
    let arithmetic = [
        ("overflow", "n = n + 1;"),
        ("overflow", "n = n * 3;"),
        ("overflow", "n = -n;"),
        ("overflow", "n = n - 2;"),
        ("overflow", "if (n < 0) n = n / (n + 1 == 0 ? -1 : 2) - 2147483647;"),
        ("overflow", "long long w = n; w = w * w * w * 4; n = w > 0;"),
        ("shift", "n = 1 << n;"),
        ("shift", "if (n < 40) n = 1 >> n;"),
        ("div-by-zero", "n = 5 / n;"),
        ("div-by-zero", "n = 5 % (n - 4);"),
        ("div-by-zero", "unsigned u = n; u = 7u / (u & 3);"),
        ("bounds", "int a[2][3] = {0};\n  if (n >= 0 && n < 5) a[0][n] = 1;"),
    ];
    all.extend(arithmetic.map(|(check, body)| (check, body.to_string())));
    all
}

fn with_input(body: &str) -> String {
    format!(
        "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n\
         int main(void) {{\n  int n = __VERIFIER_nondet_int();\n  {body}\n  return n > 0;\n}}\n"
    )
}

/// The line of the last step of an error trace.
fn line_of(stdout: &str) -> u32 {
    let last = stdout.lines().rev().nth(1).unwrap_or("").trim();
    let number = last.split(':').nth(1).and_then(|rest| rest.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[test]
fn tests_made_of_alarms_fail_at_the_same_line() {
    let folder = TempDir::new().unwrap();
    let (mut compared, programs) = (0, failing());
    for (check, body) in &programs {
        let file = write(folder.path(), "alarm.c", &with_input(body)).display().to_string();
        let harness = folder.path().join("harness.c");
        let test = harness.display().to_string();
        let arguments = ["check", "--engine", "bmc", "--data-model", "LP64", "--check", check];
        let found = run(&[&arguments[..], &["--harness", &test, &file]].concat());
        assert!(found.verdict().starts_with("FALSE("), "{body}: {}", found.verdict());
        let Some(errors) = sanitized(&harness, folder.path()) else { return };
        assert!(is_report(&errors), "{body}\n{errors}");
        let place = format!("alarm.c:{}", line_of(&found.stdout));
        assert!(errors.contains(&place), "{place}\n{body}\n{errors}");
        compared += 1;
    }
    assert!(compared == programs.len() && compared >= 40);
}

/// A small generator of numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// A program without inputs that may access memory where there is none, and overflow.
fn random_program(seed: u64) -> String {
    let mut random = Random(seed * 0x9e37_79b9_7f4a_7c15 + 1);
    (0..20).for_each(|_| {
        random.below(2);
    });
    let mut text = String::from(
        "#include <stdlib.h>\nint g[5];\nint main(void) {\n  int s[4] = {3, 1, 4, 1};\n  \
         int *h = calloc(3, sizeof(int));\n  int x = 7, y = 2, i;\n  long long w = 5;\n",
    );
    for _ in 0..8 + random.below(6) {
        let (array, size) = [("s", 4), ("h", 3), ("g", 5)][random.below(3) as usize];
        let index = ["x", "y", "i"][random.below(3) as usize];
        let (c, d) = (random.below(size + 1), random.below(9) + 1);
        let statement = match random.below(9) {
            0 => format!("{array}[{c}] = x;"),
            1 => format!("x = {array}[({index} & 3)];"),
            2 => format!("x = x * {} + y;", d * 1000),
            3 => format!("y = y + {array}[{}];", c.min(size - 1)),
            4 => format!("for (i = 0; i < {}; i++) {array}[i] = i * {d};", size + u64::from(d > 8)),
            5 => format!("w = w * {} - x;", d * 100_000),
            6 => format!("y = (x & 15) - {d};"),
            7 => format!("if (y != 0) x = x / y; else x = {d};"),
            _ => format!("x = 1 << (y & {});", if d > 7 { 63 } else { 15 }),
        };
        text += &format!("  i = {};\n  {statement}\n", random.below(5));
        if random.below(14) == 0 {
            text += "  free(h);\n";
        }
    }
    text + "  return (x ^ y ^ (int)(w >> 3)) & 1;\n}\n"
}

#[test]
fn random_programs_fail_alike() {
    let folder = TempDir::new().unwrap();
    let mut wrong = 0;
    for seed in 1..=14 {
        let text = random_program(seed);
        let source = write(folder.path(), "random.c", &text);
        let Some(errors) = sanitized(&source, folder.path()) else { return };
        let expected = is_report(&errors);
        wrong += usize::from(expected);
        let file = source.display().to_string();
        for engine in ["bmc", "execute"] {
            let check = ["--check", "overflow,bounds,free,shift,div-by-zero"];
            let arguments = ["check", "--engine", engine, "--data-model", "LP64", &file];
            let found = run(&[&arguments[..], &check].concat());
            let is_wrong = found.verdict().starts_with("FALSE(");
            let message = format!("{engine}, seed {seed}: {}\n{text}\n{errors}", found.verdict());
            assert!(is_wrong || found.verdict() == "TRUE", "{message}");
            assert_eq!(is_wrong, expected, "{message}");
            if is_wrong {
                let place = format!("random.c:{}", line_of(&found.stdout));
                assert!(errors.contains(&place), "{place} {message}");
            }
        }
    }
    assert!(wrong > 2, "some programs are to fail");
}
