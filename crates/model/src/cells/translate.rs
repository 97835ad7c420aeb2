//! Terms over arrays as terms over cells.

use super::CellError;
use super::prophecy::Plan;
use crate::system::{State, System};
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Op, Sort, Term, TermStore};

/// Reads of one array that are told to agree when their indices do; more are left independent.
const MAX_AGREEING: usize = 24;

pub struct Translation {
    pub terms: TermStore,
    /// The inputs that the translation has made.
    pub inputs: Vec<Term>,
    prophecies: Vec<Term>,
    width: u32,
    array_inputs: FxHashSet<Term>,
    /// For each array variable its cells, one for each prophecy.
    cells: FxHashMap<Term, Vec<Term>>,
    /// What each array variable was found to hold at which index, where that is no prophecy.
    found: FxHashMap<Term, Vec<(Term, Term)>>,
    image: FxHashMap<Term, Term>,
    limit: usize,
}

impl Translation {
    pub fn new(terms: TermStore, system: &System, plan: &Plan, limit: usize) -> Translation {
        let is_array = |&v: &Term| system.terms.sort(v).is_array();
        let mut translation = Translation {
            terms,
            inputs: Vec::new(),
            prophecies: plan.all().collect(),
            width: plan.width,
            array_inputs: system.inputs.iter().copied().filter(is_array).collect(),
            cells: FxHashMap::default(),
            found: FxHashMap::default(),
            image: FxHashMap::default(),
            limit,
        };
        let states = system.states.iter().map(|s| s.var);
        for array in states.chain(system.inputs.iter().copied()).filter(|v| is_array(v)) {
            translation.make_cells(array);
        }
        translation
    }

    fn make_cells(&mut self, array: Term) {
        let Sort::Array { element, .. } = self.terms.sort(array) else { return };
        let name = self.terms.name(array).unwrap_or("array").to_string();
        let mut cells = Vec::new();
        for place in 0..self.prophecies.len() {
            let at = match self.terms.value(self.prophecies[place]) {
                Some(value) => value.to_u64().map_or("constant".to_string(), |v| v.to_string()),
                None => format!("index {}", place + 1),
            };
            cells.push(self.terms.var(format!("{name}[{at}]"), Sort::Bv(element)));
        }
        if self.array_inputs.contains(&array) {
            self.inputs.extend(&cells);
        }
        self.cells.insert(array, cells);
    }

    /// The cell of an array variable at the prophecy of this number.
    pub fn cell(&self, array: Term, prophecy: usize) -> Option<Term> {
        self.cells.get(&array).map(|cells| cells[prophecy])
    }

    pub fn translate(&mut self, roots: &[Term]) -> Result<(), CellError> {
        for term in self.terms.cone(roots) {
            if self.terms.sort(term).is_array() {
                continue;
            }
            let args = self.terms.args(term).to_vec();
            let new = match self.terms.op(term) {
                Op::Read => {
                    let index = self.image[&args[1]];
                    self.element(args[0], index, None)
                }
                Op::Eq if self.terms.sort(args[0]).is_array() => return Err(CellError::Compared),
                _ if args.is_empty() => term,
                op => {
                    let args: Vec<Term> = args.iter().map(|arg| self.image[arg]).collect();
                    self.terms.rebuild(op, &args)
                }
            };
            self.image.insert(term, new);
            if self.terms.len() > self.limit {
                return Err(CellError::TooManyTerms(self.limit));
            }
        }
        Ok(())
    }

    /// The image of a scalar term that was translated.
    pub fn image(&self, term: Term) -> Term {
        self.image[&term]
    }

    /// The image of an index in the width of the prophecies.
    pub fn index(&mut self, index: Term) -> Term {
        let image = self.image[&index];
        self.widened(image)
    }

    fn widened(&mut self, index: Term) -> Term {
        let by = self.width - self.terms.width(index);
        self.terms.zext(index, by)
    }

    /// The states that stand for the arrays among the states, with what becomes of them.
    pub fn cell_states(&mut self, system: &System) -> Vec<State> {
        let mut states = Vec::new();
        for state in system.states.iter().filter(|s| system.terms.sort(s.var).is_array()) {
            for place in 0..self.prophecies.len() {
                let var = self.cells[&state.var][place];
                let init = state.init.map(|term| self.element_at(term, place));
                let next = state.next.map(|term| self.element_at(term, place));
                states.push(State { var, init, next });
            }
        }
        states
    }

    /// The element of an array term at a prophecy.
    fn element_at(&mut self, array: Term, place: usize) -> Term {
        self.element(array, self.prophecies[place], Some(place))
    }

    /// The element of an array term at an index: from the bottom of the term up, the newest write
    /// that hits decides. The index may be wider than the array's if it is a prophecy.
    fn element(&mut self, array: Term, index: Term, prophecy: Option<usize>) -> Term {
        let mut element: FxHashMap<Term, Term> = FxHashMap::default();
        let arrays = self.terms.cone_without(&[array], |t| !self.terms.sort(t).is_array());
        for term in arrays {
            let args = self.terms.args(term).to_vec();
            let value = match self.terms.op(term) {
                Op::ConstArray(_) => self.image[&args[0]],
                Op::Write => {
                    let mut at = self.image[&args[1]];
                    if prophecy.is_some() {
                        at = self.widened(at);
                    }
                    let here = self.terms.eq(at, index);
                    self.terms.ite(here, self.image[&args[2]], element[&args[0]])
                }
                Op::Ite => {
                    let condition = self.image[&args[0]];
                    self.terms.ite(condition, element[&args[1]], element[&args[2]])
                }
                _ => match prophecy {
                    Some(place) => self.cells[&term][place],
                    None => self.found_at(term, index),
                },
            };
            element.insert(term, value);
        }
        element[&array]
    }

    /// What an array variable holds at an index.
    fn found_at(&mut self, array: Term, index: Term) -> Term {
        let wide = self.widened(index);
        let mut hits = Vec::new();
        for place in 0..self.prophecies.len() {
            let cell = self.cells[&array][place];
            let hit = self.terms.eq(wide, self.prophecies[place]);
            if self.terms.value(hit).is_some_and(|value| value.is_one()) {
                return cell;
            }
            hits.push((hit, cell));
        }
        let mut value = self.elsewhere(array, index);
        for (hit, cell) in hits.into_iter().rev() {
            value = self.terms.ite(hit, cell, value);
        }
        value
    }

    /// What an array variable holds at an index that is no prophecy: an input, the same for equal
    /// indices.
    fn elsewhere(&mut self, array: Term, index: Term) -> Term {
        let known = self.found.get(&array).cloned().unwrap_or_default();
        if let Some(&(_, value)) = known.iter().find(|(other, _)| *other == index) {
            return value;
        }
        let Sort::Array { element, .. } = self.terms.sort(array) else { return index };
        let name = format!("{}[elsewhere]", self.terms.name(array).unwrap_or("array"));
        let input = self.terms.fresh_var(&name, Sort::Bv(element));
        self.inputs.push(input);
        let mut value = input;
        if known.len() < MAX_AGREEING {
            for (other, held) in known {
                let same = self.terms.eq(index, other);
                value = self.terms.ite(same, held, value);
            }
            self.found.entry(array).or_default().push((index, value));
        }
        value
    }
}
