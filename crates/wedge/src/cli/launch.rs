//! Members of a portfolio: this program again, with its own arguments and more.

use std::ffi::OsString;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use wedge::portfolio::{Line, member};
use wedge::{Choice, InputError, Launcher, MemberTask, Model, Options};
use wedge_process::leash;
use wedge_process::units::duration_argument;

/// Starts this program as a member, with the arguments of `wedge check`. Of an argument that is given
/// twice the last one counts.
pub struct SameProgram {
    /// Those behind the name of the program.
    pub arguments: Vec<OsString>,
}

impl SameProgram {
    /// With the arguments of this process.
    pub fn again() -> SameProgram {
        SameProgram { arguments: std::env::args_os().skip(1).collect() }
    }
}

impl Launcher for SameProgram {
    fn command(&self, task: &MemberTask) -> Command {
        let mut arguments = self.arguments.clone();
        let mut extra = vec!["--engine".to_string(), task.engine.to_string()];
        if let Some(objects) = task.objects {
            extra.extend(["--objects".to_string(), objects.to_string()]);
        }
        for (option, value) in task.settings {
            extra.push(format!("--{}", option.name));
            extra.extend((!value.is_empty()).then(|| value.to_string()));
        }
        extra.extend(["--member".to_string(), task.question.to_string()]);
        if let Some(timeout) = task.timeout {
            extra.extend(["--timeout".to_string(), duration_argument(timeout)]);
        }
        for point in &task.settled {
            extra.extend(["--settled".to_string(), point.text()]);
        }
        if let Some(memory) = task.memory {
            extra.extend(["--memory".to_string(), memory.to_string()]);
        }
        let end = arguments.iter().position(|a| a == "--").unwrap_or(arguments.len());
        arguments.splice(end..end, extra.into_iter().map(OsString::from));
        let program = std::env::current_exe().unwrap_or_else(|_| "wedge".into());
        let mut command = Command::new(program);
        command.args(arguments);
        command
    }
}

/// Puts this process on its leash and reports to the race.
pub fn report(is_sharing: bool) -> Result<Line, InputError> {
    let line = Line::new(Arc::new(Mutex::new(std::io::stdout())), is_sharing);
    leash::hold_and_hear(line.receiver());
    line.report_ready().map_err(cannot_report)?;
    Ok(line)
}

/// Works as a member until the answer is sent.
pub fn work(
    model: &Arc<dyn Model>,
    options: &Options,
    start: Instant,
    line: &Line,
) -> Result<u8, InputError> {
    let Choice::Engine(engine) = options.engine else {
        return Err(InputError("a member of a portfolio is a single engine".into()));
    };
    member(model, options, engine, start, line).map_err(cannot_report)
}

fn cannot_report(error: std::io::Error) -> InputError {
    InputError(format!("cannot report to the portfolio: {error}"))
}
