//! Flat programs: what becomes of calls.

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
    let flat = flatten(&program, Options { depth: 3, ..Options::default() }).unwrap();
    for block in &flat.blocks {
        for successor in block.terminator.successors() {
            assert!((successor.0 as usize) < flat.blocks.len());
        }
    }
    check(&flat);
}

fn limits(flat: &Flat) -> Vec<String> {
    let text = |block: &wedge_c::flat::FlatBlock| match &block.terminator {
        FlatTerminator::Limit(text) => Some(text.clone()),
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
    count(flat, |terminator| matches!(terminator, FlatTerminator::Error))
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
fn recursion_ends_at_the_depth() {
    let text = "int f(int x) { return x ? f(x - 1) : 0; } int main(void) { return f(i); }";
    with_flat(text, |flat| {
        assert_eq!(flat.instances.len(), 4);
        assert_eq!(limits(flat), ["recursion of `f` deeper than 3"]);
    });
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
fn what_is_not_modelled_is_a_limit() {
    with_flat("int main(void) { int b[9]; return setjmp(b); }", |flat| {
        assert_eq!(limits(flat), ["call of `setjmp`, which is not modelled"]);
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
    match flatten(&program(text), options) {
        Ok(_) => panic!("{text} should fail"),
        Err(error) => error,
    }
}

#[test]
fn failures_are_told() {
    let error = failure("int f(void) { return 0; }", Options::default());
    assert!(error.to_string().contains("no function `main`"), "{error}");
    let text = "int f(int x) { return x ? f(x - 1) + f(x - 2) : 0; } int main() { return f(i); }";
    let error = failure(text, Options { depth: 60, max_blocks: 1000 });
    assert!(error.is_unsupported() && error.to_string().contains("`f`"), "{error}");
}
