//! Loops that clear an array, as one statement.
//!
//! `for (i = 0; i < N; i++) a[i] = 0;` over the whole of an array of a large size keeps engines busy with
//! as many steps as it has elements. For encoders it becomes one statement that sets all bytes to 0,
//! and `i = N`. Nothing else in such a loop can be seen: the body is these two assignments, nothing
//! jumps into it, `i` is no object in memory. Small arrays are left alone, and so are programs in which
//! the accesses themselves are checked. The interpreter runs the loop as it is.

use crate::points::needs_memory;
use crate::typed::{
    BinaryOp, Block, BlockId, Body, Expr, ExprKind, LocalId, Place, PlaceKind, Program, Stmt,
    StmtKind, Terminator,
};
use crate::types::{Length, Type};

/// Arrays with fewer elements are cleared step by step.
const LEAST: u64 = 64;

/// What a loop clears.
struct Clearing {
    /// The loop's number in the body.
    number: usize,
    first: BlockId,
    exit: BlockId,
    array: Place,
    index: Place,
    count: u64,
}

/// The program with its clearing loops replaced; nothing if there are none.
pub fn cleared(program: &Program) -> Option<Program> {
    let mut result: Option<Program> = None;
    for (number, function) in program.functions.iter().enumerate() {
        let Some(body) = function.body.as_ref().filter(|body| !body.loops.is_empty()) else {
            continue;
        };
        let found: Vec<Clearing> =
            (0..body.loops.len()).filter_map(|index| find(program, body, index)).collect();
        for clearing in found {
            let program = result.get_or_insert_with(|| program.clone());
            if let Some(body) = program.functions[number].body.as_mut() {
                replace(body, clearing);
            }
        }
    }
    result
}

fn replace(body: &mut Body, clearing: Clearing) {
    let Clearing { number, first, exit, array, index, count } = clearing;
    let head = body.loops[number].head;
    let position = body.block(head).position;
    let end = Expr::int(u128::from(count), index.ty, position);
    let statements = vec![
        Stmt { kind: StmtKind::Zero(array), position },
        Stmt { kind: StmtKind::Assign { place: index, value: end }, position },
    ];
    body.blocks[head.0 as usize] =
        Block { statements, terminator: Terminator::Goto(exit), position };
    // Nothing is to be told about the head of a loop that the model does not have.
    body.loops[number].head = first;
}

fn find(program: &Program, body: &Body, number: usize) -> Option<Clearing> {
    let head = body.loops[number].head;
    let block = body.block(head);
    let Terminator::Branch { condition, then, otherwise } = &block.terminator else { return None };
    let ExprKind::Binary(BinaryOp::Less | BinaryOp::NotEqual, left, right) = &condition.kind else {
        return None;
    };
    let count = u64::try_from(right.as_int()?).ok().filter(|&count| count >= LEAST)?;
    let index = variable(program, left)?;
    let format = program.types.int_format(index.ty)?;
    let largest = (1u128 << (format.width - u32::from(format.signed))) - 1;
    let statements = straight(body, *then, head)?;
    let [clears, counts] = &statements[..] else { return None };
    let array = cleared_array(program, clears, &index, count)?;
    let is_right = block.statements.is_empty()
        && u128::from(count) <= largest
        && counts_up(program, counts, &index)
        && starts_at_zero(body, head, *then, &index)
        && !needs_memory(program, body)[local(&index)?.0 as usize];
    is_right.then_some(Clearing { number, first: *then, exit: *otherwise, array, index, count })
}

fn local(place: &Place) -> Option<LocalId> {
    match place.kind {
        PlaceKind::Local(id) => Some(id),
        _ => None,
    }
}

/// The local variable that an expression reads, perhaps as an integer of a larger type.
fn variable(program: &Program, expr: &Expr) -> Option<Place> {
    match &expr.kind {
        ExprKind::Load(place) => local(place).map(|_| (**place).clone()),
        ExprKind::Cast(_, inner) => {
            let types = &program.types;
            let (to, from) = (types.int_format(expr.ty)?, types.int_format(inner.ty)?);
            (to.width >= from.width).then(|| variable(program, inner)).flatten()
        }
        _ => None,
    }
}

/// The statements on the only way from one block to another.
fn straight(body: &Body, first: BlockId, end: BlockId) -> Option<Vec<Stmt>> {
    let mut statements = Vec::new();
    let mut now = first;
    for _ in 0..3 {
        let block = body.block(now);
        let ways = body.blocks.iter().flat_map(|block| block.terminator.successors());
        if ways.filter(|&target| target == now).count() != 1 {
            return None;
        }
        statements.extend(block.statements.iter().cloned());
        let Terminator::Goto(next) = block.terminator else { return None };
        if next == end {
            return Some(statements);
        }
        now = next;
    }
    None
}

/// The array of `array[index] = 0`, if it is a whole variable with that many elements.
fn cleared_array(program: &Program, clears: &Stmt, index: &Place, count: u64) -> Option<Place> {
    let StmtKind::Assign { place, value } = &clears.kind else { return None };
    let PlaceKind::Index(array, at) = &place.kind else { return None };
    let is_zero = matches!(value.kind, ExprKind::Int(0) | ExprKind::Float(0));
    let is_whole = matches!(array.kind, PlaceKind::Local(_) | PlaceKind::Global(_));
    let has_size = matches!(program.types.get(array.ty), &Type::Array(_, Length::Fixed(size)) if size == count);
    let is_at = variable(program, at).is_some_and(|place| local(&place) == local(index));
    let fits = is_zero && is_whole && has_size && is_at && program.types.is_scalar(place.ty);
    fits.then(|| (**array).clone())
}

/// `index = index + 1`.
fn counts_up(program: &Program, counts: &Stmt, index: &Place) -> bool {
    let StmtKind::Assign { place, value } = &counts.kind else { return false };
    let mut value = value;
    while let ExprKind::Cast(_, inner) = &value.kind {
        value = inner;
    }
    let ExprKind::Binary(BinaryOp::Add, left, right) = &value.kind else { return false };
    let is_index =
        |expr: &Expr| variable(program, expr).is_some_and(|place| local(&place) == local(index));
    local(place) == local(index) && is_index(left) && right.as_int() == Some(1)
}

/// Whether there is one way into the loop, and `index = 0` is the last thing on it.
fn starts_at_zero(body: &Body, head: BlockId, first: BlockId, index: &Place) -> bool {
    let mut inside = vec![first];
    while let Some(&last) = inside.last()
        && let Terminator::Goto(next) = body.block(last).terminator
        && next != head
    {
        inside.push(next);
    }
    let mut before = body.blocks.iter().enumerate().filter(|(number, block)| {
        let is_inside = inside.contains(&BlockId(*number as u32));
        !is_inside && block.terminator.successors().contains(&head)
    });
    let (Some((_, block)), None) = (before.next(), before.next()) else { return false };
    let last = block.statements.last().map(|statement| &statement.kind);
    head != BlockId(0)
        && matches!(block.terminator, Terminator::Goto(_))
        && matches!(last, Some(StmtKind::Assign { place, value })
            if local(place) == local(index) && value.as_int() == Some(0))
}
