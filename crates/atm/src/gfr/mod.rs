//! Guaranteed Frame Rate: the contract of a VC, and the policer that enforces it.
//!
//! Source: TM 4.1, section 4.7 and annex on F-GCRA, as the facts of 002 state it. State machines without events: a time
//! and a cell in, a verdict out. Everything is counted in whole numbers.
//!
//! | part | file |
//! |---|---|
//! | the contract | `config.rs` |
//! | a leaky bucket, exact | `bucket.rs` |
//! | eligible frames, by the F-GCRA | `fgcra.rs` |
//! | conforming frames, tagging | `policer.rs` |

mod bucket;
mod config;
mod fgcra;
mod policer;

pub use config::GfrConfig;
pub use fgcra::Fgcra;
pub use policer::{Policer, Verdict};
