//! Documents fetched over one persistent connection.
//!
//! Source: 000 section 4, after SPECweb96 (file sizes) and Mah 1997 (requests per document); 004 section
//! 4.3. A client asks for a document every period; a document is a batch of requests, separated by
//! random gaps and sent whether or not earlier ones were answered. The server is infinitely
//! fast: it writes the whole file when it has the whole request.
//!
//! If the first request of a batch is sent alone, the others wait until its whole answer has come, and
//! then follow with the gaps that were drawn for them. Neither source says what becomes of the next
//! batch then. Here a client makes its requests in the order in which they were drawn: the next batch
//! begins at its time or, if the one before still waits then, when that has made its last request. A
//! period from the last request counts from when it was made.
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
    /// At their times, whatever has come by then.
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

/// The client: makes its requests, and takes whatever comes.
pub struct Client {
    request_bytes: u64,
    pace: Pace,
    period_from: PeriodFrom,
    requests: std::vec::IntoIter<Request>,
    next: Option<Request>,
    /// For when the last request was drawn.
    drawn: Time,
    /// What was asked for, in the order in which it was.
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
mod tests {
    use super::*;
    use sim::rng::Streams;

    fn model() -> WwwBatches {
        WwwBatches {
            request_bytes: 128,
            period: Time::from_secs(10),
            period_from: PeriodFrom::FirstRequest,
            pace: Pace::Open,
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

    const S: u64 = 1_000_000_000_000;

    /// Batches of requests for files of 1000 bytes, drawn for these seconds.
    fn drawn(batches: &[&[u64]]) -> Vec<Request> {
        let one =
            |batch, number, &at: &u64| Request { batch, number, at: Time::from_ps(at * S), file_bytes: 1000 };
        let numbered = |(batch, its): (u64, &&[u64])| -> Vec<Request> {
            (0..).zip(*its).map(|(number, at)| one(batch, number, at)).collect()
        };
        (0..).zip(batches).flat_map(numbered).collect()
    }

    /// The seconds at which a client has made its requests by the end, and at which they were answered; so
    /// many bytes have come by these seconds.
    fn made(
        pace: Pace,
        period_from: PeriodFrom,
        batches: &[&[u64]],
        came: &[(u64, u64)],
    ) -> Vec<(u64, Option<u64>)> {
        let mut client = Client::new(&WwwBatches { pace, period_from, ..model() }, drawn(batches));
        let mut view = View::default();
        for second in 0..100 {
            let now = Time::from_ps(second * S);
            view.delivered = came.iter().filter(|(at, _)| *at <= second).map(|(_, bytes)| bytes).sum();
            while let step @ (Step::Open(_) | Step::Write(..)) = client.next(now, view) {
                view.opened = view.opened.or(Some(now));
                assert!(step == Step::Open(0) || step == Step::Write(0, 128));
            }
        }
        let seconds = |time: Time| time.as_ps() / S;
        client.responses().iter().map(|its| (seconds(its.requested), its.completed.map(seconds))).collect()
    }

    /// Gaps of 1 and 2 s, a period of 10 s. The first answer takes 3 s and comes in two parts.
    #[test]
    fn the_others_follow_the_first_answer_with_their_gaps() {
        let batches: &[&[u64]] = &[&[5, 6, 8], &[15, 16]];
        let came = [(7, 999), (8, 1), (20, 2000), (21, 1000)];
        let of = |pace, from| made(pace, from, batches, &came);
        let (first, last) = (PeriodFrom::FirstRequest, PeriodFrom::LastRequest);
        let open = [(5, Some(8)), (6, Some(20)), (8, Some(20)), (15, Some(21)), (16, None)];
        assert_eq!(of(Pace::Open, first), open);
        let alone = [(5, Some(8)), (9, Some(20)), (11, Some(20)), (15, Some(21)), (22, None)];
        assert_eq!(of(Pace::FirstAlone, first), alone);
        // The second batch was drawn 7 s after the last request of the first.
        let counted = [(5, Some(8)), (9, Some(20)), (11, Some(20)), (18, Some(21)), (22, None)];
        assert_eq!(of(Pace::FirstAlone, last), counted);
    }

    /// The second batch cannot begin at 15 s, because the first has not made its last request; the third
    /// begins at its time.
    #[test]
    fn a_batch_begins_late_behind_one_that_waits() {
        let batches: &[&[u64]] = &[&[5, 6], &[15, 16], &[25]];
        let came = [(18, 1000), (20, 2000)];
        let found = made(Pace::FirstAlone, PeriodFrom::FirstRequest, batches, &came);
        assert_eq!(found, [(5, Some(18)), (19, Some(20)), (19, Some(20)), (21, None), (25, None)]);
    }

    /// Whoever gets no answer asks no more, and nobody waits for the answer to a batch's only request.
    #[test]
    fn a_batch_of_one_request_holds_nothing_up() {
        let of = |batches| made(Pace::FirstAlone, PeriodFrom::LastRequest, batches, &[]);
        assert_eq!(of(&[&[5], &[15], &[25, 26]]), [(5, None), (15, None), (25, None)]);
    }

    /// Whether the first is alone changes no draw.
    #[test]
    fn waiting_changes_no_draw() {
        for period_from in [PeriodFrom::FirstRequest, PeriodFrom::LastRequest] {
            let requests = |pace| {
                let model = WwwBatches { pace, period_from, period: Time::from_ms(900), ..model() };
                let mut requests = model.requests(&mut Streams::new(5).named("test"), Time::from_secs(100));
                requests.sort_by_key(|request| (request.batch, request.number));
                requests
            };
            assert!(requests(Pace::Open).len() > 100);
            assert_eq!(requests(Pace::Open), requests(Pace::FirstAlone));
        }
    }
}
