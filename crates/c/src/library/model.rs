//! What is known about the behaviour of functions without a body.

use super::approximate::{Approximate, NAMES};
use super::standard::is_standard;
use super::{bodies, open};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// The behaviour of a function that a program calls and does not define.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionModel {
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
    /// `__wedge_memory` of the library in C: an object that belongs to the library. It lasts to the
    /// end, must not be freed, and is no leak.
    Keep,
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
    /// Output that has no effect on the program; the result is arbitrary. A call whose result is
    /// used, or whose format has `%n`, leads to a version for its format (`formats`).
    Print,
    /// `sprintf`, `scanf` and their like: a call with a literal format leads to a version for it.
    Formatted,
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

/// The question whether an allocation fails, see [`crate::failures`].
pub const FAILURE: &str = "the allocation fails";

/// An arbitrary number in place of a result that C leaves open, see [`crate::promises`].
pub const SOME_NUMBER: &str = "a number with the sign of the result";

/// What the names of functions begin with that give the arguments of an entry, see
/// [`crate::entry`]. No function of a program has a name with a space.
pub const ARGUMENT: &str = "argument: ";

const FUNCTIONS: &[(&str, FunctionModel)] = &[
    ("reach_error", FunctionModel::Error),
    ("__VERIFIER_error", FunctionModel::Error),
    ("__VERIFIER_assume", FunctionModel::Assume),
    (ORDER, FunctionModel::Nondet),
    (FAILURE, FunctionModel::Nondet),
    (SOME_NUMBER, FunctionModel::Nondet),
    ("__VERIFIER_atomic_begin", FunctionModel::Atomic),
    ("__VERIFIER_atomic_end", FunctionModel::Atomic),
    ("abort", FunctionModel::Abort),
    ("assert", FunctionModel::Assert),
    ("__assert_fail", FunctionModel::Assert),
    ("__assert_perror_fail", FunctionModel::Assert),
    ("__assert_rtn", FunctionModel::Assert),
    ("__assert_func", FunctionModel::Assert),
    ("__assert13", FunctionModel::Assert),
    ("__assert_c99", FunctionModel::Assert),
    ("_wassert", FunctionModel::Assert),
    ("__assert", FunctionModel::Assert),
    ("_assert", FunctionModel::Assert),
    ("exit", FunctionModel::Exit),
    ("_exit", FunctionModel::Exit),
    ("_Exit", FunctionModel::Exit),
    ("quick_exit", FunctionModel::Exit),
    ("malloc", FunctionModel::Malloc),
    ("valloc", FunctionModel::Malloc),
    ("calloc", FunctionModel::Calloc),
    ("realloc", FunctionModel::Realloc),
    ("aligned_alloc", FunctionModel::AlignedAlloc),
    ("memalign", FunctionModel::AlignedAlloc),
    ("free", FunctionModel::Free),
    ("cfree", FunctionModel::Free),
    ("alloca", FunctionModel::Alloca),
    ("__builtin_alloca", FunctionModel::Alloca),
    ("memcpy", FunctionModel::MemCopy),
    ("memmove", FunctionModel::MemCopy),
    ("mempcpy", FunctionModel::MemCopyEnd),
    ("memset", FunctionModel::MemSet),
    ("bzero", FunctionModel::MemZero),
    ("explicit_bzero", FunctionModel::MemZero),
    ("memcmp", FunctionModel::MemCompare),
    ("bcmp", FunctionModel::MemCompare),
    ("memchr", FunctionModel::MemFind),
    ("strlen", FunctionModel::StrLen),
    ("strnlen", FunctionModel::StrNLen),
    ("strcpy", FunctionModel::StrCopy),
    ("stpcpy", FunctionModel::StrCopyEnd),
    ("strncpy", FunctionModel::StrNCopy),
    ("strcat", FunctionModel::StrAppend),
    ("strncat", FunctionModel::StrNAppend),
    ("strcmp", FunctionModel::StrCompare),
    ("strncmp", FunctionModel::StrNCompare),
    ("strchr", FunctionModel::StrFind),
    ("index", FunctionModel::StrFind),
    ("strrchr", FunctionModel::StrFindLast),
    ("rindex", FunctionModel::StrFindLast),
    ("strstr", FunctionModel::StrFindString),
    ("strspn", FunctionModel::StrSpan),
    ("strcspn", FunctionModel::StrComplementSpan),
    ("strpbrk", FunctionModel::StrFindAny),
    ("strdup", FunctionModel::StrDuplicate),
    ("strndup", FunctionModel::StrNDuplicate),
    ("isalnum", FunctionModel::CharacterTest),
    ("isalpha", FunctionModel::CharacterTest),
    ("isblank", FunctionModel::CharacterTest),
    ("iscntrl", FunctionModel::CharacterTest),
    ("isdigit", FunctionModel::CharacterTest),
    ("isgraph", FunctionModel::CharacterTest),
    ("islower", FunctionModel::CharacterTest),
    ("isprint", FunctionModel::CharacterTest),
    ("ispunct", FunctionModel::CharacterTest),
    ("isspace", FunctionModel::CharacterTest),
    ("isupper", FunctionModel::CharacterTest),
    ("isxdigit", FunctionModel::CharacterTest),
    ("tolower", FunctionModel::ToLower),
    ("_tolower", FunctionModel::ToLower),
    ("_toupper", FunctionModel::ToUpper),
    ("toupper", FunctionModel::ToUpper),
    ("abs", FunctionModel::AbsoluteValue),
    ("labs", FunctionModel::AbsoluteValue),
    ("llabs", FunctionModel::AbsoluteValue),
    ("imaxabs", FunctionModel::AbsoluteValue),
    ("printf", FunctionModel::Print),
    ("fprintf", FunctionModel::Print),
    ("dprintf", FunctionModel::Print),
    ("vprintf", FunctionModel::Print),
    ("vfprintf", FunctionModel::Print),
    ("vdprintf", FunctionModel::Print),
    ("printk", FunctionModel::Print),
    ("sincos", FunctionModel::Program),
    ("sincosf", FunctionModel::Program),
    ("sincosl", FunctionModel::Program),
    ("remquo", FunctionModel::Program),
    ("remquof", FunctionModel::Program),
    ("remquol", FunctionModel::Program),
    ("__ctype_b_loc", FunctionModel::Program),
    ("__ctype_tolower_loc", FunctionModel::Program),
    ("__ctype_toupper_loc", FunctionModel::Program),
    ("asprintf", FunctionModel::Formatted),
    ("vasprintf", FunctionModel::Formatted),
    ("sprintf", FunctionModel::Formatted),
    ("snprintf", FunctionModel::Formatted),
    ("vsprintf", FunctionModel::Formatted),
    ("vsnprintf", FunctionModel::Formatted),
    ("scanf", FunctionModel::Formatted),
    ("fscanf", FunctionModel::Formatted),
    ("sscanf", FunctionModel::Formatted),
    ("vscanf", FunctionModel::Formatted),
    ("vfscanf", FunctionModel::Formatted),
    ("vsscanf", FunctionModel::Formatted),
    ("__isoc99_scanf", FunctionModel::Formatted),
    ("__isoc99_fscanf", FunctionModel::Formatted),
    ("__isoc99_sscanf", FunctionModel::Formatted),
    ("__isoc99_vscanf", FunctionModel::Formatted),
    ("__isoc99_vfscanf", FunctionModel::Formatted),
    ("__isoc99_vsscanf", FunctionModel::Formatted),
    ("__wedge_object_bytes", FunctionModel::ObjectBytes),
    ("__wedge_assume", FunctionModel::Assume),
    ("__wedge_memory", FunctionModel::Keep),
    ("__wedge_abort", FunctionModel::Abort),
    ("__wedge_refuse", FunctionModel::Unsupported),
    ("__wedge_end", FunctionModel::Exit),
    ("nan", FunctionModel::MakeNan),
    ("nanf", FunctionModel::MakeNan),
    ("nanl", FunctionModel::MakeNan),
    ("fegetround", FunctionModel::GetRounding),
    ("fesetround", FunctionModel::SetRounding),
    ("flt_rounds", FunctionModel::FltRounds),
    ("__flt_rounds", FunctionModel::FltRounds),
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
    static KINDS: LazyLock<FxHashSet<&'static str>> =
        LazyLock::new(|| INPUTS.split_whitespace().collect());
    let kind = name.strip_prefix("__VERIFIER_nondet_");
    name == ORDER
        || name == FAILURE
        || name == SOME_NUMBER
        || name.starts_with(ARGUMENT)
        || kind.is_some_and(|kind| KINDS.contains(kind))
}

/// The model of a function that has no body, or of an error function that may have one.
pub fn model(name: &str) -> Option<FunctionModel> {
    static MODELS: LazyLock<FxHashMap<&'static str, FunctionModel>> = LazyLock::new(|| {
        let open = open::all().map(|(name, (low, high))| (name, FunctionModel::Open(low, high)));
        let programs = bodies::programs().map(|name| (name, FunctionModel::Program));
        FUNCTIONS.iter().copied().chain(open).chain(programs).collect()
    });
    if let Some(&known) = MODELS.get(name) {
        return Some(known);
    }
    if name.starts_with("__VERIFIER_nondet") || name.starts_with(ARGUMENT) {
        return Some(FunctionModel::Nondet);
    }
    if name.starts_with("__wedge_any_") {
        return Some(FunctionModel::Any);
    }
    of_every_type(FLOAT_FUNCTIONS, name)
        .map(FunctionModel::Float)
        .or_else(|| of_every_type(NAMES, name).map(FunctionModel::Approximate))
        .or_else(|| is_standard(name).then_some(FunctionModel::Unsupported))
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
        assert_eq!(model("__VERIFIER_nondet_uint"), Some(FunctionModel::Nondet));
        assert_eq!(model("__isnanf"), Some(FunctionModel::Float(FloatFunction::IsNan)));
        assert_eq!(model("ceil"), Some(FunctionModel::Float(FloatFunction::Ceiling)));
        assert_eq!(model("ceill"), Some(FunctionModel::Float(FloatFunction::Ceiling)));
        assert_eq!(model("modf"), Some(FunctionModel::Float(FloatFunction::Split)));
        assert_eq!(model("modff"), Some(FunctionModel::Float(FloatFunction::Split)));
        assert_eq!(model("expl"), Some(FunctionModel::Approximate(Approximate::Exp)));
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
        for name in ["setjmp", "fork", "thrd_create", "sigaction", "wcstol"] {
            assert_eq!(model(name), Some(FunctionModel::Unsupported), "{name}");
        }
        assert_eq!(model("getchar"), Some(FunctionModel::Program));
        assert_eq!(model("isatty"), Some(FunctionModel::Open(0, 1)));
        assert!(is_known_input("__VERIFIER_nondet_int"));
        assert!(!is_known_input("__VERIFIER_nondet_memory"));
    }
}
