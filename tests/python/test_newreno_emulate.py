"""``ackclock reproduce newreno --emulate``: made-up emulated runs, and a short real one."""

import csv
import subprocess
import sys

import pytest

import fake_emulation_core
from ackclock.cli import main
from ackclock.emulation import campaign, prerequisites
from ackclock.emulation.campaign import Options
from ackclock.errors import InputError
from ackclock.results.results import Results
from ackclock.studies.machinery.outputs import write_files
from ackclock.studies.machinery.report import write_report
from ackclock.studies.machinery.reproduce import reproduce
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Execution
from ackclock.studies.newreno.kernel import running
from ackclock.studies.newreno.kernel.conventions import KERNEL, LINUX, PRINTED
from ackclock.studies.newreno.levels import BERNOULLI, EMULATION
from ackclock.studies.newreno.study import STUDY
from emulated import needs_namespaces
from report_page import Page

AT_ONCE = ("variables.foreground_start=0 s", "variables.start_spread=1 ms")
ONLY = {"parts": (EMULATION,)}
KERNEL_20_S = {"emulate": True, "emulation-duration": "20 s"}
WORDS = [
    "reproduce",
    "newreno",
    "--parts",
    "emulation",
    "--emulate",
    "--emulation-duration",
    "20 s",
]


@pytest.fixture
def fake(monkeypatch):
    """Emulated runs are made up, wherever this is."""
    monkeypatch.setattr(campaign, "CORE", fake_emulation_core.CORE)
    monkeypatch.setattr(prerequisites, "problems", lambda **options: [])
    fake_emulation_core.calls.clear()
    fake_emulation_core.verdicts.clear()
    return fake_emulation_core


def made(folder, options=KERNEL_20_S, **request):
    asked = {"levels": ONLY, "sets": AT_ONCE, "options": options, **request}
    return reproduce(Request(STUDY, **asked), Execution(folder, 2))


def kernel_of(*args, **asked):
    return made(*args, **asked).made.further


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_nothing_of_emulation_is_imported_with_the_study():
    code = (
        "import sys; from ackclock.studies.newreno.study import STUDY;"
        "from ackclock.studies.machinery.request import Request; STUDY.problems(Request(STUDY));"
        "sys.exit([name for name in sys.modules if name.startswith('ackclock.emulation')] or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_kernel_makes_every_transfer_with_the_losses_of_the_simulation(fake, tmp_path):
    result = made(tmp_path)
    assert len(fake.calls) == 6
    assert {call["profile"] for call in fake.calls} == {"newreno-classic"}
    assert {call["application"] for call in fake.calls} == {"plain"}
    kernel = result.made.further
    assert len(kernel.runs) == 6 + 6 * 6
    assert kernel.runs["seed"].nunique() == 1
    beside = kernel.beside[kernel.beside["system"] == LINUX]
    # The made-up kernel is the simulator with these very settings, and faster.
    assert beside["of_kernel"].to_numpy() == pytest.approx(1 / fake.FASTER, rel=1e-5)
    assert kernel.release == "6.99"
    assert kernel.banner is None
    assert kernel.differences == ("<made up>",)
    row = kernel.runs[kernel.runs["system"] == "each_acked"].iloc[0]
    assert row["acks_per_segment"] == pytest.approx(1, abs=0.02)
    assert row["throughput_bit_s"] == pytest.approx(8 * row["delivered_bytes"] / row["transfer_s"])
    assert 19.99 < row["transfer_s"] <= 20


def test_what_is_there_is_not_made_again(fake, tmp_path):
    made(tmp_path)
    made(tmp_path)
    assert len(fake.calls) == 6
    made(tmp_path, {**KERNEL_20_S, "emulation-replications": 2})
    assert len(fake.calls) == 12
    fake.calls.clear()
    assert len(kernel_of(tmp_path, {**KERNEL_20_S, "emulation-duration": "10 s"}).runs) == 42
    assert len(fake.calls) == 6


def test_invalid_runs_are_made_again_if_asked_for(fake, tmp_path):
    fake.verdicts[10_000_000] = "invalid"
    assert not kernel_of(tmp_path).beside["counted"].all()
    fake.verdicts.clear()
    assert not kernel_of(tmp_path).beside["counted"].all()
    assert len(fake.calls) == 6
    again = kernel_of(tmp_path, {**KERNEL_20_S, "retry-invalid": True})
    assert again.beside["counted"].all()
    assert len(fake.calls) == 7


def test_simulations_have_more_replications_if_they_are_asked_for(fake, tmp_path):
    kernel = kernel_of(tmp_path, replications=3)
    assert set(kernel.beside["n"]) == {1}
    steps = kernel.steps
    counts = steps[steps["imposed_loss_pct"] == 3].set_index("after")["n"]
    assert counts[KERNEL] == 1
    assert counts["segments_200ms"] == 3


def test_files_are_there_and_go_with_the_option(fake, tmp_path):
    names = {"kernel.csv", "kernel_steps.csv", "kernel_runs.csv", "kernel.md", "report.html"}
    write_files(made(tmp_path), tmp_path, write_report)
    assert names <= {path.name for path in tmp_path.iterdir()}
    assert len(rows(tmp_path / "kernel.csv")) == 48
    assert {row["verdict"] for row in rows(tmp_path / "kernel_runs.csv")} == {"", "valid"}
    write_files(made(tmp_path, {}), tmp_path, write_report)
    left = names & {path.name for path in tmp_path.iterdir()}
    assert left == {"report.html"}
    assert "kernel" not in Page((tmp_path / "report.html").read_text()).values("id")


def test_the_campaign_of_the_kernel_is_one_like_any_other(fake, tmp_path):
    made(tmp_path)
    assert len(Results.open(tmp_path / "kernel").campaign.runs) == 6
    assert len(Results.open(tmp_path / "conventions" / LINUX).campaign.runs) == 6


def test_the_report_has_the_section_with_figure_tables_and_words(fake, tmp_path):
    result = made(tmp_path, replications=2)
    write_report(result, tmp_path / "report.html")
    page = Page((tmp_path / "report.html").read_text())
    page.check_that_it_needs_no_other_file()
    page.check_references()
    assert {"kernel", "figure-kernel", "kernel-table", "kernel-steps"} <= set(page.values("id"))
    assert "Nearest to the kernel of the three conventions is" in page.text
    assert "Linux 6.99, profile newreno-classic; transfers: 6, each of 20 s" in page.text
    assert "<made up>" in page.text
    assert "differ from call to call" in page.text
    assert "nan" not in page.text.split()
    assert "banner" not in " ".join(page.values("class"))
    assert result.command.endswith(
        "--parts emulation --emulate --emulation-duration '20 s'"
        " --set 'variables.foreground_start=0 s' --set 'variables.start_spread=1 ms'"
    )


def test_what_cannot_be_believed_is_marked(fake, tmp_path):
    fake.verdicts |= {5_000_000: "degraded", 30_000_000: "invalid"}
    result = made(tmp_path)
    write_report(result, tmp_path / "report.html")
    page = Page((tmp_path / "report.html").read_text())
    assert "banner invalid" in page.values("class")
    assert "of 6 emulated runs 1 is invalid and 1 is degraded" in page.text
    assert "kernel degraded" in page.text
    assert "kernel invalid" in page.text
    assert "A cross marks an emulated point that is invalid." in page.text
    steps = result.made.further.steps
    last = steps[(steps["after"] == KERNEL) & ~steps["counted"]]
    assert list(last["imposed_loss_pct"]) == [3]


def test_the_command_tells_and_exits_by_the_verdict(fake, tmp_path, capsys):
    words = [*WORDS, "--out", str(tmp_path), "--set", AT_ONCE[0], "--set", AT_ONCE[1]]
    assert main(words) == 0
    said = capsys.readouterr()
    assert "Table III with the kernel's TCP" in said.out
    assert "conclusions hold" in said.out
    assert max(map(len, said.out.splitlines()[:-1])) <= 80
    assert "Check this" not in said.err
    fake.verdicts[10_000_000] = "invalid"
    assert main([*words, "--seed", "2"]) == 1
    assert "Check this before you trust the results: of 6 emulated" in capsys.readouterr().err
    fake.verdicts[10_000_000] = "degraded"
    assert main([*words, "--seed", "3"]) == 0
    assert "1 is degraded" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["--emulation-jobs", "2"], ["--emulation-jobs: belongs to --emulate"]),
        (
            ["--emulation-duration", "9 s", "--retry-invalid"],
            ["--emulation-duration: belongs", "--retry-invalid: belongs"],
        ),
        (
            ["--emulate", "--parts", "udp,internet"],
            ["write for example --parts udp,internet,emulation"],
        ),
        (
            ["--emulate", "--emulation-replications", "0", "--emulation-jobs", "0"],
            ["--emulation-replications 0: at least 1", "--emulation-jobs 0: at least 1"],
        ),
        (["--emulate", "--emulation-duration", "2 s"], ["--emulation-duration 2 s: a transfer"]),
        (["--emulate", "--set", "tcp.minrto=1 s"], ["did you mean tcp.min_rto?"]),
    ],
)
def test_bad_input_is_told_before_anything_runs(fake, words, messages, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["reproduce", "newreno", "--out", str(out), *words]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(messages)
    for line, message in zip(lines, messages, strict=True):
        assert message in line
    assert not out.exists()


def test_who_cannot_emulate_is_told_before_anything_runs(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(sys, "platform", "darwin")
    out = tmp_path / "out"
    assert main([*WORDS, "--out", str(out)]) == 2
    assert capsys.readouterr().err == (
        "ackclock: --emulate: emulation needs Linux: packet sockets and namespaces\n"
    )
    assert not out.exists()


def test_a_study_from_python_is_checked_too(monkeypatch, tmp_path):
    monkeypatch.setattr(prerequisites, "problems", lambda **options: ["no namespaces here"])
    with pytest.raises(InputError, match="--emulate: no namespaces here"):
        made(tmp_path)
    assert not list(tmp_path.iterdir())
    assert STUDY.problems(Request(STUDY, levels={"parts": (BERNOULLI,)})) == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="this is not Linux")
def test_no_namespaces_and_no_ip_are_told(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(prerequisites, "_TRIES", "import sys; sys.exit('Operation not permitted')")
    ip, namespaces = prerequisites.problems(unprivileged=True)
    assert "apt install iproute2" in ip
    assert "make namespaces (Operation not permitted)" in namespaces


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="this is not Linux")
def test_the_kernel_itself(tmp_path, monkeypatch):
    """Real time and a real kernel: six transfers of 2 s at once, about which little can be said."""
    needs_namespaces()
    options = Options(profile="newreno-classic", unprivileged=True)
    monkeypatch.setattr(running, "OPTIONS", options)
    asked = {**KERNEL_20_S, "emulation-duration": "2 s", "emulation-jobs": 6}
    kernel = kernel_of(tmp_path, asked)
    its = kernel.runs[kernel.runs["system"] == KERNEL]
    assert len(its) == 6
    assert set(its["verdict"]) <= {"valid", "degraded", "invalid"}
    assert (its["delivered_bytes"] > 30_000).all()
    assert its["rtt_s"].between(0.049, 0.5).all()
    assert its["acks_per_segment"].between(0.3, 1.2).all()
    assert set(kernel.beside["system"]) >= {PRINTED, KERNEL}
