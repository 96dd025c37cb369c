"""Metrics of GFR contracts by hand."""

from math import isnan, nan

import numpy as np
import pytest

from ackclock.results import run
from ackclock.results.contracts import CONTRACT_METRICS, contract_vcs, promised
from ackclock.results.metrics import METRICS
from results_campaigns import Facts

# Flows a to d: VCs 0 to 3 go back, 4 to 7 with the data; d is of UBR. VCs 8 and 9 are a source's.
NAMES = ("a", "b", "c", "d")
VCS = (*(f"{name} (back)" for name in NAMES), *NAMES, "s", "s (back)")
MCRS = (4240.0, 8480.0, 0.0, None)
FACTS = Facts(
    flow_names=NAMES,
    flow_groups=NAMES,
    flow_workloads=("bulk",) * 4,
    foreground=(False,) * 4,
    vc_names=VCS,
    vc_mcr_bit_s=(*MCRS, *MCRS, None, None),
)
# In 10 s MCRs of 4240 and 8480 bit/s are 100 and 200 cells.
DELIVERED = (1, 1, 1, 1, 150, 250, 900, 500, 7, 7)
ELIGIBLE = (50, 50, 50, 0, 10, 20, 0, 0, 0, 0)
LOST = (9, 9, 9, 9, 1, 2, 0, 0, 0, 0)


def columns(delivered=DELIVERED, eligible=ELIGIBLE, lost=LOST):
    its = {"cells_delivered": delivered, "frames_eligible": eligible, "eligible_lost": lost}
    return {"vcs": {name: np.array(values, dtype=np.uint64) for name, values in its.items()}}


def metric(name, run=None, facts=FACTS):
    return CONTRACT_METRICS[name].of(run or columns(), facts)


def changed(**delivered):
    values = list(DELIVERED)
    for name, cells in delivered.items():
        values[VCS.index(name)] = cells
    return columns(values)


def test_the_vcs_that_have_a_contract_and_go_with_the_data():
    assert [VCS[at] for at in contract_vcs(FACTS)] == ["a", "b", "c"]
    its = promised(columns(), FACTS)
    assert its.mcr.tolist() == [4240.0, 8480.0]
    assert its.delivered == pytest.approx([6360.0, 10600.0])
    assert its.excess == pytest.approx([2120.0, 2120.0])


def test_what_was_delivered_over_what_was_promised():
    assert metric("mcr_share") == pytest.approx(1.25)
    assert metric("mcr_share_mean") == pytest.approx(1.375)
    assert metric("mcr_share", changed(a=95, b=250)) == pytest.approx(0.95)
    assert metric("mcr_share", changed(a=0)) == 0


def test_the_excess_is_shared_alike_or_in_proportion():
    # Beyond their MCRs 50 cells each; over the MCRs 1/2 and 1/4.
    assert metric("excess_fairness") == pytest.approx(1)
    assert metric("excess_fairness_proportional") == pytest.approx(0.75**2 / (2 * (1 / 4 + 1 / 16)))
    in_proportion = changed(a=150, b=300)
    assert metric("excess_fairness_proportional", in_proportion) == pytest.approx(1)
    assert metric("excess_fairness", in_proportion) == pytest.approx(150**2 / (2 * 12500))
    # Less than MCR is no excess, and no debt.
    assert metric("excess_fairness", changed(a=20)) == pytest.approx(0.5)
    assert isnan(metric("excess_fairness", changed(a=100, b=200)))


def test_the_eligible_frames_that_were_lost():
    assert metric("eligible_lost_share") == pytest.approx(3 / 30)
    assert isnan(metric("eligible_lost_share", columns(eligible=(0,) * 10)))
    assert metric("eligible_lost_share", columns(lost=(9, 9, 9, 9, *(0,) * 6))) == 0


def test_without_a_contract_there_is_nothing_to_tell():
    without = Facts(vc_names=VCS, flow_names=NAMES)
    none_promised = Facts(
        vc_names=VCS, flow_names=NAMES, vc_mcr_bit_s=(0.0,) * 4 + (0.0,) * 4 + (None, None)
    )
    for name in CONTRACT_METRICS:
        assert isnan(metric(name, {"vcs": {}}, Facts()))
        assert isnan(metric(name, columns(), without))
        told = metric(name, columns(), none_promised)
        assert isnan(told) == (name != "eligible_lost_share")


@pytest.mark.parametrize(("windows", "largest"), [([5, 9, 7], 9), ([0], 0), ([], nan)])
def test_the_largest_window_is_that_of_all_flows(windows, largest):
    run = {"flows": {"max_cwnd_bytes": np.array(windows, dtype=np.uint64)}}
    assert METRICS["max_cwnd_bytes"].of(run, Facts()) == pytest.approx(largest, nan_ok=True)


LAB = """
duration = "3 s"
warm_up = "1 s"

[topology]
kind = "atm_clients"
trunk = { rate = "10 Mbit/s", delay = "1 ms" }
access = { rate = "155.52 Mbit/s" }
service = "gfr"
gfr = { mcr = "1 Mbit/s" }
switch = { policy = "selective_drop", ubr_buffer = "2000 cells", ubr_queueing = "per_vc" }

[tcp]
flavor = "sack"
smss = "1024 B"
receive_buffer = "64 KiB"

[[flows]]
name = "large"
mcr = "6 Mbit/s"

[[flows]]
name = "small"

[[flows]]
name = "none"
service = "ubr"

[probes]
queue = "100 ms"
"""


def test_the_frames_of_real_vcs(tmp_path):
    results = run(LAB, tmp_path / "lab")
    vcs = results.vcs().set_index("vc")
    assert vcs["mcr_bit_s"].tolist() == pytest.approx([6e6, 1e6, nan] * 2, nan_ok=True)
    counts = vcs.drop(columns=["mcr_bit_s", "mean_acr_bit_s"]).astype(int)
    data = counts.loc[["large", "small"]]
    # A frame of 1024 bytes has 23 cells, and a whole one counts whole.
    assert (data["cells_delivered"] <= 23 * data["frames_delivered"]).all()
    assert (data["cells_delivered"] > 22 * data["frames_delivered"]).all()
    assert (data["frames"] == data["frames_eligible"] + data["frames_tagged"]).all()
    assert (data["frames_tagged"] > 0).all()
    assert counts.loc["none", ["frames_eligible", "frames_tagged"]].tolist() == [0, 0]
    assert counts.loc["none", "frames_delivered"] > 0
    (row,) = results.metrics.to_dict("records")
    rate = data["cells_delivered"] * 424 / 2
    assert row["mcr_share"] == pytest.approx(min(rate["large"] / 6e6, rate["small"] / 1e6))
    assert 0.9 < row["mcr_share"] < row["mcr_share_mean"]
    eligible = data["eligible_lost"].sum() / data["frames_eligible"].sum()
    assert row["eligible_lost_share"] == pytest.approx(eligible)
    assert row["max_cwnd_bytes"] > 1024
