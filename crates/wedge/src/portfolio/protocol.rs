//! What a member of a portfolio says on its standard output.
//!
//! Every message is one line of JSON; an answer is followed by the bytes of its witness and its
//! certificate, whose lengths the line gives. The last message is the answer.

use crate::answer::Answer;
use crate::decide::{Decision, check_property};
use crate::input::{InputError, Model};
use crate::options::Options;
use crate::sharing::{Share, Sharing};
use crate::verdict::{Said, Verdict};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use wedge_engines::{Context, Figures, UnknownReason, figures, registry};

#[derive(Serialize, Deserialize)]
enum Message {
    /// The member with this number is on its leash and may be stopped: it will not outlive this
    /// process.
    Ready(u32),
    Progress(Figures),
    /// Whether an answer is at hand, of which the evidence is being checked.
    Checking(bool),
    /// For the other members.
    Share(Share),
    Answer {
        verdict: Decided,
        answer: Box<Answer>,
        witness: Option<usize>,
        certificate: Option<usize>,
    },
}

/// A verdict on its way from the process that has checked its evidence.
#[derive(Serialize, Deserialize)]
enum Decided {
    True,
    False(String),
    Unknown(UnknownReason),
}

impl From<&Verdict> for Decided {
    fn from(verdict: &Verdict) -> Decided {
        match verdict.said().clone() {
            Said::True => Decided::True,
            Said::False(what) => Decided::False(what),
            Said::Unknown(reason) => Decided::Unknown(reason),
        }
    }
}

impl From<Decided> for Verdict {
    fn from(decided: Decided) -> Verdict {
        Verdict::received(match decided {
            Decided::True => Said::True,
            Decided::False(what) => Said::False(what),
            Decided::Unknown(reason) => Said::Unknown(reason),
        })
    }
}

const INTERVAL: Duration = Duration::from_millis(200);

/// Where a member writes; usually its standard output.
pub type Output = Arc<Mutex<dyn Write + Send>>;

/// The member's end of the line to the race.
pub struct Line {
    output: Output,
    sharing: Sharing,
}

impl Line {
    /// With `sharing`, bounds and invariants are exchanged with the other members.
    pub fn new(output: Output, sharing: bool) -> Line {
        let line = output.clone();
        let sharing = match sharing {
            false => Sharing::default(),
            // A race that is over does not read any more.
            true => Sharing::new(move |share| {
                let _ = write(&line, &Message::Share(share.clone()));
            }),
        };
        Line { output, sharing }
    }

    /// Tells the race that this process is on its leash and may be stopped.
    pub fn report_ready(&self) -> io::Result<()> {
        write(&self.output, &Message::Ready(std::process::id()))
    }

    /// What takes the messages of other members, one per line of standard input.
    pub fn receiver(&self) -> impl FnMut(&[u8]) + Send + 'static {
        let sharing = self.sharing.clone();
        move |line| sharing.receive(line)
    }
}

/// Runs as a member: one engine on one property, with messages instead of the usual output. Returns
/// the exit status.
pub fn member(
    model: &Arc<dyn Model>,
    options: &Options,
    engine: &'static registry::Entry,
    start: Instant,
    line: &Line,
) -> io::Result<u8> {
    let Line { output, sharing } = line;
    let mut last = Instant::now();
    let (mut was_checking, mut is_searching) = (false, false);
    let mut observe = |context: &Context, checking: bool| {
        sharing.send_bound();
        if checking != was_checking {
            was_checking = checking;
            let _ = write(output, &Message::Checking(checking));
        }
        let steps = !is_searching && context.figures().get(figures::FIRST_STEP).is_some();
        if steps || last.elapsed() >= INTERVAL {
            is_searching |= steps;
            last = Instant::now();
            let _ = write(output, &Message::Progress(context.figures()));
        }
    };
    let decision = check_property(options, engine, model, start, sharing, &mut observe);
    // What is to be said of a long run takes time, and the others cannot answer sooner.
    if decision.is_decided() {
        let _ = write(output, &Message::Checking(true));
    }
    let answer = answer(decision, options);
    let status = answer.verdict.exit_status();
    send(&mut *locked(output), answer).map(|()| status)
}

fn locked(output: &Output) -> MutexGuard<'_, dyn Write + Send + 'static> {
    output.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Without the evidence that was asked for, a member has nothing to say.
fn answer(decision: Decision, options: &Options) -> Answer {
    decision.answer(options).unwrap_or_else(|InputError(cause)| {
        Answer::bare(options.asked(), UnknownReason::Internal(cause).into())
    })
}

fn write(output: &Output, message: &Message) -> io::Result<()> {
    write_to(&mut *locked(output), message)
}

fn write_to(output: &mut dyn Write, message: &Message) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

fn send(output: &mut dyn Write, mut answer: Answer) -> io::Result<()> {
    let witness = answer.files.witness.take();
    let certificate = answer.files.certificate.take();
    let length = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(Vec::len);
    let (w, c) = (length(&witness), length(&certificate));
    let (verdict, answer) = (Decided::from(&answer.verdict), Box::new(answer));
    write_to(output, &Message::Answer { verdict, answer, witness: w, certificate: c })?;
    for bytes in [witness, certificate].into_iter().flatten() {
        output.write_all(&bytes)?;
    }
    output.flush()
}

/// What a message means to the one who receives it.
pub enum Event {
    Ready(u32),
    Progress(Figures),
    Checking(bool),
    Share(Share),
    Answer(Box<Answer>),
}

/// The next message; none at the end of the input or when it makes no sense, as after a crash in
/// the middle of a message.
pub fn receive(input: &mut impl BufRead) -> Option<Event> {
    let mut line = String::new();
    input.read_line(&mut line).ok()?;
    match serde_json::from_str(&line).ok()? {
        Message::Ready(number) => Some(Event::Ready(number)),
        Message::Progress(figures) => Some(Event::Progress(figures)),
        Message::Checking(checking) => Some(Event::Checking(checking)),
        Message::Share(share) => Some(Event::Share(share)),
        Message::Answer { verdict, mut answer, witness, certificate } => {
            answer.verdict = verdict.into();
            answer.files.witness = bytes(input, witness)?;
            answer.files.certificate = bytes(input, certificate)?;
            Some(Event::Answer(answer))
        }
    }
}

/// The outer option is about the input, the inner one about the file.
fn bytes(input: &mut impl BufRead, length: Option<usize>) -> Option<Option<Vec<u8>>> {
    let Some(length) = length else { return Some(None) };
    let mut bytes = Vec::new();
    input.take(length as u64).read_to_end(&mut bytes).ok()?;
    (bytes.len() == length).then_some(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Effort;
    use crate::question::Question;
    use crate::sharing::{ModelKey, News};
    use wedge_engines::figures;
    use wedge_model::Circuit;
    use wedge_report::shown::Waveform;

    fn sample() -> Answer {
        let mut answer =
            Answer::bare(Question::one(3), Verdict::received(Said::False("bad".into())));
        answer.evidence = "counterexample".into();
        answer.figures.add(figures::LEMMAS, 2.5);
        answer.files.witness = Some(b"1\nb3\n".to_vec());
        answer.files.certificate = Some(vec![0, 10, 255, b'{']);
        answer.files.waveform = Some(Waveform { steps: 1, ..Waveform::default() });
        answer
    }

    fn share() -> Share {
        let model = ModelKey::new(&Effort::default(), &Circuit::default());
        Share { model, news: News::Bound(9) }
    }

    #[test]
    fn an_answer_arrives_with_its_files() {
        let mut pipe = Vec::new();
        write_to(&mut pipe, &Message::Ready(5)).unwrap();
        write_to(&mut pipe, &Message::Progress(Figures { bound: 7, ..Figures::default() }))
            .unwrap();
        write_to(&mut pipe, &Message::Checking(true)).unwrap();
        write_to(&mut pipe, &Message::Share(share())).unwrap();
        send(&mut pipe, sample()).unwrap();
        let mut input = pipe.as_slice();
        assert!(matches!(receive(&mut input), Some(Event::Ready(5))));
        let Some(Event::Progress(figures)) = receive(&mut input) else { panic!("no progress") };
        assert_eq!(figures.bound, 7);
        assert!(matches!(receive(&mut input), Some(Event::Checking(true))));
        let Some(Event::Share(shared)) = receive(&mut input) else { panic!("no share") };
        assert_eq!(shared, share());
        let Some(Event::Answer(answer)) = receive(&mut input) else { panic!("no answer") };
        assert_eq!(
            (&answer.question, &answer.verdict),
            (&Question::one(3), &Verdict::received(Said::False("bad".into())))
        );
        assert_eq!(answer.figures.get(figures::LEMMAS), Some(2.5));
        assert_eq!(answer.files.witness, sample().files.witness);
        assert_eq!(answer.files.certificate, sample().files.certificate);
        assert_eq!(answer.files.waveform, sample().files.waveform);
        assert!(receive(&mut input).is_none());
    }

    #[test]
    fn a_message_cut_short_is_none() {
        let mut pipe = Vec::new();
        send(&mut pipe, sample()).unwrap();
        for length in 0..pipe.len() {
            assert!(receive(&mut &pipe[..length]).is_none(), "{length} bytes");
        }
    }
}
