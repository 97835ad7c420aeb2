//! Annotations, at their places.

use super::conversions::Operand;
use super::logic::has_effects;
use super::scope::Binding;
use super::{Result, Typer};
use crate::annotation::{Annotation, BEFORE, Insertions, RESULT, Spot, is_typedef, whole_line};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{BlockId, Expr, LocalId, ScopeId};
use crate::types::Ty;
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
    contract: Contract,
}

/// What is said about the end of the function that is typed.
#[derive(Default)]
struct Contract {
    exits: Vec<usize>,
    /// Copies of the parameters, made when the function begins, by the names of those.
    before: Vec<(String, LocalId)>,
}

impl<'u> Annotator<'u> {
    pub fn new(insertions: &'u Insertions) -> Annotator<'u> {
        let placed = vec![None; insertions.list.len()];
        let contract = Contract::default();
        Annotator { insertions: Some(insertions), placed, file: 0, inside: false, contract }
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
        self.within(spot, (line, line), &[column], position)
    }

    /// Those at a place that has several lines, and at one of some columns if they name one.
    fn within(
        &mut self,
        spot: Spot,
        (first, last): (u32, u32),
        columns: &[u32],
        position: Position,
    ) -> Vec<usize> {
        let Some(insertions) = self.insertions.filter(|_| !self.inside) else { return Vec::new() };
        let mut found = Vec::new();
        for (number, annotation) in insertions.list.iter().enumerate() {
            let fits = annotation.spot == spot
                && annotation.file == self.file
                && (first..=last).contains(&annotation.line)
                && (annotation.column == 0 || columns.contains(&annotation.column));
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
                (Operand::Value(Expr::load(place)), Some(local))
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

    /// Puts what is said about the beginning of a function there, and remembers what is said about
    /// its end. The head of the function begins at `begin`, has its name at `name` and ends before
    /// `body`.
    pub(super) fn annotate_entry(
        &mut self,
        begin: Position,
        name: Position,
        body: Position,
    ) -> Result<()> {
        self.annotations.contract = Contract::default();
        let rows = (self.unit.row(begin), self.unit.row(body));
        let (Some(first), Some(last)) = rows else { return Ok(()) };
        let columns = [begin.column, name.column];
        let entries = self.annotations.within(Spot::Entry, (first, last), &columns, name);
        let exits = self.annotations.within(Spot::Exit, (first, last), &columns, name);
        if !entries.is_empty() {
            self.in_contract(None, &[], &entries)?;
        }
        if exits.is_empty() {
            return Ok(());
        }
        let mut before = Vec::new();
        for (parameter, id) in self.named_parameters() {
            let ty = self.builder.locals[id.0 as usize].ty;
            if self.types.is_scalar(ty) {
                let copy = self.builder.temporary(ty, name);
                let value = Expr::load(self.local_place(id, name));
                let place = self.local_place(copy, name);
                self.assign(place, value, name)?;
                before.push((parameter, copy));
            }
        }
        self.annotations.contract = Contract { exits, before };
        Ok(())
    }

    /// Whether something is said about the end of the function that is typed.
    pub(super) fn has_exit(&self) -> bool {
        !self.annotations.contract.exits.is_empty()
    }

    /// Puts it where the function returns with this value.
    pub(super) fn annotate_exit(
        &mut self,
        value: Option<Expr>,
        position: Position,
    ) -> Result<Option<Expr>> {
        let Contract { exits, before } = std::mem::take(&mut self.annotations.contract);
        let result = match value {
            Some(value) => {
                let local = self.builder.temporary(value.ty, position);
                let place = self.local_place(local, position);
                self.assign(place.clone(), value, position)?;
                Some((local, Expr::load(place)))
            }
            None => None,
        };
        let inserted = self.in_contract(result.as_ref().map(|(local, _)| *local), &before, &exits);
        self.annotations.contract = Contract { exits, before };
        inserted.map(|()| result.map(|(_, value)| value))
    }

    /// The same where the end of the body is reached.
    pub(super) fn annotate_end(&mut self, is_main: bool, position: Position) -> Result<()> {
        if !self.has_exit() {
            return Ok(());
        }
        let ty = self.builder.result;
        let value = match ty {
            Ty::VOID => None,
            _ if is_main => Some(self.int(0, position)),
            // Whoever uses the result gets an arbitrary one.
            _ if self.types.is_scalar(ty) => {
                let local = self.builder.temporary(ty, position);
                Some(Expr::load(self.local_place(local, position)))
            }
            _ => None,
        };
        self.annotate_exit(value, position).map(drop)
    }

    fn named_parameters(&self) -> Vec<(String, LocalId)> {
        let locals = self.builder.locals[..self.builder.parameters].iter().zip(0..);
        locals.filter_map(|(local, id)| Some((local.name.clone()?, LocalId(id)))).collect()
    }

    /// Inserts annotations with the names that contracts know: those of the file and of parameters.
    fn in_contract(
        &mut self,
        result: Option<LocalId>,
        before: &[(String, LocalId)],
        numbers: &[usize],
    ) -> Result<()> {
        let parameters = self.named_parameters();
        let inner = self.scopes.close_inner();
        self.scopes.enter(Some(ScopeId(0)));
        for (name, id) in parameters {
            self.scopes.bind(&name, Binding::Local(id));
        }
        for (name, id) in before {
            self.scopes.bind(&format!("{BEFORE}{name}"), Binding::Local(*id));
        }
        if let Some(local) = result {
            self.scopes.bind(RESULT, Binding::Local(local));
        }
        let inserted = numbers.iter().try_for_each(|&number| self.insert(number));
        self.scopes.reopen(inner);
        inserted
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
