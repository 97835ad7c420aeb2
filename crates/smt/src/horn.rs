//! Automata as SMT-LIB 2: constrained Horn clauses, and paths up to a bound.
//!
//! For each cut point there is a relation over the variables that are live there; a block that
//! leads from one cut point to the next is a clause, and a block that leads to a target implies
//! false. The clauses are satisfiable if and only if no target is reachable; a target may also
//! stand for the end of the model, such as a recursion that is too deep.

use std::fmt::Write;
use wedge_logic::float::Lowering;
use wedge_logic::smtlib::{self, Names};
use wedge_logic::{Sort, Substitution, Term, TermStore};
use wedge_model::Cfa;
use wedge_model::cfa::dataflow::{Analysis, Precision, analyse};
use wedge_model::cfa::{
    BlockOptions, Blocks, Cuts, LocationId, SingleLoop, TooManyTerms, blocks, single_loop,
};

/// What the clauses say beside the automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Facts {
    None,
    /// What a data-flow analysis knows of the states at each cut point. It holds in all of them, so
    /// that the clauses have the same answer, and solvers need not find it.
    DataFlow,
}

/// The automaton as constrained Horn clauses, with a relation for each place where it is cut.
pub fn horn(cfa: &Cfa, cuts: Cuts, facts: Facts) -> Result<String, TooManyTerms> {
    let blocks = blocks(cfa, &BlockOptions { cuts, ..BlockOptions::default() })?;
    let analysis = match facts {
        Facts::None => None,
        Facts::DataFlow => analyse(cfa, Precision::Quick, &|| false),
    };
    let mut out = String::from("(set-logic HORN)\n");
    let mut writer =
        Writer { cfa, blocks: &blocks, store: blocks.terms.clone(), floats: Lowering::new() };
    for block in &blocks.blocks {
        let sorts: Vec<String> =
            writer.live(block.cut).iter().map(|&v| argument_sort(cfa.terms.sort(v))).collect();
        let _ = writeln!(out, "(declare-fun at{} ({}) Bool)", block.cut.0, sorts.join(" "));
    }
    let entry = writer.live(cfa.entry);
    let always = writer.store.bool(true);
    out += &writer.clause(None, always, Some((cfa.entry, &entry)));
    for block in &blocks.blocks {
        let known = writer.known(block.cut, analysis.as_ref());
        for exit in &block.exits {
            let condition = writer.store.and(known, exit.condition);
            let mut after = Substitution::new(exit.values.iter().copied());
            let live = writer.live(exit.to);
            let values: Vec<Term> =
                live.iter().map(|&v| after.apply(&mut writer.store, v)).collect();
            out += &writer.clause(Some(block.cut), condition, Some((exit.to, &values)));
        }
        let wrong = writer.store.or(block.error, block.limit);
        let wrong = writer.store.and(known, wrong);
        out += &writer.clause(Some(block.cut), wrong, None);
    }
    out += "(check-sat)\n";
    Ok(out)
}

/// Bits are Boolean in relations: solvers of Horn clauses know more about these than about words
/// of width 1.
fn argument_sort(sort: Sort) -> String {
    match sort {
        Sort::BOOL => "Bool".into(),
        _ => smtlib::sort(sort),
    }
}

struct Writer<'a> {
    cfa: &'a Cfa,
    blocks: &'a Blocks,
    store: TermStore,
    floats: Lowering,
}

impl Writer<'_> {
    /// The variables of the relation of a cut point.
    fn live(&self, cut: LocationId) -> Vec<Term> {
        let places = 0..self.cfa.variables.len();
        let live = places.filter(|&place| self.blocks.live.is_live(cut, place));
        live.map(|place| self.cfa.variables[place]).collect()
    }

    /// What is known of the variables of the relation of a cut point.
    fn known(&mut self, cut: LocationId, analysis: Option<&Analysis>) -> Term {
        // The first states are arbitrary as far as the relation of the entry says.
        let Some(analysis) = analysis.filter(|_| cut != self.cfa.entry) else {
            return self.store.bool(true);
        };
        let live = self.live(cut);
        let mut facts = analysis.facts(&mut self.store, cut);
        facts.retain(|&fact| self.store.free_vars(&[fact]).iter().all(|v| live.contains(v)));
        self.store.and_all(&facts)
    }

    /// ∀ x. from(x) ∧ condition → to(values); nothing if the condition cannot hold.
    fn clause(
        &mut self,
        from: Option<LocationId>,
        condition: Term,
        to: Option<(LocationId, &[Term])>,
    ) -> String {
        let condition = self.floats.lower(&mut self.store, condition);
        if self.store.value(condition).is_some_and(|value| value.is_zero()) {
            return String::new();
        }
        let premises = from.map_or(Vec::new(), |from| self.live(from));
        let given = to.map_or(&[][..], |(_, values)| values);
        let values: Vec<Term> =
            given.iter().map(|&v| self.floats.lower(&mut self.store, v)).collect();
        let roots = [&premises[..], &values, &[condition]].concat();
        let mut names = Names::with_booleans();
        let mut bound = String::new();
        for variable in self.store.free_vars(&roots) {
            let sort = argument_sort(self.store.sort(variable));
            let _ = write!(bound, "({} {sort})", names.add(&self.store, variable));
        }
        let mut body = smtlib::formula_with(&self.store, condition, &names);
        if let Some(from) = from {
            body = format!("(and {} {body})", self.relation(from, &premises, &names));
        }
        let head = to.map_or("false".to_string(), |(to, _)| self.relation(to, &values, &names));
        match bound.is_empty() {
            true => format!("(assert (=> {body} {head}))\n"),
            false => format!("(assert (forall ({bound}) (=> {body} {head})))\n"),
        }
    }

    fn relation(&self, cut: LocationId, values: &[Term], names: &Names) -> String {
        if values.is_empty() {
            return format!("at{}", cut.0);
        }
        let value = |&term: &Term| smtlib::formula_with(&self.store, term, names);
        let values: Vec<String> = values.iter().map(value).collect();
        format!("(at{} {})", cut.0, values.join(" "))
    }
}

/// Whether a target is reached within so many blocks, as one query: satisfiable if it is.
pub fn unrolled(cfa: &Cfa, cuts: Cuts, bound: usize) -> Result<String, TooManyTerms> {
    let options = BlockOptions { cuts, ..BlockOptions::default() };
    let SingleLoop { system, .. } = single_loop(cfa, &options)?;
    let mut store = system.terms.clone();
    let copy = |store: &mut TermStore, variable: Term, step: usize| {
        let name = format!("{}@{step}", store.name(variable).unwrap_or_default());
        let sort = store.sort(variable);
        store.var(name, sort)
    };
    let bads: Vec<Term> = system.bads.iter().map(|bad| bad.term).collect();
    let bad = store.or_all(&bads);
    let constraint = store.and_all(&system.constraints);
    let mut states: Vec<(Term, Term)> = Vec::new();
    for state in &system.states {
        states.push((state.var, state.init.unwrap_or_else(|| copy(&mut store, state.var, 0))));
    }
    let mut before = store.bool(true);
    let mut reached = Vec::new();
    for step in 0..=bound {
        let inputs: Vec<(Term, Term)> =
            system.inputs.iter().map(|&input| (input, copy(&mut store, input, step))).collect();
        let mut now = Substitution::new(states.iter().chain(&inputs).copied());
        let constraint = now.apply(&mut store, constraint);
        before = store.and(before, constraint);
        let bad = now.apply(&mut store, bad);
        reached.push(store.and(before, bad));
        let mut next = Vec::new();
        for state in &system.states {
            let value = match state.next {
                Some(value) => now.apply(&mut store, value),
                None => copy(&mut store, state.var, step + 1),
            };
            next.push((state.var, value));
        }
        states = next;
    }
    let some = store.or_all(&reached);
    Ok(smtlib::script(&store, &[some]) + "(check-sat)\n")
}
