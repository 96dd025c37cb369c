//! Random networks: trunks of cells, graphs of packet links, ATM networks.

use atm::{FRAME_POLICIES, PolicyKind};
use lab::plan::{
    self, Atm, AtmLine, AtmPort, CellLaw, CellLink, CellSource, DelayDraw, Eom, Excess, FramePolicy, Gfr,
    Impairment, Lte, Parameter, Port, Queue, RateControl, Service, Starlink, Times, UbrQueueing, Variation,
    VariationStep, Varies, Which, Wifi,
};
use proptest::prelude::*;
use serde_json::json;
use sim::queue::{DefaultValue, Unit, disciplines};

pub(crate) const MS: u64 = 1_000_000_000;

/// Any policy, with any parameters; one that needs no contracts unless `contracts`.
fn policies(buffer: u32, contracts: bool) -> impl Strategy<Value = FramePolicy> {
    (0..FRAME_POLICIES.len(), 0..=buffer, 1u32..=1_000_000).prop_map(move |(kind, cells, ppm)| {
        let needs = |kind: &PolicyKind| (kind.make)(&vec![0; kind.parameters.len()]).needs_contracts();
        let fits = |kind: &&PolicyKind| contracts || !needs(kind);
        let kind = FRAME_POLICIES.iter().cycle().skip(kind).find(fits).expect("some need none");
        let value = |name: &str| match name {
            "h_cells" => buffer.max(cells),
            _ if name.ends_with("_ppm") => ppm,
            _ => cells,
        };
        let parameters = kind.parameters.iter().map(|&name| (name.to_owned(), value(name))).collect();
        FramePolicy { name: kind.name.to_owned(), parameters }
    })
}

fn ports(contracts: bool) -> impl Strategy<Value = Port> {
    (1u32..600).prop_flat_map(move |buffer_cells| {
        let eom = prop_oneof![Just(Eom::Keep), Just(Eom::Drop)];
        (policies(buffer_cells, contracts), eom).prop_map(move |(policy, eom)| Port {
            buffer_cells,
            policy,
            eom,
        })
    })
}

/// Nodes, links, and the senders and receivers of flows.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    pub(crate) nodes: u32,
    pub(crate) links: Vec<plan::Link>,
    pub(crate) ends: Vec<(u32, u32)>,
}

/// Clients `0..pairs`, servers `pairs..2 pairs`, a cell trunk each way.
fn cell_trunks() -> impl Strategy<Value = Network> {
    (1u32..8, 1..60_u64, ports(false), ports(false)).prop_map(|(pairs, delay_ms, forward, reverse)| {
        let cells = |from_first, to_first, port| plan::Link::Cells {
            from_first,
            to_first,
            hosts: pairs,
            cost: 1,
            access: CellLink { cell_time_ps: 2_831_198, delay_ps: 5_000_000 },
            trunk: CellLink { cell_time_ps: 9_422_222, delay_ps: delay_ms * MS },
            port,
        };
        Network {
            nodes: 2 * pairs,
            links: vec![cells(pairs, 0, forward), cells(0, pairs, reverse)],
            ends: (0..pairs).map(|pair| (pairs + pair, pair)).collect(),
        }
    })
}

prop_compose! {
    /// A port with any buffers and frame policy, and each kind of rate control.
    fn atm_ports()(
        port in ports(true),
        share in prop_oneof![Just(0u32), 0..=1_000_000_000u32],
        queueing in 0..3,
        abr_buffer_cells in prop::option::of(1u32..600),
        vbr_buffer_cells in prop::option::of(1u32..20),
        switches in any::<[bool; 5]>(),
        kind in 0..4,
    ) -> AtmPort {
        let erica = json!({
            "interval_cells": 100, "interval_ps": 10 * MS, "delta_ppb": 100_000_000,
            "queue_control": {"kind": "hyperbolic", "target_delay_ps": 5 * MS, "a_ppb": 1_150_000_000,
                "b_ppb": 1_050_000_000, "floor_ppb": 500_000_000},
            "ccr": if switches[0] { "field" } else { "measured" },
            "load_average": if switches[1] { "parts" } else { "ratio" }, "load_weight_ppb": 300_000_000,
            "vc_decay_ppb": if switches[2] { 900_000_000 } else { 0 }, "immediate_fair_share": switches[2],
            "count_both_directions": switches[3], "limit_jump": switches[4],
        });
        AtmPort {
            vbr_buffer_cells,
            abr_buffer_cells,
            ubr_buffer_cells: Some(port.buffer_cells),
            ubr_share_ppb: share,
            ubr_queueing: match queueing {
                0 => UbrQueueing::Fifo {},
                1 => UbrQueueing::PerVc { excess: Excess::Equal },
                _ => UbrQueueing::PerVc { excess: Excess::Proportional },
            },
            policy: port.policy,
            eom: port.eom,
            rate_control: match kind {
                0 => RateControl::None {},
                1 => RateControl::Efci { threshold_cells: 100 },
                _ => RateControl::Erica(serde_json::from_value(erica).expect("ERICA")),
            },
        }
    }
}

fn services() -> Vec<Service> {
    let abr = json!({
        "name": "abr", "pcr_bps": 14_000_000, "mcr_bps": 0, "icr_bps": 2_000_000, "nrm": 32, "mrm": 2,
        "trm_ps": 100 * MS, "rif_inverse": 1, "rdf_inverse": 16, "adtf_ps": 500 * MS, "tbe_cells": 16_777_215,
        "crm": 40, "cdf_inverse": 16, "tcr_cells_s": 10, "frtt_ps": null,
    });
    // Of a trunk of 4.5 Mbit/s and eight pairs of VCs.
    let gfr = |mcr_bps, tagging| {
        let (pcr_bps, mbs_cells, mfs_cells, cdvt_ps) = (16_000_000, 24, 12, MS);
        Service::Gfr(Gfr { pcr_bps, mcr_bps, mbs_cells, mfs_cells, cdvt_ps, tagging })
    };
    let abr = serde_json::from_value(abr).expect("a service");
    vec![abr, Service::Ubr {}, Service::Vbr {}, gfr(500_000, true), gfr(100_000, false)]
}

/// Clients `0..pairs`, servers `pairs..2 pairs`, a switch for each, a trunk of 4.5 Mbit/s between, and sources
/// of cells beside the flows.
fn atm_networks() -> impl Strategy<Value = Network> {
    let chosen = prop::collection::vec(0usize..5, 8);
    (1u32..6, 0..10_u64, atm_ports(), chosen, 0u32..3).prop_map(|(pairs, delay_ms, port, chosen, sources)| {
        let (near, far) = (2 * pairs, 2 * pairs + 1);
        let line = |from, to, cell_time_ps| {
            let port = (from >= 2 * pairs).then_some(0);
            AtmLine { from, to, cell_time_ps, delay_ps: delay_ms * MS, cost: 1, port }
        };
        let mut lines = vec![line(far, near, 94_222_222), line(near, far, 94_222_222)];
        for host in 0..2 * pairs {
            let switch = if host < pairs { near } else { far };
            lines.extend([line(host, switch, 27_263_374), line(switch, host, 27_263_374)]);
        }
        let turns = Times::Exponential { mean_ps: 100 * MS };
        let source = |number: u32| CellSource {
            from: pairs,
            to: 0,
            service: chosen[7 - number as usize],
            start_ps: 100 * MS,
            stop_ps: (number == 1).then_some(3_000 * MS),
            law: CellLaw::OnOff { rate_bps: 2_000_000, on: turns, off: turns },
        };
        let atm = Atm {
            first: 0,
            hosts: 2 * pairs,
            switches: 2,
            lines,
            ports: vec![port],
            services: services(),
            flow_services: chosen[..pairs as usize].to_vec(),
            sources: (0..sources).map(source).collect(),
        };
        Network {
            nodes: 2 * pairs,
            links: vec![plan::Link::Atm(Box::new(atm))],
            ends: (0..pairs).map(|pair| (pairs + pair, pair)).collect(),
        }
    })
}

/// Rate, delay and what is drawn beside it, changes, queue and impairments of a link.
type Line = (u64, u64, Option<DelayDraw>, Option<Varies>, Queue, Vec<Impairment>);

fn which() -> impl Strategy<Value = Which> {
    prop::sample::select(vec![Which::All, Which::Data, Which::Acks])
}

fn impairments() -> impl Strategy<Value = Vec<Impairment>> {
    let one = prop_oneof![
        (0u32..50_000_000, which()).prop_map(|(loss_ppb, of)| Impairment::Bernoulli { loss_ppb, of }),
        which().prop_map(|of| Impairment::GilbertElliott {
            good_to_bad_ppb: 5_000_000,
            bad_to_good_ppb: 300_000_000,
            loss_good_ppb: 0,
            loss_bad_ppb: 800_000_000,
            of,
        }),
        (0u32..10_000_000, 1u32..6, which()).prop_map(|(rate_ppb, losses, of)| Impairment::LossEvents {
            rate_ppb,
            losses,
            of
        }),
        (0u32..10_000_000, 0u32..500_000_000, 1..200 * MS, which()).prop_map(
            |(event_ppb, loss_ppb, span_ps, of)| Impairment::TwoParameter {
                event_ppb,
                loss_ppb,
                span_ps,
                of
            }
        ),
        prop::collection::vec(1u64..60, 0..6).prop_map(|lost| Impairment::Scripted { lost }),
        (1..30 * MS).prop_map(|spread_ps| Impairment::Jitter { spread_ps }),
        (0u32..50_000_000).prop_map(|ppb| Impairment::Duplicate { ppb }),
        (0u32..50_000_000).prop_map(|ppb| Impairment::Mark { ppb }),
    ];
    prop::collection::vec(one, 0..3)
}

/// A value of a parameter of a queue discipline.
fn parameter(its: &sim::queue::Parameter) -> BoxedStrategy<Parameter> {
    let on = value(its.unit);
    if its.default == DefaultValue::Off { prop_oneof![Just(Parameter::Off), on].boxed() } else { on }
}

fn value(unit: Unit) -> BoxedStrategy<Parameter> {
    let number = |range: std::ops::Range<u64>| range.prop_map(Parameter::Number).boxed();
    match unit {
        Unit::Flag => any::<bool>().prop_map(Parameter::Flag).boxed(),
        Unit::Share => number(1_000_000..1_000_000_001),
        Unit::AveragePackets => number(1..30_000_000),
        Unit::Size => number(1..2_000),
        Unit::Time => number(1_000_000..200 * MS),
        Unit::Count => number(1..2_000),
        Unit::Frequency => number(1..5_000_000),
        Unit::Rate => number(100_000..100_000_000),
        Unit::Word(words) => {
            prop::sample::select(words).prop_map(|word| Parameter::Word(word.into())).boxed()
        }
    }
}

/// Any discipline, with any parameters that it allows and these limits.
fn queue(limit_packets: Option<u64>, limit_bytes: Option<u64>) -> impl Strategy<Value = Queue> {
    let rows: Vec<BoxedStrategy<Queue>> = disciplines::<()>()
        .into_iter()
        .map(|row| {
            let parameters = row.parameters.iter().map(|its| (Just(its.key()), parameter(its)));
            let made = parameters.collect::<Vec<_>>().prop_map(move |parameters| {
                let (name, parameters) = (row.name.into(), parameters.into_iter().collect());
                Queue { name, limit_packets, limit_bytes, parameters }
            });
            let is_allowed = |queue: &Queue| {
                queue.discipline::<()>().is_ok_and(|(row, values)| (row.check)(&values).is_none())
            };
            made.prop_filter("allowed", is_allowed).boxed()
        })
        .collect();
    proptest::strategy::Union::new(rows)
}

fn queues() -> impl Strategy<Value = Queue> {
    (1u64..60, any::<bool>()).prop_flat_map(|(limit, in_bytes)| {
        let (limit_packets, limit_bytes) =
            if in_bytes { (None, Some(limit * 2_000 + 10_000)) } else { (Some(limit), None) };
        queue(limit_packets, limit_bytes)
    })
}

/// Changes of a link: steps with pauses, opportunities, and the models.
fn variations() -> impl Strategy<Value = Variation> {
    let step = (1..2000 * MS, prop::option::of(500_000u64..50_000_000), 0..30 * MS, 0u32..20_000_000);
    let steps = (prop::collection::vec(step, 1..6), any::<bool>()).prop_map(|(parts, repeats)| {
        let mut at_ps = 0;
        let mut next = |(lasts, rate, delay_ps, loss_ppb): (u64, Option<u64>, u64, u32)| {
            let step = VariationStep { at_ps, rate_bps: rate.unwrap_or(0), delay_ps, loss_ppb };
            at_ps += lasts;
            step
        };
        let mut steps: Vec<_> = parts.into_iter().map(&mut next).collect();
        steps[0].rate_bps += 1_000_000;
        Variation::Steps { steps, period_ps: repeats.then_some(at_ps) }
    });
    let times = prop::collection::vec((0..20 * MS, 1u32..4), 1..20);
    let opportunities = times.prop_map(|mut times| {
        times.sort_unstable();
        Variation::Opportunities { times, period_ps: 25 * MS, bytes: 1504 }
    });
    let starlink = (0..15_000 * MS, 0..10 * MS).prop_map(|(phase_ps, delay_spread_ps)| {
        let (jitter_ps, jitter_every_ps, rate_cv_ppm) = (3 * MS, 20 * MS, 300_000);
        let (outage_ps, loss_ppb) = ((0, 100 * MS), 1_000_000);
        let its = Starlink {
            phase_ps,
            delay_spread_ps,
            jitter_ps,
            jitter_every_ps,
            rate_cv_ppm,
            outage_ps,
            loss_ppb,
        };
        Variation::Starlink(its)
    });
    let lte = (1u32..9, 1..100 * MS).prop_map(|(users, coherence_ps)| {
        let (snr_ppm, shadowing_cv_ppm, retransmissions_ppb) = (10_000_000, 1_000_000, 100_000_000);
        let (shadowing_time_ps, averaging_ps) = (1000 * MS, 100 * MS);
        Variation::Lte(Lte {
            users,
            coherence_ps,
            snr_ppm,
            shadowing_cv_ppm,
            shadowing_time_ps,
            averaging_ps,
            retransmissions_ppb,
        })
    });
    let wifi = (0..5 * MS, 1..5 * MS)
        .prop_map(|(contention_ps, txop_ps)| Variation::Wifi(Wifi { contention_ps, txop_ps }));
    prop_oneof![steps, opportunities, starlink, lte, wifi]
}

prop_compose! {
    fn packet_links()(
        rate_bps in 500_000u64..50_000_000,
        delay_ps in 0..30 * MS,
        draw in prop::option::of((0u32..4, 0..30 * MS)),
        varies in prop::option::of((0u32..4, variations())),
        queue in queues(),
        impairments in impairments(),
    ) -> Line {
        let delay_draw = draw.map(|(number, spread_ps)| DelayDraw { number: number.into(), spread_ps });
        let varies = varies.map(|(number, how)| Varies { number, how });
        (rate_bps, delay_ps, delay_draw, varies, queue, impairments)
    }
}

/// A chain of nodes and a few links besides, each in both directions; flows between any two.
fn graphs() -> impl Strategy<Value = Network> {
    (2u32..7).prop_flat_map(|nodes| {
        let besides = prop::collection::vec((0..nodes, 0..nodes), 0..4);
        let ends = prop::collection::vec((0..nodes, 0..nodes), 1..6);
        let lines = prop::collection::vec(packet_links(), 24);
        (besides, ends, lines).prop_map(move |(besides, ends, lines)| {
            let chain = (1..nodes).map(|node| (node - 1, node));
            let pairs = chain.chain(besides.into_iter().filter(|(a, b)| a != b));
            let both = pairs.flat_map(|(a, b)| [(a, b), (b, a)]);
            let make = |((from, to), line): ((u32, u32), &Line)| {
                let (rate_bps, delay_ps, delay_draw, varies, queue, impairments) = line.clone();
                plan::Link::Packets {
                    from: from.into(),
                    to: to.into(),
                    cost: 1,
                    rate_bps,
                    delay_ps,
                    delay_draw,
                    varies,
                    queue,
                    impairments,
                }
            };
            let other = |(a, b): (u32, u32)| if a == b { (a, (b + 1) % nodes) } else { (a, b) };
            Network {
                nodes,
                links: both.zip(lines.iter().cycle()).map(make).collect(),
                ends: ends.into_iter().map(other).collect(),
            }
        })
    })
}

pub(crate) fn networks() -> impl Strategy<Value = Network> {
    prop_oneof![cell_trunks(), graphs(), atm_networks()]
}
