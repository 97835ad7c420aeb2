//! A process that does not outlive the one that started it.
//!
//! The starter keeps the writing end of the child's standard input. When the starter ends, however
//! it ends, the kernel closes the pipe, and a thread of the child that has been reading it ends the
//! child. A child that is stopped at that moment would not notice, so on Linux it also asks for a
//! kill signal on the death of its parent. That signal follows the thread that started the child:
//! start children from a thread that outlives them.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};

/// Longer lines of input are skipped.
const LONGEST_LINE: u64 = 16 << 20;

/// Ends this process when the one that started it is gone.
pub fn hold() {
    hold_and_hear(|_| {});
}

/// The same, and `hear` is given every whole line that the starter writes.
pub fn hold_and_hear(hear: impl FnMut(&[u8]) + Send + 'static) {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    // A handle of its own: in a copy of a process the lock of the usual one may never be released.
    let input = rustix::io::dup(rustix::stdio::stdin()).map(File::from);
    std::thread::spawn(move || {
        if let Ok(input) = input {
            read_to_the_end(input, hear);
        }
        end_at_once();
    });
}

fn read_to_the_end(input: impl Read, mut hear: impl FnMut(&[u8])) {
    let mut input = BufReader::new(input);
    let (mut line, mut skips) = (Vec::new(), false);
    loop {
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return,
        }
        let is_whole = line.last() == Some(&b'\n');
        if is_whole && !skips {
            hear(&line[..line.len() - 1]);
        }
        skips = !is_whole;
        line.clear();
    }
}

/// Without running exit handlers, which must not meet threads that are still at work.
fn end_at_once() -> ! {
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    std::process::exit(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_are_heard() {
        let mut long = vec![b'x'; LONGEST_LINE as usize + 5];
        long.extend(b"\nfirst\n\nsecond\ncut sh");
        let mut heard = Vec::new();
        read_to_the_end(long.as_slice(), |line| heard.push(line.to_vec()));
        assert_eq!(heard, [b"first".to_vec(), Vec::new(), b"second".to_vec()]);
    }
}
