//! Segments that are recorded one by one, against the counters of the run.

use crate::network::{link, plan};
use lab::plan::Link;
use lab::{Columns, Plan, Table, Values, run};

const MS: u64 = 1_000_000_000;

/// Two transfers of 300 segments through a queue of 8 packets; the second is recorded.
fn recorded(from_ps: u64, until_ps: u64) -> (Plan, Columns) {
    let mut links = vec![link(0, 1, 8), link(1, 0, 8)];
    for each in &mut links {
        let Link::Packets { delay_ps, .. } = each else { unreachable!("these are links of packets") };
        *delay_ps = 20 * MS;
    }
    let mut plan = plan(2, links, &[(0, 1); 2], Some(300 * 960));
    plan.probes.segments_of = vec![1];
    (plan.probes.from_ps, plan.probes.until_ps) = (from_ps, Some(until_ps));
    let columns = run(&plan, 1).expect("the plan can be run");
    (plan, columns)
}

fn whole<'a>(table: &'a Table, column: &str) -> &'a [u64] {
    match table.columns.iter().find(|(name, _)| *name == column) {
        Some((_, Values::Integers(values))) => values,
        other => panic!("{column}: {other:?}"),
    }
}

/// The numbers of the rows of a kind.
fn rows(table: &Table, kind: &str) -> Vec<usize> {
    match table.columns.iter().find(|(name, _)| *name == "kind") {
        Some((_, Values::Words(numbers, words))) => {
            let is_kind = |number: &Option<u32>| number.is_some_and(|its| words.all()[its as usize] == kind);
            (0..numbers.len()).filter(|&row| is_kind(&numbers[row])).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn all_segments_of_a_flow_are_recorded_with_their_fate() {
    let (_, columns) = recorded(0, u64::MAX);
    let table = &columns.recorded.segments;
    assert!(whole(table, "flow").iter().all(|&flow| flow == 1));
    let data = rows(table, "data");
    let count = |column: &str| data.iter().filter(|&&row| whole(table, column)[row] == 1).count() as u64;
    assert_eq!(data.len() as u64, whole(&columns.flows, "segments_sent")[1]);
    assert_eq!(count("sent_again"), whole(&columns.flows, "segments_retransmitted")[1]);
    let lost = count("lost");
    assert!(lost > 0 && lost <= whole(&columns.links, "packets_dropped")[0], "{lost}");
    let [low, high] = ["low", "high"].map(|column| whole(table, column));
    assert_eq!((low[data[0]], high[data[0]]), (0, 960));
    assert_eq!(data.iter().map(|&row| high[row]).max(), Some(300 * 960));
    let acks = rows(table, "ack");
    assert!(acks.windows(2).all(|pair| low[pair[0]] <= low[pair[1]]), "ACKs in order");
    assert_eq!(low[*acks.last().expect("there are ACKs")], 300 * 960);
    // Nothing is sent beyond the window that has been offered.
    let (windows, mut offered) = (rows(table, "window"), 0);
    for (row, &high) in high.iter().enumerate() {
        if windows.binary_search(&row).is_ok() {
            offered = high;
        } else if data.binary_search(&row).is_ok() {
            assert!(high <= offered, "row {row}");
        }
    }
}

#[test]
fn only_those_of_the_time_are_recorded() {
    let all = recorded(0, u64::MAX).1.recorded.segments;
    let some = recorded(500 * MS, 700 * MS).1.recorded.segments;
    let rows_of = |table: &Table| {
        let times = table.columns.iter().find(|(name, _)| *name == "time_s");
        let Some((_, Values::Reals(times))) = times else { panic!("{times:?}") };
        let rows = times.iter().zip(whole(table, "low")).zip(whole(table, "sent_again"));
        rows.map(|((time, low), again)| (*time, *low, *again)).collect::<Vec<_>>()
    };
    let expected: Vec<_> = rows_of(&all).into_iter().filter(|(time, ..)| (0.5..0.7).contains(time)).collect();
    assert!(!expected.is_empty());
    assert_eq!(rows_of(&some), expected);
}

#[test]
fn a_flow_that_is_not_there_is_refused() {
    let (mut plan, _) = recorded(0, 1);
    plan.probes.segments_of = vec![2];
    let message = run(&plan, 1).expect_err("there are two flows").to_string();
    assert!(message.contains("`segments_of` names an unknown flow"), "{message}");
}
