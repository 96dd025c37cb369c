//! The averaging options of ERICA, for loads and VCs that a single interval does not represent.
//!
//! Source: Kalyanaraman 1997, the options of ERICA: exponential averaging of the load factor (1), of the
//! contribution of VCs (2), immediate update of the fair share (3), VCs seen in both directions (4). 004 names
//! none of them; [`Averaging::OFF`] has none.
//!
//! | option | value | effect | unit |
//! |---|---|---|---|
//! | 1 | ratio | the load factor z is averaged; the average restarts after an infinite z | weight, 0 (exclusive) to 1 |
//! | 1 | parts | input rate and ABR capacity are averaged, then divided | the same |
//! | 2 | decay d | a VC idle for k intervals counts d^k | 1, 0 (off) to 1 (exclusive) |
//! | 3 | | a VC not seen in the last interval counts as soon as it is seen | |
//! | 4 | | a BRM that travels to a VC's source makes the VC active | |
//!
//! Choices: averages are exponential over intervals, however long each was, and begin with the first. With
//! parts, queueing delay, target and fair share are computed from the averaged capacity. With 2 and 3 together,
//! a VC that is seen raises its own contribution to 1.

/// How the load is averaged (option 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoadAverage {
    /// No averaging over intervals.
    None,
    /// The load factor z; the weight is that of the newest interval.
    Ratio(f64),
    /// Input rate and ABR capacity; the weight is that of the newest interval.
    Parts(f64),
}

/// The averaging options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Averaging {
    /// Option 1.
    pub load: LoadAverage,
    /// Option 2: the factor by which each idle interval multiplies a VC's contribution to the number of active
    /// VCs; 0 is off.
    pub vc_decay: f64,
    /// Option 3.
    pub immediate_fair_share: bool,
    /// Option 4.
    pub count_both_directions: bool,
}

impl Averaging {
    /// No option.
    pub const OFF: Self = Self {
        load: LoadAverage::None,
        vc_decay: 0.0,
        immediate_fair_share: false,
        count_both_directions: false,
    };
}

/// Option 1 at work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    option: LoadAverage,
    z: Option<f64>,
    input_and_capacity: Option<(f64, f64)>,
}

impl Load {
    pub(super) fn new(option: LoadAverage) -> Self {
        Self { option, z: None, input_and_capacity: None }
    }

    /// The averaged input rate and ABR capacity, from those of the interval.
    pub(super) fn parts(&mut self, input: f64, capacity: f64) -> (f64, f64) {
        let LoadAverage::Parts(weight) = self.option else {
            return (input, capacity);
        };
        let (old_input, old_capacity) = self.input_and_capacity.unwrap_or((input, capacity));
        let parts = (mix(old_input, input, weight), mix(old_capacity, capacity, weight));
        self.input_and_capacity = Some(parts);
        parts
    }

    /// The averaged load factor, from that of the interval.
    pub(super) fn ratio(&mut self, z: f64) -> f64 {
        let LoadAverage::Ratio(weight) = self.option else {
            return z;
        };
        // An infinite one would stay in the average for ever.
        self.z = z.is_finite().then(|| mix(self.z.unwrap_or(z), z, weight));
        self.z.unwrap_or(z)
    }
}

fn mix(old: f64, new: f64, weight: f64) -> f64 {
    (1.0 - weight) * old + weight * new
}

/// Which VCs are active, and how much each of them counts (option 2).
#[derive(Clone, Debug)]
pub(super) struct ActiveVcs {
    decay: f64,
    /// The number of the interval; the first is 2, so that 0 is never the one before.
    interval: u64,
    /// In which interval each VC was seen last.
    seen: Vec<u64>,
    seen_now: u32,
    /// The contribution of each VC in the last interval; empty without decay.
    contributions: Vec<f64>,
}

impl ActiveVcs {
    pub(super) fn new(decay: f64, vcs: usize) -> Self {
        let contributions = if decay > 0.0 { vec![0.0; vcs] } else { Vec::new() };
        Self { decay, interval: 2, seen: vec![0; vcs], seen_now: 0, contributions }
    }

    /// The number of the interval.
    pub(super) fn interval(&self) -> u64 {
        self.interval
    }

    /// A cell of this VC was seen. Returns by how much this raises the number of active VCs above that of the last
    /// interval.
    pub(super) fn see(&mut self, vc: usize) -> f64 {
        let last = std::mem::replace(&mut self.seen[vc], self.interval);
        if last == self.interval {
            return 0.0;
        }
        self.seen_now += 1;
        if last + 1 == self.interval {
            return 0.0;
        }
        1.0 - self.contributions.get(vc).copied().unwrap_or(0.0)
    }

    /// The interval ends: how many VCs were active in it.
    pub(super) fn end_interval(&mut self) -> f64 {
        let mut active = f64::from(self.seen_now);
        if self.decay > 0.0 {
            for (contribution, &seen) in self.contributions.iter_mut().zip(&self.seen) {
                *contribution = if seen == self.interval { 1.0 } else { *contribution * self.decay };
            }
            active = self.contributions.iter().sum();
        }
        self.interval += 1;
        self.seen_now = 0;
        active
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_option_nothing_is_averaged() {
        let mut load = Load::new(LoadAverage::None);
        assert_eq!(load.parts(3.0, 4.0), (3.0, 4.0));
        assert_eq!(load.ratio(0.5), 0.5);
        assert_eq!(load.parts(5.0, 6.0), (5.0, 6.0));
        assert_eq!(load.ratio(f64::INFINITY), f64::INFINITY);
    }

    #[test]
    fn an_infinite_ratio_restarts_the_average() {
        let mut load = Load::new(LoadAverage::Ratio(0.25));
        assert_eq!(load.ratio(1.0), 1.0);
        assert_eq!(load.ratio(2.0), 1.25); // 0.75 * 1 + 0.25 * 2
        assert_eq!(load.ratio(f64::INFINITY), f64::INFINITY);
        assert_eq!(load.ratio(2.0), 2.0);
    }

    #[test]
    fn parts_are_averaged_each() {
        let mut load = Load::new(LoadAverage::Parts(0.25));
        assert_eq!(load.parts(100.0, 80.0), (100.0, 80.0));
        // 0.75 * 100 + 0.25 * 20 = 80;  0.75 * 80 + 0.25 * 40 = 70
        assert_eq!(load.parts(20.0, 40.0), (80.0, 70.0));
        assert_eq!(load.ratio(3.0), 3.0);
    }

    #[test]
    fn a_vc_counts_once_an_interval() {
        let mut vcs = ActiveVcs::new(0.0, 3);
        for vc in [0, 2, 0] {
            vcs.see(vc);
        }
        assert_eq!(vcs.end_interval(), 2.0);
        assert_eq!(vcs.end_interval(), 0.0);
    }

    #[test]
    fn an_idle_vc_decays() {
        let mut vcs = ActiveVcs::new(0.5, 2);
        vcs.see(0);
        vcs.see(1);
        assert_eq!(vcs.end_interval(), 2.0);
        vcs.see(1);
        assert_eq!(vcs.end_interval(), 1.5); // 0.5 + 1
        assert_eq!(vcs.end_interval(), 0.75); // 0.25 + 0.5
        assert_eq!(vcs.see(0), 0.75); // 1 - 0.25
        assert_eq!(vcs.see(0), 0.0);
        assert_eq!(vcs.end_interval(), 1.25); // 1 + 0.25
    }

    #[test]
    fn a_vc_of_the_last_interval_is_no_further_one() {
        let mut vcs = ActiveVcs::new(0.0, 2);
        assert_eq!(vcs.see(0), 1.0);
        assert_eq!(vcs.see(0), 0.0);
        vcs.end_interval();
        assert_eq!(vcs.see(0), 0.0);
        assert_eq!(vcs.see(1), 1.0);
        vcs.end_interval();
        vcs.end_interval();
        assert_eq!(vcs.see(0), 1.0);
    }
}
