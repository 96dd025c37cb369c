//! Checks a script before it runs, and reports all problems at once.

use super::calls::{self, Op};
use super::problem::Problem;
use super::settings::{Settings, settings};
use super::syntax::{Action, Direction, Event, Options, Script, SegmentLine, TcpOption, When};
use base::Time;

/// A script without problems.
#[derive(Clone, Debug)]
pub(super) struct Checked<'a> {
    pub(super) settings: Settings,
    pub(super) steps: Vec<Step<'a>>,
    /// What the script expects the endpoint to offer in its SYN.
    pub(super) offer: Offer,
}

/// An event; a call with its meaning and its result.
#[derive(Clone, Debug)]
pub(super) struct Step<'a> {
    pub(super) event: &'a Event,
    pub(super) op: Option<(Op, Option<i64>)>,
}

/// The options of the endpoint's SYN in the script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Offer {
    pub(super) is_there: bool,
    /// The sequence number of that SYN.
    pub(super) isn: u32,
    pub(super) window: Option<u16>,
    pub(super) window_scale: Option<u8>,
    pub(super) timestamps: bool,
    pub(super) sack: bool,
}

/// The script without its unusable parts, and the problems.
pub(super) fn check(script: &Script) -> (Checked<'_>, Vec<Problem>) {
    let (settings, mut problems) = settings(script);
    let mut steps = Vec::new();
    for event in &script.events {
        let op = match &event.action {
            Action::Call(call) => {
                match calls::meaning(call).and_then(|op| Ok((op, calls::returned(call)?))) {
                    Ok(op) => Some(op),
                    Err(problem) => {
                        problems.push(problem);
                        continue;
                    }
                }
            }
            _ => None,
        };
        steps.push(Step { event, op });
    }
    problems.extend(backwards(script));
    let checked = Checked { settings, steps, offer: offer(script) };
    (checked, problems)
}

/// Absolute times that are before earlier ones.
fn backwards(script: &Script) -> Vec<Problem> {
    let mut latest = Time::ZERO;
    let mut problems = Vec::new();
    for event in &script.events {
        let (from, to) = match event.when {
            Some(When::Absolute(at)) => (at, at),
            Some(When::AbsoluteRange(from, to)) => (from, to),
            _ => continue,
        };
        if to < latest {
            problems.push(Problem::new(event.at, format!("the time goes back, from {latest} s to {to} s")));
        }
        latest = latest.max(from);
    }
    problems
}

/// The options of the first SYN that the script expects of the endpoint.
fn offer(script: &Script) -> Offer {
    let syn = script.events.iter().find_map(|event| match &event.action {
        Action::Segment(line) if line.direction == Direction::Outbound && line.flags.syn => Some(line),
        _ => None,
    });
    syn.map_or_else(Offer::default, of_syn)
}

fn of_syn(syn: &SegmentLine) -> Offer {
    let mut offer = Offer { is_there: true, isn: syn.seq, window: syn.window, ..Offer::default() };
    let Options::List(options) = &syn.options else {
        return Offer { is_there: false, ..offer };
    };
    for option in options {
        match option {
            TcpOption::WindowScale(scale) => offer.window_scale = Some(*scale),
            TcpOption::Timestamps { .. } => offer.timestamps = true,
            TcpOption::SackPermitted => offer.sack = true,
            _ => {}
        }
    }
    offer
}
