//! A golden trace of the states: STARTUP, DRAIN, cycles of PROBE_BW, PROBE_RTT, in `snapshots/`.
//!
//! 10 Mbit/s and 40 ms. The smallest RTT is that of the handshake, 40.1 ms, in which the link carries 33.4 packets of 1500 bytes; a packet of
//! data takes 41.3 ms. A line for each change of state, and for each 41 ms of the start: the state, packets in flight, cwnd in segments, the
//! pacing rate as a part of what the link carries of data, packets that wait. Worked by hand, and found there:
//!
//! *STARTUP.* The first rate is 2.887 * 0.99 times ten segments in the RTT of the handshake, 8.3 Mbit/s: 0.86 of the 9.65 that the
//! link carries. The window doubles each round trip, and so does the rate until it is 2.887 * 0.99 = 2.86 times the link: samples grow
//! no more. cwnd stops at 2.887 * 33.4, 97 segments, and three bursts of 2 (1/1024 s of that rate are 3367 bytes): 103, and 104 as an
//! even number. 70 of them wait: 104 less the 34 on the way.
//!
//! *Full pipe.* Three round trips without growth by a quarter, each as long as the queue makes it: 104 * 1.2 = 125 ms.
//!
//! *DRAIN.* The rate is 0.344 * 0.99 = 0.34 of the link, so a packet less is in flight each 1.2 / 0.66 = 1.8 ms, until 40 are: the BDP of
//! 34 and three bursts. cwnd has room for what the ACKs hold back, since the pipe is full.
//!
//! *PROBE_BW.* A round trip at 1.25 * 0.99 = 1.24 adds a quarter of the BDP; one at 0.74 takes it away; six at 0.99 follow. cwnd is
//! twice 33.4, the bursts, and what ACKs hold back; two segments more in the first phase. From one 1.25 to the next it is 8 round
//! trips, 330 ms.
//!
//! *PROBE_RTT.* 10 s after the handshake: four segments, for 200 ms from when no more are in flight, and a round trip; then cwnd is what
//! it was. The new smallest RTT is that of data.

use crate::support::{DATA, MSS, Path, Run, Sender};
use std::fmt::Write;

fn line(run: &mut Run, ms: u64) -> String {
    let waiting = run.waiting();
    let sender = run.sender(0);
    let link = 10e6 / 8.0 * DATA;
    let rate = sender.window().pacing().map_or(0.0, |pacing| pacing.rate as f64 / link);
    let (in_flight, cwnd) = (run.in_flight(), sender.window().cwnd() / MSS);
    let state = sender.congestion_state();
    format!(
        "{:>6.3} {state:<13} {in_flight:>4.0} in flight of {cwnd:>3}, rate {rate:.2}, {waiting:>3} wait\n",
        ms as f64 / 1e3
    )
}

#[test]
fn golden_trace_of_the_states() {
    let mut run = Run::new(&Path::new(10, 1000), &[Sender::new("bbr", 40)]);
    let mut trace = String::new();
    let mut state = String::new();
    for ms in 41..11_000 {
        run.to(ms);
        let now = run.sender(0).congestion_state();
        let is_shown = !(1500..=9800).contains(&ms);
        if is_shown && (now != state || (ms < 700 && ms % 41 == 0)) {
            trace.write_str(&line(&mut run, ms)).expect("a string takes all");
        }
        state = now;
    }
    insta::assert_snapshot!("bbr_states", trace);
}
