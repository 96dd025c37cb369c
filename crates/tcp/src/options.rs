//! The options of an endpoint: what a flavor presets and a plan may set otherwise.

use base::Time;

/// What every flavor leaves at [`Historic::OFF`]. Any other value reproduces an implementation, a
/// simulator or a paper of the 1990s, which no RFC in force and no present-day stack follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Historic {
    /// The ACK of the SYN opens cwnd as that of a segment does: BSD. RFC 5681 (3.1) forbids it.
    pub handshake_growth: bool,
    /// The ACK of the SYN is a measurement of the RTT. Else data begins with the initial time-out.
    pub handshake_sample: bool,
    /// An eighth of a segment more for each ACK in congestion avoidance (RFC 2525, 2.6).
    pub additive_constant: bool,
    /// What becomes of the fraction of a byte when cwnd grows by ACKs in congestion avoidance.
    pub cwnd_rounding: CwndRounding,
    /// ACKs after which cwnd grows by ACKs in congestion avoidance, by so many times as much.
    pub cwnd_ack_batch: u32,
    /// How long a fast retransmit waits after the third duplicate ACK, millionths of SRTT; only
    /// with the loss detection of the flavor `sack`.
    pub retransmit_wait_ppm: u32,
}

impl Historic {
    /// As the RFCs in force have it.
    pub const OFF: Self = Self {
        handshake_growth: false,
        handshake_sample: true,
        additive_constant: false,
        cwnd_rounding: CwndRounding::Up,
        cwnd_ack_batch: 1,
        retransmit_wait_ppm: 0,
    };
}

/// What every flavor has a preset for, and a plan may set otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// SACK is offered in the SYN (RFC 2018).
    pub sack: bool,
    /// SACK blocks in a segment at most; beside timestamps three.
    pub sack_blocks: u8,
    /// Duplicates are reported in the first SACK block (RFC 2883).
    pub dsack: bool,
    /// Timestamps are offered in the SYN (RFC 7323).
    pub timestamps: bool,
    /// ECN is offered in the SYN, and agreed to (RFC 3168).
    pub ecn: bool,
    /// With ECN: how a receiver reports marks.
    pub ecn_feedback: EcnFeedback,
    /// With ECN: packets are ECT(1), which asks for the queue of low latency (RFC 9331); else ECT(0).
    pub l4s: bool,
    /// A mark leaves more of cwnd than a loss (RFC 8511).
    pub abe: bool,
    /// The first two duplicate ACKs let out new data (RFC 3042).
    pub limited_transmit: bool,
    /// cwnd falls in proportion to what is delivered (RFC 9937), where the recovery knows `pipe`.
    pub prr: bool,
    /// How a flavor with SACK finds losses.
    pub loss_detection: SackLossDetection,
    /// A probe asks for an ACK when the last segments of a flight are lost (RFC 8985, section 7); RACK only.
    pub tlp: bool,
    /// When that probe leaves.
    pub tlp_timer: TlpTimer,
    /// New data after a time-out tell whether it was spurious (RFC 5682); RACK only.
    pub f_rto: bool,
    /// What becomes of cwnd when a reduction turns out to be needless; RACK only.
    pub undo: Undo,
    /// A retransmission is lost if something that was sent later arrives (RFC 8985), and goes out
    /// again; where the recovery knows what arrives.
    pub lost_retransmission_detection: bool,
    /// What cwnd grows by.
    pub growth: Growth,
    /// How slow start ends before a loss.
    pub slow_start: SlowStartKind,
    /// cwnd and ssthresh are whole segments: Linux.
    pub whole_segments: bool,
    /// Whether segments leave at a rate, and which.
    pub pacing: PacingFrom,
    /// With pacing: so many segments of a flow leave as the window allows before the rate holds.
    pub unpaced_segments: u32,
    /// cwnd grows only while it is what limits the sender, and decays when idle (RFC 2861).
    pub cwnd_validation: bool,
    /// What ssthresh becomes a part of after a loss.
    pub ssthresh_from: SsthreshFrom,
    /// No fast retransmit for data sent before a time-out, nor in NewReno before a recovery's end (RFC
    /// 6582, 3.2: "avoiding multiple fast retransmits"; the "careful" variant of RFC 2582).
    pub careful_fast_retransmit: bool,
    /// What ssthresh is then cut to.
    pub ssthresh_rounding: SsthreshRounding,
    /// CUBIC: the part of cwnd that a loss leaves.
    pub cubic_beta: f64,
    /// CUBIC: the RFC's real numbers or Linux' integers.
    pub cubic_arithmetic: CubicArithmetic,
    /// LEDBAT: the queueing delay at which cwnd stays; more than 0, and 100 ms at most (RFC 6817).
    pub ledbat_target: Time,
    /// NewReno's parameters.
    pub newreno: NewRenoParameters,
    /// How time-outs are counted.
    pub timers: Timers,
    /// What [`Options::min_rto`] is the floor of.
    pub min_rto_of: Floor,
    /// RTO before the first RTT sample.
    pub initial_rto: Time,
    /// Smallest RTO, or the smallest share of the variance in it.
    pub min_rto: Time,
    /// Largest RTO.
    pub max_rto: Time,
    /// How long an ACK may wait for a second segment; none: not at all.
    pub delayed_ack: Option<Time>,
    /// Which timer ends the wait of an ACK.
    pub ack_timer: AckTimer,
    /// Segments in order after which an ACK waits no longer.
    pub ack_every: u32,
    /// The first ACKs of a connection that do not wait.
    pub quick_acks: u32,
    /// So many bytes are acknowledged at once at first, and again whenever something was missing.
    pub quick_ack_bytes: u64,
    /// A segment stays timed while a recovery holds up its ACK; if not, it is forgotten at each
    /// retransmission, as BSD and ns-2 do.
    pub recovery_samples: bool,
    /// Every ACK that delivers something sent once is a sample of the RTT, as RFC 7323 allows; else one segment
    /// of a window is timed. RACK only.
    pub sample_every_ack: bool,
    /// What probes a closed window.
    pub window_probe: WindowProbe,
    /// Sender-side silly window avoidance (RFC 9293, 3.8.6.2.1).
    pub sws_avoidance: bool,
    /// What only a study of the 1990s sets.
    pub historic: Historic,
}

impl Options {
    /// The RFCs' own numbers on the coarse clock of the 1990s.
    pub const CLASSIC: Self = Self {
        sack: false,
        sack_blocks: 3,
        dsack: false,
        timestamps: false,
        ecn: false,
        ecn_feedback: EcnFeedback::Classic,
        l4s: false,
        abe: false,
        limited_transmit: false,
        prr: false,
        loss_detection: SackLossDetection::Rfc6675,
        tlp: false,
        tlp_timer: TlpTimer::Rfc8985,
        f_rto: false,
        undo: Undo::Off,
        lost_retransmission_detection: false,
        growth: Growth::Acks,
        slow_start: SlowStartKind::Standard,
        whole_segments: false,
        pacing: PacingFrom::Off,
        unpaced_segments: 0,
        cwnd_validation: false,
        ssthresh_from: SsthreshFrom::FlightSizeBounded,
        careful_fast_retransmit: true,
        ssthresh_rounding: SsthreshRounding::Bytes,
        cubic_beta: 0.7,
        cubic_arithmetic: CubicArithmetic::Rfc9438,
        ledbat_target: Time::from_ms(100),
        newreno: NewRenoParameters::RFC6582,
        timers: Timers::Ticks,
        min_rto_of: Floor::Rto,
        initial_rto: Time::from_ms(1000),
        min_rto: Time::from_ms(1000),
        max_rto: Time::from_ms(60_000),
        delayed_ack: Some(Time::from_ms(200)),
        ack_timer: AckTimer::PerAck,
        ack_every: 2,
        quick_acks: 0,
        quick_ack_bytes: 0,
        recovery_samples: true,
        sample_every_ack: false,
        window_probe: WindowProbe::Octet,
        sws_avoidance: true,
        historic: Historic::OFF,
    };

    /// What the RFCs of today ask for.
    pub const MODERN: Self = Self {
        sack: true,
        sack_blocks: 4,
        dsack: true,
        timestamps: true,
        limited_transmit: true,
        prr: true,
        loss_detection: SackLossDetection::Rack,
        tlp: true,
        f_rto: true,
        undo: Undo::Rfc4015,
        lost_retransmission_detection: true,
        growth: Growth::Bytes { limit: None },
        slow_start: SlowStartKind::HystartPlusPlus,
        cwnd_validation: true,
        ssthresh_from: SsthreshFrom::Cwnd,
        timers: Timers::Fine,
        sample_every_ack: true,
        window_probe: WindowProbe::Ack,
        ..Self::CLASSIC
    };

    /// These options as Linux has them: its timers, its ACKs, its whole segments, its slow start.
    #[must_use]
    pub const fn on_linux(self) -> Self {
        Self {
            tlp_timer: TlpTimer::Linux,
            undo: match self.undo {
                Undo::Off => Undo::Off,
                Undo::Rfc4015 | Undo::Linux => Undo::Linux,
            },
            growth: Growth::Bytes { limit: None },
            slow_start: match self.slow_start {
                SlowStartKind::Standard => SlowStartKind::Standard,
                SlowStartKind::HystartPlusPlus | SlowStartKind::Hystart => SlowStartKind::Hystart,
            },
            whole_segments: true,
            unpaced_segments: 10,
            cwnd_validation: true,
            ssthresh_from: SsthreshFrom::Cwnd,
            ssthresh_rounding: SsthreshRounding::Segments,
            cubic_arithmetic: CubicArithmetic::Linux,
            timers: Timers::Fine,
            min_rto_of: Floor::Variance,
            min_rto: Time::from_ms(200),
            max_rto: Time::from_ms(120_000),
            delayed_ack: Some(Time::from_ms(40)),
            quick_acks: 16,
            window_probe: WindowProbe::Ack,
            ..self
        }
    }
}

/// How a flavor with SACK finds losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SackLossDetection {
    /// By time: what was sent well before something that has arrived is lost (RFC 8985).
    Rack,
    /// By number: what has enough SACKed ranges or bytes above it is lost (RFC 6675).
    Rfc6675,
}

/// When a tail loss probe leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlpTimer {
    /// After 2 SRTT, and 200 ms more if one segment is out (RFC 8985, section 7.2).
    Rfc8985,
    /// After 2 SRTT, and 2 ms more, or the smallest time-out if one segment is out.
    Linux,
}

/// What becomes of cwnd when a reduction turns out to be needless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undo {
    /// Nothing: it is not looked for.
    Off,
    /// What is in flight, and the data that the ACK acknowledges up to an initial window; ssthresh as before (RFC 4015).
    Rfc4015,
    /// cwnd and ssthresh as before.
    Linux,
}

/// How slow start ends before a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlowStartKind {
    /// It does not (RFC 5681).
    Standard,
    /// When the RTT grows, slower growth follows, and then congestion avoidance (RFC 9406).
    HystartPlusPlus,
    /// When ACKs come as a long train, or when the RTT grows (Ha and Rhee 2008, as Linux has it).
    Hystart,
}

/// Whether segments leave at a rate, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacingFrom {
    /// They leave as the window allows.
    Off,
    /// At a part more than a window in each SRTT.
    Rate,
    /// At the rate that congestion control names, if it names one.
    CongestionControl,
}

/// How CUBIC counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CubicArithmetic {
    /// Real numbers (RFC 9438).
    Rfc9438,
    /// Linux' integers, and its smaller differences.
    Linux,
}

/// How a receiver reports marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EcnFeedback {
    /// ECE until CWR comes (RFC 3168).
    Classic,
    /// ECE says whether the last segment was marked (RFC 8257).
    Dctcp,
    /// Counters of marked packets and bytes (RFC 9768).
    Accurate,
}

/// Duplicate ACKs that mean a loss (RFC 5681, section 3.2; RFC 6675's `DupThresh`).
pub const DUP_THRESH: u32 = 3;

/// What NewReno leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewRenoParameters {
    /// What a partial ACK does to cwnd.
    pub deflation: Deflation,
    /// Which partial ACKs restart the retransmission timer.
    pub partial_ack_timer: PartialAckTimer,
    /// What duplicate ACKs after the third do.
    pub on_dup_ack: OnDupAck,
}

/// What a partial ACK does to cwnd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deflation {
    /// Back to ssthresh.
    Full,
    /// Less by what was acknowledged, plus one segment.
    Partial,
}

/// Which partial ACKs restart the retransmission timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartialAckTimer {
    /// Only the first.
    First,
    /// Every one.
    Every,
}

/// What duplicate ACKs after the third do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDupAck {
    /// Each inflates cwnd by a segment.
    Inflate,
    /// Every second one lets out one new segment, and nothing else is sent.
    EverySecond,
}

impl NewRenoParameters {
    /// RFC 6582 with the impatient timer.
    pub const RFC6582: Self = Self {
        deflation: Deflation::Partial,
        partial_ack_timer: PartialAckTimer::First,
        on_dup_ack: OnDupAck::Inflate,
    };
    /// The variant of 000, as ns-2.1b3 had it.
    pub const HOE: Self = Self {
        deflation: Deflation::Full,
        partial_ack_timer: PartialAckTimer::Every,
        on_dup_ack: OnDupAck::EverySecond,
    };
    /// The variant of 000, as its text describes it.
    pub const FULL: Self = Self { on_dup_ack: OnDupAck::Inflate, ..Self::HOE };
}

/// What an ACK adds to cwnd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// A segment in slow start, SMSS * SMSS / cwnd afterwards (RFC 5681, equations 2 and 3).
    Acks,
    /// What it acknowledges is counted (RFC 3465); in slow start at most so many segments of it.
    Bytes {
        /// RFC 3465's L, segments; none: no limit.
        limit: Option<u32>,
    },
}

/// What becomes of the fraction of a byte in SMSS * SMSS / cwnd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CwndRounding {
    /// It is cut, but cwnd grows by a byte at least (RFC 5681, 3.1).
    Up,
    /// It is cut, so that cwnd does not grow beyond SMSS * SMSS: BSD's integers.
    Down,
    /// It is kept for the next time, as with floating point.
    None,
}

/// What ssthresh becomes a part of after a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SsthreshFrom {
    /// min(cwnd, rwnd): BSD, and the studies of the 1990s; present-day stacks.
    Cwnd,
    /// The same without what duplicate ACKs have inflated cwnd by when a time-out ends a recovery: ns-2,
    /// which counts that inflation separately.
    CwndDeflated,
    /// `flight_size`: RFC 5681, equation 4.
    FlightSize,
    /// `flight_size`, but no time-out raises ssthresh with what a recovery has let out or a time-out has given up:
    /// at a time-out cwnd at most, in a recovery its ssthresh at most.
    FlightSizeBounded,
}

impl SsthreshFrom {
    /// Whether it is as RFC 5681 asks: no more than the flight size.
    pub(crate) const fn is_of_flight(self) -> bool {
        matches!(self, Self::FlightSize | Self::FlightSizeBounded)
    }
}

/// What ssthresh is cut to after a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SsthreshRounding {
    /// Whole bytes.
    Bytes,
    /// Whole segments: BSD, and stacks that count cwnd in segments.
    Segments,
}

/// How time-outs are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timers {
    /// In whole ticks of the coarse clock, as BSD did.
    Ticks,
    /// To the picosecond, with a granularity of 1 ms in the variance.
    Fine,
}

/// What the smallest RTO is the floor of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floor {
    /// The RTO (RFC 6298, 2.4).
    Rto,
    /// Four times RTTVAR, to which SRTT is added: present-day stacks.
    Variance,
}

/// Which timer ends the wait of an ACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckTimer {
    /// One that begins with the first segment that waits.
    PerAck,
    /// One that never stops, and looks every [`Options::delayed_ack`] for what waits: BSD.
    FreeRunning,
}

/// What probes a closed window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowProbe {
    /// One byte of new data (RFC 9293, 3.8.6.1).
    Octet,
    /// A segment without data, one below `snd_una`: present-day stacks.
    Ack,
}
