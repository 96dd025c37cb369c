"""``ackclock reproduce`` as it is typed, for every study; short runs of the real core."""

import csv
import shlex

import pytest

from ackclock.cli import main
from study_cases import OF_ONE_CALL

QUICK = {
    "ubr-web": "--set 'duration=3 s' --links WAN --buffers 1 --flavors SACK",
    "rfc2415": "--set 'duration=20 s' --webs 8 --iw 1,3 --ftps 1 --parts tables,reverse",
    "newreno": "--set 'duration=12 s' --parts buffer,bursty",
    "abr-web": "--set 'duration=2 s' --servers 3",
    "osu-tasks": "--parts windows,retransmit --set 'duration=3 s' 'warm_up=0 s'",
}
"""Words with which a study takes a second or two."""
WRONG = {
    "abr-web": [
        (["--replications", "0"], ["--replications 0: at least 1 is needed"]),
        (["--parts", "table"], ["--parts table: choose from table2, service; did you mean table2"]),
        (["--servers", "16"], ["--servers 16: choose from 1, 2, 3, 4, 5, 6"]),
        (["--set", "topology.abr.irc=1 Mbit/s"], ["unknown key; did you mean topology.abr.icr?"]),
        (["--parts", "service", "--servers", "2"], ["there is no such point"]),
        (
            ["--sensitivity", "--parts", "service", "--set", "duration=2 s"],
            ["--sensitivity measures the whole study; remove --set and --parts"],
        ),
        (["--servers", "0", "--set", "a=1", "--jobs", "0"], ["--jobs 0", "--servers 0", "a=1"]),
    ],
    "rfc2415": [
        (["--replications", "0"], ["--replications 0: at least 1 is needed"]),
        (
            ["--parts", "table"],
            ["--parts table: choose from tables, half-and-half, reverse, red; "],
        ),
        (
            ["--parts", "table", "--set", "tcp.flavour=reno"],
            ["--parts table: choose from", "--set tcp.flavour=reno: unknown key"],
        ),
        (["--webs", "9"], ["--webs 9: choose from 8, 16, 32"]),
        (["--iw", "5"], ["--iw 5: choose from 1, 2, 3, 4"]),
        (["--http", "2"], ["--http 2: choose from 1.0, 1.1"]),
        (["--page-clock", "syn"], ["Invalid value"]),
        (["--set", "tcp.minrto=1 s"], ["unknown key; did you mean tcp.min_rto?"]),
        (["--set", "variables.reverse=2"], ["the part reverse sets it itself"]),
        (["--webs", "9", "--set", "a=1", "--jobs", "0"], ["--jobs 0", "--webs 9", "a=1"]),
    ],
    "newreno": [
        (["--replications", "0"], ["--replications 0: at least 1 is needed"]),
        (["--parts", "burst"], ["--parts burst: choose from bursty, variants, bernoulli"]),
        (["--set", "tcp.minrto=1 s"], ["unknown key; did you mean tcp.min_rto?"]),
        (["--set", "variables.rate=20 Mbit/s"], ["the parts bursty, variants, scaling"]),
        (
            ["--parts", "burst", "--set", "a=1", "--jobs", "0"],
            ["--jobs 0", "--parts burst", "a=1"],
        ),
    ],
    "osu-tasks": [
        (["--parts", "windos"], ["--parts windos: choose from policies, buffers"]),
        (["--replications", "0"], ["--replications 0: at least 1 is needed"]),
        (["--set", "tcp.smss=512"], ["--set tcp.smss=512: the parts policies and "]),
        (["--parts", "windows", "--set", "foo=1"], ["--set foo=1"]),
        (
            ["--parts", "buffers", "--set", "tcp.min_rto=1", "--set", "seed=2"],
            ["--set seed=2: the option --seed gives it"],
        ),
    ],
}
"""What is typed, and what each message on standard error says."""
LISTED = {
    "rfc2415": ("tcp.min_rto", "workload.sizes_interpolation", "topology.pairs"),
    "newreno": ("variables.udp_off", "tcp.recovery_samples", "topology.long_flows"),
    "abr-web": ("topology.abr.icr", "workload.first_alone", ""),
    "osu-tasks": ("variables.measured_rtts", "tcp.historic.retransmit_wait", ""),
}
"""Settings that are listed, and one that means nothing beside what else the file says."""


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def reproduced(name, out, words):
    """The rows of a file of the result, by its name."""
    assert main(["reproduce", name, "--out", str(out), *shlex.split(words)]) == 0
    return lambda table="runs": rows(out / f"{table}.csv")


def check_ubr_web(table):
    runs = table()
    assert [run["drop_policy"] for run in runs] == ["EPD", "EPD", "SD", "SD"]
    starved = [int(run["starved_servers"]) for run in runs]
    assert max(starved) > 0
    # Jain's index of 100 servers, some of which got nothing.
    for number, run in zip(starved, runs, strict=True):
        assert float(run["fairness"]) <= 1 - number / 100
    for row in table("comparison"):
        ends = [float(row[name]) for name in ("run_lo", "lo", "simulated", "hi", "run_hi")]
        assert ends == sorted(ends)


def check_abr_web(table):
    runs = table()
    assert [run["part"] for run in runs] == ["table2"] * 2 + ["service"] * 13
    for run in runs:
        assert float(run["throughput_bit_s"]) > 0
        assert int(run["requests"]) >= int(run["answered"]) > 0
        if run["service"] == "ABR":
            assert run["cells_lost"] == "0"


def check_rfc2415(table):
    runs = table()
    assert [run["part"] for run in runs] == ["tables"] * 4 + ["half-and-half"] * 9 + ["red"] * 6
    for run in runs:
        assert float(run["goodput_mb"]) > 0
        assert float(run["page_delay_no_setup_s"]) < float(run["page_delay_open_s"])
        assert (run["ftps"] != "0") == (float(run["ftp_goodput_mb"]) > 0)
        assert (run["variant"] == "half at IW 3") == (float(run["new_goodput_mb"]) > 0)


def check_newreno(table):
    runs = table()
    assert len(runs) == 16 + 12 + 8 + 6
    for run in runs:
        assert float(run["newreno_throughput_bit_s"]) > 0
        assert (run["reno_throughput_bit_s"] == "") == (run["part"] == "emulation")
        assert float(run["newreno_rtt_s"]) >= 0.05
    lossy = next(run for run in runs if run["part"] == "bernoulli" and run["x"] == "10.000000")
    share = float(lossy["newreno_segments_lost"]) / float(lossy["newreno_segments_sent"])
    assert 0.05 < share < 0.15


def check_osu_tasks(table):
    runs = table("windows-runs")
    assert len(runs) == 8
    for run in runs:
        # Three seconds are some five round trips of slow start.
        assert 1024 <= float(run["max_cwnd_bytes"]) <= 65536
        assert 0 < float(run["efficiency"]) < 0.01
    assert len(table("retransmit-runs")) == 24
    claims = table("claims")
    assert len(claims) == 14
    assert {claim["holds"] for claim in claims} <= {"", "undecided", "false"}
    assert {claim["reached"] for claim in claims} == {""}


LEFT = [
    (
        "ubr-web",
        f"{QUICK['ubr-web']} --replications 2",
        "results runs comparison claims",
        "traced scenario.toml design.json journal.jsonl provenance.json .lock",
        "None of the paper's 27 conclusions can be decided without levels that were not run.",
        check_ubr_web,
    ),
    (
        "abr-web",
        "--set 'duration=2 s' --servers 1,3",
        "results runs comparison services claims",
        "table2 service watched",
        "Table 2",
        check_abr_web,
    ),
    (
        "rfc2415",
        "--set 'duration=20 s' --webs 8 --iw 1,3 --ftps 0,1 --http 1.0 "
        "--parts tables,half-and-half,red",
        "results runs comparison changes half_and_half claims",
        "tables half-and-half red",
        "Table 1, HTTP/1.0",
        check_rfc2415,
    ),
    (
        "newreno",
        "--set 'duration=12 s' --parts bernoulli,background,udp,emulation,internet",
        "results runs errors trust emulation internet claims",
        "bernoulli background udp emulation",
        "Mean prediction errors",
        check_newreno,
    ),
    (
        "newreno",
        "--parts internet",
        "internet claims",
        "",
        "None of the paper's 12 conclusions can be decided without parts that were not run.",
        lambda table: None,
    ),
    (
        "osu-tasks",
        QUICK["osu-tasks"],
        "windows-results windows-runs retransmit-results retransmit-runs claims",
        "windows retransmit",
        "12 cannot be decided without parts that were not run.",
        check_osu_tasks,
    ),
]
"""What is typed; tables and folders that it leaves, what it says, and what its runs have."""


@pytest.mark.parametrize(("name", "words", "tables", "folders", "says", "check"), LEFT)
def test_a_study_leaves_its_files_and_says_where(
    name, words, tables, folders, says, check, tmp_path, capsys
):
    out = tmp_path / "new" / "out"
    table = reproduced(name, out, words)
    files = {f"{each}.csv" for each in tables.split()} | {"report.html"}
    assert {path.name for path in out.iterdir()} == files | set(folders.split())
    said = capsys.readouterr()
    assert says in " ".join(said.out.split())
    assert f"the report is {out / 'report.html'}" in said.out
    assert name != "rfc2415" or said.err == "0 of 19 runs done\n"
    check(table)


def test_every_service_sees_the_same_first_requests(tmp_path):
    words = "--set 'duration=2 s' --servers 3 --parts service"
    assert len({run["seed"] for run in reproduced("abr-web", tmp_path, words)()}) == 1


def test_both_versions_of_http_and_all_windows_see_the_same_pages(tmp_path):
    words = "--set 'duration=20 s' --webs 8 --ftps 0 --parts tables"
    runs = reproduced("rfc2415", tmp_path, words)()
    assert len({run["seed"] for run in runs}) == 1
    goodputs = [float(run["goodput_mb"]) for run in runs]
    # The pages are the same; how many of them are asked for in 20 s is not.
    assert max(goodputs) < 1.5 * min(goodputs)


@pytest.mark.parametrize("name", QUICK)
def test_the_same_bytes_with_any_number_of_jobs(name, tmp_path):
    written = []
    for jobs in ("1", "2"):
        out = tmp_path / jobs
        reproduced(name, out, f"--jobs {jobs} {QUICK[name]}")
        files = [path for path in out.iterdir() if path.is_file() and path.name not in OF_ONE_CALL]
        written.append({path.name: path.read_bytes() for path in files})
    assert written[0] == written[1]


@pytest.mark.parametrize(
    ("name", "words", "messages"),
    [(name, *row) for name, rows in WRONG.items() for row in rows],
)
def test_bad_input_has_its_messages_and_nothing_is_written(name, words, messages, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["reproduce", name, "--out", str(out), *words]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(messages)
    for line, message in zip(lines, messages, strict=True):
        assert line.startswith("ackclock: ")
        assert message in line
    assert not out.exists()


@pytest.mark.parametrize("name", LISTED)
def test_all_settings_are_listed(name, capsys):
    assert main(["reproduce", name, "--list-settings"]) == 0
    text = capsys.readouterr().out
    *there, not_there = LISTED[name]
    assert all(key in text for key in there)
    assert not not_there or not_there not in text
