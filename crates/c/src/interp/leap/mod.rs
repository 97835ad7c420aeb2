//! Long loops in one step.
//!
//! Where a run comes to the head of a loop again and again, one iteration is followed with words
//! that have closed forms ([`walk`]), and as many iterations as go the same way are made at once
//! ([`crate::closed`]). What the run would have been without that is the same: its outcome, its
//! number of steps, its lifetimes and the events that its trace keeps.
//!
//! Nothing is taken on trust alone. The last iteration that goes the same way, and all that follow, are
//! interpreted as usual, and that one has to lead from the state after the leap to the state that
//! the closed forms promise, in the promised number of steps. Otherwise the run ends as one that
//! cannot be followed. Of linear forms on the line of integers this shows that the demands hold in
//! between as well: they hold in the first iteration, which has been followed, and in the last one, and
//! intervals are convex. Evidence for proofs does not use any of this, see `only_run` of `evidence`.
//!
//! A run that has to tell about every step, because somebody asks for states, visited places or goals,
//! does not leap.

mod expressions;
mod walk;

use super::exec::Interpreter;
use super::oracle::Life;
use super::outcome::{Outcome, Step, unsupported};
use super::value::Scalar;
use crate::arith::int;
use crate::closed::{Changed, Leap, Path};
use crate::typed::{BlockId, Body, GlobalId, LocalId};
use walk::Walk;

/// Arrivals at the head of a loop before the first attempt, after one that was worth it, and the
/// most between two attempts.
const FIRST: u32 = 200;
const NEXT: u32 = 8;
const MOST: u32 = 1 << 22;
/// Fewer iterations are not worth a leap.
const LEAST: u64 = 64;
/// Where a trace is kept and a leap would cut it off, so many times its length has to follow.
const REST: u64 = 4;
/// No run has more steps.
const FARTHEST: u64 = 1 << 62;

/// What a run is that does not keep the promise of a leap.
const BROKEN: &str = "a loop that does not have the closed form it should";

/// A variable that a loop may change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Variable {
    /// Of a function that is active, by how many have been called since that of the loop.
    Local(usize, LocalId),
    Global(GlobalId),
}

type Heads = Vec<Option<(u32, u32)>>;

/// What is known of the loops of a program.
#[derive(Default)]
pub(super) struct Leaps {
    pub is_allowed: bool,
    /// By function and block, for heads of loops: how many arrivals until the next attempt, and how
    /// many there were before the last.
    heads: Vec<Option<Heads>>,
    promise: Option<Promise>,
    /// Steps that were made in leaps.
    pub leapt: u64,
}

/// What the first arrival at the head of a loop after a leap has to find.
struct Promise {
    depth: usize,
    block: BlockId,
    steps: u64,
    values: Vec<(Variable, u128)>,
}

impl Leaps {
    pub fn new(is_allowed: bool, functions: usize) -> Leaps {
        Leaps { is_allowed, heads: vec![None; functions], promise: None, leapt: 0 }
    }

    /// Counts an arrival; whether to try.
    fn is_time(&mut self, function: usize, body: &Body, block: BlockId) -> bool {
        let heads = self.heads[function].get_or_insert_with(|| {
            let mut heads = vec![None; body.blocks.len()];
            for a_loop in &body.loops {
                heads[a_loop.head.0 as usize] = Some((FIRST, FIRST));
            }
            heads
        });
        match &mut heads[block.0 as usize] {
            Some((left, _)) => {
                *left = left.saturating_sub(1);
                *left == 0
            }
            None => false,
        }
    }

    fn wait(&mut self, function: usize, block: BlockId, was_worth_it: bool) {
        if let Some(Some(Some((left, last)))) =
            self.heads[function].as_mut().map(|heads| heads.get_mut(block.0 as usize))
        {
            *last = if was_worth_it { NEXT } else { last.saturating_mul(2).clamp(FIRST, MOST) };
            *left = *last;
        }
    }
}

/// A loop as it goes now.
struct Found {
    variables: Vec<Variable>,
    leap: Leap,
    /// Steps, events and lifetimes of an iteration.
    steps: u64,
    events: u64,
    lives: u64,
    /// The variables that begin to live in it, with the number of the lifetime among those of the
    /// iteration.
    declared: Vec<(LocalId, u64)>,
}

impl Interpreter<'_, '_> {
    /// Whether nobody has to be told about every step.
    pub(super) fn may_leap(&self) -> bool {
        let is_observed = self.has_goals
            || self.visited.is_some()
            || self.unwritten.is_some()
            || self.seen.is_some()
            || self.tracks
            || self.trace.accesses;
        !is_observed && self.oracle.may_leap()
    }

    /// A run that ends before the promise of a leap is seen has not gone the way it should.
    pub(super) fn with_promise(&self, outcome: Outcome) -> Outcome {
        match self.leaps.promise.is_some() && outcome != Outcome::StepLimit {
            true => Outcome::Unsupported(BROKEN.to_string(), self.now),
            false => outcome,
        }
    }

    /// A block begins. If it is the head of a loop that goes on like this for long, the run goes on
    /// where that ends.
    pub(super) fn leap(&mut self, block: BlockId) -> Step<()> {
        if !self.leaps.is_allowed {
            return Ok(());
        }
        if self.leaps.promise.is_some() {
            self.check_promise(block)?;
        }
        let frame = self.frames.last().expect("a block has a function");
        let (function, body) = (frame.function.0 as usize, frame.body);
        if !self.leaps.is_time(function, body, block) {
            return Ok(());
        }
        let found = self.find_leap(block);
        if found.as_ref().is_some_and(|found| found.leap.iterations.is_none()) {
            // It goes on like this for ever.
            return Err(Box::new(Outcome::StepLimit));
        }
        let leap = found.and_then(|found| self.iterations(&found).map(|n| (found, n)));
        self.leaps.wait(function, block, leap.is_some());
        if let Some((found, iterations)) = leap {
            self.make_leap(block, &found, iterations);
        }
        Ok(())
    }

    /// The loop that begins here, if it has a closed form.
    fn find_leap(&self, block: BlockId) -> Option<Found> {
        let mut first = Walk::new(self, block, &[]);
        first.iteration()?;
        let variables = first.written();
        let mut walk = Walk::new(self, block, &variables);
        walk.iteration()?;
        let mut changed = Vec::with_capacity(variables.len());
        for &variable in &variables {
            let (format, end) = walk.end_of(variable)?;
            let begin = self.number_of(variable, format).unwrap_or(0);
            changed.push(Changed { format, begin, end: end.form });
        }
        let (steps, events, lives) = (walk.steps, walk.events, walk.lives);
        let declared = std::mem::take(&mut walk.declared);
        let path = std::mem::replace(&mut walk.path, Path::new(false));
        let leap = Leap::of(&path, changed)?;
        Some(Found { variables, leap, steps, events, lives, declared })
    }

    /// How many iterations a leap is to have, if it is worth it. One that goes the same way is left.
    fn iterations(&mut self, found: &Found) -> Option<u64> {
        let room = self.limits.steps.min(FARTHEST).saturating_sub(self.steps) / found.steps;
        let all = found.leap.iterations.unwrap_or(u64::MAX).min(room);
        let capacity = self.trace.capacity() as u64;
        if capacity == 0 || found.events == 0 {
            return all.checked_sub(1).filter(|&n| n >= LEAST);
        }
        // What the trace keeps in the end comes after the leap.
        let kept = capacity.div_ceil(found.events);
        if let Some(leap) = all.checked_sub(kept).filter(|&leap| leap >= LEAST) {
            self.trace.dropped += leap.saturating_mul(found.events);
            return Some(leap);
        }
        let leap = all.checked_sub(1).filter(|&leap| leap >= LEAST)?;
        let rest = self.limits.steps - self.steps - leap * found.steps;
        (rest / REST >= capacity && self.limits.steps < FARTHEST).then(|| {
            self.trace.clear(leap * found.events);
            leap
        })
    }

    fn make_leap(&mut self, block: BlockId, found: &Found, iterations: u64) {
        let after = |iterations| {
            let value = |(symbol, &variable): (usize, &Variable)| {
                (variable, found.leap.after(symbol as u32, iterations) as u128)
            };
            found.variables.iter().enumerate().map(value).collect::<Vec<_>>()
        };
        for (variable, bits) in after(iterations) {
            self.set_number(variable, bits);
        }
        let steps = iterations * found.steps;
        self.steps += steps;
        self.leaps.leapt += steps;
        let begun = self.lives + (iterations - 1) * found.lives;
        for &(id, number) in &found.declared {
            self.frame_mut().lives[id.0 as usize] = Some(Life(begun + number));
        }
        self.lives += iterations * found.lives;
        self.leaps.promise = Some(Promise {
            depth: self.frames.len(),
            block,
            steps: self.steps + found.steps,
            values: after(iterations + 1),
        });
    }

    /// What a leap promised is so.
    fn check_promise(&mut self, block: BlockId) -> Step<()> {
        let depth = self.frames.len();
        let Some(promise) = self.leaps.promise.take_if(|promise| {
            (promise.depth, promise.block) == (depth, block) || promise.steps <= self.steps
        }) else {
            return Ok(());
        };
        let is_here = (promise.depth, promise.block, promise.steps) == (depth, block, self.steps);
        let is_so = |&(variable, bits): &(Variable, u128)| {
            let format = self.variable_format(variable)?;
            let number = self.number_of(variable, format)? as u128;
            Some(int::truncate(number, format.width) == int::truncate(bits, format.width))
        };
        match is_here && promise.values.iter().all(|value| is_so(value) == Some(true)) {
            true => Ok(()),
            false => unsupported(BROKEN, self.now),
        }
    }

    fn variable_format(&self, variable: Variable) -> Option<crate::types::IntFormat> {
        let ty = match variable {
            Variable::Local(_, id) => self.frame().body.local(id).ty,
            Variable::Global(id) => self.program.global(id).ty,
        };
        self.program.types.int_format(ty)
    }

    /// What a variable of the present function, or a global one, is now.
    fn number_of(&self, variable: Variable, format: crate::types::IntFormat) -> Option<i128> {
        let scalar = match variable {
            Variable::Local(0, id) => self.frame().registers[id.0 as usize]?,
            Variable::Local(..) => return None,
            Variable::Global(id) => {
                let object = self.memory.object(self.globals[id.0 as usize])?;
                let size = u64::from(format.width / 8);
                let is_plain = object.alive && object.writable && object.size == size;
                if !is_plain || object.holds_address(0, size) {
                    return None;
                }
                object.read(0, size)?
            }
        };
        scalar.object.is_none().then(|| int::extend(scalar.bits, format) as i128)
    }

    fn set_number(&mut self, variable: Variable, bits: u128) {
        let Some(format) = self.variable_format(variable) else { return };
        let value = Scalar::number(int::truncate(bits, format.width));
        match variable {
            Variable::Local(_, id) => self.frame_mut().registers[id.0 as usize] = Some(value),
            Variable::Global(id) => {
                if let Some(object) = self.memory.object_mut(self.globals[id.0 as usize]) {
                    object.write(0, u64::from(format.width / 8), value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
