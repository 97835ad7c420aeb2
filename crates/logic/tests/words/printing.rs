//! SMT-LIB output.

use wedge_logic::{Sort, TermStore, smtlib};

#[test]
fn conditions_are_booleans_and_words_are_not() {
    let mut store = TermStore::new();
    let (p, q) = (store.var("p", Sort::BOOL), store.var("q", Sort::BOOL));
    let (x, y) = (store.var("x", Sort::Bv(8)), store.var("y", Sort::Bv(6)));
    let or = store.or(p, q);
    assert_eq!(smtlib::formula(&store, or), "(or (= p #b1) (= q #b1))");
    let wide = store.zext(y, 2);
    let less = store.ult(x, wide);
    let both = store.implies(p, less);
    let text = "(=> (= p #b1) (bvult x ((_ zero_extend 2) y)))";
    assert_eq!(smtlib::formula(&store, both), text);
    let joined = store.concat(less, y);
    let text = "(concat (ite (bvult x ((_ zero_extend 2) y)) #b1 #b0) y)";
    assert_eq!(smtlib::formula(&store, joined), text);
    let (k, difference) = (store.number(8, 0x2f), store.sub(x, wide));
    let chosen = store.ite(p, k, difference);
    let text = "(ite (= p #b1) #x2f (bvsub x ((_ zero_extend 2) y)))";
    assert_eq!(smtlib::formula(&store, chosen), text);
}

#[test]
fn shared_terms_are_named_once() {
    let mut store = TermStore::new();
    let mut term = store.var("x", Sort::Bv(8));
    for _ in 0..60 {
        let square = store.mul(term, term);
        term = store.inc(square);
    }
    let text = smtlib::formula(&store, term);
    assert!(text.starts_with("(let ((?0 (bvadd (bvmul x x) #x01))) (let ((?1 "), "{text}");
    assert!(text.len() < 60 * 50);
}

#[test]
fn scripts_declare_and_define() {
    let mut store = TermStore::new();
    let array = store.var("my mem", Sort::Array { index: 2, element: 8 });
    let i = store.var("and", Sort::Bv(2));
    let other = store.var("?0", Sort::Bv(8));
    let read = store.read(array, i);
    let (square, zero) = (store.mul(read, read), store.zero(8));
    let empty = store.const_array(2, zero);
    let (first, second) = (store.ult(square, other), store.eq(array, empty));
    let text = smtlib::script(&store, &[first, second]);
    let expected = "(set-logic ALL)
(declare-const |my mem| (Array (_ BitVec 2) (_ BitVec 8)))
(declare-const and!1 (_ BitVec 2))
(declare-const ?0 (_ BitVec 8))
(define-fun ??0 () (_ BitVec 8) (select |my mem| and!1))
(assert (bvult (bvmul ??0 ??0) ?0))
(assert (= |my mem| ((as const (Array (_ BitVec 2) (_ BitVec 8))) #x00)))
";
    assert_eq!(text, expected);
    assert!(smtlib::script(&store, &[first]).starts_with("(set-logic QF_ABV)"));
}

#[test]
fn symbols_are_quoted_where_needed() {
    assert_eq!(smtlib::symbol("a.b!1"), "a.b!1");
    assert_eq!(smtlib::symbol("1a"), "|1a|");
    assert_eq!(smtlib::symbol("a[0]"), "|a[0]|");
    assert_eq!(smtlib::symbol("a|b"), "|a_b|");
    assert_eq!(smtlib::symbol(""), "||");
}

#[test]
fn equal_names_are_told_apart() {
    let mut store = TermStore::new();
    let (a, b) = (store.var("x", Sort::BOOL), store.var("x", Sort::BOOL));
    let and = store.and(a, b);
    let text = smtlib::formula(&store, and);
    assert!(text.starts_with("(and (= x #b1) (= x!1 #b1))"), "{text}");
}
