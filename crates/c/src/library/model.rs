//! What is known about the behaviour of functions without a body.

use super::approximate::{Approximate, NAMES};
use super::standard::is_standard;
use super::{bodies, open};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The behaviour of a function that a program calls and does not define.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// `reach_error`, `__VERIFIER_error`: see [`crate::violation`].
    Error,
    /// `__VERIFIER_assume`: paths with argument 0 do not exist.
    Assume,
    /// `__VERIFIER_nondet_*`: an arbitrary value of the result type.
    Nondet,
    /// Begins or ends an atomic section, which has no meaning in a sequential program.
    Atomic,
    /// Ends the program abnormally: `abort`.
    Abort,
    /// What `<assert.h>` expands to, and `assert` as a function: see [`crate::violation`].
    Assert,
    /// Ends the program with its argument as status.
    Exit,
    Malloc,
    Calloc,
    Realloc,
    AlignedAlloc,
    Free,
    Alloca,
    /// `memcpy`, `memmove`; the result is the destination.
    MemCopy,
    /// `mempcpy`: the result is the end of the destination.
    MemCopyEnd,
    MemSet,
    /// `bzero`
    MemZero,
    MemCompare,
    MemFind,
    StrLen,
    StrNLen,
    StrCopy,
    /// `stpcpy`: the result is the end of the copy.
    StrCopyEnd,
    StrNCopy,
    StrAppend,
    StrNAppend,
    StrCompare,
    StrNCompare,
    StrFind,
    StrFindLast,
    StrFindString,
    StrSpan,
    StrComplementSpan,
    StrFindAny,
    StrDuplicate,
    StrNDuplicate,
    /// `isdigit` and its like, in the C locale.
    CharacterTest,
    ToLower,
    ToUpper,
    AbsoluteValue,
    /// Output that has no effect on the program; the result is arbitrary.
    Print,
    /// Nothing that the program can see, and a result from the first number to the second.
    Open(i64, i64),
    /// The meaning is a program for encoders (`bodies`); the interpreter has a function of its own
    /// for the name.
    Program,
    /// `__wedge_any_…` of the library in C: an arbitrary value of the result type, which stands
    /// for a result of the library function that the program has called.
    Any,
    Float(FloatFunction),
    /// Functions on floating-point numbers that are not computed.
    Approximate(Approximate),
    /// `nan`: the positive NaN with an empty payload.
    MakeNan,
    /// `__wedge_object_bytes` of the library in C: the bytes from a pointer to the end of its
    /// object.
    ObjectBytes,
    /// `fegetround`: the rounding mode, as one of x86's `FE_…` constants.
    GetRounding,
    /// `fesetround`: the argument is the rounding mode from now on.
    SetRounding,
    /// `FLT_ROUNDS`, `__builtin_flt_rounds`: the rounding mode as C numbers it.
    FltRounds,
    /// A function of the standard library or POSIX that is not modelled.
    Unsupported,
}

/// Functions on floating-point numbers with exactly defined results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatFunction {
    Absolute,
    SquareRoot,
    Floor,
    Ceiling,
    Truncate,
    /// Halfway cases away from zero.
    Round,
    /// Halfway cases to even, whatever the rounding mode.
    RoundEven,
    /// `rint`: in the rounding mode.
    RoundByMode,
    Minimum,
    Maximum,
    Remainder,
    IeeeRemainder,
    CopySign,
    PositiveDifference,
    /// `lround`: rounded as by `Round` to an integer.
    RoundToInt,
    /// `lrint`
    RoundByModeToInt,
    IsNan,
    IsInfinite,
    IsFinite,
    SignBit,
    /// glibc's numbers: 0 NaN, 1 infinite, 2 zero, 3 subnormal, 4 normal.
    Classify,
    MultiplyAdd,
    /// `scalbn`, `ldexp`
    Scale,
    /// `scalbln`
    ScaleLong,
    /// `ilogb`
    Exponent,
    /// `logb`
    ExponentAsFloat,
    /// `frexp`
    Fraction,
    /// `modf`
    Split,
}

/// A function that programs do not call themselves: it chooses the order of operands where C
/// leaves it open and it matters.
pub const ORDER: &str = "__wedge_order";

const FUNCTIONS: &[(&str, Model)] = &[
    ("reach_error", Model::Error),
    ("__VERIFIER_error", Model::Error),
    ("__VERIFIER_assume", Model::Assume),
    (ORDER, Model::Nondet),
    ("__VERIFIER_atomic_begin", Model::Atomic),
    ("__VERIFIER_atomic_end", Model::Atomic),
    ("abort", Model::Abort),
    ("assert", Model::Assert),
    ("__assert_fail", Model::Assert),
    ("__assert_perror_fail", Model::Assert),
    ("__assert_rtn", Model::Assert),
    ("__assert_func", Model::Assert),
    ("__assert13", Model::Assert),
    ("__assert_c99", Model::Assert),
    ("_wassert", Model::Assert),
    ("__assert", Model::Assert),
    ("_assert", Model::Assert),
    ("exit", Model::Exit),
    ("_exit", Model::Exit),
    ("_Exit", Model::Exit),
    ("quick_exit", Model::Exit),
    ("malloc", Model::Malloc),
    ("valloc", Model::Malloc),
    ("calloc", Model::Calloc),
    ("realloc", Model::Realloc),
    ("aligned_alloc", Model::AlignedAlloc),
    ("memalign", Model::AlignedAlloc),
    ("free", Model::Free),
    ("cfree", Model::Free),
    ("alloca", Model::Alloca),
    ("__builtin_alloca", Model::Alloca),
    ("memcpy", Model::MemCopy),
    ("memmove", Model::MemCopy),
    ("mempcpy", Model::MemCopyEnd),
    ("memset", Model::MemSet),
    ("bzero", Model::MemZero),
    ("memcmp", Model::MemCompare),
    ("bcmp", Model::MemCompare),
    ("memchr", Model::MemFind),
    ("strlen", Model::StrLen),
    ("strnlen", Model::StrNLen),
    ("strcpy", Model::StrCopy),
    ("stpcpy", Model::StrCopyEnd),
    ("strncpy", Model::StrNCopy),
    ("strcat", Model::StrAppend),
    ("strncat", Model::StrNAppend),
    ("strcmp", Model::StrCompare),
    ("strncmp", Model::StrNCompare),
    ("strchr", Model::StrFind),
    ("index", Model::StrFind),
    ("strrchr", Model::StrFindLast),
    ("rindex", Model::StrFindLast),
    ("strstr", Model::StrFindString),
    ("strspn", Model::StrSpan),
    ("strcspn", Model::StrComplementSpan),
    ("strpbrk", Model::StrFindAny),
    ("strdup", Model::StrDuplicate),
    ("strndup", Model::StrNDuplicate),
    ("isalnum", Model::CharacterTest),
    ("isalpha", Model::CharacterTest),
    ("isblank", Model::CharacterTest),
    ("iscntrl", Model::CharacterTest),
    ("isdigit", Model::CharacterTest),
    ("isgraph", Model::CharacterTest),
    ("islower", Model::CharacterTest),
    ("isprint", Model::CharacterTest),
    ("ispunct", Model::CharacterTest),
    ("isspace", Model::CharacterTest),
    ("isupper", Model::CharacterTest),
    ("isxdigit", Model::CharacterTest),
    ("tolower", Model::ToLower),
    ("toupper", Model::ToUpper),
    ("abs", Model::AbsoluteValue),
    ("labs", Model::AbsoluteValue),
    ("llabs", Model::AbsoluteValue),
    ("imaxabs", Model::AbsoluteValue),
    ("printf", Model::Print),
    ("fprintf", Model::Print),
    ("dprintf", Model::Print),
    ("vprintf", Model::Print),
    ("vfprintf", Model::Print),
    ("vdprintf", Model::Print),
    ("printk", Model::Print),
    ("__wedge_object_bytes", Model::ObjectBytes),
    ("__wedge_assume", Model::Assume),
    ("__wedge_refuse", Model::Unsupported),
    ("__wedge_end", Model::Exit),
    ("nan", Model::MakeNan),
    ("nanf", Model::MakeNan),
    ("nanl", Model::MakeNan),
    ("fegetround", Model::GetRounding),
    ("fesetround", Model::SetRounding),
    ("flt_rounds", Model::FltRounds),
    ("__flt_rounds", Model::FltRounds),
];

const FLOAT_FUNCTIONS: &[(&str, FloatFunction)] = &[
    ("fabs", FloatFunction::Absolute),
    ("sqrt", FloatFunction::SquareRoot),
    ("floor", FloatFunction::Floor),
    ("ceil", FloatFunction::Ceiling),
    ("trunc", FloatFunction::Truncate),
    ("round", FloatFunction::Round),
    ("roundeven", FloatFunction::RoundEven),
    ("rint", FloatFunction::RoundByMode),
    ("nearbyint", FloatFunction::RoundByMode),
    ("fmin", FloatFunction::Minimum),
    ("fmax", FloatFunction::Maximum),
    ("fmod", FloatFunction::Remainder),
    ("remainder", FloatFunction::IeeeRemainder),
    ("drem", FloatFunction::IeeeRemainder),
    ("copysign", FloatFunction::CopySign),
    ("fdim", FloatFunction::PositiveDifference),
    ("fma", FloatFunction::MultiplyAdd),
    ("scalbn", FloatFunction::Scale),
    ("ldexp", FloatFunction::Scale),
    ("scalbln", FloatFunction::ScaleLong),
    ("ilogb", FloatFunction::Exponent),
    ("logb", FloatFunction::ExponentAsFloat),
    ("frexp", FloatFunction::Fraction),
    ("modf", FloatFunction::Split),
    ("lround", FloatFunction::RoundToInt),
    ("llround", FloatFunction::RoundToInt),
    ("lrint", FloatFunction::RoundByModeToInt),
    ("llrint", FloatFunction::RoundByModeToInt),
    ("isnan", FloatFunction::IsNan),
    ("isinf", FloatFunction::IsInfinite),
    ("finite", FloatFunction::IsFinite),
    ("isfinite", FloatFunction::IsFinite),
    ("signbit", FloatFunction::SignBit),
    ("fpclassify", FloatFunction::Classify),
];

/// What may follow `__VERIFIER_nondet_` for an input of a scalar type.
const INPUTS: &str = "bool _Bool char uchar unsigned_char schar signed_char short ushort \
    unsigned_short int uint unsigned unsigned_int long ulong unsigned_long longlong ulonglong \
    int128 uint128 float double longdouble size_t ssize_t ptrdiff_t intptr_t uintptr_t loff_t \
    off_t sector_t pthread_t time_t pid_t pchar charp const_char_pointer pointer ptr voidp u8 u16 \
    u32 u64 s8 s16 s32 s64 int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t";

/// Whether a name is that of an input of a scalar type, as the verification suites use them, or of
/// the choice of an order.
pub fn is_known_input(name: &str) -> bool {
    let kind = name.strip_prefix("__VERIFIER_nondet_");
    name == ORDER || kind.is_some_and(|kind| INPUTS.split_whitespace().any(|known| known == kind))
}

/// The model of a function that has no body, or of an error function that may have one.
pub fn model(name: &str) -> Option<Model> {
    static MODELS: LazyLock<FxHashMap<&'static str, Model>> = LazyLock::new(|| {
        let open = open::all().map(|(name, (low, high))| (name, Model::Open(low, high)));
        let programs = bodies::programs().map(|name| (name, Model::Program));
        FUNCTIONS.iter().copied().chain(open).chain(programs).collect()
    });
    if let Some(&known) = MODELS.get(name) {
        return Some(known);
    }
    if name.starts_with("__VERIFIER_nondet") {
        return Some(Model::Nondet);
    }
    if name.starts_with("__wedge_any_") {
        return Some(Model::Any);
    }
    of_every_type(FLOAT_FUNCTIONS, name)
        .map(Model::Float)
        .or_else(|| of_every_type(NAMES, name).map(Model::Approximate))
        .or_else(|| is_standard(name).then_some(Model::Unsupported))
}

/// Whether a name is in the table itself.
pub(super) fn is_listed(name: &str) -> bool {
    FUNCTIONS.iter().any(|(known, _)| *known == name)
}

/// `fabs`, `fabsf`, `fabsl`, and glibc's `__isnan`, `__isnanf`, `__isnanl`.
fn of_every_type<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    let find =
        |name: &str| table.iter().find(|(known, _)| *known == name).map(|(_, function)| *function);
    let bare = name.strip_prefix("__").unwrap_or(name);
    find(bare).or_else(|| find(bare.strip_suffix(['f', 'l'])?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_find_their_models() {
        assert_eq!(model("__VERIFIER_nondet_uint"), Some(Model::Nondet));
        assert_eq!(model("__isnanf"), Some(Model::Float(FloatFunction::IsNan)));
        assert_eq!(model("ceil"), Some(Model::Float(FloatFunction::Ceiling)));
        assert_eq!(model("ceill"), Some(Model::Float(FloatFunction::Ceiling)));
        assert_eq!(model("modf"), Some(Model::Float(FloatFunction::Split)));
        assert_eq!(model("modff"), Some(Model::Float(FloatFunction::Split)));
        assert_eq!(model("expl"), Some(Model::Approximate(Approximate::Exp)));
        assert_eq!(model("frobnicate"), None);
    }

    #[test]
    fn no_name_is_listed_twice() {
        let open = open::all().map(|(name, _)| name);
        let programs = bodies::programs();
        let mut names: Vec<&str> =
            FUNCTIONS.iter().map(|(name, _)| *name).chain(open).chain(programs).collect();
        names.sort_unstable();
        for pair in names.windows(2) {
            assert_ne!(pair[0], pair[1]);
        }
    }

    #[test]
    fn what_is_standard_and_not_modelled_is_refused() {
        for name in ["setjmp", "fork", "thrd_create", "signal", "wcstol"] {
            assert_eq!(model(name), Some(Model::Unsupported), "{name}");
        }
        assert_eq!(model("getchar"), Some(Model::Open(-1, 255)));
        assert!(is_known_input("__VERIFIER_nondet_int"));
        assert!(!is_known_input("__VERIFIER_nondet_memory"));
    }
}
