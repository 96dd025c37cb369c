//! Runs a random scenario and returns how it ended.

use crate::host::PeerHost;
use crate::scenario::{Pair, Scenario};
use crate::stack::Stack;
use crate::trace::Trace;
use base::Time;
use sim::link::{Fate, LinkEvent};
use sim::{Event, Observer, World};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tcp::State;

/// No scenario takes as long as this: two hours of virtual time.
const MOST_TIME: Time = Time::from_secs(7200);
/// No scenario has as many events as this.
const MOST_EVENTS: u64 = 1_000_000;

/// How a scenario ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// Every byte was delivered in order and both ends are closed.
    Closed,
    /// The same, but a reset closed one end: its peer had forgotten the connection when the last FIN
    /// came again.
    ClosedByReset,
    /// smoltcp has something to send again and no timer for it, or is in LAST-ACK and blind (see
    /// `differences::smoltcp_gives_up`, `smoltcp_believes_an_old_window` and
    /// `smoltcp_is_blind_in_last_ack`); what was delivered until then came in order.
    PeerGaveUp,
    /// Something else.
    Failed(String),
}

/// What happened in a scenario, both directions together; counts of packets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) packets: u64,
    pub(crate) lost: u64,
    pub(crate) doubled: u64,
    pub(crate) marked: u64,
    /// Packets with data or a FIN below the highest number sent before.
    pub(crate) again: u64,
    pub(crate) zero_windows: u64,
    highest: [u64; 2],
}

impl Seen {
    pub(crate) fn add(&mut self, other: &Self) {
        self.packets += other.packets;
        self.lost += other.lost;
        self.doubled += other.doubled;
        self.marked += other.marked;
        self.again += other.again;
        self.zero_windows += other.zero_windows;
    }
}

impl Observer<PeerHost> for Seen {
    fn on(&mut self, _: Time, event: &Event<'_, PeerHost>) {
        match event {
            Event::Sent(_, packet) => {
                let segment = &packet.payload;
                let highest = &mut self.highest[packet.from.0 as usize];
                self.packets += 1;
                self.again += u64::from(segment.end() > segment.seq && segment.seq < *highest);
                self.zero_windows += u64::from(segment.window == 0 && !segment.rst);
                *highest = segment.end().max(*highest);
            }
            Event::Link(_, LinkEvent::Dropped(..)) => self.lost += 1,
            Event::Link(_, LinkEvent::Duplicated { .. }) => self.doubled += 1,
            Event::Link(_, LinkEvent::Impaired { fate: Fate::Mark, .. }) => self.marked += 1,
            _ => {}
        }
    }
}

/// What came of a scenario.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) seed: u64,
    pub(crate) pair: Pair,
    pub(crate) verdict: Verdict,
    /// Virtual time from the start to the end.
    pub(crate) took: Time,
    pub(crate) bytes: u64,
    pub(crate) seen: Seen,
}

impl Outcome {
    pub(crate) fn failed(&self) -> bool {
        matches!(self.verdict, Verdict::Failed(_))
    }
}

/// Runs the scenario of a seed.
pub(crate) fn run(seed: u64) -> Outcome {
    let scenario = Scenario::of(seed);
    let (mut took, mut events) = (Time::ZERO, 0);
    let mut world = scenario.world(Seen::default());
    let verdict = catch_unwind(AssertUnwindSafe(|| drive(&scenario, &mut world, &mut took, &mut events)));
    let verdict = verdict.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Verdict::Failed(format!("panic: {}", text.unwrap_or_default()))
    });
    let bytes = scenario.bytes().iter().sum();
    Outcome { seed, pair: scenario.pair, verdict, took, bytes, seen: world.into_observer() }
}

/// The scenario of a seed and all that happened in it, for a person.
pub(crate) fn trace(seed: u64) -> String {
    let scenario = Scenario::of(seed);
    let mut world = scenario.world(Trace::default());
    let (mut took, mut events) = (Time::ZERO, 0);
    let verdict = catch_unwind(AssertUnwindSafe(|| drive(&scenario, &mut world, &mut took, &mut events)));
    let trace = world.into_observer().into_text();
    format!("{scenario:#?}\n\n{trace}\n{verdict:?} at {took} after {events} events\n")
}

fn drive<O: Observer<PeerHost>>(
    scenario: &Scenario,
    world: &mut World<PeerHost, O>,
    took: &mut Time,
    events: &mut u64,
) -> Verdict {
    while !is_over(world) {
        let Some(next) = world.next_event_time() else {
            return unfinished("nothing will happen any more", world);
        };
        if next > MOST_TIME {
            return unfinished("not over after two hours", world);
        }
        if *events == MOST_EVENTS {
            return unfinished("not over after a million events", world);
        }
        *took = next;
        *events += 1;
        world.advance_to(next);
    }
    if !has_everything(scenario, world) {
        return Verdict::Failed(format!("closed too early: {}", standing(world)));
    }
    let mut verdict = Verdict::Closed;
    for state in world.hosts().iter().filter_map(|host| host.reset_in) {
        match state {
            // It only waited for stray segments.
            State::TimeWait => {}
            State::LastAck | State::Closing => verdict = Verdict::ClosedByReset,
            other => return Verdict::Failed(format!("reset in {other:?}")),
        }
    }
    verdict
}

fn has_everything<O: Observer<PeerHost>>(scenario: &Scenario, world: &World<PeerHost, O>) -> bool {
    let [there, back] = scenario.bytes();
    let delivered = world.hosts().iter().map(|host| host.stack.delivered());
    delivered.eq([back, there])
}

fn unfinished<O: Observer<PeerHost>>(why: &str, world: &World<PeerHost, O>) -> Verdict {
    let [a, b] = [0, 1].map(|end| &world.hosts()[end].stack);
    if gave_up(a, b) || gave_up(b, a) {
        return Verdict::PeerGaveUp;
    }
    Verdict::Failed(format!("{why}: {}", standing(world)))
}

/// Whether it is smoltcp's and either has no timer for what is out, or has something left in LAST-ACK,
/// while its peer has nothing left to say.
fn gave_up(it: &Stack, peer: &Stack) -> bool {
    let Stack::Smoltcp(stack) = it else { return false };
    let blind = it.state() == State::LastAck && it.unacknowledged() > 0;
    let silent = match peer.state() {
        State::FinWait2 => peer.next_timer() == Time::NEVER,
        State::TimeWait => true,
        _ => false,
    };
    stack.gave_up() || (blind && silent)
}

/// Both applications have closed, both ends have, and nothing is under way.
fn is_over<O: Observer<PeerHost>>(world: &World<PeerHost, O>) -> bool {
    let closed = |host: &PeerHost| {
        host.application.has_closed() && matches!(host.stack.state(), State::Closed | State::TimeWait)
    };
    world.hosts().iter().all(closed) && world.packets() == 0
}

fn standing<O: Observer<PeerHost>>(world: &World<PeerHost, O>) -> String {
    let end = |host: &PeerHost| {
        let unacknowledged = host.stack.unacknowledged();
        format!(
            "{:?}, {} bytes delivered, {unacknowledged} not acknowledged",
            host.stack.state(),
            host.stack.delivered()
        )
    };
    format!("A {}; B {}", end(&world.hosts()[0]), end(&world.hosts()[1]))
}
