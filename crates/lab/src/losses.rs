//! Losses of the foreground flows, and the loss events that they make up.
//!
//! Source: N. Parvez, A. Mahanti, C. Williamson, An Analytic Throughput Model for TCP NewReno, section
//! II-B: for a congestion window of W' segments, a loss event begins with a lost segment, all losses
//! within the next W' segments belong to it, and it spans at most one RTT.
//!
//! Here, when a segment is lost, n is the number of segments that its sender has sent by then,
//! retransmissions included, and W' is cwnd in whole segments, at least 1, both after everything that
//! the sender does at that time. The loss begins a new event if n has reached the end of the last
//! event, which for the first is 0; the new event then ends at n + W'. Otherwise it belongs to the last
//! event. The position in the sequence of transmissions counts, not the sequence number. So a
//! retransmission a window later that is lost again begins a new event.
//!
//! Deviations: n is that of the time of the loss, not the lost segment's own position. So a loss in a burst,
//! or further down the path, ends its event later by the segments sent meanwhile, and a stalled sender may
//! retransmit before it has reached that end. cwnd counts even if the receiver's window is smaller; such an
//! event lasts longer than an RTT. A FIN without data counts as a segment sent, as in the totals.
//!
//! Every segment with data from the flow's sender that a queue or a link loses counts, including copies that a
//! link made. Each connection of a flow has its own events.

use crate::columns::{Columns, Table};
use crate::host::{Host, Payload};
use crate::plan::{Link, Plan};
use crate::recorder::Recorder;
use base::Time;
use sim::link::LinkEvent;
use sim::{Event, LinkId, Observer, Packet};
use std::collections::VecDeque;
use tcp::Connection;

/// An observer that counts losses and loss events of the foreground flows, after the warm-up.
pub(crate) struct Losses {
    warm_up: Time,
    /// The longest time between a loss and its report.
    delay: Time,
    /// By number; none is of the background.
    flows: Vec<Option<Box<Flow>>>,
}

/// One flow.
#[derive(Default)]
struct Flow {
    /// Losses in the order of time. They wait here because another link may still report an earlier one.
    told: VecDeque<Loss>,
    /// Those before have been counted.
    counted: Time,
    /// Its connections and their numbers, which grow.
    connections: Vec<(u32, Sender)>,
    segments_lost: u64,
    loss_events: u64,
}

/// In the order in which they count: by time, and of those at one time by connection. Losses of one
/// connection at one time are all the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Loss {
    at: Time,
    connection: u32,
}

/// One end of a connection.
#[derive(Default)]
struct Sender {
    /// Its states with their start times, as far back as losses may still be reported.
    spans: VecDeque<(Time, Standing)>,
    /// Where the last loss event ends, in segments sent.
    event_end: u64,
}

/// The state of an end of a connection.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
struct Standing {
    /// Segments that it has sent so far, including retransmissions.
    sent: u64,
    /// Its congestion window, and a full segment, bytes.
    cwnd: u64,
    smss: u64,
}

impl Standing {
    fn of(connection: &Connection) -> Self {
        let cwnd = connection.window().cwnd();
        Self { sent: connection.counters().segments_sent, cwnd, smss: connection.sender().smss }
    }

    /// Its congestion window in whole segments, at least 1.
    fn window(self) -> u64 {
        (self.cwnd / self.smss.max(1)).max(1)
    }
}

impl Losses {
    /// Of the flows that the plan marks.
    pub(crate) fn new(plan: &Plan) -> Self {
        Self {
            warm_up: Time::from_ps(plan.warm_up_ps),
            delay: plan.links.iter().map(longest_delay).max().unwrap_or(Time::ZERO),
            flows: plan.each_flow().map(|flow| flow.foreground.then(Box::default)).collect(),
        }
    }

    /// Columns `flow`, `segments_lost`, `loss_events`; none without a foreground flow.
    pub(crate) fn into_table(mut self) -> Table {
        let mut table = Table::default();
        let mut rows = Vec::new();
        for (number, flow) in (0..).zip(&mut self.flows) {
            if let Some(flow) = flow {
                flow.count(Time::NEVER, self.warm_up);
                rows.push((number, flow.segments_lost, flow.loss_events));
            }
        }
        if !rows.is_empty() {
            table.integers("flow", rows.iter().map(|row| row.0));
            table.integers("segments_lost", rows.iter().map(|row| row.1));
            table.integers("loss_events", rows.iter().map(|row| row.2));
        }
        table
    }

    #[inline(never)]
    fn on_acted(&mut self, at: Time, host: u32, stands: &Host) {
        let (warm_up, known_until) = (self.warm_up, at.saturating_sub(self.delay));
        let Some(flow) = self.flow_of(host) else { return };
        flow.count(known_until, warm_up);
        for (number, connection) in stands.connections() {
            flow.sender(number).stands(at, Standing::of(connection), known_until);
        }
    }

    #[inline(never)]
    fn on_dropped(&mut self, at: Time, packet: &Packet<Payload>) {
        if packet.payload.segment().is_none_or(|segment| segment.len == 0) {
            return;
        }
        let Some(flow) = self.flow_of(packet.from.0) else { return };
        flow.tell(Loss { at, connection: packet.flow });
    }

    /// A foreground flow by the number of its sender: hosts flows .. 2 flows are the senders.
    fn flow_of(&mut self, host: u32) -> Option<&mut Flow> {
        let number = (host as usize).checked_sub(self.flows.len())?;
        self.flows[number].as_deref_mut()
    }
}

/// A link may report a loss late, but no later than the time at which the packet would have arrived.
fn longest_delay(link: &Link) -> Time {
    Time::from_ps(match link {
        Link::Packets { delay_ps, delay_draw, varies, .. } => {
            let drawn = delay_ps + delay_draw.map_or(0, |draw| draw.spread_ps);
            varies.as_ref().map_or(drawn, |varies| varies.how.longest_delay(drawn))
        }
        Link::Cells { access, trunk, .. } => {
            access.cell_time_ps + access.delay_ps + trunk.cell_time_ps + trunk.delay_ps
        }
        // The lost packet would have crossed the last line.
        Link::Atm(atm) => atm.lines.iter().map(|line| line.cell_time_ps + line.delay_ps).max().unwrap_or(0),
        Link::Group { links, .. } => return links.iter().map(longest_delay).max().unwrap_or(Time::ZERO),
    })
}

impl Observer<Host> for Losses {
    fn follows(&self, _: LinkId) -> bool {
        false
    }

    // Inlined, so that of all other events nothing is left.
    #[inline(always)]
    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        match event {
            Event::Acted(id, host) if self.flow_of(id.0).is_some() => self.on_acted(at, id.0, host),
            Event::Link(_, LinkEvent::Dropped(packet, _)) => self.on_dropped(at, packet),
            _ => {}
        }
    }
}

impl Recorder for Losses {
    fn end(self, columns: &mut Columns) {
        columns.foreground = self.into_table();
    }
}

impl Flow {
    fn tell(&mut self, loss: Loss) {
        debug_assert!(self.counted <= loss.at, "a link has reported a loss later than it may");
        let place = self.told.partition_point(|other| *other <= loss);
        self.told.insert(place, loss);
    }

    /// Its end of a connection.
    fn sender(&mut self, number: u32) -> &mut Sender {
        let place = self.connections.binary_search_by_key(&number, |connection| connection.0);
        let place = place.unwrap_or_else(|place| {
            self.connections.insert(place, (number, Sender::default()));
            place
        });
        &mut self.connections[place].1
    }

    /// Counts the losses before `until`, all of which have been reported.
    fn count(&mut self, until: Time, warm_up: Time) {
        self.counted = until;
        while let Some(&loss) = self.told.front().filter(|loss| loss.at < until) {
            self.told.pop_front();
            let sender = self.sender(loss.connection);
            let stood = sender.stood(loss.at);
            let begins = stood.sent >= sender.event_end;
            if begins {
                sender.event_end = stood.sent + stood.window();
            }
            // The totals, too, exclude events exactly at the end of the warm-up.
            if loss.at > warm_up || warm_up == Time::ZERO {
                self.segments_lost += 1;
                self.loss_events += u64::from(begins);
            }
        }
    }
}

impl Sender {
    /// Records its state after it has acted, and drops states that ended before `from`, which no report needs.
    fn stands(&mut self, at: Time, standing: Standing, from: Time) {
        while self.spans.get(1).is_some_and(|next| next.0 <= from) {
            self.spans.pop_front();
        }
        match self.spans.back_mut() {
            Some(last) if last.1 == standing => {}
            Some(last) if last.0 == at => last.1 = standing,
            _ => self.spans.push_back((at, standing)),
        }
    }

    fn stood(&self, at: Time) -> Standing {
        let after = self.spans.partition_point(|since| since.0 <= at);
        after.checked_sub(1).map_or_else(Standing::default, |last| self.spans[last].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: u64 = 10;
    const NEVER: Time = Time::NEVER;

    fn ms(ms: u64) -> Time {
        Time::from_ms(ms)
    }

    fn loss(at: u64) -> Loss {
        of(0, at)
    }

    fn of(connection: u32, at: u64) -> Loss {
        Loss { at: ms(at), connection }
    }

    /// A flow whose connection 0 has since these milliseconds sent so much and such a window.
    fn flow(spans: &[(u64, u64, u64)]) -> Flow {
        let mut flow = Flow::default();
        for &(at, sent, window) in spans {
            stands(&mut flow, 0, at, sent, window);
        }
        flow
    }

    /// A flow whose connection 0 sends a segment each millisecond, in windows of 4.
    fn steady() -> Flow {
        let spans: Vec<_> = (0..10).map(|at| (at, at, 4)).collect();
        flow(&spans)
    }

    fn stands(flow: &mut Flow, connection: u32, at: u64, sent: u64, window: u64) {
        let from = ms(at).saturating_sub(ms(LATE));
        let standing = Standing { sent, cwnd: 1000 * window, smss: 1000 };
        flow.sender(connection).stands(ms(at), standing, from);
    }

    /// Segments lost and loss events, of losses reported in this order.
    fn counted(mut flow: Flow, warm_up: u64, losses: &[Loss]) -> (u64, u64) {
        losses.iter().for_each(|&loss| flow.tell(loss));
        flow.count(NEVER, ms(warm_up));
        (flow.segments_lost, flow.loss_events)
    }

    #[test]
    fn losses_within_a_window_of_the_first_are_one_event() {
        assert_eq!(counted(steady(), 0, &[1, 1, 2, 4].map(loss)), (4, 1));
        assert_eq!(counted(steady(), 0, &[1, 5, 6, 8, 9].map(loss)), (5, 3));
    }

    /// A window that shrinks or grows within an event does not move its end.
    #[test]
    fn the_end_of_an_event_stays() {
        let spans = [(0, 0, 4), (1, 1, 1), (2, 3, 9), (3, 4, 9), (4, 12, 9), (5, 13, 9)];
        assert_eq!(counted(flow(&spans), 0, &[0, 1, 2].map(loss)), (3, 1));
        assert_eq!(counted(flow(&spans), 0, &[0, 3, 4].map(loss)), (3, 2));
        assert_eq!(counted(flow(&spans), 0, &[0, 3, 5].map(loss)), (3, 3));
    }

    /// A window of 4 is lost; a time-out later its first segment is sent again, and lost, and again.
    #[test]
    fn what_is_lost_again_a_time_out_later_is_a_new_event() {
        let spans = [(1, 1, 4), (2, 4, 4), (1000, 5, 1), (3000, 6, 1)];
        let mut flow = Flow::default();
        for (at, sent, window) in spans {
            stands(&mut flow, 0, at, sent, window);
            flow.tell(loss(at));
            flow.count(ms(at + 1), ms(0));
        }
        assert_eq!((flow.segments_lost, flow.loss_events), (4, 3));
    }

    /// What the sender had sent and its window count as of the time of the loss, not of its report.
    #[test]
    fn the_sender_counts_as_it_stood_at_the_time_of_the_loss() {
        let spans = [(0, 10, 4), (5, 11, 1), (5, 12, 2), (6, 13, 2), (7, 14, 2), (8, 15, 9)];
        let events = |losses: &[u64]| {
            let losses: Vec<_> = losses.iter().copied().map(loss).collect();
            counted(flow(&spans), 0, &losses).1
        };
        assert_eq!((events(&[4, 6]), events(&[4, 7])), (1, 2));
        assert_eq!((events(&[5, 6]), events(&[5, 7])), (1, 2));
        assert_eq!((events(&[6, 7]), events(&[6, 8])), (1, 2));
    }

    #[test]
    fn losses_count_in_the_order_of_time() {
        assert_eq!(counted(steady(), 0, &[5, 1].map(loss)), (2, 2));
        assert_eq!(counted(steady(), 0, &[7, 3, 5].map(loss)), (3, 2));
        assert_eq!(counted(steady(), 0, &[8, 5, 2].map(loss)), (3, 2));
    }

    #[test]
    fn a_connection_has_events_of_its_own() {
        let mut flow = steady();
        stands(&mut flow, 1, 3, 1, 1);
        stands(&mut flow, 1, 6, 2, 1);
        assert_eq!(counted(flow, 0, &[loss(4), of(1, 5), of(1, 6), loss(7)]), (4, 3));
    }

    #[test]
    fn an_event_of_the_warm_up_goes_on_after_it() {
        let losses = [3, 4, 6, 9].map(loss);
        assert_eq!(counted(steady(), 3, &losses), (3, 1));
        assert_eq!(counted(steady(), 4, &losses), (2, 1));
        assert_eq!(counted(steady(), 9, &losses), (0, 0));
    }

    #[test]
    fn what_nobody_asks_for_is_forgotten() {
        let mut flow = flow(&[]);
        for at in 0..1000 {
            stands(&mut flow, 0, at, at, 4);
        }
        let sender = flow.sender(0);
        assert!(sender.spans.len() as u64 <= LATE + 2);
        assert_eq!((sender.stood(ms(999 - LATE)).sent, sender.stood(NEVER).sent), (999 - LATE, 999));
    }

    /// A loss is not counted while a link may still report an earlier one.
    #[test]
    fn a_loss_waits_until_all_earlier_ones_are_told_of() {
        let mut flow = steady();
        flow.tell(loss(5));
        flow.count(ms(5), ms(0));
        assert_eq!((flow.segments_lost, flow.told.len()), (0, 1));
        flow.count(ms(6), ms(0));
        assert_eq!((flow.segments_lost, flow.told.len()), (1, 0));
    }
}
