"""Scenario files that are wrong: each is told in the messages that it keeps in its first lines."""

import re
from pathlib import Path

import pytest

from ackclock import _core
from ackclock.cli import main
from ackclock.errors import InputError
from ackclock.scenario import load
from ackclock.scenario.model.queues import DISCIPLINES

FOLDER = Path(__file__).parent / "malformed"
FILES = sorted(FOLDER.glob("*.toml"))
PLACE = re.compile(r"[^:]*\.toml(:(?P<line>[0-9]+))?: (?P<said>.*)")
EXPECTED = re.compile(r"^# expect: (.*)$", re.MULTILINE)
FLAVORS = ", ".join(f'"{row[0]}"' for row in _core.flavors())
"""What stands for {flavors} in an expected message."""
QUEUES = ", ".join(f'"{name}"' for name in DISCIPLINES)
"""What stands for {queues}."""
GOOD = """
duration = "10 s"
[topology]
kind = "dumbbell"
bottleneck = { rate = "10 Mbit/s", delay = "20 ms" }
"""


def messages(path, sets=()):
    with pytest.raises(InputError) as refused:
        load(path, sets)
    return refused.value.messages


def test_there_are_many():
    assert len(FILES) >= 40


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_malformed_file_is_told_exactly_so(path):
    text = path.read_text(encoding="utf-8")
    expected = EXPECTED.findall(text.replace("{flavors}", FLAVORS).replace("{queues}", QUEUES))
    assert expected
    told = [PLACE.fullmatch(each) for each in messages(path)]
    assert all(told)
    assert [f"{{file}}: {each['said']}" for each in told] == expected
    lines = text.splitlines()
    for each in told:
        if each["line"] and "is missing" not in each["said"]:
            # There the key stands, or a table around it, behind the expected messages.
            line = int(each["line"])
            assert line > len(expected)
            names = re.findall(r"[\w-]+", each["said"].split(": ")[0].split(" = ")[0])
            assert names[-1].isdecimal() or any(name in lines[line - 1] for name in names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_check_tells_it_on_lines_that_name_the_file_and_exits_with_2(path, capsys):
    assert main(["check", str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    told = messages(path)
    assert said.err.splitlines() == [f"ackclock: {message}" for message in told]
    assert all(re.match(rf"{re.escape(str(path))}(:\d+)?: ", message) for message in told)
    assert "Traceback" not in said.err


def test_check_tells_of_all_files_and_that_good_ones_are_good(tmp_path, capsys):
    good = tmp_path / "good.toml"
    good.write_text(GOOD)
    assert main(["check", *map(str, FILES), str(good)]) == 2
    said = capsys.readouterr()
    assert len(said.err.splitlines()) >= len(FILES)
    assert said.out == f"{good}: ok: 1 point, 1 replication, 1 run, 10 s of simulated time\n"


def test_a_file_that_is_not_there(tmp_path):
    (message,) = messages(tmp_path / "none.toml")
    assert "none.toml: cannot be read (No such file or directory); name a scenario file" in message


def test_a_folder(tmp_path):
    assert messages(tmp_path) == [f"{tmp_path}: is a folder; name the scenario file in it"]


def test_an_empty_file(tmp_path):
    path = tmp_path / "empty.toml"
    path.write_text(" \n")
    assert messages(path) == [f"{path}: is empty; `ackclock new` shows a scenario to start from"]


def test_a_file_that_is_not_utf_8(tmp_path):
    path = tmp_path / "latin.toml"
    path.write_bytes('title = "Größe"\n'.encode("latin-1"))
    assert messages(path) == [f"{path}: is not UTF-8 text (byte 12); save the file as UTF-8"]


@pytest.mark.parametrize(
    ("sets", "expected"),
    [
        (["tcp.min_rto"], "--set tcp.min_rto: write key=value, for example tcp.min_rto=400 ms"),
        (["=3"], "--set =3: write key=value, for example tcp.min_rto=400 ms"),
        (
            ["tcp min_rto=3 s"],
            "--set tcp min_rto=3 s: is not a dotted key; write it like tcp.min_rto or "
            "flows[0].count",
        ),
        (["tcp.flavr=reno"], "--set tcp.flavr=reno: unknown key; did you mean tcp.flavor?"),
        (
            ["tcp.min_rto=400 mss"],
            '--set tcp.min_rto=400 mss: unknown unit "mss"; units of time are '
            "ps, ns, us, ms, s, min",
        ),
        (["seed=1", "seed=2"], "--set seed=2: the key was already set by --set seed=1"),
        (
            ["duration.x=2"],
            '--set duration.x=2: "10 s" is not a table and has no key x',
        ),
        (
            ["flows[0].count=2"],
            "--set flows[0].count=2: there is no element [0]; the list has 0",
        ),
        (["tcp={ flavr = 3 }"], "--set tcp={ flavr = 3 } (tcp.flavr): unknown key; did you mean "),
        (["title=3"], "--set title=3: expected a text; write it like "),
        (
            ["tcp.nagle=yes"],
            "--set tcp.nagle=yes: must be true or false, without quotes",
        ),
        (
            ["tcp.max_rto=0.1 s"],
            '--set tcp.max_rto=0.1 s: is below tcp.min_rto = "1 s" (preset of cubic); '
            'write "1 s" or more, or lower tcp.min_rto',
        ),
    ],
)
def test_a_wrong_set_is_told_with_the_option(sets, expected):
    told = messages(GOOD, sets)
    assert any(message.startswith(expected) for message in told), told


def test_all_problems_come_at_once():
    told = messages(GOOD.replace("10 Mbit/s", "10 mbit/s"), ["seed=-1", "nonsense", "tcp.smss=1"])
    assert len(told) == 4


def test_a_key_that_the_sweep_sets_cannot_be_set():
    text = GOOD + '[sweep.factors]\n"tcp.flavor" = ["reno", "sack"]\n'
    (told,) = messages(text, ["tcp.flavor=reno"])
    assert told == (
        "--set tcp.flavor=reno: the sweep sets this key; "
        'set sweep.factors."tcp.flavor" in its place'
    )
    scenario = load(text, ['sweep.factors.tcp.flavor=["vanilla"]'])
    assert [point.levels for point in scenario.points()] == [{"tcp_flavor": "vanilla"}]


def test_very_many_problems_are_cut_short():
    levels = ", ".join(f'"{number} mss"' for number in range(200))
    told = messages(GOOD + f'[sweep.factors]\n"tcp.min_rto" = [{levels}]\n')
    assert len(told) == 101
    assert told[-1] == "scenario: and 100 more problems"


def test_a_message_cuts_long_values():
    (message,) = messages(GOOD, ["tcp.flavor=" + "reno" * 1000])
    assert len(message) < 5000
