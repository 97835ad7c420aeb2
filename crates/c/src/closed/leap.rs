//! From one iteration to many.

use super::first;
use super::form::{Form, Symbol, Word, range};
use super::series::{FARTHEST, FARTHEST_LINEAR, Series};
use crate::typed::BinaryOp;
use crate::types::IntFormat;

/// What has to hold in an iteration that goes the same way.
#[derive(Clone, Debug)]
enum Demand {
    /// The form, as a number, is in the interval.
    Within(Form, i128, i128),
    /// Its remainder modulo 2^width is.
    Modulo(Form, u32, i128, i128),
}

/// A variable that the iteration changes.
#[derive(Clone, Debug)]
pub struct Changed {
    pub format: IntFormat,
    /// What it is where the iteration begins, and what it is where it ends.
    pub begin: i128,
    pub end: Form,
}

/// What an iteration relied on so far. Operations give none where there is no closed form.
#[derive(Default)]
pub struct Path {
    demands: Vec<Demand>,
    /// Whether signed results that do not fit end a run.
    pub checks_overflow: bool,
}

impl Path {
    pub fn new(checks_overflow: bool) -> Path {
        Path { demands: Vec::new(), checks_overflow }
    }

    /// The word is its form as a number, not only modulo 2^width.
    fn demand_range(&mut self, word: &Word, format: IntFormat) {
        let (low, high) = range(format);
        self.demand(Demand::Within(word.form.clone(), low, high));
    }

    fn demand(&mut self, demand: Demand) {
        let (Demand::Within(form, ..) | Demand::Modulo(form, ..)) = &demand;
        if !form.is_constant() {
            self.demands.push(demand);
        }
    }

    /// A word of one format as one of another.
    pub fn convert(&mut self, word: Word, from: IntFormat, to: IntFormat) -> Word {
        if to.width > from.width {
            self.demand_range(&word, from);
        }
        word.wrapped(to)
    }

    /// `left + factor * right`, where both and the result have the format.
    pub fn sum(
        &mut self,
        left: &Word,
        factor: i128,
        right: &Word,
        format: IntFormat,
    ) -> Option<Word> {
        let exact = left.plus(factor, right)?;
        if self.checks_overflow && format.signed {
            let (low, high) = range(format);
            if !(low..=high).contains(&exact.number) {
                return None;
            }
            self.demand_range(left, format);
            self.demand_range(right, format);
            self.demand_range(&exact, format);
        }
        Some(exact.wrapped(format))
    }

    /// A product with a constant.
    pub fn product(&mut self, left: &Word, right: &Word, format: IntFormat) -> Option<Word> {
        let (factor, word) = match (left.is_constant(), right.is_constant()) {
            (true, _) => (left.number, right),
            (_, true) => (right.number, left),
            _ => return None,
        };
        self.sum(&Word::constant(0), factor, word, format)
    }

    /// Whether a comparison holds, as it has to in all iterations.
    pub fn compare(
        &mut self,
        op: BinaryOp,
        left: &Word,
        right: &Word,
        format: IntFormat,
    ) -> Option<bool> {
        let order = left.number.cmp(&right.number);
        let is_equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        let truth = match op {
            BinaryOp::Equal => order.is_eq(),
            BinaryOp::NotEqual => order.is_ne(),
            BinaryOp::Less => order.is_lt(),
            BinaryOp::LessEqual => order.is_le(),
            BinaryOp::Greater => order.is_gt(),
            BinaryOp::GreaterEqual => order.is_ge(),
            _ => return None,
        };
        if left.is_constant() && right.is_constant() {
            return Some(truth);
        }
        if is_equality {
            let difference = left.plus(-1, right)?.form;
            let last = (1i128 << format.width) - 1;
            let (low, high) = if order.is_eq() { (0, 0) } else { (1, last) };
            self.demand(Demand::Modulo(difference, format.width, low, high));
            return Some(truth);
        }
        // The words for which the comparison falls as it does: below a number or not.
        let strict = matches!(op, BinaryOp::Less | BinaryOp::GreaterEqual);
        let is_left_small = matches!(op, BinaryOp::Less | BinaryOp::LessEqual) == truth;
        // `left < right` or its opposite `left >= right`; `left <= right` or `left > right`.
        if right.is_constant() {
            let border = right.number - i128::from(strict);
            self.demand_side(left, border, is_left_small, format)?;
        } else if left.is_constant() {
            let border = left.number - i128::from(!strict);
            self.demand_side(right, border, !is_left_small, format)?;
        } else {
            self.demand_range(left, format);
            self.demand_range(right, format);
            let difference = left.plus(-1, right)?.form;
            let border = -i128::from(strict);
            let huge = 1i128 << 120;
            self.demand(match is_left_small {
                true => Demand::Within(difference, -huge, border),
                false => Demand::Within(difference, border + 1, huge),
            });
        }
        Some(truth)
    }

    /// The word is at most a number, or more than it.
    fn demand_side(
        &mut self,
        word: &Word,
        border: i128,
        is_below: bool,
        format: IntFormat,
    ) -> Option<()> {
        let (least, most) = range(format);
        let (low, high) = if is_below { (least, border) } else { (border + 1, most) };
        let form = word.form.plus(-1, &Form::constant(least))?;
        self.demand(Demand::Modulo(form, format.width, low - least, high - least));
        Some(())
    }

    fn forms(&self) -> impl Iterator<Item = &Form> {
        self.demands.iter().map(|demand| {
            let (Demand::Within(form, ..) | Demand::Modulo(form, ..)) = demand;
            form
        })
    }
}

/// How far iterations go the same way.
pub struct Leap {
    changed: Vec<Changed>,
    series: Vec<Option<Series>>,
    /// So many iterations go the same way; none if all of them do.
    pub iterations: Option<u64>,
}

impl Leap {
    /// What follows from an iteration that ended where it began, with these changes by symbol.
    ///
    /// Ensures: if the iteration at hand meets what its path says, then the next `iterations`, this
    /// one included, all go the same way, and after any number of them that is not 0 the variables
    /// are what [`Leap::after`] says.
    pub fn of(path: &Path, changed: Vec<Changed>) -> Option<Leap> {
        let mut leap = Leap { series: vec![None; changed.len()], changed, iterations: None };
        leap.solve(path)?;
        let is_linear = leap.series.iter().flatten().all(Series::is_linear);
        let mut least: Option<i128> = (!is_linear).then_some(FARTHEST);
        for demand in &path.demands {
            let first = leap.first_failure(demand)?;
            least = least.into_iter().chain(first).min();
        }
        leap.iterations = least.map(|n| n.clamp(0, FARTHEST_LINEAR) as u64);
        Some(leap)
    }

    /// What a variable is after so many iterations, at least 1 and at most those of the leap.
    pub fn after(&self, symbol: Symbol, iterations: u64) -> i128 {
        let changed = &self.changed[symbol as usize];
        let n = iterations as i128 - 1;
        let modulus = 1i128 << changed.format.width;
        let mut sum = changed.end.constant.rem_euclid(modulus);
        for &(other, factor) in &changed.end.terms {
            let Some(series) = &self.series[other as usize] else { continue };
            let value = series.at(n).rem_euclid(modulus);
            sum = (sum + multiply(factor.rem_euclid(modulus), value, modulus)) % modulus;
        }
        let (least, _) = range(changed.format);
        (sum - least).rem_euclid(modulus) + least
    }

    /// Finds the series of the variables one after the other.
    fn solve(&mut self, path: &Path) -> Option<()> {
        let mut used = vec![false; self.changed.len()];
        let ends = self.changed.iter().map(|changed| &changed.end);
        for (symbol, _) in path.forms().chain(ends).flat_map(|form| &form.terms) {
            used[*symbol as usize] = true;
        }
        loop {
            let mut is_done = true;
            let mut is_new = false;
            for (symbol, &is_used) in used.iter().enumerate() {
                if self.series[symbol].is_some() || !is_used {
                    continue;
                }
                is_done = false;
                let changed = &self.changed[symbol];
                let own = changed.end.coefficient(symbol as Symbol);
                let rest = changed.end.plus(-own, &Form::symbol(symbol as Symbol))?;
                let Some(rest) = self.series(&rest) else { continue };
                self.series[symbol] = Some(solution(changed, own, &rest)?);
                is_new = true;
            }
            if is_done {
                return Some(());
            }
            if !is_new {
                return None;
            }
        }
    }

    /// A form as a series, if its variables have theirs.
    fn series(&self, form: &Form) -> Option<Series> {
        let mut sum = Series::constant(form.constant);
        for &(symbol, factor) in &form.terms {
            sum = sum.plus(factor, self.series[symbol as usize].as_ref()?)?;
        }
        Some(sum)
    }

    /// The first iteration that does not meet a demand, or an earlier one; none if all do. None at all
    /// if it cannot be told.
    fn first_failure(&self, demand: &Demand) -> Option<Option<i128>> {
        match demand {
            Demand::Within(form, low, high) => {
                let series = self.series(form)?;
                let is_still = series.c[1..] == [0, 0];
                let farthest = (!is_still).then_some(series.farthest());
                Some(first::outside(&series, *low, *high).or(farthest))
            }
            Demand::Modulo(form, width, low, high) => {
                self.outside_modulo(form, *width, *low, *high)
            }
        }
    }

    fn outside_modulo(
        &self,
        form: &Form,
        width: u32,
        low: i128,
        high: i128,
    ) -> Option<Option<i128>> {
        let mut series = self.series(form)?;
        let all = 1i128 << width;
        let [begin, step, second] = series.c;
        if second.rem_euclid(all) == 0 {
            let first = first::outside_modulo((begin, step), width, (low, high));
            return Some(first.map(|n| n.min(FARTHEST_LINEAR as u128) as i128));
        }
        // A lower bound: where it first leaves the interval on the line of all integers.
        series.c[0] = begin.rem_euclid(all);
        Some(Some(first::outside(&series, low, high).unwrap_or(series.farthest())))
    }
}

/// The series of a variable that ends an iteration as `own` times itself plus the rest.
fn solution(changed: &Changed, own: i128, rest: &Series) -> Option<Series> {
    let all = 1i128 << changed.format.width;
    match own.rem_euclid(all) {
        1 => Series::sum(changed.begin, rest),
        // It is what the rest was an iteration before, if it is now.
        0 => {
            let mut series = rest.before()?;
            let is_so = (series.c[0] - changed.begin).rem_euclid(all) == 0;
            series.c[0] = changed.begin;
            is_so.then_some(series)
        }
        _ => None,
    }
}

/// A product of two numbers below a modulus of at most 2^64.
fn multiply(a: i128, b: i128, modulus: i128) -> i128 {
    (a as u128).wrapping_mul(b as u128).rem_euclid(modulus as u128) as i128
}
