//! Congestion control that reacts to losses: slow start, congestion avoidance and a reduction.
//!
//! Source: RFC 5681 for what is common: initial window, restart after idle (section 4.1), a lost SYN (section 3.1); RFC
//! 2861 for windows that are not filled (`validation.rs`).
//!
//! | part | what it does | files |
//! |---|---|---|
//! | slow start | lets cwnd grow below ssthresh | `slow_start.rs` |
//! | congestion avoidance | lets it grow above, and says what a loss leaves of it | `reno.rs`, `cubic.rs` ... |
//! | reduction | brings cwnd to ssthresh in a recovery | `halving.rs`, `prr.rs` |

use super::halving::Halving;
use super::prr::Prr;
use super::slow_start::SlowStart;
use super::validation::Validation;
use super::{
    AckSample, Cause, Congestion, CongestionControl, CongestionWindow, Idle, Needs, Phase, Sent, Spurious,
};
use crate::options::{Options, SsthreshFrom, Undo};
use crate::sender::Sender;
use base::Time;

/// How cwnd grows outside of a recovery, and what a loss leaves of it.
pub trait CongestionAvoidance: Send {
    /// Whether it uses [`crate::transmit_queue::QueueSample::path`].
    fn needs_path_samples(&self) -> bool {
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

    /// The last loss was none: forgets what [`CongestionAvoidance::ssthresh`] has changed.
    fn on_spurious(&mut self) {}

    /// Whether it uses [`CongestionAvoidance::on_transmit_start`]. If not, the connection does not call it.
    fn needs_transmit_start(&self) -> bool {
        false
    }

    /// Something is sent, and nothing was in flight.
    fn on_transmit_start(&mut self, now: Time) {
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
    /// As it was before the last loss; none after a mark, which is no mistake.
    before_loss: Option<BeforeLoss>,
}

/// What a needless reduction gives back, bytes.
#[derive(Clone, Copy, Debug)]
struct BeforeLoss {
    cwnd: u64,
    ssthresh: u64,
    in_flight: u64,
}

impl<A: CongestionAvoidance> LossBased<A> {
    /// With these options.
    #[must_use]
    pub fn new(options: &Options, avoidance: A, reduction: Reduction) -> Self {
        Self {
            slow_start: SlowStart::new(options.growth),
            avoidance,
            reduction,
            validation: options.cwnd_validation.then(Box::default),
            handshake_growth: options.historic.handshake_growth,
            ssthresh_from: options.ssthresh_from,
            before_loss: None,
        }
    }

    /// Notes what a loss changes. A time-out that ends a recovery, or follows another one, adds to what is noted.
    fn note_before_loss(&mut self, window: &CongestionWindow, congestion: &Congestion) {
        let continues = congestion.in_recovery || congestion.cause == Cause::RepeatedRto;
        if congestion.cause == Cause::Ecn {
            self.before_loss = None;
        } else if !continues {
            let (cwnd, ssthresh, in_flight) = (window.cwnd(), window.ssthresh(), congestion.recover_fs);
            self.before_loss = Some(BeforeLoss { cwnd, ssthresh, in_flight });
        }
    }

    fn grow(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        if self.validation.as_ref().is_none_or(|validation| validation.is_limited(window)) {
            self.avoidance.on_ack(window, sender, &self.slow_start, sample);
        } else {
            self.avoidance.on_unlimited(sample.now);
        }
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

    /// What a loss leaves.
    fn threshold(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> u64 {
        self.slow_start.on_loss(cause);
        self.avoidance.ssthresh(window, sender, cause)
    }

    fn on_rto(&mut self, window: &mut CongestionWindow, sender: &Sender, congestion: &Congestion) {
        let before = window.ssthresh();
        if congestion.in_recovery && self.ssthresh_from == SsthreshFrom::CwndDeflated {
            window.set_cwnd(window.cwnd().min(before));
        }
        let mut ssthresh = self.threshold(window, sender, congestion.cause);
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
            queue_samples: reduces || path_samples,
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
        if self.handshake_growth {
            self.avoidance.on_ack(window, sender, &self.slow_start, sample);
        }
    }

    fn on_ack(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        self.avoidance.on_sample(sample);
        match sample.phase {
            Phase::Open if sample.acked > 0 => self.grow(window, sender, sample),
            Phase::Open => {}
            Phase::Entered => self.reduce(window, sender, sample),
            Phase::Recovery => match &self.reduction {
                Reduction::Halving(halving) => halving.on_ack(window, sender.smss, sample.acked),
                Reduction::Prr(_) => self.reduce(window, sender, sample),
            },
            Phase::Exit | Phase::Repaired => {
                window.set_cwnd(window.ssthresh());
                if let Reduction::Prr(prr) = &mut self.reduction {
                    *prr = None;
                }
            }
        }
    }

    fn on_congestion(&mut self, window: &mut CongestionWindow, sender: &Sender, congestion: &Congestion) {
        let cause = congestion.cause;
        if matches!(cause, Cause::Rto | Cause::RepeatedRto) {
            self.note_before_loss(window, congestion);
            return self.on_rto(window, sender, congestion);
        }
        // Marks have begun a reduction already; it serves for the losses of the same window too.
        if matches!(self.reduction, Reduction::Prr(Some(_))) {
            return;
        }
        self.note_before_loss(window, congestion);
        let ssthresh = self.threshold(window, sender, cause);
        window.set_ssthresh(ssthresh);
        match &mut self.reduction {
            Reduction::Prr(prr) => *prr = Some(Prr::new(congestion.recover_fs)),
            Reduction::Halving(halving) => halving.begin(window, sender.smss, cause),
        }
    }

    /// RFC 4015, section 3.2, steps 5 and 7, except that it never lowers cwnd: a report of duplicates may come when nothing is
    /// in flight any more. Or as Linux has it.
    fn on_spurious(&mut self, window: &mut CongestionWindow, sender: &Sender, spurious: &Spurious) {
        let Some(before) = self.before_loss.take() else { return };
        let (cwnd, ssthresh) = match spurious.undo {
            Undo::Off => return,
            Undo::Rfc4015 => {
                let restored = sender.flight_size() + spurious.acked.min(spurious.initial_window);
                (restored.max(window.cwnd()), before.ssthresh.max(before.in_flight))
            }
            Undo::Linux => (window.cwnd().max(before.cwnd), window.ssthresh().max(before.ssthresh)),
        };
        window.set_cwnd(cwnd.max(sender.smss));
        window.set_ssthresh(ssthresh);
        if let Reduction::Prr(prr) = &mut self.reduction {
            *prr = None;
        }
        self.slow_start.on_loss(Cause::Loss);
        self.avoidance.on_spurious();
    }

    fn on_sent(&mut self, window: &mut CongestionWindow, sender: &Sender, sent: Sent) {
        if sent.was_idle {
            self.avoidance.on_transmit_start(sent.now);
        }
        if let Reduction::Prr(Some(prr)) = &mut self.reduction {
            prr.on_sent(sent.bytes);
        }
        if let Some(validation) = &mut self.validation {
            validation.on_sent(window, sender);
        }
    }

    fn on_idle(&mut self, window: &mut CongestionWindow, idle: Idle) {
        match &self.validation {
            Some(validation) => validation.restart(window, idle),
            None => window.set_cwnd(window.cwnd().min(idle.restart_window)),
        }
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

    /// Twenty segments out, a loss, and the ACK that shows that it was none. RFC 4015: what is in flight and the two segments
    /// of the ACK. Linux: all of cwnd.
    #[test]
    fn a_needless_reduction_is_undone() {
        for (undo, cwnd) in [(Undo::Rfc4015, 20_000), (Undo::Linux, 20_000), (Undo::Off, 1_000)] {
            let (mut control, Flow { mut window, mut sender }) = cubic(20, 20);
            window.set_ssthresh(30_000);
            let congestion = Congestion { cause: Cause::Rto, recover_fs: 20_000, in_recovery: false };
            control.on_congestion(&mut window, &sender, &congestion);
            control.on_congestion(
                &mut window,
                &sender,
                &Congestion { cause: Cause::RepeatedRto, ..congestion },
            );
            assert_eq!((window.cwnd(), window.ssthresh()), (1000, 14_000));
            sender.snd_una += 2000;
            let spurious = Spurious { cause: Cause::Rto, acked: 2000, initial_window: 10_000, undo };
            control.on_spurious(&mut window, &sender, &spurious);
            assert_eq!(window.cwnd(), cwnd, "{undo:?}");
            assert_eq!(window.ssthresh(), if undo == Undo::Off { 14_000 } else { 30_000 });
            control.on_spurious(&mut window, &sender, &spurious);
            assert_eq!(window.cwnd(), cwnd, "once");
        }
    }

    #[test]
    fn marks_are_no_mistake() {
        let (mut control, Flow { mut window, sender }) = cubic(20, 20);
        let congestion = Congestion { cause: Cause::Ecn, recover_fs: 20_000, in_recovery: false };
        control.on_congestion(&mut window, &sender, &congestion);
        let spurious = Spurious { cause: Cause::Loss, acked: 0, initial_window: 10_000, undo: Undo::Linux };
        control.on_spurious(&mut window, &sender, &spurious);
        assert_eq!(window.ssthresh(), 14_000);
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
}
