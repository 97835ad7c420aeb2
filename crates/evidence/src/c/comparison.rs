//! Comparisons in the types of their variables, as people write them.
//!
//! A variable, a masked variable and a number are compared in the variable's own type; narrower
//! types than `int` are promoted to it, which changes no value. Sums are compared in the unsigned
//! type of their width, if C computes in it, since there arithmetic is that of words.

use super::expression::{Name, Printer, number};
use wedge_logic::view::view;
use wedge_logic::{BitVec, Operator, Term};

/// Operators above each other in a sum.
const DEPTH: usize = 8;

impl Printer<'_> {
    /// A variable of more than one bit.
    fn variable(&self, term: Term) -> Option<&Name> {
        self.names.get(&term).filter(|_| self.terms.width(term) > 1)
    }

    /// A bit of a variable, or its negation, in the type of the variable.
    pub(super) fn bit(&self, operator: Operator, operand: Term) -> Option<String> {
        let (wanted, low, word) = match (operator, view(self.terms, operand)) {
            (Operator::Slice { high, low }, _) if high == low => (true, low, operand),
            (Operator::Not, Some(inner)) => match inner.operator {
                Operator::Slice { high, low } if high == low => (false, low, inner.operands()[0]),
                _ => return None,
            },
            _ => return None,
        };
        let (name, width) = (self.variable(word)?, self.terms.width(word));
        if name.signed && low + 1 == width {
            let symbol = if wanted { "<" } else { ">=" };
            return Some(format!("({} {symbol} 0)", name.text));
        }
        let mask = number(&BitVec::power_of_two(width, low), name.signed)?;
        let symbol = if wanted { "!=" } else { "==" };
        Some(format!("(({} & {mask}) {symbol} 0)", name.text))
    }

    /// A comparison of variables, masked variables and numbers in their own type, or an equation
    /// of their sums in the unsigned type of that width.
    pub(super) fn comparison(&self, operator: Operator, args: &[Term]) -> Option<String> {
        let (left, right) = (*args.first()?, *args.get(1)?);
        let is_equation = matches!(operator, Operator::Eq | Operator::Neq);
        let signs = match operator {
            Operator::Eq | Operator::Neq => {
                self.sign(left).or_else(|| self.sign(right)).unwrap_or(false)
            }
            Operator::Slt | Operator::Sle => true,
            Operator::Ult | Operator::Ule => false,
            _ => return None,
        };
        let symbol = match operator {
            Operator::Eq => "==",
            Operator::Neq => "!=",
            Operator::Slt | Operator::Ult => "<",
            _ => "<=",
        };
        // People write the variable first where the order is free.
        let (first, second) = match is_equation && self.terms.is_const(left) {
            true => (right, left),
            false => (left, right),
        };
        let sides = || Some((self.side(first, signs)?, self.side(second, signs)?));
        let sums = || Some((self.sum(first, DEPTH)?, self.sum(second, DEPTH)?));
        let is_plain = [first, second].iter().any(|&term| self.sign(term).is_some());
        let (first, second) = match sides().filter(|_| is_plain) {
            Some(both) => both,
            None if is_equation => sums()?,
            None => return None,
        };
        Some(format!("({first} {symbol} {second})"))
    }

    /// Whether a variable or a masked variable is signed.
    fn sign(&self, term: Term) -> Option<bool> {
        let (term, _) = self.masked(term).unwrap_or((term, term));
        self.variable(term).map(|name| name.signed)
    }

    /// The variable and the number of which a term is the bitwise conjunction.
    fn masked(&self, term: Term) -> Option<(Term, Term)> {
        let view = view(self.terms, term).filter(|view| view.operator == Operator::And)?;
        let (a, b) = (*view.operands().first()?, *view.operands().get(1)?);
        match (self.terms.is_const(a), self.terms.is_const(b)) {
            (false, true) => Some((a, b)),
            (true, false) => Some((b, a)),
            _ => None,
        }
    }

    /// A number, a variable or a masked variable of this signedness.
    fn side(&self, term: Term, signs: bool) -> Option<String> {
        if let Some(value) = self.terms.value(term) {
            return number(value, signs);
        }
        if let Some((variable, mask)) = self.masked(term) {
            let mask = number(self.terms.value(mask)?, signs)?;
            return Some(format!("({} & {mask})", self.side(variable, signs)?));
        }
        self.variable(term).filter(|name| name.signed == signs).map(|name| name.text.clone())
    }

    /// A number, a variable, a multiple or a sum of these, in the unsigned type of 32 or 64 bits,
    /// whose arithmetic is that of words.
    fn sum(&self, term: Term, depth: usize) -> Option<String> {
        if let Some(value) = self.terms.value(term) {
            return number(value, false);
        }
        if let Some(name) = self.variable(term) {
            let cast = match (name.signed, self.terms.width(term)) {
                (false, 32 | 64) => "",
                (true, 32) => "(unsigned int)",
                (true, 64) => "(unsigned long long)",
                _ => return None,
            };
            return Some(format!("{cast}{}", name.text));
        }
        let view = view(self.terms, term).filter(|_| depth > 0)?;
        let operands = (*view.operands().first()?, *view.operands().get(1)?);
        let (left, right) = match self.terms.is_const(operands.0) {
            true if view.operator != Operator::Sub => (operands.1, operands.0),
            _ => operands,
        };
        match view.operator {
            Operator::Mul => {
                let factor = number(self.terms.value(right)?, false)?;
                self.variable(left)?;
                Some(format!("{factor} * {}", self.sum(left, depth - 1)?))
            }
            Operator::Sub => {
                self.variable(right)?;
                Some(format!("{} - {}", self.sum(left, depth - 1)?, self.sum(right, 0)?))
            }
            // Adding a negative number is subtracting.
            Operator::Add if self.terms.value(right).is_some_and(|value| value.is_negative()) => {
                let less = number(&self.terms.value(right)?.neg(), false)?;
                Some(format!("{} - {less}", self.sum(left, depth - 1)?))
            }
            Operator::Add => {
                Some(format!("{} + {}", self.sum(left, depth - 1)?, self.sum(right, depth - 1)?))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::expression::tests::names;
    use super::*;
    use wedge_logic::{Sort, TermStore};

    #[test]
    fn sums_and_masks_read_as_c() {
        let mut terms = TermStore::new();
        let (x, y) = (terms.var("x", Sort::Bv(32)), terms.var("y", Sort::Bv(32)));
        let z = terms.var("z", Sort::Bv(32));
        let (one, ten) = (terms.number(32, 1), terms.number(32, 10));
        let (zero, two) =
            (terms.number(32, 0), terms.constant(BitVec::new(32, u32::MAX as u64 - 1)));
        let (even, sum, less) = (terms.and(x, one), terms.add(y, z), terms.add(z, two));
        let three = terms.number(32, 3);
        let more = terms.mul(three, y);
        let more = terms.add(more, z);
        let (odd, low) = (terms.slice(y, 0, 0), terms.slice(x, 0, 0));
        let (high, not_high) = (terms.slice(x, 31, 31), terms.slice(y, 5, 5));
        let not_high = terms.not(not_high);
        let pair = terms.and(odd, low);
        let all = terms.and(pair, not_high);
        let four = terms.and(all, high);
        let mut names = names(x, y);
        names.insert(z, Name { text: "z".to_string(), signed: false });
        let checks = [
            (terms.eq(even, zero), vec!["((x & 1) == 0)"]),
            (terms.eq(sum, ten), vec!["(y + z == 10u)", "(z + y == 10u)"]),
            (terms.eq(y, less), vec!["(y == z - 2u)"]),
            (
                terms.eq(x, more),
                vec!["((unsigned int)x == 3u * y + z)", "((unsigned int)x == z + 3u * y)"],
            ),
            (terms.neq(x, y), vec!["((unsigned int)x != y)", "(y != (unsigned int)x)"]),
        ];
        for (term, texts) in checks {
            let printer = Printer { terms: &terms, names: &names, limit: 1000 };
            let printed = printer.print(term).unwrap();
            assert!(texts.contains(&printed.as_str()), "{printed}");
        }
        let printer = Printer { terms: &terms, names: &names, limit: 1000 };
        let printed = printer.print(four).unwrap();
        assert_eq!(printed.matches('(').count(), 8, "{printed}");
        for part in ["((y & 1u) != 0)", "((x & 1) != 0)", "((y & 32u) == 0)", "(x < 0)"] {
            assert!(printed.contains(part), "{printed}");
        }
    }
}
