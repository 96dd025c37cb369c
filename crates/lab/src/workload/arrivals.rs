//! Flows that arrive whether or not earlier ones are complete, each on a connection of its own.
//!
//! Source: the open loop of traffic studies (Paxson and Floyd 1995, "Wide area traffic: the failure of Poisson
//! modeling", section 3: flows that people start do arrive as a Poisson process), and of flow size studies of data
//! centres (Alizadeh et al. 2013, "pFabric", section 5). A client opens a connection at each arrival and asks for one
//! object; the server is that of [`pages`](super::pages): it answers and closes. A list of arrivals replays a trace.
//!
//! | parameter | unit |
//! |---|---|
//! | arrivals: law of the gaps, or the times | time |
//! | size of an object | law, bytes |
//! | request | bytes |
//! | whether an answer carries the ACK of its request | yes or no |

use super::laws::Times;
use super::{Step, Transfer, View, Workload};
use base::Time;
use rand_chacha::ChaCha8Rng;

/// When flows arrive.
pub enum Arrivals {
    /// By chance: the law of the gaps, and the stream from which they are drawn.
    Random(Times, Box<ChaCha8Rng>),
    /// At these times, which do not decrease.
    Listed(std::vec::IntoIter<Time>),
}

impl Arrivals {
    /// The arrival after the one at `last`; [`Time::NEVER`] after the last of a list.
    fn after(&mut self, last: Time) -> Time {
        match self {
            Self::Random(law, rng) => last.saturating_add(law.draw(rng)),
            Self::Listed(times) => times.next().unwrap_or(Time::NEVER),
        }
    }
}

/// The client.
pub struct Client {
    request_bytes: u64,
    answers_with_ack: bool,
    arrivals: Arrivals,
    /// When the next flow arrives.
    next_at: Time,
    /// Its number.
    next_connection: u32,
    /// The connection that is open and has its request still to write.
    unasked: Option<u32>,
    transfers: Vec<Transfer>,
}

impl Client {
    /// A client whose first gap begins at `starts_at`.
    #[must_use]
    pub fn new(request_bytes: u64, answers_with_ack: bool, starts_at: Time, mut arrivals: Arrivals) -> Self {
        let next_at = arrivals.after(starts_at);
        Self {
            request_bytes,
            answers_with_ack,
            arrivals,
            next_at,
            next_connection: 0,
            unasked: None,
            transfers: Vec::new(),
        }
    }

    fn complete(&mut self, now: Time, view: View, opened: Time) {
        self.transfers.push(Transfer {
            page: u64::from(view.connection),
            page_opened: opened,
            stage: 0,
            connection: view.connection,
            bytes: view.delivered,
            opened,
            established: view.established.unwrap_or(now),
            completed: now,
        });
    }
}

impl Workload for Client {
    fn starts_at(&self) -> Option<Time> {
        Some(self.next_at)
    }

    fn next(&mut self, now: Time, view: View) -> Step {
        if let Some(connection) = self.unasked.take() {
            return Step::Write(connection, self.request_bytes);
        }
        if let Some(opened) = view.opened.filter(|_| view.ended && !view.closed) {
            self.complete(now, view, opened);
            return Step::Close(view.connection);
        }
        if now < self.next_at {
            return Step::WaitUntil(self.next_at);
        }
        let connection = self.next_connection;
        self.next_connection += 1;
        self.next_at = self.arrivals.after(self.next_at);
        self.unasked = Some(connection);
        Step::Open(connection)
    }

    fn piggybacks_acks(&self) -> bool {
        self.answers_with_ack
    }

    fn transfers(&self) -> &[Transfer] {
        &self.transfers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::rng::Streams;

    fn listed(times_ms: &[u64]) -> Client {
        let times: Vec<Time> = times_ms.iter().map(|&ms| Time::from_ms(ms)).collect();
        Client::new(80, true, Time::ZERO, Arrivals::Listed(times.into_iter()))
    }

    #[test]
    fn a_flow_does_not_wait_for_the_one_before() {
        let mut client = listed(&[5, 7, 7]);
        let at = Time::from_ms;
        assert_eq!(client.starts_at(), Some(at(5)));
        let none = View::default();
        let steps = [(); 3].map(|()| client.next(at(5), none));
        assert_eq!(steps, [Step::Open(0), Step::Write(0, 80), Step::WaitUntil(at(7))]);
        let steps = [(); 5].map(|()| client.next(at(7), none));
        let both = [Step::Open(1), Step::Write(1, 80), Step::Open(2), Step::Write(2, 80)];
        assert_eq!(steps[..4], both);
        assert_eq!(steps[4], Step::WaitUntil(Time::NEVER));
    }

    #[test]
    fn a_flow_that_has_ended_is_closed_and_noted() {
        let mut client = listed(&[5]);
        let at = Time::from_ms;
        while client.next(at(5), View::default()) != Step::WaitUntil(Time::NEVER) {}
        let opened = Some(at(5));
        let over = View { opened, established: Some(at(6)), delivered: 9, ended: true, ..View::default() };
        assert_eq!(client.next(at(8), over), Step::Close(0));
        assert_eq!(client.next(at(8), View { closed: true, ..over }), Step::WaitUntil(Time::NEVER));
        let [transfer] = client.transfers() else { panic!("one flow has ended") };
        assert_eq!((transfer.bytes, transfer.opened, transfer.completed), (9, at(5), at(8)));
    }

    #[test]
    fn gaps_are_those_of_the_law_whatever_the_network_does() {
        let law = Times::Exponential { mean_ps: 1e9 };
        let mut rng = Streams::new(1).named("test");
        let arrivals = Arrivals::Random(law, Box::new(Streams::new(1).named("test")));
        let mut client = Client::new(80, true, Time::from_ms(3), arrivals);
        let mut expected = Time::from_ms(3) + law.draw(&mut rng);
        assert_eq!(client.starts_at(), Some(expected));
        for connection in 0..20 {
            // Late by a second each time, which moves no arrival.
            let now = expected + Time::from_secs(1);
            assert_eq!(client.next(now, View::default()), Step::Open(connection));
            client.next(now, View::default());
            expected += law.draw(&mut rng);
        }
    }
}
