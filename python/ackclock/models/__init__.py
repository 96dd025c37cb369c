"""Closed formulas for the throughput of TCP, from a path's loss and round-trip time.

The formulas are square root (Mathis et al.), PFTK simple and full (Padhye et al.), and the NewReno
model of Parvez et al. without and with time-outs. They take numbers or arrays, which are broadcast.
The package also has the inverse (the loss for a throughput), average loss intervals (RFC 5348),
and estimates of p, q, R and RTO from results or from a capture. ``registry`` lists the formulas.
Modules are imported at their first use, so that a command's help does not load numpy.

>>> from ackclock.models import newreno
>>> float(newreno(0.01, 0.075).window_segments.round(2))
14.77
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.late_names import late_names

if TYPE_CHECKING:
    from ackclock.models.estimate import FlowEstimate, estimate_flows, loss_indication_rate
    from ackclock.models.inputs import DomainError
    from ackclock.models.inversion import Inverse, inverse
    from ackclock.models.loss_intervals import average_loss_interval
    from ackclock.models.newreno_formulas import NewReno, newreno, newreno_noto, timeout_probability
    from ackclock.models.registry import MODELS, PARAMETERS, Model
    from ackclock.models.reno_formulas import PftkFull, Reno, pftk_full, pftk_simple, square_root
    from ackclock.models.trace.estimation import TraceEstimate, estimate_trace
    from ackclock.models.window import (
        InEvent,
        eq14_error,
        q_from_loss_rate,
        window_eq14,
        window_exact,
    )

_HOMES = {
    "FlowEstimate": "estimate",
    "InEvent": "window",
    "Inverse": "inversion",
    "MODELS": "registry",
    "Model": "registry",
    "NewReno": "newreno_formulas",
    "DomainError": "inputs",
    "PARAMETERS": "registry",
    "PftkFull": "reno_formulas",
    "Reno": "reno_formulas",
    "TraceEstimate": "trace.estimation",
    "average_loss_interval": "loss_intervals",
    "eq14_error": "window",
    "estimate_flows": "estimate",
    "estimate_trace": "trace.estimation",
    "inverse": "inversion",
    "loss_indication_rate": "estimate",
    "newreno": "newreno_formulas",
    "newreno_noto": "newreno_formulas",
    "pftk_full": "reno_formulas",
    "pftk_simple": "reno_formulas",
    "q_from_loss_rate": "window",
    "square_root": "reno_formulas",
    "timeout_probability": "newreno_formulas",
    "window_eq14": "window",
    "window_exact": "window",
}
__all__ = [
    "MODELS",
    "PARAMETERS",
    "DomainError",
    "FlowEstimate",
    "InEvent",
    "Inverse",
    "Model",
    "NewReno",
    "PftkFull",
    "Reno",
    "TraceEstimate",
    "average_loss_interval",
    "eq14_error",
    "estimate_flows",
    "estimate_trace",
    "inverse",
    "loss_indication_rate",
    "newreno",
    "newreno_noto",
    "pftk_full",
    "pftk_simple",
    "q_from_loss_rate",
    "square_root",
    "timeout_probability",
    "window_eq14",
    "window_exact",
]


__getattr__ = late_names(__name__, _HOMES)
