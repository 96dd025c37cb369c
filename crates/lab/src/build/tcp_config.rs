//! A TCP of the plan -> the configuration of an endpoint.

use crate::plan;
use crate::run::Error;
use sim::Time;
use tcp::recovery::{Deflation, NewRenoParameters, PartialAckTimer};
use tcp::{Config, Flavor, LossWindow};

pub(super) fn config(tcp: &plan::Tcp) -> Result<Config, Error> {
    let flavor = Flavor::named(&tcp.flavor).ok_or_else(|| Error::Flavor(tcp.flavor.clone()))?;
    Ok(Config {
        flavor,
        newreno: newreno(tcp, flavor)?,
        smss: tcp.smss_bytes,
        initial_window: tcp.initial_window_segments,
        initial_ssthresh: tcp.initial_ssthresh_bytes,
        receive_buffer: tcp.receive_buffer_bytes,
        window_scale: tcp.window_scale,
        delayed_ack: tcp.delayed_ack_ps.map(Time::from_ps),
        nagle: tcp.nagle,
        sws_avoidance: tcp.sws_avoidance,
        idle_restart: tcp.idle_restart,
        loss_window: match tcp.loss_window {
            plan::LossWindow::Cwnd => LossWindow::Cwnd,
            plan::LossWindow::FlightSize => LossWindow::FlightSize,
        },
        additive_constant: tcp.additive_constant,
        initial_rto: tcp.initial_rto_ticks,
        min_rto: tcp.min_rto_ticks,
        max_rto: tcp.max_rto_ticks,
    })
}

/// The flavor's own NewReno parameters with those that the plan gives in their place.
fn newreno(tcp: &plan::Tcp, flavor: &Flavor) -> Result<Option<NewRenoParameters>, Error> {
    if tcp.deflation.is_none() && tcp.partial_ack_timer.is_none() {
        return Ok(None);
    }
    let mut parameters = flavor.newreno.ok_or_else(|| Error::NotNewReno(tcp.flavor.clone()))?;
    if let Some(deflation) = tcp.deflation {
        parameters.deflation = match deflation {
            plan::Deflation::Full => Deflation::Full,
            plan::Deflation::Partial => Deflation::Partial,
        };
    }
    if let Some(timer) = tcp.partial_ack_timer {
        parameters.partial_ack_timer = match timer {
            plan::PartialAckTimer::First => PartialAckTimer::First,
            plan::PartialAckTimer::Every => PartialAckTimer::Every,
        };
    }
    Ok(Some(parameters))
}
