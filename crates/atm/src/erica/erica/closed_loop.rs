//! ERICA+ and sources in a loop without a network: rates are a fluid, feedback takes an interval.
//!
//! A port of 100 000 cells/s with intervals of 50 ms and T0 = 20 ms. What the port answers at the end of an
//! interval reaches the sources at the end of the next, so it shows in the load of the one after that. A
//! line of a trace is an interval: what was measured in it, and the rates at which sources sent.

use super::*;
use crate::abr::{AbrConfig, AbrSource};
use std::fmt::Write;
use std::ops::Range;

const RATE: f64 = 100_000.0;
const INTERVAL: Time = Time::from_ms(50);
const TARGET_DELAY: Time = Time::from_ms(20);

/// A source: its limits, and when it has something to send, in intervals.
#[derive(Clone)]
struct Sender {
    pcr: f64,
    /// What it has to send, cells/s.
    demand: f64,
    active: Range<u32>,
}

const GREEDY: Sender = Sender { pcr: RATE, demand: f64::INFINITY, active: 0..u32::MAX };

struct Loop {
    senders: Vec<Sender>,
    sources: Vec<AbrSource>,
    /// Parts of cells that are still to be sent.
    owed: Vec<f64>,
    erica: Erica,
    /// ABR cells in the queue.
    queue: f64,
    /// BRMs in flight.
    returning: Vec<(usize, RmCell)>,
    trace: String,
}

impl Loop {
    fn new(senders: Vec<Sender>, icr: f64) -> Self {
        Self::with(senders, icr, EricaConfig { delta: 0.0, ..EricaConfig::OSU })
    }

    fn with(senders: Vec<Sender>, icr: f64, config: EricaConfig) -> Self {
        let queue_control =
            QueueControl::Hyperbolic { target_delay: TARGET_DELAY, a: 1.15, b: 1.05, floor: 0.5 };
        let config = EricaConfig { interval_cells: u32::MAX, interval: INTERVAL, queue_control, ..config };
        let source = |sender: &Sender| AbrSource::new(&AbrConfig::osu(sender.pcr, icr, Time::ZERO));
        Self {
            sources: senders.iter().map(source).collect(),
            owed: vec![0.0; senders.len()],
            erica: Erica::new(config, senders.len()),
            queue: 0.0,
            returning: Vec::new(),
            trace: String::from("interval  load z   delay ms   target  FairShare   rates\n"),
            senders,
        }
    }

    /// What a source sends in an interval, cells/s.
    fn rate(&self, vc: usize, interval: u32) -> f64 {
        let Sender { demand, ref active, .. } = self.senders[vc];
        if active.contains(&interval) { self.sources[vc].acr().min(demand) } else { 0.0 }
    }

    fn interval(&mut self, interval: u32) {
        let end = INTERVAL * u64::from(interval + 1);
        let rates: Vec<f64> = (0..self.senders.len()).map(|vc| self.rate(vc, interval)).collect();
        for (vc, &rate) in rates.iter().enumerate() {
            if rate == 0.0 {
                continue;
            }
            let ccr = self.sources[vc].acr();
            let frm = RmCell { er: self.senders[vc].pcr, ccr, mcr: 0.0, ci: false, ni: false, bn: false };
            self.erica.forward_rm(end, vc as u32, &frm);
            self.owed[vc] += rate * INTERVAL.as_secs_f64();
            while self.owed[vc] >= 1.0 {
                self.owed[vc] -= 1.0;
                self.queue += 1.0;
                self.erica.arrival(end, vc as u32);
            }
        }
        self.queue = (self.queue - RATE * INTERVAL.as_secs_f64()).max(0.0);
        let queue = PortQueue { abr_cells: self.queue as u32, cell_rate: RATE };
        self.erica.end_interval(end, &queue);

        for (vc, brm) in std::mem::take(&mut self.returning) {
            self.sources[vc].on_backward(end, &brm);
        }
        for (vc, rate) in rates.iter().enumerate().filter(|&(_, &rate)| rate > 0.0) {
            let mut brm =
                RmCell { er: self.senders[vc].pcr, ccr: *rate, mcr: 0.0, ci: false, ni: false, bn: false };
            self.erica.backward_rm(end, vc as u32, &mut brm, &queue);
            self.returning.push((vc, brm));
        }
        self.write(interval, &rates);
    }

    fn write(&mut self, interval: u32, rates: &[f64]) {
        let Measured { target, z, fair_share, .. } = self.erica.measured.expect("an interval has ended");
        let delay_ms = self.queue / RATE * 1e3;
        write!(self.trace, "{interval:8}  {z:6.3}  {delay_ms:9.2}  {target:7.0}  {fair_share:9.0} ")
            .expect("a text takes everything");
        for rate in rates {
            write!(self.trace, " {rate:7.0}").expect("a text takes everything");
        }
        self.trace.push('\n');
    }

    fn run(self, intervals: u32) -> Self {
        self.run_on(0..intervals)
    }

    fn run_on(mut self, intervals: Range<u32>) -> Self {
        for interval in intervals {
            self.interval(interval);
        }
        self
    }

    /// The next interval's rates are these, to 1 %, and the queue is `TARGET_DELAY`, to 5 %.
    fn settled(&self, interval: u32, expected: &[f64]) {
        for (vc, expected) in expected.iter().enumerate() {
            let rate = self.rate(vc, interval);
            assert!((rate - expected).abs() <= 0.01 * expected, "{rate} is not {expected}\n{}", self.trace);
        }
        let delay = self.queue / RATE / TARGET_DELAY.as_secs_f64();
        assert!((delay - 1.0).abs() <= 0.05, "{delay}\n{}", self.trace);
        if self.senders.iter().all(|sender| sender.demand > RATE) {
            let sum: f64 = self.returning.iter().map(|(_, brm)| brm.er).sum();
            assert!((sum / RATE - 1.0).abs() <= 0.01, "the port gives out {sum}\n{}", self.trace);
        }
    }
}

#[test]
fn two_greedy_sources_share_equally() {
    let run = Loop::new(vec![GREEDY, GREEDY], 10_000.0).run(30);
    run.settled(30, &[50_000.0, 50_000.0]);
    insta::assert_snapshot!(run.trace);
}

#[test]
fn sources_that_begin_far_apart_meet() {
    let mut run = Loop::new(vec![GREEDY; 3], 5_000.0);
    run.sources[0] = AbrSource::new(&AbrConfig::osu(RATE, 90_000.0, Time::ZERO));
    let run = run.run(40);
    run.settled(40, &[RATE / 3.0; 3]);
    insta::assert_snapshot!(run.trace);
}

#[test]
fn what_a_slow_source_leaves_is_shared() {
    // Max-min: 10 000, and (100 000 - 10 000) / 2 each.
    let run = Loop::new(vec![Sender { pcr: 10_000.0, ..GREEDY }, GREEDY, GREEDY], 10_000.0).run(40);
    run.settled(40, &[10_000.0, 45_000.0, 45_000.0]);
    insta::assert_snapshot!(run.trace);
}

#[test]
fn a_transient_source_takes_its_share_and_gives_it_back() {
    let run = Loop::new(vec![GREEDY, Sender { active: 6..34, ..GREEDY }], 10_000.0).run(34);
    // At the end it has its share (the last interval in which it sends), and two intervals later all is the other's.
    run.settled(33, &[50_000.0, 50_000.0]);
    let run = run.run_on(34..40);
    assert_eq!(run.rate(0, 40), RATE);
    insta::assert_snapshot!(run.trace);
}

#[test]
fn a_source_with_little_to_send_leaves_the_rest() {
    // It is given more than it sends: its FRMs say so, its cells do not.
    let senders = vec![Sender { demand: 10_000.0, ..GREEDY }, GREEDY, GREEDY];
    let measured = EricaConfig { ccr: Ccr::Measured, delta: 0.0, ..EricaConfig::OSU };
    let run = Loop::with(senders, 20_000.0, measured).run(40);
    run.settled(40, &[10_000.0, 45_000.0, 45_000.0]);
    insta::assert_snapshot!(run.trace);
}

/// With the usual delta nobody gives way before z is above 1.1: until then every VC keeps the largest allocation
/// of the interval before, and the queue must grow and lower the target. Then all give way at once.
#[test]
fn a_band_of_a_tenth_keeps_rates_until_the_queue_is_long() {
    let run = Loop::with(vec![GREEDY, GREEDY], 10_000.0, EricaConfig::OSU).run(12);
    assert_eq!((run.rate(0, 12) / 50_000.0 * 100.0).round(), 105.0);
    let run = run.run_on(12..40);
    run.settled(40, &[50_000.0, 50_000.0]);
    insta::assert_snapshot!(run.trace);
}
