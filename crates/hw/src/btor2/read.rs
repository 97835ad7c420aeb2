//! The reader: lines become terms of a [`System`] as they come.
//!
//! Ids must be defined before they are used and only once; sorts are checked on every line. The
//! size of what is built is bounded by that of the file: widths have a limit, and so have the
//! numbers of terms and of bits in constants.

use super::error::{Btor2Error, Fault};
use super::names::operator;
use super::scan::{Words, quote};
use rustc_hash::FxHashMap;
use std::path::Path;
use wedge_logic::term::MAX_WIDTH;
use wedge_logic::{BitVec, Operator, Sort, SortError, Term};
use wedge_model::{Justice, Named, System, SystemError};

/// Bits of all distinct constants: what folding wide constants may cost in memory.
const MAX_CONSTANT_BITS: u64 = 1 << 28;

/// Terms in total. A line makes a handful.
const MAX_TERMS: usize = 1 << 24;

/// Reads a file.
pub fn read(path: &Path) -> Result<System, Btor2Error> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| Btor2Error::unreadable(&name, &error))?;
    parse(&name, &bytes)
}

/// Reads the contents of a file; `path` is only used in messages.
pub fn parse(path: &str, bytes: &[u8]) -> Result<System, Btor2Error> {
    let mut reader = Reader::default();
    for (index, line) in bytes.split(|&b| b == b'\n').enumerate() {
        reader.line = index + 1;
        reader.read_line(line).map_err(|fault| fault.at(path, Some(reader.line)))?;
    }
    reader.check().map_err(|(line, fault)| fault.at(path, line))?;
    Ok(reader.system)
}

/// What an id stands for.
#[derive(Clone, Copy)]
enum Entry {
    Sort(Sort),
    Term(Term),
    /// A line that defines nothing, such as `next`.
    Nothing,
}

#[derive(Default)]
struct Reader {
    system: System,
    entries: FxHashMap<u64, Entry>,
    /// The positions of the states in the system.
    states: FxHashMap<Term, usize>,
    /// The lines of the inits, by state.
    init_lines: FxHashMap<usize, usize>,
    line: usize,
}

impl Reader {
    fn read_line(&mut self, line: &[u8]) -> Result<(), Fault> {
        let mut words = Words::new(line);
        let mut start = Words::new(line);
        if start.next().is_none() {
            return Ok(());
        }
        let id = words.number("line id")?;
        if id == 0 {
            return Err(Fault::malformed("the id 0 is not allowed"));
        }
        if self.entries.contains_key(&id) {
            return Err(Fault::malformed(format!("the id {id} is already defined")));
        }
        let tag = words.word("operator")?;
        let entry = self.definition(id, tag, &mut words)?;
        self.entries.insert(id, entry);
        self.check_budget()
    }

    /// Everything behind the id.
    fn definition(&mut self, id: u64, tag: &[u8], words: &mut Words) -> Result<Entry, Fault> {
        match tag {
            b"sort" => self.sort_line(words).map(Entry::Sort),
            b"input" | b"state" => self.variable(id, tag == b"state", words).map(Entry::Term),
            b"one" | b"ones" | b"zero" | b"const" | b"constd" | b"consth" => {
                self.constant(tag, words).map(Entry::Term)
            }
            b"init" | b"next" => self.assignment(tag == b"init", words).map(|_| Entry::Nothing),
            b"bad" | b"constraint" | b"output" | b"fair" => {
                self.property(tag, words).map(|_| Entry::Nothing)
            }
            b"justice" => self.justice(words).map(|_| Entry::Nothing),
            _ => self.operation(tag, words).map(Entry::Term),
        }
    }

    fn sort_line(&mut self, words: &mut Words) -> Result<Sort, Fault> {
        let kind = words.word("sort")?;
        let sort = match kind {
            b"bitvec" => Sort::Bv(bit_width(words.number("width")?)?),
            b"array" => {
                let index = self.bitvec(words, "an array index")?;
                let element = self.bitvec(words, "an array element")?;
                Sort::Array { index, element }
            }
            _ => return Err(Fault::malformed(format!("{} is no sort", quote(kind)))),
        };
        words.symbol()?;
        Ok(sort)
    }

    /// The id of a sort.
    fn sort(&self, words: &mut Words) -> Result<Sort, Fault> {
        let id = words.number("sort id")?;
        match self.entries.get(&id) {
            Some(Entry::Sort(sort)) => Ok(*sort),
            Some(_) => Err(Fault::malformed(format!("the id {id} is no sort"))),
            None => Err(Fault::malformed(format!("the sort {id} is undefined"))),
        }
    }

    /// The id of a bit-vector sort.
    fn bitvec(&self, words: &mut Words, what: &str) -> Result<u32, Fault> {
        match self.sort(words)? {
            Sort::Bv(width) => Ok(width),
            Sort::Array { .. } => {
                Err(Fault::unsupported(format!("{what} must be a bit-vector, not an array")))
            }
        }
    }

    /// The id of a term, whose bits are negated if there is a minus sign.
    fn term(&mut self, words: &mut Words) -> Result<Term, Fault> {
        let (id, negated) = words.signed("operand id")?;
        let term = match self.entries.get(&id) {
            Some(Entry::Term(term)) => *term,
            Some(_) => return Err(Fault::malformed(format!("the id {id} is no value"))),
            None => return Err(Fault::malformed(format!("the operand {id} is undefined"))),
        };
        match negated {
            true => self.system.terms.apply(Operator::Not, &[term]).map_err(sort_fault),
            false => Ok(term),
        }
    }

    fn variable(&mut self, id: u64, state: bool, words: &mut Words) -> Result<Term, Fault> {
        let sort = self.sort(words)?;
        let kind = if state { "state" } else { "input" };
        let name = words.symbol()?.map_or_else(|| format!("{kind}{id}"), |s| s.into_owned());
        if !state {
            return Ok(self.system.add_input(name, sort));
        }
        let term = self.system.add_state(name, sort);
        self.states.insert(term, self.system.states.len() - 1);
        Ok(term)
    }

    fn constant(&mut self, tag: &[u8], words: &mut Words) -> Result<Term, Fault> {
        let width = self.bitvec(words, "a constant")?;
        let value = match tag {
            b"one" => BitVec::one(width),
            b"ones" => BitVec::ones(width),
            b"zero" => BitVec::zero(width),
            b"const" => number(width, words, 2)?,
            b"constd" => number(width, words, 10)?,
            _ => number(width, words, 16)?,
        };
        words.symbol()?;
        Ok(self.system.terms.constant(value))
    }

    fn operation(&mut self, tag: &[u8], words: &mut Words) -> Result<Term, Fault> {
        let name = std::str::from_utf8(tag).unwrap_or_default();
        let known = operator(name);
        if known.is_none() && !matches!(name, "slice" | "uext" | "sext") {
            return Err(Fault::malformed(format!("{} is no operator of BTOR2", quote(tag))));
        }
        let sort = self.sort(words)?;
        let mut args = vec![self.term(words)?];
        let operator = match (known, name) {
            (Some(operator), _) => operator,
            (None, "slice") => {
                Operator::Slice { high: words.small("upper bit")?, low: words.small("lower bit")? }
            }
            (None, "uext") => Operator::Zext(words.small("number of bits")?),
            (None, _) => Operator::Sext(words.small("number of bits")?),
        };
        while args.len() < operator.arity() {
            args.push(self.term(words)?);
        }
        words.symbol()?;
        let term = self.system.terms.apply(operator, &args).map_err(sort_fault)?;
        self.system.terms.expect_sort(term, sort).map_err(|_| {
            let given = self.system.terms.sort(term);
            Fault::malformed(format!("{name} gives a '{given}', but '{sort}' is declared"))
        })?;
        Ok(term)
    }

    /// `init` and `next`.
    fn assignment(&mut self, init: bool, words: &mut Words) -> Result<(), Fault> {
        let what = if init { "init" } else { "next" };
        let sort = self.sort(words)?;
        let id = words.number("state id")?;
        let state = match self.entries.get(&id) {
            Some(Entry::Term(term)) => self.states.get(term).copied(),
            _ => None,
        };
        let not_state = || Fault::malformed(format!("{what}: the id {id} is no state"));
        let state = state.ok_or_else(not_state)?;
        self.system.terms.expect_sort(self.system.states[state].var, sort).map_err(sort_fault)?;
        let value = self.term(words)?;
        let value = if init { self.filled(sort, value) } else { value };
        words.symbol()?;
        self.system.terms.expect_sort(value, sort).map_err(sort_fault)?;
        let entry = &mut self.system.states[state];
        let place = if init { &mut entry.init } else { &mut entry.next };
        if place.replace(value).is_some() {
            return Err(Fault::malformed(format!("the state {id} has a second {what}")));
        }
        if init {
            self.init_lines.insert(state, self.line);
        }
        Ok(())
    }

    /// A bit-vector as the initial value of an array stands for all its elements.
    fn filled(&mut self, sort: Sort, value: Term) -> Term {
        match sort {
            Sort::Array { index, element }
                if self.system.terms.sort(value) == Sort::Bv(element) =>
            {
                self.system.terms.const_array(index, value)
            }
            _ => value,
        }
    }

    fn property(&mut self, tag: &[u8], words: &mut Words) -> Result<(), Fault> {
        let term = self.term(words)?;
        let name = words.symbol()?.map(|s| s.into_owned());
        if tag != b"output" {
            self.system.terms.expect_sort(term, Sort::BOOL).map_err(sort_fault)?;
        }
        match tag {
            b"bad" => self.system.add_bad(name, term),
            b"constraint" => self.system.constraints.push(term),
            b"fair" => self.system.fairness.push(term),
            _ => self.system.outputs.push(Named { name, term }),
        }
        Ok(())
    }

    /// `justice n t1 ... tn`.
    fn justice(&mut self, words: &mut Words) -> Result<(), Fault> {
        let count = words.number("number of conditions")?;
        let mut terms = Vec::new();
        for _ in 0..count {
            let term = self.term(words)?;
            self.system.terms.expect_sort(term, Sort::BOOL).map_err(sort_fault)?;
            terms.push(term);
        }
        let name = words.symbol()?.map(|s| s.into_owned());
        self.system.justice.push(Justice { name, terms });
        Ok(())
    }

    fn check_budget(&self) -> Result<(), Fault> {
        let terms = &self.system.terms;
        if terms.constant_bits() > MAX_CONSTANT_BITS {
            return Err(Fault::unsupported("the constants have more than 2^28 bits"));
        }
        if terms.len() > MAX_TERMS {
            return Err(Fault::unsupported("the model has more than 2^24 terms"));
        }
        Ok(())
    }

    /// What can only be checked at the end.
    fn check(&self) -> Result<(), (Option<usize>, Fault)> {
        self.system.check().map_err(|error| {
            let state = match &error {
                SystemError::CyclicInit { name } => {
                    self.system.states.iter().position(|s| self.system.name(s.var) == name)
                }
                _ => None,
            };
            let line = state.and_then(|state| self.init_lines.get(&state).copied());
            (line, Fault::malformed(error.to_string()))
        })
    }
}

fn bit_width(width: u64) -> Result<u32, Fault> {
    match u32::try_from(width) {
        Ok(0) => Err(Fault::malformed("a bit-vector has at least one bit")),
        Ok(width) if width <= MAX_WIDTH => Ok(width),
        _ => Err(Fault::unsupported(format!("width {width} is above the limit of {MAX_WIDTH}"))),
    }
}

/// The digits of a constant. Binary ones are given in full.
fn number(width: u32, words: &mut Words, base: u32) -> Result<BitVec, Fault> {
    let text = words.text("number")?;
    if base == 2 && text.len() != width as usize {
        return Err(Fault::malformed(format!("{} digits wanted, {} given", width, text.len())));
    }
    if base != 10 && text.starts_with('-') {
        return Err(Fault::malformed("only decimal constants can be negative"));
    }
    BitVec::parse(width, text, base).map_err(|error| Fault::malformed(error.to_string()))
}

fn sort_fault(error: SortError) -> Fault {
    match error {
        SortError::TooWide(_) => Fault::unsupported(error.to_string()),
        _ => Fault::malformed(error.to_string()),
    }
}
