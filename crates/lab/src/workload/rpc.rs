//! Remote procedure calls over one connection that stays open.
//!
//! Source: the request and response workloads of the data centre studies (Alizadeh et al. 2010, "DCTCP", section 2.2)
//! and of netperf's TCP_RR. A client writes a request; the server writes the response when it has the whole request.
//! In a closed loop the client thinks after each response, in an open loop after each request. Client and server draw
//! the sizes of the responses from equal streams, so that the client knows where a response ends.
//!
//! | parameter | unit |
//! |---|---|
//! | request | bytes |
//! | size of a response | law, bytes |
//! | think time | law, time |
//! | whether a request waits for the response before it | yes or no |
//! | start | time |

use super::laws::Times;
use super::sizes::Sizes;
use super::{Response, Step, View, Workload};
use base::Time;
use rand_chacha::ChaCha8Rng;

/// The sizes of the responses, in the order of the requests.
#[derive(Clone)]
pub struct Sequence {
    /// Their law.
    pub sizes: Sizes,
    /// The stream from which both ends draw.
    pub rng: ChaCha8Rng,
}

impl Sequence {
    fn next(&mut self) -> u64 {
        self.sizes.draw(&mut self.rng)
    }
}

/// The client.
pub struct Client {
    request_bytes: u64,
    responses: Sequence,
    think: Times,
    rng: ChaCha8Rng,
    /// Whether a request waits for the response before it.
    is_closed_loop: bool,
    /// When it makes the next request; [`Time::NEVER`] while that waits for a response.
    next_at: Time,
    /// Requests so far, in order, and how many of them are answered.
    made: Vec<Response>,
    answered: usize,
    /// Where in the stream of responses the first open one ends.
    ends_at: u64,
    is_open: bool,
}

impl Client {
    /// A client that opens the connection and makes its first request at `starts_at`; it draws its think times from
    /// `rng`.
    #[must_use]
    pub fn new(
        request_bytes: u64,
        responses: Sequence,
        (think, rng): (Times, ChaCha8Rng),
        is_closed_loop: bool,
        starts_at: Time,
    ) -> Self {
        Self {
            request_bytes,
            responses,
            think,
            rng,
            is_closed_loop,
            next_at: starts_at,
            made: Vec::new(),
            answered: 0,
            ends_at: 0,
            is_open: false,
        }
    }

    fn ask(&mut self, now: Time) -> Step {
        let bytes = self.responses.next();
        if self.answered == self.made.len() {
            self.ends_at += bytes;
        }
        let batch = self.made.len() as u64;
        self.made.push(Response {
            batch,
            request: 0,
            bytes,
            requested: now,
            completed: None,
            counts_from_start: false,
        });
        let think = if self.is_closed_loop { Time::NEVER } else { self.think.draw(&mut self.rng) };
        self.next_at = now.saturating_add(think);
        Step::Write(0, self.request_bytes)
    }

    /// Notes the responses that have arrived.
    fn take(&mut self, now: Time, delivered: u64) {
        while self.answered < self.made.len() && delivered >= self.ends_at {
            self.made[self.answered].completed = Some(now);
            self.answered += 1;
            self.ends_at += self.made.get(self.answered).map_or(0, |next| next.bytes);
            if self.is_closed_loop {
                self.next_at = now.saturating_add(self.think.draw(&mut self.rng));
            }
        }
    }
}

impl Workload for Client {
    fn starts_at(&self) -> Option<Time> {
        Some(self.next_at)
    }

    fn next(&mut self, now: Time, view: View) -> Step {
        if !self.is_open {
            self.is_open = true;
            return Step::Open(0);
        }
        self.take(now, view.delivered);
        if now >= self.next_at { self.ask(now) } else { Step::WaitUntil(self.next_at) }
    }

    fn responses(&self) -> &[Response] {
        &self.made
    }
}

/// The server.
pub struct Server {
    request_bytes: u64,
    responses: Sequence,
    answered: u64,
}

impl Server {
    /// A server of responses that are drawn as the client draws them.
    #[must_use]
    pub fn new(request_bytes: u64, responses: Sequence) -> Self {
        Self { request_bytes, responses, answered: 0 }
    }
}

impl Workload for Server {
    fn next(&mut self, _: Time, view: View) -> Step {
        if view.delivered < (self.answered + 1) * self.request_bytes {
            return Step::WaitUntil(Time::NEVER);
        }
        self.answered += 1;
        Step::Write(0, self.responses.next())
    }

    fn piggybacks_acks(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::rng::Streams;

    const MS: fn(u64) -> Time = Time::from_ms;

    fn client(is_closed_loop: bool) -> Client {
        let responses = Sequence { sizes: Sizes::Fixed(1000), rng: Streams::new(1).named("sizes") };
        let think = Times::Uniform(MS(10), MS(10));
        Client::new(80, responses, (think, Streams::new(1).named("think")), is_closed_loop, MS(1))
    }

    fn steps(client: &mut Client, now: Time, delivered: u64) -> Vec<Step> {
        let view = View { delivered, ..View::default() };
        let mut steps = vec![client.next(now, view)];
        while !matches!(steps.last(), Some(Step::WaitUntil(_))) {
            steps.push(client.next(now, view));
        }
        steps
    }

    #[test]
    fn a_closed_loop_thinks_after_the_response() {
        let mut client = client(true);
        let first = [Step::Open(0), Step::Write(0, 80), Step::WaitUntil(Time::NEVER)];
        assert_eq!(steps(&mut client, MS(1), 0), first);
        assert_eq!(steps(&mut client, MS(20), 999), [Step::WaitUntil(Time::NEVER)]);
        assert_eq!(steps(&mut client, MS(30), 1000), [Step::WaitUntil(MS(40))]);
        assert_eq!(steps(&mut client, MS(40), 1000)[0], Step::Write(0, 80));
        let made: Vec<_> = client.responses().iter().map(|each| (each.requested, each.completed)).collect();
        assert_eq!(made, [(MS(1), Some(MS(30))), (MS(40), None)]);
    }

    #[test]
    fn an_open_loop_thinks_after_the_request() {
        let mut client = client(false);
        assert_eq!(steps(&mut client, MS(1), 0).last(), Some(&Step::WaitUntil(MS(11))));
        assert_eq!(steps(&mut client, MS(11), 0).last(), Some(&Step::WaitUntil(MS(21))));
        // Both responses come at once.
        assert_eq!(steps(&mut client, MS(15), 2000), [Step::WaitUntil(MS(21))]);
        assert!(client.responses().iter().all(|each| each.completed == Some(MS(15))));
    }

    #[test]
    fn a_server_answers_each_whole_request() {
        let responses = Sequence { sizes: Sizes::Fixed(1000), rng: Streams::new(1).named("sizes") };
        let mut server = Server::new(80, responses);
        let mut at = |delivered| server.next(Time::ZERO, View { delivered, ..View::default() });
        assert_eq!(
            [at(79), at(160), at(160), at(160)],
            [
                Step::WaitUntil(Time::NEVER),
                Step::Write(0, 1000),
                Step::Write(0, 1000),
                Step::WaitUntil(Time::NEVER),
            ]
        );
    }
}
