"""Links that change: steps in the scenario and in CSV files, traces of mahimahi, and models."""

import pytest

from ackclock.scenario import load
from ackclock.scenario.files import FileError
from ackclock.scenario.paths import Step, parse_steps, parse_trace
from ackclock.scenario.plan import canonical_json

MS = 10**9
BOTTLENECK = """
title = "path"
duration = "10 s"
[topology]
kind = "dumbbell"
[topology.bottleneck]
rate = "20 Mbit/s"
delay = "20 ms"
"""


def bottleneck(tmp_path, text, **files):
    """The plan of the link between the routers, in the direction of the data."""
    for name, content in files.items():
        (tmp_path / name.replace("_", ".")).write_text(content, encoding="utf-8")
    path = tmp_path / "path.toml"
    path.write_text(BOTTLENECK + text, encoding="utf-8")
    return load(path).points()[0].compile().plan["links"]


def how(tmp_path, text, **files):
    forward, reverse = bottleneck(tmp_path, text, **files)[:2]
    assert forward["varies"] == reverse["varies"]
    return forward["varies"]["how"]


def step(at_ms, mbps, delay_ms, loss_ppb=0):
    return {
        "at_ps": at_ms * MS,
        "rate_bps": mbps * 10**6,
        "delay_ps": delay_ms * MS,
        "loss_ppb": loss_ppb,
    }


def test_a_link_without_changes_has_none(tmp_path):
    assert "varies" not in bottleneck(tmp_path, "")[0]


def test_what_a_step_does_not_say_stays(tmp_path):
    found = how(
        tmp_path,
        """
schedule = [
  { at = "2 s", rate = "5 Mbit/s" },
  { at = "3 s", delay = "40 ms", loss = "1 %" },
  { at = "4 s", up = false },
  { at = "5 s", up = true, loss = 0 },
]
schedule_period = "6 s"
""",
    )
    assert found == {
        "kind": "steps",
        "period_ps": 6000 * MS,
        "steps": [
            step(0, 20, 20),
            step(2000, 5, 20),
            step(3000, 5, 40, 10**7),
            step(4000, 0, 40, 10**7),
            step(5000, 5, 40),
        ],
    }


def test_a_step_at_the_start_replaces_the_values_of_the_link(tmp_path):
    found = how(tmp_path, 'schedule = [{ at = "0 s", rate = "1 Mbit/s" }]')
    assert found["steps"] == [step(0, 1, 20)]


def test_steps_from_a_csv_file(tmp_path):
    csv = "# a walk\ntime_s,rate_mbit_s,delay_ms,up\n1.5,2.5,,1\n2,,30,0\n"
    found = how(tmp_path, 'varies = { kind = "csv", file = "walk.csv" }', walk_csv=csv)
    assert found["period_ps"] is None
    assert found["steps"] == [
        step(0, 20, 20),
        {**step(1500, 2, 20), "rate_bps": 2_500_000},
        step(2000, 0, 30),
    ]


def test_a_trace_of_mahimahi_as_it_is_and_as_a_rate(tmp_path):
    trace = "1\n3\n3\n5\n"
    exact = how(tmp_path, 'varies = { kind = "mahimahi", file = "a.down" }', a_down=trace)
    assert exact == {
        "kind": "opportunities",
        "times": [[1 * MS, 1], [3 * MS, 2], [5 * MS, 1]],
        "period_ps": 5 * MS,
        "bytes": 1504,
    }
    fluid = how(
        tmp_path,
        'varies = { kind = "mahimahi", file = "a.down", reading = "fluid", '
        'opportunity = "1500 B" }',
        a_down=trace,
    )
    rates = [(each["at_ps"] // MS, each["rate_bps"]) for each in fluid["steps"]]
    assert rates == [(0, 12 * 10**6), (1, 0), (2, 24 * 10**6), (3, 0), (4, 12 * 10**6)]
    assert parse_trace("a", trace).mean_rate(1500) == 9_600_000


def test_the_other_direction_may_change_in_another_way(tmp_path):
    forward, reverse = bottleneck(
        tmp_path,
        'varies = { kind = "starlink" }\nreverse_varies = { kind = "wifi" }',
    )[:2]
    assert forward["varies"]["how"]["kind"] == "starlink"
    assert reverse["varies"] == {
        "number": 0,
        "how": {"kind": "wifi", "contention_ps": MS, "txop_ps": 4 * MS},
    }


@pytest.mark.parametrize("kind", ["starlink", "lte", "wifi"])
def test_every_model_runs_without_another_key(tmp_path, kind):
    from ackclock import _core

    path = tmp_path / "path.toml"
    path.write_text(BOTTLENECK + f'varies = {{ kind = "{kind}" }}', encoding="utf-8")
    columns = _core.run(canonical_json(load(path).points()[0].compile().plan), 1)
    received = columns["flows"]["delivered_bytes"].sum()
    assert 1_000_000 < received < 25_000_000


def test_a_queue_in_time_is_what_the_link_sends_in_it(tmp_path):
    link = bottleneck(tmp_path, 'queue = { limit = "50 ms" }')[0]
    assert link["queue"]["limit_bytes"] == 125_000


@pytest.mark.parametrize(
    ("csv", "reasons"),
    [
        ("", ["a.csv is empty; write for example time_s,rate_mbit_s,delay_ms and below it lines"]),
        ("time_s,rat_mbit_s\n", ['there is no column "rat_mbit_s"; did you mean "rate_mbit_s"?']),
        ("rate_mbit_s\n1\n", ["column time_s is missing"]),
        ("time_s\n1\n", ["only times are there"]),
        ("time_s,time_ms,up\n", ["time_s and time_ms both say the time; write one of them"]),
        ("time_s,up\n", ["there is no line below the header; write lines like 20.5,1"]),
        ("time_s,up\n1,2\n", ["a.csv, line 2, column up: 2 is neither 0 nor 1; write it like 1"]),
        ("time_s,up\n1,0.4\n", ["a.csv, line 2, column up: 0.4 is neither 0 nor 1"]),
        (
            "time_s,loss\n1,1.1\n",
            ["column loss: 1.1 is not a number from 0 to 1; write it like 0.01"],
        ),
        (
            "time_s,rate_bit_s\n1,1e5\nx,-1\n",
            ["column time_s: x is not a number from 0 to", "column rate_bit_s: -1 is not a number"],
        ),
        ("time_s,up\n1\n", ['a.csv, line 2: "1": write 2 values like 20.5,1']),
        ("time_s,up\n2,1\n2,0\n", ["a.csv, line 3: the time is not after that of the line before"]),
    ],
)
def test_a_csv_file_that_cannot_be_used(csv, reasons):
    with pytest.raises(FileError) as error:
        parse_steps("a.csv", csv)
    assert len(error.value.reasons) == len(reasons)
    assert all(each in said for each, said in zip(reasons, error.value.reasons, strict=True))


@pytest.mark.parametrize(
    ("trace", "reason"),
    [
        ("", "a is empty; write a millisecond in each line, such as 1"),
        ("1\n2.5\n", "a, line 2: 2.5 is not a whole number of milliseconds; write it like 17"),
        ("5\n2\n", "a, line 2: 2 is before 5, the line above; write them in order"),
        ("0\n0\n", "a: the last time stamp is 0; it must be above 0"),
    ],
)
def test_a_trace_that_cannot_be_used(trace, reason):
    with pytest.raises(FileError) as error:
        parse_trace("a", trace)
    assert error.value.reasons == [reason]


def test_a_file_has_all_steps():
    assert parse_steps("a", "time_ms,loss\n0,0.5\n7,\n").steps == (
        Step(0, loss=5 * 10**8),
        Step(7 * MS),
    )
