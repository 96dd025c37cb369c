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
