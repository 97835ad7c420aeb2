//! `wedge sby`: the protocol of the AIGER and BTOR2 solvers of SymbiYosys.
//!
//! For AIGER, lines `u<k>` say that there is no counterexample of less than k steps; then comes `0` if
//! every property holds, `1` and a witness up to a line with a dot, or `2`. For BTOR2 it is `sat` and a
//! witness, or `unknown`. With a depth, `2` and `unknown` say that there is no counterexample up to this
//! depth, which SymbiYosys takes for success; so they are printed for that reason only, and another end
//! is no end in the protocol. The exit status is 0.

use super::args::{CheckArgs, SbyArgs};
use super::launch::SameProgram;
use super::say::{say, sayln};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use wedge::input::{is_aiger, read_circuit};
use wedge::properties::{Until, check_every};
use wedge::{
    InputError, Members, Model, Observer, Options, Question, Said, UnknownReason, Verdict, Working,
    check_model,
};

pub fn run(args: &SbyArgs) -> Result<u8, InputError> {
    let start = Instant::now();
    let path = args.model()?;
    let model = read_circuit(&path)?;
    let arguments = arguments(args, &path);
    let check = CheckArgs::from_words(&arguments)?;
    let options = check.options(Members::Copies(Arc::new(SameProgram { arguments })));
    let mut protocol = Protocol { is_aiger: is_aiger(&path), bound: 0 };
    let (verdict, witness) = decide(args, &model, &options, start, &mut protocol)
        .map_err(|InputError(cause)| InputError(format!("{}: {cause}", path.display())))?;
    protocol.finish(args.depth, &verdict, witness.as_deref());
    Ok(0)
}

/// The same as arguments of `wedge check`.
fn arguments(args: &SbyArgs, model: &Path) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["check".into(), "--witness".into(), "-".into()];
    if let Some(depth) = args.depth {
        words.extend(["--engine", "bmc", "--max-bound"].map(OsString::from));
        words.push(depth.to_string().into());
    }
    words.extend(args.limits.words());
    words.extend(["--".into(), model.into()]);
    words
}

/// What is known about the file, and the witness of the first violation.
fn decide(
    args: &SbyArgs,
    model: &Arc<dyn Model>,
    options: &Options,
    start: Instant,
    protocol: &mut Protocol,
) -> Result<(Verdict, Option<Vec<u8>>), InputError> {
    if args.depth.is_none() {
        let report = check_every(model, options, start, Until::Violated, protocol)?;
        return Ok((report.whole(), report.witnesses()));
    }
    // Up to a depth there is nothing that a bad state asked about alone would add.
    let bads = Question::any_of((0..model.num_bads()).collect());
    let justice = (model.num_bads()..model.num_properties()).map(Question::one);
    let mut worst = None;
    for question in bads.into_iter().chain(justice) {
        let options = Options { question: Some(question), ..options.clone() };
        let answer = check_model(model, &options, start, protocol)?;
        match answer.verdict.said() {
            Said::False(_) => return Ok((answer.verdict, answer.files.witness)),
            Said::Unknown(_) => worst = Some(answer.verdict),
            Said::True => worst = worst.or(Some(answer.verdict)),
        }
    }
    Ok((worst.unwrap_or_default(), None))
}

struct Protocol {
    is_aiger: bool,
    /// The largest bound that was told.
    bound: usize,
}

impl Observer for Protocol {
    fn working(&mut self, engines: &dyn Fn() -> Vec<Working>) {
        let bound = engines().iter().map(|engine| engine.figures.bound).max().unwrap_or(0);
        if bound > self.bound {
            self.bound = bound;
            match self.is_aiger {
                true => sayln!("u{bound}"),
                false => sayln!("no counterexample so far, at bound {bound}"),
            }
        }
    }

    fn message(&mut self, text: &str) {
        eprintln!("wedge: {text}");
    }
}

impl Protocol {
    fn finish(&self, depth: Option<usize>, verdict: &Verdict, witness: Option<&[u8]>) {
        let witness = witness.map(String::from_utf8_lossy);
        match (verdict.said(), &witness) {
            (Said::False(_), Some(witness)) => say!("{witness}"),
            (Said::False(_), None) => eprintln!("wedge: the counterexample cannot be written"),
            (Said::True, _) if self.is_aiger => sayln!("0\nb0\n."),
            (Said::True, _) => sayln!("every property holds at any depth\nunknown"),
            (Said::Unknown(UnknownReason::BoundReached(_)), _) if depth.is_some() => {
                sayln!("{}", if self.is_aiger { "2" } else { "unknown" });
            }
            (Said::Unknown(reason), _) => {
                eprintln!("wedge: {reason}");
                if depth.is_none() && self.is_aiger {
                    sayln!("2");
                }
            }
        }
    }
}
