use super::*;
use crate::link::{GilbertElliott, Jitter, Link, LossEvents, Only, PPB, PacketLink, Report};
use crate::packet::{HostId, LinkId, PacketId};
use crate::queue::{Fifo, Red, RedConfig};
use crate::rng::Streams;
use crate::waits::Waits;
use proptest::prelude::*;
use std::convert::Infallible;

fn red(seed: u64, limit: usize, adaptive: bool) -> Red<bool> {
    let config = RedConfig {
        min_thresh: 2.0,
        max_thresh: 6.0,
        max_p: 0.2,
        weight: 0.2,
        gentle: true,
        adaptive,
        mean_packet: Time::from_us(800),
    };
    let rng = Streams::new(seed).named("queue/0");
    Red::new(config, DropTail::new(Some(limit), None), |capable| *capable, rng)
}

/// What a link does, as an observer sees it.
struct Run {
    link: Link<bool>,
    /// Drops by the queue with their causes, and marks.
    queue: Vec<(Time, PacketId, Option<DropCause>)>,
    arrivals: Vec<(Time, Packet<bool>)>,
    /// What will be lost on the wire, and when.
    losing: VecDeque<(Time, Packet<bool>)>,
    /// When which impairment of the wire did what, and what was lost.
    impaired: Vec<(Time, PacketId, usize, Fate)>,
    lost: Vec<(Time, Packet<bool>)>,
}

impl Run {
    fn of(link: Link<bool>) -> Self {
        let (queue, arrivals, losing) = (Vec::new(), Vec::new(), VecDeque::new());
        Self { link, queue, arrivals, losing, impaired: Vec::new(), lost: Vec::new() }
    }

    fn send(&mut self, now: Time, mut packet: Packet<bool>) {
        let queue = &mut self.queue;
        let mut watch = |at, Report::Link(event): Report<'_, bool, Infallible>| match event {
            LinkEvent::Dropped(packet, cause) => queue.push((at, packet.id, Some(cause))),
            LinkEvent::Marked(packet) => queue.push((at, packet.id, None)),
            _ => {}
        };
        match self.link.send(now, &mut packet, &mut watch) {
            SendResult::ArrivesAt(at) => self.arrivals.push((at, packet)),
            SendResult::LostAt(at) => self.losing.push_back((at, packet)),
            SendResult::Consumed => {}
        }
    }

    fn receive(&mut self, now: Time) {
        let Self { link, arrivals, losing, impaired, lost, .. } = self;
        let mut watch = |at, Report::Link(event): Report<'_, bool, Infallible>| match event {
            LinkEvent::Impaired { packet, number, fate } => impaired.push((at, packet.id, number, fate)),
            LinkEvent::Dropped(packet, DropCause::Impairment) => lost.push((at, packet.clone())),
            _ => {}
        };
        while link.next_event() <= now {
            let at = link.next_event();
            link.advance(at, &mut watch);
            while let Some(packet) = link.receive(at) {
                arrivals.push((at, packet));
            }
        }
        link.advance(now, &mut watch);
        while losing.front().is_some_and(|first| first.0 <= now) {
            let (at, packet) = losing.pop_front().expect("there is one");
            link.lose(at, &packet, &mut watch);
        }
    }
}

/// Two impairments, of which the second sees what the first lets pass.
fn impairments(seed: u64) -> Vec<Box<dyn Impairment<bool>>> {
    let rng = |number| Streams::new(seed).named(&format!("impairment/0/{number}"));
    let bursts = GilbertElliott::new([PPB / 10, PPB / 2], [0, PPB / 2], rng(0));
    let events = LossEvents::new(PPB / 10, 2, rng(1));
    vec![Box::new(bursts), Box::new(Only::new(|packet: &Packet<bool>| packet.payload, events))]
}

#[test]
#[should_panic(expected = "the wire must not copy, delay or mark")]
fn a_wire_that_delays_is_refused() {
    let jitter: Box<dyn Impairment<bool>> =
        Box::new(Jitter::new(Time::from_ms(1), Streams::new(1).named("test")));
    let link = FifoLink::drop_tail(Rate::from_bps(8_000_000), Time::ZERO, DropTail::new(None, None));
    let _ = link.with_impairments(vec![jitter]);
}

proptest! {
    /// The same arrivals, losses, marks and totals as a link that keeps its packets.
    #[test]
    fn does_what_a_packet_link_does(
        steps in prop::collection::vec((0u64..2_000, 40u32..1500, any::<bool>(), any::<bool>()), 1..200),
        limits in (prop::option::of(0usize..12), prop::option::of(1500u64..9000)),
        discipline in 0u8..3,
        is_impaired: bool,
        seed: u64,
    ) {
        let (rate, delay) = (Rate::from_bps(8_000_000), Time::from_ms(3));
        let drop_tail = DropTail::new(limits.0, limits.1);
        let admission = |adaptive| -> Box<dyn Admission<bool>> { Box::new(red(seed, 9, adaptive)) };
        let (plain, fast): (Box<dyn Admission<bool>>, _) = match discipline {
            0 => (Box::new(drop_tail), FifoLink::drop_tail(rate, delay, drop_tail)),
            _ => {
                let adaptive = discipline == 1;
                (admission(adaptive), FifoLink::new(rate, delay, admission(adaptive)))
            }
        };
        let wire = || if is_impaired { impairments(seed) } else { vec![] };
        let plain = PacketLink::new(LinkId(0), Box::new(Fifo::new(plain)), Box::new(rate), delay, wire());
        let links = [Link::Packets(Box::new(plain)), Link::Fifo(fast.with_impairments(wire()))];
        let mut runs = links.map(Run::of);
        for run in &mut runs {
            run.link.measure_waits(Waits::between(Time::from_ms(5), Time::from_ms(150)));
        }
        let mut now = Time::ZERO;
        for (number, (us, bytes, payload, asks)) in (0..).zip(steps) {
            now += Time::from_us(us);
            let (id, from, to) = (PacketId::sent(number), HostId(0), HostId(1));
            let packet = Packet { id, from, to, flow: 0, bytes, payload };
            for run in &mut runs {
                run.receive(now);
                run.send(now, packet.clone());
            }
            // Reading the counters in between changes nothing.
            if asks {
                let [plain, fast] = runs.each_mut().map(|run| run.link.packet_counters(now));
                prop_assert_eq!(plain, fast);
            }
        }
        now += Time::from_secs(1);
        runs.iter_mut().for_each(|run| run.receive(now));
        let [plain, fast] = &mut runs;
        prop_assert_eq!(&plain.arrivals, &fast.arrivals);
        prop_assert_eq!(&plain.queue, &fast.queue);
        prop_assert_eq!((&plain.impaired, &plain.lost), (&fast.impaired, &fast.lost));
        prop_assert_eq!(plain.link.packet_counters(now), fast.link.packet_counters(now));
        prop_assert_eq!(plain.link.waits(), fast.link.waits());
    }
}
