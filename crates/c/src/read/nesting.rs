//! Refuses programs nested so deeply that recursive code could exhaust its stack.
//!
//! The parser and the typing recurse over the program. This scan bounds how deep they go: brackets,
//! operators of one expression, and chains of statements that contain each other without braces
//! (`if … else if …`, `while (a) while (b)`). The parser's time also grows with the square of the
//! depth of parentheses, so these have a limit of their own.

use super::token::{Kind, Token, Tokens};
use crate::error::Fault;

/// Levels of recursion that the stack of the front end is sized for.
pub const MAX_LEVELS: usize = 20_000;
const MAX_PARENTHESES: usize = 500;

/// Checks the nesting of a whole file, including that its brackets match.
pub fn check(tokens: &Tokens) -> Result<(), Fault> {
    let mut scan = Scan { tokens, open: vec![Level::default()], total: 0, parentheses: 0 };
    for index in 0..tokens.list.len() {
        scan.token(index)?;
    }
    match scan.open.last().and_then(|level| level.bracket) {
        Some(token) => {
            let what = format!("unmatched `{}`", tokens.text(token));
            Err(Fault::syntax(token.position, what))
        }
        None => Ok(()),
    }
}

/// What is open inside one pair of brackets.
#[derive(Default)]
struct Level {
    bracket: Option<Token>,
    /// Operators of the current expression.
    operators: usize,
    /// Statements that contain the current one without braces.
    statements: usize,
}

struct Scan<'a> {
    tokens: &'a Tokens,
    open: Vec<Level>,
    /// The sum over all open levels.
    total: usize,
    /// Open brackets that are not braces.
    parentheses: usize,
}

impl Scan<'_> {
    fn token(&mut self, index: usize) -> Result<(), Fault> {
        let token = self.tokens.list[index];
        match (token.kind, self.tokens.text(token)) {
            (Kind::Punctuator, "(" | "[" | "{") => self.enter(token)?,
            (Kind::Punctuator, ")" | "]" | "}") => self.leave(token, index)?,
            (Kind::Punctuator, ";") => self.end_statement(index),
            (Kind::Punctuator, ",") => self.end_expression(),
            (Kind::Punctuator, _) | (Kind::Word, "sizeof") => self.count(token, 1, 0)?,
            (
                Kind::Word,
                "if" | "else" | "while" | "for" | "do" | "switch" | "case" | "default",
            ) => {
                self.count(token, 0, 1)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn count(&mut self, token: Token, operators: usize, statements: usize) -> Result<(), Fault> {
        if let Some(level) = self.open.last_mut() {
            level.operators += operators;
            level.statements += statements;
        }
        self.total += operators + statements;
        if self.total > MAX_LEVELS {
            return Err(Fault::unsupported(token.position, "nesting this deep"));
        }
        Ok(())
    }

    fn enter(&mut self, token: Token) -> Result<(), Fault> {
        self.open.push(Level { bracket: Some(token), ..Level::default() });
        self.total += 1;
        self.parentheses += (self.tokens.text(token) != "{") as usize;
        if self.parentheses > MAX_PARENTHESES {
            let what = format!("more than {MAX_PARENTHESES} nested parentheses");
            return Err(Fault::unsupported(token.position, what));
        }
        self.count(token, 0, 0)
    }

    fn leave(&mut self, token: Token, index: usize) -> Result<(), Fault> {
        let closing = self.tokens.text(token);
        let opening = match closing {
            ")" => "(",
            "]" => "[",
            _ => "{",
        };
        let level = self.open.pop().unwrap_or_default();
        if level.bracket.is_none_or(|bracket| self.tokens.text(bracket) != opening) {
            return Err(Fault::syntax(token.position, format!("unmatched `{closing}`")));
        }
        self.total -= 1 + level.operators + level.statements;
        self.parentheses -= (closing != "}") as usize;
        if closing == "}" {
            self.end_statement(index);
        }
        Ok(())
    }

    fn end_expression(&mut self) {
        if let Some(level) = self.open.last_mut() {
            self.total -= std::mem::take(&mut level.operators);
        }
    }

    /// The end of a statement also ends those around it, unless they have another part to come.
    fn end_statement(&mut self, index: usize) {
        self.end_expression();
        let goes_on = matches!(self.tokens.at(index + 1), "else" | "while");
        if let Some(level) = self.open.last_mut().filter(|_| !goes_on) {
            self.total -= std::mem::take(&mut level.statements);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Files;

    fn verdict(source: &str) -> Result<(), Fault> {
        let mut files = Files::default();
        let file = files.intern("t.c");
        check(&crate::read::lexer::tokens(source.as_bytes(), file, &mut files).unwrap())
    }

    #[test]
    fn long_is_not_deep() {
        let long = format!("int a[] = {{ {} }};", "-1 + 2, ".repeat(30_000));
        assert_eq!(verdict(&long), Ok(()));
        let statements = format!("void f(void) {{ {} }}", "if (a) b = c + 1; ".repeat(30_000));
        assert_eq!(verdict(&statements), Ok(()));
    }

    #[test]
    fn deep_is_refused() {
        for (repeated, times) in [
            ("(", 600),
            ("{", 30_000),
            ("- ", 30_000),
            ("+ x", 30_000),
            ("if (a) ", 30_000),
            ("if (a); else ", 15_000),
        ] {
            let source = format!("void f(void) {{ {} }}", repeated.repeat(times));
            assert!(verdict(&source).is_err(), "{repeated}");
        }
    }

    #[test]
    fn brackets_must_match() {
        for source in ["(]", "{", "}", "int x[3;"] {
            assert!(verdict(source).is_err(), "{source}");
        }
    }
}
