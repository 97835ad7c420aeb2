//! Makes the tokens of GNU C acceptable to the grammar of `lang-c`.
//!
//! Each pass turns a token list into another one. Nothing of meaning is lost: what the grammar
//! cannot express is spelled in a way that the typing recognises (see [`ELVIS`] and the functions
//! of each pass), what has no meaning for a verifier is dropped, and what can be neither spelled
//! nor dropped is refused with its position.

mod groups;
mod implicit_int;
mod labels;
mod parentheses;
mod syntax;
mod words;

use super::token::{Token, Tokens};
use crate::error::{Fault, Warning};

pub use groups::SYMBOL;

/// Stands for the missing middle operand in `a ?: b`.
pub const ELVIS: &str = "__wedge_elvis";

/// Declarations that gcc makes on its own and the grammar does not know.
pub const PRELUDE: &str = "typedef long long long __int128_t; \
     typedef unsigned long long long __uint128_t; typedef int __auto_type;";

/// Words that begin or make a type.
const TYPE_WORDS: &[&str] = &[
    "int",
    "char",
    "short",
    "long",
    "unsigned",
    "signed",
    "float",
    "double",
    "void",
    "_Bool",
    "struct",
    "union",
    "enum",
    "typedef",
    "__typeof",
    "_Float128",
];

/// All passes, one after the other.
pub fn rewrite(mut tokens: Tokens) -> Result<(Tokens, Vec<Warning>), Fault> {
    words::apply(&mut tokens)?;
    let warnings = groups::apply(&mut tokens)?;
    labels::apply(&mut tokens);
    syntax::apply(&mut tokens)?;
    implicit_int::apply(&mut tokens);
    parentheses::apply(&mut tokens);
    Ok((tokens, warnings))
}

/// The output of a pass: takes over tokens of the input and adds new ones at their positions.
struct Output {
    list: Vec<Token>,
    /// Texts to add once the input token of this index has been taken over.
    pending: Vec<(usize, &'static str)>,
}

impl Output {
    fn new(tokens: &Tokens) -> Output {
        Output { list: Vec::with_capacity(tokens.list.len() + 16), pending: Vec::new() }
    }

    /// Adds new tokens, the words of `text`, at the position of `model`.
    fn add(&mut self, tokens: &mut Tokens, model: Token, text: &str) {
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let token = tokens.replace(model, word);
            self.list.push(token);
        }
    }

    /// Asks for `text` to be added after the input token `index`.
    fn add_after(&mut self, index: usize, text: &'static str) {
        self.pending.push((index, text));
    }

    /// Takes over the input token `index`, with what was asked to follow it.
    fn keep(&mut self, tokens: &mut Tokens, index: usize) {
        let token = tokens.list[index];
        self.list.push(token);
        self.follow(tokens, index);
    }

    /// Adds what was asked to follow the input token `index`, the latest request first.
    fn follow(&mut self, tokens: &mut Tokens, index: usize) {
        while let Some(at) = self.pending.iter().rposition(|&(after, _)| after == index) {
            let (_, text) = self.pending.remove(at);
            self.add(tokens, tokens.list[index], text);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::source::Files;

    /// The rewritten text of a program.
    pub fn rewritten(source: &str) -> Result<String, Fault> {
        let mut files = Files::default();
        let file = files.intern("t.c");
        let tokens = crate::read::lexer::tokens(source.as_bytes(), file, &mut files)?;
        let (tokens, _) = rewrite(tokens)?;
        let texts: Vec<&str> = tokens.list.iter().map(|&token| tokens.text(token)).collect();
        Ok(texts.join(" "))
    }

    /// Checks the rewriting of each line of `cases`: `before => after`.
    pub fn check(cases: &str) {
        for case in cases.lines().filter(|line| !line.trim().is_empty()) {
            let (before, after) = case.split_once("=>").expect("a case has an arrow");
            assert_eq!(rewritten(before).unwrap(), after.trim(), "{before}");
        }
    }

    #[test]
    fn plain_c_is_left_alone() {
        let source = "int f ( int a ) { return a ? a + 1 : 2 ; }";
        assert_eq!(rewritten(source).unwrap(), source);
    }
}
