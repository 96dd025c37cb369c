//! Our endpoint's parameters in these tests.

use crate::draw::Draw;
use crate::stack::Stack;
use base::Time;

use tcp::options::{Deflation, NewRenoParameters, OnDupAck, PartialAckTimer};
use tcp::{
    AckTimer, Config, Connection, FLAVORS, Flavor, Floor, Growth, Historic, Options, SsthreshFrom,
    SsthreshRounding, TickClock, Timers, WindowProbe,
};

/// A flavor with the numbers that smoltcp has: two segments at first, ssthresh without limit, half
/// of `flight_size` after a loss, time-outs to the microsecond of 1 s to 60 s, an ACK for every
/// segment. SACK is offered as smoltcp does, which makes SYNs equally long.
pub(crate) fn like_smoltcp(flavor: &str) -> Config {
    let flavor = Flavor::named(flavor).expect("a flavor");
    Config {
        flavor,
        options: Options {
            sack: true,
            timers: Timers::Fine,
            min_rto_of: Floor::Rto,
            initial_rto: Time::from_ms(1000),
            min_rto: Time::from_ms(1000),
            max_rto: Time::from_ms(60_000),
            ssthresh_from: SsthreshFrom::FlightSize,
            careful_fast_retransmit: flavor.careful_as_published,
            delayed_ack: None,
            window_probe: WindowProbe::Octet,
            ..flavor.presets
        },
        smss: 1024,
        initial_window: 2,
        initial_ssthresh: 1 << 30,
        receive_buffer: 65_535,
        initial_receive_buffer: None,
        window_scale: Some(0),
        nagle: true,
        idle_restart: false,
        restart_window: None,
    }
}

/// A connection; its ticks, if it counts any, are of a millisecond.
pub(crate) fn connection(config: Config) -> Stack {
    let clock = TickClock { tick: Time::from_ms(1), phase: Time::ZERO };
    Stack::ours(Connection::new(config, clock))
}

/// Any flavor with any parameters.
pub(crate) fn any(draw: &mut Draw) -> Config {
    let flavor = &FLAVORS[draw.between(0, FLAVORS.len() as u64 - 1) as usize];
    // Every second one as the flavor has it.
    let options = if draw.maybe(50) { flavor.presets } else { options(draw) };
    let mut config = Config {
        flavor,
        options,
        smss: draw.mss(),
        initial_window: draw.between(1, 10) as u32,
        initial_ssthresh: draw.between(1_000, 200_000),
        receive_buffer: draw.buffer(),
        initial_receive_buffer: None,
        window_scale: draw.maybe(80).then(|| draw.between(0, 4) as u8),
        nagle: draw.maybe(50),
        idle_restart: false,
        restart_window: None,
    };
    config.options.sws_avoidance = draw.maybe(80);
    config.idle_restart = draw.maybe(50);
    config.restart_window = draw.maybe(20).then_some(1);
    config.options.historic = Historic {
        handshake_growth: draw.maybe(20),
        handshake_sample: !draw.maybe(20),
        additive_constant: draw.maybe(10),
        ..Historic::OFF
    };
    config
}

/// A connection with one of the clocks of the 1990s, of any phase.
pub(crate) fn stack(config: &Config, draw: &mut Draw) -> Stack {
    let tick = Time::from_ms([1, 10, 100, 500][draw.between(0, 3) as usize]);
    let clock = TickClock { tick, phase: Time::from_us(draw.between(0, 999)) };
    Stack::ours(Connection::new(*config, clock))
}

fn options(draw: &mut Draw) -> Options {
    let ms = |draw: &mut Draw, low, high| Time::from_ms(draw.between(low, high));
    Options {
        sack: draw.maybe(60),
        sack_blocks: draw.between(1, 4) as u8,
        dsack: draw.maybe(50),
        timestamps: draw.maybe(50),
        ecn: draw.maybe(50),
        limited_transmit: draw.maybe(50),
        prr: draw.maybe(50),
        lost_retransmission_detection: draw.maybe(50),
        growth: if draw.maybe(50) {
            Growth::Acks
        } else {
            Growth::Bytes { limit: draw.maybe(50).then_some(2) }
        },
        cwnd_validation: draw.maybe(50),
        ssthresh_from: if draw.maybe(50) { SsthreshFrom::Cwnd } else { SsthreshFrom::FlightSize },
        ssthresh_rounding: if draw.maybe(50) { SsthreshRounding::Bytes } else { SsthreshRounding::Segments },
        cubic_beta: draw.between(50, 80) as f64 / 100.0,
        newreno: NewRenoParameters {
            deflation: if draw.maybe(50) { Deflation::Full } else { Deflation::Partial },
            partial_ack_timer: if draw.maybe(50) { PartialAckTimer::First } else { PartialAckTimer::Every },
            on_dup_ack: if draw.maybe(50) { OnDupAck::Inflate } else { OnDupAck::EverySecond },
        },
        careful_fast_retransmit: draw.maybe(50),
        timers: if draw.maybe(50) { Timers::Ticks } else { Timers::Fine },
        min_rto_of: if draw.maybe(50) { Floor::Rto } else { Floor::Variance },
        initial_rto: ms(draw, 500, 3_000),
        min_rto: ms(draw, 20, 1_000),
        max_rto: ms(draw, 20_000, 120_000),
        delayed_ack: draw.maybe(70).then(|| ms(draw, 1, 500)),
        ack_timer: if draw.maybe(50) { AckTimer::PerAck } else { AckTimer::FreeRunning },
        ack_every: if draw.maybe(50) { 2 } else { draw.between(1, 9) as u32 },
        quick_acks: draw.between(0, 20) as u32,
        recovery_samples: true,
        quick_ack_bytes: if draw.maybe(50) { 0 } else { draw.bytes(50_000) },
        window_probe: if draw.maybe(50) { WindowProbe::Octet } else { WindowProbe::Ack },
        ..Options::CLASSIC
    }
}
