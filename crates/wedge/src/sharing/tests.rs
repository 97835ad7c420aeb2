//! Two members, connected without a race.

use super::*;
use wedge_model::Reset;

/// Two latches, of which the second one never changes.
fn circuit() -> Circuit {
    let mut circuit = Circuit::default();
    let input = circuit.add_input();
    circuit.add_latch(Reset::Const(false));
    circuit.bad = circuit.add_latch(Reset::Const(false));
    circuit.latches[0].next = input;
    circuit
}

fn never_changes() -> Facts {
    let mut facts = Facts::none(2);
    facts.roots = vec![!facts.aig.input(1)];
    facts
}

/// A member, and what it has sent.
fn member() -> (Sharing, Arc<Mutex<Vec<Vec<u8>>>>) {
    let sent: Arc<Mutex<Vec<Vec<u8>>>> = Arc::default();
    let lines = sent.clone();
    let send = move |share: &Share| lines.lock().unwrap().push(serde_json::to_vec(share).unwrap());
    (Sharing::new(send), sent)
}

fn open(sharing: &Sharing, level: usize) -> (Shared, Context) {
    let context = Context::new(None);
    let effort = Effort { level, ..Effort::default() };
    (sharing.open(&effort, &circuit(), &context), context)
}

fn figure(context: &Context, key: figures::Key) -> f64 {
    context.figures().get(key).unwrap_or(0.0)
}

/// The lines that a member sends that has refuted three steps and found a fact, on level 1.
fn lines() -> Vec<Vec<u8>> {
    let (sharing, sent) = member();
    let (shared, _) = open(&sharing, 1);
    shared.bounds.refute(3);
    sharing.send_bound();
    sharing.send_bound();
    shared.poster.post(&never_changes());
    shared.poster.post(&never_changes());
    let lines = sent.lock().unwrap().clone();
    assert_eq!(lines.len(), 2, "nothing is sent twice");
    lines
}

#[test]
fn news_arrive_before_a_model_is_met_or_while_it_is() {
    let (sharing, sent) = member();
    lines().iter().for_each(|line| sharing.receive(line));
    let (shared, context) = open(&sharing, 1);
    assert!(shared.bounds.is_told(3) && !shared.bounds.is_told(4));
    assert_eq!(shared.listen(|_, _| {}).unwrap().roots.len(), 1);
    assert_eq!(
        (figure(&context, figures::SHARED_BOUNDS), figure(&context, figures::SHARED_FACTS)),
        (1.0, 1.0)
    );
    drop(shared);

    let (later, _) = member();
    let (shared, context) = open(&later, 1);
    let heard: Arc<Mutex<usize>> = Arc::default();
    let count = heard.clone();
    let known = shared.listen(move |facts, _| *count.lock().unwrap() += facts.roots.len());
    assert!(known.is_none());
    lines().iter().chain(&lines()).for_each(|line| later.receive(line));
    assert_eq!(*heard.lock().unwrap(), 1);
    assert!(shared.bounds.is_told(3));
    assert_eq!(
        (figure(&context, figures::SHARED_BOUNDS), figure(&context, figures::SHARED_FACTS)),
        (1.0, 1.0)
    );
    shared.poster.post(&never_changes());
    shared.bounds.refute(2);
    later.send_bound();
    assert!(sent.lock().unwrap().is_empty(), "what others know is not sent");
}

#[test]
fn news_about_another_model_are_not_taken() {
    let (sharing, _) = member();
    lines().iter().for_each(|line| sharing.receive(line));
    let (shared, context) = open(&sharing, 2);
    lines().iter().for_each(|line| sharing.receive(line));
    assert!(!shared.bounds.is_told(0) && shared.listen(|_, _| {}).is_none());
    assert_eq!(
        (figure(&context, figures::SHARED_BOUNDS), figure(&context, figures::SHARED_FACTS)),
        (0.0, 0.0)
    );
}

#[test]
fn nonsense_is_ignored() {
    let (sharing, _) = member();
    let (shared, _) = open(&sharing, 1);
    let mut count = 0;
    for line in lines() {
        for length in 0..line.len() - 1 {
            sharing.receive(&line[..length]);
        }
        let text = String::from_utf8(line).unwrap();
        let changes = [
            ("\"roots\":[", "\"roots\":[77,"),
            ("\"latches\":2,\"gates\":[]", "\"latches\":3,\"gates\":[]"),
            ("\"Bound\":3", "\"Bound\":-3"),
            ("\"digest\":", "\"digest\":1"),
        ];
        for (from, to) in changes.into_iter().filter(|(from, _)| text.contains(from)) {
            sharing.receive(text.replace(from, to).as_bytes());
            count += 1;
        }
    }
    assert_eq!(count, 5, "every change applies, the last one to both lines");
    sharing.receive(b"\xff\xfe{}");
    assert!(!shared.bounds.is_told(0) && shared.listen(|_, _| {}).is_none());
}

#[test]
fn a_search_that_is_over_posts_nothing() {
    let (sharing, sent) = member();
    let (first, _) = open(&sharing, 0);
    let poster = first.poster.clone();
    drop(first);
    poster.post(&never_changes());
    let (second, _) = open(&sharing, 1);
    poster.post(&never_changes());
    assert!(sent.lock().unwrap().is_empty());
    second.poster.post(&never_changes());
    assert_eq!(sent.lock().unwrap().len(), 1);
}

#[test]
fn lemmas_are_taken_but_not_worth_a_restart() {
    let (sharing, sent) = member();
    let (shared, _) = open(&sharing, 1);
    shared.poster.post_lemmas(&never_changes());
    let (other, _) = member();
    let (shared, _) = open(&other, 1);
    let heard: Arc<Mutex<Vec<bool>>> = Arc::default();
    let worth = heard.clone();
    shared.listen(move |_, is_worth_it| worth.lock().unwrap().push(is_worth_it));
    sent.lock().unwrap().iter().for_each(|line| other.receive(line));
    assert_eq!(*heard.lock().unwrap(), [false]);
    assert_eq!(shared.listen(|_, _| {}).unwrap().roots.len(), 1);
}
