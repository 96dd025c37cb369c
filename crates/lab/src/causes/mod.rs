//! Why a segment was sent, and why a packet was lost, in words.
//!
//! Captures and probes both say it, in the same words.

mod losses;
mod reasons;

pub use losses::LossCause;
pub use reasons::Reason;
pub(crate) use reasons::Sending;
