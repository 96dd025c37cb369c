"""What is written and what it is: reading, writing, and reading again."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ackclock.errors import InputError
from ackclock.scenario import keys, load
from ackclock.scenario.compile.compiler import compile_scenario
from ackclock.scenario.document import read
from ackclock.scenario.metric_names import METRIC_NAMES
from ackclock.scenario.model.base import keys as keys_of
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.tcp import Tcp
from ackclock.scenario.values.kind import Computed, decimal, shown
from scenario_texts import ALL, DUMBBELL, EVERYTHING

SWEPT = ("everything", "web", "background", "atm_clients", "atm_gfr")
"""Texts with a sweep."""


def dumped(scenario):
    return scenario.model_dump(mode="json", by_alias=True, exclude_unset=True)


SWEPT = ("everything", "web", "background", "atm_clients", "atm_gfr")
"""Texts with a sweep."""


@pytest.mark.parametrize("name", ALL)
def test_what_is_written_again_is_the_same_scenario(name):
    for point in load(ALL[name]).points():
        scenario = point.scenario
        again = load(dumped(scenario))
        assert again == scenario
        assert compile_scenario(again).plan == point.compile().plan


@pytest.mark.parametrize("name", ALL)
def test_a_scenario_with_its_sweep_is_written_and_read_again(name):
    scenario = load(ALL[name])
    again = load(dumped(scenario))
    assert [point.levels for point in again.points()] == [
        point.levels for point in scenario.points()
    ]
    assert (again.sweep is None) == (name not in SWEPT)


@given(
    duration=st.integers(1, 10**18),
    rate=st.integers(1, 10**14),
    delay=st.integers(0, 10**18),
    size=st.integers(1500, 2**32 - 1),
    volume=st.none() | st.integers(1, 10**15),
    share=st.fractions(0, 1, max_denominator=10**9).map(
        lambda f: Fraction(round(f * 10**9), 10**9)
    ),
    number=st.fractions(max_denominator=10**6),
)
def test_quantities_are_read_as_they_are_written(
    duration, rate, delay, size, volume, share, number
):
    scenario = load(DUMBBELL)
    topology = scenario.topology
    queue = topology.bottleneck.queue
    limit = queue.limit._replace(number=size, unit="bytes")
    link = topology.bottleneck.model_copy(
        update={"rate": rate, "delay": delay, "queue": queue.model_copy(update={"limit": limit})}
    )
    port = {"kind": "bernoulli", "loss": float(share)}
    changed = scenario.model_copy(
        update={
            "duration": duration,
            "topology": topology.model_copy(update={"bottleneck": link}),
            "workload": scenario.workload.model_copy(update={"size": volume}),
            "variables": {"k": number},
        }
    )
    document = dumped(changed)
    document["topology"]["bottleneck"]["impairments"] = [port]
    document["topology"]["access"] = {"rate": "100000 Gbit/s"}
    again = load(document)
    assert again.duration == duration
    assert again.topology.bottleneck.rate == rate
    assert again.topology.bottleneck.delay == delay
    assert again.topology.bottleneck.queue.limit == limit
    assert again.topology.bottleneck.impairments[0].loss == share
    assert again.workload.size == volume
    assert again.variables["k"] == number


def every_kind(table=Scenario, path=()):
    for key in keys_of(table).values():
        if key.kind is not None:
            yield ".".join((*path, key.name)), key
        for inner in key.tables:
            yield from every_kind(inner, (*path, key.name))


@pytest.mark.parametrize(
    ("key"), [pytest.param(key, id=name) for name, key in every_kind() if name != "x"]
)
def test_every_key_has_a_meaning_an_example_and_a_default_that_can_be_written(key):
    assert key.meaning
    assert key.meaning.endswith(".")
    document = read(f"value = {key.kind.example}\n").values
    value = key.kind.read(document["value"])
    assert key.kind.read(_as_in_a_file(key.kind.write(value))) == value
    assert key.kind.accepts
    if key.is_value(key.default):
        written = key.kind.write(key.default)
        if written != "":
            assert key.kind.read(_as_in_a_file(written)) == key.default


def _as_in_a_file(value):
    return Decimal(repr(value)) if isinstance(value, float) else value


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 10**30)
    | st.floats()
    | st.decimals()
    | st.text(max_size=8)
    | st.sampled_from(["10 ms", "1 rtt", "= k", "= flows[0].count", "5 packets", "all", "", "0 s"])
    | st.datetimes(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=4,
)
TEXTS = st.sampled_from(sorted(ALL))


def messages(source, sets=()):
    """What is wrong; nothing if nothing is."""
    try:
        load(source, sets)
    except InputError as error:
        told = error.messages
    else:
        return []
    assert told, "refused without a word"
    return told


def places(value, path=()):
    """Every key of a document, those of tables and of elements of lists too."""
    if path:
        yield path
    if isinstance(value, dict):
        for name, each in value.items():
            yield from places(each, (*path, name))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from places(each, (*path, at))


@given(TEXTS, JUNK, st.data())
@settings(max_examples=200)
def test_any_junk_anywhere_is_right_or_told(name, junk, data):
    document = read(ALL[name]).values
    path = data.draw(st.sampled_from(list(places(document))))
    told = messages(keys.put(document, path, junk))
    assert all(message.startswith("scenario") for message in told)
    assert all("\n" not in message for message in told)


@given(TEXTS, st.text(max_size=8), JUNK, st.data())
@settings(max_examples=100)
def test_any_new_key_anywhere_is_told(name, key, junk, data):
    document = read(ALL[name]).values
    tables = [path for path in places(document) if isinstance(keys.get(document, path), dict)]
    path = data.draw(st.sampled_from(tables))
    messages(keys.put(document, (*path, key), junk))


@given(st.text(max_size=30))
def test_any_set_is_right_or_told(pair):
    told = messages(DUMBBELL, [pair])
    assert all(message.startswith(("--set", "scenario")) for message in told)


@given(st.text(max_size=80))
def test_any_text_is_right_or_told(text):
    with pytest.raises(InputError):
        load(text + "\n")


def test_sets_are_toml_or_texts():
    sets = [
        "tcp.nagle=true",
        "tcp.min_rto=2 s",
        "tcp.initial_rto='2 s'",
        "tcp.initial_window = 4",
        'title="a b"',
        "description=2024-01-01",
        "metrics=['efficiency', \"drops\"]",
        "flows=[{ name = 'x', count = 2 }]",
        "flows[0].count=3",
        "variables.k=0.25",
        "duration== 4 * tcp.min_rto",
        "probes={ queue = '1 s' }",
    ]
    scenario = load(DUMBBELL, sets)
    assert scenario.tcp == Tcp.model_validate(
        {"nagle": True, "min_rto": "2 s", "initial_rto": "2 s", "initial_window": 4}
    )
    assert (scenario.title, scenario.description) == ("a b", "2024-01-01")
    assert scenario.metrics == ("efficiency", "drops")
    assert scenario.flows[0].count == 3
    assert scenario.variables == {"k": Fraction(1, 4)}
    assert scenario.duration == 8 * 10**12
    assert scenario.probes.queue == 10**12
    assert scenario.sets == [pair.strip() for pair in sets]
    assert scenario.text == DUMBBELL


def test_a_file_is_read_from_its_path(tmp_path):
    path = tmp_path / "lab.toml"
    path.write_bytes(b"\xef\xbb\xbf" + DUMBBELL.replace("\n", "\r\n").encode())
    for source in (path, str(path)):
        assert load(source).duration == 10**13


def test_replications_or_precision():
    assert load(DUMBBELL).replications == 1
    scenario = load(DUMBBELL + '[precision]\ntarget = "5 %"\nmetrics = ["efficiency"]\n')
    assert scenario.replications is None
    assert scenario.precision.target == Fraction(1, 20)
    assert scenario.precision.confidence == Fraction(19, 20)
    assert (scenario.precision.minimum, scenario.precision.maximum) == (5, 100)
    assert scenario.points()[0].scenario == scenario


def test_figures_have_file_names():
    scenario = load(EVERYTHING.replace('name = "goodput"\n', ""))
    assert (
        scenario.figures[0].file_name
        == "goodput_bit_s-topology_bottleneck_delay_s-tcp_flavor-buffer"
    )
    assert load(EVERYTHING).figures[0].file_name == "goodput"


def test_metric_names_are_distinct():
    assert len(set(METRIC_NAMES)) == len(METRIC_NAMES)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("tcp.min_rto", ("tcp", "min_rto")),
        ("flows[2].tcp.flavor", ("flows", 2, "tcp", "flavor")),
        ("a[0][1]", ("a", 0, 1)),
        ('sweep.factors."tcp.flavor"', ("sweep", "factors", "tcp.flavor")),
    ],
)
def test_dotted_keys(text, path):
    assert keys.parse(text) == path
    assert keys.show(path) == text


@pytest.mark.parametrize("text", ["", ".", "a.", ".a", "a..b", "a[", "a[x]", "a[-1]", "a b", '"'])
def test_what_is_no_dotted_key(text):
    with pytest.raises(ValueError, match="is not a dotted key"):
        keys.parse(text)


@given(
    st.dictionaries(st.sampled_from("abc"), st.integers()), st.sampled_from("abcd"), st.integers()
)
def test_put_changes_one_key_and_no_original(document, name, value):
    before = dict(document)
    changed = keys.put(document, (name,), value)
    assert changed == {**before, name: value}
    assert document == before


def test_values_are_shown_as_in_a_file():
    assert shown([True, "a", Fraction(1, 3), {"k": 2}]) == '[true, "a", 0.333333333333, { k = 2 }]'
    assert shown(Computed(Fraction(-5, 2))) == "-2.5"
    assert decimal(Fraction(1, 1000)) == "0.001"
