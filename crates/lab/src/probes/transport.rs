//! How each sender stands, in bins of time: its rates, its smallest RTT, its data in flight, its state.

use crate::columns::{Table, Words};
use crate::error::Error;
use crate::host::Host;
use crate::plan::{MOST_ROWS, Plan};
use base::Time;
use sim::{Event, Observer};
use std::collections::BTreeMap;
use tcp::Connection;

const BITS: f64 = 8.0;

/// How a sender's connection stood at a time; nan where it does not have the value.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    flow: u32,
    connection: u32,
    at: Time,
    pacing_rate_bit_s: f64,
    delivery_rate_bit_s: f64,
    min_rtt_s: f64,
    in_flight: u64,
    /// Of the words; none if congestion control has no state.
    state: Option<u32>,
}

/// Pacing rate, delivery rate, smallest RTT, data in flight and state of each sender's connections: in each bin as
/// the first event of the sender has left them.
///
/// The first and not the last, since only then a state is made into a word once in a bin and not at every ACK.
pub struct TransportBins {
    bin: Option<Time>,
    flows: u32,
    /// For each flow, the last bin of each of its connections.
    last: Vec<BTreeMap<u32, u64>>,
    rows: Vec<Row>,
    states: Words,
    most_rows: u64,
}

impl TransportBins {
    /// As the plan configures it.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        Self {
            bin: plan.probes.transport_bin_ps.map(Time::from_ps),
            flows: plan.flows.len() as u32,
            last: vec![BTreeMap::new(); plan.flows.len()],
            rows: Vec::new(),
            states: Words::default(),
            most_rows: MOST_ROWS,
        }
    }

    /// Columns `flow`, `connection`, `time_s`, `pacing_rate_bit_s`, `delivery_rate_bit_s`, `min_rtt_s`,
    /// `in_flight_bytes`, `state`.
    ///
    /// # Errors
    /// If there were more rows than may be recorded.
    pub fn into_table(self) -> Result<Table, Error> {
        let mut table = Table::default();
        if self.bin.is_none() {
            return Ok(table);
        }
        if self.rows.len() as u64 > self.most_rows {
            return Err(Error::Value(
                "`transport_bin_ps` gives more than 20000000 rows: write a longer time in probes.transport, or a shorter duration",
            ));
        }
        let rows = || self.rows.iter();
        table.integers("flow", rows().map(|row| u64::from(row.flow)));
        table.integers("connection", rows().map(|row| u64::from(row.connection)));
        table.reals("time_s", rows().map(|row| row.at.as_secs_f64()));
        table.reals("pacing_rate_bit_s", rows().map(|row| row.pacing_rate_bit_s));
        table.reals("delivery_rate_bit_s", rows().map(|row| row.delivery_rate_bit_s));
        table.reals("min_rtt_s", rows().map(|row| row.min_rtt_s));
        table.integers("in_flight_bytes", rows().map(|row| row.in_flight));
        table.words("state", self.rows.iter().map(|row| row.state), self.states);
        Ok(table)
    }

    fn add(&mut self, flow: u32, number: u32, at: Time, connection: &Connection) {
        let state = connection.congestion_state();
        self.rows.push(Row {
            flow,
            connection: number,
            at,
            pacing_rate_bit_s: connection.window().pacing().map_or(f64::NAN, |pacing| bits(pacing.rate)),
            delivery_rate_bit_s: connection.delivery_rate().map_or(f64::NAN, bits),
            min_rtt_s: connection.min_rtt().map_or(f64::NAN, Time::as_secs_f64),
            in_flight: connection.in_flight(),
            state: (!state.is_empty()).then(|| self.states.number_of(state)),
        });
    }
}

/// Bit/s of so many bytes per second.
fn bits(bytes_per_second: u64) -> f64 {
    bytes_per_second as f64 * BITS
}

impl Observer<Host> for TransportBins {
    const FOLLOWS_PACKETS: bool = false;

    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        // Hosts flows .. 2 flows are the senders.
        let (Some(width), Event::Acted(id, host)) = (self.bin, event) else { return };
        let Some(flow) = id.0.checked_sub(self.flows) else { return };
        let bin = at.div_floor(width);
        for (number, connection) in host.connections() {
            // Which bins have an event shows in the run only; one row too many says that.
            let is_new = self.last[flow as usize].insert(number, bin) != Some(bin);
            if is_new && self.rows.len() as u64 <= self.most_rows {
                self.add(flow, number, at, connection);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Values;

    const ROW: Row = Row {
        flow: 0,
        connection: 0,
        at: Time::ZERO,
        pacing_rate_bit_s: 8.0,
        delivery_rate_bit_s: f64::NAN,
        min_rtt_s: f64::NAN,
        in_flight: 1,
        state: None,
    };

    fn bins(rows: Vec<Row>, states: Words) -> TransportBins {
        TransportBins { bin: Some(Time::from_ms(1)), flows: 1, last: vec![], rows, states, most_rows: 3 }
    }

    #[test]
    fn more_rows_than_may_be_recorded_are_an_error() {
        let of = |rows| bins(vec![ROW; rows], Words::default()).into_table();
        assert_eq!(of(3).expect("three may be recorded").columns.len(), 8);
        assert!(of(4).unwrap_err().to_string().contains("`transport_bin_ps` gives more than"));
    }

    #[test]
    fn states_are_words_and_may_be_absent() {
        let mut states = Words::default();
        let numbers = ["startup", "drain", "startup"].map(|word| Some(states.number_of(word.into())));
        assert_eq!(numbers, [Some(0), Some(1), Some(0)]);
        let rows = [None, numbers[1], numbers[2]].map(|state| Row { state, ..ROW }).to_vec();
        let table = bins(rows, states).into_table().expect("three may be recorded");
        let Some(("state", Values::Words(numbers, words))) = table.columns.last() else { panic!("a state") };
        let read: Vec<_> = numbers.iter().map(|number| number.map(|at| &*words.all()[at as usize])).collect();
        assert_eq!(read, [None, Some("drain"), Some("startup")]);
    }
}
