//! What a loss leaves: the part of ssthresh that Reno and CUBIC share.
//!
//! Source: RFC 5681 section 3.1, equation 4.

use super::{Cause, CongestionWindow};
use crate::options::{SsthreshFrom, SsthreshRounding};
use crate::sender::Sender;

/// ssthresh where a loss leaves so many bytes: two segments at least (RFC 5681, equation 4).
pub(super) fn threshold(left: u64, smss: u64, rounding: SsthreshRounding) -> u64 {
    let unit = match rounding {
        SsthreshRounding::Bytes => 1,
        SsthreshRounding::Segments => smss,
    };
    (left / unit * unit).max(2 * smss)
}

/// What ssthresh is a part of.
///
/// Flight size is what is not acknowledged, in the network or not. In a recovery each duplicate ACK lets out new data
/// while a hole waits a round trip for its turn: a time-out then finds many windows "in flight", and after it what was
/// lost still counts. Half of that as ssthresh lets slow start overrun the queue by as much, and lose hundreds of
/// segments again. RFC 5681 asks for half of the flight size *at most*: with `FlightSizeBounded` a time-out takes half of cwnd where
/// that is less, as BSD, ns-2 and Linux do, and a recovery's ssthresh stays (`loss_based.rs`), as in Linux (`tcp_enter_loss`;
/// ns-2 keeps the inflation apart from cwnd, as `dupwnd_`).
pub(super) fn ssthresh_from(
    window: &CongestionWindow,
    sender: &Sender,
    of: SsthreshFrom,
    cause: Cause,
) -> u64 {
    match (of, cause) {
        (SsthreshFrom::Cwnd | SsthreshFrom::CwndDeflated, _) => window.cwnd().min(sender.rwnd),
        (SsthreshFrom::FlightSizeBounded, Cause::Rto | Cause::RepeatedRto) => {
            sender.flight_size().min(window.cwnd())
        }
        (SsthreshFrom::FlightSizeBounded | SsthreshFrom::FlightSize, _) => sender.flight_size(),
    }
}
