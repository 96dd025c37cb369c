//! Slow start and congestion avoidance.
//!
//! Source: RFC 5681 section 3.1; with byte counting RFC 3465 section 2.1; for rounding and batch 002
//! task 6. cwnd does not grow beyond the largest window that the peer can advertise (BSD).
//!
//! 002's third solution is floating point. Here SMSS * SMSS / cwnd keeps its fraction as the remainder of
//! the division, which is added to the next dividend, so that every machine finds the same. It counts for a
//! little less there, as cwnd has grown meanwhile: by less than a part in cwnd of what the ACK adds.
//!
//! | parameter | what |
//! |---|---|
//! | whole segments | cwnd grows by a segment for each window of segments delivered, as in Linux (`tcp_reno_cong_avoid`) |
//! | growth | an ACK adds SMSS * SMSS / cwnd (equation 3), or a segment is added when cwnd bytes are acknowledged |
//! | rounding | by ACKs: the fraction of a byte is cut and a byte is the least (RFC 5681: "up"), cut (BSD: "down"; nothing is left of it beyond SMSS * SMSS), or kept ("none") |
//! | ACK batch | by ACKs: N of them together add N * SMSS * SMSS / cwnd (002's first solution). Those count that come in congestion avoidance while cwnd limits the sender; a loss or a mark begins the count anew, and drops the fraction |
//! | ssthresh from | ssthresh is half of what [`SsthreshFrom`] says |
//! | ABE | a mark leaves four fifths of that instead (RFC 8511, section 3.1) |
//! | ssthresh rounding | ssthresh is cut to whole bytes, or to whole segments; with byte counting cwnd is then whole segments, too |
//! | limited transmit | what it sent does not count for `flight_size` (section 3.2, step 2) |
//! | additive constant | an eighth of a segment more for each ACK in congestion avoidance, as 4.3BSD Reno and its descendants had it (RFC 2525, section 2.6); RFC 5681 forbids it |

use super::segment_count::SegmentCount;
use super::threshold::{ssthresh_from, threshold};
use super::{AckSample, Cause, CongestionAvoidance, CongestionWindow, SlowStart};
use crate::options::{CwndRounding, Growth, Options, SsthreshFrom, SsthreshRounding};
use crate::sender::Sender;

/// Slow start and congestion avoidance.
#[derive(Clone, Copy, Debug)]
pub struct Reno {
    growth: Growth,
    ssthresh_from: SsthreshFrom,
    ssthresh_rounding: SsthreshRounding,
    limited_transmit: bool,
    additive_constant: bool,
    abe: bool,
    /// A further time-out for the same data leaves ssthresh as it is.
    keeps_ssthresh: bool,
    /// With a window of whole segments.
    count: Option<SegmentCount>,
    rounding: CwndRounding,
    ack_batch: u32,
    /// ACKs since cwnd last grew in congestion avoidance.
    acks: u32,
    /// What the last growth left. By bytes: those acknowledged since. By ACKs: of the division, if nothing is
    /// rounded.
    left: u64,
}

impl Reno {
    /// With these options.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            growth: options.growth,
            ssthresh_from: options.ssthresh_from,
            ssthresh_rounding: options.ssthresh_rounding,
            limited_transmit: options.limited_transmit,
            additive_constant: options.historic.additive_constant,
            abe: options.abe,
            // BSD's min(cwnd, rwnd) breaks that rule. Where cwnd grows only as far as it is used, it stands for the flight
            // size (RFC 9438, section 4.6), and with it the rule holds.
            keeps_ssthresh: options.ssthresh_from.is_of_flight() || options.cwnd_validation,
            count: options.whole_segments.then(SegmentCount::default),
            rounding: options.historic.cwnd_rounding,
            ack_batch: options.historic.cwnd_ack_batch,
            acks: 0,
            left: 0,
        }
    }

    fn avoid_congestion(&mut self, window: &mut CongestionWindow, sender: &Sender, acked: u64) {
        let cwnd = window.cwnd();
        if let Some(count) = &mut self.count {
            return count.grow(window, sender, cwnd / sender.smss, acked / sender.smss);
        }
        let growth = match self.growth {
            Growth::Acks => self.growth_by_acks(cwnd, sender.smss),
            Growth::Bytes { .. } => {
                self.left += acked;
                let segments = self.left / cwnd;
                self.left -= segments * cwnd;
                segments * sender.smss
            }
        };
        let constant = if self.additive_constant { sender.smss / 8 } else { 0 };
        window.grow_to(cwnd + growth + constant, sender.max_rwnd);
    }

    /// What this ACK adds to cwnd, with those before it that have added nothing.
    fn growth_by_acks(&mut self, cwnd: u64, smss: u64) -> u64 {
        self.acks += 1;
        if self.acks < self.ack_batch {
            return 0;
        }
        let acks = u64::from(std::mem::take(&mut self.acks));
        let dividend = acks * smss * smss + self.left;
        let growth = dividend / cwnd;
        match self.rounding {
            CwndRounding::Up => growth.max(1),
            CwndRounding::Down => growth,
            CwndRounding::None => {
                self.left = dividend % cwnd;
                growth
            }
        }
    }
}

impl CongestionAvoidance for Reno {
    fn on_ack(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        slow_start: &SlowStart,
        sample: &AckSample,
    ) {
        let left = slow_start.grow(window, sender, sample.delivered);
        if left > 0 {
            self.avoid_congestion(window, sender, left);
        }
    }

    fn ssthresh(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> u64 {
        (self.acks, self.left) = (0, 0);
        if let Some(count) = &mut self.count {
            count.clear();
        }
        // RFC 5681, section 3.1: a second time-out for the same data changes nothing.
        if self.keeps_ssthresh && cause == Cause::RepeatedRto {
            return window.ssthresh();
        }
        let mut lost_from = ssthresh_from(window, sender, self.ssthresh_from, cause);
        if self.limited_transmit && cause == Cause::Loss {
            lost_from = lost_from.min(window.cwnd());
        }
        let left = if self.abe && cause == Cause::Ecn { lost_from * 4 / 5 } else { lost_from / 2 };
        threshold(left, sender.smss, self.ssthresh_rounding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::flow::Flow;
    use crate::options::{Historic, Options};
    use base::Time;
    use proptest::prelude::*;

    /// Six segments of 1000 bytes are in flight; the peer's window has twenty.
    fn flow(cwnd: u64, ssthresh: u64) -> Flow {
        let mut flow = Flow::new(1000, cwnd, ssthresh, 6000);
        (flow.sender.rwnd, flow.sender.max_rwnd) = (20_000, 20_000);
        flow
    }

    /// Reno with its slow start.
    struct Its {
        reno: Reno,
        slow_start: SlowStart,
    }

    impl Its {
        fn new(options: &Options) -> Self {
            Self { reno: Reno::new(options), slow_start: SlowStart::new(options.growth) }
        }

        fn on_ack(&mut self, flow: &mut Flow, acked: u64) {
            self.reno.on_ack(&mut flow.window, &flow.sender, &self.slow_start, &ack(acked));
        }

        fn ssthresh(&mut self, flow: &Flow, cause: Cause) -> u64 {
            self.slow_start.on_loss(cause);
            self.reno.ssthresh(&flow.window, &flow.sender, cause)
        }
    }

    fn reno(ssthresh_from: SsthreshFrom) -> Its {
        Its::new(&Options { ssthresh_from, ..Options::CLASSIC })
    }

    fn counting(limit: Option<u32>) -> Its {
        Its::new(&Options { growth: Growth::Bytes { limit }, ..Options::CLASSIC })
    }

    fn ack(acked: u64) -> AckSample<'static> {
        AckSample::open(Time::ZERO, acked, None)
    }

    #[test]
    fn doubles_below_ssthresh_and_grows_by_a_segment_a_window_above() {
        let mut control = reno(SsthreshFrom::Cwnd);
        let mut w = flow(1000, 4000);
        control.on_ack(&mut w, 1000);
        assert_eq!(w.cwnd(), 2000);
        control.on_ack(&mut w, 128);
        assert_eq!(w.cwnd(), 2128, "never by more than was acknowledged");
        let mut w = flow(10_000, 4000);
        control.on_ack(&mut w, 1000);
        assert_eq!(w.cwnd(), 10_100);
        control.reno.additive_constant = true;
        control.on_ack(&mut w, 1000);
        assert_eq!(w.cwnd(), 10_100 + 99 + 125);
    }

    #[test]
    fn stops_at_the_largest_window_of_the_peer() {
        let mut w = flow(19_990, 50_000);
        reno(SsthreshFrom::Cwnd).on_ack(&mut w, 1000);
        assert_eq!(w.cwnd(), 20_000);
    }

    #[test]
    fn halves_what_it_was_told_to_and_keeps_two_segments() {
        let mut w = flow(16_000, 50_000);
        assert_eq!(reno(SsthreshFrom::Cwnd).ssthresh(&w, Cause::Rto), 8000);
        let mut flight = reno(SsthreshFrom::FlightSize);
        assert_eq!(flight.ssthresh(&w, Cause::Loss), 3000);
        assert_eq!(flight.ssthresh(&w, Cause::RepeatedRto), 50_000);
        w.window.set_cwnd(1000);
        assert_eq!(reno(SsthreshFrom::Cwnd).ssthresh(&w, Cause::Rto), 2000);
    }

    /// After a time-out the flight size still counts the lost segments. A second time-out must not make ssthresh of them.
    #[test]
    fn bounded_by_cwnd_the_flight_size_raises_nothing_at_a_time_out() {
        let mut w = flow(3000, 50_000);
        w.sender.snd_max = 100_001;
        assert_eq!(reno(SsthreshFrom::FlightSize).ssthresh(&w, Cause::Rto), 50_000);
        assert_eq!(reno(SsthreshFrom::FlightSizeBounded).ssthresh(&w, Cause::Rto), 2000);
        assert_eq!(reno(SsthreshFrom::FlightSizeBounded).ssthresh(&w, Cause::RepeatedRto), 50_000);
        let idle = flow(16_000, 50_000);
        assert_eq!(
            reno(SsthreshFrom::FlightSizeBounded).ssthresh(&idle, Cause::Rto),
            3000,
            "six segments are out"
        );
        assert_eq!(reno(SsthreshFrom::FlightSizeBounded).ssthresh(&idle, Cause::Loss), 3000);
    }

    /// Nine segments: half is four and a half, of which four are whole. By bytes cwnd stays whole then.
    #[test]
    fn ssthresh_is_cut_to_whole_segments_if_so_asked() {
        let options = Options {
            growth: Growth::Bytes { limit: None },
            ssthresh_from: SsthreshFrom::Cwnd,
            ssthresh_rounding: SsthreshRounding::Segments,
            ..Options::CLASSIC
        };
        let mut control = Its::new(&options);
        assert_eq!(control.ssthresh(&flow(9000, 50_000), Cause::Loss), 4000);
        assert_eq!(control.ssthresh(&flow(3000, 50_000), Cause::Loss), 2000, "two at least");
        let mut w = flow(4000, 4000);
        (0..4).for_each(|_| control.on_ack(&mut w, 1000));
        assert_eq!(w.cwnd(), 5000);
        assert_eq!(reno(SsthreshFrom::Cwnd).ssthresh(&flow(9000, 50_000), Cause::Rto), 4500);
    }

    /// RFC 3465: an ACK for two segments counts twice in slow start with L = 2, once after a
    /// time-out; in congestion avoidance ten segments acknowledged add one to a cwnd of ten.
    #[test]
    fn with_byte_counting_what_is_acknowledged_counts() {
        let mut control = counting(Some(2));
        let mut w = flow(1000, 9000);
        control.on_ack(&mut w, 4000);
        assert_eq!(w.cwnd(), 3000);
        control.ssthresh(&w, Cause::Rto);
        control.on_ack(&mut w, 2000);
        assert_eq!(w.cwnd(), 4000);
        let mut w = flow(10_000, 4000);
        (0..9).for_each(|_| control.on_ack(&mut w, 1000));
        assert_eq!(w.cwnd(), 10_000);
        control.on_ack(&mut w, 1000);
        assert_eq!(w.cwnd(), 11_000);
    }

    #[test]
    fn what_an_ack_leaves_of_slow_start_counts_for_congestion_avoidance() {
        let mut control = counting(None);
        let mut w = flow(9000, 10_000);
        control.on_ack(&mut w, 11_000);
        assert_eq!(w.cwnd(), 11_000);
    }

    /// RFC 8511: a mark leaves four fifths, a loss half as ever.
    #[test]
    fn a_mark_leaves_more_with_abe() {
        for (abe, of_mark) in [(true, 12_800), (false, 8000)] {
            let options = Options { ssthresh_from: SsthreshFrom::Cwnd, abe, ..Options::CLASSIC };
            let left = |cause| Its::new(&options).ssthresh(&flow(16_000, 50_000), cause);
            assert_eq!((left(Cause::Ecn), left(Cause::Loss)), (of_mark, 8000));
        }
    }

    /// Where cwnd grows only as it is used, a second time-out for the same data leaves ssthresh; BSD's becomes two segments.
    #[test]
    fn a_further_time_out_leaves_a_validated_threshold() {
        for (cwnd_validation, ssthresh) in [(true, 8000), (false, 2000)] {
            let options = Options { ssthresh_from: SsthreshFrom::Cwnd, cwnd_validation, ..Options::CLASSIC };
            let after_time_out = flow(1000, 8000);
            assert_eq!(Its::new(&options).ssthresh(&after_time_out, Cause::RepeatedRto), ssthresh);
        }
    }

    /// Linux: ten delivered segments for a segment more, whatever the ACKs.
    #[test]
    fn whole_segments_grow_by_one_for_each_window() {
        let mut control = Its::new(&Options::MODERN.on_linux());
        let mut w = flow(10_000, 4000);
        (0..3).for_each(|_| control.on_ack(&mut w, 3000));
        assert_eq!(w.cwnd(), 10_000);
        control.on_ack(&mut w, 3000);
        assert_eq!(w.cwnd(), 11_000);
        (0..8).for_each(|_| control.on_ack(&mut w, 1000));
        assert_eq!(w.cwnd(), 11_000);
        control.on_ack(&mut w, 1000);
        assert_eq!(w.cwnd(), 12_000, "two were left");
    }

    /// Congestion avoidance with MSS 512, after so many ACKs of a segment each.
    fn large(rounding: CwndRounding, ack_batch: u32, cwnd: u64, acks: u64) -> u64 {
        let options = Options {
            historic: Historic { cwnd_rounding: rounding, cwnd_ack_batch: ack_batch, ..Historic::OFF },
            ..Options::CLASSIC
        };
        let mut control = Its::new(&options);
        let mut w = flow(cwnd, 1024);
        (w.sender.smss, w.sender.max_rwnd) = (512, 1 << 30);
        (0..acks).for_each(|_| control.on_ack(&mut w, 512));
        w.cwnd()
    }

    /// 002 task 6: 512 * 512 / cwnd is 1 up to 262144 and 0 from 262145 on. RFC 5681 makes it 1.
    #[test]
    fn a_large_window_of_whole_bytes_sticks() {
        use CwndRounding::{Down, None, Up};
        assert_eq!(large(Down, 1, 262_140, 4), 262_144);
        assert_eq!(large(Down, 1, 262_140, 5), 262_145);
        assert_eq!(large(Down, 1, 262_140, 1_000_000), 262_145);
        assert_eq!(large(Up, 1, 262_140, 1000), 263_140);
        // 262144 / 262144, and then 7 * 262144 / 262145 = 6.99997.
        assert_eq!(large(None, 1, 262_144, 8), 262_144 + 1 + 6);
        assert_eq!(large(None, 1, 262_144, 9), 262_144 + 1 + 7);
    }

    /// 002 task 6, solution 1: beyond 262144 each N ACKs add N * 262144 / cwnd, cut: for N = 2, 4, 8 that is 1,
    /// 3, 7 up to 262144 * 2/1, 4/3, 8/7, and it ends where N = 1 would with N times the window.
    #[test]
    fn several_acks_together_let_it_grow() {
        use CwndRounding::{Down, Up};
        for (batch, growth) in [(2, 1), (4, 3), (8, 7)] {
            let acks = u64::from(batch);
            assert_eq!(large(Down, batch, 262_145, acks - 1), 262_145, "{batch}");
            assert_eq!(large(Down, batch, 262_145, acks), 262_145 + growth, "{batch}");
            assert_eq!(large(Down, batch, 262_145, 10 * acks + 1), 262_145 + 10 * growth, "{batch}");
            let end = acks * 262_144 + 1;
            assert_eq!(large(Down, batch, end - 3, 1000), end, "{batch}");
            assert_eq!(large(Up, batch, end, acks), end + 1, "{batch}");
        }
        // Small windows: 4 * 512 * 512 / 5120 = 204.8 instead of 4 * 51.
        assert_eq!(large(Down, 4, 5120, 4), 5120 + 204);
    }

    #[test]
    fn a_loss_begins_the_count_of_acks_anew_and_drops_the_fraction() {
        let options = Options {
            historic: Historic { cwnd_rounding: CwndRounding::None, cwnd_ack_batch: 3, ..Historic::OFF },
            ..Options::CLASSIC
        };
        for cause in [Cause::Loss, Cause::Rto, Cause::RepeatedRto, Cause::Ecn] {
            let mut control = Its::new(&options);
            // 3 * 1000 * 1000 / 7000 = 428 4/7.
            let mut w = flow(7000, 2000);
            (0..5).for_each(|_| control.on_ack(&mut w, 1000));
            assert_eq!((w.cwnd(), control.reno.acks, control.reno.left), (7428, 2, 4000));
            control.ssthresh(&w, cause);
            (0..2).for_each(|_| control.on_ack(&mut w, 1000));
            assert_eq!(w.cwnd(), 7428, "{cause:?}");
            // 3000000 / 7428 = 403.9; 4000 more would make it 404.
            control.on_ack(&mut w, 1000);
            assert_eq!(w.cwnd(), 7428 + 403, "{cause:?}");
        }
    }

    #[test]
    fn acks_count_in_congestion_avoidance_alone() {
        let mut control = Its::new(&Options {
            historic: Historic { cwnd_ack_batch: 2, ..Historic::OFF },
            ..Options::CLASSIC
        });
        let mut w = flow(3000, 4000);
        control.on_ack(&mut w, 1000);
        assert_eq!((w.cwnd(), control.reno.acks), (4000, 0), "slow start");
        control.on_ack(&mut w, 1000);
        assert_eq!((w.cwnd(), control.reno.acks), (4000, 1));
        control.on_ack(&mut w, 1000);
        assert_eq!((w.cwnd(), control.reno.acks), (4500, 0));
    }

    proptest! {
        /// The ACKs of a window add about a segment: from cwnd to at most one segment more, n of them add
        /// between n SMSS^2 / (cwnd + SMSS) and n SMSS^2 / cwnd, and cutting takes less than a byte a time.
        #[test]
        fn a_window_of_acks_adds_a_segment(
            smss in 64u64..10_000,
            segments in 2u64..5000,
            part in 0u64..64,
            batch in 1u32..33,
            down in any::<bool>(),
        ) {
            let rounding = if down { CwndRounding::Down } else { CwndRounding::None };
            let mut control = Its::new(&Options {
            historic: Historic { cwnd_rounding: rounding, cwnd_ack_batch: batch, ..Historic::OFF },
            ..Options::CLASSIC
        });
            let cwnd = segments * smss + part;
            let mut w = flow(cwnd, smss);
            (w.sender.smss, w.sender.max_rwnd) = (smss, 1 << 40);
            let batches = segments / u64::from(batch);
            let acks = batches * u64::from(batch);
            (0..acks).for_each(|_| control.on_ack(&mut w, smss));
            let growth = (w.cwnd() - cwnd) as f64;
            let most = (acks * smss * smss) as f64 / cwnd as f64;
            let least = (acks * smss * smss) as f64 / (cwnd + smss) as f64;
            // What is kept counts for less by a part in cwnd of what was added: a byte in all at most.
            let cut = if down { batches as f64 } else { 2.0 };
            prop_assert!(growth <= most && growth >= least - cut, "{least} {growth} {most}");
            prop_assert_eq!(w.window.max_cwnd(), if acks > 0 { w.cwnd() } else { 0 });
        }
    }

    #[test]
    fn data_of_limited_transmit_do_not_count_for_ssthresh() {
        let mut w = flow(4000, 50_000);
        w.sender.snd_max = 6001;
        let mut with = reno(SsthreshFrom::FlightSize);
        with.reno.limited_transmit = true;
        assert_eq!(with.ssthresh(&w, Cause::Loss), 2000);
        assert_eq!(reno(SsthreshFrom::FlightSize).ssthresh(&w, Cause::Loss), 3000);
    }
}
