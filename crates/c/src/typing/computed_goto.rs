//! Labels as values (gcc manual, section Labels as Values): `&&label` and `goto *pointer`.
//!
//! The address of a label is that of an object that nothing else refers to. A computed jump goes to
//! the label whose address the pointer has, among those of the function whose addresses are taken;
//! if there is none, the behaviour is undefined. Distances of labels are not constants here.

use super::conversions::Operand;
use super::lifetimes::CrossingKind;
use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{BinaryOp, BlockId, Expr, GlobalId, Initial, ScopeId, Terminator};
use crate::types::Ty;
use lang_c::ast::Expression;
use lang_c::span::Node;

/// The labels of a function whose addresses are taken, and the jumps to them.
#[derive(Default)]
pub struct Computed {
    labels: Vec<(String, GlobalId, Position)>,
    /// The block that decides where to go, and by which pointer.
    jumps: Vec<(BlockId, Expr, ScopeId, Position)>,
}

impl Typer<'_> {
    /// `&&label`.
    pub(super) fn label_address(&mut self, name: &str, position: Position) -> Result<Operand> {
        if self.function.is_none() {
            return Err(Fault::invalid(position, "the address of a label outside functions"));
        }
        // The label itself is looked up later: this must remain a constant expression.
        let known = self.builder.computed.labels.iter().find(|(label, ..)| label == name);
        let id = match known {
            Some(&(_, id, _)) => id,
            None => {
                let initial = Initial::Values(Vec::new());
                let id = self.new_global(&format!("&&{name}"), Ty::CHAR, initial, 1, position);
                self.globals[id.0 as usize].scope = self.function.zip(self.scopes.current());
                self.builder.computed.labels.push((name.to_string(), id, position));
                id
            }
        };
        let place = self.global_place(id, position);
        let address = self.address(place, position);
        let ty = self.types.pointer(Ty::VOID);
        Ok(Operand::Value(self.cast(address, ty)))
    }

    /// `goto *pointer`.
    pub(super) fn computed_goto(&mut self, pointer: &Node<Expression>, at: Position) -> Result<()> {
        self.refuse_cleanup(0, "a computed `goto`", at)?;
        let pointer = self.value(pointer)?;
        let ty = self.types.pointer(Ty::VOID);
        let pointer = self.convert(pointer, ty, at)?;
        let pointer = self.save(pointer)?;
        let decide = self.builder.new_block();
        let scope = self.current_scope();
        self.builder.computed.jumps.push((decide, pointer, scope, at));
        self.builder.terminate(Terminator::Goto(decide), at)
    }

    /// Decides the jumps, once all labels are known.
    pub(super) fn finish_computed_gotos(&mut self) -> Result<()> {
        let Computed { labels, jumps } = std::mem::take(&mut self.builder.computed);
        for (name, _, position) in &labels {
            self.builder.label(name, *position);
        }
        for (block, pointer, scope, at) in jumps {
            self.builder.continue_in(block);
            for (name, id, _) in &labels {
                let target = self.builder.label(name, at).block;
                let place = self.global_place(*id, at);
                let address = self.address(place, at);
                let address = self.cast(address, pointer.ty);
                let is_it = self.operate(BinaryOp::Equal, pointer.clone(), address, at)?;
                let (condition, way) = (self.truth(is_it), self.builder.new_block());
                let next = self.builder.new_block();
                let branch = Terminator::Branch { condition, then: way, otherwise: next };
                self.builder.terminate(branch, at)?;
                self.builder.continue_in(way);
                self.builder.cross(CrossingKind::Jump(scope, name.clone()), at);
                self.builder.flow_into(target, at);
                self.builder.continue_in(next);
            }
            self.builder.terminate(Terminator::Unreachable, at)?;
        }
        Ok(())
    }
}
