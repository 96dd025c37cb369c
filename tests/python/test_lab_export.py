"""Files from the lab: each gives the run that was seen."""

import io
import subprocess
import sys
import tomllib
from decimal import Decimal
from xml.etree import ElementTree

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ackclock
from ackclock.lab.runs.export import scenario_of
from ackclock.lab.settings import Settings
from ackclock.lab.states.state import State
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.toml_text import toml
from lab_server import SMALL, running
from teaching_set import SCENARIOS

KINDS = {
    "toml": ("application/toml", "red-4.toml"),
    "python": ("text/x-python; charset=utf-8", "red-4.py"),
    "csv": ("text/csv; charset=utf-8", "red-4.csv"),
    "pcapng": ("application/x-pcapng", "red-4.pcapng"),
    "svg": ("image/svg+xml", "red-4.svg"),
    "png": ("image/png", "red-4.png"),
}
RED = {"scenario": "red", "point": 4, "sets": ["duration=22 s"], "replication": 1}
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=12)
NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=12)
VALUES = st.recursive(
    TEXTS | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.decimals(-1000, 1000, places=3),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(NAMES, inside, max_size=3),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("yours")) as lab:
        yield lab


@given(st.dictionaries(NAMES, VALUES, min_size=1, max_size=5))
def test_tables_come_back_as_they_were_written(tables):
    assert tomllib.loads(toml(tables), parse_float=Decimal) == tables


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_an_exported_scenario_is_that_of_its_state(tmp_path, name):
    settings = Settings(tmp_path, "token", 1, 2)
    points = len(State(scenario=name).load_point(settings).combinations)
    for point in {0, points // 2, points - 1}:
        state = State(scenario=name, point=point, replication=2, sets=("seed=5",))
        one = state.load_point(settings)
        again = load(scenario_of(state, one))
        (only,) = again.points()
        assert canonical_json(only.compile().plan) == canonical_json(one.point.compile().plan)
        assert again.seed == 5
        assert again.replications is None or again.replications >= 3


def test_an_exported_scenario_has_its_files(tmp_path):
    (tmp_path / "rates.csv").write_text("time_s,rate_bit_s\n0,1000000\n2,2000000\n")
    source = SMALL.replace("queue =", 'varies = { kind = "csv", file = "rates.csv" }\nqueue =')
    settings = Settings(tmp_path, "token", 1, 2)
    state = State(source=source)
    text = scenario_of(state, state.load_point(settings))
    assert "2,2000000" in text
    assert load(text).points()[0].compile().plan["links"][0]["varies"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_name_and_a_type(server, kind):
    response = server.client.post(f"/api/export/{kind}", json=RED)
    assert response.status_code == 200
    media, name = KINDS[kind]
    assert response.headers["content-type"] == media
    assert response.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert len(response.content) > 500


def test_the_exported_file_gives_the_numbers_of_the_page(server, tmp_path):
    head, _ = server.frames("run", {**RED, "order": 1})[-1]
    file = tmp_path / "lab.toml"
    file.write_bytes(server.client.post("/api/export/toml", json=RED).content)
    results = ackclock.run(file, replications=2)
    row = results.metrics.iloc[1]
    for each in head["metrics"]:
        if each["value"] is not None:
            assert row[each["name"]] == each["value"], each["name"]


def test_the_exported_program_runs(server, tmp_path):
    source = SMALL.replace("Two transfers", 'It\'s \\\\ \\"so\\"')
    body = {"source": source, "sets": ["duration=1 s"]}
    file = tmp_path / "again.py"
    file.write_bytes(server.client.post("/api/export/python", json=body).content)
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=True)
    assert "goodput_bit_s" in done.stdout
    assert done.stderr == ""


def test_the_table_has_all_points_of_the_window(server, tmp_path):
    body = {"source": SMALL, "show": ["cwnd", "queue", "goodput"], "window": [1, 2]}
    text = server.client.post("/api/export/csv", json=body).text
    table = pd.read_csv(io.StringIO(text), keep_default_na=False)
    assert list(table) == ["quantity", "flow", "connection", "time_s", "value", "unit"]
    assert table["time_s"].between(1, 2).all()
    its = table[(table["quantity"] == "cwnd") & (table["flow"] == "flow 1")]
    sets = ['probes.cwnd=["flow 1"]']
    cwnd = ackclock.run(SMALL, tmp_path / "runs", sets=sets).trace("flow 1").cwnd
    rows = cwnd[cwnd["time_s"].between(1, 2, inclusive="left")]
    assert list(its["value"]) == list(rows["cwnd_bytes"])
    assert set(table["unit"]) == {"bytes", "packets", "bit/s"}


def test_figures_say_what_they_show(server):
    body = {"source": SMALL, "show": ["cwnd", "rtt", "queue"], "window": [0.5, 1.5]}
    svg = server.client.post("/api/export/svg", json=body).text
    ElementTree.fromstring(svg)
    for text in ("Two transfers", "cwnd", "RTT", "Queue", "Time (s)", "seed", "replication 0"):
        assert text in svg
    assert "Goodput" not in svg
    png = server.client.post("/api/export/png", json=body).content
    assert png.startswith(b"\x89PNG")


def test_packets_are_those_of_the_command(server):
    from ackclock.capture.run import capture

    body = {"source": SMALL, "at": "r1 -> r2"}
    content = server.client.post("/api/export/pcapng", json=body).content
    made = capture(load(SMALL).points()[0], ["r1 -> r2"], title="Two transfers · replication 0")
    assert content == made.pcapng
    for name, node in (("flow 1", "server 1"), ("flow 2", "server 2")):
        body = {"source": SMALL, "flows": [name]}
        content = server.client.post("/api/export/pcapng", json=body).content
        title = "Two transfers · replication 0"
        assert content == capture(load(SMALL).points()[0], [node], title=title).pcapng


def test_what_cannot_be_exported_gets_a_sentence(server):
    def said(kind, **body):
        return server.messages(f"export/{kind}", {"source": SMALL, **body})

    assert "there is no such point" in said("pcapng", at="nowhere")
    large = ["duration=30 s", "topology.bottleneck.rate=1 Gbit/s"]
    assert "ackclock capture" in said("pcapng", sets=large)
    assert "nothing is drawn" in said("svg", show=["delays"])
    assert "write it like" in said("toml", sets=["duration=4"])
    assert server.client.post("/api/export/exe", json={"source": SMALL}).status_code == 404
