//! Runs a script: events at their times, the endpoint's timers between them.

use super::check::{Step, check};
use super::endpoint::Endpoint;
use super::info;
use super::matching::shown;
use super::print::{Seconds, without_direction};
use super::problem::{Position, Problem};
use super::report::{Block, Failure, Line, Note, Report, microseconds};
use super::runner::{Happens, Runner, Setup};
use super::shell::{self, Host};
use super::syntax::{Action, Direction, Script, SegmentLine, When};
use base::Time;

/// Why a script does not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// What is wrong with the script.
    Script(Vec<Problem>),
    /// What is wrong with the setup.
    Setup(String),
}

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
        runner.outbox.iter().map(|sent| Line::new(sent.at, ">", without_direction(&shown(&sent.line, None))));
    runner.report.left = left.collect();
    runner.report.us = microseconds(runner.now);
    Ok(runner.report)
}

impl<'a> Runner<'a> {
    fn all_steps(&mut self) -> Happens {
        let checked = self.checked;
        for (number, step) in checked.steps.iter().enumerate() {
            (self.event, self.at) = (number, step.event.at);
            self.step(step)?;
            self.trace_window();
            self.report.events += 1;
        }
        self.end_of_blocked()?;
        match self.outbox.front().filter(|_| self.setup.check_left) {
            Some(sent) => {
                let came = Line::new(sent.at, ">", without_direction(&shown(&sent.line, None)));
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
                format!("this time has passed: the event before it ended at {} s", Seconds(self.now));
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

    /// Processes everything up to a time.
    fn advance(&mut self, to: Time) -> Happens {
        while self.next_time() <= to {
            self.on_time()?;
        }
        self.now = self.now.max(to);
        Ok(())
    }

    /// Processes the next event of the endpoint.
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

    /// Collects what the endpoint sends, and lets a call return that has waited for it.
    pub(super) fn settle(&mut self) -> Happens {
        loop {
            // A reader that has waited reads the data before they are acknowledged.
            let returned = self.try_blocked()?;
            while let Some(endpoint) = &mut self.endpoint {
                let Some(segment) = endpoint.connection.poll(self.now) else { break };
                let sent = endpoint.sent(self.now, &segment);
                self.report.trace.push(Line::new(self.now, ">", without_direction(&shown(&sent.line, None))));
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
                reason: "the connection exists already and keeps its settings".to_owned(),
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
    fn trace_window(&mut self) {
        let Some(endpoint) = &self.endpoint else { return };
        let info = endpoint.connection.info();
        let text = format!("cwnd {} ssthresh {} {:?}", info.cwnd, info.ssthresh, info.ca_state);
        if text != self.last_window {
            self.report.trace.push(Line::new(self.now, "window", text.clone()));
            self.last_window = text;
        }
    }
}
