//! Congestion control of another program, for example one that a user has written in Python.
//!
//! Source: none; `docs/adr/0028-your-own-tcp.md` describes the interface.
//!
//! | [`Control::reduces_itself`] | what the control decides | what is decided here |
//! |---|---|---|
//! | no | growth of cwnd, ssthresh | the reduction: PRR, one segment after a time-out, undo ([`LossBased`]) |
//! | yes | cwnd at every ACK, in recoveries too | nothing |
//!
//! In both cases cwnd is at least a segment and at most the largest window that the peer can advertise, and ssthresh is at
//! least a segment.

use super::pacing_rate::quantum;
use super::{
    AckSample, Cause, Congestion, CongestionAvoidance, CongestionControl, CongestionWindow, Idle, LossBased,
    Pacing, Reduction, Sent, SlowStart, Spurious,
};
use crate::options::Options;
use crate::sender::Sender;
use base::Time;

/// Bytes per second of a sender that is not paced: 100 Tbit/s, the highest rate of a link.
const UNPACED: u64 = 12_500_000_000_000;

/// What a control sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values {
    /// Congestion window, bytes.
    pub cwnd: u64,
    /// Slow-start threshold, bytes.
    pub ssthresh: u64,
    /// Bytes per second; none: segments leave as cwnd allows.
    pub pacing_rate: Option<u64>,
}

/// A congestion control of another program. It finds the values as they are, and leaves them as it wants them.
pub trait Control: Send {
    /// Whether it reduces cwnd in recoveries itself.
    fn reduces_itself(&self) -> bool;

    /// Something is sent for the first time. Only for a control that reduces cwnd itself.
    fn begin(&mut self, values: &mut Values, sender: &Sender) {
        let _ = (values, sender);
    }

    /// An ACK came: each one if it reduces cwnd itself, or else one of new data outside of a recovery, while cwnd limits
    /// the sender.
    fn on_ack(&mut self, values: &mut Values, sender: &Sender, sample: &AckSample);

    /// There is a reason to send less. Unless it reduces cwnd itself, ssthresh alone is read afterwards.
    fn on_congestion(&mut self, values: &mut Values, sender: &Sender, cause: Cause);

    /// A reduction begins that may turn out to be needless. [`Control::on_congestion`] follows.
    fn save(&mut self) {}

    /// The last reduction was needless. Unless it reduces cwnd itself: returns true if it asks for cwnd and ssthresh as they
    /// were, where RFC 4015 would be more careful.
    fn on_spurious(&mut self, values: &mut Values, sender: &Sender, cause: Cause) -> bool {
        let _ = (values, sender, cause);
        false
    }

    /// Something else than cwnd limits the sender: something new was acknowledged meanwhile, or something is sent and
    /// nothing was in flight.
    fn on_unlimited(&mut self, now: Time) {
        let _ = now;
    }
}

/// A congestion control of the connection that asks `control`.
pub(crate) fn congestion_control(options: &Options, control: Box<dyn Control>) -> Box<dyn CongestionControl> {
    if control.reduces_itself() {
        return Box::new(Whole { control, has_begun: false });
    }
    let reduction = Reduction::proportional_if(options.prr);
    Box::new(LossBased::new(options, Avoidance(control), reduction))
}

fn values_of(window: &CongestionWindow) -> Values {
    let pacing_rate = window.pacing().map(|pacing| pacing.rate).filter(|&rate| rate != UNPACED);
    Values { cwnd: window.cwnd(), ssthresh: window.ssthresh(), pacing_rate }
}

fn set(window: &mut CongestionWindow, sender: &Sender, values: &Values) {
    window.set_ssthresh(values.ssthresh.max(sender.smss));
    if values.cwnd != window.cwnd() {
        window.grow_to(values.cwnd.max(sender.smss), sender.max_rwnd);
    }
    if values.pacing_rate.is_some() || window.pacing().is_some() {
        let rate = values.pacing_rate.map_or(UNPACED, |rate| rate.clamp(1, UNPACED));
        window.set_pacing(Pacing { rate, quantum: quantum(rate, sender) });
    }
}

/// Congestion avoidance, and slow start with it, by a control.
struct Avoidance(Box<dyn Control>);

impl CongestionAvoidance for Avoidance {
    fn needs_path_samples(&self) -> bool {
        true
    }

    fn needs_rtt(&self) -> bool {
        true
    }

    fn on_ack(&mut self, window: &mut CongestionWindow, sender: &Sender, _: &SlowStart, sample: &AckSample) {
        let mut values = values_of(window);
        self.0.on_ack(&mut values, sender, sample);
        set(window, sender, &values);
    }

    fn ssthresh(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> u64 {
        let mut values = values_of(window);
        self.0.on_congestion(&mut values, sender, cause);
        values.ssthresh.max(sender.smss)
    }

    fn save(&mut self) {
        self.0.save();
    }

    fn on_spurious(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> bool {
        self.0.on_spurious(&mut values_of(window), sender, cause)
    }

    fn needs_transmit_start(&self) -> bool {
        true
    }

    fn on_transmit_start(&mut self, now: Time) {
        self.0.on_unlimited(now);
    }

    fn on_unlimited(&mut self, now: Time) {
        self.0.on_unlimited(now);
    }
}

/// A control that decides everything.
struct Whole {
    control: Box<dyn Control>,
    has_begun: bool,
}

impl Whole {
    fn call(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        call: impl FnOnce(&mut dyn Control, &mut Values),
    ) {
        let mut values = values_of(window);
        call(self.control.as_mut(), &mut values);
        set(window, sender, &values);
    }
}

impl CongestionControl for Whole {
    fn on_syn(&mut self, window: &mut CongestionWindow, initial_window: u64) {
        window.set_cwnd(initial_window);
    }

    fn on_established(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        syn_was_lost: bool,
        _: &AckSample,
    ) {
        if syn_was_lost {
            window.set_cwnd(sender.smss);
        }
        window.count_max_cwnd();
    }

    fn on_ack(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        self.call(window, sender, |control, values| control.on_ack(values, sender, sample));
    }

    fn on_congestion(&mut self, window: &mut CongestionWindow, sender: &Sender, congestion: &Congestion) {
        self.call(window, sender, |control, values| control.on_congestion(values, sender, congestion.cause));
    }

    fn on_sent(&mut self, window: &mut CongestionWindow, sender: &Sender, sent: Sent) {
        if !self.has_begun {
            self.has_begun = true;
            self.call(window, sender, |control, values| control.begin(values, sender));
        } else if sent.was_idle {
            self.control.on_unlimited(sent.now);
        }
    }

    fn on_spurious(&mut self, window: &mut CongestionWindow, sender: &Sender, spurious: &Spurious) {
        self.call(window, sender, |control, values| {
            control.on_spurious(values, sender, spurious.cause);
        });
    }

    fn on_idle(&mut self, _: &mut CongestionWindow, _: Idle) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::flow::Flow;
    use crate::congestion::{Phase, Reno};

    const SMSS: u64 = 1000;

    /// A control that always wants the same.
    struct Wants {
        values: Values,
        itself: bool,
    }

    impl Control for Wants {
        fn reduces_itself(&self) -> bool {
            self.itself
        }

        fn begin(&mut self, values: &mut Values, _: &Sender) {
            *values = self.values;
        }

        fn on_ack(&mut self, values: &mut Values, _: &Sender, _: &AckSample) {
            *values = self.values;
        }

        fn on_congestion(&mut self, values: &mut Values, _: &Sender, _: Cause) {
            *values = self.values;
        }
    }

    fn wants(itself: bool, cwnd: u64, ssthresh: u64, pacing_rate: Option<u64>) -> Box<dyn CongestionControl> {
        let values = Values { cwnd, ssthresh, pacing_rate };
        congestion_control(&Options::MODERN, Box::new(Wants { values, itself }))
    }

    /// Ten segments, all in flight; the peer's window has twenty.
    fn flow() -> Flow {
        let mut flow = Flow::new(SMSS, 10 * SMSS, 100 * SMSS, 10 * SMSS);
        (flow.sender.rwnd, flow.sender.max_rwnd) = (20 * SMSS, 20 * SMSS);
        flow
    }

    fn acknowledge(control: &mut dyn CongestionControl, flow: &mut Flow, phase: Phase) {
        let open = AckSample::open(Time::ZERO, SMSS, None);
        control.on_sent(
            &mut flow.window,
            &flow.sender,
            Sent { now: Time::ZERO, bytes: SMSS, was_idle: false },
        );
        control.on_ack(&mut flow.window, &flow.sender, &AckSample { phase, ..open });
    }

    #[test]
    fn cwnd_stays_between_a_segment_and_the_peers_window() {
        for itself in [false, true] {
            for (wanted, cwnd) in [(0, 1), (12 * SMSS, 12), (u64::MAX, 20)] {
                let (mut control, mut flow) = (wants(itself, wanted, 0, None), flow());
                acknowledge(control.as_mut(), &mut flow, Phase::Open);
                assert_eq!((flow.cwnd(), flow.ssthresh()), (cwnd * SMSS, SMSS), "{itself} {wanted}");
                assert_eq!(flow.window.pacing(), None);
            }
        }
    }

    #[test]
    fn only_a_control_that_reduces_itself_moves_cwnd_in_a_recovery() {
        for (itself, before, after) in [(false, 10, 10), (true, 7, 12)] {
            let mut flow = flow();
            let mut control = wants(itself, 7 * SMSS, 5 * SMSS, None);
            let congestion = Congestion { cause: Cause::Loss, recover_fs: 10 * SMSS, in_recovery: false };
            control.on_congestion(&mut flow.window, &flow.sender, &congestion);
            assert_eq!((flow.cwnd(), flow.ssthresh()), (before * SMSS, 5 * SMSS), "{itself}");
            let mut control = wants(itself, 12 * SMSS, 5 * SMSS, None);
            acknowledge(control.as_mut(), &mut flow, Phase::Recovery);
            assert_eq!(flow.cwnd(), after * SMSS, "{itself}");
        }
    }

    #[test]
    fn a_pacing_rate_can_end() {
        let mut flow = flow();
        acknowledge(wants(true, 0, 0, Some(1_000_000)).as_mut(), &mut flow, Phase::Open);
        assert_eq!(flow.window.pacing(), Some(Pacing { rate: 1_000_000, quantum: 2 * SMSS }));
        acknowledge(wants(true, 0, 0, None).as_mut(), &mut flow, Phase::Open);
        assert_eq!(flow.window.pacing().map(|pacing| pacing.rate), Some(UNPACED));
        assert_eq!(values_of(&flow.window).pacing_rate, None);
    }

    /// Reno behind the interface.
    struct Outsider {
        reno: Reno,
        slow_start: SlowStart,
    }

    impl Control for Outsider {
        fn reduces_itself(&self) -> bool {
            false
        }

        fn on_ack(&mut self, values: &mut Values, sender: &Sender, sample: &AckSample) {
            let mut window = CongestionWindow::new(values.cwnd, values.ssthresh);
            self.reno.on_ack(&mut window, sender, &self.slow_start, sample);
            values.cwnd = window.cwnd();
        }

        fn on_congestion(&mut self, values: &mut Values, sender: &Sender, cause: Cause) {
            let window = CongestionWindow::new(values.cwnd, values.ssthresh);
            values.ssthresh = self.reno.ssthresh(&window, sender, cause);
        }
    }

    /// Slow start, a loss, a recovery, growth: the windows are those of the same Reno inside.
    #[test]
    fn the_same_control_inside_and_outside_has_the_same_windows() {
        let options = Options { slow_start: crate::options::SlowStartKind::Standard, ..Options::MODERN };
        let slow_start = SlowStart::new(options.growth);
        let outsider = Outsider { reno: Reno::new(&options), slow_start };
        let inside = LossBased::new(&options, Reno::new(&options), Reduction::proportional_if(true));
        let controls: [Box<dyn CongestionControl>; 2] =
            [congestion_control(&options, Box::new(outsider)), Box::new(inside)];
        let windows = controls.map(|mut control| {
            let mut flow = Flow::new(SMSS, 10 * SMSS, 14 * SMSS, 10 * SMSS);
            let mut windows = Vec::new();
            for phase in [Phase::Open, Phase::Recovery, Phase::Exit, Phase::Open] {
                if phase == Phase::Recovery {
                    let recover_fs = flow.sender.flight_size();
                    let congestion = Congestion { cause: Cause::Loss, recover_fs, in_recovery: false };
                    control.on_congestion(&mut flow.window, &flow.sender, &congestion);
                }
                for _ in 0..20 {
                    flow.sender.snd_max = flow.sender.snd_una + flow.window.cwnd();
                    acknowledge(control.as_mut(), &mut flow, phase);
                    windows.push((flow.cwnd(), flow.ssthresh()));
                }
            }
            windows
        });
        assert_eq!(windows[0], windows[1]);
        assert!(windows[0].iter().any(|&(cwnd, _)| cwnd > 14 * SMSS), "it leaves slow start");
    }
}
