//! CAKE: a shaper, tins by priority, a queue for each flow that is fair among hosts too, and COBALT in each queue.
//!
//! Source: Linux 6, net/sched/sch_cake.c; tc-cake(8) and tc/q_cake.c of iproute2; Hoiland-Jorgensen, Taht and Morton 2018,
//! "Piece of CAKE: A Comprehensive Queue Management Solution for Home Gateways". The shaper is in `shaper.rs`, tins are in
//! `tins.rs`, the queues of a tin in `flows.rs`, what counts as a flow and as a host in `hosts.rs`, COBALT in `cobalt.rs`.
//!
//! The DSCP of a packet chooses its tin, and a hash of its flow its queue there. If then more waits than may, packets are
//! dropped at the head of the fattest queue of all tins. The shaper says when the next packet may be sent. With a rate, the
//! highest tin that has used no more than its share sends, or else the tin whose share allows it first; without one, tins
//! take turns by their weights. Queues of a tin take turns by DRR++: those of sparse flows first, and each with a quantum that
//! is divided by the number of bulk flows of its host. Each queue drops or marks by its own COBALT.
//!
//! Deviations and choices:
//! - Left out, because packets here have no transport headers: filters of acknowledgements. Because there are no segments to
//!   split: GSO. Besides: ingress mode and with it the failsafe clock, which differs only there; autorate; wash; NAT; marks and
//!   filters that choose the tin or the queue; the tins of diffserv8 and precedence.
//! - Lengths are those of IP packets. Those of Linux include the header of the link, unless `overhead` is given.
//! - `overhead` is not negative, and it and `mpu` may be up to 65,535 bytes; tc allows -64 to 256 and 0 to 256.
//! - Memory counts the bytes of packets. Linux counts what it has allocated for them, up to 10,240 times the MTU.
//! - `limits` counts all packets that wait, and drops as the memory limit does.
//! - Packets that can be are always marked, as there.
//! - As there, a queue is found empty only while packets wait elsewhere. A flow that is alone keeps the probability of its BLUE.
//! - Without `rate`, targets and quanta do not know the rate of the link, as in Linux.
//! - Linux finds the fattest queue with a heap, and may take any of those of the same length. Here it is the first
//!   (`fattest.rs`).
//! - A run draws its random numbers from its seed: the key of the hash, the rounding of quanta, and BLUE.
//! - Times are whole picoseconds. Linux rounds the time of a packet down to 1 ns.
//!
//! | parameter | in tc | unit | default |
//! |---|---|---|---|
//! | rate | bandwidth | bit/s, at least 512 | off: unlimited |
//! | rtt | rtt | ps | 100 ms |
//! | priority | the same words | diffserv3, diffserv4, besteffort | diffserv3 |
//! | isolation | see `hosts.rs` | triple, dual_source, ... | triple |
//! | framing | noatm, "atm", ptm | "none", "atm", "ptm" | "none" |
//! | overhead | overhead | bytes a packet | off: 0 |
//! | mpu | mpu | bytes | off: 0 |
//! | memory_limit | memlimit | bytes | off: what 4 rtt carry, at least 4 MiB; no limit without a rate |
//! | limits | | as of drop-tail | 10,240 packets |

use super::{
    DefaultValue, Discipline, DropTail, Ends, Make, OFF, Parameter, QueueDiscipline, Queued, Setting, Sink,
    Unit, codel,
};
use crate::packet::Packet;
use base::{Rate, Time};
use hosts::Isolation;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use shaper::{Clock, Framing, Kind, LEAST_RATE};
use tins::{Common, Priority, Tins};

mod flows;
mod hosts;
mod shaper;
#[cfg(test)]
mod tests;
mod tins;

/// The default of the memory limit: what the rate carries in so many round-trip times, and at least so many bytes.
const ROUND_TRIPS: u128 = 4;
const LEAST_MEMORY: u64 = 4 << 20;
/// The longest overhead and `mpu`, bytes.
const LONGEST: u64 = 65_535;

pub(super) fn row<P: Send + 'static>() -> Discipline<P> {
    Discipline {
        name: "cake",
        title: "CAKE",
        summary: "Shapes, and shares a rate among tins by DSCP, hosts and flows, each flow with COBALT (Linux, sch_cake).",
        parameters: PARAMETERS,
        limit: Some(10_240),
        is_random: true,
        check,
        make: Make::Queue(make),
    }
}

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "rate",
        unit: Unit::Rate,
        default: DefaultValue::Off,
        meaning: "Rate at which packets are sent, with their overhead; off: the rate of the link.",
    },
    Parameter {
        name: "rtt",
        unit: Unit::Time,
        default: DefaultValue::Is(Time::from_ms(100).as_ps()),
        meaning: "Typical round-trip time: the interval of COBALT, whose target is a twentieth of it.",
    },
    Parameter {
        name: "priority",
        unit: Unit::Word(Priority::WORDS),
        default: DefaultValue::Is(0),
        meaning: "Classes of DSCPs, each with a tin of its own.",
    },
    Parameter {
        name: "isolation",
        unit: Unit::Word(Isolation::WORDS),
        default: DefaultValue::Is(0),
        meaning: "Which packets share a queue (flow or host), and which hosts get equal shares: sources, destinations, or both.",
    },
    Parameter {
        name: "framing",
        unit: Unit::Word(shaper::FRAMINGS),
        default: DefaultValue::Is(0),
        meaning: "Framing of the link layer, which makes packets longer on the wire.",
    },
    Parameter {
        name: "overhead",
        unit: Unit::Size,
        default: DefaultValue::Off,
        meaning: "Bytes added to each packet before framing.",
    },
    Parameter {
        name: "mpu",
        unit: Unit::Size,
        default: DefaultValue::Off,
        meaning: "Least length of a packet with its overhead.",
    },
    Parameter {
        name: "memory_limit",
        unit: Unit::Size,
        default: DefaultValue::Off,
        meaning: "Limit for all queues together; off: the bytes that 4 round-trip times carry, at least 4 MiB.",
    },
];

fn check(values: &[u64]) -> Option<&'static str> {
    let &[rate, rtt, _, _, _, overhead, mpu, memory_limit] = values else { return None };
    let is_length = |bytes: u64| bytes == OFF || bytes <= LONGEST;
    let rules = [
        (rate >= LEAST_RATE, "`rate_bps` must be at least 512"),
        (codel::check_times(rtt, rtt).is_none(), "`rtt_ps` must be positive and at most 1e18"),
        (is_length(overhead), "`overhead_bytes` must be at most 65535"),
        (is_length(mpu), "`mpu_bytes` must be at most 65535"),
        (memory_limit > 0, "`memory_limit_bytes` must be positive"),
    ];
    rules.iter().find(|rule| !rule.0).map(|rule| rule.1)
}

fn make<P: Send + 'static>(values: &[u64], setting: &Setting<P>) -> Box<dyn QueueDiscipline<P>> {
    Box::new(Cake::new(values, setting))
}

/// A shaper, tins, and queues that take turns.
struct Cake<P> {
    framing: Framing,
    shaper: Clock,
    priority: Priority,
    isolation: Isolation,
    tins: Tins<P>,
    limits: DropTail,
    memory_limit: u64,
    ends: Ends,
    /// Of the hash.
    key: u64,
    rng: ChaCha8Rng,
}

impl<P> Cake<P> {
    fn new(values: &[u64], setting: &Setting<P>) -> Self {
        let &[rate, rtt, priority, isolation, framing, overhead, mpu, memory_limit] = values else {
            unreachable!("there is a value for each parameter")
        };
        let if_on = |value| (value != OFF).then_some(value);
        let (rate, rtt) = (if_on(rate), Time::from_ps(rtt));
        let (priority, isolation) = (Priority::of(priority), Isolation::of(isolation));
        let mut rng = setting.rng.clone();
        Self {
            framing: Framing {
                kind: Kind::of(framing),
                overhead: if_on(overhead).unwrap_or(0),
                mpu: if_on(mpu).unwrap_or(0),
            },
            shaper: Clock::new(rate.map(Rate::from_bps)),
            priority,
            isolation,
            tins: Tins::new(priority, &Common { rate, rtt, isolation, mark: setting.mark }),
            limits: setting.limits,
            memory_limit: if_on(memory_limit).unwrap_or_else(|| memory(rate, rtt)),
            ends: setting.ends.clone(),
            key: rng.next_u64(),
            rng,
        }
    }

    /// Whether more waits than may.
    fn is_overfull(&self) -> bool {
        let (packets, bytes) = (self.tins.packets(), self.tins.bytes());
        bytes > self.memory_limit || self.limits.are_exceeded(packets, bytes)
    }

    fn drop_from_fattest(&mut self, now: Time, sink: &mut dyn Sink<P>) {
        let Some((tin, queue)) = self.tins.fattest() else { return };
        let tin = self.tins.tin(tin);
        tin.flows.drop_head(queue, &tin.config, now, sink);
    }
}

/// The memory limit that suits a rate.
fn memory(rate: Option<u64>, rtt: Time) -> u64 {
    let carried = |bps| ROUND_TRIPS * u128::from(bps / 8) * u128::from(rtt.as_ps()) / 1_000_000_000_000;
    rate.map_or(u64::MAX, |bps| u64::try_from(carried(bps)).unwrap_or(u64::MAX).max(LEAST_MEMORY))
}

impl<P: Send> QueueDiscipline<P> for Cake<P> {
    fn enqueue(&mut self, packet: Packet<P>, now: Time, sink: &mut dyn Sink<P>) {
        let is_first = self.tins.packets() == 0;
        let nodes = self.ends.nodes(&packet);
        let tag = self.isolation.tag(&packet, nodes, self.key);
        let tin = self.tins.tin(self.priority.tin(self.ends.dscp(&packet)));
        if tin.flows.packets() == 0 {
            tin.clock.wake(now);
        }
        if is_first {
            self.shaper.wake(now);
        }
        let queue = tin.flows.queue_for(tag, nodes);
        tin.flows.enqueue(queue, packet, now, &mut self.rng);
        while self.is_overfull() {
            self.drop_from_fattest(now, sink);
        }
    }

    fn dequeue(&mut self, now: Time, sink: &mut dyn Sink<P>) -> Option<Queued<P>> {
        if !self.shaper.allows(now) {
            return None;
        }
        let mut is_first = true;
        while self.tins.packets() > 0 {
            let number = self.tins.choose(now)?;
            let tin = self.tins.tin(number);
            let served = tin.flows.serve(&mut is_first, &tin.config, now, (&mut self.rng, &mut *sink));
            if let Some((queue, sent)) = served {
                let length = self.framing.length(sent.packet.bytes);
                self.tins.charge(number, queue, length, now);
                self.shaper.charge(length);
                return Some(sent);
            }
        }
        None
    }

    fn ready_at(&self, now: Time) -> Time {
        if self.shaper.allows(now) { Time::NEVER } else { self.shaper.next }
    }

    fn len_packets(&self) -> usize {
        self.tins.packets()
    }

    fn len_bytes(&self) -> u64 {
        self.tins.bytes()
    }
}
