//! The endpoint of a connection: its state, and what an application and a driver do with it.
//!
//! Source: RFC 9293 for the states. Taking segments is in `input.rs`, acknowledgments in `acks.rs`,
//! sending in `send.rs`, what happens when a timer runs out in `timeouts.rs`. Left out: urgent data,
//! giving up after so many time-outs, and the 2 MSL of TIME-WAIT, which this endpoint never leaves.
//!
//! A driver calls [`Connection::on_segment`] or [`Connection::on_timer`], then
//! [`Connection::poll`] until it returns nothing, and then looks at
//! [`Connection::next_timer`].

use crate::ack_policy::AckPolicy;
use crate::config::Config;
use crate::congestion::outside::{self, Control};
use crate::congestion::{CongestionControl, CongestionWindow, Needs};
use crate::ecn::EcnState;
use crate::limits::{Limited, SenderLimits};
use crate::loss::{CaState, LossDetection, Tally};
use crate::pacer::Pacer;
use crate::receiver::Receiver;
use crate::rtt::{RttEstimator, TickClock, estimator};
use crate::segment::Segment;
use crate::sender::Sender;
use crate::timers::{Persist, Timers};
use crate::timestamps::TimestampState;
use crate::transmit_queue::TransmitQueue;
use base::Time;
use core::ops::AddAssign;
use std::sync::Arc;

/// The states of RFC 9293.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the RFC's own names")]
pub enum State {
    Closed,
    Listen,
    SynSent,
    SynReceived,
    Established,
    FinWait1,
    FinWait2,
    CloseWait,
    Closing,
    LastAck,
    TimeWait,
}

/// Of a peer whose FIN has not come.
pub(crate) const NO_FIN: u64 = u64::MAX;

/// What a connection has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Segments with data (or a FIN) sent.
    pub segments_sent: u64,
    /// Those among them that had been sent before.
    pub segments_retransmitted: u64,
    /// Retransmission time-outs.
    pub timeouts: u64,
    /// Fast retransmits, those included that a new ACK or a time-out has forestalled while they waited.
    pub fast_retransmits: u64,
    /// RTTs measured.
    pub rtt_samples: u64,
    /// Their sum, to the picosecond whatever the timers count in, ps.
    pub rtt_ps: u64,
    /// Time-outs that were the first since something new was acknowledged.
    pub first_timeouts: u64,
    /// The sum of the RTOs after which they came, ps.
    pub first_timeout_ps: u64,
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Self) {
        self.segments_sent += other.segments_sent;
        self.segments_retransmitted += other.segments_retransmitted;
        self.timeouts += other.timeouts;
        self.fast_retransmits += other.fast_retransmits;
        self.rtt_samples += other.rtt_samples;
        self.rtt_ps += other.rtt_ps;
        self.first_timeouts += other.first_timeouts;
        self.first_timeout_ps += other.first_timeout_ps;
    }
}

/// One end of a connection.
pub struct Connection {
    pub(crate) config: Arc<Config>,
    pub(crate) nagle: bool,
    pub(crate) clock: TickClock,
    pub(crate) state: State,
    /// Whether it has waited for a SYN.
    pub(crate) passive: bool,
    pub(crate) sender: Sender,
    /// cwnd and ssthresh, which congestion control alone can change.
    pub(crate) window: CongestionWindow,
    pub(crate) loss: Box<dyn LossDetection>,
    pub(crate) congestion: Box<dyn CongestionControl>,
    /// None as long as there is no pacing rate.
    pub(crate) pacer: Option<Box<Pacer>>,
    pub(crate) rtt: Box<dyn RttEstimator>,
    pub(crate) timers: Timers,
    /// Whether loss detection asks for timers, and what congestion control looks at.
    pub(crate) has_loss_timers: bool,
    pub(crate) needs: Needs,
    /// Time-outs since something new was acknowledged.
    pub(crate) timeouts_in_a_row: u32,
    /// One above what was out at the last time-out.
    pub(crate) loss_until: u64,
    pub(crate) persist: Persist,
    /// One above the last byte that probed a closed window. It counts as sent once it is
    /// acknowledged, or sent again.
    pub(crate) probed: u64,
    /// The segment being timed, and when it left.
    pub(crate) timed: Option<(u64, Time)>,
    pub(crate) last_sent: Time,
    /// SEG.SEQ and SEG.ACK of the last window update (RFC 9293, SND.WL1 and SND.WL2).
    pub(crate) window_update: (u64, u64),
    /// The largest window that the peer has offered, bytes.
    pub(crate) max_offered: u64,
    pub(crate) closing: bool,
    pub(crate) receiver: Receiver,
    /// Where the peer's data ends, once its FIN has come, in order or not; [`NO_FIN`] before.
    pub(crate) fin_at: u64,
    pub(crate) acks: AckPolicy,
    /// Window scales (theirs, ours), SACK, timestamps and ECN, once both ends have offered them.
    pub(crate) scale: Option<(u8, u8)>,
    pub(crate) sack: bool,
    pub(crate) timestamps: TimestampState,
    pub(crate) ecn: EcnState,
    /// A segment to send before any other: a reset, or an ACK that cannot wait for what follows.
    pub(crate) urgent: Option<Box<Segment>>,
    pub(crate) was_reset: bool,
    pub(crate) counters: Counters,
    pub(crate) limits: SenderLimits,
}

impl Connection {
    /// A closed connection.
    #[must_use]
    pub fn new(config: impl Into<Arc<Config>>, clock: TickClock) -> Self {
        let config = config.into();
        let smss = u64::from(config.smss);
        let window = CongestionWindow::new(u64::from(config.initial_window) * smss, config.initial_ssthresh);
        let loss = (config.flavor.loss)(&config.options);
        let congestion = (config.flavor.congestion)(&config.options);
        let needs = congestion.needs();
        let has_loss_timers = loss.needs_timers();
        let queue = transmit_queue(loss.as_ref(), needs);
        let options = &config.options;
        Self {
            clock,
            state: State::Closed,
            passive: false,
            sender: Sender::new(smss, queue),
            window,
            loss,
            congestion,
            pacer: None,
            rtt: estimator(options, clock),
            timers: Timers::default(),
            has_loss_timers,
            needs,
            timeouts_in_a_row: 0,
            loss_until: 0,
            persist: Persist::default(),
            probed: 0,
            timed: None,
            last_sent: Time::ZERO,
            window_update: (0, 0),
            max_offered: 0,
            closing: false,
            receiver: Receiver::new(0, config.receive_buffer, options.sack_blocks, options.dsack)
                .growing_from(config.initial_receive_buffer),
            fin_at: NO_FIN,
            acks: AckPolicy::new(options, clock),
            scale: None,
            sack: false,
            timestamps: TimestampState::default(),
            ecn: EcnState::default(),
            urgent: None,
            was_reset: false,
            counters: Counters::default(),
            limits: SenderLimits::default(),
            nagle: config.nagle,
            config,
        }
    }

    /// The same connection, whose congestion control is another program's. Call it before the connection opens; its flavor
    /// is [`OUTSIDE`](crate::flavor::OUTSIDE).
    #[must_use]
    pub fn controlled_by(mut self, control: Box<dyn Control>) -> Self {
        self.congestion = outside::congestion_control(&self.config.options, control);
        self.needs = self.congestion.needs();
        self.sender.queue = transmit_queue(self.loss.as_ref(), self.needs);
        self
    }

    /// A closed connection that is configured like this one.
    #[must_use]
    pub fn anew(&self) -> Self {
        Self::new(Arc::clone(&self.config), self.clock)
    }

    /// Gives congestion control a number for its random choices. Call it before the connection opens.
    pub fn seed(&mut self, number: u64) {
        self.congestion.seed(number);
    }

    /// Waits for a SYN.
    pub fn listen(&mut self) {
        self.state = State::Listen;
        self.passive = true;
    }

    /// Opens the connection: the next [`Connection::poll`] sends a SYN.
    pub fn connect(&mut self) {
        self.state = State::SynSent;
    }

    /// Lets the ticks of a coarse clock, and a free-running timer of ACKs, count from `now`.
    pub fn start_clock(&mut self, now: Time) {
        self.rtt.start_clock(now);
        self.acks.start_clock(&self.config.options, now);
    }

    /// Appends `bytes` to what is to be sent.
    pub fn write(&mut self, bytes: u64) {
        debug_assert!(!self.closing, "nothing is written after close");
        self.note_app_limited();
        self.sender.written += bytes;
    }

    /// Ends this end's direction after what was written.
    pub fn close(&mut self) {
        self.closing = true;
    }

    /// Ends the connection at once, with a reset if the peer knows of it.
    pub fn abort(&mut self) {
        if !matches!(self.state, State::Closed | State::Listen | State::SynSent | State::TimeWait) {
            let seq = self.sender.snd_max;
            let ack = Some(self.receiver.rcv_nxt());
            self.urgent = Some(Box::new(Segment { seq, ack, rst: true, ..Segment::default() }));
        }
        self.end_at_once();
    }

    pub(crate) fn end_at_once(&mut self) {
        self.state = State::Closed;
        self.was_reset = true;
        self.persist = Persist::default();
        self.acks.forget(&mut self.timers);
        self.timers = Timers::default();
    }

    /// Turns Nagle's algorithm on or off.
    pub fn set_nagle(&mut self, on: bool) {
        self.nagle = on;
    }

    /// Whether the application reads what comes at once, which is so at first, or by
    /// [`Connection::read`].
    pub fn set_auto_read(&mut self, on: bool) {
        self.receiver.set_auto_read(on);
    }

    /// Bytes in order that the application has not read.
    #[must_use]
    pub fn readable(&self) -> u64 {
        self.receiver.unread()
    }

    /// Reads so many bytes. The window opens; the peer learns it at once if that at least doubles what
    /// it knows of, and else by the next ACK.
    pub fn read(&mut self, bytes: u64) {
        let bytes = bytes.min(self.readable());
        if bytes == 0 {
            return;
        }
        self.receiver.read(bytes);
        let worth = self.sender.smss.min(self.receiver.buffer() / 2);
        let worth = worth.max(self.receiver.advertised());
        let receives = matches!(self.state, State::Established | State::FinWait1 | State::FinWait2);
        if receives && self.receiver.window_gain() >= worth {
            self.acks.acknowledge_now(&mut self.timers);
        }
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// Whether both ends have agreed to it, and it is not over.
    #[must_use]
    pub fn is_synchronized(&self) -> bool {
        !matches!(self.state, State::Closed | State::Listen | State::SynSent | State::SynReceived)
    }

    /// The sender's variables.
    #[must_use]
    pub fn sender(&self) -> &Sender {
        &self.sender
    }

    /// The congestion window.
    #[must_use]
    pub fn window(&self) -> &CongestionWindow {
        &self.window
    }

    /// Lets [`CongestionWindow::max_cwnd`] begin anew from cwnd as it is; in a recovery, which inflates it or has not yet
    /// reduced it, from ssthresh at most.
    pub fn forget_max_cwnd(&mut self) {
        let in_recovery = self.in_recovery();
        self.window.forget_max_cwnd(in_recovery);
    }

    /// How loss detection and recovery stand.
    #[must_use]
    pub fn ca_state(&self) -> CaState {
        let loss = self.timeouts_in_a_row > 0 || self.sender.snd_una < self.loss_until;
        if loss && self.sender.snd_una > 0 { CaState::Loss } else { self.loss.state(&self.sender) }
    }

    /// Whether a fast recovery is going on.
    #[must_use]
    pub fn in_recovery(&self) -> bool {
        self.loss.state(&self.sender) == CaState::Recovery
    }

    /// What it has done so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Bytes in the network, as loss detection counts them.
    #[must_use]
    pub fn in_flight(&self) -> u64 {
        let Tally { sacked, lost, retransmitted } = self.loss.tally(&self.sender);
        (self.sender.flight_size() + retransmitted).saturating_sub(sacked + lost)
    }

    /// The last valid sample of the delivery rate, bytes per second; none before the first, or if congestion control needs
    /// none.
    #[must_use]
    pub fn delivery_rate(&self) -> Option<u64> {
        self.sender.queue.as_ref()?.delivery_rate().map(|sample| sample.bytes_per_second())
    }

    /// The smallest RTT so far; none before the first, or if congestion control needs no samples of the path.
    #[must_use]
    pub fn min_rtt(&self) -> Option<Time> {
        self.sender.queue.as_ref()?.min_rtt()
    }

    /// How congestion control stands, in one word; empty if cwnd and ssthresh say it all.
    #[must_use]
    pub fn congestion_state(&self) -> String {
        self.congestion.state()
    }

    /// For how long its sender was limited up to `now`, and by what.
    #[must_use]
    pub fn limited(&self, now: Time) -> Limited {
        self.limits.until(now)
    }

    /// Whether a reset has ended it.
    #[must_use]
    pub fn was_reset(&self) -> bool {
        self.was_reset
    }

    /// Whether everything of the peer has come, its FIN included.
    #[must_use]
    pub fn peer_closed(&self) -> bool {
        self.receiver.rcv_nxt() > self.fin_at
    }

    /// Next sequence number expected of the peer.
    #[must_use]
    pub fn rcv_nxt(&self) -> u64 {
        self.receiver.rcv_nxt()
    }

    /// Bytes received in order.
    #[must_use]
    pub fn delivered(&self) -> u64 {
        self.bytes_below(self.receiver.rcv_nxt())
    }

    /// Bytes received, in order or not, each counted once.
    #[must_use]
    pub fn received(&self) -> u64 {
        self.delivered() + self.receiver.out_of_order()
    }

    /// Notes what has come out of order by now, for [`Connection::delivered_early`].
    pub fn note_early(&mut self) {
        self.receiver.note_early();
    }

    /// Of the bytes that had come out of order when that was noted, how many are in order by now.
    #[must_use]
    pub fn delivered_early(&self) -> u64 {
        self.receiver.delivered_early()
    }

    /// Bytes up to the highest one received, holes included.
    #[must_use]
    pub fn highest_received(&self) -> u64 {
        self.bytes_below(self.receiver.highest())
    }

    /// Bytes of the peer's data below `seq`: its SYN and its FIN are none.
    fn bytes_below(&self, seq: u64) -> u64 {
        seq.min(self.fin_at).saturating_sub(1)
    }

    /// Whether the FIN has been sent at least once.
    pub(crate) fn fin_sent(&self) -> bool {
        self.sender.snd_max > self.sender.written
    }
}

/// The record of segments that a loss detection and a congestion control need.
fn transmit_queue(loss: &dyn LossDetection, needs: Needs) -> Option<Box<TransmitQueue>> {
    (needs.path_samples || loss.needs_transmit_queue()).then(|| {
        let queue = TransmitQueue::new(needs.path_samples);
        Box::new(if loss.needs_deliveries() { queue.listing_deliveries() } else { queue })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flavor::Flavor;

    /// Ten segments of 1000 bytes out, three duplicate ACKs: ssthresh 5000, cwnd 8000, and 9000 with a fourth.
    #[test]
    fn the_largest_cwnd_leaves_out_what_a_recovery_inflates_it_by() {
        let preset = Config::preset(Flavor::named("reno").expect("a flavor"));
        let mut sender = Connection::new(preset, TickClock { tick: Time::from_ms(100), phase: Time::ZERO });
        let ack = |ack| Segment { seq: 1, ack: Some(ack), window: 60_000, ..Segment::default() };
        sender.connect();
        sender.write(12_000);
        sender.poll(Time::ZERO);
        sender.forget_max_cwnd();
        assert_eq!(sender.window().max_cwnd(), 0, "there is no connection yet");
        sender.on_segment(Time::from_ms(100), &Segment { syn: true, seq: 0, mss: Some(1000), ..ack(1) });
        assert_eq!(sender.window().max_cwnd(), 10_000);
        while sender.poll(Time::from_ms(100)).is_some() {}
        (0..4).for_each(|_| sender.on_segment(Time::from_ms(200), &ack(1)));
        assert_eq!((sender.window().cwnd(), sender.window().max_cwnd()), (9000, 10_000));
        sender.forget_max_cwnd();
        assert_eq!(sender.window().max_cwnd(), 5000);
        // The ACK of everything ends the recovery; the next one is of congestion avoidance.
        sender.on_segment(Time::from_ms(300), &ack(10_001));
        sender.poll(Time::from_ms(300));
        sender.on_segment(Time::from_ms(400), &ack(11_001));
        assert_eq!((sender.window().cwnd(), sender.window().max_cwnd()), (5200, 5200));
    }
}
