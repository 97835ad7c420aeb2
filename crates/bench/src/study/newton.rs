//! The evaluation of Dietsch, Heizmann, Musa, Nutz, Podelski, "Craig vs. Newton in Software Model
//! Checking" (paper 2, section 7): table 1, the plots of figures 4 to 6, and what its discussion
//! claims.
//!
//! A configuration is an engine of the suite that is named after a tool and a source of assertions:
//! `trace-craig`, `kojak-newton:it-wp-lv`, `trace-newton:z3`. The set of a task follows from its
//! category. For the set Integer, a suite of its own names categories with `Integer` and gives its
//! engines `--arithmetic integer`.

use super::claims::Claim;
use crate::plot::{Scale, ordered};
use crate::record::Record;
use crate::results::Results;
use crate::table::Table;

const SOURCE: &str = "paper 2";

/// The sets of the paper, and what categories of their tasks contain; the first takes the rest.
const SETS: [(&str, &str); 4] =
    [("Bitvector", ""), ("Integer", "Integer"), ("Memsafety", "MemSafety"), ("Float", "Float")];

/// The variant that the source `newton` is without more words.
const BEST: &str = "it-sp-lv";
const VARIANTS: [&str; 8] = [BEST, "it-wp-lv", "it-sp", "it-wp", "sp-lv", "wp-lv", "sp", "wp"];

pub fn text(results: &Results) -> String {
    let study = Newton::new(results);
    let claims: Vec<String> = study.claims().iter().map(|claim| claim.text(SOURCE)).collect();
    format!(
        "Table 1: tasks solved (by this configuration of the tool alone)\n{}\nShare of perfect \
         sequences and iterations, on solved tasks\n{}\n{}",
        study.table(),
        study.sequences(),
        claims.join("\n")
    )
}

/// Figures 4 to 6 for every tool and set: seconds, iterations, share of perfect sequences; each with
/// the name of its file.
pub fn plots(results: &Results) -> Vec<(String, String)> {
    let study = Newton::new(results);
    let metrics: [(&str, &str, Scale, Metric); 3] = [
        ("time", "seconds", Scale::Logarithmic, |record| Some(record.seconds)),
        ("iterations", "iterations", Scale::Linear, iterations),
        ("perfect", "% perfect sequences", Scale::Linear, perfect),
    ];
    let mut plots = Vec::new();
    for tool in &study.tools {
        for (set, tasks) in &study.sets {
            for (file, title, scale, metric) in metrics {
                let of = |configuration: &&Configuration| {
                    let solved = tasks.iter().filter_map(|&task| configuration.solving(task));
                    (configuration.source.clone(), solved.filter_map(metric).collect())
                };
                let lines: Vec<(String, Vec<f64>)> = study.of(tool).iter().map(of).collect();
                let title = format!("{tool} on {set}: {title}");
                let name = format!("newton-{tool}-{}-{file}.svg", set.to_lowercase());
                plots.push((name, ordered(&title, &lines, scale)));
            }
        }
    }
    plots
}

type Metric = fn(&Record) -> Option<f64>;

fn iterations(record: &Record) -> Option<f64> {
    record.figure("iterations").or_else(|| record.figure("refinements"))
}

/// In percent; none if there were no sequences.
fn perfect(record: &Record) -> Option<f64> {
    let all = record.figure("sequences of assertions").filter(|&all| all > 0.0)?;
    Some(100.0 * record.figure("perfect sequences").unwrap_or(0.0) / all)
}

/// A tool with a source.
struct Configuration<'a> {
    tool: String,
    source: String,
    /// One per task.
    records: Vec<Option<&'a Record>>,
}

impl<'a> Configuration<'a> {
    fn solving(&self, task: usize) -> Option<&'a Record> {
        self.records[task].filter(|record| record.solved())
    }

    fn count(&self, tasks: &[usize]) -> usize {
        tasks.iter().filter(|&&task| self.solving(task).is_some()).count()
    }

    fn is_craig(&self) -> bool {
        self.source.starts_with("craig")
    }

    /// The variant of Newton, if it is one.
    fn variant(&self) -> Option<&str> {
        let rest = self.source.strip_prefix("newton")?;
        let first = rest.trim_start_matches(':').split(':').next().unwrap_or("");
        Some(VARIANTS.into_iter().find(|&variant| variant == first).unwrap_or(BEST))
    }

    fn is_best(&self) -> bool {
        self.variant() == Some(BEST)
    }
}

struct Newton<'a> {
    tools: Vec<String>,
    sources: Vec<String>,
    configurations: Vec<Configuration<'a>>,
    /// Those that have tasks, with the numbers of their tasks.
    sets: Vec<(&'static str, Vec<usize>)>,
}

impl<'a> Newton<'a> {
    fn new(results: &'a Results) -> Newton<'a> {
        let mut study =
            Newton { tools: vec![], sources: vec![], configurations: vec![], sets: vec![] };
        for (number, engine) in results.engines.iter().enumerate() {
            let Some((tool, source)) = engine.name.split_once('-') else { continue };
            let (tool, source) = (tool.to_string(), source.to_string());
            if !study.tools.contains(&tool) {
                study.tools.push(tool.clone());
            }
            if !study.sources.contains(&source) {
                study.sources.push(source.clone());
            }
            let records = results.column(number).collect();
            study.configurations.push(Configuration { tool, source, records });
        }
        for (name, _) in SETS {
            let tasks = results.tasks.iter().enumerate();
            let tasks = tasks.filter(|(_, task)| set(&task.category) == name);
            let tasks: Vec<usize> = tasks.map(|(number, _)| number).collect();
            if !tasks.is_empty() {
                study.sets.push((name, tasks));
            }
        }
        study
    }

    fn of(&self, tool: &str) -> Vec<&Configuration<'a>> {
        self.configurations.iter().filter(|configuration| configuration.tool == tool).collect()
    }

    fn find(&self, tool: &str, source: &str) -> Option<&Configuration<'a>> {
        self.of(tool).into_iter().find(|configuration| configuration.source == source)
    }

    /// The sets and, in the end, all tasks.
    fn columns(&self) -> Vec<(&'static str, Vec<usize>)> {
        let all = self.sets.iter().flat_map(|(_, tasks)| tasks.clone()).collect();
        self.sets.iter().cloned().chain([("sum", all)]).collect()
    }

    fn table(&self) -> Table {
        let columns = self.columns();
        let places: Vec<(&String, &'static str, &Vec<usize>)> = self
            .tools
            .iter()
            .flat_map(|tool| columns.iter().map(move |(set, tasks)| (tool, *set, tasks)))
            .collect();
        let names: Vec<String> =
            places.iter().map(|(tool, set, _)| format!("{tool} {set}")).collect();
        let header: Vec<&str> =
            std::iter::once("source").chain(names.iter().map(String::as_str)).collect();
        let mut table = Table::new(1, &header);
        let mut row = |name: &str, cell: &dyn Fn(&str, &[usize]) -> String| {
            let cells = places.iter().map(|(tool, _, tasks)| cell(tool, tasks));
            table.row(std::iter::once(name.to_string()).chain(cells).collect());
        };
        row("tasks", &|_, tasks| tasks.len().to_string());
        for source in &self.sources {
            row(source, &|tool, tasks| match self.find(tool, source) {
                None => "-".to_string(),
                Some(one) => format!("{} ({})", one.count(tasks), self.alone(one, tasks)),
            });
        }
        for (name, member) in PORTFOLIOS {
            row(name, &|tool, tasks| self.portfolio(tool, tasks, member).len().to_string());
        }
        table
    }

    /// Tasks that no other configuration of the tool solves.
    fn alone(&self, one: &Configuration, tasks: &[usize]) -> usize {
        let others = self.of(&one.tool).into_iter().filter(|other| other.source != one.source);
        let others: Vec<&Configuration> = others.collect();
        let alone = |task: usize| others.iter().all(|other| other.solving(task).is_none());
        tasks.iter().filter(|&&task| one.solving(task).is_some() && alone(task)).count()
    }

    /// The tasks that one of the members solves.
    fn portfolio(&self, tool: &str, tasks: &[usize], member: Member) -> Vec<usize> {
        let members = self.of(tool).into_iter().filter(|&configuration| member(configuration));
        let members: Vec<&Configuration> = members.collect();
        let solved = |task: &usize| members.iter().any(|one| one.solving(*task).is_some());
        tasks.iter().copied().filter(solved).collect()
    }

    fn sequences(&self) -> Table {
        let header =
            ["configuration", "solved", "all perfect", "% perfect (mean)", "iterations (mean)"];
        let mut table = Table::new(1, &header);
        for one in &self.configurations {
            let solved: Vec<&Record> = one.records.iter().flatten().copied().collect();
            let solved: Vec<&Record> = solved.into_iter().filter(|r| r.solved()).collect();
            let shares: Vec<f64> = solved.iter().filter_map(|record| perfect(record)).collect();
            let rounds: Vec<f64> = solved.iter().filter_map(|record| iterations(record)).collect();
            table.row(vec![
                format!("{}-{}", one.tool, one.source),
                solved.len().to_string(),
                shares.iter().filter(|&&share| share == 100.0).count().to_string(),
                mean(&shares),
                mean(&rounds),
            ]);
        }
        table
    }

    fn claims(&self) -> Vec<Claim> {
        vec![
            self.newton_wins(),
            self.portfolio_wins(),
            self.craig_alone(),
            self.live_variables(),
            self.cores(),
            self.floats(),
            self.perfect_decides(),
        ]
    }

    /// One comparison per tool and set: label, left and right number of solved tasks.
    fn compared(
        &self,
        sets: &[&str],
        numbers: impl Fn(&str, &[usize]) -> Option<(usize, usize)>,
    ) -> Vec<(String, usize, usize)> {
        let mut all = Vec::new();
        for tool in &self.tools {
            for (set, tasks) in self.sets.iter().filter(|(set, _)| sets.contains(set)) {
                if let Some((left, right)) = numbers(tool, tasks) {
                    all.push((format!("{tool} {set}"), left, right));
                }
            }
        }
        all
    }

    fn count(&self, tool: &str, source: &str, tasks: &[usize]) -> Option<usize> {
        Some(self.find(tool, source)?.count(tasks))
    }

    /// The built-in or only source of a variant.
    fn variant(&self, tool: &str, variant: &str, tasks: &[usize]) -> Option<usize> {
        let of = |one: &&Configuration| one.variant() == Some(variant);
        self.of(tool).into_iter().find(of).map(|one| one.count(tasks))
    }

    fn newton_wins(&self) -> Claim {
        let all = self.compared(&ALL_SETS, |tool, tasks| {
            let craig = self.of(tool).into_iter().filter(|one| one.is_craig());
            Some((self.variant(tool, BEST, tasks)?, craig.map(|one| one.count(tasks)).max()?))
        });
        claim(
            "Claim 1",
            "IT-SP-LV solves more than Craig interpolation on every set.",
            &all,
            |l, r| l > r,
        )
    }

    fn portfolio_wins(&self) -> Claim {
        let all = self.compared(&ALL_SETS, |tool, tasks| {
            let has = |member: Member| self.of(tool).iter().any(|one| member(one));
            let of =
                |member: Member| has(member).then(|| self.portfolio(tool, tasks, member).len());
            Some((of(IT_SP_LV)?, of(CRAIG)?))
        });
        claim("Claim 2", "The portfolio P_IT-SP-LV solves more than P_Craig.", &all, |l, r| l > r)
    }

    fn craig_alone(&self) -> Claim {
        let all = self.compared(&ALL_SETS, |tool, tasks| {
            self.of(tool).iter().find(|one| one.is_craig())?;
            let newton = self.portfolio(tool, tasks, |one| one.variant().is_some());
            let craig = self.portfolio(tool, tasks, CRAIG);
            Some((craig.iter().filter(|task| !newton.contains(task)).count(), 0))
        });
        let mut claim = claim(
            "Claim 3",
            "Craig solves tasks that no variant of Newton solves.",
            &all,
            |l, _| l > 0,
        );
        // On one set is enough.
        claim.holds = (!all.is_empty()).then(|| all.iter().any(|(_, alone, _)| *alone > 0));
        claim
    }

    fn live_variables(&self) -> Claim {
        let all = self.compared(&ALL_SETS, |tool, tasks| {
            Some((self.variant(tool, BEST, tasks)?, self.variant(tool, "it-sp", tasks)?))
        });
        let words = "Cores with live variables are in general not superior to cores alone.";
        let mut claim = claim("Claim 4", words, &all, |left, right| left > right);
        claim.holds = claim.holds.map(|superior| !superior);
        claim
    }

    fn cores(&self) -> Claim {
        let mut all = self.compared(&["Bitvector", "Memsafety"], |tool, tasks| {
            Some((self.variant(tool, "it-sp", tasks)?, self.count(tool, "newton:sp", tasks)?))
        });
        all.extend(self.compared(&["Bitvector", "Memsafety"], |tool, tasks| {
            Some((self.variant(tool, "it-wp", tasks)?, self.count(tool, "newton:wp", tasks)?))
        }));
        let words = "Without cores, SP and WP solve less on Bitvector and Memsafety.";
        claim("Claim 5", words, &all, |left, right| left > right)
    }

    fn floats(&self) -> Claim {
        let all = self.compared(&["Float"], |tool, tasks| {
            let plain = ["newton:sp", "newton:wp"].map(|source| self.count(tool, source, tasks));
            let plain = plain.into_iter().flatten().max()?;
            Some((plain, self.variant(tool, BEST, tasks)?))
        });
        let words = "On Float, SP or WP alone solve about as much as IT-SP-LV (nine tenths of it).";
        claim("Claim 6", words, &all, |left, right| 10 * left >= 9 * right)
    }

    fn perfect_decides(&self) -> Claim {
        let shares = |tool: &str, tasks: &[usize]| -> Vec<f64> {
            let of = |one: &Configuration| -> Vec<f64> {
                tasks.iter().filter_map(|&task| perfect(one.solving(task)?)).collect()
            };
            self.of(tool).iter().flat_map(|one| of(one)).collect()
        };
        let all = self.compared(&["Bitvector", "Memsafety"], |tool, tasks| {
            let shares = shares(tool, tasks);
            let perfect = shares.iter().filter(|&&share| share == 100.0).count();
            (!shares.is_empty()).then_some((perfect, shares.len()))
        });
        let words = "Nearly all runs that solve a task of Bitvector or Memsafety have perfect \
                     sequences only (nine tenths of them).";
        claim("Claim 7", words, &all, |perfect, runs| 10 * perfect >= 9 * runs)
    }
}

type Member = fn(&Configuration) -> bool;

const CRAIG: Member = |one| one.is_craig();
const IT_SP_LV: Member = |one| one.is_best();

const PORTFOLIOS: [(&str, Member); 3] =
    [("P_Craig", CRAIG), ("P_IT-SP-LV", IT_SP_LV), ("P_All", |_| true)];

const ALL_SETS: [&str; 3] = [SETS[0].0, SETS[1].0, SETS[2].0];

fn set(category: &str) -> &'static str {
    let known = SETS.iter().skip(1).find(|(_, part)| category.contains(part));
    known.map_or(SETS[0].0, |(name, _)| name)
}

/// A claim that holds if the comparison does for every tool and set.
fn claim(
    name: &'static str,
    words: &'static str,
    all: &[(String, usize, usize)],
    holds: impl Fn(usize, usize) -> bool,
) -> Claim {
    let numbers = all.iter().map(|(label, left, right)| format!("{label}: {left} to {right}"));
    Claim {
        name,
        claim: words,
        for_software: true,
        numbers: numbers.collect::<Vec<_>>().join(", "),
        holds: (!all.is_empty()).then(|| all.iter().all(|(_, left, right)| holds(*left, *right))),
    }
}

fn mean(values: &[f64]) -> String {
    match values.is_empty() {
        true => "-".to_string(),
        false => format!("{:.1}", values.iter().sum::<f64>() / values.len() as f64),
    }
}
