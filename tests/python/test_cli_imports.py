"""What a command imports: no command waits for a library that it does not need."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import ackclock
from results_campaigns import by_hand

SCENARIO = Path(__file__).parents[2] / "scenarios" / "slow_start.toml"
HEAVY = (
    "distributed",
    "jinja2",
    "markdown_it",
    "matplotlib",
    "numpy",
    "pandas",
    "pyarrow",
    "pydantic",
    "scipy",
    "scipy.stats",
    "starlette",
    "xarray",
    "ackclock.campaign.run",
    "ackclock.emulation",
    "ackclock.scenario.model",
)


def imported(*words: object) -> set[str]:
    """The heavy packages that a command imports in a fresh interpreter."""
    script = (
        "import json, sys; from ackclock.cli import main;"
        f"code = main({[str(word) for word in words]});"
        f"found = [name for name in {HEAVY} if name in sys.modules];"
        "print(json.dumps([code, found]), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    code, found = json.loads(done.stderr.splitlines()[-1])
    assert code == 0, done.stderr
    return set(found)


@pytest.mark.parametrize(
    ("command", "needs"),
    [
        ("--help", set()),
        ("show --help", {"markdown_it"}),
        ("emulate --help", {"markdown_it"}),
        ("reproduce --help", {"markdown_it"}),
        ("model --help", {"markdown_it"}),
        ("model inverse --help", {"markdown_it"}),
        ("model inverse --rtt '75 ms' --throughput '1 Mbit/s'", {"numpy"}),
        ("new", set()),
        ("metrics", {"numpy"}),
        (f"check {SCENARIO}", {"pydantic", "ackclock.scenario.model"}),
        (f"explain {SCENARIO}", {"pydantic", "ackclock.scenario.model"}),
    ],
)
def test_a_command_imports_what_it_needs(command, needs):
    assert imported(*shlex.split(command)) <= needs


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory):
    """Folders of results: one of a scenario without replications, one of points with three."""
    folder = tmp_path_factory.mktemp("campaigns")
    ackclock.run(SCENARIO, folder / "one", sets=["duration=2 s"], jobs=1)
    values = {"goodput_bit_s": [1e6, 2e6, 4e6], "utilisation": [0.9, 0.99, 1.0]}
    by_hand(folder / "three", [({"tcp_flavor": "reno"}, values), ({"tcp_flavor": "bbr"}, values)])
    return folder


def test_a_table_of_means_needs_no_frame_and_no_model_of_a_scenario(campaigns):
    assert imported("show", campaigns / "one") <= {"numpy"}


def test_an_interval_needs_no_more_than_its_quantile(campaigns):
    assert imported("show", campaigns / "three") <= {"numpy", "scipy"}


def test_a_study_of_one_replication_needs_no_quantile(tmp_path):
    words = ["reproduce", "rfc2415", "--parts", "half-and-half", "--webs", "8"]
    found = imported(*words, "--out", tmp_path, "--set", "duration=5 s")
    assert "matplotlib" in found
    assert not {"scipy", "scipy.stats"} & found


@pytest.mark.parametrize("name", ["notebook", "reports"])
def test_what_is_embedded_needs_no_server(name):
    if name == "notebook":
        pytest.importorskip("anywidget")
    code = (
        "import sys\n"
        "for name in ('starlette', 'anyio', 'uvicorn'): sys.modules[name] = None\n"
        f"import ackclock.lab.embedded.{name}\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
