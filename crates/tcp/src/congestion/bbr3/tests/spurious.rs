//! Losses that are none.

use super::path::{Fate, Lab, MS};
use crate::congestion::bbr3::State;
use base::Time;

/// A flow in UP of which the packets that leave from now on are late by this: so many of them.
fn late_in_up(packets: u64, late: Time) -> Lab {
    let mut lab = Lab::new(50_000_000, MS(40));
    lab.run_to(State::ProbeBwUp, MS(10_000));
    lab.run_for(MS(20));
    assert_eq!(lab.state(), State::ProbeBwUp);
    let first = lab.packets + 1;
    lab.path.fate =
        Box::new(
            move |number, _| {
                if (first..first + packets).contains(&number) { Fate::Late(late) } else { Fate::Pass }
            },
        );
    lab
}

/// Eight packets are overtaken, by 30 ms. They count as lost, more than 2 % of what is in flight: UP ends, with a bound. The
/// ACKs of the late packets show that nothing was lost: the bounds are as before, and the probe begins anew.
#[test]
fn handling_spurious_fast_recovery() {
    let mut lab = late_in_up(8, MS(30));
    let before = lab.bbr().clone();
    lab.run_until(MS(200), |lab| lab.state() != State::ProbeBwUp);
    {
        let bbr = lab.bbr();
        assert_eq!((bbr.state, bbr.undo.undo_state), (State::ProbeBwDown, Some(State::ProbeBwUp)));
        assert_eq!(bbr.undo.undo_bw_shortterm, before.bw_shortterm);
        assert_eq!(bbr.undo.undo_inflight_shortterm, before.inflight_shortterm);
        assert_eq!(bbr.undo.undo_inflight_longterm, before.inflight_longterm);
        assert!(bbr.inflight_longterm < before.inflight_longterm && bbr.recovery.is_some());
    }
    let cwnd = lab.bbr().undo.prior_cwnd;
    lab.run_until(MS(200), |lab| lab.bbr().undo.undo_state.is_none());
    let bbr = lab.bbr();
    assert_eq!((bbr.state, bbr.recovery), (State::ProbeBwRefill, None));
    assert_eq!(bbr.inflight_longterm, before.inflight_longterm);
    assert_eq!((bbr.bw_shortterm, bbr.inflight_shortterm), (before.bw_shortterm, before.inflight_shortterm));
    assert!(bbr.c.cwnd >= cwnd.min(2 * bbr.bdp()), "{} {cwnd}", bbr.c.cwnd);
    drop(bbr);
    assert_eq!((lab.run_on(MS(200)), lab.lost), (State::ProbeBwUp, 0));
    assert_eq!(lab.sender.counters().timeouts, 0);
}

/// Everything is late by 1.2 s, longer than a time-out. The first ACK after it is of what was sent before: the window and
/// the bounds are as before, and the flow goes on in the state in which it was.
#[test]
fn handling_spurious_rto_recovery() {
    let mut lab = late_in_up(100_000, MS(1200));
    let before = lab.bbr().clone();
    lab.run_until(MS(2000), |lab| lab.sender.counters().timeouts > 0);
    lab.path.fate = Box::new(|_, _| Fate::Pass);
    let saved = lab.bbr().undo;
    assert_eq!(saved.undo_bw_shortterm, before.bw_shortterm);
    assert_eq!(saved.undo_inflight_longterm, before.inflight_longterm);
    assert!(lab.bbr().recovery.is_some() && lab.bbr().c.cwnd < saved.prior_cwnd / 10);
    lab.run_until(MS(2000), |lab| lab.bbr().recovery.is_none());
    let bbr = lab.bbr();
    assert!(bbr.c.cwnd >= saved.prior_cwnd.min(2 * bbr.bdp()), "{} {}", bbr.c.cwnd, saved.prior_cwnd);
    assert_eq!(bbr.inflight_longterm, before.inflight_longterm);
    assert_eq!((bbr.bw_shortterm, bbr.inflight_shortterm), (before.bw_shortterm, before.inflight_shortterm));
    assert!(matches!(bbr.state, State::ProbeBwUp | State::ProbeBwRefill), "{:?}", bbr.state);
    drop(bbr);
    assert_eq!(lab.lost, 0);
}
