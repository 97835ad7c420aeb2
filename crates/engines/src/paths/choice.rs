//! Which source of assertions the user wants, by name.
//!
//! | name | source |
//! | --- | --- |
//! | `craig` | interpolants from the proofs of the built-in solver |
//! | `craig:SOLVER` | interpolants that another solver gives |
//! | `newton` | it-sp-lv with cores of the built-in solver |
//! | `newton:VARIANT` | one of the eight variants |
//! | `newton:SOLVER`, `newton:VARIANT:SOLVER` | cores that another solver gives |
//! | `all` | one after the other, until a sequence is perfect |

use std::fmt;

/// The eight variants of Newton (paper 2, section 6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variant {
    /// IT: statements that an unsat core does not need are abstracted.
    pub core: bool,
    pub transformer: Transformer,
    /// LV: assertions speak of live variables only.
    pub live: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Transformer {
    /// SP: strongest postconditions, from the beginning.
    Post,
    /// WP: weakest preconditions, from the end.
    Pre,
}

impl Variant {
    pub const BEST: Variant = Variant { core: true, transformer: Transformer::Post, live: true };

    /// In the order of the paper's table 1.
    pub fn all() -> [Variant; 8] {
        use Transformer::{Post, Pre};
        let variant = |core, transformer, live| Variant { core, transformer, live };
        [
            variant(true, Post, true),
            variant(true, Pre, true),
            variant(true, Post, false),
            variant(true, Pre, false),
            variant(false, Post, true),
            variant(false, Pre, true),
            variant(false, Post, false),
            variant(false, Pre, false),
        ]
    }

    fn named(name: &str) -> Option<Variant> {
        Variant::all().into_iter().find(|variant| variant.to_string() == name)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let transformer = match self.transformer {
            Transformer::Post => "sp",
            Transformer::Pre => "wp",
        };
        let core = if self.core { "it-" } else { "" };
        let live = if self.live { "-lv" } else { "" };
        write!(f, "{core}{transformer}{live}")
    }
}

/// What an unsat core of a path consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoreGrain {
    /// Guards and assignments.
    Statements,
    /// Conjuncts of guards, and assignments.
    Conjuncts,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourceChoice {
    Craig { solver: Option<String> },
    Newton { variant: Variant, solver: Option<String> },
    All,
}

impl SourceChoice {
    /// The source with this name. What is neither a source nor a variant is a solver, which may be
    /// any command.
    pub fn parse(text: &str) -> Result<SourceChoice, String> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        if rest.is_some_and(str::is_empty) {
            return Err(format!("'{text}' names no solver"));
        }
        match (name, rest) {
            ("craig", solver) => Ok(SourceChoice::Craig { solver: solver.map(String::from) }),
            ("newton", None) => Ok(SourceChoice::newton(Variant::BEST, None)),
            ("newton", Some(rest)) => newton(rest),
            ("all", None) => Ok(SourceChoice::All),
            _ => Err("expected craig, newton, newton:VARIANT, all, craig:SOLVER, \
                 newton:SOLVER or newton:VARIANT:SOLVER"
                .to_string()),
        }
    }

    pub fn newton(variant: Variant, solver: Option<&str>) -> SourceChoice {
        SourceChoice::Newton { variant, solver: solver.map(String::from) }
    }
}

fn newton(rest: &str) -> Result<SourceChoice, String> {
    let (first, second) = match rest.split_once(':') {
        Some((first, second)) => (first, Some(second)),
        None => (rest, None),
    };
    let Some(variant) = Variant::named(first) else {
        return Ok(SourceChoice::newton(Variant::BEST, Some(rest)));
    };
    match (variant, second) {
        (variant, None) => Ok(SourceChoice::newton(variant, None)),
        (_, Some("")) => Err(format!("'newton:{rest}' names no solver")),
        (Variant { core: false, .. }, Some(_)) => {
            Err(format!("the variant {first} has no cores that a solver could give"))
        }
        (variant, solver) => Ok(SourceChoice::newton(variant, solver)),
    }
}

impl fmt::Display for SourceChoice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let solver = match self {
            SourceChoice::Craig { solver } => {
                write!(f, "craig")?;
                solver
            }
            SourceChoice::Newton { variant, solver } => {
                write!(f, "newton:{variant}")?;
                solver
            }
            SourceChoice::All => {
                write!(f, "all")?;
                &None
            }
        };
        solver.as_ref().map_or(Ok(()), |solver| write!(f, ":{solver}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_return() {
        for variant in Variant::all() {
            let name = format!("newton:{variant}");
            assert_eq!(SourceChoice::parse(&name).unwrap().to_string(), name);
        }
        for name in ["craig", "craig:cvc5", "newton:it-wp-lv:z3", "all", "newton:it-sp:z3 -in"] {
            assert_eq!(SourceChoice::parse(name).unwrap().to_string(), name);
        }
        let best = |solver| SourceChoice::newton(Variant::BEST, solver);
        assert_eq!(SourceChoice::parse("newton"), Ok(best(None)));
        assert_eq!(SourceChoice::parse("newton:z3"), Ok(best(Some("z3"))));
        assert_eq!(Variant::BEST.to_string(), "it-sp-lv");
        for wrong in ["", "newtons", "craig:", "newton:", "newton:it-sp:", "newton:sp:z3", "all:z3"]
        {
            assert!(SourceChoice::parse(wrong).is_err(), "{wrong}");
        }
    }
}
