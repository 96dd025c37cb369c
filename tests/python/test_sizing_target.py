"""Targets as they are typed, keys that are buffers, and the sizes between two."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ackclock.results.metrics import METRICS
from ackclock.scenario.units import CELLS, RTT, show
from ackclock.sizing.levels import find_setting, ladder, read_range
from ackclock.sizing.target import read_target

ATM = {"topology": {"kind": "atm_dumbbell"}}
DUMBBELL = {"topology": {"kind": "dumbbell"}}
UBR = {"topology": {"kind": "atm_network", "service": "ubr"}}
GRAPH = {"topology": {"kind": "graph", "links": [{}]}}


@pytest.mark.parametrize(
    ("text", "metric", "sense", "value", "again"),
    [
        ("efficiency >= 98 %", "efficiency", ">=", 0.98, "efficiency >= 98 %"),
        ("efficiency>=98%", "efficiency", ">=", 0.98, "efficiency >= 98 %"),
        (" efficiency ≥ 0.98 ", "efficiency", ">=", 0.98, "efficiency >= 0.98"),
        ("drops <= 0", "drops", "<=", 0, "drops <= 0"),
        ("max_queue <= 12 packets", "max_queue", "<=", 12, "max_queue <= 12 packets"),
        ("page_delay_s ≤ 1.2 s", "page_delay_s", "<=", 1.2, "page_delay_s <= 1.2 s"),
        ("page_delay_s <= 300 ms", "page_delay_s", "<=", 0.3, "page_delay_s <= 300 ms"),
        (
            "goodput_bit_s >= 9.5 Mbit/s",
            "goodput_bit_s",
            ">=",
            9.5e6,
            "goodput_bit_s >= 9.5 Mbit/s",
        ),
    ],
)
def test_a_target(text, metric, sense, value, again):
    target = read_target(text)
    assert (target.metric, target.sense, target.value) == (metric, sense, value)
    assert str(target) == again
    assert read_target(again) == target


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is not a target; write it like 'efficiency >= 98 %'"),
        ("efficiency", "is not a target"),
        ("98 %", "is not a target"),
        ("efficency >= 98 %", "did you mean 'efficiency'?"),
        ("efficiency > 98 %", "write >= or <="),
        ("efficiency == 98 %", "write >= or <="),
        ("efficiency >= 98", 'did you mean "98 %"?'),
        ("efficiency >= 980 %", "is above 100 %"),
        ("efficiency >= much", "expected a share"),
        ("efficiency >= -1 %", "is not a number of 0 or more"),
        ("efficiency >= nan", "is not a number of 0 or more"),
        ("efficiency >=", "is not a number of 0 or more"),
        ("efficiency >= 9 % 8", "expected a share"),
        ("efficiency >= 98 % <= 99 %", "expected a share"),
        ("drops <= 5 %", 'write it like "drops <= 10"'),
        ("drops <= inf", "is not a number of 0 or more"),
        ("max_queue <= 5 s", "expected a number of packets or cells"),
        ("page_delay_s <= 1.2", "has no unit"),
        ("page_delay_s <= 1.2 Mbit/s", "expected a time"),
        ("page_delay_s <= -1 s", "is negative"),
        ("goodput_bit_s >= 10 mbit/s", 'did you mean "10 Mbit/s"?'),
    ],
)
def test_what_is_no_target(text, reason):
    with pytest.raises(ValueError, match=r".") as caught:
        read_target(text)
    assert reason in str(caught.value)


def test_every_metric_can_be_a_target():
    units = {"bit/s": "1 Mbit/s", "s": "1 s"}
    for name, metric in METRICS.items():
        assert read_target(f"{name} >= {units.get(metric.unit, '1')}").metric == name


@pytest.mark.parametrize(
    ("key", "document", "found"),
    [
        (None, ATM, "topology.port.buffer"),
        (None, DUMBBELL, "topology.bottleneck.queue.limit"),
        (None, {"topology": {"kind": "parking_lot"}}, "topology.bottleneck.queue.limit"),
        (None, {"topology": {"kind": "atm_clients"}}, "topology.switch.abr_buffer"),
        (None, UBR, "topology.switch.ubr_buffer"),
        ("topology.links[0].queue.limit", GRAPH, "topology.links[0].queue.limit"),
        ("topology.bottleneck.reverse_queue.limit", DUMBBELL, None),
        ("tcp.receive_buffer", ATM, "tcp.receive_buffer"),
    ],
)
def test_the_key_of_a_buffer(key, document, found):
    assert find_setting(key, document).key == (found or key)


@pytest.mark.parametrize(
    ("key", "document", "reason"),
    [
        (None, GRAPH, 'kind "graph" has no single buffer to search'),
        ("topology.port.bufer", ATM, "did you mean topology.port.buffer?"),
        ("tcp.flavor", ATM, "is not the size of a buffer"),
        ("duration", ATM, "is not the size of a buffer"),
        ("topology.port", ATM, "is a table"),
        ("topology..", ATM, "is not a dotted key"),
    ],
)
def test_what_is_no_buffer(key, document, reason):
    with pytest.raises(ValueError, match=r".") as caught:
        find_setting(key, document)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("start", "end", "told"),
    [
        ("0 cells", "1 ms", ["--from 0 cells: must be above 0", "--to 1 ms: "]),
        ("2 rtt", "1 rtt", ["--from 2 rtt, --to 1 rtt: there is no size between them"]),
        ("2 rtt", "2 rtt", ["--from 2 rtt, --to 2 rtt: there is no size"]),
        ("unlimited", "4 rtt", ["--from unlimited: "]),
        ("100 cells", None, ["--to 4 rtt (one of them by default): one is in cells"]),
        ("100 packets", "200 packets", ["--from 100 packets: ", "--to 200 packets: "]),
    ],
)
def test_what_is_no_range(start, end, told):
    problems = read_range(find_setting(None, ATM), start, end)
    assert len(problems) == len(told)
    for problem, part in zip(problems, told, strict=True):
        assert part in problem


def test_a_buffer_without_limit_is_no_end_of_a_range():
    (problem,) = read_range(find_setting(None, UBR), "1 rtt", "unlimited")
    assert problem == '--to unlimited: is not a size; write it like "531 cells"'


def test_a_key_without_round_trip_times_needs_a_range():
    (problem,) = read_range(find_setting("tcp.receive_buffer", ATM), None, None)
    assert problem.startswith("--from, --to: give the sizes of tcp.receive_buffer")


@settings(max_examples=50)
@given(
    start=st.integers(1, 10**4),
    factor=st.integers(2, 90),
    tolerance=st.floats(0.002, 1),
    unit=st.sampled_from([CELLS, RTT]),
)
def test_sizes_ascend_by_the_tolerance_at_most(start, factor, tolerance, unit):
    setting = find_setting(None, ATM)
    texts = [show(number, unit) for number in (start, start * factor)]
    sizes = ladder(*read_range(setting, *texts), tolerance)
    numbers = [size.number for size in sizes]
    assert [sizes[0].text, sizes[-1].text] == texts
    assert numbers == sorted(set(numbers))
    for size, after in pairwise(sizes):
        # But for rounding, to a whole cell or to few digits.
        step = float(size.number) * tolerance * 1.12
        assert after.number - size.number <= step + (1 if unit is CELLS else 0)
        # What is written is what is meant.
        assert setting.level(size.text) == size


def test_the_default_range_is_that_of_the_buffers():
    setting = find_setting(None, ATM)
    sizes = ladder(*read_range(setting, None, None), 0.05)
    assert [size.text for size in sizes[:3]] == ["0.0625 rtt", "0.0656 rtt", "0.06885 rtt"]
    assert len(sizes) == 87
    assert sizes[-1].text == "4 rtt"
