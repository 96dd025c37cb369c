"""The tables that summarise a point of a scenario, for a terminal and for a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ackclock.scenario.points import Point
from ackclock.scenario.summary import apart_rows, group_rows, link_rows, tcp_columns
from ackclock.scenario.summary_of_cells import abr_rows, contract_rows, source_rows, switch_rows
from ackclock.scenario.summary_of_paths import NOTE, change_rows
from ackclock.scenario.summary_of_probes import probe_rows

_LINKS = ("link", "rate", "delay", "queue", "impairments", "flows")
_CHANGES = ("link", "what it does", "mean rate", "full queue at this rate")
_FLOWS = ("flow", "data goes", "by way of", "base RTT", "rate x RTT", "TCP", "workload")
_APART = ("flow", "foreground", "DSCP", "on the way to the receiver", "on the way from it")
_SOURCES = ("source", "cells go", "by way of", "service", "when")
_CONTRACTS = ("flow", "MCR", "PCR", "MBS", "MFS", "CDVT", "frames beyond MCR")
_PROBES = ("probe", "records")
_KEYS = ("key", "value")
_EXPRESSIONS = ("key", "expression", "value (s, bit/s, bytes)")


class SummaryTable(NamedTuple):
    """A table of texts.

    Attributes:
        title: above it.
        heads: of its columns.
        rows: a text a column.
        note: a sentence below it; empty if there is none.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


def summary_tables(point: Point) -> list[SummaryTable]:
    """The tables of a point that have rows."""
    scenario = point.scenario
    columns = tcp_columns(scenario)
    keys = next(iter(columns.values()), {})
    settings = [(key, *(texts[key] for texts in columns.values())) for key in keys]
    found = (
        SummaryTable("Links", _LINKS, link_rows(scenario)),
        SummaryTable("Links that change", _CHANGES, change_rows(scenario), NOTE),
        SummaryTable("Flows", _FLOWS, group_rows(scenario)),
        SummaryTable("Of some flows only", _APART, apart_rows(scenario)),
        SummaryTable("Sources of cells", _SOURCES, source_rows(scenario)),
        SummaryTable("GFR contracts of each VC", _CONTRACTS, contract_rows(scenario)),
        SummaryTable("ABR end systems", _KEYS, abr_rows(scenario)),
        SummaryTable("Rate control of the switch ports", _KEYS, switch_rows(scenario)),
        SummaryTable("TCP", ("key", *columns), settings),
        SummaryTable("Probes", _PROBES, [(row.probe, row.text) for row in probe_rows([point])]),
        SummaryTable("Expressions", _EXPRESSIONS, point.expressions()),
    )
    return [table for table in found if table.rows]
