"""The scenario file of the study and its parts: what is run, what may be set, what is refused."""

from dataclasses import replace
from itertools import product

import pytest

from ackclock.errors import InputError
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import chosen_points
from ackclock.studies.machinery.settings import scenarios
from ackclock.studies.rfc2415.levels import (
    FTPS,
    HALF,
    HTTPS,
    IWS,
    QUEUES,
    RED,
    REVERSE,
    REVERSE_FTP,
    SPLIT,
    TABLES,
    WEBS,
    Point,
)
from ackclock.studies.rfc2415.study import STUDY
from rfc2415_runs import points_of
from scenario_calls import written

MS, S = 10**9, 10**12
FILE = STUDY.main_part.file
TABLES_ONLY = Request(STUDY, levels={"parts": (TABLES,)})


def plans(part, *sets):
    request = Request(STUDY, sets, {"parts": (part,)})
    return {
        point: written(its.compile()).plan for point, its in chosen_points(request)[part].items()
    }


@pytest.fixture(scope="module")
def tables():
    return plans(TABLES)


def problems(*sets, **levels):
    with pytest.raises(InputError) as refused:
        chosen_points(Request(STUDY, sets, levels))
    return refused.value.messages


def test_points_stand_in_the_order_of_the_published_tables():
    scenarios = [*product(WEBS, FTPS, IWS)]
    assert points_of(TABLES) == [
        Point(TABLES, webs, ftps, http, iw, "") for http in HTTPS for webs, ftps, iw in scenarios
    ]
    assert points_of(HALF) == [
        Point(HALF, webs, 0, "1.0", iw, variant)
        for webs in (16, 32, 64)
        for iw, variant in ((1, ""), (3, ""), (1, SPLIT))
    ]
    assert points_of(REVERSE) == [
        Point(REVERSE, webs, ftps, "1.0", iw, REVERSE_FTP) for webs, ftps, iw in scenarios
    ]
    assert points_of(RED) == [
        Point(RED, webs, ftps, "1.0", iw, queue)
        for queue in QUEUES
        for webs, ftps, iw in scenarios
        if iw in (1, 4)
    ]


@pytest.mark.parametrize(("part", "count"), [(TABLES, 96), (HALF, 9), (REVERSE, 48), (RED, 72)])
def test_numbers_of_points(part, count):
    found = points_of(part)
    assert len(found) == len(set(found)) == count
    assert {point.part for point in found} == {part}


def test_a_choice_of_levels():
    some = {"webs": (8,), "ftps": (0, 3), "iw": (2, 4), "http": ("1.1",)}
    assert len(points_of(TABLES, **some)) == 4
    assert len(points_of(REVERSE, **some)) == 4
    assert {point.iw for point in points_of(RED, **some)} == {4}
    assert points_of(HALF, **some) == points_of(HALF)


def test_the_network_is_that_of_the_rfc(tables):
    plan = tables[Point(TABLES, 16, 1, "1.0", 3, "")]
    assert plan["duration_ps"] == 360 * S
    assert plan["nodes"] == 10
    assert len(plan["links"]) == 2 + 16
    for link in plan["links"][:2]:
        assert (link["rate_bps"], link["delay_ps"]) == (1_500_000, 50 * MS)
        assert link["queue"]["name"] == "drop_tail"
        assert link["queue"]["limit_packets"] == 25
    for link in plan["links"][2:]:
        assert link["rate_bps"] == 10_000_000
        assert link["queue"]["limit_packets"] > 10**6


def test_clients_their_windows_and_what_they_fetch(tables):
    for point, plan in tables.items():
        assert len(plan["flows"]) == point.webs + point.ftps
        tcps = {flow["sender_tcp"] for flow in plan["flows"]}
        assert {plan["tcps"][tcp]["initial_window_segments"] for tcp in tcps} == {point.iw}
        (tcp,) = plan["tcps"]
        assert tcp["flavor"] == "reno"
        assert tcp["receive_buffer_bytes"] == 11 * 1460
        web = plan["workloads"][0]
        stages = [(1, 1), (3, 1)] if point.http == "1.0" else [(1, 4)]
        assert [(each["connections"], each["objects"]) for each in web["stages"]] == stages
        assert web["pause"] == {"law": "uniform", "min_ps": S, "max_ps": 5 * S}
        if point.ftps:
            ftp = plan["workloads"][plan["flows"][-1]["workload"]]
            assert ftp["sizes"] == {"law": "fixed", "bytes": 10**6}
            assert ftp["pause"] == {"law": "uniform", "min_ps": 0, "max_ps": 0}


def test_both_versions_of_http_fetch_the_same_objects(tables):
    both = [tables[Point(TABLES, 8, 0, http, 1, "")] for http in ("1.0", "1.1")]
    objects = [plan["workloads"][0]["sizes"] for plan in both]
    assert objects[0] == objects[1]
    assert objects[0]["law"] == "quantiles"
    assert (
        sum(each["connections"] * each["objects"] for each in both[0]["workloads"][0]["stages"])
        == 4
    )


def test_half_of_the_clients_have_the_other_window():
    found = plans(HALF)
    for point, plan in found.items():
        windows = [
            plan["tcps"][flow["sender_tcp"]]["initial_window_segments"] for flow in plan["flows"]
        ]
        half = point.webs // 2
        expected = [1] * half + [3] * half if point.variant == SPLIT else [point.iw] * point.webs
        assert windows == expected


def test_reverse_traffic_adds_one_ftp_the_other_way(tables):
    for point, plan in plans(REVERSE).items():
        usual = tables[point._replace(part=TABLES, variant="")]
        *same, last = plan["flows"]
        assert [(flow["sender"], flow["receiver"]) for flow in same] == [
            (flow["sender"], flow["receiver"]) for flow in usual["flows"]
        ]
        assert same[0]["sender"] > same[0]["receiver"]
        assert last["sender"] < last["receiver"]
        assert plan["links"] == usual["links"]


def test_red_is_all_that_is_different_of_the_queue(tables):
    kinds = {}
    for point, plan in plans(RED).items():
        usual = tables[point._replace(part=TABLES, variant="")]
        queue = plan["links"][0]["queue"]
        assert queue["name"] == "red"
        assert queue["limit_packets"] == 25
        assert (queue["min_thresh_ppm"], queue["max_thresh_ppm"]) == (5_000_000, 15_000_000)
        kinds[point.variant] = (queue["gentle"], queue["adaptive"])
        assert {**plan, "links": None} == {**usual, "links": None}
        assert plan["links"][2:] == usual["links"][2:]
    assert kinds == {
        "red": (False, False),
        "red gentle": (True, False),
        "red adaptive": (True, True),
    }


def test_ftps_start_and_ask_as_the_web_clients_do():
    plan = plans(REVERSE, "workload.start_spread=7 s", "workload.request_size=90 B")
    workloads = next(reversed(plan.values()))["workloads"]
    assert {each["start_spread_ps"] for each in workloads} == {7 * S}
    assert {each["request_bytes"] for each in workloads} == {90}


def test_what_a_part_sets_itself_is_told_with_a_way_out():
    (told,) = problems("variables.reverse=2")
    assert told == (
        "--set variables.reverse=2: the part reverse sets it itself; leave the part out, for "
        "example --parts tables,half-and-half,red"
    )
    its = scenarios(replace(TABLES_ONLY, sets=("variables.reverse=2",)))[TABLES]
    assert len(written(its.points()[0].compile()).plan["flows"]) == 8 + 2


def test_a_choice_without_points_is_told():
    (told,) = problems(parts=(RED,), iw=(2, 3))
    assert told == "--parts red --iw 2,3: there is no such point; the part red has --iw 1,4"
