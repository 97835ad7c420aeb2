//! The two system calls that copies of a process need and that safe Rust does not have.

#![allow(unsafe_code)]

use rustix::process::Pid;
use std::io;

/// Copies this process; the number of the copy, and nothing in the copy itself.
///
/// The copy has one thread, this one. It must not wait for a lock that another thread held.
pub fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: the call itself has no precondition. What the copy may do is up to the caller: the
    // allocator's locks are released in the copy by the C library, and `nursery` says what else.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        number => Ok(Pid::from_raw(number)),
    }
}

/// Ends this process without running exit handlers, which belong to the one it is a copy of.
pub fn exit_at_once(status: u8) -> ! {
    // SAFETY: the call has no precondition and does not return.
    unsafe { libc::_exit(i32::from(status)) }
}
