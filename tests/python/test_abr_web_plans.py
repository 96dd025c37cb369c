"""The scenario file of the study and its parts: what is run, what may be set, what is refused."""

from math import inf

import pytest

from ackclock.errors import InputError
from ackclock.studies.abr_web.analysis import bounds
from ackclock.studies.abr_web.levels import CARRIERS, PAPERS, SERVICE, TABLE2, Carrier, Point
from ackclock.studies.abr_web.study import STUDY
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import chosen_points
from ackclock.studies.machinery.settings import main_scenario
from scenario_calls import written

MS, S = 10**9, 10**12


@pytest.fixture(scope="module")
def all_points():
    return {
        part: {point: written(its.compile()) for point, its in points.items()}
        for part, points in chosen_points(Request(STUDY)).items()
    }


@pytest.fixture(scope="module")
def plan(all_points):
    """Five servers of Table 2."""
    return all_points[TABLE2][Point(TABLE2, 5, *PAPERS)].plan


def trunk(plan):
    return plan["links"][0]["lines"][0]


def port(plan, line=0):
    link = plan["links"][0]
    return link["ports"][link["lines"][line]["port"]]


def test_the_points_of_the_parts(all_points):
    assert [point.servers for point in all_points[TABLE2]] == list(range(1, 16))
    assert list(all_points[SERVICE]) == [
        Point(SERVICE, servers, *carrier) for servers in (3, 5, 10) for carrier in CARRIERS
    ]
    some = chosen_points(Request(STUDY, levels={"servers": (1, 5)}))
    assert [point.servers for point in some[SERVICE]] == [5] * 13
    assert len(set(map(str, CARRIERS))) == len(CARRIERS) == 13


def test_every_client_has_a_circuit_each_way(all_points):
    for point, each in all_points[TABLE2].items():
        flows = each.plan["flows"]
        assert len(flows) == 15 * point.servers
        assert [flow["receiver"] for flow in flows] == list(range(len(flows)))
        # A server has one NIC for all of its clients.
        assert [flow["sender"] for flow in flows] == [
            len(flows) + server for server in range(point.servers) for _ in range(15)
        ]
        assert each.plan["links"][0]["flow_services"] == [0] * len(flows)


def test_the_network_is_that_of_the_paper(plan, all_points):
    (link,) = plan["links"]
    assert (link["kind"], link["switches"]) == ("atm", 2)
    assert all(line["delay_ps"] == 5 * MS for line in link["lines"])
    # A cell takes 9.42 us at 45 Mbit/s and 2.73 us at 155.52 Mbit/s.
    assert [line["cell_time_ps"] for line in link["lines"][:2]] == [9_422_222] * 2
    assert {line["cell_time_ps"] for line in link["lines"][2:]} == {2_726_337}
    facts = all_points[TABLE2][Point(TABLE2, 5, *PAPERS)].facts
    assert facts.bottleneck_link == 0
    assert facts.link_names[0] == "SW2 -> SW1"


def test_end_systems_and_switches_are_those_of_the_paper(plan):
    (service,) = plan["links"][0]["services"]
    assert service["name"] == "abr"
    assert (service["nrm"], service["rif_inverse"], service["rdf_inverse"]) == (32, 1, 16)
    assert (service["icr_bps"], service["pcr_bps"]) == (10_000_000, 155_520_000)
    assert service["adtf_ps"] == 500 * MS
    control = port(plan)["rate_control"]
    assert control["name"] == "erica"
    assert (control["interval_cells"], control["interval_ps"]) == (500, 5 * MS)
    curve = control["queue_control"]
    assert (curve["kind"], curve["target_delay_ps"]) == ("hyperbolic", MS // 2)
    assert [curve[key] for key in ("a_ppb", "b_ppb", "floor_ppb")] == [
        1_150_000_000,
        1_050_000_000,
        500_000_000,
    ]
    assert port(plan)["abr_buffer_cells"] is None


def test_the_tcp_is_that_of_the_paper(plan):
    for tcp in plan["tcps"]:
        assert (tcp["flavor"], tcp["smss_bytes"]) == ("vanilla", 512)
        assert tcp["receive_buffer_bytes"] == 16 * 64 * 1024
        assert tcp["options"]["delayed_ack_ps"] is None


def test_the_clients_are_those_of_the_paper(plan):
    (workload,) = plan["workloads"]
    assert workload["kind"] == "www_batches"
    assert workload["first_alone"]
    assert (workload["requests"], workload["period_ps"]) == ("five", 10 * S)
    assert workload["file_index"] == "uniform"
    assert (workload["gap_min_ps"], workload["gap_max_ps"]) == (0, 0)
    assert plan["duration_ps"] == 100 * S


def test_a_service_differs_in_what_carries_the_load(all_points):
    found = all_points[SERVICE]
    sd = found[Point(SERVICE, 5, "UBR SD", 0.5, "sack")].plan
    epd = found[Point(SERVICE, 5, "UBR EPD", 2.0, "vanilla")].plan
    assert [each["name"] for each in sd["links"][0]["services"]] == ["ubr"]
    # 30 ms at 45 Mbit/s are 3183.96 cells.
    assert port(sd)["ubr_buffer_cells"] == 1592
    assert port(epd)["ubr_buffer_cells"] == 6368
    assert port(sd)["policy"] == {"name": "selective_drop", "r_cells": 1273, "z_ppm": 800_000}
    assert port(epd)["policy"]["name"] == "epd"
    assert {tcp["flavor"] for tcp in sd["tcps"]} == {"sack"}
    assert {tcp["flavor"] for tcp in epd["tcps"]} == {"vanilla"}
    assert sd["workloads"] == epd["workloads"]


def test_abr_is_the_same_in_both_parts(all_points):
    for servers in (3, 5, 10):
        one, other = (all_points[part][Point(part, servers, *PAPERS)].plan for part in all_points)
        assert one == other


def test_bounds_follow_from_the_scenario():
    its = bounds(main_scenario(Request(STUDY)))
    assert its.rtt_s == pytest.approx(0.03)
    assert its.rtt_cells == pytest.approx(155.52e6 * 0.03 / 424)
    assert its.most_bit_s == pytest.approx(45e6 * 512 / (12 * 53) * 31 / 32)
    sets = ("topology.trunk.delay=10 ms", "topology.abr.nrm=16", "tcp.smss=1024 B")
    other = bounds(main_scenario(Request(STUDY, sets, {"parts": (TABLE2,)})))
    assert other.rtt_s == pytest.approx(0.04)
    assert other.most_bit_s == pytest.approx(45e6 * 1024 / (23 * 53) * 15 / 16)


def test_the_capacity_over_ubr_has_no_rm_cells(all_points):
    over = {
        point.service: each.facts.payload_capacity_bit_s
        for point, each in all_points[SERVICE].items()
    }
    assert over["ABR"] == pytest.approx(over["UBR SD"] * 31 / 32)
    assert over["UBR SD"] == over["UBR EPD"] == pytest.approx(45e6 * 512 / (12 * 53))


def test_a_carrier_in_words():
    assert str(PAPERS) == "ABR"
    assert str(Carrier("UBR SD", 0.5, "sack")) == "UBR SD 0.5 RTT sack"
    assert Point(TABLE2, 7, *PAPERS).carrier == PAPERS == Carrier("ABR", inf, "")


def test_servers_at_which_no_service_is_compared():
    with pytest.raises(InputError) as error:
        chosen_points(Request(STUDY, levels={"parts": (SERVICE,), "servers": (1, 15)}))
    assert error.value.messages == [
        "--parts service --servers 1,15: there is no such point; the part service has "
        "--servers 3,5,10"
    ]
