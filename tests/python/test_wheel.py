"""The wheel: what is in it, and its commands where there is neither Rust nor this tree.

``make test-wheel`` builds it, and names it in ACKCLOCK_WHEEL.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

from ackclock import __version__
from teaching_set import ROOT, SCENARIOS

WHEEL = Path(os.environ.get("ACKCLOCK_WHEEL", ""))
pytestmark = pytest.mark.skipif("ACKCLOCK_WHEEL" not in os.environ, reason="make test-wheel")

PACKAGE = ROOT / "python"
SECONDS = 120  # such a command takes less than 5; a busy machine is no failure
LOCKED = re.compile(r"^([\w.-]+==\S+)", re.MULTILINE)
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/#token=(\S+)")
STUDY = ("reproduce", "rfc2415", "--parts", "half-and-half", "--webs", "8", "--out", "study")


class Installed:
    """An environment with nothing but the wheel and what it depends on.

    Attributes:
        bin: folder of its commands, and the whole search path of them.
        env: environment variables of the commands.
    """

    def __init__(self, folder):
        self.bin = folder / "venv" / "bin"
        (folder / "home").mkdir()
        self.env = {"PATH": str(self.bin), "HOME": str(folder / "home"), "LANG": "C.UTF-8"}
        python = self.bin / "python"
        locked = LOCKED.findall((ROOT / "requirements.lock").read_text(encoding="utf-8"))
        (folder / "versions.txt").write_text("\n".join(locked))
        pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        versions = ["--constraint", folder / "versions.txt"]
        for command in (
            [sys.executable, "-m", "venv", folder / "venv"],
            # Most modules of pandas and scipy are never imported: no need to compile all.
            [*pip, "install", "--no-compile", *versions, f"{WHEEL.resolve()}[lab]"],
            [*pip, "check"],
        ):
            subprocess.run(command, check=True, cwd=folder)

    def run(self, folder, *words):
        """What the command prints in a folder, when it ends well."""
        words = [self.bin / "ackclock", *words]
        how = {"cwd": folder, "env": self.env, "timeout": SECONDS}
        done = subprocess.run(words, capture_output=True, text=True, **how)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    return Installed(tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def names():
    with ZipFile(WHEEL) as archive:
        return archive.namelist()


def test_the_wheel_is_for_every_cpython_from_3_11_on():
    name, version, python, abi, _ = WHEEL.stem.split("-")
    assert (name, version, python, abi) == ("ackclock", __version__, "cp311", "abi3")


def test_the_package_is_in_it_and_nothing_else(names):
    package = {
        path.relative_to(PACKAGE).as_posix()
        for path in (PACKAGE / "ackclock").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so"
    }
    package |= {f"ackclock/scenarios/{path.name}" for path in SCENARIOS.values()}
    in_it = {name for name in names if not name.startswith(f"ackclock-{__version__}.dist-info/")}
    assert in_it == package | {"ackclock/_core.abi3.so"}


def test_who_installs_it_is_told_what_it_is():
    with ZipFile(WHEEL) as archive:
        text = archive.read(f"ackclock-{__version__}.dist-info/METADATA").decode()
    its = Parser().parsestr(text)
    assert (its["Name"], its["Version"]) == ("ackclock", __version__)
    assert (its["License-Expression"], its["Requires-Python"]) == ("Apache-2.0", ">=3.11")
    assert its["Author"] == "The ackclock developers"


def test_no_rust_and_nothing_of_this_tree_is_there(installed, tmp_path):
    for tool in ("cargo", "rustc", "maturin"):
        assert shutil.which(tool, path=installed.env["PATH"]) is None
    where = "import ackclock; print(ackclock.__file__)"
    command = [installed.bin / "python", "-c", where]
    done = subprocess.run(
        command, cwd=tmp_path, env=installed.env, capture_output=True, text=True, check=True
    )
    assert Path(done.stdout.strip()).is_relative_to(installed.bin.parent)


def test_from_a_new_file_to_a_report(installed, tmp_path):
    assert installed.run(tmp_path, "--version") == f"ackclock {__version__}\n"
    assert "size-buffer" in installed.run(tmp_path, "--help")
    installed.run(tmp_path, "new", "--out", "lab.toml")
    assert installed.run(tmp_path, "check", "lab.toml").startswith("lab.toml: ok: ")
    installed.run(tmp_path, "run", "lab.toml", "--replications", "2")
    assert "n = 2" in installed.run(tmp_path, "show", "lab.toml")
    installed.run(tmp_path, "plot", "lab.toml", "--kind", "lines", "--out", "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 5000
    installed.run(tmp_path, "report", "lab.toml", "--interactive", "--out", "lab.html")
    report = (tmp_path / "lab.html").read_text(encoding="utf-8")
    assert "<style>" in report
    assert "<script" in report


def test_ready_made_scenarios_by_name(installed, tmp_path):
    listed = installed.run(tmp_path, "new", "--list")
    assert all(f" {name} " in listed for name in SCENARIOS)
    installed.run(tmp_path, "new", "--from", "red", "--out", "mine.toml")
    assert installed.run(tmp_path, "check", "mine.toml").startswith("mine.toml: ok: ")


def test_a_published_study(installed, tmp_path):
    said = installed.run(tmp_path, *STUDY, "--set", "duration=20 s")
    assert "the report is study/report.html" in said
    assert (tmp_path / "study" / "half_and_half.csv").exists()


def test_a_script_in_packetdrills_language(installed, tmp_path):
    shutil.copy(ROOT / "scripts" / "fast_retransmit.pkt", tmp_path)
    assert "fast_retransmit.pkt" in installed.run(tmp_path, "drill", "fast_retransmit.pkt")


@pytest.fixture
def lab(installed, tmp_path):
    """Asks a lab that runs in an empty folder."""
    words = [installed.bin / "ackclock", "lab", "--port", "0", "--no-browser"]
    pipes = {"stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, cwd=tmp_path, env=installed.env, **pipes) as process:
        port, token = ADDRESS.search(process.stdout.readline()).groups()

        def ask(path, body=None):
            headers = {"Authorization": f"Bearer {token}"}
            request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", body, headers)
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                return answer.read()

        yield ask
        process.terminate()


def test_the_lab_has_its_page_scenarios_and_lessons(lab):
    page = lab("/").decode()
    for static in re.findall(r'(?:src|href)="\.?/?(\w+\.(?:js|css))"', page):
        assert lab(f"/{static}")
    assert "lab.js" in page
    assert {each["id"] for each in json.loads(lab("/api/scenarios"))} == {*SCENARIOS}
    assert len(json.loads(lab("/api/lessons"))) == len(
        [*PACKAGE.glob("ackclock/lab/lessons/*.toml")]
    )
    checked = json.loads(lab("/api/check", json.dumps({"scenario": "red"}).encode()))
    assert checked["problems"] == []
