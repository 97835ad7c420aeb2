//! The engines by name: one entry yields the command line's choice, its help and the docs.

use crate::auxiliary::Auxiliary;
use crate::bmc::Bmc;
use crate::cnf_itp::CnfItp;
use crate::contract::Engine;
use crate::dar::Dar;
use crate::execute::Execute;
use crate::imc::{Direction, Imc, Reuse, Stride};
use crate::ismc::Ismc;
use crate::kind::KInduction;
use crate::pdr::{Pdr, PdrConfig};
use std::sync::Arc;
use wedge_model::Words;
use wedge_sat::System;

/// What the user can set; each engine reads what concerns it.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub max_bound: Option<usize>,
    pub simple_path: bool,
    pub direction: Option<Direction>,
    pub system: Option<System>,
    pub stride: Option<Stride>,
    pub no_inductive_check: bool,
    pub no_simplify: bool,
    pub reuse: Option<Reuse>,
    pub check_interpolants: bool,
    /// Lift interpolants to the words of the circuit.
    pub lift: bool,
    /// The words of the circuit that is run on, where they are needed.
    pub words: Option<Arc<Words>>,
    pub no_b_weak: bool,
    pub no_push: bool,
    pub no_reuse: bool,
    pub no_generalize: bool,
    pub pdr: PdrConfig,
    /// Facts about the circuit that is run on.
    pub auxiliary: Auxiliary,
}

pub struct Entry {
    pub name: &'static str,
    pub summary: &'static str,
    /// Builds the engine. It is created inside the thread that runs it.
    pub build: fn(&Options) -> Box<dyn Engine>,
}

pub const ENGINES: &[Entry] = &[
    Entry {
        name: "bmc",
        summary: "bounded model checking: finds counterexamples, and proves where every path ends",
        build: |o| Box::new(Bmc { max_bound: o.max_bound }),
    },
    Entry {
        name: "kind",
        summary: "k-induction, with auxiliary invariants of programs, with unique states if \
                  --simple-path",
        build: |o| Box::new(kind(o)),
    },
    Entry {
        name: "imc",
        summary: "interpolation-based model checking (McMillan 2003)",
        build: |o| Box::new(imc(o)),
    },
    Entry {
        name: "ismc",
        summary: "interpolation-sequence-based model checking (Vizel, Grumberg 2009)",
        build: |o| Box::new(ismc(o)),
    },
    Entry {
        name: "dar",
        summary: "dual approximated reachability (Vizel, Grumberg, Shoham 2013)",
        build: |o| Box::new(dar(o)),
    },
    Entry {
        name: "cnf-itp",
        summary: "interpolation with small CNF interpolants (Vizel, Ryvchin, Nadel 2013)",
        build: |o| Box::new(cnf_itp(o)),
    },
    Entry {
        name: "pdr",
        summary: "property-directed reachability, IC3 (Bradley 2011)",
        build: |o| Box::new(Pdr { config: o.pdr.clone() }),
    },
    Entry {
        name: "execute",
        summary: "concrete execution on chosen inputs: finds errors, proves programs without inputs",
        build: |o| Box::new(Execute { max_bound: o.max_bound }),
    },
];

fn kind(options: &Options) -> KInduction {
    KInduction {
        simple_path: options.simple_path,
        max_bound: options.max_bound,
        auxiliary: options.auxiliary.clone(),
    }
}

fn imc(options: &Options) -> Imc {
    let default = Imc::default();
    Imc {
        system: options.system.unwrap_or(default.system),
        direction: options.direction.unwrap_or(default.direction),
        stride: options.stride.unwrap_or(default.stride),
        inductive_check: !options.no_inductive_check,
        simplify: !options.no_simplify,
        check_interpolants: options.check_interpolants,
        lift: options.words.clone().filter(|_| options.lift),
        max_bound: options.max_bound,
        reuse: options.reuse.unwrap_or(default.reuse),
    }
}

fn ismc(options: &Options) -> Ismc {
    Ismc {
        system: options.system.unwrap_or(Ismc::default().system),
        simplify: !options.no_simplify,
        check_interpolants: options.check_interpolants,
        lift: options.words.clone().filter(|_| options.lift),
        max_bound: options.max_bound,
    }
}

fn dar(options: &Options) -> Dar {
    Dar {
        system: options.system.unwrap_or(Dar::default().system),
        simplify: !options.no_simplify,
        check_interpolants: options.check_interpolants,
        lift: options.words.clone().filter(|_| options.lift),
        max_bound: options.max_bound,
    }
}

fn cnf_itp(options: &Options) -> CnfItp {
    CnfItp {
        b_weak: !options.no_b_weak,
        push: !options.no_push,
        incremental: !options.no_reuse,
        generalize: !options.no_generalize,
        inductive_check: !options.no_inductive_check,
        stride: options.stride.unwrap_or(CnfItp::default().stride),
        max_bound: options.max_bound,
    }
}

pub fn find(name: &str) -> Option<&'static Entry> {
    ENGINES.iter().find(|entry| entry.name == name)
}
