//! Every way a file can be wrong, with the one message it earns.

use std::path::Path;
use wedge_hw::aiger::{ErrorKind, parse, read};

fn message(bytes: &[u8]) -> String {
    parse(bytes, "m").expect_err("the file is wrong").to_string()
}

fn check(cases: &[(&str, &str)]) {
    for (file, expected) in cases {
        assert_eq!(message(file.as_bytes()), *expected, "for {file:?}");
    }
}

#[test]
fn headers() {
    check(&[
        ("", "m:1: the file is empty"),
        ("aa", "m:1: neither 'aag' nor 'aig' at the start"),
        ("\nag 0 0 0 0 0\n", "m:1: neither 'aag' nor 'aig' at the start"),
        ("aag \n", "m:1: expected the header's number M, but the line ends"),
        ("aag 1 1 0 1\n", "m:1: expected the header's number A, but the line ends"),
        ("aag 1 1 0 x 0\n", "m:1: expected the header's number O, found 'x'"),
        ("aag 1 1 0 -1 0\n", "m:1: expected the header's number O, found '-'"),
        ("aag 0 0 0 0 0 1 0 0 0 0\n", "m:1: expected the end of the line, found '0'"),
        ("aag 0 0 0 0 0 1", "m:1: expected the end of the line, but the file ends"),
        ("aag 99999999999999999999 0 0 0 0\n", "m:1: the header's number M is out of range"),
        ("aag 9999999999999999999 0 0 0 0\n", "m:1: the header's number M is out of range"),
        ("aag 1 1 1 0 0 1\n", "m:1: M is 1 but should be at least I+L+A = 2"),
        ("aig 3 1 1 0 0 1\n", "m: byte 0: M is 3 but should be exactly I+L+A = 2"),
        (
            "aag 0 0 0 0 0\n",
            "m:1: no property: the file has neither bad states nor outputs nor justice properties",
        ),
    ]);
}

#[test]
fn justice_and_fairness_are_read_and_written() {
    let text = "aag 3 1 2 1 0 1 0 2 1\n2\n4 2\n6 4\n6\n4\n2\n1\n4\n7\n3\n5\nj1 last\nf0 fair\n";
    let model = parse(text.as_bytes(), "m").unwrap();
    let sizes: Vec<usize> = model.justice.iter().map(|justice| justice.lits.len()).collect();
    assert_eq!((sizes, model.fairness.len(), model.properties().len()), (vec![2, 1], 1, 1));
    assert_eq!(model.to_ascii(), text.as_bytes());
    let binary = parse(&model.to_binary(), "m").unwrap();
    assert_eq!(binary.to_ascii(), text.as_bytes());
    // An output is no property of a file with justice properties.
    let only = parse(b"aag 1 1 0 1 0 0 0 1\n2\n2\n1\n2\n", "m").unwrap();
    assert!(only.properties().is_empty());
    let long = parse(b"aag 1 1 0 0 0 0 0 1\n2\n9\n2\n", "m").unwrap_err();
    let cause = "m:3: a justice property has more literals than the file has room for";
    assert_eq!(long.to_string(), cause);
}

#[test]
fn promises_that_the_file_cannot_keep() {
    let room = "than the file has room for";
    check(&[
        (
            "aig 2000000000 0 0 1 2000000000\n0\n",
            &format!("m: byte 0: the header promises more and-gates {room}"),
        ),
        (
            "aig 2000000000 0 2000000000 1 0\n0\n",
            &format!("m: byte 0: the header promises more latches {room}"),
        ),
        (
            "aig 0 0 0 18446744073709551615 0\n0\n",
            &format!("m: byte 0: the header promises more outputs {room}"),
        ),
        (
            "aag 2000000000 2000000000 0 1 0\n0\n",
            &format!("m:1: the header promises more inputs {room}"),
        ),
        (
            "aig 2000000000 2000000000 0 1 0\n0\n",
            &format!("m: byte 0: the header promises more inputs {room}"),
        ),
        (
            "aig 9000000000 0 0 1 9000000000\n0\n",
            "m: byte 0: more than 2147483632 variables are not supported",
        ),
    ]);
}

#[test]
fn ascii_bodies() {
    check(&[
        ("aag 1 1 0 1 0\n2\n2", "m:3: expected the end of the line, but the file ends"),
        ("aag 1 1 0 1 0\n2\n\n\n", "m:3: expected an output literal, but the line ends"),
        ("aag 1 1 0 1 0\n2 3\n2\n", "m:2: expected the end of the line, found '3'"),
        ("aag 1 1 0 1 0\n2\n4\n", "m:3: an output literal is 4, above 2M+1 = 3"),
        ("aag 2 1 0 1 0\n2\n4\n", "m:3: literal 4 is undefined"),
        ("aag 1 1 0 1 0\n3\n2\n", "m:2: literal 3 is negated and cannot be defined"),
        ("aag 1 1 0 1 0\n0\n2\n", "m:2: literal 0 is a constant and cannot be defined"),
        ("aag 2 2 0 1 0\n2\n2\n2\n", "m:3: literal 2 is defined twice"),
        ("aag 2 1 1 1 0\n2\n2 2\n2\n", "m:3: literal 2 is defined twice"),
        ("aag 2 1 0 1 1\n2\n2\n2 2 2\n", "m:4: literal 2 is defined twice"),
        (
            "aag 1 0 1 1 0\n2\n2\n\n\n",
            "m:2: expected a blank and the latch's next literal, but the line ends",
        ),
        ("aag 3 0 1 1 0\n2 4\n2\n", "m:2: literal 4 is undefined"),
        ("aag 3 0 1 1 0\n2 2 4\n2\n", "m:2: literal 4 is undefined"),
        ("aag 1 0 1 1 0\n2 2 2 2\n2\n", "m:2: expected the end of the line, found '2'"),
        ("aag 3 1 0 1 1\n2\n2\n4 2 6\n", "m:4: literal 6 is undefined"),
        ("aag 2 1 0 1 1\n2\n2\n4 2 4\n", "m:4: combinational cycle through variable 2"),
        ("aag 3 1 0 1 2\n2\n2\n4 2 6\n6 5 2\n", "m:4: combinational cycle through variable 2"),
        (
            "aag 2 1 0 1 1\n2\n2\n4 2\n\n",
            "m:4: expected a blank and the gate's second literal, but the line ends",
        ),
        ("aag 1 1 0 1 0\n2\n2\nnoise\n", "m:4: expected a symbol or a comment, found 'n'"),
        ("aag 1 1 0 1 0\n2\n2\n\x07\n", "m:4: expected a symbol or a comment, found byte 0x07"),
    ]);
}

#[test]
fn resets() {
    check(&[
        ("aag 1 0 1 1 0\n2 2 3\n2\n", "m:2: the reset of latch 2 depends on itself"),
        ("aag 2 0 2 1 0\n2 2 4\n4 4 3\n2\n", "m:3: the reset of latch 4 depends on itself"),
        ("aag 3 1 1 1 1\n2\n4 2 6\n2\n6 2 4\n", "m:3: the reset of latch 4 depends on itself"),
    ]);
}

#[test]
fn symbols() {
    let model = "aag 2 1 1 1 0\n2\n4 2\n2\n";
    for (symbols, expected) in [
        ("i1 x\n", "m:5: symbol i1 names nothing"),
        ("b0 x\n", "m:5: symbol b0 names nothing"),
        ("j0 x\n", "m:5: symbol j0 names nothing"),
        ("i0 x\ni0 y\n", "m:6: symbol i0 occurs twice"),
        ("i0\n", "m:5: expected a blank and the symbol's name, but the line ends"),
        ("ix y\n", "m:5: expected a symbol's position, found 'x'"),
        ("i0 cut", "m:5: the file ends in the middle of a line"),
        ("c x\n", "m:5: expected a symbol's position, found ' '"),
    ] {
        assert_eq!(message(format!("{model}{symbols}").as_bytes()), expected);
    }
}

#[test]
fn binary_bodies() {
    let file = |gates: &[u8]| [b"aig 3 2 0 1 1\n6\n", gates].concat();
    for (gates, expected) in [
        (&b"\x02"[..], "m: byte 17: the file ends inside and-gate 6"),
        (b"\x02\x82", "m: byte 18: the file ends inside and-gate 6"),
        (b"\x00\x02", "m: byte 16: and-gate 6: its first difference is 0, so it depends on itself"),
        (b"\x07\x00", "m: byte 16: and-gate 6: its first literal is negative"),
        (b"\x02\x05", "m: byte 16: and-gate 6: its second literal is negative"),
        (
            b"\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            "m: byte 17: and-gate 6: a difference is out of range",
        ),
        (b"\x02\x02x", "m: byte 18: expected a symbol or a comment, found 'x'"),
    ] {
        assert_eq!(message(&file(gates)), expected);
    }
    assert!(parse(&file(b"\x02\x02"), "m").is_ok());
    assert_eq!(
        message(b"aig 1 0 1 1 0\n2 0 1\n2\n"),
        "m: byte 18: expected the end of the line, found '1'"
    );
    assert_eq!(
        message(b"aig 1 0 1 1 0\n5\n2\n"),
        "m: byte 14: the latch's next literal is 5, above 2M+1 = 3"
    );
}

#[test]
fn paths_that_are_no_model() {
    for (path, kind) in [
        ("no/such/file.aig", ErrorKind::Unreadable),
        (env!("CARGO_MANIFEST_DIR"), ErrorKind::Unreadable),
        (concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"), ErrorKind::Malformed),
    ] {
        let error = read(Path::new(path)).unwrap_err();
        assert_eq!(error.kind, kind);
        assert!(error.to_string().starts_with(path), "{error}");
    }
}

/// Reading must look at the start of an endless file before it asks for the rest.
#[cfg(unix)]
#[test]
fn an_endless_device_is_refused() {
    let error = read(Path::new("/dev/zero")).unwrap_err();
    assert_eq!(error.to_string(), "/dev/zero:1: neither 'aag' nor 'aig' at the start");
}

#[test]
fn windows_line_ends_and_spare_blanks_are_read() {
    let model =
        parse(b"aag 1 0 1 1 0\r\n2  3 1 \r\n3\r\nl0 a name\r\nc\r\nhello\r\n", "m").unwrap();
    assert_eq!(model.latches[0].name.as_deref(), Some("a name"));
    assert_eq!(model.comments, ["hello"]);
}

/// The chain is deep enough to overflow the stack of a recursive reader.
#[test]
fn long_chains_in_the_worst_order() {
    let gates = 200_000u64;
    let mut text = format!("aag {} 2 0 1 {gates}\n2\n4\n{}\n", gates + 2, 2 * (gates + 2));
    for gate in (3..gates + 3).rev() {
        text += &format!("{} {} {}\n", 2 * gate, 2 * gate - 1, 2 * gate - 4);
    }
    let model = parse(text.as_bytes(), "chain").unwrap();
    let (mut before, mut last) = (0b0011, 0b0101);
    for _ in 0..gates {
        (before, last) = (last, !last & before);
    }
    let words = model.aig.simulate(&[0b0011, 0b0101]);
    assert_eq!(wedge_logic::aig::word(&words, model.outputs[0].lit), last);
}
