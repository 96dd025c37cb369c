"""Delays and segments that a run records, beside its metrics and counters."""

import numpy as np
import pytest

from ackclock.errors import InputError
from ackclock.scenario import load
from recorded_runs import check_told, made, scenario

SCENARIO = scenario(
    'duration = "10 s"\nwarm_up = "2 s"',
    """
delays = true
segments = ["bulk 1"]
""",
)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return made(SCENARIO, tmp_path_factory.mktemp("recorded"), 2)


def quantile(rows, share):
    below = np.cumsum(rows["count"]) / rows["count"].sum()
    return rows["until_s"].to_numpy()[np.searchsorted(below, share)]


def test_metrics_are_those_of_the_distributions(results):
    rows = results.delays
    assert set(rows["replication"]) == {0}
    waits = rows[(rows["what"] == "queue") & rows["flow"].isna()]
    assert set(waits["link"]) == {"r1 -> r2"}
    its = results.metrics.iloc[0]
    for percent in (50, 95, 99):
        found = quantile(waits, percent / 100)
        assert its[f"queue_delay_p{percent}_s"] == pytest.approx(found, rel=1 / 64)
    assert its["queue_delay_max_s"] <= waits["until_s"].max()
    flows = results.flows[results.flows["replication"] == 0].set_index("flow")
    for flow in ("bulk 1", "bulk 2", "call"):
        own = rows[(rows["what"] == "queue") & (rows["flow"] == flow)]
        assert flows.loc[flow, "queue_delay_p95_s"] == pytest.approx(
            quantile(own, 0.95), rel=1 / 64
        )
    rtts = rows[(rows["what"] == "rtt") & (rows["flow"] == "bulk 1")]
    assert flows.loc["bulk 1", "rtt_p99_s"] == pytest.approx(quantile(rtts, 0.99), rel=1 / 64)
    assert flows.loc["bulk 1", "rtt_max_s"] <= rtts["until_s"].max()
    assert np.isnan(flows.loc["call", "rtt_p50_s"])
    pooled = flows.loc[["bulk 1", "bulk 2"], "rtt_p95_s"].mean()
    assert its["rtt_p95_s"] == pytest.approx(pooled)
    assert its["rtt_max_s"] == flows["rtt_max_s"].max()


def test_segments_are_those_that_were_counted(results):
    rows = results.segments("bulk 1")
    sent = rows[(rows["kind"] == "data") & (rows["time_s"] > 2)]
    flows = results.flows.set_index(["replication", "flow"])
    assert len(sent) == flows.loc[(0, "bulk 1"), "segments_sent"]
    assert sent["sent_again"].sum() == flows.loc[(0, "bulk 1"), "segments_retransmitted"]
    assert sent["lost"].any()
    assert rows["time_s"].is_monotonic_increasing
    with pytest.raises(InputError, match="no segment of 'bulk 2' was recorded"):
        results.segments("bulk 2")


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ('probes.segments=["bulk 3"]', "there is no such flow; did you mean"),
        ('probes.segments=["call"]', "is a UDP flow, which has no segments; remove it"),
        ("probes.until=11 s", '"0 ms" to "11 s" is not within a run of "10 s"'),
        ("probes.from=10 s", "is not within a run"),
        ('probes.delays=["r1 - r2"]', 'there is no such link; did you mean "r1 -> r2"?'),
        ("probes.delays=[]", "write false, true for the bottleneck"),
        ("queue_delays=false", "nothing is measured with queue_delays = false"),
    ],
)
def test_what_cannot_be_recorded_is_told(setting, told):
    check_told(SCENARIO, setting, told)


@pytest.mark.parametrize(
    ("delays", "links"), [("true", [0]), ("all", list(range(14))), ('["r2 -> r1"]', [0, 1])]
)
def test_links_are_measured_if_they_are_named(delays, links):
    plan = load(SCENARIO, [f"probes.delays={delays}"]).points()[0].compile().plan
    assert plan["queue_delays_of"] == links
    assert plan["delays_of_flows"] == [0, 1, 2]


def test_of_many_flows_only_the_foreground_has_delays():
    many = SCENARIO.replace("count = 2", "count = 70").replace('["bulk 1"]', '"off"')
    assert "delays_of_flows" not in load(many).points()[0].compile().plan
    marked = many.replace(
        'name = "call"', 'name = "marked"\nforeground = true\n[[flows]]\nname = "call"'
    )
    assert load(marked).points()[0].compile().plan["delays_of_flows"] == [70]
