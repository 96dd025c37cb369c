//! Documents fetched over one persistent connection.
//!
//! Source: 000 section 4, after SPECweb96 (file sizes) and Mah 1997 (requests per document); 004 section
//! 4.3. A client asks for a document every period; a document is a batch of requests, separated by
//! random gaps and sent whether or not earlier ones were answered. The server is infinitely
//! fast: it writes the whole file when it has the whole request.
//!
//! If the first request of a batch is sent alone, the others wait until its whole answer has arrived, and
//! then follow with the gaps that were drawn for them. Neither source defines the next batch then. Here a
//! client makes its requests in the order in which they were drawn: the next batch begins at its time or,
//! if the one before still waits then, after the last request of that one. A period from the last request
//! counts from the time of that request.
//!
//! | parameter | unit | 000 | 004 |
//! |---|---|---|---|
//! | period, gap | time | 10 s, from start to start or as a pause; uniform 100 to 500 ms | 10 s; not stated |
//! | requests, file index | law on 1 to 9 | "Poisson, mean 5" | 5, uniform |
//! | classes | probability | 20, 28, 40, 11.2, 0.8 % | the same |
//! | first request of class 0 | yes or no | not stated | "typically" |
//! | first request alone | yes or no | no | yes |

use super::{Response, Step, View, Workload};
use crate::plan::{IndexLaw, PeriodFrom};
use base::Time;
use rand::{Rng, RngExt};

/// Parameters of the model; see [`crate::plan::Workload::WwwBatches`].
#[derive(Clone, Debug)]
pub struct WwwBatches {
    /// Bytes of a request.
    pub request_bytes: u64,
    /// From one batch to the next.
    pub period: Time,
    /// Where the period counts from.
    pub period_from: PeriodFrom,
    /// When requests are made.
    pub pace: Pace,
    /// The first batch starts within this time.
    pub start_spread: Time,
    /// Requests of a batch.
    pub requests: IndexLaw,
    /// Shortest and longest gap between requests.
    pub gap: (Time, Time),
    /// Which of the nine sizes of its class a file has.
    pub file_index: IndexLaw,
    /// Probability of each class, parts per million.
    pub class_ppm: [u32; 5],
    /// Whether the first request of a batch is always of class 0.
    pub first_is_class_0: bool,
}

/// When the requests of a client are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// At their times, whatever has arrived by then.
    Open,
    /// The further requests of a batch once its first is answered.
    FirstAlone,
}

/// A request, as it will be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its batch, from 0.
    pub batch: u64,
    /// Its number in the batch, from 0.
    pub number: u32,
    /// When the client makes it, if it need not wait.
    pub at: Time,
    /// Size of the file, bytes.
    pub file_bytes: u64,
}

impl WwwBatches {
    /// All requests that one client makes before `end`.
    pub fn requests(&self, rng: &mut impl Rng, end: Time) -> Vec<Request> {
        let mut requests = Vec::new();
        let mut begins = uniform(rng, Time::ZERO, self.start_spread);
        let mut batch = 0;
        while begins < end {
            let mut at = begins;
            for number in 0..self.requests.draw(rng) {
                if number > 0 {
                    at += uniform(rng, self.gap.0, self.gap.1);
                }
                let file_bytes = self.file_bytes(rng, number == 0);
                if at < end {
                    requests.push(Request { batch, number, at, file_bytes });
                }
            }
            let from = match self.period_from {
                PeriodFrom::FirstRequest => begins,
                PeriodFrom::LastRequest => at,
            };
            begins = from + self.period;
            batch += 1;
        }
        // A batch may last longer than the period; requests are made in the order of time, but for those
        // that wait for others.
        if self.pace == Pace::Open {
            requests.sort_by_key(|request| request.at);
        }
        requests
    }

    fn file_bytes(&self, rng: &mut impl Rng, first: bool) -> u64 {
        let class = match (self.first_is_class_0, first) {
            (true, true) => 0,
            (true, false) => 1 + draw(rng, &self.class_ppm[1..]),
            (false, _) => draw(rng, &self.class_ppm),
        };
        // 102.4 bytes times the index in class 0, ten times as much in each further class.
        u64::from(self.file_index.draw(rng)) * 1024 * 10_u64.pow(class as u32) / 10
    }
}

impl IndexLaw {
    /// Draws from 1 to 9.
    pub fn draw(self, rng: &mut impl Rng) -> u32 {
        match self {
            Self::Five => 5,
            Self::Uniform => rng.random_range(1..=9),
            Self::PoissonTruncated => 1 + draw(rng, &POISSON_5[1..10]) as u32,
            Self::PoissonClamped => (draw(rng, &POISSON_5) as u32).clamp(1, 9),
        }
    }
}

/// Poisson probabilities of mean 5 for 0 to 9, and for 10 and above, in units of 1e-9.
const POISSON_5: [u32; 11] = [
    6_737_947,
    33_689_735,
    84_224_337,
    140_373_896,
    175_467_370,
    175_467_370,
    146_222_808,
    104_444_863,
    65_278_039,
    36_265_577,
    31_828_058,
];

/// An index with a probability proportional to its weight.
fn draw(rng: &mut impl Rng, weights: &[u32]) -> usize {
    let mut at = rng.random_range(0..weights.iter().sum::<u32>());
    weights
        .iter()
        .position(|&weight| {
            let here = at < weight;
            at = at.wrapping_sub(weight);
            here
        })
        .expect("the draw is below the sum")
}

/// Uniform in `[from, to)`, or `from` if that is empty.
fn uniform(rng: &mut impl Rng, from: Time, to: Time) -> Time {
    if from >= to { from } else { Time::from_ps(rng.random_range(from.as_ps()..to.as_ps())) }
}

/// The client: makes its requests, and receives the files.
pub struct Client {
    request_bytes: u64,
    pace: Pace,
    period_from: PeriodFrom,
    requests: std::vec::IntoIter<Request>,
    next: Option<Request>,
    /// The time for which the last request was drawn.
    drawn: Time,
    /// The requests made, in order.
    made: Vec<Response>,
    /// How many of these are answered, and how many bytes their files had.
    answered: (usize, u64),
}

impl Client {
    /// A client that makes these requests of the model.
    #[must_use]
    pub fn new(model: &WwwBatches, requests: Vec<Request>) -> Self {
        let mut requests = requests.into_iter();
        Self {
            request_bytes: model.request_bytes,
            pace: model.pace,
            period_from: model.period_from,
            next: requests.next(),
            requests,
            drawn: Time::ZERO,
            made: Vec::new(),
            answered: (0, 0),
        }
    }

    /// Notes which answers are complete.
    fn take(&mut self, now: Time, delivered: u64) {
        let (count, bytes) = &mut self.answered;
        while let Some(response) = self.made.get_mut(*count).filter(|next| *bytes + next.bytes <= delivered) {
            response.completed = Some(now);
            *bytes += response.bytes;
            *count += 1;
        }
    }

    /// When the next request is made; none before it is known.
    fn due(&self) -> Option<Time> {
        let Some(next) = self.next else { return Some(Time::NEVER) };
        let (Pace::FirstAlone, Some(last)) = (self.pace, self.made.last()) else { return Some(next.at) };
        let after = match next.number {
            0 if self.period_from == PeriodFrom::FirstRequest => return Some(next.at),
            // The last one made is the first of the batch.
            1 => last.completed?,
            _ => last.requested,
        };
        Some(after + (next.at - self.drawn))
    }

    fn ask(&mut self, now: Time, request: Request) -> Step {
        let Request { batch, number, file_bytes, at } = request;
        self.made.push(Response {
            batch,
            request: number,
            bytes: file_bytes,
            requested: now,
            completed: None,
            counts_from_start: false,
        });
        self.drawn = at;
        self.next = self.requests.next();
        Step::Write(0, self.request_bytes)
    }
}

impl Workload for Client {
    fn starts_at(&self) -> Option<Time> {
        Some(self.next.map_or(Time::NEVER, |first| first.at))
    }

    fn next(&mut self, now: Time, view: View) -> Step {
        self.take(now, view.delivered);
        match (self.due(), self.next) {
            (Some(due), Some(request)) if due <= now => {
                if view.opened.is_none() {
                    return Step::Open(0);
                }
                self.ask(now, request)
            }
            (due, _) => Step::WaitUntil(due.unwrap_or(Time::NEVER)),
        }
    }

    fn responses(&self) -> &[Response] {
        &self.made
    }
}

/// The server: writes a file for each whole request.
pub struct Server {
    request_bytes: u64,
    files: std::vec::IntoIter<u64>,
    asked: u64,
}

impl Server {
    /// A server of these requests, which come in this order.
    #[must_use]
    pub fn new(request_bytes: u64, requests: &[Request]) -> Self {
        let files = requests.iter().map(|request| request.file_bytes).collect::<Vec<_>>();
        Self { request_bytes, files: files.into_iter(), asked: 0 }
    }
}

impl Workload for Server {
    fn next(&mut self, _: Time, view: View) -> Step {
        if view.delivered < (self.asked + 1) * self.request_bytes {
            return Step::WaitUntil(Time::NEVER);
        }
        self.asked += 1;
        self.files.next().map_or(Step::WaitUntil(Time::NEVER), |bytes| Step::Write(0, bytes))
    }
}

#[cfg(test)]
mod tests;
