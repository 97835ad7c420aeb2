//! GNU and C2x syntax that the grammar lacks, spelled differently.

use super::{ELVIS, Output, TYPE_WORDS};
use crate::error::Fault;
use crate::read::token::{Kind, Tokens};

/// Other words that can only begin a declaration, among them none that can begin an expression.
const DECLARATION_WORDS: &[&str] =
    &["const", "volatile", "static", "extern", "register", "auto", "__auto_type"];

pub fn apply(tokens: &mut Tokens) -> Result<(), Fault> {
    let mut output = Output::new(tokens);
    let mut index = 0;
    while index < tokens.list.len() {
        index = step(tokens, &mut output, index)?;
    }
    tokens.list = output.list;
    Ok(())
}

/// Takes over the token at `index`, changed or not; returns the index of the next one.
fn step(tokens: &mut Tokens, output: &mut Output, index: usize) -> Result<usize, Fault> {
    let token = tokens.list[index];
    if token.kind != Kind::Word && token.kind != Kind::Punctuator {
        output.keep(tokens, index);
        return Ok(index + 1);
    }
    match tokens.text(token) {
        "_Alignof" if tokens.at(index + 1) == "(" => return Ok(alignof(tokens, output, index)),
        "sizeof" => sizeof(tokens, output, index),
        "__builtin_types_compatible_p" => types_compatible(tokens, output, index),
        "_Static_assert" => static_assert(tokens, output, index),
        "?" if tokens.at(index + 1) == ":" => {
            output.keep(tokens, index);
            output.add(tokens, token, ELVIS);
        }
        ":" if needs_statement(tokens, index + 1) => {
            output.keep(tokens, index);
            output.add(tokens, token, ";");
        }
        "{" if is_empty_literal(tokens, index) => {
            output.keep(tokens, index);
            output.add(tokens, token, "0");
        }
        "goto" if tokens.at(index + 1) == "*" => {
            return computed_goto(tokens, output, index);
        }
        "&&" if !ends_operand(tokens, output) => {
            if tokens.list.get(index + 1).is_none_or(|label| label.kind != Kind::Word) {
                return Err(Fault::syntax(token.position, "a label is needed after `&&`"));
            }
            output.add(tokens, token, "__builtin_wedge_label (");
            output.add_after(index + 1, ")");
        }
        _ => output.keep(tokens, index),
    }
    Ok(index + 1)
}

/// `goto *pointer;` becomes a call of `__builtin_wedge_goto`.
fn computed_goto(tokens: &mut Tokens, output: &mut Output, index: usize) -> Result<usize, Fault> {
    let token = tokens.list[index];
    let mut end = index + 2;
    while end < tokens.list.len() && tokens.at(end) != ";" {
        let opens = matches!(tokens.at(end), "(" | "[" | "{");
        end = opens.then(|| tokens.closing(end)).flatten().unwrap_or(end) + 1;
    }
    if end >= tokens.list.len() || end == index + 2 {
        return Err(Fault::syntax(token.position, "a pointer is needed after `goto *`"));
    }
    output.add(tokens, token, "__builtin_wedge_goto (");
    output.add_after(end - 1, ")");
    Ok(index + 2)
}

/// Whether an empty list follows a type in parentheses: `(struct s){}`, which C11 does not know. The
/// first element may as well be said to be 0.
fn is_empty_literal(tokens: &Tokens, brace: usize) -> bool {
    if brace == 0 || tokens.at(brace - 1) != ")" || tokens.at(brace + 1) != "}" {
        return false;
    }
    let mut depth = 0usize;
    for at in (0..brace).rev() {
        match tokens.at(at) {
            ")" => depth += 1,
            "(" if depth == 1 => {
                let before = at.checked_sub(1).map_or("", |before| tokens.at(before));
                return matches!(before, "=" | "(" | "," | "return" | "?" | ":" | "[");
            }
            "(" => depth -= 1,
            _ => {}
        }
    }
    false
}

/// `_Alignof(x)` also takes expressions in GNU C; `typeof` takes both as well.
fn alignof(tokens: &mut Tokens, output: &mut Output, index: usize) -> usize {
    let closing = tokens.closing(index + 1);
    output.keep(tokens, index);
    output.keep(tokens, index + 1);
    if let Some(closing) = closing {
        output.add(tokens, tokens.list[index], "__typeof (");
        output.add_after(closing, ")");
    }
    index + 2
}

/// `sizeof (type){…}` measures a compound literal, which the grammar wants in parentheses.
fn sizeof(tokens: &mut Tokens, output: &mut Output, index: usize) {
    output.keep(tokens, index);
    let type_end = (tokens.at(index + 1) == "(").then(|| tokens.closing(index + 1)).flatten();
    let brace = type_end.map(|end| end + 1).filter(|&at| tokens.at(at) == "{");
    if let Some(end) = brace.and_then(|at| tokens.closing(at)) {
        output.add(tokens, tokens.list[index], "(");
        output.add_after(end, ")");
    }
}

/// The operands are types; `sizeof` makes expressions of them, which the typing unwraps again.
fn types_compatible(tokens: &mut Tokens, output: &mut Output, index: usize) {
    output.keep(tokens, index);
    let Some(end) = (tokens.at(index + 1) == "(").then(|| tokens.closing(index + 1)).flatten()
    else {
        return;
    };
    let Some(comma) = top_level_comma(tokens, index + 2, end) else { return };
    output.add_after(index + 1, "sizeof ( __typeof (");
    output.add_after(comma - 1, ") )");
    output.add_after(comma, "sizeof ( __typeof (");
    output.add_after(end - 1, ") )");
}

/// C2x allows a static assertion without a message.
fn static_assert(tokens: &mut Tokens, output: &mut Output, index: usize) {
    output.keep(tokens, index);
    let end = (tokens.at(index + 1) == "(").then(|| tokens.closing(index + 1)).flatten();
    if let Some(end) = end.filter(|&end| top_level_comma(tokens, index + 2, end).is_none()) {
        output.add_after(end - 1, ", \"\"");
    }
}

fn top_level_comma(tokens: &Tokens, from: usize, end: usize) -> Option<usize> {
    let mut index = from;
    while index < end {
        match tokens.at(index) {
            "," => return Some(index),
            "(" | "[" | "{" => index = tokens.closing(index)?,
            _ => {}
        }
        index += 1;
    }
    None
}

/// After a label: a declaration or the end of the block, where C11 asks for a statement.
fn needs_statement(tokens: &Tokens, next: usize) -> bool {
    let is_word = |at: usize| tokens.list.get(at).is_some_and(|t| t.kind == Kind::Word);
    let text = tokens.at(next);
    text == "}"
        || is_word(next) && (TYPE_WORDS.contains(&text) || DECLARATION_WORDS.contains(&text))
        || is_word(next) && is_word(next + 1) && !is_statement_word(text)
}

/// Words that may be followed by another word in a statement or expression.
fn is_statement_word(text: &str) -> bool {
    matches!(text, "goto" | "return" | "case" | "sizeof" | "do" | "else" | "_Alignof")
}

/// Whether the last token of the output ends an operand, so that `&&` is a binary operator.
fn ends_operand(tokens: &Tokens, output: &Output) -> bool {
    output.list.last().is_some_and(|&last| match last.kind {
        Kind::Punctuator => matches!(tokens.text(last), ")" | "]" | "}" | "++" | "--"),
        Kind::Word => tokens.text(last) != "return",
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use crate::read::rewrite::tests::{check, rewritten};

    #[test]
    fn spellings() {
        check(
            "int a = x ?: y; => int a = x ? __wedge_elvis : y ;
             int a = __alignof__(x + (1)); => int a = _Alignof ( __typeof ( x + ( 1 ) ) ) ;
             int a = sizeof (int[]){1, 2}; => int a = sizeof ( ( int [ ] ) { 1 , 2 } ) ;
             int a = sizeof(int); => int a = sizeof ( int ) ;
             _Static_assert(sizeof(int) == 4); => _Static_assert ( sizeof ( int ) == 4 , \"\" ) ;
             _Static_assert(f(1, 2), \"m\"); => _Static_assert ( f ( 1 , 2 ) , \"m\" ) ;",
        );
        check(
            "int a = __builtin_types_compatible_p(int, T *); => int a = __builtin_types_compatible_p ( sizeof ( __typeof ( int ) ) , sizeof ( __typeof ( T * ) ) ) ;",
        );
    }

    #[test]
    fn labels_before_declarations_and_ends() {
        check(
            "void f(void) { l: } => void f ( void ) { l : ; }
             void f(void) { l: int x; } => void f ( void ) { l : ; int x ; }
             void f(void) { l: T x; } => void f ( void ) { l : ; T x ; }
             void f(void) { l: goto l; } => void f ( void ) { l : goto l ; }",
        );
    }

    #[test]
    fn labels_as_values() {
        check(
            "void f(void) { goto *p[i]; } => void f ( void ) { __builtin_wedge_goto ( p [ i ] ) ; }
             void *p = &&l; => void * p = __builtin_wedge_label ( l ) ;",
        );
        assert!(rewritten("void f(void) { goto *; }").is_err());
        assert!(rewritten("int f(void) { return a && b || (c) && d[1] && e++ && 1; }").is_ok());
    }
}
