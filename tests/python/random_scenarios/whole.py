"""Random scenarios: with sweeps, probes and mistakes, as tables and as TOML."""

import json

from hypothesis import strategies as st

from ackclock.scenario.model.base import keys, kind_of
from ackclock.scenario.model.precision import Precision
from ackclock.scenario.model.probes import Probes
from ackclock.scenario.model.scenario import Scenario
from random_scenarios import tables, values
from random_scenarios.networks import networks
from random_scenarios.tables import rarely, table

_APART = ("topology", "flows", "probes", "sweep", "precision", "figures", "files", "variables")
_UNSWEPT = {
    "title",
    "description",
    "metrics",
    "replications",
    "seed",
    "name",
    "warm_up",
    "duration",
}
_JUNK = st.sampled_from(
    [-1, 0, 1e300, True, "", "no", "5 mb", "-3 ms", "= 1 / 0", "= nothing", "\x1b[2J", [], {}, [[]]]
)
_BINS = st.sampled_from(["10 ms", "1 ms", "500 us", "77.7 ms", "1 s", "20 us", "1 us"])
_PROBES = {
    **dict.fromkeys(("queue", "goodput", "acr", "transport"), _BINS | st.just("off")),
    "cwnd": st.sampled_from(["off", "all", ["flow 1"], ["g0 1"], ["g0"]]),
    "delays": st.sampled_from([True, False, "all", ["r1 -> r2"]]),
    **dict.fromkeys(
        ("segments", "rtt", "states"), st.sampled_from(["off", "all", ["flow 1"], ["g0 1"]])
    ),
    "packets": st.sampled_from([True, False, "all", ["r1 -> r2"]]),
    "queue_links": st.sampled_from([True, ["r1 -> r2"], ["r2 -> r1", "r1 -> r2"]]),
    **dict.fromkeys(("from", "until"), st.sampled_from(["0 s", "100 ms", "1 s"])),
    "replications": st.integers(0, 2),
}


@st.composite
def scenarios(draw):
    """The tables of a scenario that may be right; of one in five, something is surely wrong."""
    made = {
        **draw(table(Scenario, most=6, without=_APART)),
        **draw(networks()),
        "variables": {"v": 0.5, "w": "= 2 * v"},
    }
    if rarely(draw, 3):
        assert set(_PROBES) == set(keys(Probes)), "every probe is drawn"
        cells = str(made["topology"]["kind"]).startswith("atm_")
        known = [name for name in _PROBES if cells or name != "acr"]
        wanted = draw(st.lists(st.sampled_from(known), max_size=3, unique=True))
        made["probes"] = {name: draw(_PROBES[name]) for name in wanted}
    if rarely(draw, 3):
        made["sweep"] = draw(_sweep(made))
    if rarely(draw, 10):
        made.pop("replications", None)
        metrics = draw(tables.SMALLER["metrics"])
        given = {"metrics": metrics, "minimum": 2, "maximum": draw(st.integers(2, 3))}
        made["precision"] = draw(table(Precision, **given))
    text = toml(made)
    if named := {name: its for name, its in values.FILES.items() if name in text}:
        made["files"] = named
    if rarely(draw, 5):
        _spoil(draw, made)
    return made


@st.composite
def _sweep(draw, made):
    """Two factors at most, of two or three levels, over keys that the scenario writes."""
    known = [each for each in _leaves(made, Scenario) if each[1].name not in _UNSWEPT]
    factors = {}
    for path, key in draw(st.lists(st.sampled_from(known), max_size=2, unique_by=lambda x: x[0])):
        levels = draw(st.lists(tables.value(key), min_size=2, max_size=2))
        factors[path] = levels[:1] if levels[0] == levels[1] else levels
    if not factors or rarely(draw):
        factors["v"] = draw(st.sampled_from([[0.25, 1], {"from": 0, "to": 1, "count": 3}]))
    design = draw(st.sampled_from(["cross", "cross", "zip", "latin_hypercube", "list"]))
    if design == "latin_hypercube":
        return {"design": design, "points": draw(st.integers(1, 4)), "factors": factors}
    if design == "list" and all(isinstance(levels, list) for levels in factors.values()):
        points = [{name: levels[at] for name, levels in factors.items()} for at in (0, -1)]
        return {"design": design, "points": points}
    return {"design": design, "factors": factors}


def _leaves(made, model, before=""):
    """Dotted keys of the values that are written, each with what is known of it."""
    found = []
    for name, value in made.items():
        key = keys(model).get(name)
        if key is None or name == "kind":
            continue
        path = f"{before}{name}"
        if not key.tables:
            found += [] if name in tables.APART | set(_APART) else [(path, key)]
            continue
        inside = enumerate(value) if key.many else [(None, value)]
        for at, each in inside:
            place = path if at is None else f"{path}[{at}]"
            found += _leaves(each, _model(key, each), f"{place}.")
    return found


def _model(key, written):
    """Which of the tables that may stand there is written."""
    return next(
        (each for each in key.tables if kind_of(each) == written.get("kind")), key.tables[0]
    )


def _spoil(draw, made):
    """Make something wrong, in place: a value, a key, or what must be given."""
    place = made
    while True:
        inside = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not inside:
            return
        at = draw(st.sampled_from(inside))
        if isinstance(place[at], dict | list) and not rarely(draw):
            place = place[at]
            continue
        if isinstance(place, dict) and rarely(draw, 3):
            place[draw(st.sampled_from(["kindd", "rate", "= 1", "a.b"]))] = place.pop(at)
        else:
            place[at] = draw(_JUNK)
        return


def toml(made):
    """The tables as a file."""
    return "".join(f"{_key(name)} = {_written(value)}\n" for name, value in made.items())


def _written(value):
    if isinstance(value, dict):
        inside = ", ".join(f"{_key(name)} = {_written(each)}" for name, each in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    return json.dumps(value)


def _key(name):
    return name if name.isidentifier() and name.isascii() else json.dumps(name)
