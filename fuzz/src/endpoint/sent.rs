//! What must hold of each segment that an endpoint sends.
//!
//! - Data and FIN are what was written, in segments of SMSS at most, and nothing of them lies beyond
//!   the furthest right edge that the peer ever told, but a probe of one byte and the FIN (one each).
//! - New data stay within cwnd, and with limited transmit two segments more. A loss probe may go beyond
//!   (RFC 8985, section 7.3): one segment, the first after a timer, until something comes. A sender that knows
//!   what was SACKed leaves that out, and what is lost; the NewReno that lets out a segment for
//!   every second duplicate ACK, and the `pipe` of 1996, are not held to this in a recovery.
//! - The acknowledgment never falls; nor does the right edge of the window, but by what the
//!   scale cannot tell.
//! - Options are those that were agreed on, and have room; SACK blocks are what came above the acknowledgment.
//! - Of ECN: only new data are ECT (RFC 3168, sections 6.1.4 and 6.1.5).

use base::Time;
use tcp::options::OnDupAck;
use tcp::{Config, Connection, Ecn, Outstanding, Segment};

const MOST_OPTION_BYTES: u32 = 40;

/// What an endpoint may send.
pub struct Sender {
    config: Config,
    /// Bytes written, and whether a FIN follows them.
    pub written: u64,
    pub closed: bool,
    /// The furthest right edge that the peer has told, and the scale of what it tells.
    offered: u64,
    shift: u8,
    /// What this end told last: acknowledgment and right edge.
    told: Option<(u64, u64)>,
    our_shift: u8,
    highest_sent: u64,
    /// One above the highest sequence number that came.
    came: u64,
    /// A timer has run out since something went out or came.
    timer_ran_out: bool,
    /// A segment went beyond cwnd, as a loss probe may, and nothing has come since.
    has_probed: bool,
}

impl Sender {
    pub fn new(config: Config) -> Self {
        Self {
            config,
            written: 0,
            closed: false,
            offered: 1,
            shift: 0,
            told: None,
            our_shift: 0,
            highest_sent: 0,
            came: 1,
            timer_ran_out: false,
            has_probed: false,
        }
    }

    /// The connection will be another one; what was written remains.
    pub fn begin_anew(&mut self) {
        *self = Self { written: self.written, closed: self.closed, ..Self::new(self.config) };
    }

    /// One above the highest sequence number that this end may ever send.
    pub fn end(&self) -> u64 {
        1 + self.written + u64::from(self.closed)
    }

    /// The acknowledgment and the right edge of the window that were sent last.
    pub fn told(&self) -> (u64, u64) {
        self.told.unwrap_or((1, 1))
    }

    pub fn highest_sent(&self) -> u64 {
        self.highest_sent
    }

    pub fn came(&self) -> u64 {
        self.came
    }

    /// A timer ran out.
    pub fn on_timer(&mut self) {
        self.timer_ran_out = true;
    }

    /// A segment came; `opened` if it began the connection.
    pub fn on_segment(&mut self, segment: &Segment, opened: bool, snd_una: u64) {
        if opened && let (Some(theirs), Some(ours)) = (segment.window_scale, self.config.window_scale) {
            (self.shift, self.our_shift) = (theirs.min(14), ours.min(14));
        }
        (self.timer_ran_out, self.has_probed) = (false, false);
        self.came = self.came.max(segment.end());
        // A SYN offers its window to the first byte, whatever it acknowledges.
        let from = segment.ack.unwrap_or(0).max(u64::from(segment.syn));
        let shift = if segment.syn { 0 } else { self.shift };
        // What acknowledges something that was never sent offers nothing.
        if from <= self.highest_sent.max(snd_una).max(1) {
            self.offered = self.offered.max(from + (u64::from(segment.window) << shift));
        }
    }

    /// A segment is sent; before that `snd_max` was where new data begin.
    pub fn check(&mut self, now: Time, segment: &Segment, snd_max: u64, connection: &Connection) {
        self.check_options(now, segment, connection);
        if segment.rst {
            return;
        }
        if segment.ack.is_some() && !segment.syn {
            self.check_acknowledgment(segment);
        }
        if segment.len > 0 || segment.fin {
            self.check_data(segment, snd_max, connection);
        } else {
            assert_eq!(segment.ecn, Ecn::NotEct, "ECT without data");
        }
        self.highest_sent = self.highest_sent.max(segment.end());
    }

    fn check_data(&mut self, segment: &Segment, snd_max: u64, connection: &Connection) {
        let sender = connection.sender();
        let end = segment.seq + u64::from(segment.len);
        assert!(segment.seq >= sender.snd_una.max(1), "data that are acknowledged go out: {segment}");
        assert!(u64::from(segment.len) <= sender.smss, "longer than a segment");
        assert!(end <= 1 + self.written && (!segment.fin || self.closed), "never written: {segment}");
        assert!(!segment.fin || end == 1 + self.written, "a FIN before the end: {segment}");
        let probe = segment.len <= 1 && segment.seq == sender.snd_una && sender.rwnd == 0;
        assert!(end <= self.offered || probe, "beyond the window, which ends at {}: {segment}", self.offered);
        let is_new = end > snd_max.max(self.highest_sent);
        let may_be_ect = is_new || self.config.options.l4s;
        assert!(segment.ecn == Ecn::NotEct || may_be_ect, "data sent again are ECT: {segment}");
        let timer_ran_out = std::mem::take(&mut self.timer_ran_out);
        if is_new && !probe && !self.is_within_cwnd(end, connection) {
            let is_loss_probe = self.config.options.tlp && timer_ran_out && !self.has_probed;
            assert!(is_loss_probe, "beyond cwnd {}: {segment}", connection.window().cwnd());
            self.has_probed = true;
        }
    }

    /// Whether new data that end there are within cwnd, as far as this sender is held to it.
    fn is_within_cwnd(&self, end: u64, connection: &Connection) -> bool {
        let (sender, info) = (connection.sender(), connection.info());
        let every_second = self.config.options.newreno.on_dup_ack == OnDupAck::EverySecond;
        let flavor = self.config.flavor;
        let exempt = every_second && !flavor.ignores("deflation") || flavor.in_recovery == Outstanding::Pipe;
        if exempt && connection.in_recovery() {
            return true;
        }
        let limited = if self.config.options.limited_transmit { 2 * sender.smss } else { 0 };
        // Counts are of begun segments, so each may be one too many.
        let counts = flavor.in_recovery == Outstanding::Scoreboard;
        let gone = if counts { (info.sacked + info.lost + 2) * sender.smss } else { 0 };
        end <= sender.snd_una + connection.window().cwnd() + limited + gone
    }

    fn check_acknowledgment(&mut self, segment: &Segment) {
        let ack = segment.ack.unwrap_or(0);
        let edge = ack + (u64::from(segment.window) << self.our_shift);
        if let Some((last_ack, last_edge)) = self.told {
            assert!(ack >= last_ack, "the acknowledgment fell from {last_ack}: {segment}");
            let by_scale = (1 << self.our_shift) - 1;
            assert!(
                edge + by_scale >= last_edge,
                "the right edge fell from {last_edge} to {edge}: {segment}"
            );
        }
        self.told = Some((ack, edge));
        for (n, &(left, right)) in segment.sack.as_slice().iter().enumerate() {
            let duplicate = n == 0 && self.config.options.dsack;
            assert!(
                left < right && right <= self.came && (left > ack || duplicate),
                "no such block: {segment}"
            );
        }
    }

    fn check_options(&self, now: Time, segment: &Segment, connection: &Connection) {
        let info = connection.info();
        let options = &self.config.options;
        assert!(segment.packet_bytes() - segment.len - tcp::segment::HEADER_BYTES <= MOST_OPTION_BYTES);
        let most = if segment.timestamps.is_some() { 3 } else { usize::from(options.sack_blocks) };
        let blocks = segment.sack.as_slice().len();
        assert!(blocks <= most && (blocks == 0 || info.sack_ok), "SACK: {segment}");
        let of_syn = [segment.window_scale.is_some(), segment.mss.is_some(), segment.sack_permitted];
        assert!(segment.syn || of_syn == [false; 3], "an option of a SYN: {segment}");
        if !segment.syn && !segment.rst {
            assert_eq!(segment.timestamps.is_some(), info.timestamps_ok, "{segment}");
            let says = segment.ae || segment.ece || segment.cwr || segment.accecn.is_some();
            assert!(info.ecn_ok || !says && segment.ecn == Ecn::NotEct, "{segment}");
        }
        if let Some(timestamps) = segment.timestamps {
            assert_eq!(u64::from(timestamps.value), now.div_floor(Time::from_ms(1)), "{segment}");
        }
    }
}
