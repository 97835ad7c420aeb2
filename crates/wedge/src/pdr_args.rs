//! The switches of PDR on the command line. Each undoes or replaces one technique, so that its
//! worth can be measured; the defaults are what measured best.

use clap::{Args, ValueEnum};
use wedge_engines::pdr::{Ctg, CtgLimits, ExtraSignals, Layout, Lifting, PdrConfig, SolverKind};

#[derive(Args)]
#[command(next_help_heading = "Options of pdr")]
pub struct PdrTuning {
    /// Counterexamples to generalisation: leave the literal, block them (Hassan, Bradley, Somenzi
    /// 2013), or block them only where obligations keep coming back (Su, Yang, Ci, Huang 2024).
    #[arg(long, value_enum, value_name = "WHEN", default_value = "dynamic")]
    pub ctg: CtgArg,
    /// How many counterexamples to generalisation are blocked in a row for one literal, with
    /// --ctg always.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub ctg_max: usize,
    /// How deep they may nest, with --ctg always.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub ctg_depth: usize,
    /// How a predecessor state becomes a cube: all latches that matter syntactically, a
    /// justification of the successor, or that shortened by ternary simulation.
    #[arg(long, value_enum, value_name = "HOW", default_value = "ternary")]
    pub lifting: LiftingArg,
    /// The solver of the queries: one made for them, or CaDiCaL.
    #[arg(long, value_enum, value_name = "SOLVER", default_value = "light")]
    pub query_solver: QuerySolverArg,
    /// A solver for each frame, or one for all with activation literals.
    #[arg(long, value_enum, value_name = "LAYOUT", default_value = "per-frame")]
    pub frame_solvers: FrameSolversArg,
    /// Comparisons of words that lemmas may mention besides bits: at most so many, or "none".
    /// Circuits without words have none.
    #[arg(long, value_name = "N|none", default_value = "none", value_parser = parse_signals)]
    pub signals: usize,
    /// Signals that join a cube although its lifting does without them: none, those that it
    /// implies, or all with their values in the state at hand.
    #[arg(long, value_enum, value_name = "WHICH", default_value = "implied")]
    pub extra_signals: ExtraSignalsArg,
    /// Generalisation gives up after so many literals that could not be dropped.
    #[arg(long, value_name = "N")]
    pub generalize_attempts: Option<usize>,
    /// Keep all gates in the transition relation: no bounded variable elimination.
    #[arg(long)]
    pub no_eliminate: bool,
    /// Decide all variables in every query, not only those in the cone of what it mentions.
    #[arg(long)]
    pub no_domains: bool,
    /// Do not try a new lemma in higher frames at once.
    #[arg(long)]
    pub no_push_lemmas: bool,
    /// A blocked obligation does not return in the next frame.
    #[arg(long)]
    pub no_push_obligations: bool,
    /// Keep lemmas that are inductive by themselves in their frames.
    #[arg(long)]
    pub no_infinity: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum CtgArg {
    Never,
    Always,
    Dynamic,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum LiftingArg {
    Cone,
    Justify,
    Ternary,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum QuerySolverArg {
    Light,
    Cadical,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum FrameSolversArg {
    PerFrame,
    Shared,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ExtraSignalsArg {
    None,
    Implied,
    All,
}

fn parse_signals(text: &str) -> Result<usize, String> {
    match text {
        "none" => Ok(0),
        _ => text.parse().map_err(|_| "expected a number or none".to_string()),
    }
}

impl PdrTuning {
    pub fn config(&self, max_frames: Option<usize>) -> PdrConfig {
        PdrConfig {
            ctg: match self.ctg {
                CtgArg::Never => Ctg::Never,
                CtgArg::Always => {
                    Ctg::Always(CtgLimits { max: self.ctg_max, depth: self.ctg_depth })
                }
                CtgArg::Dynamic => Ctg::Dynamic,
            },
            lifting: match self.lifting {
                LiftingArg::Cone => Lifting::Cone,
                LiftingArg::Justify => Lifting::Justify,
                LiftingArg::Ternary => Lifting::Ternary,
            },
            solver: match self.query_solver {
                QuerySolverArg::Light => SolverKind::Light,
                QuerySolverArg::Cadical => SolverKind::Cadical,
            },
            layout: match self.frame_solvers {
                FrameSolversArg::PerFrame => Layout::PerFrame,
                FrameSolversArg::Shared => Layout::Shared,
            },
            attempts: self.generalize_attempts,
            signal_budget: self.signals,
            extra_signals: match self.extra_signals {
                ExtraSignalsArg::None => ExtraSignals::None,
                ExtraSignalsArg::Implied => ExtraSignals::Implied,
                ExtraSignalsArg::All => ExtraSignals::All,
            },
            eliminate: !self.no_eliminate,
            domains: !self.no_domains,
            push_lemmas: !self.no_push_lemmas,
            push_obligations: !self.no_push_obligations,
            infinity: !self.no_infinity,
            max_frames,
            ..PdrConfig::default()
        }
    }
}
