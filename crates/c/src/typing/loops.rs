//! Loops (C11 6.8.5).

use super::builder::Exit;
use super::{Result, Typer};
use crate::annotation::Spot;
use crate::source::Position;
use crate::typed::{BlockId, Loop};
use lang_c::ast::{
    DoWhileStatement, Expression, ForInitializer, ForStatement, Statement, WhileStatement,
};
use lang_c::span::Node;

impl Typer<'_> {
    pub(super) fn while_loop(&mut self, node: &Node<WhileStatement>) -> Result<()> {
        let position = self.position(node);
        let (head, body, end) = self.loop_blocks();
        self.begin_loop(head, position)?;
        self.loop_branch(&node.node.expression, (body, end), position)?;
        self.builder.continue_in(body);
        self.loop_body(&node.node.statement, head, end)?;
        self.builder.flow_into(head, position);
        self.builder.continue_in(end);
        Ok(())
    }

    pub(super) fn do_loop(&mut self, node: &Node<DoWhileStatement>) -> Result<()> {
        let position = self.position(node);
        let (head, test, end) = self.loop_blocks();
        self.begin_loop(head, position)?;
        self.loop_body(&node.node.statement, test, end)?;
        self.builder.flow_into(test, position);
        self.loop_branch(&node.node.expression, (head, end), position)?;
        self.builder.continue_in(end);
        Ok(())
    }

    pub(super) fn for_loop(&mut self, node: &Node<ForStatement>) -> Result<()> {
        self.in_scope(node.span, |typer| {
            match &node.node.initializer.node {
                ForInitializer::Empty => {}
                ForInitializer::Expression(expression) => typer.effect(expression)?,
                ForInitializer::Declaration(declaration) => typer.declaration(declaration)?,
                ForInitializer::StaticAssert(assertion) => typer.static_assert(assertion)?,
            }
            typer.for_rest(node)
        })
    }

    fn for_rest(&mut self, node: &Node<ForStatement>) -> Result<()> {
        let position = self.position(node);
        let (head, body, end) = self.loop_blocks();
        let step = self.builder.new_block();
        self.begin_loop(head, position)?;
        match &node.node.condition {
            Some(condition) => self.loop_branch(condition, (body, end), position)?,
            None => self.builder.flow_into(body, position),
        }
        self.builder.continue_in(body);
        self.loop_body(&node.node.statement, step, end)?;
        self.builder.flow_into(step, position);
        if let Some(expression) = &node.node.step {
            self.for_step(expression)?;
        }
        self.builder.flow_into(head, position);
        self.builder.continue_in(end);
        Ok(())
    }

    fn for_step(&mut self, expression: &Node<Expression>) -> Result<()> {
        self.effect(expression)
    }

    fn loop_blocks(&mut self) -> (BlockId, BlockId, BlockId) {
        (self.builder.new_block(), self.builder.new_block(), self.builder.new_block())
    }

    fn begin_loop(&mut self, head: BlockId, position: Position) -> Result<()> {
        let scope = self.current_scope();
        self.builder.flow_into(head, position);
        self.builder.loops.push(Loop { head, position, scope });
        self.annotate(Spot::Loop, position)
    }

    /// Decides whether the loop of a keyword goes on.
    fn loop_branch(
        &mut self,
        condition: &Node<Expression>,
        (body, end): (BlockId, BlockId),
        keyword: Position,
    ) -> Result<()> {
        let body = self.decided_by(true, keyword, body)?;
        let end = self.decided_by(false, keyword, end)?;
        self.branch(condition, body, end)
    }

    fn loop_body(
        &mut self,
        statement: &Node<Statement>,
        continue_to: BlockId,
        break_to: BlockId,
    ) -> Result<()> {
        let (cleanups, scope) = (self.builder.cleanups.len(), self.current_scope());
        self.builder.continues.push(Exit { block: continue_to, cleanups, scope });
        self.builder.breaks.push(Exit { block: break_to, cleanups, scope });
        let result = self.statement(statement);
        self.builder.continues.pop();
        self.builder.breaks.pop();
        result
    }
}
