//! Operands and arguments whose order matters, in any order.
//!
//! Where nothing conflicts, operands are evaluated from left to right. Where something does, a
//! value that nobody knows chooses the order: all orders are written down, one branch each, and
//! leave the values in the same temporaries.

use super::effects::Effects;
use super::{Result, Typer};
use crate::error::Fault;
use crate::library::ORDER;
use crate::source::Position;
use crate::typed::{BlockId, Callee, Expr, LocalId, StmtKind, Terminator};
use crate::types::{Signature, Ty, Type};
use lang_c::ast::{Expression, Initializer, InitializerListItem};
use lang_c::span::Node;
use rustc_hash::FxHashMap;

/// More operands in conflict than this are refused.
const MOST: usize = 4;

impl Typer<'_> {
    /// Whether two operands have to be tried in both orders.
    pub(super) fn order_matters(
        &mut self,
        a: &Effects,
        b: &Effects,
        position: Position,
    ) -> Result<bool> {
        if !self.builder.can_emit() || self.builder.is_unevaluated() || !self.effects.conflict(a, b)
        {
            return Ok(false);
        }
        if a.has_statements || b.has_statements {
            let what = "operands with statements whose order is not specified and matters";
            return Err(Fault::unsupported(position, what));
        }
        Ok(true)
    }

    /// The values of operands that are evaluated in an order that is not specified, if it matters.
    pub(super) fn in_any_order(
        &mut self,
        nodes: &[&Node<Expression>],
        position: Position,
    ) -> Result<Option<Vec<Expr>>> {
        if nodes.len() < 2 || nodes.iter().all(|node| is_plain(node)) {
            return Ok(None);
        }
        let effects: Vec<Effects> = nodes.iter().map(|node| self.effects.effects(node)).collect();
        let mut involved = vec![false; nodes.len()];
        for (index, first) in effects.iter().enumerate() {
            for (other, second) in effects.iter().enumerate().skip(index + 1) {
                if self.order_matters(first, second, position)? {
                    (involved[index], involved[other]) = (true, true);
                }
            }
        }
        let list: Vec<usize> = (0..nodes.len()).filter(|&index| involved[index]).collect();
        if list.is_empty() {
            return Ok(None);
        }
        if list.len() > MOST {
            let what = "many operands whose order is not specified and matters";
            return Err(Fault::unsupported(position, what));
        }
        let mut values: Vec<Option<LocalId>> = vec![None; nodes.len()];
        for index in (0..nodes.len()).filter(|&index| !involved[index]) {
            self.keep(nodes[index], &mut values[index])?;
        }
        let orders = permutations(&list);
        self.alternatives(orders.len(), position, |typer, number| {
            orders[number]
                .iter()
                .try_for_each(|&index| typer.keep(nodes[index], &mut values[index]))
        })?;
        let loaded = values
            .into_iter()
            .flatten()
            .zip(nodes)
            .map(|(local, node)| Expr::load(self.local_place(local, self.position(node))));
        Ok(Some(loaded.collect()))
    }

    /// The values of the operands of a subscript, if their order matters.
    pub(super) fn subscript_in_any_order(
        &mut self,
        left: &Node<Expression>,
        right: &Node<Expression>,
        position: Position,
    ) -> Result<Option<(Expr, Expr)>> {
        if is_plain(left) && is_plain(right) || !self.builder.can_emit() {
            return Ok(None);
        }
        let (first, second) = (self.effects.effects(left), self.effects.effects(right));
        if !self.order_matters(&first, &second, position)? {
            return Ok(None);
        }
        // Of an array only the place counts, which does not depend on what it holds.
        let is_array = self.unevaluated(|typer| match typer.operand(left)? {
            super::conversions::Operand::Place(place) => Ok(typer.types.is_array(place.ty)),
            _ => Ok(false),
        })?;
        if is_array {
            let place = self.effects.effects_of_place(left);
            if !self.order_matters(&place, &second, position)? {
                return Ok(None);
            }
        }
        let values = self.in_any_order(&[left, right], position)?;
        Ok(values.and_then(|values| {
            let mut values = values.into_iter();
            values.next().zip(values.next())
        }))
    }

    /// The values in an initialiser whose order matters: their evaluations are indeterminately
    /// sequenced (C11 6.7.9 p23).
    pub(super) fn list_in_any_order(
        &mut self,
        node: &Node<Initializer>,
        position: Position,
    ) -> Result<FxHashMap<usize, Expr>> {
        let mut nodes = Vec::new();
        if let Initializer::List(items) = &node.node {
            collect_values(items, &mut nodes);
        }
        if nodes.len() < 2 || nodes.iter().all(|node| is_plain(node)) {
            return Ok(FxHashMap::default());
        }
        let values = self.in_any_order(&nodes, position)?.unwrap_or_default();
        Ok(nodes.into_iter().map(identity).zip(values).collect())
    }

    /// Evaluates an operand into a temporary, which is made when it is needed first.
    fn keep(&mut self, node: &Node<Expression>, local: &mut Option<LocalId>) -> Result<()> {
        let position = self.position(node);
        let value = self.value(node)?;
        let id = *local.get_or_insert_with(|| self.builder.temporary(value.ty, position));
        let place = self.local_place(id, position);
        self.assign(place, value, position)
    }

    /// One of several pieces of code, by a choice that nobody knows.
    pub(super) fn alternatives(
        &mut self,
        count: usize,
        position: Position,
        mut build: impl FnMut(&mut Self, usize) -> Result<()>,
    ) -> Result<()> {
        let join = self.builder.new_block();
        for number in 0..count {
            let is_last = number + 1 == count;
            let other = if is_last { None } else { Some(self.choose_order(position)?) };
            build(self, number)?;
            self.builder.terminate(Terminator::Goto(join), position)?;
            if let Some(other) = other {
                self.builder.continue_in(other);
            }
        }
        self.builder.continue_in(join);
        Ok(())
    }

    /// Goes on in one of two blocks; gives the other one.
    fn choose_order(&mut self, position: Position) -> Result<BlockId> {
        let result = Ty::INT;
        let signature =
            Signature { result, parameters: Vec::new(), variadic: false, prototype: true };
        let function = match self.order_function {
            Some(known) => known,
            None => {
                let ty = self.types.intern(Type::Function(signature.clone()));
                let new = self.new_function(ORDER, ty, false, position);
                self.order_function = Some(new);
                new
            }
        };
        let id = self.builder.temporary(result, position);
        let place = self.local_place(id, position);
        let callee = Callee::Function(function);
        let call = StmtKind::Call { result: Some(place.clone()), callee, arguments: Vec::new() };
        self.builder.emit(call, position)?;
        let (first, other) = (self.builder.new_block(), self.builder.new_block());
        let condition = Expr::load(place);
        let end = Terminator::Branch { condition, then: other, otherwise: first };
        self.builder.terminate(end, position)?;
        self.builder.continue_in(first);
        Ok(other)
    }
}

/// What tells an expression of the source from all others.
pub(super) fn identity(node: &Node<Expression>) -> usize {
    std::ptr::from_ref(node) as usize
}

fn collect_values<'n>(
    items: &'n [Node<InitializerListItem>],
    found: &mut Vec<&'n Node<Expression>>,
) {
    for item in items {
        match &item.node.initializer.node {
            Initializer::Expression(expression) => found.push(expression),
            Initializer::List(inner) => collect_values(inner, found),
        }
    }
}

/// Whether an expression has no effects at first sight.
pub(super) fn is_plain(node: &Node<Expression>) -> bool {
    match &node.node {
        Expression::Identifier(_) | Expression::Constant(_) | Expression::StringLiteral(_) => true,
        Expression::Member(member) => is_plain(&member.node.expression),
        Expression::Cast(cast) => is_plain(&cast.node.expression),
        Expression::BinaryOperator(binary) => {
            let op = &binary.node.operator.node;
            let is_assignment = *op == lang_c::ast::BinaryOperator::Assign
                || super::expressions::compound_operator(op).is_some();
            !is_assignment && is_plain(&binary.node.lhs) && is_plain(&binary.node.rhs)
        }
        _ => false,
    }
}

fn permutations(list: &[usize]) -> Vec<Vec<usize>> {
    if list.len() <= 1 {
        return vec![list.to_vec()];
    }
    let mut all = Vec::new();
    for (index, &first) in list.iter().enumerate() {
        let mut rest = list.to_vec();
        rest.remove(index);
        for mut order in permutations(&rest) {
            order.insert(0, first);
            all.push(order);
        }
    }
    all
}
