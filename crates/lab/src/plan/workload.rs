//! What flows carry, as a plan describes it.

use serde::{Deserialize, Serialize};

/// What the two applications of a flow do.
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
    },
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
    /// Poisson of mean 5, what lies outside moved to 1 or 9 (mean 4.953).
    PoissonClamped,
    /// Every value equally likely (mean 5).
    Uniform,
    /// Always 5.
    Five,
}
