//! Documents fetched over one persistent connection.
//!
//! Source: 000 section 4, after SPECweb96 (file sizes) and Mah 1997 (requests per document). A
//! client asks for a document every period; a document is a batch of requests, separated by
//! random gaps and sent whether or not earlier ones were answered. The server is infinitely
//! fast: it writes the whole file when it has the whole request.
//!
//! | parameter | unit | 000 |
//! |---|---|---|
//! | period, gap | time | 10 s, from start to start or as a pause; uniform 100 to 500 ms |
//! | requests, file index | law on 1 to 9 | "Poisson, mean 5" |
//! | classes | probability | 20, 28, 40, 11.2, 0.8 % |
//! | first request of class 0 | yes or no | not stated |

use super::{Step, View, Workload};
use crate::plan::{IndexLaw, PeriodFrom};
use rand::{Rng, RngExt};
use sim::Time;

/// Parameters of the model; see [`crate::plan::Workload::WwwBatches`].
#[derive(Clone, Debug)]
pub struct WwwBatches {
    /// Bytes of a request.
    pub request_bytes: u64,
    /// From one batch to the next.
    pub period: Time,
    /// Where the period counts from.
    pub period_from: PeriodFrom,
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

/// A request, as it will be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// When the client makes it.
    pub at: Time,
    /// Size of the file, bytes.
    pub file_bytes: u64,
}

impl WwwBatches {
    /// All requests that one client makes before `end`.
    pub fn requests(&self, rng: &mut impl Rng, end: Time) -> Vec<Request> {
        let mut requests = Vec::new();
        let mut batch = uniform(rng, Time::ZERO, self.start_spread);
        while batch < end {
            let mut at = batch;
            for number in 0..self.requests.draw(rng) {
                if number > 0 {
                    at += uniform(rng, self.gap.0, self.gap.1);
                }
                let file_bytes = self.file_bytes(rng, number == 0);
                if at < end {
                    requests.push(Request { at, file_bytes });
                }
            }
            let from = match self.period_from {
                PeriodFrom::FirstRequest => batch,
                PeriodFrom::LastRequest => at,
            };
            batch = from + self.period;
        }
        // A batch may last longer than the period; requests are made in the order of time.
        requests.sort_by_key(|request| request.at);
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

/// The client: makes its requests at their times, and takes whatever comes.
pub struct Client {
    request_bytes: u64,
    times: std::vec::IntoIter<Time>,
    next: Option<Time>,
}

impl Client {
    /// A client that makes these requests.
    #[must_use]
    pub fn new(request_bytes: u64, requests: &[Request]) -> Self {
        let mut times = requests.iter().map(|request| request.at).collect::<Vec<_>>().into_iter();
        Self { request_bytes, next: times.next(), times }
    }
}

impl Workload for Client {
    fn starts_at(&self) -> Option<Time> {
        Some(self.next.unwrap_or(Time::NEVER))
    }

    fn next(&mut self, now: Time, view: View) -> Step {
        match self.next {
            Some(_) if view.opened.is_none() => Step::Open(0),
            Some(at) if at <= now => {
                self.next = self.times.next();
                Step::Write(0, self.request_bytes)
            }
            next => Step::WaitUntil(next.unwrap_or(Time::NEVER)),
        }
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
mod tests {
    use super::*;
    use sim::rng::Streams;

    fn model() -> WwwBatches {
        WwwBatches {
            request_bytes: 128,
            period: Time::from_secs(10),
            period_from: PeriodFrom::FirstRequest,
            start_spread: Time::ZERO,
            requests: IndexLaw::PoissonTruncated,
            gap: (Time::from_ms(100), Time::from_ms(500)),
            file_index: IndexLaw::Uniform,
            class_ppm: [200_000, 280_000, 400_000, 112_000, 8_000],
            first_is_class_0: false,
        }
    }

    fn mean(count: u32, draw: impl FnMut(u32) -> u64) -> f64 {
        (0..count).map(draw).sum::<u64>() as f64 / f64::from(count)
    }

    #[test]
    fn poisson_weights_sum_to_one() {
        assert_eq!(POISSON_5.iter().sum::<u32>(), 1_000_000_000);
    }

    /// 000 prints 120.3 KB, 1 KB = 1000 B: index 5 on average. 1e6 draws leave 0.5 %.
    #[test]
    fn mean_file_size_is_the_printed_one() {
        let mut rng = Streams::new(1).named("test");
        let mean = mean(1_000_000, |_| model().file_bytes(&mut rng, false));
        assert!((mean / 120_320.0 - 1.0).abs() < 0.005, "{mean}");
    }

    #[test]
    fn means_of_the_laws() {
        let mut rng = Streams::new(2).named("test");
        let laws = [IndexLaw::PoissonTruncated, IndexLaw::PoissonClamped, IndexLaw::Uniform, IndexLaw::Five];
        for (law, expected) in laws.into_iter().zip([4.846, 4.953, 5.0, 5.0]) {
            let mean = mean(400_000, |_| u64::from(law.draw(&mut rng)));
            assert!((mean - expected).abs() < 0.02, "{law:?} {mean}");
        }
    }

    #[test]
    fn batches_come_every_period_with_gaps_between() {
        let requests = model().requests(&mut Streams::new(3).named("test"), Time::from_secs(100));
        for batch in 0..10 {
            let start = Time::from_secs(10 * batch);
            assert!(requests.iter().any(|request| request.at == start));
        }
        for pair in requests.windows(2) {
            let gap = pair[1].at - pair[0].at;
            assert!(gap >= Time::from_ms(100) && gap <= Time::from_secs(10));
        }
    }

    #[test]
    fn the_first_request_may_be_bound_to_class_0() {
        let model = WwwBatches { first_is_class_0: true, ..model() };
        let requests = model.requests(&mut Streams::new(4).named("test"), Time::from_secs(100));
        for request in requests {
            let first = request.at.as_ps() % Time::from_secs(10).as_ps() == 0;
            assert_eq!(first, request.file_bytes < 1024);
        }
    }
}
