//! Parts in one recording session, and lemmas about arrays that a part can state by itself.

use super::Reason;
use crate::arrays::{self, Finding, Lemma};
use crate::assignment::Assignment;
use crate::encoding::Encoding;
use crate::solver::Why;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{BlastError, Substitution, Term, TermStore, Value};
use wedge_sat::growing::Growing;
use wedge_sat::session::TRUE;
use wedge_sat::{Answer, Interrupt, Session, Sink};

/// Use with one store only.
pub(super) struct Parts {
    pub session: Session,
    pub encoding: Encoding,
    plain: Vec<Term>,
    /// The variables that each part mentions.
    mentioned: Vec<FxHashSet<Term>>,
    /// The clauses of each part have their own copy of the graph's gates.
    frames: Vec<Growing>,
    /// The first and the last partition in which each variable of the session occurs.
    pub ranges: Vec<(u32, u32)>,
    lemmas: FxHashSet<Lemma>,
}

/// Clauses of one partition.
struct Partition<'p> {
    session: &'p mut Session,
    ranges: &'p mut Vec<(u32, u32)>,
    number: u32,
}

impl Sink for Partition<'_> {
    fn new_var(&mut self) -> i32 {
        self.session.new_var()
    }

    fn add_clause(&mut self, clause: &[i32]) {
        for literal in clause {
            let variable = literal.unsigned_abs() as usize;
            if self.ranges.len() <= variable {
                self.ranges.resize(variable + 1, (u32::MAX, 0));
            }
            let range = &mut self.ranges[variable];
            *range = (range.0.min(self.number), range.1.max(self.number));
        }
        self.session.add_clause_to(self.number, clause);
    }
}

pub(super) enum Solved {
    Feasible(Vec<(Term, Value)>),
    Infeasible,
}

impl Parts {
    pub fn new(
        store: &mut TermStore,
        parts: &[Term],
        interrupt: &Interrupt,
    ) -> Result<Parts, Reason> {
        let mut all = Parts {
            session: Session::recording(interrupt),
            encoding: Encoding::new(),
            plain: Vec::new(),
            mentioned: Vec::new(),
            frames: vec![Growing::new(); parts.len()],
            ranges: Vec::new(),
            lemmas: FxHashSet::default(),
        };
        for &part in parts {
            all.mentioned.push(store.free_vars(&[part]).into_iter().collect());
            let plain = all.encoding.plain(store, part);
            all.plain.push(plain);
        }
        for number in 0..parts.len() {
            let plain = all.plain[number];
            all.add(store, number, plain)?;
        }
        all.add_witnesses(store)?;
        Ok(all)
    }

    /// Adds a plain term to a partition.
    fn add(&mut self, store: &TermStore, number: usize, plain: Term) -> Result<(), Reason> {
        let Encoding { blaster, aig, growing, .. } = &mut self.encoding;
        let root = blaster.literal(store, aig, plain).map_err(too_large)?;
        // The bits of variables are common to all parts.
        for variable in store.free_vars(&[plain]) {
            for &bit in blaster.bits(variable).into_iter().flatten() {
                let literal = growing.encode(aig, &mut self.session, bit);
                self.frames[number].set(bit, literal);
            }
        }
        let (session, ranges) = (&mut self.session, &mut self.ranges);
        let mut partition = Partition { session, ranges, number: number as u32 };
        match self.frames[number].encode(aig, &mut partition, root) {
            TRUE => {}
            // The constant belongs to no part.
            literal if literal == -TRUE => {
                let never = partition.new_var();
                partition.add_clause(&[never]);
                partition.add_clause(&[-never]);
            }
            literal => partition.add_clause(&[literal]),
        }
        Ok(())
    }

    fn add_witnesses(&mut self, store: &mut TermStore) -> Result<(), Reason> {
        for lemma in self.encoding.abstraction.witness_lemmas(store) {
            self.add_lemma(store, lemma)?;
        }
        Ok(())
    }

    /// Adds a lemma to a part that mentions everything it speaks of.
    fn add_lemma(&mut self, store: &mut TermStore, lemma: Term) -> Result<(), Reason> {
        let meant = concrete(store, &self.encoding.abstraction, lemma);
        let speaks_of = store.free_vars(&[meant]);
        // The witness of a difference belongs to whoever mentions the arrays.
        let declared = |v: &&Term| self.mentioned.iter().any(|part| part.contains(v));
        let speaks_of: Vec<Term> = speaks_of.iter().filter(declared).copied().collect();
        let states = |part: &FxHashSet<Term>| speaks_of.iter().all(|v| part.contains(v));
        let number = self.mentioned.iter().position(states).ok_or(Reason::Mixed)?;
        self.add(store, number, lemma)
    }

    /// Solves, adding lemmas until the arrays agree.
    pub fn solve(&mut self, store: &mut TermStore) -> Result<Solved, Reason> {
        loop {
            match self.session.solve(&[]) {
                Answer::Unsat => return Ok(Solved::Infeasible),
                Answer::Stopped => return Err(Reason::Solver(Why::Stopped)),
                Answer::Sat => {}
            }
            let mut model = Assignment::default();
            let mut abstraction = std::mem::take(&mut self.encoding.abstraction);
            let (encoding, session) = (&self.encoding, &mut self.session);
            let finding = arrays::check(store, &mut abstraction, &self.plain, |store, term| {
                let value = model.value(store, term, |leaf| encoding.leaf_in(store, session, leaf));
                value.bv().clone()
            });
            self.encoding.abstraction = abstraction;
            match finding {
                Finding::Consistent(arrays) => {
                    return Ok(Solved::Feasible(self.values(store, model, arrays)));
                }
                Finding::Lemmas(lemmas) => self.learn(store, lemmas)?,
            }
        }
    }

    fn learn(&mut self, store: &mut TermStore, mut lemmas: Vec<Lemma>) -> Result<(), Reason> {
        lemmas.retain(|lemma| self.lemmas.insert(*lemma));
        lemmas.sort_unstable_by_key(Lemma::key);
        for lemma in lemmas {
            let term = lemma.term(store, &mut self.encoding.abstraction);
            self.add_lemma(store, term)?;
        }
        Ok(())
    }

    fn values(
        &mut self,
        store: &TermStore,
        mut model: Assignment,
        arrays: Vec<(Term, Value)>,
    ) -> Vec<(Term, Value)> {
        arrays.into_iter().for_each(|(variable, value)| model.set(variable, value));
        let mut variables: Vec<Term> = self.mentioned.iter().flatten().copied().collect();
        variables.sort_unstable();
        variables.dedup();
        let (encoding, session) = (&self.encoding, &mut self.session);
        let mut value =
            |v| (v, model.value(store, v, |leaf| encoding.leaf_in(store, session, leaf)));
        variables.into_iter().map(&mut value).collect()
    }

    /// For each variable that parts mention, the first and the last of them.
    pub fn mentions(&self) -> FxHashMap<Term, (usize, usize)> {
        let mut mentions: FxHashMap<Term, (usize, usize)> = FxHashMap::default();
        for (number, variables) in self.mentioned.iter().enumerate() {
            for &variable in variables {
                mentions.entry(variable).or_insert((number, number)).1 = number;
            }
        }
        mentions
    }
}

fn too_large(error: BlastError) -> Reason {
    Reason::Solver(Why::TooLarge(error))
}

/// The plain term with the reads and equalities that its variables stand for.
pub(super) fn concrete(
    store: &mut TermStore,
    abstraction: &crate::arrays::Abstraction,
    plain: Term,
) -> Term {
    let mut term = plain;
    // Indices and elements may be abstracted in turn.
    loop {
        let mut pairs = Vec::new();
        for variable in store.free_vars(&[term]) {
            if let Some(read) = abstraction.read_of(variable) {
                pairs.push((variable, store.read(read.array, read.index)));
            } else if let Some((left, right)) = abstraction.equality_of(variable) {
                pairs.push((variable, store.eq(left, right)));
            }
        }
        if pairs.is_empty() {
            return term;
        }
        term = Substitution::new(pairs).apply(store, term);
    }
}
