//! Simulated time and data rates, which every other crate uses.

mod time;

pub use time::{Rate, Time};
