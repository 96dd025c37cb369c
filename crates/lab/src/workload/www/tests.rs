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

/// A client without an answer makes no more requests, and no client waits for the answer to a batch's only request.
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
