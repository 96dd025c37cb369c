"""The scenario files of the study: what is run, what they share, what may be set or not."""

from __future__ import annotations

import tomllib

import pytest

from ackclock import scenario
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import points_of
from ackclock.studies.machinery.settings import all_settings, scenario_of, sets_of
from ackclock.studies.osu_tasks.levels import (
    BUFFERED,
    BURSTY,
    GFR,
    GUARANTEED_RATE,
    PARTS,
    POLICIES,
    RETRANSMIT,
    SATELLITES,
    WATCHED_WINDOWS,
    WINDOWS,
    BuffersPoint,
    BurstyPoint,
    PoliciesPoint,
    RetransmitPoint,
    WindowsPoint,
)
from ackclock.studies.osu_tasks.study import STUDY
from osu_tasks_runs import points
from scenario_calls import written

MS, S = 10**9, 10**12
OURS = tuple(part for part in PARTS if part not in (GUARANTEED_RATE, GFR))
OF_A_PART = {
    "flavor",
    "smss",
    "receive_buffer",
    "initial_ssthresh",
    "sws_avoidance",
    "historic",
    "careful_fast_retransmit",
}
"""What may differ in [tcp]; docs/conventions.md says why."""


def request(*sets, parts=PARTS):
    return Request(STUDY, sets, {"parts": tuple(part.name for part in parts)})


def points_run(part, *sets):
    asked = request(*sets, parts=[part])
    return points_of(part, scenario_of(part, asked), asked)


def compiled(part, point, *sets):
    return written(points_run(part, *sets)[point].compile())


def port(made):
    return made.plan["links"][0]["port"]


each_part = pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)


@pytest.mark.parametrize("part", OURS, ids=lambda part: part.name)
def test_a_part_has_the_points_that_it_is_said_to_have(part):
    assert sorted(points_run(part)) == sorted(points()[part.name])


@each_part
def test_a_file_can_be_run_by_itself(part):
    its = scenario.load(part.file.path)
    assert its.points()[0].compile().plan["flows"]
    assert its.title == part.title or part not in OURS
    assert its.description


@each_part
def test_all_files_have_the_same_clock_and_the_same_tcp(part):
    first = tomllib.loads(POLICIES.file.path.read_text())
    its = tomllib.loads(part.file.path.read_text())
    assert its["clock"] == first["clock"]
    for key in {*first["tcp"], *its["tcp"]} - OF_A_PART:
        assert its["tcp"].get(key) == first["tcp"].get(key), key
    assert its["tcp"]["sws_avoidance"] is (part != BURSTY)


@pytest.mark.parametrize(
    ("link", "rtt_s"), [("LAN", 1e-5), ("WAN", 0.01), ("MEO", 0.2), ("GEO", 0.55)]
)
def test_windows_and_thresholds_follow_from_the_link(link, rtt_s):
    made = compiled(POLICIES, PoliciesPoint(link, 15, "small", "EPD", "SACK"))
    in_flight = rtt_s * 149.76e6 / 8
    tcp = made.plan["tcps"][0]
    window = tcp["receive_buffer_bytes"]
    assert window > in_flight
    assert window == 65535 or window / 2 < in_flight
    assert tcp["initial_ssthresh_bytes"] == pytest.approx(max(65535, in_flight), rel=1e-4)
    assert tcp["smss_bytes"] == (9180 if link in SATELLITES else 1024)
    assert made.plan["duration_ps"] / S / rtt_s > 70


def test_buffers_and_thresholds_of_the_policies():
    small, large = (
        compiled(POLICIES, PoliciesPoint("GEO", 5, buffer, "SD", "Reno"))
        for buffer in ("small", "large")
    )
    # 550 ms and a little at 149.76 Mbit/s are 194 272 cells.
    assert port(small)["buffer_cells"] == pytest.approx(97_136, abs=1)
    assert port(large)["buffer_cells"] == pytest.approx(388_544, abs=1)
    assert port(small)["policy"] == {
        "name": "selective_drop",
        "r_cells": int(0.9 * port(small)["buffer_cells"]),
        "z_ppm": 800_000,
    }
    fba = port(compiled(POLICIES, PoliciesPoint("LAN", 5, "small", "FBA", "Reno")))
    assert fba["buffer_cells"] == 1000
    assert fba["policy"] == {"name": "fba", "r_cells": 500, "z_ppm": 800_000}
    tail = port(compiled(POLICIES, PoliciesPoint("LAN", 5, "large", "Tail drop", "Reno")))
    assert (tail["buffer_cells"], tail["policy"]["name"]) == (3000, "tail")


def test_the_buffers_of_task_3():
    half = compiled(BUFFERED, BuffersPoint("GEO", "SD", 1000, 0.5))
    cells = int(0.275 * 149.76e6 / 424)
    assert port(half)["buffer_cells"] == cells
    assert port(half)["policy"] == {
        "name": "selective_drop",
        "r_cells": int(0.9 * cells),
        "z_ppm": 800_000,
    }
    assert len(half.plan["flows"]) == 1000
    meo = compiled(BUFFERED, BuffersPoint("MEO", "SD", 5, 4.0)).plan
    assert (meo["warm_up_ps"], meo["duration_ps"]) == (20 * S, 100 * S)


def test_the_policies_of_task_3_differ_in_nothing_else():
    sd, fba = (
        compiled(BUFFERED, BuffersPoint("GEO", policy, 5, 0.5), "variables.threshold=0.8").plan
        for policy in ("SD", "FBA")
    )
    cells = sd["links"][0]["port"]["buffer_cells"]
    policies = [
        {"name": "selective_drop", "r_cells": int(0.8 * cells), "z_ppm": 800_000},
        {"name": "fba", "r_cells": int(0.5 * cells), "z_ppm": 800_000},
    ]
    for plan, policy in zip((sd, fba), policies, strict=True):
        assert [link["port"].pop("policy") for link in plan["links"]] == [policy, policy]
    assert sd["tcps"][0]["flavor"] == fba["tcps"][0]["flavor"]
    assert sd == fba


def test_a_thousand_sources_are_run_behind_selective_drop_only():
    run = points_run(BUFFERED)
    assert len(scenario_of(BUFFERED, request()).points()) - len(run) == 2 * 7
    assert {point.drop_policy for point in run if point.sources == 1000} == {"SD"}
    assert {point.sources for point in run if point.drop_policy == "FBA"} == {5, 15, 50, 100}


def test_both_kinds_of_traffic_have_the_same_hosts():
    www, persistent = (
        compiled(BURSTY, BurstyPoint(traffic, "EPD", "NewReno", 2.0)).plan
        for traffic in ("WWW", "persistent")
    )
    assert (www["links"], www["tcps"]) == (persistent["links"], persistent["tcps"])
    assert [each["workloads"][0]["kind"] for each in (www, persistent)] == ["www_batches", "bulk"]
    assert www["links"][0]["port"]["buffer_cells"] == 116_760


def test_arithmetics_differ_in_nothing_else():
    plans = [compiled(WINDOWS, point).plan for point in WATCHED_WINDOWS]
    found = [
        (
            plan["tcps"][0]["historic"]["cwnd_rounding"],
            plan["tcps"][0]["historic"]["cwnd_ack_batch"],
        )
        for plan in plans
    ]
    assert found == [("down", 1), ("down", 2), ("down", 8), ("none", 1)]
    for plan in plans:
        for tcp in plan["tcps"]:
            tcp["historic"] |= {"cwnd_rounding": "down", "cwnd_ack_batch": 1}
    assert all(plan == plans[0] for plan in plans)
    assert compiled(WINDOWS, WindowsPoint(3, "integer")).plan["tcps"][0]["smss_bytes"] == 512


def test_a_wait_is_half_of_srtt():
    waits = [
        compiled(RETRANSMIT, RetransmitPoint(5, 1.0, wait)).plan["tcps"][0]["historic"][
            "retransmit_wait_ppm"
        ]
        for wait in (0.0, 0.5)
    ]
    assert waits == [0, 500_000]


def test_a_change_goes_to_every_part_that_has_the_key():
    asked = request("variables.rtt=500 ms", "tcp.min_rto=400 ms", parts=[BUFFERED, WINDOWS])
    assert sets_of(BUFFERED, asked) == ("variables.rtt=500 ms", "tcp.min_rto=400 ms")
    assert sets_of(WINDOWS, asked) == ("tcp.min_rto=400 ms",)
    whole = request("topology.port={ buffer = 100 }", parts=[BUFFERED])
    assert sets_of(BUFFERED, whole) == whole.sets


def test_every_setting_is_listed_once_with_its_parts():
    listed = all_settings(STUDY)
    keys = [each.key for each in listed]
    assert len(set(keys)) == len(keys)
    by_key = {each.key: each for each in listed}
    assert by_key["clock.phase"].value == "uniform 500 us"
    assert by_key["tcp.historic.cwnd_ack_batch"].value.endswith("(windows)")
    assert "set by tcp_flavor (policies, " in by_key["tcp.flavor"].value
    assert all(each.meaning.endswith(".") for each in listed)
    assert "A variable." not in {each.meaning for each in listed}
