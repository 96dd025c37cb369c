"""What commands tell of emulated runs: verdicts, a warning, runs side by side with simulated ones.

The runs are made by hand, but for one at the end, which is short and real.
"""

import math
import shutil
from dataclasses import replace

import pandas as pd
import pytest

from ackclock.campaign import CampaignWarning
from ackclock.cli import main
from ackclock.errors import InputError
from ackclock.report.campaigns import write_report
from ackclock.results.emulated import banner, verdict_text
from ackclock.results.results import Results
from ackclock.results.side_by_side import SideBySide
from ackclock.stats import paired_comparison
from emulated import TEXT, needs_namespaces
from report_page import Page
from results_campaigns import by_hand

LEVELS = ({"tcp_flavor": "reno", "p": 0.01}, {"tcp_flavor": "sack", "p": 0.01})
SIMULATED = ([4e6, 5e6, 6e6], [7e6, 7.5e6, 8e6])
EMULATED = ([4.4e6, 5.2e6, 6.3e6], [6.9e6, 7.6e6, 7.9e6])
BAD = "2.00% of the packets were late by more than 500 us"


def told(verdict="valid", p50=45.0, p99=110.0, latest=180.0, profile="reno-sack", **more):
    """What an emulated run tells, as ``ackclock.emulation.core`` makes it."""
    return {
        "verdict": verdict,
        "reasons": [] if verdict == "valid" else [BAD],
        "kernel": "6.12.1",
        "application": "plain",
        "ports": "veth",
        "scheduling": "fifo",
        "settings": [{"profile": profile, "congestion": "reno", "differences": ["RACK is there"]}],
        "configured": {"sysctls": {"tcp_sack": str(int("sack" in profile))}, "refused": {}},
        "left": 1000,
        "misses": 20 if verdict == "invalid" else 0,
        "deadline_us": 500.0,
        "left_late": {"p50_us": p50, "p99_us": p99, "max_us": latest},
        "stolen_s": 1.5,
        **more,
    }


def simulated(folder, levels=LEVELS, goodputs=SIMULATED):
    points = [
        (its, {"goodput_bit_s": goodput, "timeouts": [0] * len(goodput)})
        for its, goodput in zip(levels, goodputs, strict=True)
    ]
    return by_hand(folder, points)


def emulated(folder, verdicts=("valid", "valid", "valid"), levels=LEVELS, goodputs=EMULATED):
    """The verdicts are those of the first point; the other is valid."""
    its = [told(verdict, 40.0 + 10 * at) for at, verdict in enumerate(verdicts)]
    tables = [its, [told(profile="newreno-classic")] * len(its)]
    points = [
        (level, {"goodput_bit_s": goodput, "timeouts": [1] * len(goodput), "emulation": table})
        for level, goodput, table in zip(levels, goodputs, tables, strict=False)
    ]
    return by_hand(folder, points)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Runs of both kinds, of which some are bad."""
    simulated(tmp_path / "lab.results")
    emulated(tmp_path / "lab.emulated", ("valid", "degraded", "invalid"))
    emulated(tmp_path / "good.emulated")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys, *words):
    assert main(list(words)) == 0
    return capsys.readouterr()


def refused(capsys, *words):
    assert main(list(words)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return [line for line in err.splitlines() if "warning" not in line]


def test_show_tells_verdicts_and_warns(folder, capsys):
    out, err = said(capsys, "show", "lab.emulated")
    head, rows = out.splitlines()[2], [line for line in out.splitlines() if "±" in line]
    assert "Verdict" in head
    assert "Late, median (µs)" in head
    assert "invalid 1 of 3, degraded 1 of 3" in rows[0]
    assert rows[0].split()[-1] == "50", "the median of 40, 50 and 60 us"
    assert rows[1].split()[-2:] == ["valid", "45"]
    (line,) = err.splitlines()
    assert line.startswith("ackclock: warning: lab.emulated: check this before you trust the")
    assert "of 6 emulated runs 1 is invalid and 1 is degraded; packets left late by 45 us" in line


def test_valid_runs_need_no_warning(folder, capsys):
    out, err = said(capsys, "show", "good.emulated")
    assert err == ""
    assert out.count(" valid ") == 2


def test_of_simulated_runs_nothing_is_told(folder, capsys):
    out, err = said(capsys, "show", "lab.results")
    assert err == ""
    assert "Verdict" not in out
    assert "Late" not in out
    results = Results.open("lab.results")
    assert results.verdicts.empty
    assert results.verdict_counts().empty
    assert banner(results.campaign.runs) is None


@pytest.mark.parametrize(
    ("verdicts", "text"),
    [
        (["valid"], "valid"),
        (["invalid", "invalid"], "invalid"),
        (["valid", "degraded", "valid"], "degraded 1 of 3"),
        (["degraded", "invalid"], "invalid 1 of 2, degraded 1 of 2"),
    ],
)
def test_the_worst_verdict_comes_first(verdicts, text):
    assert verdict_text(verdicts) == text


def test_a_banner_says_how_many_why_and_how_late(folder):
    its = banner(Results.open("lab.emulated").campaign.runs)
    assert its.verdict == "invalid"
    assert [meaning.partition(":")[0] for meaning in its.meanings] == ["invalid", "degraded"]
    assert its.reasons[0] == f"TCP flavor reno, p 0.01, replication 2: invalid; {BAD}"
    assert len(its.reasons) == 2
    assert its.lateness.endswith("180 us at most")
    assert its.more == 0


def test_a_banner_does_not_list_hundreds_of_runs(tmp_path):
    its = banner(
        by_hand(
            tmp_path, [({}, {"goodput_bit_s": [1] * 20, "emulation": [told("degraded")] * 20})]
        ).campaign.runs
    )
    assert its.headline.endswith("all of the 20 emulated runs are degraded")
    assert len(its.reasons) + its.more == 20
    assert its.more > 0


def test_runs_side_by_side_are_paired(folder):
    table = SideBySide([Results.open("lab.results"), Results.open("lab.emulated")]).compare(
        "goodput_bit_s"
    )
    assert table["runs"].tolist() == ["lab.emulated"] * 2
    assert table["point"].tolist() == [0, 1]
    for row, after, before in zip(table.itertuples(), EMULATED, SIMULATED, strict=True):
        expected = paired_comparison(after, before)
        assert row.difference == pytest.approx(expected.difference)
        assert (row.lo, row.hi) == pytest.approx((expected.lo, expected.hi))
        assert 1 + row.relative == pytest.approx(sum(after) / sum(before))
    assert table["verdict"].tolist() == ["invalid 1 of 3, degraded 1 of 3", "valid"]


def test_compare_folders(folder, capsys):
    out, err = said(capsys, "compare", "lab.results", "lab.emulated", "--metric", "goodput_bit_s")
    assert "Goodput, lab.results (Mbit/s)   Goodput, lab.emulated (Mbit/s)" in out
    rows = [line.split() for line in out.splitlines() if "±" in line]
    assert [row[:4] for row in rows] == [
        ["reno", "0.01", "5.000", "5.300"],
        ["sack", "0.01", "7.500", "7.467"],
    ]
    assert rows[0][4:7] == ["+0.30", "±", "0.25"]
    assert rows[0][7] == "1.060"
    assert rows[1][-1] == "valid"
    assert out.rstrip().endswith("n = 3 · 95 % intervals · paired differences from lab.results")
    assert err.count("warning") == 1
    assert "trust" in err


def test_compare_shows_what_the_scenario_shows_and_any_number_of_folders(folder, capsys):
    out = said(capsys, "compare", "lab.results", "lab.emulated", "good.emulated").out
    assert out.count("against lab.results") >= 2
    rows = [line.split() for line in out.splitlines() if "±" in line][:4]
    assert [row[2] for row in rows] == ["lab.emulated", "good.emulated"] * 2 or [
        row[2] for row in rows
    ] == ["lab.emulated", "lab.emulated", "good.emulated", "good.emulated"]
    pooled = said(capsys, "compare", "lab.results", "good.emulated", "--pooled").out
    assert "reno" not in pooled
    assert "6.3" in pooled


def test_a_ratio_to_nothing_is_not_told(folder, capsys):
    out = said(capsys, "compare", "lab.results", "good.emulated", "--metric", "timeouts").out
    rows = [line.split() for line in out.splitlines() if line.strip().startswith(("reno", "sack"))]
    assert all("–" in row for row in rows)


def test_what_a_kernel_does_not_tell_is_left_out_or_a_dash(tmp_path, monkeypatch, capsys):
    nothing = {"goodput_bit_s": [1e6, 2e6], "utilisation": [math.nan] * 2}
    by_hand(tmp_path / "a", [({"p": 1}, nothing)])
    by_hand(tmp_path / "b", [({"p": 1}, nothing | {"emulation": [told()] * 2})])
    monkeypatch.chdir(tmp_path)
    assert "utilisation" not in said(capsys, "compare", "a", "b").out
    (line,) = refused(capsys, "compare", "a", "b", "--metric", "utilisation")
    assert "no replication has a value" in line
    page = page_of([Results.open("a"), Results.open("b")], tmp_path / "page.html")
    assert "1.000" in page.text
    both = [Results.open("a"), Results.open("b")]
    page = page_of(both, tmp_path / "page.html", metrics=["utilisation"])
    assert "1 – –" in page.text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["lab.results", "lab.results"], "lab.results: name different folders"),
        (["lab.results", "reno"], "reno: is not a folder; compare folders, or TCP flavors"),
        (["lab.results", "other"], "its factors are none, and those of lab.results are tcp_flavor"),
        (["lab.results", "far"], "none of its runs has the same point and replication as a run of"),
        (["lab.results", "none/here"], "none/here: contains no campaign"),
        (["lab.results", "good.emulated", "--metric", "goodput"], "did you mean 'goodput_bit_s'"),
        (["lab.results", "good.emulated", "--baseline", "x"], "the first folder is the baseline"),
        (
            ["lab.results", "good.emulated", "--jobs", "2"],
            "--jobs: applies only to a comparison",
        ),
        (["lab.results", "good.emulated", "--confidence", "95"], "between 0 and 1"),
        (["lab.results", "good.emulated", "--by", "p"], "name one folder or scenario file"),
        (["lab.results"], "name the factor to compare"),
    ],
)
def test_what_cannot_be_compared_is_told(words, says, folder, capsys):
    by_hand(folder / "other", [({}, {"goodput_bit_s": [1.0]})])
    far = [{**level, "p": 0.5} for level in LEVELS]
    simulated(folder / "far", far)
    (line,) = refused(capsys, "compare", *words)
    assert says in line


def test_runs_of_other_seeds_are_no_pairs(folder):
    first, other = Results.open("lab.results"), Results.open("good.emulated")
    runs = tuple(run._replace(seed=run.seed ^ 1) for run in other.campaign.runs)
    with pytest.raises(InputError, match="make both with the same seed"):
        SideBySide([first, Results(replace(other.campaign, runs=runs))])


def test_what_is_not_in_both_is_left_out_and_told(folder):
    alone = emulated(folder / "part", levels=LEVELS[:1], goodputs=EMULATED[:1])
    with pytest.warns(CampaignWarning, match="part: 1 point is missing in it or in lab.results"):
        side = SideBySide([Results.open("lab.results"), alone])
    assert side.compare("goodput_bit_s")["point"].tolist() == [0]


def test_other_settings_are_told(folder):
    first, other = Results.open("lab.results"), Results.open("good.emulated")
    sets = ('duration = "2 s"', 'sweep.factors.p=["1 %"]')
    changed = replace(other.campaign, design=replace(other.campaign.design, sets=sets))
    with pytest.warns(CampaignWarning, match='made with --set duration = "2 s", the other with no'):
        SideBySide([first, Results(changed)])
    design = replace(first.campaign.design, sets=("duration=2 s",))
    SideBySide([Results(changed), Results(replace(first.campaign, design=design))])
    only_sweep = replace(other.campaign, design=replace(other.campaign.design, sets=sets[1:]))
    SideBySide([first, Results(only_sweep)])


def test_export_has_verdicts_of_emulated_runs_alone(folder, capsys):
    said(capsys, "export", "lab.emulated", "--csv", "runs.csv", "--parquet", "runs.parquet")
    table = pd.read_csv("runs.csv")
    assert table.columns[-6:].tolist() == [
        "verdict",
        "late_p50_us",
        "late_p99_us",
        "late_max_us",
        "missed_share",
        "stolen_s",
    ]
    assert table["verdict"].tolist() == ["valid", "degraded", "invalid", *["valid"] * 3]
    assert table["missed_share"].tolist() == [0, 0, 0.02, 0, 0, 0]
    assert pd.read_parquet("runs.parquet")["late_p50_us"].tolist() == [40, 50, 60, 45, 45, 45]
    said(capsys, "export", "lab.emulated", "--what", "summary", "--csv", "points.csv")
    table = pd.read_csv("points.csv")
    assert table[["valid", "degraded", "invalid"]].to_numpy().tolist() == [[1, 1, 1], [3, 0, 0]]
    assert table["late_p50_us"].tolist() == [50, 45]
    for what in ("metrics", "summary"):
        said(capsys, "export", "lab.results", "--what", what, "--csv", "s.csv")
        assert not {"verdict", "valid", "late_p50_us"} & set(pd.read_csv("s.csv"))


def test_a_factor_may_not_have_the_name_of_a_verdict(tmp_path):
    values = {"goodput_bit_s": [1.0], "emulation": [told()]}
    with pytest.raises(InputError, match="the factor verdict has the name of a column"):
        by_hand(tmp_path, [({"verdict": 1}, values)])


def page_of(several, path, **more):
    write_report(several, path, **more)
    return Page(path.read_text(encoding="utf-8"))


def test_a_report_has_a_banner_where_runs_are_bad(folder):
    several = [Results.open("lab.results"), Results.open("lab.emulated")]
    page = page_of(several, folder / "both.html")
    page.check_that_it_needs_no_other_file()
    page.check_references()
    assert ("aside", "banner invalid") in [(tag, its.get("class")) for tag, its in page.elements]
    for text in (
        "Check this before you trust the results: of 6 emulated runs 1 is invalid and 1 is degr",
        f"TCP flavor reno, p 0.01, replication 2: invalid; {BAD}",
        "Side by side: 6 runs of 2 points simulated and 6 runs of 2 points emulated",
        "1.060 (1.008 to 1.184) invalid 1 of 3, degraded 1 of 3",
        "Where it differs from the scenario (reno-sack, reno): RACK is there.",
        "newreno-classic, reno",
        "tcp_sack 1 0",
        "ackclock report lab.results lab.emulated",
        "6.12.1",
    ):
        assert text in page.text, text
    assert len(page.all("svg")) == 4
    again = page_of(several, folder / "again.html")
    assert again.source == page.source


def test_a_report_of_good_runs_has_no_banner(folder, capsys):
    out, err = said(capsys, "report", "good.emulated")
    assert (out, err) == ("the report is good.report.html\n", "")
    page = Page((folder / "good.report.html").read_text())
    page.check_references()
    assert not page.all("aside")
    assert "Lateness and verdicts" in page.text
    assert "Late, 99 % (µs)" in page.text


def test_a_report_of_simulated_runs_tells_nothing_of_kernels(folder, capsys):
    words = ["report", "lab.results", "--metric", "timeouts,goodput_bit_s", "--out", "new.html"]
    assert said(capsys, *words).err == ""
    page = Page((folder / "new.html").read_text())
    page.check_that_it_needs_no_other_file()
    for word in ("Verdict", "Lateness", "kernel", "Ratio", "emulat"):
        assert word not in page.text, word
    assert "--metric timeouts,goodput_bit_s" in page.text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "name a folder of a campaign, for example ackclock report lab.results"),
        (["nothing"], "nothing: contains no campaign"),
        (["lab.results", "--metric", "goodput"], "did you mean 'goodput_bit_s'"),
        (["lab.results", "--confidence", "95"], "between 0 and 1"),
        (["lab.results", "lab.results"], "name different folders"),
        (["lab.results", "--out", "file/x.html"], "file/x.html: cannot be written"),
    ],
)
def test_a_report_that_cannot_be_made_is_told(words, says, folder, capsys):
    (folder / "file").write_text("")
    (line,) = refused(capsys, "report", *words)
    assert says in line


def test_a_scenario_simulated_and_emulated(tmp_path, monkeypatch, capsys):
    needs_namespaces()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lab.toml").write_text(TEXT)
    assert main(["run", "lab.toml", "--set", "duration=1 s"]) == 0
    words = ["emulate", "lab.toml", "--duration", "1 s", "--unprivileged"]
    assert main([*words, "--application", "plain"]) in (0, 1)
    capsys.readouterr()
    out, err = said(capsys, "compare", "lab.toml", "lab.emulated", "--metric", "goodput_bit_s")
    row = out.splitlines()[4].split()
    # What a busy machine makes of it is anything, but some data came.
    assert 0.2 < float(row[3]) < 3
    assert row[4] in ("valid", "degraded", "invalid")
    assert "differ" not in err
    said(capsys, "report", "lab.toml", "lab.emulated")
    page = Page((tmp_path / "lab.report.html").read_text())
    assert "The kernel's TCP" in page.text
    assert TEXT.split()[0] in page.text
    shutil.rmtree("lab.results")
    (line,) = refused(capsys, "report", "lab.toml")
    assert "has no results yet" in line
