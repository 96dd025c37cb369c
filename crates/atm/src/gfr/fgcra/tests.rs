//! Sequences worked out by hand, and what holds for all.

use super::*;
use proptest::prelude::*;

/// A millisecond a cell at MCR and a tenth of that at PCR: tau = 4 (1 - 0.1) = 3.6 ms, and L = 4 ms.
const BY_HAND: GfrConfig = GfrConfig {
    pcr_bps: 4_240_000,
    mcr_bps: 424_000,
    mbs_cells: 5,
    mfs_cells: 3,
    cdvt: Time::from_us(400),
    tagging: false,
};

/// A cell of the first kind, by the name of what it is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cell {
    First,
    FirstClp1,
    Later,
}

#[test]
fn a_sequence_by_hand() {
    use Cell::{First, FirstClp1, Later};
    let mut fgcra = Fgcra::new(&BY_HAND).expect("it has an MCR");
    let tenth = Time::from_us(100);
    // Times and buckets in tenths of a millisecond: T = 10, L = 40.
    for (t, cell, left, is_eligible, then) in [
        //  t  cell        X' or 0  eligible   X
        (0, First, 0, true, 10),
        (1, Later, 9, true, 19),
        (2, Later, 18, true, 28),
        (3, First, 27, true, 37),
        (4, Later, 36, true, 46),
        (5, Later, 45, true, 55), // above L, but its frame is eligible
        (6, First, 54, false, 55),
        (7, Later, 53, false, 55),
        (8, Later, 52, false, 55),
        (19, First, 41, false, 55), // one tenth too early
        (20, First, 40, true, 50),
        (21, Later, 49, true, 59),
        (22, Later, 58, true, 68),
        (100, FirstClp1, 0, false, 68), // in time, but of CLP 1
        (101, First, 0, true, 10),      // what was not used is not kept
    ] {
        let now = tenth * t;
        let in_tenths = |content: u128| (content * 10).checked_div(CELL).expect("a cell is something");
        assert_eq!(in_tenths(fgcra.bucket.content(now)), left, "X' at {t}");
        match cell {
            Later => fgcra.later_cell(now),
            _ => assert_eq!(fgcra.first_cell(now, cell == FirstClp1), is_eligible, "at {t}"),
        }
        assert_eq!(fgcra.is_eligible, is_eligible, "the frame of {t}");
        assert_eq!(in_tenths(fgcra.bucket.content), then, "X at {t}");
    }
}

/// Three cells a second: T = 333 333 333 333.3 ps, and not a picosecond is lost in the long run.
#[test]
fn a_cell_time_that_is_no_whole_number() {
    let config = GfrConfig { pcr_bps: 4_240, mcr_bps: 3 * 424, mbs_cells: 1, cdvt: Time::ZERO, ..BY_HAND };
    let mut fgcra = Fgcra::new(&config).expect("it has an MCR");
    for second in 0..3 {
        for (ps, is_eligible) in [
            (0, true),
            (333_333_333_333, false),
            (333_333_333_334, true),
            (666_666_666_667, false),
            (666_666_666_668, true),
        ] {
            let now = Time::from_secs(10 * second) + Time::from_ps(ps);
            assert_eq!(fgcra.first_cell(now, false), is_eligible, "{now} {ps}");
        }
    }
}

#[test]
fn without_an_mcr_there_is_none() {
    assert!(Fgcra::new(&GfrConfig { mcr_bps: 0, ..BY_HAND }).is_none());
}

prop_compose! {
    fn contracts()(
        mcr_bps in 1_000u64..2_000_000,
        faster_bps in 0u64..100_000_000,
        mbs_cells in 1u32..40,
        mfs_cells in 1u32..20,
        cdvt_us in 0u64..5_000,
    ) -> GfrConfig {
        let (pcr_bps, cdvt) = (mcr_bps + faster_bps, Time::from_us(cdvt_us));
        GfrConfig { pcr_bps, mcr_bps, mbs_cells, mfs_cells, cdvt, tagging: false }
    }
}

proptest! {
    /// Over any interval the eligible cells of frames of MFS cells at most are `L/T + MFS + t/T` at most.
    #[test]
    fn eligible_cells_keep_within_the_bound(
        config in contracts(),
        frames in prop::collection::vec((0u64..100_000_000_000, 1u32..20, 0u64..4_000_000_000), 1..60),
    ) {
        let mut fgcra = Fgcra::new(&config).expect("it has an MCR");
        let (mut now, mut eligible) = (Time::ZERO, Vec::new());
        for (pause, cells, spacing) in frames {
            now += Time::from_ps(pause);
            for cell in 0..cells.min(config.mfs_cells) {
                if cell == 0 {
                    fgcra.first_cell(now, false);
                } else {
                    now += Time::from_ps(spacing);
                    fgcra.later_cell(now);
                }
                eligible.extend(fgcra.is_eligible.then_some(now));
            }
        }
        for (from, &first) in eligible.iter().enumerate() {
            for (to, &last) in eligible.iter().enumerate().skip(from) {
                let cells = (to - from + 1) as u128 * CELL;
                let leaked = fgcra.bucket.of(last - first);
                prop_assert!(cells <= fgcra.limit + u128::from(config.mfs_cells) * CELL + leaked);
            }
        }
    }

    /// Frames whose first cells are as far apart as their cells at MCR, and more, are all eligible, however close
    /// their cells.
    #[test]
    fn a_source_within_its_mcr_is_eligible(
        config in contracts(),
        frames in prop::collection::vec((1u32..20, 0u64..1_000_000_000, 0u64..=100), 1..60),
    ) {
        let mut fgcra = Fgcra::new(&config).expect("it has an MCR");
        let mut now = Time::ZERO;
        for (cells, pause, percent) in frames {
            let cells = cells.min(config.mfs_cells);
            prop_assert!(fgcra.first_cell(now, false));
            let cell_ps = (CELL / u128::from(config.mcr_bps)) as u64;
            let spacing = Time::from_ps(cell_ps / 100 * percent);
            (1..cells).for_each(|cell| fgcra.later_cell(now + spacing * u64::from(cell)));
            now += Time::from_ps((cell_ps + 1) * u64::from(cells) + pause);
        }
    }
}
