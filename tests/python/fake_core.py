"""What the cores that answer at once share: calls that are kept, and columns that many return."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ackclock.scenario.plan import written_out

PS_PER_S = 10**12
Columns = dict[str, np.ndarray]
Tables = dict[str, Columns]


@dataclass(eq=False)
class FakeCore:
    """A core that answers at once; what it returns depends on plan and seed alone.

    Attributes:
        columns_of: the tables of a plan with a seed, as the core returns them.
        calls: plan and seed of each run that was made, in the order in which they began.
        refusal: if there is one, the core refuses every plan with it.
    """

    columns_of: Callable[[dict, int], Tables]
    calls: list[tuple[dict, int]] = field(default_factory=list)
    refusal: str = ""

    def __call__(self, text: str, seed: int) -> Tables:
        plan = written_out(json.loads(text))
        self.calls.append((plan, seed))
        if self.refusal:
            raise ValueError(self.refusal)
        return self.columns_of(plan, seed)


def random_of(plan: dict, seed: int) -> np.random.Generator:
    """Random numbers that depend on plan and seed."""
    return np.random.default_rng([seed, len(json.dumps(plan)) % 1000])


def tables(**of_core: Columns) -> Tables:
    """All tables, those of probes that are off without columns."""
    off = ("transfers", "foreground", "queue", "goodput", "cwnd")
    nothing = {"link": integers()}
    return {"links": nothing, "ports": nothing, **{name: {} for name in off}, **of_core}


def integers(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.uint64)


def table(**columns: Iterable) -> Columns:
    return {name: np.array(values) for name, values in columns.items()}


def rows(values: Mapping[str, Iterable[int]]) -> Columns:
    """Columns of whole numbers."""
    return {name: integers(*each) for name, each in values.items()}


def same(number: int, **values: int) -> Columns:
    """Columns with one value in each of so many rows."""
    return {name: np.full(number, value, dtype=np.uint64) for name, value in values.items()}


def delivered_in_order(delivered: np.ndarray) -> Columns:
    """Columns of flows whose bytes are delivered as they are received."""
    return {
        "received_bytes": delivered,
        "delivered_bytes": delivered,
        "delivered_early_bytes": 0 * delivered,
        "highest_received_bytes": delivered,
    }


def packet_links(random: np.random.Generator) -> Columns:
    """Two links, the first of which is the bottleneck."""
    return {
        **rows(
            {
                "link": (0, 1),
                "packets_offered": (1000, 800),
                "packets_dropped": (random.integers(0, 50), 0),
                "packets_dropped_early": (0, 0),
                "max_queue_packets": (25, 3),
            }
        ),
        "utilisation": np.array([random.uniform(0.85, 1.0), 0.1]),
        "mean_queue_packets": np.array([12.5, 0.1]),
    }


def cwnds(flows: list[int], times: np.ndarray, **values: Iterable[int]) -> Columns:
    """The windows of flows over time, the same ones of each."""
    if not flows:
        return {}
    return {
        "flow": np.repeat(integers(*flows), len(times)),
        **same(len(flows) * len(times), connection=0),
        "time_s": np.tile(times, len(flows)),
        **{name: np.tile(integers(*each), len(flows)) for name, each in values.items()},
    }
