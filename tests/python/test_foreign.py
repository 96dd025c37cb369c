"""Text from elsewhere: nothing in it reaches a terminal or a spreadsheet as a command."""

import re
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.cli import main
from ackclock.untrusted_text import CONTROLS, escaped, one_line, shortened, without_formulas
from drill_texts import OPEN
from scenario_texts import DUMBBELL

CLI = Path(__file__).parents[2] / "python" / "ackclock" / "cli"
CLEAR = "\x1b[2J"
FORMULA = re.compile(r"[=+@-]")
# Where other things than messages are printed: JSON in ASCII, and texts that the package ships.
MAY_PRINT = {"output.py", "progress.py", "schema.py", "new.py"}


def silent(text):
    """Whether a terminal would only show it."""
    return not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


@given(st.text())
def test_what_is_escaped_commands_nothing_and_is_not_escaped_again(text):
    once = escaped(text)
    assert silent(once)
    assert escaped(once) == once
    assert one_line(text) == one_line(once)
    assert not CONTROLS.search(one_line(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2Jb", "a\\u001b[2Jb"),
        ("\x9b2J", "\\u009b2J"),
        ("a\u202eb", "a\\u202eb"),
        ("\udc80", "\\udc80"),
        ("a\tb\nc", "a\tb\nc"),
        ("é €", "é €"),
        ("10\u200bMbit/s", "10\\u200bMbit/s"),
        ("soft\u00adware", "soft\\u00adware"),
        ("a\U000e0001b", "a\\U000e0001b"),
        ("tcp\u200d.smss", "tcp\\u200d.smss"),
        ("می\u200cخواهم 👩\u200d💻", "می\u200cخواهم 👩\u200d💻"),
    ],
)
def test_how_it_is_escaped(text, shown):
    assert escaped(text) == shown


def test_in_one_line():
    assert one_line("a\tb\r\nc") == "a\\tb\\r\\nc"


@given(st.text(max_size=300), st.integers(8, 100))
def test_what_is_shortened_keeps_its_ends_and_says_its_length(text, most):
    short = shortened(text, most)
    if len(text) <= most:
        assert short == text
        return
    begin, end = short.removesuffix(f" ({len(text)} characters)").split("...", 1)[0], most // 4
    assert text.startswith(begin[: most - end])
    assert f"{text[-end:]} ({len(text)} characters)" in short
    assert len(short) <= most + len("... ( characters)") + len(str(len(text)))


TEXTS = st.one_of(st.text(max_size=5), st.text("=+-@1", max_size=4))


@given(st.lists(st.tuples(TEXTS, st.floats(allow_nan=False)), max_size=5))
def test_a_text_is_no_formula_and_a_number_stays_one(rows):
    table = pd.DataFrame(rows, columns=["=text", "-number"]).astype({"-number": float})
    shown = without_formulas(table)
    assert list(shown.columns) == ["'=text", "'-number"]
    assert list(shown["'-number"]) == list(table["-number"])
    for before, after in zip(table["=text"], shown["'=text"], strict=True):
        assert after in (before, f"'{before}")
        try:
            float(after)
        except ValueError:
            assert not FORMULA.match(after)


def test_the_commands_print_through_what_escapes():
    for path in CLI.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.name not in MAY_PRINT:
            assert not re.search(r"(?<![\w.])print\(", text), path.name
        if path.name != "screen.py":
            assert not re.search(r"\bConsole\(", text), path.name


@pytest.fixture
def hostile(tmp_path):
    """Files, by command, that would clear the screen."""
    script = tmp_path / f"{CLEAR}.pkt"
    script.write_text(f'{OPEN}+0 %{{ print("{CLEAR}") }}%\n+0 > . 1:1(0) ack 7 // {CLEAR}\n')
    scenario = tmp_path / f"{CLEAR}.toml"
    scenario.write_text(f'{DUMBBELL}"\\u001b[2Jx" = 1\n')
    good = tmp_path / f"good{CLEAR}.toml"
    good.write_text(DUMBBELL)
    table = tmp_path / "x.csv"
    table.write_text("".join(f"{a}{CLEAR},{b},{a + b + a * b}\n" for a in (1, 2) for b in (1, 2)))
    table.write_text(f"a,b,y{CLEAR}\n{table.read_text()}")
    return {
        "drill": [script],
        "drill --verbose": [script],
        "drill --json": [script],
        "check": [scenario],
        "explain": [scenario],
        "explain --plan": [scenario],
        "check good": [good],
        "check nothing": [tmp_path / f"none{CLEAR}.toml"],
        "show": [tmp_path / CLEAR],
        "check --unknown": [f"--{CLEAR}"],
        "anova": [table, "--response", f"y{CLEAR}", "--factors", "a,b"],
        CLEAR: [],
    }


@pytest.mark.parametrize(
    "command",
    [
        "drill",
        "drill --verbose",
        "drill --json",
        "check",
        "explain",
        "explain --plan",
        "check good",
        "check nothing",
        "show",
        "check --unknown",
        "anova",
        CLEAR,
    ],
)
def test_no_file_and_no_option_commands_the_terminal(hostile, command, capsys):
    words = [word for word in command.split(" ") if word not in ("good", "nothing", "--unknown")]
    main([*words, *map(str, hostile[command])])
    said = capsys.readouterr()
    assert said.out + said.err
    assert silent(said.out)
    assert silent(said.err)
    assert "[2J" in said.out + said.err
