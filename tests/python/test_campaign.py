"""The journal, threads and whole files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.campaign.files import writable_folder, write_whole
from ackclock.campaign.journal import Journal, run_identity
from ackclock.campaign.threads import run_on_threads
from ackclock.errors import InputError

ROW = {"efficiency": 0.1 + 0.2, "timeouts": 3}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.jsonl"


def write(path, **rows):
    with Journal(path) as journal:
        for identity, row in rows.items():
            journal.append(identity, row)


def read(path):
    with Journal(path) as journal:
        return journal.rows


def test_a_row_comes_back_exactly(path):
    write(path, a=ROW)
    assert read(path) == {"a": ROW}


def test_rows_are_added_to_earlier_ones(path):
    write(path, a=ROW)
    write(path, b={"n": 1})
    assert read(path) == {"a": ROW, "b": {"n": 1}}


@given(cut=st.integers(0, 200))
def test_a_journal_torn_anywhere_keeps_its_whole_lines_and_goes_on(tmp_path_factory, cut):
    path = tmp_path_factory.mktemp("torn") / "journal.jsonl"
    write(path, a=ROW, b=ROW, c=ROW)
    whole = path.read_bytes()
    path.write_bytes(whole[:cut])
    kept = whole[:cut].count(b"\n")
    assert list(read(path)) == ["a", "b", "c"][:kept]
    write(path, d=ROW)
    assert list(read(path)) == [*["a", "b", "c"][:kept], "d"]


def test_a_line_that_is_no_row_is_passed_over(path):
    path.write_bytes(b'garbage\n[]\n{"run":1}\n{"run":"a","row":{"n":1}}\n\xff\xfe\n')
    assert read(path) == {"a": {"n": 1}}


def test_plan_seed_and_code_make_the_identity():
    identities = {
        run_identity("p", 1, "c"),
        run_identity("q", 1, "c"),
        run_identity("p", 2, "c"),
        run_identity("p", 1, "d"),
    }
    assert len(identities) == 4


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_task_is_executed_once(jobs):
    results = {}
    run_on_threads(range(20), lambda task: task**2, jobs, results.__setitem__)
    assert results == {task: task**2 for task in range(20)}


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt()])
def test_what_had_finished_is_handed_over_before_an_error(error):
    def execute(task):
        if task == 3:
            raise error
        return task

    results = {}
    with pytest.raises(type(error)):
        run_on_threads(range(100), execute, 1, results.__setitem__)
    assert {0, 1, 2} <= set(results)
    assert len(results) < 100


def test_a_file_is_whole_or_not_there(tmp_path):
    path = tmp_path / "table.csv"
    write_whole(path, lambda target: target.write_text("first"))

    def fail(target):
        target.write_text("hal")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_whole(path, fail)
    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"--out .*file.*: cannot write there"):
        writable_folder(tmp_path / "file" / "out", "--out")
    with pytest.raises(InputError, match="cannot write there"):
        writable_folder(tmp_path / "nul\0", "--out")
    assert writable_folder(tmp_path / "a" / "b", "--out").is_dir()
