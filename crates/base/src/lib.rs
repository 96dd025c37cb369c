//! What every other crate needs, and nothing else: simulated time and data rates.

mod time;

pub use time::{Rate, Time};
