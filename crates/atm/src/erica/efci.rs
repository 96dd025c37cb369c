//! EFCI marking: data cells are marked while the queue is long.
//!
//! Source: ATM Forum TM 4.0 (af-tm-0056.000), switch behaviour, rule 1a: a switch may set the EFCI bit
//! of data cells when it is congested. The standard does not define congestion. Here it is more than a
//! threshold of ABR cells in the queue that the cell finds, without itself.
//!
//! | parameter | unit |
//! |---|---|
//! | threshold | cells |

use super::{PortQueue, RateControl};

/// EFCI marking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Efci {
    /// Above this many ABR cells data cells are marked.
    pub threshold: u32,
}

impl RateControl for Efci {
    fn marks(&self, queue: &PortQueue) -> bool {
        queue.abr_cells > self.threshold
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Time;

    #[test]
    fn marks_above_the_threshold_and_has_no_intervals() {
        let mut efci = Efci { threshold: 1000 };
        let queue = |abr_cells| PortQueue { abr_cells, cell_rate: 106_132.0 };
        assert!(!efci.marks(&queue(1000)));
        assert!(efci.marks(&queue(1001)));
        assert!(!efci.arrival(Time::ZERO, 0));
        assert_eq!(efci.interval_end(), Time::NEVER);
    }
}
