//! A claim with the numbers that speak for or against it.

/// What a paper claims, and what the runs say.
pub struct Claim {
    pub name: &'static str,
    pub claim: &'static str,
    /// Whether the claim held in the software study of paper 4.
    pub for_software: bool,
    pub numbers: String,
    /// None if there are no runs to judge by.
    pub holds: Option<bool>,
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let holds = match self.holds {
            Some(true) => "HOLDS",
            Some(false) => "DOES NOT HOLD",
            None => "NO DATA",
        };
        let paper = if self.for_software { "holds" } else { "does not hold" };
        writeln!(f, "{}: {}", self.name, self.claim)?;
        writeln!(f, "      {}", self.numbers)?;
        writeln!(f, "      {holds} (paper 4, on programs: {paper})")
    }
}

/// How often the first of two engines was better.
#[derive(Default)]
pub struct Score {
    pub better: usize,
    pub worse: usize,
    pub equal: usize,
}

impl Score {
    /// Whether the first engine was better more often; none if there was nothing to compare.
    pub fn wins(&self) -> Option<bool> {
        (self.better + self.worse + self.equal > 0).then_some(self.better > self.worse)
    }
}
