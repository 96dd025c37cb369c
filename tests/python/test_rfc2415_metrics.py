"""One run in numbers, from columns made by hand."""

from math import isnan

import numpy as np
import pytest

from ackclock.scenario import Facts
from ackclock.studies.rfc2415.metrics import measure
from fake_core import table
from fake_pages_core import columns_of

GROUPS = ("web", "web", "new", "ftp", "reverse")
FACTS = Facts(
    duration_s=100.0,
    flow_names=tuple(f"flow {number}" for number in range(5)),
    flow_groups=GROUPS,
    flow_workloads=("http10", "http10", "http10", "ftp", "ftp"),
    bottleneck_link=0,
    payload_capacity_bit_s=float("nan"),
    link_names=("r1 -> r2", "r2 -> r1"),
    reverse_link=1,
    foreground=(False,) * 5,
)


def columns(transfers):
    return {
        "flows": table(
            delivered_bytes=[10**6, 2 * 10**6, 5 * 10**5, 8 * 10**6, 3 * 10**6],
            segments_sent=[10, 10, 10, 10, 10],
            segments_retransmitted=[1, 0, 0, 1, 0],
            timeouts=[1, 0, 0, 2, 0],
            fast_retransmits=[0, 1, 0, 0, 0],
        ),
        "links": table(
            link=[0, 1],
            utilisation=[0.75, 0.1],
            packets_offered=[200, 100],
            packets_dropped=[3, 0],
            packets_dropped_early=[1, 0],
            mean_queue_packets=[4.5, 0.0],
            max_queue_packets=[25, 2],
        ),
        "ports": {"link": np.zeros(0, dtype=np.uint64)},
        "transfers": transfers,
    }


# Flow 0: a page of two stages, the second one with two connections; flow 2 and 3 one connection.
TRANSFERS = table(
    flow=[0, 0, 0, 2, 3, 3, 4],
    page=[0, 0, 0, 0, 0, 1, 0],
    stage=[0, 1, 1, 0, 0, 0, 0],
    connection=[0, 1, 2, 0, 0, 1, 0],
    bytes=[1000, 2000, 3000, 500, 10**6, 10**6, 10**6],
    opened_s=[10.0, 10.6, 10.6, 20.0, 1.0, 5.0, 2.0],
    established_s=[10.1, 10.7, 10.8, 20.1, 1.1, 5.1, 2.1],
    completed_s=[10.6, 11.2, 11.0, 20.4, 5.0, 10.0, 50.0],
)


def test_what_is_measured():
    row = measure(columns(TRANSFERS), FACTS)
    assert row["utilisation_pct"] == pytest.approx(75)
    assert row["drop_pct"] == pytest.approx(1.5)
    assert (row["drops"], row["early_drops"]) == (3, 1)
    assert (row["goodput_mb"], row["new_goodput_mb"]) == (3.0, 0.5)
    assert (row["ftp_goodput_mb"], row["reverse_goodput_mb"]) == (8.0, 3.0)
    assert (row["pages"], row["new_pages"], row["files"]) == (1, 1, 2)
    assert row["page_delay_open_s"] == pytest.approx(1.2)
    assert row["page_delay_request_s"] == pytest.approx(1.1)
    # 0.5 s of the first stage; 0.5 and 0.2 s of the second.
    assert row["page_delay_no_setup_s"] == pytest.approx(1.0)
    assert row["new_page_delay_open_s"] == pytest.approx(0.4)
    assert row["file_delay_s"] == pytest.approx(4.5)
    assert row["web_power_open"] == pytest.approx(3 / 1.2)
    assert row["ftp_power"] == pytest.approx(8 / 4.5)
    assert (row["timeouts"], row["fast_retransmits"]) == (3, 1)
    assert row["retransmitted_share"] == pytest.approx(2 / 50)


def test_without_pages_and_files_there_are_no_delays():
    row = measure(columns({}), FACTS)
    assert row["pages"] == row["files"] == 0
    for name in ("page_delay_open_s", "new_page_delay_no_setup_s", "file_delay_s", "ftp_power"):
        assert isnan(row[name])


def test_the_row_of_a_plan_has_only_numbers():
    plan = {
        "flows": [{"sender_tcp": 0, "workload": 0}] * 3 + [{"sender_tcp": 0, "workload": 1}] * 2,
        "tcps": [{"initial_window_segments": 2}],
        "workloads": [
            {"stages": [{"connections": 1}, {"connections": 3}]},
            {"stages": [{"connections": 1}]},
        ],
    }
    row = measure(columns_of(plan, 1), FACTS)
    assert all(isinstance(value, int | float) for value in row.values())
    assert row["page_delay_no_setup_s"] < row["page_delay_request_s"] < row["page_delay_open_s"]
