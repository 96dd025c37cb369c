"""``ackclock reproduce`` as it is typed, for every study; short runs of the real core."""

import pytest

from ackclock.cli import main

QUICK = {
    "ubr-web": ["--set", "duration=3 s", "--links", "WAN", "--buffers", "1", "--flavors", "SACK"],
    "rfc2415": [
        "--set",
        "duration=20 s",
        "--webs",
        "8",
        "--iw",
        "1,3",
        "--ftps",
        "1",
        "--parts",
        "tables,reverse",
    ],
    "newreno": ["--set", "duration=12 s", "--parts", "buffer,bursty"],
    "abr-web": ["--set", "duration=2 s", "--servers", "3"],
    "osu-tasks": ["--parts", "windows,retransmit", "--set", "duration=3 s", "warm_up=0 s"],
}
"""Words with which a study takes a second or two."""
WRONG = {
    "abr-web": [
        (["--replications", "0"], ["--replications 0: at least 1 is needed"]),
        (["--parts", "table"], ["--parts table: choose from table2, service; did you mean table2"]),
        (["--servers", "16"], ["--servers 16: choose from 1, 2, 3, 4, 5, 6"]),
        (["--set", "topology.abr.irc=1 Mbit/s"], ["unknown key; did you mean topology.abr.icr?"]),
        (["--parts", "service", "--servers", "2"], ["there is no such point"]),
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


@pytest.mark.parametrize("name", QUICK)
def test_the_same_bytes_with_any_number_of_jobs(name, tmp_path):
    written = []
    for jobs in ("1", "2"):
        out = tmp_path / jobs
        words = ["reproduce", name, "--out", str(out), "--jobs", jobs, *QUICK[name]]
        assert main(words) == 0
        written.append({path.name: path.read_bytes() for path in out.iterdir() if path.is_file()})
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
