//! The types of library functions, in the form `result(parameters)` with one letter per type.

/// A type in a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Letter {
    Void,
    Int,
    UInt,
    Long,
    LongLong,
    Size,
    /// `void *`
    Pointer,
    /// `char *`
    Text,
    Float,
    Double,
    LongDouble,
    VaList,
    /// `int *`
    IntPointer,
    /// `float *`
    FloatPointer,
    /// `double *`
    DoublePointer,
    /// `long double *`
    LongDoublePointer,
    /// The end of a variadic parameter list.
    More,
}

/// Signatures of functions with one form each.
const PLAIN: &[(&str, &str)] = &[
    ("abort", "v()"),
    ("abs", "i(i)"),
    ("alloca", "p(z)"),
    ("aligned_alloc", "p(zz)"),
    ("bcmp", "i(ppz)"),
    ("bzero", "v(pz)"),
    ("explicit_bzero", "v(pz)"),
    ("calloc", "p(zz)"),
    ("exit", "v(i)"),
    ("_exit", "v(i)"),
    ("_Exit", "v(i)"),
    ("fegetround", "i()"),
    ("fesetround", "i(i)"),
    ("flt_rounds", "i()"),
    ("fprintf", "i(ps.)"),
    ("fputs", "i(sp)"),
    ("fputc", "i(ip)"),
    ("free", "v(p)"),
    ("isalnum", "i(i)"),
    ("isalpha", "i(i)"),
    ("isdigit", "i(i)"),
    ("islower", "i(i)"),
    ("isprint", "i(i)"),
    ("ispunct", "i(i)"),
    ("isspace", "i(i)"),
    ("isupper", "i(i)"),
    ("isxdigit", "i(i)"),
    ("labs", "l(l)"),
    ("llabs", "L(L)"),
    ("malloc", "p(z)"),
    ("memchr", "p(piz)"),
    ("memcmp", "i(ppz)"),
    ("memcpy", "p(ppz)"),
    ("memmove", "p(ppz)"),
    ("mempcpy", "p(ppz)"),
    ("memset", "p(piz)"),
    ("printf", "i(s.)"),
    ("putchar", "i(i)"),
    ("puts", "i(s)"),
    ("realloc", "p(pz)"),
    ("scanf", "i(s.)"),
    ("snprintf", "i(szs.)"),
    ("sprintf", "i(ss.)"),
    ("sscanf", "i(ss.)"),
    ("stpcpy", "s(ss)"),
    ("strcasecmp", "i(ss)"),
    ("strcat", "s(ss)"),
    ("strchr", "s(si)"),
    ("strcmp", "i(ss)"),
    ("strcpy", "s(ss)"),
    ("strcspn", "z(ss)"),
    ("strdup", "s(s)"),
    ("strlen", "z(s)"),
    ("strncasecmp", "i(ssz)"),
    ("strncat", "s(ssz)"),
    ("strncmp", "i(ssz)"),
    ("strncpy", "s(ssz)"),
    ("strndup", "s(sz)"),
    ("strnlen", "z(sz)"),
    ("strpbrk", "s(ss)"),
    ("strrchr", "s(si)"),
    ("strspn", "z(ss)"),
    ("strstr", "s(ss)"),
    ("tolower", "i(i)"),
    ("toupper", "i(i)"),
    ("vprintf", "i(sa)"),
    ("vfprintf", "i(psa)"),
    ("vsprintf", "i(ssa)"),
    ("vsnprintf", "i(szsa)"),
];

/// Mathematical functions exist for `double` and, with suffixes `f` and `l`, for the other
/// floating types; `d` stands for that type.
const FLOATING: &[(&str, &str)] = &[
    ("acos", "d(d)"),
    ("asin", "d(d)"),
    ("atan", "d(d)"),
    ("atan2", "d(dd)"),
    ("cbrt", "d(d)"),
    ("ceil", "d(d)"),
    ("copysign", "d(dd)"),
    ("cos", "d(d)"),
    ("cosh", "d(d)"),
    ("acosh", "d(d)"),
    ("asinh", "d(d)"),
    ("atanh", "d(d)"),
    ("erf", "d(d)"),
    ("erfc", "d(d)"),
    ("exp", "d(d)"),
    ("exp10", "d(d)"),
    ("exp2", "d(d)"),
    ("expm1", "d(d)"),
    ("fabs", "d(d)"),
    ("fdim", "d(dd)"),
    ("finite", "i(d)"),
    ("floor", "d(d)"),
    ("fma", "d(ddd)"),
    ("fmax", "d(dd)"),
    ("fmin", "d(dd)"),
    ("fmod", "d(dd)"),
    ("frexp", "d(dn)"),
    ("hypot", "d(dd)"),
    ("ilogb", "i(d)"),
    ("isinf", "i(d)"),
    ("isnan", "i(d)"),
    ("ldexp", "d(di)"),
    ("lgamma", "d(d)"),
    ("llrint", "L(d)"),
    ("llround", "L(d)"),
    ("log", "d(d)"),
    ("log10", "d(d)"),
    ("log1p", "d(d)"),
    ("log2", "d(d)"),
    ("logb", "d(d)"),
    ("lrint", "l(d)"),
    ("lround", "l(d)"),
    ("modf", "d(dD)"),
    ("nearbyint", "d(d)"),
    ("pow", "d(dd)"),
    ("remainder", "d(dd)"),
    ("rint", "d(d)"),
    ("round", "d(d)"),
    ("roundeven", "d(d)"),
    ("scalbln", "d(dl)"),
    ("scalbn", "d(di)"),
    ("signbit", "i(d)"),
    ("sin", "d(d)"),
    ("sinh", "d(d)"),
    ("sqrt", "d(d)"),
    ("tan", "d(d)"),
    ("tanh", "d(d)"),
    ("tgamma", "d(d)"),
    ("trunc", "d(d)"),
];

/// The result and parameters of a library function that gcc knows by its name.
pub fn signature(name: &str) -> Option<(Letter, Vec<Letter>)> {
    let find = |table: &[(&str, &'static str)], name: &str| {
        table.iter().find(|(known, _)| *known == name).map(|(_, signature)| *signature)
    };
    let (text, float) = find(PLAIN, name)
        .or_else(|| find(FLOATING, name))
        .map(|text| (text, Letter::Double))
        .or_else(|| {
            let (base, float) = match name.strip_suffix('f') {
                Some(base) => (base, Letter::Float),
                None => (name.strip_suffix('l')?, Letter::LongDouble),
            };
            find(FLOATING, base).map(|text| (text, float))
        })?;
    let mut letters = text.bytes().filter_map(|byte| letter(byte, float));
    Some((letters.next()?, letters.collect()))
}

fn letter(byte: u8, float: Letter) -> Option<Letter> {
    Some(match byte {
        b'v' => Letter::Void,
        b'i' => Letter::Int,
        b'u' => Letter::UInt,
        b'l' => Letter::Long,
        b'L' => Letter::LongLong,
        b'z' => Letter::Size,
        b'p' => Letter::Pointer,
        b's' => Letter::Text,
        b'd' => float,
        b'n' => Letter::IntPointer,
        b'D' => match float {
            Letter::Float => Letter::FloatPointer,
            Letter::LongDouble => Letter::LongDoublePointer,
            _ => Letter::DoublePointer,
        },
        b'a' => Letter::VaList,
        b'.' => Letter::More,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_choose_the_floating_type() {
        assert_eq!(signature("malloc"), Some((Letter::Pointer, vec![Letter::Size])));
        assert_eq!(signature("fabsf"), Some((Letter::Float, vec![Letter::Float])));
        assert_eq!(signature("fmodl").unwrap().0, Letter::LongDouble);
        assert_eq!(signature("printf").unwrap().1, [Letter::Text, Letter::More]);
        assert_eq!(signature("modff").unwrap().1, [Letter::Float, Letter::FloatPointer]);
        assert_eq!(signature("printff"), None);
    }
}
