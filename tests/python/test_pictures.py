"""Figures of the plain page: which lines they have, and from where."""

from __future__ import annotations

import pytest

from ackclock.studies.bbr_share.levels import BUFFERS, CROWD
from ackclock.studies.bbr_share.metrics import SHARE
from ackclock.studies.bbr_share.model import share
from ackclock.studies.machinery import pictures
from ackclock.studies.machinery.plain import sections
from ackclock.studies.machinery.reproduce import concluded
from ackclock.studies.machinery.study import Picture
from modern_cases import example

OF_BUFFERS = Picture(SHARE, "buffer_bdp", "flavor")


@pytest.fixture(scope="module")
def result():
    return concluded(example("bbr-share").runs())


def lines(result, part, picture):
    its = result.parts[part]
    rows = pictures._lines(result, its.part, pictures._where(its.results, picture), picture)
    name = picture.series or "numbers"
    return {line: each.set_index(picture.x)["mean"] for line, each in rows.groupby(name)}


def test_a_formula_that_is_the_same_for_all_series_is_one_line(result):
    found = lines(result, BUFFERS, OF_BUFFERS)
    assert set(found) == {"cubic", "reno_sack", "formula"}
    expected = {buffer: share(buffer) for buffer in found["formula"].index}
    assert found["formula"].to_dict() == pytest.approx(expected)


def test_a_formula_that_differs_has_a_line_for_each_series(result, monkeypatch):
    part = result.parts[BUFFERS].part
    differs = {SHARE: lambda point: share(point.buffer_bdp) + (point.flavor == "cubic")}
    monkeypatch.setitem(part.model, SHARE, differs[SHARE])
    found = lines(result, BUFFERS, OF_BUFFERS)
    assert set(found) == {"cubic", "reno_sack", "cubic, formula", "reno_sack, formula"}


def test_a_figure_may_show_some_levels_only(result):
    picture = OF_BUFFERS._replace(series="", where={"flavor": "cubic"})
    found = lines(result, BUFFERS, picture)
    assert set(found) == {"simulated", "formula"}
    assert len(found["simulated"]) == len(found["formula"]) == 6
    assert pictures._at(picture) == "; flavor: cubic"


def test_what_is_printed_is_a_line_of_its_own(result):
    found = lines(result, CROWD, Picture(SHARE, "other_flows"))
    assert {"simulated", "formula"} < set(found)
    (printed,) = [name for name in found if name.startswith("printed")]
    assert set(found[printed].index) <= set(found["simulated"].index)


def test_the_table_has_a_column_for_each_of_them(result):
    for section in sections(result):
        (table,) = [block for block in section.blocks if block.kind == "table"]
        heads = [cell.text for cell in table.head[0]]
        of_share = [head for head in heads if "share (%)" in head and "BBR" in head]
        if section.id == f"part-{CROWD}":
            assert any(head.endswith(", printed") for head in of_share)
        if of_share:
            assert any(head.endswith(", formula") for head in of_share)
        for row in table.groups[0]:
            assert len(row) == len(heads)
