//! `cake_enqueue` and `cake_dequeue` of sch_cake.c written down once more, with lists and without counters, and CAKE beside.

use super::*;
use crate::queue::cobalt::tests::PlainCobalt;
use crate::queue::tests::ids;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Set {
    None,
    Sparse,
    SparseWait,
    Bulk,
    Decaying,
}

/// Since when it waits, which it is, its bytes, and whether it can be marked.
type Waits = (i128, u64, i128, bool);

struct PlainFlow {
    named: usize,
    q: Vec<Waits>,
    deficit: i128,
    set: Set,
    cvars: PlainCobalt,
    nodes: (NodeId, NodeId),
}

#[derive(Default)]
struct PlainTin {
    flows: Vec<PlainFlow>,
    new: Vec<usize>,
    old: Vec<usize>,
    decaying: Vec<usize>,
    bps: i128,
    tin_quantum: i128,
    tin_deficit: i128,
    time_next: i128,
}

impl PlainTin {
    fn count(&self, sets: &[Set]) -> usize {
        self.flows.iter().filter(|flow| sets.contains(&flow.set)).count()
    }

    fn has_flows(&self) -> bool {
        self.count(&[Set::Sparse, Set::SparseWait, Set::Bulk]) > 0
    }

    fn backlog(&self) -> usize {
        self.flows.iter().map(|flow| flow.q.len()).sum()
    }
}

struct PlainCake {
    options: Options,
    tins: Vec<PlainTin>,
    cur_tin: usize,
    time_next: i128,
    packets_limit: usize,
    bytes_limit: i128,
    rng: ChaCha8Rng,
    dropped: Vec<u64>,
    marked: Vec<u64>,
}

/// Picoseconds for this many bytes at a rate; none if there is no rate.
fn duration(bytes: i128, bps: i128) -> i128 {
    if bps == 0 { 0 } else { (bytes * 8_000_000_000_000 + bps / 2) / bps }
}

impl PlainCake {
    fn new(options: Options, packets_limit: usize, mut rng: ChaCha8Rng) -> Self {
        let bps = if options.rate == OFF { 0 } else { i128::from(options.rate) };
        let shares: &[(i128, i128)] = match options.priority {
            0 => &[(1, 1024), (16, 64), (4, 256)],
            1 => &[(1, 1024), (16, 64), (2, 512), (4, 256)],
            _ => &[(1, 65_535)],
        };
        let tin = |&(part, tin_quantum): &(i128, i128)| {
            let bps = if bps == 0 { 0 } else { (bps / part).max(512) };
            PlainTin { bps, tin_quantum, ..PlainTin::default() }
        };
        let carried = bps / 8 * i128::from(options.rtt.as_ps()) / 250_000_000_000;
        let bytes_limit = match (options.memory_limit, bps) {
            (OFF, 0) => i128::MAX,
            (OFF, _) => carried.max(4_194_304),
            (set, _) => i128::from(set),
        };
        let _ = rng.next_u64();
        Self {
            options,
            tins: shares.iter().map(tin).collect(),
            cur_tin: 0,
            time_next: 0,
            packets_limit,
            bytes_limit,
            rng,
            dropped: vec![],
            marked: vec![],
        }
    }

    fn packets(&self) -> usize {
        self.tins.iter().map(PlainTin::backlog).sum()
    }

    fn bytes(&self) -> i128 {
        self.tins.iter().flat_map(|tin| &tin.flows).flat_map(|flow| &flow.q).map(|waits| waits.2).sum()
    }

    fn overhead(&self, bytes: i128) -> i128 {
        let if_on = |size| if size == OFF { 0 } else { i128::from(size) };
        let len = (bytes + if_on(self.options.overhead)).max(if_on(self.options.mpu));
        match self.options.framing {
            0 => len,
            1 => (len + 47) / 48 * 53,
            _ => len + (len + 63) / 64,
        }
    }

    fn get_flow_quantum(&mut self, tin: usize, idx: usize) -> i128 {
        let b = &self.tins[tin];
        let (src, dst) = b.flows[idx].nodes;
        let bulk = |is_its: &dyn Fn((NodeId, NodeId)) -> bool| {
            b.flows.iter().filter(|flow| flow.set == Set::Bulk && is_its(flow.nodes)).count() as i128
        };
        let mut host_load = 1;
        if [0, 1].contains(&self.options.isolation) {
            host_load = host_load.max(bulk(&|nodes| nodes.0 == src));
        }
        if [0, 2].contains(&self.options.isolation) {
            host_load = host_load.max(bulk(&|nodes| nodes.1 == dst));
        }
        let flow_quantum = if b.bps == 0 { 1514 } else { (b.bps / 8 / 4096).clamp(300, 1514) };
        (flow_quantum * (65_535 / host_load) + i128::from(self.rng.next_u32() >> 16)) >> 16
    }

    fn enqueue(&mut self, tin: usize, named: usize, nodes: (NodeId, NodeId), waits: Waits) {
        let now = waits.0;
        if self.tins[tin].backlog() == 0 {
            self.tins[tin].time_next = self.tins[tin].time_next.max(now);
            if self.packets() == 0 {
                self.time_next = self.time_next.max(now);
            }
        }
        let (rtt, b) = (i128::from(self.options.rtt.as_ps()), &mut self.tins[tin]);
        let known = b.flows.iter().position(|flow| flow.named == named);
        let idx = known.unwrap_or_else(|| {
            let cvars = PlainCobalt::new(b.bps, rtt / 20, rtt);
            b.flows.push(PlainFlow { named, q: vec![], deficit: 0, set: Set::None, cvars, nodes });
            b.flows.len() - 1
        });
        b.flows[idx].q.push(waits);
        match b.flows[idx].set {
            Set::None | Set::Decaying => {
                b.decaying.retain(|&each| each != idx);
                b.new.push(idx);
                b.flows[idx].set = Set::Sparse;
                self.tins[tin].flows[idx].deficit = self.get_flow_quantum(tin, idx);
            }
            Set::SparseWait => b.flows[idx].set = Set::Bulk,
            Set::Sparse | Set::Bulk => {}
        }
        while self.packets() > self.packets_limit || self.bytes() > self.bytes_limit {
            self.drop(now);
        }
    }

    fn drop(&mut self, now: i128) {
        let mut longest = (0, 0, 0, 0);
        for (tin, b) in self.tins.iter().enumerate() {
            for (idx, flow) in b.flows.iter().enumerate() {
                let bytes = flow.q.iter().map(|waits| waits.2).sum::<i128>();
                let is_before = tin == longest.1 && flow.named < longest.2;
                if bytes > longest.0 || (bytes == longest.0 && is_before) {
                    longest = (bytes, tin, flow.named, idx);
                }
            }
        }
        let flow = &mut self.tins[longest.1].flows[longest.3];
        self.dropped.push(flow.q.remove(0).1);
        flow.cvars.queue_full(now);
    }

    fn choose_tin(&mut self, now: i128) {
        if self.options.rate == OFF {
            loop {
                let b = &mut self.tins[self.cur_tin];
                if b.tin_deficit >= 0 && b.has_flows() {
                    break;
                }
                if b.tin_deficit <= 0 {
                    b.tin_deficit += b.tin_quantum;
                }
                self.cur_tin = (self.cur_tin + 1) % self.tins.len();
            }
            return;
        }
        let mut best_time = i128::MAX;
        for (tin, b) in self.tins.iter().enumerate() {
            let time_to_pkt = b.time_next - now;
            if b.has_flows() && (time_to_pkt <= 0 || time_to_pkt <= best_time) {
                best_time = time_to_pkt;
                self.cur_tin = tin;
            }
        }
    }

    fn dequeue(&mut self, now: i128) -> Option<u64> {
        let mut first_flow = true;
        'begin: loop {
            if self.packets() == 0 || self.time_next > now {
                return None;
            }
            self.choose_tin(now);
            let tin = self.cur_tin;
            let idx = loop {
                let b = &mut self.tins[tin];
                let list = if first_flow && !b.decaying.is_empty() {
                    &mut b.decaying
                } else if !b.new.is_empty() {
                    &mut b.new
                } else {
                    &mut b.old
                };
                first_flow = false;
                let idx = list[0];
                if b.flows[idx].deficit > 0 {
                    break idx;
                }
                list.remove(0);
                b.old.push(idx);
                if b.flows[idx].set == Set::Sparse {
                    b.flows[idx].set = if b.flows[idx].q.is_empty() { Set::SparseWait } else { Set::Bulk };
                }
                let quantum = self.get_flow_quantum(tin, idx);
                self.tins[tin].flows[idx].deficit += quantum;
            };
            let b = &mut self.tins[tin];
            let flow = &mut b.flows[idx];
            loop {
                if flow.q.is_empty() {
                    flow.cvars.queue_empty(now);
                    for list in [&mut b.new, &mut b.old, &mut b.decaying] {
                        list.retain(|&each| each != idx);
                    }
                    if flow.cvars.p_drop != 0 || flow.cvars.count != 0 || now < flow.cvars.drop_next {
                        b.decaying.push(idx);
                        flow.set = Set::Decaying;
                    } else {
                        flow.set = Set::None;
                    }
                    continue 'begin;
                }
                let (since, id, bytes, capable) = flow.q.remove(0);
                let (marked, drop) = flow.cvars.should_drop(now, since, capable, &mut self.rng);
                if drop && !flow.q.is_empty() {
                    self.dropped.push(id);
                    continue;
                }
                if marked {
                    self.marked.push(id);
                }
                self.advance(tin, idx, bytes, now);
                return Some(id);
            }
        }
    }

    fn advance(&mut self, tin: usize, idx: usize, bytes: i128, now: i128) {
        let len = self.overhead(bytes);
        let b = &mut self.tins[tin];
        b.flows[idx].deficit -= len;
        b.tin_deficit -= len;
        let tin_dur = duration(len, b.bps);
        if b.time_next < now {
            b.time_next += tin_dur;
        } else if b.time_next < now + tin_dur {
            b.time_next = now + tin_dur;
        }
        let bps = if self.options.rate == OFF { 0 } else { i128::from(self.options.rate) };
        self.time_next += duration(len, bps);
    }
}

/// The tin and the queue into which a host's packets go, if none other has that queue.
fn places(queue: &Cake<bool>, options: Options) -> Vec<(usize, usize)> {
    let place = |host| {
        let packet = from_host((host, 100, false), 0);
        let tag = Isolation::of(options.isolation).tag(&packet, queue.ends.nodes(&packet), queue.key);
        (Priority::of(options.priority).tin(queue.ends.dscp(&packet)), tag as usize % 1024)
    };
    (0..7).map(place).collect()
}

proptest! {
    /// Bursts, pauses and departures that may come late, with any options, against the pseudo-code.
    #[test]
    fn agrees_with_the_pseudo_code(
        options in options(),
        limit in prop_oneof![3 => 1usize..60, 1 => Just(1000usize)],
        steps in steps(),
    ) {
        let mut queue = cake(options, DropTail::new(Some(limit), None), &ENDS);
        let mut plain = PlainCake::new(options, limit, setting(unlimited()).rng);
        let places = places(&queue, options);
        let (mut time, mut seen) = (Time::ZERO, Seen::default());
        for (number, (pause, step)) in (0..).zip(steps) {
            time += US * pause;
            let now = i128::from(time.as_ps());
            if let Some((host, bytes, capable)) = step {
                let packet = from_host((host, bytes, capable), number);
                let (tin, named) = places[host as usize];
                let nodes = queue.ends.nodes(&packet);
                queue.enqueue(packet, time, &mut seen);
                plain.enqueue(tin, named, nodes, (now, number, i128::from(bytes), capable));
            } else {
                let expected = plain.dequeue(now);
                prop_assert_eq!(id(queue.dequeue(time, &mut seen)), expected.map(PacketId::sent));
                if expected.is_none() && plain.packets() > 0 {
                    // So that the shaper has something to do, whatever its rate.
                    time = queue.ready_at(time);
                    prop_assert_eq!(i128::from(time.as_ps()), plain.time_next);
                }
            }
            prop_assert_eq!(queue.len_packets(), plain.packets());
            prop_assert_eq!(i128::from(queue.len_bytes()), plain.bytes());
        }
        prop_assert_eq!(seen.dropped_ids(), ids(&plain.dropped));
        prop_assert_eq!(seen.marked, ids(&plain.marked));
    }
}
