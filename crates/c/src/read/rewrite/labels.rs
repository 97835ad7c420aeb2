//! Local labels (`__label__ retry;`, gcc manual): made unique, since other labels belong to the
//! whole function.

use crate::read::token::{Kind, Tokens};

pub fn apply(tokens: &mut Tokens) {
    let mut count = 0;
    while let Some(keyword) = declaration(tokens) {
        let Some(end) = (keyword..tokens.list.len()).find(|&i| tokens.at(i) == ";") else { return };
        let names: Vec<String> = (keyword + 1..end)
            .filter(|&i| tokens.list[i].kind == Kind::Word)
            .map(|i| tokens.at(i).to_string())
            .collect();
        let close = block_end(tokens, end);
        for name in names {
            count += 1;
            rename(tokens, end + 1..close, &name, &format!("{name}__local{count}"));
        }
        tokens.list.drain(keyword..=end);
    }
}

/// The last declaration comes first, so that inner blocks are renamed before outer ones.
fn declaration(tokens: &Tokens) -> Option<usize> {
    (0..tokens.list.len()).rev().find(|&i| tokens.at(i) == "__label__")
}

/// The index of the brace that closes the block around `from`.
fn block_end(tokens: &Tokens, from: usize) -> usize {
    let mut depth = 0;
    for index in from..tokens.list.len() {
        match tokens.at(index) {
            "{" => depth += 1,
            "}" if depth == 0 => return index,
            "}" => depth -= 1,
            _ => {}
        }
    }
    tokens.list.len()
}

fn rename(tokens: &mut Tokens, range: std::ops::Range<usize>, old: &str, new: &str) {
    for index in range {
        let is_label = tokens.at(index) == old
            && tokens.list[index].kind == Kind::Word
            && (tokens.at(index + 1) == ":"
                || tokens.at(index - 1) == "goto"
                || tokens.at(index - 1) == "&&" && is_address(tokens, index - 1));
        if is_label {
            let token = tokens.replace(tokens.list[index], new);
            tokens.list[index] = token;
        }
    }
}

/// Whether `&&` takes the address of a label rather than joining two operands.
fn is_address(tokens: &Tokens, index: usize) -> bool {
    let Some(before) = index.checked_sub(1).and_then(|at| tokens.list.get(at)) else { return true };
    before.kind == Kind::Punctuator && !matches!(tokens.text(*before), ")" | "]" | "}")
}

#[cfg(test)]
mod tests {
    use crate::read::rewrite::tests::check;

    #[test]
    fn renaming_stays_in_the_block() {
        check(
            "void f(void) { { __label__ a; a: goto a; } a: goto a; } => void f ( void ) { { a__local1 : goto a__local1 ; } a : goto a ; }",
        );
    }
}
