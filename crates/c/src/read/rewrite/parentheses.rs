//! Leaves out parentheses that change nothing.
//!
//! The parser's time grows with the depth of parentheses, and generated programs are full of them.
//! A pair around a binary expression can go if both neighbours bind less tightly than what is
//! inside. `&&` and `||` may also be regrouped, which does not change what is evaluated.

use crate::read::token::{Kind, Tokens};

/// Binds more tightly than every binary operator.
const PRIMARY: u8 = 15;
const COMMA: u8 = 1;
const CONDITIONAL: u8 = 3;

pub fn apply(tokens: &mut Tokens) {
    let mut dropped = vec![false; tokens.list.len()];
    // Open brackets, each with the weakest operator met directly inside so far.
    let mut open: Vec<(usize, u8)> = Vec::new();
    for index in 0..tokens.list.len() {
        if tokens.list[index].kind != Kind::Punctuator {
            continue;
        }
        match tokens.at(index) {
            "(" | "[" | "{" => open.push((index, PRIMARY)),
            ")" | "]" | "}" => {
                let Some((start, inside)) = open.pop() else { continue };
                if tokens.at(start) == "(" && is_redundant(tokens, start, index, inside) {
                    (dropped[start], dropped[index]) = (true, true);
                    weaken(&mut open, inside);
                }
            }
            _ => {
                if let Some(strength) = binary_strength(tokens, index) {
                    weaken(&mut open, strength);
                }
            }
        }
    }
    let mut index = 0;
    tokens.list.retain(|_| {
        index += 1;
        !dropped[index - 1]
    });
}

/// What stands directly inside the innermost open bracket binds no more tightly than `strength`.
fn weaken(open: &mut [(usize, u8)], strength: u8) {
    if let Some((_, weakest)) = open.last_mut() {
        *weakest = strength.min(*weakest);
    }
}

/// Whether the parentheses around operators of this strength can go. Parentheses around them may
/// go later: then their neighbours bind less tightly than everything inside, this included.
fn is_redundant(tokens: &Tokens, open: usize, close: usize, inside: u8) -> bool {
    if inside == PRIMARY || inside <= COMMA {
        return false;
    }
    let Some(right) = right_strength(tokens, close + 1) else { return false };
    let Some(left) = left_strength(tokens, open) else { return false };
    let regroups = inside == left && matches!(inside, 4 | 5);
    inside >= right && (inside > left || regroups)
}

/// How tightly the operator before an opening parenthesis binds; `None` if the parenthesis does
/// not begin an operand, or belongs to an attribute.
fn left_strength(tokens: &Tokens, open: usize) -> Option<u8> {
    let before = open.checked_sub(1)?;
    if tokens.list[before].kind == Kind::Word {
        return (tokens.at(before) == "return").then_some(0);
    }
    match tokens.at(before) {
        "(" => {
            let outer = before.checked_sub(1).map_or("", |at| tokens.at(at));
            (outer != "__attribute__" && outer != "asm").then_some(0)
        }
        "{" | "[" | "," | ";" => Some(COMMA),
        // Behind a closing parenthesis, which may end a cast, these could be prefix operators.
        "&" | "+" | "-" | "*" if before > 0 && tokens.at(before - 1) == ")" => None,
        _ => binary_strength(tokens, before),
    }
}

/// How tightly the operator after a closing parenthesis binds; `None` if what follows could be the
/// operand of a cast or the arguments of a call.
fn right_strength(tokens: &Tokens, after: usize) -> Option<u8> {
    match tokens.at(after) {
        ")" | ";" | "]" | "}" => Some(0),
        "," => Some(COMMA + 1),
        "?" | ":" => Some(CONDITIONAL + 1),
        "&&" | "||" | "==" | "!=" | "<" | ">" | "<=" | ">=" | "|" | "^" | "/" | "%" => {
            binary_strength(tokens, after)
        }
        _ => None,
    }
}

/// How tightly the token binds if it is a binary operator, by the table of C11 6.5.
fn binary_strength(tokens: &Tokens, index: usize) -> Option<u8> {
    if tokens.list[index].kind != Kind::Punctuator {
        return None;
    }
    let strength = match tokens.at(index) {
        "," => COMMA,
        "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" => 2,
        "?" | ":" => CONDITIONAL,
        "||" => 4,
        "&&" => 5,
        "|" => 6,
        "^" => 7,
        "&" => 8,
        "==" | "!=" => 9,
        "<" | ">" | "<=" | ">=" => 10,
        "<<" | ">>" => 11,
        "+" | "-" => 12,
        "*" | "/" | "%" => 13,
        _ => return None,
    };
    let could_be_prefix = matches!(tokens.at(index), "&" | "+" | "-" | "*");
    let follows_operand = index.checked_sub(1).is_some_and(|before| ends_operand(tokens, before));
    (!could_be_prefix || follows_operand).then_some(strength)
}

fn ends_operand(tokens: &Tokens, index: usize) -> bool {
    match tokens.list[index].kind {
        Kind::Punctuator => matches!(tokens.at(index), ")" | "]" | "++" | "--"),
        Kind::Word => tokens.at(index) != "return",
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use crate::read::rewrite::tests::check;

    #[test]
    fn redundant_pairs_go() {
        check(
            "int x = ((a == 1) && (b && (!(c == 2)))); => int x = a == 1 && b && ( ! ( c == 2 ) ) ;
             void f(void) { if (((a || b)) && ((c))) ; } => void f ( void ) { if ( ( a || b ) && ( ( c ) ) ) ; }
             int x = a * ((b + c) < d); => int x = a * ( b + c < d ) ;
             int x = (a - b) < (c * d); => int x = a - b < c * d ;
             int g(void) { return (a + b); } => int g ( void ) { return a + b ; }",
        );
    }

    #[test]
    fn others_stay() {
        for source in [
            "int x = ( a , b ) ;",
            "int x = a - ( b - c ) + ( d ) ;",
            "int x = ( a + b ) * c ;",
            "int x = - ( a + b ) ;",
            "int x = ( a = b ) + 1 ;",
            "int x = ( T ) - 1 ;",
            "int x = f ( ( a , b ) , c ) ;",
            "int x = ( a ? b : c ) ? d : e ;",
            "int x = ( { a + b ; } ) ;",
            "int * ( * p ) ( int ) ;",
            "int x = ( a & b ) == c ;",
            "int x = sizeof ( a + b ) == c ;",
            "int x = ( T ) - ( a * b ) ;",
        ] {
            check(&format!("{source} => {source}"));
        }
    }
}
