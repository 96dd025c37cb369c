//! Waits for a segment that the script expects, and compares it.

use super::matching::{difference, shown, take, tolerated};
use super::print::{Seconds, without_direction};
use super::report::{Failure, Line};
use super::runner::{Happens, Runner};
use super::syntax::{SegmentLine, When};
use base::Time;

/// How long to wait for a segment that may come at any time, and how long to search for one that did not come.
const PATIENCE: Time = Time::from_secs(1_000);

impl Runner<'_> {
    pub(super) fn expect(&mut self, line: &SegmentLine, when: When) -> Happens {
        let since = self.now;
        let after = |time| since.saturating_add(time);
        let (from, to) = match when {
            When::Absolute(at) => (at, at),
            When::Relative(time) => (after(time), after(time)),
            When::AbsoluteRange(from, to) => (from, to),
            When::RelativeRange(from, to) => (after(from), after(to)),
            When::Any => (Time::ZERO, after(PATIENCE)),
        };
        let (earliest, latest) = tolerated(from, to, since, &self.checked.settings);
        while self.outbox.is_empty() {
            if self.next_time() > latest {
                return Err(self.nothing_came(line, when, latest));
            }
            self.on_time()?;
        }
        let Some(mut came) = take(&mut self.outbox, line, self.checked.settings.merges) else {
            return Ok(());
        };
        if let Some(endpoint) = &mut self.endpoint {
            endpoint.on_script_clock(&mut came.line, line);
        }
        let different = difference(line, &came.line, &self.checked.settings, self.setup.check_psh);
        let out_of_time = || {
            let late = if came.at < earliest { "too early" } else { "too late" };
            (came.at < earliest || came.at > latest).then(|| format!("the segment came {late}"))
        };
        if let Some(message) = different.or_else(out_of_time) {
            let came = Line::new(came.at, ">", without_direction(&shown(&came.line, Some(line))));
            return Err(self.failure(message, expected(line, when, from, to), Some(came)));
        }
        self.now = self.now.max(came.at);
        Ok(())
    }

    /// The expected segment did not come in time; waits for the segment that comes next.
    fn nothing_came(&mut self, line: &SegmentLine, when: When, latest: Time) -> Box<Failure> {
        let from = self.now;
        let limit = latest.saturating_add(PATIENCE);
        while self.outbox.is_empty() && self.next_time() <= limit && self.on_time().is_ok() {}
        let next = self
            .outbox
            .front()
            .map(|sent| Line::new(sent.at, ">", without_direction(&shown(&sent.line, Some(line)))));
        let message = if self.endpoint.is_none() {
            "nothing came: there is no connection that could send it"
        } else if next.is_some() {
            "nothing came in time; this came next"
        } else {
            "nothing came, and no event is left that could send anything"
        };
        let (start, end) = match when {
            When::Absolute(at) => (at, at),
            When::Relative(time) => (from.saturating_add(time), from.saturating_add(time)),
            When::AbsoluteRange(start, end) => (start, end),
            When::RelativeRange(start, end) => (from.saturating_add(start), from.saturating_add(end)),
            When::Any => (from, latest),
        };
        self.failure(message, expected(line, when, start, end), next)
    }
}

fn expected(line: &SegmentLine, when: When, from: Time, to: Time) -> String {
    let line = without_direction(line);
    match when {
        When::Any => format!("{line} at any time"),
        _ if from == to => format!("{line} at {} s", Seconds(from)),
        _ => format!("{line} between {} s and {} s", Seconds(from), Seconds(to)),
    }
}
