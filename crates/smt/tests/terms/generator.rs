//! Random terms of all operators, over few variables so that all assignments can be tried.

use wedge_logic::float::SCALE_WIDTH;
use wedge_logic::{
    ArrayValue, BitVec, Evaluator, FloatFormat, Operator, Rounding, Sort, Term, TermStore, Value,
};
use wedge_sat::random::Random;

pub struct Generator {
    pub store: TermStore,
    pub random: Random,
    pub variables: Vec<Term>,
    words: Vec<Term>,
    arrays: Vec<Term>,
    widest: u32,
}

/// Which operators terms are made of.
#[derive(Clone, Copy)]
pub struct Kinds {
    pub arrays: bool,
    pub floats: bool,
}

impl Generator {
    pub fn new(seed: u64, sorts: &[Sort]) -> Generator {
        let mut store = TermStore::new();
        let variables: Vec<Term> =
            sorts.iter().enumerate().map(|(i, &sort)| store.var(format!("v{i}"), sort)).collect();
        let (arrays, words): (Vec<Term>, Vec<Term>) =
            variables.iter().partition(|&&v| store.sort(v).is_array());
        let widest = words.iter().map(|&w| store.width(w)).max().unwrap_or(1);
        let random = Random(seed.wrapping_mul(0x9e3779b97f4a7c15) | 1);
        let mut generator = Generator { store, random, variables, words, arrays, widest };
        (0..10).for_each(|_| {
            generator.random.word();
        });
        generator
    }

    /// From now on terms are made of these variables.
    pub fn focus(&mut self, variables: &[Term]) {
        let is_array = |&&v: &&Term| self.store.sort(v).is_array();
        (self.arrays, self.words) = variables.iter().partition(is_array);
    }

    pub fn pick(&mut self, n: usize) -> usize {
        (self.random.word() >> 20) as usize % n
    }

    fn word(&mut self) -> Term {
        let recent = self.words.len().min(6);
        let at = match self.pick(3) {
            0 => self.pick(self.words.len()),
            _ => self.words.len() - 1 - self.pick(recent),
        };
        self.words[at]
    }

    /// A word cut or extended to the width.
    pub fn word_of(&mut self, width: u32) -> Term {
        let word = self.word();
        let given = self.store.width(word);
        if given >= width {
            let low = self.pick((given - width + 1) as usize) as u32;
            return self.store.slice(word, low + width - 1, low);
        }
        match self.pick(2) {
            0 => self.store.zext(word, width - given),
            _ => self.store.sext(word, width - given),
        }
    }

    fn array(&mut self) -> Term {
        let at = self.pick(self.arrays.len());
        self.arrays[at]
    }

    /// An array of the same sort.
    fn array_like(&mut self, array: Term) -> Term {
        let other = self.array();
        if self.store.sort(other) == self.store.sort(array) { other } else { array }
    }

    /// One more term; words beyond a few bits are cut.
    pub fn step(&mut self, kinds: Kinds) {
        let choice = self.pick(if kinds.floats { 20 } else { 17 });
        match choice {
            0 => {
                let width = 1 + self.pick(self.widest as usize) as u32;
                let value = BitVec::new(width, self.random.word());
                let term = self.store.constant(value);
                self.words.push(term);
            }
            1 => {
                let condition = self.word_of(1);
                let then = self.word();
                let other = self.word_of(self.store.width(then));
                let term = self.store.ite(condition, then, other);
                self.words.push(term);
            }
            2..=6 if kinds.arrays && !self.arrays.is_empty() => self.array_step(choice),
            17.. => self.float_step(),
            _ => self.operator(),
        }
    }

    fn operator(&mut self) {
        use Operator::*;
        const UNARY: [Operator; 8] = [Not, Neg, Inc, Dec, Redand, Redor, Redxor, Nego];
        const BINARY: [Operator; 42] = [
            And, Or, Xor, Nand, Nor, Xnor, Eq, Neq, Ugt, Uge, Ult, Ule, Sgt, Sge, Slt, Sle, Sll,
            Srl, Sra, Rol, Ror, Add, Sub, Mul, Udiv, Urem, Sdiv, Srem, Smod, Uaddo, Saddo, Usubo,
            Ssubo, Umulo, Smulo, Sdivo, Eq, Eq, Ule, Concat, Implies, Iff,
        ];
        let at = self.pick(UNARY.len() + BINARY.len());
        let a = self.word();
        let term = match UNARY.get(at) {
            Some(&operator) => self.store.apply(operator, &[a]),
            None => {
                let operator = BINARY[at - UNARY.len()];
                let is_logical = matches!(operator, Implies | Iff);
                let a = if is_logical { self.word_of(1) } else { a };
                let b = self.word_of(self.store.width(a));
                self.store.apply(operator, &[a, b])
            }
        };
        let term = term.expect("well-sorted");
        let width = self.store.width(term);
        let term = match width > self.widest {
            true => self.store.slice(term, self.widest - 1, 0),
            false => term,
        };
        self.words.push(term);
    }

    fn array_step(&mut self, choice: usize) {
        let array = self.array();
        let Sort::Array { index, element } = self.store.sort(array) else { unreachable!() };
        let at = self.word_of(index);
        match choice {
            2 | 3 => {
                let read = self.store.read(array, at);
                self.words.push(read);
            }
            4 => {
                let value = self.word_of(element);
                let written = self.store.write(array, at, value);
                self.arrays.push(written);
            }
            5 => {
                let (other, condition) = (self.array_like(array), self.word_of(1));
                let constant = self.word_of(element);
                let constant = self.store.const_array(index, constant);
                let other = if self.pick(3) == 0 { constant } else { other };
                let chosen = self.store.ite(condition, array, other);
                self.arrays.push(chosen);
            }
            _ => {
                let other = self.array_like(array);
                let equal = self.store.eq(array, other);
                self.words.push(equal);
            }
        }
    }

    /// Floats of 8 bits, and some of 16.
    fn float_step(&mut self) {
        let format = if self.pick(8) == 0 { FloatFormat::Half } else { FloatFormat::Mini };
        let other = if self.pick(2) == 0 { FloatFormat::Half } else { FloatFormat::Mini };
        let [a, b, c] = [0, 1, 2].map(|_| self.word_of(format.width()));
        let [integer, amount] = [self.word(), self.word_of(SCALE_WIDTH)];
        let modes = [Rounding::NearestEven, Rounding::TowardZero, Rounding::Down, Rounding::Up];
        let mode = modes[self.pick(4)];
        let mode = self.store.rounding(mode);
        let choice = self.pick(26);
        let width = 1 + self.pick(16) as u32;
        let signed = width.is_multiple_of(2);
        let s = &mut self.store;
        let term = match choice {
            0 | 1 => s.float_add(format, mode, a, b),
            2 => s.float_sub(format, mode, a, b),
            3 => s.float_mul(format, mode, a, b),
            4 => s.float_div(format, mode, a, b),
            5 => s.float_lt(format, a, b),
            6 => s.float_sqrt(format, mode, a),
            7 => s.float_round(format, mode, a),
            8 => s.float_le(format, a, b),
            9 => s.float_eq(format, a, b),
            10 => s.float_neg(format, a),
            11 => s.float_abs(format, a),
            12 => s.float_copy_sign(format, a, b),
            13 => s.float_min(format, a, b),
            14 => s.float_max(format, a, b),
            15 => s.float_positive_difference(format, mode, a, b),
            16 => s.float_is_nan(format, a),
            17 => s.float_is_infinite(format, a),
            18 => s.float_is_normal(format, a),
            19 => s.float_is_subnormal(format, a),
            20 => s.float_convert(format, other, mode, a),
            21 => s.float_from_int(format, mode, integer, signed),
            22 => s.float_to_int(format, mode, a, width, signed),
            23 if format == FloatFormat::Mini => s.float_mul_add(format, mode, a, b, c),
            24 if format == FloatFormat::Mini => s.float_modulo(format, a, b),
            25 if format == FloatFormat::Mini => s.float_remainder(format, a, b),
            _ => s.float_scale(format, mode, a, amount),
        };
        self.words.push(term);
    }

    /// A condition over recent terms.
    pub fn condition(&mut self) -> Term {
        let condition = self.word_of(1);
        match self.pick(2) {
            0 => condition,
            _ => self.store.not(condition),
        }
    }

    /// The number of assignments of the variables.
    pub fn assignments(&self) -> u64 {
        1 << self.variables.iter().map(|&v| self.store.sort(v).bits()).sum::<u64>()
    }

    /// The values of the variables in an assignment.
    pub fn assignment(&self, mut number: u64) -> Vec<Value> {
        let mut take = |width: u32| {
            let value = BitVec::new(width, number);
            number >>= width;
            value
        };
        let value = |&variable: &Term| match self.store.sort(variable) {
            Sort::Bv(width) => Value::Bv(take(width)),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::constant(index, BitVec::zero(element));
                for at in 0..1u64 << index {
                    array = array.write(&BitVec::new(index, at), &take(element));
                }
                Value::Array(array)
            }
        };
        self.variables.iter().map(value).collect()
    }

    /// By assignment, whether the condition holds.
    pub fn truth(&self, condition: Term) -> Vec<bool> {
        let holds = |number: u64| {
            let mut evaluator = Evaluator::new(&self.store);
            for (&variable, value) in self.variables.iter().zip(self.assignment(number)) {
                evaluator.assign(variable, value);
            }
            evaluator.holds(condition).expect("all variables have values")
        };
        (0..self.assignments()).map(holds).collect()
    }
}

/// Whether the conditions have a common assignment.
pub fn meet(truths: &[&Vec<bool>], assignments: u64) -> bool {
    (0..assignments as usize).any(|number| truths.iter().all(|truth| truth[number]))
}
