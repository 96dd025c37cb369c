//! What both ends sent, as a person reads it, and as a test compares it.

use crate::host::PeerHost;
use crate::network::OPENER;
use crate::stack::Stack;
use base::Time;
use sim::link::LinkEvent;
use sim::{Event, HostId, Observer};
use std::fmt::Write;
use tcp::Segment;

/// A line for each segment that is sent, lost or doubled or arrives, and for each change of a
/// window or a state. `A` opened the connection, `B` waited for it.
#[derive(Default)]
pub(crate) struct Trace {
    text: String,
    last: [String; 2],
}

impl Trace {
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    fn line(&mut self, at: Time, host: HostId, what: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{at}  {} {what}", name(host)).expect("writing to a string cannot fail");
    }
}

fn name(host: HostId) -> char {
    if host == OPENER { 'A' } else { 'B' }
}

/// State and window of an end.
fn condition(host: &PeerHost) -> String {
    let state = host.stack.state();
    match &host.stack {
        Stack::Ours(connection, _) => {
            let (window, recovery) = (connection.window(), connection.ca_state());
            format!("{state:?} {recovery:?} cwnd {} ssthresh {}", window.cwnd(), window.ssthresh())
        }
        Stack::Smoltcp(_) => format!("{state:?} (smoltcp)"),
    }
}

impl Observer<PeerHost> for Trace {
    fn on(&mut self, at: Time, event: &Event<'_, PeerHost>) {
        match event {
            Event::Sent(_, packet) => self.line(at, packet.from, format_args!("> {}", packet.payload)),
            Event::Delivered(_, packet) => self.line(at, packet.to, format_args!("< {}", packet.payload)),
            Event::Link(_, LinkEvent::Dropped(packet, cause)) => {
                self.line(at, packet.from, format_args!("x {} ({cause:?})", packet.payload));
            }
            Event::Link(_, LinkEvent::Duplicated { packet, .. }) => {
                self.line(at, packet.from, format_args!("= {} (twice)", packet.payload));
            }
            Event::Acted(id, host) => {
                let now = condition(host);
                let last = &mut self.last[id.0 as usize];
                if *last != now {
                    last.clone_from(&now);
                    self.line(at, *id, format_args!("  {now}"));
                }
            }
            _ => {}
        }
    }
}

/// What each end sent, and when; and when the listener had everything.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) sent: Vec<(Time, Segment)>,
    pub(crate) answered: Vec<(Time, Segment)>,
    /// When the listener's last byte was delivered in order.
    pub(crate) delivered_at: Time,
    delivered: u64,
}

impl Observer<PeerHost> for Record {
    fn on(&mut self, at: Time, event: &Event<'_, PeerHost>) {
        match event {
            Event::Sent(_, packet) if packet.from == OPENER => {
                self.sent.push((at, (*packet.payload).clone()));
            }
            Event::Sent(_, packet) => self.answered.push((at, (*packet.payload).clone())),
            Event::Acted(id, host) if *id != OPENER && host.stack.delivered() > self.delivered => {
                self.delivered = host.stack.delivered();
                self.delivered_at = at;
            }
            _ => {}
        }
    }
}
