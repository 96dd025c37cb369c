"""A table of the scenario's models with some of its keys."""

from hypothesis import strategies as st

from ackclock.scenario.model.base import keys, kind_of
from ackclock.scenario.model.paths import CsvPath, MahimahiPath, Step
from ackclock.scenario.model.workload import FlowTrace, Video
from random_scenarios import values

FEW = st.integers(1, 3)
SMALLER = {
    # What a run costs is its rates times its duration, and the number of its flows and links.
    "duration": st.sampled_from(["500 ms", "1 s", "= 2 * '0.5 s'", "1.5 s", "50 ms", "5 ms"]),
    "warm_up": st.sampled_from(["0 s", "200 ms", "123.456 ms", "401.7 ms", "4.9 ms", "500 us"]),
    "delay": st.sampled_from(["1 ms", "7 ms", "0 ms", "20 ms", "100 us", "0.2 s"]),
    "replications": st.sampled_from([1, 1, 1, 2]),
    "pairs": FEW,
    "servers": FEW,
    "clients_per_server": st.integers(1, 2),
    "hosts": FEW,
    "hops": FEW,
    "long_flows": st.integers(0, 2),
    "cross_flows": st.integers(0, 2),
    "count": st.integers(0, 2),
    "inline_objects": st.integers(0, 5),
    "losses": st.integers(1, 5),
    "lost": st.lists(st.integers(1, 50), min_size=1, max_size=5),
    "packet_size": st.sampled_from(["1000 B", "28 B", "41 B", "1500 B", "9180 B"]),
    "start": st.sampled_from(["0 s", "1 ms", "4 ms", "20 ms"]),
    "stop": st.sampled_from(["never", "30 ms", "0.1 s"]),
    "mcr": st.sampled_from(["0 Mbit/s", "1 kbit/s", "0.1 Mbit/s"]),
    "buffer": st.sampled_from(["5000 cells", "531 cells", "4 rtt", "200 cells", "20 cells"]),
    "title": st.just("random"),
    "description": st.just("random"),
    "class_shares": st.sampled_from(
        [[0.2, 0.28, 0.4, 0.112, 0.008], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], ["50 %", 0, 0, 0, 0.5]]
    ),
    "gop": st.sampled_from(["I", "IP", "IBBPBBPBBPBB"]),
    "schedule_period": st.sampled_from(["off", "0.2 s", "1 s"]),
    "metrics": st.lists(values.of("name of a metric"), min_size=1, max_size=3, unique=True),
}
"""By key, what is drawn instead of all that the reference accepts, but for words."""
APART = {"from", "to", "between", "nodes", "switches", "links", "path", "kind", "name"}
"""Keys that ``networks`` writes, which knows what they must fit."""

OWN = {
    (CsvPath, "file"): st.just("path.csv"),
    (CsvPath, "period"): st.sampled_from(["off", "91 ms", "3 s", "5 ms"]),
    (MahimahiPath, "file"): st.just("trace.down"),
    (FlowTrace, "flows"): st.just("flows.csv"),
    (Video, "ladder"): st.sampled_from([["0.5 Mbit/s"], ["56 kbit/s", "1 Mbit/s", "5 Mbit/s"]]),
    (Video, "buffer"): st.sampled_from(["240 s", "300 s"]),
    (Video, "request_size"): st.sampled_from(["300 B", "1 B", "400 B"]),
}
"""The same of one key of one table; the files are in ``values``."""
TIMES_OF_STEPS = ["0 ms", "30 ms", "90 ms"]
ALWAYS = {"flavor", "warm_up"}
"""Keys that are always written: most keys of a TCP depend on its flavor, results on a warm-up."""


def rarely(draw, out_of=5):
    """True once in so many draws; false is the simpler."""
    return draw(st.sampled_from([False] * (out_of - 1) + [True]))


def value(key):
    """Of one key of a table."""
    if (key.owner, key.name) in OWN:
        return OWN[key.owner, key.name]
    if key.tables == (Step,):
        return _schedule()
    if key.name in SMALLER and not (key.kind and key.kind.accepts.startswith('"')):
        return SMALLER[key.name]
    if key.kind is not None:
        return values.of(key.kind.accepts)
    one = st.one_of([table(each) for each in key.tables])
    return st.lists(one, max_size=2) if key.many else one


def _schedule():
    """Steps in the order of time."""

    def timed(steps):
        pairs = zip(TIMES_OF_STEPS, steps, strict=False)
        return [{"at": at, **(step or {"up": True})} for at, step in pairs]

    return st.lists(table(Step, without=("at",)), max_size=len(TIMES_OF_STEPS)).map(timed)


@st.composite
def table(draw, model, *, most=4, without=(), **given):
    """A table with what must be given, and some of what may be.

    Args:
        draw: of hypothesis.
        model: of the table.
        most: optional keys at most.
        without: keys that are left out.
        given: keys that are written, with their values.
    """
    known = {
        name: key for name, key in keys(model).items() if name not in {*APART, *without, *given}
    }
    must = [name for name, key in known.items() if key.default is ... or name in ALWAYS]
    may = [name for name in known if name not in must]
    chosen = draw(st.lists(st.sampled_from(may), max_size=most, unique=True)) if may else []
    kind = {} if (its := kind_of(model)) is None else {"kind": its}
    return {**kind, **given, **{name: draw(value(known[name])) for name in [*must, *chosen]}}
