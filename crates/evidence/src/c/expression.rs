//! Terms as expressions of C.
//!
//! A word is printed as an expression of type `unsigned long long` whose value is the word, a
//! single bit as an `int` that is 0 or 1. Comparisons of variables, of their masked bits and of
//! their sums, which people read most, are written with the variables' own types instead (see
//! the module `comparison`).

use rustc_hash::FxHashMap;
use wedge_logic::view::{view, view_cone};
use wedge_logic::{BitVec, Operator, Sort, Term, TermStore};

/// A variable as C sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    pub text: String,
    pub signed: bool,
}

/// Prints terms over variables that have names; nothing longer than `limit` bytes.
pub struct Printer<'a> {
    pub terms: &'a TermStore,
    pub names: &'a FxHashMap<Term, Name>,
    pub limit: usize,
}

impl Printer<'_> {
    /// The expression of a term, if it can be written and is short enough.
    pub fn print(&self, term: Term) -> Option<String> {
        let mut done: FxHashMap<Term, String> = FxHashMap::default();
        for term in view_cone(self.terms, &[term], |_| false) {
            let text = self.node(term, &done)?;
            if text.len() > self.limit {
                return None;
            }
            done.insert(term, text);
        }
        done.remove(&term)
    }

    fn node(&self, term: Term, done: &FxHashMap<Term, String>) -> Option<String> {
        let Sort::Bv(width) = self.terms.sort(term) else { return None };
        if width > 64 {
            return None;
        }
        if let Some(value) = self.terms.value(term) {
            return Some(match width {
                1 => value.to_u64()?.to_string(),
                _ => format!("{}ull", value.to_u64()?),
            });
        }
        if self.terms.is_var(term) {
            let name = self.names.get(&term)?;
            return Some(match width {
                1 => format!("({} != 0)", name.text),
                _ => format!("(unsigned long long){}{}", unsigned_cast(name, width)?, name.text),
            });
        }
        let view = view(self.terms, term)?;
        let args = view.operands();
        if let Some(text) = self.comparison(view.operator, args) {
            return Some(text);
        }
        if let Some(text) = self.bit(view.operator, args[0]) {
            return Some(text);
        }
        let words: Vec<&str> = args
            .iter()
            .map(|&a| self.operand(view.operator, width, a, done))
            .collect::<Option<_>>()?;
        let inner = self.terms.width(args[0]);
        if width == 1
            && let Some(text) = truth(view.operator, &words, inner)
        {
            return Some(text);
        }
        word(view.operator, &words, width, inner, |index| self.terms.width(args[index]))
    }

    /// The text of an operand; a conjunction in a conjunction needs no brackets, and neither does a
    /// disjunction in a disjunction.
    fn operand<'d>(
        &self,
        operator: Operator,
        width: u32,
        operand: Term,
        done: &'d FxHashMap<Term, String>,
    ) -> Option<&'d str> {
        let text = done.get(&operand)?.as_str();
        let chains = width == 1 && matches!(operator, Operator::And | Operator::Or);
        let is_same = || view(self.terms, operand).is_some_and(|v| v.operator == operator);
        match chains && is_same() {
            true => text.strip_prefix('(')?.strip_suffix(')'),
            false => Some(text),
        }
    }
}

/// The cast that makes a variable unsigned without changing its bits.
fn unsigned_cast(name: &Name, width: u32) -> Option<&'static str> {
    Some(match (name.signed, width) {
        (false, _) => "",
        (true, 8) => "(unsigned char)",
        (true, 16) => "(unsigned short)",
        (true, 32) => "(unsigned int)",
        (true, 64) => "",
        _ => return None,
    })
}

/// A number as C writes it in an expression whose type is at least `int`.
pub fn number(value: &BitVec, signed: bool) -> Option<String> {
    let (width, bits) = (value.width(), value.to_u64()?);
    let suffix = if width > 32 { "ll" } else { "" };
    if !signed {
        let mark = if width >= 32 { "u" } else { "" };
        return Some(format!("{bits}{mark}{suffix}"));
    }
    let shift = 64u32.checked_sub(width)?;
    let value = ((bits << shift) as i64) >> shift;
    // The most negative number has no literal of its own type.
    if width >= 32 && value == i64::MIN >> shift {
        return Some(format!("(-{}{suffix} - 1)", !value));
    }
    Some(if value < 0 { format!("({value}{suffix})") } else { format!("{value}{suffix}") })
}

/// Operators whose result is a single bit.
fn truth(operator: Operator, words: &[&str], inner: u32) -> Option<String> {
    let sign = || format!("{}ull", 1u64 << (inner - 1));
    let signed = |symbol: &str| {
        let sign = sign();
        format!("(({} ^ {sign}) {symbol} ({} ^ {sign}))", words[0], words[1])
    };
    Some(match operator {
        Operator::Not => format!("!{}", words[0]),
        Operator::And => format!("({} && {})", words[0], words[1]),
        Operator::Or => format!("({} || {})", words[0], words[1]),
        Operator::Implies => format!("(!{} || {})", words[0], words[1]),
        Operator::Xor | Operator::Neq => format!("({} != {})", words[0], words[1]),
        Operator::Xnor | Operator::Eq => format!("({} == {})", words[0], words[1]),
        Operator::Ult => format!("({} < {})", words[0], words[1]),
        Operator::Ule => format!("({} <= {})", words[0], words[1]),
        Operator::Slt => signed("<"),
        Operator::Sle => signed("<="),
        Operator::Ite => format!("({} ? {} : {})", words[0], words[1], words[2]),
        Operator::Slice { low: 0, .. } if inner > 1 => format!("(({} & 1ull) != 0)", words[0]),
        Operator::Slice { low, .. } if inner > 1 => {
            format!("((({} >> {low}) & 1ull) != 0)", words[0])
        }
        _ => return None,
    })
}

/// Operators on words; `width` is that of the result.
fn word(
    operator: Operator,
    words: &[&str],
    width: u32,
    inner: u32,
    width_of: impl Fn(usize) -> u32,
) -> Option<String> {
    if width == 1 {
        return None;
    }
    let mask = format!("{}ull", u64::MAX >> (64 - width));
    let cut = |text: String| if width == 64 { text } else { format!("({text} & {mask})") };
    // A bit becomes a word by its value.
    let wide = |index: usize| match width_of(index) {
        1 => format!("(unsigned long long)({})", words[index]),
        _ => words[index].to_string(),
    };
    let plain = |symbol: &str| format!("({} {symbol} {})", wide(0), wide(1));
    Some(match operator {
        Operator::Not => cut(format!("(~{})", wide(0))),
        Operator::Neg => cut(format!("(0ull - {})", wide(0))),
        Operator::And => plain("&"),
        Operator::Or => plain("|"),
        Operator::Xor => plain("^"),
        Operator::Add => cut(plain("+")),
        Operator::Sub => cut(plain("-")),
        Operator::Mul => cut(plain("*")),
        Operator::Udiv => format!("({1} ? {0} / {1} : {mask})", wide(0), wide(1)),
        Operator::Urem => format!("({1} ? {0} % {1} : {0})", wide(0), wide(1)),
        Operator::Sll => cut(format!("({1} < {width}ull ? {0} << {1} : 0ull)", wide(0), wide(1))),
        Operator::Srl => format!("({1} < {width}ull ? {0} >> {1} : 0ull)", wide(0), wide(1)),
        Operator::Concat => format!("({} << {} | {})", wide(0), width_of(1), wide(1)),
        Operator::Slice { low: 0, .. } => cut(wide(0)),
        Operator::Slice { low, .. } => cut(format!("({} >> {low})", wide(0))),
        Operator::Zext(_) => wide(0),
        Operator::Sext(_) => {
            let sign = format!("{}ull", 1u64 << (inner - 1));
            cut(format!("(({} ^ {sign}) - {sign})", wide(0)))
        }
        Operator::Ite => format!("({} ? {} : {})", words[0], wide(1), wide(2)),
        _ => return None,
    })
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A signed variable `x` and an unsigned one `y`.
    pub fn names(x: Term, y: Term) -> FxHashMap<Term, Name> {
        let name = |text: &str, signed| Name { text: text.to_string(), signed };
        [(x, name("x", true)), (y, name("y", false))].into_iter().collect()
    }

    #[test]
    fn comparisons_read_as_c() {
        let mut terms = TermStore::new();
        let (x, y) = (terms.var("x", Sort::Bv(32)), terms.var("y", Sort::Bv(32)));
        let minus = terms.constant(BitVec::new(32, (-5i32) as u32 as u64));
        let ten = terms.number(32, 10);
        let cases = [
            (terms.eq(x, minus), "(x == (-5))"),
            (terms.slt(x, ten), "(x < 10)"),
            (terms.ule(y, ten), "(y <= 10u)"),
            (terms.slice(y, 3, 3), "((y & 8u) != 0)"),
            (terms.slice(x, 31, 31), "(x < 0)"),
        ];
        let names = names(x, y);
        for (term, text) in cases {
            let printer = Printer { terms: &terms, names: &names, limit: 1000 };
            let printed = printer.print(term).unwrap();
            assert_eq!(printed, text);
        }
    }

    #[test]
    fn what_has_no_name_or_is_long_is_not_printed() {
        let mut terms = TermStore::new();
        let (x, y) = (terms.var("x", Sort::Bv(32)), terms.var("y", Sort::Bv(32)));
        let z = terms.var("z", Sort::Bv(32));
        let (hidden, sum) = (terms.ult(y, z), terms.add(x, y));
        let long = terms.ult(sum, y);
        let names = names(x, y);
        let printer = Printer { terms: &terms, names: &names, limit: 20 };
        assert_eq!(printer.print(hidden), None);
        assert_eq!(printer.print(long), None);
    }

    #[test]
    fn the_most_negative_numbers() {
        assert_eq!(number(&BitVec::min_signed(32), true).unwrap(), "(-2147483647 - 1)");
        assert_eq!(number(&BitVec::min_signed(8), true).unwrap(), "(-128)");
        assert_eq!(number(&BitVec::ones(64), false).unwrap(), "18446744073709551615ull");
    }
}
