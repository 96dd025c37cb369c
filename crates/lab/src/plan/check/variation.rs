//! The limits of how a link changes.

use super::{Rule, times};
use crate::plan::Variation;
use sim::link::PPB;

/// A model of a path makes no shorter steps.
const LEAST_STEP_PS: u64 = 100_000_000;

pub(super) fn rules(variation: &Variation) -> Vec<Rule> {
    match variation {
        Variation::Steps { steps, period_ps } => {
            let last = steps.last().map_or(0, |step| step.at_ps);
            let mut rules = vec![
                (steps.first().is_some_and(|first| first.at_ps == 0), "the first of `steps` must be at 0"),
                (steps.is_sorted_by(|a, b| a.at_ps < b.at_ps), "`steps` must be in the order of time"),
                (steps.iter().any(|step| step.rate_bps > 0), "one of `steps` must have a rate above 0"),
                (period_ps.is_none_or(|period| period > last), "`period_ps` must be after the last step"),
                times([period_ps.unwrap_or(last)]),
            ];
            rules.extend(steps.iter().map(|step| times([step.delay_ps])));
            rules.extend(steps.iter().map(|step| (step.loss_ppb <= PPB, "`loss_ppb` must be at most 1e9")));
            rules
        }
        Variation::Opportunities { times: at, period_ps, bytes } => vec![
            (at.is_sorted(), "`times` must be in order"),
            (at.iter().all(|&(_, count)| count > 0), "counts in `times` must be positive"),
            (at.last().is_some_and(|last| last.0 <= *period_ps), "there must be `times`, within `period_ps`"),
            (*period_ps > 0 && *bytes > 0, "`period_ps` and `bytes` must be positive"),
            times([*period_ps]),
        ],
        Variation::Starlink(its) => vec![
            (its.jitter_every_ps >= LEAST_STEP_PS, "`jitter_every_ps` must be at least 1e8"),
            (its.outage_ps.0 <= its.outage_ps.1, "`outage_ps` must be the shortest and the longest"),
            (its.outage_ps.1 < 15_000_000_000_000, "`outage_ps` must be below 15 s"),
            (its.loss_ppb <= PPB, "`loss_ppb` must be at most 1e9"),
            times([its.phase_ps, its.delay_spread_ps, its.jitter_ps]),
        ],
        Variation::Lte(its) => vec![
            ((1..=1000).contains(&its.users), "`users` must be 1 to 1000"),
            (its.snr_ppm > 0, "`snr_ppm` must be positive"),
            (
                its.coherence_ps.min(its.shadowing_time_ps).min(its.averaging_ps) > 0,
                "`coherence_ps`, `shadowing_time_ps` and `averaging_ps` must be positive",
            ),
            (its.retransmissions_ppb < PPB, "`retransmissions_ppb` must be below 1e9"),
        ],
        Variation::Wifi(its) => {
            vec![(its.txop_ps > 0, "`txop_ps` must be positive"), times([its.txop_ps, its.contention_ps])]
        }
    }
}
