//! What limits a sender, and for how long.
//!
//! Source: RFC 4898 (`SndLimTimeCwnd`, `SndLimTimeRwin`, `SndLimTimeSnd`): whenever a sender stops sending, what has
//! stopped it counts until it stops the next time. Linux' `tcpi_rwnd_limited` (`tcp_chrono_start`) is the same for
//! the receive window.
//!
//! Choices: of two windows it is the smaller one that limits, and of equal ones the receive window. A sender that
//! has sent everything that was written is limited by its application, also while data are in flight; so is one that
//! Nagle's algorithm holds back. A handshake, and what follows the ACK of the FIN, count for nothing.

use base::Time;
use core::ops::AddAssign;

/// What a sender waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// The network: cwnd, or a recovery.
    Cwnd,
    /// The receiver: its window.
    Rwnd,
    /// The application: nothing is left to send.
    App,
}

/// For how long a sender was limited, and by what, ps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limited {
    /// By cwnd.
    pub cwnd_ps: u64,
    /// By the receive window.
    pub rwnd_ps: u64,
    /// By its application.
    pub app_ps: u64,
}

impl AddAssign for Limited {
    fn add_assign(&mut self, other: Self) {
        self.cwnd_ps += other.cwnd_ps;
        self.rwnd_ps += other.rwnd_ps;
        self.app_ps += other.app_ps;
    }
}

/// What limits a sender now, since when, and what did before.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SenderLimits {
    /// None while there is no connection.
    now: Option<Limit>,
    since: Time,
    before: Limited,
}

impl SenderLimits {
    /// Notes what limits the sender from `now` on; none: there is no connection.
    #[inline(always)]
    pub(crate) fn set(&mut self, now: Time, limit: Option<Limit>) {
        if self.now != limit {
            self.change(now, limit);
        }
    }

    #[inline(never)]
    fn change(&mut self, now: Time, limit: Option<Limit>) {
        self.before = self.until(now);
        (self.now, self.since) = (limit, now);
    }

    /// For how long, up to `now`.
    pub(crate) fn until(&self, now: Time) -> Limited {
        let mut limited = self.before;
        let passed = now.saturating_sub(self.since).as_ps();
        match self.now {
            Some(Limit::Cwnd) => limited.cwnd_ps += passed,
            Some(Limit::Rwnd) => limited.rwnd_ps += passed,
            Some(Limit::App) => limited.app_ps += passed,
            None => {}
        }
        limited
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::connection::Connection;
    use crate::flavor::Flavor;
    use crate::rtt::TickClock;
    use crate::segment::Segment;

    const MS: fn(u64) -> Time = Time::from_ms;

    fn ack(ack: u64, window: u16) -> Segment {
        Segment { seq: 1, ack: Some(ack), window, ..Segment::default() }
    }

    /// A sender to which a SYN of a window of 60 000 bytes comes at 100 ms.
    fn connected(bytes: u64, nagle: bool) -> Connection {
        let preset = Config::preset(Flavor::named("reno").expect("a flavor"));
        let clock = TickClock { tick: MS(100), phase: Time::ZERO };
        let mut sender = Connection::new(Config { nagle, ..preset }, clock);
        sender.connect();
        sender.write(bytes);
        take(&mut sender, Time::ZERO, None);
        let mss = Some(1000);
        take(&mut sender, MS(100), Some(&Segment { syn: true, seq: 0, mss, ..ack(1, 60_000) }));
        sender
    }

    fn take(sender: &mut Connection, now: Time, segment: Option<&Segment>) {
        segment.into_iter().for_each(|segment| sender.on_segment(now, segment));
        while sender.poll(now).is_some() {}
    }

    fn times(sender: &Connection, now: Time) -> [u64; 3] {
        let Limited { cwnd_ps, rwnd_ps, app_ps } = sender.limited(now);
        [cwnd_ps, rwnd_ps, app_ps].map(|ps| Time::from_ps(ps).as_ps() / MS(1).as_ps())
    }

    #[test]
    fn each_limit_has_its_time_from_the_handshake_to_the_ack_of_the_fin() {
        let mut sender = connected(12_000, false);
        assert_eq!(times(&sender, MS(100)), [0, 0, 0], "a handshake is no limit");
        // Ten of twelve segments are out; then the peer has room for the five in flight and half a segment more.
        assert_eq!(times(&sender, MS(170)), [70, 0, 0]);
        take(&mut sender, MS(200), Some(&ack(5001, 5500)));
        take(&mut sender, MS(300), Some(&ack(10_001, 60_000)));
        assert_eq!(times(&sender, MS(300)), [100, 100, 0]);
        take(&mut sender, MS(400), Some(&ack(12_001, 60_000)));
        sender.close();
        take(&mut sender, MS(500), None);
        assert_eq!(times(&sender, MS(550)), [100, 100, 250]);
        take(&mut sender, MS(600), Some(&ack(12_002, 60_000)));
        assert_eq!(times(&sender, MS(9000)), [100, 100, 300], "the connection is over");
    }

    #[test]
    fn what_nagle_holds_back_waits_for_the_application() {
        let mut sender = connected(1500, true);
        assert_eq!(times(&sender, MS(150)), [0, 0, 50]);
        sender.write(10_000);
        take(&mut sender, MS(150), None);
        assert_eq!(times(&sender, MS(250)), [100, 0, 50]);
    }

    /// A time-out sends again from the first segment on, as cwnd allows; its ACK may be of everything.
    #[test]
    fn a_sender_that_has_recovered_everything_waits_for_the_application() {
        let mut sender = connected(3000, false);
        let timeout = sender.next_timer();
        let before = (timeout - MS(100)).as_ps() / MS(1).as_ps();
        sender.on_timer(timeout);
        take(&mut sender, timeout, None);
        assert_eq!(times(&sender, timeout + MS(80)), [80, 0, before]);
        take(&mut sender, timeout + MS(100), Some(&ack(3001, 60_000)));
        assert_eq!(times(&sender, timeout + MS(150)), [100, 0, before + 50]);
    }

    #[test]
    fn a_reset_ends_it() {
        let mut sender = connected(20_000, false);
        sender.abort();
        take(&mut sender, MS(150), None);
        assert_eq!(times(&sender, MS(1000)), [50, 0, 0]);
    }
}
