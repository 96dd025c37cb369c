"""What ``check`` and ``explain`` say of links that change, of queues and of DSCPs; ``--set``."""

from fractions import Fraction

import pytest

from ackclock import _core
from ackclock.cli import main
from ackclock.errors import InputError
from ackclock.scenario import load
from ackclock.scenario.compile.paths import Change
from ackclock.scenario.json_documents import point_document
from ackclock.scenario.model.queues import DISCIPLINES
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.queue_time import seconds_of_one
from ackclock.scenario.summary import apart_rows, link_rows
from ackclock.scenario.summary_of_paths import NOTE, change_rows
from plan_checker import check_plan
from scenario_texts import DUMBBELL, GRAPH

LINK = "topology.bottleneck"
QUEUE = f"{LINK}.queue"
S, MBIT = 10**12, 10**6
STEPS = [
    f'{LINK}.schedule=[{{ at = "2 s", rate = "2 Mbit/s" }}, {{ at = "4 s", up = false }}, '
    '{ at = "5 s", up = true, delay = "9 ms", loss = "1 %" }]'
]


def point(*sets, text=DUMBBELL, files=None):
    document = text if files is None else f"{text}{files}"
    (found,) = load(document, sets).points()
    check_plan(found.compile().plan)
    return found


def rows(*sets, **others):
    return change_rows(point(*sets, **others).scenario)


def refused(*sets):
    with pytest.raises(InputError) as error:
        load(DUMBBELL, sets)
    return error.value.messages


@pytest.mark.parametrize("kind", DISCIPLINES)
def test_every_discipline_needs_no_key_and_shows_what_is_on(kind):
    found = point(f"{QUEUE}.kind={kind}")
    text = link_rows(found.scenario)[0].queue
    assert "off" not in text
    on = [each for each in DISCIPLINES[kind].parameters if each.default not in (None, False)]
    assert all(each.name in text for each in on)
    # Numbers have their unit.
    for each in on:
        written = each.kind.write(each.default)
        if kind != "red" and written is not True:
            assert f"{each.name} {written}" in text


def test_what_is_switched_on_is_shown():
    text = link_rows(point(f"{QUEUE}.kind=fq_codel", f"{QUEUE}.ce_threshold=1 ms").scenario)[0]
    assert "ce_threshold 1 ms" in text.queue


def test_a_queue_in_time_is_told_in_bytes_packets_and_round_trips():
    (row, *_) = link_rows(point(f"{QUEUE}.limit=50 ms").scenario)
    assert row.queue == "62500 B = 41 packets = 50 ms = 1.25 rtt"
    (row, *_) = link_rows(point(f"{QUEUE}.limit=1 ms").scenario)
    assert row.queue == "6 kB = 4 packets (the least) = 4.8 ms = 0.12 rtt"


def test_a_schedule_is_told_with_its_mean_rate_and_what_a_full_queue_takes():
    (row,) = rows(*STEPS)
    assert row.name == "r1 -> r2 and 1 more"
    assert row.changes == "at 2 s rate 2 Mbit/s; at 4 s down; at 5 s delay 9 ms, loss 0.01, up"
    # 2 s at 10 Mbit/s, 1 s of nothing, 7 s at 2 Mbit/s; and 50 kB.
    assert (row.mean_rate, row.full_queue) == ("3.4 Mbit/s", "118 ms")
    assert rows() == []


def test_a_long_schedule_is_cut_short():
    steps = ", ".join(f'{{ at = "{at} s", rate = "{at} Mbit/s" }}' for at in range(1, 10))
    (row,) = rows(f"{LINK}.schedule=[{steps}]", f"{LINK}.schedule_period=10 s")
    assert row.changes.count("at ") == 6
    assert row.changes.endswith("; 3 more; at 9 s rate 9 Mbit/s; repeats every 10 s")


FILES = """
[files]
"walk.csv" = "time_s,rate_mbit_s,delay_ms,up\\n1,2.5,,\\n2,,30,0\\n3,4,20,1\\n"
"cell.down" = "1\\n3\\n3\\n5\\n"
"""


@pytest.mark.parametrize(
    ("varies", "changes", "mean_rate"),
    [
        (
            'kind = "csv", file = "walk.csv", period = "4 s"',
            "walk.csv: 3 steps at 1 s to 3 s, rate 2.5 Mbit/s to 4 Mbit/s, delay 20 ms to 30 ms, "
            "down 1 time; repeats every 4 s",
            # 16.5 Mbit in 4 s, and 12.5 Mbit in the last 2 s of 10.
            "4.55 Mbit/s",
        ),
        (
            'kind = "mahimahi", file = "cell.down"',
            "cell.down: 4 opportunities of 1504 B; repeats every 5 ms",
            "9.63 Mbit/s",
        ),
        (
            'kind = "mahimahi", file = "cell.down", reading = "fluid", opportunity = "1500 B"',
            "cell.down: 4 opportunities of 1500 B, read as a rate; repeats every 5 ms",
            "9.6 Mbit/s",
        ),
        ('kind = "wifi", txop = "2 ms"', "wifi contention 1 ms, txop 2 ms", "10 Mbit/s"),
    ],
)
def test_each_kind_of_path_is_told(varies, changes, mean_rate):
    (row,) = rows(f"{LINK}.varies={{ {varies} }}", files=FILES)
    assert (row.changes, row.mean_rate) == (changes, mean_rate)


def test_each_direction_is_told_if_they_differ():
    sets = [*STEPS, f'{LINK}.reverse_varies={{ kind = "wifi" }}']
    assert [row.name for row in rows(*sets)] == ["r1 -> r2", "r2 -> r1"]


def test_the_mean_rate_is_that_of_the_run():
    schedule = point(*STEPS).scenario.topology.bottleneck.schedule
    once, anew = Change(schedule, None, None, 0), Change(schedule, 6 * S, None, 0)
    assert [once.mean_rate(10 * MBIT, end * S) for end in (1, 3, 4, 5)] == [
        10 * MBIT,
        Fraction(22 * MBIT, 3),
        6 * MBIT,
        Fraction(24 * MBIT, 5),
    ]
    assert anew.mean_rate(10 * MBIT, 6 * S) == anew.mean_rate(10 * MBIT, 12 * S)
    assert anew.mean_rate(10 * MBIT, 7 * S) == Fraction(36 * MBIT, 7)


def test_a_link_of_a_graph_may_change_alone():
    (row,) = rows('topology.links[0].varies={ kind = "lte" }', text=GRAPH)
    assert row.changes.startswith("lte users 8, coherence 30 ms, snr 10, ")


def test_explain_prints_it_with_what_counts_for_limits(tmp_path, capsys):
    path = tmp_path / "path.toml"
    path.write_text(DUMBBELL)
    assert main(["explain", str(path), "--set", STEPS[0]]) == 0
    said = capsys.readouterr().out
    assert "Links that change" in said
    assert NOTE in said
    assert main(["explain", str(path)]) == 0
    assert "Links that change" not in capsys.readouterr().out


def test_the_document_has_the_changes_the_words_of_queues_and_dscps():
    sets = [*STEPS, f"{QUEUE}.kind=pie", "flows=[{ dscp = 'EF' }, { name = 'b', dscp = 3 }]"]
    found = point(*sets, f'{LINK}.reverse_varies={{ kind = "wifi" }}')
    its = point_document(load(DUMBBELL), found)["point"]
    forward, reverse, access = its["links"]
    assert forward["schedule"] == [
        {"at_s": 2, "rate_bit_s": 2 * MBIT},
        {"at_s": 4, "up": False},
        {"at_s": 5, "delay_s": Fraction(9, 1000), "loss": Fraction(1, 100), "up": True},
    ]
    assert (forward["varies"], forward["mean_rate_bit_s"]) == (None, 3.4e6)
    assert reverse["schedule"] == []
    assert reverse["varies"] == {
        "kind": "wifi",
        "contention_s": Fraction(1, 1000),
        "txop_s": Fraction(4, 1000),
    }
    assert (access["varies"], access["schedule"], access["mean_rate_bit_s"]) == (None, [], 1e9)
    assert forward["queue"]["delay"] == "timestamp"
    assert forward["queue"]["target_s"] == Fraction(15, 1000)
    assert forward["queue"]["ecn"] is False
    assert [each["dscp"] for each in its["flows"]] == [46, 3]
    off = point_document(load(DUMBBELL), point(f"{QUEUE}.kind=codel"))["point"]["links"][0]
    assert off["queue"]["ce_threshold"] == "off"


def test_a_dscp_is_told_by_its_name_and_best_effort_is_not():
    flows = "flows=[{ name = 'voice', dscp = 'EF' }, { name = 'other', dscp = 3 }, { name = 'c' }]"
    found = point(flows)
    assert [(row.name, row.dscp) for row in apart_rows(found.scenario)] == [
        ("voice", "EF"),
        ("other", "3"),
    ]
    assert [flow.get("dscp", 0) for flow in found.compile().plan["flows"]] == [46, 3, 0]


@pytest.mark.parametrize(
    "sets",
    [
        [f"{LINK}.varies.kind=lte", f"{LINK}.varies.users=3"],
        [f"{LINK}.varies.kind=starlink", f"{LINK}.reverse_varies.kind=wifi"],
        [*STEPS, f"{LINK}.schedule[1].at=3 s", f"{LINK}.schedule_period=30 s"],
        [*STEPS, f"{LINK}.schedule[0].rate== {LINK}.rate / 4"],
        ["flows=[{}]", "flows[0].dscp=AF41"],
        [f"{QUEUE}.kind=dualpi2", f"{QUEUE}.l_aqm=ramp", f"{QUEUE}.alpha=0.3 Hz"],
        [f"{QUEUE}.limit=25 ms"],
    ],
)
def test_every_new_key_can_be_set(sets):
    assert point(*sets).compile().plan != point().compile().plan


def test_kinds_of_paths_and_values_of_steps_can_be_swept():
    def changes(sets, factors):
        scenario = load(DUMBBELL, [*sets, f"sweep.factors={{ {factors} }}"])
        plans = (each.compile().plan for each in scenario.points())
        return [plan["links"][0]["varies"]["how"] for plan in plans]

    kinds = changes([], f'"{LINK}.varies.kind" = ["lte", "wifi"]')
    assert [how["kind"] for how in kinds] == ["lte", "wifi"]
    rates = changes(STEPS, f'"{LINK}.schedule[0].rate" = ["1 Mbit/s", "2 Mbit/s"]')
    assert [how["steps"][1]["rate_bps"] for how in rates] == [MBIT, 2 * MBIT]


def test_a_packet_has_no_time_on_a_link_whose_rate_changes():
    for sets, is_known in (([], True), (STEPS, False)):
        compiled = point(*sets).compile()
        assert (seconds_of_one(compiled, 0) is not None) == is_known


def test_bounds_of_parameters_are_told_as_the_core_has_them():
    """The core takes the last value that check accepts."""
    for kind, name, fits, beyond in (
        ("fq_codel", "flows", "65536", "65537"),
        ("fq_pie", "quantum", "1 MB", "1000001 B"),
        ("fq", "initial_quantum", "1 GB", "1000000001 B"),
        ("cake", "rate", "512 bit/s", "511 bit/s"),
        ("cake", "mpu", "65535 B", "65536 B"),
        ("dualpi2", "t_update", "1 us", "999999 ps"),
        ("policer", "burst", "1500 B", "1499 B"),
    ):
        sets = [f"{QUEUE}.kind={kind}", "duration=10 ms"]
        plan = point(*sets, f"{QUEUE}.{name}={fits}").compile().plan
        assert _core.run(canonical_json(plan), 1)["flows"]["scheduled_bytes"][0] > 0
        (message,) = refused(*sets, f"{QUEUE}.{name}={beyond}")
        assert "; write " in message
