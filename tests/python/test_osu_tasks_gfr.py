"""Task 4a of the study: its points and contracts, its measurement, and its claims."""

import json

import pytest
from ackclock._core import run

from ackclock.scenario import Facts
from ackclock.studies.osu_tasks.levels import (
    FIFO_DFBA,
    FIFO_EPD,
    GFR,
    LAN,
    PER_VC_DOUBLE,
    PER_VC_EPD,
    PORTS,
    WAN,
    GfrPoint,
)
from ackclock.studies.osu_tasks.metrics_ubr_class import measure_gfr
from fake_core import table
from osu_tasks_runs import GFR_LINKS, GFR_SOURCES, gfr_runs, trunk_port, verdicts_of

TRUNK = 149_760_000


@pytest.fixture(scope="module")
def its():
    return GFR.file.load((), 1)


@pytest.fixture(scope="module")
def compiled(its):
    return {GfrPoint(**point.levels): point.compile() for point in its.points()}


def contracts(plan):
    """Of the flows, in their order."""
    network = plan["links"][0]
    return [network["services"][number] for number in network["flow_services"]]


def test_the_points_are_all_combinations(compiled):
    assert list(compiled) == [
        GfrPoint(link, sources, port)
        for link in GFR_LINKS
        for sources in GFR_SOURCES
        for port in PORTS
    ]


@pytest.mark.parametrize("sources", GFR_SOURCES)
def test_mcrs_are_as_1_to_5_and_85_percent_of_the_trunk(compiled, sources):
    its = compiled[GfrPoint(WAN, sources, PER_VC_EPD)]
    mcrs = [each["mcr_bps"] for each in contracts(its.plan)]
    assert len(mcrs) == sources
    assert mcrs[:: sources // 5] == [group * mcrs[0] for group in (1, 2, 3, 4, 5)]
    assert sum(mcrs) == pytest.approx(0.85 * TRUNK, rel=1e-6)
    assert list(its.facts.vc_mcr_bit_s[sources : 2 * sources]) == mcrs


def test_contracts_allow_two_frames_and_tag_except_with_dfba(compiled):
    for point, its in compiled.items():
        for each in contracts(its.plan):
            assert each["name"] == "gfr"
            assert each["tagging"] is (point.port != FIFO_DFBA)
            assert (each["mfs_cells"], each["mbs_cells"]) == (23, 46)


def test_ports_are_what_their_names_say(compiled):
    found = {name: trunk_port(compiled[GfrPoint(LAN, 15, name)].plan) for name in PORTS}
    assert [found[name]["policy"]["name"] for name in PORTS] == ["epd", "dfba", "epd", "double_epd"]
    queueing = [found[name]["ubr_queueing"]["name"] for name in PORTS]
    assert queueing == ["fifo", "fifo", "per_vc", "per_vc"]
    assert {each["ubr_buffer_cells"] for each in found.values()} == {25_000}
    assert found[FIFO_EPD]["policy"]["r_cells"] == 22_500
    for name in (FIFO_DFBA, PER_VC_DOUBLE):
        policy = found[name]["policy"]
        assert (policy["l_cells"], policy["h_cells"]) == (12_500, 22_500)


def test_eligible_bursts_fit_between_the_thresholds(compiled):
    """So two thresholds can keep what they are for: MBS and a frame more of each VC at once."""
    policy = trunk_port(compiled[GfrPoint(LAN, 50, PER_VC_DOUBLE)].plan)["policy"]
    assert policy["h_cells"] - policy["l_cells"] > 50 * (46 + 23)


def test_what_may_be_set_is_what_has_an_effect(its):
    keys = {setting.key for setting in GFR.file.settings(its)}
    assert {"topology.gfr.mbs", "topology.switch.l", "variables.guaranteed"} <= keys
    assert not any("abr" in key or "vbr" in key or key == "topology.servers" for key in keys)


def test_the_core_keeps_mcrs_and_what_is_eligible():
    """A short run with a queue for each VC and two thresholds."""
    sets = ("variables.durations=[0.5, 1]",)
    its = {GfrPoint(**point.levels): point for point in GFR.file.load((), 1, sets).points()}
    found = {}
    for port in (FIFO_EPD, PER_VC_DOUBLE):
        compiled = its[GfrPoint(LAN, 15, port)].compile()
        found[port] = measure_gfr(run(json.dumps(compiled.plan), 7), compiled.facts)
    assert found[PER_VC_DOUBLE]["mcr_share"] > 1 > found[FIFO_EPD]["mcr_share"]
    assert found[PER_VC_DOUBLE]["eligible_lost_share"] == 0
    assert set(GFR.metrics) <= set(found[FIFO_EPD])


# Measured by hand: two groups of two flows; 10 s.

FACTS = Facts(
    duration_s=10.0,
    flow_names=("a 1", "a 2", "b 1", "b 2"),
    flow_groups=("a", "a", "b", "b"),
    flow_workloads=("bulk",) * 4,
    bottleneck_link=0,
    payload_capacity_bit_s=20e6,
    link_names=("SW2 -> SW1", "SW1 -> SW2"),
    reverse_link=1,
    foreground=(False,) * 4,
    vc_names=tuple(f"{name} {at}" for name in ("back", "data") for at in range(4)),
    vc_mcr_bit_s=(424e3,) * 4 + (424e3, 424e3, 848e3, 848e3),
)


def columns():
    back = [9, 9, 9, 9]
    return {
        "flows": table(
            received_bytes=[10**5] * 4,
            highest_received_bytes=[10**6] * 4,
            delivered_bytes=[10**6] * 4,
            segments_sent=[1000] * 4,
            segments_retransmitted=[10, 20, 30, 40],
            timeouts=[0, 1, 2, 3],
            fast_retransmits=[1, 1, 1, 1],
        ),
        "links": table(link=[]),
        "ports": table(link=[0, 1], utilisation=[0.9, 0.2], carried_share=[0.99, 0.1]),
        "classes": table(
            port=[0, 1],
            service=[2, 2],
            cells_carried=[1, 2],
            cells_lost=[77, 8],
            max_queued=[9000, 3],
            mean_queued=[4000.5, 0.1],
        ),
        "vcs": table(
            vc=range(8),
            # 10 s of 424 kbit/s are 10 000 cells.
            cells_delivered=[*back, 9500, 12_500, 30_000, 20_000],
            frames=[*back, 500, 600, 1400, 1500],
            frames_eligible=[*back, 400, 400, 900, 800],
            eligible_lost=[*back, 0, 5, 10, 10],
            eligible_delivered=[*back, 400, 395, 890, 790],
        ),
    }


def test_what_is_measured():
    row = measure_gfr(columns(), FACTS)
    assert row["mcr_share"] == pytest.approx(0.95)
    assert row["mcr_share_mean"] == pytest.approx((0.95 + 1.25 + 1.5 + 1.0) / 4)
    assert row["group_1_mcr_share"] == pytest.approx(1.1)
    assert row["group_2_mcr_share"] == pytest.approx(1.25)
    assert row["eligible_share"] == pytest.approx(2500 / 4000)
    assert row["eligible_lost_share"] == pytest.approx(25 / 2500)
    # 0, 2500, 10 000 and 0 cells beyond the MCRs.
    assert row["excess_fairness"] == pytest.approx(12.5**2 / (4 * (2.5**2 + 10**2)))
    assert row["excess_fairness_proportional"] == pytest.approx(0.75**2 / (4 * (0.25**2 + 0.5**2)))
    assert row["efficiency"] == pytest.approx(4 * 10**6 * 8 / 10 / 20e6)
    assert (row["utilisation"], row["timeouts"], row["fast_retransmits"]) == (0.99, 6, 4)
    assert row["retransmitted_share"] == pytest.approx(0.025)
    assert (row["cells_lost"], row["max_queue_cells"], row["mean_queue_cells"]) == (
        77,
        9000,
        4000.5,
    )
    found = {name for name in GFR.metrics if not name.startswith("group_")}
    assert found <= set(row)


# The claims, on made-up runs.


def verdicts(runs):
    return verdicts_of(GFR, runs)


def changed(where, column, value):
    """With the usual scatter of shares, that of losses depends on their size."""
    runs = gfr_runs()
    rows = runs.query(where).index
    assert len(rows)
    scatter = 0.002 if column == "mcr_share" else 0.1 * value
    runs.loc[rows, column] = value + scatter * (runs.loc[rows, "replication"] % 2 - 0.5)
    return verdicts(runs)["holds"].to_dict()


PER_VC, THRESHOLDS = "gfr-per-vc-queueing", "gfr-thresholds"
BOTH = {PER_VC: "true", THRESHOLDS: "true"}


def test_both_claims_hold_on_the_example():
    found = verdicts(gfr_runs())
    assert found["holds"].to_dict() == BOTH
    assert found["reached"].to_dict() == {PER_VC: 1, THRESHOLDS: 1}
    evidence = found["evidence"][PER_VC]
    assert "per VC, EPD: LAN 15 VCs 0.981 (0.981, 0.981)" in evidence
    assert "FIFO, DFBA: LAN 15 VCs 0.931 (" in evidence
    evidence = found["evidence"][THRESHOLDS]
    assert "eligible frames lost (0.023 % may be)" in evidence
    assert "one threshold: LAN 15 VCs 0.3150 %" in evidence
    assert evidence.endswith(
        "two: LAN 15 VCs 0.0000 %, LAN 50 VCs 0.0000 %, WAN 15 VCs 0.0000 %, WAN 50 VCs 0.0000 %"
    )


@pytest.mark.parametrize(
    ("port", "value", "ended"),
    [
        # With one threshold the CLP0+1 guarantee is the same number.
        (PER_VC_EPD, 0.949, {PER_VC: "false", THRESHOLDS: "false"}),
        (PER_VC_EPD, 0.95, {PER_VC: "undecided", THRESHOLDS: "undecided"}),
        (PER_VC_EPD, 0.951, {}),
        (FIFO_DFBA, 0.899, {PER_VC: "false"}),
        (FIFO_DFBA, 0.9, {PER_VC: "undecided"}),
        (FIFO_DFBA, 0.901, {}),
        (FIFO_EPD, 0.1, {}),
    ],
)
def test_one_point_below_its_bound_ends_a_claim(port, value, ended):
    found = changed(f"port == '{port}' and link == 'WAN' and sources == 50", "mcr_share", value)
    assert found == {**BOTH, **ended}


@pytest.mark.parametrize(
    ("lost", "holds"), [(0.0002, "false"), (0.00023, "undecided"), (0.00026, "true")]
)
def test_one_threshold_that_keeps_the_guarantee_makes_the_second_needless(lost, holds):
    found = changed(f"port == '{PER_VC_EPD}'", "eligible_lost_share", lost)
    assert found == {**BOTH, THRESHOLDS: holds}


def test_a_guarantee_that_is_broken_once_is_no_guarantee():
    where = f"port == '{PER_VC_EPD}' and not (link == 'LAN' and sources == 15)"
    assert changed(where, "eligible_lost_share", 0.0) == BOTH


@pytest.mark.parametrize(
    ("lost", "holds"), [(0.0003, "false"), (0.00023, "undecided"), (0.0002, "true")]
)
def test_two_thresholds_that_lose_more_than_may_be_do_not_keep_it(lost, holds):
    where = f"port == '{PER_VC_DOUBLE}' and link == 'LAN' and sources == 50"
    assert changed(where, "eligible_lost_share", lost) == {**BOTH, THRESHOLDS: holds}


@pytest.mark.parametrize(("replications", "holds"), [(17, "undecided"), (18, "true")])
def test_few_runs_without_a_loss_show_little(replications, holds):
    """72 runs without one exclude that 5 % have one; 4 points have two thresholds."""
    found = verdicts(gfr_runs(replications))
    assert found["holds"].to_dict() == {PER_VC: "true", THRESHOLDS: holds}


def test_one_replication_decides_nothing():
    found = verdicts(gfr_runs(1))
    assert set(found["holds"]) == {"undecided"}
    assert "nan" not in " ".join(found["evidence"])
