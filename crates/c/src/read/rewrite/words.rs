//! Words with several spellings, words without meaning, and types the grammar lacks.

use super::Output;
use crate::error::Fault;
use crate::read::token::{Kind, Tokens};

pub fn apply(tokens: &mut Tokens) -> Result<(), Fault> {
    let mut output = Output::new(tokens);
    for index in 0..tokens.list.len() {
        let token = tokens.list[index];
        let changed = match token.kind {
            Kind::Word => word(tokens.text(token)),
            Kind::Number => number(tokens.text(token)),
            _ => Change::Keep,
        };
        match changed {
            Change::Keep => output.list.push(token),
            Change::To(text) => output.add(tokens, token, &text),
            Change::Refuse(what) => return Err(Fault::unsupported(token.position, what)),
        }
    }
    tokens.list = output.list;
    Ok(())
}

enum Change {
    Keep,
    /// The new words, separated by spaces; none to drop the token.
    To(String),
    Refuse(&'static str),
}

fn word(text: &str) -> Change {
    let new = match text {
        "__extension__" | "restrict" | "__restrict" | "__restrict__" => "",
        // No combination of standard words means this, so it cannot be mistaken.
        "__int128" => "long long long",
        "__float128" => "_Float128",
        "__thread" => "_Thread_local",
        "__const" | "__const__" => "const",
        "__volatile" | "__volatile__" => "volatile",
        "__signed" | "__signed__" => "signed",
        "__inline" | "__inline__" => "inline",
        // Of the three spellings only this one is reserved in the grammar.
        "typeof" | "__typeof__" => "__typeof",
        "__alignof" | "__alignof__" => "_Alignof",
        "__asm" | "__asm__" => "asm",
        "__attribute" => "__attribute__",
        "__FUNCTION__" | "__PRETTY_FUNCTION__" => "__func__",
        "__cdecl" | "_cdecl" | "__stdcall" | "_stdcall" | "__fastcall" | "_fastcall" => "",
        "__seg_fs" | "__seg_gs" => return Change::Refuse("named address spaces"),
        "__real" | "__real__" | "__imag" | "__imag__" => {
            return Change::Refuse("complex numbers (`_Complex`)");
        }
        _ => return Change::Keep,
    };
    Change::To(new.to_string())
}

/// gcc's suffixes `q` (`__float128`) and `w` (`__float80`, on x86 the format of `long double`).
fn number(text: &str) -> Change {
    let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let is_float =
        if is_hexadecimal { text.contains(['p', 'P']) } else { text.contains(['.', 'e', 'E']) };
    let replaced = |suffix: &[char], new: &str| {
        text.strip_suffix(suffix).map(|number| Change::To(format!("{number}{new}")))
    };
    let change = replaced(&['q', 'Q'], "f128").or_else(|| replaced(&['w', 'W'], "L"));
    change.filter(|_| is_float).unwrap_or(Change::Keep)
}

#[cfg(test)]
mod tests {
    use crate::read::rewrite::tests::{check, rewritten};

    #[test]
    fn spellings() {
        check(
            "__extension__ unsigned __int128 x; => unsigned long long long x ;
             int * __restrict p; => int * p ;
             __float128 q = 1.5q; => _Float128 q = 1.5f128 ;
             double w = 0x1.8p3w; => double w = 0x1.8p3L ;
             __typeof__(x) y; => __typeof ( x ) y ;",
        );
        assert!(rewritten("int f(void) { return __real__ z; }").is_err());
    }
}
