//! Random operations on floating-point numbers in all rounding modes: the interpreter against the
//! system's C compiler and library, and the automaton against the interpreter.

mod digest;

use digest::Zero;
use std::process::Command;
use wedge_c::Properties;
use wedge_c::encode::{Room, encode};
use wedge_c::interp::{Choice, Limits, Oracle, Outcome, run};
use wedge_c::source::Position;
use wedge_c::{DataModel, load_text};
use wedge_logic::{Term, TermStore, Value};
use wedge_model::cfa::{self, EdgeId, LocationId, TargetKind};

/// Numbers from bits, and results as bits: NaNs are all alike.
const PRELUDE: &str = "
extern void emit(unsigned long long);
int fesetround(int); int fegetround(void);
static float make_f(unsigned b) { union { unsigned b; float x; } u; u.b = b; return u.x; }
static double make_(unsigned long long b) { union { unsigned long long b; double x; } u; u.b = b; return u.x; }
static long double make_l(unsigned long long m, unsigned short e) {
    union { struct { unsigned long long m; unsigned short e; } p; long double x; } u;
    u.p.m = m; u.p.e = e; return u.x;
}
static void show_f(float x) { union { unsigned b; float x; } u; u.x = x; emit(x != x ? 1 : u.b); }
static void show_(double x) { union { unsigned long long b; double x; } u; u.x = x; emit(x != x ? 1 : u.b); }
static void show_l(long double x) {
    union { struct { unsigned long long m; unsigned short e; } p; long double x; } u;
    u.x = x; emit(x != x ? 1 : u.p.m); emit(x != x ? 1 : u.p.e);
}
";

/// Functions by the form of their call; `@` is the suffix of the type, `a`, `b`, `c` are numbers,
/// `n` is an integer. The second part shows the result.
const FORMS: &[(&str, &str)] = &[
    ("a + b", "number"),
    ("a - b", "number"),
    ("a * b", "number"),
    ("a / b", "number"),
    ("-a", "number"),
    ("fabs@(a)", "number"),
    ("sqrt@(a)", "number"),
    ("floor@(a)", "number"),
    ("ceil@(a)", "number"),
    ("trunc@(a)", "number"),
    ("round@(a)", "number"),
    ("rint@(a)", "number"),
    ("nearbyint@(a)", "number"),
    ("logb@(a)", "number"),
    ("fmod@(a, b)", "number"),
    ("remainder@(a, b)", "number"),
    ("fmin@(a, b)", "extremum"),
    ("fmax@(a, b)", "extremum"),
    ("fdim@(a, b)", "number"),
    ("copysign@(a, b)", "number"),
    ("fma@(a, b, c)", "number"),
    ("scalbn@(a, n)", "number"),
    ("ldexp@(a, n)", "number"),
    ("scalbln@(a, n)", "number"),
    ("lrint@(a)", "integer"),
    ("llrint@(a)", "integer"),
    ("lround@(a)", "integer"),
    ("llround@(a)", "integer"),
    ("ilogb@(a)", "integer"),
    ("__isnan@(a) != 0", "integer"),
    ("__isinf@(a) != 0", "integer"),
    ("__finite@(a) != 0", "integer"),
    ("__signbit@(a) != 0", "integer"),
    ("__fpclassify@(a)", "integer"),
    ("__builtin_isnormal(a) != 0", "integer"),
    ("__builtin_isfinite(a) != 0", "integer"),
    ("__builtin_signbit(a) != 0", "integer"),
    ("__builtin_fpclassify(0, 1, 4, 3, 2, a)", "integer"),
    ("__builtin_isgreater(a, b) + 2 * __builtin_islessequal(a, b)", "integer"),
    ("__builtin_isunordered(a, b) + 2 * __builtin_islessgreater(a, b)", "integer"),
    ("(a < b) + 2 * (a == b) + 4 * (a >= b) + 8 * (a != b)", "integer"),
    ("__builtin_fabs@(a)", "number"),
    ("__builtin_rint@(a)", "number"),
    ("(float)a", "float"),
    ("(double)a", "double"),
    ("(long double)a", "long double"),
    ("(int)a", "integer"),
    ("(long)a", "integer"),
    ("(unsigned)a", "integer"),
    ("(unsigned long)a", "integer"),
    ("(unsigned char)a", "integer"),
    ("n", "number"),
    ("(long)n * 0x123456789abcL", "number"),
    ("(unsigned long)n * 0x923456789abcdefUL", "number"),
    ("(unsigned)n", "number"),
    ("frexp@(a, &k)", "frexp"),
    ("modf@(a, &b)", "modf"),
];

/// The declarations of the functions, `R` for the type.
const DECLARATIONS: &str =
    "R fabs@(R), sqrt@(R), floor@(R), ceil@(R), trunc@(R), round@(R), rint@(R),
    nearbyint@(R), logb@(R), fmod@(R, R), remainder@(R, R), fmin@(R, R), fmax@(R, R), fdim@(R, R),
    copysign@(R, R), fma@(R, R, R), scalbn@(R, int), ldexp@(R, int), scalbln@(R, long),
    frexp@(R, int *), modf@(R, R *);
long lrint@(R), lround@(R); long long llrint@(R), llround@(R);
int ilogb@(R), __isnan@(R), __isinf@(R), __finite@(R), __signbit@(R), __fpclassify@(R);
";

const TYPES: [(&str, &str); 3] = [("float", "f"), ("double", ""), ("long double", "l")];

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 11) % bound
    }

    /// A number with an exponent of `bits` bits and a fraction of `places`; NaNs are quiet.
    fn float(&mut self, bits: u32, places: u32) -> (u64, u64) {
        let last = (1u64 << bits) - 1;
        let bias = last >> 1;
        let exponent = match self.below(8) {
            0 => 0,
            1 => last,
            2 => last - 1,
            3 => self.below(last),
            4 => bias + self.below(places as u64 + 3),
            _ => bias + self.below(8) - 4,
        };
        let mut fraction = match self.below(4) {
            0 => 0,
            1 => self.next() & 3,
            2 => u64::MAX << self.below(64),
            _ => self.next(),
        } & ((1u64 << places) - 1);
        if exponent == last && fraction != 0 {
            fraction |= 1 << (places - 1);
        }
        (self.below(2) << bits | exponent, fraction)
    }

    /// An expression that makes a number of a type.
    fn operand(&mut self, suffix: &str) -> String {
        match suffix {
            "f" => {
                let (high, fraction) = self.float(8, 23);
                format!("make_f({}u)", high << 23 | fraction)
            }
            "l" => {
                let (high, fraction) = self.float(15, 63);
                let integer = u64::from(high & 0x7fff != 0);
                format!("make_l({}ull, {high})", integer << 63 | fraction)
            }
            _ => {
                let (high, fraction) = self.float(11, 52);
                format!("make_({}ull)", high << 52 | fraction)
            }
        }
    }
}

fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = PRELUDE.to_string();
    for (ty, suffix) in TYPES {
        text += &DECLARATIONS.replace('R', ty).replace('@', suffix);
    }
    text += "int main(void) {\n    int k;\n";
    for form in 0..2 * FORMS.len() {
        let (ty, suffix) = TYPES[random.below(3) as usize];
        let (call, result) = FORMS[form % FORMS.len()];
        let mode = ["0", "0x400", "0x800", "0xc00", "0x401"][random.below(5) as usize];
        let [a, b, c] = [(); 3].map(|()| random.operand(suffix));
        let range = [30, 300, 3000, 40000][random.below(4) as usize];
        let n = random.below(2 * range) as i64 - range as i64;
        let call = call.replace('@', suffix);
        let shown = match result {
            "number" => format!("r = {call}; show_{suffix}(r);"),
            "extremum" => format!("r = {call}; show_{suffix}(r == 0 ? 0 : r);"),
            "float" => format!("show_f({call});"),
            "double" => format!("show_({call});"),
            "long double" => format!("show_l({call});"),
            "frexp" => format!("r = {call}; show_{suffix}(r); emit((long long)k);"),
            "modf" => format!("r = {call}; show_{suffix}(r); show_{suffix}(b);"),
            _ => format!("emit((unsigned long long)({call}));"),
        };
        text += &format!(
            "    {{ emit(fesetround({mode})); {ty} a = {a}, b = {b}, c = {c}, r; int n = {n}; {shown} }}\n"
        );
    }
    text + "    emit(fegetround()); return 0;\n}\n"
}

#[derive(Default)]
struct Emitted(Vec<(u64, u32)>);

impl Oracle for Emitted {
    fn choose(&mut self, _: &Choice) -> u128 {
        0
    }
    fn external_call(&mut self, name: &str, arguments: &[u128], at: Position) {
        assert_eq!(name, "emit", "every other function is modelled");
        self.0.push((arguments[0] as u64, at.line));
    }
}

fn interpreted(text: &str, seed: u64) -> Vec<u64> {
    let program = load_text(text, "program.c", DataModel::Lp64).unwrap();
    let mut emitted = Emitted::default();
    let outcome = run(&program, &Properties::default(), &mut emitted, Limits::default()).outcome;
    assert_eq!(outcome, Outcome::Finished(0), "seed {seed}");
    emitted.0.into_iter().map(|(value, _)| value).collect()
}

/// What the compiled program prints; `None` if there is no compiler for it.
fn compiled(text: &str, seed: u64) -> Option<Vec<u64>> {
    let name = format!("wedge-floats-{}-{seed}", std::process::id());
    let directory = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&directory).unwrap();
    let (file, executable) = (directory.join("program.c"), directory.join("program"));
    let emit = "\nint printf(const char *, ...);\nvoid emit(unsigned long long x) { printf(\"%llu\\n\", x); }\n";
    std::fs::write(&file, format!("{text}{emit}")).unwrap();
    let mut command = Command::new("cc");
    command.args(["-w", "-O0", "-fno-builtin", "-frounding-math", "-o"]);
    let status = command.arg(&executable).arg(&file).arg("-lm").status().ok()?;
    let output = Command::new(&executable).output();
    let _ = std::fs::remove_dir_all(&directory);
    if !status.success() {
        return None;
    }
    let output = String::from_utf8(output.ok()?.stdout).ok()?;
    Some(output.lines().filter_map(|line| line.parse().ok()).collect())
}

#[test]
fn operations_agree_with_the_compiler_in_all_modes() {
    if Command::new("cc").arg("--version").output().is_err() || !cfg!(target_arch = "x86_64") {
        println!("skipped: there is no cc for x86-64");
        return;
    }
    for seed in 1..=25 {
        let text = program(seed);
        let found = interpreted(&text, seed);
        let wanted = compiled(&text, seed).unwrap_or_else(|| panic!("seed {seed}: no executable"));
        assert_eq!(found.len(), wanted.len(), "seed {seed}");
        // Each line of the program emits the result of `fesetround` and one to three numbers.
        let lines = emitting_lines(&text, seed);
        for (index, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            assert_eq!(found, wanted, "seed {seed}: {}", lines[index]);
        }
    }
}

/// For each number that a program emits, the line that does it.
fn emitting_lines(text: &str, seed: u64) -> Vec<String> {
    let program = load_text(text, "program.c", DataModel::Lp64).unwrap();
    let mut emitted = Emitted::default();
    run(&program, &Properties::default(), &mut emitted, Limits::default());
    let lines: Vec<&str> = text.lines().collect();
    let mut last = 0;
    let line = |&(_, line): &(u64, u32)| {
        // The lines of the prelude emit for the line before.
        last = if line as usize > 30 { line as usize } else { last };
        format!("seed {seed}: {}", lines[last.max(1) - 1])
    };
    emitted.0.iter().map(line).collect()
}

/// Whether the automaton of a program reaches the error if the numbers have a certain digest.
fn reaches_error(text: &str, digest: u64, seed: u64) -> bool {
    let text = digest::checked(text, digest);
    let program = load_text(&text, "program.c", DataModel::Lp64).unwrap();
    let encoded = encode(&program, &Properties::default(), Room::default())
        .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    encoded.cfa.check().unwrap();
    let mut oracle = Zero(&encoded.cfa.terms);
    let run = cfa::run::follow(&encoded.cfa, &mut oracle, 10_000_000)
        .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let target = run.target.map(|index| &encoded.cfa.targets[index]);
    if let Some(target) = target {
        assert_eq!(target.kind, TargetKind::Error, "seed {seed}: {}", target.name);
    }
    target.is_some()
}

#[test]
fn automata_agree_with_the_interpreter_in_all_modes() {
    for seed in 1..=4 {
        let text = program(seed);
        let digest = interpreted(&text, seed)
            .into_iter()
            .fold(0u64, |digest, value| digest.wrapping_mul(31).wrapping_add(value));
        assert!(reaches_error(&text, digest, seed), "seed {seed}");
        assert!(!reaches_error(&text, digest ^ 1, seed), "seed {seed}");
    }
}

/// The same value for everything that is left open.
struct Chosen<'a>(&'a TermStore, f64);

impl cfa::run::Oracle for Chosen<'_> {
    fn initial(&mut self, variable: Term) -> Value {
        Value::zero(self.0.sort(variable))
    }
    fn input(&mut self, _: Term) -> Value {
        Value::Bv(wedge_logic::BitVec::new(64, self.1.to_bits()))
    }
    fn taken(&mut self, _: EdgeId, _: &[Term]) {}
    fn reached(&mut self, _: LocationId) -> bool {
        true
    }
}

/// Whether the error is reached if a function that is not computed gives this result.
fn reached_with(call: &str, result: f64) -> bool {
    let text = format!(
        "double sin(double), log(double), pow(double, double), exp(double);
        extern void __VERIFIER_error(void);
        int main(void) {{ double one = 1, r = {call}; __VERIFIER_error(); return r > 0; }}"
    );
    let program = load_text(&text, "program.c", DataModel::Lp64).unwrap();
    let encoded = encode(&program, &Properties::default(), Room::default()).unwrap();
    assert_eq!(encoded.notes.len(), 1, "{:?}", encoded.notes);
    let mut oracle = Chosen(&encoded.cfa.terms, result);
    cfa::run::follow(&encoded.cfa, &mut oracle, 1000).unwrap().target.is_some()
}

#[test]
fn results_that_are_not_computed_are_those_of_the_range() {
    for (call, inside, outside) in [
        ("sin(one)", 0.25, 1.5),
        ("sin(-0.0)", -0.0, 0.0),
        ("sin(one / 0)", f64::NAN, 0.0),
        ("exp(one)", 7.0, -1.0),
        ("log(-one)", -f64::NAN, 1.0),
        ("log(one + 1)", 3.0, -3.0),
        ("pow(one - 3, 3)", -8.5, 8.5),
        ("pow(one, one + 5)", 1.0, 1.5),
    ] {
        assert!(reached_with(call, inside), "{call} may be {inside}");
        assert!(!reached_with(call, outside), "{call} may not be {outside}");
    }
}

/// Where the oracle insists, its result is used, and the run is known to be inexact.
struct Insisting(f64);

impl Oracle for Insisting {
    fn choose(&mut self, _: &Choice) -> u128 {
        self.0.to_bits() as u128
    }
    fn insists(&self) -> bool {
        true
    }
}

#[test]
fn a_run_with_a_result_of_its_own_is_inexact() {
    let text = "double sin(double);
        extern void __VERIFIER_error(void);
        int main(void) { if (sin(1.0) == 0.25) __VERIFIER_error(); return 0; }";
    let program = load_text(text, "program.c", DataModel::Lp64).unwrap();
    let run = |oracle: &mut dyn Oracle| {
        wedge_c::interp::run(&program, &Properties::default(), oracle, Limits::default())
    };
    let wrong = run(&mut Insisting(0.25));
    assert!(matches!(wrong.outcome, Outcome::Violated(_)));
    assert_eq!(wrong.inexact.map(|(name, _)| name).as_deref(), Some("sin"));
    let impossible = run(&mut Insisting(1.25));
    assert!(matches!(impossible.outcome, Outcome::AssumeFailed(_)));
    let right = run(&mut Insisting(1f64.sin()));
    assert_eq!((right.outcome, right.inexact), (Outcome::Finished(0), None));
    let machine = run(&mut Emitted::default());
    assert_eq!((machine.outcome, machine.inexact), (Outcome::Finished(0), None));
}
