"""``ackclock model``: what it prints and refuses; the reference and its tables."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from ackclock.cli import main
from ackclock.models import (
    MODELS,
    PARAMETERS,
    eq14_error,
    inverse,
    newreno,
    q_from_loss_rate,
    registry,
)

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "models.md"
PATH = ["--rtt", "75 ms"]


def said(capsys, *words):
    assert main(["model", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys, *words):
    assert main(["model", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()


def test_a_prediction(capsys):
    text = said(capsys, "newreno", *PATH, "--loss", "1%")
    assert text.startswith("NewReno, full: 1.5228 Mbit/s\n  130.38 segments/s; Parvez")
    assert "RTO   0.225  s" in text
    assert "(default: 3 R)" in text
    assert "W         14.773  segments  peak window, on average" in text


@pytest.mark.parametrize("name", MODELS)
def test_every_formula_as_json(capsys, name):
    told = json.loads(said(capsys, name, *PATH, "--loss", "0.02", "--json"))
    result = MODELS[name](0.02, 0.075)
    assert told["throughput_bit_s"] == result.throughput_bit_s
    assert told["model"] == name
    assert set(told["inputs"]) == {"p", "rtt_s", "smss_bytes", *MODELS[name].takes}
    assert {"p": 0.02, "rtt_s": 0.075, "smss_bytes": 1460}.items() <= told["inputs"].items()


def test_every_option_has_its_effect(capsys):
    words = ["newreno", "--rtt", "0.1 s", "--loss", "0.5 %", "--json", "--loss-in-event", "10%"]
    words += ["--rto", "1 s", "--mss", "1000 B", "--window-limit", "30 segments"]
    words += ["--window", "exact", "--backoff", "long"]
    told = json.loads(said(capsys, *words))
    expected = newreno(
        0.005,
        0.1,
        q=0.1,
        rto_s=1,
        smss_bytes=1000,
        window_limit=30,
        window="exact",
        backoff="long",
    )
    for name, value in expected._asdict().items():
        assert told[name] == value.item()
    told = json.loads(
        said(capsys, "pftk_full", *PATH, "--loss", "1e-3", "--segments-per-ack", "2", "--json")
    )
    assert told["inputs"]["segments_per_ack"] == 2
    assert told["throughput_bit_s"] == MODELS["pftk_full"](1e-3, 0.075, segments_per_ack=2)[0]
    limited = ["square_root", *PATH, "--loss", "1e-5", "--json", "--window-limit"]
    for limit in ("64 kB", "64 segments"):
        told = json.loads(said(capsys, *limited, limit, "--mss", "1000 B"))
        assert told["inputs"]["window_limit"] == 64
        assert told["limited"]


def test_the_overall_loss_rate_gives_q(capsys):
    words = [*PATH, "--loss", "1%", "--loss-rate", "3%", "--json"]
    told = json.loads(said(capsys, *words))
    assert told["inputs"]["q"] == q_from_loss_rate(0.01, 0.03).q


def test_all_formulas_side_by_side(capsys):
    words = [*PATH, "--loss", "1%", "--all", "--rto", "1 s", "--segments-per-ack", "2"]
    text = said(capsys, *words)
    assert [line.split()[0] for line in text.splitlines()] == list(MODELS)
    told = json.loads(said(capsys, *words, "--json"))
    for name, model in MODELS.items():
        its = model.predict(0.01, 0.075, rto_s=1.0, segments_per_ack=2)
        assert told["models"][name]["throughput_bit_s"] == its.throughput_bit_s


def test_an_inverse(capsys):
    words = ["inverse", "newreno", "--throughput", "1 Mbit/s", *PATH]
    text = said(capsys, *words)
    assert text.startswith("p = 0.019")
    assert "NewReno, full: 1 Mbit/s" in text
    told = json.loads(said(capsys, *words, "--json"))
    found = inverse("newreno", 1e6, 0.075)
    assert (told["inputs"]["p"], told["unique"]) == (found.p, True)
    words = ["inverse", "square_root", "--throughput", "2336 kbit/s", "--rtt", "100 ms"]
    text = said(capsys, *words, "--window-limit", "20 segments")
    assert "other loss event rates give this throughput too; this is the largest" in text


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["--rtt", "75"], ['--rtt: "75" has no unit; write it like "100 ms"']),
        (["--rtt", "0 ms"], ["--rtt 0 ms: must be above 0, for example 0.075"]),
        (["--loss", "0"], ["--loss 0: must be from 1e-12 and below 1, for example 0.01"]),
        (["--loss", "150%"], ["--loss 150%: must be from 1e-12"]),
        (["--loss", "1%%"], ['--loss: "1%%" is not a share; write it like 1% or 0.01']),
        (["--loss", "some"], ['--loss: "some" is not a share']),
        (["--loss-rate", "500%"], ["--loss-rate 500%: must be from 0 to 1"]),
        (["--loss-in-event", "1.1"], ["--loss-in-event 1.1: must be from 0 to 1"]),
        (["--loss-rate", "0.1%"], ["--loss-rate 0.1%: 0.1 losses in a loss event; must be from 1"]),
        (
            ["--loss-rate", "50%"],
            ["--loss-rate 50%: 50 losses in a loss event; must be from 1 to W"],
        ),
        (
            ["--loss-rate", "2%", "--loss-in-event", "2%"],
            ["--loss-rate, --loss-in-event: both set q; give one"],
        ),
        (["--mss", "1.5 KB"], ['--mss: unknown unit "KB"; did you mean "1.5 kB"?']),
        (["--window-limit", "0 segments"], ["--window-limit 0 segments: must be from 1 on"]),
        (
            ["--segments-per-ack", "0.5"],
            ["--segments-per-ack is not a parameter of newreno, but of"],
        ),
        (["--window", "eq15"], ["--window"]),
        (["--rto", "1", "--mss", "1", "--loss", "x"], ["--loss", "--rto", "--mss"]),
        (["--rto", "0 s", "--loss", "2"], ["--loss 2: must be", "--rto 0 s: must be"]),
    ],
)
def test_bad_input_is_told(capsys, words, messages):
    default = {"--rtt": "75 ms", "--loss": "1%"}
    default |= dict(zip(words[::2], words[1::2], strict=True))
    lines = refused(capsys, "newreno", *(each for pair in default.items() for each in pair))
    assert len(lines) == len(messages)
    for message in messages:
        assert any(message in line for line in lines)
    assert all(line.startswith("ackclock: ") for line in lines)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["newrino", *PATH, "--loss", "1%"], "newrino"),
        (["newreno", "--loss", "1%"], "--rtt"),
        (["newreno", *PATH], "--loss"),
        (["inverse", "newreno", *PATH], "--throughput"),
        (["inverse", *PATH, "--throughput", "1 Tbit/s"], '--throughput: unknown unit "Tbit/s"'),
        (
            ["inverse", *PATH, "--throughput", "100 Gbit/s", "--window-limit", "10 segments"],
            "--throughput 100 Gbit/s: on this path newreno gives 15787.9 to 1.55733e+06 bit/s",
        ),
        (["estimate", "none.pcapng"], "none.pcapng: cannot be read"),
    ],
)
def test_what_is_missing_or_impossible_is_told(capsys, words, message):
    (line,) = refused(capsys, *words)
    assert message in line


@pytest.fixture
def seen(tmp_path, monkeypatch, capsys):
    shutil.copy(ROOT / "scenarios" / "classic_and_modern.toml", tmp_path / "lab.toml")
    monkeypatch.chdir(tmp_path)
    words = ["lab.toml", "--at", "server 1", "--out", "seen.pcapng", "--point", "3", "--set"]
    words += ["tcp.delayed_ack=off", "duration=60 s"]
    assert main(["capture", *words]) == 0
    capsys.readouterr()


@pytest.mark.usefixtures("seen")
def test_an_estimate(capsys):
    text = said(capsys, "estimate", "seen.pcapng")
    assert text.startswith("198.51.100.1:49152 to 192.0.2.1:49152\n")
    assert [line.split()[0] for line in text.splitlines()[-len(MODELS) :]] == list(MODELS)
    told = json.loads(said(capsys, "estimate", "seen.pcapng", "--json"))
    assert told["loss_events"] > 0
    assert set(told["models"]) == set(MODELS)
    (line,) = refused(capsys, "estimate", "seen.pcapng", "--connection", "7")
    assert "connection 7: seen.pcapng has 0: 198.51.100.1:49152 to" in line


def test_the_page_shows_what_is_printed(tmp_path, monkeypatch, capsys):
    """The blocks of docs/howto/estimate-loss.md, from the first line to the last."""
    (tmp_path / "scenarios").symlink_to(ROOT / "scenarios")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "howto" / "estimate-loss.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    typed = 0
    for entry in "".join(blocks).replace("\\\n", "").split("$ ")[1:]:
        command, shown = entry.split("\n", 1)
        program, *words = shlex.split(command)
        assert program == "ackclock"
        assert main(words) == 0
        assert capsys.readouterr().out == shown
        typed += 1
    assert typed == 8


def test_help_names_the_models(capsys):
    assert main(["model", "--help"]) == 0
    assert main(["model", "inverse", "--help"]) == 0
    shown = capsys.readouterr().out.replace("\n", "")
    assert all(name in shown for name in ("newreno", "pftk_full"))


def test_the_page_has_the_tables_that_the_registry_makes():
    text = PAGE.read_text(encoding="utf-8")
    command = f"python -m ackclock.models.registry {PAGE.relative_to(ROOT).as_posix()}"
    assert registry.filled(text) == text, f"run {command}"
    for name in (*MODELS, *PARAMETERS):
        assert f"| `{name}` |" in text


def test_the_registry_tells_what_the_functions_take():
    import inspect

    for model in MODELS.values():
        signature = inspect.signature(model.function).parameters
        assert set(signature) == {"p", "rtt_s", "smss_bytes", *model.takes}
        assert all(name in PARAMETERS for name in signature)


def test_the_page_prints_the_error_of_eq_14():
    """The table of docs/reference/models.md, cell by cell."""
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if "% |" in line]
    found = {}
    losses = [0.0001, 0.001, 0.01, 0.03, 0.1]
    for row in rows:
        q, *cells = [cell.strip() for cell in row.strip("|").split("|")]
        found[q] = [float(cell.rstrip(" %").replace("−", "-")) for cell in cells]
    assert list(found) == ["0", "p", "0.05", "0.1", "0.2", "0.5"]
    for q, cells in found.items():
        expected = 100 * eq14_error(losses, None if q == "p" else float(q))
        assert cells == pytest.approx(expected.tolist(), abs=0.05)
