//! Calls of functions that nobody knows, where they may change what they can reach: every object
//! that is known outside gets arbitrary contents. What is known outside is the affair of
//! [`crate::points`].

use super::storage::Cells;
use super::{ChoicePointKind, Encoder};
use crate::flat::{FlatStmt, InstanceId};
use crate::interp::Havocked;
use crate::points::{ObjectId, ObjectKind};
use crate::source::Position;
use crate::types::Ty;

impl Encoder<'_, '_> {
    pub(super) fn havoc(&mut self, instance: InstanceId, at: Position) {
        self.notes.insert(String::from(
            "functions that are not defined may change global variables and what they get the \
             addresses of; they call no function of the program and free nothing",
        ));
        let always = self.cfa.terms.bool(true);
        self.end_all_focus(always);
        for object in self.points.known_outside() {
            if !self.is_open(object, instance) {
                continue;
            }
            let stored = self.storage.get(object).clone();
            for (band, cells) in stored.layout.bands.iter().zip(&stored.cells) {
                match cells {
                    Cells::Scalars(variables) => {
                        for (index, &variable) in variables.iter().enumerate() {
                            let (number, element) =
                                (index as u64 / band.count, index as u64 % band.count);
                            let Some(what) = self.havocked(object, number) else { continue };
                            let offset = band.lo + element * band.stride;
                            let kind = ChoicePointKind::Havoc(what, offset);
                            let sort = self.cfa.terms.sort(variable);
                            let value = self.input(kind, Ty::VOID, sort, instance, at);
                            self.step.update(variable, value);
                        }
                    }
                    Cells::Array(array) => {
                        // Which elements belong to which object of a pool is not told apart.
                        let Some(what) = self.havocked(object, 0) else { continue };
                        let kind = ChoicePointKind::Havoc(what, band.lo);
                        let sort = self.cfa.terms.sort(*array);
                        let value = self.input(kind, Ty::VOID, sort, instance, at);
                        if let Some(choice) = self.choices.last_mut() {
                            choice.stride = band.stride;
                        }
                        self.step.update(*array, value);
                    }
                }
            }
        }
    }

    /// The object with a number of a pool, as those who replay a run know it.
    fn havocked(&self, object: ObjectId, number: u64) -> Option<Havocked> {
        Some(match self.points.object(object).kind {
            ObjectKind::Global(id) if self.program.global(id).is_constant => return None,
            ObjectKind::Global(id) => Havocked::Global(id),
            ObjectKind::Local(instance, id) => {
                Havocked::Local(self.flat.instance(instance).function, id)
            }
            ObjectKind::Site(block, statement) => {
                let block = &self.flat.blocks[block.0 as usize];
                let position = match &block.statements[statement] {
                    FlatStmt::Plain(statement) => statement.position,
                    FlatStmt::External { position, .. } => *position,
                    _ => return None,
                };
                let (_, position) =
                    self.seen_from_outside(ChoicePointKind::Heap(0), block.instance, position);
                Havocked::Heap(position, number)
            }
            ObjectKind::Function(_) | ObjectKind::Variadic(_) => return None,
        })
    }
}
