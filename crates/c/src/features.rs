//! What a program is like, as far as it can be told without encoding it: a basis for choosing
//! engines.

use crate::flat::components;
use crate::library::{FunctionModel, model};
use crate::typed::{Callee, FuncId, Function, Program, StmtKind};
use crate::types::{Length, Type};

/// Arrays with more elements than this are large.
const LARGE_ARRAY: u64 = 32;

/// Of the functions that can be called from `main`; calls through pointers may reach all functions.
/// Recursion is one of calls by name: in a driver nearly every callback calls through some pointer,
/// and by such calls each would seem to call itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    pub statements: usize,
    /// Statements if every call by name had a body of its own, recursion aside.
    pub expanded: u64,
    /// Blocks that lie on a cycle, including those made by `goto`.
    pub loops: bool,
    pub recursion: bool,
    pub floats: bool,
    /// Arrays of many elements, or of a number that is not known.
    pub arrays: bool,
    /// Memory is allocated by library functions.
    pub heap: bool,
}

impl Features {
    pub fn of(program: &Program) -> Features {
        let mut features = Features::default();
        if let Some(main) = program.main {
            let count = program.functions.len();
            let mut by_name = vec![Vec::new(); count];
            let mut weights = vec![0; count];
            explore(count, main.0 as usize, |id| {
                let before = features.statements;
                let calls = features.enter(program, FuncId(id as u32));
                weights[id] = (features.statements - before) as u64;
                by_name[id] = calls.by_name;
                [&by_name[id][..], &calls.by_pointer].concat()
            });
            features.expanded = expanded(&by_name, &weights);
            // One node more, before all functions, from which those that are called by pointer are
            // found as well.
            by_name.push((0..count).collect());
            features.recursion = explore(count + 1, count, |id| by_name[id].clone());
        }
        let types = &program.types;
        for global in program.globals.iter().filter(|global| !global.is_literal) {
            features.arrays |= is_large(types.get(global.ty));
            features.floats |= types.is_float(global.ty);
        }
        features
    }

    /// Looks at a function; gives those that it calls.
    fn enter(&mut self, program: &Program, id: FuncId) -> Calls {
        let function = program.function(id);
        let mut calls = Calls::default();
        let Some(body) = &function.body else { return calls };
        let next = |block: usize| {
            let successors = body.blocks[block].terminator.successors();
            successors.iter().map(|to| to.0 as usize).collect()
        };
        self.loops |= explore(body.blocks.len(), 0, next);
        let types = &program.types;
        for local in &body.locals {
            self.floats |= types.is_float(local.ty);
            self.arrays |= is_large(types.get(local.ty));
        }
        for statement in body.blocks.iter().flat_map(|block| &block.statements) {
            self.statements += 1;
            match &statement.kind {
                StmtKind::Call { callee: Callee::Function(id), .. } => {
                    self.heap |= allocates(&program.function(*id).name);
                    calls.by_name.push(id.0 as usize);
                }
                StmtKind::Call { callee: Callee::Pointer(_), .. }
                    if calls.by_pointer.is_empty() =>
                {
                    let with_body = |function: &Function| function.body.is_some();
                    let all = program.functions.iter().enumerate().filter(|(_, f)| with_body(f));
                    calls.by_pointer.extend(all.map(|(id, _)| id));
                }
                StmtKind::Allocate { .. } => self.arrays = true,
                _ => {}
            }
        }
        calls
    }
}

/// The functions that a function calls, once for each call.
#[derive(Default)]
struct Calls {
    by_name: Vec<usize>,
    by_pointer: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// The sum of what those functions weigh with all that they call that nobody calls by name, given what
/// each function calls and weighs.
fn expanded(by_name: &[Vec<usize>], weights: &[u64]) -> u64 {
    let mut whole = weights.to_vec();
    let mut is_called = vec![false; weights.len()];
    for function in components(by_name).into_iter().flatten() {
        for &callee in &by_name[function] {
            is_called[callee] = true;
            let more = if callee == function { 0 } else { whole[callee] };
            whole[function] = whole[function].saturating_add(more);
        }
    }
    let roots = whole.iter().zip(is_called).filter(|(_, is_called)| !is_called);
    roots.fold(0, |sum: u64, (root, _)| sum.saturating_add(*root))
}

fn allocates(function: &str) -> bool {
    let model = model(function);
    matches!(
        model,
        Some(
            FunctionModel::Malloc
                | FunctionModel::Calloc
                | FunctionModel::Realloc
                | FunctionModel::AlignedAlloc
        )
    )
}

fn is_large(ty: &Type) -> bool {
    match ty {
        Type::Array(_, Length::Fixed(count)) => *count > LARGE_ARRAY,
        Type::Array(_, _) => true,
        _ => false,
    }
}

/// Visits what can be reached from `start`, depth first, each node once. Says whether there is a
/// cycle.
fn explore(count: usize, start: usize, mut enter: impl FnMut(usize) -> Vec<usize>) -> bool {
    let mut marks = vec![Mark::New; count];
    let mut stack = Vec::new();
    let mut open = Some(start).filter(|&start| start < count);
    let mut cycle = false;
    loop {
        if let Some(node) = open.take() {
            marks[node] = Mark::Open;
            stack.push((node, enter(node)));
        }
        let Some((node, next)) = stack.last_mut() else { return cycle };
        match next.pop() {
            Some(to) => {
                cycle |= marks[to] == Mark::Open;
                open = (marks[to] == Mark::New).then_some(to);
            }
            None => {
                marks[*node] = Mark::Done;
                stack.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DataModel, load_text};

    fn features(text: &str) -> Features {
        Features::of(&load_text(text, "t.c", DataModel::Ilp32).expect("valid C"))
    }

    #[test]
    fn what_main_can_reach_counts() {
        let plain = features("double f(void) { return 1; } int main(void) { return 0; }");
        assert!(!plain.floats && !plain.loops && !plain.recursion && !plain.arrays);
        let all =
            "int g(int); int f(int n) { return n ? g(n - 1) : 0; } int g(int n) { return f(n); }
            int a[100]; float x; int main(void) { again: if (f(3)) goto again; return 0; }";
        let all = features(all);
        assert!(all.floats && all.loops && all.recursion && all.arrays, "{all:?}");
    }

    #[test]
    fn callbacks_are_no_recursion() {
        let text = "void f(void) {} void g(void) {} void (*p)(void) = f, (*q)(void) = g;
            void h(void) { q(); } int main(void) { p = h; for (;;) p(); }";
        assert!(!features(text).recursion && features(text).loops);
        let behind = "int r(int n) { return n ? r(n - 1) : 0; } int (*p)(int) = r;
            int main(void) { return p(3); }";
        assert!(features(behind).recursion);
    }

    #[test]
    fn calling_twice_is_no_recursion() {
        let text = "int f(void) { return 1; } int main(void) { return f() + f(); }";
        assert!(!features(text).recursion);
    }

    #[test]
    fn calls_multiply_what_is_called() {
        let doubling = |last: &str| {
            let text = format!(
                "int x; void f(void) {{ x++; {last} }} void g(void) {{ f(); f(); }}
                void h(void) {{ g(); g(); }} int main(void) {{ h(); h(); return 0; }}"
            );
            features(&text).expanded
        };
        // Each of the eight bodies of `f` has one statement more.
        assert_eq!(doubling("x++;") - doubling(""), 8);
        let recursive = features("void f(int n) { if (n) f(n - 1); } int main(void) { f(1); }");
        assert!(recursive.expanded <= 2 * recursive.statements as u64, "{recursive:?}");
    }
}
