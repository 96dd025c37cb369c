//! A TCP of the plan <-> the configuration of an endpoint.

use crate::error::Error;
use crate::plan;
use base::Time;
use tcp::options::{
    CubicArithmetic, Deflation, EcnFeedback, NewRenoParameters, PacingFrom, PartialAckTimer,
    SackLossDetection, SlowStartKind, TlpTimer, Undo,
};
use tcp::{
    AckTimer, Config, CwndRounding, Flavor, Floor, Growth, Historic, Options, SsthreshFrom, SsthreshRounding,
    Timers, WindowProbe,
};

const PPM: f64 = 1e6;

/// A stack whose presets a scenario can ask for.
pub(crate) struct Stack {
    pub name: &'static str,
    /// What it makes of the presets of a flavor.
    pub presets: fn(Options) -> Options,
}

/// Every stack; the first is that of the RFCs.
pub(crate) const STACKS: &[Stack] =
    &[Stack { name: "rfc", presets: |options| options }, Stack { name: "linux", presets: Options::on_linux }];

/// The configuration of a TCP in a plan.
pub(crate) fn config(tcp: &plan::Tcp) -> Result<Config, Error> {
    let flavor = match &tcp.flavor {
        plan::Flavor::Named(name) => Flavor::named(name).ok_or_else(|| Error::Flavor(name.clone()))?,
        plan::Flavor::Code { .. } => &tcp::OUTSIDE,
    };
    Ok(Config {
        flavor,
        options: Options {
            sws_avoidance: tcp.sws_avoidance,
            historic: historic(&tcp.historic),
            ..options(&tcp.options, flavor)
        },
        smss: tcp.smss_bytes,
        initial_window: tcp.initial_window_segments,
        initial_ssthresh: tcp.initial_ssthresh_bytes,
        receive_buffer: tcp.receive_buffer_bytes,
        initial_receive_buffer: tcp.receive_buffer_initial_bytes,
        window_scale: tcp.window_scale,
        nagle: tcp.nagle,
        idle_restart: tcp.idle_restart,
        restart_window: tcp.restart_window_segments,
    })
}

fn historic(historic: &plan::HistoricTcp) -> Historic {
    Historic {
        handshake_growth: historic.handshake_growth,
        handshake_sample: historic.handshake_sample,
        additive_constant: historic.additive_constant,
        cwnd_rounding: historic.cwnd_rounding.into(),
        cwnd_ack_batch: historic.cwnd_ack_batch,
        retransmit_wait_ppm: historic.retransmit_wait_ppm,
    }
}

/// Conversions both ways between the choices of a plan and those of an endpoint, which have the same names.
macro_rules! same_choices {
    ($(plan::$plan:ident = $own:ident { $($choice:ident),+ })+) => {$(
        impl From<plan::$plan> for $own {
            fn from(choice: plan::$plan) -> Self {
                match choice {
                    $(plan::$plan::$choice => Self::$choice),+
                }
            }
        }

        impl From<$own> for plan::$plan {
            fn from(choice: $own) -> Self {
                match choice {
                    $($own::$choice => Self::$choice),+
                }
            }
        }
    )+};
}

same_choices! {
    plan::AckTimer = AckTimer { PerAck, FreeRunning }
    plan::CubicArithmetic = CubicArithmetic { Rfc9438, Linux }
    plan::CwndRounding = CwndRounding { Up, Down, None }
    plan::Deflation = Deflation { Full, Partial }
    plan::EcnFeedback = EcnFeedback { Classic, Dctcp, Accurate }
    plan::Floor = Floor { Rto, Variance }
    plan::Pacing = PacingFrom { Off, Rate, CongestionControl }
    plan::PartialAckTimer = PartialAckTimer { First, Every }
    plan::SackLossDetection = SackLossDetection { Rack, Rfc6675 }
    plan::SlowStart = SlowStartKind { Standard, HystartPlusPlus, Hystart }
    plan::SsthreshFrom = SsthreshFrom { Cwnd, CwndDeflated, FlightSize, FlightSizeBounded }
    plan::SsthreshRounding = SsthreshRounding { Bytes, Segments }
    plan::Timers = Timers { Ticks, Fine }
    plan::TlpTimer = TlpTimer { Rfc8985, Linux }
    plan::Undo = Undo { Off, Rfc4015, Linux }
    plan::WindowProbe = WindowProbe { Octet, Ack }
}

fn options(options: &plan::TcpOptions, flavor: &Flavor) -> Options {
    Options {
        sack: options.sack,
        sack_blocks: options.sack_blocks,
        dsack: options.dsack,
        timestamps: options.timestamps,
        ecn: options.ecn,
        ecn_feedback: options.ecn_feedback.into(),
        l4s: options.l4s,
        abe: options.abe,
        limited_transmit: options.limited_transmit,
        prr: options.prr,
        loss_detection: options.loss_detection.into(),
        tlp: options.tlp,
        tlp_timer: options.tlp_timer.into(),
        f_rto: options.f_rto,
        undo: options.undo.into(),
        lost_retransmission_detection: options.lost_retransmission_detection,
        growth: match options.growth {
            plan::Growth::Acks => Growth::Acks,
            plan::Growth::Bytes => Growth::Bytes { limit: options.growth_limit_segments },
        },
        slow_start: options.slow_start.into(),
        whole_segments: options.whole_segments,
        pacing: options.pacing.into(),
        unpaced_segments: options.unpaced_segments,
        cwnd_validation: options.cwnd_validation,
        ssthresh_from: options.ssthresh_from.into(),
        careful_fast_retransmit: options.careful_fast_retransmit,
        ssthresh_rounding: options.ssthresh_rounding.into(),
        cubic_beta: f64::from(options.cubic_beta_ppm) / PPM,
        cubic_arithmetic: options.cubic_arithmetic.into(),
        ledbat_target: Time::from_ps(options.ledbat_target_ps),
        newreno: NewRenoParameters {
            deflation: options.deflation.into(),
            partial_ack_timer: options.partial_ack_timer.into(),
            ..flavor.presets.newreno
        },
        timers: options.timers.into(),
        min_rto_of: options.min_rto_of.into(),
        initial_rto: Time::from_ps(options.initial_rto_ps),
        min_rto: Time::from_ps(options.min_rto_ps),
        max_rto: Time::from_ps(options.max_rto_ps),
        delayed_ack: options.delayed_ack_ps.map(Time::from_ps),
        ack_timer: options.ack_timer.into(),
        ack_every: options.ack_every,
        quick_acks: options.quick_acks,
        quick_ack_bytes: options.quick_ack_bytes,
        recovery_samples: options.recovery_samples,
        sample_every_ack: options.sample_every_ack,
        window_probe: options.window_probe.into(),
        ..flavor.presets
    }
}

/// The options of an endpoint as a plan would state them.
pub(crate) fn stated(options: &Options) -> plan::TcpOptions {
    let (growth, growth_limit_segments) = match options.growth {
        Growth::Acks => (plan::Growth::Acks, None),
        Growth::Bytes { limit } => (plan::Growth::Bytes, limit),
    };
    plan::TcpOptions {
        sack: options.sack,
        sack_blocks: options.sack_blocks,
        dsack: options.dsack,
        timestamps: options.timestamps,
        ecn: options.ecn,
        ecn_feedback: options.ecn_feedback.into(),
        l4s: options.l4s,
        abe: options.abe,
        limited_transmit: options.limited_transmit,
        prr: options.prr,
        loss_detection: options.loss_detection.into(),
        tlp: options.tlp,
        tlp_timer: options.tlp_timer.into(),
        f_rto: options.f_rto,
        undo: options.undo.into(),
        lost_retransmission_detection: options.lost_retransmission_detection,
        growth,
        growth_limit_segments,
        slow_start: options.slow_start.into(),
        whole_segments: options.whole_segments,
        pacing: options.pacing.into(),
        unpaced_segments: options.unpaced_segments,
        cwnd_validation: options.cwnd_validation,
        ssthresh_from: options.ssthresh_from.into(),
        careful_fast_retransmit: options.careful_fast_retransmit,
        ssthresh_rounding: options.ssthresh_rounding.into(),
        cubic_beta_ppm: (options.cubic_beta * PPM).round() as u32,
        cubic_arithmetic: options.cubic_arithmetic.into(),
        ledbat_target_ps: options.ledbat_target.as_ps(),
        deflation: options.newreno.deflation.into(),
        partial_ack_timer: options.newreno.partial_ack_timer.into(),
        timers: options.timers.into(),
        min_rto_of: options.min_rto_of.into(),
        initial_rto_ps: options.initial_rto.as_ps(),
        min_rto_ps: options.min_rto.as_ps(),
        max_rto_ps: options.max_rto.as_ps(),
        delayed_ack_ps: options.delayed_ack.map(Time::as_ps),
        ack_timer: options.ack_timer.into(),
        ack_every: options.ack_every,
        quick_acks: options.quick_acks,
        quick_ack_bytes: options.quick_ack_bytes,
        recovery_samples: options.recovery_samples,
        sample_every_ack: options.sample_every_ack,
        window_probe: options.window_probe.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_stated_in_a_plan_give_the_presets_back() {
        for flavor in tcp::FLAVORS {
            for stack in STACKS {
                let presets = (stack.presets)(flavor.presets);
                assert_eq!(options(&stated(&presets), flavor), presets, "{} {}", flavor.name, stack.name);
            }
        }
    }

    /// What every preset has the same of is stated, too.
    #[test]
    fn options_that_no_preset_has_are_stated() {
        let flavor = Flavor::named("cubic").expect("a flavor");
        let rare = Options {
            ecn_feedback: EcnFeedback::Accurate,
            l4s: true,
            abe: true,
            undo: Undo::Off,
            tlp: false,
            f_rto: false,
            slow_start: SlowStartKind::Standard,
            pacing: PacingFrom::CongestionControl,
            sample_every_ack: false,
            ..flavor.presets
        };
        assert_eq!(options(&stated(&rare), flavor), rare);
        let rare = Options { ecn_feedback: EcnFeedback::Dctcp, pacing: PacingFrom::Rate, ..rare };
        assert_eq!(options(&stated(&rare), flavor), rare);
    }
}
