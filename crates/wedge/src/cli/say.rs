//! Printing on standard output. Whoever reads it may go away (`wedge check … | head -1`), which is no
//! error of this program: it ends quietly then.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

/// What a shell says of a command that wrote to nobody: 128 and the number of SIGPIPE.
const NOBODY_READS: i32 = 141;

/// Writes at once, so that what was said is there even if this process is stopped.
pub fn write(text: Arguments) {
    let mut output = std::io::stdout().lock();
    match output.write_fmt(text).and_then(|()| output.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(NOBODY_READS),
        Err(error) => {
            eprintln!("wedge: standard output: {error}");
            std::process::exit(2);
        }
    }
}

macro_rules! say {
    ($($text:tt)*) => { $crate::cli::say::write(format_args!($($text)*)) };
}

macro_rules! sayln {
    ($($text:tt)*) => { $crate::cli::say::write(format_args!("{}\n", format_args!($($text)*))) };
}

pub(crate) use {say, sayln};
