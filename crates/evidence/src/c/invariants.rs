//! Loop invariants of the program, from an invariant of its transition system.
//!
//! Fixing the program counter to a loop head specialises the invariant to that head. What remains
//! is a conjunction; the parts that speak of variables without a name there, or that would be too
//! long, are left out, which weakens the invariant and keeps it true. Bits of one variable that
//! are known are put together to an equation about the masked variable.
//!
//! What an invariant over bits says can often be said with words ([`crate::restate`]). If facts
//! about words are an invariant by themselves, they are printed instead; else those parts are
//! replaced that follow from such facts, which in turn follow from the invariant.
//!
//! Consecution on the transition system holds between states in which the constraint can hold,
//! that is, from which the run goes on to another loop head or to a target. A state of the program
//! that ends at once need not satisfy the invariant, so what is said here is only proposed
//! ([`super::inductive`]).

use super::expression::{Name, Printer};
use super::sentences::sentences;
use super::visible::Scene;
use crate::restate::Restated;
use rustc_hash::FxHashMap;
use wedge_c::encode::{Meaning, Origin, OriginKind};
use wedge_c::source::Position;
use wedge_c::typed::{FuncId, Program};
use wedge_logic::{BitVec, Op, Term, TermStore};
use wedge_model::cfa::{Cfa, LocationId};
use wedge_model::{Circuit, LoweringMap, Predicate, Words};
use wedge_sat::Interrupt;
use wedge_smt::words::{Atom, Fact, Relation};

/// What is known whenever a loop begins an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    pub function: String,
    /// A loop of the source; else what holds is known whenever a statement begins, as that of a
    /// label.
    pub is_loop: bool,
    /// Of the keyword of the loop, or of the statement.
    pub position: Position,
    /// A C expression.
    pub value: String,
    /// Whether anything was left out.
    pub weakened: bool,
}

impl LoopInvariant {
    pub(super) fn new(scene: &Scene, (value, weakened): (String, bool)) -> LoopInvariant {
        let function = scene.program.function(scene.function).name.clone();
        let (is_loop, position) = (scene.is_loop, scene.at.position);
        LoopInvariant { function, is_loop, position, value, weakened }
    }
}

/// The transition system as far as it is needed here.
pub struct Invariant<'a> {
    pub terms: &'a mut TermStore,
    /// The invariant, of width 1.
    pub term: Term,
    pub pc: Option<Term>,
    /// The location for each value of the program counter.
    pub cuts: &'a [LocationId],
    pub worded: Option<&'a mut Worded>,
}

/// What an invariant of the circuit says about words.
pub struct Worded {
    pub restated: Restated,
    /// Facts that are an invariant by themselves; the term then says only what they leave out.
    pub proof: Option<Vec<Fact>>,
    /// The variables that the words are.
    pub variables: Vec<Term>,
    pub lowered: LoweringMap,
}

/// The program as it was encoded.
pub struct Encoding<'a> {
    pub program: &'a Program,
    pub cfa: &'a Cfa,
    pub origins: &'a [Origin],
    pub variables: &'a [Meaning],
}

/// The longest conjunct and the longest invariant that is printed.
pub(super) const PART_LIMIT: usize = 500;
const LIMIT: usize = 4000;

/// What is known at a cut point: formulas that hold there, in the order in which they are best
/// said.
pub type Known = Vec<(LocationId, Vec<Term>)>;

/// What an invariant of the transition system says about the cut points.
pub fn stated(invariant: &mut Invariant) -> Known {
    let mut known = Vec::new();
    for (number, &cut) in invariant.cuts.iter().enumerate() {
        let term = match invariant.pc {
            Some(pc) => {
                let width = invariant.terms.width(pc);
                let number = invariant.terms.number(width, number as u64);
                invariant.terms.substitute(invariant.term, &[(pc, number)])
            }
            None => invariant.term,
        };
        let place = invariant.pc.map(|_| number as u64);
        let (term, mut said) = match &mut invariant.worded {
            Some(worded) => worded.said(invariant.terms, term, place),
            None => (term, Vec::new()),
        };
        said.extend(invariant.terms.conjuncts(term));
        known.push((cut, said));
    }
    known
}

/// What is known at loops, said in C as far as that is possible.
pub fn printed(
    encoding: &Encoding,
    reduced: &Cfa,
    terms: &mut TermStore,
    known: &Known,
) -> Vec<LoopInvariant> {
    let mut found = Vec::new();
    for (cut, formulas) in known {
        let Some(scene) = scene(encoding, reduced, *cut) else { continue };
        let names = names(encoding, &scene, terms);
        let value = conjunction(terms, &names, formulas);
        found.push(LoopInvariant::new(&scene, value));
    }
    found
}

/// Which variables have a name at some loop, and whether they are signed.
pub fn named_variables(
    encoding: &Encoding,
    reduced: &Cfa,
    cuts: &[LocationId],
    terms: &TermStore,
) -> FxHashMap<Term, bool> {
    let scenes = cuts.iter().filter_map(|&cut| scene(encoding, reduced, cut));
    let names = scenes.flat_map(|scene| names(encoding, &scene, terms));
    names.map(|(variable, name)| (variable, name.signed)).collect()
}

impl Worded {
    /// What the invariant says about words that have names, as an invariant of its own if it is
    /// one. None if that cannot be found out with moderate effort.
    pub fn new(
        circuit: &Circuit,
        invariant: &Predicate,
        words: &Words,
        named: &FxHashMap<Term, bool>,
        lowered: &LoweringMap,
        interrupt: &Interrupt,
    ) -> Option<Worded> {
        let variables = lowered.word_variables();
        let sign = |word: usize| named.get(variables.get(word)?).copied();
        // Comparisons read best in the types of their variables.
        let rank = |fact: &Fact| {
            let Fact::Atom { atom, .. } = fact else { return 0 };
            let is_foreign = |word: usize| match atom {
                Atom::Compare(Relation::Ule | Relation::Ult, ..) => sign(word) == Some(true),
                Atom::Compare(Relation::Sle | Relation::Slt, ..) => sign(word) == Some(false),
                _ => false,
            };
            atom.words().into_iter().any(is_foreign) as u32
        };
        let is_named = |word: usize| sign(word).is_some();
        let mut restated = Restated::new(invariant, words, is_named, rank, interrupt)?;
        let proof = restated.proof(circuit, interrupt);
        Some(Worded { restated, proof, variables, lowered: lowered.clone() })
    }

    /// Splits what is known at a place into what remains to be said as a term and what is said by
    /// terms about words.
    fn said(&mut self, terms: &mut TermStore, term: Term, place: Option<u64>) -> (Term, Vec<Term>) {
        if let Some(proof) = &self.proof {
            return (term, sentences(terms, &self.variables, proof, place));
        }
        let (mut facts, mut rest) = (Vec::new(), Vec::new());
        for part in terms.conjuncts(term) {
            if self.restated.is_spent() {
                rest.push(part);
                continue;
            }
            let lowered = self.lowered.facts(terms, &[part]);
            let covering = match lowered.roots[..] {
                [root] => self.restated.covering(&lowered.aig, root, place),
                _ => None,
            };
            match covering {
                Some(covering) => facts.extend(covering),
                None => rest.push(part),
            }
        }
        let rest = terms.and_all(&rest);
        (rest, sentences(terms, &self.variables, &facts, place))
    }
}

/// The loop at a location, if no other location of the whole automaton is a head of it.
fn scene<'p>(encoding: &Encoding<'p>, reduced: &Cfa, cut: LocationId) -> Option<Scene<'p>> {
    let head = |origin: Option<u32>| {
        let origin = encoding.origins.get(origin? as usize)?;
        match origin.kind {
            OriginKind::LoopHead(index) => Some((origin.function, index)),
            _ => None,
        }
    };
    let own = head(reduced.locations.get(cut.0 as usize)?.origin)?;
    let same = encoding.cfa.locations.iter().filter(|location| head(location.origin) == Some(own));
    if same.count() != 1 || instances(encoding, own.0) > 1 {
        return None;
    }
    let (function, index) = own;
    let body = encoding.program.function(function).body.as_ref()?;
    let at = *body.loops.get(index as usize)?;
    Some(Scene { program: encoding.program, function, body, at, is_loop: true })
}

/// How many activations of a function have variables of their own.
fn instances(encoding: &Encoding, wanted: FuncId) -> usize {
    let mut seen: Vec<u32> = Vec::new();
    for meaning in encoding.variables {
        if let Meaning::Local { function, instance, .. } = meaning
            && *function == wanted
            && !seen.contains(instance)
        {
            seen.push(*instance);
        }
    }
    seen.len()
}

fn names(encoding: &Encoding, scene: &Scene, terms: &TermStore) -> FxHashMap<Term, Name> {
    let mut names = FxHashMap::default();
    for (&variable, meaning) in encoding.cfa.variables.iter().zip(encoding.variables) {
        let wedge_logic::Sort::Bv(width) = terms.sort(variable) else { continue };
        if let Some((text, signed)) = scene.name(meaning, width) {
            names.insert(variable, Name { text, signed });
        }
    }
    names
}

/// The formulas that can be printed, and whether any could not.
pub(super) fn conjunction(
    terms: &mut TermStore,
    names: &FxHashMap<Term, Name>,
    formulas: &[Term],
) -> (String, bool) {
    let all = formulas.to_vec();
    let (parts, bits) = split(terms, &all);
    let mut equations = Vec::new();
    for (variable, known) in bits {
        let width = terms.width(variable);
        let bit = |index: u32| known.get(&index).copied();
        let mask: Vec<bool> = (0..width).map(|index| bit(index).is_some()).collect();
        let value: Vec<bool> = (0..width).map(|index| bit(index) == Some(true)).collect();
        let mask = terms.constant(BitVec::from_bits(&mask));
        let value = terms.constant(BitVec::from_bits(&value));
        let masked = terms.and(variable, mask);
        equations.push(terms.eq(masked, value));
    }
    let printer = Printer { terms, names, limit: PART_LIMIT };
    let mut value = String::new();
    let mut weakened = false;
    for part in parts.into_iter().chain(equations) {
        match printer.print(part) {
            Some(text) if value.len() + text.len() <= LIMIT => {
                if !value.is_empty() {
                    value += " && ";
                }
                value += &text;
            }
            _ => weakened = true,
        }
    }
    if value.is_empty() {
        value.push('1');
    }
    (value, weakened)
}

/// The known bits of variables, by their position.
type Bits = Vec<(Term, FxHashMap<u32, bool>)>;

/// The conjuncts of formulas; those that are bits of variables are collected by variable.
fn split(terms: &TermStore, formulas: &[Term]) -> (Vec<Term>, Bits) {
    let (mut parts, mut bits) = (Vec::new(), Bits::new());
    for term in formulas.iter().flat_map(|&formula| terms.conjuncts(formula)) {
        if terms.value(term).is_some_and(|value| value.is_one()) {
            continue;
        }
        let (positive, inner) = match terms.op(term) {
            Op::Not => (false, terms.args(term)[0]),
            _ => (true, term),
        };
        match terms.op(inner) {
            Op::Slice { high, low } if high == low && terms.is_var(terms.args(inner)[0]) => {
                let variable = terms.args(inner)[0];
                let at = match bits.iter().position(|(known, _)| *known == variable) {
                    Some(at) => at,
                    None => {
                        bits.push((variable, FxHashMap::default()));
                        bits.len() - 1
                    }
                };
                bits[at].1.insert(low, positive);
            }
            _ => parts.push(term),
        }
    }
    (parts, bits)
}
