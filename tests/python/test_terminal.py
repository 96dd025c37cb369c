"""Tables on terminals of any width: no number is broken, nothing is left out."""

import importlib
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ackclock.cli import main, reading
from ackclock.cli.screen import Screen
from ackclock.results.grids import Column, grid, rich_table
from ackclock.results.metrics import METRICS
from ackclock.results.side_by_side import SideBySide
from ackclock.stats.anova_csv import render
from ackclock.terminal import BARE, DENSE, FRAMED, SIMPLE, TerminalTable
from results_campaigns import by_hand

WIDTHS = (40, 60, 80, 100, 200)
WORDS = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=12)
NAMES = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
NUMBERS = st.floats(-1e6, 1e6).flatmap(
    lambda value: st.sampled_from(
        [
            f"{value:.4g}",
            f"{value:.3f} ± {abs(value) / 7:.3f}",
            f"{value:+.1f} ({value - 1:+.1f} to {value + 1:+.1f})",
        ]
    )
)
LEVELS = st.one_of(NAMES, st.integers(0, 10**6).map("{} ms".format))


def printed(shown, width):
    buffer = io.StringIO()
    Console(file=buffer, width=width, highlight=False).print(shown)
    return buffer.getvalue()


@st.composite
def grids(draw):
    rows = draw(st.integers(1, 5))
    keys, numbers = draw(st.integers(0, 3)), draw(st.integers(1, 12))
    columns = [
        Column(draw(NAMES), [draw(LEVELS) for _ in range(rows)], False, key=True)
        for _ in range(keys)
    ]
    columns += [Column(draw(NAMES), [draw(NUMBERS) for _ in range(rows)]) for _ in range(numbers)]
    return grid("A table", columns, "its foot")


@given(grids(), st.sampled_from(WIDTHS))
def test_no_number_and_no_level_is_broken(shown, width):
    lines = printed(rich_table(shown), width).splitlines()
    for row in shown.rows:
        for cell, numeric in zip(row, shown.numeric, strict=True):
            if numeric or cell_len(cell) <= width - 3:
                assert any(cell in line for line in lines), cell
    assert max(map(cell_len, lines)) <= width


@given(grids(), st.sampled_from(WIDTHS))
def test_nothing_is_left_out(shown, width):
    told = "".join(printed(rich_table(shown), width).split())
    for row in shown.rows:
        for cell in row:
            assert "".join(cell.split()) in told or not cell


@pytest.mark.parametrize("look", [SIMPLE, DENSE, FRAMED, BARE])
@settings(max_examples=25)
@given(grids(), st.integers(20, 200))
def test_a_table_that_says_how_wide_it_is_whole_is_whole_there(look, shown, width):
    table = TerminalTable(keys=shown.keys, look=look)
    for head, numeric in zip(shown.heads, shown.numeric, strict=True):
        table.add_column(head, justify="right" if numeric else "left")
    for row in shown.rows:
        table.add_row(*map(Text, row))
    said = " ".join(printed(table, width).split())
    if "Shown" in said:
        whole = int(said.rpartition("a terminal of ")[2].split()[0])
        assert whole > width
        assert "Shown" not in printed(table, whole)
        assert "Shown" in printed(table, whole - 1)


def prose():
    table = TerminalTable("Key")
    table.add_column("Meaning", prose=True)
    table.add_row(Text("tcp.receive_buffer"), Text("at most 64 kB, or 0.5 rtt of 10 Mbit/s " * 3))
    return table


@pytest.mark.parametrize("width", WIDTHS)
def test_prose_is_wrapped_between_words_and_not_within_a_quantity(width):
    text = printed(prose(), width)
    assert text.count("64 kB") == text.count("0.5 rtt") == text.count("10 Mbit/s") == 3
    assert max(map(len, text.splitlines())) <= width


def test_what_is_equal_stands_behind_its_sign():
    table = TerminalTable("Key")
    table.add_column("Queue", prose=True)
    table.add_row(Text("r1 -> r2"), Text("12 kB = 8 packets = 9.6 ms = 0.5 rtt"))
    lines = [line.rstrip() for line in printed(table, 36).splitlines()]
    assert any(line.endswith("= 8 packets") for line in lines)
    assert any("= 9.6 ms" in line for line in lines)
    assert not any(line.endswith("=") for line in lines)


def on_a_terminal(monkeypatch, width):
    """The commands print as on a terminal of this width."""
    for module in (reading, importlib.import_module("ackclock.cli.metrics")):
        monkeypatch.setattr(module, "console", lambda: Screen(highlight=False, width=width))


@pytest.mark.parametrize("width", [30, 60, 80, 10_000])
def test_the_list_of_metrics_is_whole_on_any_terminal(width, monkeypatch, capsys):
    on_a_terminal(monkeypatch, width)
    assert main(["metrics"]) == 0
    lines = capsys.readouterr().out.splitlines()
    text = " ".join(" ".join(lines).split())
    assert max(map(len, lines)) <= width
    assert lines == [line.rstrip() for line in lines]
    for name, its in METRICS.items():
        assert name in text
        assert all(word in text for word in its.meaning.split())
    if width == 10_000:
        assert len(lines) == 2 + len(METRICS)


def test_a_note_is_as_wide_as_the_terminal(monkeypatch, capsys):
    note = "the flow is limited by the receive window 100 % of the time at receive buffer 14 kB"
    monkeypatch.setattr("ackclock.results.notes.notes", lambda *several: [note] * len(several))
    for width in (30, 60, 200):
        on_a_terminal(monkeypatch, width)
        reading.print_notes(None)
        said = capsys.readouterr().out
        assert max(map(len, said.splitlines())) <= width
        assert " ".join(said.split()) == f"Note: {note}"
        assert "100 %" in said
        assert "14 kB" in said


def test_rows_that_are_read_one_by_one_become_lists():
    for parts, told in ((True, "in 3 parts"), (False, "as lists")):
        table = TerminalTable("Key", parts=parts)
        for head in ("Default", "Meaning", "Values"):
            table.add_column(head, prose=True)
        table.add_row(*map(Text, ("a.long.key.of.a.table", "1 s", "what it means " * 3, "a time")))
        assert f"Shown {told}" in printed(table, 50)
        assert "Shown" not in printed(table, 120)


def test_wide_letters_are_counted_as_wide():
    table = TerminalTable("Name")
    table.add_column("Meaning", prose=True)
    table.add_row(Text("漢字" * 4), Text("漢字かな " * 30))
    for width in WIDTHS:
        assert max(map(cell_len, printed(table, width).splitlines())) <= width


def test_a_long_table_is_the_same_table():
    def of(rows):
        return [
            line.split()
            for line in printed(
                rich_table(
                    grid(
                        "t", [Column("k", [str(k) for k in range(rows)]), Column("v", ["1"] * rows)]
                    )
                ),
                80,
            ).splitlines()
            if line.strip()
        ]

    assert of(300)[:200] == of(200)[:200]
    assert len(of(300)) == len(of(200)) + 100


def test_a_table_in_parts_repeats_its_keys(tmp_path):
    metrics = ("goodput_bit_s", "utilisation", "jain_fairness", "timeouts", "drops", "max_queue")
    points = [
        (
            {"tcp_flavor": name, "k": k},
            {metric: [0.412, 0.451 + k / 20, 0.46, 0.44] for metric in metrics},
        )
        for name in ("a long name of a flavor", "sack")
        for k in (0, 1)
    ]
    its = by_hand(tmp_path / "runs", points)
    text = printed(rich_table(its.grid(metrics)), 80)
    assert text.count("a long name of a flavor") == 4
    assert "Shown in 2 parts; whole in a terminal of" in text
    for row in its.grid(metrics).rows:
        for cell in row:
            assert cell in text


@pytest.mark.parametrize("width", WIDTHS)
def test_comparisons_and_analyses_are_whole_too(tmp_path, width):
    points = [
        ({"tcp_flavor": name, "k": k}, {"goodput_bit_s": [1e6 + k, 2e6, 3.1e6 * (k + 1)]})
        for name in ("reno", "sack")
        for k in (0, 1)
    ]
    one, other = (by_hand(tmp_path / name, points) for name in ("one", "other"))
    shown = SideBySide([one, other]).grid("goodput_bit_s", pooled=False, confidence=0.95)
    text = printed(rich_table(shown), width)
    assert all(cell in text for row in shown.rows for cell in row)
    analysis = one.anova("goodput_bit_s")
    text = printed(render(analysis, "goodput_bit_s", interactions=True), width)
    assert max(map(len, text.splitlines())) <= width
    for effect in printed(render(analysis, "goodput_bit_s"), 200).split():
        if effect.replace(".", "").replace("-", "").isdigit():
            assert effect in text.split()
