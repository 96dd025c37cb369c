//! Proportional rate reduction: how much may be sent on each ACK of a recovery.
//!
//! Source: RFC 9937 sections 6.2 and 6.3, which replaces RFC 6937. What is allowed is rounded up to whole segments, as
//! in present-day stacks, since no part of a segment is sent. With a window of whole segments as Linux has it
//! (`tcp_cwnd_reduction`, `net/ipv4/tcp_input.c`): cwnd before the reduction stands for `RecoverFS`, and what is in flight
//! counts in whole segments.
//!
//! | while | an ACK lets out |
//! |---|---|
//! | `pipe` > ssthresh | ssthresh / `RecoverFS` of what was delivered |
//! | `pipe` <= ssthresh, and the ACK shows a loss | as much as was delivered (CRB) |
//! | `pipe` <= ssthresh otherwise ("SafeACK") | a segment more (SSRB), up to ssthresh |
//!
//! No parameters.

use crate::transmit_queue::QueueSample;

/// The state of a reduction, bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prr {
    /// Delivered since the reduction began.
    delivered: u64,
    /// Sent since the reduction began.
    out: u64,
    /// `flight_size` when it began, without what had been SACKed.
    recover_fs: u64,
    whole_segments: bool,
}

impl Prr {
    /// A reduction that begins with `recover_fs` bytes in flight.
    pub(super) fn new(recover_fs: u64) -> Self {
        Self { recover_fs: recover_fs.max(1), ..Self::default() }
    }

    /// A reduction of a window of whole segments.
    pub(super) fn of_whole_segments(cwnd: u64) -> Self {
        Self { whole_segments: true, ..Self::new(cwnd) }
    }

    /// cwnd after an ACK that has delivered so many bytes.
    pub(super) fn on_ack(&mut self, ssthresh: u64, smss: u64, delivered: u64, ack: &QueueSample) -> u64 {
        self.delivered += delivered;
        let pipe = if self.whole_segments { ack.pipe.next_multiple_of(smss) } else { ack.pipe };
        let allowed = if pipe > ssthresh {
            let part = (self.delivered * ssthresh).div_ceil(self.recover_fs);
            part.next_multiple_of(smss).saturating_sub(self.out)
        } else {
            let bound = self.delivered.saturating_sub(self.out).max(delivered);
            let bound = if ack.is_safe { bound + smss } else { bound };
            bound.min(ssthresh - pipe)
        };
        // The fast retransmit goes out whatever the rest says.
        let allowed = if self.out == 0 { allowed.max(smss) } else { allowed };
        pipe + allowed
    }

    /// So many bytes were sent.
    pub(super) fn on_sent(&mut self, bytes: u64) {
        self.out += bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::flow::Flow;
    use crate::congestion::{
        AckSample, Cause, Congestion, CongestionControl, Cubic, LossBased, Phase, Reduction, Sent,
    };
    use crate::options::Options;
    use base::Time;
    use proptest::prelude::*;
    use std::collections::{BTreeSet, VecDeque};

    const SMSS: u64 = 1000;

    /// Ten segments, the first lost, ssthresh 5: the eight further SACKs let out a segment each
    /// second time, until `pipe` is ssthresh; from then on each keeps it there.
    #[test]
    fn every_second_ack_lets_out_a_segment_when_ssthresh_is_half() {
        let mut prr = Prr::new(10 * SMSS);
        let mut pipe = 9 * SMSS;
        let mut sent = vec![];
        for _ in 0..8 {
            pipe -= SMSS;
            let ack = QueueSample { pipe, ..QueueSample::default() };
            let cwnd = prr.on_ack(5 * SMSS, SMSS, SMSS, &ack);
            let out = (cwnd - pipe) / SMSS;
            prr.on_sent(out * SMSS);
            pipe += out * SMSS;
            sent.push(out);
        }
        assert_eq!(sent, [1, 0, 1, 0, 1, 0, 0, 1]);
        assert_eq!(pipe, 5 * SMSS);
    }

    #[test]
    fn below_ssthresh_a_safe_ack_lets_out_one_segment_more() {
        for (safe, segments) in [(false, 1), (true, 2)] {
            let mut prr = Prr::new(10 * SMSS);
            prr.on_sent(SMSS);
            let ack = QueueSample { pipe: 2 * SMSS, is_safe: safe, ..QueueSample::default() };
            assert_eq!(prr.on_ack(5 * SMSS, SMSS, SMSS, &ack), (2 + segments) * SMSS);
        }
    }

    #[test]
    fn never_beyond_ssthresh_from_below() {
        let mut prr = Prr::new(10 * SMSS);
        prr.on_sent(SMSS);
        let ack = QueueSample { pipe: 4 * SMSS, is_safe: true, ..QueueSample::default() };
        assert_eq!(prr.on_ack(5 * SMSS, SMSS, 8 * SMSS, &ack), 5 * SMSS);
    }

    /// A window of segments on a path that keeps their order, of which some are lost; retransmissions arrive.
    struct Recovery {
        control: LossBased<Cubic>,
        flow: Flow,
        /// Segments on the path, in order.
        path: VecDeque<u64>,
        arrived: Vec<bool>,
        sent_again: Vec<bool>,
        /// Segments below this that have not arrived count as lost: three have arrived above them.
        lost_below: usize,
        /// Segments beyond cwnd at its beginning are new.
        recover: u64,
        delivered: u64,
    }

    impl Recovery {
        fn new(options: &Options, cwnd: u64, lost: &BTreeSet<u64>) -> Self {
            let mut flow = Flow::new(SMSS, cwnd * SMSS, 10 * cwnd * SMSS, cwnd * SMSS);
            let mut control = LossBased::new(options, Cubic::new(options), Reduction::proportional_if(true));
            let established = AckSample::open(Time::ZERO, SMSS, None);
            control.on_established(&mut flow.window, &flow.sender, false, &established);
            Self {
                control,
                flow,
                path: (0..cwnd).filter(|segment| !lost.contains(segment)).collect(),
                arrived: vec![false; cwnd as usize],
                sent_again: vec![false; cwnd as usize],
                lost_below: 0,
                recover: cwnd,
                delivered: 0,
            }
        }

        fn pipe(&self) -> u64 {
            let is_out = |n: &usize| !self.arrived[*n] && (*n >= self.lost_below || self.sent_again[*n]);
            (0..self.arrived.len()).filter(is_out).count() as u64 * SMSS
        }

        fn acked(&self) -> u64 {
            self.arrived.iter().take_while(|arrived| **arrived).count() as u64
        }

        /// The next segment arrives. Returns how many its ACK lets out, and how many it shows to be lost.
        fn arrival(&mut self) -> (u64, u64) {
            let segment = self.path.pop_front().expect("something is on its way");
            let (acked, lost_below) = (self.acked(), self.lost_below);
            self.arrived[segment as usize] = true;
            self.delivered += 1;
            let above = self.arrived.iter().enumerate().rev().filter(|its| *its.1).nth(2);
            self.lost_below = self.lost_below.max(above.map_or(0, |its| its.0));
            let newly_lost = (lost_below..self.lost_below).filter(|&n| !self.arrived[n]).count() as u64;
            let entered = newly_lost > 0 && self.control_is_open();
            let acked_now = self.acked();
            self.flow.sender.snd_una = 1 + acked_now * SMSS;
            if entered {
                let recover_fs = (self.recover - (self.delivered - 1)) * SMSS;
                let loss = Congestion { cause: Cause::Loss, recover_fs, in_recovery: false };
                self.control.on_congestion(&mut self.flow.window, &self.flow.sender, &loss);
            }
            let phase = match (self.control_is_open(), acked_now >= self.recover) {
                _ if entered => Phase::Entered,
                (true, _) => Phase::Open,
                (false, true) => Phase::Exit,
                (false, false) => Phase::Recovery,
            };
            let queue = QueueSample {
                pipe: self.pipe(),
                is_safe: acked_now > acked && newly_lost == 0,
                ..QueueSample::default()
            };
            let open = AckSample::open(Time::ZERO, (acked_now - acked) * SMSS, None);
            let sample = AckSample { phase, delivered: SMSS, queue: Some(&queue), ..open };
            self.control.on_ack(&mut self.flow.window, &self.flow.sender, &sample);
            (self.send(), newly_lost)
        }

        fn control_is_open(&self) -> bool {
            self.flow.ssthresh() > self.recover * SMSS
        }

        fn send(&mut self) -> u64 {
            let mut sent = 0;
            while !self.control_is_open() && self.pipe() + SMSS <= self.flow.cwnd() {
                let lost = (0..self.lost_below).find(|&n| !self.arrived[n] && !self.sent_again[n]);
                let segment = lost.unwrap_or(self.arrived.len());
                if segment == self.arrived.len() {
                    self.arrived.push(false);
                    self.sent_again.push(false);
                } else {
                    self.sent_again[segment] = true;
                }
                self.path.push_back(segment as u64);
                self.flow.sender.snd_max = 1 + self.arrived.len() as u64 * SMSS;
                self.flow.sender.snd_nxt = self.flow.sender.snd_max;
                let departure = Sent { now: Time::ZERO, bytes: SMSS, was_idle: false };
                self.control.on_sent(&mut self.flow.window, &self.flow.sender, departure);
                sent += 1;
            }
            sent
        }
    }

    proptest! {
        /// CUBIC with 100 segments loses the first of them and up to 29 others: what is in flight gets within a segment of ssthresh before the
        /// recovery ends, at which cwnd is ssthresh. No ACK lets out more than two segments, unless it shows several losses
        /// at once: `pipe` falls by all of them, and may fall below ssthresh by as many while PRR still owes some of what was
        /// delivered.
        #[test]
        fn a_recovery_ends_at_ssthresh_and_never_bursts(
            mut lost in prop::collection::btree_set(1u64..97, 0..30),
            on_linux in any::<bool>(),
        ) {
            lost.insert(0);
            let options = if on_linux { Options::MODERN.on_linux() } else { Options::MODERN };
            let mut its = Recovery::new(&options, 100, &lost);
            let mut before = 0;
            while its.acked() < 100 {
                before = its.flow.cwnd();
                let (sent, found) = its.arrival();
                prop_assert!(sent <= 2.max(1 + found), "{} segments for an ACK, {} losses", sent, found);
            }
            prop_assert_eq!((its.flow.cwnd(), its.flow.ssthresh()), (70 * SMSS, 70 * SMSS));
            prop_assert!(before.abs_diff(70 * SMSS) <= SMSS, "{}", before);
        }
    }
}
