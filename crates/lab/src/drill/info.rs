//! The names of Linux's `tcp_info` that are supported.

use super::endpoint::Endpoint;
use super::report::microseconds;
use std::collections::BTreeMap;
use tcp::State;

/// The names that a code block can use.
pub(super) const NAMES: [&str; 25] = [
    "tcpi_state",
    "tcpi_ca_state",
    "tcpi_retransmits",
    "tcpi_backoff",
    "tcpi_options",
    "tcpi_rto",
    "tcpi_snd_mss",
    "tcpi_rcv_mss",
    "tcpi_unacked",
    "tcpi_sacked",
    "tcpi_lost",
    "tcpi_retrans",
    "tcpi_total_retrans",
    "tcpi_rtt",
    "tcpi_rttvar",
    "tcpi_snd_cwnd",
    "tcpi_snd_ssthresh",
    "tcpi_snd_wnd",
    "tcpi_rcv_wnd",
    "tcpi_bytes_acked",
    "tcpi_bytes_received",
    "tcpi_advmss",
    "tcpi_min_rtt",
    "tcpi_reordering",
    "tcpi_reord_seen",
];

/// Linux' smallest RTT of a connection without one.
const NO_MIN_RTT: i64 = 0xffff_ffff;

/// The values that a code block can read. Counts in segments, times in microseconds.
pub(super) fn values(endpoint: &Endpoint) -> BTreeMap<&'static str, i64> {
    let connection = &endpoint.connection;
    let info = connection.info();
    let sender = connection.sender();
    let options = i64::from(info.timestamps_ok)
        | i64::from(info.sack_ok) << 1
        | i64::from(info.wscale_ok) << 2
        | i64::from(info.ecn_ok) << 3;
    let us = |time| microseconds(time) as i64;
    let values = [
        state(connection.state()),
        info.ca_state as i64,
        info.retransmits as i64,
        info.backoff as i64,
        options,
        us(info.rto),
        info.smss as i64,
        info.rcv_mss as i64,
        info.unacked as i64,
        info.sacked as i64,
        info.lost as i64,
        info.retrans as i64,
        info.total_retrans as i64,
        us(info.srtt),
        us(info.rttvar),
        info.cwnd as i64,
        info.ssthresh as i64,
        info.snd_wnd as i64,
        info.rcv_wnd as i64,
        sender.snd_una.saturating_sub(1) as i64,
        connection.delivered() as i64,
        i64::from(endpoint.advertised_mss),
        info.min_rtt.map_or(NO_MIN_RTT, us),
        info.reordering as i64,
        info.reord_seen as i64,
    ];
    NAMES.into_iter().zip(values).collect()
}

/// Linux's number of a state.
fn state(state: State) -> i64 {
    match state {
        State::Established => 1,
        State::SynSent => 2,
        State::SynReceived => 3,
        State::FinWait1 => 4,
        State::FinWait2 => 5,
        State::TimeWait => 6,
        State::Closed => 7,
        State::CloseWait => 8,
        State::LastAck => 9,
        State::Listen => 10,
        State::Closing => 11,
    }
}
