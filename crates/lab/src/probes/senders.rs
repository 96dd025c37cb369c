//! What is recorded at senders.

use super::cwnd::CwndTrace;
use super::log::Window;
use super::rtt::RttTrace;
use super::states::StateTrace;
use super::transport::TransportBins;
use crate::columns::Recorded;
use crate::error::Error;
use crate::host::Host;
use crate::plan::Plan;
use base::Time;

/// What a plan asks to record at senders.
pub(super) struct Senders {
    window: Window,
    /// Whether anything of a flow is recorded.
    flows: Vec<bool>,
    transport: Option<TransportBins>,
    cwnd: Option<CwndTrace>,
    rtt: Option<RttTrace>,
    states: Option<StateTrace>,
}

impl Senders {
    /// As the plan configures it; none if it does not.
    pub(super) fn of(plan: &Plan) -> Option<Self> {
        let wanted = &plan.probes;
        let of_all = wanted.transport_bin_ps.is_some();
        let of_flows = [&wanted.cwnd_of, &wanted.rtt_of, &wanted.states_of].map(|flows| &flows[..]).concat();
        let mut flows = vec![of_all; plan.flow_count() as usize];
        of_flows.iter().for_each(|&flow| flows[flow as usize] = true);
        (of_all || !of_flows.is_empty()).then(|| Self {
            window: Window::new(wanted),
            flows,
            transport: wanted.transport_bin_ps.map(|width| TransportBins::new(plan, width)),
            cwnd: (!wanted.cwnd_of.is_empty()).then(|| CwndTrace::new(plan)),
            rtt: (!wanted.rtt_of.is_empty()).then(|| RttTrace::new(plan)),
            states: (!wanted.states_of.is_empty()).then(|| StateTrace::new(plan)),
        })
    }

    /// The sender of a flow has acted.
    #[inline(always)]
    pub(super) fn acted(&mut self, at: Time, flow: u32, sender: &Host) {
        if self.flows[flow as usize] {
            self.recorded_acted(at, flow, sender);
        }
    }

    #[inline(never)]
    fn recorded_acted(&mut self, at: Time, flow: u32, sender: &Host) {
        for (number, connection) in sender.connections() {
            if let Some(transport) = &mut self.transport {
                transport.acted(at, flow, number, connection);
            }
            if self.window.is_over(at) {
                continue;
            }
            if let Some(cwnd) = &mut self.cwnd {
                cwnd.acted(at, flow, number, connection);
            }
            if let Some(rtt) = &mut self.rtt {
                rtt.acted(at, flow, number, connection);
            }
            if let Some(states) = &mut self.states {
                states.acted(at, flow, number, connection);
            }
        }
    }

    /// Adds their tables.
    ///
    /// # Errors
    /// If a probe recorded more than it may.
    pub(super) fn record(&self, tables: &mut Recorded) -> Result<(), Error> {
        if let Some(transport) = &self.transport {
            tables.transport = transport.table()?;
        }
        if let Some(cwnd) = &self.cwnd {
            tables.cwnd = cwnd.table()?;
        }
        if let Some(rtt) = &self.rtt {
            tables.rtt = rtt.table()?;
        }
        if let Some(states) = &self.states {
            tables.states = states.table()?;
        }
        Ok(())
    }
}
