//! Frames of UBR and GFR at a port: which of their cells are queued.
//!
//! Source: the frame policies (`atm/policy`), what becomes of cut frames (`atm/frame_state.rs`), and for a GFR VC the
//! policer (`atm/gfr`) at the first switch that its cells come to. In this order: a cell that the policer discards is
//! lost, and with it the rest of its frame, but for a last cell behind it, which is kept as if overflow had cut the
//! frame. Then the policy decides about a first cell. Then there must be room.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::cell::{Cell, Mark};
use super::config::{Service, SwitchPort};
use crate::frame_state::{FrameState, Verdict};
use crate::gfr::{self, Policer};
use crate::policy::{FramePolicy, PortView};
use crate::port::{Eom, Fate, PortCounters, Reassembly};
use crate::report::FrameDrop;
use base::Time;
use sim::link::PPB;

/// A VC of UBR or GFR at a port.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameVc {
    pub(super) service: Service,
    /// Whether the port is in the first switch that its cells come to.
    pub(super) enters: bool,
}

/// The decisions of a port about frames.
pub(super) struct Frames {
    policy: Box<dyn FramePolicy>,
    eom: Eom,
    /// Only for a policy with random refusals; most have none, and there are many ports.
    draws: Option<Box<ChaCha8Rng>>,
    /// The frames that pass, by the number of the VC.
    vcs: Vec<FrameVcState>,
}

struct FrameVcState {
    state: FrameState,
    reassembly: Reassembly,
    entrance: Entrance,
}

/// The state of a VC at its first switch.
enum Entrance {
    /// It has entered elsewhere.
    Elsewhere,
    /// UBR: frames that have come.
    Ubr(u64),
    /// GFR.
    Gfr(Box<Policed>),
}

struct Policed {
    policer: Policer,
    counts: FrameCounts,
}

/// Frames that have arrived at the first switch of a VC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FrameCounts {
    pub(super) frames: u64,
    pub(super) eligible: u64,
    pub(super) tagged: u64,
}

impl Frames {
    pub(super) fn new(config: SwitchPort, vcs: &[FrameVc]) -> Self {
        let SwitchPort { policy, eom, draws, .. } = config;
        let draws = policy.needs_contracts().then(|| Box::new(draws));
        let state = |vc: &FrameVc| FrameVcState {
            state: FrameState::default(),
            reassembly: Reassembly::default(),
            entrance: Entrance::new(vc),
        };
        Self { policy, eom, draws, vcs: vcs.iter().map(state).collect() }
    }

    /// A cell arrives at a port whose state is `view`; why it is lost, if it is. Frames, and cells that are lost, are
    /// counted in `totals`.
    pub(super) fn arrive(
        &mut self,
        now: Time,
        vc: u32,
        cell: &mut Cell,
        view: PortView,
        totals: &mut PortCounters,
    ) -> Option<FrameDrop> {
        let Self { policy, eom, draws, vcs } = self;
        let FrameVcState { state, reassembly, entrance } = &mut vcs[vc as usize];
        let conforms = entrance.pass(now, cell);
        if state.is_fresh() && conforms {
            let view = PortView { clp: cell.mark == Mark::Tagged, ..view };
            state.decide(policy.admits(&view) && !is_refused_by_chance(&**policy, draws, &view));
        }
        let verdict = if conforms {
            state.next(cell.last, &**policy, *eom, &view)
        } else {
            state.police(cell.last, *eom, &view)
        };
        if cell.last {
            let frame = std::mem::take(state);
            totals.frame(match verdict {
                _ if frame.is_refused() => Fate::Refused,
                Verdict::Queued if frame.is_whole() => reassembly.whole(now),
                _ => reassembly.cut(frame.carried, verdict == Verdict::Queued),
            });
        }
        let (lost, cause) = match verdict {
            Verdict::Queued => return None,
            Verdict::Refused => (&mut totals.cells_refused, FrameDrop::Refused),
            Verdict::Overflowed => (&mut totals.cells_overflowed, FrameDrop::Cut),
            Verdict::Cut if conforms => (&mut totals.cells_cut, FrameDrop::Cut),
            Verdict::Cut => (&mut totals.cells_cut, FrameDrop::Nonconforming),
        };
        *lost += 1;
        Some(cause)
    }

    /// The frames of a VC that enters the network here; zeros for others.
    pub(super) fn counts(&self, vc: u32) -> FrameCounts {
        match &self.vcs[vc as usize].entrance {
            Entrance::Elsewhere => FrameCounts::default(),
            Entrance::Ubr(frames) => FrameCounts { frames: *frames, ..FrameCounts::default() },
            Entrance::Gfr(policed) => policed.counts,
        }
    }
}

fn is_refused_by_chance(
    policy: &dyn FramePolicy,
    draws: &mut Option<Box<ChaCha8Rng>>,
    view: &PortView,
) -> bool {
    let Some(draws) = draws else { return false };
    match policy.refusal_ppb(view) {
        0 => false,
        PPB.. => true,
        ppb => draws.random_range(0..PPB) < ppb,
    }
}

impl Entrance {
    fn new(vc: &FrameVc) -> Self {
        match &vc.service {
            Service::Gfr(contract) if vc.enters => {
                let (policer, counts) = (Policer::new(contract), FrameCounts::default());
                Self::Gfr(Box::new(Policed { policer, counts }))
            }
            _ if vc.enters => Self::Ubr(0),
            _ => Self::Elsewhere,
        }
    }

    /// A cell arrives. Returns whether it passes, and marks it with the verdict on its frame.
    fn pass(&mut self, now: Time, cell: &mut Cell) -> bool {
        let Policed { policer, counts } = match self {
            Self::Elsewhere => return true,
            Self::Ubr(frames) => {
                *frames += u64::from(cell.last);
                return true;
            }
            Self::Gfr(policed) => &mut **policed,
        };
        let verdict = policer.cell(now, cell.mark == Mark::Tagged, cell.last);
        counts.frames += u64::from(cell.last);
        match verdict {
            gfr::Verdict::Eligible => {
                counts.eligible += u64::from(cell.last);
                cell.mark = Mark::Eligible;
            }
            gfr::Verdict::Tagged => {
                counts.tagged += u64::from(cell.last);
                cell.mark = Mark::Tagged;
            }
            gfr::Verdict::NotEligible | gfr::Verdict::Discarded => {}
        }
        verdict != gfr::Verdict::Discarded
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;
    use sim::rng::Streams;

    /// Admits all, and refuses with this probability.
    struct Chance(u32);

    impl FramePolicy for Chance {
        fn admits(&self, _: &PortView) -> bool {
            true
        }

        fn needs_contracts(&self) -> bool {
            true
        }

        fn refusal_ppb(&self, _: &PortView) -> u32 {
            self.0
        }
    }

    /// Of 10 000 frames at 30 %: 3000, give or take four standard deviations of 46. Where nothing is left to
    /// chance nothing is drawn.
    #[test]
    fn draws_only_where_there_is_a_chance() {
        for (ppb, expected) in [(0, 0..=0), (PPB, 10_000..=10_000), (300_000_000, 2816..=3184)] {
            let stream = || Streams::new(1).named("dfba/0");
            let mut draws = Some(Box::new(stream()));
            let view = PortView::default();
            let refused =
                (0..10_000).filter(|_| is_refused_by_chance(&Chance(ppb), &mut draws, &view)).count();
            assert!(expected.contains(&refused), "{refused}");
            let untouched = draws.is_some_and(|mut draws| draws.next_u64() == stream().next_u64());
            assert_eq!(untouched, ppb == 0 || ppb == PPB);
        }
    }
}
