"""Simulated TCP beside a kernel's: the scenarios, what is concluded, the page, the command."""

import itertools
from types import SimpleNamespace

import pandas as pd
import pytest

from ackclock.campaign import Failure, Run
from ackclock.cli import main
from ackclock.emulation import campaign as emulating
from ackclock.errors import InputError
from ackclock.kernel_validation import (
    Request,
    compare,
    conclusions,
    emulation_page,
    parts,
    runs,
    write,
)
from ackclock.kernel_validation.comparison import points
from ackclock.kernel_validation.runs import Made, MadePart
from ackclock.scenario import load
from emulated import needs_namespaces

LOSSES = ("losses newreno", "losses sack")


def asked(*wanted: str, sets: tuple[str, ...] = ()) -> list[parts.Part]:
    return parts.parts(sets, wanted)


def page_of(made: Made) -> str:
    """The one page of some campaigns."""
    (path,) = write(made, compare(made))
    return path.read_text()


def run_of(place: parts.Place, goodput: float, emulation: dict | None = None, **more) -> Run:
    """A run of a place: 1000 segments of which 10 are sent again."""
    row = {
        "goodput_bit_s": goodput,
        "segments_sent": 1000,
        "timeouts": 0,
        "fast_retransmits": 5,
        "drops": 0,
        "losses": 10,
        **more,
        "flows": {"rtt_s": [0.06], "first_rto_s": [0.3], "segments_retransmitted": [10]},
    }
    return Run(
        place.number,
        dict(place.levels),
        0,
        7,
        row | ({"emulation": emulation} if emulation else {}),
        1.0,
        {},
    )


def told(verdict: str = "valid", *reasons: str) -> dict:
    """What an emulated run tells."""
    return {
        "verdict": verdict,
        "reasons": list(reasons),
        "left_late": {"p50_us": 44.0, "p99_us": 106.0, "max_us": 165.0},
        "left": 1000,
        "misses": 2,
        "stolen_s": 0.0,
        "scheduling": "fifo",
        "duration_s": 100.0,
        "kernel": "6.18",
        "application": "plain",
        "ports": "veth",
        "settings": [
            {"profile": "reno-sack", "congestion": "reno", "differences": ["by time (RACK)"]}
        ],
        "configured": {"sysctls": {"tcp_sack": "1"}, "refused": {}},
    }


def made_of(part: parts.Part, simulated, emulated, failures=(), **request) -> Made:
    """Campaigns with these runs."""
    folder = request.pop("out", None)
    one = SimpleNamespace(runs=simulated, failures=(), folder=folder)
    other = SimpleNamespace(runs=emulated, failures=failures, folder=folder)
    return Made(Request(folder, **{"replications": 1, **request}), (MadePart(part, one, other),))


def of_ratios(*kernel_mbit_s: float, verdicts=(), **more) -> tuple[parts.Part, list[Run], Made]:
    """The part "losses" with so many points, simulated with 1 Mbit/s each."""
    (part,) = asked(*LOSSES)
    places = part.places[: len(kernel_mbit_s)]
    part = parts.Part(part.name, part.scenario, part.sets, places)
    simulated = [run_of(place, 1e6, **more) for place in places]
    verdicts = (*verdicts, *["valid"] * (len(places) - len(verdicts)))
    each = zip(places, kernel_mbit_s, verdicts, strict=True)
    emulated = [run_of(place, rate * 1e6, told(verdict)) for place, rate, verdict in each]
    return part, emulated, made_of(part, simulated, emulated)


def test_both_scenarios_can_be_emulated():
    for part in asked():
        for point in part.scenario.points():
            emulating._Point(point, emulating.Options()).compile()


def test_the_nine_paths_have_every_pair_of_levels_once():
    factors = ("rate", "rtt", "bdp", "loss")
    (grid,) = asked("grid newreno")
    paths = [point.scenario.variables for point in grid.points()]
    for one, other in itertools.combinations(factors, 2):
        pairs = {(str(path[one]), str(path[other])) for path in paths}
        assert len(pairs) == len(paths) == 9, (one, other)


def test_both_kinds_of_runs_have_the_same_plan():
    (part,) = asked("losses newreno 1 %")
    (point,) = part.points()
    emulated = emulating._Point(point, emulating.Options()).compile().plan
    assert {**emulated, "emulation": None} == {**point.compile().plan, "emulation": None}


def test_points_are_chosen_by_words():
    names = [place.name for part in asked("losses sack", "grid 50 ms") for place in part.places]
    assert len(names) == 4 + 9
    assert len(asked("losses 1 %")[0].places) == 2, "1 % is not in 0.1 %, nor in 2 %"
    with pytest.raises(InputError, match="losses reno") as told_of:
        asked("losses reno", "grid vegas")
    assert len(told_of.value.messages) == 2


def test_ratios_decide_what_is_within_the_limit():
    _, _, made = of_ratios(1.0, 1.09, 0.91, 1.2)
    found = points(compare(made))
    assert found["ratio"].round(6).tolist() == [1.0, 1.09, 0.91, 1.2]
    assert found["within"].tolist() == [True, True, True, False]
    first = conclusions.described(compare(made), found)[0]
    assert "0.910 to 1.200" in first
    assert "3 of 4 points" in first
    assert "loss 3 % (1.200)" in first


def test_an_invalid_run_is_shown_and_left_out():
    _, _, made = of_ratios(1.0, 5.0, verdicts=("degraded", "invalid"))
    rows = compare(made)
    found = points(rows)
    assert found["usable"].tolist() == [1, 0]
    assert pd.isna(found["ratio"][1])
    assert not found["within"][1]
    said = conclusions.described(rows, found)
    assert "1 of 1 point (1 more without a usable run)." in said[0]
    assert "degraded 1, invalid 1; 1 not used" in said[1]
    assert made.parts[0].invalid == 1


def test_time_outs_explain_what_they_can():
    # The simulated sender waits 10 times 0.3 s of 100 s: 3 % of the time.
    _, _, made = of_ratios(1.05, timeouts=10)
    found = points(compare(made))
    assert conclusions.adjusted(found)[0] == pytest.approx(1.05 * 0.97)
    (sentence,) = conclusions.timeouts(found)
    assert "10 time-outs simulated, 0 in the kernel" in sentence


def test_the_page_tells_all_of_it(tmp_path):
    part, emulated, made = of_ratios(1.02, 1.3, verdicts=("valid", "invalid"))
    emulated[1].row["emulation"]["reasons"] = ["3 packets that a device did not accept"]
    third = asked(*LOSSES)[0].places[2]
    lost = Failure(dict(third.levels), 0, 7, "RuntimeError: died", "")
    part = parts.Part(part.name, part.scenario, part.sets, (*part.places, third))
    simulated = list(made.parts[0].simulated.runs)
    made = made_of(part, simulated, emulated, (lost,), out=tmp_path, jobs=2)
    text = page_of(made)
    assert "ackclock validate-kernel --replications 1 --jobs 2" in text
    assert (
        "| NewReno | 0.5 % | valid | 1.000 | 1.020 | 1.020 | yes | 10, 10 | 0, 0 | 5, 5 |" in text
    )
    assert "| NewReno | 1 % | invalid | 1.000 | 1.300 | – | – |" in text
    assert "3 packets that a device did not accept" in text
    assert "100 packets, 2 %: failed; RuntimeError: died" in text
    assert "| 44 | 106 | 165 | 0.20 | 0.0 | fifo |" in text
    assert "by time (RACK)" in text
    assert "Linux 6.18" in text
    assert "nan" not in text
    tables = tmp_path / emulation_page.FOLDER
    assert {each.name for each in tables.iterdir()} == {
        "runs.csv", "points.csv", "kernel.json", "ratios.svg",
    }  # fmt: skip
    assert (tables / "ratios.svg").read_text().rstrip().endswith("</svg>")
    assert pd.read_csv(tables / "runs.csv")["verdict"].tolist() == ["valid", "invalid", "failed"]


def test_a_kernel_without_a_congestion_control_has_no_rows(monkeypatch, tmp_path):
    monkeypatch.setattr(parts, "has_congestion_control", lambda name: name != "cubic")
    (part,) = asked("grid cubic")
    assert part.points() == []
    made = Made(Request(tmp_path), (MadePart(part, None, None),))
    rows = compare(made)
    assert set(rows["verdict"]) == {"not available"}
    text = page_of(made)
    assert "no congestion control cubic" in text
    assert "no point has a run that can be used" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--points", "vegas"], '--points "vegas": means none of the'),
        (["--duration", "5"], "duration"),
        (["--quick", "--duration", "5 s"], "give one of the two"),
        (["--page-only"], "holds no runs"),
        (["--parts", "alone"], "--parts alone: choose from losses, grid, single, pairs"),
        (["--jobs", "0"], "--jobs 0: at least 1"),
    ],
)
def test_wrong_options_are_told(words, message, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(runs, "problems", lambda unprivileged: [])
    assert main(["validate-kernel", "--out", str(tmp_path), *words]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_where_nothing_can_be_emulated_it_is_told_first(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(runs, "problems", lambda unprivileged: ["emulation needs Linux"])
    assert main(["validate-kernel", "--out", str(tmp_path)]) == 2
    assert "emulation needs Linux" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_points_are_listed(capsys):
    assert main(["validate-kernel", "--list-points", "--points", "losses SACK"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == 4
    assert listed[0] == "losses: SACK, 10 Mbit/s, 50 ms, buffer of 100 packets, loss 0.5 %"


def test_random_losses_have_three_lists_by_default(tmp_path):
    (part,) = asked("losses sack 3 %")
    assert len(compare(Made(Request(tmp_path), (MadePart(part, None, None),)))) == 3
    two = Made(Request(tmp_path, replications=2), (MadePart(part, None, None),))
    assert len(compare(two)) == 2


def test_a_kernel_is_compared(tmp_path, capsys):
    needs_namespaces()
    words = ["validate-kernel", "--out", str(tmp_path), "--duration", "2 s", "--unprivileged"]
    words += ["--points", "losses sack 3 %", "losses newreno 3 %", "--jobs", "2"]
    words += ["--replications", "1"]
    assert main(words) in (0, 1)
    text = (tmp_path / f"{emulation_page.FOLDER}.md").read_text()
    assert "## Random losses" in text
    assert "| SACK | 3 % |" in text
    rows = pd.read_csv(tmp_path / emulation_page.FOLDER / "runs.csv")
    assert len(rows) == 2
    assert (rows["kernel_segments_sent"] > 20).all()
    assert (rows["simulated_goodput_bit_s"] > 1e5).all()
    journal = tmp_path / "losses.emulated" / "journal.jsonl"
    before = journal.read_bytes()
    main(words)
    assert journal.read_bytes() == before, "everything is there"
    assert main([*words, "--page-only"]) in (0, 1)
    assert "nothing" not in capsys.readouterr().err


def test_a_file_of_the_validation_is_a_scenario_like_any_other():
    for name in parts.PARTS:
        assert load(parts.FOLDER / f"{name}.toml").title
