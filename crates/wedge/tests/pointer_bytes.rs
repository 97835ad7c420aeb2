//! Bytes of pointers: arbitrary where they are looked at, the same wherever they are only copied. Each
//! program has a condition that some placement of objects makes true, and one that none does.

mod common;

use common::{run, write};
use tempfile::TempDir;

const HEAD: &str = "#include <stdint.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
";

fn verdict(body: &str, condition: &str) -> String {
    let folder = TempDir::new().unwrap();
    let text =
        format!("{HEAD}int main(void) {{ {body} if ({condition}) reach_error(); return 0; }}\n");
    let file = write(folder.path(), "program.c", &text).display().to_string();
    run(&["check", "--engine", "bmc", "--timeout", "200s", "--data-model", "LP64", &file])
        .verdict()
        .to_string()
}

#[test]
fn bytes_of_pointers_are_arbitrary_where_they_are_seen() {
    let bytes = "int x = 3, *p = &x; unsigned char *b = (unsigned char *)&p;";
    for (body, possible, impossible) in [
        ("int v = b[5];", "v", "v > 255"),
        ("unsigned char v = b[5];", "v > 3", "v - v"),
        ("int v = 0; if (b[5]) v = 1;", "v", "v > 1"),
        ("_Bool v = b[5];", "v", "v > 1"),
        ("double v = b[5];", "v > 1", "v < 0"),
        ("unsigned h = 0; for (int i = 0; i < 8; i++) h = h * 31 + b[i];", "h & 1", "h - h"),
        // Numbers that are no pointers are what they are.
        ("long n = 5; unsigned char *c = (unsigned char *)&n; int v = c[0];", "v == 5", "v != 5"),
    ] {
        let body = format!("{bytes} {body}");
        assert_eq!(verdict(&body, possible), "FALSE(unreach-call)", "{body} {possible}");
        assert_eq!(verdict(&body, impossible), "TRUE", "{body} {impossible}");
    }
}

#[test]
fn pointers_with_equal_bytes_may_be_those_of_different_times() {
    let body = "int *p = malloc(4), *o = p; free(p); int *q = malloc(4);
        int r = memcmp(&o, &q, sizeof o);";
    assert_eq!(verdict(body, "r == 0"), "FALSE(unreach-call)");
    assert_eq!(verdict(body, "r == 0 && !q"), "TRUE");
}

#[test]
fn copies_of_bytes_keep_pointers() {
    for copy in [
        "for (int i = 0; i < 8; i++) d[i] = s[i];",
        "for (int i = 0; i < 8; i++) { unsigned char c = s[i]; d[i] = c; }",
        "for (int i = 0; i < 8; i++) { char c = s[i]; d[i] = s[i]; }",
        "memcpy(d, s, 8);",
    ] {
        let body = format!(
            "int x = 3, *p = &x, *q; unsigned char *s = (unsigned char *)&p;
            unsigned char *d = (unsigned char *)&q; {copy}"
        );
        assert_eq!(verdict(&body, "*q == 3"), "FALSE(unreach-call)", "{copy}");
        assert_eq!(verdict(&body, "*q != 3"), "TRUE", "{copy}");
    }
}
