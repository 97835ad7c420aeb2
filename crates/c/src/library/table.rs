//! What is known of every function of the standard library and POSIX, as a page of documentation.

use super::standard::all;
use super::{FunctionModel, model};
use std::fmt::Write;

const HEAD: &str = "# Library functions

What becomes of a call of a function of the C standard library, of POSIX or of glibc that a program does
not define. This page is made from the tables of the program; a test compares them.

- *modelled*: the encoding and the interpreter have models of their own, which are tested against
  each other and against the system's library.
- *program*: the encoding uses a program in C (`crates/c/src/library/*.c`), the interpreter a
  function of its own. Input is arbitrary, of the right shape, and ends where it likes; a read fails
  only at the end of the input. A line of `getline` and a text of `getenv` have at most 1,048,576
  bytes. The end stays where it is and follows a line that `fgets` or `getline` gives without its end;
  proofs use that between functions that name a stream, and between those that name none, as `getchar`.
  What `ungetc` puts back comes next, and no digit follows a number that `scanf` has read: proofs do not
  use these two, counterexamples agree with them.
- *from a to b*: nothing that the program can see, and an arbitrary result between these numbers.
- *by format*: a call with a literal format has a program of its own, made from the format
  (`crates/c/src/library/formats`). A function that passes a parameter on as a format has a version for
  each literal that it is called with. Refused are other formats, and `%p`, `%a`, wide characters,
  positions (`%2$d`), `%m`; in reading from files `%n` and several characters (`%5c`). Numbers with a
  fraction are printed as any text that looks like one; counterexamples are followed with the right
  text. From files comes any input of the right shape: any number of conversions succeeds, with any
  values.
- *prints*: nothing that the program can see. If the result is used, or the format has `%n`, *by
  format*: the result is -1 or the number of characters; with a format that is not understood it
  is arbitrary, and `%n` is refused.
- *range*: an arbitrary result that agrees with the range and the special values of the function.
- *refused*: what follows a call is not followed. Where one can be reached, the answer is
  `UNKNOWN(unsupported: NAME at FILE:LINE)`.

A return from `main` and `exit` call what `atexit` and `on_exit` have registered (refused with
`valid-memtrack`). Signals come from `raise` and `abort` only. Where a function gives -1 or a null
pointer because it has failed, `errno` may have got a value from 1 to 133, if the program has
`errno`. After a domain, pole or range error of a mathematical function `errno` may be `EDOM` or
`ERANGE`, and need not; functions that give integers leave it alone, but for `ilogb`. What `fopen`,
`getenv` and `strerror` give belongs to the library: it is no leak, and must not be freed.

`argc` is not negative, `argv` has `argc` texts and then a null pointer; the texts are arbitrary. If the
program writes to memory that it has from outside, proofs do not use that shape.

Allocation succeeds, unless `--malloc-may-fail`: then each call may give a null pointer and set `errno`
to `ENOMEM`; the address of an allocating function is refused. Order-dependent effects of a comparison that `qsort` or `bsearch` calls are
those of an insertion sort and of a binary search. Characters are those of the C locale; a multibyte or
wide character beyond ASCII that is converted is refused. Of results such as those of `strcmp` and `isdigit`
C promises the sign, or whether they are zero; what else a program makes of them is arbitrary.
Functions with `*` exist for `float` and `long double` as well.

A function that is in no list and has no body gives an arbitrary result and has no effect; a line on
standard error names it. With `--undefined-functions havoc` it may also change global variables that are
not `const`, what its arguments and those of earlier calls point to, and what pointers in there lead
to; it calls no function of the program and frees nothing. With `refuse` it is refused. A function
that has the name of a refused one and another declaration (a `swprintf` without a size) is one that
is in no list.
`__VERIFIER_nondet_memory` writes arbitrary bytes; other names that begin with `__VERIFIER_nondet`
and are not among those of SV-COMP are refused, unless they give a record. The outputs of an `asm`
statement become arbitrary, and its operands in memory if it clobbers memory; it is taken to have no
other effect.

| header | function | how |
| --- | --- | --- |
";

/// The page.
pub fn table() -> String {
    let mut page = String::from(HEAD);
    let mut names: Vec<(&str, &str)> = all().collect();
    names.sort_unstable();
    for (header, name) in names {
        let bare = name.trim_end_matches('*');
        let name = name.replace('*', "\\*");
        let _ = writeln!(page, "| `<{header}>` | `{name}` | {} |", how(bare));
    }
    page
}

fn how(name: &str) -> String {
    match model(name) {
        None | Some(FunctionModel::Unsupported) if name == "__errno_location" => {
            "modelled".to_string()
        }
        None | Some(FunctionModel::Unsupported) => "refused".to_string(),
        Some(FunctionModel::Program) => "program".to_string(),
        Some(FunctionModel::Print) => "prints".to_string(),
        Some(FunctionModel::Formatted) => "by format".to_string(),
        Some(FunctionModel::Open(low, high)) => format!("from {low} to {high}"),
        Some(FunctionModel::Approximate(_)) => "range".to_string(),
        Some(_) => "modelled".to_string(),
    }
}
