//! System calls: begin, block if they must, and return with the value and at the time that the script states.

use super::calls::Op;
use super::check::Step;
use super::matching::tolerated;
use super::print::Seconds;
use super::report::{Failure, Line, microseconds};
use super::runner::{Blocked, Happens, Runner};
use super::sockets::{Kind, Outcome, Socket, fd_of};
use super::syntax::{Call, When};
use base::Time;

impl<'a> Runner<'a> {
    pub(super) fn call(&mut self, call: &'a Call, step: &Step<'a>, from: Time) -> Happens {
        let Some((op, returns)) = step.op.clone() else { return Ok(()) };
        let relative = !matches!(step.event.when, Some(When::Absolute(_)));
        let until = call.until.map(|until| if relative { from.saturating_add(until) } else { until });
        self.report.trace.push(Line::new(self.now, "call", call.to_string()));
        let mut blocked =
            Blocked { event: self.event, call, op, returns, until: until.unwrap_or(self.now), done: 0 };
        let outcome = self.attempt(&blocked.op, &mut blocked.done);
        match outcome {
            Ok(Outcome::Waits(errno)) if self.waits_not(&blocked.op) => {
                self.returned(&blocked, Ok(Outcome::Fails(errno)))?;
            }
            Ok(Outcome::Waits(_)) if until.is_some() => self.blocked = Some(blocked),
            Ok(Outcome::Waits(_)) => {
                let message = "the call blocks: write when it ends, for example +0...0.2, or make the socket O_NONBLOCK";
                return Err(self.failure(message, call.to_string(), None));
            }
            outcome => self.returned(&blocked, outcome)?,
        }
        self.settle()
    }

    /// Whether a call fails rather than wait.
    fn waits_not(&self, op: &Op) -> bool {
        let by_mode = matches!(op, Op::Read { mode, .. } | Op::Write { mode, .. } if mode.dont_wait);
        let fd = fd_of(op).unwrap_or(-1);
        by_mode || self.sockets.get(fd).is_some_and(|socket| socket.nonblocking)
    }

    /// Tries the waiting call again. Returns whether it has returned.
    pub(super) fn try_blocked(&mut self) -> Result<bool, Box<Failure>> {
        let Some(mut blocked) = self.blocked.take() else { return Ok(false) };
        self.count()?;
        let before = blocked.done;
        match self.attempt(&blocked.op, &mut blocked.done) {
            Ok(Outcome::Waits(_)) => {
                let wrote = blocked.done > before;
                self.blocked = Some(blocked);
                Ok(wrote)
            }
            outcome => {
                self.returned(&blocked, outcome)?;
                Ok(true)
            }
        }
    }

    /// A call returns: checks its time and value against the script.
    fn returned(&mut self, blocked: &Blocked<'a>, outcome: Result<Outcome, String>) -> Happens {
        let (found, message) = match outcome {
            Ok(Outcome::Opens) => return self.open(blocked),
            Ok(Outcome::Returns(value)) => ((value, ""), format!("the call returns {value}")),
            Ok(Outcome::Fails(errno)) => ((-1, errno), format!("the call fails with {errno}")),
            Ok(Outcome::Waits(errno)) => ((-1, errno), "the call waits".to_owned()),
            Err(message) => return Err(self.call_failure(blocked, message)),
        };
        let same = blocked.returns.is_none_or(|value| value == found.0);
        let named =
            blocked.call.errno.as_deref().map(|errno| if errno == "EWOULDBLOCK" { "EAGAIN" } else { errno });
        if !same || named.is_some_and(|errno| errno != found.1) {
            return Err(self.call_failure(blocked, message));
        }
        self.in_time(blocked)
    }

    fn in_time(&mut self, blocked: &Blocked<'a>) -> Happens {
        let (earliest, latest) = tolerated(blocked.until, blocked.until, self.now, &self.checked.settings);
        if self.now < earliest || self.now > latest {
            let message = format!(
                "the call returns at {} s and not at {} s",
                Seconds(self.now),
                Seconds(blocked.until)
            );
            return Err(self.call_failure(blocked, message));
        }
        Ok(())
    }

    /// A call returns a new file descriptor, which the script must name.
    fn open(&mut self, blocked: &Blocked<'a>) -> Happens {
        let Some(fd) = blocked.returns.filter(|fd| *fd >= 0) else {
            return Err(self.call_failure(blocked, "the call gives a new file descriptor".to_owned()));
        };
        if self.sockets.get(fd).is_some() {
            return Err(self.call_failure(blocked, format!("the file descriptor {fd} is open already")));
        }
        let socket = match blocked.op {
            Op::Socket { nonblocking } => Socket::new(Kind::Fresh, nonblocking),
            Op::Accept { fd, nonblocking } => match self.sockets.get(fd) {
                Some(listening) => listening.accepted(nonblocking),
                None => Socket::new(Kind::Connected, nonblocking),
            },
            _ => Socket::new(Kind::File, false),
        };
        self.sockets.insert(fd, socket);
        self.in_time(blocked)
    }

    /// Waits for the end of a call that waits.
    pub(super) fn end_of_blocked(&mut self) -> Happens {
        while let Some(until) = self.blocked.as_ref().map(|blocked| blocked.until) {
            let latest = until.saturating_add(self.checked.settings.tolerance);
            if self.next_time() > latest {
                if let Some(blocked) = self.blocked.take() {
                    let message = format!("the call has not returned at {} s", Seconds(until));
                    return Err(self.call_failure(&blocked, message));
                }
            } else {
                self.on_time()?;
            }
        }
        Ok(())
    }

    fn call_failure(&self, blocked: &Blocked<'a>, message: String) -> Box<Failure> {
        let at = self.checked.steps[blocked.event].event.at;
        let came = Some(Line::new(self.now, "call", message.clone()));
        let us = microseconds(self.now);
        Box::new(Failure { at, event: blocked.event, us, message, expected: blocked.call.to_string(), came })
    }
}
