//! Proofs as witnesses: what is said about loops and functions, at the places of the text.
//!
//! Nothing is written that is no C at its place. To find that out the program is read once more
//! with everything as annotations, and what does not compile, or fits nowhere, is left out.

use super::alarms::Published;
use super::proofs::Said;
use crate::input::Piece;
use crate::options::WitnessFormat;
use std::path::Path;
use wedge_c::annotation::{Action, Annotation, Annotations, RESULT, Spot};
use wedge_c::load_annotated;
use wedge_c::typed::Program;
use wedge_evidence::c::contracts::Contract;
use wedge_evidence::c::invariants::LoopInvariant;
use wedge_evidence::c::witness::{Place, Promise, Stated, invariant_place, place};
use wedge_evidence::c::{graphml, yaml};
use wedge_sat::Interrupt;

impl Published {
    /// What is said about a program as a witness; what says nothing is left out.
    pub fn correctness(
        &self,
        program: &Program,
        said: impl FnOnce() -> Said,
        format: WitnessFormat,
        interrupt: &Interrupt,
    ) -> Piece<Vec<u8>> {
        // The heads of recursive functions are loops of the automaton; contracts speak of them.
        let is_new = matches!(format, WitnessFormat::Yaml(version) if version.has_contracts());
        let said = self.said(program, is_new, interrupt, said);
        let has_contracts = is_new && !said.contracts.is_empty();
        let counts = |found: &&LoopInvariant| found.is_loop || !has_contracts;
        let all = said.invariants.iter().filter(counts).count();
        let found = said.invariants.into_iter().filter(|found| found.value != "1");
        let found: Vec<LoopInvariant> = found.collect();
        let count = found.iter().filter(counts).count();
        let remark = match (said.is_proof, all) {
            (true, _) => None,
            (false, 0) if has_contracts => Some(
                "the contracts of the witness hold, but the property was proved without them"
                    .to_string(),
            ),
            (false, 0) => Some(
                "the invariants of the witness are no proof, the search for them was not finished"
                    .to_string(),
            ),
            (false, _) => Some(format!(
                "the invariants of the witness, at {count} of {all} loops, are no proof"
            )),
        };
        let placed = |found: LoopInvariant| {
            let place = invariant_place(program, &self.sources, &found);
            Stated { place, is_loop: found.is_loop, value: found.value }
        };
        let mut invariants: Vec<Stated> = found.into_iter().map(placed).collect();
        let mut promises = Vec::new();
        match is_new {
            true => promises = self.promises(program, said.contracts),
            false => invariants.extend(self.inside(program, said.contracts)),
        }
        self.compiling(&mut invariants, &mut promises);
        let metadata = self.metadata(program, None);
        let text = match format {
            WitnessFormat::Yaml(version) => {
                yaml::correctness(&metadata, &invariants, &promises, version)
            }
            WitnessFormat::GraphMl => graphml::correctness(&metadata, &invariants),
        };
        Piece { content: Some(text.into_bytes()), remark }
    }

    /// Contracts at the places of their functions.
    fn promises(&self, program: &Program, contracts: Vec<Contract>) -> Vec<Promise> {
        let promise = |contract: Contract| {
            let place = place(program, &self.sources, None, contract.position);
            let place = Place { function: contract.function, ..place };
            Promise { place, requires: contract.requires, ensures: contract.ensures }
        };
        contracts.into_iter().map(promise).collect()
    }

    /// What contracts say about their parameters, where there are no contracts: as invariants of
    /// statements inside of the functions.
    fn inside(&self, program: &Program, contracts: Vec<Contract>) -> Vec<Stated> {
        let mut found = Vec::new();
        for contract in contracts {
            let Some((position, value)) = contract.inside else { continue };
            let Some(source) = self.sources.of(&program.files, position) else { continue };
            let keyword = source.branch_keyword(position).map(|(line, column, _)| (line, column));
            let Some((line, column)) = keyword.or_else(|| source.statement_start(position)) else {
                continue;
            };
            let place = place(program, &self.sources, None, position);
            let place = Place { line, column, function: contract.function, ..place };
            found.push(Stated { place, is_loop: false, value });
        }
        found
    }

    /// Keeps what are expressions of C at their places: everything, unless a name that is visible
    /// there stands for something else.
    fn compiling(&self, invariants: &mut Vec<Stated>, promises: &mut Vec<Promise>) {
        let paths: Vec<&Path> = self.sources.files.iter().map(|s| s.path.as_path()).collect();
        let witness = String::from("<witness>");
        loop {
            // For each annotation the number of what it comes from; promises are behind invariants.
            let (mut list, mut comes_from) = (Vec::new(), Vec::new());
            let mut add = |place: &Place, spot: Spot, condition: String, number: usize| {
                let is_here = |path: &&Path| path.display().to_string() == place.file;
                list.push(Annotation {
                    file: paths.iter().position(is_here).unwrap_or(0),
                    line: place.line,
                    column: place.column,
                    spot,
                    action: Action::Check,
                    condition,
                    witness_line: list.len() as u32 + 1,
                });
                comes_from.push(number);
            };
            for (number, Stated { place, is_loop, value }) in invariants.iter().enumerate() {
                let spot = if *is_loop { Spot::Loop } else { Spot::Statement };
                add(place, spot, value.clone(), number);
            }
            for (index, Promise { place, requires, ensures }) in promises.iter().enumerate() {
                let number = invariants.len() + index;
                add(place, Spot::Entry, requires.clone(), number);
                add(place, Spot::Exit, ensures.replace("\\result", RESULT), number);
            }
            let annotations = Annotations { witness: witness.clone(), list };
            let wrong = match load_annotated(&paths, self.data_model, &annotations) {
                Ok(loaded) => loaded.misplaced,
                Err(error) if error.file == witness && error.line > 0 => {
                    vec![error.line as usize - 1]
                }
                Err(_) => (0..comes_from.len()).collect(),
            };
            if wrong.is_empty() {
                return;
            }
            let wrong: Vec<usize> =
                wrong.iter().filter_map(|&at| comes_from.get(at).copied()).collect();
            let mut number = 0..;
            let mut is_right = || !number.next().is_some_and(|number| wrong.contains(&number));
            invariants.retain(|_| is_right());
            promises.retain(|_| is_right());
        }
    }
}
