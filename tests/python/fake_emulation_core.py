"""Emulated runs without a kernel and without real time: simulated ones with a made-up verdict."""

from __future__ import annotations

import json
from typing import Any

from ackclock import _core

CORE = "fake_emulation_core:run"
FASTER = 1.25
"""What such a kernel delivers, over what the simulator does."""
_LATE = {"p50_us": 40.0, "p99_us": 90.0, "max_us": 400.0}

calls: list[dict[str, Any]] = []
"""What each run was asked for beside its plan."""
verdicts: dict[int, str] = {}
"""By the imposed loss of a run, in losses of 1e9 packets; valid if it is not there."""


def run(text: str, seed: int) -> dict[str, Any]:
    """What ``ackclock.emulation.core.run`` returns."""
    plan = json.loads(text)
    calls.append({**plan.pop("emulation"), "plan": plan})
    tables: dict[str, Any] = _core.run(json.dumps(plan), seed)
    flows = tables["flows"]
    delivered = (flows["delivered_bytes"] * FASTER).astype(int)
    tables["flows"] = {**flows, "delivered_bytes": delivered, "received_bytes": delivered}
    (loss,) = (each["loss_ppb"] for link in plan["links"] for each in link["impairments"])
    verdict = verdicts.get(loss, "valid")
    told = {
        "verdict": verdict,
        "reasons": [] if verdict == "valid" else [f"{loss} were late"],
        "kernel": "6.99",
        "settings": [
            {
                "profile": "newreno-classic",
                "congestion": "reno",
                "differences": ["<made up>"],
            }
        ],
        "left": 1000,
        "misses": 0,
        "stolen_s": 0.0,
        "left_late": _LATE,
    }
    return {**tables, "emulation": told}
