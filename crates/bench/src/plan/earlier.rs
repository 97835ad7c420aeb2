//! Plans that there were before, which runs of few tasks may only correct.

use std::path::Path;

/// Plans as a file of the study has them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Earlier {
    pub entries: Vec<String>,
    plans: Vec<EarlierPlan>,
}

#[derive(Clone, Debug, PartialEq)]
struct EarlierPlan {
    kind: String,
    cores: usize,
    seconds: f64,
    shares: Vec<f64>,
}

impl Earlier {
    /// Reads a file of plans; the cause if it is none.
    pub fn read(path: &Path) -> Result<Earlier, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("the plans {}: {error}", path.display()))?;
        Earlier::parse(&text).map_err(|cause| format!("the plans {}: {cause}", path.display()))
    }

    fn parse(text: &str) -> Result<Earlier, String> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
        let mut lines = lines.map(|(number, line)| (number + 1, line.split('\t').collect()));
        let (_, header): (usize, Vec<&str>) = lines.next().ok_or("there is no header")?;
        let [_, _, _, entries @ ..] = &header[..] else { return Err("the header is short".into()) };
        let mut plans = Vec::new();
        for (number, cells) in lines {
            let plan = plan(&cells).filter(|plan| plan.shares.len() == entries.len());
            plans.push(plan.ok_or_else(|| format!("line {number} is no plan"))?);
        }
        let entries = entries.iter().map(|name| name.to_string()).collect();
        Ok(Earlier { entries, plans })
    }

    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.plans.iter().map(|plan| plan.kind.as_str())
    }

    /// The shares of these engines, 0 for those that the plan does not know; none without a plan.
    pub fn shares(
        &self,
        kind: &str,
        cores: usize,
        seconds: f64,
        of: &[String],
    ) -> Option<Vec<f64>> {
        let here = |p: &&EarlierPlan| p.kind == kind && p.cores == cores && p.seconds == seconds;
        let plan = self.plans.iter().find(here)?;
        let share = |name: &String| {
            let place = self.entries.iter().position(|entry| entry == name);
            place.map_or(0.0, |place| plan.shares[place])
        };
        Some(of.iter().map(share).collect())
    }
}

fn plan(cells: &[&str]) -> Option<EarlierPlan> {
    let [kind, cores, seconds, shares @ ..] = cells else { return None };
    let shares: Option<Vec<f64>> = shares.iter().map(|cell| cell.parse().ok()).collect();
    let (cores, seconds) = (cores.parse().ok()?, seconds.parse().ok()?);
    Some(EarlierPlan { kind: kind.to_string(), cores, seconds, shares: shares? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_read_by_engine() {
        let text = "# made by hand\nkind\tcores\tseconds\ta\tb\nloops\t2\t10\t1.5\t4\n";
        let earlier = Earlier::parse(text).unwrap();
        let of = ["b", "new", "a"].map(String::from);
        assert_eq!(earlier.shares("loops", 2, 10.0, &of), Some(vec![4.0, 0.0, 1.5]));
        assert_eq!(earlier.shares("loops", 1, 10.0, &of), None);
        let short = text.replace("\t4\n", "\n");
        assert_eq!(Earlier::parse(&short), Err("line 3 is no plan".into()));
        assert!(Earlier::parse("").is_err());
    }
}
