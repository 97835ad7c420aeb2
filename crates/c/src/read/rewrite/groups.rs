//! Parenthesised GNU groups: attributes and `asm`.
//!
//! Only attributes that change types, layout or control flow are kept; they are moved to places
//! where the grammar keeps them too. An `asm` statement becomes a call of `__builtin_wedge_asm` with
//! what it may write. The `asm` label of a declaration, the symbol's name for the linker, becomes an
//! attribute.

use super::Output;
use crate::error::{Fault, Warning};
use crate::read::token::{Kind, Token, Tokens};

/// Attributes with a meaning for the program.
const KEPT: &[&str] = &[
    "packed",
    "aligned",
    "mode",
    "vector_size",
    "noreturn",
    "transparent_union",
    "alias",
    "weak",
    "weakref",
    "cleanup",
    "constructor",
    "destructor",
];

/// Attributes whose meaning is not modelled.
const REFUSED: &[&str] = &[
    "ext_vector_type",
    "ms_struct",
    "scalar_storage_order",
    "ifunc",
    "address_space",
    "naked",
    "interrupt",
    "noinit",
    "persistent",
];

/// The attribute that an `asm` label of a declaration becomes.
pub const SYMBOL: &str = "wedge_symbol";

pub fn apply(tokens: &mut Tokens) -> Result<Vec<Warning>, Fault> {
    let output = Output::new(tokens);
    let mut pass = Pass { output, tokens, index: 0, braces: 0, warnings: Vec::new() };
    while pass.index < pass.tokens.list.len() {
        pass.step()?;
    }
    let Pass { output, warnings, .. } = pass;
    tokens.list = output.list;
    Ok(warnings)
}

struct Pass<'a> {
    tokens: &'a mut Tokens,
    index: usize,
    /// Open braces.
    braces: usize,
    output: Output,
    warnings: Vec<Warning>,
}

impl Pass<'_> {
    fn step(&mut self) -> Result<(), Fault> {
        let token = self.tokens.list[self.index];
        let is_word = token.kind == Kind::Word;
        match self.tokens.text(token) {
            "__attribute__" if is_word => {
                let kept = self.attribute()?;
                self.output.list.extend(kept);
            }
            "__declspec" if is_word => {
                self.index = self.group_end(self.index + 1)? + 1;
            }
            "asm" if is_word => self.asm(token)?,
            "struct" | "union" | "enum" if is_word => self.tagged()?,
            "[" if self.tokens.at(self.index + 1) == "[" => self.standard_attributes()?,
            text => {
                match text {
                    "{" => self.braces += 1,
                    "}" => self.braces = self.braces.saturating_sub(1),
                    _ => {}
                }
                self.output.keep(self.tokens, self.index);
                self.index += 1;
            }
        }
        Ok(())
    }

    fn group_end(&self, open: usize) -> Result<usize, Fault> {
        let closing = (self.tokens.at(open) == "(").then(|| self.tokens.closing(open)).flatten();
        closing.ok_or_else(|| {
            let position = self.tokens.list[open.min(self.tokens.list.len() - 1)].position;
            Fault::syntax(position, "expected a parenthesised list")
        })
    }

    /// Drops `[[…]]` (C23 6.7.13); nothing else begins with two brackets. Those with a meaning for
    /// the program are refused.
    fn standard_attributes(&mut self) -> Result<(), Fault> {
        let first = self.index;
        let Some(end) = self.tokens.closing(first) else {
            return Err(Fault::syntax(self.tokens.list[first].position, "expected `]]`"));
        };
        for at in first..end {
            let name = self.tokens.at(at).trim_matches('_');
            if KEPT.contains(&name) || REFUSED.contains(&name) || name == "unsequenced" {
                let position = self.tokens.list[at].position;
                return Err(Fault::unsupported(position, format!("attribute `{name}`")));
            }
        }
        self.index = end + 1;
        Ok(())
    }

    /// Consumes an attribute specifier; returns what is kept of it.
    fn attribute(&mut self) -> Result<Vec<Token>, Fault> {
        let keyword = self.index;
        let end = self.group_end(keyword + 1)?;
        self.group_end(keyword + 2)?;
        self.index = end + 1;
        let mut kept = Vec::new();
        let mut at = keyword + 3;
        while at + 1 < end {
            let next = self.attribute_end(at, end - 1);
            if self.is_kept(at)? {
                if !kept.is_empty() {
                    kept.push(self.tokens.replace(self.tokens.list[at], ","));
                }
                kept.extend_from_slice(&self.tokens.list[at..next]);
            }
            at = next + 1;
        }
        if kept.is_empty() {
            return Ok(kept);
        }
        let list = &self.tokens.list;
        let (opening, closing) = (&list[keyword..keyword + 3], &list[end - 1..=end]);
        Ok([opening, &kept, closing].concat())
    }

    /// The index of the comma after the attribute at `at`, or `end`.
    fn attribute_end(&self, at: usize, end: usize) -> usize {
        let mut index = at;
        while index < end && self.tokens.at(index) != "," {
            let closing = (self.tokens.at(index) == "(").then(|| self.tokens.closing(index));
            index = closing.flatten().unwrap_or(index) + 1;
        }
        index.min(end)
    }

    fn is_kept(&self, at: usize) -> Result<bool, Fault> {
        let name = self.tokens.at(at);
        let bare = name.trim_matches('_');
        if REFUSED.contains(&bare) {
            let position = self.tokens.list[at].position;
            return Err(Fault::unsupported(position, format!("attribute `{bare}`")));
        }
        Ok(KEPT.contains(&bare))
    }

    /// `struct attributes name attributes { … }`: the attributes go behind the body, where they
    /// mean the same.
    fn tagged(&mut self) -> Result<(), Fault> {
        self.output.keep(self.tokens, self.index);
        self.index += 1;
        let mut attributes = self.attributes()?;
        if self.tokens.list.get(self.index).is_some_and(|token| token.kind == Kind::Word) {
            self.output.keep(self.tokens, self.index);
            self.index += 1;
        }
        if self.tokens.at(self.index) != "{" {
            return Ok(());
        }
        let Some(end) = self.tokens.closing(self.index) else { return Ok(()) };
        while self.index <= end {
            self.step()?;
        }
        attributes.extend(self.attributes()?);
        self.output.list.extend(attributes);
        Ok(())
    }

    /// Any number of attribute specifiers.
    fn attributes(&mut self) -> Result<Vec<Token>, Fault> {
        let mut kept = Vec::new();
        while self.tokens.at(self.index) == "__attribute__" {
            kept.extend(self.attribute()?);
        }
        Ok(kept)
    }

    fn asm(&mut self, token: Token) -> Result<(), Fault> {
        let is_statement = self.begins_statement();
        self.index += 1;
        while matches!(self.tokens.at(self.index), "volatile" | "inline" | "goto") {
            if self.tokens.at(self.index) == "goto" {
                return Err(Fault::unsupported(token.position, "`asm goto`"));
            }
            self.index += 1;
        }
        let open = self.index;
        self.index = self.group_end(open)? + 1;
        if !is_statement && self.braces == 0 {
            self.output.add(self.tokens, token, &format!("__attribute__ ( ( {SYMBOL} ("));
            let label = self.tokens.list[open + 1..self.index - 1].to_vec();
            self.output.list.extend(label);
            self.output.add(self.tokens, token, ") ) )");
        }
        if is_statement {
            let written = self.written_by_asm(open, self.index - 1);
            let what = match written.is_empty() {
                true => "`asm` is taken to have no effect",
                false => "`asm` makes its outputs arbitrary and is taken to have no other effect",
            };
            self.warnings.push(Warning { position: token.position, what: what.to_string() });
            if !written.is_empty() && self.braces > 0 {
                self.output.add(self.tokens, token, "__builtin_wedge_asm (");
                for (number, (from, to)) in written.into_iter().enumerate() {
                    if number > 0 {
                        self.output.add(self.tokens, token, ",");
                    }
                    let expression = self.tokens.list[from..to].to_vec();
                    self.output.list.extend(expression);
                }
                self.output.add(self.tokens, token, ")");
            }
            if self.braces == 0 && self.tokens.at(self.index) == ";" {
                self.index += 1;
            }
        }
        Ok(())
    }

    /// The expressions that an `asm` between these parentheses may write: its outputs, and the
    /// operands in memory if it says that it changes memory. Each is a range of tokens.
    fn written_by_asm(&self, open: usize, close: usize) -> Vec<(usize, usize)> {
        let sections = self.split(open + 1, close, ":");
        let texts = |&(from, to): &(usize, usize)| (from..to).map(|index| self.tokens.at(index));
        let clobbers = sections.get(3).is_some_and(|range| texts(range).any(|t| t == "\"memory\""));
        // Without instructions what is read and written keeps its value.
        let is_empty = texts(&sections[0]).all(|text| text == "\"\"");
        let mut written = Vec::new();
        for (number, &(from, to)) in sections.iter().enumerate().take(3).skip(1) {
            for (first, last) in self.split(from, to, ",") {
                let operand = (first..last).find(|&index| self.tokens.at(index) == "(");
                let Some(start) = operand else { continue };
                let constraint = self.tokens.at(start - 1);
                let is_written = match number {
                    1 => !is_empty || !constraint.contains('+'),
                    _ => !is_empty && clobbers && constraint.contains('m'),
                };
                if let Some(end) = self.tokens.closing(start).filter(|_| is_written) {
                    written.push((start, end + 1));
                }
            }
        }
        written
    }

    /// The ranges between separators that are not inside brackets.
    fn split(&self, from: usize, to: usize, separator: &str) -> Vec<(usize, usize)> {
        let (mut parts, mut start, mut index) = (Vec::new(), from, from);
        while index < to {
            match self.tokens.at(index) {
                "(" | "[" | "{" => index = self.tokens.closing(index).unwrap_or(index),
                text if text == separator => {
                    parts.push((start, index));
                    start = index + 1;
                }
                _ => {}
            }
            index += 1;
        }
        parts.push((start, to));
        parts
    }

    /// Whether the next token can begin a statement rather than continue a declarator.
    fn begins_statement(&self) -> bool {
        let Some((&last, before)) = self.output.list.split_last() else { return true };
        match self.tokens.text(last) {
            ";" | "{" | "}" | ":" | "else" | "do" => true,
            ")" => {
                let mut depth = 0;
                let opening = before.iter().rposition(|&token| match self.tokens.text(token) {
                    ")" => {
                        depth += 1;
                        false
                    }
                    "(" => {
                        depth -= 1;
                        depth < 0
                    }
                    _ => false,
                });
                let keyword = opening.and_then(|at| at.checked_sub(1)).map(|at| before[at]);
                keyword.is_some_and(|token| {
                    matches!(self.tokens.text(token), "if" | "while" | "for" | "switch")
                })
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::read::rewrite::tests::{check, rewritten};

    #[test]
    fn attributes() {
        check(
            "int f(void) __attribute__((noreturn, nothrow)); => int f ( void ) __attribute__ ( ( noreturn ) ) ;
             int __attribute__((unused)) x; => int x ;
             int x __attribute__((nonnull(1, 2), aligned(8), packed)); => int x __attribute__ ( ( aligned ( 8 ) , packed ) ) ;
             struct __attribute__((packed)) s { int a; } x; => struct s { int a ; } __attribute__ ( ( packed ) ) x ;
             void f(void) { a: __attribute__((unused)); } => void f ( void ) { a : ; }
             __declspec(dllimport) int x; => int x ;",
        );
        assert!(rewritten("int v __attribute__((ext_vector_type(4)));").is_err());
        assert!(rewritten("int v __attribute__;").is_err());
        assert!(rewritten("int v __attribute__(").is_err());
    }

    #[test]
    fn assembly() {
        check(
            "asm(\"nop\"); int x; => int x ;
             int f(int) asm(\"g\"); => int f ( int ) __attribute__ ( ( wedge_symbol ( \"g\" ) ) ) ;
             void f(void) { asm volatile (\"nop\" : : \"r\"(x) : \"cc\"); } => void f ( void ) { ; }
             void f(void) { asm (\"nop\" : \"=r\"(x), \"+m\"(*y) : \"r\"(z)); } => void f ( void ) { __builtin_wedge_asm ( ( x ) , ( * y ) ) ; }
             void f(void) { asm (\"nop\" : : \"m\"(*y) : \"memory\"); } => void f ( void ) { __builtin_wedge_asm ( ( * y ) ) ; }
             void f(int a) { if (a) asm(\"nop\"); else asm(\"\"); } => void f ( int a ) { if ( a ) ; else ; }",
        );
        assert!(rewritten("void f(void) { asm goto (\"\" : : : : l); l: ; }").is_err());
    }
}
