//! Runs a script: events at their times, the endpoint's timers between them.

use super::calling::Blocked;
use super::check::{Checked, Step, check};
use super::endpoint::{Endpoint, Sent};
use super::matching::told;
use super::problem::{Position, Problem};
use super::report::{Block, Failure, Line, Note, Report, microseconds};
use super::shell::{self, Host};
use super::sockets::Sockets;
use super::syntax::{Action, Direction, Script, SegmentLine, When};
use super::{info, print::Seconds};
use base::Time;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, VecDeque};
use tcp::State;

/// What is under test, and how strictly.
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
    /// Whether segments after the last one that the script expects are a failure. packetdrill does
    /// not look at them, and many scripts rely on that.
    pub check_left: bool,
    /// How far times may be from the script's, microseconds, where the script is silent on it.
    pub tolerance_us: Option<u64>,
    /// Shell files by the names that scripts give them.
    pub files: BTreeMap<String, String>,
}

/// Why a script does not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// What is wrong with the script.
    Script(Vec<Problem>),
    /// What is wrong with the setup.
    Setup(String),
}

/// Timers, segments and attempts that one script may come to.
const MOST_STEPS: u32 = 200_000;

/// Runs a script.
///
/// # Errors
/// If the script has problems, or the setup makes no TCP.
pub fn run(script: &Script, setup: &Setup) -> Result<Report, Refusal> {
    let (mut checked, problems) = check(script);
    if !problems.is_empty() {
        return Err(Refusal::Script(problems));
    }
    if let Some(us) = setup.tolerance_us.filter(|_| !checked.settings.tolerance_is_given) {
        checked.settings.tolerance = Time::from_us(us);
    }
    let headers = u64::from(checked.settings.headers);
    let mut host = Host { tcp: setup.tcp.clone(), kept: setup.kept.clone(), headers, ..Host::default() };
    if let Some(smss) = checked.settings.smss.filter(|_| !host.keeps("smss_bytes")) {
        host.put("smss_bytes", smss.into());
    }
    let mut runner = Runner::new(&checked, setup, host);
    runner.make_endpoint(false).map_err(Refusal::Setup)?;
    runner.report.failure = runner.all_steps().err().map(|failure| *failure);
    let left =
        runner.outbox.iter().map(|sent| Line::new(sent.at, ">", without_direction(&told(&sent.line, None))));
    runner.report.left = left.collect();
    runner.report.us = microseconds(runner.now);
    Ok(runner.report)
}

pub(super) struct Runner<'a> {
    pub(super) checked: &'a Checked<'a>,
    pub(super) setup: &'a Setup,
    pub(super) host: Host,
    pub(super) endpoint: Option<Endpoint>,
    pub(super) sockets: Sockets,
    pub(super) report: Report,
    /// Where the event stands that happens now, and its number.
    pub(super) at: Position,
    pub(super) event: usize,
    pub(super) now: Time,
    pub(super) outbox: VecDeque<Sent>,
    pub(super) blocked: Option<Blocked<'a>>,
    steps: u32,
    window_told: String,
}

/// What an event comes to: nothing to tell, or a failure.
pub(super) type Happens = Result<(), Box<Failure>>;

impl<'a> Runner<'a> {
    fn new(checked: &'a Checked<'a>, setup: &'a Setup, host: Host) -> Self {
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
            window_told: String::new(),
        }
    }

    fn all_steps(&mut self) -> Happens {
        let checked = self.checked;
        for (number, step) in checked.steps.iter().enumerate() {
            (self.event, self.at) = (number, step.event.at);
            self.step(step)?;
            self.tell_window();
            self.report.events += 1;
        }
        self.end_of_blocked()?;
        match self.outbox.front().filter(|_| self.setup.check_left) {
            Some(sent) => {
                let came = Line::new(sent.at, ">", without_direction(&told(&sent.line, None)));
                Err(self.failure("the script ends without expecting this segment", String::new(), Some(came)))
            }
            None => Ok(()),
        }
    }

    fn step(&mut self, step: &'a Step<'a>) -> Happens {
        let when = step.event.when;
        if let Action::Segment(line) = &step.event.action
            && line.direction == Direction::Outbound
        {
            return self.expect(line, when.unwrap_or(When::Any));
        }
        let start = match when {
            Some(When::Absolute(at)) => at,
            Some(When::Relative(after)) => self.now.saturating_add(after),
            _ => self.now,
        };
        if start.saturating_add(self.checked.settings.tolerance) < self.now {
            let message =
                format!("this comes too late: what came before it ended at {} s", Seconds(self.now));
            return Err(self.failure(message, format!("at {} s", Seconds(start)), None));
        }
        if step.op.is_some() {
            self.end_of_blocked()?;
        }
        let from = self.now;
        self.advance(start)?;
        match &step.event.action {
            Action::Segment(line) => self.receive(line),
            Action::Call(call) => self.call(call, step, from),
            Action::Shell(text) => {
                self.shell(text);
                Ok(())
            }
            Action::Code(at, code) => self.look(*at, code),
        }
    }

    /// Whether the connection has come to its end, so that another one can begin.
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

    /// When something happens by itself next.
    pub(super) fn next_time(&self) -> Time {
        let timer = self.endpoint.as_ref().map_or(Time::NEVER, |endpoint| endpoint.connection.next_timer());
        timer.min(self.sockets.held_until.unwrap_or(Time::NEVER))
    }

    /// Lets everything happen up to a time.
    fn advance(&mut self, to: Time) -> Happens {
        while self.next_time() <= to {
            self.on_time()?;
        }
        self.now = self.now.max(to);
        Ok(())
    }

    /// Lets happen what happens by itself next.
    pub(super) fn on_time(&mut self) -> Happens {
        self.now = self.now.max(self.next_time());
        self.count()?;
        if let Some(endpoint) = &mut self.endpoint {
            if self.sockets.held_until.is_some_and(|at| at <= self.now) {
                self.sockets.release(&mut endpoint.connection);
            }
            endpoint.connection.on_timer(self.now);
        }
        self.settle()
    }

    pub(super) fn count(&mut self) -> Happens {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(self.failure("the endpoint does not come to rest", String::new(), None));
        }
        Ok(())
    }

    /// Collects what the endpoint sends, and lets a call return that has waited for it.
    pub(super) fn settle(&mut self) -> Happens {
        loop {
            // A reader that has waited takes what has come before it is acknowledged.
            let returned = self.try_blocked()?;
            while let Some(endpoint) = &mut self.endpoint {
                let Some(segment) = endpoint.connection.poll(self.now) else { break };
                let sent = endpoint.sent(self.now, &segment);
                self.report.trace.push(Line::new(self.now, ">", without_direction(&told(&sent.line, None))));
                self.outbox.push_back(sent);
                self.count()?;
            }
            if let Some(endpoint) = &self.endpoint {
                self.sockets.arm(self.now, &endpoint.connection);
            }
            if !returned {
                return Ok(());
            }
        }
    }

    /// An endpoint that waits for a SYN if a socket listens, and is closed otherwise.
    fn passive_endpoint(&self) -> Result<Endpoint, Box<Failure>> {
        let mut endpoint =
            self.make_endpoint(false).map_err(|error| self.failure(error, String::new(), None))?;
        if self.sockets.listens() {
            endpoint.connection.listen();
        }
        Ok(endpoint)
    }

    fn receive(&mut self, line: &SegmentLine) -> Happens {
        let opens = line.flags.syn && !line.flags.ack && self.sockets.listens();
        if opens && self.is_over() {
            self.forget_connection();
        }
        if self.endpoint.is_none() {
            self.endpoint = Some(self.passive_endpoint()?);
        }
        self.report.trace.push(Line::new(self.now, "<", without_direction(line)));
        if let Some(endpoint) = &mut self.endpoint {
            let segment = endpoint.received(line);
            endpoint.connection.on_segment(self.now, &segment);
            self.sockets.on_ack(&mut endpoint.connection);
        }
        self.settle()
    }

    fn shell(&mut self, text: &str) {
        self.report.trace.push(Line::new(self.now, "shell", text.trim()));
        let mut outcome = shell::apply(&mut self.host, &self.setup.files, self.at, text);
        if self.endpoint.is_some() {
            let late = |note: Note| Note {
                reason: "the connection is there, and keeps what it has".to_owned(),
                ..note
            };
            outcome.not_applied.extend(outcome.applied.drain(..).map(late));
        }
        self.report.applied.append(&mut outcome.applied);
        self.report.not_applied.append(&mut outcome.not_applied);
    }

    fn look(&mut self, at: Position, code: &str) -> Happens {
        let values = match &self.endpoint {
            Some(endpoint) => info::values(endpoint),
            None => info::values(&self.passive_endpoint()?),
        };
        let (event, us, code) = (self.event, microseconds(self.now), code.to_owned());
        self.report.blocks.push(Block { at, event, us, code, values });
        Ok(())
    }

    /// A line of the trace for the sender's variables, if they have changed.
    fn tell_window(&mut self) {
        let Some(endpoint) = &self.endpoint else { return };
        let info = endpoint.connection.info();
        let told = format!("cwnd {} ssthresh {} {:?}", info.cwnd, info.ssthresh, info.ca_state);
        if told != self.window_told {
            self.report.trace.push(Line::new(self.now, "window", told.clone()));
            self.window_told = told;
        }
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

pub(super) fn without_direction(line: &SegmentLine) -> String {
    line.to_string()[2..].to_owned()
}
