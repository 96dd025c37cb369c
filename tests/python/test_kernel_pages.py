"""Single flows and pairs beside a kernel's, from made-up runs: grids, verdicts, causes, page."""

import itertools
from types import SimpleNamespace

import pandas as pd
import pytest

from ackclock.campaign import Run
from ackclock.cli import main
from ackclock.cli import validate_kernel as command
from ackclock.emulation import campaign as emulating
from ackclock.kernel_validation import (
    Request,
    causes,
    compare,
    conclusions,
    kernel_figures,
    parts,
    write,
)
from ackclock.kernel_validation.comparison import points
from ackclock.kernel_validation.runs import Made, MadePart
from ackclock.scenario.plan import written_out
from test_kernel_validation import run_of, told

LOSSES, RATES, RTTS = {0.001, 0.003, 0.01, 0.03}, {10e6, 30e6, 100e6}, {0.01, 0.03, 0.1}


def part_of(name: str, *wanted: str, **options) -> parts.Part:
    (part,) = parts.parts((), wanted, names=(name,), **options)
    return part


def run_with(place: parts.Place, replication: int, rates: tuple[float, ...], emulation=None) -> Run:
    """A run whose flows have these goodputs."""
    run = run_of(place, sum(rates), emulation)
    row = run.row | {"flows": run.row["flows"] | {"goodput_bit_s": list(rates)}}
    return Run(run.point, run.levels, replication, 7 + replication, row, 1.0, {})


def made_of(out, *several) -> Made:
    """Campaigns of parts, each with its simulated and its emulated runs."""
    its = [
        MadePart(
            part,
            SimpleNamespace(runs=simulated, failures=(), folder=out),
            SimpleNamespace(runs=emulated, failures=(), folder=out),
        )
        for part, simulated, emulated in several
    ]
    return Made(Request(out, replications=1), tuple(its))


def single(*ratios: float, verdicts=()) -> tuple:
    """The part "single": so many of its first points, simulated with 1 Mbit/s each."""
    part = part_of("single")
    part = parts.Part(part.name, part.scenario, part.sets, part.places[: len(ratios)])
    verdicts = (*verdicts, *["valid"] * (len(ratios) - len(verdicts)))
    each = zip(part.places, ratios, verdicts, strict=True)
    emulated = [run_with(place, 0, (ratio * 1e6,), told(verdict)) for place, ratio, verdict in each]
    return part, [run_with(place, 0, (1e6,)) for place in part.places], emulated


def pairs(*shares: tuple[float, float]) -> tuple:
    """The part "pairs": so many of its first points, with simulated and emulated shares."""
    part = part_of("pairs")
    part = parts.Part(part.name, part.scenario, part.sets, part.places[: len(shares)])

    def runs(column: int, emulation=None) -> list[Run]:
        each = zip(part.places, shares, strict=True)
        return [
            run_with(place, 0, (share[column] * 1e7, (1 - share[column]) * 1e7), emulation)
            for place, share in each
        ]

    return part, runs(0), runs(1, told())


def test_twelve_paths_cover_the_ranges():
    part = part_of("single")
    tcps = {place.tcp for place in part.places}
    assert len(tcps) == 3
    for tcp in tcps:
        paths = [
            (place.loss, place.rate_bit_s, round(place.rtt_s, 6))
            for place in part.places
            if place.tcp == tcp
        ]
        assert len(paths) == len(set(paths)) == 12
        for one, other, levels in ((0, 1, (LOSSES, RATES)), (0, 2, (LOSSES, RTTS))):
            got = sorted((path[one], path[other]) for path in paths)
            assert got == sorted(itertools.product(*levels)), "each pair once"
        assert {path[1:] for path in paths} == set(itertools.product(RATES, RTTS))


def test_every_pair_has_every_buffer():
    part = part_of("pairs")
    kinds = {place.tcp for place in part.places}
    assert len(kinds) == 4
    assert all("/" in kind for kind in kinds)
    for kind in kinds:
        buffers = [place.bdp for place in part.places if place.tcp == kind]
        assert buffers == [0.5, 1, 2, 4, 8, 16]
    assert {place.loss for place in part.places} == {0}


def test_both_flows_of_a_pair_share_one_queue_and_are_measured_later():
    part = part_of("pairs", "0.5 BDP")
    for point in part.points():
        compiled = emulating._Point(point, emulating.Options()).compile()
        flows = written_out(compiled.plan)["flows"]
        assert len(flows) == 2
        assert len({flow["sender"] for flow in flows}) == 2
        assert compiled.plan["warm_up_ps"] == compiled.plan["duration_ps"] // 4
        first, second = (compiled.plan["workloads"][flow["workload"]] for flow in flows)
        assert first["start_ps"] == 0
        assert second["start_ps"] == 2 * 10**12


def test_quick_runs_are_short_and_fewer():
    for name in ("single", "pairs"):
        some, every = part_of(name, quick=True), part_of(name)
        assert len(some.places) == len(every.places) // 2
        assert {place.tcp for place in some.places} == {place.tcp for place in every.places}
        assert some.sets == (f'duration="{parts.PARTS[name].quick}"',)
    assert len(part_of("pairs", "pairs 16 BDP", quick=True).places) == 4, "what is asked for counts"
    assert Request("out", quick=True).runs_of(part_of("pairs")) == 1
    assert Request("out").runs_of(part_of("pairs")) == 3
    assert Request("out", names=("pairs",), quick=True).command() == (
        "ackclock validate-kernel --parts pairs --quick"
    )


def test_ratios_are_judged_at_points_and_in_the_median(tmp_path):
    made = made_of(tmp_path, single(1.02, 0.96, 1.11, 1.0, verdicts=("valid",) * 3 + ("invalid",)))
    found = points(compare(made))
    assert found["apart"].round(6).tolist()[:3] == [0.02, -0.04, 0.11]
    assert found["within"].tolist() == [True, True, False, False]
    said = conclusions.described(compare(made), found)[0]
    assert "0.960 to 1.110" in said
    assert "within 10 % at 2 of 3 points (1 more without a usable run): not at " in said
    assert "The median difference over the points is 4.0 %" in said
    assert "within 5 % for 1 of 1 TCP" in said


def test_shares_are_compared_by_their_difference(tmp_path):
    made = made_of(tmp_path, pairs((0.5, 0.41), (0.5, 0.6), (0.9, 0.78), (0.0, 0.1)))
    found = points(compare(made))
    assert found["apart"].round(6).tolist() == [-0.09, 0.1, -0.12, 0.1]
    assert found["within"].tolist()[:3] == [True, True, False]
    said = conclusions.described(compare(made), found)[0]
    assert "-0.120 to +0.100 from that in the simulator" in said
    assert "2 BDP (-0.120)" in said


def test_a_share_is_a_mean_over_usable_replications(tmp_path):
    part, _, _ = pairs((0.5, 0.5))
    (place,) = part.places
    simulated = [run_with(place, n, rates) for n, rates in enumerate([(6.0, 4.0), (4.0, 6.0)] * 2)]
    kernel = [(9.0, 1.0), (3.0, 7.0), (5.0, 5.0), (1.0, 0.0)]
    verdicts = ("valid", "degraded", "valid", "invalid")
    emulated = [
        run_with(place, n, rates, told(verdict))
        for n, (rates, verdict) in enumerate(zip(kernel, verdicts, strict=True))
    ]
    made = made_of(tmp_path, (part, simulated, emulated))
    made = Made(Request(tmp_path, replications=4), made.parts)
    (row,) = points(compare(made)).itertuples()
    assert (row.runs, row.usable) == (4, 3)
    assert row.kernel_share == pytest.approx((0.9 + 0.3 + 0.5) / 3)
    # Of the same three lists of random numbers.
    assert row.simulated_share == pytest.approx((0.6 + 0.4 + 0.6) / 3)


def cause(*names: str) -> causes.Cause:
    return causes.Cause(names, "something <differs>", "by a cause")


def test_every_point_beyond_its_limit_needs_a_cause(tmp_path):
    its = points(compare(made_of(tmp_path, single(1.2, 1.0, 0.8), pairs((0.5, 0.7)))))
    assert len(causes.unexplained(its, [])) == 3
    (pair,) = causes.unexplained(its, [cause("single")])
    assert pair.startswith("pairs: ")
    assert causes.unexplained(its, [cause("single"), cause("pairs 0.5 BDP")]) == []
    first = its.iloc[0]
    assert causes.unexplained(its, [cause(f"single {first.rate_bit_s / 1e6:g} Mbit/s", "pairs")])
    without = its.assign(usable=0)
    assert causes.unexplained(without, []) == [], "a point without a run has no difference"


def test_an_entry_without_its_keys_is_refused(tmp_path):
    file = tmp_path / "causes.toml"
    file.write_text('[[cause]]\npoints = ["single"]\ndiffers = "x"\n')
    with pytest.raises(ValueError, match="cause 0 needs points, differs and cause"):
        causes.causes(file)


def test_the_known_causes_are_about_points_there_are():
    names = [place.name for name in ("single", "pairs") for place in part_of(name).places]
    for each in causes.causes():
        assert all(any(parts.is_meant(name, [text]) for name in names) for text in each.points)
        assert each.differs.endswith(".")
        assert each.cause.endswith(".")


def test_the_page_has_verdicts_tables_and_causes(tmp_path, monkeypatch):
    monkeypatch.setattr(causes, "causes", lambda: (cause("pairs 1 BDP"),))
    made = made_of(tmp_path, single(1.02, 1.2), pairs((0.5, 0.45), (0.5, 0.75)))
    (path,) = write(made, compare(made))
    assert path == tmp_path / "kernel.md"
    text = path.read_text()
    assert "nan" not in text
    assert "shorter than" not in text
    single_rows = [line for line in text.splitlines() if line.startswith("| SACK | 0.1 %")] or [
        line for line in text.splitlines() if line.startswith("| Reno | 0.1 %")
    ]
    assert "| valid | 1 | 1.000 | 1.020 | 1.020 | yes |  |" in single_rows[0]
    assert "| 1.200 | **no** | not known |" in single_rows[1]
    pair_rows = [line for line in text.splitlines() if line.startswith("| CUBIC/CUBIC |")]
    assert "| 0.5 | 17 | valid | 1 | 0.500 | 0.450 | -0.050 | yes |  |" in pair_rows[0]
    assert "| 0.250 | **no** | 1 |" in pair_rows[1]
    assert "| 1 | something <differs> | by a cause | pairs 1 BDP | 1 |" in text
    assert "without a known cause:\n\n- single: " in text
    assert "CUBIC/CUBIC, 10 Mbit/s, 40 ms, 33 packets, 1 BDP" in text
    tables = tmp_path / "kernel"
    assert {each.name for each in tables.iterdir()} == {
        "runs.csv", "points.csv", "kernel.json", "single.svg", "pairs.svg",
    }  # fmt: skip
    for name in ("single", "pairs"):
        assert (tables / f"{name}.svg").read_text().rstrip().endswith("</svg>")
    assert pd.read_csv(tables / "points.csv")["within"].tolist() == [True, False, True, False]


def test_a_short_run_says_so_and_each_part_may_stand_alone(tmp_path):
    made = made_of(tmp_path, pairs((0.5, 0.45)))
    (path,) = write(Made(Request(tmp_path, quick=True), made.parts), compare(made))
    assert "**These runs are shorter" in path.read_text()
    assert "single.svg" not in path.read_text()


def test_figures_are_the_same_for_the_same_numbers(tmp_path):
    found = points(compare(made_of(tmp_path, single(1.0, 0.7), pairs((0.5, 0.4), (0.1, 0.9)))))
    for make in kernel_figures.FIGURES.values():
        assert make(found) == make(found)
        assert make(found) != make(found.assign(ratio=0.9, kernel_share=0.2))


def test_points_beyond_the_limit_without_a_cause_make_the_command_fail(
    tmp_path, monkeypatch, capsys
):
    made = made_of(tmp_path, single(1.2))
    assert command._show(made) == 1
    assert "beyond its limit, and no cause is known" in capsys.readouterr().err
    assert command._show(Made(Request(tmp_path, replications=1, quick=True), made.parts)) == 0
    monkeypatch.setattr(causes, "causes", lambda: (cause("single"),))
    assert command._show(made) == 0


def test_parts_are_chosen_by_name(capsys):
    assert main(["validate-kernel", "--list-points", "--parts", "pairs", "--quick"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == 12
    assert all(line.startswith("pairs: ") for line in listed)
