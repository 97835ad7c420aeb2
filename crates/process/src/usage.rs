//! What processes use, as the system tells.

use crate::cgroup;

/// Resident memory in bytes of a process by its name in `/proc`, such as `self`.
pub fn resident(process: &str) -> u64 {
    let statm = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages: Option<u64> = statm.split_ascii_whitespace().nth(1).and_then(|f| f.parse().ok());
    pages.unwrap_or(0) * rustix::param::page_size() as u64
}

/// Memory of a process in bytes where what it shares with others is divided among them; its
/// resident memory where the system does not tell.
pub fn proportional(pid: u32) -> u64 {
    let rollup = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kilobytes = line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse().ok());
    kilobytes.map_or_else(|| resident(&pid.to_string()), |kilobytes: u64| kilobytes * 1024)
}

/// Processor seconds of this process so far; 0 where the system does not tell.
pub fn own_cpu_seconds() -> f64 {
    cpu_seconds(std::process::id()).unwrap_or(0.0)
}

/// How much memory new processes can use, in bytes, where the system tells: what is free, but no more
/// than the control groups of this process leave.
pub fn available_memory() -> Option<u64> {
    [free_memory(), cgroup::memory_left()].into_iter().flatten().min()
}

fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Resident memory of a process and all its descendants, where the system tells.
pub fn tree_resident(pid: u32) -> u64 {
    let below: u64 = children(pid).into_iter().map(tree_resident).sum();
    resident(&pid.to_string()) + below
}

/// Processor seconds of a process and all its descendants, also of those that were waited for.
pub fn tree_cpu_seconds(pid: u32) -> f64 {
    let below: f64 = children(pid).into_iter().map(tree_cpu_seconds).sum();
    cpu_seconds(pid).unwrap_or(0.0) + below
}

fn children(pid: u32) -> Vec<u32> {
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    let children = children.unwrap_or_default();
    children.split_ascii_whitespace().filter_map(|child| child.parse().ok()).collect()
}

/// utime + stime + cutime + cstime, fields 14 to 17 of `/proc/PID/stat`. The second field is
/// the program's name in parentheses and may itself contain spaces and parentheses.
pub(crate) fn cpu_seconds(pid: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let after_name = &stat[stat.rfind(')')? + 1..];
    let fields: Vec<&str> = after_name.split_ascii_whitespace().collect();
    let ticks: u64 = fields.get(11..15)?.iter().filter_map(|f| f.parse::<u64>().ok()).sum();
    Some(ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
}
