//! Sources of cells without TCP: at a constant rate, on and off alternately, or frames of video.
//!
//! Source: constant and on-off as [`super::datagrams`], a cell of 53 bytes instead of a datagram. Video: a
//! first-order autoregressive process of frame sizes, as Maglaris et al. 1988 ("Performance Models of
//! Statistical Multiplexing in Packet Video Communications"), of the logarithms of sizes, since sizes of
//! coded frames have a long tail (Garrett and Willinger 1994), and with a mean for each type of frame in
//! the group of pictures, as an MPEG coder makes them.
//!
//! With z(k) = r z(k-1) + sqrt(1 - r^2) e(k), where e and z(0) are standard normal, frame k has
//! m(k) exp(s z(k) - s^2 / 2) bytes, where m(k) is the mean of its type and s^2 = ln(1 + cv^2): mean m(k) and
//! standard deviation cv m(k). With an AAL5 trailer they fill whole cells, and cell i of n is made i/n of
//! the frame time after the frame began.
//!
//! Deviations: the same cv and r for all types; no changes of scene. A frame has at most the cells that a
//! line of 1 Tbit/s carries in its time. Normal values come from pairs of uniform ones (Box and Muller
//! 1958), with functions from a library and not from the platform, so that every machine draws the same.
//!
//! | parameter | unit |
//! |---|---|
//! | rate while on | bit/s of whole cells |
//! | periods on, periods off | laws of times |
//! | frame time; group of pictures | time; types I, P, B in turn |
//! | mean size of each type | bytes |
//! | cv, r | 1, not negative; 1, from 0 to less than 1 |
//! | start, stop | time |

use super::datagrams::{Source, Turns};
use super::laws::{Times, normal};
use crate::plan;
use atm::network::CellLaw;
use atm::{CELL_BYTES, CELL_PAYLOAD_BYTES, aal5};
use base::Time;
use rand_chacha::ChaCha8Rng;

/// Time of a cell at 1 Tbit/s: no frame is denser.
const SHORTEST_CELL: Time = Time::from_ps(424);

/// A source of cells from its start until it stops.
pub struct CellTimes {
    law: Law,
    stop: Time,
}

enum Law {
    /// At a rate, always or on and off alternately.
    Rate(Source),
    /// Frame after frame.
    Video(Video),
}

impl CellTimes {
    /// The source of a plan; none if it always has a cell to send.
    #[must_use]
    pub fn new(source: &plan::CellSource, rng: ChaCha8Rng) -> Option<Self> {
        let start = Time::from_ps(source.start_ps);
        let law = match &source.law {
            plan::CellLaw::Greedy {} => return None,
            plan::CellLaw::Constant { rate_bps } => {
                Law::Rate(Source::new(*rate_bps, CELL_BYTES, start, None))
            }
            plan::CellLaw::OnOff { rate_bps, on, off } => {
                let turns = Turns { on: Times::new(on), off: Times::new(off), rng };
                Law::Rate(Source::new(*rate_bps, CELL_BYTES, start, Some(turns)))
            }
            plan::CellLaw::Video(video) => Law::Video(Video::new(video, start, rng)),
        };
        Some(Self { law, stop: source.stop_ps.map_or(Time::NEVER, Time::from_ps) })
    }
}

impl CellLaw for CellTimes {
    fn next_cell(&mut self) -> Time {
        let at = match &mut self.law {
            Law::Rate(source) => source.next_departure(),
            Law::Video(video) => video.next_cell(),
        };
        if at < self.stop { at } else { Time::NEVER }
    }
}

/// Frames of video, one after the other.
struct Video {
    frame_time: Time,
    /// Mean sizes of the frames of a group of pictures, bytes.
    means: Vec<f64>,
    /// The standard deviation of the logarithm of a size.
    deviation: f64,
    /// r and sqrt(1 - r^2).
    weights: (f64, f64),
    rng: ChaCha8Rng,
    /// z of this frame.
    state: f64,
    /// Its place in the group of pictures.
    place: usize,
    begins: Time,
    cells: u64,
    /// How many of its cells are made.
    made: u64,
}

impl Video {
    fn new(law: &plan::Video, start: Time, mut rng: ChaCha8Rng) -> Self {
        let [i, p, b] = law.mean_bytes.map(|bytes| bytes as f64);
        let mean = |kind| match kind {
            'I' => i,
            'P' => p,
            _ => b,
        };
        let (cv, r) = (f64::from(law.cv_ppm) / 1e6, f64::from(law.correlation_ppm) / 1e6);
        let state = normal(&mut rng);
        let mut video = Self {
            frame_time: Time::from_ps(law.frame_ps),
            means: law.gop.chars().map(mean).collect(),
            deviation: libm::sqrt(libm::log(1.0 + cv * cv)),
            weights: (r, libm::sqrt(1.0 - r * r)),
            rng,
            state,
            place: 0,
            begins: start,
            cells: 0,
            made: 0,
        };
        video.cells = video.cells_of_frame();
        video
    }

    fn next_cell(&mut self) -> Time {
        if self.made == self.cells {
            self.next_frame();
        }
        let into = u128::from(self.made) * u128::from(self.frame_time.as_ps()) / u128::from(self.cells);
        self.made += 1;
        // Before the end of the frame, so it fits.
        self.begins.saturating_add(Time::from_ps(into as u64))
    }

    fn next_frame(&mut self) {
        let (kept, new) = self.weights;
        self.state = kept * self.state + new * normal(&mut self.rng);
        self.place = (self.place + 1) % self.means.len();
        self.begins = self.begins.saturating_add(self.frame_time);
        self.cells = self.cells_of_frame();
        self.made = 0;
    }

    fn cells_of_frame(&self) -> u64 {
        let logarithm = self.deviation * self.state - self.deviation * self.deviation / 2.0;
        let bytes = libm::ceil(self.means[self.place] * libm::exp(logarithm)) as u64;
        let cells = bytes.saturating_add(aal5::TRAILER_BYTES.into()).div_ceil(CELL_PAYLOAD_BYTES.into());
        cells.min(self.frame_time.div_floor(SHORTEST_CELL))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::rng::Streams;

    const MS: u64 = 1_000_000_000;

    fn source(law: plan::CellLaw, start_ps: u64, stop_ps: Option<u64>) -> plan::CellSource {
        plan::CellSource { from: 0, to: 1, service: 0, start_ps, stop_ps, law }
    }

    fn times(law: plan::CellLaw, stop_ps: Option<u64>, seed: u64, many: usize) -> Vec<u64> {
        let rng = Streams::new(seed).named("test");
        let mut cells = CellTimes::new(&source(law, 5 * MS, stop_ps), rng).expect("it is not greedy");
        (0..many).map(|_| cells.next_cell().as_ps()).collect()
    }

    fn video(cv_ppm: u32, correlation_ppm: u32) -> plan::CellLaw {
        plan::CellLaw::Video(plan::Video {
            frame_ps: 40 * MS,
            gop: "IBB".into(),
            mean_bytes: [40_000, 20_000, 4_000],
            cv_ppm,
            correlation_ppm,
        })
    }

    /// Cells of each frame, and a check that they lie evenly in it.
    fn frames(times: &[u64]) -> Vec<f64> {
        let frame = |at: &u64| (at - 5 * MS) / (40 * MS);
        times
            .chunk_by(|one, next| frame(one) == frame(next))
            .map(|cells| {
                let (begins, many) = (5 * MS + frame(&cells[0]) * 40 * MS, cells.len() as u64);
                for (number, at) in (0..).zip(cells) {
                    // The last frame may have been left in the middle.
                    assert!(cells.last() == times.last() || *at == begins + number * 40 * MS / many);
                }
                many as f64
            })
            .collect()
    }

    /// 424 kbit/s are a cell a ms.
    #[test]
    fn a_constant_source_makes_cells_until_it_stops() {
        let law = plan::CellLaw::Constant { rate_bps: 424_000 };
        assert_eq!(times(law.clone(), None, 1, 4), [5 * MS, 6 * MS, 7 * MS, 8 * MS]);
        assert_eq!(times(law, Some(7 * MS), 1, 4), [5 * MS, 6 * MS, u64::MAX, u64::MAX]);
        let greedy = source(plan::CellLaw::Greedy {}, 0, None);
        assert!(CellTimes::new(&greedy, Streams::new(1).named("test")).is_none());
    }

    /// On for two cells and a half, then off for 10 ms: half a cell is made in each of two periods.
    #[test]
    fn an_on_off_source_makes_cells_while_it_is_on() {
        let fixed = |us: u64| plan::Times::Uniform { min_ps: us * 1_000_000, max_ps: us * 1_000_000 };
        let law = plan::CellLaw::OnOff { rate_bps: 424_000, on: fixed(2_500), off: fixed(10_000) };
        let us: Vec<u64> = times(law, None, 1, 6).iter().map(|ps| ps / 1_000_000).collect();
        assert_eq!(us, [5_000, 6_000, 7_000, 18_000, 19_000, 30_000]);
    }

    /// Without variation: (40 000 + 8) / 48 = 833.5 cells, and 416.9 of a frame of type B.
    #[test]
    fn frames_of_video_take_turns() {
        let times = times(video(0, 0), None, 1, 834 + 84 + 84 + 834);
        // The plan has no frame of type P.
        assert_eq!(frames(&times), [834.0, 84.0, 84.0, 834.0]);
    }

    /// A long trace has the mean, the deviation and the correlation of the law.
    #[test]
    fn sizes_of_frames_follow_the_law() {
        let (cv, r): (f64, f64) = (0.5, 0.8);
        let law = plan::CellLaw::Video(plan::Video {
            frame_ps: 40 * MS,
            gop: "P".into(),
            mean_bytes: [1, 48_000, 1],
            cv_ppm: 500_000,
            correlation_ppm: 800_000,
        });
        let sizes = &frames(&times(law, None, 3, 20_000_000))[..19_000];
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        // A rounded-up cell and the trailer add 2/3 of a cell to 1000; correlated as they are, 19 000
        // frames give the mean as precisely as 2 100 independent ones: to 1.1 %, times three.
        let found = mean(sizes);
        assert!((found / 1000.7 - 1.0).abs() < 0.033, "{found}");
        let logarithms: Vec<f64> = sizes.iter().map(|cells| cells.ln()).collect();
        let (middle, s2) = (mean(&logarithms), (1.0 + cv * cv).ln());
        let product = |apart: usize| {
            mean(
                &logarithms
                    .windows(apart + 1)
                    .map(|its| (its[0] - middle) * (its[apart] - middle))
                    .collect::<Vec<_>>(),
            )
        };
        assert!((product(0) / s2 - 1.0).abs() < 0.08, "{} {s2}", product(0));
        for (apart, expected) in [(1, r), (2, r * r), (5, f64::powi(r, 5))] {
            assert!((product(apart) / product(0) - expected).abs() < 0.05, "{apart} apart");
        }
    }

    /// The bits of the law: a machine that draws others makes other runs.
    #[test]
    fn draws_are_the_same_everywhere() {
        let times = times(video(600_000, 700_000), None, 7, 3_000);
        assert_eq!([times[1], times[1_000], times[2_999]], [5_061_633_281, 145_793_319_415, 388_938_461_538]);
    }

    /// However large a frame is drawn, time goes on.
    #[test]
    fn no_frame_is_denser_than_a_line() {
        let law = plan::CellLaw::Video(plan::Video {
            frame_ps: 424 * 3 + 1,
            gop: "IP".into(),
            mean_bytes: [1 << 40, 1, 1],
            cv_ppm: u32::MAX,
            correlation_ppm: 999_999,
        });
        let times = times(law, None, 1, 10_000);
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
