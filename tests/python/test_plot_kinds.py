"""``Results.plot`` and ``ackclock plot --kind``: which values each kind of figure shows."""

import shlex

import numpy as np
import pytest

from ackclock.cli import main
from ackclock.errors import InputError
from ackclock.results import Results, run
from ackclock.results.delay_samples import delays_of
from ackclock.results.rerun import rerun
from recorded_by_hand import a_slow_start, delays, log_bins, recorded
from results_campaigns import by_hand

LINK = "r1 -> r2"
FLAVORS = ("reno", "sack")


@pytest.fixture
def results(tmp_path):
    points = [
        ({"tcp_flavor": flavor, "k": k}, {"goodput_bit_s": [1e6 * (k + 1), 2e6 * (k + 1), 3e6]})
        for flavor in FLAVORS
        for k in (10, 1)
    ]
    return by_hand(tmp_path / "runs", points)


def waits(point, replication):
    """Of flow a 10 ms and of flow b 20 ms, and in the first point twice as many of a."""
    if replication:
        return None
    counts = {"a": 2 if point == 0 else 1, "b": 1}
    until = {"a": 0.01, "b": 0.02}
    single = [("queue", LINK, name, until[name], counts[name]) for name in counts]
    whole = [("queue", LINK, None, until[name], counts[name]) for name in counts]
    back = [("queue", "r2 -> r1", None, 0.5, 7)]
    rtts = [("rtt", None, name, 0.1 + until[name], 10 * counts[name]) for name in counts]
    return delays([*single, *whole, *back, *rtts])


@pytest.fixture
def with_delays(monkeypatch):
    recorded(monkeypatch, of_delays=waits)


def lines(figure):
    """By the text of the legend: places and percents of the steps."""
    return {
        line.get_label(): (line.get_xdata().round(6).tolist(), line.get_ydata().round(3).tolist())
        for ax in figure.area.axes
        for line in ax.lines
        if not line.get_label().startswith("_")
    }


def test_waiting_times_are_those_of_all_packets_at_the_bottleneck(results, with_delays):
    figure = results.plot.cdf(series="tcp_flavor")
    # Two points of reno: 2 + 1 packets of 10 ms, and 1 + 1 of 20 ms.
    found = lines(figure)
    assert found == {
        "reno: 5 packets": ([10, 10, 20], [0, 60, 100]),
        "sack: 4 packets": ([10, 10, 20], [0, 50, 100]),
    }
    assert "n = 1 · at r1 -> r2 · bins of 1.6 % · taken together: k" in figure.source


def test_by_flow_by_link_and_of_some_flows(results, with_delays):
    assert set(lines(results.plot.cdf(series="flow"))) == {"a: 5 packets", "b: 4 packets"}
    assert set(lines(results.plot.cdf(series="group"))) == {"a: 5 packets", "b: 4 packets"}
    found = set(lines(results.plot.cdf(series="link")))
    assert found == {"r1 -> r2: 9 packets", "r2 -> r1: 28 packets"}
    assert set(lines(results.plot.cdf(link="r2 -> r1"))) == {"all: 28 packets"}
    figure = results.plot.cdf("rtt", flows=["b"])
    assert lines(figure) == {"all: 40 RTTs": ([120, 120], [0, 100])}
    assert "of b" in figure.source


def test_levels_that_are_numbers_ascend(results, with_delays):
    figure = results.plot.cdf("rtt", series="k", facet="flow")
    assert [ax.get_title() for ax in figure.area.axes] == ["Flow: a", "Flow: b"]
    assert list(lines(figure)) == ["1", "10"]


def test_links_without_rows_of_flows_say_so(results, monkeypatch):
    only = delays([("queue", LINK, None, 0.01, 3)])
    recorded(monkeypatch, of_delays=lambda point, replication: only)
    with pytest.raises(InputError, match="together, and not by flow"):
        results.plot.cdf(series="flow")
    with pytest.raises(InputError, match="no RTTs of flows were recorded"):
        results.plot.cdf("rtt")


def test_what_does_not_go_together_is_told(results, with_delays):
    for says, of, more in (
        ("'queues' is not a kind of values; did you mean 'queue'", "queues", {}),
        ("'x' is not a factor, flow, group or link", "queue", {"series": "x"}),
        ("'link' is not a factor, flow or group", "rtt", {"series": "link"}),
        ("link r1 -> r2: needs of=queue", "rtt", {"link": LINK}),
        ("'r9' is not a link whose waiting times were recorded", "queue", {"link": "r9"}),
        ("'c' is not a flow; there are a, b", "rtt", {"flows": ["c"]}),
        ("flow a: needs of=flows", "runs", {"flows": ["a"]}),
        ("y drops: a metric needs of=flows or of=runs", "rtt", {"y": "drops"}),
        ("k, k: each can be shown in one way only", "rtt", {"series": "k", "facet": "k"}),
        ("'symlog' is not a scale of x", "rtt", {"x_scale": "symlog"}),
    ):
        with pytest.raises(InputError) as refused:
            results.plot.cdf(of, **more)
        assert says in str(refused.value)


def test_without_records_the_key_and_the_command_are_told(results, tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"set \[probes\] delays = true and run it again$"):
        results.plot.cdf()


def test_values_of_runs_and_of_flows(results):
    figure = results.plot.cdf("runs", "goodput_bit_s", series="tcp_flavor")
    assert figure.area.axes[0].get_xscale() == "linear"
    assert lines(figure)["reno: 6 runs"][0] == [2, 2, 3, 3, 4, 11, 22]
    figure = results.plot.cdf("flows", "goodput_bit_s", series="group")
    # Flow b delivers twice as much as a.
    a, b = (found[0] for found in lines(figure).values())
    assert np.array(b) == pytest.approx(2 * np.array(a))
    with pytest.raises(InputError, match="'drops' is not a metric of flows"):
        results.plot.cdf("flows", "drops")


def test_runs_without_a_value_are_counted(tmp_path):
    values = {"completion_s": [1.0, float("nan"), 3.0]}
    its = by_hand(tmp_path / "runs", [({"k": 1}, values)])
    figure = its.plot.box(y="completion_s")
    assert "without 1 of 3 runs, which have no value" in figure.source
    nothing = by_hand(tmp_path / "none", [({"k": 1}, {"completion_s": [float("nan")] * 2})])
    with pytest.raises(InputError, match="completion_s: has no value in this campaign"):
        nothing.plot.box(y="completion_s")


def test_boxes_of_runs_and_of_delays(results, with_delays):
    figure = results.plot.box("k", "goodput_bit_s", "tcp_flavor")
    ax = figure.area.axes[0]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "10"]
    assert len(ax.patches) == 4
    assert "n = 3 · box: 25 % to 75 %" in figure.source
    figure = results.plot.box(of="rtt")
    ax = figure.area.axes[0]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["reno", "sack"]
    assert ax.get_ylabel() == "RTT (ms)"
    assert "taken together: k" in figure.source
    assert "mark: 99 %" in figure.source
    with pytest.raises(InputError, match="drops: a log scale cannot show 0; use linear"):
        results.plot.box(y="drops", y_scale="log")


def test_a_box_without_a_factor(tmp_path):
    its = by_hand(tmp_path / "runs", [({}, {"goodput_bit_s": [1e6, 2e6]})])
    assert len(its.plot.box().area.axes[0].patches) == 1


def test_a_heat_map_shows_means_over_replications(results):
    figure = results.plot.heatmap("k", "goodput_bit_s", "tcp_flavor")
    texts = [text.get_text() for text in figure.area.axes[0].texts]
    assert texts == ["3.0", "12.0", "3.0", "12.0"]
    assert "n = 3 · means over the replications" in figure.source
    # By default the first two factors; the metric that is shown first.
    ax = results.plot.heatmap().area.axes[0]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("TCP flavor", "K")
    with pytest.raises(InputError, match="k, k: name different factors for x and series"):
        results.plot.heatmap("k", series="k")
    with pytest.raises(InputError, match="drops: a log scale cannot show 0"):
        results.plot.heatmap(y="drops", y_scale="log")


def test_a_heat_map_needs_two_factors(tmp_path):
    its = by_hand(tmp_path / "runs", [({"k": k}, {"drops": [1, 2]}) for k in (0, 1)])
    with pytest.raises(InputError, match="needs two factors with several levels, and there is onl"):
        its.plot.heatmap()


@pytest.fixture
def lab_runs(lab_folder, monkeypatch):
    """A campaign whose flow "a 1" has recorded its segments in the first replication."""

    def of_segments(flow, point, replication):
        return a_slow_start() if (flow, replication) == ("a 1", 0) else None

    monkeypatch.setattr("ackclock.results.records.Records.times", lambda *_: _Times())
    recorded(monkeypatch, of_delays=rtts, of_segments=of_segments)
    return lab_folder


class _Times:
    end_s, warm_up_s = 4.0, 0.5


def rtts(point, replication):
    if replication:
        return None
    values = np.random.default_rng(point).gamma(2, 0.02, 1000) + 0.02
    bins = list(zip(*log_bins(values), strict=True))
    return delays([("rtt", None, name, *each) for name in ("a 1", "b") for each in bins])


def said(capsys, *words):
    assert main(["plot", "lab.toml", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys, *words):
    assert main(["plot", "lab.toml", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err


def test_each_kind_has_a_file_of_its_own(lab_runs, capsys):
    for words, name in (
        (["--kind", "lines"], "lines"),
        (["--kind", "box", "--series", "tcp_flavor", "--of", "rtt"], "box-tcp_flavor-rtt"),
        (["--kind", "heatmap"], "heatmap"),
        (["--kind", "cdf", "--of", "rtt", "--flow", "a 1", "b"], "cdf-rtt-a-1-b"),
        (["--kind", "ccdf", "--of", "rtt"], "ccdf-rtt"),
        (["--kind", "traces", "--point", "1"], "over-time-1-0"),
        (["--kind", "sequence", "--to", "1 s"], "sequence-0-0-1s"),
        (["--kind", "sequence", "--segments"], "sequence-0-0-segments"),
    ):
        assert said(capsys, *words).endswith(f": lab.results/figures/{name}.svg\n")
        assert (lab_runs / "lab.results" / "figures" / f"{name}.svg").is_file()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--kind heatmap --flow a", "--flow: needs --kind box, cdf, ccdf, traces or sequence, not"),
        ("--of rtt", "--of: needs --kind box, cdf or ccdf; add it"),
        ("--to 2s", "--to: needs --over-time or --kind sequence; add it"),
        ("--kind cdf --over-time", "--over-time: is --kind traces; leave it out with --kind cdf"),
        ("--over-time --y drops", "--y: leave it out with --over-time"),
        ("--figure goodput --kind box", "--figure goodput has axes of its own; leave out --kind"),
        ("--kind sequence --flow a b", "--flow: a time-sequence diagram is of one flow; name one"),
        ("--kind sequence --flow c", "'c' is not a flow; there are a 1, a 2, b"),
        ("--kind sequence --connection 3", "connection 3 of a 1 does not exist; there is only 0"),
        ("--kind sequence --from 3s --to 4s", "a 1 sent and received nothing from 3 s to 4 s"),
        ("--kind sequence --replication 1", "in replication 1 of point 0, but in 0; [probes] repl"),
        ("--kind sequence --replication 9", "replication 9 of point 0 is not there"),
        ("--kind cdf --of queue", "no waiting times at links were recorded; set [probes] delays"),
    ],
)
def test_what_does_not_go_together_is_told_by_the_command(words, says, lab_runs, capsys):
    assert says in refused(capsys, *words.split())


def test_the_command_that_records_it_is_told(lab_folder, capsys):
    err = refused(capsys, "--kind", "sequence", "--flow", "b")
    assert 'set [probes] segments = ["b"] and run it again: ackclock run lab.toml' in err
    assert err.endswith("""--set 'probes.segments=["b"]'\n""")


def test_the_command_makes_the_same_runs(lab_folder, monkeypatch):
    text = (lab_folder / "lab.toml").read_text()
    changes = ["duration=1 s", "title=A lab"]
    probes = {"cwnd": "all", "queue": "10 ms"}
    its = run(text, "lab.other", sets=changes, replications=2).campaign
    # Its file would have another name.
    assert rerun(its, probes) == "run it again"
    (lab_folder / "lab.other.toml").write_text(text)
    command = shlex.split(rerun(its, probes).removeprefix("run it again: "))
    sets = [*changes, "probes.cwnd=all", "probes.queue=10 ms"]
    wanted = ["ackclock", "run", "lab.other.toml", "--out", "lab.other", "--replications", "2"]
    assert command == wanted + [word for each in sets for word in ("--set", each)]
    monkeypatch.chdir("lab.results")
    assert rerun(Results.open(".").campaign, probes).startswith("run it again: ackclock run ")


def test_rtts_stand_above_windows_of_the_whole_run(lab_runs, capsys):
    results = Results.open("lab.results")
    its = delays_of(results.records, 0, 0, "rtt", None)
    heading = results.plot.traces(point=0).area.axes[0].get_title(loc="left")
    median, largest = its.percentile(50), its.percentile(99)
    assert f"RTT (ms): median {1000 * median:.3g}, " in heading.replace("\n", " ")
    assert heading.endswith(f"99 % {1000 * largest:.3g}")
    cut = results.plot.traces(point=0, from_s=1, to_s=2)
    assert "RTT" not in cut.area.axes[0].get_title(loc="left")
