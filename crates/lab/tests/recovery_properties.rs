//! With any losses in both directions, every flavor delivers the file and closes.

mod support;

use proptest::prelude::*;
use support::{config, transfer};
use tcp::options::{Deflation, NewRenoParameters, OnDupAck, PartialAckTimer};
use tcp::{AckTimer, Config, CwndRounding, FLAVORS, Historic, Options, SsthreshFrom};

fn newreno() -> impl Strategy<Value = NewRenoParameters> {
    let deflation = prop_oneof![Just(Deflation::Full), Just(Deflation::Partial)];
    let timer = prop_oneof![Just(PartialAckTimer::First), Just(PartialAckTimer::Every)];
    let on_dup_ack = prop_oneof![Just(OnDupAck::Inflate), Just(OnDupAck::EverySecond)];
    (deflation, timer, on_dup_ack).prop_map(|(deflation, partial_ack_timer, on_dup_ack)| NewRenoParameters {
        deflation,
        partial_ack_timer,
        on_dup_ack,
    })
}

prop_compose! {
    fn configs()(
        flavor in 0..FLAVORS.len(),
        newreno in prop::option::of(newreno()),
        smss in 100u32..3000,
        initial_window in 1u32..5,
        initial_ssthresh in 1000u64..100_000,
        receive_buffer in 3000u64..65_000,
        delayed_ack in prop::option::of(10u64..500),
        ack_policy in (1u32..6, prop_oneof![Just(0), 0u64..30_000], any::<bool>()),
        restart_window in prop::option::of(1u32..5),
        switches in any::<[bool; 7]>(),
        growth in (prop::sample::select([CwndRounding::Up, CwndRounding::Down, CwndRounding::None].to_vec()), 1u32..9),
        retransmit_wait_ppm in prop_oneof![Just(0), 0u32..4_000_000],
    ) -> Config {
        let flavor = &FLAVORS[flavor];
        let base = config(flavor, newreno);
        let half_of_min_rto = base::Time::from_ps(base.options.min_rto.as_ps() / 2);
        let options = Options {
            // A peer that makes a sender wait for longer than its smallest time-out costs it one.
            delayed_ack: delayed_ack.map(|ms| base::Time::from_ms(ms).min(half_of_min_rto)),
            ack_timer: if ack_policy.2 { AckTimer::FreeRunning } else { AckTimer::PerAck },
            ack_every: ack_policy.0,
            quick_ack_bytes: ack_policy.1,
            recovery_samples: switches[0],
            lost_retransmission_detection: switches[1],
            careful_fast_retransmit: switches[6],
            ssthresh_from: if switches[3] { SsthreshFrom::Cwnd } else { SsthreshFrom::FlightSize },
            sws_avoidance: switches[1],
            historic: Historic {
                handshake_growth: switches[5],
                handshake_sample: switches[2],
                additive_constant: switches[4],
                cwnd_rounding: growth.0,
                cwnd_ack_batch: growth.1,
                retransmit_wait_ppm,
            },
            ..base.options
        };
        Config {
            options, smss, initial_window, initial_ssthresh, receive_buffer,
            nagle: switches[0],
            idle_restart: switches[2],
            restart_window,
            ..base
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// `transfer` itself checks that all was delivered, that both ends closed, that nothing is
    /// left on a link, and that it did not take for ever.
    #[test]
    fn the_file_arrives(
        config in configs(),
        lost in prop::collection::vec(1u64..120, 0..25),
        lost_back in prop::collection::vec(1u64..120, 0..25),
    ) {
        let outcome = transfer(config, lost, lost_back);
        prop_assert!(outcome.counters.segments_sent >= outcome.counters.segments_retransmitted);
    }

    /// Without a loss nothing is sent twice and nothing times out.
    #[test]
    fn nothing_is_sent_twice_without_need(config in configs()) {
        // A receiver that delays its ACKs for longer than RFC 8985 expects costs a sender a loss probe.
        let options = Options { tlp: false, ..config.options };
        let config = Config { options, ..config };
        let outcome = transfer(config, vec![], vec![]);
        prop_assert_eq!(outcome.counters.segments_retransmitted, 0);
        prop_assert_eq!(outcome.counters.timeouts, 0);
    }
}
