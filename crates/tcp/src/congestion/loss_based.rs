//! Congestion control that reacts to losses: slow start, congestion avoidance and a reduction.
//!
//! Source: RFC 5681 for what is common: initial window, restart after idle (section 4.1), a lost SYN (section 3.1); RFC
//! 2861 for windows that are not filled (`validation.rs`).
//!
//! | part | what it does | files |
//! |---|---|---|
//! | slow start | lets cwnd grow below ssthresh | `slow_start/` |
//! | congestion avoidance | lets it grow above, and says what a loss leaves of it | `reno.rs`, `cubic/` ... |
//! | reduction | brings cwnd to ssthresh in a recovery | `halving.rs`, `prr.rs` |
//!
//! With `whole_segments` the window is as in Linux (`net/ipv4/tcp_input.c`): cwnd and ssthresh are whole segments, only
//! whole segments that are delivered count, and a time-out in a recovery, or a further one for the same data, leaves
//! ssthresh as it is (`tcp_enter_loss`). What a needless reduction gives back is in `undo.rs`.

use super::halving::Halving;
use super::prr::Prr;
use super::segment_count::WholeSegments;
use super::slow_start::SlowStart;
use super::undo::Before;
use super::validation::Validation;
use super::{
    AckSample, Cause, Congestion, CongestionControl, CongestionWindow, Idle, Needs, Phase, Sent, Spurious,
};
use crate::options::{Options, SsthreshFrom, Undo};
use crate::sender::Sender;
use crate::sender_state::SenderState;
use base::Time;

/// How cwnd grows outside of a recovery, and what a loss leaves of it.
pub trait CongestionAvoidance: Send {
    /// Whether it uses [`crate::transmit_queue::QueueSample::path`].
    fn needs_path_samples(&self) -> bool {
        false
    }

    /// Whether it uses [`AckSample::rtt`].
    fn needs_rtt(&self) -> bool {
        false
    }

    /// An ACK came, of new data or a duplicate one. One of the other methods may follow.
    fn on_sample(&mut self, sample: &AckSample) {
        let _ = sample;
    }

    /// Something new was acknowledged outside of a recovery, while cwnd limits the sender.
    fn on_ack(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        slow_start: &SlowStart,
        sample: &AckSample,
    );

    /// The slow-start threshold after a loss or a mark. cwnd has not moved yet.
    fn ssthresh(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> u64;

    /// A reduction begins that may turn out to be needless. [`CongestionAvoidance::ssthresh`] follows.
    fn save(&mut self) {}

    /// What has happened since the last [`CongestionAvoidance::save`] was needless. cwnd is still what it has become.
    /// Returns true if it asks for cwnd and ssthresh as they were, where RFC 4015 would be more careful.
    fn on_spurious(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> bool {
        let _ = (window, sender, cause);
        false
    }

    /// Whether it uses [`CongestionAvoidance::on_transmit_start`] or [`CongestionAvoidance::on_sent`]. If not, the connection
    /// calls neither.
    fn needs_transmit_start(&self) -> bool {
        false
    }

    /// Something is sent, and nothing was in flight.
    fn on_transmit_start(&mut self, now: Time) {
        let _ = now;
    }

    /// Something is sent.
    fn on_sent(&mut self, now: Time) {
        let _ = now;
    }

    /// Something new was acknowledged while something else than cwnd limits the sender.
    fn on_unlimited(&mut self, now: Time) {
        let _ = now;
    }
}

/// How cwnd gets to ssthresh when there was a loss or a mark.
#[derive(Clone, Copy, Debug)]
pub enum Reduction {
    /// At once; duplicate ACKs may inflate it meanwhile.
    Halving(Halving),
    /// In proportion to what is delivered; the state of the reduction that is going on.
    Prr(Option<Prr>),
}

impl Reduction {
    /// RFC 9937 if the options ask for it, or else at once.
    #[must_use]
    pub fn proportional_if(prr: bool) -> Self {
        if prr { Self::Prr(None) } else { Self::Halving(Halving::PLAIN) }
    }
}

/// Slow start, congestion avoidance and a reduction.
pub struct LossBased<A> {
    slow_start: SlowStart,
    avoidance: A,
    reduction: Reduction,
    validation: Option<Box<Validation>>,
    handshake_growth: bool,
    ssthresh_from: SsthreshFrom,
    /// With a window of whole segments.
    whole: Option<Box<WholeSegments>>,
    may_undo: bool,
    /// The window before the last reduction, if that may turn out to be needless.
    before: Option<Box<Before>>,
    /// The last reduction was needless, so there is none to go on with.
    is_undone: bool,
}

impl<A: CongestionAvoidance> LossBased<A> {
    /// With these options.
    #[must_use]
    pub fn new(options: &Options, avoidance: A, reduction: Reduction) -> Self {
        Self {
            slow_start: SlowStart::of(options),
            avoidance,
            reduction,
            validation: options.cwnd_validation.then(Box::default),
            handshake_growth: options.historic.handshake_growth,
            ssthresh_from: options.ssthresh_from,
            whole: options.whole_segments.then(|| Box::new(WholeSegments::new())),
            may_undo: options.undo != Undo::Off,
            before: None,
            is_undone: false,
        }
    }

    /// As Linux: of what is delivered, only whole segments count. Where segments have come late, those that are SACKed count as
    /// soon as those that are acknowledged (`tcp_may_raise_cwnd`).
    #[inline(never)]
    fn grow_by_whole_segments(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        let Some(mut whole) = self.whole.take() else { return };
        let counts_sacks = sample.queue.is_some_and(|queue| queue.is_reordered) && sample.delivered > 0;
        if sample.acked > 0 || counts_sacks {
            let delivered = whole.of_delivered(sample.delivered);
            self.grow(window, sender, &AckSample { delivered, ..*sample });
        }
        whole.cut(window);
        self.whole = Some(whole);
    }

    #[inline(always)]
    fn grow(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        if self.slow_start.needs_rtt() || self.validation.is_some() {
            self.grow_with_care(window, sender, sample);
        } else {
            self.avoidance.on_ack(window, sender, &self.slow_start, sample);
        }
    }

    /// With a slow start that looks for its end, or a window that grows only if it is filled.
    fn grow_with_care(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        self.slow_start.on_ack(window, sender, sample);
        if self.validation.as_ref().is_none_or(|validation| validation.is_limited(window)) {
            self.avoidance.on_ack(window, sender, &self.slow_start, sample);
        } else {
            self.avoidance.on_unlimited(sample.now);
        }
        self.slow_start.after_ack(window, sender, sample);
    }

    /// Proportional rate reduction. It looks at the transmit queue, so there is one.
    fn reduce(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        if let (Reduction::Prr(Some(prr)), Some(queue)) = (&mut self.reduction, sample.queue)
            && (sample.delivered > 0 || sample.phase == Phase::Entered)
        {
            let cwnd = prr.on_ack(window.ssthresh(), sender.smss, sample.delivered, queue);
            window.set_cwnd(cwnd.max(sender.smss));
        }
    }

    #[inline(never)]
    fn on_ack_of_recovery(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        match (sample.phase, &mut self.reduction) {
            _ if self.is_undone => {}
            (Phase::Open, _) => {}
            (Phase::Recovery, Reduction::Halving(halving)) => {
                halving.on_ack(window, sender.smss, sample.acked);
            }
            (Phase::Entered | Phase::Recovery, _) => self.reduce(window, sender, sample),
            (Phase::Exit | Phase::Repaired, reduction) => {
                window.set_cwnd(window.ssthresh());
                if let Reduction::Prr(prr) = reduction {
                    *prr = None;
                }
            }
        }
        if sample.ece {
            self.before = None;
        }
        if let Some(whole) = &self.whole {
            whole.cut(window);
        }
    }

    /// What a loss leaves.
    fn threshold(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> u64 {
        self.slow_start.on_loss(cause);
        self.avoidance.ssthresh(window, sender, cause)
    }

    /// Keeps what a first reduction may have to give back.
    fn save(&mut self, window: &CongestionWindow, sender: &Sender) {
        if self.may_undo {
            self.before = Some(Box::new(Before::new(window, sender, &self.slow_start)));
            self.avoidance.save();
        }
    }

    fn on_rto(&mut self, window: &mut CongestionWindow, sender: &Sender, congestion: &Congestion) {
        let before = window.ssthresh();
        let is_further = congestion.cause == Cause::RepeatedRto
            || congestion.in_recovery
            || matches!(self.reduction, Reduction::Prr(Some(_)));
        if !is_further {
            self.save(window, sender);
        }
        if congestion.in_recovery && self.ssthresh_from == SsthreshFrom::CwndDeflated {
            window.set_cwnd(window.cwnd().min(before));
        }
        let keeps = is_further && self.whole.is_some();
        let cause = if keeps { Cause::RepeatedRto } else { congestion.cause };
        let mut ssthresh = self.threshold(window, sender, cause);
        if keeps {
            ssthresh = before;
        }
        if congestion.in_recovery && self.ssthresh_from == SsthreshFrom::FlightSizeBounded {
            ssthresh = ssthresh.min(before);
        }
        window.set_ssthresh(ssthresh);
        window.set_cwnd(sender.smss);
        if let Reduction::Prr(prr) = &mut self.reduction {
            *prr = None;
        }
    }
}

impl<A: CongestionAvoidance> CongestionControl for LossBased<A> {
    fn needs(&self) -> Needs {
        let reduces = matches!(self.reduction, Reduction::Prr(_));
        let path_samples = self.avoidance.needs_path_samples();
        Needs {
            sent: reduces || self.validation.is_some() || self.avoidance.needs_transmit_start(),
            queue_samples: reduces
                || path_samples
                || self.slow_start.needs_rtt()
                || self.avoidance.needs_rtt(),
            path_samples,
            marks: false,
        }
    }

    fn on_syn(&mut self, window: &mut CongestionWindow, initial_window: u64) {
        window.set_cwnd(initial_window);
    }

    fn on_established(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        syn_was_lost: bool,
        sample: &AckSample,
    ) {
        if syn_was_lost {
            window.set_cwnd(sender.smss);
        }
        window.count_max_cwnd();
        if let Some(whole) = &mut self.whole {
            whole.on_established(sender.smss);
        }
        if self.handshake_growth {
            self.avoidance.on_ack(window, sender, &self.slow_start, sample);
        }
    }

    fn on_ack(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        self.avoidance.on_sample(sample);
        if sample.phase != Phase::Open {
            self.on_ack_of_recovery(window, sender, sample);
        } else if self.whole.is_some() {
            self.grow_by_whole_segments(window, sender, sample);
        } else if sample.acked > 0 {
            self.grow(window, sender, sample);
        }
    }

    fn on_congestion(&mut self, window: &mut CongestionWindow, sender: &Sender, congestion: &Congestion) {
        let cause = congestion.cause;
        self.is_undone = false;
        if matches!(cause, Cause::Rto | Cause::RepeatedRto) {
            return self.on_rto(window, sender, congestion);
        }
        // Marks have begun a reduction already; it serves for the losses of the same window too.
        if matches!(self.reduction, Reduction::Prr(Some(_))) {
            return;
        }
        if cause == Cause::Loss {
            self.save(window, sender);
        } else {
            self.before = None;
        }
        let ssthresh = self.threshold(window, sender, cause);
        window.set_ssthresh(ssthresh);
        match &mut self.reduction {
            Reduction::Prr(prr) if self.whole.is_some() => *prr = Some(Prr::of_whole_segments(window.cwnd())),
            Reduction::Prr(prr) => *prr = Some(Prr::new(congestion.recover_fs)),
            Reduction::Halving(halving) => halving.begin(window, sender.smss, cause),
        }
    }

    fn on_sent(&mut self, window: &mut CongestionWindow, sender: &Sender, sent: Sent) {
        if sent.was_idle {
            self.avoidance.on_transmit_start(sent.now);
        }
        self.avoidance.on_sent(sent.now);
        if let Reduction::Prr(Some(prr)) = &mut self.reduction {
            prr.on_sent(sent.bytes);
        }
        if let Some(validation) = &mut self.validation {
            validation.on_sent(window, sender);
        }
    }

    fn on_spurious(&mut self, window: &mut CongestionWindow, sender: &Sender, spurious: &Spurious) {
        let Some(before) = self.before.take() else { return };
        let entirely = self.avoidance.on_spurious(window, sender, spurious.cause);
        before.restore(window, sender, spurious, entirely, self.whole.as_deref());
        self.slow_start.on_spurious(&before.slow_start);
        self.is_undone = true;
        if let Reduction::Prr(prr) = &mut self.reduction {
            *prr = None;
        }
        if let Some(whole) = &self.whole {
            whole.cut(window);
        }
    }

    fn on_idle(&mut self, window: &mut CongestionWindow, idle: Idle) {
        match &self.validation {
            Some(validation) => validation.restart(window, idle, self.whole.as_deref()),
            None => window.set_cwnd(window.cwnd().min(idle.restart_window)),
        }
        if let Some(whole) = &self.whole {
            whole.cut(window);
        }
    }

    fn state(&self) -> String {
        self.slow_start
            .conservative_round()
            .map_or_else(String::new, |round| format!("conservative slow start, round {round}"))
    }

    fn sender_state(&self) -> Option<SenderState> {
        self.slow_start.conservative_round().map(SenderState::ConservativeSlowStart)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::Cubic;
    use crate::congestion::flow::Flow;
    use crate::transmit_queue::QueueSample;

    /// CUBIC with proportional rate reduction, and a sender with so many segments of 1000 bytes out.
    fn cubic(cwnd: u64, in_flight: u64) -> (LossBased<Cubic>, Flow) {
        let options = Options::MODERN;
        let control = LossBased::new(&options, Cubic::new(&options), Reduction::proportional_if(true));
        (control, Flow::new(1000, 1000 * cwnd, 5000, 1000 * in_flight))
    }

    /// Twenty segments out, ssthresh 14: three ACKs let out ceil(3 * 14 / 20) = 3 segments.
    #[test]
    fn a_mark_reduces_in_proportion_to_what_is_out() {
        let (mut control, Flow { mut window, mut sender }) = cubic(20, 20);
        let congestion = Congestion { cause: Cause::Ecn, recover_fs: 20_000, in_recovery: false };
        control.on_congestion(&mut window, &sender, &congestion);
        assert_eq!(window.ssthresh(), 14_000);
        let mut sent = 0;
        for _ in 0..3 {
            sender.snd_una += 1000;
            let queue = QueueSample { pipe: sender.flight_size(), is_safe: true, ..QueueSample::default() };
            let open = AckSample::open(Time::ZERO, 1000, None);
            let sample = AckSample { phase: Phase::Recovery, queue: Some(&queue), ..open };
            control.on_ack(&mut window, &sender, &sample);
            while sender.flight_size() + 1000 <= window.cwnd() {
                sender.snd_max += 1000;
                sender.snd_nxt = sender.snd_max;
                let sent_now = Sent { now: Time::ZERO, bytes: 1000, was_idle: false };
                control.on_sent(&mut window, &sender, sent_now);
                sent += 1;
            }
        }
        assert_eq!(sent, 3);
        // A loss in the same window is no reason for another reduction.
        control.on_congestion(&mut window, &sender, &Congestion { cause: Cause::Loss, ..congestion });
        assert_eq!(window.ssthresh(), 14_000);
        let exit = AckSample { phase: Phase::Exit, ..AckSample::open(Time::ZERO, 1000, None) };
        control.on_ack(&mut window, &sender, &exit);
        assert_eq!(window.cwnd(), 14_000);
    }

    #[test]
    fn a_window_that_is_not_filled_does_not_grow() {
        let (mut control, mut flow) = cubic(10, 5);
        for ms in 0..100 {
            let sample = AckSample::open(Time::from_ms(ms), 1000, None);
            control.on_ack(&mut flow.window, &flow.sender, &sample);
        }
        assert_eq!(flow.cwnd(), 10_000);
    }

    #[test]
    fn duplicate_acks_in_no_recovery_change_nothing() {
        let (mut control, mut flow) = cubic(10, 10);
        let before = flow.window;
        control.on_ack(&mut flow.window, &flow.sender, &AckSample::open(Time::ZERO, 0, None));
        assert_eq!(flow.window, before);
    }

    /// Ten segments out on Linux, in slow start. A SACK delivers two: that counts only where segments have come late.
    #[test]
    fn what_is_sacked_counts_where_order_says_little() {
        let options = Options::MODERN.on_linux();
        for (is_reordered, expected) in [(false, 10_000), (true, 12_000)] {
            let reduction = Reduction::proportional_if(true);
            let mut control = LossBased::new(&options, Cubic::new(&options), reduction);
            let Flow { mut window, sender } = Flow::new(1000, 10_000, 1 << 40, 10_000);
            window.count_max_cwnd();
            let queue = QueueSample { sacked: 2000, is_reordered, ..QueueSample::default() };
            let open = AckSample::open(Time::ZERO, 0, None);
            let sample = AckSample { delivered: 2000, queue: Some(&queue), ..open };
            let sent = Sent { now: Time::ZERO, bytes: 1000, was_idle: false };
            control.on_established(&mut window, &sender, false, &open);
            control.on_sent(&mut window, &sender, sent);
            control.on_ack(&mut window, &sender, &sample);
            assert_eq!(window.cwnd(), expected, "{is_reordered}");
        }
    }
}
