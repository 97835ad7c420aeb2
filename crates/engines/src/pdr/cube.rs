//! Cubes: conjunctions of latch literals, sorted, with a signature that refutes most inclusions.
//!
//! A literal is that of the latch's variable in the [`transition`](super::transition).

use wedge_sat::light::Lit;

/// Invariant: sorted, and no latch occurs twice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cube {
    lits: Vec<Lit>,
    signature: u64,
}

impl Cube {
    pub fn new(mut lits: Vec<Lit>) -> Cube {
        lits.sort_unstable();
        let signature = lits.iter().fold(0, |set, l| set | 1 << (l.code() & 63));
        Cube { lits, signature }
    }

    pub fn lits(&self) -> &[Lit] {
        &self.lits
    }

    pub fn len(&self) -> usize {
        self.lits.len()
    }

    pub fn contains(&self, lit: Lit) -> bool {
        self.lits.binary_search(&lit).is_ok()
    }

    /// Whether every literal is also in `other`: then the states of `other` are among those of
    /// this cube, and a lemma that blocks this one blocks `other`.
    pub fn is_subset(&self, other: &Cube) -> bool {
        if self.signature & !other.signature != 0 || self.lits.len() > other.lits.len() {
            return false;
        }
        let mut rest = other.lits.iter();
        self.lits.iter().all(|lit| rest.any(|l| l == lit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inclusion() {
        let cube = |codes: &[u32]| Cube::new(codes.iter().map(|&c| Lit::from_code(c)).collect());
        assert!(cube(&[5, 3]).is_subset(&cube(&[3, 5, 9])));
        assert!(cube(&[]).is_subset(&cube(&[3])));
        assert!(!cube(&[3, 4]).is_subset(&cube(&[3, 5])));
        // The same signature, but different literals.
        assert!(!cube(&[2]).is_subset(&cube(&[66])));
        assert!(!cube(&[3, 5]).is_subset(&cube(&[5])));
    }
}
