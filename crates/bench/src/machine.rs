//! The machine that this process runs on.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::OnceLock;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Machine {
    pub host: String,
    pub processor: String,
    pub cores: usize,
    /// In whole units of 2³⁰ bytes, which alike machines agree on.
    pub memory_gib: u64,
}

impl Machine {
    pub fn here() -> &'static Machine {
        static HERE: OnceLock<Machine> = OnceLock::new();
        HERE.get_or_init(|| {
            let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
            Machine::from(
                &read("/proc/sys/kernel/hostname"),
                &read("/proc/cpuinfo"),
                &read("/proc/meminfo"),
            )
        })
    }

    fn from(host: &str, processors: &str, memory: &str) -> Machine {
        let field = |text: &str, name: &str| -> Option<String> {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            Some(line.trim_start().strip_prefix(':')?.trim().to_string())
        };
        let unknown = || "unknown".to_string();
        let kilobytes = field(memory, "MemTotal")
            .and_then(|text| text.split_ascii_whitespace().next()?.parse::<f64>().ok());
        Machine {
            host: Some(host.trim()).filter(|h| !h.is_empty()).map_or_else(unknown, str::to_string),
            processor: field(processors, "model name").unwrap_or_else(unknown),
            cores: processors.lines().filter(|line| line.starts_with("processor")).count(),
            memory_gib: (kilobytes.unwrap_or(0.0) / f64::from(1 << 20)).round() as u64,
        }
    }

    /// Whether times from both can be compared.
    pub fn is_like(&self, other: &Machine) -> bool {
        let kind = |m: &Machine| (m.processor.clone(), m.cores, m.memory_gib);
        kind(self) == kind(other)
    }
}

/// Without the name: what kind of machine it is.
impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}, {} cores, {} GB", self.processor, self.cores, self.memory_gib)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn described_by_what_the_kernel_says() {
        let processors = "processor\t: 0\nmodel name\t: Quick 9\n\nprocessor\t: 1\n";
        let machine = Machine::from("n1\n", processors, "MemTotal:       24682000 kB\n");
        assert_eq!(machine.to_string(), "Quick 9, 2 cores, 24 GB");
        assert!(machine.is_like(&Machine { host: "n2".into(), ..machine.clone() }));
        assert!(!machine.is_like(&Machine { cores: 4, ..machine.clone() }));
        assert_eq!(Machine::from("", "", "").processor, "unknown");
        assert!(Machine::here().cores > 0);
    }
}
