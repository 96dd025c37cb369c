//! A readable trace: one line for each segment and each change of the sender.
//!
//! `>` is a segment that the traced host sends, `<` one that reaches it, `x` one of its own that is lost.

use crate::host::Host;
use base::Time;
use sim::link::LinkEvent;
use sim::{Event, HostId, Observer};

/// Records the segments that one host sends and receives, and the changes of its window.
pub struct Trace {
    host: HostId,
    lines: Vec<(Time, String)>,
    last: (u64, u64, bool),
}

impl Trace {
    /// Of this host.
    #[must_use]
    pub fn of(host: HostId) -> Self {
        Self { host, lines: Vec::new(), last: (0, 0, false) }
    }

    /// What was written down.
    #[must_use]
    pub fn into_text(self) -> String {
        self.lines.into_iter().map(|line| line.1).collect()
    }

    fn line(&mut self, at: Time, what: std::fmt::Arguments<'_>) {
        self.lines.push((at, format!("{at}  {what}\n")));
    }
}

impl Observer<Host> for Trace {
    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        match event {
            Event::Sent(_, packet) if packet.from == self.host => {
                self.line(at, format_args!("> {}", packet.payload));
            }
            Event::Delivered(_, packet) if packet.to == self.host => {
                self.line(at, format_args!("< {}", packet.payload));
            }
            Event::Link(_, LinkEvent::Dropped(packet, cause)) if packet.from == self.host => {
                // A link may report an event late, with its true time.
                let place = self.lines.partition_point(|line| line.0 < at);
                let line = format!("{at}  x {} ({cause:?})\n", packet.payload);
                self.lines.insert(place, (at, line));
            }
            Event::Acted(id, host) if *id == self.host => {
                let Some(connection) = host.connection() else { return };
                let window = connection.window();
                let now = (window.cwnd(), window.ssthresh(), connection.in_recovery());
                if now != self.last {
                    self.last = now;
                    let recovery = if now.2 { ", in recovery" } else { "" };
                    self.line(at, format_args!("  cwnd {} ssthresh {}{recovery}", now.0, now.1));
                }
            }
            _ => {}
        }
    }
}
