//! Probes over random scenarios: they change nothing, in slices they record what they record in a whole run, and a part of the
//! time gives the rows of that part.

use crate::invariants::networks::MS;
use crate::invariants::plans;
use crate::{network, queue_delay};
use base::Time;
use lab::capture::{Capture, Kept, Place, Point, Request, capture};
use lab::plan::{Link, Plan, Probes, Queue};
use lab::probes::bounds;
use lab::{Recorded, Run, Table, Values, run};
use proptest::prelude::*;

prop_compose! {
    /// Any of the probes, for the first flow and the first link.
    fn probes()(
        bins in any::<[bool; 4]>(),
        bin_ps in 5 * MS..100 * MS,
        one_queue in prop::option::of(Just(vec![0])),
        delays: bool,
        events in any::<[bool; 5]>(),
    ) -> Probes {
        let [queue_bin_ps, goodput_bin_ps, acr_bin_ps, transport_bin_ps] = bins.map(|on| on.then_some(bin_ps));
        let [cwnd_of, rtt_of, states_of, segments_of, packets_of] =
            events.map(|on| if on { vec![0] } else { vec![] });
        Probes {
            queue_bin_ps,
            goodput_bin_ps,
            cwnd_of,
            acr_bin_ps,
            transport_bin_ps,
            delays,
            queue_of: one_queue,
            segments_of,
            rtt_of,
            states_of,
            packets_of,
            from_ps: 0,
            until_ps: None,
        }
    }
}

prop_compose! {
    /// Plans with any probes and any flows in the foreground.
    fn watched_plans()(
        plan in plans(),
        mut probes in probes(),
        foreground in any::<[bool; 2]>(),
    ) -> Plan {
        // Line 0 of an ATM network begins at a host.
        if let [Link::Atm(atm)] = &plan.links[..] {
            let port = (0..).zip(&atm.lines).find(|(_, line)| line.port.is_some()).expect("there are ports").0;
            probes.queue_of = probes.queue_of.map(|_| vec![port]);
        }
        let mut plan = Plan { probes, ..plan };
        plan.flows.iter_mut().zip(foreground).for_each(|(flow, foreground)| flow.foreground = foreground);
        plan
    }
}

/// A simulated time of the run or after it, or few events or many.
fn slices(number: std::ops::Range<usize>) -> impl Strategy<Value = Vec<(Time, u64)>> {
    let slice = prop_oneof![
        (0u64..2_000).prop_map(|events| (Time::NEVER, events)),
        (0u64..4_500 * MS).prop_map(|until| (Time::from_ps(until), u64::MAX)),
        (0u64..4_500 * MS, 0u64..2_000).prop_map(|(until, events)| (Time::from_ps(until), events)),
    ];
    prop::collection::vec(slice, number)
}

/// The columns of a table as texts, in which nan is as nan.
fn texts(table: &Table) -> Vec<(&'static str, Vec<String>)> {
    let texts = |values: &Values| match values {
        Values::Integers(values) => values.iter().map(u64::to_string).collect(),
        Values::Reals(values) => values.iter().map(f64::to_string).collect(),
        Values::Words(numbers, words) => numbers
            .iter()
            .map(|its| its.map_or_else(String::new, |its| words.all()[its as usize].clone()))
            .collect(),
    };
    table.columns.iter().map(|(name, values)| (*name, texts(values))).collect()
}

/// The rows of a table, without some columns.
fn rows(table: &Table, without: &[&str]) -> Vec<Vec<String>> {
    let columns: Vec<_> = texts(table).into_iter().filter(|(name, _)| !without.contains(name)).collect();
    let number = columns.first().map_or(0, |column| column.1.len());
    (0..number).map(|row| columns.iter().map(|column| column.1[row].clone()).collect()).collect()
}

/// The tables with a row an event, and what of a row may change later.
fn events(recorded: &Recorded) -> [(&Table, &'static [&'static str]); 6] {
    [
        (&recorded.cwnd, &[]),
        (&recorded.rtt, &[]),
        (&recorded.states, &[]),
        (&recorded.transport, &[]),
        (&recorded.segments, &["lost"]),
        (&recorded.packets, &["left_s", "arrived_s", "dropped_s", "marked", "lost"]),
    ]
}

/// The tables in bins: what has them, and how wide they are.
fn bins<'a>(recorded: &'a Recorded, plan: &Plan) -> [(&'a Table, Option<u64>); 3] {
    let Probes { queue_bin_ps, goodput_bin_ps, acr_bin_ps, .. } = plan.probes;
    [(&recorded.queue, queue_bin_ps), (&recorded.goodput, goodput_bin_ps), (&recorded.acr, acr_bin_ps)]
}

/// A link with a queue discipline catches up when a packet arrives, here 10 ms after it was sent. What is recorded by an
/// event of another flow before that does not wait for it.
#[test]
fn what_is_recorded_by_an_event_is_not_late() {
    let links = [(0, 1), (1, 0), (2, 3), (3, 2)].map(|(from, to)| network::link(from, to, 25));
    let mut plan = network::plan(4, links.to_vec(), &[(0, 1), (2, 3)], None);
    for (number, link) in plan.links.iter_mut().enumerate() {
        let Link::Packets { queue, delay_ps, .. } = link else { unreachable!("they carry packets") };
        if number == 0 {
            *queue = Queue { limit_packets: Some(25), ..queue_delay::codel(false) };
        } else if number > 1 {
            // The flows are not in step.
            *delay_ps = 3 * MS;
        }
    }
    plan.duration_ps = 200 * MS;
    plan.probes.queue_bin_ps = Some(MS);
    let longest = |recorded: &Recorded| -> Vec<_> {
        rows(&recorded.queue, &[]).into_iter().filter(|row| row[0] == "0").collect()
    };
    let whole = longest(&run(&plan, 1).unwrap().recorded);
    assert!(whole.iter().any(|row| row[2] != "0"), "packets wait");
    let mut stepped = Run::new(plan, 1).unwrap();
    while stepped.advance(Time::NEVER, 1) < 1.0 {
        let so_far = longest(&stepped.recorded().unwrap());
        assert_eq!(so_far, whole[..so_far.len()], "at {}", stepped.now());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// A run is a function of plan and seed, and recording it changes nothing.
    #[test]
    fn observers_change_nothing(plan in plans(), seed: u64) {
        let bare = run(&plan, seed).unwrap();
        prop_assert_eq!(format!("{bare:?}"), format!("{:?}", run(&plan, seed).unwrap()));
        let probes = Probes {
            queue_bin_ps: Some(10 * MS),
            goodput_bin_ps: Some(50 * MS),
            cwnd_of: vec![0],
            acr_bin_ps: Some(10 * MS),
            transport_bin_ps: Some(20 * MS),
            delays: true,
            segments_of: vec![0],
            rtt_of: vec![0],
            states_of: vec![0],
            packets_of: vec![0],
            ..Probes::default()
        };
        let plan = Plan { probes, ..plan };
        let observed = run(&plan, seed).unwrap();
        prop_assert_eq!(format!("{:?}", bare.flows), format!("{:?}", observed.flows));
        prop_assert_eq!(&bare.links, &observed.links);
        prop_assert_eq!(format!("{:?}", bare.queue_delays), format!("{:?}", observed.queue_delays));
        prop_assert_eq!(format!("{:?}", bare.rtts), format!("{:?}", observed.rtts));
        prop_assert_eq!(&bare.ports, &observed.ports);
        prop_assert_eq!(&bare.classes, &observed.classes);
        prop_assert_eq!(format!("{:?}", bare.vcs), format!("{:?}", observed.vcs));
        prop_assert_eq!(format!("{:?}", bare.responses), format!("{:?}", observed.responses));
        let bounds = bounds(&plan);
        for (name, table) in observed.recorded.into_tables() {
            prop_assert!(!table.columns.is_empty(), "{}", name);
            let bound = bounds.iter().find(|bound| bound.probe == name).expect("each probe has a bound");
            let rows = rows(&table, &[]).len() as u64;
            let is_exact = ["queue", "goodput", "acr"].contains(&name);
            prop_assert!(rows <= bound.rows && (rows == bound.rows || !is_exact), "{name}: {rows} rows, {bound:?}");
            prop_assert!(bound.row_bytes > 8 * table.columns.len() as u64, "{name}: {bound:?}");
        }
        let delays = bounds.iter().find(|bound| bound.probe == "delays").expect("they have a bound");
        let bins = [&observed.queue_delay_bins, &observed.flow_queue_delay_bins, &observed.rtt_bins];
        prop_assert!(bins.map(|bins| rows(bins, &[]).len() as u64).iter().sum::<u64>() <= delays.rows);
    }

    /// A probe that is alone records what it records beside all the others.
    #[test]
    fn each_probe_is_the_same_alone(plan in watched_plans(), seed: u64) {
        let all = run(&plan, seed).unwrap().recorded.into_tables();
        for (name, table) in &all {
            let on = |probe: &str| probe == *name;
            let its = plan.probes.clone();
            let of = |probe, flows: Vec<u32>| if on(probe) { flows } else { vec![] };
            let probes = Probes {
                queue_bin_ps: its.queue_bin_ps.filter(|_| on("queue")),
                goodput_bin_ps: its.goodput_bin_ps.filter(|_| on("goodput")),
                acr_bin_ps: its.acr_bin_ps.filter(|_| on("acr")),
                transport_bin_ps: its.transport_bin_ps.filter(|_| on("transport")),
                cwnd_of: of("cwnd", its.cwnd_of),
                rtt_of: of("rtt", its.rtt_of),
                states_of: of("states", its.states_of),
                segments_of: of("segments", its.segments_of),
                packets_of: of("packets", its.packets_of),
                ..its
            };
            let mut plan = Plan { probes, ..plan.clone() };
            plan.flows.iter_mut().for_each(|flow| flow.foreground = false);
            let alone = run(&plan, seed).unwrap().recorded.into_tables();
            for (other, its) in alone {
                let expected = if on(other) { format!("{table:?}") } else { format!("{:?}", Table::default()) };
                prop_assert_eq!(format!("{:?}", its), expected, "{} of {}", other, name);
            }
        }
    }

    /// A run in slices has the columns of a whole one, and its share of what is done grows to 1.
    #[test]
    fn slices_change_nothing(plan in watched_plans(), seed: u64, slices in slices(0..40), events in 1u64..5_000) {
        let mut sliced = Run::new(plan.clone(), seed).unwrap();
        let (end, mut done) = (sliced.duration(), 0.0);
        for (until, events) in slices.into_iter().chain(std::iter::repeat((Time::NEVER, events))) {
            let before = done;
            done = sliced.advance(until, events);
            prop_assert!((before..=1.0).contains(&done));
            prop_assert!(events < u64::MAX || sliced.now() >= until.min(end));
            if done == 1.0 {
                break;
            }
            prop_assert!(until < end || events < u64::MAX);
        }
        prop_assert_eq!((sliced.now(), sliced.advance(Time::NEVER, u64::MAX)), (end, 1.0));
        // As text, in which nan is as nan.
        prop_assert_eq!(format!("{:?}", sliced.columns().unwrap()), format!("{:?}", run(&plan, seed).unwrap()));
    }

    /// A run whose rest is not sliced has the columns of a whole one, and so has a capture its file.
    #[test]
    fn a_run_may_be_finished_at_once(plan in watched_plans(), seed: u64, slices in slices(1..4)) {
        let points = vec![Point { place: Place::Entrance(0), name: String::new() }];
        let links = vec![String::new(); plan.links.len()];
        let request = Request { points, kept: Kept::Headers, links, title: String::new() };
        let mut sliced = Run::new(plan.clone(), seed).unwrap();
        let mut captured = Capture::new(&plan, seed, &request).unwrap();
        for (until, events) in slices {
            sliced.advance(until, events);
            captured.advance(until, events);
        }
        let (captured, whole) = (captured.end(), capture(&plan, seed, &request).unwrap());
        prop_assert!(captured.pcapng == whole.pcapng && captured.counts == whole.counts);
        prop_assert_eq!(format!("{:?}", captured.columns), format!("{:?}", whole.columns));
        prop_assert_eq!(format!("{:?}", sliced.columns().unwrap()), format!("{:?}", run(&plan, seed).unwrap()));
    }

    /// What was recorded by some time are the first rows of the whole, and all bins that are over.
    #[test]
    fn what_is_recorded_so_far_is_the_beginning(plan in watched_plans(), seed: u64, slices in slices(1..12)) {
        let whole = run(&plan, seed).unwrap().recorded;
        let mut sliced = Run::new(plan.clone(), seed).unwrap();
        for (until, events_of_slice) in slices {
            sliced.advance(until, events_of_slice);
            let (by, so_far) = (sliced.now().as_ps(), sliced.recorded().unwrap());
            for ((part, may_change), (all, _)) in events(&so_far).into_iter().zip(events(&whole)) {
                let (part, all) = (rows(part, may_change), rows(all, may_change));
                prop_assert_eq!(&part[..], &all[..part.len()]);
            }
            for ((part, width), (all, _)) in bins(&so_far, &plan).into_iter().zip(bins(&whole, &plan)) {
                let (part, all) = (rows(part, &[]), rows(all, &[]));
                let other = part.iter().find(|row| !all.contains(row));
                let whole = other.and_then(|other| all.iter().find(|row| row[..2] == other[..2]));
                prop_assert!(other.is_none(), "{other:?} and then {whole:?}, of {width:?} at {by}");
                // Cells may be reported a millisecond late.
                let over = by.saturating_sub(MS) / width.unwrap_or(u64::MAX);
                let (first, begun) = (all.first().map(|row| row[0].clone()), |row: &&Vec<String>| row[0] == all[0][0]);
                prop_assert!(first.is_none() || part.iter().filter(begun).count() as u64 >= over.min(all.iter().filter(begun).count() as u64));
            }
        }
        sliced.advance(Time::NEVER, u64::MAX);
        let (so_far, whole) = (sliced.recorded().unwrap(), format!("{whole:?}"));
        prop_assert_eq!(format!("{so_far:?}"), whole.clone());
        prop_assert_eq!(format!("{:?}", sliced.columns().unwrap().recorded), whole);
    }

    /// A part of the time gives the rows of that part.
    #[test]
    fn a_window_gives_the_rows_that_lie_in_it(
        plan in watched_plans(), seed: u64, from_ps in 0..3_000 * MS, length_ps in prop::option::of(1..2_000 * MS),
    ) {
        let until_ps = length_ps.map(|length| from_ps + length);
        let probes = Probes { from_ps, until_ps, ..plan.probes.clone() };
        let part = run(&Plan { probes, ..plan.clone() }, seed).unwrap().recorded;
        let whole = run(&plan, seed).unwrap().recorded;
        let seconds = |ps: u64| Time::from_ps(ps).as_secs_f64();
        let window = seconds(from_ps)..until_ps.map_or(f64::INFINITY, seconds);
        for ((name, part), (_, whole)) in part.into_tables().into_iter().zip(whole.into_tables()) {
            let is_bounded = ["cwnd", "rtt", "states", "segments", "packets"].contains(&name);
            let of_time = if name == "packets" { "offered_s" } else { "time_s" };
            let times = whole.columns.iter().find(|column| column.0 == of_time);
            let Some((_, Values::Reals(times))) = times else { continue };
            let inside = |row: &usize| !is_bounded || window.contains(&times[*row]);
            let all = rows(&whole, &[]);
            let expected: Vec<_> = (0..all.len()).filter(inside).map(|row| all[row].clone()).collect();
            prop_assert_eq!(rows(&part, &[]), expected, "{}", name);
        }
    }
}
