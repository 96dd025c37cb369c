"""A few hundred random scenarios; ``make fuzz-scenarios`` tries thousands."""

import resource
import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ackclock.scenario.model.base import keys
from ackclock.scenario.model.scenario import Scenario
from random_scenarios import tables, values
from random_scenarios.properties import check
from random_scenarios.whole import scenarios, toml

EXAMPLES = 300
MOST_CPU_S = 90
"""After so much processor time no further scenario is tried: a slow machine tries fewer."""


def cpu_s():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def test_random_scenarios_run_or_are_refused(capsys):
    """Valid by ``check`` means: it runs, repeats, conserves and stays within its bounds."""
    counted, began = Counter(), cpu_s()

    # Not shrunk: that takes long, and the text is in the message; see random_scenarios.__main__.
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(scenarios())
    def every(made):
        if cpu_s() - began > MOST_CPU_S:
            counted["left out"] += 1
            return
        text = toml(made)
        with tempfile.TemporaryDirectory() as folder:
            try:
                outcome = check(text, Path(folder))
            except BaseException as error:
                error.add_note(f"The scenario:\n{text}")
                raise
        counted["valid" if outcome.valid else "wrong"] += 1
        counted["runs"] += outcome.runs
        capsys.readouterr()

    every()
    # Most of what is tried says something.
    assert counted["valid"] > (EXAMPLES - counted["left out"]) / 3
    assert counted["wrong"] > (EXAMPLES - counted["left out"]) / 10


def test_every_key_has_a_strategy():
    """A key that accepts something new is drawn, or is written by hand."""
    seen = set()

    def visit(model):
        if model in seen:
            return
        seen.add(model)
        for key in keys(model).values():
            drawn = key.name not in {*tables.APART, *tables.SMALLER, "files", "variables"}
            if key.kind is not None and drawn and model.__name__ not in ("Sweep", "Figure"):
                assert isinstance(values.of(key.kind.accepts), st.SearchStrategy)
            for each in key.tables:
                visit(each)

    visit(Scenario)
    assert len(seen) > 30
