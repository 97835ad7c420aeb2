//! A process that does not outlive the one that started it.
//!
//! The starter keeps the writing end of the child's standard input and never writes to it. When
//! the starter ends, however it ends, the kernel closes the pipe, and a thread of the child that
//! has been reading it ends the child. A child that is stopped at that moment would not notice,
//! so on Linux it also asks for a kill signal on the death of its parent. That signal follows the
//! thread that started the child: start children from a thread that outlives them.

use std::io::{ErrorKind, Read};

/// Ends this process when the one that started it is gone.
pub fn hold() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    std::thread::spawn(|| {
        wait_for_end_of_input();
        end_at_once();
    });
}

fn wait_for_end_of_input() {
    let mut input = std::io::stdin().lock();
    let mut buffer = [0u8; 64];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Without running exit handlers, which must not meet threads that are still at work.
fn end_at_once() -> ! {
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    std::process::exit(1)
}
