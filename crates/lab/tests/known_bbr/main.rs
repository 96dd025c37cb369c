//! Results that are known of BBR, version 1, from measurements and models of others.
//!
//! Each test names its source and states the claim with its tolerance; the path is smaller than the one measured only where it says so.

mod alone;
mod golden;
mod losses;
mod sharing;
mod support;
