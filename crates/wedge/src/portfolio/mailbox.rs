//! What waits to be written to a member's standard input.
//!
//! A member that is stopped does not read, and its pipe fills up; so the race only puts messages
//! into a mailbox, and a thread of its own writes them. News replace those of the same kind from
//! the same sender that were not written yet, and when there is no room the oldest ones go.
//! A mailbox is there before its member is, which so learns at its start what was said before.

use crate::sharing::{ModelKey, Share};
use std::collections::VecDeque;
use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

const ROOM: usize = 64;

/// Messages of the same sender, model and kind.
type Slot = (usize, ModelKey, u8);

/// The race's end of a mailbox, which is closed when this is dropped.
#[derive(Default)]
pub struct Mailbox {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    messages: VecDeque<(Slot, Arc<[u8]>)>,
    closed: bool,
}

impl Drop for Mailbox {
    fn drop(&mut self) {
        self.shared.queue().closed = true;
        self.shared.changed.notify_all();
    }
}

impl Mailbox {
    /// Puts a message in; `line` is the same one, ready to be written.
    pub fn put(&self, sender: usize, share: &Share, line: Arc<[u8]>) {
        let slot = (sender, share.model.clone(), share.news.kind());
        let mut queue = self.shared.queue();
        queue.messages.retain(|(old, _)| *old != slot);
        if queue.messages.len() >= ROOM {
            queue.messages.pop_front();
        }
        queue.messages.push_back((slot, line));
        self.shared.changed.notify_all();
    }

    /// Starts a thread that writes to `output` until the mailbox is closed. A member whose pipe is
    /// broken is gone, or will be noticed by the end of its output.
    pub fn deliver(&self, mut output: impl Write + Send + 'static) {
        let shared = self.shared.clone();
        std::thread::spawn(move || {
            while let Some(line) = shared.take() {
                if output.write_all(&line).and_then(|()| output.flush()).is_err() {
                    shared.wait_for_close();
                    return;
                }
            }
        });
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The next message; waits for one, none at the end.
    fn take(&self) -> Option<Arc<[u8]>> {
        let mut queue = self.queue();
        loop {
            match queue.messages.pop_front() {
                _ if queue.closed => return None,
                Some((_, line)) => return Some(line),
                None => {
                    let woken = self.changed.wait(queue);
                    queue = woken.unwrap_or_else(|poisoned| poisoned.into_inner());
                }
            }
        }
    }

    /// The pipe is kept until then: a member takes its end for the end of the race.
    fn wait_for_close(&self) {
        while self.take().is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Effort;
    use crate::sharing::News;
    use wedge_model::Circuit;

    fn bound(level: usize, bound: usize) -> (Share, Arc<[u8]>) {
        let effort = Effort { level, ..Effort::default() };
        let model = ModelKey::new(&effort, &Circuit::default());
        (
            Share { model, news: News::Bound(bound) },
            format!("{level}:{bound}\n").into_bytes().into(),
        )
    }

    fn put(mailbox: &Mailbox, sender: usize, level: usize, steps: usize) {
        let (share, line) = bound(level, steps);
        mailbox.put(sender, &share, line);
    }

    fn taken(mailbox: &Mailbox) -> Vec<String> {
        let waiting = mailbox.shared.queue().messages.len();
        let text = |line: Arc<[u8]>| String::from_utf8(line.to_vec()).unwrap();
        (0..waiting).filter_map(|_| mailbox.shared.take()).map(text).collect()
    }

    #[test]
    fn news_replace_older_ones() {
        let mailbox = Mailbox::default();
        put(&mailbox, 0, 0, 1);
        put(&mailbox, 1, 0, 2);
        put(&mailbox, 0, 1, 3);
        put(&mailbox, 0, 0, 4);
        assert_eq!(taken(&mailbox), ["0:2\n", "1:3\n", "0:4\n"]);
    }

    #[test]
    fn a_full_mailbox_drops_the_oldest() {
        let mailbox = Mailbox::default();
        (0..ROOM + 10).for_each(|level| put(&mailbox, 0, level, 1));
        let lines = taken(&mailbox);
        assert_eq!((lines.len(), lines[0].as_str()), (ROOM, "10:1\n"));
    }

    /// A pipe that nobody reads, which tells when it is closed.
    struct Stuck(Arc<Mutex<Vec<u8>>>);

    impl Write for Stuck {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn putting_never_waits_for_the_reader() {
        let written: Arc<Mutex<Vec<u8>>> = Arc::default();
        let mailbox = Mailbox::default();
        let guard = written.lock().unwrap();
        mailbox.deliver(Stuck(written.clone()));
        (0..1000).for_each(|steps| put(&mailbox, 0, 0, steps));
        drop(guard);
        let start = std::time::Instant::now();
        while !written.lock().unwrap().ends_with(b"0:999\n") && start.elapsed().as_secs() < 20 {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        assert!(written.lock().unwrap().ends_with(b"0:999\n"));
    }
}
