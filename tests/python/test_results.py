"""Results in Python: frames, intervals, comparisons, by hand and through the real core."""

import subprocess
import sys
from math import isnan, sqrt

import numpy as np
import pandas as pd
import pytest

import ackclock
from ackclock.campaign import CampaignWarning
from ackclock.errors import InputError
from ackclock.results import Results
from ackclock.results.flows import FLOW_METRICS
from ackclock.results.grids import interval_column
from ackclock.results.metrics import METRICS
from ackclock.results.names import level_of, same_level
from ackclock.stats import mean_interval, paired_comparison
from results_campaigns import LAB, by_hand, lab

T_2 = 4.302652729911275  # Student's t, 97.5 %, 2 degrees of freedom
FLAVORS = {"reno": [10.0, 12.0, 14.0], "sack": [13.0, 14.0, 18.0]}


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    return lab(tmp_path_factory.mktemp("lab") / "runs")


@pytest.fixture
def hand(tmp_path):
    """One factor, three replications."""
    points = [({"tcp_flavor": name}, {"goodput_bit_s": v}) for name, v in FLAVORS.items()]
    return by_hand(tmp_path / "hand", points)


@pytest.fixture
def crossed(tmp_path):
    """Two factors; the replications move everything, the delay halves what SACK gains."""
    points = []
    for flavor, gain in (("reno", 0), ("sack", 4)):
        for delay in (0.01, 0.1):
            values = [base + gain * (0.5 if delay > 0.05 else 1) for base in (10, 20, 30)]
            levels = {"tcp_flavor": flavor, "topology_bottleneck_delay_s": delay}
            points.append((levels, {"goodput_bit_s": values, "timeouts": [1, 1, 1]}))
    return by_hand(tmp_path / "crossed", points)


def test_metrics_are_tidy(real):
    frame = real.metrics
    factors = ["tcp_flavor", "topology_bottleneck_delay_s"]
    assert list(frame) == [*factors, "replication", "seed", *METRICS]
    assert len(frame) == 4 * 3
    assert frame["tcp_flavor"].tolist()[::3] == ["reno", "reno", "sack", "sack"]
    assert frame["topology_bottleneck_delay_s"].tolist()[::3] == [0.01, 0.02, 0.01, 0.02]
    assert frame["replication"].tolist() == [0, 1, 2] * 4
    assert frame["seed"].nunique() == 3
    assert (frame["goodput_bit_s"] > 1e6).all()
    assert (frame["goodput_bit_s"] <= 4e6).all()
    assert frame.attrs["units"]["goodput_bit_s"] == "bit/s"


def test_flows_add_up_to_the_run(real):
    flows = real.flows
    assert list(flows)[:6] == [*real.factors, "replication", "seed", "flow", "group"]
    assert list(flows)[6:] == list(FLOW_METRICS)
    assert flows.index.tolist() == list(range(3 * len(real.metrics)))
    assert flows["flow"].tolist()[:3] == ["a 1", "a 2", "b"]
    assert flows["group"].tolist()[:3] == ["a", "a", "b"]
    runs = flows.groupby([*real.factors, "replication"], sort=False)
    for name in ("goodput_bit_s", "timeouts", "segments_sent"):
        assert runs[name].sum().to_numpy() == pytest.approx(real.metrics[name].to_numpy())


def test_too_many_flows_are_not_told_one_by_one(tmp_path):
    crowd = by_hand(tmp_path / "crowd", [({}, {"goodput_bit_s": [1.0]})])
    runs = tuple(run._replace(row={"goodput_bit_s": 1.0}) for run in crowd.campaign.runs)
    object.__setattr__(crowd.campaign, "runs", runs)
    with pytest.raises(InputError, match=r"more than 64 flows.*\[probes\] goodput"):
        _ = crowd.flows


def test_a_summary_by_hand(hand):
    table = hand.summary(["goodput_bit_s"])
    assert list(table) == ["tcp_flavor", "metric", "unit", "mean", "lo", "hi", "n"]
    assert table["mean"].tolist() == [12, 15]
    assert table["n"].tolist() == [3, 3]
    assert table["unit"].tolist() == ["bit/s"] * 2
    half = T_2 * 2 / sqrt(3)
    assert table["lo"][0] == pytest.approx(12 - half)
    assert table["hi"][0] == pytest.approx(12 + half)


def test_a_summary_is_that_of_each_point(real):
    long = real.summary()
    assert long["metric"].tolist()[: len(METRICS)] == list(METRICS)
    wide = real.summary(wide=True)
    assert len(wide) == 4
    for name in ("goodput_bit_s", "timeouts"):
        for at, rows in enumerate(np.split(real.metrics[name].to_numpy(), 4)):
            mean, lo, hi, _ = mean_interval(rows)
            assert wide[name][at] == pytest.approx(mean)
            assert wide[f"{name}_lo"][at] == pytest.approx(max(lo, 0))
            assert wide[f"{name}_hi"][at] == pytest.approx(hi)


def test_the_confidence_is_that_asked_for(hand):
    narrow, wide = (hand.summary(["goodput_bit_s"], confidence=c)["hi"][0] for c in (0.5, 0.99))
    assert narrow < wide
    with pytest.raises(InputError, match=r"0\.95"):
        hand.summary(confidence=95)


def test_a_mean_over_a_missing_value_is_missing(tmp_path):
    values = {"completion_s": [1.0, float("nan"), 3.0]}
    table = by_hand(tmp_path / "runs", [({}, values)]).summary(["completion_s"])
    assert isnan(table["mean"][0])
    assert table["n"][0] == 3


def test_an_array_has_a_dimension_a_factor(real):
    data = real.to_xarray()
    assert dict(data.sizes) == {
        "tcp_flavor": 2,
        "topology_bottleneck_delay_s": 2,
        "replication": 3,
    }
    assert data["tcp_flavor"].values.tolist() == ["reno", "sack"]
    assert data["topology_bottleneck_delay_s"].attrs["units"] == "s"
    assert data["goodput_bit_s"].attrs["units"] == "bit/s"
    assert data["timeouts"].dtype.kind == "i"
    one = data["goodput_bit_s"].sel(
        tcp_flavor="sack", topology_bottleneck_delay_s=0.02, replication=1
    )
    row = real.metrics.query("tcp_flavor == 'sack' and topology_bottleneck_delay_s == 0.02")
    assert float(one) == row["goodput_bit_s"].iloc[1]
    assert data.attrs["title"] == real.title


def test_an_array_keeps_the_order_of_the_levels(tmp_path):
    points = [({"tcp_flavor": name}, {"timeouts": [1]}) for name in ("vanilla", "reno", "sack")]
    data = by_hand(tmp_path / "runs", points).to_xarray()
    assert data["tcp_flavor"].values.tolist() == ["vanilla", "reno", "sack"]


def test_a_ragged_design_has_its_points_in_one_dimension(tmp_path):
    points = [
        ({"tcp_flavor": "reno", "k": 1}, {"timeouts": [1, 2]}),
        ({"tcp_flavor": "sack", "k": 2}, {"timeouts": [3, None]}),
    ]
    with pytest.warns(CampaignWarning, match="1 run has failed"):
        data = by_hand(tmp_path / "runs", points).to_xarray()
    assert dict(data.sizes) == {"point": 2, "replication": 2}
    assert data["tcp_flavor"].dims == ("point",)
    assert data["tcp_flavor"].values.tolist() == ["reno", "sack"]
    assert data["timeouts"].values[0].tolist() == [1, 2]
    assert isnan(data["timeouts"].values[1, 1])


def test_an_array_without_factors(tmp_path):
    data = by_hand(tmp_path / "runs", [({}, {"timeouts": [4, 5]})]).to_xarray()
    assert data["timeouts"].dims == ("replication",)
    assert data["timeouts"].values.tolist() == [4, 5]


def test_a_comparison_by_hand(hand):
    # Differences 3, 2, 4: mean 3, deviation 1.
    table = hand.compare("tcp_flavor", baseline="reno")
    assert table["tcp_flavor"].tolist() == ["sack"]
    assert table["difference"][0] == 3
    assert table["hi"][0] == pytest.approx(3 + T_2 / sqrt(3))
    assert table["relative"][0] == 0.25
    assert table["p_holm"][0] == pytest.approx(0.0351, abs=1e-4)
    assert hand.compare("tcp_flavor", baseline="sack")["difference"][0] == -3
    assert hand.compare("tcp_flavor")["baseline"][0] == "reno"


def test_a_comparison_is_made_within_each_combination(crossed):
    table = crossed.compare("tcp_flavor")
    assert table["topology_bottleneck_delay_s"].tolist() == [0.01, 0.1]
    assert table["difference"].tolist() == [4, 2]
    pooled = crossed.compare("tcp_flavor", pooled=True)
    assert pooled["difference"].tolist() == [3]
    assert pooled["combinations"].tolist() == [2]


def test_a_comparison_through_the_core_is_paired(real):
    table = real.compare("tcp_flavor", baseline="sack", metric="timeouts")
    values = real.metrics.set_index(list(real.factors))["timeouts"]
    for row in table.itertuples():
        at = row.topology_bottleneck_delay_s
        its = paired_comparison(values.loc[("reno", at)], values.loc[("sack", at)])
        assert (row.difference, row.n) == (its.difference, 3)
        assert row.p == pytest.approx(its.p, nan_ok=True)


@pytest.mark.parametrize("level", [0.1, "0.1", "100 ms", "0.1 s"])
def test_a_level_may_be_given_as_text(crossed, level):
    table = crossed.compare("topology_bottleneck_delay_s", baseline=level)
    assert table["baseline"].unique().tolist() == [0.1]


def test_a_truth_is_no_number():
    assert same_level(0.1 + 0.2, 0.3)
    assert not same_level(True, 1)
    assert not same_level(1, "1")
    assert level_of("true", [False, True], "nagle") is True


def test_the_analysis_of_variation(crossed):
    its = crossed.anova("goodput_bit_s")
    assert its.factors == ("tcp_flavor", "topology_bottleneck_delay_s")
    assert its.effect("tcp_flavor", "sack").effect == pytest.approx(1.5)
    only = crossed.anova("goodput_bit_s", ["tcp_flavor"])
    assert only.factors == ("tcp_flavor",)


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda r: r.summary(["goodput"]), "did you mean 'goodput_bit_s'"),
        (lambda r: r.compare("flavor"), "'flavor' is not a factor; did you mean 'tcp_flavor'"),
        (lambda r: r.compare("tcp_flavor", "rino"), "did you mean 'reno'"),
        (lambda r: r.compare("tcp_flavor", metric="timouts"), "did you mean 'timeouts'"),
        (lambda r: r.anova("timeout"), "did you mean 'timeouts'"),
        (lambda r: r.anova("timeouts", ["tcp"]), "did you mean 'tcp_flavor'"),
        (lambda r: r.trace("a"), "4 points match; give for example point={'tcp_flavor'"),
        (lambda r: r.trace("a", point=7), "there are points 0 to 3"),
        (lambda r: r.trace("a", point={"tcp_flavour": 1}), "did you mean 'tcp_flavor'"),
        (lambda r: r.trace("a", point={"tcp_flavor": "tahoe"}), "there are reno, sack"),
        (lambda r: r.trace("c", point=0), "'c' is not a flow; there are a, b"),
        (lambda r: r.trace("a", point=0), r'set \[probes\] cwnd = "all"'),
        (lambda r: r.queue(point=0), r'set \[probes\] queue = "10 ms"'),
        (lambda r: r.queue("r9", point=0), "'r9' is not a link; there are r1 -> r2, r2 -> r1"),
        (lambda r: r.steady(), r'set \[probes\] goodput = "100 ms"'),
        (lambda r: r.plot.figure("x"), r"no \[\[figures\]\]"),
        (lambda r: r.plot.lines(x="delay"), "did you mean 'topology_bottleneck_delay_s'"),
        (lambda r: r.plot.lines(y="drop"), "did you mean 'drops'"),
        (lambda r: r.plot.lines(x="tcp_flavor", series="tcp_flavor"), "name different factors"),
        (lambda r: r.plot.lines(x_scale="lag"), "'lag' is not a scale"),
        (lambda r: r.plot.traces(point=0), r'set \[probes\] cwnd = "all"'),
    ],
)
def test_a_wrong_name_is_told_with_the_right_one(crossed, ask, says):
    with pytest.raises(InputError, match=says):
        ask(crossed)


def test_a_factor_cannot_have_the_name_of_a_metric(tmp_path):
    with pytest.raises(InputError, match="the factor timeouts has the name of a column"):
        by_hand(tmp_path / "runs", [({"timeouts": 1}, {"drops": [1]})])


def test_a_study_may_measure_something_else(tmp_path):
    points = [({"link": "WAN"}, {"fairness": [0.5, 0.7], "cells_refused": [3, 4]})]
    its = by_hand(tmp_path / "runs", points, measure="results_campaigns:given_alone")
    assert list(its.metrics)[3:] == ["fairness", "cells_refused"]
    assert its.grid().heads == ["Link", "Fairness", "Cells refused"]
    assert its.summary()["mean"].tolist() == pytest.approx([0.6, 3.5])
    assert its.to_xarray()["fairness"].attrs["units"] == "1"
    with pytest.raises(InputError, match="'goodput_bit_s' is not a metric"):
        its.compare("link")


def test_runs_that_failed_are_told(tmp_path):
    points = [({"k": k}, {"timeouts": [1, None if k == 2 else 5]}) for k in (1, 2)]
    with pytest.warns(CampaignWarning, match=r"runs: 1 run has failed$"):
        results = by_hand(tmp_path / "runs", points)
    assert results.failures["reason"].tolist() == ["ValueError: told to fail"]
    assert results.failures[["k", "replication"]].to_numpy().tolist() == [[2, 1]]
    assert results.summary(["timeouts"])["n"].tolist() == [2, 1]
    assert results.metrics["drops"].tolist() == [0, 0, 0]
    assert "n" in results.grid(["timeouts"]).heads
    assert "1 run has failed" in repr(results)


def test_a_campaign_without_any_result_is_told(tmp_path):
    with pytest.raises(InputError, match="no run has given results yet; 1 run has failed"):
        by_hand(tmp_path / "runs", [({}, {"timeouts": [None]})])
    with pytest.raises(InputError, match="contains no campaign"):
        Results.open(tmp_path / "nothing")


def test_a_warm_up_that_is_too_short_is_told(tmp_path):
    sets = ["warm_up=0 s", "duration=6 s", "replications=2", "tcp.initial_window=1"]
    sets.append("tcp.flavor=newreno")
    text = LAB.split("[sweep.factors]")[0]
    short = lab(tmp_path / "short", sets=sets, text=text)
    with pytest.warns(CampaignWarning, match=r"the warm-up is 0 s, the goodput needs"):
        table = short.steady()
    assert table["warm_up_enough"].tolist() == [False]
    needed = table["warm_up_needed_s"][0]
    enough = lab(tmp_path / "enough", sets=[f"warm_up={needed} s", *sets[1:]], text=text)
    table = enough.steady()
    assert table["warm_up_enough"].tolist() == [True]
    assert table["goodput_bit_s"][0] == pytest.approx(enough.metrics["goodput_bit_s"][0], rel=0.01)
    assert table["lo"][0] < table["goodput_bit_s"][0] < table["hi"][0]


def test_too_few_bins_show_no_warm_up(tmp_path):
    text = LAB.split("[sweep.factors]")[0]
    few = lab(tmp_path / "few", sets=["probes.goodput=200 ms", "replications=1"], text=text)
    with pytest.raises(InputError, match=r'in 20 bins.*goodput = "0\.04 s"'):
        few.steady()


def test_a_notebook_shows_means_with_intervals(real):
    html = real._repr_html_()
    assert "Two &lt;TCPs&gt; &amp; a bottleneck" in html
    assert "<TCPs>" not in html
    assert html.count("<tr>") == 1 + 4
    assert "±" in html
    assert "Goodput (Mbit/s)" in html
    assert "20 ms" in html
    assert "n = 3 · 95 % intervals" in html
    assert "http" not in html
    assert repr(real).startswith("<Results 'Two <TCPs> & a bottleneck': 4 points, 12 runs, factors")


def test_a_notebook_shows_no_endless_table(tmp_path):
    points = [({"k": k}, {"timeouts": [1]}) for k in range(45)]
    html = by_hand(tmp_path / "runs", points)._repr_html_()
    assert html.count("<tr>") == 1 + 40
    assert "5 more rows are not shown" in html


def test_numbers_have_the_digits_that_their_intervals_deserve(tmp_path):
    values = {"goodput_bit_s": [9.31e6, 9.32e6, 9.36e6], "timeouts": [4, 4, 4]}
    values |= {"offered_load": [float("inf")] * 3, "completion_s": [float("nan")] * 3}
    shown = by_hand(tmp_path / "runs", [({}, values)]).grid(list(values))
    assert shown.heads == ["Goodput (Mbit/s)", "Time-outs", "Offered load", "Completion (s)"]
    assert shown.rows == [["9.330 ± 0.066", "4", "∞", "–"]]


def test_a_table_shows_what_the_summary_holds(tmp_path):
    shares = [[0.9, 0.99, 1.0], [0.5, 0.5, 0.5], [0.1, 0.2, 0.0]]
    counts = [[1, 2, 4], [0, 0, 1], [3, 3, 3]]
    its = by_hand(
        tmp_path / "runs",
        [
            ({"buffer": at, "ecn": at > 1}, {"utilisation": share, "timeouts": count})
            for at, (share, count) in enumerate(zip(shares, counts, strict=True))
        ],
    )
    names = ["utilisation", "timeouts"]
    frame = its.summary(names)
    columns = [interval_column(name, frame[frame["metric"] == name]) for name in names]
    rows = its.grid(names).rows
    assert [row[:2] for row in rows] == [["0", "false"], ["1", "false"], ["2", "true"]]
    assert [row[2:] for row in rows] == [
        list(row) for row in zip(*(c.texts for c in columns), strict=True)
    ]


def test_replications_are_few(tmp_path):
    one = by_hand(tmp_path / "runs", [({}, {"goodput_bit_s": [1234.5]})])
    assert one.grid(["goodput_bit_s"]).rows == [["1.234"]]
    assert "n = 1 · one replication: no intervals" in one.source()


def test_a_text_and_a_file_can_be_run(tmp_path):
    text = LAB.split("[sweep.factors]")[0]
    quick = ["duration=600 ms", "replications=1"]
    from_text = ackclock.run(text, sets=quick)
    path = tmp_path / "lab.toml"
    path.write_text(text)
    from_file = ackclock.run(path, sets=quick)
    assert from_file.campaign.folder == tmp_path / "lab.results"
    pd.testing.assert_frame_equal(from_text.metrics, from_file.metrics)
    again = ackclock.load_results(tmp_path / "lab.results")
    pd.testing.assert_frame_equal(again.metrics, from_file.metrics)
    assert ackclock.Results is Results


def test_the_package_is_light():
    script = (
        "import sys, ackclock;"
        "assert ackclock.__version__;"
        "heavy = ('numpy', 'pandas', 'matplotlib', 'pydantic', 'scipy', 'pyarrow', 'xarray');"
        "print([m for m in heavy if m in sys.modules]);"
        "ackclock.run; print([m for m in ('matplotlib', 'xarray') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["[]", "[]"]
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = ackclock.nonsense
