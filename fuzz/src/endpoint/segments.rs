//! Bytes -> segments: any at all, one that a peer could have sent, one that was changed on its way.

use super::super::bytes::Bytes;
use super::watched::Watched;
use base::Time;
use tcp::{AccEcn, Ecn, Segment, State, Timestamps};

/// Any segment.
///
/// While the endpoint waits for a SYN, its number is 0: that is what the peer's numbers count from.
pub fn any(bytes: &mut Bytes, now: Time, endpoint: &Watched) -> Segment {
    let flags = bytes.byte();
    let has = |bit: u8| flags & 1 << bit != 0;
    let begins = matches!(endpoint.connection.state(), State::Listen | State::SynSent);
    let syn = has(1);
    let seq = if syn && begins { 0 } else { seq(bytes, endpoint) };
    let len = if has(5) { bytes.pick(&[1u32, 100, 536, 1000, 1460, 9000, 40_000, 65_495]) } else { 0 };
    let ack = (!has(0)).then(|| ack(bytes, endpoint));
    let window = window(bytes);
    let plain =
        Segment { seq, len, ack, syn, fin: has(2), rst: has(3), psh: has(4), window, ..Segment::default() };
    let plain = Segment { timestamps: timestamps(bytes, now, endpoint), ..plain };
    if has(6) { with_options(bytes, &plain, endpoint) } else { plain }
}

fn with_options(bytes: &mut Bytes, segment: &Segment, endpoint: &Watched) -> Segment {
    let has = bytes.byte();
    let blocks = if has & 1 != 0 { 1 + bytes.below(4) } else { 0 };
    let sack = (0..blocks).map(|_| (ack(bytes, endpoint), ack(bytes, endpoint))).collect();
    Segment {
        window_scale: (has & 2 != 0).then(|| bytes.byte() % 18),
        mss: (has & 4 != 0).then(|| bytes.pick(&[1460, 0, 1, 13, 88, 536, 9000, u16::MAX])),
        sack_permitted: has & 8 != 0,
        ece: has & 16 != 0,
        cwr: has & 32 != 0,
        ae: has & 128 != 0,
        accecn: (has & 128 != 0).then(|| Box::new(accecn(bytes))),
        ecn: if has & 64 != 0 { Ecn::Ce } else { Ecn::Ect0 },
        sack,
        ..segment.clone()
    }
}

/// Any AccECN option.
fn accecn(bytes: &mut Bytes) -> AccEcn {
    let counters: [u64; 3] = std::array::from_fn(|_| u64::from(bytes.u16()) << 8);
    let cut = bytes.byte();
    AccEcn::new(cut & 1 != 0, &counters[..usize::from(cut >> 6)])
}

/// A segment such as the peer could send now: the next in order, or one near it; an ACK of something,
/// with what lies above it SACKed.
pub fn likely(bytes: &mut Bytes, now: Time, endpoint: &Watched) -> Segment {
    let sender = endpoint.connection.sender();
    let segments = bytes.byte();
    let smss = sender.smss;
    let ack = (sender.snd_una + smss * u64::from(segments % 16)).min(sender.snd_max);
    let (next, _) = endpoint.sender.told();
    let len = bytes.pick(&[0, 0, 0, 1, 536, 1460]);
    let seq = next + u64::from(segments / 16) * u64::from(len);
    let above = |first: u64, n: u64| {
        let left = (ack + smss * first).min(sender.snd_max);
        (left, (left + smss * n).min(sender.snd_max))
    };
    let blocks = if endpoint.connection.info().sack_ok { bytes.below(4) } else { 0 };
    let sack = (0..blocks).map(|_| above(1 + bytes.below(20), 1 + bytes.below(4)));
    let sack = sack.filter(|block| block.0 < block.1).collect();
    let timestamps = endpoint.connection.info().timestamps_ok.then(|| Timestamps {
        value: milliseconds(now),
        echo: milliseconds(now).saturating_sub(u32::from(bytes.byte())),
    });
    let marks = bytes.byte();
    Segment {
        seq,
        len,
        ack: Some(ack),
        fin: marks == 1,
        ae: marks >= 128 && marks & 4 != 0,
        ece: marks == 2 || marks >= 128 && marks & 1 != 0,
        cwr: marks == 3 || marks >= 128 && marks & 2 != 0,
        ecn: if marks == 4 || marks & 0x88 == 0x88 { Ecn::Ce } else { Ecn::NotEct },
        window: if marks == 5 { 0 } else { 30_000 },
        sack,
        timestamps,
        ..Segment::default()
    }
}

/// The SYN or SYN|ACK that opens the connection.
pub fn opening(bytes: &mut Bytes, now: Time, endpoint: &Watched) -> Segment {
    let options = bytes.byte();
    let has = |bit: u8| options & 1 << bit == 0;
    let answers = endpoint.connection.state() == State::SynSent;
    Segment {
        syn: true,
        ack: answers.then_some(1),
        window: window(bytes),
        mss: Some(bytes.pick(&[1460, 1, 100, 536, 9000])),
        window_scale: has(0).then(|| bytes.byte() % 16),
        sack_permitted: has(1),
        timestamps: has(2).then(|| Timestamps { value: milliseconds(now), echo: 0 }),
        ae: has(3) && has(4),
        ece: has(3),
        cwr: has(3) && !answers,
        ..Segment::default()
    }
}

/// What is left of a segment that was changed on its way.
pub fn changed(bytes: &mut Bytes, segment: &Segment) -> Segment {
    let mut changed = segment.clone();
    let by = u64::from(bytes.u16());
    let up = bytes.flag();
    let moved = |number: u64| if up { number + by } else { number.saturating_sub(by) };
    match bytes.byte() % 16 {
        0 => changed.seq = moved(segment.seq),
        1 => changed.ack = segment.ack.map(moved),
        2 => changed.ack = None,
        3 => changed.len = by as u32,
        4 => changed.window = by as u16,
        5 => changed.syn = !segment.syn,
        6 => changed.fin = !segment.fin,
        7 => changed.rst = !segment.rst,
        8 => changed.timestamps = None,
        9 => {
            changed.timestamps =
                segment.timestamps.map(|ts| Timestamps { value: moved(u64::from(ts.value)) as u32, ..ts });
        }
        10 => {
            changed.timestamps =
                segment.timestamps.map(|ts| Timestamps { echo: moved(u64::from(ts.echo)) as u32, ..ts });
        }
        11 => changed.sack = segment.sack.as_slice().iter().map(|&(a, b)| (moved(a), b)).collect(),
        12 => changed.sack = segment.sack.as_slice().iter().map(|&(a, b)| (b, moved(a))).collect(),
        13 => changed.window_scale = Some(by as u8),
        14 => changed.mss = Some(by as u16),
        _ => {
            changed.ece = !segment.ece;
            changed.ae = by & 4 == 4;
            changed.cwr = by & 1 == 1;
            changed.sack_permitted = by & 2 == 2;
        }
    }
    changed
}

fn seq(bytes: &mut Bytes, endpoint: &Watched) -> u64 {
    let (next, edge) = endpoint.sender.told();
    near(bytes, &[next, edge, endpoint.connection.highest_received() + 1])
}

fn ack(bytes: &mut Bytes, endpoint: &Watched) -> u64 {
    let sender = endpoint.connection.sender();
    near(bytes, &[sender.snd_una, sender.snd_max, sender.snd_nxt, endpoint.sender.highest_sent()])
}

/// A number near one of these, or any below 2^48: what an adapter unwraps from 32 bits stays far below.
fn near(bytes: &mut Bytes, anchors: &[u64]) -> u64 {
    let how = bytes.byte();
    let anchor = anchors[usize::from(how) % anchors.len()];
    match how >> 5 {
        0..=2 => anchor,
        3 => anchor + u64::from(bytes.byte()),
        4 => anchor.saturating_sub(u64::from(bytes.byte())),
        5 => anchor + u64::from(bytes.u16()),
        6 => anchor.saturating_sub(u64::from(bytes.u16())),
        _ => u64::from(bytes.u32()) << 16,
    }
}

fn window(bytes: &mut Bytes) -> u16 {
    match bytes.byte() {
        0..=99 => 30_000,
        100..=129 => 0,
        130..=149 => u16::MAX,
        150..=199 => 2_000,
        _ => bytes.u16(),
    }
}

fn timestamps(bytes: &mut Bytes, now: Time, endpoint: &Watched) -> Option<Timestamps> {
    let agreed = endpoint.connection.info().timestamps_ok;
    let now = milliseconds(now);
    match bytes.byte() {
        0..=199 => agreed.then_some(Timestamps { value: now, echo: now.saturating_sub(10) }),
        200..=219 => Some(Timestamps { value: bytes.u32(), echo: now }),
        220..=239 => Some(Timestamps { value: now, echo: bytes.u32() }),
        _ => None,
    }
}

fn milliseconds(time: Time) -> u32 {
    time.div_floor(Time::from_ms(1)) as u32
}
