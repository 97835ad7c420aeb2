//! S-expressions, as solvers print them.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sexp {
    /// A symbol without its bars, a number or a keyword.
    Atom(String),
    /// A string literal.
    Text(String),
    List(Vec<Sexp>),
}

impl Sexp {
    pub fn atom(&self) -> Option<&str> {
        match self {
            Sexp::Atom(atom) => Some(atom),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Sexp]> {
        match self {
            Sexp::List(list) => Some(list),
            _ => None,
        }
    }

    /// Whether it is this word or text.
    pub fn says(&self, word: &str) -> bool {
        matches!(self, Sexp::Atom(text) | Sexp::Text(text) if text == word)
    }

    /// Whether it is `(error …)`.
    pub fn is_error(&self) -> bool {
        self.list().and_then(|list| list.first()).and_then(Sexp::atom) == Some("error")
    }

    /// The expression that the text is, without anything after it.
    pub fn parse(text: &str) -> Option<Sexp> {
        let mut reader = Reader::default();
        for c in text.chars() {
            reader.push(c);
        }
        reader.push(' ');
        let whole = reader.open.is_empty() && !reader.inside() && !reader.too_deep;
        let one = reader.done.len() == 1 && whole;
        one.then(|| reader.done.remove(0))
    }
}

impl fmt::Display for Sexp {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Sexp::Atom(atom) => write!(f, "{atom}"),
            Sexp::Text(text) => write!(f, "\"{text}\""),
            Sexp::List(list) => {
                let parts: Vec<String> = list.iter().map(Sexp::to_string).collect();
                write!(f, "({})", parts.join(" "))
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum State {
    #[default]
    Between,
    Atom,
    /// Inside bars.
    Quoted,
    Text,
    /// After a quotation mark in a text: the end, or half of an escaped one.
    TextEnd,
    Comment,
}

/// Expressions are nested no deeper than this: they are dropped by recursion.
const DEEPEST: usize = 5000;

/// Reads expressions character by character.
#[derive(Default, Debug)]
pub struct Reader {
    open: Vec<Vec<Sexp>>,
    too_deep: bool,
    pub done: Vec<Sexp>,
    token: String,
    state: State,
}

impl Reader {
    /// Whether an expression was nested too deeply to be read; nothing is read any more.
    pub fn is_too_deep(&self) -> bool {
        self.too_deep
    }

    fn inside(&self) -> bool {
        !matches!(self.state, State::Between | State::Comment)
    }

    fn add(&mut self, sexp: Sexp) {
        match self.open.last_mut() {
            Some(list) => list.push(sexp),
            None => self.done.push(sexp),
        }
    }

    fn end_atom(&mut self) {
        let token = std::mem::take(&mut self.token);
        self.add(Sexp::Atom(token));
        self.state = State::Between;
    }

    pub fn push(&mut self, c: char) {
        if self.too_deep {
            return;
        }
        match (self.state, c) {
            (State::Comment, '\n') => self.state = State::Between,
            (State::Comment, _) => {}
            (State::Quoted, '|') => self.end_atom(),
            (State::Text, '"') => self.state = State::TextEnd,
            (State::Quoted | State::Text, c) => self.token.push(c),
            (State::TextEnd, '"') => {
                self.token.push('"');
                self.state = State::Text;
            }
            (State::TextEnd, c) => {
                let token = std::mem::take(&mut self.token);
                self.add(Sexp::Text(token));
                self.state = State::Between;
                self.push(c);
            }
            (State::Atom, c) if c.is_whitespace() || "()\";|".contains(c) => {
                self.end_atom();
                self.push(c);
            }
            (State::Atom, c) => self.token.push(c),
            (State::Between, c) => self.between(c),
        }
    }

    fn between(&mut self, c: char) {
        match c {
            '(' if self.open.len() == DEEPEST => self.too_deep = true,
            '(' => self.open.push(Vec::new()),
            ')' => match self.open.pop() {
                Some(list) => self.add(Sexp::List(list)),
                None => self.add(Sexp::Atom(")".into())),
            },
            '|' => self.state = State::Quoted,
            '"' => self.state = State::Text,
            ';' => self.state = State::Comment,
            c if c.is_whitespace() => {}
            c => {
                self.token.push(c);
                self.state = State::Atom;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_return() {
        for text in ["sat", "((x #b01) (y (_ bv3 7)))", "(error \"a b\")", "()"] {
            assert_eq!(Sexp::parse(text).expect(text).to_string(), text);
        }
        assert_eq!(Sexp::parse("|a b|"), Some(Sexp::Atom("a b".into())));
        assert_eq!(Sexp::parse("\"a \"\"b\"\"\""), Some(Sexp::Text("a \"b\"".into())));
        assert_eq!(Sexp::parse("(a ; no )\n b)").unwrap().to_string(), "(a b)");
        for text in ["(", "a b", "", "(a))", "\"a", "|a"] {
            assert_eq!(Sexp::parse(text), None, "{text}");
        }
        let nested = |depth: usize| "(".repeat(depth) + &")".repeat(depth);
        assert!(Sexp::parse(&nested(DEEPEST)).is_some());
        assert_eq!(Sexp::parse(&nested(1_000_000)), None);
    }
}
