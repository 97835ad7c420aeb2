//! Pointers that the program never wrote.
//!
//! A variable or allocated memory that is read before it is written has any value. As a pointer it leads
//! nowhere: who asks for memory safety is told where it is followed (C11 6.5.3.2 p4), not what memory
//! behind it would lead to. Pointers that come from outside, as results of functions without bodies, in
//! variables of others or as arguments of `main`, lead to memory of the environment.

use rustc_hash::FxHashSet;
use wedge_c::interp::{Birth, Choice, Life};
use wedge_c::typed::{FuncId, LocalId, Program};
use wedge_c::{Kind, Properties};

/// As far behind such a pointer there is nothing: members and elements of what it would point to.
const NOWHERE: u64 = 1 << 12;

#[derive(Default)]
pub struct Unwritten {
    is_asked: bool,
    /// Lifetimes of variables and of allocated memory.
    own: FxHashSet<Life>,
    /// The values that such pointers had.
    values: Vec<u64>,
}

impl Unwritten {
    pub fn new(properties: &Properties) -> Unwritten {
        Unwritten { is_asked: properties.asks(Kind::Deref), ..Unwritten::default() }
    }

    pub fn begin(&mut self, program: &Program, life: Life, birth: Birth) {
        let is_own = match birth {
            Birth::Allocation(_) => true,
            Birth::Local(function, local) => !is_parameter(program, function, local),
            Birth::Global(_) | Birth::Result(_) | Birth::Havoc(..) => false,
        };
        if self.is_asked && is_own {
            self.own.insert(life);
        }
    }

    /// A value that was open got these bits.
    pub fn chosen(&mut self, program: &Program, choice: &Choice, bits: u128) {
        let is_own = choice.life.is_some_and(|life| self.own.contains(&life));
        if is_own && program.types.is_pointer(choice.ty) {
            self.values.push(bits as u64 & (u64::MAX >> (64 - choice.width.clamp(1, 64))));
        }
    }

    pub fn leads_nowhere(&self, address: u64) -> bool {
        self.values.iter().any(|&first| address.wrapping_sub(first) < NOWHERE)
    }
}

/// What `main` is given comes from outside.
fn is_parameter(program: &Program, function: FuncId, local: LocalId) -> bool {
    let body = program.function(function).body.as_ref();
    body.is_some_and(|body| (local.0 as usize) < body.parameters)
}
