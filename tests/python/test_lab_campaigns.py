"""The campaigns in the user's folder, as the page sees them."""

import json
import os
import shutil
from dataclasses import replace

import numpy as np
import pytest

from ackclock import _core
from ackclock.campaign import Campaign
from ackclock.errors import InputError
from ackclock.lab.campaigns import api as campaigns
from ackclock.lab.campaigns import folders
from ackclock.lab.campaigns.folders import campaign_id, found
from ackclock.lab.endpoints import NotThereError
from ackclock.lab.frame import read
from ackclock.lab.server.folder_routes import NOTE
from ackclock.lab.states.state import State
from ackclock.results import Results, run
from ackclock.results.metrics import measure
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json
from ackclock.sizing import Question, rendering, size_buffer
from ackclock.studies.machinery.running import Execution, campaign_of, make
from lab_calls import TEXT, call, problem, settings_of
from results_campaigns import by_hand
from test_emulation_read import LEVELS, emulated

PLACE = "out/lab.results"


@pytest.fixture(scope="module")
def settings(made_lab, tmp_path_factory):
    """A server whose user has one campaign, of a factorial of two TCPs and two delays."""
    folder = tmp_path_factory.mktemp("user")
    shutil.copytree(made_lab / "lab.results", folder / PLACE)
    return settings_of(folder)


@pytest.fixture(scope="module")
def results(settings):
    return Results.open(settings.folder / PLACE)


@pytest.fixture(scope="module")
def name(settings):
    (only,) = found(settings).places
    return only


@pytest.fixture
def other(tmp_path):
    """A server whose user has nothing yet."""
    return settings_of(tmp_path)


def only(settings):
    (one,) = campaigns.campaigns(settings)
    return one


def row_of(state, settings):
    """What the run of a state of the lab gives."""
    its = State.read(state)
    scenario = its.load(settings)
    compiled = scenario.points()[its.point].compile()
    columns = _core.run(canonical_json(compiled.plan), its.seed(scenario))
    return measure(columns, compiled.facts)


def test_a_campaign_is_listed_with_its_runs_and_factors(settings, name, results):
    answer = call(settings, "GET", "/api/campaigns")
    (its,) = answer.json()
    assert NOTE not in answer.headers
    assert its["id"] == name
    assert its["folder"] == PLACE
    assert (its["runs"], its["failed"], its["missing"], its["points"]) == (12, 0, 0, 4)
    assert its["factors"] == list(results.factors)
    assert [each["name"] for each in its["metrics"]] == ["goodput_bit_s", "timeouts"]
    assert its["title"] == results.title
    assert its["problem"] is None


def test_means_are_those_of_show_in_its_words(settings, name, results):
    its = call(settings, "GET", f"/api/campaigns/{name}/summary").json()
    grid = results.grid()
    assert grid.heads[2] == "Goodput (Mbit/s)"
    shown = [
        [*row["levels"], row["values"]["goodput_bit_s"]["text"], row["values"]["timeouts"]["text"]]
        for row in its["rows"]
    ]
    assert shown == [[*row[:2], f"{row[2]} Mbit/s", row[3]] for row in grid.rows]
    assert [row["point"] for row in its["rows"]] == [0, 1, 2, 3]
    table = results.summary(["goodput_bit_s"])
    assert [row["values"]["goodput_bit_s"]["lo"] for row in its["rows"]] == list(table["lo"])
    assert its["metrics"][0] == {"name": "goodput_bit_s", "label": "Goodput", "unit": "bit/s"}
    assert its["source"] == results.source()


def test_means_by_a_factor_are_over_the_others(settings, name, results):
    path = f"/api/campaigns/{name}/summary?by=tcp_flavor&metric=goodput_bit_s,drops"
    its = call(settings, "GET", path).json()
    assert [row["levels"] for row in its["rows"]] == [["reno"], ["sack"]]
    means = results.metrics.groupby("tcp_flavor")["goodput_bit_s"].mean()
    for row in its["rows"]:
        assert row["values"]["goodput_bit_s"]["mean"] == pytest.approx(means[row["levels"][0]])
        assert row["point"] is None
        assert set(row["values"]) == {"goodput_bit_s", "drops"}


@pytest.mark.parametrize("query", ["metric=beauty", "by=beauty"])
def test_an_unknown_name_is_told_with_what_there_is(query, settings, name):
    answer = call(settings, "GET", f"/api/campaigns/{name}/summary?{query}&name=x")
    assert answer.status_code == 422
    assert "'beauty' is not a" in problem(answer)


def test_runs_are_listed_with_their_seeds_as_texts(settings, name, results):
    its = call(settings, "GET", f"/api/campaigns/{name}/runs").json()
    assert its["total"] == 12
    assert [each["number"] for each in its["runs"]] == list(range(12))
    seeds = [str(run.seed) for run in results.campaign.runs]
    assert [each["seed"] for each in its["runs"]] == seeds
    assert any(int(seed) > 2**53 for seed in seeds)
    assert [each["recorded"] for each in its["runs"][:4]] == [True, False, False, True]
    rest = call(settings, "GET", f"/api/campaigns/{name}/runs?from=10").json()
    assert [each["number"] for each in rest["runs"]] == [10, 11]


def traced(settings, name, number=0, query=""):
    answer = call(settings, "GET", f"/api/campaigns/{name}/runs/{number}/trace{query}")
    assert answer.status_code == 200, answer.text
    ((head, arrays),) = read(answer.content)
    return head, arrays


def curve(head, arrays, panel, series, flow=None):
    (its,) = [each for each in head["panels"] if each["id"] == panel]
    (one,) = [each for each in its["series"] if (each["name"], each["flow"]) == (series, flow)]
    return arrays[one["x"]], arrays[one["y"]]


def test_a_trace_has_the_peaks_of_what_was_recorded(settings, name, results):
    head, arrays = traced(settings, name, query="?width=50")
    assert head["kind"] == "run"
    assert head["done"] == 1
    assert [flow["name"] for flow in head["flows"]] == ["a 1", "b"]
    queue = results.queue(point=0)["max_length"]
    x, y = curve(head, arrays, "queue", "queue")
    assert len(x) <= 4 * 50 + 2
    assert y.max() == queue.max()
    cwnd = results.trace("b", point=0).cwnd["cwnd_bytes"]
    number = next(flow["number"] for flow in head["flows"] if flow["name"] == "b")
    _, y = curve(head, arrays, "cwnd", "cwnd", number)
    assert (y.max(), y.min()) == (cwnd.max(), cwnd.min())
    assert any("RTT" in note for note in head["notes"])
    goodput = next(each for each in head["metrics"] if each["name"] == "goodput_bit_s")
    assert goodput["value"] == results.campaign.runs[0].row["goodput_bit_s"]
    assert goodput["shown"]


def test_a_window_of_a_trace_is_drawn_finely(settings, name, results):
    head, arrays = traced(settings, name, query="?width=4000&from=1&to=1.5&flows=b")
    assert head["window"] == [1.0, 1.5]
    cwnd = results.trace("b", point=0).cwnd
    inside = cwnd[(cwnd["time_s"] > 1.0) & (cwnd["time_s"] < 1.5)]
    (flow,) = head["flows"]
    x, _ = curve(head, arrays, "cwnd", "cwnd", flow["number"])
    assert set(np.round(inside["time_s"], 9)) <= set(np.round(x, 9))


def test_a_trace_shows_what_the_same_live_run_shows(settings, name):
    """The curves of a run in the lab and in a campaign, where both have bins of one width."""
    head, arrays = traced(settings, name, query="?width=4000&flows=b")
    state = call(settings, "GET", f"/api/campaigns/{name}/runs/0/state").json()
    live = call(settings, "POST", "/api/run", {**state, "flows": ["b"], "width": 4000})
    its, its_arrays = read(live.content)[-1]
    flow = head["flows"][0]["number"]
    for series in ("cwnd", "flight size"):
        ours, theirs = (
            curve(h, a, "cwnd", series, flow) for h, a in ((head, arrays), (its, its_arrays))
        )
        assert np.array_equal(ours[0], theirs[0])
        assert np.array_equal(ours[1], theirs[1])
    assert (
        curve(head, arrays, "queue", "queue")[1].max()
        <= curve(its, its_arrays, "queue", "queue")[1].max()
    )


def test_states_rtts_and_drops_of_a_campaign_are_drawn_as_those_of_a_live_run(other):
    sets = [*(f"probes.{name}=all" for name in ("cwnd", "rtt", "states")), "probes.packets=true"]
    run(TEXT, other.folder / "a", sets=[*sets, "topology.bottleneck.queue.limit=5 packets"])
    name = only(other)["id"]
    head, arrays = traced(other, name, query="?width=4000&show=cwnd,rtt,states,drops")
    state = campaigns.run_state(other, name, "0")
    show = {"show": ["cwnd", "rtt", "states", "drops"], "width": 4000}
    live, live_arrays = read(call(other, "POST", "/api/run", {**state, **show}).content)[-1]
    for panel, series in (("rtt", "RTT"), ("rtt", "smoothed RTT"), ("cwnd", "ssthresh")):
        ours = curve(head, arrays, panel, series, 0)
        theirs = curve(live, live_arrays, panel, series, 0)
        assert all(map(np.array_equal, ours, theirs))
    assert len(head["strips"]) == len(live["strips"]) == 1
    words, others = arrays[head["strips"][0]["state"]], live_arrays[live["strips"][0]["state"]]
    assert [words.words[at] for at in words.numbers] == [others.words[at] for at in others.numbers]
    marks = [
        {mark["kind"]: len(a[mark["x"]]) for mark in h["marks"]}
        for h, a in ((head, arrays), (live, live_arrays))
    ]
    assert marks[0] == marks[1]
    assert marks[0]["drop"] > 1


def test_delays_of_a_campaign_are_drawn_as_distributions(other):
    results = run(TEXT, other.folder / "a", sets=["probes.delays=true"])
    (name,) = found(other).places
    head, arrays = traced(other, name)
    its = {each["id"]: each for each in head["distributions"]}
    assert set(its) == {"queue_delay", "rtt"}
    frame = results.delays
    rtts = frame[frame["what"] == "rtt"]
    x, y = (arrays[its["rtt"]["series"][0][axis]] for axis in ("x", "y"))
    assert x.max() == pytest.approx(rtts["until_s"].max())
    assert y[-1] == pytest.approx(1.0)


def test_what_was_not_recorded_is_told(settings, name):
    answer = call(settings, "GET", f"/api/campaigns/{name}/runs/1/trace")
    assert answer.status_code == 422
    assert "nothing was recorded" in problem(answer)
    answer = call(settings, "GET", f"/api/campaigns/{name}/runs/0/trace?width=99999")
    assert "width" in problem(answer)


@pytest.mark.parametrize("number", [0, 5, 11])
def test_the_state_of_a_run_gives_the_run(number, settings, name, results):
    state = call(settings, "GET", f"/api/campaigns/{name}/runs/{number}/state").json()
    assert state["note"] is None
    assert repr(row_of(state, settings)) == repr(results.campaign.runs[number].row)


def test_a_run_of_a_few_points_of_a_large_sweep_is_opened_alone(other):
    delays = [f"{each} ms" for each in range(1, 151)]
    sets = [f'sweep={{factors={{"topology.bottleneck.delay"={json.dumps(delays)}}}}}']
    its = load(TEXT, sets)
    chosen = [its.points()[140]]
    measured = "ackclock.results.metrics:measure"
    few = other.folder / "few"
    how = Execution(few)
    (campaign,) = make([campaign_of(its, chosen, few, how, measure=measured)], how)
    state = campaigns.run_state(other, only(other)["id"], "0")
    assert state["point"] == 0
    assert len(State.read(state).load(other).points()) == 1
    assert state["note"] is None
    assert repr(row_of(state, other)) == repr(campaign.runs[0].row)


def test_a_run_of_a_search_for_a_buffer_is_opened_with_its_buffer(other):
    path = other.folder / "lab.toml"
    path.write_text(TEXT)
    question = Question("utilisation >= 90 %", start="0.5 rtt", end="4 rtt", replications_max=2)
    rendering.write(size_buffer(path, question))
    (one,) = [each for each in campaigns.campaigns(other) if each["folder"] == "lab.sizing"]
    runs = Campaign.open(other.folder / "lab.sizing").runs
    state = campaigns.run_state(other, one["id"], str(len(runs) - 1))
    assert state["note"] is None
    assert repr(row_of(state, other)) == repr(runs[-1].row)


def test_a_comparison_is_that_of_results(settings, name, results):
    asked = {"by": "tcp_flavor", "baseline": "sack", "metric": "timeouts"}
    its = call(settings, "POST", f"/api/campaigns/{name}/compare", asked).json()
    table = results.compare("tcp_flavor", "sack", "timeouts")
    rows = [row for row in its["rows"] if row["difference"]]
    assert [row["level"] for row in rows] == ["reno", "reno"]
    assert [row["levels"] for row in rows] == [["10 ms"], ["20 ms"]]
    for row, (_, expected) in zip(rows, table.iterrows(), strict=True):
        assert row["difference"]["mean"] == pytest.approx(expected["difference"])
        assert row["difference"]["hi"] == pytest.approx(expected["hi"])
        assert row["pairs"] == 3
    assert its["baseline"] == "sack"
    assert its["sentence"].count("against sack") + its["sentence"].count("from sack") == 2
    pooled = {**asked, "pooled": True}
    its = call(settings, "POST", f"/api/campaigns/{name}/compare", pooled).json()
    assert len(its["rows"]) == 2
    answer = call(settings, "POST", f"/api/campaigns/{name}/compare", {"by": 3})
    assert answer.status_code == 422
    assert "tcp_flavor" in problem(answer)


def test_the_report_is_a_page_by_itself(settings, name):
    answer = call(settings, "GET", f"/api/campaigns/{name}/report")
    assert answer.headers["content-type"].startswith("text/html")
    assert "Two &lt;TCPs&gt; &amp; a bottleneck" in answer.text
    assert "<svg" in answer.text


def test_a_report_in_a_frame_needs_no_token_and_may_do_nothing(settings, name):
    path = call(settings, "GET", f"/api/campaigns/{name}/report/frame").json()["path"]
    framed = call(settings, "GET", path, token=None)
    assert framed.text == call(settings, "GET", f"/api/campaigns/{name}/report").text
    policy = framed.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'")
    assert "script" not in policy
    assert framed.headers["x-frame-options"] == "SAMEORIGIN"
    assert framed.headers["cache-control"] == "no-store"


def test_a_seal_opens_one_report_of_one_server(settings, name):
    path = call(settings, "GET", f"/api/campaigns/{name}/report/frame").json()["path"]
    seal = path.rpartition("/")[2]
    restarted = replace(settings, token="another")
    assert call(restarted, "GET", path).status_code == 404
    for wrong in (seal[:-1], "0" * len(seal), "ä"):
        assert call(settings, "GET", f"/reports/{name}/{wrong}").status_code == 404
    other = call(settings, "GET", path.replace(name, "another"))
    assert other.status_code == 404
    assert "campaign" not in problem(other)


@pytest.mark.parametrize(
    "name", ["..", "%2e%2e", "..%2flab.results", "out%2flab.results", "a%00b", "out", "x" * 300]
)
def test_an_id_is_no_path(name, settings):
    for path in ("summary", "runs", "runs/0/trace", "runs/0/state", "report"):
        answer = call(settings, "GET", f"/api/campaigns/{name}/{path}")
        assert answer.status_code == 404
    with pytest.raises(NotThereError, match="there is no campaign"):
        campaigns.open_campaign(settings, "../lab.results")


@pytest.mark.parametrize("number", ["-1", "12", "1e1", "x", "..%2f0"])
def test_a_run_that_is_not_there_is_told(number, settings, name):
    answer = call(settings, "GET", f"/api/campaigns/{name}/runs/{number}/trace")
    assert answer.status_code == 404


def test_nothing_outside_of_the_folder_is_read(settings, other, made_lab):
    outside = made_lab / "lab.results"
    (other.folder / "link").symlink_to(outside)
    inside = other.folder / "linked"
    shutil.copytree(outside, inside)
    (inside / "scenario.toml").unlink()
    (inside / "scenario.toml").symlink_to(outside / "scenario.toml")
    assert campaigns.campaigns(other) == []
    with pytest.raises(NotThereError):
        campaigns.open_campaign(other, campaign_id(other.folder, inside))


def test_a_trace_that_leads_out_of_the_folder_is_not_read(other, made_lab):
    inside = other.folder / "lab.results"
    shutil.copytree(made_lab / "lab.results", inside)
    folder = next(each for each in (inside / "traces").iterdir() if each.is_dir())
    moved = other.folder.parent / "moved"
    folder.rename(moved)
    folder.symlink_to(moved)
    name = only(other)["id"]
    answers = [call(other, "GET", f"/api/campaigns/{name}/runs/{k}/trace") for k in (0, 3, 6, 9)]
    refused = [each for each in answers if each.status_code == 422]
    assert len(refused) == 1
    assert "outside" in problem(refused[0])


def test_a_large_folder_is_searched_in_part_and_says_so(other, made_lab, monkeypatch):
    for each in ("a", "b", "c"):
        shutil.copytree(made_lab / "lab.results", other.folder / each)
    monkeypatch.setattr(folders, "MOST_CAMPAIGNS", 2)
    answer = call(other, "GET", "/api/campaigns")
    assert len(answer.json()) == 2
    assert "left out" in answer.headers[NOTE]
    monkeypatch.undo()
    monkeypatch.setattr(campaigns, "MOST_LISTED_BYTES", 0)
    its = call(other, "GET", "/api/campaigns").json()
    assert [each["runs"] for each in its] == [None] * 3
    assert "open it" in its[0]["problem"]


def test_traces_and_hidden_folders_hold_no_campaign(other, made_lab):
    for each in ("x/traces/y", ".hidden", "node_modules/z", ".ackclock-lab/job"):
        shutil.copytree(made_lab / "lab.results", other.folder / each)
    assert [each["folder"] for each in campaigns.campaigns(other)] == [".ackclock-lab/job"]


def test_a_campaign_with_failures_shows_which_and_why(other):
    levels = ({"x": 1}, {"x": 2})
    values = [{"goodput_bit_s": [1e6, None, 3e6]}, {"goodput_bit_s": [None, 5e6, 6e6]}]
    with pytest.warns(match="have failed"):
        by_hand(other.folder / "some", list(zip(levels, values, strict=True)))
    its = only(other)
    assert (its["runs"], its["failed"], its["missing"]) == (4, 2, 0)
    found_runs = campaigns.runs(other, its["id"], {})["runs"]
    failed = [
        (each["number"], each["point"], each["replication"])
        for each in found_runs
        if each["failed"]
    ]
    assert failed == [(1, 0, 1), (3, 1, 0)]
    assert "told to fail" in found_runs[1]["failed"]
    means = campaigns.means(other, its["id"], {})
    assert any("2 runs have failed" in note for note in means["notes"])
    with pytest.raises(InputError, match=r"has failed: .*told to fail"):
        campaigns.run_trace(other, its["id"], "1", {})
    # No scenario was kept, so that nothing can be opened.
    with pytest.raises(InputError, match="was not kept"):
        campaigns.run_state(other, its["id"], "0")


def test_a_campaign_without_a_run_is_listed_and_cannot_be_opened(other):
    with pytest.raises(InputError, match="no run has given results"):
        by_hand(other.folder / "none", [({"x": 1}, {"goodput_bit_s": [None]})])
    its = only(other)
    assert (its["runs"], its["failed"]) == (0, 1)
    answer = call(other, "GET", f"/api/campaigns/{its['id']}/summary")
    assert answer.status_code == 422
    assert "no run has given results yet" in problem(answer)


def test_an_emulated_campaign_shows_its_verdicts(other):
    emulated(other.folder / "lab.emulated", ("valid", "degraded", "invalid"))
    its = only(other)
    assert its["emulated"]
    means = campaigns.means(other, its["id"], {})
    assert means["rows"][0]["verdict"] == "invalid 1 of 3, degraded 1 of 3"
    assert means["rows"][1]["verdict"] == "valid"
    assert any(note.startswith("Check this before you trust") for note in means["notes"])
    runs = campaigns.runs(other, its["id"], {})["runs"]
    assert [each["verdict"] for each in runs[:3]] == ["valid", "degraded", "invalid"]
    assert runs[0]["levels"][0] == LEVELS[0]["tcp_flavor"]


def test_a_campaign_of_another_version_is_read_and_a_later_format_is_told(other, made_lab):
    place = other.folder / "old"
    shutil.copytree(made_lab / "lab.results", place)
    design = json.loads((place / "design.json").read_text())
    earlier = {**design, "version": "0.0.1"}
    for point in earlier["points"]:
        point["plan"] = "0" * 64
    (place / "design.json").write_text(json.dumps(earlier))
    its = only(other)
    assert its["version"] == "0.0.1"
    # Its runs are those of another plan, so that none of the journal's is one of them.
    assert its["runs"] == 0
    (place / "design.json").write_text(json.dumps({**design, "design": 99}))
    its = only(other)
    assert its["runs"] is None
    assert "use the version that wrote it" in its["problem"]
    answer = call(other, "GET", f"/api/campaigns/{its['id']}/summary")
    assert answer.status_code == 422
    assert str(other.folder) not in problem(answer)


def test_a_run_of_another_plan_is_opened_with_a_note(other):
    run(TEXT, other.folder / "a", sets=["tcp.flavor=reno"])
    place = other.folder / "a"
    name = only(other)["id"]
    text = (place / "scenario.toml").read_text()
    (place / "scenario.toml").write_text(text.replace("20 packets", "30 packets"))
    state = campaigns.run_state(other, name, "0")
    assert "another plan" in state["note"]
    (place / "scenario.toml").write_text("nothing")
    with pytest.raises(InputError):
        campaigns.run_state(other, name, "0")


def test_what_is_added_to_a_campaign_is_seen(other):
    run(TEXT, other.folder / "a", replications=1)
    name = only(other)["id"]
    assert campaigns.means(other, name, {})["rows"][0]["values"]["goodput_bit_s"]["n"] == 1
    run(TEXT, other.folder / "a", replications=2)
    os.utime(other.folder / "a" / "journal.jsonl")
    assert campaigns.means(other, name, {})["rows"][0]["values"]["goodput_bit_s"]["n"] == 2
    assert only(other)["runs"] == 2


def test_a_trace_file_that_was_changed_is_refused(other):
    run(TEXT, other.folder / "a", sets=["probes.cwnd=all"])
    name = only(other)["id"]
    (path,) = other.folder.rglob("cwnd.parquet")
    path.write_bytes(b"x" * path.stat().st_size)
    answer = call(other, "GET", f"/api/campaigns/{name}/runs/0/trace")
    assert answer.status_code == 422
    assert "differs from what was recorded" in problem(answer)
