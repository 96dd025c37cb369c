//! The state of a script that runs, which the parts that run it share: `run`, `expecting`, `calling`, `perform`.

use super::calls::Op;
use super::check::Checked;
use super::endpoint::{Endpoint, Sent};
use super::problem::Position;
use super::report::{Failure, Line, Note, Report, microseconds};
use super::shell::Host;
use super::sockets::Sockets;
use super::syntax::Call;
use base::Time;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, VecDeque};
use tcp::State;

/// The most timers, segments and attempts of one script.
const MOST_STEPS: u32 = 200_000;

/// The subject under test, and how strictly it is tested.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The TCP, as a plan has it.
    pub tcp: Map<String, Value>,
    /// Keys of the TCP that the user has chosen: no script changes them.
    pub kept: Vec<String>,
    /// Tick of the endpoint's clock, ps.
    pub tick_ps: u64,
    /// Whether PSH is compared.
    pub check_psh: bool,
    /// Whether segments after the last one that the script expects are a failure. packetdrill
    /// ignores them, and many scripts rely on that.
    pub check_left: bool,
    /// How far times may be from the script's, microseconds, if the script does not state it.
    pub tolerance_us: Option<u64>,
    /// Shell files by the names that scripts give them.
    pub files: BTreeMap<String, String>,
}

pub(super) struct Runner<'a> {
    pub(super) checked: &'a Checked<'a>,
    pub(super) setup: &'a Setup,
    pub(super) host: Host,
    pub(super) endpoint: Option<Endpoint>,
    pub(super) sockets: Sockets,
    pub(super) report: Report,
    /// The place and number of the current event.
    pub(super) at: Position,
    pub(super) event: usize,
    pub(super) now: Time,
    pub(super) outbox: VecDeque<Sent>,
    pub(super) blocked: Option<Blocked<'a>>,
    steps: u32,
    /// The sender's variables in the last line of the trace.
    pub(super) last_window: String,
}

/// A call that has begun and not returned.
pub(super) struct Blocked<'a> {
    pub(super) event: usize,
    pub(super) call: &'a Call,
    pub(super) op: Op,
    pub(super) returns: Option<i64>,
    pub(super) until: Time,
    pub(super) done: u64,
}

/// The result of an event: nothing to report, or a failure.
pub(super) type Happens = Result<(), Box<Failure>>;

impl<'a> Runner<'a> {
    pub(super) fn new(checked: &'a Checked<'a>, setup: &'a Setup, host: Host) -> Self {
        Self {
            checked,
            setup,
            host,
            endpoint: None,
            sockets: Sockets::default(),
            report: Report::default(),
            at: Position::default(),
            event: 0,
            now: Time::ZERO,
            outbox: VecDeque::new(),
            blocked: None,
            steps: 0,
            last_window: String::new(),
        }
    }

    /// Whether the connection has ended, so that another one can begin.
    pub(super) fn is_over(&self) -> bool {
        self.endpoint.as_ref().is_some_and(|endpoint| {
            let state = endpoint.connection.state();
            state == State::Closed || (state == State::TimeWait && !self.sockets.is_connected())
        })
    }

    /// Another connection begins.
    pub(super) fn forget_connection(&mut self) {
        self.endpoint = None;
        self.sockets.forget_connection();
    }

    /// The time of the endpoint's next event.
    pub(super) fn next_time(&self) -> Time {
        let timer = self.endpoint.as_ref().map_or(Time::NEVER, |endpoint| endpoint.connection.next_timer());
        timer.min(self.sockets.held_until.unwrap_or(Time::NEVER))
    }

    pub(super) fn count(&mut self) -> Happens {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(self.failure("the endpoint sends without end at one time", String::new(), None));
        }
        Ok(())
    }

    pub(super) fn note(&mut self, text: &str, reason: &str) {
        self.report.not_applied.push(Note { at: self.at, text: text.to_owned(), reason: reason.to_owned() });
    }

    pub(super) fn failure(
        &self,
        message: impl Into<String>,
        expected: String,
        came: Option<Line>,
    ) -> Box<Failure> {
        let us = microseconds(self.now);
        Box::new(Failure { at: self.at, event: self.event, us, message: message.into(), expected, came })
    }
}
