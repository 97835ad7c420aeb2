//! A claim with the numbers that speak for or against it.

/// What a paper claims, and what the runs say.
pub struct Claim {
    pub name: &'static str,
    pub claim: &'static str,
    /// Whether the claim held in the software study of the paper.
    pub for_software: bool,
    pub numbers: String,
    /// None if there are no runs to judge by.
    pub holds: Option<bool>,
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.text("paper 4, on programs"))
    }
}

impl Claim {
    /// The claim, its numbers and the judgement, next to that of the paper.
    pub fn text(&self, source: &str) -> String {
        let holds = match self.holds {
            Some(true) => "HOLDS",
            Some(false) => "DOES NOT HOLD",
            None => "NO DATA",
        };
        let paper = if self.for_software { "holds" } else { "does not hold" };
        let Claim { name, claim, numbers, .. } = self;
        format!("{name}: {claim}\n      {numbers}\n      {holds} ({source}: {paper})\n")
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
