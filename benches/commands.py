"""What common commands cost: processor time of the whole process, and the share of its imports.

Each command runs in a process of its own, in turn with the others; processor time is user and
system time of the process and its children (Linux, macOS). The least of several rounds counts,
because the machine may be busy. A call before the first round, which writes Python's bytecode, does
not count. A second process imports the same modules and does nothing else: its time is the share of
the imports, the start of the interpreter included.

Usage: python benches/commands.py [ROUNDS]
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 7
SCENARIO = Path(__file__).parents[1] / "scenarios" / "slow_start.toml"
RESULTS = "shown.results"
OUT = "out"
COMMANDS = {
    "--help": ["--help"],
    "check": ["check", str(SCENARIO)],
    "show": ["show", RESULTS],
    "run slow_start": ["run", str(SCENARIO), "--out", OUT],
    "compare reno newreno sack": ["compare", "reno", "newreno", "sack", "--out", OUT],
}
_COMMAND = [sys.executable, "-m", "ackclock"]
_NAMES = (
    "import json, sys; from ackclock.cli import main;"
    " main(sys.argv[2:]); json.dump(list(sys.modules), open(sys.argv[1], 'w'))"
)
"""Runs a command, and writes which modules it has imported, in their order."""
_IMPORTS = """
import importlib, json, sys
from contextlib import suppress
for name in json.load(open(sys.argv[1])):
    with suppress(ImportError):
        importlib.import_module(name)
"""
"""Imports the modules; a few are no files, but made by others."""


def processor_s(words: list[str], folder: Path) -> float:
    """User and system time of a program and its children, s."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(folder / OUT, ignore_errors=True)
    _quiet(words, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _quiet(words: list[str], folder: Path) -> None:
    # Else the bytecode would be made again in each round.
    environment = {
        name: os.environ[name] for name in os.environ if name != "PYTHONDONTWRITEBYTECODE"
    }
    subprocess.run(
        words,
        cwd=folder,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def main() -> None:
    """Measure, and print a line for each command."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        _quiet([*_COMMAND, "run", str(SCENARIO), "--out", RESULTS], folder)
        programs = {}
        for number, (name, words) in enumerate(COMMANDS.items()):
            modules = str(folder / f"{number}.json")
            shutil.rmtree(folder / OUT, ignore_errors=True)
            _quiet([sys.executable, "-c", _NAMES, modules, *words], folder)
            programs[name] = [*_COMMAND, *words], [sys.executable, "-c", _IMPORTS, modules]
        best = {name: (float("inf"), float("inf")) for name in programs}
        for _ in range(rounds):
            for name, (command, imports) in programs.items():
                took = processor_s(command, folder), processor_s(imports, folder)
                best[name] = min(best[name][0], took[0]), min(best[name][1], took[1])
    for name, (whole, imports) in best.items():
        print(f"{name:<26}{whole:6.2f} s, imports {100 * imports / whole:3.0f} %")


if __name__ == "__main__":
    main()
