//! Whether the pipe is full: the delivery rate no longer grows although more is sent.
//!
//! Source: draft-ietf-ccwg-bbr section 5.3.1.2. Rounds that the application limits do not count.
//!
//! | parameter | value |
//! |---|---|
//! | growth that counts | 25 % |
//! | rounds without it | 3 |

/// `BBR.full_bw*`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FullPipe {
    /// The rate to compare with, bytes per second.
    pub(super) full_bw: u64,
    /// Rounds without growth.
    pub(super) full_bw_count: u32,
    /// The pipe is full since the search last began.
    pub(super) full_bw_now: bool,
    /// It was full at any time.
    pub(super) full_bw_reached: bool,
}

const ROUNDS: u32 = 3;

impl FullPipe {
    /// `ResetFullBW`: a search begins, and a rate to compare with.
    pub(super) fn reset(&mut self, full_bw: u64) {
        (self.full_bw, self.full_bw_count, self.full_bw_now) = (full_bw, 0, false);
    }

    /// `CheckFullBWReached`, at the start of a round that the application did not limit.
    pub(super) fn on_round(&mut self, delivery_rate: u64) {
        if self.full_bw_now {
            return;
        }
        if delivery_rate * 4 >= self.full_bw * 5 {
            return self.reset(delivery_rate);
        }
        self.full_bw_count += 1;
        if self.full_bw_count >= ROUNDS {
            self.fill();
        }
    }

    /// The pipe is full.
    pub(super) fn fill(&mut self) {
        (self.full_bw_now, self.full_bw_reached) = (true, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_rounds_without_growth_of_a_quarter_fill_the_pipe() {
        let mut its = FullPipe::default();
        for (rate, count) in [(100, 0), (124, 1), (125, 0), (150, 1), (140, 2)] {
            its.on_round(rate);
            assert_eq!((its.full_bw_count, its.full_bw_now), (count, false), "{rate}");
        }
        its.on_round(156);
        assert_eq!((its.full_bw_count, its.full_bw_now, its.full_bw_reached), (3, true, true));
        its.reset(156);
        assert_eq!((its.full_bw_now, its.full_bw_reached), (false, true), "once is for ever");
    }
}
