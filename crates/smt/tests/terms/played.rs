//! Scripts that play solvers.

use std::path::PathBuf;

/// A folder with a script for a test of this name; it is removed at the end.
pub struct Played {
    folder: PathBuf,
    program: PathBuf,
}

impl Played {
    /// A program of this name that does what the script says.
    pub fn script(test: &str, name: &str, script: &str) -> Played {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::env::temp_dir().join(format!("wedge-smt-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the script");
        let program = folder.join(name);
        let text = format!("#!/bin/sh\nhere={}\n{script}\n", folder.display());
        std::fs::write(&program, text).expect("a file for the script");
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&program, executable).expect("the script is made executable");
        Played { folder, program }
    }

    /// A program that reads commands line by line: the cases say what is printed on which, and
    /// `echo` works. What it reads and its arguments are kept in a file.
    pub fn cases(test: &str, name: &str, cases: &str) -> Played {
        let script = format!(
            r#"echo "arguments: $*" >> $here/log
while IFS= read -r line; do
    printf '%s\n' "$line" >> $here/log
    case "$line" in
        '(echo '*) mark=${{line#*\"}}; echo "${{mark%\"*}}";;
        {cases}
    esac
done"#
        );
        Played::script(test, name, &script)
    }

    pub fn command(&self) -> String {
        self.program.display().to_string()
    }

    pub fn log(&self) -> String {
        self.file("log")
    }

    /// What the script has written to a file of its folder.
    pub fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).unwrap_or_default()
    }
}

impl Drop for Played {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
