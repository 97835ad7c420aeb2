//! Every kind of broken file, with the message it gets.

use wedge_hw::btor2::{ErrorKind, parse};

const PRELUDE: &str = "1 sort bitvec 8\n2 sort bitvec 1\n3 sort array 1 1\n4 state 1 s\n\
    5 input 2 i\n6 state 3 m\n7 zero 1\n8 bad 5\n";

/// The message for a line appended to the prelude, without the place.
fn cause(line: &str) -> String {
    let text = format!("{PRELUDE}{line}\n");
    let error = parse("m.btor2", text.as_bytes()).map(|_| ()).expect_err(line);
    let message = error.to_string();
    assert!(message.starts_with("m.btor2:9: "), "{message}");
    message["m.btor2:9: ".len()..].to_string()
}

#[test]
fn malformed_lines() {
    for (line, expected) in [
        ("x", "'x' is no line id"),
        ("-9 not 1 4", "'-9' is no line id"),
        ("0 not 1 4", "the id 0 is not allowed"),
        ("4 not 1 4", "the id 4 is already defined"),
        ("99999999999999999999 not 1 4", "'99999999999999999999' is no line id"),
        ("9", "operator is missing"),
        ("9 frobnicate 1 4", "'frobnicate' is no operator of BTOR2"),
        ("9 not", "sort id is missing"),
        ("9 not 1", "operand id is missing"),
        ("9 add 1 4", "operand id is missing"),
        ("9 add 1 4 7 name rest", "unexpected 'rest'"),
        ("9 not 1 x", "'x' is no operand id"),
        ("9 not 1 77", "the operand 77 is undefined"),
        ("9 not 1 9", "the operand 9 is undefined"),
        ("9 not 77 4", "the sort 77 is undefined"),
        ("9 not 4 4", "the id 4 is no sort"),
        ("9 not 1 1", "the id 1 is no value"),
        ("9 not 1 8", "the id 8 is no value"),
        ("9 not 1 --4", "'--4' is no operand id"),
        ("9 slice 1 4 7", "lower bit is missing"),
        ("9 slice 2 4 8 8", "bits 8 down to 8 of an operand of width 8"),
        ("9 slice 2 4 3 4", "bits 3 down to 4 of an operand of width 8"),
        ("9 slice 2 4 -1 0", "'-1' is no upper bit"),
        ("9 sort", "sort is missing"),
        ("9 sort string 8", "'string' is no sort"),
        ("9 sort bitvec", "width is missing"),
        ("9 sort bitvec 0", "a bit-vector has at least one bit"),
        ("9 sort bitvec 1 extra word", "unexpected 'word'"),
        ("9 sort array 1", "sort id is missing"),
    ] {
        assert_eq!(cause(line), expected, "{line}");
    }
}

#[test]
fn wrong_sorts() {
    let byte = "an operand of sort 'bitvec 8'";
    for (line, expected) in [
        ("9 add 1 4 5", format!("{byte} wanted, one of sort 'bitvec 1' given")),
        ("9 add 2 4 4", "add gives a 'bitvec 8', but 'bitvec 1' is declared".into()),
        ("9 eq 1 4 4", "eq gives a 'bitvec 1', but 'bitvec 8' is declared".into()),
        ("9 eq 2 4 6", format!("{byte} wanted, one of sort 'array 8 8' given")),
        ("9 not 3 6", "a bit-vector wanted, an operand of sort 'array 8 8' given".into()),
        ("9 read 1 4 4", "an array wanted, an operand of sort 'bitvec 8' given".into()),
        ("9 read 1 6 5", format!("{byte} wanted, one of sort 'bitvec 1' given")),
        ("9 uext 1 5 6", "uext gives a 'bitvec 7', but 'bitvec 8' is declared".into()),
        ("9 bad 4", "an operand of sort 'bitvec 1' wanted, one of sort 'bitvec 8' given".into()),
        (
            "9 constraint 6",
            "an operand of sort 'bitvec 1' wanted, one of sort 'array 8 8' given".into(),
        ),
        ("9 bad -6", "a bit-vector wanted, an operand of sort 'array 8 8' given".into()),
        (
            "9 implies 2 5 4",
            "an operand of sort 'bitvec 1' wanted, one of sort 'bitvec 8' given".into(),
        ),
        ("9 zero 3", "a constant must be a bit-vector, not an array".into()),
    ] {
        assert_eq!(cause(line), expected, "{line}");
    }
}

#[test]
fn wrong_states() {
    for (line, expected) in [
        ("9 next 1 5 7", "next: the id 5 is no state"),
        ("9 init 1 -4 7", "'-4' is no state id"),
        ("9 init 1 7 4", "init: the id 7 is no state"),
        ("9 init 1 77 4", "init: the id 77 is no state"),
        ("9 next 2 4 7", "an operand of sort 'bitvec 1' wanted, one of sort 'bitvec 8' given"),
        ("9 next 1 4 5", "an operand of sort 'bitvec 8' wanted, one of sort 'bitvec 1' given"),
        ("9 next 3 6 7", "an operand of sort 'array 8 8' wanted, one of sort 'bitvec 8' given"),
        ("9 init 1 4 4", "the initial value of 's' depends on itself"),
    ] {
        assert_eq!(cause(line), expected, "{line}");
    }
    let twice = |what: &str| format!("{PRELUDE}9 {what} 1 4 7\n10 {what} 1 4 7\n");
    for what in ["init", "next"] {
        let error = parse("m", twice(what).as_bytes()).map(|_| ()).expect_err("twice");
        assert_eq!(error.to_string(), format!("m:10: the state 4 has a second {what}"));
    }
}

#[test]
fn wrong_constants() {
    for (line, expected) in [
        ("9 const 1 101", "8 digits wanted, 3 given"),
        ("9 const 1 10101012", "'2' is no digit"),
        ("9 const 1 -0101010", "only decimal constants can be negative"),
        ("9 constd 1 256", "the number does not fit into 8 bits"),
        ("9 constd 1 -129", "the number does not fit into 8 bits"),
        ("9 constd 1 1e3", "'e' is no digit"),
        ("9 consth 1 100", "the number does not fit into 8 bits"),
        ("9 consth 1 -1", "only decimal constants can be negative"),
        ("9 constd 1", "number is missing"),
        ("9 justice", "number of conditions is missing"),
        ("9 justice 1", "operand id is missing"),
    ] {
        assert_eq!(cause(line), expected, "{line}");
    }
}

#[test]
fn what_is_legal_but_not_supported() {
    for (line, expected) in [
        ("9 sort bitvec 4000000000", "width 4000000000 is above the limit of 65536"),
        ("9 sort bitvec 2147483648", "width 2147483648 is above the limit of 65536"),
        (
            "9 sort bitvec 9000000000000000000",
            "width 9000000000000000000 is above the limit of 65536",
        ),
        ("9 sort array 3 1", "an array index must be a bit-vector, not an array"),
        ("9 sort array 1 3", "an array element must be a bit-vector, not an array"),
        ("9 uext 1 4 4294967295", "a bit-vector of width 4294967303; at most 65536 is supported"),
    ] {
        assert_eq!(cause(line), expected, "{line}");
        let text = format!("{PRELUDE}{line}\n");
        let kind = parse("m", text.as_bytes()).map(|_| ()).map_err(|e| e.kind);
        assert_eq!(kind, Err(ErrorKind::Unsupported), "{line}");
    }
}

#[test]
fn bytes_that_are_no_text() {
    let error = parse("m", b"1 sort bitvec 1\n2 \xff\xfe 1\n").map(|_| ()).expect_err("no text");
    assert_eq!(error.to_string(), "m:2: '\u{fffd}\u{fffd}' is no operator of BTOR2");
    let long = [b"1 ".as_slice(), &[b'x'; 10_000]].concat();
    let error = parse("m", &long).map(|_| ()).expect_err("no operator");
    assert!(error.to_string().len() < 100, "{error}");
    assert!(parse("m", b"1 sort bitvec 1\n2 input 1 \xff\n").is_ok(), "symbols are free");
}

/// Folding constants must not let a short file fill the memory.
#[test]
fn constants_have_a_budget() {
    let mut text = String::from("1 sort bitvec 65536\n2 one 1\n3 constd 1 -2\n");
    for id in 4..40_000 {
        text.push_str(&format!("{id} add 1 {} 3\n", id - 1));
    }
    let error = parse("m", text.as_bytes()).map(|_| ()).expect_err("two gigabits of constants");
    assert!(error.to_string().ends_with("the constants have more than 2^28 bits"), "{error}");
}

/// Operators that expand must not let a short file fill the memory either.
#[test]
fn expanding_operators_stay_small() {
    let mut text = String::from("1 sort bitvec 65535\n2 input 1\n3 input 1\n4 sort bitvec 1\n");
    for id in 5..1000 {
        let (op, sort) = [("rol", 1), ("ror", 1), ("redxor", 4), ("smod", 1)][id % 4];
        let args = if op == "redxor" { "2" } else { "2 3" };
        text.push_str(&format!("{id} {op} {sort} {args}\n"));
    }
    let system = parse("m", text.as_bytes()).expect("a valid model");
    assert!(system.terms.len() < 1000, "{}", system.terms.len());
}
