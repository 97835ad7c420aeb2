//! Automata by hand: the shape of merged terms, what passes drop, output for Graphviz.

use wedge_logic::{Sort, Term};
use wedge_model::Cfa;
use wedge_model::cfa::{
    BlockOptions, Edge, LocationId, Target, TargetKind, blocks, dot, prune, reduce, simplify,
    single_loop, slice,
};

/// Builds automata edge by edge; location 0 is the entry.
pub struct Builder {
    pub cfa: Cfa,
}

impl Builder {
    pub fn new(locations: usize) -> Builder {
        let mut cfa = Cfa::new();
        for _ in 1..locations {
            cfa.add_location(None);
        }
        Builder { cfa }
    }
    pub fn edge(&mut self, from: u32, to: u32, guard: Term, updates: &[(Term, Term)]) {
        let (from, to) = (LocationId(from), LocationId(to));
        self.cfa.add_edge(Edge { from, to, guard, updates: updates.to_vec(), origin: None });
    }
    pub fn goto(&mut self, from: u32, to: u32, updates: &[(Term, Term)]) {
        let guard = self.cfa.terms.bool(true);
        self.edge(from, to, guard, updates);
    }
    pub fn branch(&mut self, from: u32, condition: Term, then: u32, other: u32) {
        self.edge(from, then, condition, &[]);
        let negated = self.cfa.terms.not(condition);
        self.edge(from, other, negated, &[]);
    }
    pub fn error(&mut self, location: u32) {
        let name = "error".to_string();
        let location = LocationId(location);
        self.cfa.targets.push(Target { location, kind: TargetKind::Error, name });
    }
}

/// Entry 0, head 1, diamond 2 to 3 or 4 joined in 5, a check there, back to the head.
fn diamond() -> (Builder, Term, Term, Term) {
    let mut b = Builder::new(7);
    let x = b.cfa.add_variable("x", Sort::Bv(8));
    let y = b.cfa.add_variable("y", Sort::Bv(8));
    let zero = b.cfa.terms.zero(8);
    let c = b.cfa.terms.ult(y, x);
    let (up, down) = (b.cfa.terms.inc(x), b.cfa.terms.dec(x));
    b.goto(0, 1, &[(x, zero)]);
    b.goto(1, 2, &[]);
    b.branch(2, c, 3, 4);
    b.goto(3, 5, &[(x, up)]);
    b.goto(4, 5, &[(x, down)]);
    let wrong = b.cfa.terms.eq(x, y);
    b.branch(5, wrong, 6, 1);
    b.error(6);
    (b, x, y, c)
}

#[test]
fn a_diamond_is_one_ite() {
    let (b, x, y, c) = diamond();
    let mut made = blocks(&b.cfa, &BlockOptions::default()).expect("small");
    let (up, down) = (made.terms.inc(x), made.terms.dec(x));
    let merged = made.terms.ite(c, up, down);
    let error = made.terms.eq(merged, y);
    let condition = made.terms.not(error);
    let body = &made.blocks[1];
    assert_eq!(body.error, error);
    assert_eq!(body.exits.len(), 1);
    assert_eq!(body.exits[0].to, LocationId(1));
    assert_eq!(body.exits[0].condition, condition);
    assert_eq!(body.exits[0].values, [(x, merged)]);
}

#[test]
fn one_loop_has_a_counter_of_one_bit() {
    let (b, x, y, _) = diamond();
    let single = single_loop(&b.cfa, &BlockOptions::default()).expect("small");
    let pc = single.pc.expect("a loop");
    assert_eq!(single.system.terms.width(pc), 1);
    assert_eq!(single.cuts, [LocationId(0), LocationId(1)]);
    let states: Vec<Term> = single.system.states.iter().map(|s| s.var).collect();
    assert_eq!(states, [pc, x, y]);
}

#[test]
fn without_loops_there_is_no_counter() {
    let mut b = Builder::new(3);
    let x = b.cfa.add_variable("x", Sort::Bv(8));
    let i = b.cfa.add_input("i", Sort::Bv(8));
    b.goto(0, 1, &[(x, i)]);
    let three = b.cfa.terms.number(8, 3);
    let wrong = b.cfa.terms.eq(x, three);
    b.edge(1, 2, wrong, &[]);
    b.error(2);
    let mut single = single_loop(&b.cfa, &BlockOptions::default()).expect("small");
    assert_eq!(single.pc, None);
    assert!(single.system.states.is_empty());
    let bad = single.system.terms.eq(i, three);
    assert_eq!(single.system.bads[0].term, bad);
}

/// A switch: the join of its arms is certain to be reached, so no path condition is left.
#[test]
fn a_switch_leaves_no_condition() {
    let mut b = Builder::new(7);
    let x = b.cfa.add_variable("x", Sort::Bv(8));
    b.goto(0, 1, &[]);
    let mut other = b.cfa.terms.bool(true);
    for arm in 0..3 {
        let number = b.cfa.terms.number(8, arm as u64);
        let guard = b.cfa.terms.eq(x, number);
        b.edge(1, 2 + arm, guard, &[]);
        let not = b.cfa.terms.not(guard);
        other = b.cfa.terms.and(other, not);
        b.goto(2 + arm, 5, &[(x, number)]);
    }
    let seven = b.cfa.terms.number(8, 7);
    b.edge(1, 5, other, &[(x, seven)]);
    let wrong = b.cfa.terms.eq(x, seven);
    b.branch(5, wrong, 6, 1);
    b.error(6);
    let mut made = blocks(&b.cfa, &BlockOptions::default()).expect("small");
    let body = &made.blocks[1];
    let value = body.exits[0].values[0].1;
    let wanted = made.terms.eq(value, seven);
    assert_eq!(body.error, wanted);
}

#[test]
fn slicing_drops_what_feeds_nothing_and_the_branch_over_it() {
    let (mut b, x, _, _) = diamond();
    let z = b.cfa.add_variable("z", Sort::Bv(4));
    let i = b.cfa.add_input("i", Sort::Bv(1));
    // A branch on z between 1 and 2 whose arms assign z only.
    let (other, arm) = (b.cfa.add_location(None).0, b.cfa.add_location(None).0);
    b.cfa.edges[1].to = LocationId(other);
    b.branch(other, i, arm, 2);
    let more = b.cfa.terms.inc(z);
    b.goto(arm, 2, &[(z, more)]);
    let sliced = slice(&b.cfa);
    assert_eq!(sliced.variables, [0, 1]);
    assert!(sliced.inputs.is_empty());
    assert!(sliced.cfa.edges.iter().all(|e| e.updates.iter().all(|&(v, _)| v == x)));
    assert!(!sliced.locations.contains(&LocationId(other)));
    assert!(sliced.locations.contains(&LocationId(1)), "heads of loops stay");
}

#[test]
fn constants_decide_branches() {
    let mut b = Builder::new(6);
    let flag = b.cfa.add_variable("flag", Sort::Bv(8));
    let x = b.cfa.add_variable("x", Sort::Bv(8));
    let (zero, one) = (b.cfa.terms.zero(8), b.cfa.terms.one(8));
    b.goto(0, 1, &[(flag, zero), (x, zero)]);
    let more = b.cfa.terms.inc(x);
    b.goto(1, 2, &[(x, more)]);
    let set = b.cfa.terms.eq(flag, one);
    b.branch(2, set, 3, 4);
    b.goto(3, 4, &[(flag, one)]);
    b.branch(4, set, 5, 1);
    b.error(5);
    assert!(!prune(&b.cfa).cfa.targets.is_empty());
    assert!(prune(&simplify(&b.cfa)).cfa.targets.is_empty());
    let reduced = reduce(&b.cfa).cfa;
    assert_eq!((reduced.locations.len(), reduced.edges.len()), (1, 0));
    assert!(reduced.variables.is_empty());
}

#[test]
fn output_for_graphviz_is_escaped() {
    let mut b = Builder::new(2);
    let p = b.cfa.add_variable("p", Sort::BOOL);
    b.edge(0, 1, p, &[]);
    b.error(1);
    b.cfa.targets[0].name = "say \"no\"\\".to_string();
    let text = dot(&b.cfa, &|l| (l.0 == 0).then(|| "line 1\nmain".to_string()));
    assert!(text.starts_with("digraph cfa {"));
    assert!(text.contains(r#"l0 [label="line 1\nmain", shape=box];"#), "{text}");
    assert!(text.contains(r#"l1 [label="l1\nsay \"no\"\\", shape=octagon, color=red];"#), "{text}");
    assert!(text.contains(r#"l0 -> l1 [label="[p]"];"#), "{text}");
}

#[test]
fn the_budget_is_kept() {
    let (b, ..) = diamond();
    let options = BlockOptions { max_terms: 2, ..BlockOptions::default() };
    let error = single_loop(&b.cfa, &options).err().expect("too many terms");
    assert!(error.to_string().contains('2'));
}
