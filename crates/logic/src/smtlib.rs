//! Printing terms as SMT-LIB 2.
//!
//! Subterms that occur more than once, or lie too deep, get a name of their own: by `define-fun`
//! in a [`script`], by `let` in a single [`formula`]. The output is linear in the number of
//! distinct subterms. Variables of width 1 are declared as `(_ BitVec 1)`, but terms of width 1
//! are printed as Booleans where they are operands of connectives or conditions. Operators on
//! floats are printed as bit-vectors; [`crate::float::script`] keeps them.

use crate::bitvec::BitVec;
use crate::float::lower_floats;
use crate::term::{Op, Operator, Sort, Term, TermStore};
use crate::view::{View, view, view_cone};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::fmt::Write;

/// Nesting beyond which a subterm is named; keeps recursive readers and this printer fast.
const MAX_NESTING: u32 = 40;

/// Words of the language and of its theories, which no variable may be called.
const RESERVED: &str = "! _ as let par match exists forall BINARY DECIMAL HEXADECIMAL NUMERAL \
    STRING assert check-sat declare-const declare-fun define-fun exit set-logic \
    true false not and or xor => = distinct ite select store const concat extract \
    bvnot bvneg bvand bvor bvxor bvxnor bvnand bvnor bvadd bvsub bvmul bvudiv bvurem bvsdiv \
    bvsrem bvsmod bvshl bvlshr bvashr bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge bvcomp \
    repeat zero_extend sign_extend rotate_left rotate_right Bool BitVec Array";

/// Declarations, definitions and one assertion per term, each of width 1. Panics on others.
pub fn script(store: &TermStore, assertions: &[Term]) -> String {
    without_floats(store, assertions, |store, assertions| {
        let logic = logic(store, assertions);
        script_with(store, assertions, &[], logic, |_| String::new())
    })
}

/// Prints terms without operators on floats.
fn without_floats(
    store: &TermStore,
    roots: &[Term],
    print: impl FnOnce(&TermStore, &[Term]) -> String,
) -> String {
    let is_float = |&t: &Term| matches!(store.op(t), Op::Float(_));
    if !store.cone(roots).iter().any(is_float) {
        return print(store, roots);
    }
    let mut copy = store.clone();
    let lowered = lower_floats(&mut copy, roots);
    print(&copy, &lowered)
}

/// A script that also declares some variables and ends with what `tail` makes of the symbols of
/// all of them.
pub(crate) fn script_with(
    store: &TermStore,
    assertions: &[Term],
    others: &[Term],
    logic: &str,
    tail: impl FnOnce(&FxHashMap<Term, String>) -> String,
) -> String {
    let roots = [assertions, others].concat();
    let mut printer = Printer::new(store, &roots);
    let mut out = format!("(set-logic {logic})\n");
    for var in store.free_vars(&roots) {
        let name = &printer.names[&var];
        let _ = writeln!(out, "(declare-const {name} {})", sort(store.sort(var)));
    }
    for (name, term, text) in printer.definitions(assertions) {
        let sort = if printer.is_bool(term) { "Bool".into() } else { sort(store.sort(term)) };
        let _ = writeln!(out, "(define-fun {name} () {sort} {text})");
    }
    for &term in assertions {
        assert_eq!(store.sort(term), Sort::BOOL, "only conditions are asserted");
        let _ = writeln!(out, "(assert {})", printer.operand(term, true));
    }
    out + &tail(&printer.names)
}

/// Constant arrays are an extension that solvers offer outside the standard logics only.
fn logic(store: &TermStore, roots: &[Term]) -> &'static str {
    let extended = |&t: &Term| matches!(store.op(t), Op::ConstArray(_));
    if store.cone(roots).iter().any(extended) { "ALL" } else { "QF_ABV" }
}

/// One term, with shared subterms bound by `let`. A term of width 1 is printed as a Boolean.
pub fn formula(store: &TermStore, term: Term) -> String {
    without_floats(store, &[term], |store, terms| bit_vector_formula(store, terms[0]))
}

fn bit_vector_formula(store: &TermStore, term: Term) -> String {
    let_formula(Printer::new(store, &[term]), term)
}

fn let_formula(mut printer: Printer, term: Term) -> String {
    let store = printer.store;
    let mut out = String::new();
    let definitions = printer.definitions(&[term]);
    for (name, _, text) in &definitions {
        let _ = write!(out, "(let (({name} {text})) ");
    }
    out.push_str(&printer.operand(term, store.sort(term) == Sort::BOOL));
    out.extend(std::iter::repeat_n(')', definitions.len()));
    out
}

/// The sort in SMT-LIB notation.
pub fn sort(sort: Sort) -> String {
    match sort {
        Sort::Bv(width) => format!("(_ BitVec {width})"),
        Sort::Array { index, element } => {
            format!("(Array (_ BitVec {index}) (_ BitVec {element}))")
        }
    }
}

/// The name as an SMT-LIB symbol, quoted where needed. The two characters that cannot be quoted
/// become underscores.
pub fn symbol(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_well = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    if starts_well && name.chars().all(simple) {
        return name.to_string();
    }
    format!("|{}|", name.replace(['|', '\\'], "_"))
}

struct Printer<'a> {
    store: &'a TermStore,
    /// Symbols of the variables.
    names: Cow<'a, FxHashMap<Term, String>>,
    /// Texts of the terms printed so far, in their natural form, with their nesting.
    texts: FxHashMap<Term, (String, u32)>,
    /// How often a term is an operand.
    uses: FxHashMap<Term, u32>,
    /// Variables of width 1 are declared as Booleans.
    booleans: bool,
}

impl<'a> Printer<'a> {
    fn new(store: &'a TermStore, roots: &[Term]) -> Printer<'a> {
        let names = Cow::Owned(unique_names(store, roots));
        Printer {
            store,
            names,
            texts: FxHashMap::default(),
            uses: FxHashMap::default(),
            booleans: false,
        }
    }

    /// Prints everything below the roots; returns the definitions in order.
    fn definitions(&mut self, roots: &[Term]) -> Vec<(String, Term, String)> {
        let cone = view_cone(self.store, roots, |_| false);
        self.count_uses(&cone, roots);
        let prefix = self.definition_prefix(&cone);
        let mut definitions = Vec::new();
        for term in cone {
            let (text, nesting) = self.print(term);
            let leaf = view(self.store, term).is_none();
            if !leaf && (self.uses[&term] > 1 || nesting > MAX_NESTING) {
                let name = format!("{prefix}{}", definitions.len());
                self.texts.insert(term, (name.clone(), 0));
                definitions.push((name, term, text));
            } else {
                self.texts.insert(term, (text, nesting));
            }
        }
        definitions
    }

    /// How names of definitions begin, and no name of a variable in the cone.
    fn definition_prefix(&self, cone: &[Term]) -> String {
        let names = cone.iter().filter_map(|term| self.names.get(term));
        let marks = |name: &String| name.chars().take_while(|&c| c == '?').count();
        "?".repeat(names.map(marks).max().unwrap_or(0) + 1)
    }

    fn count_uses(&mut self, cone: &[Term], roots: &[Term]) {
        let operands = cone.iter().filter_map(|&t| view(self.store, t));
        let operands = operands.flat_map(|v| v.operands().to_vec()).chain(roots.iter().copied());
        for term in operands {
            *self.uses.entry(term).or_default() += 1;
        }
    }

    /// The text of a term whose operands are printed.
    fn print(&self, term: Term) -> (String, u32) {
        if let Some(value) = self.store.value(term) {
            return (constant(value), 0);
        }
        let Some(view) = view(self.store, term) else { return (self.names[&term].clone(), 0) };
        let nesting = view.operands().iter().map(|t| self.texts[t].1).max().unwrap_or(0) + 1;
        let boolean = self.is_bool(term);
        let mut text = format!("({}", head(self.store, term, &view, boolean));
        for (position, &operand) in view.operands().iter().enumerate() {
            let condition = view.operator == Operator::Ite && position == 0;
            let wants_bool = condition || (boolean && is_connective(view.operator));
            let _ = write!(text, " {}", self.operand(operand, wants_bool));
        }
        text.push(')');
        (text, nesting)
    }

    /// The text of a printed term as a Boolean or as a bit-vector.
    fn operand(&self, term: Term, wants_bool: bool) -> String {
        if let (true, Some(value)) = (wants_bool, self.store.value(term)) {
            return value.is_one().to_string();
        }
        let text = &self.texts[&term].0;
        match (self.is_bool(term), wants_bool) {
            (true, false) => format!("(ite {text} #b1 #b0)"),
            (false, true) => format!("(= {text} #b1)"),
            _ => text.clone(),
        }
    }

    /// Whether the natural form of a term is a Boolean.
    fn is_bool(&self, term: Term) -> bool {
        let bit = self.store.sort(term) == Sort::BOOL;
        let of_conditions = |op| is_connective(op) || is_predicate(op);
        bit && match view(self.store, term) {
            Some(view) => of_conditions(view.operator),
            None => self.booleans && self.store.value(term).is_none(),
        }
    }
}

/// Operators that on single bits are Boolean connectives.
fn is_connective(operator: Operator) -> bool {
    use Operator::*;
    matches!(operator, Not | And | Or | Xor | Xnor | Implies | Ite)
}

fn is_predicate(operator: Operator) -> bool {
    use Operator::*;
    matches!(operator, Eq | Neq | Ult | Ule | Slt | Sle)
}

/// What stands before the operands.
fn head(store: &TermStore, term: Term, view: &View, boolean: bool) -> String {
    let name = match (view.operator, boolean) {
        (Operator::Not, true) => "not",
        (Operator::And, true) => "and",
        (Operator::Or, true) => "or",
        (Operator::Xor, true) => "xor",
        (Operator::Implies, true) => "=>",
        (Operator::Xnor, true) | (Operator::Eq, _) => "=",
        (Operator::Neq, _) => "distinct",
        (Operator::Ite, _) => "ite",
        (Operator::Slice { high, low }, _) => return format!("(_ extract {high} {low})"),
        (Operator::Zext(by), _) => return format!("(_ zero_extend {by})"),
        (Operator::Sext(by), _) => return format!("(_ sign_extend {by})"),
        (Operator::ConstArray { .. }, _) => {
            return format!("(as const {})", sort(store.sort(term)));
        }
        (operator, _) => word_operator(operator),
    };
    name.to_string()
}

fn word_operator(operator: Operator) -> &'static str {
    match operator {
        Operator::Not => "bvnot",
        Operator::Neg => "bvneg",
        Operator::And => "bvand",
        Operator::Or => "bvor",
        Operator::Xor => "bvxor",
        Operator::Xnor => "bvxnor",
        Operator::Ult => "bvult",
        Operator::Ule => "bvule",
        Operator::Slt => "bvslt",
        Operator::Sle => "bvsle",
        Operator::Add => "bvadd",
        Operator::Sub => "bvsub",
        Operator::Mul => "bvmul",
        Operator::Udiv => "bvudiv",
        Operator::Urem => "bvurem",
        Operator::Sll => "bvshl",
        Operator::Srl => "bvlshr",
        Operator::Sra => "bvashr",
        Operator::Concat => "concat",
        Operator::Read => "select",
        Operator::Write => "store",
        Operator::Float(_) => unreachable!("floats are lowered before they are printed"),
        _ => unreachable!("{operator:?} is never the view of a term"),
    }
}

/// Hexadecimal where the width allows it.
pub(crate) fn constant(value: &BitVec) -> String {
    let width = value.width();
    match width % 4 {
        0 => {
            let digits = value.to_biguint().to_str_radix(16);
            format!("#x{}{digits}", "0".repeat(width as usize / 4 - digits.len()))
        }
        _ => format!("#b{value:b}"),
    }
}

/// A symbol for each variable in the roots, distinct even if names coincide.
fn unique_names(store: &TermStore, roots: &[Term]) -> FxHashMap<Term, String> {
    let mut names = Names::default();
    for var in store.free_vars(roots) {
        names.add(store, var);
    }
    names.names
}

/// Symbols of variables that stay the same from formula to formula.
#[derive(Clone, Debug, Default)]
pub struct Names {
    names: FxHashMap<Term, String>,
    taken: FxHashSet<String>,
    number: usize,
    /// Whether variables of width 1 are declared as Booleans instead of words.
    booleans: bool,
}

impl Names {
    /// For variables of which those of width 1 are declared as Booleans.
    pub fn with_booleans() -> Names {
        Names { booleans: true, ..Names::default() }
    }

    pub fn get(&self, variable: Term) -> Option<&str> {
        self.names.get(&variable).map(String::as_str)
    }

    /// Gives a variable a symbol that no other has; the one it has if there is one.
    pub fn add(&mut self, store: &TermStore, variable: Term) -> &str {
        if self.taken.is_empty() {
            self.taken = RESERVED.split_whitespace().map(String::from).collect();
        }
        if !self.names.contains_key(&variable) {
            let name = store.name(variable).unwrap_or_default();
            let mut unique = symbol(name);
            while self.taken.contains(&unique) {
                self.number += 1;
                unique = symbol(&format!("{name}!{}", self.number));
            }
            self.taken.insert(unique.clone());
            self.names.insert(variable, unique);
        }
        &self.names[&variable]
    }

    /// The symbols with their variables.
    pub fn iter(&self) -> impl Iterator<Item = (Term, &str)> {
        self.names.iter().map(|(&variable, name)| (variable, name.as_str()))
    }
}

/// Like [`formula`], with these symbols for all variables. Panics on a variable without one, and
/// on operators on floats.
pub fn formula_with(store: &TermStore, term: Term, names: &Names) -> String {
    let (booleans, uses) = (names.booleans, FxHashMap::default());
    let names = Cow::Borrowed(&names.names);
    let_formula(Printer { store, names, texts: FxHashMap::default(), uses, booleans }, term)
}
