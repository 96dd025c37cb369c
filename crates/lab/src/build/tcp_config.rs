//! A TCP of the plan <-> the configuration of an endpoint.

use crate::error::Error;
use crate::plan;
use base::Time;
use tcp::options::{Deflation, NewRenoParameters, PartialAckTimer};
use tcp::{
    AckTimer, Config, CwndRounding, Flavor, Floor, Growth, Historic, Options, SsthreshFrom, SsthreshRounding,
    Timers, WindowProbe,
};

const PPM: f64 = 1e6;

/// The configuration of a TCP in a plan.
pub(crate) fn config(tcp: &plan::Tcp) -> Result<Config, Error> {
    let flavor = Flavor::named(&tcp.flavor).ok_or_else(|| Error::Flavor(tcp.flavor.clone()))?;
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
        cwnd_rounding: match historic.cwnd_rounding {
            plan::CwndRounding::Up => CwndRounding::Up,
            plan::CwndRounding::Down => CwndRounding::Down,
            plan::CwndRounding::None => CwndRounding::None,
        },
        cwnd_ack_batch: historic.cwnd_ack_batch,
        retransmit_wait_ppm: historic.retransmit_wait_ppm,
    }
}

fn options(options: &plan::TcpOptions, flavor: &Flavor) -> Options {
    Options {
        sack: options.sack,
        sack_blocks: options.sack_blocks,
        dsack: options.dsack,
        timestamps: options.timestamps,
        ecn: options.ecn,
        limited_transmit: options.limited_transmit,
        prr: options.prr,
        lost_retransmission_detection: options.lost_retransmission_detection,
        growth: match options.growth {
            plan::Growth::Acks => Growth::Acks,
            plan::Growth::Bytes => Growth::Bytes { limit: options.growth_limit_segments },
        },
        cwnd_validation: options.cwnd_validation,
        ssthresh_from: match options.ssthresh_from {
            plan::SsthreshFrom::Cwnd => SsthreshFrom::Cwnd,
            plan::SsthreshFrom::CwndDeflated => SsthreshFrom::CwndDeflated,
            plan::SsthreshFrom::FlightSize => SsthreshFrom::FlightSize,
            plan::SsthreshFrom::FlightSizeBounded => SsthreshFrom::FlightSizeBounded,
        },
        careful_fast_retransmit: options.careful_fast_retransmit,
        ssthresh_rounding: match options.ssthresh_rounding {
            plan::SsthreshRounding::Bytes => SsthreshRounding::Bytes,
            plan::SsthreshRounding::Segments => SsthreshRounding::Segments,
        },
        cubic_beta: f64::from(options.cubic_beta_ppm) / PPM,
        newreno: newreno(options, flavor.presets.newreno),
        timers: match options.timers {
            plan::Timers::Ticks => Timers::Ticks,
            plan::Timers::Fine => Timers::Fine,
        },
        min_rto_of: match options.min_rto_of {
            plan::Floor::Rto => Floor::Rto,
            plan::Floor::Variance => Floor::Variance,
        },
        initial_rto: Time::from_ps(options.initial_rto_ps),
        min_rto: Time::from_ps(options.min_rto_ps),
        max_rto: Time::from_ps(options.max_rto_ps),
        delayed_ack: options.delayed_ack_ps.map(Time::from_ps),
        ack_timer: match options.ack_timer {
            plan::AckTimer::PerAck => AckTimer::PerAck,
            plan::AckTimer::FreeRunning => AckTimer::FreeRunning,
        },
        ack_every: options.ack_every,
        quick_acks: options.quick_acks,
        quick_ack_bytes: options.quick_ack_bytes,
        recovery_samples: options.recovery_samples,
        window_probe: match options.window_probe {
            plan::WindowProbe::Octet => WindowProbe::Octet,
            plan::WindowProbe::Ack => WindowProbe::Ack,
        },
        ..flavor.presets
    }
}

fn newreno(options: &plan::TcpOptions, presets: NewRenoParameters) -> NewRenoParameters {
    NewRenoParameters {
        deflation: match options.deflation {
            plan::Deflation::Full => Deflation::Full,
            plan::Deflation::Partial => Deflation::Partial,
        },
        partial_ack_timer: match options.partial_ack_timer {
            plan::PartialAckTimer::First => PartialAckTimer::First,
            plan::PartialAckTimer::Every => PartialAckTimer::Every,
        },
        ..presets
    }
}

/// The presets of a flavor as a plan would state them.
pub(crate) fn presets(flavor: &Flavor) -> plan::TcpOptions {
    let presets = &flavor.presets;
    let (growth, growth_limit_segments) = match presets.growth {
        Growth::Acks => (plan::Growth::Acks, None),
        Growth::Bytes { limit } => (plan::Growth::Bytes, limit),
    };
    plan::TcpOptions {
        sack: presets.sack,
        sack_blocks: presets.sack_blocks,
        dsack: presets.dsack,
        timestamps: presets.timestamps,
        ecn: presets.ecn,
        limited_transmit: presets.limited_transmit,
        prr: presets.prr,
        lost_retransmission_detection: presets.lost_retransmission_detection,
        growth,
        growth_limit_segments,
        cwnd_validation: presets.cwnd_validation,
        ssthresh_from: match presets.ssthresh_from {
            SsthreshFrom::Cwnd => plan::SsthreshFrom::Cwnd,
            SsthreshFrom::CwndDeflated => plan::SsthreshFrom::CwndDeflated,
            SsthreshFrom::FlightSize => plan::SsthreshFrom::FlightSize,
            SsthreshFrom::FlightSizeBounded => plan::SsthreshFrom::FlightSizeBounded,
        },
        careful_fast_retransmit: presets.careful_fast_retransmit,
        ssthresh_rounding: match presets.ssthresh_rounding {
            SsthreshRounding::Bytes => plan::SsthreshRounding::Bytes,
            SsthreshRounding::Segments => plan::SsthreshRounding::Segments,
        },
        cubic_beta_ppm: (presets.cubic_beta * PPM).round() as u32,
        deflation: match presets.newreno.deflation {
            Deflation::Full => plan::Deflation::Full,
            Deflation::Partial => plan::Deflation::Partial,
        },
        partial_ack_timer: match presets.newreno.partial_ack_timer {
            PartialAckTimer::First => plan::PartialAckTimer::First,
            PartialAckTimer::Every => plan::PartialAckTimer::Every,
        },
        timers: match presets.timers {
            Timers::Ticks => plan::Timers::Ticks,
            Timers::Fine => plan::Timers::Fine,
        },
        min_rto_of: match presets.min_rto_of {
            Floor::Rto => plan::Floor::Rto,
            Floor::Variance => plan::Floor::Variance,
        },
        initial_rto_ps: presets.initial_rto.as_ps(),
        min_rto_ps: presets.min_rto.as_ps(),
        max_rto_ps: presets.max_rto.as_ps(),
        delayed_ack_ps: presets.delayed_ack.map(Time::as_ps),
        ack_timer: match presets.ack_timer {
            AckTimer::PerAck => plan::AckTimer::PerAck,
            AckTimer::FreeRunning => plan::AckTimer::FreeRunning,
        },
        ack_every: presets.ack_every,
        quick_acks: presets.quick_acks,
        quick_ack_bytes: presets.quick_ack_bytes,
        recovery_samples: presets.recovery_samples,
        window_probe: match presets.window_probe {
            WindowProbe::Octet => plan::WindowProbe::Octet,
            WindowProbe::Ack => plan::WindowProbe::Ack,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_stated_in_a_plan_give_the_presets_back() {
        for flavor in tcp::FLAVORS {
            assert_eq!(options(&presets(flavor), flavor), flavor.presets, "{}", flavor.name);
        }
    }
}
