//! How many cells each VC of a class has queued, and the total weight of the VCs with queued cells.

/// The counts; VCs by their numbers in the class.
#[derive(Clone, Debug)]
pub(super) struct VcCounts {
    /// Cells of each VC, and its weight.
    vcs: Vec<(u32, u64)>,
    active: u32,
    active_weight: u64,
}

/// What a VC sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// Its cells, and its weight.
    pub(super) queued: u32,
    pub(super) weight: u64,
    /// VCs with cells, and their total weight.
    pub(super) active: u32,
    pub(super) active_weight: u64,
}

impl VcCounts {
    /// No cells queued, for VCs with these weights.
    pub(super) fn new(weights: impl Iterator<Item = u64>) -> Self {
        Self { vcs: weights.map(|weight| (0, weight)).collect(), active: 0, active_weight: 0 }
    }

    pub(super) fn seen_by(&self, vc: u32) -> Seen {
        let (queued, weight) = self.vcs[vc as usize];
        Seen { queued, weight, active: self.active, active_weight: self.active_weight }
    }

    /// A cell has come.
    pub(super) fn add(&mut self, vc: u32) {
        let (queued, weight) = &mut self.vcs[vc as usize];
        *queued += 1;
        if *queued == 1 {
            self.active += 1;
            self.active_weight += *weight;
        }
    }

    /// A cell has left.
    pub(super) fn remove(&mut self, vc: u32) {
        let (queued, weight) = &mut self.vcs[vc as usize];
        *queued -= 1;
        if *queued == 0 {
            self.active -= 1;
            self.active_weight -= *weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_vcs_with_cells_weigh() {
        let mut counts = VcCounts::new([5, 0, 7].into_iter());
        let seen = |counts: &VcCounts, vc| {
            let Seen { queued, weight, active, active_weight } = counts.seen_by(vc);
            (queued, weight, active, active_weight)
        };
        [0, 0, 1].into_iter().for_each(|vc| counts.add(vc));
        assert_eq!((seen(&counts, 0), seen(&counts, 2)), ((2, 5, 2, 5), (0, 7, 2, 5)));
        counts.add(2);
        [0, 0].into_iter().for_each(|vc| counts.remove(vc));
        assert_eq!(seen(&counts, 1), (1, 0, 2, 7));
    }
}
