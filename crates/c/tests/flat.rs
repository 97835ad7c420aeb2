//! Flat programs: what becomes of calls.

use wedge_c::Properties;
use wedge_c::flat::{Flat, FlatStmt, FlatTerminator, Options, flatten};
use wedge_c::typed::Program;
use wedge_c::{DataModel, Error, load_text};

const START: &str = "
    void reach_error(void) { } void abort(void); void exit(int); int setjmp(int *);
    void __VERIFIER_assume(int); int __VERIFIER_nondet_int(void);
    void stop(void) __attribute__((noreturn)); int other(int); int i;
";

fn program(text: &str) -> Program {
    load_text(&format!("{START}{text}"), "test.c", DataModel::Ilp32).unwrap()
}

fn with_flat(text: &str, check: impl FnOnce(&Flat)) {
    let program = program(text);
    let properties = Properties::default();
    let flat = flatten(&program, &properties, Options { depth: 3, ..Options::default() }).unwrap();
    for block in &flat.blocks {
        for successor in block.terminator.successors() {
            assert!((successor.0 as usize) < flat.blocks.len());
        }
    }
    check(&flat);
}

fn limits(flat: &Flat) -> Vec<String> {
    let text = |block: &wedge_c::flat::FlatBlock| match &block.terminator {
        FlatTerminator::Limit(text) | FlatTerminator::Refused(text) => Some(text.clone()),
        _ => None,
    };
    let mut all: Vec<String> = flat.blocks.iter().filter_map(text).collect();
    all.dedup();
    all
}

fn count(flat: &Flat, wanted: impl Fn(&FlatTerminator) -> bool) -> usize {
    flat.blocks.iter().filter(|block| wanted(&block.terminator)).count()
}

fn errors(flat: &Flat) -> usize {
    count(flat, |terminator| matches!(terminator, FlatTerminator::Violation(_)))
}

#[test]
fn calls_become_instances_with_arguments_and_results() {
    let text = "int add(int x, int y) { if (x) return y; return x + y; }
                int main(void) { i = add(1, 2); i = add(i, 3); return i; }";
    with_flat(text, |flat| {
        assert_eq!(flat.instances.len(), 3);
        let statements = || flat.blocks.iter().flat_map(|block| &block.statements);
        let binds = statements().filter(|s| matches!(s, FlatStmt::Bind { .. })).count();
        let results = statements().filter(|s| matches!(s, FlatStmt::Result { .. })).count();
        assert_eq!((binds, results), (4, 4));
        for block in &flat.blocks {
            for statement in &block.statements {
                if let FlatStmt::Result { callee, .. } = statement {
                    let caller = flat.instance(*callee).caller.unwrap().0;
                    assert_eq!(block.instance, caller);
                }
            }
        }
    });
}

#[test]
fn recursion_with_addresses_ends_at_the_depth() {
    let text = "void g(int *p) { *p = 1; }
                int f(int x) { g(&x); return x ? f(x - 1) : 0; } int main(void) { return f(i); }";
    with_flat(text, |flat| {
        assert_eq!((flat.instances.len(), flat.stacks.len()), (7, 0));
        assert_eq!(limits(flat), ["recursion of `f` deeper than 3"]);
    });
}

/// The calls that each stack has room for, and how many locals each of them saves.
fn pushes(flat: &Flat) -> Vec<(u32, usize)> {
    let statements = flat.blocks.iter().flat_map(|block| &block.statements);
    let mut found: Vec<(u32, usize)> = statements
        .filter_map(|statement| match statement {
            FlatStmt::Push { site, saved, .. } => Some((*site, saved.len())),
            _ => None,
        })
        .collect();
    found.sort_unstable();
    found
}

#[test]
fn recursion_shares_bodies_over_a_stack() {
    let text = "int fibo(int n) { if (n < 2) return n; return fibo(n - 1) + fibo(n - 2); }
                int main(void) { return fibo(i) + fibo(i + 1); }";
    with_flat(text, |flat| {
        assert_eq!((flat.instances.len(), flat.stacks.len()), (3, 2));
        assert!(flat.stacks.iter().all(|stack| stack.sites == 2 && stack.saved.len() == 2));
        // First n is needed again, then the result of the first call.
        assert_eq!(pushes(flat), [(1, 1), (1, 1), (2, 1), (2, 1)]);
        assert_eq!(limits(flat), [""; 0]);
    });
}

#[test]
fn calls_in_tail_position_need_no_stack() {
    let text = "int odd(int n); int even(int n) { if (n == 0) return 1; return odd(n - 1); }
                int odd(int n) { return n == 0 ? 0 : even(n - 1); }
                void down(int n) { if (n) { i++; down(n - 1); } }
                int main(void) { down(9); return even(i); }";
    with_flat(text, |flat| {
        assert_eq!((flat.instances.len(), flat.stacks.len()), (4, 2));
        assert!(flat.stacks.iter().all(|stack| stack.sites == 0 && stack.saved.is_empty()));
        let outside = |terminator: &FlatTerminator| match terminator {
            FlatTerminator::Back { outside, .. } => outside.is_some(),
            _ => false,
        };
        // Both functions return to where the first one was called.
        assert_eq!(count(flat, outside), 3);
    });
    let text = "int f(int n) { if (n) return 1 + f(n - 1); return (char)f(n); }
                int main(void) { return f(i); }";
    with_flat(text, |flat| assert_eq!(pushes(flat), [(1, 0), (2, 0)]));
}

#[test]
fn recursion_in_one_place_may_be_expanded() {
    let text = "int f(int n) { return n ? 1 + f(n - 1) : 0; }
                int g(int n) { return n ? g(n - 1) : 0; } int h(int n) { return n ? 1 + h(n - f(n)) : 0; }
                int main(void) { return f(i) + g(i) + h(i); }";
    let program = program(text);
    let properties = Properties::default();
    let flat = flatten(&program, &properties, Options { linear: 5, ..Options::default() }).unwrap();
    // Both calls of f are expanded. Not g, which is a loop, nor h, which contains a recursion.
    assert_eq!((flat.instances.len(), flat.stacks.len()), (1 + 5 + 1 + 1 + 5, 2));
    assert_eq!(limits(&flat), ["recursion of `f` deeper than 5"]);
    let properties = Properties::default();
    let flat = flatten(&program, &properties, Options::default()).unwrap();
    assert_eq!(flat.stacks.len(), 4);
}

#[test]
fn functions_share_one_body_where_there_is_no_room() {
    let leaf = "int leaf(int x) { if (x) x++; if (x) x++; if (x) x++; if (x) x++; return x; }";
    let text = format!(
        "{leaf} int inner(int x) {{ return leaf(x) + leaf(x + 1); }}
         int outer(int x) {{ return inner(x) + inner(x + 1); }}
         int rec(int n, int *p) {{ return n ? rec(n - 1, &n) + leaf(n) : *p; }}
         struct s {{ int a, b; }}; struct s pair(int x) {{ struct s p = {{ x, leaf(x) }}; return p; }}
         int main(void) {{ return outer(i) + outer(1) + rec(i, &i) + pair(1).a + pair(2).a; }}"
    );
    let program = program(&text);
    let properties = Properties::default();
    let bodies = |budget: usize, name: &str| {
        let options = Options { depth: 3, budget, ..Options::default() };
        let flat = flatten(&program, &properties, options).unwrap();
        let is_named =
            |i: &&wedge_c::flat::Instance| program.function(i.function).name.as_str() == name;
        flat.instances.iter().filter(is_named).count()
    };
    let all = ["outer", "inner", "leaf", "rec", "pair"];
    // The innermost activation of a recursion never returns, so that it calls no leaf.
    assert_eq!(all.map(|name| bodies(usize::MAX, name)), [2, 4, 8 + 2 + 2, 3, 2]);
    // Recursion with addresses is expanded, and so are functions that return records.
    assert_eq!(all.map(|name| bodies(0, name)), [1, 1, 1, 3, 2]);
    assert_eq!(all.map(|name| bodies(10_000, name)), all.map(|name| bodies(usize::MAX, name)));
}

#[test]
fn a_recursion_without_end_does_not_return() {
    let text = "int f(int n) { return f(n + 1) + 1; }
                int main(void) { i = f(0); reach_error(); return 0; }";
    with_flat(text, |flat| assert_eq!(errors(flat), 0));
}

#[test]
fn errors_count_body_or_not() {
    with_flat("int main(void) { if (i) reach_error(); return 0; }", |flat| {
        assert_eq!((errors(flat), flat.instances.len()), (1, 1));
    });
}

#[test]
fn what_ends_the_program_has_no_successor() {
    for call in ["abort()", "exit(1)", "stop()", "__builtin_unreachable()"] {
        let text = format!("int main(void) {{ {call}; reach_error(); return 0; }}");
        with_flat(&text, |flat| assert_eq!(errors(flat), 0, "{call}"));
    }
    with_flat("void f(void) { for (;;); } int main(void) { f(); reach_error(); }", |flat| {
        assert_eq!(errors(flat), 0);
    });
}

#[test]
fn assumptions_branch() {
    with_flat("int main(void) { __VERIFIER_assume(i > 3); reach_error(); }", |flat| {
        assert_eq!(errors(flat), 1);
        let branches = |terminator: &FlatTerminator| match terminator {
            FlatTerminator::Branch { otherwise, .. } => {
                matches!(flat.block(*otherwise).terminator, FlatTerminator::End)
            }
            _ => false,
        };
        assert_eq!(count(flat, branches), 1);
    });
}

#[test]
fn what_is_not_modelled_is_refused() {
    with_flat("int main(void) { int b[9]; return setjmp(b); }", |flat| {
        assert_eq!(limits(flat), ["setjmp at test.c:5:35"]);
    });
}

#[test]
fn pointers_dispatch_to_what_they_may_call() {
    let text = "int f(int x) { return x; } int g(int x) { return -x; } int h(int x) { return 0; }
                int (*table[2])(int) = { f, g }; int (*unused)(int) = h;
                int main(void) { int (*p)(int) = table[i & 1]; return p(2); }";
    with_flat(text, |flat| {
        let name = |id: &wedge_c::typed::FuncId| flat.program.function(*id).name.clone();
        let mut found = Vec::new();
        for block in &flat.blocks {
            if let FlatTerminator::Dispatch { targets, otherwise, .. } = &block.terminator {
                assert_eq!(*otherwise, None);
                found.extend(targets.iter().map(|(id, _)| name(id)));
            }
        }
        found.sort();
        assert_eq!(found, ["f", "g"]);
    });
    let text = "int (*get(void))(int); int main(void) { return get()(2); }";
    with_flat(text, |flat| {
        let unknown = |terminator: &FlatTerminator| match terminator {
            FlatTerminator::Dispatch { targets, otherwise, .. } => {
                targets.is_empty() && otherwise.is_some()
            }
            _ => false,
        };
        assert_eq!(count(flat, unknown), 1);
    });
}

#[test]
fn blocks_that_do_nothing_are_skipped() {
    let text = "int main(void) { if (i) { } else { } if (i) ; while (i) i--; return 0; }";
    with_flat(text, |flat| {
        for block in &flat.blocks {
            let heads = &flat.instance(block.instance).body.loops;
            let is_head = heads.iter().any(|a_loop| block.source == Some(a_loop.head));
            let is_jump = matches!(block.terminator, FlatTerminator::Goto(_));
            assert!(!block.statements.is_empty() || !is_jump || is_head);
        }
    });
}

fn failure(text: &str, options: Options) -> Error {
    match flatten(&program(text), &Properties::default(), options) {
        Ok(_) => panic!("{text} should fail"),
        Err(error) => error,
    }
}

#[test]
fn failures_are_told() {
    let error = failure("int f(void) { return 0; }", Options::default());
    assert!(error.to_string().contains("no function `main`"), "{error}");
    let text = "int f(int x) { int *p = &x; return *p ? f(x - 1) + f(x - 2) : 0; }
                int main() { return f(i); }";
    let error = failure(text, Options { depth: 60, max_blocks: 1000, ..Options::default() });
    assert!(error.is_unsupported() && error.to_string().contains("`f`"), "{error}");
}
