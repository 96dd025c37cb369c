//! The transmit queue: every segment in flight, when it was sent, whether it was SACKed or sent again.
//!
//! Segments are in the order of their sequence numbers, with the boundaries of their first sending. SACKed bytes are kept as
//! ranges, since a block may end within a segment, and since a window of a fast, long path has tens of thousands of them.
//! Loss detection decides what is lost. It and congestion control read the queue by these views:
//!
//! | file | view |
//! |---|---|
//! | `scoreboard.rs` | RFC 6675: what is lost by the number of SACKed ranges above it; holes; `pipe` |
//! | `departures.rs` | RFC 8985: segments in the order of their departure; those that are lost by time |
//! | `retransmissions.rs` | retransmissions in flight, in the order of their departure; those that are lost again |
//! | `delivery_rate.rs` | how much was delivered while a segment was in flight, for a control that needs it |
//!
//! Deviation: a segment that goes out again in parts, because a SACK block ends within it, has the time of the last part.

use crate::ranges::RangeSet;
use base::Time;
use delivery_rate::DeliveryRate;
use departures::Departures;
use retransmissions::Retransmissions;
use std::collections::VecDeque;

mod delivery_rate;
mod departures;
mod retransmissions;
mod scoreboard;

pub(crate) use departures::Departure;

pub(crate) use delivery_rate::bytes_per_second;
pub use delivery_rate::{PathSample, RateSample};

/// A segment in flight: `[seq, end)`.
#[derive(Clone, Copy, Debug)]
pub struct SentSegment {
    /// First sequence number.
    pub seq: u64,
    /// One above the last sequence number, the FIN's included.
    pub end: u64,
    /// When it was first sent.
    pub first_sent: Time,
    /// When it was last sent.
    pub last_sent: Time,
    /// How often it was sent again.
    pub retransmissions: u32,
    /// Whether all of it is SACKed.
    pub sacked: bool,
    /// Whether it is lost by time, and not sent again yet.
    pub lost: bool,
    /// Whether it was lost by time, and perhaps sent again since.
    was_lost: bool,
    /// The departure number of its last retransmission that loss detection looks for; [`NEVER_SENT_AGAIN`] if there is none.
    last_departure: u64,
}

impl SentSegment {
    const fn delivered(&self, is_acked: bool) -> Delivered {
        let Self { seq, end, last_sent, retransmissions, .. } = *self;
        Delivered { seq, end, last_sent, was_sent_again: retransmissions > 0, is_acked }
    }
}

const NEVER_SENT_AGAIN: u64 = u64::MAX;

/// A segment that an ACK delivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// First sequence number.
    pub seq: u64,
    /// One above its last sequence number.
    pub end: u64,
    /// When it was last sent.
    pub last_sent: Time,
    /// Whether it was sent again.
    pub was_sent_again: bool,
    /// Whether the ACK is cumulative for it; else it is SACKed.
    pub is_acked: bool,
}

/// A segment found to be lost. Bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostSegment {
    /// Its length.
    pub bytes: u64,
    /// In flight when it was sent, itself included.
    pub tx_in_flight: u64,
    /// Lost since it was sent, itself included.
    pub lost: u64,
    /// Whether the application limited what was sent then.
    pub is_app_limited: bool,
}

/// What changed in the transmit queue with one ACK. Bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueueSample {
    /// Selectively acknowledged by it.
    pub sacked: u64,
    /// Found to be lost since the last sample.
    pub lost: u64,
    /// Ranges that those begin, as far as departures are noted: a segment that follows a lost one belongs to its range.
    pub lost_ranges: u64,
    /// What is in the network now, as loss detection counts it; with RFC 6675, in a recovery only.
    pub pipe: u64,
    /// In a recovery: `snd_una` moved, and no further loss was found (RFC 9937's `SafeACK`).
    pub is_safe: bool,
    /// Segments have come later than [`DUP_THRESH`](crate::options::DUP_THRESH) others: what is SACKed then says as much as what is acknowledged.
    pub is_reordered: bool,
    /// RTT and delivery rate, for a control that needs them.
    pub path: Option<PathSample>,
}

/// What the current ACK has changed so far, bytes.
#[derive(Clone, Copy, Debug, Default)]
struct ThisAck {
    /// SACKed for the first time.
    newly_sacked: u64,
    /// Cumulatively acknowledged, and SACKed before.
    acked_of_sacked: u64,
    /// Found to be lost since the last sample, and how many ranges that begins.
    newly_lost: u64,
    lost_ranges: u64,
    /// In the network now, as loss detection counts it; whether the ACK is safe (RFC 9937).
    pipe: u64,
    is_safe: bool,
    is_reordered: bool,
    /// Found to be lost, and had been sent again.
    has_lost_again: bool,
}

/// Every segment in flight.
#[derive(Clone, Debug, Default)]
pub struct TransmitQueue {
    segments: VecDeque<SentSegment>,
    sacked: RangeSet,
    /// Of the segments, how many are SACKed whole.
    sacked_segments: u32,
    /// Everything below this was acknowledged.
    snd_una: u64,
    /// Everything below this that is not SACKed is lost.
    lost_below: u64,
    retransmissions: Retransmissions,
    /// None if congestion control does not need samples.
    rate: Option<Box<DeliveryRate>>,
    this_ack: ThisAck,
    /// What the current ACK delivers, one by one; none if loss detection does not look at it.
    deliveries: Option<Vec<Delivered>>,
    /// Of a loss detection that looks at deliveries.
    departures: Departures,
    /// Found to be lost since the last sample; of a queue that measures the delivery rate.
    losses: Vec<LostSegment>,
    /// The new parts of the SACK block at hand; kept to reuse its memory.
    new_parts: Vec<(u64, u64)>,
    /// The sequence number of the FIN, once it was sent.
    fin: Option<u64>,
}

impl TransmitQueue {
    /// An empty queue; with `samples` it measures RTT and delivery rate.
    #[must_use]
    pub fn new(samples: bool) -> Self {
        Self { rate: samples.then(Box::default), ..Self::default() }
    }

    /// The same queue, which lists what each ACK delivers.
    #[must_use]
    pub(crate) fn listing_deliveries(mut self) -> Self {
        self.deliveries = Some(Vec::new());
        self
    }

    /// What the current ACK delivers, in the order in which it says so.
    #[must_use]
    pub fn delivered(&self) -> &[Delivered] {
        self.deliveries.as_deref().unwrap_or_default()
    }

    /// The RTT of the segment sent last of those that the current ACK delivers, if that was sent once.
    #[must_use]
    pub fn rtt(&self, now: Time) -> Option<Time> {
        let newest = self.delivered().iter().max_by_key(|segment| (segment.last_sent, segment.end));
        newest.filter(|segment| !segment.was_sent_again).map(|segment| now - segment.last_sent)
    }

    /// When the segment left that gives the sample of the RTT for the time-out: of those that the current ACK delivers and
    /// that were sent once, the one sent first; one that is acknowledged rather than one that is SACKed.
    pub(crate) fn sample_departure(&self) -> Option<Time> {
        let sent_once = |is_acked: bool| {
            let its = self.delivered().iter();
            its.filter(move |segment| !segment.was_sent_again && segment.is_acked == is_acked)
        };
        let first = |is_acked| sent_once(is_acked).map(|segment| segment.last_sent).min();
        first(true).or_else(|| first(false))
    }

    /// The last valid sample of the delivery rate; none before the first, or if it is not measured.
    #[must_use]
    pub fn delivery_rate(&self) -> Option<RateSample> {
        self.rate.as_ref()?.last()
    }

    /// The smallest RTT so far; none before the first, or if the delivery rate is not measured.
    #[must_use]
    pub fn min_rtt(&self) -> Option<Time> {
        self.rate.as_ref().map(|rate| rate.min_rtt()).filter(|&rtt| rtt < Time::NEVER)
    }

    /// What was found to be lost since this was last asked.
    pub(crate) fn take_losses(&mut self) -> Vec<LostSegment> {
        std::mem::take(&mut self.losses)
    }

    /// The segments in flight, the oldest first.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &SentSegment> {
        self.segments.iter()
    }

    /// Bytes SACKed.
    #[must_use]
    pub fn sacked(&self) -> u64 {
        self.sacked.len()
    }

    /// Segments that are SACKed whole, as far as deliveries are listed.
    #[must_use]
    pub(crate) fn sacked_segments(&self) -> u32 {
        self.sacked_segments
    }

    /// Bytes that the current ACK has SACKed for the first time.
    #[must_use]
    pub fn newly_sacked(&self) -> u64 {
        self.this_ack.newly_sacked
    }

    /// Bytes that the current ACK has acknowledged and that were SACKed before.
    #[must_use]
    pub fn acked_of_sacked(&self) -> u64 {
        self.this_ack.acked_of_sacked
    }

    /// Forgets everything in flight: go-back-N sends it again.
    pub(crate) fn clear(&mut self) {
        let (mut rate, mut deliveries) = (self.rate.take(), self.deliveries.take());
        rate.iter_mut().for_each(|rate| rate.clear());
        deliveries.iter_mut().for_each(Vec::clear);
        *self = Self { rate, deliveries, ..Self::default() };
    }

    /// `[seq, end)` is sent, with `flight_size` bytes in flight then, these included.
    pub(crate) fn on_sent(&mut self, now: Time, seq: u64, end: u64, flight_size: u64) {
        let sent_until = self.segments.back().map_or(0, |last| last.end);
        let at = if sent_until < end {
            self.segments.push_back(SentSegment {
                seq: seq.max(sent_until),
                end,
                first_sent: now,
                last_sent: now,
                retransmissions: 0,
                sacked: false,
                lost: false,
                was_lost: false,
                last_departure: NEVER_SENT_AGAIN,
            });
            self.segments.len() - 1
        } else {
            let at = self.segments.partition_point(|segment| segment.end <= seq);
            let segment = &mut self.segments[at];
            segment.last_sent = now;
            segment.retransmissions += 1;
            at
        };
        if self.deliveries.is_some() {
            self.departures.on_sent(&mut self.segments[at]);
        }
        if let Some(rate) = &mut self.rate {
            let in_flight = flight_size - self.sacked.len() - self.departures.lost_bytes();
            rate.on_sent(now, at, in_flight, self.this_ack.newly_lost);
        }
    }

    /// Begins an ACK: resets the counts of what it acknowledges, SACKs and shows to be lost.
    pub(crate) fn begin_ack(&mut self, now: Time) {
        let ThisAck { newly_lost, lost_ranges, .. } = self.this_ack;
        self.this_ack = ThisAck { newly_lost, lost_ranges, ..ThisAck::default() };
        if let Some(deliveries) = &mut self.deliveries {
            deliveries.clear();
        }
        if let Some(rate) = &mut self.rate {
            rate.begin_ack(now);
        }
    }

    /// Takes the SACK blocks that lie within the data in flight, `[snd_una, snd_max)`.
    pub(crate) fn sack(&mut self, snd_una: u64, snd_max: u64, blocks: &[(u64, u64)]) {
        // Most ACKs carry none.
        if blocks.is_empty() {
            return;
        }
        let before = self.sacked.len();
        for &(left, right) in blocks {
            if snd_una <= left && left < right && right <= snd_max {
                self.sack_block(left, right, snd_una);
            }
        }
        self.this_ack.newly_sacked = self.sacked.len() - before;
    }

    fn sack_block(&mut self, left: u64, right: u64, snd_una: u64) {
        if self.rate.is_none() && self.deliveries.is_none() && self.retransmissions.is_empty() {
            self.sacked.insert(left, right);
        } else {
            self.sack_and_find_delivered(left, right, snd_una);
        }
    }

    // Not inlined: most flows have neither samples nor retransmissions in flight.
    #[inline(never)]
    fn sack_and_find_delivered(&mut self, left: u64, right: u64, snd_una: u64) {
        let mut parts = std::mem::take(&mut self.new_parts);
        let mut at = left;
        while at < right {
            let (start, end) = self.sacked.overlap(at, right).unwrap_or((right, right));
            if at < start {
                parts.push((at, start));
            }
            at = end;
        }
        self.sacked.insert(left, right);
        parts.drain(..).for_each(|(from, to)| self.on_newly_sacked(from, to, snd_una));
        self.new_parts = parts;
    }

    /// Updates the segments of which a part lies in `[from, to)`, which is newly SACKed.
    fn on_newly_sacked(&mut self, from: u64, to: u64, snd_una: u64) {
        self.split_off_fin(to);
        let first = self.segments.partition_point(|segment| segment.end <= from);
        for at in first..self.segments.len() {
            let segment = &mut self.segments[at];
            if segment.seq >= to {
                break;
            }
            self.retransmissions.find_arrived(segment.last_departure, &self.sacked, snd_una);
            let start = segment.seq.max(snd_una);
            if !segment.sacked && self.sacked.len_within(start, segment.end) == segment.end - start {
                segment.sacked = true;
                if let Some(deliveries) = &mut self.deliveries {
                    self.sacked_segments += 1;
                    self.departures.forget_loss(segment);
                    deliveries.push(segment.delivered(false));
                }
                if let Some(rate) = &mut self.rate {
                    rate.on_delivered(segment, at);
                }
            } else {
                self.count_missing(at);
            }
        }
    }

    /// The FIN goes out at `seq`.
    pub(crate) fn note_fin(&mut self, seq: u64) {
        self.fin = Some(seq);
    }

    /// Data are SACKed up to `end`, and a FIN that went out with them is not: two segments from now on, as in Linux. A receiver
    /// may drop a FIN that comes out of order, and then needs it once more.
    fn split_off_fin(&mut self, end: u64) {
        if self.deliveries.is_none() || self.fin != Some(end) {
            return;
        }
        let at = self.segments.partition_point(|segment| segment.end <= end);
        let Some(&segment) = self.segments.get(at).filter(|its| its.seq < end && !its.lost) else { return };
        self.segments[at].end = end;
        self.segments.insert(at + 1, SentSegment { seq: end, ..segment });
        if let Some(rate) = &mut self.rate {
            rate.split(at);
        }
    }

    /// Everything below `snd_una` is acknowledged.
    pub(crate) fn acknowledge(&mut self, snd_una: u64) {
        self.snd_una = snd_una;
        let sacked = self.sacked.len();
        if sacked > 0 {
            self.sacked.remove_below(snd_una);
            self.this_ack.acked_of_sacked = sacked - self.sacked.len();
        }
        while let Some(segment) = self.segments.front_mut() {
            self.retransmissions.find_arrived(segment.last_departure, &self.sacked, snd_una);
            if segment.end > snd_una {
                self.count_missing(0);
                break;
            }
            if let Some(deliveries) = &mut self.deliveries {
                self.departures.forget_loss(segment);
                if segment.sacked {
                    self.sacked_segments -= 1;
                } else {
                    deliveries.push(segment.delivered(true));
                }
            }
            if let Some(rate) = &mut self.rate {
                rate.on_acknowledged(segment);
            }
            self.segments.pop_front();
        }
    }

    /// Notes what is in the network after the current ACK, and whether it is safe (RFC 9937).
    pub(crate) fn note_pipe(&mut self, pipe: u64, is_safe: bool) {
        (self.this_ack.pipe, self.this_ack.is_safe) = (pipe, is_safe);
    }

    /// Notes whether segments have come later than [`DUP_THRESH`](crate::options::DUP_THRESH) others.
    pub(crate) fn note_reordering(&mut self, is_reordered: bool) {
        self.this_ack.is_reordered = is_reordered;
    }

    /// The sample of the current ACK. Call it after its acknowledgment, its SACK blocks and its losses are counted.
    pub(crate) fn sample(&mut self) -> QueueSample {
        let lost = std::mem::take(&mut self.this_ack.newly_lost);
        let lost_ranges = std::mem::take(&mut self.this_ack.lost_ranges);
        let ThisAck { newly_sacked: sacked, pipe, is_safe, is_reordered, .. } = self.this_ack;
        let path = self.rate.as_mut().map(|rate| rate.sample(lost));
        QueueSample { sacked, lost, lost_ranges, pipe, is_safe, is_reordered, path }
    }

    /// Whether it measures RTT and delivery rate.
    pub(crate) fn samples(&self) -> bool {
        self.rate.is_some()
    }

    /// The application, and not the network, limits what is sent, with so many bytes in flight.
    pub(crate) fn mark_app_limited(&mut self, in_flight: u64) {
        if let Some(rate) = &mut self.rate {
            rate.mark_app_limited(in_flight);
        }
    }

    /// Whether the application limits what is sent now.
    pub(crate) fn is_app_limited(&self) -> bool {
        self.rate.as_ref().is_some_and(|rate| rate.is_app_limited())
    }

    /// Where the segment of `seq` ends, by the boundaries of its first sending.
    pub(crate) fn segment_end(&self, seq: u64) -> Option<u64> {
        self.segments
            .get(self.segments.partition_point(|segment| segment.end <= seq))
            .map(|segment| segment.end)
    }

    /// The first gap between SACKed ranges at or above `from`.
    pub(crate) fn sacked_gap(&self, from: u64) -> Option<(u64, u64)> {
        self.sacked.gap(from)
    }

    fn segment_of(&mut self, seq: u64) -> Option<&mut SentSegment> {
        let at = self.segments.partition_point(|segment| segment.end <= seq);
        self.segments.get_mut(at)
    }
}
