//! Workloads of random plans.

use super::networks::MS;
use lab::plan::{Adaptation, Arrivals, Interpolation, Sizes, Times, Workload};

/// Single files that arrive in an open loop.
pub(crate) fn arrivals() -> Workload {
    Workload::Arrivals {
        arrivals: Arrivals::Random { gap: Times::Exponential { mean_ps: 100 * MS } },
        sizes: Sizes::Quantiles {
            u_ppb: vec![500_000_000, 1_000_000_000],
            bytes: vec![100, 30_000],
            interpolation: Interpolation::Linear,
        },
        request_bytes: 80,
        answers_with_ack: true,
        start_ps: 0,
    }
}

/// Calls over a connection that stays open.
pub(crate) fn calls(closed_loop: bool, start_spread_ps: u64) -> Workload {
    Workload::Rpc {
        request_bytes: 128,
        sizes: Sizes::Fixed { bytes: 32_000 },
        think: Times::Exponential { mean_ps: 50 * MS },
        closed_loop,
        start_ps: 0,
        start_spread_ps,
    }
}

/// A player whose buffer holds a second.
pub(crate) fn video(by_buffer: bool, start_spread_ps: u64) -> Workload {
    Workload::Video {
        ladder_bps: vec![100_000, 500_000, 2_000_000],
        chunk_ps: 200 * MS,
        most_ps: 1_000 * MS,
        start_up_ps: 400 * MS,
        adaptation: if by_buffer {
            Adaptation::Buffer { reservoir_ps: 200 * MS, cushion_ps: 400 * MS }
        } else {
            Adaptation::Rate { chunks: 3, used_ppm: 800_000 }
        },
        request_bytes: 300,
        start_ps: 0,
        start_spread_ps,
    }
}
