//! Random programs that use the library, without undefined behaviour.
//!
//! Every step mixes what it computes into a number, which is emitted. Where C leaves something open
//! the program does not look, except for the order of operands: `order` steps do.

use super::Random;
use std::fmt::Write;

const HEAD: &str = r#"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern void emit(unsigned long long);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct part { short x; char t[6]; };
struct whole { int n; struct part p[2]; union { int i; unsigned char c[4]; } u; };
extern struct part __VERIFIER_nondet_part(void);
extern struct whole any_whole(void);
static unsigned long long h;
static char a[80], b[80], c[80], *e;
static int n[8] = {5, -3, 9, 0, 77, -12, 4, 1}, x = 3;
static struct whole s, t;
static void mix(long long v) { h = h * 31 + (unsigned long long)v; }
static void text(const char *p) { while (*p) mix((unsigned char)*p++); mix(-1); }
static int sign(int v) { return (v > 0) - (v < 0); }
static long place(const char *p, const char *q) { return q ? q - p : -1; }
static int less(const void *p, const void *q) { int v = *(const int *)p, w = *(const int *)q; return v < w ? -1 : v > w; }
static int back(const void *p, const void *q) { return less(q, p); }
static int step(int k) { x = (x * 3 + k) & 4095; return x & 255; }
static int both(int v, int w) { return v * 1000 + w; }
static void cut(void) { a[20] = b[20] = c[60] = 0; }
"#;

/// A program of some steps. At the end it calls `reach_error` if the number is `wrong`, or if it is
/// not, by `is_equal`.
pub fn program(seed: u64, wrong: Option<(bool, u64)>) -> String {
    let mut random = Random::new(seed);
    let mut text = String::from(HEAD);
    text += "int main(void)\n{\n";
    for _ in 0..6 + random.below(8) {
        let _ = writeln!(text, "  {{ {} }} cut(); emit(h);", step(&mut random));
    }
    if let Some((is_equal, number)) = wrong {
        let operator = if is_equal { "==" } else { "!=" };
        let _ = writeln!(text, "  if (h {operator} {number}ull) reach_error();");
    }
    text + "  return 0;\n}\n"
}

fn word(random: &mut Random) -> String {
    let pieces = ["", "ab", "x1", "12", "-7", " ", "Abc", ",", "0x1f", "9", "zz:", "%"];
    let count = random.below(4);
    (0..count).map(|_| *random.pick(&pieces)).collect()
}

fn number(random: &mut Random) -> i64 {
    match random.below(4) {
        0 => random.below(10) as i64,
        1 => -(random.below(3000) as i64),
        2 => i64::from(random.next() as i32),
        _ => *random.pick(&[0, 1, -1, 2147483647, -2147483648, 255, 100]),
    }
}

/// A format with arguments for it.
fn format(random: &mut Random) -> (String, String) {
    let (mut format, mut arguments) = (String::new(), String::new());
    for _ in 0..1 + random.below(3) {
        let flags = random.pick(&["", "", "-", "0", "+", "#", " ", "-+"]);
        let width = random.pick(&["", "", "1", "4", "9"]);
        let precision = random.pick(&["", "", ".0", ".1", ".3"]);
        let v = number(random);
        match random.below(7) {
            0 | 1 => {
                format += &format!("%{flags}{width}{precision}d");
                arguments += &format!(", (int){v}");
            }
            2 => {
                let letter = random.pick(&["x", "X", "o", "u", "hhx", "hu"]);
                format += &format!("%{flags}{width}{precision}{letter}");
                arguments += &format!(", (unsigned){v}");
            }
            3 => {
                format += &format!("%{width}{precision}ld");
                arguments += &format!(", {v}l * 1000003");
            }
            4 => {
                format += &format!("%{}{width}{precision}s", random.pick(&["", "-"]));
                arguments += *random.pick::<&str>(&[", a", ", \"txt\"", ", b"]);
            }
            5 => {
                format += &format!("%{width}c");
                arguments += ", 'q'";
            }
            _ => {
                format += "%*d%%";
                arguments += &format!(", {}, (int){v}", random.below(7) as i64 - 3);
            }
        }
        format += *random.pick::<&str>(&["", ":", " ", "-"]);
    }
    (format, arguments)
}

fn step(random: &mut Random) -> String {
    let (w, v) = (word(random), number(random));
    let (i, j, k) = (random.below(8), random.below(8), random.below(9));
    let buffer = *random.pick(&["a", "b", "c"]);
    match random.below(26) {
        0 => format!("strcpy(a, \"{w}\"); text(a);"),
        1 => format!("strncat(b, \"{w}\", {k}); text(b); mix(strlen(b));"),
        2 => "mix(sign(strcmp(a, b))); mix(sign(strncmp(a, c, 3))); mix(sign(strcasecmp(a, b)));".to_string(),
        3 => format!("memmove(a + {i}, a + {j}, {k}); text(a);"),
        4 => format!("memset({buffer}, 'm', {k}); {buffer}[{k}] = 0; text({buffer});"),
        5 | 6 => {
            let (format, arguments) = format(random);
            let size = random.below(60);
            match random.chance(50) {
                true => format!("mix(snprintf(c, {size}, \"{format}\"{arguments})); c[59] = 0; {} text(c);",
                    if size == 0 { "c[0] = 0;" } else { "" }),
                false => format!("char r[400]; mix(sprintf(r, \"{format}\"{arguments})); text(r); r[30] = 0; strcpy(c, r);"),
            }
        }
        7 => {
            let format = random.pick(&["%d:%d", "%2d%d", "%x %i", "%d,%n", " %i%%%d", "%*d%d%d", "%o%u"]);
            format!("n[6] = n[7] = 3; mix(sscanf({buffer}, \"{format}\", &n[6], &n[7])); mix(n[6]); mix(n[7]);")
        }
        8 => {
            let format = random.pick(&["%s%s", "%3s%s", "%[a-z]%s", "%[^:]:%5s", "%2c%s", "%*s%s"]);
            format!("char r[90] = \"r\", q[90] = \"q\"; mix(sscanf({buffer}, \"{format}\", r, q)); text(r); text(q);")
        }
        9 => format!("mix(strtol({buffer}, &e, {})); mix(e - {buffer});", random.pick(&[0, 10, 16, 2, 36])),
        10 => format!("mix(strtoul({buffer}, &e, {})); mix(e - {buffer}); mix(atoi(a));", random.pick(&[0, 10, 16])),
        11 => format!("qsort(n, {k} & 7, sizeof n[0], {}); for (int i = 0; i < 8; i++) mix(n[i]);",
            random.pick(&["less", "back"])),
        12 => format!("int key = n[{i}]; qsort(n, 8, sizeof n[0], less); int *f = bsearch(&key, n, 8, sizeof n[0], less); mix(f ? *f : 99); key = {k}; f = bsearch(&key, n, 8, sizeof n[0], less); mix(f != 0);"),
        13 => format!("mix(place({buffer}, strchr({buffer}, '1'))); mix(place({buffer}, strrchr({buffer}, 'b'))); mix(place({buffer}, strstr({buffer}, \"b\"))); mix(strspn({buffer}, \"ab1\")); mix(strcspn({buffer}, \":,\"));"),
        14 => format!("char r[80]; strcpy(r, {buffer}); for (char *p = strtok(r, \" :,\"); p; p = strtok(0, \" :,\")) text(p);"),
        15 => format!("for (char *p = {buffer}; *p; p++) {{ mix(!!isalpha((unsigned char)*p) + 2 * !!isdigit((unsigned char)*p) + 4 * !!isspace((unsigned char)*p) + 8 * !!ispunct((unsigned char)*p)); *p = toupper((unsigned char)*p); }} text({buffer});"),
        16 => format!("mix(sign(memcmp(a, b, {k}))); mix(place(a, memchr(a, 'b', {k})));"),
        17 => format!("div_t d = div({}, {}); mix(d.quot); mix(d.rem); mix(labs({v}l)); mix(abs({}));", v.clamp(-99999, 99999), 1 + k, v.clamp(-9999, 9999)),
        18 => format!("s.n = (int){v}; s.p[1].x = {i}; s.u.i = (int){v}; strncpy(s.p[0].t, a, 6); memcpy(&t, &s, sizeof t); t.p[0] = s.p[1]; mix(t.n); mix(t.p[1].x + t.u.c[1]); mix(memcmp(&s.p[1], &t.p[0], sizeof s.p[1]));"),
        19 => format!("mix(step({i}) + 10 * step({j})); mix(x + step({k}));"),
        20 => format!("mix(both(step({i}), step({j})));"),
        21 => format!("int *p = n + {i}, *q = &n[{j}]; mix(p - q); mix((char *)p - (char *)q); mix(p < q); mix(((unsigned long)p ^ (unsigned long)n) % sizeof *p); mix((unsigned long)p - (unsigned long)q); mix(*(int *)((char *)n + {i} * sizeof *n));"),
        22 => format!("char *p = malloc({}); memset(p, 'h', 4); p = realloc(p, 40); p[4] = 0; strcat(p, \"{w}\"); char *q = strdup(p); free(p); text(q); free(q);", 5 + k),
        23 => format!("struct part q = __VERIFIER_nondet_part(); q.x += {i}; t.p[1] = q; s.p[0] = t.p[1]; mix(s.p[0].x); mix(s.p[0].t[2]); memcpy(&t.p[0], &q, sizeof q); mix(t.p[0].x);"),
        24 => format!("struct whole w = any_whole(), *p = malloc(sizeof *p); *p = w; p->p[{}].x = {j}; t = *p; free(p); mix(t.n); mix(t.p[0].x + 3 * t.p[1].x); mix(t.u.c[1]);", i & 1),
        _ => "int v = __VERIFIER_nondet_int(); mix(v); memcpy(&s.u, &v, sizeof v); mix(s.u.c[2]); snprintf(b, 15, \"%d\", v); text(b);".to_string(),
    }
}
