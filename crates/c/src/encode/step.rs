//! What one statement does: collected while it is translated, then made into edges.

use super::{Born, ChoicePoint, ChoicePointKind, Encoder, Foreign, Meaning};
use crate::flat::InstanceId;
use crate::source::Position;
use crate::types::Ty;
use crate::violation::{CheckPoint, Kind};
use rustc_hash::FxHashMap;
use wedge_logic::{Sort, Term};
use wedge_model::cfa::{Edge, EdgeId, LocationId, Target, TargetKind};

/// The effects collected so far.
#[derive(Default)]
pub struct Step {
    /// Undefined behaviour does not happen: the path goes on only if all of these hold.
    pub guards: Vec<Term>,
    /// The operands of `&&`, `||` and `?:` that decide whether the current part counts.
    pub conditions: Vec<Term>,
    pub updates: Vec<(Term, Term)>,
    /// The place of a variable in `updates`.
    index: FxHashMap<Term, usize>,
    /// Temporaries that get arbitrary values before anything else happens.
    pub before: Vec<(Term, Term)>,
    /// Where the model ends, and why.
    pub limits: Vec<(Term, String)>,
    /// Lives that begin with what their variables hold from the start.
    pub born: Vec<Born>,
    /// Accesses to memory of the environment, in order.
    pub foreign: Vec<Foreign>,
    /// When something happens that is asked for.
    pub violations: Vec<(Term, Kind)>,
}

impl Step {
    /// The value of a variable after the updates collected so far.
    pub fn current(&self, variable: Term) -> Term {
        self.index.get(&variable).map_or(variable, |&index| self.updates[index].1)
    }

    pub fn update(&mut self, variable: Term, value: Term) {
        match self.index.get(&variable) {
            Some(&index) => self.updates[index].1 = value,
            None => {
                self.index.insert(variable, self.updates.len());
                self.updates.push((variable, value));
            }
        }
    }
}

impl Encoder<'_, '_> {
    /// Makes `condition` necessary where the current part of the expression counts.
    pub(super) fn require(&mut self, condition: Term) {
        let reached = self.reached();
        let needed = self.cfa.terms.implies(reached, condition);
        self.step.guards.push(needed);
    }

    /// Makes `condition` necessary, as [`require`](Self::require) does; where it does not hold
    /// there is a violation of a kind, which is a target if it is asked for.
    pub(super) fn check(&mut self, kind: Kind, condition: Term) {
        // A condition without a value must not end a run that the program does not end.
        let kind = if self.program.is_annotation(self.at) { Kind::Invariant } else { kind };
        if self.violations.contains_key(&kind) && self.is_open_check(kind) {
            let reached = self.reached();
            // What comes first ends the run.
            let before = self.cfa.terms.and_all(&self.step.guards);
            let terms = &mut self.cfa.terms;
            let fails = terms.not(condition);
            let here = terms.and(reached, fails);
            let violated = terms.and(before, here);
            if terms.value(violated).is_none_or(|value| !value.is_zero()) {
                self.step.violations.push((violated, kind));
            }
        }
        self.require(condition);
    }

    /// A run ends where a place is reached of which that is asked; whether this is one.
    pub(super) fn check_goal(&mut self) -> bool {
        let is_goal = !self.in_library && self.properties.is_goal(&self.program.files, self.at);
        if is_goal {
            let never = self.cfa.terms.bool(false);
            self.check(Kind::Reached, never);
        }
        is_goal
    }

    /// Notes a check of the current statement; whether its violations are targets.
    fn is_open_check(&mut self, kind: Kind) -> bool {
        if !self.in_library && !self.starting {
            self.checks.insert(CheckPoint::new(kind, &self.program.files, self.at));
        }
        !self.properties.is_settled(kind, &self.program.files, self.at)
    }

    /// The model ends where the current part counts and `condition` holds.
    pub(super) fn limit(&mut self, condition: Term, why: impl Into<String>) {
        let reached = self.reached();
        let condition = self.cfa.terms.and(reached, condition);
        self.step.limits.push((condition, why.into()));
    }

    pub(super) fn reached(&mut self) -> Term {
        let conditions = std::mem::take(&mut self.step.conditions);
        let all = self.cfa.terms.and_all(&conditions);
        self.step.conditions = conditions;
        all
    }

    /// An input of the automaton.
    pub(super) fn input(
        &mut self,
        kind: ChoicePointKind,
        ty: Ty,
        sort: Sort,
        instance: InstanceId,
        position: Position,
    ) -> Term {
        let (kind, position) = self.seen_from_outside(kind, instance, position);
        let function = self.flat.instances[instance.0 as usize].function;
        let name = match &kind {
            ChoicePointKind::Call(id) => self.program.function(*id).name.clone(),
            ChoicePointKind::Local(id, _) => self.local_name(instance, *id),
            _ => "arbitrary".to_string(),
        };
        self.choices.push(ChoicePoint { kind, ty, function, position, stride: 0 });
        self.cfa.add_input(format!("{name}!{}", self.choices.len() - 1), sort)
    }

    /// A choice inside the library is one of the call that the program itself has made: that is
    /// how the interpreter, which knows nothing of the library in C, asks for it.
    pub(super) fn seen_from_outside(
        &self,
        kind: ChoicePointKind,
        instance: InstanceId,
        position: Position,
    ) -> (ChoicePointKind, Position) {
        let (mut kind, mut position, mut now) = (kind, position, instance);
        while let instance = self.flat.instance(now)
            && self.program.function(instance.function).is_library
            && let Some((caller, at)) = instance.caller
        {
            if let ChoicePointKind::Call(_) = kind {
                kind = ChoicePointKind::Call(self.program.original(instance.function));
            }
            (position, now) = (at, caller);
        }
        (kind, position)
    }

    /// A temporary that gets an arbitrary value before the statement.
    pub(super) fn arbitrary(
        &mut self,
        kind: ChoicePointKind,
        ty: Ty,
        width: u32,
        instance: InstanceId,
        position: Position,
    ) -> Term {
        let input = self.input(kind, ty, Sort::Bv(width), instance, position);
        let temporary = self.temporary("arbitrary", Sort::Bv(width));
        self.step.before.push((temporary, input));
        temporary
    }

    /// A variable of the encoding's own.
    pub(super) fn temporary(&mut self, name: &str, sort: Sort) -> Term {
        self.variables.push(Meaning::Internal);
        let name = format!("{name}!{}", self.variables.len() - 1);
        self.cfa.add_variable(name, sort)
    }

    /// Ends the step with one edge; gives the location it leads to.
    pub(super) fn finish(&mut self, from: LocationId, origin: u32) -> LocationId {
        if self.is_void() {
            // Lives that begin here do so on the next edge, and what is accessed outside is accessed
            // before it: no variable has another value there.
            let Step { born, foreign, .. } = std::mem::take(&mut self.step);
            self.step = Step { born, foreign, ..Step::default() };
            return from;
        }
        let (from, guard, step) = self.begin(from, origin);
        let to = self.cfa.add_location(Some(origin));
        let updates = step.updates.into_iter().filter(|(variable, value)| variable != value);
        let updates = updates.collect();
        let edge = self.cfa.add_edge(Edge { from, to, guard, updates, origin: Some(origin) });
        self.bear(edge, &step.born);
        to
    }

    fn is_void(&self) -> bool {
        let truth = |term: &Term| self.cfa.terms.value(*term).is_some_and(|v| v.is_one());
        let Step { guards, updates, before, limits, violations, .. } = &self.step;
        let is_all_said = limits.is_empty() && violations.is_empty();
        updates.is_empty() && before.is_empty() && is_all_said && guards.iter().all(truth)
    }

    /// Ends the step with a choice between conditions that exclude one another.
    pub(super) fn branch(
        &mut self,
        from: LocationId,
        branches: Vec<(Term, LocationId, u32)>,
        origin: u32,
    ) {
        let (from, guard, step) = self.begin(from, origin);
        for (condition, to, origin) in branches {
            let guard = self.cfa.terms.and(guard, condition);
            if self.cfa.terms.value(guard).is_some_and(|value| value.is_zero()) {
                continue;
            }
            let updates = step.updates.clone();
            let edge = self.cfa.add_edge(Edge { from, to, guard, updates, origin: Some(origin) });
            self.bear(edge, &step.born);
        }
    }

    pub(super) fn bear(&mut self, edge: EdgeId, born: &[Born]) {
        if !born.is_empty() {
            self.births.insert(edge, born.to_vec());
        }
    }

    /// The edges before and beside the step; gives where it starts and its guard.
    fn begin(&mut self, from: LocationId, origin: u32) -> (LocationId, Term, Step) {
        let mut step = std::mem::take(&mut self.step);
        let terms = &mut self.cfa.terms;
        let mut guard = terms.and_all(&step.guards);
        let always = terms.bool(true);
        let mut start = from;
        if !step.before.is_empty() {
            start = self.cfa.add_location(Some(origin));
            let updates = std::mem::take(&mut step.before);
            let edge = Edge { from, to: start, guard: always, updates, origin: Some(origin) };
            self.cfa.add_edge(edge);
        }
        if !step.foreign.is_empty() {
            self.foreign.insert(start, std::mem::take(&mut step.foreign));
        }
        let violations = std::mem::take(&mut step.violations);
        self.add_violations(start, origin, violations, &step.born);
        for (condition, why) in std::mem::take(&mut step.limits) {
            let to = self.end_location(TargetKind::Limit, why);
            let taken = self.cfa.terms.and(guard, condition);
            let passed = self.cfa.terms.not(condition);
            guard = self.cfa.terms.and(guard, passed);
            if self.cfa.terms.value(taken).is_some_and(|value| value.is_zero()) {
                continue;
            }
            let origin = Some(origin);
            self.cfa.add_edge(Edge { from: start, to, guard: taken, updates: Vec::new(), origin });
        }
        (start, guard, step)
    }

    /// The edges to what is asked for, one for each kind.
    fn add_violations(
        &mut self,
        from: LocationId,
        origin: u32,
        mut list: Vec<(Term, Kind)>,
        born: &[Born],
    ) {
        list.sort_by_key(|&(_, kind)| kind);
        for same in list.chunk_by(|a, b| a.1 == b.1) {
            let conditions: Vec<Term> = same.iter().map(|&(condition, _)| condition).collect();
            let guard = self.cfa.terms.or_all(&conditions);
            let to = self.violations[&same[0].1];
            let edge = Edge { from, to, guard, updates: Vec::new(), origin: Some(origin) };
            let edge = self.cfa.add_edge(edge);
            self.bear(edge, born);
        }
    }

    /// The location where the model ends for this reason, or at this call.
    pub(super) fn end_location(&mut self, kind: TargetKind, name: String) -> LocationId {
        if let Some(&known) = self.limits.get(&(kind, name.clone())) {
            return known;
        }
        let location = self.cfa.add_location(None);
        self.cfa.targets.push(Target { location, kind, name: name.clone() });
        self.limits.insert((kind, name), location);
        location
    }
}
