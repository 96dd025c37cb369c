//! The shaper of CAKE: what a packet takes on the wire, and when the next one may be sent.
//!
//! Source: Linux 6, net/sched/sch_cake.c (`cake_calc_overhead`, `cake_advance_shaper`, `cake_set_rate`).
//!
//! A clock of virtual time says when the next packet may be sent. Each packet moves it on by its time at the rate. As the
//! clock starts from the present only when a packet comes to an empty queue, nothing is saved up while there is nothing
//! to send; but what is sent too late because the link was busy is made up for.
//!
//! Tins have such clocks too, which do not hold packets back but say whether a tin has used up its share.

use base::{Rate, Time};

/// Words for [`Framing`].
pub(super) const FRAMINGS: &[&str] = &["none", "atm", "ptm"];
/// The least rate, bit/s, so that waiting times stay reasonable.
pub(super) const LEAST_RATE: u64 = 512;

/// How packets become longer on the wire.
#[derive(Clone, Copy, Debug)]
pub(super) struct Framing {
    pub(super) kind: Kind,
    /// Bytes that are added to each packet.
    pub(super) overhead: u64,
    /// What the sum is at least, bytes.
    pub(super) mpu: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    None,
    /// Blocks of 53 bytes carry 48 each.
    Blocks,
    /// A byte for each 64, or what is left of them.
    Ptm,
}

impl Kind {
    /// By its place among the words.
    pub(super) fn of(word: u64) -> Self {
        [Self::None, Self::Blocks, Self::Ptm][word as usize]
    }
}

impl Framing {
    /// Bytes that a packet takes.
    pub(super) fn length(self, bytes: u32) -> u64 {
        let length = (u64::from(bytes) + self.overhead).max(self.mpu);
        match self.kind {
            Kind::None => length,
            Kind::Blocks => length.div_ceil(48) * 53,
            Kind::Ptm => length + length.div_ceil(64),
        }
    }
}

/// Virtual time at a rate; without a rate it stands still.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub(super) rate: Option<Rate>,
    /// When the next packet may be sent.
    pub(super) next: Time,
}

impl Clock {
    pub(super) fn new(rate: Option<Rate>) -> Self {
        Self { rate, next: Time::ZERO }
    }

    pub(super) fn allows(&self, now: Time) -> bool {
        self.next <= now
    }

    /// A packet has come, and nothing has been waiting.
    pub(super) fn wake(&mut self, now: Time) {
        self.next = self.next.max(now);
    }

    /// A packet of this length is sent.
    pub(super) fn charge(&mut self, length: u64) {
        self.next = self.next.saturating_add(self.time_for(length));
    }

    /// The same for a tin, which may have been sending although it was too early: that costs it no more than one packet.
    pub(super) fn charge_share(&mut self, length: u64, now: Time) {
        let time = self.time_for(length);
        if self.next < now {
            self.next = self.next.saturating_add(time);
        } else {
            self.next = self.next.max(now.saturating_add(time));
        }
    }

    fn time_for(&self, length: u64) -> Time {
        self.rate.map_or(Time::ZERO, |rate| rate.time_for(length))
    }
}
