//! The writer: a [`System`] as BTOR2 text that the format's reference parser accepts.
//!
//! Two demands of the format may change the order or kind of variables: an initial value must be
//! defined before its state and must not read inputs, and constant arrays exist only as initial
//! values. States are therefore declared after those that their initial values read, an input
//! read by an initial value becomes a state that is free in every step, which means the same, and
//! a constant array becomes a state that keeps its initial value. [`Written`] tells which is which.

use super::names::name;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};
use wedge_logic::view::{view, view_cone};
use wedge_logic::{BitVec, Op, Operator, Sort, Term, Value};
use wedge_model::{System, SystemError};

/// What a state of the file stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The state at this position in the system.
    State(usize),
    /// The input at this position in the system.
    Input(usize),
    /// A constant array.
    Constant,
}

/// The text and the order of its variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    pub text: String,
    pub states: Vec<Origin>,
    /// Positions in the system.
    pub inputs: Vec<usize>,
}

/// Why a system cannot be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WriteError {
    System(SystemError),
    /// An array of equal, but not constant elements, and too many to be written one by one.
    ArrayOfTerms {
        sort: Sort,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            WriteError::System(error) => write!(f, "{error}"),
            WriteError::ArrayOfTerms { sort } => {
                write!(f, "BTOR2 cannot express an '{sort}' filled with a term")
            }
        }
    }
}

impl std::error::Error for WriteError {}

/// The largest index width at which an array of equal terms is written element by element.
const MAX_FILLED_INDEX: u32 = 10;

/// Writes a system that passes its check, its operators on floats as bit-vectors.
pub fn write(system: &System) -> Result<Written, WriteError> {
    system.check().map_err(WriteError::System)?;
    let system = &*system.without_floats();
    let mut writer = Writer::new(system);
    writer.declare_inputs();
    for index in system.init_order().map_err(WriteError::System)? {
        writer.declare_state(index)?;
    }
    writer.define()?;
    Ok(writer.written)
}

struct Writer<'a> {
    system: &'a System,
    written: Written,
    next_id: u64,
    sorts: FxHashMap<Sort, u64>,
    ids: FxHashMap<Term, u64>,
}

impl<'a> Writer<'a> {
    fn new(system: &'a System) -> Writer<'a> {
        let written = Written { text: String::new(), states: Vec::new(), inputs: Vec::new() };
        let (sorts, ids) = (FxHashMap::default(), FxHashMap::default());
        Writer { system, written, next_id: 1, sorts, ids }
    }

    /// Writes a line with a new id.
    fn line(&mut self, rest: fmt::Arguments) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        let _ = writeln!(self.written.text, "{id} {rest}");
        id
    }

    fn sort(&mut self, sort: Sort) -> u64 {
        if let Some(&id) = self.sorts.get(&sort) {
            return id;
        }
        let id = match sort {
            Sort::Bv(width) => self.line(format_args!("sort bitvec {width}")),
            Sort::Array { index, element } => {
                let (index, element) = (self.sort(Sort::Bv(index)), self.sort(Sort::Bv(element)));
                self.line(format_args!("sort array {index} {element}"))
            }
        };
        self.sorts.insert(sort, id);
        id
    }

    fn declare_inputs(&mut self) {
        let system = self.system;
        let inits: Vec<Term> = system.states.iter().filter_map(|s| s.init).collect();
        let read: FxHashSet<Term> = system.terms.free_vars(&inits).into_iter().collect();
        for (index, &var) in system.inputs.iter().enumerate() {
            let (sort, name) = (self.sort(system.terms.sort(var)), symbol(system.name(var)));
            let id = if read.contains(&var) {
                self.written.states.push(Origin::Input(index));
                self.line(format_args!("state {sort} {name}"))
            } else {
                self.written.inputs.push(index);
                self.line(format_args!("input {sort} {name}"))
            };
            self.ids.insert(var, id);
        }
    }

    fn declare_state(&mut self, index: usize) -> Result<(), WriteError> {
        let state = self.system.states[index];
        let init = match state.init {
            Some(init) => Some(self.initial_value(init)?),
            None => None,
        };
        let sort = self.sort(self.system.terms.sort(state.var));
        let name = symbol(self.system.name(state.var));
        let id = self.line(format_args!("state {sort} {name}"));
        self.ids.insert(state.var, id);
        self.written.states.push(Origin::State(index));
        if let Some(init) = init {
            self.line(format_args!("init {sort} {id} {init}"));
        }
        Ok(())
    }

    /// An array filled with a constant is given by its element.
    fn initial_value(&mut self, init: Term) -> Result<u64, WriteError> {
        let terms = &self.system.terms;
        match terms.op(init) {
            Op::ConstArray(_) if terms.is_const(terms.args(init)[0]) => {
                self.term(terms.args(init)[0])
            }
            _ => self.term(init),
        }
    }

    fn define(&mut self) -> Result<(), WriteError> {
        let system = self.system;
        for state in &system.states {
            if let Some(next) = state.next {
                let value = self.term(next)?;
                let (sort, id) = (self.sort(system.terms.sort(state.var)), self.ids[&state.var]);
                self.line(format_args!("next {sort} {id} {value}"));
            }
        }
        for &constraint in &system.constraints {
            let id = self.term(constraint)?;
            self.line(format_args!("constraint {id}"));
        }
        for &fair in &system.fairness {
            let id = self.term(fair)?;
            self.line(format_args!("fair {id}"));
        }
        for justice in &system.justice {
            let mut words = format!("justice {}", justice.terms.len());
            for &term in &justice.terms {
                words += &format!(" {}", self.term(term)?);
            }
            match &justice.name {
                Some(name) => self.line(format_args!("{words} {}", symbol(name))),
                None => self.line(format_args!("{words}")),
            };
        }
        let outputs = system.outputs.iter().map(|o| ("output", o));
        for (kind, named) in system.bads.iter().map(|b| ("bad", b)).chain(outputs) {
            let id = self.term(named.term)?;
            match &named.name {
                Some(name) => self.line(format_args!("{kind} {id} {}", symbol(name))),
                None => self.line(format_args!("{kind} {id}")),
            };
        }
        Ok(())
    }

    /// The id of a term, after writing what is not written yet.
    fn term(&mut self, term: Term) -> Result<u64, WriteError> {
        for term in view_cone(&self.system.terms, &[term], |t| self.ids.contains_key(&t)) {
            let id = self.node(term)?;
            self.ids.insert(term, id);
        }
        Ok(self.ids[&term])
    }

    /// Writes a term whose operands are written.
    fn node(&mut self, term: Term) -> Result<u64, WriteError> {
        let terms = &self.system.terms;
        let sort = self.sort(terms.sort(term));
        if let Some(value) = terms.value(term) {
            return Ok(self.constant(sort, value));
        }
        let Some(view) = view(terms, term) else {
            unreachable!("the check of the system finds undeclared variables")
        };
        let args: Vec<String> = view.operands().iter().map(|t| self.ids[t].to_string()).collect();
        let args = args.join(" ");
        Ok(match view.operator {
            Operator::Slice { high, low } => {
                self.line(format_args!("slice {sort} {args} {high} {low}"))
            }
            Operator::Zext(by) => self.line(format_args!("uext {sort} {args} {by}")),
            Operator::Sext(by) => self.line(format_args!("sext {sort} {args} {by}")),
            Operator::ConstArray { .. } => return self.const_array(term),
            operator => {
                let name = name(operator).expect("views use operators that BTOR2 has");
                self.line(format_args!("{name} {sort} {args}"))
            }
        })
    }

    fn constant(&mut self, sort: u64, value: &BitVec) -> u64 {
        match value {
            _ if value.is_zero() => self.line(format_args!("zero {sort}")),
            _ if value.is_one() => self.line(format_args!("one {sort}")),
            _ if value.is_ones() => self.line(format_args!("ones {sort}")),
            _ => self.line(format_args!("constd {sort} {value}")),
        }
    }

    /// A state that keeps its initial value, or writes to every element.
    fn const_array(&mut self, term: Term) -> Result<u64, WriteError> {
        let terms = &self.system.terms;
        let (element, array_sort) = (terms.args(term)[0], terms.sort(term));
        let Sort::Array { index, element: width } = array_sort else {
            unreachable!("a constant array is an array")
        };
        let sort = self.sort(array_sort);
        let constant = terms.is_const(element);
        if !constant && index > MAX_FILLED_INDEX {
            return Err(WriteError::ArrayOfTerms { sort: array_sort });
        }
        let value = match constant {
            true => self.ids[&element],
            false => {
                let element_sort = self.sort(Sort::Bv(width));
                self.line(format_args!("zero {element_sort}"))
            }
        };
        let state = self.line(format_args!("state {sort}"));
        self.line(format_args!("init {sort} {state} {value}"));
        self.line(format_args!("next {sort} {state} {state}"));
        self.written.states.push(Origin::Constant);
        if constant {
            return Ok(state);
        }
        let (element, index_sort) = (self.ids[&element], self.sort(Sort::Bv(index)));
        let mut array = state;
        for i in 0..1u64 << index {
            let at = self.constant(index_sort, &BitVec::new(index, i));
            array = self.line(format_args!("write {sort} {array} {at} {element}"));
        }
        Ok(array)
    }
}

impl Written {
    /// The values of the file's states and inputs that correspond to those of a system's step.
    pub fn arrange(&self, states: &[Value], inputs: &[Value]) -> (Vec<Option<Value>>, Vec<Value>) {
        let state = |origin: &Origin| match *origin {
            Origin::State(at) => Some(states[at].clone()),
            Origin::Input(at) => Some(inputs[at].clone()),
            Origin::Constant => None,
        };
        let inputs = self.inputs.iter().map(|&at| inputs[at].clone()).collect();
        (self.states.iter().map(state).collect(), inputs)
    }
}

/// A name without the characters that would end it.
fn symbol(name: &str) -> String {
    let name = name.replace(|c: char| c.is_whitespace() || c.is_control(), "_");
    if name.is_empty() || name.starts_with(';') { format!("_{name}") } else { name }
}
