"""Identities, whole files and folders."""

import pytest

from ackclock.campaign import worker
from ackclock.campaign.files import writable_folder, write_bytes_whole, write_whole
from ackclock.campaign.identity import run_identity
from ackclock.campaign.processors import processors
from ackclock.errors import InputError


def test_plan_seed_and_code_make_the_identity():
    identities = {
        run_identity("p", 1, "c"),
        run_identity("q", 1, "c"),
        run_identity("p", 2, "c"),
        run_identity("p", 1, "d"),
        run_identity("p", 1, "c", "0.0.0"),
    }
    assert len(identities) == 5


def test_a_file_is_whole_or_not_there(tmp_path):
    path = tmp_path / "table.csv"
    write_whole(path, lambda target: target.write_text("first"))

    def fail(target):
        target.write_text("hal")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_whole(path, fail)
    assert path.read_text() == "first"
    write_bytes_whole(path, b"second")
    assert path.read_text() == "second"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"--out .*file.*: cannot write there"):
        writable_folder(tmp_path / "file" / "out", "--out")
    with pytest.raises(InputError, match="cannot write there"):
        writable_folder(tmp_path / "nul\0", "--out")
    assert writable_folder(tmp_path / "a" / "b", "--out").is_dir()


def test_there_is_a_processor():
    assert processors() >= 1


def test_the_code_of_a_row_is_the_core_and_all_that_measures():
    files = {}
    for module in ("ackclock._core", "ackclock.studies.ubr_web.metrics"):
        worker._collect(module, files)
    assert set(files) == {
        "ackclock._core",
        "ackclock.results.cells",
        "ackclock.results.clients",
        "ackclock.results.completions",
        "ackclock.results.contracts",
        "ackclock.results.delays",
        "ackclock.results.flows",
        "ackclock.results.limits",
        "ackclock.results.links",
        "ackclock.results.metric",
        "ackclock.results.metrics",
        "ackclock.results.pages",
        "ackclock.results.power",
        "ackclock.results.rates",
        "ackclock.results.responses",
        "ackclock.results.responsiveness",
        "ackclock.results.senders",
        "ackclock.results.video",
        "ackclock.scenario.compile.facts",
        "ackclock.scenario.compile.members",
        "ackclock.scenario.metric_names",
        "ackclock.stats.fairness",
        "ackclock.stats.intervals",
        "ackclock.stats.quantiles",
        "ackclock.studies.machinery.counting",
        "ackclock.studies.ubr_web.metrics",
    }
