use super::*;
use wedge_c::DataModel;
use wedge_c::Properties;
use wedge_c::encode::{Room, encode};
use wedge_model::cfa::Edge;

fn end(text: &str) -> End {
    let text = format!("extern void reach_error(void);\n{text}");
    let program = wedge_c::load_text(&text, "t.c", DataModel::Ilp32).unwrap();
    execute(&encode(&program, &Properties::default(), Room::default()).unwrap().cfa, &|| false)
}

#[test]
fn runs_end_as_they_should() {
    let counting = "int main(void) { unsigned i, s = 0; for (i = 0; i < 100; i++) s += i;";
    assert!(matches!(
        end(&format!("{counting} if (s != 4950) reach_error(); return 0; }}")),
        End::Safe(edges) if edges > 100
    ));
    assert!(matches!(
        end(&format!("{counting} if (s == 4950) reach_error(); return 0; }}")),
        End::Error(_)
    ));
    let deep = "int f(int n) { return n ? 1 + f(n - 1) : 0; } int main(void) { return f(9); }";
    assert!(matches!(end(deep), End::Limit(_) | End::Safe(_)));
}

/// The run ends after so many edges, at least.
fn is_long(body: &str, least: u64) {
    match end(&format!("int main(void) {{ {body} }}")) {
        End::Safe(edges) => assert!(edges >= least, "{edges}: {body}"),
        other => panic!("{other:?}: {body}"),
    }
}

#[test]
fn long_loops_are_short() {
    let long = 1 << 30;
    is_long("unsigned x = 0; while (x < 4294967295u) x++; if (x != -1u) reach_error();", long);
    is_long("int i; for (i = 0; i != 2000000000; i++); if (i != 2000000000) reach_error();", long);
    is_long(
        "unsigned long long s = 0; for (unsigned i = 0; i < 2147483648u; i++) s += i;
        if (s != 2305843008139952128ull) reach_error();",
        long,
    );
    is_long(
        "unsigned i = 0, c = 0; while (i < 2000000000) { i += 2; if (i > 1000000000) c++; }
        if (c != 500000000) reach_error();",
        long / 2,
    );
}

#[test]
fn loops_in_loops_are_run() {
    is_long(
        "unsigned i, j, s = 0; for (i = 0; i < 3000; i++) for (j = 0; j < 1000; j++) s += j ^ i;
        if (s == 5) reach_error();",
        3_000_000,
    );
    is_long(
        "unsigned i, j, s = 0; for (i = 0; i < 3000; i++) for (j = 0; j < 1000; j++) s += j;
        if (s != 1498500000) reach_error();",
        3_000_000,
    );
}

#[test]
fn errors_behind_long_loops_are_seen() {
    let text = "int main(void) { unsigned x = 0; while (x < 4294967295u) x += 5;
        if (x == 4294967295u) reach_error(); return 0; }";
    assert!(matches!(end(text), End::Error(_)));
    let text = "int main(void) { unsigned x = 0; while (1) { x += 3; if (x == 2999999999u)
        reach_error(); if (x == 3000000000u) break; } return 0; }";
    assert!(matches!(end(text), End::Safe(_)));
    let text = "int main(void) { unsigned x = 0; while (1) { x += 3; if (x == 2999999997u)
        reach_error(); if (x == 3000000000u) break; } return 0; }";
    assert!(matches!(end(text), End::Error(_)));
}

#[test]
fn a_run_is_stopped() {
    let text = "extern void reach_error(void);\nint main(void) { volatile int i = 1;
        while (i) i++; reach_error(); }";
    let program = wedge_c::load_text(text, "t.c", DataModel::Ilp32).unwrap();
    let cfa = encode(&program, &Properties::default(), Room::default()).unwrap().cfa;
    assert_eq!(execute(&cfa, &|| true), End::Stopped);
}

/// The machine alone and the evaluator alone come to the same end after the same number of edges.
fn both_ways(text: &str) -> End {
    let text = format!("extern void reach_error(void);\n{text}");
    let program = wedge_c::load_text(&text, "t.c", DataModel::Ilp32).unwrap();
    let cfa = encode(&program, &Properties::default(), Room::default()).unwrap().cfa;
    let [slowly, swiftly] = [u64::MAX, 0].map(|slow| execute_with(&cfa, slow, &|| false));
    assert_eq!(slowly, swiftly, "{text}");
    slowly
}

#[test]
fn the_machine_agrees_with_the_evaluator() {
    let body = "unsigned x = 1, i; unsigned char c = 3; long long w = -5; short s = -7; int d = 9;
        for (i = 0; i < 3000; i++) {
            x = x * 1664525u + 1013904223u;
            c += x >> 24; s ^= x; w = w * 3 + (signed char) c - s;
            d = (int) x / (s | 1) - (int) (x % (c | 1u)) + (w >> (c & 31)) + (x << (i & 15));
            if (d < s) c--; else if (x > 77u * c || w == d) s = -s;
            switch (c & 3) { case 0: w = ~w; break; case 1: x ^= d; break; default: d = c ? d : s; }
        }
        unsigned h = x ^ c ^ (unsigned) w ^ s ^ d;";
    // Whether a bit of the result is set: one of the two ends is an error.
    for bit in [0, 7, 15, 31] {
        let end = |is: &str| {
            both_ways(&format!(
                "int main(void) {{ {body} if ((h >> {bit} & 1) == {is}) reach_error(); return 0; }}"
            ))
        };
        let is_error = |end: End| matches!(end, End::Error(_));
        assert!(is_error(end("0")) != is_error(end("1")));
    }
}

#[test]
fn the_machine_knows_arrays() {
    let sieve = "unsigned char p[100]; int main(void) { unsigned i, j, r, c = 0;
        for (r = 0; r < 20; r++) {
            for (i = 0; i < 100; i++) p[i] = 1;
            for (i = 2; i < 100; i++) if (p[i]) for (j = 2 * i; j < 100; j += i) p[j] = 0;
        }
        for (i = 2; i < 100; i++) c += p[i];";
    let safe = both_ways(&format!("{sieve} if (c != 25) reach_error(); return 0; }}"));
    assert!(matches!(safe, End::Safe(_)));
    let unsafe_ = both_ways(&format!("{sieve} if (c == 25) reach_error(); return 0; }}"));
    assert!(matches!(unsafe_, End::Error(_)));
    let swaps = "int main(void) { int a[8], i, j, t; for (i = 0; i < 8; i++) a[i] = 8 - i;
        for (t = 0; t < 60; t++)
        for (i = 0; i + 1 < 8; i++) if (a[i] > a[i + 1]) { j = a[i]; a[i] = a[i + 1]; a[i + 1] = j; }
        for (i = 0; i + 1 < 8; i++) if (a[i] > a[i + 1]) reach_error(); return 0; }";
    assert!(matches!(both_ways(swaps), End::Safe(_)));
}

/// Terms of every operator on random words: the instruction and the evaluator agree.
#[test]
fn instructions_mean_what_operators_mean() {
    let mut random = Scrambled::default();
    for width in [1, 2, 7, 8, 31, 32, 33, 63, 64] {
        for _ in 0..40 {
            let mut cfa = Cfa::new();
            let [a, b] = ["a", "b"].map(|name| cfa.add_variable(name, Sort::Bv(width)));
            let results = operators(&mut cfa.terms, a, b, width);
            let sorts: Vec<Sort> = results.iter().map(|&term| cfa.terms.sort(term)).collect();
            let named = sorts.iter().enumerate();
            let targets: Vec<Term> =
                named.map(|(i, &sort)| cfa.add_variable(format!("r{i}"), sort)).collect();
            // Around and around, so that there is a head.
            let head = cfa.add_location(None);
            let yes = cfa.terms.bool(true);
            let updates: Vec<(Term, Term)> = targets.iter().copied().zip(results).collect();
            let edge = |from, to, updates| Edge { from, to, guard: yes, updates, origin: None };
            let entry = edge(cfa.entry, head, Vec::new());
            let around = edge(head, head, updates.clone());
            cfa.add_edge(entry);
            cfa.add_edge(around);
            let outgoing = cfa.outgoing();
            let Swift { code, mut machine } = Swift::of(&cfa, &outgoing).expect("words only");
            let mut evaluator = Evaluator::new(&cfa.terms);
            for &variable in &cfa.variables {
                evaluator.assign(variable, random.of(&cfa.terms, variable));
            }
            machine.load(&code, |term| evaluator.eval(term).ok().cloned()).expect("words");
            let mut arrivals = 0;
            let arrive = |_| {
                arrivals += 1;
                arrivals == 2
            };
            machine.run(&code, code.entries[head.0 as usize].unwrap(), arrive, &|| false);
            let mut found = Vec::new();
            machine.store(&code, |variable, value| found.push((variable, value)));
            for (variable, value) in updates {
                let value = evaluator.eval(value).unwrap();
                assert!(found.contains(&(variable, value.clone())), "{variable:?} width {width}");
            }
        }
    }
}

fn operators(terms: &mut TermStore, a: Term, b: Term, width: u32) -> Vec<Term> {
    let low = terms.slice(a, width / 2, 0);
    let middle = terms.slice(b, width - 1, width / 2);
    let mut all = vec![
        terms.not(a),
        terms.neg(b),
        terms.and(a, b),
        terms.xor(a, b),
        terms.eq(a, b),
        terms.ult(a, b),
        terms.slt(a, b),
        terms.add(a, b),
        terms.mul(a, b),
        terms.udiv(a, b),
        terms.urem(a, b),
        terms.sll(a, b),
        terms.srl(a, b),
        terms.sra(a, b),
        low,
        middle,
    ];
    let small = terms.number(width, u64::from(width) / 3);
    all.extend([terms.sll(a, small), terms.srl(a, small), terms.sra(a, small)]);
    if width < 64 {
        all.push(terms.sext(a, 64 - width));
        all.push(terms.sext(b, 1));
    }
    if width <= 32 {
        all.push(terms.concat(a, b));
    }
    let less = terms.ult(b, a);
    all.push(terms.ite(less, a, b));
    all
}
