//! Random networks that lose packets, of four nodes.

use super::atm;
use lab::plan::{CellLink, DelayDraw, Eom, FramePolicy, Impairment, Link, Port, Queue, Which};
use proptest::prelude::*;
use serde_json::json;

const MS: u64 = 1_000_000_000;

fn impairments() -> impl Strategy<Value = Vec<Impairment>> {
    let one = prop_oneof![
        (0u32..80_000_000).prop_map(|loss_ppb| Impairment::Bernoulli { loss_ppb, of: Which::Data }),
        (0u32..20_000_000, 1u32..6).prop_map(|(rate_ppb, losses)| Impairment::LossEvents {
            rate_ppb,
            losses,
            of: Which::All
        }),
        Just(Impairment::GilbertElliott {
            good_to_bad_ppb: 5_000_000,
            bad_to_good_ppb: 300_000_000,
            loss_good_ppb: 0,
            loss_bad_ppb: 800_000_000,
            of: Which::All,
        }),
        (1..30 * MS).prop_map(|spread_ps| Impairment::Jitter { spread_ps }),
        (0u32..50_000_000).prop_map(|ppb| Impairment::Duplicate { ppb }),
    ];
    prop::collection::vec(one, 0..3)
}

/// Rate, delay, queue and impairments of a link.
type Line = (u64, u64, Option<DelayDraw>, Queue, Vec<Impairment>);

prop_compose! {
    fn packet_link()(
        rate_bps in 500_000u64..20_000_000,
        delay_ps in 0..10 * MS,
        delay_draw in prop::option::of((0u32..3, 0..100 * MS)),
        limit in 2u64..40,
        impairments in impairments(),
    ) -> Line {
        let queue = Queue::drop_tail(limit);
        let delay_draw = delay_draw.map(|(number, spread_ps)| DelayDraw { number: number.into(), spread_ps });
        (rate_bps, delay_ps, delay_draw, queue, impairments)
    }
}

/// A chain of four nodes, whose three links each way may all lose; or a cell trunk between two nodes
/// each side. Data goes from the last node of a chain to the first, and from 2 and 3 over a trunk.
pub(crate) fn networks() -> impl Strategy<Value = (Vec<Link>, [(u32, u32); 2])> {
    let chain = prop::collection::vec(packet_link(), 6).prop_map(|lines| {
        let ends = (0..3).flat_map(|at| [(at + 1, at), (at, at + 1)]);
        let make = |((from, to), (rate_bps, delay_ps, delay_draw, queue, impairments))| Link::Packets {
            from: u32::into(from),
            to: u32::into(to),
            cost: 1,
            rate_bps,
            delay_ps,
            delay_draw,
            varies: None,
            queue,
            impairments,
        };
        (ends.zip(lines).map(make).collect(), [(3, 0), (2, 0)])
    });
    let trunk = (20u32..200, 0..50 * MS).prop_map(|(buffer_cells, delay_ps)| {
        let cells = |from_first, to_first| Link::Cells {
            from_first,
            to_first,
            hosts: 2,
            cost: 1,
            access: CellLink { cell_time_ps: 20_000_000, delay_ps: MS },
            trunk: CellLink { cell_time_ps: 200_000_000, delay_ps },
            port: Port {
                buffer_cells,
                policy: FramePolicy { name: "tail".into(), parameters: Default::default() },
                eom: Eom::Keep,
            },
        };
        (vec![cells(2, 0), cells(0, 2)], [(2, 0), (3, 1)])
    });
    let atm = (20u32..200, 0..50 * MS, any::<[bool; 2]>()).prop_map(|(buffer_cells, delay_ps, are_abr)| {
        (vec![atm_network(buffer_cells, delay_ps, are_abr)], [(2, 0), (3, 1)])
    });
    prop_oneof![3 => chain, 1 => trunk, 1 => atm]
}

/// Two hosts each side of a trunk between switches, whose ports have small buffers for ABR and UBR. The
/// flows may be four: the first two and the last two are of these services.
fn atm_network(buffer_cells: u32, delay_ps: u64, are_abr: [bool; 2]) -> Link {
    let efci = json!({"name": "efci", "threshold_cells": 2 * buffer_cells / 3});
    let mut port = atm::port(&efci, buffer_cells);
    port["abr_buffer_cells"] = json!(buffer_cells);
    let services = [atm::abr(), atm::ubr()];
    let mut network = atm::plan(2, &services, &port, &atm::bulk())["links"][0].take();
    for (number, line) in (0..).zip(network["lines"].as_array_mut().expect("lines")) {
        let (cell_time_ps, delay_ps) = if number < 2 { (200_000_000, delay_ps) } else { (20_000_000, MS) };
        (line["cell_time_ps"], line["delay_ps"]) = (json!(cell_time_ps), json!(delay_ps));
    }
    network["flow_services"] = (0..4).map(|flow: usize| usize::from(!are_abr[flow / 2])).collect();
    serde_json::from_value(network).expect("a network")
}
