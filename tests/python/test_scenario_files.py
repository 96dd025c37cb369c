"""CSV files of sizes: what is in them, where they are, and that a campaign keeps them."""

import shutil
from bisect import bisect_left
from decimal import Decimal
from math import exp, log
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ackclock
from ackclock.campaign.reader import Campaign
from ackclock.cli import main
from ackclock.scenario import distributions, load
from ackclock.scenario.csv_file import MOST_ROWS
from ackclock.scenario.distributions import SHIPPED, parse, shipped
from ackclock.scenario.distributions.table import INTERPOLATIONS, MOST_BYTES, PPB
from ackclock.scenario.files import FileError
from ackclock.untrusted_text import CONTROLS
from scenario_calls import refused
from scenario_texts import DUMBBELL

PAGES = DUMBBELL + '[workload]\nkind = "http10"\nsizes = "sizes.csv"\n'
CSV = "# Where they are from: \"here\", \\ 'é'\nu,bytes\n0.5,1000\n1,20000\n"
NAMES = '"mah_http", "web_search", "data_mining", "campus", "campus_10mb"'
ROWS = st.lists(
    st.tuples(st.integers(1, PPB - 1), st.integers(1, MOST_BYTES)),
    unique_by=lambda row: row[0],
    max_size=20,
)


def written(tmp_path, csv=CSV, text=PAGES):
    """A scenario file with a CSV file beside it."""
    if csv is not None:
        content = csv if isinstance(csv, bytes) else csv.encode()
        (tmp_path / "sizes.csv").write_bytes(content)
    path = tmp_path / "lab.toml"
    path.write_text(text, encoding="utf-8")
    return path


def sizes_of(scenario, point=0):
    plan = scenario.points()[point].compile().plan
    return plan["workloads"][plan["flows"][0]["workload"]]["sizes"]


def test_quantiles_come_into_the_plan(tmp_path):
    assert sizes_of(load(written(tmp_path))) == {
        "law": "quantiles",
        "u_ppb": (500_000_000, PPB),
        "bytes": (1000, 20_000),
        "interpolation": "log",
    }


def test_a_list_is_used_in_turn(tmp_path):
    sizes = sizes_of(load(written(tmp_path, "bytes\n812\n20011\n812\n")))
    assert sizes == {"law": "in_turn", "bytes": (812, 20_011, 812)}


@pytest.mark.parametrize(
    "csv",
    [
        "\ufeffu,bytes\r\n0.5,1000\r\n1,20000\r\n",
        "bytes , u\n\n 1000 , .5\n# between\n2e4,1.000",
        "u,bytes\n0.5000000004,1000.0\n1.0,20000",
    ],
)
def test_it_may_be_written_in_several_ways(csv, tmp_path):
    assert sizes_of(load(written(tmp_path, csv))) == sizes_of(load(written(tmp_path)))


def test_the_path_is_relative_to_the_scenario_file(tmp_path, monkeypatch):
    path = written(tmp_path)
    (tmp_path / "data").mkdir()
    shutil.move(tmp_path / "sizes.csv", tmp_path / "data" / "sizes.csv")
    monkeypatch.chdir(tmp_path.parent)
    assert "sizes.csv cannot be read" in refused(path)[0]
    assert sizes_of(load(path, ["workload.sizes=data/sizes.csv"]))["bytes"] == (1000, 20_000)
    # A text and tables have no place of their own.
    monkeypatch.chdir(tmp_path / "data")
    assert sizes_of(load(PAGES))["bytes"] == (1000, 20_000)


def test_groups_sweeps_and_expressions_name_files_too(tmp_path):
    (tmp_path / "other.csv").write_text("bytes\n5\n")
    text = PAGES.replace('"sizes.csv"', "\"= 'other.csv' if k > 0 else '1 kB'\"")
    text += '[variables]\nk = 0\n[[flows]]\nname = "a"\n[[flows]]\nname = "b"\n'
    text += 'workload = { sizes = "sizes.csv" }\n[sweep.factors]\nk = [0, 1]\n'
    scenario = load(written(tmp_path, text=text))
    assert sizes_of(scenario, 0) == {"law": "fixed", "bytes": 1000}
    assert sizes_of(scenario, 1) == {"law": "in_turn", "bytes": (5,)}
    second = scenario.points()[0].compile().plan["workloads"][1]["sizes"]
    assert second["bytes"] == (1000, 20_000)
    factors = "sweep.factors.workload.sizes=['sizes.csv', '2 kB']"
    swept = load(written(tmp_path), [factors])
    assert [point.levels for point in swept.points()] == [
        {"workload_sizes": "sizes.csv"},
        {"workload_sizes": "2 kB"},
    ]


WRONG = {
    "u,bytes\n0.5,100\n0.5,200\n1,300\n": [
        "line 3, column u: 0.5 is not above 0.5, the value before; u must increase"
    ],
    "u,bytes\n0,100\n1.5,200\nnan,200\n,200\n1,300\n": [
        f"line {line}, column u: {cell} is not a share above 0 and at most 1; write it like 0.5"
        for line, cell in ((2, "0"), (3, "1.5"), (4, "nan"), (5, "nothing"))
    ],
    "# four\nu,bytes\n0.5,100\n0.99,200\n": [
        "line 4, column u: 0.99 is the last; the last u must be 1"
    ],
    "bytes\n0\n12.5\n-3\n5e9\n1_0\n\n7\n": [
        f"line {line}, column bytes: {cell} is not a whole number from 1 to 4294967295; "
        "write it like 2112"
        for line, cell in ((2, "0"), (3, "12.5"), (4, "-3"), (5, "5e9"), (6, "1_0"))
    ],
    "u,bytes\n0.5,100\n1,99\n": [
        "line 3, column bytes: 99 is below 100, the value before; with u the sizes must not fall"
    ],
    "u,bytes\n0.5\n1,2,3\n": [
        'line 2: "0.5": write 2 values like 0.5,2112',
        'line 3: "1,2,3": write 2 values like 0.5,2112',
    ],
    "bytes\n1,2\n": ['line 2: "1,2": write one value like 2112'],
    "\nu,size\n1,1\n": [
        'line 2: "u,size": column bytes is missing, expected u,bytes (quantiles) or '
        "bytes alone (a list)"
    ],
    "u,bytes,requests\n": [
        'line 1: "u,bytes,requests": expected u,bytes (quantiles) or bytes alone (a list)'
    ],
}


@pytest.mark.parametrize("csv", WRONG)
def test_a_wrong_file_is_told_line_by_line(csv, tmp_path):
    path = written(tmp_path, csv)
    said = f'{path}:8: workload.sizes = "sizes.csv": sizes.csv, '
    assert refused(path) == [f"{said}{each}" for each in WRONG[csv]]


@pytest.mark.parametrize(
    ("csv", "reason"),
    [
        ("", " is empty; write u,bytes and below it lines like 0.5,2112"),
        (" \n# nothing\n", " is empty; write u,bytes and below it lines like 0.5,2112"),
        ("u,bytes\n", ": there is no line below the header; write lines like 0.5,2112"),
        ("bytes\n", ": there is no line below the header; write lines like 2112"),
        ("bytes\n1é\n".encode("latin-1"), " is not UTF-8 text (byte 8); save the file as UTF-8"),
        (
            None,
            " cannot be read (No such file or directory); name a file, relative to the "
            "folder of the scenario file",
        ),
        (
            "bytes\n" + "1\n" * (MOST_ROWS + 1),
            ", line 1000002: there are more than 1000000 rows; write fewer",
        ),
    ],
)
def test_a_file_that_cannot_be_used(csv, reason, tmp_path):
    path = written(tmp_path, csv)
    assert refused(path) == [f'{path}:8: workload.sizes = "sizes.csv": sizes.csv{reason}']


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr("ackclock.scenario.files._MOST_BYTES", 20)
    (message,) = refused(written(tmp_path))
    assert "sizes.csv has more than 20 bytes; write fewer rows" in message


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "sizes.csv").mkdir()
    assert "sizes.csv cannot be read (Is a directory)" in refused(written(tmp_path, None))[0]


def test_many_problems_are_cut(tmp_path):
    told = refused(written(tmp_path, "bytes\n" + "0\n" * 25))
    assert len(told) == 11
    assert told[-1].endswith("sizes.csv: and 15 more problems")


def test_check_tells_it_with_exit_code_2(tmp_path, capsys):
    path = written(tmp_path, "u,bytes\n1,0\n")
    assert main(["check", str(path)]) == 2
    assert capsys.readouterr().err == (
        f'ackclock: {path}:8: workload.sizes = "sizes.csv": sizes.csv, line 2, column bytes: 0 is '
        "not a whole number from 1 to 4294967295; write it like 2112\n"
    )


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("mah_htp", 'is not a distribution; did you mean "mah_http"?'),
        ("web", 'is not a distribution; did you mean "web_search"?'),
        (
            "pages",
            f'is not a distribution; write {NAMES}, the name of a CSV file like "sizes.csv", or '
            'a size like "12 kB"',
        ),
        ("12 kb", f'unknown unit "kb"; did you mean "12 kB"? (or name {NAMES} or a CSV file)'),
        ("12", f'12 has no unit; write it like "12 B" (or name {NAMES} or a CSV file)'),
    ],
)
def test_what_is_neither_a_file_nor_a_size(value, reason, tmp_path):
    assert refused(written(tmp_path), f"workload.sizes={value}") == [
        f"--set workload.sizes={value}: {reason}"
    ]


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_shipped_is_a_distribution_with_its_source(name):
    assert shipped(name).u_ppb[-1] == PPB
    path = Path(distributions.__file__).with_name(f"{name}.csv")
    assert "# Source: " in path.read_text(encoding="utf-8")


def test_mah_http_is_that_of_the_published_data():
    found = shipped("mah_http")
    assert found.median("log") == found.median("none") == 2112
    # The data's mean is 7231 B; steps between so few quantiles give far more.
    assert float(found.mean("log")) == pytest.approx(7231, rel=0.03)
    assert found.bytes[-1] == 1_636_039


def inverse(found, u, interpolation):
    """The size at a share, by the definition in the reference."""
    at = bisect_left(found.u_ppb, u)
    if interpolation == "none" or (at == 0 and interpolation == "log"):
        return found.bytes[at]
    low, high = (0, *found.u_ppb)[at : at + 2]
    below, above = (0, *found.bytes)[at : at + 2]
    if interpolation == "linear":
        return below + (above - below) * (u - low) / (high - low)
    return exp(log(below) + (log(above) - log(below)) * (u - low) / (high - low))


@pytest.mark.parametrize("interpolation", INTERPOLATIONS)
@pytest.mark.parametrize("csv", ["u,bytes\n0.3,100\n0.7,5000\n1,9000\n", "u,bytes\n1,70\n", None])
def test_mean_and_median_are_those_of_the_inverse(csv, interpolation):
    found = shipped("mah_http") if csv is None else parse("a.csv", csv)
    steps = 100_000
    shares = [(2 * step + 1) * PPB // (2 * steps) for step in range(steps)]
    mean = sum(inverse(found, u, interpolation) for u in shares) / steps
    assert float(found.mean(interpolation)) == pytest.approx(mean, rel=1e-3)
    assert found.median(interpolation) == pytest.approx(inverse(found, PPB // 2, interpolation))


def test_mean_and_median_of_a_list():
    assert parse("a.csv", "bytes\n9\n1\n2\n").median("log") == 2
    assert parse("a.csv", "bytes\n9\n1\n2\n4\n").median("log") == 3
    assert parse("a.csv", "bytes\n9\n1\n2\n4\n").mean("log") == 4


@given(ROWS, st.integers(1, MOST_BYTES))
def test_what_is_written_is_read(rows, last):
    shares = [*sorted(share for share, _ in rows), PPB]
    sizes = sorted([last, *(size for _, size in rows)])
    lines = [f"{Decimal(u) / PPB},{size}" for u, size in zip(shares, sizes, strict=True)]
    found = parse("a.csv", "\n".join(["u,bytes", *lines]))
    assert list(found.u_ppb) == shares
    assert list(found.bytes) == sizes
    assert list(parse("a.csv", "\n".join(["bytes", *map(str, sizes)])).bytes) == sizes


@given(st.text(alphabet="u,bytes\n0123456789.e-#\r x", max_size=60) | st.text(max_size=30))
def test_any_text_is_a_distribution_or_is_refused(text):
    for head in ("", "u,bytes\n", "bytes\n"):
        try:
            found = parse("a.csv", head + text)
        except FileError as error:
            told = error.reasons
        else:
            told = ["a.csv"]
            assert found.bytes
            assert all(1 <= size <= MOST_BYTES for size in found.bytes)
            assert found.is_list or found.u_ppb[-1] == PPB
        assert told
        assert all(reason.startswith("a.csv") for reason in told)


@given(st.text(max_size=40), st.text(max_size=20).filter(lambda name: not CONTROLS.search(name)))
def test_any_file_can_be_kept_in_a_text(comment, name):
    from ackclock.scenario.document import read
    from ackclock.scenario.files import Files

    csv = f"bytes\n1\n#{comment}\n"
    files = Files()
    files.texts = {f"{name}.csv": csv, "b.csv": "bytes\n2"}
    try:
        csv.encode()
        name.encode()
    except UnicodeEncodeError:
        return
    held = read(f'title = "a"\n{files.as_toml()}').values
    assert held == {"title": "a", "files": files.texts}


def test_the_text_of_a_scenario_holds_its_files(tmp_path, monkeypatch):
    path = written(tmp_path)
    scenario = load(path)
    assert scenario.text.startswith(PAGES)
    (tmp_path / "sizes.csv").unlink()
    monkeypatch.chdir(tmp_path)
    again = load(scenario.text)
    assert again.points()[0].compile() == scenario.points()[0].compile()
    assert again.text == scenario.text
    assert again.workload == scenario.workload
    # Without files nothing is added, nor if the table is there already.
    assert load(written(tmp_path, text=DUMBBELL)).text == DUMBBELL


def test_a_table_of_files_is_all_that_is_read(tmp_path):
    path = written(tmp_path, text=PAGES + '[files]\n"other.csv" = "bytes\\n1"\n')
    assert refused(path) == [
        f'{path}:8: workload.sizes = "sizes.csv": sizes.csv is not in [files]; add it there, or '
        "remove [files]"
    ]
    assert sizes_of(load(path, ["workload.sizes=other.csv"]))["bytes"] == (1,)
    assert "is not in [files]" in refused(written(tmp_path, text=PAGES + "[files]\n"))[0]
    (message,) = refused(written(tmp_path, text=DUMBBELL + '[files]\n"a.csv" = 1\n'))
    assert "expected names and texts; write lines like" in message


def test_a_campaign_goes_on_without_the_file(tmp_path):
    path = written(tmp_path, text=PAGES.replace("10 s", "3 s") + '[probes]\nqueue = "1 s"\n')
    folder = tmp_path / "runs"
    first = ackclock.run(path, folder, replications=1)
    (tmp_path / "sizes.csv").unlink()
    kept = Campaign.open(folder).text
    again = ackclock.run(kept, folder, replications=2)
    assert len(again.metrics) == 2
    assert again.metrics["segments_sent"][0] == first.metrics["segments_sent"][0]
    entries = (folder / "journal.jsonl").read_text().count('"run"')
    assert entries == 2
    # What reads the scenario again does without the file too.
    assert again.records.times(0).end_s == 3
    # Also from where the campaign has kept it, as a file.
    ackclock.run(folder / "scenario.toml", folder, replications=3)
    assert (folder / "journal.jsonl").read_text().count('"run"') == 3


def test_another_file_makes_other_runs(tmp_path):
    path = written(tmp_path, text=PAGES.replace("10 s", "2 s"))
    folder = tmp_path / "runs"
    ackclock.run(path, folder)
    (tmp_path / "sizes.csv").write_text("bytes\n77\n")
    ackclock.run(path, folder)
    assert (folder / "journal.jsonl").read_text().count('"run"') == 2
    ackclock.run(written(tmp_path, "# other words\nbytes\n077\n", path.read_text()), folder)
    assert (folder / "journal.jsonl").read_text().count('"run"') == 2
