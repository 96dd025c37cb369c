//! The tables of `docs/validation/peers.md`, and their places in it.

use crate::differences::{
    FIRST_LOST, RENO, events, first_difference, holes, lossy, probes, stalled, with_event,
};
use crate::transfer::{Kind, Run};
use std::fmt::Write;
use std::path::PathBuf;

/// The page.
pub(crate) fn path() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "docs", "validation", "peers.md"].iter().collect()
}

/// The page with every table as a run produces it. A table is between `<!-- table: NAME -->` and
/// `<!-- end of table -->`.
///
/// # Panics
/// If a table has no place.
pub(crate) fn filled(page: &str) -> String {
    let tables = [
        ("losses", losses()),
        ("events", single_events()),
        ("receivers", receivers()),
        ("probes", closed_windows()),
    ];
    let fill = |page: String, (name, table): &(&str, String)| {
        let begin = format!("<!-- table: {name} -->\n");
        let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("no place for {name}"));
        let (_, after) = rest.split_once("<!-- end of table -->").expect("each table has an end");
        format!("{before}{begin}\n{table}\n<!-- end of table -->{after}")
    };
    tables.iter().fold(page.to_owned(), fill)
}

/// Seconds, and what it took.
fn cell(run: &Run) -> String {
    let again = if run.again.is_empty() { String::new() } else { format!(", {} again", run.again.len()) };
    let timeouts = match run.timeouts {
        0 => String::new(),
        1 => ", 1 time-out".into(),
        many => format!(", {many} time-outs"),
    };
    format!("{:.3} s{again}{timeouts}", run.took.as_secs_f64())
}

fn row(text: &mut String, cells: impl IntoIterator<Item = String>) {
    let cells: Vec<String> = cells.into_iter().collect();
    writeln!(text, "| {} |", cells.join(" | ")).expect("writing to a string cannot fail");
}

fn header(names: &[&str]) -> String {
    let mut text = String::new();
    row(&mut text, names.iter().map(ToString::to_string));
    writeln!(text, "|{}", "---|".repeat(names.len())).expect("writing to a string cannot fail");
    text
}

fn losses() -> String {
    let flavors = ["vanilla", "reno", "newreno", "newreno_hoe", "sack", "sack_rfc6675", "cubic"];
    let kinds = [Kind::Smoltcp].into_iter().chain(flavors.map(Kind::Ours));
    let mut text = header(&["sender", "no loss", "1", "2", "3", "4"]);
    for kind in kinds {
        row(&mut text, [kind.name()].into_iter().chain((0..=4).map(|losses| cell(&lossy(kind, losses)))));
    }
    text
}

fn single_events() -> String {
    let mut text = header(&["what happens", "`reno`", "smoltcp", "first segment that differs"]);
    for event in events() {
        let (ours, its) = (with_event(RENO, &event), with_event(Kind::Smoltcp, &event));
        let difference = match first_difference(&ours, &its) {
            None => "none".into(),
            Some((number, at)) => format!("number {}, at {at} s", number + 1),
        };
        row(&mut text, [event.0.to_owned(), cell(&ours), cell(&its), difference]);
    }
    text
}

fn receivers() -> String {
    let mut text = header(&["sender", "receiver", "3 holes", "4 holes", "5 holes", "6 holes"]);
    for sender in [Kind::Ours("newreno"), Kind::Ours("sack_rfc6675"), Kind::Smoltcp] {
        let ours = if sender == Kind::Smoltcp { RENO } else { sender };
        for (name, receiver) in [("ours", ours), ("smoltcp", Kind::Smoltcp)] {
            let runs = (3..=6).map(|number| cell(&holes(sender, receiver, number)));
            row(&mut text, [sender.name(), name.to_owned()].into_iter().chain(runs));
        }
    }
    text
}

fn closed_windows() -> String {
    let mut text =
        header(&["sender", "receiver", "probes, seconds after the data was written", "all is there"]);
    for (sender, receiver) in [(RENO, RENO), (Kind::Smoltcp, RENO), (RENO, Kind::Smoltcp)] {
        let run = stalled(sender, receiver);
        let times: Vec<String> = probes(&run).iter().map(|at| format!("{at:.3}")).collect();
        let took = format!("{:.3} s", run.took.as_secs_f64());
        row(&mut text, [sender.name(), receiver.name(), times.join(", "), took]);
    }
    text
}

/// The page names the segment from which on the losses are.
#[test]
fn the_page_speaks_of_these_losses() {
    let page = std::fs::read_to_string(path()).expect("the page is there");
    assert!(page.contains(&format!("from number {FIRST_LOST} on")));
}

#[test]
fn the_page_shows_what_a_run_shows() {
    let page = std::fs::read_to_string(path()).expect("the page is there");
    assert_eq!(filled(&page), page, "see docs/validation/peers.md for the command that fills it");
}
