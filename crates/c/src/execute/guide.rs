//! The oracle of a search: first the answers of a prefix, then those of a style.

use super::coverage::Coverage;
use super::environment::{Environment, Memory};
use super::random::Random;
use super::values::{Source, Style, draw};
use super::walk::Walks;
use super::words::Words;
use crate::arith::int;
use crate::interp::{Answer, Choice, ChoiceKind, Oracle};
use crate::source::Position;
use crate::typed::{BlockId, FuncId, Program};

/// A run that asks more often is ended.
const MAX_ANSWERS: usize = 4_000_000;
/// Comparisons that are remembered of a run.
const MAX_COMPARISONS: usize = 512;

pub struct Guide<'a> {
    program: &'a Program,
    prefix: &'a [Answer],
    style: Style,
    limit: u64,
    stop: &'a dyn Fn() -> bool,
    parts: Option<Parts<'a>>,
    answers: Vec<Answer>,
    comparisons: Vec<(u128, u128)>,
    has_external_calls: bool,
    pub environment: Environment,
    /// Steps of a run that is asked nothing.
    pub patience: u64,
}

/// What a search lends to its runs.
struct Parts<'a> {
    random: &'a mut Random,
    words: &'a Words,
    coverage: &'a mut Coverage,
    walks: &'a mut Walks,
    salt: u64,
}

impl<'a> Guide<'a> {
    pub fn new(
        program: &'a Program,
        prefix: &'a [Answer],
        style: Style,
        limit: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> Guide<'a> {
        Guide {
            program,
            prefix,
            style,
            limit,
            stop,
            parts: None,
            answers: Vec::new(),
            comparisons: Vec::new(),
            has_external_calls: false,
            environment: Environment::default(),
            patience: u64::MAX,
        }
    }

    pub fn connect(
        &mut self,
        random: &'a mut Random,
        words: &'a Words,
        coverage: &'a mut Coverage,
        walks: &'a mut Walks,
    ) {
        let salt = random.word();
        self.parts = Some(Parts { random, words, coverage, walks, salt });
    }

    /// Whether the run depended on anything that was asked, or called functions of which nothing
    /// is known.
    pub fn is_open(&self) -> bool {
        !self.answers.is_empty() || self.has_external_calls
    }

    /// A decision was made so many times.
    pub fn decided_often(&mut self, function: FuncId, from: BlockId, to: BlockId, times: u32) {
        if let Some(parts) = self.parts.as_mut().filter(|_| times > 0) {
            parts.coverage.decided_often(function, from, to, times);
        }
    }

    pub fn finish(self) -> (Vec<Answer>, Vec<(u128, u128)>) {
        (self.answers, self.comparisons)
    }
}

impl Oracle for Guide<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let index = self.answers.len();
        let is_pointer = self.program.types.is_pointer(choice.ty);
        let bits = match (self.prefix.get(index), &mut self.parts) {
            // A prefix of another run may fit badly; the width is all that matters.
            (Some(answer), _) => answer.bits,
            (None, Some(parts)) if is_pointer => self.environment.draw(index, parts.random),
            (None, Some(parts)) => {
                let walked = choice.state.and_then(|s| parts.walks.choose(s, parts.random));
                let types = &self.program.types;
                let source = Source { types, words: parts.words, salt: parts.salt };
                walked.unwrap_or_else(|| draw(self.style, index, choice, source, parts.random))
            }
            (None, None) => 0,
        };
        let bits = match (self.environment.memory, &choice.kind) {
            (Memory::Benign(place), _) if is_pointer => place.pointer(index).into(),
            // Nothing is known of memory at a made-up address.
            (Memory::Benign(_) | Memory::None, ChoiceKind::Environment) => 0,
            _ => int::truncate(bits, choice.width),
        };
        let (width, position) = (choice.width, choice.position);
        self.answers.push(Answer { bits, width, position });
        bits
    }

    fn environment(&self) -> Option<u64> {
        self.environment.first()
    }

    fn is_environment_writable(&self) -> bool {
        self.environment.is_writable()
    }

    fn external_call(&mut self, _: &str, _: &[u128], _: Position) {
        self.has_external_calls = true;
    }

    fn decided(&mut self, function: FuncId, from: BlockId, to: BlockId) {
        if let Some(parts) = &mut self.parts {
            parts.coverage.decided_often(function, from, to, 1);
        }
    }

    fn wants_states(&self) -> bool {
        matches!(self.style, Style::Walk(_))
    }

    /// The search in a benign environment counts its steps.
    fn may_leap(&self) -> bool {
        !self.environment.is_benign()
    }

    fn wants_comparisons(&self) -> bool {
        true
    }

    fn compared(&mut self, left: u128, right: u128) {
        let pair = (left, right);
        let is_wanted = !self.answers.is_empty() && self.comparisons.len() < MAX_COMPARISONS;
        // Loops compare the same again and again.
        if is_wanted && !self.comparisons.iter().rev().take(8).any(|known| *known == pair) {
            self.comparisons.push(pair);
        }
    }

    /// In search of errors the limit counts only for runs that are not the only one so far.
    fn wants_stop(&mut self, steps: u64) -> bool {
        let too_long = steps >= self.limit && (self.environment.is_benign() || self.is_open());
        let too_long = too_long || steps >= self.patience;
        too_long || self.answers.len() >= MAX_ANSWERS || (self.stop)()
    }
}
