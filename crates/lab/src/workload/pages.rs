//! Pages of objects, each connection a new one: web browsing and file transfers.
//!
//! Source: RFC 2415 section 2 and the code behind it (`docs/conventions.md`). A page is fetched in
//! stages, one after the other; the connections of a stage are opened at the same time. A client
//! opens a connection, sends one request with the last segment of the handshake, receives the response and
//! closes when the server has closed. The server is infinitely fast: it writes the whole response
//! when it has the whole request, and closes. After a page the client pauses. With stages of 1 and 3
//! connections this is HTTP/1.0 as the RFC has it (a primary object, then three in-line ones), with
//! one connection for all four its model of HTTP/1.1, and with one connection, a fixed size and no
//! pause its ftp. Sessions of single files with Pareto sizes and exponential pauses are those of Parvez et
//! al. 2010, section IV-D.
//!
//! | parameter | unit | RFC 2415 |
//! |---|---|---|
//! | request | bytes | not stated |
//! | stages: connections, objects on each | how many | 1 and 3 connections of one object; one of four |
//! | size of an object | law, bytes | Mah 1997; 1 MB |
//! | pause | law, time | uniform, 1 to 5 s; none |
//! | whether an answer carries the ACK of its request | yes or no | yes |
//! | start | time, uniform | not stated |

use super::laws::Times;
use super::sizes::Sizes;
use super::{Step, Transfer, View, Workload};
use crate::plan::Stage;
use base::Time;
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// The parameters of pages, for client and server.
#[derive(Clone, Debug)]
pub struct Pages {
    /// Bytes of a request.
    pub request_bytes: u64,
    /// The stages of a page, at least one.
    pub stages: Arc<[Stage]>,
    /// How long pauses are.
    pub pause: Times,
    /// Whether an answer carries the ACK of the request, and a FIN that of the last data.
    pub answers_with_ack: bool,
}

impl Pages {
    /// Pages of one object, without pauses.
    #[must_use]
    pub fn single(request_bytes: u64, answers_with_ack: bool) -> Self {
        let stages = Arc::new([Stage { connections: 1, objects: 1 }]);
        let pause = Times::Uniform(Time::ZERO, Time::ZERO);
        Self { request_bytes, stages, pause, answers_with_ack }
    }
}

/// The state of a client.
#[derive(Clone, Copy, Debug)]
enum Doing {
    /// Waits for the time of the next page.
    Pausing(Time),
    /// Opens the connections of a stage, this many of which are still to be opened; an open one still has
    /// its request to write.
    Opening { left: u32, request: Option<u32> },
    /// Waits for this many connections of the stage.
    Fetching { left: u32 },
}

/// The client.
pub struct Client {
    pages: Pages,
    rng: ChaCha8Rng,
    starts_at: Time,
    doing: Doing,
    stage: u32,
    page_opened: Time,
    page: u64,
    /// Number of the next connection.
    next_connection: u32,
    /// Connections of the complete pages, then those of this page.
    transfers: Vec<Transfer>,
    complete: usize,
}

impl Client {
    /// A client whose first page begins at `starts_at`, and that draws its pauses from `rng`.
    #[must_use]
    pub fn new(pages: Pages, starts_at: Time, rng: ChaCha8Rng) -> Self {
        Self {
            pages,
            rng,
            starts_at,
            doing: Doing::Pausing(starts_at),
            stage: 0,
            page_opened: Time::ZERO,
            page: 0,
            next_connection: 0,
            transfers: Vec::new(),
            complete: 0,
        }
    }

    fn begin_stage(&mut self, stage: u32) {
        self.stage = stage;
        self.doing = Doing::Opening { left: self.pages.stages[stage as usize].connections, request: None };
    }

    /// Opens the next connection, writes its request, or waits when all are open.
    fn open(&mut self, left: u32, request: Option<u32>) -> Step {
        if let Some(connection) = request {
            self.doing = Doing::Opening { left, request: None };
            return Step::Write(connection, self.pages.request_bytes);
        }
        if left == 0 {
            self.doing = Doing::Fetching { left: self.pages.stages[self.stage as usize].connections };
            return Step::WaitUntil(Time::NEVER);
        }
        let connection = self.next_connection;
        self.next_connection += 1;
        self.doing = Doing::Opening { left: left - 1, request: Some(connection) };
        Step::Open(connection)
    }

    /// A connection has ended.
    fn complete(&mut self, now: Time, view: View, left: u32) {
        let opened = view.opened.expect("a client opens its connections");
        self.transfers.push(Transfer {
            page: self.page,
            page_opened: self.page_opened,
            stage: self.stage,
            connection: view.connection,
            bytes: view.delivered,
            opened,
            established: view.established.unwrap_or(now),
            completed: now,
        });
        let stages = self.pages.stages.len() as u32;
        match (left - 1, self.stage + 1) {
            (0, next) if next < stages => self.begin_stage(next),
            (0, _) => {
                self.complete = self.transfers.len();
                self.page += 1;
                let pause = self.pages.pause.draw(&mut self.rng);
                self.doing = Doing::Pausing(now.saturating_add(pause));
            }
            (left, _) => self.doing = Doing::Fetching { left },
        }
    }
}

impl Workload for Client {
    fn starts_at(&self) -> Option<Time> {
        Some(self.starts_at)
    }

    fn next(&mut self, now: Time, view: View) -> Step {
        match self.doing {
            Doing::Pausing(until) if now < until => Step::WaitUntil(until),
            Doing::Pausing(_) => {
                self.page_opened = now;
                self.begin_stage(0);
                self.next(now, view)
            }
            Doing::Opening { left, request } => self.open(left, request),
            Doing::Fetching { left } if view.ended && !view.closed => {
                self.complete(now, view, left);
                Step::Close(view.connection)
            }
            Doing::Fetching { .. } => Step::WaitUntil(Time::NEVER),
        }
    }

    fn piggybacks_acks(&self) -> bool {
        self.pages.answers_with_ack
    }

    fn transfers(&self) -> &[Transfer] {
        &self.transfers[..self.complete]
    }
}

/// The server.
pub struct Server {
    pages: Pages,
    sizes: Sizes,
    rng: ChaCha8Rng,
    /// The response on each connection, bytes, as far as any was asked for.
    responses: Vec<u64>,
}

impl Server {
    /// A server that draws its sizes from `rng`.
    #[must_use]
    pub fn new(pages: Pages, sizes: Sizes, rng: ChaCha8Rng) -> Self {
        Self { pages, sizes, rng, responses: Vec::new() }
    }

    /// Sizes are drawn page by page and in the order of the connections' numbers, so that the
    /// objects of a page do not depend on which request comes first.
    fn response(&mut self, connection: u32) -> u64 {
        let stages = self.pages.stages.clone();
        while self.responses.len() <= connection as usize {
            for stage in stages.iter() {
                for _ in 0..stage.connections {
                    let response = (0..stage.objects).map(|_| self.sizes.draw(&mut self.rng)).sum();
                    self.responses.push(response);
                }
            }
        }
        self.responses[connection as usize]
    }
}

impl Workload for Server {
    fn piggybacks_acks(&self) -> bool {
        self.pages.answers_with_ack
    }

    fn next(&mut self, _: Time, view: View) -> Step {
        if view.written > 0 && !view.closed {
            Step::Close(view.connection)
        } else if view.written == 0 && view.delivered >= self.pages.request_bytes {
            Step::Write(view.connection, self.response(view.connection))
        } else {
            Step::WaitUntil(Time::NEVER)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::rng::Streams;

    fn pages() -> Pages {
        let stage = |connections| Stage { connections, objects: 1 };
        let pause = Times::Uniform(Time::from_secs(1), Time::from_secs(1));
        Pages { request_bytes: 80, stages: Arc::new([stage(1), stage(2)]), pause, answers_with_ack: true }
    }

    /// Lets the client act until it waits.
    fn steps(client: &mut Client, now: Time, view: View) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut view = view;
        loop {
            let step = client.next(now, view);
            steps.push(step);
            match step {
                Step::WaitUntil(_) => return steps,
                Step::Close(_) => view.closed = true,
                Step::Open(_) | Step::Write(..) => {}
            }
        }
    }

    fn over(connection: u32, opened: Time) -> View {
        let established = Some(opened);
        View { connection, opened: Some(opened), established, ended: true, delivered: 9, ..View::default() }
    }

    #[test]
    fn a_page_is_its_stages_and_then_a_pause() {
        let mut client = Client::new(pages(), Time::ZERO, Streams::new(1).named("test"));
        let never = Step::WaitUntil(Time::NEVER);
        let first = steps(&mut client, Time::ZERO, View::default());
        assert_eq!(first, [Step::Open(0), Step::Write(0, 80), never]);
        let at = Time::from_ms(200);
        let second = steps(&mut client, at, over(0, Time::ZERO));
        let opened = [Step::Open(1), Step::Write(1, 80), Step::Open(2), Step::Write(2, 80)];
        assert_eq!(second, [&[Step::Close(0)], opened.as_slice(), &[never]].concat());
        // In any order.
        assert_eq!(steps(&mut client, Time::from_ms(300), over(2, at)), [Step::Close(2), never]);
        assert!(client.transfers().is_empty());
        let last = steps(&mut client, Time::from_ms(400), over(1, at));
        assert_eq!(last, [Step::Close(1), Step::WaitUntil(Time::from_ms(1400))]);
        let connections: Vec<u32> = client.transfers().iter().map(|each| each.connection).collect();
        assert_eq!(connections, [0, 2, 1]);
        assert_eq!(steps(&mut client, Time::from_ms(1400), View::default())[0], Step::Open(3));
    }

    #[test]
    fn a_pause_is_the_next_of_its_law() {
        let pause = Times::Exponential { mean_ps: 5e11 };
        let stages = Arc::new([Stage { connections: 1, objects: 1 }]);
        let mut client =
            Client::new(Pages { stages, pause, ..pages() }, Time::ZERO, Streams::new(1).named("test"));
        let mut rng = Streams::new(1).named("test");
        let mut now = Time::ZERO;
        for page in 0..5 {
            assert_eq!(steps(&mut client, now, View::default())[0], Step::Open(page));
            let end = now + Time::from_ms(100);
            let next = end + pause.draw(&mut rng);
            assert_eq!(steps(&mut client, end, over(page, now)), [Step::Close(page), Step::WaitUntil(next)]);
            now = next;
        }
    }

    #[test]
    fn a_response_does_not_depend_on_the_order_of_the_requests() {
        let law = crate::plan::Sizes::Quantiles {
            u_ppb: vec![500_000_000, 1_000_000_000],
            bytes: vec![100, 1_000_000],
            interpolation: crate::plan::Interpolation::Log,
        };
        let server = || Server::new(pages(), Sizes::new(&law), Streams::new(1).named("test"));
        let (mut forwards, mut backwards) = (server(), server());
        let one: Vec<u64> = (0..9).map(|connection| forwards.response(connection)).collect();
        let mut other: Vec<u64> = (0..9).rev().map(|connection| backwards.response(connection)).collect();
        other.reverse();
        assert_eq!(one, other);
    }

    #[test]
    fn a_server_answers_a_whole_request_once_and_closes() {
        let sizes = Sizes::Fixed(5000);
        let mut server = Server::new(pages(), sizes, Streams::new(1).named("test"));
        let view = View { connection: 7, delivered: 79, ..View::default() };
        assert_eq!(server.next(Time::ZERO, view), Step::WaitUntil(Time::NEVER));
        let view = View { delivered: 80, ..view };
        assert_eq!(server.next(Time::ZERO, view), Step::Write(7, 5000));
        let view = View { written: 5000, ..view };
        assert_eq!(server.next(Time::ZERO, view), Step::Close(7));
        let view = View { closed: true, ended: true, ..view };
        assert_eq!(server.next(Time::ZERO, view), Step::WaitUntil(Time::NEVER));
    }
}
