"""The points of a sweep."""

from fractions import Fraction
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ackclock.errors import InputError
from ackclock.scenario import load
from ackclock.scenario.plan import plan_hash
from scenario_texts import ATM, DUMBBELL, EVERYTHING


def levels(factors, design="", text=DUMBBELL, sets=()):
    scenario = load(f"{text}\n[sweep]\n{design}\n[sweep.factors]\n{factors}\n", sets)
    return [point.levels for point in scenario.points()]


def refused(factors, design="", text=DUMBBELL):
    with pytest.raises(InputError) as error:
        levels(factors, design, text)
    return "\n".join(error.value.messages)


def test_without_a_sweep_there_is_one_point():
    (point,) = load(DUMBBELL).points()
    assert (point.number, point.levels, str(point)) == (0, {}, "")
    assert point.scenario.points()[0].compile().plan == point.compile().plan


def test_a_cross_has_all_combinations_the_last_factor_first():
    found = levels('"tcp.flavor" = ["reno", "sack"]\n"tcp.initial_window" = [1, 10]')
    assert found == [
        {"tcp_flavor": "reno", "tcp_initial_window": 1},
        {"tcp_flavor": "reno", "tcp_initial_window": 10},
        {"tcp_flavor": "sack", "tcp_initial_window": 1},
        {"tcp_flavor": "sack", "tcp_initial_window": 10},
    ]


def test_a_zip_takes_the_levels_side_by_side():
    found = levels(
        '"tcp.flavor" = ["reno", "sack"]\n"tcp.initial_window" = [1, 10]', 'design = "zip"'
    )
    assert found == [
        {"tcp_flavor": "reno", "tcp_initial_window": 1},
        {"tcp_flavor": "sack", "tcp_initial_window": 10},
    ]


def test_a_list_says_each_point():
    text = (
        DUMBBELL
        + """
[variables]
k = 1
[sweep]
design = "list"
[sweep.factors.buffer]
small = { "topology.bottleneck.queue.limit" = "10 packets" }
large = { "topology.bottleneck.queue.limit" = "100 packets" }
[[sweep.points]]
tcp.flavor = "reno"
k = 2
buffer = "small"
[[sweep.points]]
"tcp.flavor" = "sack"
k = 3
buffer = "large"
"""
    )
    points = load(text).points()
    assert [point.levels for point in points] == [
        {"tcp_flavor": "reno", "k": 2, "buffer": "small"},
        {"tcp_flavor": "sack", "k": 3, "buffer": "large"},
    ]
    queues = [point.compile().plan["links"][0]["queue"]["limit_packets"] for point in points]
    assert queues == [10, 100]


@pytest.mark.parametrize(
    ("factor", "column", "values"),
    [
        ('"topology.bottleneck.delay" = ["10 ms", "1 s"]', "_s", [0.01, 1.0]),
        ('"topology.bottleneck.rate" = ["1 Mbit/s", "2.5 kbit/s"]', "_bit_s", [10**6, 2500]),
        ('"tcp.smss" = ["536 B", "1.46 kB"]', "_bytes", [536, 1460]),
        ('"tcp.receive_buffer" = ["= 3 * 65536", "64 KiB"]', "_bytes", [196_608, 65_536]),
        ('"tcp.delayed_ack" = ["40 ms", "200 ms"]', "_s", [0.04, 0.2]),
        ('"tcp.delayed_ack" = ["off", "200 ms"]', "", ["off", "200 ms"]),
        ('"tcp.initial_ssthresh" = ["unlimited", "64 kB"]', "", ["unlimited", "64 kB"]),
        ('"tcp.window_scale" = ["auto", 3]', "", ["auto", "3"]),
        ('"tcp.nagle" = [true, false]', "", [True, False]),
        ('"workload.start" = ["0 s", "500 ms"]', "_s", [0.0, 0.5]),
        ('"topology.bottleneck.queue.limit" = ["9 packets", "99 packets"]', "_packets", [9, 99]),
        ('"topology.bottleneck.queue.limit" = ["9 kB", "0.9 MB"]', "_bytes", [9000, 900_000]),
        ('"topology.bottleneck.queue.limit" = ["0.5 rtt", "2 rtt"]', "_rtt", [0.5, 2.0]),
        ('"topology.bottleneck.queue.limit" = ["9 kB", "2 rtt"]', "", ["9 kB", "2 rtt"]),
        ('"clock.phase" = ["open", "uniform 1 ms"]', "", ["open", "uniform 1 ms"]),
        ("k = [1, 2]", "", [1, 2]),
        ("k = [0.5, 1]", "", [0.5, 1.0]),
        ('k = ["1 ms", "2 s"]', "_s", [0.001, 2.0]),
        ('k = ["a", "b"]', "", ["a", "b"]),
        ("k = [[1, 2], [3]]", "", ["[1, 2]", "[3]"]),
        ('k = ["= 1 / 4", "= 1 / 3"]', "", [0.25, float(Fraction(1, 3))]),
    ],
)
def test_a_column_has_the_unit_in_its_name(factor, column, values):
    found = levels(factor, text=DUMBBELL + "[variables]\nk = 1\n")
    key = factor.partition(" = ")[0].strip('"').replace(".", "_")
    assert found == [{key + column: value} for value in values]
    assert [type(point[key + column]) for point in found] == [type(value) for value in values]


def test_a_share_is_a_plain_number():
    assert levels('"topology.port.r" = [0.5, "90 %"]', text=ATM) == [
        {"topology_port_r": 0.5},
        {"topology_port_r": 0.9},
    ]


def test_an_element_of_a_list_of_tables_can_be_swept():
    text = DUMBBELL + '[[flows]]\nname = "a"\n[[flows]]\nname = "b"\n'
    found = levels('"flows[1].tcp.flavor" = ["reno", "sack"]', text=text)
    assert found == [{"flows_1_tcp_flavor": "reno"}, {"flows_1_tcp_flavor": "sack"}]
    factor = '[sweep.factors.flows_of]\ntwo = { flows = [{ name = "x" }, { name = "y" }] }'
    scenario = load(text + factor)
    assert scenario.points()[0].compile().facts.flow_names == ("x", "y")


def test_a_named_level_may_set_a_whole_table():
    text = (
        DUMBBELL
        + """
[sweep.factors.traffic]
one = { workload = { kind = "bulk", size = "1 MB" } }
web = { workload = { kind = "www_batches", period = "5 s" }, "tcp.smss" = "536 B" }
"""
    )
    kinds = [point.scenario.workload.kind for point in load(text).points()]
    assert kinds == ["bulk", "www_batches"]


def test_the_kind_of_the_topology_can_be_swept():
    text = DUMBBELL.replace('"dumbbell"', '"dumbbell"\naccess = { delay = "1 ms" }')
    found = load(text + '[sweep.factors]\n"topology.kind" = ["dumbbell", "parking_lot"]\n').points()
    flows = [len(point.compile().facts.flow_names) for point in found]
    assert flows == [1, 4]


def test_a_key_that_only_the_sweep_sets_need_not_be_written():
    text = DUMBBELL.replace(', delay = "20 ms"', "")
    found = levels('"topology.bottleneck.delay" = ["1 ms", "2 ms"]', text=text)
    assert len(found) == 2


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{ from = "10 ms", to = "40 ms", count = 4 }', [0.01, 0.02, 0.03, 0.04]),
        ('{ from = "10 ms", to = "45 ms", step = "10 ms" }', [0.01, 0.02, 0.03, 0.04]),
        ('{ from = "1 ms", to = "1 s", count = 4, scale = "log" }', [0.001, 0.01, 0.1, 1.0]),
        (
            '{ from = "10 ms", to = "100 ms", count = 4, scale = "log" }',
            [0.01, 0.0215443, 0.0464159, 0.1],
        ),
    ],
)
def test_a_range_of_times(text, values):
    found = levels(f'"topology.bottleneck.delay" = {text}')
    assert [point["topology_bottleneck_delay_s"] for point in found] == values


@pytest.mark.parametrize(
    ("key", "text", "values"),
    [
        ("tcp.initial_window", "{ from = 1, to = 10, count = 4 }", [1, 4, 7, 10]),
        ("tcp.initial_window", "{ from = 1, to = 100, count = 3, scale = 'log' }", [1, 10, 100]),
        ("tcp.initial_window", "{ from = 1, to = 8, count = 3 }", [1, 4, 8]),
        (
            "topology.bottleneck.queue.limit",
            "{ from = '10 packets', to = '40 packets', step = '15 packets' }",
            [10, 25, 40],
        ),
        (
            "topology.bottleneck.queue.limit",
            "{ from = '0.5 rtt', to = '2 rtt', count = 3, scale = 'log' }",
            [0.5, 1.0, 2.0],
        ),
        ("k", "{ from = 0, to = 1, count = 3 }", [0.0, 0.5, 1.0]),
        ("k", "{ from = 0, to = 1, count = 4 }", [0.0, 1 / 3, 2 / 3, 1.0]),
        ("k", "{ from = '1 ms', to = '3 ms', step = '1 ms' }", [0.001, 0.002, 0.003]),
    ],
)
def test_ranges_of_other_values(key, text, values):
    text = text.replace("'", '"')
    found = levels(f'"{key}" = {text}', text=DUMBBELL + "[variables]\nk = 1\n")
    assert [next(iter(point.values())) for point in found] == values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{ from = "10 ms" }', "a range has from and to"),
        ('{ from = "10 ms", to = "20 ms", count = 1 }', "count must be a whole number from 2"),
        ('{ from = "10 ms", to = "20 ms", count = 2.5 }', "count must be a whole number from 2"),
        ('{ from = "10 ms", to = "20 ms", step = "0 ms" }', "step must be above 0"),
        ('{ from = "10 ms", to = "20 ms", count = 3, step = "1 ms" }', "either count or step"),
        ('{ from = "10 ms", to = "20 ms", counts = 3 }', "a range has no counts"),
        ('{ from = "10 ms", to = "20 mss", count = 3 }', 'to: unknown unit "mss"'),
        ("{ from = 10, to = 20, count = 3 }", "has no unit"),
        ('{ from = "= k", to = "20 ms", count = 3 }', "from must be a plain value"),
        ('{ from = "10 ms", to = "20 ms", count = 3, scale = "ln" }', 'must be "linear" or "log"'),
        (
            '{ from = "10 ms", to = "20 ms", step = "1 ms", scale = "log" }',
            "takes count, not step",
        ),
        ('{ from = "0 s", to = "1 s", step = "1 ns" }', "more than 100000 levels"),
    ],
)
def test_what_a_wrong_range_is_told(text, message):
    assert message in refused(f'"topology.bottleneck.delay" = {text}')


def test_a_range_in_several_units_or_of_no_numbers():
    limit = '"topology.bottleneck.queue.limit"'
    assert "use one unit" in refused(f'{limit} = {{ from = "1 kB", to = "2 rtt", count = 2 }}')
    assert "is for numbers" in refused('"tcp.nagle" = { from = false, to = true, count = 2 }')
    text = DUMBBELL + "[variables]\nk = 1\n"
    assert "expected a number" in refused('k = { from = 1, to = "b", count = 2 }', text=text)
    assert "expected a time" in refused('k = { from = "1 s", to = "2 B", count = 2 }', text=text)


FACTORS = {
    '"tcp.initial_window"': [1, 2, 4, 8],
    '"tcp.nagle"': ["true", "false"],
    '"tcp.flavor"': ['"reno"', '"sack"', '"newreno"'],
    '"topology.bottleneck.queue.limit"': ['"10 packets"', '"1 rtt"', '"64 kB"'],
}


@given(st.data())
@settings(max_examples=30)
def test_a_cross_has_as_many_points_as_the_product(data):
    chosen = {
        key: data.draw(st.lists(st.sampled_from(values), min_size=1, unique=True))
        for key, values in FACTORS.items()
    }
    lines = (f"{key} = [{', '.join(map(str, values))}]" for key, values in chosen.items())
    found = levels("\n".join(lines))
    assert len(found) == prod(len(values) for values in chosen.values())
    assert len({tuple(point.items()) for point in found}) == len(found)


LATIN = """
"topology.bottleneck.delay" = { from = "10 ms", to = "100 ms" }
"topology.bottleneck.rate" = { from = "1 Mbit/s", to = "1 Gbit/s", scale = "log" }
loss = { from = 0.001, to = 0.1, scale = "log" }
"tcp.initial_window" = { from = 1, to = 40 }
"tcp.flavor" = ["reno", "newreno", "sack"]
"""


def latin(count, *sets):
    text = DUMBBELL + "[variables]\nloss = 0\n"
    return levels(LATIN, f'design = "latin_hypercube"\npoints = {count}', text, sets)


@given(count=st.integers(1, 60), seed=st.integers(0, 2**64 - 1))
@settings(max_examples=30)
def test_a_latin_hypercube_uses_each_part_of_each_range_once(count, seed):
    found = latin(count, f"seed={seed}")
    delays = [point["topology_bottleneck_delay_s"] for point in found]
    parts = [
        int((Fraction(repr(delay)) - Fraction("0.01")) / Fraction("0.09") * count)
        for delay in delays
    ]
    assert sorted(parts) == list(range(count))
    for name, low, high in (("topology_bottleneck_rate_bit_s", 1e6, 1e9), ("loss", 1e-3, 1e-1)):
        edges = [low * (high / low) ** (at / count) for at in range(count + 1)]
        for at, value in enumerate(sorted(point[name] for point in found)):
            assert edges[at] * (1 - 1e-9) <= value <= edges[at + 1] * (1 + 1e-9)
    flavors = [point["tcp_flavor"] for point in found]
    uses = [flavors.count(flavor) for flavor in ("reno", "newreno", "sack")]
    assert max(uses) - min(uses) <= 1
    windows = [point["tcp_initial_window"] for point in found]
    assert all(1 <= window <= 40 for window in windows)
    if count <= 40:
        assert len(set(windows)) == count


def test_a_latin_hypercube_is_made_from_the_seed():
    assert latin(10) == latin(10)
    assert latin(10) != latin(10, "seed=2")
    assert latin(10, "seed=2") == latin(10, "seed== 1 + 1")
    first = [point["topology_bottleneck_delay_s"] for point in latin(5, "seed=1")]
    assert first == FIRST, "a changed order would silently change every such campaign"


FIRST = [0.0148, 0.0465, 0.0904, 0.0801, 0.0354]


def test_levels_of_a_latin_hypercube_have_no_more_digits_than_they_need():
    for point in latin(20):
        digits = repr(point["topology_bottleneck_delay_s"]).removeprefix("0.").lstrip("0")
        assert len(digits) <= 7


def test_a_factor_of_its_own_does_not_move_the_others():
    """Each factor has random numbers of its own."""
    with_more = [point["topology_bottleneck_delay_s"] for point in latin(8)]
    text = '"topology.bottleneck.delay" = { from = "10 ms", to = "100 ms" }'
    alone = levels(text, 'design = "latin_hypercube"\npoints = 8')
    assert [point["topology_bottleneck_delay_s"] for point in alone] == with_more


def test_a_point_knows_its_number_and_says_its_levels():
    points = load(EVERYTHING).points()
    assert [point.number for point in points] == list(range(24))
    assert str(points[0]) == (
        "k = 0.25, tcp_flavor = reno, topology_bottleneck_delay_s = 0.01, buffer = small"
    )


def test_the_scenario_of_a_point_has_no_sweep_and_its_values():
    points = load(EVERYTHING).points()
    scenario = points[-1].scenario
    assert scenario.sweep is None
    assert scenario.topology.bottleneck.delay == 10**11
    assert scenario.tcp.receive_buffer == (10**6, "bytes")
    assert scenario.variables["k"] == Fraction(1, 2)
    assert [point.levels for point in scenario.points()] == [{}]


def test_points_are_told_apart_by_their_plans():
    points = load(EVERYTHING).points()
    assert len({plan_hash(point.compile().plan) for point in points}) == len(points)


def test_many_points_take_little_memory_and_time():
    scenario = load(
        DUMBBELL + '[sweep.factors]\n"tcp.initial_window" = { from = 1, to = 1000, step = 1 }\n'
    )
    assert len(scenario.points()) == 1000
