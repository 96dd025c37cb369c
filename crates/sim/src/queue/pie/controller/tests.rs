//! Steps of the probability worked out by hand, the rules that spare packets, ECN, and pauses.

use super::*;
use crate::queue::pie::tests::{MS, rng, with};
use crate::queue::tests::{packet, setting, unlimited};
use proptest::prelude::*;

fn config(changes: &[(usize, u64)]) -> Config<bool> {
    Config::new(&with(changes), &setting(unlimited()))
}

/// A controller whose allowance is used up, with this probability and this old delay.
fn controller(p: u64, old_delay: Time) -> Controller {
    let mut its = Controller::new(&config(&[]));
    (its.p, its.old_delay, its.burst_allowance) = (p, old_delay, Time::ZERO);
    its
}

/// The probability after updates with these delays.
fn after(p: u64, old_delay: Time, delays: &[Time]) -> u64 {
    let mut its = controller(p, old_delay);
    delays.iter().for_each(|&delay| its.update(&config(&[]), delay));
    its.p
}

/// What an arriving packet of 1000 bytes finds if as many thousand bytes wait.
fn found(thousands: u64) -> Found {
    Found { bytes: 1000 * thousands, max_packet: 1000, has_room: true }
}

/// Delays of 20, 20, 30 and 10 ms from nothing on:
/// - 1/8 · 5 ms + 5/4 · 20 ms = 0.025 625, by 2048: 1.251 220 703 125e-5;
/// - 1/8 · 5 ms = 0.000 625, by 128: 4.882 812 5e-6 more;
/// - 1/8 · 15 ms + 5/4 · 10 ms = 0.014 375, by 128: 1.123 046 875e-4 more;
/// - -1/8 · 5 ms - 5/4 · 20 ms = -0.025 625, by 32: more than there is.
#[test]
fn the_probability_follows_the_delays() {
    let delays = [20, 20, 30, 10].map(|ms| MS * ms);
    let expected = [12_512_207_031_250, 17_395_019_531_250, 129_699_707_031_250, 0];
    for (updates, p) in (1..).zip(expected) {
        assert_eq!(after(0, Time::ZERO, &delays[..updates]), p, "{updates}");
    }
}

/// Steps of ±1/8 · 8 ms = ±0.001 on both sides of each row: 0.001 by 2048, 512, 128, 32, 8, 2 and 1.
#[test]
fn small_probabilities_move_in_small_steps() {
    let limits = [1_000_000, 100_000, 10_000, 1000, 100, 10].map(|parts| ONE / parts);
    let steps = [2048, 512, 128, 32, 8, 2, 1].map(|divisor| ONE / 1000 / divisor);
    for (row, &limit) in limits.iter().enumerate() {
        for (p, step) in [(limit - 1, steps[row]), (limit, steps[row + 1])] {
            assert_eq!(after(p, MS * 23, &[MS * 23]), p + step);
            assert_eq!(after(p, MS * 7, &[MS * 7]), p.saturating_sub(step));
        }
    }
    // 1/8 · 1 ps by 512 is 244.1e-18.
    let (p, near) = (ONE / 200_000, [14_999_999_999, 15_000_000_001].map(Time::from_ps));
    assert_eq!(near.map(|delay| after(p, delay, &[delay])), [p - 245, p + 244]);
}

/// From 100 to 200 ms: 1/8 · 185 ms + 5/4 · 100 ms = 0.148 125, by 2 below 10 %, and 0.02 from there on. A fall has no limit.
#[test]
fn a_step_is_two_percent_at_most_from_ten_percent_on() {
    let of = |p, from, to| after(p, MS * from, &[MS * to]);
    assert_eq!(of(ONE / 10 - 1, 100, 200), ONE / 10 - 1 + 74_062_500_000_000_000);
    assert_eq!(of(ONE / 10, 100, 200), ONE / 100 * 12);
    assert_eq!(of(ONE / 100 * 99, 100, 200), ONE);
    assert_eq!(of(ONE / 2, 200, 100), ONE / 2 - 114_375_000_000_000_000);
}

/// 2 % more above 250 ms, whatever else the step is: 1/8 · 235 ms = 0.029 375 at 250 ms, by 2048 or at most 0.02.
#[test]
fn a_high_delay_adds_two_percent() {
    let of = |p, delay| after(p, delay, &[delay]);
    let high = MS * 250 + Time::from_ps(8);
    assert_eq!(of(0, MS * 250), 14_343_261_718_750);
    assert_eq!(of(0, high), 14_343_261_718_750 + ONE / 50 + 8 * 125_000 / 2048);
    assert_eq!([of(ONE / 2, MS * 250), of(ONE / 2, high)], [ONE / 100 * 52, ONE / 100 * 54]);
}

/// Twice no delay: (0.5 - 1/8 · 15 ms) · 0.98 = 0.488 162 5; once: 0.5 - 1/8 · 15 ms, and 5/4 · 1 ms from or to the other.
#[test]
fn the_probability_decays_when_idle() {
    let of = |from, to| after(ONE / 2, MS * from, &[MS * to]);
    assert_eq!(of(0, 0), 488_162_500_000_000_000);
    assert_eq!(of(1, 0), 498_125_000_000_000_000 - 1_250_000_000_000_000);
    assert_eq!(of(0, 1), 498_250_000_000_000_000 + 1_250_000_000_000_000);
}

/// 150 ms are ten updates; below half of the target with p at zero an arrival renews them.
#[test]
fn a_burst_passes() {
    let (config, rng) = (config(&[]), &mut rng());
    let mut its = Controller::new(&config);
    for updates in 0..10 {
        assert_eq!(its.burst_allowance, MS * (150 - 15 * updates));
        its.p = ONE;
        assert!(!its.drop_early(&config, found(9), rng), "{updates}");
        its.update(&config, MS * 300);
    }
    assert_eq!((its.burst_allowance, its.p), (Time::ZERO, ONE));
    assert!(its.drop_early(&config, found(9), rng));
    let mut renewed = |p, old_delay| {
        let mut its = controller(p, old_delay);
        let _ = its.admit(&config, &mut packet(0, 1000, false), found(0), Time::ZERO, rng);
        its.burst_allowance == MS * 150
    };
    let half = Time::from_us(7500);
    assert!(renewed(0, half - Time::from_ps(1)));
    assert!(!renewed(0, half) && !renewed(1, Time::ZERO));
}

/// Nothing is dropped below half of the target and 20 %, nor while two packets wait; all is at a probability of 1.
#[test]
fn safeguards_spare_packets() {
    let half = Time::from_us(7500);
    let below = half - Time::from_ps(1);
    let drops = |p, old_delay, waiting: Found| {
        let mut its = controller(p, old_delay);
        its.sum = 9 * ONE;
        its.drop_early(&config(&[]), waiting, &mut rng())
    };
    assert!(!drops(ONE / 5 - 1, below, found(9)));
    assert!(drops(ONE / 5 - 1, half, found(9)) && drops(ONE / 5, below, found(9)));
    assert!(!drops(ONE, MS * 300, found(2)));
    assert!(drops(ONE, MS * 300, Found { bytes: 2001, ..found(2) }));
}

/// The sum of probabilities: no drop below 0.85, one in any case from 8.5 on, none at a probability of zero.
#[test]
fn drops_are_neither_close_nor_far() {
    let (config, rng) = (config(&[]), &mut rng());
    let mut of = |p, sum| {
        let mut its = controller(p, MS * 20);
        its.sum = sum;
        (its.drop_early(&config, found(9), rng), its.sum)
    };
    assert_eq!(of(ONE / 2, 35 * (ONE / 100) - 1), (false, 85 * (ONE / 100) - 1));
    assert_eq!(of(ONE, 0), (true, ONE));
    assert_eq!(of(1, 17 * (ONE / 2) - 1), (true, 17 * (ONE / 2)));
    assert_eq!(of(1, 17 * (ONE / 2) - 2), (false, 17 * (ONE / 2) - 1));
    assert_eq!(of(0, 9 * ONE), (false, 0));
}

/// At 5 % drops are 17 to 170 packets apart, and the first 16 are followed by a geometric law: 16 + 20 on average.
#[test]
fn distances_of_drops_have_bounds() {
    let (config, rng) = (config(&[]), &mut rng());
    let mut its = controller(ONE / 20, MS * 20);
    let (mut distances, mut distance) = (vec![], 0_u32);
    while distances.len() < 20_000 {
        distance += 1;
        match its.admit(&config, &mut packet(0, 1000, false), found(9), Time::ZERO, rng) {
            Verdict::Enqueue => {}
            verdict => {
                assert_eq!(verdict, Verdict::Drop(DropCause::QueueEarly));
                distances.push(std::mem::take(&mut distance));
            }
        }
    }
    let (least, most) = (distances.iter().min(), distances.iter().max());
    assert_eq!((least, most), (Some(&17), Some(&170)), "5e-4 of the distances are the longest");
    let mean = f64::from(distances.iter().sum::<u32>()) / 20_000.0;
    assert!((mean - 36.0).abs() < 5.0 * 19.5 / 20_000.0_f64.sqrt(), "{mean}");
}

/// Up to the threshold a packet that can be is marked; above it, and without ECN, it is dropped. A full queue drops.
#[test]
fn marks_what_can_be_marked_up_to_the_threshold() {
    let verdict = |ecn, p, is_capable, has_room| {
        let mut its = controller(p, MS * 20);
        its.sum = 9 * ONE;
        let found = Found { has_room, ..found(9) };
        let verdict =
            its.admit(&config(&[(5, ecn)]), &mut packet(0, 1000, is_capable), found, Time::ZERO, &mut rng());
        assert_eq!(its.sum, 0, "it starts again");
        verdict
    };
    let dropped = Verdict::Drop(DropCause::QueueEarly);
    assert_eq!(verdict(1, ONE / 10, true, true), Verdict::Mark);
    assert_eq!(verdict(1, ONE / 10, false, true), dropped);
    assert_eq!(verdict(1, ONE / 10 + 1, true, true), dropped);
    assert_eq!(verdict(0, ONE / 10, true, true), dropped);
    assert_eq!(verdict(1, ONE / 10, true, false), Verdict::Drop(DropCause::QueueFull));
}

/// A pause of 200 days, with updates a picosecond apart, and a queue that stands still or is empty.
#[test]
fn long_pauses_cost_little() {
    let long = Time::from_secs(200 * 86_400);
    for (old_delay, bytes, expected) in [(MS * 16, 9000, ONE), (MS * 14, 9000, 0), (MS * 16, 0, 0)] {
        for (alpha, t_update) in [(1, 1), (125_000, 1_000_000), (125_000, 15_000_000_000)] {
            let config = config(&[(2, alpha), (1, t_update)]);
            let mut its = Controller::new(&config);
            its.p = ONE / 2;
            its.update(&config, old_delay);
            its.delay = old_delay;
            its.catch_up(&config, bytes, long);
            assert_eq!((its.p, its.burst_allowance), (expected, Time::ZERO), "{alpha} {t_update}");
        }
    }
}

proptest! {
    /// The updates made up for are those of a timer, whatever the delay.
    #[test]
    fn missed_updates_are_made_one_by_one(
        p in prop_oneof![0..=ONE, 0..ONE / 1_000_000, (0..7u32).prop_map(|tens| ONE / 10_u64.pow(tens))],
        delay_ps in prop_oneof![Just(0), 14_999_999_000..15_000_001_000u64, 0..300_000_000_000u64],
        gains in (1..5_000_000u64, 1..5_000_000u64),
        missed in prop_oneof![1..20u64, 1..3000u64],
    ) {
        let config = config(&[(2, gains.0), (3, gains.1), (4, MS.as_ps() * 20_000)]);
        let mut its = Controller::new(&config);
        its.p = p;
        its.update(&config, Time::from_ps(delay_ps));
        its.delay = its.old_delay;
        let mut plain = its;
        its.catch_up(&config, 9000, MS * 15 * missed + MS);
        (0..missed).for_each(|_| plain.update(&config, plain.old_delay));
        prop_assert_eq!((its.p, its.burst_allowance), (plain.p, plain.burst_allowance));
    }
}
