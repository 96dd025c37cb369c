"""The scenario file of the study and its parts: what is run, what may be set, what is refused."""

import pytest

from ackclock.errors import InputError
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.settings import main_scenario, scenario_of, scenarios
from ackclock.studies.newreno.levels import (
    BACKGROUND,
    BERNOULLI,
    BOTTLENECKS,
    BUFFER,
    BURSTY,
    CURVES,
    EMULATION,
    INTERNET,
    NAMES,
    RED,
    RUN_PARTS,
    SCALING,
    UDP,
    VARIANTS,
    Point,
    points_of,
)
from ackclock.studies.newreno.parts import FILE
from ackclock.studies.newreno.predictions import payload_bytes
from ackclock.studies.newreno.study import STUDY
from scenario_calls import written

MS, S = 10**9, 10**12


def request_for(*sets, parts=NAMES):
    return Request(STUDY, sets, {"parts": parts})


def compiled(name, *sets):
    part = STUDY.part(name)
    points = scenario_of(part, request_for(*sets, parts=(name,))).points()
    return {part.named(point.levels): written(point.compile()) for point in points}


@pytest.fixture(scope="module")
def all_points():
    return {part: compiled(part) for part in RUN_PARTS}


def plan_of(all_points, *point):
    its = Point(*point)
    return all_points[its.part][its].plan


def problems(*sets, parts):
    with pytest.raises(InputError) as refused:
        main_scenario(request_for(*sets, parts=parts))
    return refused.value.messages


def sender_tcp(plan, flow):
    return plan["tcps"][plan["flows"][flow]["sender_tcp"]]


def receiver_tcp(plan, flow):
    return plan["tcps"][plan["flows"][flow]["receiver_tcp"]]


def impairments(plan):
    return [each for link in plan["links"] for each in link["impairments"]]


def rtt_ms(plan, flow):
    """Propagation delay of a flow over all bottlenecks, there and back, without a spread."""
    ends = {plan["flows"][flow][key] for key in ("sender", "receiver")}
    access = [link for link in plan["links"] if {link["from"], link["to"]} & ends]
    between = [link for link in plan["links"] if link["rate_bps"] != 100_000_000]
    return sum(link["delay_ps"] for link in (*access, *between)) / MS


@pytest.mark.parametrize("part", RUN_PARTS)
def test_a_part_has_the_points_that_it_is_said_to_have(part, all_points):
    assert set(points_of(part)) <= set(all_points[part])


@pytest.mark.parametrize(
    ("part", "count"),
    [
        (BURSTY, 30),
        (VARIANTS, 3 * 14 + 2 * 7),
        (BERNOULLI, 16),
        (BACKGROUND, 12),
        (BOTTLENECKS, 12),
        (UDP, 8),
        (SCALING, 4),
        (BUFFER, 6),
        (EMULATION, 6),
        (INTERNET, 0),
    ],
)
def test_numbers_of_points(part, count):
    assert len(points_of(part)) == count


def test_the_measured_flows_are_in_the_foreground(all_points):
    for part in RUN_PARTS:
        for each in all_points[part].values():
            groups = [
                group
                for group, marked in zip(each.facts.flow_groups, each.facts.foreground, strict=True)
                if marked
            ]
            alone = part in (BURSTY, VARIANTS, EMULATION)
            assert groups == (["newreno"] if alone else ["newreno", "reno"])


def test_the_network_is_that_of_the_paper(all_points):
    for queue in ("drop_tail", RED):
        plan = plan_of(all_points, BACKGROUND, queue, "", 140)
        assert (plan["duration_ps"], plan["warm_up_ps"]) == (1000 * S, 250 * S)
        link = plan["links"][0]
        assert link["rate_bps"] == 15_000_000
        assert link["queue"]["name"] == queue
        assert link["queue"]["limit_packets"] == 150
        assert rtt_ms(plan, 0) == rtt_ms(plan, 1) == 75
        assert not impairments(plan)
    assert (link["queue"]["min_thresh_ppm"], link["queue"]["max_thresh_ppm"]) == (
        50_000_000,
        100_000_000,
    )


def test_the_background_is_that_of_the_paper(all_points):
    for point, each in all_points[BACKGROUND].items():
        groups = each.facts.flow_groups
        assert len(groups) == point.x + 2
        assert groups.count("http") == 3 * groups.count("ftp") == 0.75 * point.x
        plan = each.plan
        assert rtt_ms(plan, 2) == 20
        spreads = [link["delay_draw"]["spread_ps"] for link in plan["links"] if link["delay_draw"]]
        # Four links a flow, each up to 110 ms longer: 20 to 460 ms there and back.
        assert spreads == [110 * MS] * (4 * int(point.x))
        http = plan["workloads"][plan["flows"][2]["workload"]]
        assert http["sizes"] == {"law": "pareto", "mean_bytes": 48_000, "shape_ppm": 1_200_000}
        assert http["pause"] == {"law": "exponential", "mean_ps": 500 * MS}
        assert http["stages"] == [{"connections": 1, "objects": 1}]
        starts = {
            group: plan["workloads"][flow["workload"]]
            for group, flow in zip(groups, plan["flows"], strict=True)
        }
        assert {name: each["start_ps"] // S for name, each in starts.items()} == {
            "newreno": 5,
            "reno": 5,
            "http": 0,
            "ftp": 0,
        }
        assert {each["start_spread_ps"] for each in starts.values()} == {2 * S}


def test_the_tcps_are_those_of_the_paper(all_points):
    plan = plan_of(all_points, BACKGROUND, "drop_tail", "", 100)
    assert [sender_tcp(plan, flow)["flavor"] for flow in (0, 1, 2)] == [
        "newreno",
        "reno",
        "newreno",
    ]
    assert all(tcp["smss_bytes"] == 960 for tcp in plan["tcps"])
    assert receiver_tcp(plan, 0)["receive_buffer_bytes"] == 4_000_000
    assert receiver_tcp(plan, 2)["receive_buffer_bytes"] == 64 * 960
    assert all(tcp["options"]["delayed_ack_ps"] is None for tcp in plan["tcps"])


def test_loss_events_of_so_many_losses(all_points):
    rates = {"p = 0.05 %": 500_000, "p = 1 %": 10_000_000}
    for point, each in all_points[BURSTY].items():
        (only,) = impairments(each.plan)
        assert (only["kind"], only["losses"]) == ("loss_events", point.x)
        assert only["rate_ppb"] == rates[point.variant]
        assert len(each.plan["flows"]) == 1
        assert each.plan["links"][0]["rate_bps"] == 45_000_000


def test_variants_of_newreno(all_points):
    options = {
        point.variant.partition(",")[0]: sender_tcp(each.plan, 0)["options"]
        for point, each in all_points[VARIANTS].items()
    }
    usual = sender_tcp(plan_of(all_points, BURSTY, "drop_tail", "p = 1 %", 2), 0)["options"]
    assert options["slow-but-steady"] == usual
    for other in ("impatient", "full deflation"):
        differs = [key for key in usual if options[other][key] != usual[key]]
        assert len(differs) == 1


def test_independent_losses_on_the_way_of_both_flows(all_points):
    for point, each in all_points[BERNOULLI].items():
        found = impairments(each.plan)
        assert [(one["kind"], one["loss_ppb"]) for one in found] == [
            ("bernoulli", round(point.x * 10**7))
        ] * 2
        assert each.plan["links"][0]["queue"]["limit_packets"] == 100_000


def test_two_bottlenecks_have_a_background_each(all_points):
    for point, each in all_points[BOTTLENECKS].items():
        groups = each.facts.flow_groups
        assert len(groups) == 2 * point.x + 2
        assert groups.count("http beyond") == groups.count("http")
        assert groups.count("ftp beyond") == groups.count("ftp")
        bottlenecks = [link for link in each.plan["links"] if link["rate_bps"] == 15_000_000]
        assert len(bottlenecks) == 4
        assert len({str(link["queue"]) for link in bottlenecks}) == 1
        assert rtt_ms(each.plan, 0) == rtt_ms(each.plan, 1) == 75


def test_udp_flows(all_points):
    for point, each in all_points[UDP].items():
        groups = each.facts.flow_groups
        assert (groups.count("http"), groups.count("ftp")) == (24, 8)
        assert groups.count("udp") == point.x
        workload = each.plan["workloads"][each.plan["flows"][-1]["workload"]]
        assert (workload["kind"], workload["rate_bps"]) == ("datagrams", 1_000_000)
        assert workload["packet_bytes"] == 1000
        assert {workload[part]["law"] for part in ("on", "off")} == {"pareto"}
        assert rtt_ms(each.plan, len(groups) - 1) == 70


def test_everything_is_scaled_together(all_points):
    for point, each in all_points[SCALING].items():
        times = point.x / 15
        link = each.plan["links"][0]
        assert link["rate_bps"] == 15_000_000 * times
        assert link["queue"]["limit_packets"] == 50 * times
        assert each.facts.flow_groups.count("http") == 90 * times
        assert each.facts.flow_groups.count("ftp") == 10 * times


def test_buffers(all_points):
    for point, each in all_points[BUFFER].items():
        assert each.plan["links"][0]["queue"]["limit_packets"] == point.x
        assert each.facts.flow_groups.count("http") == each.facts.flow_groups.count("ftp") == 50


def test_the_testbed_is_another_world(all_points):
    for point, each in all_points[EMULATION].items():
        plan = each.plan
        (only,) = impairments(plan)
        assert only["loss_ppb"] == round(point.x * 10**7)
        assert (plan["duration_ps"], plan["warm_up_ps"]) == (500 * S, 0)
        assert plan["links"][0]["rate_bps"] == 10_000_000
        assert rtt_ms(plan, 0) == 50
        assert sender_tcp(plan, 0)["options"]["min_rto_ps"] == 200 * MS
        assert sender_tcp(plan, 0)["options"]["min_rto_of"] == "variance"
        assert receiver_tcp(plan, 0)["options"]["delayed_ack_ps"] == 40 * MS
    found = {part: payload_bytes(its) for part, its in scenarios(request_for()).items()}
    assert found == {part: 1448 if part == EMULATION else 948 for part in RUN_PARTS}


def test_the_settings_shown_are_those_of_the_file():
    listed = {each.key: each.value for each in FILE.settings(main_scenario(request_for()))}
    assert listed["variables.rate"] == "15 Mbit/s"
    only = main_scenario(request_for(parts=(EMULATION,)))
    assert {each.key: each.value for each in FILE.settings(only)}["variables.rate"] == "10 Mbit/s"
    nothing = main_scenario(request_for(parts=(INTERNET,)))
    assert {each.key: each.value for each in FILE.settings(nothing)} == listed


def test_what_a_part_sets_itself_is_told_with_a_way_out():
    found = problems("variables.rate=20 Mbit/s", parts=(BURSTY, BACKGROUND))
    assert found == [
        "--set variables.rate=20 Mbit/s: the part bursty sets it itself; leave the part out, for "
        "example --parts bernoulli,background,bottlenecks,udp,buffer,internet"
    ]
    its = compiled(BACKGROUND, "variables.rate=20 Mbit/s")
    assert next(iter(its.values())).plan["links"][0]["rate_bps"] == 20_000_000


def test_a_short_run_is_short_in_every_part():
    for part in (BACKGROUND, EMULATION):
        plan = next(iter(compiled(part, "duration=20 s").values())).plan
        assert plan["duration_ps"] == 20 * S


def test_every_curve_belongs_to_a_part():
    assert {curve.part for curve in CURVES} == set(RUN_PARTS)
    assert set(NAMES) - set(RUN_PARTS) == {INTERNET}
    assert all(len(set(places)) == len(places) for places in CURVES.values())
