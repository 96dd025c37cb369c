"""Task 4b of the study: its points and plans, its measurement, and its claim."""

import json
from collections import Counter
from itertools import product
from math import isnan

import pytest
from ackclock._core import run

from ackclock.scenario import Facts
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import points_of
from ackclock.studies.osu_tasks.levels import (
    BUFFERS,
    EPD,
    FBA,
    GEO,
    GUARANTEED_FLAVORS,
    GUARANTEED_POLICIES,
    GUARANTEED_RATE,
    LAN,
    SACK,
    SD,
    SHARES,
    SMALL,
    TAIL,
    VANILLA,
    WAN,
    GuaranteedRatePoint,
)
from ackclock.studies.osu_tasks.metrics_ubr_class import measure_guaranteed_rate
from ackclock.studies.osu_tasks.study import STUDY
from fake_core import table
from osu_tasks_runs import (
    GAINS,
    GUARANTEED_LINKS,
    guaranteed_rate_runs,
    made_up,
    trunk_port,
    verdicts_of,
)

PERIOD = 600 * 10**9
"""Of VBR, ps."""


@pytest.fixture(scope="module")
def its():
    return GUARANTEED_RATE.file.load((), 1)


@pytest.fixture(scope="module")
def short_points():
    """With one period of VBR left out and one measured."""
    times = ("duration=1.2 s", "warm_up=0.6 s")
    return points_of(GUARANTEED_RATE, GUARANTEED_RATE.file.load((), 1, times), Request(STUDY))


@pytest.fixture(scope="module")
def points(its):
    return {GuaranteedRatePoint(**point.levels): point for point in its.points()}


@pytest.fixture(scope="module")
def plans(points):
    return {
        link: points[GuaranteedRatePoint(link, SMALL, SD, SACK, 0.1)].compile()
        for link in GUARANTEED_LINKS
    }


def test_the_points_are_all_combinations(points):
    assert list(points) == [
        GuaranteedRatePoint(*levels)
        for levels in (
            (link, buffer, policy, tcp, share)
            for link in GUARANTEED_LINKS
            for buffer in BUFFERS
            for policy in GUARANTEED_POLICIES
            for tcp in GUARANTEED_FLAVORS
            for share in SHARES
        )
    ]
    assert GuaranteedRatePoint(LAN, SMALL, EPD, SACK, 0.1).sources == 15


def test_a_satellite_is_run_in_part(its):
    chosen = points_of(GUARANTEED_RATE, its, Request(STUDY))
    by_link = Counter(point.link for point in chosen)
    assert by_link == {LAN: 2 * 4 * 2 * 3, WAN: 2 * 4 * 2 * 3, GEO: 2 * 2 * 2}
    assert {
        (p.buffer, p.drop_policy, p.tcp_flavor, p.share) for p in chosen if p.link == GEO
    } == set(product((SMALL,), (TAIL, SD), (VANILLA, SACK), (0.0, 0.1)))


def test_what_is_left_out_and_measured_are_whole_periods_of_vbr(points):
    for point, each in points.items():
        its = each.scenario
        assert its.warm_up % PERIOD == its.duration % PERIOD == 0
        assert its.warm_up >= 2 * PERIOD
        assert its.duration - its.warm_up >= (10 if point.link == WAN else 6) * PERIOD


def test_vbr_takes_the_trunk_and_ubr_has_its_share(plans):
    for link, compiled in plans.items():
        network = compiled.plan["links"][0]
        # 424 bits at 149.76 Mbit/s.
        assert network["lines"][0]["cell_time_ps"] == 2_831_197
        port = trunk_port(compiled.plan)
        assert port["ubr_share_ppb"] == 100_000_000
        assert port["vbr_buffer_cells"] is None
        assert port["ubr_queueing"] == {"name": "fifo"}
        assert port["policy"]["name"] == "selective_drop"
        assert len(compiled.facts.flow_names) == 15
        # Half of the time VBR takes all, so half of the trunk is left, of which headers take some.
        left = 149.76e6 / 2
        assert compiled.facts.payload_capacity_bit_s == pytest.approx(
            left * 8 * (1024 / (23 * 424) if link != GEO else 9180 / (193 * 424))
        )


def test_buffers_of_the_links(plans):
    held = {link: trunk_port(each.plan)["ubr_buffer_cells"] for link, each in plans.items()}
    # Half of 10 ms and 20 us, and of 550 ms, at 353 208 cells/s.
    assert (held[LAN], held[WAN]) == (1000, 1770)
    assert held[GEO] == pytest.approx(97_132, abs=10)


def test_vbr_can_be_given_another_peak():
    sets = ('variables.vbr_peak="124.42 Mbit/s"',)
    compiled = GUARANTEED_RATE.file.load(sets, 1).points()[0].compile()
    assert compiled.facts.payload_capacity_bit_s == pytest.approx(
        (149.76e6 - 62.21e6) * 8 * 1024 / (23 * 424)
    )


def test_what_may_be_set_is_what_has_an_effect(its):
    keys = {setting.key: setting.value for setting in GUARANTEED_RATE.file.settings(its)}
    assert keys["variables.vbr_peak"] == "149.76 Mbit/s"
    assert keys["topology.switch.r"] == "set by drop_policy"
    assert not any("abr" in key or "gfr" in key or "interval" in key for key in keys)


@pytest.mark.parametrize("share", SHARES)
def test_the_core_keeps_vbr_and_delays_it_by_the_share(short_points, share):
    """On the LAN: VBR waits for what is guaranteed to UBR, and none of it is lost."""
    compiled = short_points[GuaranteedRatePoint(LAN, SMALL, EPD, SACK, share)].compile()
    row = measure_guaranteed_rate(run(json.dumps(compiled.plan), 7), compiled.facts)
    assert row["vbr_bit_s"] == pytest.approx(149.76e6 / 2, rel=0.001)
    # A cell waits for half of what UBR gets of 300 ms and of the time in which the rest is sent.
    waits = 0.3 * share / (1 - share) * 0.5
    assert row["vbr_delay_s"] == pytest.approx(waits, rel=0.1, abs=1e-5)
    assert 0.1 < row["efficiency"] <= 1.01


# Measured by hand: two flows, a VBR source; 10 s.

FACTS = Facts(
    duration_s=10.0,
    flow_names=("flow 1", "flow 2"),
    flow_groups=("flow", "flow"),
    flow_workloads=("bulk", "bulk"),
    bottleneck_link=0,
    payload_capacity_bit_s=10e6,
    link_names=("SW2 -> SW1", "SW1 -> SW2"),
    reverse_link=1,
    foreground=(False, False),
    vc_names=("flow 1 (back)", "flow 2 (back)", "flow 1", "flow 2", "VBR", "VBR (back)"),
)


def columns(vbr_carried=250_000):
    return {
        "flows": table(
            received_bytes=[5_000_000, 1_000_000],
            highest_received_bytes=[6_000_000, 2_000_000],
            delivered_bytes=[6_000_000, 1_000_000],
            scheduled_bytes=[2**61, 2**61],
            backlog_bytes=[0, 0],
            segments_sent=[8000, 2000],
            segments_retransmitted=[300, 200],
            timeouts=[3, 4],
            fast_retransmits=[5, 6],
        ),
        "links": table(link=[]),
        "ports": table(link=[0, 1], utilisation=[0.76, 0.2], carried_share=[0.75, 0.1]),
        "classes": table(
            port=[0, 0, 1, 1],
            service=[0, 2, 0, 2],
            cells_carried=[vbr_carried, 200_000, 1, 2],
            cells_lost=[0, 1234, 0, 7],
            max_queued=[5000, 900, 3, 4],
            mean_queued=[50.0, 321.5, 0.1, 0.2],
        ),
        "vcs": table(vc=range(6), cells_received=[0, 0, 0, 0, 250_000, 0]),
    }


def test_what_is_measured():
    row = measure_guaranteed_rate(columns(), FACTS)
    assert row["efficiency"] == pytest.approx(8_000_000 * 8 / 10 / 10e6)
    # 4.8 and 1.6 Mbit/s of an equal share of 5.
    assert row["fairness"] == pytest.approx(6.4**2 / (2 * (4.8**2 + 1.6**2)))
    assert (row["utilisation"], row["timeouts"], row["fast_retransmits"]) == (0.75, 7, 11)
    assert row["retransmitted_share"] == pytest.approx(0.05)
    # Of UBR at the trunk's port, and not of VBR or of the other port.
    assert row["cells_lost"] == 1234
    assert (row["max_queue_cells"], row["mean_queue_cells"]) == (900, 321.5)
    assert row["vbr_bit_s"] == pytest.approx(250_000 * 424 / 10)
    # 50 cells on average, 25 000 of them a second: Little.
    assert row["vbr_delay_s"] == pytest.approx(0.002)
    assert set(GUARANTEED_RATE.metrics) <= set(row)


def test_vbr_that_sends_nothing_has_no_delay():
    assert isnan(measure_guaranteed_rate(columns(vbr_carried=0), FACTS)["vbr_delay_s"])


# The claim, on made-up runs.


def verdict(runs):
    (found,) = verdicts_of(GUARANTEED_RATE, runs).itertuples()
    return found


def changed(**links):
    return {link: {**gains, **links.get(link, {})} for link, gains in GAINS.items()}


def test_the_claim_holds_on_the_example():
    found = verdict(guaranteed_rate_runs())
    assert (found.holds, found.reached) == ("true", 1)
    assert "gains, WAN: 10 % for UBR 0.2020 (" in found.evidence
    assert "FBA 0.1000 (0.0" in found.evidence
    assert "LAN: 10 % for UBR 0.0520 (" in found.evidence
    assert "WAN, each alone from tail drop: 10 % for UBR 0.2020 (" in found.evidence


@pytest.mark.parametrize(
    ("link", "change", "holds"),
    [
        (WAN, {FBA: 0.21}, "false"),
        (WAN, {FBA: 0.202}, "undecided"),
        (WAN, {EPD: 0.205}, "false"),
        (WAN, {EPD: 0.202}, "undecided"),
        (WAN, {SD: 0.205}, "false"),
        (WAN, {"share": 0.09}, "false"),
        (LAN, {"share": 0.21}, "false"),
        (LAN, {"share": 0.198}, "undecided"),
        (LAN, {EPD: 0.04}, "false"),
        (LAN, {FBA: 0.04}, "false"),
    ],
)
def test_it_fails_when_a_gain_is_another(link, change, holds):
    assert verdict(guaranteed_rate_runs(changed(**{link: change}))).holds == holds


@pytest.mark.parametrize(("share", "holds"), [(-0.01, "false"), (-0.002, "undecided")])
def test_a_loss_is_no_gain_even_if_all_policies_lose_more(share, holds):
    worse = {"share": share, EPD: -0.1, SD: -0.1, FBA: -0.1}
    assert verdict(guaranteed_rate_runs(changed(WAN=worse))).holds == holds


def test_satellites_do_not_decide_it():
    runs = guaranteed_rate_runs()
    runs.loc[runs["link"] == GEO, "efficiency"] = 0.01
    assert verdict(runs).holds == "true"


def test_where_a_factor_has_one_level_it_explains_nothing():
    found = made_up(GUARANTEED_RATE, guaranteed_rate_runs()).analyses
    explains = {link: set(found[link, "efficiency"].allocation["component"]) for link in (WAN, GEO)}
    assert "buffer" in explains[WAN]
    assert "buffer" not in explains[GEO]


@pytest.mark.parametrize("column", ["buffer", "tcp_flavor", "drop_policy"])
def test_what_a_share_raises_is_a_mean_over_all_else(column):
    """With one level of another factor the reservation costs 0.5 instead."""
    runs = guaranteed_rate_runs()
    value = {"buffer": SMALL, "tcp_flavor": VANILLA, "drop_policy": TAIL}[column]
    its = (runs["link"] == WAN) & (runs["share"] == 0.1) & (runs[column] == value)
    runs.loc[its, "efficiency"] -= 0.7
    assert verdict(runs).holds == "false"


def test_what_a_policy_raises_is_a_mean_over_all_shares():
    """Of three shares SD gains 0.5 with one."""
    runs = guaranteed_rate_runs()
    its = (runs["link"] == WAN) & (runs["share"] == 0.5) & (runs["drop_policy"] == SD)
    runs.loc[its, "efficiency"] += 0.5
    assert verdict(runs).holds == "false"


def test_one_replication_does_not_decide_it():
    found = verdict(guaranteed_rate_runs(replications=1))
    assert found.holds == "undecided"
    assert "10 % for UBR 0.2000;" in found.evidence
    assert "nan" not in found.evidence
