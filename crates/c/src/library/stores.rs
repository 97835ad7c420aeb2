//! Whether printing stores something: `%n` in a format.

use crate::typed::{Expr, ExprKind, GlobalId, Initial, PlaceKind, Program};

/// The place of the format among the arguments, and whether arguments follow one by one.
fn format_of(name: &str) -> Option<(usize, bool)> {
    Some(match name {
        "printf" | "printk" => (0, true),
        "fprintf" | "dprintf" => (1, true),
        "vprintf" => (0, false),
        "vfprintf" | "vdprintf" => (1, false),
        _ => return None,
    })
}

impl Program {
    /// Whether a call of a function that prints may store the number of characters somewhere. A
    /// format that is not a literal may, if a pointer to a number goes with it, or if arguments
    /// come in a list and some literal of the program has `%n`.
    pub fn may_store(&self, name: &str, arguments: &[Expr]) -> bool {
        let Some((index, one_by_one)) = format_of(name) else { return false };
        let Some(format) = arguments.get(index) else { return false };
        if let Some(text) = self.literal(format) {
            return has_count(&text);
        }
        match one_by_one {
            true => arguments[index + 1..].iter().any(|argument| self.is_number_pointer(argument)),
            false => {
                let texts = (0..self.globals.len() as u32).filter_map(|id| self.text(GlobalId(id)));
                texts.into_iter().any(|text| has_count(&text))
            }
        }
    }

    fn is_number_pointer(&self, argument: &Expr) -> bool {
        let target = self.types.target(argument.ty);
        target.is_some_and(|ty| self.types.is_integer(ty) && self.types.size(ty) != Some(1))
    }

    /// The string literal that an expression is.
    pub(super) fn literal(&self, expr: &Expr) -> Option<Vec<u8>> {
        match &expr.kind {
            ExprKind::Cast(_, operand) => self.literal(operand),
            ExprKind::AddressOf(place) => match &place.kind {
                PlaceKind::Global(id) => self.text(*id),
                PlaceKind::Index(base, index) if index.as_int() == Some(0) => match base.kind {
                    PlaceKind::Global(id) => self.text(id),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// The bytes of a string literal.
    fn text(&self, id: GlobalId) -> Option<Vec<u8>> {
        let global = self.global(id);
        let Initial::Values(values) = &global.initial else { return None };
        if !global.is_literal {
            return None;
        }
        let mut text = vec![0; global.size as usize];
        for (place, value) in values {
            let PlaceKind::Index(_, index) = &place.kind else { return None };
            *text.get_mut(index.as_int()? as usize)? = value.as_int()? as u8;
        }
        Some(text)
    }
}

/// Whether a format has a conversion `%n`.
pub(crate) fn has_count(format: &[u8]) -> bool {
    let mut bytes = format.iter().copied().take_while(|&byte| byte != 0);
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            continue;
        }
        let is_prefix = |byte: &u8| b"-+ #0'123456789.*$hlLqjzt".contains(byte);
        if bytes.by_ref().find(|byte| !is_prefix(byte)) == Some(b'n') {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_count;

    #[test]
    fn only_the_conversion_counts() {
        assert!(has_count(b"%d%n") && has_count(b"%hhn") && has_count(b"%%%5ln"));
        assert!(
            !has_count(b"%%n") && !has_count(b"%d n") && !has_count(b"%") && !has_count(b"x\0%n")
        );
    }
}
