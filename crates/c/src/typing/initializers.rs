//! Initialisers: braces, brace elision and designators (C11 6.7.9).
//!
//! An initialiser becomes a list of assignments to the scalar parts, and whole records, of an
//! object that was zeroed before. For local variables they are executed in order; for global ones
//! they are collected and must be constant.

use super::order::identity;
use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{Expr, GlobalId, Initial, Place, PlaceKind, StmtKind};
use crate::types::{Length, Ty, Type};
use lang_c::ast::{Designator, Expression, Initializer, InitializerListItem};
use lang_c::span::Node;
use rustc_hash::FxHashMap;

/// Larger arrays can be declared, but not initialised element by element.
pub(super) const MAX_ELEMENTS: u64 = 1 << 24;

type Items = [Node<InitializerListItem>];

/// Where the assignments go.
pub(super) enum Target {
    Code,
    Constants(Vec<(Place, Expr)>),
}

pub(super) struct Initialization {
    pub(super) target: Target,
    /// One more than the largest index used in the outermost array.
    pub(super) length: u64,
    /// How many arrays and records are open.
    pub(super) depth: u32,
    /// What was evaluated before, by the identity of its expression.
    known: FxHashMap<usize, Expr>,
}

impl Initialization {
    fn new(target: Target) -> Initialization {
        Initialization { target, length: 0, depth: 0, known: FxHashMap::default() }
    }
}

impl Typer<'_> {
    pub(super) fn initialize_local(
        &mut self,
        place: Place,
        node: &Node<Initializer>,
    ) -> Result<()> {
        let position = self.position(node);
        let is_aggregate = !self.types.is_scalar(place.ty);
        let is_list = matches!(node.node, Initializer::List(_)) || self.types.is_array(place.ty);
        if is_aggregate && is_list {
            self.builder.emit(StmtKind::Zero(place.clone()), position)?;
        }
        let mut state = Initialization::new(Target::Code);
        state.known = self.list_in_any_order(node, position)?;
        self.whole(place, node, &mut state)
    }

    pub(super) fn initialize_global(
        &mut self,
        id: GlobalId,
        node: &Node<Initializer>,
    ) -> Result<()> {
        let position = self.position(node);
        if !self.initialized.insert(id) {
            let name = &self.globals[id.0 as usize].name;
            return Err(Fault::invalid(position, format!("`{name}` is initialised twice")));
        }
        let place = self.global_place(id, position);
        let mut state = Initialization::new(Target::Constants(Vec::new()));
        let mark = self.builder.mark();
        self.as_constant(|typer| typer.whole(place, node, &mut state))?;
        if !self.builder.is_unchanged(mark) {
            return Err(Fault::invalid(position, "the initialiser is not constant"));
        }
        if let Target::Constants(values) = state.target {
            let ends = values.iter().filter_map(|(place, value)| {
                Some(self.static_offset(place)? + self.types.size(value.ty)?)
            });
            let end = ends.max().unwrap_or(0);
            let global = &mut self.globals[id.0 as usize];
            global.size = global.size.max(end);
            global.initial = Initial::Values(values);
        }
        Ok(())
    }

    /// The length that an initialiser gives to an array of unknown length.
    pub(super) fn initializer_length(&mut self, ty: Ty, node: &Node<Initializer>) -> Result<u64> {
        let position = self.position(node);
        let name = GlobalId(u32::MAX);
        let place = Place::new(PlaceKind::Global(name), ty, position);
        let length = self.unevaluated(|typer| {
            let mut state = Initialization::new(Target::Code);
            typer.whole(place, node, &mut state)?;
            Ok(state.length)
        })?;
        Ok(length)
    }

    /// Initialises a whole object.
    fn whole(
        &mut self,
        place: Place,
        node: &Node<Initializer>,
        state: &mut Initialization,
    ) -> Result<()> {
        match &node.node {
            Initializer::List(items) => self.braced(place, items, self.position(node), state),
            Initializer::Expression(expression) => {
                if self.string_initializer(&place, expression, state)? {
                    return Ok(());
                }
                if self.literal_list(&place, expression, state)? {
                    return Ok(());
                }
                if self.types.is_array(place.ty) {
                    let what = "an array needs a list or a string as its initialiser";
                    return Err(Fault::invalid(self.position(node), what));
                }
                self.single(place, expression, state)
            }
        }
    }

    /// Assigns the value of an expression to a scalar or record.
    fn single(
        &mut self,
        place: Place,
        expression: &Node<Expression>,
        state: &mut Initialization,
    ) -> Result<()> {
        let position = self.position(expression);
        let mark = self.builder.mark();
        let value = match state.known.get(&identity(expression)) {
            Some(known) => known.clone(),
            None => self.value(expression)?,
        };
        let value = self.convert(value, place.ty, position)?;
        match &mut state.target {
            Target::Code => {
                let place = self.settle_place(mark, place);
                self.assign(place, value, position)
            }
            Target::Constants(values) => {
                if !self.is_static_value(&value) {
                    return Err(Fault::invalid(position, "the initialiser is not constant"));
                }
                values.push((place, value));
                Ok(())
            }
        }
    }

    /// `(struct s){ … }` as an initialiser: the list initialises the object itself.
    fn literal_list(
        &mut self,
        place: &Place,
        expression: &Node<Expression>,
        state: &mut Initialization,
    ) -> Result<bool> {
        let Expression::CompoundLiteral(literal) = &expression.node else { return Ok(false) };
        let is_constant = matches!(state.target, Target::Constants(_));
        if self.types.is_scalar(place.ty) || !is_constant && !self.types.is_array(place.ty) {
            return Ok(false);
        }
        let ty = self.unevaluated(|typer| typer.type_name(&literal.node.type_name))?;
        if !self.types.compatible(ty, place.ty) {
            return Ok(false);
        }
        let items = &literal.node.initializer_list;
        self.braced(place.clone(), items, self.position(expression), state)?;
        Ok(true)
    }

    /// Initialises an object from a list in braces of its own.
    fn braced(
        &mut self,
        place: Place,
        items: &Items,
        position: Position,
        state: &mut Initialization,
    ) -> Result<()> {
        if self.types.is_scalar(place.ty) {
            return match items {
                [] => Ok(()),
                [item, ..] => self.whole(place, &item.node.initializer, state),
            };
        }
        if let [item] = items
            && let Initializer::Expression(expression) = &item.node.initializer.node
            && item.node.designation.is_empty()
            && self.string_initializer(&place, expression, state)?
        {
            return Ok(());
        }
        let count = self.part_count(&place, position)?;
        state.depth += 1;
        let (mut at, mut index) = (0, 0);
        while let Some(item) = items.get(at) {
            match item.node.designation.as_slice() {
                [] if index >= count => {
                    self.warn(self.position(item), "excess elements in an initialiser");
                    break;
                }
                [] => {
                    let part = self.part(&place, &mut index, position, state)?;
                    self.part_from(part, items, &mut at, state)?;
                    index += 1;
                }
                designators => {
                    index = self.designated(&place, designators, items, &mut at, state)? + 1;
                }
            }
        }
        state.depth -= 1;
        Ok(())
    }

    /// Initialises the part that designators name; returns its index in `place`.
    fn designated(
        &mut self,
        place: &Place,
        designators: &[Node<Designator>],
        items: &Items,
        at: &mut usize,
        state: &mut Initialization,
    ) -> Result<u64> {
        let Some((first, rest)) = designators.split_first() else { return Ok(0) };
        let (low, high) = self.designator_range(place, first)?;
        let start = *at;
        let (mut index, mut last) = (low, low);
        while index <= high {
            *at = start;
            let steps = self.designated_parts(place, first, index, state)?;
            last = steps.1;
            if rest.is_empty() {
                self.part_from(steps.0, items, at, state)?;
            } else {
                let inner = self.designated(&steps.0, rest, items, at, state)?;
                self.remaining(&steps.0, inner + 1, items, at, state)?;
            }
            index += 1;
        }
        Ok(last)
    }

    /// The indices an array designator stands for; a member counts as one.
    fn designator_range(
        &mut self,
        place: &Place,
        designator: &Node<Designator>,
    ) -> Result<(u64, u64)> {
        let position = self.position(designator);
        let (low, high) = match &designator.node {
            Designator::Member(_) => return Ok((0, 0)),
            Designator::Index(index) => {
                let value = self.constant_integer(index)?.1;
                (value, value)
            }
            Designator::Range(range) => (
                self.constant_integer(&range.node.from)?.1,
                self.constant_integer(&range.node.to)?.1,
            ),
        };
        let count = match self.types.get(place.ty) {
            Type::Array(_, Length::Fixed(count)) => *count as i128,
            Type::Array(_, _) => MAX_ELEMENTS as i128,
            _ => {
                return Err(Fault::invalid(
                    position,
                    "an array index in the initialiser of a record",
                ));
            }
        };
        if low < 0 || high < low || high >= count || high - low > MAX_ELEMENTS as i128 {
            return Err(Fault::invalid(position, "the index is outside the array"));
        }
        Ok((low as u64, high as u64))
    }

    /// The part that a designator names, and its index among the parts of `place`.
    fn designated_parts(
        &mut self,
        place: &Place,
        designator: &Node<Designator>,
        index: u64,
        state: &mut Initialization,
    ) -> Result<(Place, u64)> {
        let position = self.position(designator);
        match &designator.node {
            Designator::Member(name) => {
                let Some(path) = self.field_path(place.ty, &name.node.name) else {
                    let shown = self.types.show(place.ty);
                    let what = format!("`{shown}` has no member `{}`", name.node.name);
                    return Err(Fault::invalid(position, what));
                };
                let part = path
                    .iter()
                    .fold(place.clone(), |base, &field| self.field(base, field, position));
                Ok((part, path.first().copied().unwrap_or(0) as u64))
            }
            _ => {
                let mut index = index;
                let part = self.part(place, &mut index, position, state)?;
                Ok((part, index))
            }
        }
    }

    /// Initialises `place` with the next items, as many as it needs.
    fn part_from(
        &mut self,
        place: Place,
        items: &Items,
        at: &mut usize,
        state: &mut Initialization,
    ) -> Result<()> {
        let Some(item) = items.get(*at) else { return Ok(()) };
        let expression = match &item.node.initializer.node {
            Initializer::List(inner) => {
                *at += 1;
                return self.braced(place, inner, self.position(item), state);
            }
            Initializer::Expression(expression) => expression,
        };
        if self.types.is_scalar(place.ty) || self.initializes_whole(&place, expression)? {
            *at += 1;
            return self.whole(place, &item.node.initializer, state);
        }
        state.depth += 1;
        let start = *at;
        self.remaining(&place, 0, items, at, state)?;
        state.depth -= 1;
        if *at == start {
            // A record without parts takes no item, but the list must go on.
            *at += 1;
        }
        Ok(())
    }

    /// Without braces, the items go to the parts of `place` from `index` on, up to the next
    /// designator.
    fn remaining(
        &mut self,
        place: &Place,
        index: u64,
        items: &Items,
        at: &mut usize,
        state: &mut Initialization,
    ) -> Result<()> {
        let position = place.position;
        let count = self.part_count(place, position)?;
        let (start, mut index) = (*at, index);
        while index < count && *at < items.len() {
            let is_designated = !items[*at].node.designation.is_empty();
            if is_designated && (*at > start || index > 0) {
                break;
            }
            let part = self.part(place, &mut index, position, state)?;
            if index >= count {
                break;
            }
            self.part_from(part, items, at, state)?;
            index += 1;
        }
        Ok(())
    }

    /// Whether one expression initialises the whole array or record.
    fn initializes_whole(&mut self, place: &Place, expression: &Node<Expression>) -> Result<bool> {
        if self.is_string_for(place.ty, expression) {
            return Ok(true);
        }
        if !self.types.is_record(place.ty) {
            return Ok(false);
        }
        let ty = self.unevaluated(|typer| Ok(typer.value(expression)?.ty))?;
        Ok(self.types.compatible(ty, place.ty))
    }
}
