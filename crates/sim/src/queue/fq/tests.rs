//! Pacing times, credits and bands worked out by hand.

use super::flow::REMEMBERED;
use super::*;
use crate::link::{Link, PacketLink};
use crate::packet::{LinkId, NodeId, PacketId};
use crate::queue::tests::{Seen, departures, of_flow, packet, setting, unlimited};
use crate::queue::{DropTail, Ends, FlowEnd};
use proptest::prelude::*;

const MBPS: u64 = 1_000_000;
/// The defaults.
const VALUES: [u64; 7] = [3028, 15_140, 100, OFF, 550_000, Time::from_ms(40).as_ps(), OFF];

fn fq(values: [u64; 7]) -> Box<dyn QueueDiscipline<bool>> {
    limited(values, unlimited())
}

/// Hosts 0 to 2 send in the three bands, and all others in the middle one.
fn limited(values: [u64; 7], limits: DropTail) -> Box<dyn QueueDiscipline<bool>> {
    let ends = [46, 0, 8].map(|dscp| FlowEnd { node: NodeId(0), dscp });
    assert_eq!(check(&values), None);
    make(&values, &Setting { ends: Ends::new(ends), ..setting(limits) })
}

fn paced(max_rate: u64) -> [u64; 7] {
    [VALUES[0], VALUES[1], VALUES[2], max_rate, VALUES[4], VALUES[5], VALUES[6]]
}

/// Puts so many packets of a flow into the queue.
fn put(queue: &mut dyn QueueDiscipline<bool>, flow: u32, packets: usize, bytes: u32, now: Time) {
    for _ in 0..packets {
        queue.enqueue(of_flow(flow, 0, bytes), now, &mut Seen::default());
    }
}

/// The flows of the next packets, so many if there are.
fn sent(queue: &mut dyn QueueDiscipline<bool>, packets: usize, now: Time) -> Vec<u32> {
    let next = || queue.dequeue(now, &mut Seen::default()).map(|sent| sent.packet.from.0);
    std::iter::from_fn(next).take(packets).collect()
}

/// Which flows send how many packets one after the other.
fn runs(sent: &[u32]) -> Vec<(u32, usize)> {
    sent.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect()
}

fn times(departures: &[(Time, Packet<bool>)]) -> Vec<Time> {
    departures.iter().map(|departure| departure.0).collect()
}

/// 400 kbit/s are below the threshold: 1000 bytes take 20 ms, and for so long each packet lets the next one wait.
#[test]
fn a_low_rate_paces_each_packet() {
    let mut queue = fq(paced(400_000));
    put(&mut *queue, 5, 4, 1000, Time::ZERO);
    assert_eq!(times(&departures(&mut *queue, Time::ZERO)), [0, 20, 40, 60].map(Time::from_ms));
    // 300 kbit/s: 26 2/3 ms, rounded each time.
    let mut queue = fq(paced(300_000));
    put(&mut *queue, 5, 4, 1000, Time::from_secs(1));
    let after = [0, 26_666_666_667, 53_333_333_334, 80_000_000_001];
    let expected = after.map(|ps| Time::from_secs(1) + Time::from_ps(ps));
    assert_eq!(times(&departures(&mut *queue, Time::from_secs(1))), expected);
}

/// 7 Mbit/s are above it. Ten packets of 1514 bytes spend the initial quantum, then two a quantum, which takes 24,224
/// bits at that rate: 3,460,571,428 4/7 ps.
#[test]
fn a_high_rate_paces_each_quantum() {
    let mut queue = fq(paced(7 * MBPS));
    put(&mut *queue, 5, 15, 1514, Time::ZERO);
    let wait = 3_460_571_429;
    let expected = [[0; 10].to_vec(), vec![wait, wait, 2 * wait, 2 * wait, 3 * wait]].concat();
    assert_eq!(
        times(&departures(&mut *queue, Time::ZERO)),
        expected.into_iter().map(Time::from_ps).collect::<Vec<_>>()
    );
}

/// A packet that exceeds the quantum takes its own time, and a wait is never longer than a second.
#[test]
fn long_packets_wait_longer_but_no_more_than_a_second() {
    let values = [1000, 1000, 100, MBPS, 550_000, 0, OFF];
    let mut queue = fq(values);
    put(&mut *queue, 5, 3, 5000, Time::ZERO);
    assert_eq!(times(&departures(&mut *queue, Time::ZERO)), [0, 40, 80].map(Time::from_ms));
    let mut queue = fq(paced(1));
    put(&mut *queue, 5, 3, 1, Time::ZERO);
    assert_eq!(times(&departures(&mut *queue, Time::ZERO)), [0, 1, 2].map(Time::from_secs));
}

/// 20 ms a packet. One that is sent 6 ms late lets the next wait 14 ms, so that it is on time; one that is 15 ms late
/// lets it wait half of its time.
#[test]
fn what_is_sent_late_shortens_the_next_wait_by_half_at_most() {
    let mut queue = fq(paced(400_000));
    put(&mut *queue, 5, 4, 1000, Time::ZERO);
    let mut ready_after = |ms| {
        assert!(queue.dequeue(Time::from_ms(ms), &mut Seen::default()).is_some());
        assert!(queue.dequeue(Time::from_ms(ms), &mut Seen::default()).is_none());
        queue.ready_at(Time::from_ms(ms))
    };
    assert_eq!([ready_after(0), ready_after(26), ready_after(55)], [20, 40, 65].map(Time::from_ms));
}

/// Each flow has its own time: the second one's packets fall between the first one's, and flows that may send at the
/// same time do so in the order in which they were held back.
#[test]
fn flows_are_paced_apart() {
    let mut queue = fq(paced(400_000));
    put(&mut *queue, 5, 3, 1000, Time::ZERO);
    assert!(queue.dequeue(Time::ZERO, &mut Seen::default()).is_some());
    put(&mut *queue, 6, 2, 500, Time::from_ms(3));
    put(&mut *queue, 4, 2, 500, Time::from_ms(3));
    let expected = [(6, 3), (4, 3), (6, 13), (4, 13), (5, 20), (5, 40)];
    let departures = departures(&mut *queue, Time::from_ms(3));
    let departures: Vec<_> = departures.iter().map(|(time, packet)| (packet.from.0, *time)).collect();
    assert_eq!(departures, expected.map(|(flow, ms)| (flow, Time::from_ms(ms))));
}

/// A link of 10 Mbit/s sends 1250 bytes in 1 ms, and paces a flow at 100 kbit/s: one each 100 ms. It wakes up by
/// itself.
#[test]
fn a_link_sends_when_pacing_lets_it() {
    let rate = Box::new(Rate::from_bps(10 * MBPS));
    let mut link: Link<bool> =
        Link::Packets(Box::new(PacketLink::new(LinkId(0), fq(paced(100_000)), rate, Time::ZERO, vec![])));
    let mut watch = |_, _: crate::link::Report<'_, bool, _>| {};
    for number in 0..3 {
        let _ = link.send(Time::ZERO, &mut packet(number, 1250, false), &mut watch);
    }
    let mut arrivals = vec![];
    while link.next_event() < Time::NEVER {
        let now = link.next_event();
        link.advance(now, &mut watch);
        arrivals.extend(std::iter::from_fn(|| link.receive(now)).map(|_| now));
    }
    assert_eq!(arrivals, [1, 101, 201].map(Time::from_ms));
}

/// 1000 bytes a packet. A flow sends its initial quantum of 15,140 with the 16th packet, and has 860 less than none
/// then. The next quantum makes that 2168, for three packets, and a new flow goes before it.
#[test]
fn new_flows_go_first_and_have_more() {
    let mut queue = fq(VALUES);
    put(&mut *queue, 5, 30, 1000, Time::ZERO);
    put(&mut *queue, 6, 30, 1000, Time::ZERO);
    assert_eq!(runs(&sent(&mut *queue, 40, Time::ZERO)), [(5, 16), (6, 16), (5, 3), (6, 3), (5, 2)]);
    put(&mut *queue, 7, 1, 100, Time::ZERO);
    assert_eq!(sent(&mut *queue, 2, Time::ZERO), [7, 5]);
}

/// Flow 5 sends 14 kB, and has nothing when it is its turn among the new flows, and among the old ones after flow 6 has
/// spent its quantum: it is idle. Back within 40 ms it has 1140 bytes left, and sends two packets before flow 6. After
/// more than that it has a quantum, and sends four. After more than 3 s it is forgotten, and sends 16.
#[test]
fn an_idle_flow_gets_a_quantum_after_a_while_and_is_forgotten_after_3_s() {
    let just_after = |time: Time| time + Time::from_ps(1);
    let delay = Time::from_ms(40);
    for (pause, packets) in
        [(delay, 2), (just_after(delay), 4), (REMEMBERED, 4), (just_after(REMEMBERED), 16)]
    {
        let mut queue = fq(VALUES);
        put(&mut *queue, 5, 14, 1000, Time::ZERO);
        put(&mut *queue, 6, 100, 1000, Time::ZERO);
        assert_eq!(runs(&sent(&mut *queue, 31, Time::ZERO)), [(5, 14), (6, 17)]);
        put(&mut *queue, 5, 30, 1000, pause);
        assert_eq!(runs(&sent(&mut *queue, 100, pause))[0], (5, packets), "{pause}");
    }
}

/// 64 KiB of packets of 1 KiB are 64. The first band's credit is zero at first, so the second begins, with 192.
#[test]
fn bands_share_by_their_weights() {
    let mut queue = fq([3028, 15_140, 3000, OFF, 550_000, 0, OFF]);
    (0..3).for_each(|flow| put(&mut *queue, flow, 2000, 1024, Time::ZERO));
    let sent = sent(&mut *queue, 2 * 832, Time::ZERO);
    assert_eq!(runs(&sent), [(1, 192), (2, 64), (0, 576), (1, 192), (2, 64), (0, 576)]);
}

/// What a band sends beyond its weight it lacks in its next turn. The low one owes 464 bytes after 66 packets, 928
/// after as many more, and has enough for 65 then. The middle one owes 784 after its second turn, the high one 528
/// after its third.
#[test]
fn bands_owe_what_they_sent_too_much() {
    let mut queue = fq([3028, 15_140, 3000, OFF, 550_000, 0, OFF]);
    (0..3).for_each(|flow| put(&mut *queue, flow, 2000, 1000, Time::ZERO));
    let cycles =
        [[(1, 197), (2, 66), (0, 590)], [(1, 197), (2, 66), (0, 590)], [(1, 196), (2, 65), (0, 590)]];
    assert_eq!(runs(&sent(&mut *queue, 853 + 853 + 851, Time::ZERO)), cycles.concat());
}

/// A packet of 200 kB is three turns of the low band: it waits for them at once if no other band has packets.
#[test]
fn a_band_that_owes_several_turns_goes_on() {
    let mut queue = fq(VALUES);
    put(&mut *queue, 2, 3, 200_000, Time::ZERO);
    assert_eq!(sent(&mut *queue, 9, Time::ZERO), [2, 2, 2]);
}

/// A flow may have two packets waiting, and all together five.
#[test]
fn limits_count_the_packets_of_a_flow_and_of_all() {
    let values = [3028, 15_140, 2, OFF, 550_000, 0, OFF];
    let mut queue = limited(values, DropTail::new(Some(5), None));
    let mut seen = Seen::default();
    for (number, flow) in (0..).zip([5, 5, 5, 6, 6, 6, 7, 7, 8]) {
        queue.enqueue(of_flow(flow, number, 1000), Time::ZERO, &mut seen);
    }
    assert_eq!(seen.dropped, [2, 5, 7, 8].map(|number| (PacketId::sent(number), DropCause::QueueFull)));
    assert_eq!((queue.len_packets(), queue.len_bytes()), (5, 5000));
}

/// Waiting for pacing does not count: the second packet may leave after 20 ms, and is marked if it leaves more than 1
/// ms later.
#[test]
fn marks_what_has_waited_for_others() {
    for (us, marked) in [(20_000, 0), (21_000, 0), (21_001, 1)] {
        let mut queue = fq([3028, 15_140, 100, 400_000, 550_000, 0, Time::from_ms(1).as_ps()]);
        put(&mut *queue, 5, 2, 1000, Time::ZERO);
        let mut seen = Seen::default();
        assert!(queue.dequeue(Time::from_ms(1), &mut seen).is_some() && seen.marked.is_empty());
        assert!(queue.dequeue(Time::from_us(us + 1000), &mut seen).is_some());
        assert_eq!(seen.marked.len(), marked, "{us}");
    }
}

/// A flow that comes each ms, beside one that always waits: those of the last 3 s are remembered.
#[test]
fn memory_of_idle_flows_is_given_up() {
    let setting = setting(unlimited());
    let config = Config {
        quantum: 3028,
        initial_quantum: 15_140,
        flow_limit: 20_000,
        max_rate: None,
        paces_each: false,
        refill_delay: Time::ZERO,
        ce_threshold: CeThreshold::new(OFF, &setting),
        limits: setting.limits,
        ends: setting.ends,
    };
    let mut queue = Fq::new(config);
    put(&mut queue, 0, 20_000, 1000, Time::ZERO);
    for ms in 1..10_000 {
        put(&mut queue, ms, 1, 1000, Time::from_ms(u64::from(ms)));
        assert_eq!(sent(&mut queue, 2, Time::from_ms(u64::from(ms))).len(), 2);
    }
    let known = queue.flows.len();
    assert!((3000..3010).contains(&known) && queue.idle.len() < 3010, "{known}");
}

#[test]
fn refuses_what_it_cannot_work_with() {
    let with = |at: usize, value: u64| {
        let mut values = VALUES;
        values[at] = value;
        check(&values)
    };
    assert_eq!(with(0, 0), Some("`quantum_bytes` must be between 1 and 1000000"));
    assert_eq!(with(1, 1_000_000_001), Some("`initial_quantum_bytes` must be at most 1e9"));
    assert_eq!(with(2, 0), Some("`flow_limit` must be positive"));
    assert_eq!(with(3, 0), Some("`max_rate_bps` must be positive"));
}

proptest! {
    /// Each packet of a flow is paced. Whenever a dequeue comes, packets i to j - 1 take no more time at the rate than
    /// lies between the departures of i and j, apart from half of the time of i.
    #[test]
    fn no_interval_has_more_than_the_rate_allows(
        max_rate in 50_000u64..550_000,
        steps in prop::collection::vec((0u64..60, 0u8..4, 1u32..2000), 0..200),
    ) {
        let mut queue = fq(paced(max_rate));
        let (mut now, mut sent) = (Time::ZERO, vec![]);
        for (pause, kind, bytes) in steps {
            now += Time::from_ms(pause);
            match kind {
                0 | 1 => put(&mut *queue, 5, 1, bytes, now),
                2 => sent.extend(queue.dequeue(now, &mut Seen::default()).map(|sent| (now, sent.packet))),
                _ => {
                    sent.extend(departures(&mut *queue, now));
                    now = sent.last().map_or(now, |last| last.0.max(now));
                }
            }
        }
        let wait = |packet: &Packet<bool>| Rate::from_bps(max_rate).time_for(u64::from(packet.bytes)).as_ps();
        for first in 0..sent.len() {
            let mut least = 0;
            for pair in sent[first..].windows(2) {
                least += wait(&pair[0].1);
                let lasts = (pair[1].0 - sent[first].0).as_ps();
                prop_assert!(lasts + wait(&sent[first].1) / 2 >= least);
            }
        }
    }
}
