//! The memory of the environment in the runs of a search.
//!
//! Functions without body, and storage that the program never wrote, give pointers to memory that is
//! not the program's (`interp/foreign.rs`). Where that memory lies is the environment's affair, and
//! programs that tell pointers from error codes by their size take one of two views: error codes are
//! the last page of the address space (Linux), or everything beyond 2012 (models of Linux made for
//! verifiers). So the environment has its memory at high addresses in some runs and at low ones in
//! others.

use super::random::Random;

/// Where pointers from outside lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    High,
    Low,
}

impl Place {
    fn first(self) -> u64 {
        match self {
            Place::High => 0x1_0000,
            Place::Low => 1024,
        }
    }

    /// The pointer that answers the question of this index. At high addresses every object has a
    /// page. Low ones are mere handles: there is room for 61 from the first low address to 2012, and
    /// then they begin again.
    pub fn pointer(self, index: usize) -> u64 {
        let index = index as u64;
        match self {
            Place::High => 0x7000_0000 + PAGE * (index % 0x1_0000),
            Place::Low => self.first() + 16 * (index % 61),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Memory {
    /// There is none, and all pointers from outside are null.
    #[default]
    None,
    /// Pointers from outside lead to memory, or are null.
    Fallible(Place),
    /// They lead to memory.
    Benign(Place),
}

/// The environment of a run.
#[derive(Clone, Copy, Default, Debug)]
pub struct Environment {
    pub memory: Memory,
}

/// Pages are this large, and the first one belongs to nobody.
const PAGE: u64 = 1 << 12;
/// One of so many pointers from outside is null, if they may be. A guess.
const NULLS: u64 = 4;

impl Environment {
    /// That of the run of this number in a search: high and low in turn. A search for errors begins
    /// without, since its first run shows whether there is only one.
    pub fn of_run(number: u64, benign: bool) -> Environment {
        let is_high = number.is_multiple_of(2);
        let place = if is_high { Place::High } else { Place::Low };
        let memory = match (benign, number) {
            (true, _) => Memory::Benign(place),
            (false, 0) => Memory::None,
            (false, _) => Memory::Fallible(place),
        };
        Environment { memory }
    }

    /// That of a run which is repeated.
    pub fn of_repetition() -> Environment {
        Environment { memory: Memory::Fallible(Place::High) }
    }

    pub fn is_benign(&self) -> bool {
        matches!(self.memory, Memory::Benign(_))
    }

    /// The lowest address that belongs to it. An error counts only if no pointer into the first page
    /// is followed on the way.
    pub fn first(&self) -> Option<u64> {
        match self.memory {
            Memory::None => None,
            Memory::Fallible(_) => Some(PAGE),
            Memory::Benign(place) => Some(place.first()),
        }
    }

    /// Whether its memory may be written. What lies behind handles would overlap.
    pub fn is_writable(&self) -> bool {
        matches!(self.memory, Memory::Fallible(_) | Memory::Benign(Place::High))
    }

    /// A pointer from outside.
    pub fn draw(&self, index: usize, random: &mut Random) -> u128 {
        match self.memory {
            Memory::None => 0,
            Memory::Fallible(_) if random.once_in(NULLS) => 0,
            Memory::Fallible(place) | Memory::Benign(place) => place.pointer(index).into(),
        }
    }
}
