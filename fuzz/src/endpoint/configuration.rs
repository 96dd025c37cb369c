//! Bytes -> an endpoint's configuration: a flavor's presets, or any that a plan could ask for.
//!
//! Narrower than what a plan may say: the receive buffer holds two segments and is more than the
//! smallest window that its scale can tell, without which a window is never told to be open.

use super::super::bytes::Bytes;
use base::Time;
use tcp::options::{
    CubicArithmetic, Deflation, EcnFeedback, NewRenoParameters, OnDupAck, PacingFrom, PartialAckTimer,
    SackLossDetection, SlowStartKind, TlpTimer, Undo,
};
use tcp::{
    AckTimer, Config, CwndRounding, Flavor, Floor, Growth, Options, SsthreshFrom, SsthreshRounding,
    TickClock, Timers, WindowProbe,
};

/// The coarse clock of an endpoint.
pub fn clock(bytes: &mut Bytes) -> TickClock {
    let tick = Time::from_ms(bytes.pick(&[100, 1, 10, 500]));
    TickClock { tick, phase: Time::from_ps(bytes.below(tick.as_ps())) }
}

/// A configuration for segments of `smss` bytes at most.
pub fn config(bytes: &mut Bytes, flavor: &'static Flavor, smss: u32) -> Config {
    let options = if bytes.flag() { options(bytes, flavor) } else { flavor.presets };
    let window_scale = bytes.pick(&[None, Some(0), Some(2), Some(7), Some(14)]);
    let least = 2 * u64::from(smss).max(1 << window_scale.unwrap_or(0));
    let mut config = Config {
        flavor,
        options,
        smss,
        initial_window: bytes.pick(&[1, 2, 3, 4, 10, 40]),
        initial_ssthresh: bytes.pick(&[u64::MAX, 0, 2048, 65_536]),
        receive_buffer: least + u64::from(bytes.pick(&[0u32, 1, 700, 8_192, 60_000, 100_000, 2_000_000])),
        // Not drawn, so that the corpus means what it did.
        initial_receive_buffer: (window_scale == Some(7)).then_some(least),
        window_scale,
        nagle: bytes.flag(),
        idle_restart: false,
        restart_window: None,
    };
    config.options.sws_avoidance = !bytes.flag();
    config.idle_restart = !bytes.flag();
    let usual = (CwndRounding::Up, 1, 0);
    let growth_and_wait;
    let historic = &mut config.options.historic;
    (historic.additive_constant, config.restart_window, historic.handshake_growth, growth_and_wait) = bytes
        .pick(&[
            (false, None, false, usual),
            (true, None, false, usual),
            (false, Some(1), false, usual),
            (true, Some(1), true, usual),
            (false, None, true, usual),
            (true, Some(4), false, usual),
            (false, None, false, (CwndRounding::Down, 2, 500_000)),
            (true, None, false, (CwndRounding::None, 1, 0)),
            (false, Some(1), false, (CwndRounding::Up, u32::MAX, 4_000_000)),
            (true, Some(1), true, (CwndRounding::Down, 1, 1)),
            (false, None, true, (CwndRounding::None, 8, 1_000_000)),
            (true, Some(4), false, (CwndRounding::Up, 2, 0)),
        ]);
    (historic.cwnd_rounding, historic.cwnd_ack_batch, historic.retransmit_wait_ppm) = growth_and_wait;
    historic.handshake_sample = !historic.handshake_growth;
    config
}

fn options(bytes: &mut Bytes, flavor: &Flavor) -> Options {
    let presets = flavor.presets;
    let min_rto = Time::from_ms(bytes.pick(&[500, 1000, 5000]));
    let mut careful = flavor.careful_as_published;
    let mut options = Options {
        sack: bytes.flag(),
        sack_blocks: bytes.pick(&[3, 4, 2, 1]),
        dsack: bytes.flag(),
        timestamps: bytes.flag(),
        ecn: bytes.flag(),
        limited_transmit: bytes.flag(),
        prr: bytes.flag(),
        lost_retransmission_detection: bytes.flag(),
        growth: bytes.pick(&[
            Growth::Acks,
            Growth::Bytes { limit: None },
            Growth::Bytes { limit: Some(1) },
            Growth::Bytes { limit: Some(8) },
        ]),
        cwnd_validation: bytes.flag(),
        ssthresh_from: bytes.pick(&[
            SsthreshFrom::Cwnd,
            SsthreshFrom::FlightSize,
            SsthreshFrom::CwndDeflated,
            SsthreshFrom::FlightSizeBounded,
        ]),
        ssthresh_rounding: bytes.pick(&[SsthreshRounding::Bytes, SsthreshRounding::Segments]),
        cubic_beta: bytes.pick(&[0.7, 0.5, 0.01, 0.99]),
        newreno: newreno(bytes, presets.newreno, &mut careful),
        timers: bytes.pick(&[Timers::Fine, Timers::Ticks]),
        min_rto_of: bytes.pick(&[Floor::Rto, Floor::Variance]),
        initial_rto: Time::from_ms(bytes.pick(&[1000, 500, 3000])),
        min_rto,
        max_rto: min_rto * u64::from(bytes.pick(&[100u8, 1, 2])),
        delayed_ack: bytes.pick(&[None, Some(Time::from_ms(40)), Some(Time::from_ms(500))]),
        quick_acks: bytes.pick(&[0, 1, 16]),
        window_probe: WindowProbe::Octet,
        ..presets
    };
    (options.window_probe, options.ack_every, options.quick_ack_bytes, options.ack_timer) = bytes.pick(&[
        (WindowProbe::Octet, 2, 0, AckTimer::PerAck),
        (WindowProbe::Ack, 2, 0, AckTimer::PerAck),
        (WindowProbe::Octet, 4, 0, AckTimer::FreeRunning),
        (WindowProbe::Ack, 2, 16_384, AckTimer::FreeRunning),
        (WindowProbe::Octet, 2, 3_000, AckTimer::PerAck),
        (WindowProbe::Ack, 1_000, 3_000, AckTimer::PerAck),
    ]);
    // No choice of its own, so that the corpus means what it did.
    let draws = careful && !flavor.ignores("deflation");
    options.careful_fast_retransmit = draws || options.ssthresh_from == SsthreshFrom::FlightSizeBounded;
    todays(options)
}

/// The options of today's transport: no choices of their own, so that the corpus means what it did, but a mixture of what
/// was chosen before.
fn todays(options: Options) -> Options {
    let flags = [
        options.sack,
        options.dsack,
        options.timestamps,
        options.ecn,
        options.limited_transmit,
        options.prr,
        options.lost_retransmission_detection,
        options.cwnd_validation,
        options.ssthresh_rounding == SsthreshRounding::Segments,
    ];
    let chosen = flags.iter().fold(u64::from(options.sack_blocks), |all, &flag| 2 * all + u64::from(flag));
    let mut mixed = chosen;
    let mut below = |n: usize| {
        mixed = mixed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (mixed >> 33) as usize % n
    };
    Options {
        ecn_feedback: [EcnFeedback::Classic, EcnFeedback::Dctcp, EcnFeedback::Accurate][below(3)],
        l4s: below(2) == 1,
        abe: below(2) == 1,
        loss_detection: [SackLossDetection::Rack, SackLossDetection::Rfc6675][below(2)],
        tlp: below(2) == 1,
        tlp_timer: [TlpTimer::Rfc8985, TlpTimer::Linux][below(2)],
        f_rto: below(2) == 1,
        undo: [Undo::Off, Undo::Rfc4015, Undo::Linux][below(3)],
        slow_start: [SlowStartKind::Standard, SlowStartKind::HystartPlusPlus, SlowStartKind::Hystart]
            [below(3)],
        whole_segments: below(2) == 1,
        pacing: [PacingFrom::Off, PacingFrom::Rate, PacingFrom::CongestionControl][below(3)],
        cubic_arithmetic: [CubicArithmetic::Rfc9438, CubicArithmetic::Linux][below(2)],
        unpaced_segments: below(20) as u32,
        sample_every_ack: below(2) == 1,
        ..options
    }
}

fn newreno(bytes: &mut Bytes, presets: NewRenoParameters, careful: &mut bool) -> NewRenoParameters {
    if !bytes.flag() {
        return presets;
    }
    let drawn = NewRenoParameters {
        deflation: bytes.pick(&[Deflation::Full, Deflation::Partial]),
        partial_ack_timer: bytes.pick(&[PartialAckTimer::First, PartialAckTimer::Every]),
        on_dup_ack: bytes.pick(&[OnDupAck::Inflate, OnDupAck::EverySecond]),
    };
    *careful = bytes.flag();
    drawn
}
