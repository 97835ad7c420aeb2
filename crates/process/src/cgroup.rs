//! The memory limits of control groups, versions 1 and 2.
//!
//! A process belongs to a group, `/proc/self/cgroup` says which, and the limits of all groups above it
//! count as well. In a container the groups above may be hidden, and its own is the root.

use std::path::{Path, PathBuf};

const MOUNT: &str = "/sys/fs/cgroup";

/// How many bytes the groups of this process leave it; none if there is no limit.
pub fn memory_left() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    left(Path::new(MOUNT), &groups)
}

/// The least that any group leaves. `groups` are lines `ID:CONTROLLERS:PATH`, without controllers in
/// version 2.
fn left(mount: &Path, groups: &str) -> Option<u64> {
    let mut least = None;
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let root = match controllers {
            "" => mount.to_path_buf(),
            names if names.split(',').any(|name| name == "memory") => mount.join("memory"),
            _ => continue,
        };
        // From the group itself upwards.
        let mut group = PathBuf::from(path.trim_start_matches('/'));
        loop {
            let here = left_in(&root.join(&group), controllers.is_empty());
            least = [least, here].into_iter().flatten().min();
            if !group.pop() {
                break;
            }
        }
    }
    least
}

/// What is left of the limit of one group.
fn left_in(group: &Path, second: bool) -> Option<u64> {
    let (limit, usage) = match second {
        true => ("memory.max", "memory.current"),
        false => ("memory.limit_in_bytes", "memory.usage_in_bytes"),
    };
    // A group without a limit says "max", or a number beyond all memory.
    let limit = number(&group.join(limit)).filter(|&limit| limit < 1 << 60)?;
    let used = number(&group.join(usage)).unwrap_or(0);
    // Files that were read count as used until their memory is needed.
    let cached = cached(&group.join("memory.stat")).unwrap_or(0);
    Some(limit.saturating_sub(used.saturating_sub(cached)))
}

fn number(path: &Path) -> Option<u64> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}

fn cached(path: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("inactive_file "))?;
    line.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    }

    #[test]
    fn the_least_of_all_groups_counts() {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ("a/memory.max", "1000\n"),
            ("a/memory.current", "300\n"),
            ("a/memory.stat", "anon 5\ninactive_file 100\n"),
            ("a/b/memory.max", "max\n"),
            ("memory/c/memory.limit_in_bytes", "700"),
            ("memory/c/memory.usage_in_bytes", "100"),
            ("memory/memory.limit_in_bytes", "9223372036854771712"),
        ];
        write(folder.path(), &files);
        assert_eq!(left(folder.path(), "0::/a/b\n"), Some(800));
        assert_eq!(left(folder.path(), "4:cpu:/c\n3:memory:/c\n0::/\n"), Some(600));
        assert_eq!(left(folder.path(), "0::/\n"), None);
        assert_eq!(left(folder.path(), "0::/gone/elsewhere\n"), None);
    }

    #[test]
    fn a_group_that_is_full_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &[("memory.max", "10"), ("memory.current", "50")]);
        assert_eq!(left(folder.path(), "0::/\n"), Some(0));
    }
}
