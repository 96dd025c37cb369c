//! The configuration of an endpoint.

use crate::flavor::Flavor;
use crate::options::Options;

/// The configuration of an endpoint. There are no defaults: a study states every value.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Loss recovery and congestion control, by name.
    pub flavor: &'static Flavor,
    /// What the flavor has a preset for.
    pub options: Options,
    /// Sender maximum segment size, bytes; timestamps take their part of it.
    pub smss: u32,
    /// Initial window, segments.
    pub initial_window: u32,
    /// Initial slow-start threshold, bytes.
    pub initial_ssthresh: u64,
    /// Receive buffer, bytes: the most that it holds.
    pub receive_buffer: u64,
    /// What it holds at first if it grows with what is received, bytes; none: it does not grow.
    pub initial_receive_buffer: Option<u64>,
    /// Window scale offered in the SYN; none: no scaling.
    pub window_scale: Option<u8>,
    /// Nagle's algorithm (RFC 896).
    pub nagle: bool,
    /// Restart from the restart window after an idle RTO (RFC 5681, 4.1).
    pub idle_restart: bool,
    /// Restart window, segments; none: the initial window.
    pub restart_window: Option<u32>,
}

#[cfg(test)]
impl Config {
    /// A flavor's presets and round numbers for the rest.
    pub(crate) fn preset(flavor: &'static Flavor) -> Self {
        Self {
            flavor,
            options: flavor.presets,
            smss: 1000,
            initial_window: 10,
            initial_ssthresh: u64::MAX,
            receive_buffer: 65_535,
            initial_receive_buffer: None,
            window_scale: Some(0),
            nagle: false,
            idle_restart: true,
            restart_window: None,
        }
    }
}
