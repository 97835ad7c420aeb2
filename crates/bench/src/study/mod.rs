//! The experiments of the papers, repeated on a suite, and one of our own.

mod claims;
mod cnf_itp;
mod hardware;
mod imc;
mod interp;
mod newton;
mod overview;
mod statistics;
mod transfer;

use crate::error::BenchError;
use crate::plan;
use crate::results::Results;
use crate::suite::Suite;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Study {
    /// Table 1 of Vizel, Ryvchin, Nadel, "Efficient Generation of Small Interpolants in CNF".
    CnfItp,
    /// The claims about ISMC and DAR that Beyer, Chien, Jankola, Lee, "A Transferability Study of
    /// Interpolation-Based Hardware Model Checking to Software Verification" lists in section 1.1.
    Hardware,
    /// Table 2 and figures 5 and 6 of Beyer, Lee, Wendler, "Interpolation and SAT-Based Model
    /// Checking Revisited: Adoption to Software Verification".
    Imc,
    /// Tables I to III, figure 9 and the observations of Tian, Duan, Duan, Ong, "More Effective
    /// Interpolations in Software Model Checking".
    Interp,
    /// Table 1, figures 4 to 6 and the claims of Dietsch, Heizmann, Musa, Nutz, Podelski, "Craig vs.
    /// Newton in Software Model Checking".
    Newton,
    /// Not of a paper: how the engines of the suite share the time of a portfolio best.
    Shares,
    /// Tables 1 to 3 and the claims of the transferability study.
    Transfer,
}

impl Study {
    pub const ALL: &[Study] = &[
        Study::CnfItp,
        Study::Hardware,
        Study::Imc,
        Study::Interp,
        Study::Newton,
        Study::Shares,
        Study::Transfer,
    ];

    /// The paper.
    pub fn title(self) -> &'static str {
        match self {
            Study::CnfItp => "Efficient Generation of Small Interpolants in CNF",
            Study::Hardware => "The claims about ISMC and DAR",
            Study::Imc => "Interpolation and SAT-Based Model Checking Revisited",
            Study::Interp => "More Effective Interpolations in Software Model Checking",
            Study::Newton => "Craig vs. Newton in Software Model Checking",
            Study::Shares => "Shares of a portfolio",
            Study::Transfer => "A Transferability Study of ISMC and DAR",
        }
    }

    /// The engines that the suite has to have, by these names.
    pub fn engines(self) -> &'static [&'static str] {
        match self {
            Study::CnfItp => &["pdr", "imc", "cnf-itp"],
            Study::Hardware | Study::Transfer => &["imc", "ismc", "dar"],
            Study::Imc => &["imc"],
            Study::Interp => &["interp-r", "interp-rsew"],
            Study::Newton => &["trace-craig", "trace-newton"],
            Study::Shares => &[],
        }
    }

    /// Whether the suite has what the study needs.
    pub fn check(self, suite: &Suite) -> Result<(), BenchError> {
        let has = |name: &&&str| suite.engines.iter().any(|engine| engine.name == **name);
        match self.engines().iter().find(|name| !has(name)) {
            Some(missing) => Err(BenchError::Selection(format!(
                "the study needs the engines {}, and the suite has no {missing}",
                self.engines().join(", ")
            ))),
            None => Ok(()),
        }
    }

    /// The plots of the study as SVG, each with the name of its file.
    pub fn plots(self, results: &Results) -> Vec<(String, String)> {
        match self {
            Study::Interp => interp::plots(results),
            Study::Newton => newton::plots(results),
            Study::CnfItp | Study::Hardware | Study::Imc | Study::Shares | Study::Transfer => {
                Vec::new()
            }
        }
    }

    /// Other files that the study makes, each with its name.
    pub fn files(self, results: &Results) -> Vec<(&'static str, String)> {
        match self {
            Study::Shares => vec![("plans.tsv", plan::file(results))],
            _ => Vec::new(),
        }
    }

    /// The study as text, from the runs that there are.
    pub fn text(self, results: &Results) -> String {
        match self {
            Study::CnfItp => cnf_itp::text(results),
            Study::Hardware => hardware::text(results),
            Study::Imc => imc::text(results),
            Study::Interp => interp::text(results),
            Study::Newton => newton::text(results),
            Study::Shares => plan::text(results),
            Study::Transfer => transfer::text(results),
        }
    }
}
