//! Statements (C11 6.8), except loops and `switch`.

use super::builder::Exit;
use super::conversions::Operand;
use super::lifetimes::CrossingKind;
use super::{Result, Typer};
use crate::annotation::Spot;
use crate::error::Fault;
use crate::source::Position;
use crate::typed::Terminator;
use crate::types::Ty;
use lang_c::ast::{BlockItem, Expression, IfStatement, Label, LabeledStatement, Statement};
use lang_c::span::{Node, Span};

impl Typer<'_> {
    pub(super) fn statement(&mut self, node: &Node<Statement>) -> Result<()> {
        let position = self.position(node);
        if !matches!(node.node, Statement::Labeled(_)) {
            self.annotate(Spot::Statement, position)?;
        }
        match &node.node {
            Statement::Labeled(labeled) => self.labeled(labeled),
            Statement::Compound(items) => {
                self.in_scope(node.span, |typer| typer.block_items(items))
            }
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(expression)) => self.effect(expression),
            Statement::If(statement) => self.if_chain(statement),
            Statement::Switch(switch) => self.switch(switch),
            Statement::While(statement) => self.while_loop(statement),
            Statement::DoWhile(statement) => self.do_loop(statement),
            Statement::For(statement) => self.for_loop(statement),
            Statement::Goto(name) => {
                self.refuse_cleanup(0, "`goto`", position)?;
                let from = self.current_scope();
                let name = &name.node.name;
                self.builder.cross(CrossingKind::Jump(from, name.clone()), position);
                let target = self.builder.label(name, position).block;
                self.builder.terminate(Terminator::Goto(target), position)
            }
            Statement::Continue => {
                let target = self.builder.continues.last().copied();
                self.jump(target, "`continue` outside a loop", position)
            }
            Statement::Break => {
                let target = self.builder.breaks.last().copied();
                self.jump(target, "`break` outside a loop or `switch`", position)
            }
            Statement::Return(value) => self.return_statement(value.as_deref(), position),
            // Left by the reader where an `asm` stood in an unusual place.
            Statement::Asm(_) => {
                self.warn(position, "`asm` is taken to have no effect");
                Ok(())
            }
        }
    }

    fn jump(&mut self, target: Option<Exit>, misplaced: &str, position: Position) -> Result<()> {
        let exit = target.ok_or_else(|| Fault::invalid(position, misplaced))?;
        self.clean_up(exit.cleanups)?;
        let left = CrossingKind::Leave(self.current_scope(), Some(exit.scope));
        self.builder.cross(left, position);
        self.builder.terminate(Terminator::Goto(exit.block), position)
    }

    /// Runs `lower` with a scope of its own.
    pub(super) fn in_scope<T>(
        &mut self,
        span: Span,
        lower: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let parent = self.scopes.current();
        let scope = self.builder.open_scope(parent, self.at(span));
        self.builder.scopes[scope.0 as usize].end = self.unit.end(span);
        self.scopes.enter(Some(scope));
        self.builder.cross(CrossingKind::Enter(scope), self.at(span));
        let result = self.with_cleanup(lower);
        let end = self.builder.scopes[scope.0 as usize].end;
        self.builder.cross(CrossingKind::Leave(scope, parent), end);
        self.scopes.leave();
        result
    }

    pub(super) fn block_items(&mut self, items: &[Node<BlockItem>]) -> Result<()> {
        items.iter().try_for_each(|item| self.block_item(item))
    }

    fn block_item(&mut self, item: &Node<BlockItem>) -> Result<()> {
        match &item.node {
            BlockItem::Declaration(declaration) => {
                self.annotate(Spot::Statement, self.position(declaration))?;
                self.declaration(declaration)
            }
            BlockItem::StaticAssert(assertion) => self.static_assert(assertion),
            BlockItem::Statement(statement) => self.statement(statement),
        }
    }

    fn labeled(&mut self, node: &Node<LabeledStatement>) -> Result<()> {
        let position = self.position(node);
        match &node.node.label.node {
            Label::Identifier(name) => self.define_label(&name.node.name, position)?,
            Label::Case(value) => self.case(value, value, position)?,
            Label::CaseRange(range) => self.case(&range.node.low, &range.node.high, position)?,
            Label::Default => self.default_case(position)?,
        }
        self.annotate(Spot::Statement, position)?;
        self.statement(&node.node.statement)
    }

    fn define_label(&mut self, name: &str, position: Position) -> Result<()> {
        self.refuse_cleanup(0, "a label", position)?;
        let scope = self.current_scope();
        let label = self.builder.label(name, position);
        if label.scope.replace(scope).is_some() {
            return Err(Fault::invalid(position, format!("label `{name}` is defined twice")));
        }
        let block = label.block;
        self.builder.flow_into(block, position);
        self.builder.cross(CrossingKind::Arrive(scope), position);
        Ok(())
    }

    /// `if`, with the `else if`s that follow; a loop, because these chains can be very long.
    fn if_chain(&mut self, first: &Node<IfStatement>) -> Result<()> {
        let mut current = first;
        let mut join_from = Vec::new();
        loop {
            let (then, otherwise) = (self.builder.new_block(), self.builder.new_block());
            let keyword = self.position(current);
            let if_true = self.decided_by(true, keyword, then)?;
            let if_false = self.decided_by(false, keyword, otherwise)?;
            self.branch(&current.node.condition, if_true, if_false)?;
            self.builder.continue_in(then);
            self.statement(&current.node.then_statement)?;
            join_from.push((self.builder.current(), self.position(current)));
            self.builder.continue_in(otherwise);
            match current.node.else_statement.as_deref() {
                Some(Node { node: Statement::If(next), .. }) => current = next,
                Some(statement) => {
                    self.statement(statement)?;
                    break;
                }
                None => break,
            }
        }
        let join = self.builder.new_block();
        self.builder.flow_into(join, self.position(first));
        for (block, position) in join_from {
            self.builder.continue_in(block);
            self.builder.flow_into(join, position);
        }
        self.builder.continue_in(join);
        Ok(())
    }

    fn return_statement(
        &mut self,
        value: Option<&Node<Expression>>,
        position: Position,
    ) -> Result<()> {
        let ty = self.builder.result;
        let result = match value {
            None => None,
            Some(expression) => match self.value_if_any(expression)? {
                Some(value) if ty != Ty::VOID => Some(self.convert(value, ty, position)?),
                _ => None,
            },
        };
        let result = match self.has_exit() {
            true => self.annotate_exit(result, position)?,
            false => result,
        };
        self.builder.cross(CrossingKind::Return(self.current_scope()), position);
        if self.builder.cleanups.is_empty() {
            return self.builder.terminate(Terminator::Return(result), position);
        }
        let result = result.map(|value| self.save(value)).transpose()?;
        self.clean_up(0)?;
        self.builder.terminate(Terminator::Return(result), position)
    }

    /// `({ … })`: the value of the last statement, if that is an expression.
    pub(super) fn statement_expression(&mut self, node: &Node<Statement>) -> Result<Operand> {
        let position = self.position(node);
        if !self.builder.can_emit() {
            return Err(Fault::invalid(position, "not a constant expression"));
        }
        let Statement::Compound(items) = &node.node else {
            self.statement(node)?;
            return Ok(Operand::Void);
        };
        self.in_scope(node.span, |typer| {
            let Some((last, before)) = items.split_last() else { return Ok(Operand::Void) };
            typer.block_items(before)?;
            match last_expression(last) {
                Some((labels, expression)) => {
                    for label in labels {
                        typer.bare_label(label)?;
                    }
                    let value = typer.value_if_any(expression)?;
                    // What the value is read from may be changed by what is cleaned up, or end.
                    let value = match value {
                        Some(value)
                            if !typer.builder.cleanups.is_empty()
                                || typer.has_addresses(typer.current_scope()) =>
                        {
                            Some(typer.save(value)?)
                        }
                        value => value,
                    };
                    Ok(value.map_or(Operand::Void, Operand::Value))
                }
                None => {
                    typer.block_item(last)?;
                    Ok(Operand::Void)
                }
            }
        })
    }

    fn bare_label(&mut self, label: &Node<Label>) -> Result<()> {
        let position = self.position(label);
        match &label.node {
            Label::Identifier(name) => self.define_label(&name.node.name, position),
            Label::Case(value) => self.case(value, value, position),
            Label::CaseRange(range) => self.case(&range.node.low, &range.node.high, position),
            Label::Default => self.default_case(position),
        }
    }
}

/// The expression that a block item ends with, and the labels before it.
fn last_expression(item: &Node<BlockItem>) -> Option<(Vec<&Node<Label>>, &Node<Expression>)> {
    let BlockItem::Statement(statement) = &item.node else { return None };
    let mut labels = Vec::new();
    let mut statement = statement;
    loop {
        match &statement.node {
            Statement::Labeled(labeled) => {
                labels.push(&labeled.node.label);
                statement = &labeled.node.statement;
            }
            Statement::Expression(Some(expression)) => return Some((labels, expression)),
            _ => return None,
        }
    }
}
