//! Declarations without a type, which gcc still reads as `int` (C89): `main() { … }`,
//! `static count;`, `f(const n)`. The missing word is added.

use super::{Output, TYPE_WORDS};
use crate::read::token::{Kind, Token, Tokens};
use rustc_hash::FxHashSet;

/// Words that may precede a type but are none.
const PREFIXES: &[&str] =
    &["static", "extern", "register", "auto", "const", "volatile", "inline", "_Noreturn"];

/// Other words that cannot be the name being declared.
const NOT_NAMES: &[&str] = &[
    "_Complex",
    "_Atomic",
    "_Static_assert",
    "_Alignas",
    "_Thread_local",
    "__attribute__",
    "__auto_type",
    "asm",
];

pub fn apply(tokens: &mut Tokens) {
    let typedefs = typedef_names(tokens);
    let mut output = Output::new(tokens);
    let mut depth = 0usize;
    for index in 0..tokens.list.len() {
        let token = tokens.list[index];
        if token.kind == Kind::Word && lacks_type(tokens, index, depth, &output.list, &typedefs) {
            output.add(tokens, token, "int");
        }
        if token.kind == Kind::Punctuator {
            match tokens.text(token) {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        output.keep(tokens, index);
    }
    tokens.list = output.list;
}

/// Whether the word at `index` is a name that is being declared without a type.
fn lacks_type(
    tokens: &Tokens,
    index: usize,
    depth: usize,
    before: &[Token],
    typedefs: &FxHashSet<String>,
) -> bool {
    let text = tokens.at(index);
    if PREFIXES.contains(&text)
        || TYPE_WORDS.contains(&text)
        || NOT_NAMES.contains(&text)
        || typedefs.contains(text)
    {
        return false;
    }
    let is_prefix = |&&token: &&Token| PREFIXES.contains(&tokens.text(token));
    let prefixes = before.iter().rev().take_while(is_prefix).count();
    let start = before.iter().rev().nth(prefixes).map_or("", |&token| tokens.text(token));
    let next = tokens.at(index + 1);
    if prefixes > 0 {
        let begins = matches!(start, "" | ";" | "{" | "}" | "(" | "," | ":");
        return begins && matches!(next, "=" | ";" | "," | ")" | "[" | "(");
    }
    depth == 0 && matches!(start, "" | ";" | "}") && next == "(" && declares_function(tokens, index)
}

/// Whether the parentheses after the name at `index` belong to a function declarator: a body, a
/// parameter declaration or the end of the declaration follows.
fn declares_function(tokens: &Tokens, index: usize) -> bool {
    let Some(end) = tokens.closing(index + 1) else { return false };
    let follows_word = tokens.list.get(end + 1).is_some_and(|token| token.kind == Kind::Word);
    follows_word || matches!(tokens.at(end + 1), "{" | ";" | ",")
}

/// The names that any typedef of the file may define: words before `;`, `,`, `)`, `[` or `(`.
fn typedef_names(tokens: &Tokens) -> FxHashSet<String> {
    let mut names = FxHashSet::default();
    let mut index = 0;
    while index < tokens.list.len() {
        if tokens.at(index) != "typedef" {
            index += 1;
            continue;
        }
        while index < tokens.list.len() && tokens.at(index) != ";" {
            match tokens.at(index) {
                "{" => index = tokens.closing(index).unwrap_or(index),
                text => {
                    if matches!(tokens.at(index + 1), ";" | "," | ")" | "[" | "(" | "__attribute__")
                    {
                        names.insert(text.to_string());
                    }
                }
            }
            index += 1;
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use crate::read::rewrite::tests::check;

    #[test]
    fn missing_types_are_added() {
        check(
            "main() { return 0; } => int main ( ) { return 0 ; }
             int x; f(a, b) char b; { } => int x ; int f ( a , b ) char b ; { }
             static x = 3, y; => static int x = 3 , y ;
             void f(const x, register y) { } => void f ( const int x , register int y ) { }
             void f(void) { static n; auto m = 1; } => void f ( void ) { static int n ; auto int m = 1 ; }",
        );
    }

    #[test]
    fn present_types_are_enough() {
        for source in [
            "typedef int T ; static T x ; const T ( y ) ; T ( z ) ;",
            "int const x ; struct s const y ; T const z ;",
            "void f ( void ) { g ( 1 ) ; x = 1 ; }",
            "typedef int F ( int ) ; static F g ;",
        ] {
            check(&format!("{source} => {source}"));
        }
    }
}
