"""The plans that the study's scenario file becomes, in the numbers that the paper prints."""

import hashlib

import pytest

from ackclock.scenario.plan import plan_hash, written_out
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.settings import main_scenario, scenario_of
from ackclock.studies.ubr_web.levels import POINTS, Point
from ackclock.studies.ubr_web.study import STUDY
from scenario_calls import FLOW, HISTORIC, MS, NO_PROBES, OPTIONS, S

WAN_SD = Point("WAN", "SD", "NewReno", 0.5)
ALL_PLANS = "2449c59c8c4f9af096381a38c56c3680979e298dce405987bd8d8f77d575b402"
"""SHA-256 of the hashes of all 72 plans, one after the other."""


def plans(*sets):
    """The plan of every point, in the order of the scenario, with each flow by itself."""
    points = main_scenario(Request(STUDY, sets)).points()
    return {Point(**point.levels): written_out(point.compile().plan) for point in points}


@pytest.fixture(scope="module")
def default():
    return plans()


def port(plan):
    return plan["links"][0]["port"]


def test_the_points_have_the_order_of_the_published_tables(default):
    assert list(default) == list(POINTS)


def test_the_plan_of_one_run():
    plan = plans("clock.phase=uniform 1 ms", "workload.start_spread=10 s")[WAN_SD]
    pairs = plan.pop("flows")
    assert pairs == [{"sender": 100 + pair, "receiver": pair, **FLOW} for pair in range(100)]
    link = {
        "kind": "cells",
        "hosts": 100,
        "cost": 1,
        "access": {"cell_time_ps": 2_831_197, "delay_ps": 5 * 10**6},
        "trunk": {"cell_time_ps": 9_422_222, "delay_ps": 5 * 10**9},
        "port": {
            "buffer_cells": 531,
            "policy": {"name": "selective_drop", "r_cells": 424, "z_ppm": 800_000},
            "eom": "keep",
        },
    }
    assert plan == {
        "schema": 13,
        "duration_ps": 100 * 10**12,
        "warm_up_ps": 0,
        "nodes": 200,
        "links": [
            {**link, "from_first": 100, "to_first": 0},
            {**link, "from_first": 0, "to_first": 100},
        ],
        "clock": {"tick_ps": 10**11, "phase": {"kind": "uniform", "spread_ps": 10**9}},
        "tcps": [
            {
                "flavor": "newreno_hoe",
                "options": {
                    **OPTIONS,
                    "ssthresh_from": "cwnd",
                    "careful_fast_retransmit": False,
                    "deflation": "full",
                    "partial_ack_timer": "every",
                    "initial_rto_ps": 3 * S,
                    "min_rto_ps": 200 * MS,
                    "max_rto_ps": 64 * S,
                    "delayed_ack_ps": None,
                },
                "smss_bytes": 1024,
                "initial_window_segments": 1,
                "initial_ssthresh_bytes": 56_250,
                "receive_buffer_bytes": 65_535,
                "window_scale": 0,
                "nagle": False,
                "sws_avoidance": False,
                "idle_restart": False,
                "restart_window_segments": None,
                "historic": HISTORIC,
            }
        ],
        "workloads": [
            {
                "kind": "www_batches",
                "request_bytes": 128,
                "period_ps": 10 * 10**12,
                "period_from": "first_request",
                "start_spread_ps": 10 * 10**12,
                "requests": "poisson_truncated",
                "gap_min_ps": 10**11,
                "gap_max_ps": 5 * 10**11,
                "file_index": "poisson_truncated",
                "class_ppm": [200_000, 280_000, 400_000, 112_000, 8_000],
                "first_is_class_0": False,
                "first_alone": False,
            }
        ],
        "probes": NO_PROBES,
    }


@pytest.mark.parametrize(
    ("link", "delay_ms", "smss", "scale", "window", "ssthresh"),
    [
        ("WAN", 5, 1024, 0, 65_535, 56_250),
        ("MEO", 100, 9180, 5, 2_097_120, 1_125_000),
        ("GEO", 275, 9180, 6, 4_194_240, 3_093_750),
    ],
)
def test_a_link_fixes_what_the_paper_prints(default, link, delay_ms, smss, scale, window, ssthresh):
    of_link = [plan for point, plan in default.items() if point.link == link]
    assert len(of_link) == 24
    for plan in of_link:
        assert {each["trunk"]["delay_ps"] for each in plan["links"]} == {delay_ms * 10**9}
        (tcp,) = plan["tcps"]
        assert (tcp["smss_bytes"], tcp["window_scale"]) == (smss, scale)
        assert (tcp["receive_buffer_bytes"], tcp["initial_ssthresh_bytes"]) == (window, ssthresh)


def test_the_buffers_are_those_of_table_3_and_r_is_rounded_down(default):
    points = [each for each in POINTS if each[1:3] == ("EPD", "SACK")]
    ports = [port(default[point]) for point in points]
    buffers = [531, 1062, 2300, 10615, 21230, 42460, 29190, 58380, 116760]
    thresholds = [424, 849, 1840, 8492, 16984, 33968, 23352, 46704, 93408]
    assert [each["buffer_cells"] for each in ports] == buffers
    assert [each["policy"] for each in ports] == [
        {"name": "epd", "r_cells": cells} for cells in thresholds
    ]


def test_both_directions_have_the_same_port(default):
    assert all(plan["links"][0]["port"] == plan["links"][1]["port"] for plan in default.values())


def test_a_share_of_the_buffer_or_of_the_fair_share_goes_where_it_belongs():
    changed = plans("topology.port.r=0.9", "topology.port.z=0.5", "topology.port.eom=drop")
    sd = port(changed[WAN_SD])
    assert sd["policy"] == {"name": "selective_drop", "r_cells": 477, "z_ppm": 500_000}
    assert sd["eom"] == "drop"
    epd = port(changed[WAN_SD._replace(drop_policy="EPD")])
    assert epd["policy"] == {"name": "epd", "r_cells": 477}


def test_other_buffers():
    changed = plans("variables.meo_buffers=[200, 300, 400]")
    sizes = [
        port(changed[Point(link, "SD", "Reno", buffer)])["buffer_cells"]
        for link in ("WAN", "MEO")
        for buffer in (0.5, 1.0, 2.0)
    ]
    assert sizes == [531, 1062, 2300, 200, 300, 400]


@pytest.mark.parametrize(
    ("level", "flavor"),
    [("Vanilla", "vanilla"), ("Reno", "reno"), ("NewReno", "newreno_hoe"), ("SACK", "sack")],
)
def test_a_level_is_a_flavor_of_the_core(default, level, flavor):
    found = {
        plan["tcps"][0]["flavor"] for point, plan in default.items() if point.tcp_flavor == level
    }
    assert found == {flavor}


def test_which_newreno_the_level_is_can_be_set():
    changed = plans("variables.newreno=newreno", "tcp.deflation=partial")
    for point, plan in changed.items():
        (tcp,) = plan["tcps"]
        assert (tcp["flavor"] == "newreno") == (point.tcp_flavor == "NewReno")
        assert tcp["options"]["deflation"] == "partial"
    assert plans("tcp.deflation=partial") != plans()
    others = "variables.newreno=reno"
    assert plans(others, "tcp.deflation=full") == plans(others)


def test_phases():
    def phase(text):
        return plans(f"clock.phase={text}")[WAN_SD]["clock"]["phase"]

    assert phase("common") == {"kind": "uniform", "spread_ps": 0}
    assert phase("open") == {"kind": "open"}


def test_the_initial_ssthresh_is_what_the_path_holds_whatever_the_rate():
    changed = plans("topology.trunk.rate=9 Mbit/s")
    assert changed[WAN_SD]["tcps"][0]["initial_ssthresh_bytes"] == 11_250


def test_what_is_watched_is_no_part_of_a_plan_otherwise(default):
    probes = ("probes.queue=100 ms", 'probes.cwnd=["flow 1", "flow 3"]')
    (first, *_) = scenario_of(STUDY.main_part, Request(STUDY), probes).points()
    watched = written_out(first.compile().plan)
    changed = {"queue_bin_ps": 100 * MS, "cwnd_of": [0, 2]}
    assert watched.pop("probes") == {**NO_PROBES, **changed}
    plain = default[Point(**first.levels)]
    assert watched == {key: value for key, value in plain.items() if key != "probes"}


def test_the_plans_stay_what_they_are(default):
    """A change here is a change of the study: all runs are made again, and all results move."""
    hashes = [plan_hash(plan) for plan in default.values()]
    assert len(set(hashes)) == 72
    assert hashlib.sha256("".join(hashes).encode()).hexdigest() == ALL_PLANS
