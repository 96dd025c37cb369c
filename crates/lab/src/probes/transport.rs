//! How each sender stands, in bins of time: its rates, its smallest RTT, its data in flight, its state.

use super::log::{Log, OfFlows};
use crate::columns::{Table, Words};
use crate::error::Error;
use crate::plan::Plan;
use base::Time;
use tcp::Connection;

/// Memory of a row.
pub(super) const ROW_BYTES: usize = Log::<Standing>::row_bytes(8);

const BITS: f64 = 8.0;
const TOO_MANY: &str = "`transport_bin_ps` gives more than 20000000 rows: write a longer time in probes.transport, or a shorter duration";

/// How a sender's connection stood at a time; nan where it does not have the value.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Standing {
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
pub(super) struct TransportBins {
    width: Time,
    /// One above the last bin of each connection.
    last: OfFlows<u64>,
    log: Log<Standing>,
    states: Words,
}

impl TransportBins {
    /// In bins of this width.
    pub(super) fn new(plan: &Plan, width_ps: u64) -> Self {
        let all: Vec<u32> = (0..plan.flow_count()).collect();
        Self {
            width: Time::from_ps(width_ps),
            last: OfFlows::new(plan, &all),
            log: Log::unbounded(),
            states: Words::default(),
        }
    }

    /// A sender has acted.
    #[inline]
    pub(super) fn acted(&mut self, at: Time, flow: u32, number: u32, connection: &Connection) {
        let bin = at.div_floor(self.width) + 1;
        if let Some(last) = self.last.of(flow, number)
            && *last < bin
        {
            *last = bin;
            self.add(flow, number, at, connection);
        }
    }

    #[inline(never)]
    fn add(&mut self, flow: u32, number: u32, at: Time, connection: &Connection) {
        let state = connection.congestion_state();
        let standing = Standing {
            pacing_rate_bit_s: connection.window().pacing().map_or(f64::NAN, |pacing| bits(pacing.rate)),
            delivery_rate_bit_s: connection.delivery_rate().map_or(f64::NAN, bits),
            min_rtt_s: connection.min_rtt().map_or(f64::NAN, Time::as_secs_f64),
            in_flight: connection.in_flight(),
            state: (!state.is_empty()).then(|| self.states.number_of(&state)),
        };
        self.log.add(flow, number, at, standing);
    }

    /// Columns `flow`, `connection`, `time_s`, `pacing_rate_bit_s`, `delivery_rate_bit_s`, `min_rtt_s`,
    /// `in_flight_bytes`, `state`.
    pub(super) fn table(&self) -> Result<Table, Error> {
        let mut table = self.log.table(TOO_MANY)?;
        let all = || self.log.values();
        table.reals("pacing_rate_bit_s", all().map(|its| its.pacing_rate_bit_s));
        table.reals("delivery_rate_bit_s", all().map(|its| its.delivery_rate_bit_s));
        table.reals("min_rtt_s", all().map(|its| its.min_rtt_s));
        table.integers("in_flight_bytes", all().map(|its| its.in_flight));
        table.words("state", all().map(|its| its.state), self.states.clone());
        Ok(table)
    }
}

/// Bit/s of so many bytes per second.
fn bits(bytes_per_second: u64) -> f64 {
    bytes_per_second as f64 * BITS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Values;

    const STANDING: Standing = Standing {
        pacing_rate_bit_s: 8.0,
        delivery_rate_bit_s: f64::NAN,
        min_rtt_s: f64::NAN,
        in_flight: 1,
        state: None,
    };

    #[test]
    fn states_are_words_and_may_be_absent() {
        let mut states = Words::default();
        let numbers = ["startup", "drain", "startup"].map(|word| Some(states.number_of(word)));
        assert_eq!(numbers, [Some(0), Some(1), Some(0)]);
        let mut log = Log::unbounded();
        for state in [None, numbers[1], numbers[2]] {
            log.add(0, 0, Time::ZERO, Standing { state, ..STANDING });
        }
        let bins = TransportBins { width: Time::from_ms(1), last: OfFlows::default(), log, states };
        let table = bins.table().expect("three may be recorded");
        let Some(("state", Values::Words(numbers, words))) = table.columns.last() else { panic!("a state") };
        let read: Vec<_> = numbers.iter().map(|number| number.map(|at| &*words.all()[at as usize])).collect();
        assert_eq!(read, [None, Some("drain"), Some("startup")]);
    }
}
