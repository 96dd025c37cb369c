"""Code blocks of scripts: a small part of Python, and nothing beyond it."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.drill import run_script, subject
from ackclock.drill.code import FailedError, evaluate, read
from ackclock.errors import InputError
from drill_texts import OPEN

VALUES = {"tcpi_snd_cwnd": 10, "tcpi_ca_state": 3, "tcpi_options": 6}
NAMES = list(VALUES)


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
        ("a[0] = 1", 0, "only a name can be assigned to"),
        ("x = lambda: 1", 4, "is not supported"),
        ("print(1, file=2)", 0, "is not supported"),
    ],
)
def test_what_a_block_may_not_say(text, column, message):
    problems = read(text, set(NAMES), NAMES)
    assert any(message in problem.message for problem in problems), problems
    assert problems[0].column == column


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
