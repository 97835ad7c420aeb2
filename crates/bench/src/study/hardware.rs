//! The claims about ISMC and DAR in section 1.1 of paper 4, on the runs of a suite.
//!
//! Run times are processor times, as in the paper; two times that differ by no more than the
//! resolution of the clock count as equal. Where the paper reads its plots with the eye, the rule
//! here is a majority of tasks, and every claim comes with its numbers.

use super::claims::{Claim, Score};
use super::statistics::{quantile, regression};
use crate::record::Record;
use crate::results::Results;

/// The resolution of processor times.
const CLOCK: f64 = 0.01;

pub fn text(results: &Results) -> String {
    let columns = ["imc", "ismc", "dar"].map(|name| results.engine(name));
    let [Some(imc), Some(ismc), Some(dar)] = columns else {
        return "The study needs the engines imc, ismc and dar.\n".into();
    };
    let ismc_imc: Vec<Pair> = results.pairs(ismc, imc).collect();
    let dar_imc: Vec<Pair> = results.pairs(dar, imc).collect();
    let proofs: Vec<&Record> =
        results.column(dar).flatten().filter(|record| record.proved()).collect();
    let claims = [
        h1a(&ismc_imc),
        h1b(&ismc_imc),
        h1c(&ismc_imc),
        h2a(&proofs),
        h2b(&dar_imc),
        h2c(&dar_imc),
        h2d(&dar_imc),
        h2e(&dar_imc),
    ];
    claims.map(|claim| claim.to_string()).join("\n")
}

/// The runs of two engines on one task; the claims are about the first.
type Pair<'a> = (&'a Record, &'a Record);

/// Who is faster; who solves the task is faster than who does not.
fn faster<'a>(
    pairs: impl IntoIterator<Item = &'a Pair<'a>>,
    solves: fn(&Record) -> bool,
) -> (Score, usize, usize) {
    let (mut score, mut only_first, mut only_second) = (Score::default(), 0, 0);
    for (first, second) in pairs {
        match (solves(first), solves(second)) {
            (true, true) => match first.cpu_seconds - second.cpu_seconds {
                difference if difference.abs() <= CLOCK => score.equal += 1,
                difference if difference < 0.0 => score.better += 1,
                _ => score.worse += 1,
            },
            (true, false) => (score.better, only_first) = (score.better + 1, only_first + 1),
            (false, true) => (score.worse, only_second) = (score.worse + 1, only_second + 1),
            (false, false) => {}
        }
    }
    (score, only_first, only_second)
}

fn both<'a>(pairs: &'a [Pair<'a>], solves: fn(&Record) -> bool) -> Vec<&'a Pair<'a>> {
    pairs.iter().filter(|(a, b)| solves(a) && solves(b)).collect()
}

/// Sums of the times of both engines.
fn times(pairs: &[&Pair]) -> (f64, f64) {
    pairs.iter().fold((0.0, 0.0), |(x, y), (a, b)| (x + a.cpu_seconds, y + b.cpu_seconds))
}

fn h1a(pairs: &[Pair]) -> Claim {
    let (score, only_first, only_second) = faster(pairs, Record::refuted);
    let common = both(pairs, Record::refuted);
    let (ismc, imc) = times(&common);
    Claim {
        name: "H1.A",
        claim: "ISMC is faster than IMC on tasks with property violation.",
        for_software: true,
        numbers: format!(
            "ISMC is faster on {}, slower on {}, equal on {} unsafe tasks; only ISMC solved \
             {only_first}, only IMC {only_second}; on the {} that both solved ISMC took {ismc:.2} \
             s, IMC {imc:.2} s",
            score.better,
            score.worse,
            score.equal,
            common.len()
        ),
        holds: score.wins(),
    }
}

fn h1b(pairs: &[Pair]) -> Claim {
    let proofs = pairs.iter().filter(|(_, imc)| fixed_point(imc));
    let bounds: Vec<f64> = proofs.clone().filter_map(|(_, imc)| imc.figure("bound")).collect();
    let high = quantile(&bounds, 0.75).unwrap_or(0.0);
    let at_high = proofs.filter(|(_, imc)| imc.figure("bound").is_some_and(|b| b >= high));
    let (score, _, only_second) = faster(at_high, Record::proved);
    Claim {
        name: "H1.B",
        claim: "ISMC is faster than IMC when IMC finds a proof only at high unrolling bounds.",
        for_software: false,
        numbers: format!(
            "where IMC needed a bound of {high} or more (its highest quarter) ISMC is faster on \
             {}, slower on {} (on {only_second} without an answer), equal on {} tasks",
            score.better, score.worse, score.equal
        ),
        holds: score.wins(),
    }
}

fn h1c(pairs: &[Pair]) -> Claim {
    let (numbers, holds) = overall(pairs, "ISMC");
    let claim = "Overall, ISMC is faster than IMC.";
    Claim { name: "H1.C", claim, for_software: false, numbers, holds }
}

/// Total times on the tasks that both solved.
fn overall(pairs: &[Pair], name: &str) -> (String, Option<bool>) {
    let part = |solves: fn(&Record) -> bool| {
        let common = both(pairs, solves);
        let (first, second) = times(&common);
        let ratio = first / second.max(CLOCK);
        let count = common.len();
        (format!("{count}: {name} {first:.2} s, IMC {second:.2} s, ratio {ratio:.2}"), ratio)
    };
    let (all, ratio) = part(Record::solved);
    let (proofs, _) = part(Record::proved);
    let (alarms, _) = part(Record::refuted);
    let numbers = format!("both solved {all}; proofs {proofs}; alarms {alarms}");
    let any = !both(pairs, Record::solved).is_empty();
    (numbers, any.then_some(ratio < 1.0))
}

/// A proof that reports the length at which it converged.
fn fixed_point(record: &Record) -> bool {
    record.proved() && record.figure("convergence").is_some_and(|length| length > 0.0)
}

fn h2a(proofs: &[&Record]) -> Claim {
    let ratio = |record: &&Record| {
        let iterations = record.figure("iterations").filter(|&n| n > 0.0)?;
        Some(record.figure("global strengthenings").unwrap_or(0.0) / iterations)
    };
    let ratios: Vec<f64> = proofs.iter().filter_map(ratio).collect();
    let below = ratios.iter().filter(|&&r| r < 0.5).count();
    let never = ratios.iter().filter(|&&r| r == 0.0).count();
    let average = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
    Claim {
        name: "H2.A",
        claim: "For DAR, the ratio between iterations using global strengthening to the total \
                number of iterations is less than 0.5 in most tasks.",
        for_software: true,
        numbers: format!(
            "of {} safe tasks that DAR proved with iterations the ratio is below 0.5 on {below}, \
             0 on {never}; its average is {average:.3}",
            ratios.len()
        ),
        holds: (!ratios.is_empty()).then_some(2 * below > ratios.len()),
    }
}

fn h2b(pairs: &[Pair]) -> Claim {
    let length = |record: &Record| record.figure("convergence").unwrap_or(0.0);
    let common = both(pairs, fixed_point);
    let shorter: Vec<_> = common.iter().filter(|(dar, imc)| length(imc) < length(dar)).collect();
    let longer = common.iter().filter(|(dar, imc)| length(imc) > length(dar)).count();
    let (score, _, _) = faster(shorter.iter().map(|pair| **pair), Record::proved);
    Claim {
        name: "H2.B",
        claim: "IMC finds a proof slower than DAR in many tasks even though it has a smaller \
                convergence length.",
        for_software: false,
        numbers: format!(
            "of {} tasks that both proved IMC converges sooner on {}, later on {longer}; where \
             sooner, it is slower on {}, faster on {}",
            common.len(),
            shorter.len(),
            score.better,
            score.worse
        ),
        holds: score.wins(),
    }
}

fn h2c(pairs: &[Pair]) -> Claim {
    let number = |record: &Record| record.figure("interpolants").unwrap_or(0.0);
    let common = both(pairs, Record::solved);
    let (mut score, mut totals) = (Score::default(), (0.0, 0.0));
    for (dar, imc) in &common {
        let (dar, imc) = (number(dar), number(imc));
        totals = (totals.0 + dar, totals.1 + imc);
        *match dar.total_cmp(&imc) {
            std::cmp::Ordering::Greater => &mut score.better,
            std::cmp::Ordering::Less => &mut score.worse,
            std::cmp::Ordering::Equal => &mut score.equal,
        } += 1;
    }
    Claim {
        name: "H2.C",
        claim: "DAR computes more interpolants than IMC.",
        for_software: true,
        numbers: format!(
            "of {} tasks that both solved DAR computes more on {}, fewer on {}, as many on {}; in \
             all {} against {}",
            common.len(),
            score.better,
            score.worse,
            score.equal,
            totals.0,
            totals.1
        ),
        holds: score.wins(),
    }
}

/// How the time grows with the average size of interpolants: the slope in a doubly logarithmic
/// plot, with the correlation. The size is in atoms, or in AND gates for those who count no atoms.
fn sensitivity<'a>(records: impl Iterator<Item = &'a Record>) -> Option<(f64, f64)> {
    let point = |record: &Record| {
        let interpolants = record.figure("interpolants").filter(|&n| n > 0.0)?;
        let atoms = record.figure("interpolant_atoms").filter(|&n| n > 0.0);
        let size = atoms.or_else(|| record.figure("interpolant_ands"))? / interpolants;
        Some(((1.0 + size).ln(), record.cpu_seconds.max(CLOCK).ln()))
    };
    let points: Vec<(f64, f64)> =
        records.filter(|record| record.solved()).filter_map(point).collect();
    regression(&points)
}

fn h2d(pairs: &[Pair]) -> Claim {
    let dar = sensitivity(pairs.iter().map(|(dar, _)| *dar));
    let imc = sensitivity(pairs.iter().map(|(_, imc)| *imc));
    let words = |fit: Option<(f64, f64)>| match fit {
        Some((slope, correlation)) => format!("{slope:.2} (correlation {correlation:.2})"),
        None => "unknown".into(),
    };
    Claim {
        name: "H2.D",
        claim: "DAR's run-time is more sensitive to the sizes of interpolants than IMC.",
        for_software: false,
        numbers: format!(
            "time grows with the average size to the power of {} for DAR, {} for IMC",
            words(dar),
            words(imc)
        ),
        holds: dar.zip(imc).map(|(dar, imc)| dar.0 > imc.0),
    }
}

fn h2e(pairs: &[Pair]) -> Claim {
    let (numbers, holds) = overall(pairs, "DAR");
    let claim = "Overall, DAR is faster than IMC.";
    Claim { name: "H2.E", claim, for_software: false, numbers, holds }
}
