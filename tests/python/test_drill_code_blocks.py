"""Code blocks of scripts: a small part of Python, and nothing beyond it."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.drill import run_script, subject
from ackclock.drill.code_blocks import FailedError, evaluate, read
from ackclock.drill.length_limits import check_widths
from ackclock.errors import InputError
from drill_texts import OPEN

VALUES = {"tcpi_snd_cwnd": 10, "tcpi_ca_state": 3, "tcpi_options": 6}
NAMES = list(VALUES)
LENGTHS = "this becomes longer than 10000 characters or bits"


def run(text, variables=None):
    assert read(text, {*NAMES, *(variables or {})}, NAMES) == []
    return evaluate(text, VALUES, {} if variables is None else variables)


@pytest.mark.parametrize(
    "text",
    [
        "assert tcpi_snd_cwnd == 10, tcpi_snd_cwnd",
        "assert tcpi_snd_cwnd == 10, 'cwnd=%d' % tcpi_snd_cwnd;",
        "assert 9 < tcpi_snd_cwnd <= 10 and not tcpi_snd_cwnd == 3",
        "assert tcpi_ca_state == TCP_CA_Recovery, tcpi_ca_state",
        "assert (tcpi_options & TCPI_OPT_SACK) != 0, tcpi_options",
        "assert tcpi_snd_cwnd in (9, 10)",
        "\n  a = max(tcpi_snd_cwnd, 3) * 2 - 1\n  a += 1\n  assert a == 20\n",
        "assert tcpi_snd_cwnd == 10; \\\n         assert tcpi_ca_state == 3",
        "assert tcpi_snd_cwnd == 10;\\\n",
        "assert tcpi_snd_cwnd == 10;\\",
        "\n   assert tcpi_snd_cwnd == 10;\\\n   assert tcpi_ca_state == 3;\\\n   ",
        "assert '%5.2f%%|%-*d|%s' % (1.5, 4, 7, 'x') == ' 1.50%|7   |x'",
        "if tcpi_snd_cwnd > 3:\n    b = 1\nelse:\n    b = 2\nassert b == 1",
        "assert abs(-1.5) == 1.5 and int('3') == 3 and round(2.6) == 3 and min(1, 2) == 1",
        "",
    ],
)
def test_what_a_block_may_say(text):
    assert run(text) == []


def test_blocks_share_their_names():
    variables = {}
    run("old = tcpi_snd_cwnd", variables)
    run("assert old == 10; old -= 1", variables)
    assert variables == {"old": 9}


def test_print_is_kept():
    assert run("print('cwnd', tcpi_snd_cwnd)\nprint(1)") == ["cwnd 10", "1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("assert tcpi_snd_cwnd == 11, tcpi_snd_cwnd", "tcpi_snd_cwnd == 11; tcpi_snd_cwnd is 10"),
        ("assert tcpi_snd_cwnd > 11, 'too %s' % 'small'", "(too small)"),
        ("a = 1 / (tcpi_snd_cwnd - 10)", "cannot be computed"),
        ("a = 'x' * 1000", "only numbers can be multiplied"),
        ("a = 'x' + 1", "cannot be computed"),
        ("a = '%2000000000d' % 1", LENGTHS),
        ("a = '%.2000000000f' % 1.0", LENGTHS),
        ("a = '%*d' % (2000000000, 1)", LENGTHS),
        ("a = '%.*f' % (2000000000, 1)", LENGTHS),
        ("a = '%*d' % (-2000000000, 1)", LENGTHS),
        ("a = '%d%%%*d' % (1, 2000000000, 1)", LENGTHS),
        ("a = '%5%%*d' % (2000000000, 1)", LENGTHS),
        ("a = '%9000d%9000d' % (1, 2)", LENGTHS),
        ("a = (1, 1)\n" + "a = (a, a)\n" * 40, LENGTHS),
        ("a = int('9' + '%4200d' % 9)", "cannot be computed"),
        ("a = round(5, -1000000000)", "rounded to at most 1000 digits"),
    ],
)
def test_what_fails_is_told(text, message):
    with pytest.raises(FailedError) as error:
        run(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("import os", 0, "`import os` is not supported"),
        ("a = ().__class__", 4, "`().__class__` is not supported"),
        ("open('x')", 0, "`open('x')` is not supported in a code block; the functions are abs"),
        ("assert [x for x in (1,)]", 7, "is not supported"),
        ("a = 2 ** 100000000", 4, "`2 ** 100000000` is not supported"),
        ("assert tcpi_reordering == 3", 7, "tcpi_reordering has no meaning here"),
        ("assert nothing == 3", 7, "nothing is not known here"),
        ("while 1: pass", 0, "is not supported"),
        ("assert (", 7, "not readable as Python"),
        (f"assert {'1' * 5000} == 1", 0, "a number has more than 1000 digits"),
        ("a[0] = 1", 0, "only a name can be assigned to"),
        ("x = lambda: 1", 4, "is not supported"),
        ("print(1, file=2)", 0, "is not supported"),
    ],
)
def test_what_a_block_may_not_say(text, column, message):
    problems = read(text, set(NAMES), NAMES)
    assert any(message in problem.message for problem in problems), problems
    assert problems[0].column == column


@pytest.mark.parametrize(
    "text",
    [
        f"a = {'not ' * 2000}1",
        f"assert {' + '.join(['1'] * 900)} == 3",
        f"a = {'(' * 150}1{',)' * 150}",
        f"a = {' + '.join(['1'] * 5000)}",
    ],
)
def test_what_is_nested_too_deeply_is_not_read(text):
    (problem,) = read(text, set(NAMES), NAMES)
    assert "is nested more than 64 deep" in problem.message or "not readable" in problem.message


PIECES = st.sampled_from(
    ["%", "%%", "%5%", "d", "s", "*", ".", "-", "0", " ", "9", "l", "%*d", "%.*f", "%s"]
)
ARGUMENTS = st.lists(st.sampled_from([1, 1.5, 200_000, -200_000, "x"]), max_size=5)


@given(st.lists(PIECES, max_size=8), ARGUMENTS)
def test_no_format_makes_a_longer_text(pieces, arguments):
    shown = ", ".join(map(repr, arguments))
    with suppress(FailedError):
        assert (
            len(run(f"print({''.join(pieces)!r} % ({shown}{',' if arguments else ''}))")[0])
            < 10_100
        )


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("%2000000000d", 1),
        ("%.2000000000f", 1.0),
        ("%*d", (2_000_000_000, 1)),
        ("%.*f", (2_000_000_000, 1.0)),
        ("%d%%%*d", (1, -2_000_000_000, 1)),
        ("%5%%*d", (2_000_000_000, 1)),
        ("%9000d%9000d", (1, 2)),
    ],
)
def test_a_format_is_refused_before_it_is_filled_in(text, values):
    with pytest.raises(ValueError, match=LENGTHS):
        check_widths(text, values)


@given(st.text(max_size=60))
def test_no_text_is_too_much(text):
    if not read(text, set(NAMES), NAMES):
        with suppress(FailedError):
            evaluate(text, VALUES, {})


def test_a_wrong_block_is_told_with_its_place_in_the_script(tmp_path):
    file = tmp_path / "x.pkt"
    blocks = "+0 %{\n  assert tcpi_snd_cwnd == 10\n  assert wrong\n}%\n+0 %{ import os }%\n"
    file.write_text(OPEN + blocks)
    with pytest.raises(InputError) as error:
        run_script(file, subject())
    first, second = error.value.messages
    assert first.startswith(f"{file}:10:10: wrong is not known here")
    assert second.startswith(f"{file}:12:7: `import os` is not supported")


def test_the_first_thing_that_fails_is_told(tmp_path):
    file = tmp_path / "x.pkt"
    file.write_text(f"{OPEN}+0 %{{ assert tcpi_snd_cwnd == 3 }}%\n+0 > . 1:1(0) ack 7\n")
    failure = run_script(file, subject()).failure
    assert (failure.line, failure.column, failure.event) == (8, 7, 7)
    assert failure.message == "does not hold: tcpi_snd_cwnd == 3; tcpi_snd_cwnd is 10"


def test_a_message_quotes_the_ends_of_what_is_long(tmp_path):
    file = tmp_path / "x.pkt"
    file.write_text(f"{OPEN}+0 %{{ assert {'tcpi_snd_cwnd == 10 and ' * 50}1 == 2 }}%\n")
    assert len(run_script(file, subject()).failure.message) < 600


def test_a_script_of_two_megabytes_is_not_read(tmp_path):
    file = tmp_path / "x.pkt"
    file.write_text(OPEN + "#\n" * 10**6)
    with pytest.raises(InputError, match="is longer than 1000000 characters, the maximum for a"):
        run_script(file, subject())
