"""The delays and the heat map in the report of campaigns."""

import re

import pytest

from recorded_by_hand import delays, recorded
from report_page import page_of_campaigns
from results_campaigns import by_hand

LINK = "r1 -> r2"


@pytest.fixture
def results(tmp_path):
    points = [
        ({"tcp_flavor": flavor, "k": k}, {"goodput_bit_s": [1e6 * k, 2e6 * k]})
        for flavor in ("reno", "sack")
        for k in (1, 2, 3)
    ]
    return by_hand(tmp_path / "runs", points)


def waits(point, replication):
    """Ninety packets wait 10 ms and ten 50 ms; RTTs are longer by 100 ms for a, by 200 for b."""
    if replication:
        return None
    bins = ((0.01, 90), (0.05, 10))
    queue = [("queue", LINK, None, *each) for each in bins]
    own = {"a": 0.1, "b": 0.2}
    rtts = [("rtt", None, name, own[name] + wait, n) for name in own for wait, n in bins]
    return delays([*queue, *rtts])


def rows(page):
    table = re.search(r'id="delays-table-0">.*?</figure>', page.source, re.S)[0]
    parts = re.findall(r"<tr>(.*?)</tr>", table, re.S)
    return [
        [
            re.sub(r"<[^>]*>", "", cell).strip()
            for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.S)
        ]
        for row in parts
    ]


def test_percentiles_stand_by_group_and_for_all(results, tmp_path, monkeypatch):
    recorded(monkeypatch, of_delays=waits)
    page = page_of_campaigns(tmp_path, results)
    page.check_references()
    head, first, second, third, *_ = rows(page)
    assert head == [
        *("TCP flavor", "K", "Flows"),
        *(f"Wait, {each} (ms)" for each in ("median", "95 %", "99 %", "largest")),
        *(f"RTT, {each} (ms)" for each in ("median", "95 %", "99 %", "largest")),
    ]
    assert first == ["reno", "1", "a", "–", "–", "–", "–", "110", "150", "150", "150"]
    assert second == ["reno", "1", "b", "–", "–", "–", "–", "210", "250", "250", "250"]
    assert third == ["reno", "1", "all", "10", "50", "50", "50", "150", "210", "250", "250"]
    assert len(rows(page)) == 1 + 3 * 6


def test_distributions_have_a_line_and_a_panel_a_level(results, tmp_path, monkeypatch):
    recorded(monkeypatch, of_delays=waits)
    page = page_of_campaigns(tmp_path, results)
    assert '<a href="#delays">Delays</a>' in page.source
    for of, name in (("queue", "Queue delay"), ("rtt", "RTT")):
        figure = re.search(rf'<figure id="delays-{of}">.*?</figure>', page.source, re.S)[0]
        for text in (f">{name} (ms)", ">TCP flavor: reno", ">TCP flavor: sack", ">K"):
            assert text in figure, text


def test_one_group_has_one_row_a_point(tmp_path, monkeypatch):
    its = by_hand(tmp_path / "runs", [({}, {"goodput_bit_s": [1e6, 2e6]})])

    def of_one(point, replication):
        table = waits(point, replication)
        return None if table is None else table[table["flow"] != "b"]

    recorded(monkeypatch, of_delays=of_one)
    _, *its_rows = rows(page_of_campaigns(tmp_path, its))
    assert its_rows == [["a", "10", "50", "50", "50", "110", "150", "150", "150"]]


def test_campaigns_side_by_side_have_a_table_each(results, tmp_path, monkeypatch):
    recorded(monkeypatch, of_delays=waits)
    points = [(run.levels, {"goodput_bit_s": [1e6, 3e6]}) for run in results.campaign.runs[::2]]
    page = page_of_campaigns(tmp_path, results, by_hand(tmp_path / "others", points))
    page.check_references()
    ids = set(page.values("id"))
    assert {"delays-queue-0", "delays-queue-1", "delays-table-0", "delays-table-1"} <= ids
    assert {"heat-map-0", "heat-map-1"} <= ids


def test_without_delays_there_is_no_section(results, tmp_path):
    page = page_of_campaigns(tmp_path, results)
    assert 'id="delays"' not in page.source
    assert "#delays" not in page.source


def test_two_factors_have_a_heat_map_of_the_first_metric(results, tmp_path):
    page = page_of_campaigns(tmp_path, results)
    figure = re.search(r'<figure id="heat-map">.*?</figure>', page.source, re.S)[0]
    assert "Goodput over k and TCP flavor." in figure
    for mean in ("1.50", "3.00", "4.50"):
        assert figure.count(f">{mean}<") == 2
    # Four cells say no more than four rows of the table.
    few = by_hand(
        tmp_path / "few",
        [({"j": j, "k": k}, {"goodput_bit_s": [1e6, 2e6]}) for j in (0, 1) for k in (0, 1)],
    )
    assert "heat-map" not in page_of_campaigns(tmp_path, few).source
