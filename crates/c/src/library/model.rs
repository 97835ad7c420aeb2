//! What is known about the behaviour of functions without a body.

use super::approximate::{Approximate, NAMES};

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
    /// Behaviour that cannot be modelled: floating-point environments, threads, jumps out of
    /// functions.
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

const FUNCTIONS: &[(&str, Model)] = &[
    ("reach_error", Model::Error),
    ("__VERIFIER_error", Model::Error),
    ("__VERIFIER_assume", Model::Assume),
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
    ("puts", Model::Print),
    ("fputs", Model::Print),
    ("putchar", Model::Print),
    ("fputc", Model::Print),
    ("putc", Model::Print),
    ("perror", Model::Print),
    ("fflush", Model::Print),
    ("printk", Model::Print),
    ("__wedge_object_bytes", Model::ObjectBytes),
    ("nan", Model::MakeNan),
    ("nanf", Model::MakeNan),
    ("nanl", Model::MakeNan),
    ("fegetround", Model::GetRounding),
    ("fesetround", Model::SetRounding),
    ("flt_rounds", Model::FltRounds),
    ("__flt_rounds", Model::FltRounds),
    ("fesetenv", Model::Unsupported),
    ("feupdateenv", Model::Unsupported),
    ("setjmp", Model::Unsupported),
    ("_setjmp", Model::Unsupported),
    ("__sigsetjmp", Model::Unsupported),
    ("sigsetjmp", Model::Unsupported),
    ("longjmp", Model::Unsupported),
    ("_longjmp", Model::Unsupported),
    ("siglongjmp", Model::Unsupported),
    ("pthread_create", Model::Unsupported),
    ("fork", Model::Unsupported),
    ("vfork", Model::Unsupported),
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

/// The model of a function that has no body, or of an error function that may have one.
pub fn model(name: &str) -> Option<Model> {
    if name.starts_with("__VERIFIER_nondet_") {
        return Some(Model::Nondet);
    }
    let find = |name: &str| FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, m)| *m);
    find(name)
        .or_else(|| of_every_type(FLOAT_FUNCTIONS, name).map(Model::Float))
        .or_else(|| of_every_type(NAMES, name).map(Model::Approximate))
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
        for (index, (name, _)) in FUNCTIONS.iter().enumerate() {
            assert!(FUNCTIONS[index + 1..].iter().all(|(other, _)| other != name), "{name}");
        }
    }
}
