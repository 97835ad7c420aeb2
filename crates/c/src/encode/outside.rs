//! Memory and functions of the environment.
//!
//! A pointer from outside refers to memory of the environment, whose contents are arbitrary
//! whenever they are read, or to an object that is known there. So a write through it leaves any
//! object that is known outside with arbitrary contents, and no other one changes.

use super::foreign::ForeignKind;
use super::storage::Cells;
use super::{ChoicePointKind, Encoder, memory::Access};
use crate::error::Fault;
use crate::flat::{FlatBlockId, InstanceId};
use crate::library::UndefinedFunctions;
use crate::source::Position;
use crate::typed::Place;
use crate::types::Ty;
use rustc_hash::FxHashSet;
use wedge_logic::Term;

/// Variables that writes from outside may change, over all of them.
const MAX_CHANGES: usize = 400_000;

/// The variables of the objects that are known outside.
#[derive(Default)]
pub struct Outside {
    variables: Vec<Term>,
    /// For each of them a temporary that writes use for its new value, once there is one.
    temporaries: Vec<Option<Term>>,
    changes: usize,
}

impl<'p> Encoder<'_, 'p> {
    pub(super) fn find_outside(&mut self) {
        let mut variables = Vec::new();
        for object in self.points.known_outside() {
            for cells in &self.storage.get(object).cells {
                match cells {
                    Cells::Scalars(scalars) => variables.extend(scalars),
                    Cells::Array(array) => variables.push(*array),
                }
            }
        }
        let temporaries = vec![None; variables.len()];
        self.outside = Outside { variables, temporaries, changes: 0 };
    }

    /// Under a condition, something is written through a pointer that refers to none of the
    /// objects that the points-to analysis found for it.
    pub(super) fn write_outside(&mut self, condition: Term, access: &Access, value: Term) {
        if self.cfa.terms.value(condition).is_some_and(|value| value.is_zero()) {
            return;
        }
        self.require_not_null(access);
        self.end_all_focus(condition);
        self.outside.changes += self.outside.variables.len();
        if self.outside.changes > MAX_CHANGES {
            self.limit(condition, "a write through a pointer of unknown value");
            return;
        }
        self.notes.insert(String::from(
            "pointers from outside the program refer to memory of the environment, or to objects \
             whose addresses have got there",
        ));
        // Two writes of one step must not share their values.
        let used: FxHashSet<Term> =
            self.step.before.iter().map(|&(variable, _)| variable).collect();
        let mut kept = Vec::with_capacity(self.outside.variables.len());
        for (index, variable) in self.outside.variables.clone().into_iter().enumerate() {
            let sort = self.cfa.terms.sort(variable);
            let kind = ChoicePointKind::Other;
            let input = self.input(kind, Ty::VOID, sort, access.instance, access.position);
            let known = self.outside.temporaries[index].filter(|known| !used.contains(known));
            let temporary = known.unwrap_or_else(|| self.temporary("arbitrary", sort));
            self.outside.temporaries[index] = Some(temporary);
            self.step.before.push((temporary, input));
            let old = self.step.current(variable);
            kept.push((old, temporary));
            let new = self.cfa.terms.ite(condition, temporary, old);
            self.step.update(variable, new);
        }
        self.note_foreign(access, value, ForeignKind::Write { condition, kept });
    }

    /// A call of a function of the environment.
    pub(super) fn outside(
        &mut self,
        instance: InstanceId,
        result: Option<&'p Place>,
        at: Position,
        site: (FlatBlockId, usize),
    ) -> Result<(), Fault> {
        if self.program.undefined_functions == UndefinedFunctions::Havoc {
            self.havoc(instance, at);
        } else {
            self.notes.insert(String::from(
                "functions called through pointers from outside the program give arbitrary \
                 results, and are assumed to have no effect",
            ));
        }
        match result {
            Some(place) => self.make_arbitrary(instance, place, ChoicePointKind::Other, at, site),
            None => Ok(()),
        }
    }
}
