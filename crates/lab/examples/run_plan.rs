//! Runs a plan, for profilers: `cargo run --release --example run_plan -- plan.json [seed]`.
//!
//! Prints how long it took, and the sums of the whole-number columns of each table, which show at a glance
//! whether two versions do the same.

use lab::{Plan, Values};
use std::error::Error;
use std::io::Write;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: run_plan plan.json [seed]")?;
    let seed = arguments.next().map_or(Ok(1), |seed| seed.parse())?;
    run_and_sum(&std::fs::read_to_string(path)?, seed, &mut std::io::stdout().lock())
}

/// Runs a plan, and writes what the example prints.
pub(crate) fn run_and_sum(plan: &str, seed: u64, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let plan = Plan::from_json(plan)?;
    let began = Instant::now();
    let columns = lab::run(&plan, seed)?;
    writeln!(out, "{:.3} s", began.elapsed().as_secs_f64())?;
    for (name, table) in columns.into_tables() {
        for (column, values) in table.columns {
            if let (Some(sum), Values::Integers(values)) = (values.sum(), &values) {
                let most = values.iter().max().unwrap_or(&0);
                writeln!(out, "{name}.{column}: sum {sum}, most {most}, rows {}", values.len())?;
            }
        }
    }
    Ok(())
}
