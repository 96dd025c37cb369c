//! What a reduction that turns out to be needless gives back.
//!
//! Source: RFC 4015 section 3 (steps 0 and 7), or Linux (`tcp_undo_cwnd_reduction` and its callers, `net/ipv4/tcp_input.c`).
//!
//! | | cwnd | ssthresh |
//! |---|---|---|
//! | RFC 4015 | flight size, and what the ACK acknowledges, an initial window at most | flight size before, or ssthresh before if that is larger |
//! | RFC 9438 section 4.9.2, CUBIC after a fast retransmit | as before | as before |
//! | Linux | as before | as before, or three quarters of cwnd before if that is more |
//!
//! What counts is the window before the *first* of several reductions: a time-out in a recovery, or a further one for the
//! same data, saves nothing (Linux: `prior_cwnd`). Whoever finds a reduction spurious vouches for all since then. A mark
//! proves congestion: with the reduction for it, or with an echo of one in a recovery, there is nothing to give back. A
//! window that has grown beyond what it was stays as it is (RFC 9438 section 4.9.2).
//!
//! Deviation: with RFC 4015, too, cwnd is not lowered. A report of duplicates may come when nothing is in flight any more, and
//! would leave no window at all.
//!
//! No parameters.

use super::segment_count::WholeSegments;
use super::{CongestionWindow, SlowStart, Spurious};
use crate::options::Undo;
use crate::sender::Sender;

/// A window before a reduction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    cwnd: u64,
    ssthresh: u64,
    flight_size: u64,
    pub(super) slow_start: SlowStart,
}

impl Before {
    pub(super) fn new(window: &CongestionWindow, sender: &Sender, slow_start: &SlowStart) -> Self {
        Self {
            cwnd: window.cwnd(),
            ssthresh: window.ssthresh(),
            flight_size: sender.flight_size(),
            slow_start: *slow_start,
        }
    }

    /// Gives it back; `entirely` if the control asks for that.
    pub(super) fn restore(
        &self,
        window: &mut CongestionWindow,
        sender: &Sender,
        spurious: &Spurious,
        entirely: bool,
        whole: Option<&WholeSegments>,
    ) {
        let (cwnd, ssthresh) = match spurious.undo {
            Undo::Off => return,
            Undo::Rfc4015 if window.cwnd() >= self.cwnd => return,
            Undo::Rfc4015 if entirely => (self.cwnd, self.ssthresh),
            Undo::Rfc4015 => {
                let acked = spurious.acked.min(spurious.initial_window);
                let cwnd = (sender.flight_size() + acked).max(window.cwnd());
                (cwnd, self.flight_size.max(self.ssthresh))
            }
            Undo::Linux => {
                let three_quarters = whole.map_or(self.cwnd / 4 * 3, |whole| whole.three_quarters(self.cwnd));
                let prior = self.ssthresh.max(three_quarters);
                (window.cwnd().max(self.cwnd), window.ssthresh().max(prior))
            }
        };
        window.set_cwnd(cwnd);
        window.set_ssthresh(ssthresh);
        window.count_max_cwnd();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::flow::Flow;
    use crate::congestion::{
        AckSample, Cause, Congestion, CongestionAvoidance, CongestionControl, Cubic, LossBased, Phase,
        Reduction, Reno,
    };
    use crate::options::Options;
    use crate::transmit_queue::QueueSample;
    use base::Time;

    const SMSS: u64 = 1000;

    fn control<A: CongestionAvoidance>(options: &Options, avoidance: fn(&Options) -> A) -> LossBased<A> {
        LossBased::new(options, avoidance(options), Reduction::proportional_if(true))
    }

    fn on(undo: Undo) -> Options {
        match undo {
            Undo::Linux => Options::MODERN.on_linux(),
            Undo::Off | Undo::Rfc4015 => Options { undo, ..Options::MODERN },
        }
    }

    /// A window of a hundred segments, all out, and a threshold.
    fn hundred<A: CongestionAvoidance>(control: &mut LossBased<A>, ssthresh: u64) -> Flow {
        let mut flow = Flow::new(SMSS, 100 * SMSS, ssthresh, 100 * SMSS);
        let sample = AckSample::open(Time::ZERO, SMSS, None);
        control.on_established(&mut flow.window, &flow.sender, false, &sample);
        flow
    }

    fn reduce<A: CongestionAvoidance>(
        control: &mut LossBased<A>,
        flow: &mut Flow,
        cause: Cause,
        within: bool,
    ) {
        let congestion = Congestion { cause, recover_fs: flow.sender.flight_size(), in_recovery: within };
        control.on_congestion(&mut flow.window, &flow.sender, &congestion);
    }

    /// An ACK of so many segments shows that it was needless.
    fn undo<A: CongestionAvoidance>(control: &mut LossBased<A>, flow: &mut Flow, cause: Cause, undo: Undo) {
        flow.sender.snd_una += 20 * SMSS;
        let spurious = Spurious { cause, acked: 20 * SMSS, initial_window: 10 * SMSS, undo };
        control.on_spurious(&mut flow.window, &flow.sender, &spurious);
    }

    fn windows(flow: &Flow) -> (u64, u64) {
        (flow.cwnd() / SMSS, flow.ssthresh() / SMSS)
    }

    /// 80 segments are out still; 20 are acknowledged, of which an initial window counts.
    #[test]
    fn a_time_out_that_was_needless_gives_the_window_back() {
        for (kind, cwnd, ssthresh) in [(Undo::Rfc4015, 90, 100), (Undo::Linux, 100, 75), (Undo::Off, 1, 50)] {
            let mut reno = control(&on(kind), Reno::new);
            let mut flow = hundred(&mut reno, 60 * SMSS);
            reduce(&mut reno, &mut flow, Cause::Rto, false);
            assert_eq!(windows(&flow), (1, 50));
            undo(&mut reno, &mut flow, Cause::Rto, kind);
            assert_eq!(windows(&flow), (cwnd, ssthresh), "{kind:?}");
        }
    }

    #[test]
    fn a_report_with_nothing_in_flight_takes_no_window() {
        let mut reno = control(&on(Undo::Rfc4015), Reno::new);
        let mut flow = hundred(&mut reno, 200 * SMSS);
        reduce(&mut reno, &mut flow, Cause::Loss, false);
        flow.window.set_cwnd(50 * SMSS);
        flow.sender.snd_una = flow.sender.snd_max;
        let spurious =
            Spurious { cause: Cause::Loss, acked: 0, initial_window: 10 * SMSS, undo: Undo::Rfc4015 };
        reno.on_spurious(&mut flow.window, &flow.sender, &spurious);
        assert_eq!(windows(&flow), (50, 200));
    }

    /// A larger threshold comes back as it was; once.
    #[test]
    fn a_threshold_comes_back_once() {
        for kind in [Undo::Rfc4015, Undo::Linux] {
            let mut reno = control(&on(kind), Reno::new);
            let mut flow = hundred(&mut reno, 700 * SMSS);
            reduce(&mut reno, &mut flow, Cause::Rto, false);
            undo(&mut reno, &mut flow, Cause::Rto, kind);
            assert_eq!(flow.ssthresh(), 700 * SMSS);
            flow.window.set_cwnd(SMSS);
            undo(&mut reno, &mut flow, Cause::Rto, kind);
            assert_eq!(flow.cwnd(), SMSS);
        }
    }

    /// A time-out in a recovery, and another one: what comes back is from before the recovery.
    #[test]
    fn the_first_of_several_reductions_counts() {
        for (kind, cwnd, ssthresh) in [(Undo::Rfc4015, 90, 200), (Undo::Linux, 100, 200)] {
            let mut cubic = control(&on(kind), Cubic::new);
            let mut flow = hundred(&mut cubic, 200 * SMSS);
            reduce(&mut cubic, &mut flow, Cause::Loss, false);
            reduce(&mut cubic, &mut flow, Cause::Rto, true);
            reduce(&mut cubic, &mut flow, Cause::RepeatedRto, false);
            undo(&mut cubic, &mut flow, Cause::Rto, kind);
            assert_eq!(windows(&flow), (cwnd, ssthresh), "{kind:?}");
        }
    }

    /// After a recovery that has ended, a time-out saves what that has left.
    #[test]
    fn a_recovery_that_has_ended_was_not_needless() {
        let mut cubic = control(&on(Undo::Linux), Cubic::new);
        let mut flow = hundred(&mut cubic, 200 * SMSS);
        reduce(&mut cubic, &mut flow, Cause::Loss, false);
        let exit = AckSample { phase: Phase::Exit, ..AckSample::open(Time::ZERO, SMSS, None) };
        cubic.on_ack(&mut flow.window, &flow.sender, &exit);
        assert_eq!(windows(&flow), (70, 70));
        reduce(&mut cubic, &mut flow, Cause::Rto, false);
        undo(&mut cubic, &mut flow, Cause::Rto, Undo::Linux);
        assert_eq!(windows(&flow), (70, 70));
    }

    #[test]
    fn marks_are_no_mistake() {
        for kind in [Undo::Rfc4015, Undo::Linux] {
            let mut cubic = control(&on(kind), Cubic::new);
            let mut flow = hundred(&mut cubic, 200 * SMSS);
            reduce(&mut cubic, &mut flow, Cause::Ecn, false);
            reduce(&mut cubic, &mut flow, Cause::Loss, false);
            reduce(&mut cubic, &mut flow, Cause::Rto, true);
            undo(&mut cubic, &mut flow, Cause::Rto, kind);
            assert_eq!(flow.cwnd(), SMSS, "a mark, then losses in the same window");
            let mut flow = hundred(&mut cubic, 200 * SMSS);
            reduce(&mut cubic, &mut flow, Cause::Loss, false);
            let echo =
                AckSample { phase: Phase::Recovery, ece: true, ..AckSample::open(Time::ZERO, 0, None) };
            cubic.on_ack(&mut flow.window, &flow.sender, &echo);
            let reduced = windows(&flow);
            undo(&mut cubic, &mut flow, Cause::Loss, kind);
            assert_eq!(windows(&flow), reduced, "an echo in a recovery");
        }
    }

    /// RFC 9438, section 4.9.2, gives all of cwnd back after a fast retransmit. The end of the recovery takes nothing away.
    #[test]
    fn cubic_has_its_whole_window_again_after_a_needless_fast_retransmit() {
        let mut cubic = control(&Options::MODERN, Cubic::new);
        let mut flow = hundred(&mut cubic, 60 * SMSS);
        reduce(&mut cubic, &mut flow, Cause::Loss, false);
        let queue = QueueSample { pipe: 96 * SMSS, ..QueueSample::default() };
        let open = AckSample::open(Time::ZERO, 0, None);
        let entered = AckSample { phase: Phase::Entered, delivered: SMSS, queue: Some(&queue), ..open };
        cubic.on_ack(&mut flow.window, &flow.sender, &entered);
        assert_eq!(windows(&flow), (97, 70));
        undo(&mut cubic, &mut flow, Cause::Loss, Undo::Rfc4015);
        assert_eq!(windows(&flow), (100, 60));
        for phase in [Phase::Recovery, Phase::Exit] {
            let sample = AckSample { phase, ..AckSample::open(Time::ZERO, SMSS, None) };
            cubic.on_ack(&mut flow.window, &flow.sender, &sample);
            assert_eq!(windows(&flow), (100, 60));
        }
        reduce(&mut cubic, &mut flow, Cause::Loss, false);
        let exit = AckSample { phase: Phase::Exit, ..AckSample::open(Time::ZERO, SMSS, None) };
        cubic.on_ack(&mut flow.window, &flow.sender, &exit);
        assert_eq!(windows(&flow), (70, 70), "the next loss is one");
    }

    /// In Linux neither a time-out in a recovery nor a repeated one lowers ssthresh; cwnd is whole segments throughout.
    #[test]
    fn further_time_outs_leave_the_threshold_of_whole_segments() {
        for (whole, ssthresh) in [(true, 70), (false, 49)] {
            let options = if whole { Options::MODERN.on_linux() } else { Options::MODERN };
            let mut cubic = control(&options, Cubic::new);
            let mut flow = hundred(&mut cubic, 200 * SMSS);
            reduce(&mut cubic, &mut flow, Cause::Loss, false);
            flow.window.set_cwnd(70 * SMSS);
            reduce(&mut cubic, &mut flow, Cause::Rto, true);
            assert_eq!(windows(&flow), (1, ssthresh));
            reduce(&mut cubic, &mut flow, Cause::RepeatedRto, false);
            assert_eq!(windows(&flow), (1, ssthresh));
        }
    }
}
