"""The tables of docs/reference/scenario.md, made from the models and the core.

``python -m ackclock.scenario.reference docs/reference/scenario.md`` renews them after a change.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from ackclock.scenario.keys import MISSING
from ackclock.scenario.metric_names import METRIC_NAMES
from ackclock.scenario.model.atm import (
    Abr,
    ConstantCells,
    Gfr,
    GreedyCells,
    OnOffCells,
    Switch,
    VideoCells,
)
from ackclock.scenario.model.base import Key, Table, keys, kind_of
from ackclock.scenario.model.clock import Clock
from ackclock.scenario.model.figures import Figure
from ackclock.scenario.model.flows import FlowGroup
from ackclock.scenario.model.links import (
    Access,
    Bernoulli,
    Bottleneck,
    CellAccess,
    CellLink,
    Duplicate,
    GilbertElliott,
    Jitter,
    LossEvents,
    Mark,
    Port,
    Scripted,
    TwoParameter,
)
from ackclock.scenario.model.paths import (
    CsvPath,
    LtePath,
    MahimahiPath,
    StarlinkPath,
    Step,
    WifiPath,
)
from ackclock.scenario.model.precision import Precision
from ackclock.scenario.model.probes import Probes
from ackclock.scenario.model.queues import DISCIPLINES
from ackclock.scenario.model.queues import TABLES as QUEUE_TABLES
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.sweep import Sweep
from ackclock.scenario.model.tcp import FLAVORS, STACKS, Historic, Tcp
from ackclock.scenario.model.topology import (
    AtmClients,
    AtmDumbbell,
    AtmLink,
    AtmNetwork,
    Dumbbell,
    Graph,
    GraphLink,
    ParkingLot,
)
from ackclock.scenario.model.workload import (
    Arrivals,
    Bulk,
    Cbr,
    FlowTrace,
    Ftp,
    Http10,
    Http11,
    HttpSessions,
    OnOff,
    Rpc,
    Video,
    WwwBatches,
)
from ackclock.scenario.presets import OPTIONS, presets, uses
from ackclock.scenario.schema import written_default
from ackclock.scenario.values.kind import Kind, shown

TABLES: dict[str, type[Table]] = {
    table.__name__: table
    for table in (
        Scenario,
        Dumbbell,
        ParkingLot,
        Graph,
        GraphLink,
        AtmDumbbell,
        AtmClients,
        AtmNetwork,
        AtmLink,
        Abr,
        Gfr,
        Switch,
        GreedyCells,
        ConstantCells,
        OnOffCells,
        VideoCells,
        Bottleneck,
        Access,
        Step,
        CsvPath,
        MahimahiPath,
        StarlinkPath,
        LtePath,
        WifiPath,
        Bernoulli,
        GilbertElliott,
        LossEvents,
        TwoParameter,
        Scripted,
        Jitter,
        Duplicate,
        Mark,
        CellLink,
        CellAccess,
        Port,
        Clock,
        Tcp,
        Historic,
        Bulk,
        WwwBatches,
        Http10,
        Http11,
        Ftp,
        HttpSessions,
        Arrivals,
        FlowTrace,
        Rpc,
        Video,
        Cbr,
        OnOff,
        FlowGroup,
        Probes,
        Sweep,
        Precision,
        Figure,
    )
}
_MARKED = re.compile(r"(<!-- keys: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_METRICS = re.compile(r"(<!-- metrics -->\n).*?(<!-- end -->)", re.DOTALL)
_PRESETS = re.compile(r"(<!-- presets -->\n).*?(<!-- end -->)", re.DOTALL)
_OTHERS = re.compile(r"(<!-- presets: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_FLAVORS = re.compile(r"(<!-- flavors -->\n).*?(<!-- end -->)", re.DOTALL)
_QUEUES = re.compile(r"(<!-- queues -->\n).*?(<!-- end -->)", re.DOTALL)
_HEADING = "| key | value | default | meaning |\n|---|---|---|---|\n"


def filled(page: str) -> str:
    """A page with its tables and its list of metrics renewed, which stand between marks.

    Raises:
        KeyError: there is no such table.
    """
    page = _MARKED.sub(lambda match: f"{match[1]}{rows(TABLES[match[2]])}{match[3]}", page)
    page = _PRESETS.sub(lambda match: f"{match[1]}{preset_rows(STACKS[0])}{match[2]}", page)
    page = _OTHERS.sub(lambda match: f"{match[1]}{preset_rows(match[2])}{match[3]}", page)
    page = _FLAVORS.sub(lambda match: f"{match[1]}{flavor_rows()}{match[2]}", page)
    page = _QUEUES.sub(lambda match: f"{match[1]}{queue_rows()}{match[2]}", page)
    metrics = ", ".join(f"`{name}`" for name in METRIC_NAMES)
    return _METRICS.sub(lambda match: f"{match[1]}{metrics}\n{match[2]}", page)


def rows(table: type[Table]) -> str:
    """The keys of a table of a scenario as a table in Markdown."""
    return _HEADING + "".join(map(_row, keys(table).values()))


def queue_rows() -> str:
    """The keys of every kind of queue, as tables in Markdown."""
    return "\n".join(
        f'`kind = "{name}"`: {its.summary}\n\n{rows(QUEUE_TABLES[name])}'
        for name, its in DISCIPLINES.items()
    )


def preset_rows(stack: str) -> str:
    """The presets of every flavor as a table in Markdown; a dash where a flavor uses no key.

    Of a stack other than the first, those keys of which a flavor has another preset there.
    """
    heads = ["key", *(f"`{name}`" for name in FLAVORS)]
    lines = [heads, ["---"] * len(heads)]
    for name in OPTIONS:
        kind = keys(Tcp)[name].kind
        assert kind is not None
        cells = [_preset(kind, flavor, stack, name) for flavor in FLAVORS]
        usual = [_preset(kind, flavor, STACKS[0], name) for flavor in FLAVORS]
        if stack == STACKS[0] or cells != usual:
            lines.append([f"`{name}`", *cells])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _preset(kind: Kind, flavor: str, stack: str, name: str) -> str:
    value = kind.write(presets(flavor, stack)[name])
    text = value if isinstance(value, str) else shown(value)
    return text if uses(flavor, name) else "-"


def flavor_rows() -> str:
    """What each flavor is, as a table in Markdown."""
    rows = "".join(f"| `{name}` | {summary} |\n" for name, summary in FLAVORS.items())
    return f"| flavor | what it is |\n|---|---|\n{rows}"


def _row(key: Key) -> str:
    cells = [f"`{key.name}`", _accepts(key), _default(key), key.meaning]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def _accepts(key: Key) -> str:
    if key.kind is not None:
        return key.kind.accepts
    names = [f"{kind_of(each)}" for each in key.tables if kind_of(each)]
    what = "list of tables" if key.many else "table"
    return f"{what} of `kind` {', '.join(names)}" if len(names) > 1 else what


def _default(key: Key) -> str:
    if key.default is ...:
        return "must be given"
    if key.kind is None:
        return ""
    default = written_default(key)
    return "" if default in (MISSING, "", {}) else f"`{shown(default)}`"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
