//! No input makes the front end panic, hang or exhaust its stack.

use proptest::prelude::*;
use wedge_c::Properties;
use wedge_c::interp::{Inputs, Limits, run};
use wedge_c::{DataModel, Error, load_text, typed};

/// Pieces from which nonsense is made.
const PIECES: &[&str] = &[
    "int",
    "x",
    "y",
    "f",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "=",
    "+",
    "-",
    "1",
    "0",
    "\"s\"",
    "'c'",
    "struct",
    "s",
    "union",
    "enum",
    "typedef",
    "T",
    "if",
    "else",
    "while",
    "for",
    "do",
    "switch",
    "case",
    "default",
    ":",
    "?",
    "return",
    "goto",
    "break",
    "continue",
    "sizeof",
    "typeof",
    "static",
    "extern",
    "const",
    "unsigned",
    "long",
    "char",
    "void",
    "float",
    "...",
    "->",
    ".",
    "++",
    "&&",
    "||",
    "!",
    "<<",
    "==",
    "__attribute__((packed))",
    "asm",
    "__builtin_va_arg",
    "_Generic",
    "__label__",
    "1.5f",
    "0x1p3",
    "__int128",
    "({",
    "})",
    "_Static_assert",
    "#",
    "\n",
    "__builtin_expect",
    "_Alignof",
    "__extension__",
    "register",
    "_Bool",
    "short",
    "inline",
];

/// A program whose tokens get disturbed.
const VALID: &str = "struct s { int a : 3 ; char b [ 4 ] ; struct s * n ; } g = { 1 , \"ab\" } ; \
    typedef unsigned long T ; enum e { A , B = 5 } ; static int f ( int x , T y ) { \
    int a [ x + 1 ] , * p = a ; for ( int i = 0 ; i < x ; i ++ ) { a [ i ] = i ? * p : 2 ; if ( a [ i ] > 3 ) break ; } \
    switch ( x ) { case 1 ... 3 : x ++ ; default : goto end ; } do { x -- ; } while ( x > 0 && f ( 0 , 1 ) ) ; \
    end : return ( { struct s t = g ; t . a + sizeof t ; } ) + ( x ?: 4 ) ; } \
    int main ( void ) { struct s * q = & g ; q -> b [ 1 ] ^= A | B ; return f ( 3 , ( T ) q ) << 2 ; }";

/// Errors are fine, unless the front end broke down.
fn check(result: Result<typed::Program, Error>, text: &str) {
    match result {
        Err(error) => assert!(!error.to_string().contains("internal error"), "{error}\n{text}"),
        Ok(program) => {
            typed::check(&program).unwrap_or_else(|what| panic!("{what}\n{text}"));
            let limits = Limits { steps: 10_000, ..Limits::default() };
            run(&program, &Properties::default(), &mut Inputs::default(), limits);
        }
    }
}

fn try_text(text: &str) {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        check(load_text(text, "t.c", model), text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nonsense(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        try_text(&pieces.join(" "));
    }

    #[test]
    fn disturbed_programs(changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(PIECES), 0..4u8), 1..4)) {
        let mut tokens: Vec<&str> = VALID.split_whitespace().collect();
        for (index, piece, kind) in changes {
            let at = index.index(tokens.len());
            match kind {
                0 => { tokens.remove(at); }
                1 => tokens.insert(at, piece),
                2 => tokens[at] = piece,
                _ => {
                    let other = index.index(tokens.len() - 1);
                    tokens.swap(at, other);
                }
            }
        }
        try_text(&tokens.join(" "));
    }

    #[test]
    fn arbitrary_text(text in "\\PC{0,60}") {
        try_text(&text);
    }
}

/// Programs that nest as deeply as is allowed, or more.
#[test]
fn deep_nesting() {
    let shapes: &[(&str, &str, &str)] = &[
        ("int f(int x) { return ", "(", ")"),
        ("int f(int x) { return ", "-(", ")"),
        ("int f(int x) { return ", "x + (", ")"),
        ("int f(int x) { return ", "f(", ")"),
        ("int f(int x) { return ", "(int)(", ")"),
        ("int f(int x) { return ", "({ ", "; })"),
        ("int f(int x) { return ", "x ? x : ", ""),
        ("int f(int x) { return ", "x + ", ""),
        ("int f(int x) { return ", "x && f(x) || ", ""),
        ("int f(int x) { return ", "~", ""),
        ("int f(int x) { return ", "x = ", ""),
        ("int f(int x) { return ", "sizeof ", ""),
    ];
    for (start, open, close) in shapes {
        for depth in [100, 400, 5_000, 50_000] {
            let text = format!(
                "{start}{}x{}; }} int main(void) {{ return 0; }}",
                open.repeat(depth),
                close.repeat(depth)
            );
            check(load_text(&text, "t.c", DataModel::Lp64), open);
        }
    }
}

#[test]
fn deep_statements() {
    for (open, close) in [
        ("if (x) ", ""),
        ("if (x) x++; else ", ""),
        ("{", "}"),
        ("while (x) ", ""),
        ("for (;;) ", ""),
        ("switch (x) case 1: ", ""),
        ("do ", " while (x);"),
    ] {
        for depth in [100, 3_000, 9_000, 50_000] {
            let body = format!("{}x--;{}", open.repeat(depth), close.repeat(depth));
            let text = format!("int f(int x) {{ {body} return x; }}");
            check(load_text(&text, "t.c", DataModel::Lp64), open);
        }
    }
}

#[test]
fn deep_types() {
    for (open, middle, close) in [
        ("struct { ", "int x;", "} y; "),
        ("int *", " ", ""),
        ("int (", "x", ")"),
        ("int f(", "void", ")"),
        ("typeof(", "int", ") "),
        ("int x = {", "1", "}"),
    ] {
        for depth in [100, 400, 5_000] {
            let text = format!("{}{middle}{};", open.repeat(depth), close.repeat(depth));
            check(load_text(&text, "t.c", DataModel::Lp64), open);
        }
    }
}
