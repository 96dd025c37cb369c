//! One endpoint that gets any segments at all.

use super::super::bytes::Bytes;
use super::configuration::{clock, config};
use super::segments::{any, likely, opening};
use super::watched::Watched;
use base::Time;
use tcp::Flavor;

const MOST_STEPS: u32 = 400;
/// What one run writes at most, so that it ends soon whatever a peer's MSS is.
const MOST_WRITTEN: u64 = 50_000;

pub fn run(bytes: &mut Bytes, flavor: &'static Flavor, explains: bool) {
    let smss = bytes.pick(&[1000, 1, 13, 88, 536, 1460, 9000]);
    let config = config(bytes, flavor, smss);
    let mut endpoint = Watched::new("A", config, clock(bytes), explains);
    let mut now = Time::ZERO;
    endpoint.open(bytes.flag());
    endpoint.settle(now);
    if bytes.flag() {
        let segment = opening(bytes, now, &endpoint);
        endpoint.on_segment(now, &segment);
        endpoint.settle(now);
    }
    for _ in 0..MOST_STEPS {
        if bytes.is_empty() {
            break;
        }
        now = step(bytes, now, &mut endpoint);
        endpoint.settle(now);
    }
}

fn step(bytes: &mut Bytes, now: Time, endpoint: &mut Watched) -> Time {
    match bytes.byte() {
        0..=49 => {
            let segment = any(bytes, now, endpoint);
            endpoint.on_segment(now, &segment);
        }
        50..=149 => {
            let segment = likely(bytes, now, endpoint);
            endpoint.on_segment(now, &segment);
        }
        150..=169 => return timer(now, endpoint),
        170..=199 => return wait(bytes, now, endpoint),
        200..=224 => {
            let room = MOST_WRITTEN.saturating_sub(endpoint.sender.written);
            let n = u64::from(bytes.pick(&[1u16, 100, 536, 1000, 1460, 4000, 20_000]));
            endpoint.write(now, n.min(room));
        }
        225..=229 => endpoint.close(now),
        230..=231 => endpoint.abort(now),
        232..=239 => endpoint.set_auto_read(now, bytes.flag()),
        240..=247 => {
            let n = bytes.pick(&[u64::MAX, 1, 500, 3000, 0]);
            endpoint.read(now, n);
        }
        248..=251 => endpoint.set_nagle(now, bytes.flag()),
        _ => endpoint.on_timer(now),
    }
    now
}

/// The next timer runs out.
fn timer(now: Time, endpoint: &mut Watched) -> Time {
    let at = endpoint.connection.next_timer();
    if at == Time::NEVER {
        return now;
    }
    endpoint.on_timer(at);
    at
}

/// Time passes, but no timer is passed over.
fn wait(bytes: &mut Bytes, now: Time, endpoint: &Watched) -> Time {
    let step = Time::from_us(bytes.pick(&[1, 100, 1_000, 10_000, 70_000, 300_000, 5_000_000, 3_600_000_000]));
    let until = now + Time::from_ps(step.as_ps() * (1 + bytes.below(8)));
    until.min(endpoint.connection.next_timer())
}
