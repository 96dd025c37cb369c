//! The state of a connection for observers, in the words of Linux' `tcp_info`.

use crate::connection::Connection;
use crate::loss::{CaState, Reordering, Tally};
use crate::sender_state::SenderState;
use base::Time;

/// The state of a connection. Counts are of segments in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// How loss recovery stands.
    pub ca_state: CaState,
    /// Sender maximum segment size, bytes.
    pub smss: u64,
    /// The largest segment that came, bytes; SMSS at first.
    pub rcv_mss: u64,
    /// Congestion window, bytes.
    pub cwnd_bytes: u64,
    /// Slow-start threshold, bytes.
    pub ssthresh_bytes: u64,
    /// Congestion window, whole segments.
    pub cwnd: u64,
    /// Slow-start threshold, whole segments; 2^31 - 1 if there is none.
    pub ssthresh: u64,
    /// Segments not yet acknowledged.
    pub unacked: u64,
    /// Those among them selectively acknowledged.
    pub sacked: u64,
    /// Those among them thought lost.
    pub lost: u64,
    /// Those among them sent again.
    pub retrans: u64,
    /// Segments sent again so far.
    pub total_retrans: u64,
    /// Time-outs since something new was acknowledged.
    pub retransmits: u64,
    /// Doublings of the time-out, the probes of a closed window included.
    pub backoff: u64,
    /// Time-out.
    pub rto: Time,
    /// Smoothed RTT; 0 before the first sample.
    pub srtt: Time,
    /// Mean deviation of the RTT.
    pub rttvar: Time,
    /// The smallest RTT of late, where loss detection measures it.
    pub min_rtt: Option<Time>,
    /// By how many segments a segment was late, at most; 3 at least.
    pub reordering: u64,
    /// How often segments were late.
    pub reord_seen: u64,
    /// The peer's window, bytes.
    pub snd_wnd: u64,
    /// The window offered to the peer, bytes.
    pub rcv_wnd: u64,
    /// SACK is on.
    pub sack_ok: bool,
    /// Timestamps are on.
    pub timestamps_ok: bool,
    /// Window scaling is on.
    pub wscale_ok: bool,
    /// ECN is on.
    pub ecn_ok: bool,
}

/// `tcpi_snd_ssthresh` of a connection without a threshold.
const NO_THRESHOLD: u64 = (1 << 31) - 1;

impl Connection {
    /// The state of the connection now.
    #[must_use]
    pub fn info(&self) -> Info {
        let (sender, window) = (&self.sender, &self.window);
        let segments = |bytes: u64| bytes.div_ceil(sender.smss);
        let Tally { sacked, lost, retransmitted } = self.loss.full_tally(sender);
        let Reordering { extent, events } = self.loss.reordering();
        let (srtt, rttvar) = self.rtt.smoothed().unwrap_or((Time::ZERO, Time::ZERO));
        Info {
            ca_state: self.ca_state(),
            smss: sender.smss,
            rcv_mss: self.receiver.largest().unwrap_or(sender.smss),
            cwnd_bytes: window.cwnd(),
            ssthresh_bytes: window.ssthresh(),
            cwnd: window.cwnd() / sender.smss,
            ssthresh: (window.ssthresh() / sender.smss).min(NO_THRESHOLD),
            unacked: segments(sender.flight_size()),
            sacked: segments(sacked),
            lost: segments(lost),
            retrans: segments(retransmitted),
            total_retrans: self.counters.segments_retransmitted,
            retransmits: u64::from(self.timeouts_in_a_row),
            backoff: u64::from(self.timeouts_in_a_row + self.probes()),
            rto: self.rtt.rto(),
            srtt,
            rttvar,
            min_rtt: self.loss.min_rtt(),
            reordering: extent,
            reord_seen: u64::from(events),
            snd_wnd: sender.rwnd,
            rcv_wnd: self.receiver.advertised(),
            sack_ok: self.sack,
            timestamps_ok: self.timestamps.on,
            wscale_ok: self.scale.is_some(),
            ecn_ok: self.ecn.is_on(),
        }
    }

    /// How its sender stands. It costs little: observers may ask after each ACK.
    #[must_use]
    pub fn sender_state(&self) -> SenderState {
        let of_its_own = self.congestion.sender_state();
        of_its_own.unwrap_or_else(|| match self.ca_state() {
            CaState::Loss => SenderState::TimeoutRecovery,
            CaState::Recovery => SenderState::Recovery,
            _ if self.window.cwnd() < self.window.ssthresh() => SenderState::SlowStart,
            _ => SenderState::CongestionAvoidance,
        })
    }

    /// The retransmission time-out.
    #[must_use]
    pub fn rto(&self) -> Time {
        self.rtt.rto()
    }

    /// Probes of the closed window since it closed.
    #[must_use]
    pub fn window_probes(&self) -> u32 {
        self.probes()
    }

    /// Probes of a tail so far (RFC 8985).
    #[must_use]
    pub fn loss_probes(&self) -> u32 {
        self.loss.loss_probes()
    }
}
