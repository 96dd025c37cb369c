"""The journal: what is written comes back, and what is damaged never does."""

import errno
import json
import os
import re
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import campaign_fakes as fakes
from ackclock.campaign import Campaign, CampaignWarning
from ackclock.campaign.journal import JOURNAL, JournalWriter, as_json, entries, sealed
from ackclock.errors import InputError

TEXTS = st.text(max_size=20)
VALUES = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
OBJECTS = st.dictionaries(
    TEXTS, st.recursive(VALUES, lambda each: st.lists(each, max_size=3), max_leaves=5)
)
NAMES = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)
NUMBERS = st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats()
RUNS = st.fixed_dictionaries(
    {
        "run": st.binary(min_size=32, max_size=32).map(bytes.hex),
        "levels": OBJECTS,
        "replication": st.integers(0, 2**64 - 1),
        "seed": st.integers(0, 2**64 - 1),
        "duration_s": st.floats(0, 1e9),
        "traces": st.dictionaries(NAMES, st.integers(0, 2**64 - 1), max_size=2),
        "row": st.dictionaries(NAMES.filter(lambda name: name != "flows"), NUMBERS, min_size=1),
    }
)


def written(folder, *objects):
    taken = []
    with JournalWriter(folder, taken.append) as journal:
        for each in objects:
            journal.append(sealed(as_json(each)))
    return taken


def same(a, b):
    """Equality under which nan is nan."""
    return json.dumps(a) == json.dumps(b)


@given(st.lists(RUNS, max_size=5))
def test_what_is_written_comes_back(tmp_path_factory, objects):
    folder = tmp_path_factory.mktemp("journal")
    written(folder, *objects)
    assert same(list(entries(folder / JOURNAL)), objects)
    assert same(written(folder), objects)


def test_numbers_of_numpy_are_numbers():
    row = {"a": np.uint64(2**63), "b": np.float64(0.1), "c": np.bool_(True), "d": np.arange(2)}
    assert json.loads(as_json(row)) == {"a": 2**63, "b": 0.1, "c": True, "d": [0, 1]}
    with pytest.raises(TypeError, match="is not a number, text, list or dict"):
        as_json({"a": {1, 2}})


def test_a_journal_of_a_later_version_is_refused(tmp_path):
    (tmp_path / JOURNAL).write_bytes(sealed('{"journal":2}'))
    with pytest.raises(InputError, match=r"has format 2, and this version .* reads format 1"):
        written(tmp_path)
    with pytest.raises(InputError, match="has format 2"):
        list(entries(tmp_path / JOURNAL))


@pytest.fixture(scope="module")
def complete(tmp_path_factory):
    """A complete campaign: its folder, and what is exported of it."""
    folder = tmp_path_factory.mktemp("complete")
    fakes.make(folder, fakes.FakeScenario(traced=1))
    return folder, fakes.exported(folder)


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["flip", "cut", "insert", "newline", "repeat"]),
        st.floats(0, 1),
        st.integers(1, 300),
        st.binary(min_size=1, max_size=8),
    ),
    min_size=1,
    max_size=4,
)


def edited(content, edits):
    content = bytearray(content)
    for kind, where, length, data in edits:
        at = int(where * len(content))
        if kind == "flip" and at < len(content):
            content[at] ^= data[0] or 1
        elif kind == "cut":
            del content[at : at + length]
        elif kind == "insert":
            content[at:at] = data
        elif kind == "newline":
            content[at:at] = b"\n"
        elif kind == "repeat":
            content[at:at] = content[at : at + length]
    return bytes(content)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=EDITS)
def test_a_journal_damaged_anywhere_gives_no_wrong_row_and_is_mended(complete, edits, tmp_path):
    folder, expected = complete
    damaged = tmp_path / "damaged"
    if not damaged.exists():
        fakes.make(damaged, fakes.FakeScenario(traced=1))
    whole = (folder / JOURNAL).read_bytes()
    (damaged / JOURNAL).write_bytes(edited(whole, edits))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CampaignWarning)
        read = fakes.exported(damaged).splitlines()
        summary = fakes.make(damaged, fakes.FakeScenario(traced=1))
    assert set(read) <= set(expected.splitlines())
    assert summary.made == 4 - len(read)
    assert fakes.exported(damaged) == expected
    assert len({line["run"] for line in fakes.lines_of(damaged)}) == 4


def test_a_first_line_that_was_cut_out_is_there_again(complete, tmp_path):
    fakes.make(tmp_path, fakes.FakeScenario(traced=1))
    whole = (tmp_path / JOURNAL).read_bytes()
    head, _, rest = whole.partition(b"\n")
    (tmp_path / JOURNAL).write_bytes(rest)
    assert fakes.make(tmp_path, fakes.FakeScenario(traced=1)).made == 0
    assert (tmp_path / JOURNAL).read_bytes() == whole
    assert b'"journal":1' in head
    assert fakes.exported(tmp_path) == complete[1]


def test_damaged_lines_are_set_aside_with_one_warning(complete, tmp_path):
    expected = complete[1]
    fakes.make(tmp_path, fakes.FakeScenario(traced=1))
    lines = (tmp_path / JOURNAL).read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"y":', b'"y":1')
    lines[3] = b"\xff\n"
    (tmp_path / JOURNAL).write_bytes(b"".join(lines))
    with pytest.warns(CampaignWarning, match=r"journal.jsonl: 2 damaged lines are left out: "):
        assert Campaign.open(tmp_path).missing == 2
    with pytest.warns(CampaignWarning) as told:
        summary = fakes.make(tmp_path, fakes.FakeScenario(traced=1))
    assert [str(each.message) for each in told] == list(summary.warnings)
    assert "2 damaged lines are set aside in journal.damaged: " in summary.warnings[0]
    assert summary.made == 2
    assert (tmp_path / "journal.damaged").read_bytes() == lines[1] + lines[3]
    assert fakes.exported(tmp_path) == expected
    assert fakes.make(tmp_path, fakes.FakeScenario(traced=1)).warnings == ()


def test_a_torn_last_line_is_dropped_without_a_word(complete, tmp_path):
    whole = (complete[0] / JOURNAL).read_bytes()
    fakes.make(tmp_path, fakes.FakeScenario(traced=1))
    (tmp_path / JOURNAL).write_bytes(whole[:-10])
    assert len(Campaign.open(tmp_path).runs) == 3
    assert fakes.make(tmp_path, fakes.FakeScenario(traced=1)).made == 1
    assert not (tmp_path / "journal.damaged").exists()
    assert fakes.exported(tmp_path) == complete[1]


class Disk:
    """A disk that is full after a number of bytes, or of calls that need room."""

    def __init__(self, monkeypatch):
        self.bytes = self.calls = 10**9
        self._write = os.write
        monkeypatch.setattr(os, "write", self.write)
        for name in ("open", "replace", "fsync"):
            monkeypatch.setattr(os, name, self._counted(getattr(os, name)))

    def write(self, descriptor, data):
        if not self.bytes and len(data):
            raise OSError(errno.ENOSPC, "No space left on device")
        number = self._write(descriptor, bytes(data)[: self.bytes])
        self.bytes -= number
        return number

    def _counted(self, call):
        def called(*args, **options):
            if not self.calls:
                raise OSError(errno.ENOSPC, "No space left on device")
            self.calls -= 1
            return call(*args, **options)

        return called


@pytest.mark.parametrize(("scarce", "least"), [("bytes", 1000), ("calls", 10)])
def test_a_disk_that_is_full_at_any_moment_loses_nothing(scarce, least, tmp_path, monkeypatch):
    monkeypatch.setattr("ackclock.campaign.provenance.libraries", dict)
    monkeypatch.setattr("ackclock.campaign.provenance.machine", dict)
    monkeypatch.setattr("ackclock.campaign.worker._files", lambda tables: {"queue": b"parquet"})
    still = SimpleNamespace(perf_counter=lambda: 0.0, monotonic=lambda: 0.0)
    monkeypatch.setattr("ackclock.campaign.worker.time", still)
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    disk = Disk(monkeypatch)
    scenario = fakes.FakeScenario((1,), traced=1)
    fakes.make(tmp_path / "whole", scenario)
    whole = fakes.exported(tmp_path / "whole")
    seen = set()
    for room in range(10_000):
        folder = tmp_path / str(room)
        setattr(disk, scarce, room)
        try:
            fakes.make(folder, scenario, executor=fakes.Serial())
            break
        except InputError as error:
            said = str(error)
        finally:
            setattr(disk, scarce, 10**9)
        assert re.search("the disk is full.*repeat the command", said)
        # From the same files the same comes: one continuation shows it for all.
        left = frozenset((path.name, path.read_bytes()) for path in files(folder))
        if left not in seen:
            seen.add(left)
            check_continuation(folder, scenario, whole)
    assert room > least


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file() and path.name != ".lock"]


def check_continuation(folder, scenario, whole):
    kept = len(Campaign.open(folder).runs) if (folder / "design.json").exists() else 0
    summary = fakes.make(folder, scenario, executor=fakes.Serial())
    assert (summary.made, summary.done) == (2 - kept, 2)
    assert fakes.exported(folder) == whole
    assert len(fakes.lines_of(folder)) == 2


def test_finished_runs_survive_a_full_disk(tmp_path, monkeypatch):
    disk = Disk(monkeypatch)

    def fill(event):
        if event.made == 3:
            disk.bytes = 100

    with pytest.raises(InputError, match="the disk is full"):
        fakes.make(tmp_path, on_progress=fill)
    disk.bytes = 10**9
    assert (tmp_path / JOURNAL).read_bytes().endswith(b"\n")
    assert len(Campaign.open(tmp_path).runs) == 3
    assert fakes.make(tmp_path).made == 1
