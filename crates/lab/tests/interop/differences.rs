//! Where our TCP and smoltcp's do the same, and where they do not. Each sentence about it in
//! `docs/validation/peers.md` is a test here.

use crate::application::{Closes, Reads};
use crate::transfer::{
    Fates, Kind, MSS, Run, SEGMENTS, Transfer, is_data, is_data_or_fin, is_fin, is_pure_ack, is_syn, lose,
    undisturbed,
};
use base::Time;
use sim::link::Fate;
use tcp::{Segment, State};

pub(crate) const RENO: Kind = Kind::Ours("reno");
/// The first of the lost segments; cwnd is then 17 segments.
pub(crate) const FIRST_LOST: u64 = 18;

pub(crate) fn lossy(sender: Kind, losses: u64) -> Run {
    Transfer::of(sender).losing(FIRST_LOST..FIRST_LOST + losses).run()
}

/// A name, what happens to the sender's packets, what happens to the receiver's.
pub(crate) type Event = (&'static str, Fates, Fates);

/// What may happen to single packets.
pub(crate) fn events() -> Vec<Event> {
    let late = |us| (is_data as fn(&_) -> bool, vec![(20, Fate::Delay(Time::from_us(us)))]);
    let twice = (1..=SEGMENTS).map(|number| (number, Fate::Duplicate)).collect();
    vec![
        ("the last segment is lost", lose(is_data, [SEGMENTS]), undisturbed()),
        ("the last two are lost", lose(is_data, [SEGMENTS - 1, SEGMENTS]), undisturbed()),
        ("the FIN is lost", lose(is_fin, [1]), undisturbed()),
        ("the ACK of the FIN is lost", undisturbed(), lose(is_pure_ack, [SEGMENTS + 1])),
        ("one ACK in three is lost", undisturbed(), lose(is_pure_ack, (0..20).map(|n| 3 * n + 1))),
        ("a segment is overtaken by two", late(2_500), undisturbed()),
        ("a segment is overtaken by five", late(5_500), undisturbed()),
        ("a segment arrives twice", (is_data, vec![(20, Fate::Duplicate)]), undisturbed()),
        ("every segment arrives twice", (is_data, twice), undisturbed()),
        ("the SYN is lost", lose(is_syn, [1]), undisturbed()),
        ("the SYN is lost twice", lose(is_syn, [1, 2]), undisturbed()),
        ("the answer to the SYN is lost", undisturbed(), lose(is_syn, [1])),
    ]
}

pub(crate) fn with_event(sender: Kind, event: &Event) -> Run {
    Transfer { there: event.1.clone(), back: event.2.clone(), ..Transfer::of(sender) }.run()
}

/// The first segment in which two senders differ: which, and from when on.
pub(crate) fn first_difference(a: &Run, b: &Run) -> Option<(usize, Time)> {
    let (a, b) = (a.segments(), b.segments());
    let at = a.iter().zip(&b).position(|(a, b)| a != b);
    let at = at.or_else(|| (a.len() != b.len()).then(|| a.len().min(b.len())))?;
    let time = |segments: &[(Time, u64, u64, Option<u64>)]| segments.get(at).map_or(Time::NEVER, |s| s.0);
    Some((at, time(&a).min(time(&b))))
}

fn count(segments: &[(Time, Segment)], test: impl Fn(&Segment) -> bool) -> usize {
    segments.iter().filter(|sent| test(&sent.1)).count()
}

/// "`reno` and smoltcp send the same segments at the same microseconds, whatever is lost in a window."
#[test]
fn the_same_segments_whatever_is_lost() {
    for losses in 0..=8 {
        let (ours, its) = (lossy(RENO, losses), lossy(Kind::Smoltcp, losses));
        assert_eq!(first_difference(&ours, &its), None, "{losses} losses");
        assert_eq!((ours.took, ours.timeouts), (its.took, its.timeouts), "{losses} losses");
    }
}

/// How smoltcp's time-outs are counted is how ours would be.
#[test]
fn time_outs_are_seen_from_outside() {
    for run in (0..=8).map(|losses| lossy(RENO, losses)).chain(events().iter().map(|e| with_event(RENO, e))) {
        assert_eq!(run.timeouts, run.pauses);
    }
}

/// "... or happens to single packets, the SYNs excepted."
#[test]
fn the_same_segments_whatever_happens_to_one() {
    for event in events().iter().filter(|event| !event.0.contains("SYN")) {
        let (ours, its) = (with_event(RENO, event), with_event(Kind::Smoltcp, event));
        assert_eq!(first_difference(&ours, &its), None, "{}", event.0);
        assert_eq!(ours.took, its.took, "{}", event.0);
    }
}

/// "smoltcp has no NewReno: a partial ACK ends its recovery. Two losses cost it two halvings, three
/// a time-out. NewReno repairs each without."
#[test]
fn smoltcp_has_no_partial_acks() {
    for losses in 2..=4 {
        let (newreno, its) = (lossy(Kind::Ours("newreno"), losses), lossy(Kind::Smoltcp, losses));
        assert_eq!((newreno.timeouts, newreno.again.len() as u64), (0, losses), "{losses}");
        assert_eq!(its.timeouts, u64::from(losses > 2), "{losses}");
        assert!(newreno.took < its.took, "{losses}");
    }
}

/// "smoltcp's sender takes no notice of SACK, though its SYN offers it: three losses cost it a
/// time-out where a sender with SACK needs none."
#[test]
fn smoltcp_sends_without_sack() {
    let sack_receiver =
        |sender| Transfer { receiver: Kind::Ours("sack"), ..Transfer::of(sender).losing(18..21) };
    let (sack, its) = (sack_receiver(Kind::Ours("sack")).run(), sack_receiver(Kind::Smoltcp).run());
    let blocks = |segment: &Segment| !segment.sack.as_slice().is_empty();
    assert!(count(&its.answered, blocks) >= 10, "its peer does report");
    assert!(its.sent[0].1.sack_permitted);
    assert_eq!((sack.timeouts, its.timeouts), (0, 1));
}

/// "After a lost SYN smoltcp takes two segments for ssthresh ... "
#[test]
fn a_lost_syn_costs_smoltcp_its_slow_start() {
    for event in events().iter().filter(|event| event.0.contains("SYN")) {
        let (ours, its) = (with_event(RENO, event), with_event(Kind::Smoltcp, event));
        // Segments sent in each round trip from the writing of the data on.
        let flights = |run: &Run| -> Vec<usize> {
            let sent = |from, to| run.sent.iter().filter(|sent| from <= sent.0 && sent.0 < to).count();
            let at = |round| crate::transfer::START + Time::from_ms(101) * round;
            (0..4).map(|round| sent(at(round), at(round + 1))).collect()
        };
        assert_eq!(flights(&ours), [1, 2, 4, 8], "{}", event.0);
        assert_eq!(flights(&its), [1, 2, 2, 3], "{}", event.0);
        assert!(ours.took + Time::from_ms(400) < its.took, "{}", event.0);
    }
}

/// "Sequence numbers that wrap change nothing."
#[test]
fn numbers_that_wrap_change_nothing() {
    let far = [1_000, 2_000];
    // The sender's wrap in the middle of the data, the receiver's between its SYN and its FIN.
    let near = [u32::MAX - 30_000, u32::MAX];
    for (sender, receiver) in [(RENO, Kind::Smoltcp), (Kind::Smoltcp, RENO), (Kind::Smoltcp, Kind::Smoltcp)] {
        for losses in [0..0, 18..21, 28..32] {
            let transfer = Transfer { receiver, ..Transfer::of(sender).losing(losses.clone()) };
            let [far, near] = [far, near].map(|isns| Transfer { isns, ..transfer.clone() }.run());
            assert_eq!(first_difference(&far, &near), None, "{sender:?} {receiver:?} {losses:?}");
            assert_eq!(far.took, near.took);
        }
    }
}

/// Every second segment from [`FIRST_LOST`] on is lost.
pub(crate) fn holes(sender: Kind, receiver: Kind, holes: u64) -> Run {
    let lost = (0..holes).map(|hole| FIRST_LOST + 2 * hole);
    Transfer { receiver, ..Transfer::of(sender).losing(lost) }.run()
}

/// "smoltcp's receiver keeps four separate pieces of data at most; what would be a fifth is thrown
/// away and must come again."
#[test]
fn smoltcp_keeps_four_pieces() {
    let newreno = Kind::Ours("newreno");
    assert_eq!(holes(newreno, newreno, 4).again.len(), holes(newreno, Kind::Smoltcp, 4).again.len());
    let (ours, its) = (holes(newreno, newreno, 5), holes(newreno, Kind::Smoltcp, 5));
    assert_eq!(ours.again.len(), 5);
    assert!(its.again.len() > 10 && its.took > ours.took + Time::from_secs(1));
}

/// "smoltcp's receiver reports one SACK block, the most recent; ours up to four."
#[test]
fn smoltcp_reports_one_block() {
    let sack = Kind::Ours("sack_rfc6675");
    let most = |run: &Run| run.answered.iter().map(|sent| sent.1.sack.as_slice().len()).max();
    assert_eq!(most(&holes(sack, Kind::Smoltcp, 4)), Some(1));
    assert_eq!(most(&holes(sack, sack, 4)), Some(3));
}

/// "A FIN that comes before the data that it follows is forgotten by smoltcp and kept by ours; the
/// sender then sends it again at a time-out."
#[test]
fn smoltcp_forgets_a_fin_that_comes_too_early() {
    let early = |receiver| {
        let transfer = Transfer { receiver, closes: Closes::WithTheData, ..Transfer::of(RENO) };
        transfer.losing([SEGMENTS - 5]).run()
    };
    let fins = |run: &Run| count(&run.sent, |segment| segment.fin);
    let (ours, its) = (early(RENO), early(Kind::Smoltcp));
    assert_eq!((fins(&ours), ours.timeouts), (1, 0));
    assert_eq!((fins(&its), its.timeouts), (2, 1));
    // One segment later, because smoltcp's first duplicate ACK announces a window that the application has read.
    let segment = Time::from_us(MSS + 40);
    assert_eq!(ours.took + segment, its.took);
}

/// "Three duplicate ACKs make smoltcp forget the timer of a FIN that is the only thing out: if that
/// FIN was lost, it is never sent again."
#[test]
fn smoltcp_gives_up() {
    // The last segment arrives twice and is acknowledged twice, and both ACKs arrive twice: the
    // first lets the FIN out, which is lost; the other three are duplicates.
    let there = vec![(SEGMENTS, Fate::Duplicate), (SEGMENTS + 1, Fate::Lose)];
    let back = vec![(SEGMENTS, Fate::Duplicate), (SEGMENTS + 1, Fate::Duplicate)];
    let ends = |sender| {
        let (there, back) =
            ((is_data_or_fin as fn(&_) -> bool, there.clone()), (is_pure_ack as _, back.clone()));
        Transfer { there, back, ..Transfer::of(sender) }.ends()
    };
    assert_eq!(ends(RENO), [State::TimeWait, State::Closed]);
    assert_eq!(ends(Kind::Smoltcp), [State::FinWait1, State::Established]);
}

/// "smoltcp takes the window of whatever segment came last, also of one that was overtaken. If that
/// window was zero and what is out gets lost, its time-out finds no window, and no timer is left."
#[test]
fn smoltcp_believes_an_old_window() {
    // A buffer of two segments, read out 5 ms after the second one has come: the ACK that reports
    // the closed window comes after the one that opens it, and what the latter lets out is lost.
    let reads = Reads::Slowly { from: Time::from_us(10_058_000), period: Time::from_secs(1), bytes: 2 * MSS };
    let ends = |sender| {
        let transfer = Transfer { reads, receive_buffer: 2 * MSS, ..Transfer::of(sender).losing([3, 4]) };
        let back = (is_pure_ack as fn(&_) -> bool, vec![(2, Fate::Delay(Time::from_ms(20)))]);
        Transfer { back, ..transfer }.undelivered()
    };
    assert_eq!(ends(RENO), 0);
    assert_eq!(ends(Kind::Smoltcp), (SEGMENTS - 2) * MSS);
}

/// "In LAST-ACK it does not look at an ACK that acknowledges nothing new, nor at its window."
#[test]
fn smoltcp_is_blind_in_last_ack() {
    // The receiver closes at once and reads from 50 s on; the sender writes at 10 s, and closes.
    let took = |sender| {
        let (closes, receiver_closes) = (Closes::WithTheData, Closes::WithTheData);
        let reads = Reads::Slowly { from: Time::from_secs(50), period: Time::from_ms(10), bytes: 2 * MSS };
        let stalled = Transfer { reads, receive_buffer: 8 * MSS, ..Transfer::of(sender) };
        Transfer { closes, receiver_closes, ..stalled }.run().took
    };
    let opened = Time::from_secs(40);
    assert!(took(RENO) < opened + Time::from_secs(2));
    // It waits for its next probe, 63 s after the first one went unanswered.
    assert!(took(Kind::Smoltcp) > opened + Time::from_secs(20));
}

/// A receiver that begins to read 40 s after the data was written.
pub(crate) fn stalled(sender: Kind, receiver: Kind) -> Run {
    let reads = Reads::Slowly { from: Time::from_secs(50), period: Time::from_ms(10), bytes: 2 * MSS };
    Transfer { receiver, reads, receive_buffer: 8 * MSS, ..Transfer::of(sender) }.run()
}

/// When a closed window was probed, seconds from the writing of the data.
pub(crate) fn probes(run: &Run) -> Vec<f64> {
    let reopened = crate::transfer::START + Time::from_secs(40);
    let probe = |sent: &&(Time, Segment)| sent.0 < reopened && sent.1.len == 1;
    let seconds = |sent: &(Time, Segment)| sent.0.saturating_sub(crate::transfer::START).as_secs_f64();
    run.sent.iter().filter(probe).map(seconds).collect()
}

/// "A closed window is probed with one byte after an RTO, and then after twice as long each time."
#[test]
fn a_closed_window_is_probed_alike() {
    for receiver in [RENO, Kind::Smoltcp] {
        let (ours, its) = (stalled(RENO, receiver), stalled(Kind::Smoltcp, receiver));
        assert_eq!(probes(&ours).len(), 5, "{:?}", probes(&ours));
        assert_eq!(first_difference(&ours, &its), None, "{receiver:?}");
    }
}
