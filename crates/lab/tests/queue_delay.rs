//! How long packets wait behind a queue discipline.

use crate::network::{link, plan};
use base::{Rate, Time};
use lab::plan::{Link, Parameter, Queue};
use lab::{Host, build};
use sim::link::LinkEvent;
use sim::{Event, LinkId, Observer, PacketId};
use std::collections::BTreeMap;

const BOTTLENECK: LinkId = LinkId(0);

/// How long each packet has waited for the bottleneck, from the fifth second on.
#[derive(Default)]
struct Waits {
    enqueued: BTreeMap<PacketId, Time>,
    waited: Vec<Time>,
    marked: u64,
}

impl Observer<Host> for Waits {
    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        match *event {
            Event::Sent(BOTTLENECK, packet) => {
                self.enqueued.insert(packet.id, at);
            }
            Event::Link(BOTTLENECK, LinkEvent::Crossing { packet, .. }) => {
                let came = self.enqueued.remove(&packet.id).expect("it was enqueued");
                let sending = Rate::from_bps(8_000_000).time_for(u64::from(packet.bytes));
                if at > Time::from_secs(5) {
                    self.waited.push(at - sending - came);
                }
            }
            Event::Link(BOTTLENECK, LinkEvent::Dropped(packet, _)) => {
                self.enqueued.remove(&packet.id).expect("it was enqueued");
            }
            Event::Link(BOTTLENECK, LinkEvent::Marked(_)) => self.marked += 1,
            _ => {}
        }
    }
}

/// The median and the 99th percentile of the waits of four long transfers, packets dropped early, and packets
/// marked: 8 Mbit/s, 80 ms of round trip, and room for 400 packets.
fn waits(queue: Queue, ecn: bool) -> (Time, Time, u64, u64) {
    let mut links = vec![link(0, 1, 400), link(1, 0, 400)];
    for link in &mut links {
        let Link::Packets { delay_ps, .. } = link else { unreachable!("these are links of packets") };
        *delay_ps = Time::from_ms(40).as_ps();
    }
    if let Link::Packets { queue: its, .. } = &mut links[0] {
        *its = Queue { limit_packets: Some(400), ..queue };
    }
    let mut plan = plan(2, links, &[(0, 1); 4], None);
    plan.duration_ps = Time::from_secs(60).as_ps();
    plan.tcps[0].receive_buffer_bytes = 1 << 20;
    plan.tcps[0].window_scale = Some(5);
    plan.tcps[0].options.ecn = ecn;
    let mut world = build::world(&plan, 1, Waits::default()).unwrap();
    world.advance_to(Time::from_ps(plan.duration_ps));
    let counters = world.links_mut().next().unwrap().packet_counters(Time::from_secs(60)).unwrap();
    let Waits { mut waited, marked, .. } = world.into_observer();
    waited.sort_unstable();
    let at = |percent| waited[waited.len() * percent / 100];
    (at(50), at(99), counters.packets_dropped_early, marked)
}

fn codel(ecn: bool) -> Queue {
    let parameters = [
        ("target_ps", Parameter::Number(Time::from_ms(5).as_ps())),
        ("interval_ps", Parameter::Number(Time::from_ms(100).as_ps())),
        ("ecn", Parameter::Flag(ecn)),
    ];
    let parameters = parameters.map(|(key, value)| (key.into(), value)).into();
    Queue { name: "codel".into(), parameters, ..Queue::drop_tail(1) }
}

/// A full queue is 400 ms long; CoDel holds the median near its target and the 99th percentile far below
/// drop-tail's, by drops or by marks.
#[test]
fn codel_keeps_waits_short() {
    let (drop_tail_median, drop_tail_p99, early, _) = waits(Queue::drop_tail(1), false);
    assert!(drop_tail_median > Time::from_ms(200) && drop_tail_p99 > Time::from_ms(380) && early == 0);
    for ecn in [false, true] {
        let (median, p99, early, marked) = waits(codel(ecn), ecn);
        assert!(median < Time::from_ms(15), "{median} {ecn}");
        assert!(p99 * 5 < drop_tail_p99, "{p99} {ecn}");
        assert!(if ecn { marked > 50 && early < 10 } else { early > 50 && marked == 0 }, "{early} {marked}");
    }
}
