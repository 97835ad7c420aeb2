//! What the typing makes of C, as listings: order of effects, explicit conversions, graphs.

use wedge_c::{DataModel, load_text, typed};

/// The listing of the function `f`, from its first block on.
fn listing(source: &str) -> String {
    let program = load_text(source, "t.c", DataModel::Lp64).unwrap_or_else(|e| panic!("{e}"));
    typed::check(&program).unwrap_or_else(|what| panic!("{what}"));
    let text = program.to_string();
    let start = text.lines().position(|line| line.contains(" f(") && line.ends_with('{')).unwrap();
    let lines = text.lines().skip(start).skip_while(|line| !line.starts_with("b0:"));
    lines.take_while(|line| *line != "}").map(str::trim).collect::<Vec<_>>().join("\n")
}

fn check(source: &str, expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(listing(source), expected.join("\n"), "{source}");
}

#[test]
fn operands_keep_the_value_they_had() {
    check(
        "int g(int); int f(int x, int *p) { return *p++ + x + g(x); }",
        "b0:
           t2 = p;
           p = t2 +4 1;
           t4 = *t2 + x;
           t3 = g(x);
           return t4 + t3;",
    );
}

#[test]
fn short_circuits_without_effects_stay_expressions() {
    check(
        "int f(int a, int b, int *p) { return a && p[b] ? b : a || !b; }",
        "b0:
           return ((a != 0) && (*(p +4 ((long)b)) != 0)) ? b : ((a != 0) || (b == 0));",
    );
}

#[test]
fn short_circuits_with_effects_branch() {
    check(
        "int g(int); void f(int x) { if (x && g(x)) g(1); x = x || g(2); }",
        "b0:
           if (x != 0) goto b1 else b3;
         b1:
           t1 = g(x);
           if (t1 != 0) goto b2 else b3;
         b2:
           g(1);
           goto b3;
         b3:
           if (x != 0) goto b4 else b6;
         b4:
           t3 = 1;
           goto b5;
         b5:
           x = t3;
           return;
         b6:
           t2 = g(2);
           t3 = t2 != 0;
           goto b5;",
    );
}

#[test]
fn conversions_are_explicit() {
    check(
        "void f(char c, unsigned u, double d, long *p) { c += u; u = d; *p = c < u; d = c << u; }",
        "b0:
           c = (char)(((unsigned int)c) + u);
           u = (unsigned int)d;
           *p = (long)(((unsigned int)c) < u);
           d = (double)(((int)c) << u);
           return;",
    );
}

#[test]
fn constants_are_folded() {
    check(
        "enum { N = 3 }; int a[4]; long f(void) { return sizeof a * N + (char)300 - (1 ? 2u : 0) + 1.5 * 2; }",
        "b0:
           return 93;",
    );
}

#[test]
fn loops_have_one_head() {
    check(
        "int f(int n) { int t = 0; for (int i = 0; i < n; i++) { if (i == 3) continue; t += i; } do n--; while (n); return t; }",
        "b0:
           t = 0;
           i = 0;
           goto b1;
         b1:
           if (i < n) goto b2 else b5;
         b2:
           if (i == 3) goto b3 else b4;
         b3:
           i = i + 1;
           goto b1;
         b4:
           t = t + i;
           goto b3;
         b5:
           n = n - 1;
           goto b6;
         b6:
           if (n != 0) goto b5 else b7;
         b7:
           return t;",
    );
}

#[test]
fn switches_list_their_ranges() {
    check(
        "int f(int x) { switch (x) { case 1 ... 3: x = 9; case -1: return 4; default: break; } return x; }",
        "b0:
           switch x -1: b1, 1..3: b2, default: b3;
         b1:
           return 4;
         b2:
           x = 9;
           goto b1;
         b3:
           return x;",
    );
}

#[test]
fn assignments_as_values() {
    check(
        "struct s { unsigned b : 5; } v; int f(int x, int *p) { int y = v.b = x; return y = *p += 2; }",
        "b0:
           t3 = (unsigned int)x;
           v.b = t3;
           y = (int)((unsigned:5)t3);
           t4 = *p + 2;
           *p = t4;
           y = t4;
           return t4;",
    );
}

#[test]
fn variable_arrays_are_pointers() {
    check(
        "long f(int n) { int a[n][3]; a[1][2] = n; return sizeof a; }",
        "b0:
           t1 = (unsigned long)n;
           a = allocate t1 * 12u;
           (*a)[1][2] = n;
           return (long)(t1 * 12u);",
    );
}

#[test]
fn loops_remember_their_source() {
    let source = "int f(int n) {\n  while (n > 9)\n    n--;\n  for (;;) { if (n) break; }\n  l: if (n++ < 3) goto l;\n  return n;\n}";
    let program = load_text(source, "t.c", DataModel::Lp64).unwrap();
    let body = program.functions[0].body.as_ref().unwrap();
    let places: Vec<(u32, u32)> =
        body.loops.iter().map(|l| (l.position.line, l.position.column)).collect();
    assert_eq!(places, [(2, 3), (4, 3)]);
    for a_loop in &body.loops {
        let block = body.block(a_loop.head);
        assert!(matches!(block.terminator, typed::Terminator::Branch { .. }));
    }
}

#[test]
fn names_know_their_scopes() {
    let source = "int f(int n) { int a = 1; { int b = 2; n = a + b; } for (int i = 0; i < n; i++) ; return a; }";
    let program = load_text(source, "t.c", DataModel::Lp64).unwrap();
    let body = program.functions[0].body.as_ref().unwrap();
    let columns = |name: &str| {
        let local = body.locals.iter().find(|l| l.name.as_deref() == Some(name)).unwrap();
        let scope = body.scopes[local.scope.0 as usize];
        (scope.begin.column, scope.end.column)
    };
    assert_eq!(columns("n"), (1, source.len() as u32));
    assert_eq!(columns("a"), (1, source.len() as u32));
    assert_eq!(columns("b"), (27, 51));
    assert_eq!(columns("i").0, 53);
    let scope_of_loop = body.loops[0].scope;
    assert_eq!(body.scopes[scope_of_loop.0 as usize].begin.column, 53);
}
