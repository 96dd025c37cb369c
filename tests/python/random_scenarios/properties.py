"""What must hold of a scenario, whether it is right or wrong."""

import json
import resource
import shutil
import warnings
from dataclasses import dataclass
from math import isnan
from pathlib import Path

import numpy as np

from ackclock import _core
from ackclock.campaign import Campaign, CampaignWarning, run_campaign
from ackclock.cli import main
from ackclock.code_permission import code_allowed
from ackclock.errors import InputError
from ackclock.results.metrics import METRICS
from ackclock.results.scenario_run import TRACES
from ackclock.scenario import load
from ackclock.scenario.compile.atm.network import cell_network
from ackclock.scenario.compile.compiler import network_of
from ackclock.scenario.compile.groups import groups
from ackclock.scenario.compile.packet_sizes import largest_packet
from ackclock.scenario.plan import canonical_json, written_out

MEASURE = "ackclock.results.metrics:measure"
MOST_POINTS = 4
"""Points of a scenario that are run."""
MOST_BYTES = 2**28
"""That a run may take beside what it records: no random scenario has 20 flows or lasts 2 s."""
MOST_ROW_BYTES = 120
"""Of a row that is recorded: 20,000,000 of them are allowed."""
_PS = 10**12
_SHARES = (
    "efficiency",
    "utilisation",
    "jain_fairness",
    "max_min_fairness",
    "retransmitted_share",
    "drop_share",
    "abr_fairness",
    "excess_fairness",
    "excess_fairness_proportional",
    "eligible_lost_share",
)
_ROUNDING = 1e-9


@dataclass
class Outcome:
    """What came of a scenario: whether it was right, and how many runs were made of it."""

    valid: bool
    runs: int = 0


@code_allowed()
def check(text: str, folder: Path) -> Outcome:
    """Check that all holds that is to hold.

    A scenario that ``check`` accepts runs, within a bound of memory, and the same each time and
    with one job or two; what was sent was delivered or lost, or is on its way; no share is above 1.
    Another gets exit code 2 and a message.

    Args:
        text: of a file.
        folder: an existing one, in which files may be made.

    Raises:
        AssertionError: it does not hold. BaseException: the core panics, or any other traceback.
    """
    scenario, messages = _loaded(text)
    if scenario is None:
        assert messages
        assert all(messages)
        file = folder / "wrong.toml"
        file.write_text(text, encoding="utf-8")
        assert main(["check", str(file)]) == 2
        return Outcome(False)
    points = scenario.points()[:MOST_POINTS]
    for point in points:
        _check_point(point)
    return Outcome(True, len(points) + _check_campaign(scenario, points, text, folder))


def _loaded(text):
    """The scenario; or none, and what is wrong."""
    try:
        return load(f"{text}\n"), ()
    except InputError as error:
        return None, error.messages


def _check_point(point):
    """One run, and its columns and metrics."""
    made = point.compile()
    before = _most_memory()
    columns = _core.run(canonical_json(made.plan), 1)
    rows = sum(len(next(iter(table.values()), ())) for table in columns.values())
    assert _most_memory() - before < MOST_BYTES + MOST_ROW_BYTES * rows
    # Without probes, and with each flow and each link written out.
    again = _core.run(canonical_json(written_out(made.without_probes())), 1)
    for name in ("flows", "links", "ports", "classes", "vcs", "transfers", "responses"):
        _check_equal(columns[name], again[name])
    _check_conserved(made.plan, columns)
    row = {name: metric.of(columns, made.facts) for name, metric in METRICS.items()}
    for name in _SHARES:
        assert isnan(row[name]) or -_ROUNDING <= row[name] <= 1 + _ROUNDING, (name, row[name])
    # A flow's data is that of its packets, which pass the bottleneck.
    assert row["goodput_bit_s"] <= row["throughput_bit_s"] * (1 + _ROUNDING)
    capacity = made.facts.payload_capacity_bit_s
    if not isnan(capacity):
        share = row["throughput_bit_s"] / capacity
        assert share <= _most_of_capacity(point.scenario, made), share


def _most_memory():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _check_equal(one, other):
    assert one.keys() == other.keys()
    for name, values in one.items():
        assert np.array_equal(values, other[name], equal_nan=values.dtype.kind == "f"), name


def _check_conserved(plan, columns):
    """What was sent was delivered or lost, or is on its way."""
    flows, whole = columns["flows"], not plan["warm_up_ps"]
    at = {name: flows[name].astype(object) for name in flows if flows[name].dtype.kind == "u"}
    came, given = at["received_bytes"], at["delivered_bytes"]
    assert (at["delivered_early_bytes"] <= given).all()
    assert (given - at["delivered_early_bytes"] <= came).all()
    assert (came <= at["highest_received_bytes"] + at["backlog_bytes"]).all()
    if whole:
        assert (given <= came).all()
        assert (came <= at["highest_received_bytes"]).all()
        assert (at["highest_received_bytes"] <= at["scheduled_bytes"]).all()
    assert (at["segments_retransmitted"] <= at["segments_sent"]).all()
    links = {name: its.astype(object) for name, its in columns["links"].items()}
    waits = links["packets_offered"] - links["packets_sent"] - links["packets_dropped"]
    _check_waiting(waits, links["max_queue_packets"], whole)
    assert (links["packets_dropped_early"] <= links["packets_dropped"]).all()
    assert (links["packets_lost"] <= links["packets_sent"]).all() or not whole
    for name, lost in (
        ("ports", ("cells_refused", "cells_overflowed", "cells_cut")),
        ("classes", ("cells_lost",)),
    ):
        its = {column: values.astype(object) for column, values in columns[name].items()}
        if its:
            waits = its["cells_offered"] - its["cells_carried"] - sum(its[each] for each in lost)
            _check_waiting(waits, its.get("max_queue_cells", its.get("max_queued")), whole)
    vcs = columns["vcs"]
    if whole and vcs:
        assert (vcs["cells_received"] <= vcs["cells_sent"]).all()
        assert (vcs["frames_delivered"] <= vcs["frames"]).all()


def _check_waiting(waits, longest, whole):
    """What came and neither left nor was lost is waiting or being sent; or was, at the start."""
    assert (waits <= longest + 1).all()
    assert (waits >= (0 if whole else -(longest + 1))).all()


def _most_of_capacity(scenario, made):
    """Which share of the bottleneck's capacity can be received; see files.md in the reference.

    Data counts when it comes to its receiver. So in the measured time comes what the bottleneck
    sends in so much time; in the difference between the longest and the shortest way from there
    to a receiver; and before it, of the packet that is then half sent, or of a frame of each flow.
    """
    topology, found, facts = scenario.topology, groups(scenario), made.facts
    if getattr(topology, "background", ()) or getattr(topology, "sources", ()):
        return float("inf")
    capacity, measured = facts.payload_capacity_bit_s, facts.duration_s
    late, room, packets = 0, 1.0, 1
    if topology.kind in ("dumbbell", "parking_lot", "graph"):
        network = network_of(topology, found)
        if any(line.change for line in network.lines):
            # The capacity is that of the rates in the file, whatever the links do.
            return float("inf")
        late = _differences_ps(network, facts.bottleneck_link)
    else:
        packets = len(facts.flow_names)
        if topology.kind != "atm_dumbbell":
            network = cell_network(topology, found).network
            late = _differences_ps(network, network.bottleneck)
        # A cell that is full has 48 bytes of payload; those of full segments may have less.
        rate = getattr(topology, "trunk", None)
        rate = max(link.rate for link in topology.links) if rate is None else rate.rate
        room = max(1.0, rate * 48 / 53 / capacity)
    begun = 8 * packets * max(map(largest_packet, found)) / capacity
    return room * (1 + late / _PS / measured) + begun / measured + _ROUNDING


def _differences_ps(network, bottleneck):
    """How much longer than another bit's the way of a bit behind the bottleneck can be, ps."""
    least, most = [], []
    for flow in network.flows:
        after = [network.lines[at] for at in flow.way[flow.way.index(bottleneck) :]]
        fixed = sum(line.delay for line in after[1:])
        jitter = sum(
            each.spread for line in after for each in line.impairments if each.kind == "jitter"
        )
        least.append(fixed)
        most.append(fixed + jitter + sum(line.spread for line in after))
    return max(most) - min(least)


def _check_campaign(scenario, points, text, folder):
    """Make the runs with one job and with two; the same comes of both."""
    if len(points) == 1 and scenario.replications == 1:
        return 0
    held = []
    for jobs in (1, 2):
        place = folder / f"jobs-{jobs}"
        with warnings.catch_warnings():
            # An interval that stays too wide is what may come of a random precision.
            warnings.simplefilter("ignore", CampaignWarning)
            run_campaign(
                scenario,
                place,
                points=points,
                measure=MEASURE,
                traces=TRACES,
                text=text,
                jobs=jobs,
            )
        campaign = Campaign.open(place)
        assert not campaign.failures, campaign.failures[0].traceback
        assert not campaign.missing
        traces = [
            (run.point, run.replication, name, trace.sha256)
            for run in campaign.runs
            for name, trace in run.traces.items()
        ]
        held.append(json.dumps([campaign.rows(), traces]))
        shutil.rmtree(place)
    assert held[0] == held[1]
    return 2 * len(json.loads(held[0])[0])
