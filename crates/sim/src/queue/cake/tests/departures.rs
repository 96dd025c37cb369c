//! The shaper: lengths and times by hand.

use super::*;
use crate::link::{Link, PacketLink};
use crate::packet::LinkId;

/// When a link that is always ready sends packets of these bytes that all come at `start`, us after that.
fn departures(queue: &mut Cake<bool>, start: Time, bytes: &[u32]) -> Vec<u64> {
    let (mut now, mut seen) = (start, Seen::default());
    for (number, &bytes) in (0..).zip(bytes) {
        queue.enqueue(between(0, 1, number, bytes), start, &mut seen);
    }
    let mut departures = vec![];
    while next(queue, &mut now, &mut seen).is_some() {
        departures.push((now - start).div_floor(US));
    }
    departures
}

/// 48 of 53 bytes, with 10 bytes of overhead: 48 bytes need one block and 49 two; 1010 need 22, and 1510 need 32. The
/// other framing adds a byte for each 64: 24 to 1530.
#[test]
fn framing_makes_packets_longer() {
    let length = |kind, overhead, mpu, bytes| Framing { kind, overhead, mpu }.length(bytes);
    assert_eq!([40, 1500].map(|bytes| length(Kind::None, 0, 0, bytes)), [40, 1500]);
    assert_eq!([40, 46, 47, 1500].map(|bytes| length(Kind::None, 38, 84, bytes)), [84, 84, 85, 1538]);
    let blocks = [38, 39, 1000, 1500].map(|bytes| length(Kind::Blocks, 10, 0, bytes));
    assert_eq!(blocks, [53, 106, 22 * 53, 32 * 53]);
    assert_eq!(length(Kind::Blocks, 10, 97, 38), 159);
    assert_eq!([34, 35, 1500].map(|bytes| length(Kind::Ptm, 30, 0, bytes)), [65, 67, 1554]);
    assert_eq!(shaper::FRAMINGS, ["none", "atm", "ptm"]);
    assert_eq!([0, 1, 2].map(Kind::of), [Kind::None, Kind::Blocks, Kind::Ptm]);
}

/// At 1 us a byte, and with the lengths above: 53, 106, 1166 and 1696 us from one to the next.
#[test]
fn packets_leave_at_the_rate_with_their_framing() {
    let options = Options { framing: 1, overhead: 10, ..SHAPED };
    let mut queue = cake(options, unlimited(), &[]);
    let times = departures(&mut queue, Time::from_ms(1), &[38, 39, 1000, 1500, 100]);
    assert_eq!(times, [0, 53, 159, 1325, 3021]);
}

/// After ten seconds without a packet the second one still waits for its time, and so does one that comes while the last
/// one is being paid for.
#[test]
fn idleness_saves_nothing_up() {
    let mut queue = cake(SHAPED, unlimited(), &[]);
    assert_eq!(departures(&mut queue, Time::ZERO, &[1000]), [0]);
    assert_eq!(departures(&mut queue, US * 400, &[1000, 500]), [600, 1600]);
    let later = Time::from_secs(10);
    assert_eq!(departures(&mut queue, later, &[1000, 1000, 1000]), [0, 1000, 2000]);
}

/// The link took the second packet 1.5 ms late: the third may follow at once, and the fourth is in time again.
#[test]
fn what_the_link_has_delayed_is_made_up_for() {
    let mut queue = cake(SHAPED, unlimited(), &[]);
    let mut seen = Seen::default();
    (0..4).for_each(|number| queue.enqueue(between(0, 1, number, 1000), Time::ZERO, &mut seen));
    let mut takes = |us| id(queue.dequeue(US * us, &mut seen)).is_some();
    assert_eq!(
        [takes(0), takes(999), takes(2500), takes(2500), takes(2500)],
        [true, false, true, true, false]
    );
    assert_eq!(queue.ready_at(US * 2500), US * 3000);
}

/// A queue without a rate is always ready.
#[test]
fn without_a_rate_nothing_is_held_back() {
    let mut queue = cake(Options { overhead: 1000, ..OPTIONS }, unlimited(), &[]);
    assert_eq!(departures(&mut queue, Time::from_ms(3), &[1500; 5]), [0; 5]);
}

/// Two packets of 1000 bytes come to a link of 80 Mbit/s, which takes 100 us for each, and is 10 ms long. The second one
/// begins 1 ms after the first.
#[test]
fn a_link_waits_for_the_shaper() {
    let queue = Box::new(cake(SHAPED, unlimited(), &[]));
    let rate = Box::new(Rate::from_bps(80_000_000));
    let link = PacketLink::new(LinkId(0), queue, rate, Time::from_ms(10), vec![]);
    let mut link: Link<bool> = Link::Packets(Box::new(link));
    for number in 0..2 {
        let _ = link.send(Time::ZERO, &mut between(0, 1, number, 1000), &mut ());
    }
    let mut arrivals = vec![];
    while let Some(now) = link.next_event().if_ever() {
        link.advance(now, &mut ());
        while link.receive(now).is_some() {
            arrivals.push(now);
        }
    }
    assert_eq!(arrivals, [US * 10_100, US * 11_100]);
}
