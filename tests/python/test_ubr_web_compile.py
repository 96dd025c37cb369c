"""The plan of one run."""

import pytest

from ackclock.scenario.plan import plan_hash
from ackclock.scenario.settings import apply
from ackclock.studies.ubr_web.compile import compile_plan, threshold_cells
from ackclock.studies.ubr_web.levels import Point, Selection
from ackclock.studies.ubr_web.parameters import Parameters

WAN_SD = Point("WAN", "SD", "NewReno", 0.5)


def plan(point=WAN_SD, *pairs):
    return compile_plan(apply(Parameters, pairs), point)


def test_the_plan_of_one_run():
    port = {
        "buffer_cells": 531,
        "policy": {"name": "selective_drop", "r_cells": 424, "z_ppm": 800_000},
        "eom": "keep",
    }
    pairs = [
        "clock.phase=uniform 1 ms",
        "workload.start_spread=10 s",
        "workload.requests=poisson_truncated",
        "workload.file_index=uniform",
        "workload.first_is_class_0=false",
        "tcp.idle_restart=true",
        "tcp.loss_window=cwnd",
    ]
    assert plan(WAN_SD, *pairs) == {
        "schema": 1,
        "duration_ps": 100 * 10**12,
        "pairs": 100,
        "topology": {
            "kind": "atm_dumbbell",
            "access": {"cell_time_ps": 2_831_197, "delay_ps": 5 * 10**6},
            "trunk": {"cell_time_ps": 9_422_222, "delay_ps": 5 * 10**9},
            "forward": port,
            "reverse": port,
        },
        "clock": {"tick_ps": 10**11, "phase": {"kind": "uniform", "spread_ps": 10**9}},
        "tcp": {
            "flavor": "newreno_hoe",
            "deflation": None,
            "partial_ack_timer": None,
            "smss_bytes": 1024,
            "initial_window_segments": 1,
            "initial_ssthresh_bytes": 56_250,
            "receive_buffer_bytes": 65_535,
            "window_scale": 0,
            "delayed_ack_ps": None,
            "nagle": False,
            "sws_avoidance": False,
            "idle_restart": True,
            "loss_window": "cwnd",
            "additive_constant": False,
            "initial_rto_ticks": 30,
            "min_rto_ticks": 2,
            "max_rto_ticks": 640,
        },
        "workload": {
            "kind": "www_batches",
            "request_bytes": 128,
            "period_ps": 10 * 10**12,
            "period_from": "first_request",
            "start_spread_ps": 10 * 10**12,
            "requests": "poisson_truncated",
            "gap_min_ps": 10**11,
            "gap_max_ps": 5 * 10**11,
            "file_index": "uniform",
            "class_ppm": [200_000, 280_000, 400_000, 112_000, 8_000],
            "first_is_class_0": False,
        },
        "probes": {"queue_bin_ps": None, "cwnd_of": []},
    }


@pytest.mark.parametrize(
    ("link", "delay_ms", "smss", "scale", "window", "ssthresh"),
    [
        ("WAN", 5, 1024, 0, 65_535, 56_250),
        ("MEO", 100, 9180, 5, 2_097_120, 1_125_000),
        ("GEO", 275, 9180, 6, 4_194_240, 3_093_750),
    ],
)
def test_a_link_fixes_what_the_paper_prints(link, delay_ms, smss, scale, window, ssthresh):
    compiled = plan(Point(link, "EPD", "SACK", 1.0))
    assert compiled["topology"]["trunk"]["delay_ps"] == delay_ms * 10**9
    tcp = compiled["tcp"]
    assert (tcp["smss_bytes"], tcp["window_scale"]) == (smss, scale)
    assert (tcp["receive_buffer_bytes"], tcp["initial_ssthresh_bytes"]) == (window, ssthresh)


def test_the_buffers_are_those_of_table_2():
    points = Selection(drop_policies=("EPD",), tcp_flavors=("SACK",)).points()
    buffers = [plan(point)["topology"]["forward"]["buffer_cells"] for point in points]
    assert buffers == [531, 1062, 2300, 10615, 21230, 42460, 29190, 58380, 116760]


def test_a_policy_has_its_own_thresholds():
    epd = plan(WAN_SD._replace(drop_policy="EPD"), "switch.r=0.9")["topology"]["forward"]
    assert epd["policy"] == {"name": "epd", "r_cells": 477}


def test_the_threshold_is_rounded_down():
    assert threshold_cells(Parameters(), WAN_SD) == 424  # 0.8 * 531 = 424.8


@pytest.mark.parametrize(
    ("flavor", "core"),
    [
        ("Vanilla", "vanilla"),
        ("Reno", "reno"),
        ("NewReno", "newreno"),
        ("SACK", "sack_pipe"),
    ],
)
def test_only_newreno_has_newreno_settings(flavor, core):
    pairs = ["tcp.newreno=newreno", "tcp.deflation=partial", "tcp.partial_ack_timer=first"]
    tcp = plan(WAN_SD._replace(tcp_flavor=flavor), *pairs)["tcp"]
    given = ("partial", "first") if flavor == "NewReno" else (None, None)
    assert (tcp["flavor"], tcp["deflation"], tcp["partial_ack_timer"]) == (core, *given)


def test_phases():
    def phase(text):
        return plan(WAN_SD, f"clock.phase={text}")["clock"]["phase"]

    assert phase("common") == {"kind": "uniform", "spread_ps": 0}
    assert phase("open") == {"kind": "open"}


def test_every_point_has_a_plan_of_its_own():
    hashes = {plan_hash(plan(point)) for point in Selection().points()}
    assert len(hashes) == 72
