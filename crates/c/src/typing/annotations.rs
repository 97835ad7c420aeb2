//! Annotations, at their places.

use super::conversions::Operand;
use super::logic::has_effects;
use super::scope::Binding;
use super::{Result, Typer};
use crate::annotation::{Annotation, Insertions, RESULT, Spot, is_typedef, whole_line};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::BlockId;
use lang_c::ast::ExternalDeclaration;

/// Which annotations have been met.
#[derive(Default)]
pub(super) struct Annotator<'u> {
    insertions: Option<&'u Insertions>,
    /// Where each has been put.
    placed: Vec<Option<Position>>,
    /// The number of the file that is typed.
    file: usize,
    /// Inside of an annotation there are no others.
    inside: bool,
}

impl<'u> Annotator<'u> {
    pub fn new(insertions: &'u Insertions) -> Annotator<'u> {
        let placed = vec![None; insertions.list.len()];
        Annotator { insertions: Some(insertions), placed, file: 0, inside: false }
    }

    pub fn begin_unit(&mut self, number: usize) {
        self.file = number;
    }

    pub fn misplaced(&self) -> Vec<usize> {
        let is_open = |&number: &usize| self.placed[number].is_none();
        (0..self.placed.len()).filter(is_open).collect()
    }

    /// Whether something may be said about the result of a call that ends in this line.
    pub fn is_about_call(&self, line: Option<u32>) -> bool {
        let list = self.insertions.map_or(&[][..], |insertions| &insertions.list);
        let is_here = |a: &Annotation| a.spot == Spot::AfterCall && Some(a.line) == line;
        list.iter().any(|annotation| annotation.file == self.file && is_here(annotation))
    }

    /// Those at a place of this line and column, by number.
    fn at(&mut self, spot: Spot, (line, column): (u32, u32), position: Position) -> Vec<usize> {
        let Some(insertions) = self.insertions.filter(|_| !self.inside) else { return Vec::new() };
        let mut found = Vec::new();
        for (number, annotation) in insertions.list.iter().enumerate() {
            let fits = annotation.spot == spot
                && annotation.file == self.file
                && annotation.line == line
                && (annotation.column == 0 || annotation.column == column);
            let placed = &mut self.placed[number];
            if fits && placed.is_none_or(|other| other == position) {
                *placed = Some(position);
                found.push(number);
            }
        }
        found
    }
}

impl Typer<'_> {
    /// Declares what annotations need.
    pub(super) fn ghosts(&mut self) -> Result<()> {
        let Some(unit) = self.annotations.insertions.and_then(|i| i.unit.as_ref()) else {
            return Ok(());
        };
        let own = std::mem::replace(&mut self.unit, unit);
        for declaration in &unit.tree.0 {
            // Types are declared there for the grammar alone.
            if let ExternalDeclaration::Declaration(declaration) = &declaration.node
                && !is_typedef(&declaration.node)
            {
                self.declaration(declaration)?;
            }
        }
        self.unit = own;
        Ok(())
    }

    /// Puts the annotations of a place where the program is now.
    pub(super) fn annotate(&mut self, spot: Spot, position: Position) -> Result<()> {
        for number in self.annotations_at(spot, position) {
            self.insert(number)?;
        }
        Ok(())
    }

    fn annotations_at(&mut self, spot: Spot, position: Position) -> Vec<usize> {
        let Some(row) = self.unit.row(position) else { return Vec::new() };
        match self.builder.can_emit() && !self.builder.is_unevaluated() {
            true => self.annotations.at(spot, (row, position.column), position),
            false => Vec::new(),
        }
    }

    /// The same for what a call gives.
    pub(super) fn annotate_result(&mut self, result: Operand, end: Position) -> Result<Operand> {
        let numbers = self.annotations_at(Spot::AfterCall, end);
        if numbers.is_empty() {
            return Ok(result);
        }
        let (result, local) = match result {
            Operand::Value(value) if self.types.is_scalar(value.ty) => {
                let (ty, position) = (value.ty, value.position);
                let local = self.builder.temporary(ty, position);
                let place = self.local_place(local, position);
                self.assign(place.clone(), value, position)?;
                (Operand::Value(crate::typed::Expr::load(place)), Some(local))
            }
            other => (other, None),
        };
        self.scopes.enter(None);
        if let Some(local) = local {
            self.scopes.bind(RESULT, Binding::Local(local));
        }
        let inserted = numbers.into_iter().try_for_each(|number| self.insert(number));
        self.scopes.leave();
        inserted.map(|()| result)
    }

    /// Where a decision leads, if there are annotations about it: a block of its own, from which
    /// the way goes on to the usual one.
    pub(super) fn decided_by(
        &mut self,
        truth: bool,
        keyword: Position,
        to: BlockId,
    ) -> Result<BlockId> {
        let numbers = self.annotations_at(Spot::Branch(truth), keyword);
        if numbers.is_empty() {
            return Ok(to);
        }
        let back = self.builder.current();
        let block = self.builder.new_block();
        self.builder.continue_in(block);
        for number in numbers {
            self.insert(number)?;
        }
        self.builder.flow_into(to, keyword);
        self.builder.continue_in(back);
        Ok(block)
    }

    fn insert(&mut self, number: usize) -> Result<()> {
        let Some(insertions) = self.annotations.insertions else { return Ok(()) };
        let Some((condition, statement)) = insertions.statement(number) else { return Ok(()) };
        let Some(unit) = &insertions.unit else { return Ok(()) };
        let own = std::mem::replace(&mut self.unit, unit);
        let position = self.position(condition);
        self.annotations.inside = true;
        let result = match has_effects(condition) {
            true => Err(Fault::invalid(position, "the condition calls or changes something")),
            false => self.statement(statement),
        };
        self.annotations.inside = false;
        self.unit = own;
        result.map_err(whole_line)
    }
}
