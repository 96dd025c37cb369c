//! The workloads of a plan.

use serde::{Deserialize, Serialize};

/// The two applications of a flow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Workload {
    /// The sender opens the connection, writes, and closes.
    Bulk {
        /// How much it writes; none: it never ends.
        #[serde(deserialize_with = "Option::deserialize")]
        bytes: Option<u64>,
        /// When it opens the connection, ps.
        start_ps: u64,
        /// It does so uniformly within so much time after that, ps.
        start_spread_ps: u64,
    },
    /// The receiver opens the connection and fetches documents in batches of requests over it (000
    /// section 4).
    WwwBatches {
        /// Size of a request, bytes.
        request_bytes: u32,
        /// From one batch to the next, ps.
        period_ps: u64,
        /// Where the period counts from.
        period_from: PeriodFrom,
        /// When the first batch starts: uniform in `[0, start_spread_ps)`; 0 is all at once.
        start_spread_ps: u64,
        /// Requests of one document: from 1 to 9.
        requests: IndexLaw,
        /// Shortest gap between requests, ps.
        gap_min_ps: u64,
        /// Longest gap between requests, ps.
        gap_max_ps: u64,
        /// Which of the nine sizes of its class a file has.
        file_index: IndexLaw,
        /// Probability of the file classes 0 to 4, parts per million; they sum to a million.
        class_ppm: [u32; 5],
        /// Whether the first request of a batch is always of class 0 (and the others are drawn
        /// from classes 1 to 4), or any request by chance.
        first_is_class_0: bool,
        /// Whether the further requests of a batch wait until its first is answered (004 section 4.3).
        first_alone: bool,
    },
    /// The receiver fetches pages: stage after stage, each connection a new one with one request, on
    /// which the sender answers and closes (RFC 2415 section 2).
    Pages {
        /// Size of a request, bytes.
        request_bytes: u32,
        /// Parts of a page, one after the other.
        stages: Vec<Stage>,
        /// How large objects are.
        sizes: Sizes,
        /// How long the pause after a page is.
        pause: Times,
        /// Whether an answer carries the ACK of its request, and a FIN that of the last data.
        answers_with_ack: bool,
        /// When the first page begins, ps.
        start_ps: u64,
        /// It does so uniformly within so much time after that, ps.
        start_spread_ps: u64,
    },
    /// The receiver opens a connection whenever a flow arrives, on which the sender answers and closes.
    Arrivals {
        /// When flows arrive.
        arrivals: Arrivals,
        /// How large they are.
        sizes: Sizes,
        /// Size of a request, bytes.
        request_bytes: u32,
        /// Whether an answer carries the ACK of its request, and a FIN that of the last data.
        answers_with_ack: bool,
        /// When the first gap begins, ps.
        start_ps: u64,
    },
    /// The receiver makes calls over one connection, which the sender answers.
    Rpc {
        /// Size of a request, bytes.
        request_bytes: u32,
        /// How large responses are.
        sizes: Sizes,
        /// From a response (closed loop) or a request (open loop) to the next request.
        think: Times,
        /// Whether a request waits for the response before it.
        closed_loop: bool,
        /// When the first request is made, ps.
        start_ps: u64,
        /// It is made uniformly within so much time after that, ps.
        start_spread_ps: u64,
    },
    /// The receiver plays video, which it fetches from the sender in chunks over one connection.
    Video {
        /// Bit rates, rising, bit/s.
        ladder_bps: Vec<u64>,
        /// Video in a chunk, ps.
        chunk_ps: u64,
        /// Video that the player holds at most, ps.
        most_ps: u64,
        /// Video with which it begins to play, ps.
        start_up_ps: u64,
        /// How it chooses the bit rate.
        adaptation: Adaptation,
        /// Size of a request for the lowest bit rate, bytes.
        request_bytes: u32,
        /// When it opens the connection, ps.
        start_ps: u64,
        /// It does so uniformly within so much time after that, ps.
        start_spread_ps: u64,
    },
    /// The sender sends UDP datagrams of one length, without answers. The TCPs of such a flow are
    /// not used.
    Datagrams {
        /// Rate of the IP packets while the source is on, bit/s.
        rate_bps: u64,
        /// Length of an IP packet, bytes.
        packet_bytes: u32,
        /// How long the source is on; none, and none for `off`: always.
        #[serde(deserialize_with = "Option::deserialize")]
        on: Option<Times>,
        /// How long it is off.
        #[serde(deserialize_with = "Option::deserialize")]
        off: Option<Times>,
        /// When the first packet leaves, ps.
        start_ps: u64,
        /// It does so uniformly within so much time after that, ps.
        start_spread_ps: u64,
    },
}

/// When flows arrive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Arrivals {
    /// By chance; every flow of the plan with this workload draws its own gaps.
    Random {
        /// From one arrival to the next.
        gap: Times,
    },
    /// At these times after the start, in turn for the flows of the plan with this workload: that with number k of n
    /// has arrivals k, k + n, k + 2 n and so on, and the items of its list of sizes with the same numbers.
    Listed {
        /// Times, ps; they do not decrease.
        at_ps: Vec<u64>,
    },
}

/// How a player of video chooses the bit rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum Adaptation {
    /// By the video that it holds.
    Buffer {
        /// Up to so much, the lowest, ps.
        reservoir_ps: u64,
        /// With so much more, the highest, ps.
        cushion_ps: u64,
    },
    /// By the throughput of the last chunks.
    Rate {
        /// How many.
        chunks: u32,
        /// Part of their harmonic mean that a chunk may use, parts per million.
        used_ppm: u32,
    },
}

/// A law of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "law", rename_all = "snake_case", deny_unknown_fields)]
pub enum Times {
    /// Every time from the shortest to the longest with equal probability.
    Uniform {
        /// Shortest, ps.
        min_ps: u64,
        /// Longest, ps.
        max_ps: u64,
    },
    /// Exponential.
    Exponential {
        /// Mean, ps.
        mean_ps: u64,
    },
    /// Pareto: more than x with probability (k/x)^shape, from k = mean (shape - 1) / shape on.
    Pareto {
        /// Mean, ps.
        mean_ps: u64,
        /// Shape, parts per million; above one.
        shape_ppm: u32,
    },
}

/// Part of a page: connections that are opened at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// How many.
    pub connections: u32,
    /// Objects on each.
    pub objects: u32,
}

/// How large objects are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "law", rename_all = "snake_case", deny_unknown_fields)]
pub enum Sizes {
    /// All alike.
    Fixed {
        /// Size, bytes.
        bytes: u64,
    },
    /// An empirical distribution, by the inverse of its distribution function.
    Quantiles {
        /// Probabilities, in parts per 1e9: they rise, and the last is one.
        u_ppb: Vec<u32>,
        /// The size at each, bytes.
        bytes: Vec<u64>,
        /// What lies between.
        interpolation: Interpolation,
    },
    /// A list, each flow in its turn: number k of n flows with this workload begins at item k * len / n.
    InTurn {
        /// Sizes, bytes.
        bytes: Vec<u64>,
    },
    /// Pareto, as of times, rounded to at least one byte.
    Pareto {
        /// Mean, bytes.
        mean_bytes: u64,
        /// Shape, parts per million; above one.
        shape_ppm: u32,
    },
}

/// The sizes between two quantiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interpolation {
    /// Sizes whose logarithms lie on a straight line.
    Log,
    /// Sizes that lie on a straight line; below the first probability, from 0 bytes on.
    Linear,
    /// No interpolation: the size is the quantile above.
    None,
}

/// Where the period between batches counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PeriodFrom {
    /// The first request of the batch before.
    FirstRequest,
    /// Its last request.
    LastRequest,
}

/// A law on the whole numbers from 1 to 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IndexLaw {
    /// Poisson of mean 5 given that it lies in 1 to 9 (mean 4.846).
    PoissonTruncated,
    /// Poisson of mean 5, with values outside moved to 1 or 9 (mean 4.953).
    PoissonClamped,
    /// Every value equally likely (mean 5).
    Uniform,
    /// Always 5.
    Five,
}
