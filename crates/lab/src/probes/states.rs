//! How chosen senders stand: slow start, recovery, a phase of BBR ...

use super::log::{Log, OfFlows};
use crate::columns::{Table, Words};
use crate::error::Error;
use crate::plan::Plan;
use base::Time;
use tcp::{Connection, SenderState};

/// Memory of a row.
pub(super) const ROW_BYTES: usize = Log::<Standing>::row_bytes(6);

const TOO_MANY: &str = "`states_of` gives more than 20000000 rows: name fewer flows in probes.states, or a shorter time in probes.from and probes.until";

/// How a sender stands, and how many time-outs and fast retransmits it has had.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Standing {
    state: SenderState,
    timeouts: u64,
    fast_retransmits: u64,
}

/// How chosen flows' senders stand, whenever that has changed.
pub(super) struct StateTrace {
    last: OfFlows<Option<Standing>>,
    log: Log<Standing>,
}

impl StateTrace {
    /// As the plan configures it.
    pub(super) fn new(plan: &Plan) -> Self {
        Self { last: OfFlows::new(plan, &plan.probes.states_of), log: Log::new(plan) }
    }

    /// A sender has acted. Before the handshake is complete it has no state.
    #[inline]
    pub(super) fn acted(&mut self, at: Time, flow: u32, number: u32, connection: &Connection) {
        let Some(last) = self.last.of(flow, number) else { return };
        if !connection.is_synchronized() {
            return;
        }
        let counters = connection.counters();
        let now = Standing {
            state: connection.sender_state(),
            timeouts: counters.timeouts,
            fast_retransmits: counters.fast_retransmits,
        };
        if *last != Some(now) {
            *last = Some(now);
            self.log.add(flow, number, at, now);
        }
    }

    /// Columns `flow`, `connection`, `time_s`, `state` (a word), `timeouts`, `fast_retransmits` (so far).
    pub(super) fn table(&self) -> Result<Table, Error> {
        let mut table = self.log.table(TOO_MANY)?;
        let mut words = Words::default();
        let mut known: Vec<(SenderState, u32)> = Vec::new();
        let numbers: Vec<_> = self
            .log
            .values()
            .map(|its| {
                let number = known.iter().find(|(state, _)| *state == its.state).map(|(_, number)| *number);
                number.unwrap_or_else(|| {
                    let number = words.number_of(&its.state.to_string());
                    known.push((its.state, number));
                    number
                })
            })
            .collect();
        table.words("state", numbers.into_iter().map(Some), words);
        table.integers("timeouts", self.log.values().map(|its| its.timeouts));
        table.integers("fast_retransmits", self.log.values().map(|its| its.fast_retransmits));
        Ok(table)
    }
}
