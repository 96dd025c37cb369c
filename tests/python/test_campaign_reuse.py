"""A run that several campaigns need is made once, and kept by each."""

import json
import shutil
import signal
from types import SimpleNamespace

import pytest

import campaign_fakes as fakes
from ackclock.campaign import Campaign, Finished, Progressed, Started
from campaign_fakes import FakeScenario, make, precision


def made_by(folder, scenario, **options):
    make(folder, scenario, **options)
    return Campaign.open(folder)


def test_what_another_campaign_has_made_is_not_made_again(tmp_path):
    scenario = FakeScenario((2, 3))
    make(tmp_path / "alone", scenario)
    other = made_by(tmp_path / "other", FakeScenario((1, 2)))
    folder = tmp_path / "here"
    summary = make(folder, scenario, others=[other])
    assert (summary.made, summary.done, summary.total) == (2, 4, 4)
    assert fakes.exported(folder) == fakes.exported(tmp_path / "alone")
    for name in ("design.json", "scenario.toml"):
        assert (folder / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()
    (session,) = json.loads((folder / "provenance.json").read_text())["sessions"]
    assert (session["made"], session["taken_over"]) == (2, 2)


def test_what_was_taken_over_stands_at_the_point_of_this_campaign(tmp_path):
    class Renamed(FakeScenario):
        def points(self):
            return [fakes.FakePoint({"z": p.levels["x"]}, p.plan) for p in super().points()]

    other = made_by(tmp_path / "other", FakeScenario((1,)))
    make(tmp_path / "here", Renamed((1,)), others=[other])
    theirs, ours = (fakes.lines_of(tmp_path / name) for name in ("other", "here"))
    assert [line["levels"] for line in ours] == [{"z": 1}] * 2
    same = ("run", "replication", "seed", "duration_s", "traces")
    for key in same:
        assert [line[key] for line in ours] == [line[key] for line in theirs]
    assert [json.dumps(line["row"]) for line in ours] == [
        json.dumps(line["row"]) for line in theirs
    ]


def test_a_campaign_of_which_all_was_made_stands_alone(tmp_path):
    scenario = FakeScenario((2,))
    other = made_by(tmp_path / "other", FakeScenario((1, 2)))
    folder = tmp_path / "here"
    assert make(folder, scenario, others=[other]).made == 0
    (session,) = json.loads((folder / "provenance.json").read_text())["sessions"]
    assert (session["outcome"], session["made"], session["taken_over"]) == ("complete", 0, 2)
    shutil.rmtree(tmp_path / "other")
    journal = (folder / "journal.jsonl").read_bytes()
    assert Campaign.open(folder).missing == 0
    assert make(folder, scenario).made == 0
    assert make(folder, scenario, others=[other]).done == 2
    assert (folder / "journal.jsonl").read_bytes() == journal


def test_events_count_what_was_taken_over_as_done(tmp_path):
    other = made_by(tmp_path / "other", FakeScenario((1,)))
    events = []
    make(tmp_path / "here", FakeScenario((1, 2)), others=[other], on_progress=events.append)
    assert [(type(each), each.done, each.made, each.total) for each in events] == [
        (Started, 2, 0, 4),
        (Progressed, 3, 1, 4),
        (Progressed, 4, 2, 4),
        (Finished, 4, 2, 4),
    ]


@pytest.mark.parametrize(
    "changed", [{"measure": "campaign_fakes:measure_noise"}, {"traces": None}, {"seed": 2}]
)
def test_rows_of_other_code_or_another_seed_are_left(tmp_path, changed):
    other = made_by(tmp_path / "other", FakeScenario((1,), seed=changed.pop("seed", 1)), **changed)
    assert make(tmp_path / "here", FakeScenario((1,)), others=[other]).made == 2


def test_rows_of_another_version_are_left(tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr("ackclock.campaign.design.__version__", "0.0.1")
        other = made_by(tmp_path / "other", FakeScenario((1,)))
    assert make(tmp_path / "here", FakeScenario((1,)), others=[other]).made == 2


def test_rows_that_were_measured_by_other_facts_are_left(tmp_path):
    class Told(FakeScenario):
        def points(self):
            for point in super().points():
                made, facts = point.compile(), fakes.Facts(("a",))
                made = SimpleNamespace(**{**vars(made), "facts": facts})
                yield SimpleNamespace(levels=point.levels, compile=lambda made=made: made)

    other = made_by(tmp_path / "other", Told((1,)))
    assert make(tmp_path / "here", FakeScenario((1,)), others=[other]).made == 2
    assert {run.row["names"] for run in Campaign.open(tmp_path / "here").runs} == {2}


def test_runs_with_probes_are_made_where_they_are_recorded(tmp_path):
    scenario = FakeScenario((1,), traced=1)
    other = made_by(tmp_path / "other", scenario)
    assert make(tmp_path / "here", scenario, others=[other]).made == 1
    assert fakes.exported(tmp_path / "here") == fakes.exported(tmp_path / "other")


def test_failures_are_not_taken_over(tmp_path):
    failing = FakeScenario((1, 2), plan={"fail": 1})
    other = made_by(tmp_path / "other", failing)
    summary = make(tmp_path / "here", failing, others=[other])
    assert (summary.made, summary.failed, summary.done) == (2, 2, 2)


def test_precision_counts_what_was_taken_over(tmp_path):
    alone = FakeScenario((1, 2), None, precision(), plan={"spread": 10})
    whole = made_by(tmp_path / "alone", alone)
    other = made_by(tmp_path / "other", FakeScenario((1,), 5, plan={"spread": 10}))
    summary = make(tmp_path / "here", alone, others=[other])
    needed = sum(run.levels["x"] == 1 for run in whole.runs)
    assert needed > 1
    assert summary.made == len(whole.runs) - min(needed, 5)
    assert fakes.exported(tmp_path / "here") == fakes.exported(tmp_path / "alone")


def test_an_interrupted_campaign_keeps_what_it_took_over(tmp_path):
    scenario = FakeScenario((1, 2, 3), plan={"sleep_us": 1000})
    other = made_by(tmp_path / "other", FakeScenario((1,), plan={"sleep_us": 1000}))

    def interrupt(event):
        if event.made == 1:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "here", scenario, others=[other], on_progress=interrupt)
    kept = len(fakes.lines_of(tmp_path / "here"))
    assert kept >= 3
    assert make(tmp_path / "here", scenario).made == 6 - kept
