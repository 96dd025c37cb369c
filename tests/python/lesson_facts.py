"""Runs of lessons, and the numbers that their facts are about."""

from functools import lru_cache

import numpy as np

from ackclock import _core
from ackclock.campaign.identity import replication_seed
from ackclock.lab.lessons.lesson_files import FOLDER, UNITS, Fact, Goal, read
from ackclock.results.flows import FLOW_METRICS
from ackclock.results.metrics import METRICS, measure
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json

LESSONS = {path.stem.partition("-")[2]: read(path) for path in sorted(FOLDER.glob("*.toml"))}
STEPS = [(name, number) for name, lesson in LESSONS.items() for number in range(len(lesson.steps))]
SEEDS = (None, 2, 3, 4)
"""That of the page, and three others."""
TIMESTAMPS_BYTES = 12
"""Of a full segment, if both ends send timestamps."""
_TRACES = {"cwnd_bytes": "bytes", "ssthresh_bytes": "bytes", "flight_size_bytes": "bytes"}
_QUEUE = "queue_packets"
_PROBES = ("probes.cwnd=all", "probes.queue=10 ms")


def key_of(change):
    """The key of "key=value"."""
    return change.partition("=")[0].strip()


def together(*changes):
    """Changes one after the other; a later one of the same key takes the place of an earlier."""
    return tuple({key_of(each): each for some in changes for each in some}.values())


@lru_cache(maxsize=2000)
def made(source, sets, seed=None):
    """A run as the page makes it: its columns, its facts and its metrics.

    Args:
        source: text of a scenario.
        sets: changes.
        seed: in place of the scenario's; its first replication is run.
    """
    changes = together(sets, () if seed is None else (f"seed={seed}",))
    scenario = load(source, changes)
    compiled = scenario.points()[0].compile()
    plan = canonical_json(compiled.plan)
    columns = _core.run(plan, replication_seed(scenario.seed, 0))
    return columns, compiled, measure(columns, compiled.facts)


def segments(source, sets=()):
    """How many data segments a run sends."""
    return int(made(source, sets)[0]["flows"]["segments_sent"].sum())


def seeds(source, sets, fact):
    """The seeds with which a fact is looked at; of a run without random numbers two are enough."""
    changes = _changes(sets, fact)
    first, second = (repr(made(source, changes, seed)[2]) for seed in SEEDS[:2])
    return SEEDS[:2] if first == second else SEEDS


def _changes(sets, fact):
    """What the run of a fact changes of the source of its lesson."""
    probes = () if getattr(fact, "at_s", None) is None else _PROBES
    return together(sets, getattr(fact, "sets", ()), probes)


def value(source, sets, fact, seed=None):
    """What a run gives for a fact or a goal, in its unit."""
    changes = _changes(sets, fact)
    found = _value(source, changes, fact, fact.flow, seed)
    other = getattr(fact, "over", None)
    if other is None:
        return found / _per_unit(source, changes, fact)
    changes = changes if other.sets is None else together(sets, other.sets)
    return found / _value(source, changes, fact, other.flow or fact.flow, seed)


def _value(source, sets, fact, flow, seed):
    columns, compiled, metrics = made(source, sets, seed)
    if getattr(fact, "at_s", None) is not None:
        return _at(columns, compiled.facts, fact, flow)
    if flow is None:
        return metrics[fact.metric]
    return metrics["flows"][fact.metric][list(compiled.facts.flow_names).index(flow)]


def _at(columns, facts, fact, flow):
    """The value of a trace at a time: the last one that was recorded by then."""
    if fact.metric == _QUEUE:
        table, column = columns["queue"], "max_length"
        rows = table["link"] == facts.bottleneck_link
    else:
        table, column = columns["cwnd"], fact.metric
        rows = table["flow"] == (0 if flow is None else list(facts.flow_names).index(flow))
    upto = np.flatnonzero(rows & (table["time_s"] <= fact.at_s))
    return float(table[column][upto[-1]])


def _per_unit(source, sets, fact):
    """How much of the metric's own unit the fact's unit is."""
    base = unit_of(fact)
    if fact.unit == "segments" and base == "bytes":
        return _data_bytes(source, sets)
    assert fact.unit in ("", *UNITS.get(base, ())), f"{fact.metric} is not measured in {fact.unit}"
    return UNITS.get(base, {}).get(fact.unit, 1.0) if fact.unit else 1.0


def _data_bytes(source, sets):
    """Data of a full segment of the first flow."""
    _, compiled, _ = made(source, sets)
    tcp = compiled.plan["tcps"][compiled.plan["flows"][0]["sender_tcp"]]
    has_timestamps = tcp["options"]["timestamps"]
    return tcp["smss_bytes"] - (TIMESTAMPS_BYTES if has_timestamps else 0)


def unit_of(fact: Fact | Goal):
    """The own unit of what a fact is about."""
    if getattr(fact, "at_s", None) is not None:
        return "packets" if fact.metric == _QUEUE else _TRACES[fact.metric]
    return (METRICS if fact.flow is None else FLOW_METRICS)[fact.metric].unit


def holds(fact, found):
    """Whether a value lies within the bounds of a fact or a goal."""
    return (fact.at_least is None or found >= fact.at_least) and (
        fact.at_most is None or found <= fact.at_most
    )
