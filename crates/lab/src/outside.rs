//! The applications of a plan for programs that run them in real time, over their own connections.
//!
//! Times are in ps from the start of the run.

use crate::build::{self, Pair};
use crate::columns::Columns;
use crate::error::Error;
use crate::plan::Plan;
use crate::totals::fetched;
use crate::workload::datagrams::Source;
use crate::workload::{Step, View, Workload};
use base::Time;

/// The two applications of a flow, or its source of datagrams.
pub struct Ends {
    /// The receiver's application.
    pub receiver: Option<Application>,
    /// The sender's.
    pub sender: Option<Application>,
    /// The times of the sender's datagrams.
    pub departures: Option<Departures>,
}

/// The applications of each flow, with the random choices of every run with this seed.
///
/// # Errors
/// If a number of the plan makes no sense.
pub fn applications(plan: &Plan, seed: u64) -> Result<Vec<Ends>, Error> {
    Ok(build::applications(plan, seed)?.into_iter().map(Ends::from).collect())
}

impl From<Pair> for Ends {
    fn from(pair: Pair) -> Self {
        match pair {
            Pair::Tcp(takes, gives) => Self {
                receiver: Some(Application(takes)),
                sender: Some(Application(gives)),
                departures: None,
            },
            Pair::Datagrams(source) => {
                Self { receiver: None, sender: None, departures: Some(Departures(source)) }
            }
        }
    }
}

/// An application, which decides what to do on its connections.
pub struct Application(Box<dyn Workload>);

/// The fields of a [`View`], in their order.
pub type Seen = (u32, Option<u64>, Option<u64>, u64, u64, bool, bool);

/// A [`Step`]: "open", "write" or "close", the connection and the bytes to write; or "wait" and the time, none if
/// there is none.
pub type NextStep = (&'static str, Option<u64>, u64);

impl Application {
    /// As [`Workload::starts_at`].
    #[must_use]
    pub fn starts_at(&self) -> Option<u64> {
        self.0.starts_at().map(Time::as_ps)
    }

    /// As [`Workload::ignores_events`].
    #[must_use]
    pub fn ignores_events(&self) -> bool {
        self.0.ignores_events()
    }

    /// As [`Workload::next`].
    pub fn next(&mut self, now: u64, seen: Seen) -> NextStep {
        let number = |connection| Some(u64::from(connection));
        match self.0.next(Time::from_ps(now), view(seen)) {
            Step::Open(connection) => ("open", number(connection), 0),
            Step::Write(connection, bytes) => ("write", number(connection), bytes),
            Step::Close(connection) => ("close", number(connection), 0),
            Step::WaitUntil(time) => ("wait", known(time), 0),
        }
    }

    /// The objects that this client of a flow has fetched; see [`fetched`].
    #[must_use]
    pub fn fetched(&self, flow: u64, from: u64) -> Columns {
        fetched(flow, &*self.0, Time::from_ps(from))
    }
}

fn view((connection, opened, established, written, delivered, closed, ended): Seen) -> View {
    let (opened, established) = (opened.map(Time::from_ps), established.map(Time::from_ps));
    View { connection, opened, established, written, delivered, closed, ended }
}

fn known(time: Time) -> Option<u64> {
    (time != Time::NEVER).then(|| time.as_ps())
}

/// The times at which the datagrams of a source leave.
pub struct Departures(Box<Source>);

impl Departures {
    /// Length of a datagram with its headers, bytes.
    #[must_use]
    pub fn packet_bytes(&self) -> u32 {
        self.0.packet_bytes()
    }
}

impl Iterator for Departures {
    type Item = u64;

    /// The next time; none if there is no other.
    fn next(&mut self) -> Option<u64> {
        known(self.0.next_departure())
    }
}
