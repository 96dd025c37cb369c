//! A sequence worked out by hand, and what holds for all.

use super::Verdict::{Discarded, Eligible, NotEligible, Tagged};
use super::*;
use proptest::prelude::*;

/// In twentieths of a millisecond a cell takes 2 at PCR and 20 at MCR, and CDVT is 1: L = 4 (20 - 2) + 1 = 73.
const BY_HAND: GfrConfig = GfrConfig {
    pcr_bps: 4_240_000,
    mcr_bps: 424_000,
    mbs_cells: 5,
    mfs_cells: 3,
    cdvt: Time::from_us(50),
    tagging: true,
};

#[test]
fn a_sequence_by_hand() {
    let (no, yes) = (false, true);
    let sequence = [
        //  t CLP last   X' of PCR     X' of MCR     verdict
        (0, no, no, Eligible),    // 0             0, then 20
        (1, no, no, Eligible),    // 1, as CDVT    19, then 39
        (2, no, no, Discarded),   // 2 > 1: too early; nothing is poured in
        (4, no, yes, Discarded),  // the rest of its frame
        (5, no, no, Eligible),    // 0             35, then 55
        (7, yes, no, Discarded),  // another CLP than the first cell's
        (9, no, yes, Discarded),  // the rest of its frame
        (11, no, no, Eligible),   // 0             49, then 69
        (13, no, no, Eligible),   // 0             67, then 87
        (15, no, no, Eligible),   // 0             85, then 105
        (17, no, yes, Discarded), // the fourth cell, and MFS is 3
        (19, no, no, Tagged),     // 0             101 > 73
        (21, no, yes, Tagged),
        (47, no, yes, Eligible), // 0             73, as L; then 93
        (60, yes, yes, Tagged),  // CLP 1 is not eligible
    ];
    for tagging in [true, false] {
        let mut policer = Policer::new(&GfrConfig { tagging, ..BY_HAND });
        for (t, clp, last, verdict) in sequence {
            let verdict = if verdict == Tagged && !tagging { NotEligible } else { verdict };
            assert_eq!(policer.cell(Time::from_us(50 * t), clp, last), verdict, "{t} {tagging}");
        }
    }
}

#[test]
fn without_an_mcr_no_frame_is_eligible() {
    let mut policer = Policer::new(&GfrConfig { mcr_bps: 0, ..BY_HAND });
    assert_eq!(policer.cell(Time::ZERO, false, false), Tagged);
    assert_eq!(policer.cell(Time::from_us(100), false, true), Tagged);
}

proptest! {
    /// What passes keeps to PCR with its tolerance and to MFS; a frame has one verdict until it is cut, and one that
    /// comes no faster and is no longer is not cut.
    #[test]
    fn what_passes_conforms(
        (pcr_bps, mfs_cells, cdvt_us) in (1_000_000u64..10_000_000, 1u32..12, 0u64..400),
        tagging: bool,
        cells in prop::collection::vec((0u64..500, prop::bool::weighted(0.2)), 1..200),
    ) {
        let config = GfrConfig { pcr_bps, mfs_cells, cdvt: Time::from_us(cdvt_us), tagging, ..BY_HAND };
        let mut policer = Policer::new(&config);
        let (mut now, mut passed, mut length) = (Time::ZERO, Vec::new(), 0);
        let mut of_frame = None;
        for (pause, last) in cells {
            now += Time::from_us(pause);
            length += 1;
            let verdict = policer.cell(now, false, last);
            if verdict == Discarded {
                of_frame = Some(Discarded);
            } else {
                prop_assert!(length <= mfs_cells);
                prop_assert!(of_frame.is_none_or(|before| before == verdict));
                prop_assert_eq!(verdict == Tagged, tagging && verdict != Eligible);
                of_frame = Some(verdict);
                passed.push(now);
            }
            if last {
                (length, of_frame) = (0, None);
            }
        }
        let bucket = Bucket::new(pcr_bps);
        for (from, &first) in passed.iter().enumerate() {
            for (to, &at) in passed.iter().enumerate().skip(from) {
                let allowed = bucket.of(at - first + config.cdvt);
                prop_assert!((to - from) as u128 * super::super::bucket::CELL <= allowed);
            }
        }
    }

    /// Cells that are a cell's time at PCR apart conform, in frames of MFS.
    #[test]
    fn a_source_within_its_pcr_conforms(
        (pcr_bps, mfs_cells) in (1_000u64..1_000_000_000, 1u32..12),
        pauses in prop::collection::vec(0u64..1_000, 1..200),
    ) {
        let config = GfrConfig { pcr_bps, mcr_bps: pcr_bps.min(424_000), mfs_cells, cdvt: Time::ZERO, ..BY_HAND };
        let mut policer = Policer::new(&config);
        let cell = Time::from_ps((super::super::bucket::CELL / u128::from(pcr_bps)) as u64 + 1);
        let mut now = Time::ZERO;
        for (number, pause) in (1..).zip(pauses) {
            prop_assert_ne!(policer.cell(now, false, number % mfs_cells == 0), Discarded);
            now += cell + Time::from_us(pause);
        }
    }
}
