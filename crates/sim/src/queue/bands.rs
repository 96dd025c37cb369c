//! Three bands of priority, by the DSCP of a packet.
//!
//! Source: RFC 8325, section 4.3, and RFC 8622 for LE. What they map to the access category of voice is high, and what
//! they map to background low. Video and best effort share the middle: under strict priority video would starve all
//! else. Linux 6, net/sched/sch_cake.c, has the same three classes (diffserv3), except that code point 4 is a high one
//! too.
//!
//! | band | DSCP |
//! |---|---|
//! | high | EF, VA, CS6, CS7 |
//! | middle | all others |
//! | low | CS1, LE |
//!
//! Deviation: Linux's prio, pfifo_fast and fq take the band from a packet's priority. If no application sets it, IP
//! derives it from the four bits of the old TOS field (`rt_tos2priority`), and ignores the upper half of the DSCP. CS6
//! and CS1 are both in the middle there.

/// How many bands there are.
pub(super) const BANDS: usize = 3;

const HIGH: usize = 0;
const MIDDLE: usize = 1;
const LOW: usize = 2;

/// The band of a DSCP; 0 goes first.
pub(super) fn band_of(dscp: u8) -> usize {
    const EF: u8 = 46;
    const VA: u8 = 44;
    const CS1: u8 = 8;
    const CS6: u8 = 48;
    const CS7: u8 = 56;
    const LE: u8 = 1;
    match dscp {
        EF | VA | CS6 | CS7 => HIGH,
        CS1 | LE => LOW,
        _ => MIDDLE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_code_points_are_not_in_the_middle() {
        let of = |band| (0..64).filter(|&dscp| band_of(dscp) == band).collect::<Vec<u8>>();
        assert_eq!(of(HIGH), [0b10_1100, 0b10_1110, 0b11_0000, 0b11_1000]);
        assert_eq!(of(LOW), [0b00_0001, 0b00_1000]);
        assert_eq!(of(MIDDLE).len(), 58);
    }
}
