//! Who gets how much: hosts, flows, tins, and who goes first.

use super::flows::{Flows, QUEUES};
use super::*;
use crate::queue::cobalt;
use std::collections::BTreeSet;

/// Bytes that each of these flows (source, destination, size of its packets) sends among `packets`, if all have more to send.
fn bytes_of(queue: &mut Cake<bool>, flows: &[(u32, u32, u32)], packets: usize) -> Vec<u64> {
    let (mut now, mut seen) = (Time::ZERO, Seen::default());
    for number in 0..packets as u64 {
        for &(from, to, bytes) in flows {
            queue.enqueue(between(from, to, number, bytes), now, &mut seen);
        }
    }
    let mut sent = vec![0; flows.len()];
    for _ in 0..packets {
        let packet = next(queue, &mut now, &mut seen).expect("more wait");
        let is_its = |flow: &(u32, u32, u32)| (HostId(flow.0), HostId(flow.1)) == (packet.from, packet.to);
        sent[flows.iter().position(is_its).expect("one of them")] += u64::from(packet.bytes);
    }
    assert_eq!(seen.dropped, []);
    sent
}

/// Whether the parts of a sum are as their shares, to 1 %.
fn are_as(parts: &[u64], shares: &[u64]) -> bool {
    let (sum, all) = (parts.iter().sum::<u64>(), shares.iter().sum::<u64>());
    parts.iter().zip(shares).all(|(part, share)| (part * all).abs_diff(share * sum) <= share * sum / 100)
}

/// Flows 0 to 7 come from node 1, and flow 8 from node 2.
const TWO_SOURCES: [(u32, u8); 9] = [(1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (2, 0)];

/// What hosts at the first node and the one at the other send or get, of 3000 packets; the far ends are nodes of their own, or
/// the same.
fn of_two(isolation: u64, is_received: bool, far: impl Fn(u32) -> u32) -> [u64; 2] {
    let ends: Vec<(u32, u8)> = TWO_SOURCES.into_iter().chain((0..9).map(|flow| (far(flow), 0))).collect();
    let mut queue = cake(Options { isolation, ..OPTIONS }, unlimited(), &ends);
    let way = |flow| if is_received { (flow + 9, flow, 1000) } else { (flow, flow + 9, 1000) };
    let bytes = bytes_of(&mut queue, &(0..9).map(way).collect::<Vec<_>>(), 3000);
    assert!(are_as(&bytes[..8], &[1; 8]), "flows of a host are equal: {bytes:?}");
    [bytes[..8].iter().sum(), bytes[8]]
}

/// Eight bulk flows of a host and one of another: equal for hosts, or 8 to 1.
#[test]
fn hosts_share_equally_whatever_flows_they_have() {
    let apart = |flow| 10 + flow;
    for (isolation, as_source, as_destination) in
        [(0, true, true), (1, true, false), (2, false, true), (3, false, false)]
    {
        for (is_received, is_equal) in [(false, as_source), (true, as_destination)] {
            let bytes = of_two(isolation, is_received, apart);
            let expected = if is_equal { [1, 1] } else { [8, 1] };
            assert!(are_as(&bytes, &expected), "{isolation} {is_received}: {bytes:?}");
        }
    }
}

/// If all flows end at one host, its load of nine is the larger one: flows are equal then, unless only sources count.
#[test]
fn the_larger_load_counts() {
    let bytes = [0, 1].map(|isolation| of_two(isolation, false, |_| 10));
    assert!(are_as(&bytes[0], &[8, 1]) && are_as(&bytes[1], &[1, 1]), "{bytes:?}");
}

/// Equal in bytes with the overhead: 100 and 1400 bytes of overhead each make 200 and 1500.
#[test]
fn flows_share_what_they_take_on_the_wire() {
    let options = Options { isolation: FLOWS, overhead: 100, ..OPTIONS };
    let bytes = bytes_of(&mut cake(options, unlimited(), &[]), &[(0, 2, 100), (1, 2, 1400)], 3000);
    assert!(are_as(&[bytes[0] * 2, bytes[1] * 15 / 14], &[1, 1]), "{bytes:?}");
}

/// Hosts 1 to 4: two at node 7, and one at each of the nodes 8 and 9.
#[test]
fn a_flow_is_what_the_isolation_says() {
    let node = |host| NodeId([0, 7, 7, 8, 9][host as usize]);
    let ends = [(1, 3), (2, 3), (1, 4), (3, 1), (3, 2)];
    let mut key = 0;
    let mut distinct = |word| {
        key += 1;
        let tag = |&(from, to): &(u32, u32)| {
            Isolation::of(word).tag(&between(from, to, 0, 100), (node(from), node(to)), key)
        };
        ends.iter().map(tag).collect::<BTreeSet<u32>>().len()
    };
    let places =
        ["triple", "dual_source", "dual_destination", "flows", "hosts", "source", "destination", "none"];
    assert_eq!(Isolation::WORDS, places);
    assert_eq!([0, 1, 2, 3].map(&mut distinct), [5; 4]);
    assert_eq!([4, 5, 6, 7].map(&mut distinct), [3, 2, 3, 1]);
}

/// Hashes that name queue 5: its set are the queues 0 to 7. Eight flows have a queue each, the ninth shares the named one.
#[test]
fn eight_flows_of_a_set_are_kept_apart() {
    let mut flows: Flows<bool> = Flows::new(1514, Isolation::Triple);
    let mut rng = setting(unlimited()).rng;
    let config = cobalt::Config::new(None, Time::from_ms(5), Time::from_ms(100), |_| false);
    let mut queue_for = |flows: &mut Flows<bool>, flow: u64| {
        let tag = 5 + flow as u32 * QUEUES as u32;
        let queue = flows.queue_for(tag, (NodeId(0), NodeId(1)));
        flows.enqueue(queue, packet(flow, 1000, false), Time::ZERO, &mut rng);
        queue
    };
    let all = [0, 1, 2, 3, 4, 5, 6, 7];
    assert_eq!(all.map(|flow| queue_for(&mut flows, flow)), [5, 6, 7, 0, 1, 2, 3, 4]);
    assert_eq!(all.map(|flow| queue_for(&mut flows, flow)), [5, 6, 7, 0, 1, 2, 3, 4], "they are reserved");
    assert_eq!([queue_for(&mut flows, 8), queue_for(&mut flows, 8)], [5, 5]);
    // Flow 0 has lost its queue. Until it has one again it collides.
    assert_eq!([queue_for(&mut flows, 0), queue_for(&mut flows, 1)], [5, 6]);
    // All become empty and, an interval later, free.
    let mut seen = Seen::default();
    let mut rng = setting(unlimited()).rng;
    let drain = |flows: &mut Flows<bool>, now, rng: &mut ChaCha8Rng, seen: &mut Seen| {
        while flows.has_turns() {
            flows.serve(&mut false, &config, now, (rng, seen));
        }
    };
    drain(&mut flows, Time::ZERO, &mut rng, &mut seen);
    assert_eq!(flows.packets(), 0);
    for _ in 0..8 {
        flows.serve(&mut true, &config, Time::from_secs(1), (&mut rng, &mut seen));
    }
    assert_eq!(all.map(|flow| queue_for(&mut flows, 10 + flow)), [5, 6, 7, 0, 1, 2, 3, 4]);
}

/// The quanta that tc-cake(8) shows for 100 Mbit/s, and the largest without a rate.
#[test]
fn quanta_follow_the_rates_of_tins() {
    let rates = [Some(6_250_000), Some(100_000_000), Some(25_000_000), None];
    assert_eq!(rates.map(tins::quantum), [300, 1514, 762, 1514]);
}

#[test]
fn dscps_have_their_tins() {
    let of = |priority: Priority, tin| (0..64).filter(|&dscp| priority.tin(dscp) == tin).collect::<Vec<u8>>();
    for (priority, tins) in [
        (Priority::Diffserv3, vec![vec![1, 8], vec![4, 44, 46, 48, 56]]),
        (
            Priority::Diffserv4,
            vec![
                vec![1, 8],
                vec![4, 16, 18, 20, 22, 24, 26, 28, 30, 34, 36, 38],
                vec![32, 40, 44, 46, 48, 56],
            ],
        ),
    ] {
        (1..).zip(&tins).for_each(|(number, tin)| assert_eq!(of(priority, number), *tin));
        assert_eq!(of(priority, 0).len(), 64 - tins.iter().map(Vec::len).sum::<usize>());
    }
    assert_eq!(of(Priority::BestEffort, 0).len(), 64);
    let words: Vec<Priority> = (0..3).map(Priority::of).collect();
    assert_eq!(words, [Priority::Diffserv3, Priority::Diffserv4, Priority::BestEffort]);
}

/// Best effort, bulk, voice, and video of diffserv4, each with more than there is. With a rate bulk gets 1/16, voice 1/4 and
/// video 1/2, and best effort what is left; without one they have their weights.
#[test]
fn overloaded_tins_have_their_shares() {
    let ends = [(0, 0), (1, 8), (2, 46), (3, 26)];
    let flows = [(0, 9, 1000), (1, 9, 1000), (2, 9, 1000), (3, 9, 1000)];
    let of = |rate, priority, tins| {
        let options = Options { rate, priority, memory_limit: 1 << 40, ..OPTIONS };
        bytes_of(&mut cake(options, unlimited(), &ends), &flows[..tins], 3200)
    };
    let shaped = [of(8_000_000, 0, 3), of(8_000_000, 1, 4)];
    assert!(are_as(&shaped[0], &[11, 1, 4]) && are_as(&shaped[1], &[3, 1, 4, 8]), "{shaped:?}");
    let weighted = [of(OFF, 0, 3), of(OFF, 1, 4)];
    assert!(
        are_as(&weighted[0], &[1024, 64, 256]) && are_as(&weighted[1], &[1024, 64, 256, 512]),
        "{weighted:?}"
    );
    assert!(are_as(&of(8_000_000, BEST_EFFORT, 3), &[1, 1, 1]));
}

/// Bulk traffic alone has the whole rate, a packet in each millisecond. A voice packet is sent before the bulk packets that wait.
#[test]
fn a_share_is_lent_and_voice_goes_first() {
    let mut queue = cake(SHAPED, unlimited(), &[(0, 8), (1, 46)]);
    let (mut now, mut seen) = (Time::ZERO, Seen::default());
    (0..100).for_each(|number| queue.enqueue(between(0, 9, number, 1000), now, &mut seen));
    for ms in 0..50 {
        assert_eq!(next(&mut queue, &mut now, &mut seen).map(|packet| packet.from), Some(HostId(0)));
        assert_eq!(now, Time::from_ms(ms));
    }
    queue.enqueue(between(1, 9, 100, 1000), now, &mut seen);
    assert_eq!(next(&mut queue, &mut now, &mut seen).map(|packet| packet.from), Some(HostId(1)));
    assert_eq!(now, Time::from_ms(50));
}

/// What a tin has borrowed for a second costs it no more than one packet: it has its 1/16 as soon as the others come.
#[test]
fn what_was_borrowed_is_not_paid_back() {
    let mut queue = cake(SHAPED, unlimited(), &[(0, 8), (1, 0)]);
    let (mut now, mut seen) = (Time::ZERO, Seen::default());
    (0..1100).for_each(|number| queue.enqueue(between(0, 9, number, 1000), now, &mut seen));
    (0..1000).for_each(|_| assert!(next(&mut queue, &mut now, &mut seen).is_some()));
    (1100..1200).for_each(|number| queue.enqueue(between(1, 9, number, 1000), now, &mut seen));
    let from_bulk = (0..64).filter(|_| {
        let sent = next(&mut queue, &mut now, &mut seen).expect("both wait");
        sent.from == HostId(0)
    });
    assert_eq!(from_bulk.count(), 4);
}

/// A packet of a flow that sends now and then goes before five that always have packets, each time.
#[test]
fn a_sparse_flow_goes_first() {
    for options in [OPTIONS, SHAPED] {
        let mut queue = cake(options, unlimited(), &[]);
        let (mut now, mut seen) = (Time::ZERO, Seen::default());
        for number in 0..500 {
            queue.enqueue(between(number as u32 % 5, 9, number, 1500), now, &mut seen);
        }
        for number in 500..520 {
            for _ in 0..11 {
                let sent = next(&mut queue, &mut now, &mut seen).expect("bulk flows wait");
                assert!(sent.from < HostId(5));
            }
            queue.enqueue(between(7, 9, number, 64), now, &mut seen);
            let sent = next(&mut queue, &mut now, &mut seen).expect("it waits");
            assert_eq!(sent.id, PacketId::sent(number));
        }
    }
}
