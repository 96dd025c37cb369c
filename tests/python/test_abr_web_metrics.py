"""One run in numbers, from columns made by hand."""

from math import isnan, nan

import numpy as np
import pytest

from ackclock.results.metrics import METRICS
from ackclock.scenario import Facts
from ackclock.studies.abr_web.metrics import measure
from fake_core import table

FACTS = Facts(
    duration_s=100.0,
    flow_names=("flow 1", "flow 2"),
    flow_groups=("flow", "flow"),
    flow_workloads=("www_batches", "www_batches"),
    bottleneck_link=0,
    payload_capacity_bit_s=1e6,
    link_names=("SW2 -> SW1", "SW1 -> SW2"),
    reverse_link=1,
    foreground=(False, False),
)


def responses(times, sizes=None):
    """Requests at 10, 20 ... s, answered after so long, or never if it is nan."""
    at = 10.0 * np.arange(1, len(times) + 1)
    return table(
        flow=np.zeros(len(times), dtype=np.uint64),
        batch=np.zeros(len(times), dtype=np.uint64),
        request=np.arange(len(times), dtype=np.uint64),
        bytes=np.array(sizes or [1000] * len(times), dtype=np.uint64),
        requested_s=at,
        completed_s=at + np.array(times),
    )


def columns(**tables):
    return {
        "flows": table(
            delivered_bytes=[10**6, 4 * 10**6],
            delivered_early_bytes=[0, 0],
            highest_received_bytes=[10**6, 5 * 10**6],
            segments_sent=[3000, 1000],
            segments_retransmitted=[10, 30],
            timeouts=[1, 5],
            fast_retransmits=[0, 6],
        ),
        "links": {"link": np.zeros(0, dtype=np.uint64)},
        "ports": table(
            link=[0, 1, 2],
            max_queue_cells=[5000, 9000, 1],
            mean_queue_cells=[40.5, 2.0, 0.0],
            utilisation=[0.76, 0.2, 0.2],
            carried_share=[0.75, 0.1, 0.1],
            cells_offered=[1000, 100, 10],
            cells_refused=[3, 0, 0],
            cells_overflowed=[4, 1, 0],
            cells_cut=[5, 0, 0],
        ),
        "classes": table(port=[0, 1, 2], service=[1, 1, 1], cells_lost=[12, 1, 0]),
        "vcs": table(vc=[0, 1, 2, 3], cells_waiting_max=[7, 8, 900, 20]),
        "responses": responses([0.5, 1.5], [1000, 2000]),
        "transfers": {},
        **tables,
    }


def test_what_is_measured():
    row = measure(columns(), FACTS)
    assert row["throughput_bit_s"] == pytest.approx(400_000)
    assert row["efficiency_pct"] == pytest.approx(40)
    assert row["offered_bit_s"] == pytest.approx(3000 * 8 / 100)
    assert row["load_pct"] == pytest.approx(0.024)
    assert (row["max_queue_cells"], row["mean_queue_cells"]) == (5000, 40.5)
    assert row["utilisation_pct"] == pytest.approx(75)
    assert row["cells_lost"] == METRICS["cells_lost"].of(columns(), FACTS) == 13
    assert row["most_waiting_cells"] == 900
    assert (row["timeouts"], row["fast_retransmits"]) == (6, 6)
    assert row["retransmitted_pct"] == pytest.approx(1)


def test_response_times_are_over_all_requests():
    row = measure(columns(responses=responses([float(k) for k in range(1, 21)])), FACTS)
    assert (row["requests"], row["answered"], row["unanswered_pct"]) == (20, 20, 0)
    # The smallest time within which half, and 19 of 20, were answered.
    assert row["response_median_s"] == pytest.approx(10)
    assert row["response_p95_s"] == pytest.approx(19)
    assert row["quick_pct"] == pytest.approx(5)


def test_a_request_without_an_answer_took_longer_than_all_others():
    row = measure(columns(responses=responses([nan, 0.5, 2.0, nan])), FACTS)
    assert (row["requests"], row["answered"], row["unanswered_pct"]) == (4, 2, 50)
    assert row["response_median_s"] == pytest.approx(2.0)
    assert isnan(row["response_p95_s"])
    assert row["quick_pct"] == pytest.approx(25)
    assert isnan(measure(columns(responses=responses([nan, 1.0, nan])), FACTS)["response_median_s"])


def test_nobody_asked():
    row = measure(columns(responses={}), FACTS)
    assert (row["requests"], row["offered_bit_s"], row["load_pct"]) == (0, 0, 0)
    assert isnan(row["response_median_s"])
    assert isnan(row["unanswered_pct"])


def test_the_row_has_only_what_json_has_a_form_for():
    assert all(type(value) in (int, float) for value in measure(columns(), FACTS).values())
