//! The published steps written down once more, from the end of all that has happened, and ERICA beside them.

use super::*;
use proptest::prelude::*;

const VCS: usize = 4;
const RATE: f64 = 100_000.0;

#[derive(Clone, Copy, Debug)]
enum Step {
    Pause(u64),
    Cell(usize),
    Other,
    Forward(usize, f64),
    Backward(usize, f64),
}

/// Everything since the start of the interval, and what intervals leave behind.
struct Paper {
    config: EricaConfig,
    t: f64,
    arrived: Vec<usize>,
    others: usize,
    ccr: [f64; VCS],
    given: [Option<f64>; VCS],
    ended: bool,
    target: f64,
    z: f64,
    fair_share: f64,
    max_alloc_previous: f64,
    max_alloc_current: f64,
}

impl Paper {
    fn end(&mut self, now: f64, q: f64) {
        let t = now - self.t;
        let abr_cap = f64::max(0.0, RATE - self.others as f64 / t);
        let tq = if q == 0.0 { 0.0 } else { q / abr_cap };
        self.target = self.config.queue_control.share(tq) * abr_cap;
        self.z = self.arrived.len() as f64 / t / self.target;
        let n_act = (0..VCS).filter(|vc| self.arrived.contains(vc)).count().max(1);
        self.fair_share = self.target / n_act as f64;
        self.max_alloc_previous = self.max_alloc_current;
        self.max_alloc_current = self.fair_share;
        self.arrived.clear();
        self.others = 0;
        self.given = [None; VCS];
        self.t = now;
        self.ended = true;
    }

    fn backward(&mut self, vc: usize, rm_er: f64) -> f64 {
        if !self.ended {
            return rm_er.min(self.config.queue_control.share(0.0) * RATE);
        }
        let vc_share = if self.z == 0.0 { f64::INFINITY } else { self.ccr[vc] / self.z };
        let vc_share = f64::min(vc_share, self.target);
        let mut er = if self.z > 1.0 + self.config.delta {
            f64::max(self.fair_share, vc_share)
        } else {
            [self.fair_share, vc_share, self.max_alloc_previous].into_iter().fold(0.0, f64::max)
        };
        if let Some(given) = self.given[vc] {
            er = given;
        } else {
            self.max_alloc_current = f64::max(self.max_alloc_current, er);
            if er > self.fair_share && self.ccr[vc] < self.fair_share {
                er = self.fair_share;
            }
            self.given[vc] = Some(er);
        }
        rm_er.min(er).min(self.target)
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0_u64..40).prop_map(Step::Pause),
        1 => (0_u64..3_000).prop_map(Step::Pause),
        10 => (0..VCS).prop_map(Step::Cell),
        3 => Just(Step::Other),
        2 => (0..VCS, 0.0..120_000.0).prop_map(|(vc, ccr)| Step::Forward(vc, ccr)),
        3 => (0..VCS, 0.0..200_000.0).prop_map(|(vc, er)| Step::Backward(vc, er)),
    ];
    prop::collection::vec(step, 1..1500)
}

/// To a billionth of the line's rate: where others take the whole line, what is left is rounding.
fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * RATE
}

proptest! {
    #[test]
    fn agrees_with_the_published_steps(steps in steps(), interval_cells in 5_u32..60, cells in 0_u32..300) {
        let config = EricaConfig { interval_cells, interval: Time::from_us(1_500), ..EricaConfig::OSU };
        let mut erica = Erica::new(config, VCS);
        let mut paper = Paper {
            config, t: 0.0, arrived: Vec::new(), others: 0, ccr: [0.0; VCS], given: [None; VCS], ended: false,
            target: 0.0, z: 0.0, fair_share: 0.0, max_alloc_previous: 0.0, max_alloc_current: 0.0,
        };
        let queue = PortQueue { abr_cells: cells, cell_rate: RATE };
        let mut now = Time::ZERO;
        for step in steps {
            match step {
                Step::Pause(us) => now += Time::from_us(us),
                Step::Cell(vc) => {
                    paper.arrived.push(vc);
                    let ends = erica.arrival(now, vc as u32);
                    let enough = paper.arrived.len() >= interval_cells as usize;
                    prop_assert_eq!(ends, enough && now.as_secs_f64() > paper.t);
                    if ends {
                        erica.end_interval(now, &queue);
                        paper.end(now.as_secs_f64(), f64::from(cells));
                    }
                }
                Step::Other => {
                    erica.other_arrival(now);
                    paper.others += 1;
                }
                Step::Forward(vc, ccr) => {
                    let rm = RmCell { er: RATE, ccr, mcr: 0.0, ci: false, ni: false, bn: false };
                    erica.forward_rm(now, vc as u32, &rm);
                    paper.ccr[vc] = ccr;
                }
                Step::Backward(vc, er) => {
                    let mut rm = RmCell { er, ccr: 0.0, mcr: 0.0, ci: true, ni: false, bn: false };
                    erica.backward_rm(now, vc as u32, &mut rm, &queue);
                    let by_paper = paper.backward(vc, er);
                    prop_assert!(close(rm.er, by_paper), "{} {by_paper}", rm.er);
                }
            }
            while erica.interval_end() <= now {
                let end = erica.interval_end();
                erica.end_interval(end, &queue);
                paper.end(end.as_secs_f64(), f64::from(cells));
            }
        }
    }
}
