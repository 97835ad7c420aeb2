//! Children that begin as copies of this process, so that what it holds in memory is theirs too.
//!
//! A nursery is a copy of this process that has one thread and waits for tasks. For each task it
//! prepares what later copies can use as well, and then copies itself: the new process shares all
//! memory with the nursery until one of them writes to it. The new process is handed over: this
//! process is the one that waits for it, stops it and kills it, as if it had started it itself. So
//! the nursery makes it with a process in between that ends at once, and this process asks the
//! system to become the parent of such orphans (Linux only; elsewhere there is no nursery).
//!
//! A first task that needs no preparation does not wait for the nursery: it is done by a copy of this
//! process, made before the nursery is.
//!
//! When the nursery dies, tasks that it has not begun end with the end of their output.

use crate::child::Process;
use crate::fork::{exit_at_once, fork};
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags,
};
use rustix::process::{Pid, getpid, getppid};
use std::collections::VecDeque;
use std::ffi::CString;
use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};

/// A task that is not prepared after so many attempts begins without the rest: no task has more than
/// two parts to prepare, and one that cannot be prepared must not hold up the others.
const MAX_PREPARATIONS: usize = 4;
/// No task is longer, in bytes.
const LONGEST_TASK: usize = 128 << 10;
/// Standard input and standard output.
const HANDLES: usize = 2;

/// What the copies do. No other thread may hold a lock that this needs while a nursery is opened.
pub trait Work {
    /// Whether a copy can begin with this task at once.
    fn is_prepared(&self, task: &[u8]) -> bool;
    /// Makes in the nursery a part of what this task needs and later ones may use. Must end all
    /// threads that it starts.
    fn prepare(&mut self, task: &[u8]);
    /// Does the task in a copy, with the pipes of [`Nursery::start`] as standard input and output;
    /// its exit status.
    fn perform(&mut self, task: &[u8]) -> u8;
    /// What the system calls the copy, of 15 bytes at most; for those who look at processes.
    fn name(&self, task: &[u8]) -> String;
}

pub struct Nursery {
    process: Process,
    socket: OwnedFd,
}

/// The ends of the pipes to a child of a nursery.
pub struct Pipes {
    pub stdin: File,
    pub stdout: File,
}

impl Nursery {
    /// Makes a copy that does the first task at once, if it can, and then a nursery; the pipes to
    /// that copy, if there is one. The calling thread has to outlive both, and what is in the buffer
    /// of standard output should be written before.
    #[cfg(target_os = "linux")]
    pub fn open(work: &mut dyn Work, first: &[u8]) -> (io::Result<Nursery>, Option<Pipes>) {
        let pipes = match work.is_prepared(first) {
            true => start_directly(work, first).ok(),
            false => None,
        };
        (Nursery::fork(work), pipes)
    }

    #[cfg(target_os = "linux")]
    fn fork(work: &mut dyn Work) -> io::Result<Nursery> {
        use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
        let this = getpid();
        rustix::process::set_child_subreaper(Some(this))?;
        let (domain, kind) = (AddressFamily::UNIX, SocketType::SEQPACKET);
        let (ours, theirs) = socketpair(domain, kind, SocketFlags::CLOEXEC, None)?;
        match fork()? {
            Some(pid) => Ok(Nursery { process: Process::of(pid), socket: ours }),
            None => {
                drop(ours);
                set_name("wedge nursery");
                end_with_parent(this);
                serve(theirs, this, work)
            }
        }
    }

    /// There is no nursery on this system.
    #[cfg(not(target_os = "linux"))]
    pub fn open(_: &mut dyn Work, _: &[u8]) -> (io::Result<Nursery>, Option<Pipes>) {
        (Err(io::ErrorKind::Unsupported.into()), None)
    }

    /// Asks for a copy that does this task. Its number is not known until it tells.
    pub fn start(&self, task: &[u8]) -> io::Result<Pipes> {
        if task.len() > LONGEST_TASK {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let (pipes, theirs) = pipes()?;
        let handles = [theirs[0].as_fd(), theirs[1].as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(HANDLES))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        ancillary.push(SendAncillaryMessage::ScmRights(&handles));
        let text = [IoSlice::new(task)];
        rustix::net::sendmsg(&self.socket, &text, &mut ancillary, SendFlags::NOSIGNAL)?;
        Ok(pipes)
    }

    /// The process of a copy that has told its number, which is a child of this process now.
    pub fn adopt(number: u32) -> Option<Process> {
        Pid::from_raw(i32::try_from(number).ok()?).map(Process::of)
    }

    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Resident memory in bytes.
    pub fn resident(&self) -> u64 {
        self.process.resident()
    }
}

/// Our ends of two pipes, and theirs: standard input and output.
fn pipes() -> io::Result<(Pipes, [OwnedFd; HANDLES])> {
    let pipe = || rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC);
    let (their_input, our_end) = pipe()?;
    let (our_output, their_output) = pipe()?;
    let ours = Pipes { stdin: File::from(our_end), stdout: File::from(our_output) };
    Ok((ours, [their_input, their_output]))
}

/// A copy of this process that does the task.
#[cfg(target_os = "linux")]
fn start_directly(work: &mut dyn Work, task: &[u8]) -> io::Result<Pipes> {
    let this = getpid();
    let (ours, theirs) = pipes()?;
    match fork()? {
        Some(_) => Ok(ours),
        None => {
            // Whoever kept our ends would keep the task alive.
            drop(ours);
            live(task, theirs, this, work)
        }
    }
}

/// A task that waits in the nursery, with its standard input and output.
struct Waiting {
    task: Vec<u8>,
    handles: [OwnedFd; HANDLES],
    /// How often something was prepared for it.
    preparations: usize,
}

/// The nursery: never returns, since all that follows the opening is for the other process.
fn serve(socket: OwnedFd, parent: Pid, work: &mut dyn Work) -> ! {
    let mut queue: VecDeque<Waiting> = VecDeque::new();
    loop {
        loop {
            match receive(&socket, !queue.is_empty()) {
                Ok(Some(waiting)) => queue.push_back(waiting),
                Err(Errno::AGAIN) => break,
                Err(Errno::INTR) => {}
                Ok(None) | Err(_) => exit_at_once(0),
            }
        }
        // A task that needs no preparation does not wait for one that does.
        let is_ready = |waiting: &Waiting| {
            waiting.preparations >= MAX_PREPARATIONS || work.is_prepared(&waiting.task)
        };
        let Some(next) = queue.iter().position(is_ready) else {
            if let Some(first) = queue.front_mut() {
                first.preparations += 1;
                work.prepare(&first.task);
            }
            continue;
        };
        let Some(waiting) = queue.remove(next) else { continue };
        if give_birth() {
            // Whoever kept these would seem to be the nursery, or another task.
            drop((socket, queue));
            live(&waiting.task, waiting.handles, parent, work);
        }
    }
}

/// The next task; none at the end.
fn receive(socket: &OwnedFd, at_once: bool) -> Result<Option<Waiting>, Errno> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(HANDLES))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut task = vec![0; LONGEST_TASK];
    let mut flags = RecvFlags::CMSG_CLOEXEC;
    flags.set(RecvFlags::DONTWAIT, at_once);
    let mut text = [IoSliceMut::new(&mut task)];
    let received = rustix::net::recvmsg(socket, &mut text, &mut ancillary, flags)?;
    task.truncate(received.bytes);
    let mut handles: Vec<OwnedFd> = Vec::new();
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            handles.extend(rights);
        }
    }
    let handles = handles.try_into().ok();
    Ok(handles.map(|handles| Waiting { task, handles, preparations: 0 }))
}

/// Copies the nursery twice: the one in between ends at once, and `parent` gets its child. Whether
/// this is the child.
fn give_birth() -> bool {
    match fork() {
        // The task ends with its output, and is tried another way.
        Err(_) => false,
        Ok(Some(between)) => {
            let _ = Process::of(between).wait();
            false
        }
        Ok(None) => {
            let between = getpid();
            match fork() {
                Ok(None) => {}
                Ok(Some(_)) | Err(_) => exit_at_once(0),
            }
            while getppid() == Some(between) {
                std::thread::yield_now();
            }
            true
        }
    }
}

/// The life of a child.
fn live(task: &[u8], handles: [OwnedFd; HANDLES], parent: Pid, work: &mut dyn Work) -> ! {
    end_with_parent(parent);
    set_name(&work.name(task));
    if take_pipes(handles).is_err() {
        exit_at_once(1);
    }
    exit_at_once(work.perform(task))
}

/// The pipes become standard input and output.
fn take_pipes(handles: [OwnedFd; HANDLES]) -> Result<(), Errno> {
    rustix::stdio::dup2_stdin(&handles[0])?;
    rustix::stdio::dup2_stdout(&handles[1])
}

/// A name is for people: it does not matter if it cannot be set.
fn set_name(name: &str) {
    if let Ok(name) = CString::new(name) {
        let _ = rustix::thread::set_name(&name);
    }
}

/// Ends this process with its parent, or now if that has ended.
fn end_with_parent(parent: Pid) {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    if getppid() != Some(parent) {
        exit_at_once(1);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::Exit;
    use std::io::{BufRead, BufReader, Write};

    /// Answers with its number, what was prepared, and the task; then waits for the end of input.
    #[derive(Default)]
    struct Echo {
        prepared: usize,
    }

    impl Work for Echo {
        fn is_prepared(&self, task: &[u8]) -> bool {
            self.prepared > 0 || task.starts_with(b"quick")
        }

        fn prepare(&mut self, task: &[u8]) {
            if task == b"deadly" {
                exit_at_once(9);
            }
            self.prepared += 1;
        }

        fn perform(&mut self, task: &[u8]) -> u8 {
            let text = String::from_utf8_lossy(task);
            let line = format!("{} {} {text}\n", std::process::id(), self.prepared);
            let mut output = File::from(rustix::io::dup(rustix::stdio::stdout()).unwrap());
            output.write_all(line.as_bytes()).unwrap();
            let input = File::from(rustix::io::dup(rustix::stdio::stdin()).unwrap());
            let _ = BufReader::new(input).read_line(&mut String::new());
            7
        }

        fn name(&self, _: &[u8]) -> String {
            "echo".into()
        }
    }

    /// A nursery without a task that is done directly.
    fn open(work: &mut dyn Work) -> Nursery {
        let (nursery, pipes) = Nursery::open(work, b"slow");
        assert!(pipes.is_none());
        nursery.unwrap()
    }

    fn first_line(pipes: &Pipes) -> String {
        let mut line = String::new();
        BufReader::new(pipes.stdout.try_clone().unwrap()).read_line(&mut line).unwrap();
        line.trim_end().to_string()
    }

    fn number(line: &str) -> u32 {
        line.split(' ').next().unwrap().parse().unwrap()
    }

    #[test]
    fn copies_share_what_was_prepared_and_are_children_of_this_process() {
        let nursery = open(&mut Echo::default());
        let tasks = ["quick one", "slow", "slow again"];
        let pipes: Vec<Pipes> =
            tasks.iter().map(|task| nursery.start(task.as_bytes()).unwrap()).collect();
        let lines: Vec<String> = pipes.iter().map(first_line).collect();
        for ((line, task), prepared) in lines.iter().zip(tasks).zip([0, 1, 1]) {
            assert_eq!(*line, format!("{} {prepared} {task}", number(line)));
        }
        for (line, pipes) in lines.iter().zip(pipes) {
            let mut child = Nursery::adopt(number(line)).unwrap();
            assert!(child.resident() > 0 && child.ended().is_none());
            drop(pipes);
            assert_eq!(child.wait(), Exit::Code(7));
        }
    }

    #[test]
    fn a_copy_can_be_killed_and_the_nursery_lives_on() {
        let nursery = open(&mut Echo::default());
        let pipes = nursery.start(b"quick").unwrap();
        let mut child = Nursery::adopt(number(&first_line(&pipes))).unwrap();
        child.kill();
        assert_eq!(child.wait(), Exit::Signal(9));
        assert!(first_line(&nursery.start(b"quick").unwrap()).ends_with(" 0 quick"));
    }

    #[test]
    fn the_first_task_does_not_wait_for_the_nursery() {
        let (nursery, pipes) = Nursery::open(&mut Echo::default(), b"quick first");
        let nursery = nursery.unwrap();
        let pipes = pipes.unwrap();
        nursery.process.kill();
        let line = first_line(&pipes);
        assert_eq!(line, format!("{} 0 quick first", number(&line)));
        let mut child = Nursery::adopt(number(&line)).unwrap();
        drop(pipes);
        assert_eq!(child.wait(), Exit::Code(7));
    }

    /// Its children do not keep the way to the nursery open.
    #[test]
    fn a_dead_nursery_takes_no_tasks() {
        let nursery = open(&mut Echo::default());
        let alive = nursery.start(b"quick").unwrap();
        let mut child = Nursery::adopt(number(&first_line(&alive))).unwrap();
        nursery.process.kill();
        let start = std::time::Instant::now();
        while nursery.start(b"quick").is_ok() && start.elapsed().as_secs() < 20 {
            std::thread::yield_now();
        }
        assert!(nursery.start(b"quick").is_err());
        drop(alive);
        assert_eq!(child.wait(), Exit::Code(7));
    }

    #[test]
    fn tasks_of_a_nursery_that_dies_end_with_their_output() {
        let nursery = open(&mut Echo::default());
        let pipes = nursery.start(b"deadly").unwrap();
        assert_eq!(first_line(&pipes), "");
        assert!(nursery.start(b"quick").map_or(true, |pipes| first_line(&pipes).is_empty()));
    }
}
