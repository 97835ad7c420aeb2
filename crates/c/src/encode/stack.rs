//! Stacks of recursive functions.
//!
//! A stack is a row of slots for the numbers of calls and one for each local that some call
//! saves. The newest values are in the first slots: pushing moves all of them one slot down,
//! popping one up. So nothing is ever selected by a position, and a run that makes its calls one
//! after the other has plain copies only. Call numbers begin at 1, and 0 marks the end.
//!
//! Where limits are forgotten, pushing onto a full stack loses the oldest values. From then on what
//! moves into the last slot when others are popped is arbitrary: it may be what was lost, or the
//! end. So every run of the program is one of this model, however deep its recursion is.

use super::{ChoicePointKind, Encoder};
use crate::error::Fault;
use crate::flat::{FlatBlockId, FlatStmt, InstanceId, StackId};
use crate::source::Position;
use crate::typed::{Expr, LocalId, Place};
use crate::types::Ty;
use wedge_logic::{Sort, Term};
use wedge_model::cfa::LocationId;

/// The variables of a stack.
#[derive(Clone, Default)]
pub struct Slots {
    /// The calls that wait, the newest first.
    sites: Vec<Term>,
    saved: Vec<(InstanceId, LocalId, Vec<Term>)>,
    /// Whether values were lost, if that is possible.
    lost: Option<Term>,
    /// There is room for the only call that can wait.
    is_single: bool,
}

/// A branch of an automaton: condition, target, origin.
type Branch = (Term, LocationId, u32);

impl<'p> Encoder<'_, 'p> {
    pub(super) fn make_stacks(&mut self) {
        let flat = self.flat;
        for (number, stack) in flat.stacks.iter().enumerate() {
            let count = match stack.is_single {
                true => 1,
                false => self.stack_depth.saturating_sub(1),
            };
            let mut slots = Slots { is_single: stack.is_single, ..Slots::default() };
            if stack.sites > 0 {
                let width = u32::BITS - stack.sites.leading_zeros();
                let name = format!("stack.{number}");
                slots.sites = self.row(&name, width, count);
                let may_lose = self.forget && !stack.is_single;
                slots.lost = may_lose.then(|| self.temporary(&name, Sort::BOOL));
                for &(instance, local) in &stack.saved {
                    let ty = flat.instances[instance.0 as usize].body.local(local).ty;
                    let name = format!("stack.{number}.{}", self.local_name(instance, local));
                    let row = self.row(&name, self.value_width(ty), count);
                    slots.saved.push((instance, local, row));
                }
            }
            self.stacks.push(slots);
        }
    }

    fn row(&mut self, name: &str, width: u32, count: usize) -> Vec<Term> {
        (0..count).map(|_| self.temporary(name, Sort::Bv(width))).collect()
    }

    /// The statements of recursive calls.
    pub(super) fn recursive(
        &mut self,
        instance: InstanceId,
        statement: &FlatStmt<'p>,
        site: (FlatBlockId, usize),
    ) -> Result<(), Fault> {
        match statement {
            FlatStmt::Empty { stack, .. } => self.clear(*stack),
            FlatStmt::Push { stack, site, saved, callee, .. } => {
                self.push(instance, *stack, *site, saved, *callee);
            }
            FlatStmt::Pop { stack, saved, position, .. } => {
                self.pop(instance, *stack, saved, *position);
            }
            FlatStmt::Rebind { callee, arguments, position } => {
                self.rebind(instance, *callee, arguments, *position, site)?;
            }
            FlatStmt::Yield { value, .. } => self.leave(instance, value)?,
            FlatStmt::Take { place, callee, valued, position } => {
                self.take(instance, place, *callee, *valued, *position, site)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn clear(&mut self, stack: StackId) {
        let slots = self.stacks[stack.0 as usize].clone();
        let rows = slots.saved.iter().map(|(_, _, row)| row).chain([&slots.sites]);
        for slot in rows.flatten().chain(&slots.lost) {
            let zero = self.cfa.terms.zero(self.cfa.terms.width(*slot));
            self.step.update(*slot, zero);
        }
    }

    fn push(
        &mut self,
        instance: InstanceId,
        stack: StackId,
        site: u32,
        saved: &[LocalId],
        callee: InstanceId,
    ) {
        let slots = self.stacks[stack.0 as usize].clone();
        let full = match slots.sites.last() {
            Some(last) => {
                let zero = self.cfa.terms.zero(self.cfa.terms.width(*last));
                let free = self.cfa.terms.eq(*last, zero);
                self.cfa.terms.not(free)
            }
            None => self.cfa.terms.bool(true),
        };
        let function = self.flat.instances[callee.0 as usize].function;
        let name = &self.program.function(function).name;
        let why = format!("recursion of `{name}` deeper than {}", self.stack_depth);
        match slots.lost {
            Some(lost) => {
                let lost_now = self.cfa.terms.or(lost, full);
                self.step.update(lost, lost_now);
            }
            None if slots.is_single => {}
            None => self.limit(full, why),
        }
        let Some(first) = slots.sites.first() else { return };
        let number = self.cfa.terms.number(self.cfa.terms.width(*first), site.into());
        self.shift_down(&slots.sites, number);
        for (owner, local, row) in &slots.saved {
            let register = self.register(*owner, *local);
            let value = match register.filter(|_| *owner == instance && saved.contains(local)) {
                Some(register) => register,
                None => self.cfa.terms.zero(self.cfa.terms.width(row[0])),
            };
            self.shift_down(row, value);
        }
    }

    fn shift_down(&mut self, row: &[Term], first: Term) {
        let mut value = first;
        for slot in row {
            self.step.update(*slot, value);
            value = *slot;
        }
    }

    fn pop(&mut self, instance: InstanceId, stack: StackId, saved: &[LocalId], at: Position) {
        let slots = self.stacks[stack.0 as usize].clone();
        self.shift_up(&slots.sites, slots.lost, instance, at);
        for (owner, local, row) in &slots.saved {
            let register = self.register(*owner, *local);
            let wanted = register.filter(|_| *owner == instance && saved.contains(local));
            if let (Some(register), Some(top)) = (wanted, row.first()) {
                self.step.update(register, *top);
                self.restore_written(register, instance, at);
            }
            self.shift_up(row, slots.lost, instance, at);
        }
    }

    fn shift_up(&mut self, row: &[Term], lost: Option<Term>, instance: InstanceId, at: Position) {
        let Some(&last) = row.last() else { return };
        let width = self.cfa.terms.width(last);
        let mut value = self.cfa.terms.zero(width);
        if let Some(lost) = lost {
            let some = self.arbitrary(ChoicePointKind::Other, Ty::VOID, width, instance, at);
            value = self.cfa.terms.ite(lost, some, value);
        }
        for slot in row.iter().rev() {
            self.step.update(*slot, value);
            value = *slot;
        }
    }

    /// Registers are read as they were before the step, so the parameters change all at once.
    fn rebind(
        &mut self,
        instance: InstanceId,
        callee: InstanceId,
        arguments: &[Expr],
        at: Position,
        site: (FlatBlockId, usize),
    ) -> Result<(), Fault> {
        let parameters = self.flat.instances[callee.0 as usize].body.parameters;
        for index in 0..parameters {
            let place = self.local_place(callee, LocalId(index as u32));
            self.pass(callee, &place, instance, arguments.get(index), at, site)?;
        }
        // What has no parameter is evaluated all the same: it may be undefined.
        for argument in arguments.iter().skip(parameters) {
            if self.program.types.is_scalar(argument.ty) {
                self.expr(instance, argument)?;
            }
        }
        Ok(())
    }

    fn result_type(&self, instance: InstanceId) -> Ty {
        let function = self.flat.instances[instance.0 as usize].function;
        let signature = self.program.types.signature(self.program.function(function).ty);
        signature.map_or(Ty::VOID, |signature| signature.result)
    }

    /// The variable for the result of an instance, which has a scalar type.
    fn result(&mut self, instance: InstanceId) -> Term {
        if let Some(&known) = self.results.get(&instance) {
            return known;
        }
        let width = self.value_width(self.result_type(instance));
        let result = self.temporary("result", Sort::Bv(width));
        self.results.insert(instance, result);
        result
    }

    fn leave(&mut self, instance: InstanceId, value: &Expr) -> Result<(), Fault> {
        let to = self.result_type(instance);
        let term = self.expr(instance, value)?;
        if self.program.types.is_scalar(to) {
            let term = self.passed(term, value.ty, to);
            let result = self.result(instance);
            self.step.update(result, term);
        }
        Ok(())
    }

    fn take(
        &mut self,
        instance: InstanceId,
        place: &Place,
        callee: InstanceId,
        valued: bool,
        at: Position,
        site: (FlatBlockId, usize),
    ) -> Result<(), Fault> {
        let from = self.result_type(callee);
        let types = &self.program.types;
        if !valued || !types.is_scalar(from) || !types.is_scalar(place.ty) {
            return self.make_arbitrary(instance, place, ChoicePointKind::Other, at, site);
        }
        let result = self.result(callee);
        let value = self.passed(result, from, place.ty);
        self.store(instance, place, value)
    }

    /// Where a return leads.
    pub(super) fn ways_back(
        &mut self,
        stack: StackId,
        outside: Option<LocationId>,
        sites: &[(u32, LocationId)],
        origin: u32,
    ) -> Vec<Branch> {
        let top = self.stacks[stack.0 as usize].sites.first().copied();
        let mut branches = Vec::new();
        let numbered = sites.iter().copied().chain(outside.map(|to| (0, to)));
        for (number, to) in numbered {
            let condition = match top {
                Some(top) => {
                    let width = self.cfa.terms.width(top);
                    let number = self.cfa.terms.number(width, number.into());
                    self.cfa.terms.eq(top, number)
                }
                // Nothing is ever on this stack.
                None => self.cfa.terms.bool(number == 0),
            };
            branches.push((condition, to, origin));
        }
        branches
    }
}
