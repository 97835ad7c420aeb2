//! `switch` (C11 6.8.4.2): cases may stand anywhere in the body, also inside loops.

use super::builder::{Exit, OpenSwitch};
use super::lifetimes::CrossingKind;
use super::{Result, Typer};
use crate::arith::int;
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{SwitchRange, Terminator};
use crate::types::IntFormat;
use lang_c::ast::{Expression, SwitchStatement};
use lang_c::span::Node;

impl Typer<'_> {
    pub(super) fn switch(&mut self, node: &Node<SwitchStatement>) -> Result<()> {
        let position = self.position(node);
        let value = self.value(&node.node.expression)?;
        if !self.types.is_integer(value.ty) {
            return Err(Fault::invalid(position, "`switch` on something that is not an integer"));
        }
        let value = self.promoted(value);
        let start = self.builder.current();
        let end = self.builder.new_block();
        let unlabeled = self.builder.new_block();
        self.builder.continue_in(unlabeled);
        let ty = value.ty;
        let (cleanups, ranges) = (self.builder.cleanups.len(), Vec::new());
        self.builder.switches.push(OpenSwitch { ty, cleanups, ranges, default: None });
        let scope = self.current_scope();
        self.builder.breaks.push(Exit { block: end, cleanups, scope });
        let lowered = self.statement(&node.node.statement);
        self.builder.breaks.pop();
        let switch = self.builder.switches.pop();
        lowered?;
        self.builder.flow_into(end, position);
        let Some(OpenSwitch { ranges, default, .. }) = switch else { return Ok(()) };
        let format = self.types.int_format(ty);
        let ranges = sorted(ranges, format.unwrap_or(IntFormat { width: 32, signed: true }))?;
        let end = Terminator::Switch { value, ranges, default: default.unwrap_or(end) };
        self.builder.terminate_block(start, end, position);
        Ok(())
    }

    pub(super) fn case(
        &mut self,
        low: &Node<Expression>,
        high: &Node<Expression>,
        position: Position,
    ) -> Result<()> {
        let low = self.constant_integer(low)?.1;
        let high = self.constant_integer(high)?.1;
        self.refuse_case_in_cleanup(position)?;
        let block = self.builder.new_block();
        let types = &self.types;
        let Some(switch) = self.builder.switches.last_mut() else {
            return Err(Fault::invalid(position, "`case` outside a `switch`"));
        };
        let width = types.int_format(switch.ty).map_or(32, |format| format.width);
        let bits = |value: i128| int::truncate(value as u128, width);
        if low <= high {
            switch.ranges.push((bits(low), bits(high), block, position));
        }
        self.builder.flow_into(block, position);
        self.builder.cross(CrossingKind::Arrive(self.current_scope()), position);
        Ok(())
    }

    fn refuse_case_in_cleanup(&self, position: Position) -> Result<()> {
        let kept = self.builder.switches.last().map_or(0, |switch| switch.cleanups);
        self.refuse_cleanup(kept, "a label of a `switch`", position)
    }

    pub(super) fn default_case(&mut self, position: Position) -> Result<()> {
        self.refuse_case_in_cleanup(position)?;
        let block = self.builder.new_block();
        match self.builder.switches.last_mut() {
            Some(switch) if switch.default.is_none() => switch.default = Some(block),
            Some(_) => return Err(Fault::invalid(position, "`default` twice in one `switch`")),
            None => return Err(Fault::invalid(position, "`default` outside a `switch`")),
        }
        self.builder.flow_into(block, position);
        self.builder.cross(CrossingKind::Arrive(self.current_scope()), position);
        Ok(())
    }
}

/// The ranges in increasing order; they must not overlap.
fn sorted(
    ranges: Vec<(u128, u128, crate::typed::BlockId, Position)>,
    format: IntFormat,
) -> Result<Vec<SwitchRange>> {
    let number = |bits: u128| {
        let flip = if format.signed { 1 << 127 } else { 0 };
        int::extend(bits, format) ^ flip
    };
    let mut ranges = ranges;
    ranges.sort_by_key(|range| number(range.0));
    for pair in ranges.windows(2) {
        if number(pair[1].0) <= number(pair[0].1) {
            let place = |position: Position| (position.physical_line, position.column);
            let (a, b) = (pair[0].3, pair[1].3);
            let later = if place(a) > place(b) { a } else { b };
            return Err(Fault::invalid(later, "the same value twice in one `switch`"));
        }
    }
    let range = |(low, high, target, _)| SwitchRange { low, high, target };
    Ok(ranges.into_iter().map(range).collect())
}
