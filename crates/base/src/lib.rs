//! Simulated time, data rates and the ECN field, which other crates share.

mod ecn;
mod time;

pub use ecn::Ecn;
pub use time::{Rate, Time};
