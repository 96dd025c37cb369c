//! Vegas: how many packets a flow keeps in the queue.

use crate::dumbbell::{Path, World, config};
use base::Time;

/// Linux' alpha and beta: each of one to four flows keeps two to four packets in an ample buffer, give or take one. What a flow
/// has out beside what its rate needs in an RTT without a queue is in the queue.
#[test]
fn each_flow_keeps_two_to_four_packets_in_the_queue() {
    for flows in 1..=4 {
        let path = Path::new(20, Time::from_ms(50), 1000);
        let start = |number: u64| (config("vegas"), Time::from_ms(10 * number));
        let mut world = World::new(&path, &(0..flows).map(start).collect::<Vec<_>>());
        let snapshots = world.every(Time::from_ms(10), Time::from_secs(30), Time::from_secs(60));
        let (first, last) = (&snapshots[0], snapshots.last().unwrap());
        let smss = world.connection(0).sender().smss as f64;
        let rtt = path.rtt.as_secs_f64() + 1.0 / path.packets_per_second();
        let of_flow = |flow: usize| {
            let cwnd: f64 = snapshots.iter().map(|snapshot| snapshot.flows[flow].1).sum();
            cwnd / snapshots.len() as f64 - last.goodput(first, flow) / smss * rtt
        };
        let queued: Vec<f64> = (0..flows as usize).map(of_flow).collect();
        let mean = last.mean_queue(first) / flows as f64;
        assert!(queued.iter().all(|each| (1.0..=5.0).contains(each)), "{flows} flows: {queued:?}");
        assert!((1.0..=5.0).contains(&mean), "{flows} flows: {mean}");
        assert_eq!(last.dropped(), 0);
    }
}
