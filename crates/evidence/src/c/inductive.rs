//! Invariants for witnesses that prove the property by themselves.
//!
//! What a proof says about loops is often not what people, or validators, can use: it speaks of
//! bits, of variables that have no name there, or it says nothing, since the proof was that all
//! runs have been looked at. So everything that may hold at a loop and can be said in C there is
//! collected (the proof's own facts, those of a data-flow analysis, relations that runs suggest),
//! and what of it is inductive and excludes the targets is found out on the automaton
//! ([`crate::cuts::largest`]).
//!
//! A loop of a function that is called from several places is one place of the source and several
//! of the automaton; what is said about it has to hold at all of them.

use super::expression::{Name, Printer};
use super::invariants::{Encoding, Known, LoopInvariant, PART_LIMIT, conjunction};
use super::visible::Scene;
use crate::cuts::largest::{Candidate, largest};
use crate::rejection::Rejection;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_c::encode::{Meaning, OriginKind};
use wedge_c::source::Position;
use wedge_c::typed::{Body, FuncId, LocalId, Loop, ScopeId};
use wedge_logic::view::view;
use wedge_logic::{Operator, Sort, Term, TermStore};
use wedge_model::cfa::{Cfa, Liveness, LocationId};
use wedge_sat::Interrupt;

/// Candidates beyond these are not looked at.
const MAX_AT_PLACE: usize = 150;
const MAX_CANDIDATES: usize = 1200;
/// What is longer is looked at only if nothing else is a proof.
const READABLE: usize = 90;

/// What came out.
pub struct Inductive {
    pub invariants: Vec<LoopInvariant>,
    /// Whether they prove the property.
    pub is_proof: bool,
    /// Loops of the source that the automaton has and about which nothing can be said.
    pub silent: usize,
}

/// A variable of the source, whatever call of its function it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Identity {
    Global(u32, u64),
    Local(FuncId, LocalId, u64),
}

/// A place of the source with all locations that it has in the automaton.
struct Place<'p> {
    scene: Scene<'p>,
    locations: Vec<Visible>,
}

/// The variables that have a name at a location.
struct Visible {
    location: LocationId,
    names: FxHashMap<Term, Name>,
    identities: FxHashMap<Term, Identity>,
}

/// What is inductive of what may be known at the cut points of the reduced automaton. The formulas
/// are those of `terms`, which extends the automaton's store.
pub fn inductive(
    encoding: &Encoding,
    reduced: &Cfa,
    cuts: &[LocationId],
    terms: &mut TermStore,
    known: &Known,
    interrupt: &Interrupt,
) -> Result<Inductive, Rejection> {
    let places = places(encoding, reduced, cuts, terms);
    // Long conditions about bits are the last resort.
    let (mut candidates, mut about) = candidates(&places, terms, known, READABLE);
    let mut found = largest(reduced, cuts, terms, &candidates, interrupt)?;
    if found.proof.is_none() {
        let (all, about_all) = self::candidates(&places, terms, known, PART_LIMIT);
        if all.len() > candidates.len() {
            (candidates, about) = (all, about_all);
            found = largest(reduced, cuts, terms, &candidates, interrupt)?;
        }
    }
    let is_proof = found.proof.is_some();
    let chosen = found.proof.unwrap_or(found.holds);
    let mut invariants = Vec::new();
    let mut silent = 0;
    for (number, place) in places.iter().enumerate() {
        let here = chosen.iter().filter(|&&candidate| about[candidate] == number);
        let formulas: Vec<Term> = here.map(|&candidate| candidates[candidate].at[0].1).collect();
        let first = &place.locations[0];
        let (value, weakened) = conjunction(terms, &first.names, &formulas);
        silent += (value == "1") as usize;
        let weakened = weakened || !is_proof;
        invariants.push(LoopInvariant::new(&place.scene, (value, weakened)));
    }
    Ok(Inductive { invariants, is_proof, silent })
}

/// What can be said in so many bytes each, with the number of its place.
fn candidates(
    places: &[Place],
    terms: &mut TermStore,
    known: &Known,
    limit: usize,
) -> (Vec<Candidate>, Vec<usize>) {
    let (mut candidates, mut about) = (Vec::new(), Vec::new());
    for (number, place) in places.iter().enumerate() {
        let mut seen: FxHashSet<String> = FxHashSet::default();
        let here = |location: LocationId| place.locations.iter().find(|v| v.location == location);
        for (location, formulas) in known {
            let Some(visible) = here(*location) else { continue };
            let mut parts = Vec::new();
            for part in formulas.iter().flat_map(|&formula| terms.conjuncts(formula)) {
                parts.push(part);
            }
            let signed: Vec<Term> =
                parts.iter().flat_map(|&part| in_own_type(terms, visible, part)).collect();
            for part in signed.into_iter().chain(parts) {
                if seen.len() >= MAX_AT_PLACE || candidates.len() >= MAX_CANDIDATES {
                    break;
                }
                let printer = Printer { terms, names: &visible.names, limit };
                let Some(text) = printer.print(part) else { continue };
                if !seen.insert(text) {
                    continue;
                }
                if let Some(at) = place.everywhere(terms, visible, part) {
                    candidates.push(Candidate { at });
                    about.push(number);
                }
            }
        }
    }
    (candidates, about)
}

/// An upper bound of the bits of a signed variable, as bounds of the variable.
fn in_own_type(terms: &mut TermStore, visible: &Visible, part: Term) -> Vec<Term> {
    let Some(seen) = view(terms, part) else { return Vec::new() };
    let is_strict = match seen.operator {
        Operator::Ule => false,
        Operator::Ult => true,
        _ => return Vec::new(),
    };
    let &[word, bound] = seen.operands() else { return Vec::new() };
    let is_signed = visible.names.get(&word).is_some_and(|name| name.signed);
    let is_small = terms.value(bound).is_some_and(|value| !value.is_negative());
    if !is_signed || !is_small {
        return Vec::new();
    }
    let zero = terms.number(terms.width(word), 0);
    let upper = if is_strict { terms.slt(word, bound) } else { terms.sle(word, bound) };
    vec![terms.sle(zero, word), upper]
}

impl Place<'_> {
    /// A formula about one location as one about all; none if they do not have its variables.
    /// The first location's formula is the first.
    fn everywhere(
        &self,
        terms: &mut TermStore,
        own: &Visible,
        formula: Term,
    ) -> Option<Vec<(LocationId, Term)>> {
        let variables = terms.free_vars(&[formula]);
        let mut all = Vec::new();
        for visible in &self.locations {
            let mut pairs = Vec::new();
            for &variable in &variables {
                let identity = own.identities.get(&variable)?;
                let same = visible.identities.iter().find(|(_, other)| *other == identity)?;
                pairs.push((variable, *same.0));
            }
            all.push((visible.location, terms.substitute(formula, &pairs)));
        }
        Some(all)
    }
}

/// What tells the places of the source apart.
type Key = (FuncId, Option<u32>, Position);

/// The places that the cut points are, but for those of which the reduced automaton lacks some.
fn places<'p>(
    encoding: &Encoding<'p>,
    reduced: &Cfa,
    cuts: &[LocationId],
    terms: &TermStore,
) -> Vec<Place<'p>> {
    let key = |cfa: &Cfa, location: LocationId| -> Option<Key> {
        let origin = cfa.locations.get(location.0 as usize)?.origin?;
        let origin = encoding.origins.get(origin as usize)?;
        match origin.kind {
            OriginKind::LoopHead(index) => {
                Some((origin.function, Some(index), Position::default()))
            }
            OriginKind::Block => Some((origin.function, None, origin.position)),
            _ => None,
        }
    };
    let all = |cfa: &Cfa, wanted: Key| -> Vec<LocationId> {
        let ids = (0..cfa.locations.len() as u32).map(LocationId);
        ids.filter(|&location| key(cfa, location) == Some(wanted)).collect()
    };
    let live = Liveness::new(reduced);
    let mut seen: FxHashSet<Key> = FxHashSet::default();
    let mut places = Vec::new();
    for &cut in cuts.iter().filter(|&&cut| cut != reduced.entry) {
        let Some(own) = key(reduced, cut) else { continue };
        if !seen.insert(own) {
            continue;
        }
        let Some(scene) = scene(encoding, own) else { continue };
        let locations = all(reduced, own);
        let is_whole = all(encoding.cfa, own).len() == locations.len();
        if !is_whole || !locations.iter().all(|location| cuts.contains(location)) {
            continue;
        }
        let visible =
            |location: LocationId| visible(encoding, reduced, &live, terms, &scene, location);
        let locations: Option<Vec<Visible>> = locations.into_iter().map(visible).collect();
        if let Some(locations) = locations.filter(|locations| !locations.is_empty()) {
            places.push(Place { scene, locations });
        }
    }
    places
}

fn scene<'p>(encoding: &Encoding<'p>, (function, index, position): Key) -> Option<Scene<'p>> {
    let owner = encoding.program.function(function);
    let body = owner.body.as_ref().filter(|_| !owner.is_library)?;
    let at = match index {
        Some(index) => *body.loops.get(index as usize)?,
        None => {
            Loop { head: wedge_c::typed::BlockId(0), position, scope: innermost(body, position)? }
        }
    };
    Some(Scene { program: encoding.program, function, body, at, is_loop: index.is_some() })
}

/// The innermost block of the source around a position.
fn innermost(body: &Body, position: Position) -> Option<ScopeId> {
    let place = |p: Position| (p.physical_line, p.column);
    let is_around = |scope: &wedge_c::typed::Scope| {
        scope.begin.file == position.file
            && place(scope.begin) <= place(position)
            && place(position) <= place(scope.end)
    };
    let around = body.scopes.iter().enumerate().filter(|(_, scope)| is_around(scope));
    around.max_by_key(|(_, scope)| place(scope.begin)).map(|(id, _)| ScopeId(id as u32))
}

/// The variables with names that matter at a location; none if it is not clear to which call of the
/// function the location belongs.
fn visible(
    encoding: &Encoding,
    reduced: &Cfa,
    live: &Liveness,
    terms: &TermStore,
    scene: &Scene,
    location: LocationId,
) -> Option<Visible> {
    let meanings: FxHashMap<Term, &Meaning> =
        encoding.cfa.variables.iter().copied().zip(encoding.variables).collect();
    let matters: Vec<Term> = live.live_at(location).map(|index| reduced.variables[index]).collect();
    let (mut names, mut identities) = (FxHashMap::default(), FxHashMap::default());
    let mut call = None;
    for &variable in &matters {
        let Some(&meaning) = meanings.get(&variable) else { continue };
        let identity = match *meaning {
            Meaning::Global(id, offset) => Identity::Global(id.0, offset),
            Meaning::Local { function, local, offset, instance } if function == scene.function => {
                if *call.get_or_insert(instance) != instance {
                    return None;
                }
                Identity::Local(function, local, offset)
            }
            _ => continue,
        };
        let Sort::Bv(width) = terms.sort(variable) else { continue };
        if let Some((text, signed)) = scene.name(meaning, width) {
            names.insert(variable, Name { text, signed });
            identities.insert(variable, identity);
        }
    }
    Some(Visible { location, names, identities })
}
