//! How long packets wait behind a queue discipline.

use crate::network::{link, plan};
use base::{Rate, Time};
use lab::plan::{Link, Parameter, Queue};
use lab::{Host, Plan, Table, Values, build, run};
use sim::link::LinkEvent;
use sim::{Event, LinkId, Observer, PacketId};
use std::collections::BTreeMap;

const BOTTLENECK: LinkId = LinkId(0);
const WARM_UP: Time = Time::from_secs(5);
const END: Time = Time::from_secs(60);

/// How long each packet waited for the bottleneck whose transmission began in the measured time.
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
                let start = at - Rate::from_bps(8_000_000).time_for(u64::from(packet.bytes));
                if (WARM_UP..END).contains(&start) {
                    self.waited.push(start - came);
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

/// The median and the 99th percentile of the waits of four long transfers, packets dropped early, and packets marked: 8
/// Mbit/s, 80 ms of round trip, and room for 400 packets. The run's own percentiles must be these, to a part in 64.
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
    (plan.warm_up_ps, plan.duration_ps) = (WARM_UP.as_ps(), END.as_ps());
    plan.queue_delays_of = vec![0];
    plan.tcps[0].receive_buffer_bytes = 1 << 20;
    plan.tcps[0].window_scale = Some(5);
    plan.tcps[0].options.ecn = ecn;
    let mut world = build::world(&plan, 1, Waits::default()).unwrap();
    world.advance_to(END);
    let counters = world.links_mut().next().unwrap().packet_counters(END).unwrap();
    let Waits { mut waited, marked, .. } = world.into_observer();
    waited.sort_unstable();
    let at = |percent: usize| waited[(waited.len() * percent).div_ceil(100) - 1];
    let table = run(&plan, 1).unwrap().queue_delays;
    for (column, percent) in [("p50_s", 50), ("p95_s", 95), ("p99_s", 99)] {
        let (found, right) = (only(&table, column), at(percent).as_secs_f64());
        assert!(right <= found && found <= right * (1.0 + 1.0 / 64.0), "{column}: {found} for {right}");
    }
    (at(50), at(99), counters.packets_dropped_early, marked)
}

/// The number in a column of one row.
fn only(table: &Table, column: &str) -> f64 {
    match table.columns.iter().find(|(name, _)| *name == column) {
        Some((_, Values::Reals(values))) if values.len() == 1 => values[0],
        other => panic!("{column}: {other:?}"),
    }
}

/// Nothing is measured on a link that is not named, and a link that is not there is refused.
#[test]
fn only_named_links_are_measured() {
    let plan = plan(2, vec![link(0, 1, 4), link(1, 0, 4)], &[(0, 1)], Some(10_000));
    let of = |links: &[u32]| run(&Plan { queue_delays_of: links.to_vec(), ..plan.clone() }, 1);
    assert_eq!(of(&[]).unwrap().queue_delays, Table::default());
    let [first, second] = [0, 1].map(|link| of(&[link]).unwrap().queue_delays.columns[0].clone());
    assert_eq!([first.1, second.1], [0, 1].map(|link| Values::Integers(vec![link])));
    assert!(of(&[2]).unwrap_err().to_string().contains("`queue_delays_of` names a link that has no queue"));
}

pub(crate) fn codel(ecn: bool) -> Queue {
    let parameters = [
        ("target_ps", Parameter::Number(Time::from_ms(5).as_ps())),
        ("interval_ps", Parameter::Number(Time::from_ms(100).as_ps())),
        ("ecn", Parameter::Flag(ecn)),
        ("ce_threshold_ps", Parameter::Off),
        ("control_law", Parameter::Word("exact".into())),
    ];
    let parameters = parameters.map(|(key, value)| (key.into(), value)).into();
    Queue { name: "codel".into(), parameters, ..Queue::drop_tail(1) }
}

/// A link that knows beforehand when packets begin to be sent, and one that learns it then, tell the same lengths over
/// time: CoDel with a target of an hour is drop-tail.
#[test]
fn lengths_over_time_are_those_of_any_link() {
    let lengths = |queue: Queue| {
        let mut links = vec![link(0, 1, 20), link(1, 0, 20)];
        if let Link::Packets { queue: its, .. } = &mut links[0] {
            *its = Queue { limit_packets: Some(20), ..queue };
        }
        let mut plan = plan(2, links, &[(0, 1); 2], Some(400_000));
        plan.probes.queue_bin_ps = Some(Time::from_ms(1).as_ps());
        run(&plan, 1).unwrap().recorded.queue
    };
    let mut lazy = codel(false);
    lazy.parameters.insert("target_ps".into(), Parameter::Number(Time::from_secs(3600).as_ps()));
    let known = lengths(Queue::drop_tail(1));
    assert_eq!(known, lengths(lazy));
    let Some((_, Values::Integers(longest))) = known.columns.last() else { panic!("{known:?}") };
    let falls = longest.windows(2).filter(|pair| pair[1] == pair[0] - pair[0].min(1) && pair[0] > 1).count();
    assert!(longest.contains(&20) && falls > 10, "{falls}");
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
