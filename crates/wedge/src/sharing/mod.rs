//! What a member of a portfolio tells the others about the model at hand, and learns from them.
//!
//! Members send bounds and invariants over their standard output, and the race passes them on to
//! the standard input of all others. None of it is believed: invariants that a proof rests on are
//! a part of its evidence, which is checked on the circuit as read, and so are the paths that a
//! bound has spared. A wrong message can cost an answer; it cannot make a wrong one.
//!
//! Facts are sent together with all that they rest on, so that it does not matter which messages
//! get lost.

mod message;

pub use message::{ModelKey, News, Share, conjuncts};

use crate::input::Effort;
use message::FactsInWords;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use wedge_engines::Context;
use wedge_engines::bounds::KnownBounds;
use wedge_engines::figures;
use wedge_logic::Lit;
use wedge_model::{Circuit, Facts};

/// How many models are remembered that were not met yet, and messages with facts about each.
const MAX_MODELS: usize = 64;
const MAX_MESSAGES: usize = 16;
/// KnownBounds are not sent more often.
const INTERVAL: Duration = Duration::from_millis(50);

/// The member's side of the exchange; without one, nothing is sent or received.
#[derive(Clone, Default)]
pub struct Sharing {
    hub: Option<Arc<Hub>>,
}

type Sender = Box<dyn Fn(&Share) + Send + Sync>;
/// Hears of facts, and whether they are worth starting again with.
type Listener = Box<dyn Fn(&Facts, bool) + Send>;

struct Hub {
    send: Sender,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    current: Option<Current>,
    /// How many models were met; the last one is the model at hand.
    met: usize,
    received: BTreeMap<ModelKey, Received>,
}

/// What was received about a model.
#[derive(Default)]
struct Received {
    bound: Option<usize>,
    facts: Vec<News>,
}

/// The model at hand.
struct Current {
    key: ModelKey,
    context: Context,
    bounds: KnownBounds,
    /// The facts that were found or received; they are inductive together.
    known: Facts,
    listener: Option<Listener>,
    last_sent: Option<(usize, Instant)>,
}

impl Sharing {
    pub fn new(send: impl Fn(&Share) + Send + Sync + 'static) -> Sharing {
        let hub = Hub { send: Box::new(send), state: Mutex::default() };
        Sharing { hub: Some(Arc::new(hub)) }
    }

    /// Takes a message; one that makes no sense is ignored.
    pub fn receive(&self, line: &[u8]) {
        if let (Some(hub), Ok(share)) = (&self.hub, serde_json::from_slice::<Share>(line)) {
            hub.state().receive(share);
        }
    }

    /// Turns to a model: what was received about it is there, what comes in later is told.
    pub fn open(&self, effort: &Effort, circuit: &Circuit, context: &Context) -> Shared {
        let Some(hub) = &self.hub else { return Shared::default() };
        let bounds = KnownBounds::default();
        let mut current = Current {
            key: ModelKey::new(effort, circuit),
            context: context.clone(),
            bounds: bounds.clone(),
            known: Facts::none(circuit.latches.len()),
            listener: None,
            last_sent: None,
        };
        let mut state = hub.state();
        if let Some(received) = state.received.remove(&current.key) {
            received.news().for_each(|news| current.take(news));
        }
        state.current = Some(current);
        state.met += 1;
        Shared { poster: Poster { hub: Some(hub.clone()), number: state.met }, bounds }
    }

    /// Sends the bound that the engine has come to, if it is new.
    pub fn send_bound(&self) {
        let Some(hub) = &self.hub else { return };
        let news = hub.state().current.as_mut().and_then(Current::own_bound);
        news.iter().for_each(|share| (hub.send)(share));
    }
}

impl Hub {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl State {
    fn receive(&mut self, share: Share) {
        match &mut self.current {
            Some(current) if current.key == share.model => current.take(share.news),
            _ => self.remember(share),
        }
    }

    fn remember(&mut self, Share { model, news }: Share) {
        if self.received.len() >= MAX_MODELS && !self.received.contains_key(&model) {
            return;
        }
        let received = self.received.entry(model).or_default();
        match news {
            News::Bound(bound) => received.bound = received.bound.max(Some(bound)),
            News::Facts(_) | News::Lemmas(_) => {
                if received.facts.len() >= MAX_MESSAGES {
                    received.facts.remove(0);
                }
                received.facts.push(news);
            }
        }
    }
}

impl Received {
    fn news(self) -> impl Iterator<Item = News> {
        self.bound.into_iter().map(News::Bound).chain(self.facts)
    }
}

impl Current {
    fn take(&mut self, news: News) {
        match news {
            News::Bound(bound) => {
                if self.bounds.tell(bound) {
                    self.context.record(|figures| figures.add(figures::SHARED_BOUNDS, 1.0));
                }
            }
            News::Facts(words) => self.take_facts(&words, true),
            News::Lemmas(words) => self.take_facts(&words, false),
        }
    }

    fn take_facts(&mut self, words: &FactsInWords, is_worth_it: bool) {
        let Some(facts) = words.facts(self.known.aig.num_inputs()) else { return };
        let news = self.learn(&facts);
        if news.is_empty() {
            return;
        }
        self.context.record(|figures| figures.add(figures::SHARED_FACTS, news.roots.len() as f64));
        if let Some(listener) = &self.listener {
            listener(&news, is_worth_it);
        }
    }

    /// The facts that were not known yet.
    fn learn(&mut self, facts: &Facts) -> Facts {
        let before: FxHashSet<Lit> = self.known.roots.iter().copied().collect();
        self.known.extend(facts);
        let is_new = |root: &Lit| !before.contains(root);
        let roots = self.known.roots.iter().copied().filter(is_new).collect();
        Facts { aig: self.known.aig.clone(), roots }
    }

    fn own_bound(&mut self) -> Option<Share> {
        let bound = self.bounds.own()?;
        let is_due = |(sent, when): (usize, Instant)| sent < bound && when.elapsed() >= INTERVAL;
        if !self.last_sent.is_none_or(is_due) {
            return None;
        }
        self.last_sent = Some((bound, Instant::now()));
        Some(Share { model: self.key.clone(), news: News::Bound(bound) })
    }
}

/// The exchange about one model. It ends when this is dropped.
#[derive(Default)]
pub struct Shared {
    pub poster: Poster,
    pub bounds: KnownBounds,
}

impl Drop for Shared {
    fn drop(&mut self) {
        if let Some(hub) = &self.poster.hub {
            hub.state().current = None;
        }
    }
}

impl Shared {
    /// All facts that are known, if there are any. The listener hears of those that come in later;
    /// it must be quick.
    pub fn listen(&self, listener: impl Fn(&Facts, bool) + Send + 'static) -> Option<Facts> {
        let mut state = self.poster.hub.as_ref()?.state();
        let current = state.current.as_mut()?;
        current.listener = Some(Box::new(listener));
        Some(current.known.clone()).filter(|facts| !facts.is_empty())
    }
}

/// Where facts go that were found here. Those about a model of the past, whose search has not
/// noticed yet that it is over, are dropped.
#[derive(Clone, Default)]
pub struct Poster {
    hub: Option<Arc<Hub>>,
    number: usize,
}

impl Poster {
    pub fn is_connected(&self) -> bool {
        self.hub.is_some()
    }

    /// Sends facts that are inductive together with those that are known, if any are new.
    pub fn post(&self, facts: &Facts) {
        self.send(facts, News::Facts);
    }

    /// The same for facts of which there will be more soon.
    pub fn post_lemmas(&self, lemmas: &Facts) {
        self.send(lemmas, News::Lemmas);
    }

    fn send(&self, facts: &Facts, news: fn(FactsInWords) -> News) {
        let Some(hub) = &self.hub else { return };
        let mut state = hub.state();
        if state.met != self.number {
            return;
        }
        let share = state.current.as_mut().and_then(|current| {
            let is_new = !current.learn(facts).is_empty();
            let words = is_new.then(|| FactsInWords::new(&current.known)).flatten()?;
            Some(Share { model: current.key.clone(), news: news(words) })
        });
        drop(state);
        share.iter().for_each(|share| (hub.send)(share));
    }
}

#[cfg(test)]
mod tests;
