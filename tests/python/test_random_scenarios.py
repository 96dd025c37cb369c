"""A few hundred random scenarios; ``make fuzz-scenarios`` tries thousands."""

import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from ackclock.scenario.model.base import keys
from ackclock.scenario.model.scenario import Scenario
from random_scenarios import tables, values
from random_scenarios.properties import check
from random_scenarios.whole import scenarios, toml

EXAMPLES = 300
SEED = 1  # always the same, whatever changes in this file


def test_random_scenarios_run_or_are_refused(capsys):
    """Valid by ``check`` means: it runs, repeats, conserves and stays within its bounds."""
    counted = Counter()

    # Not shrunk: that takes long, and the text is in the message; see random_scenarios.__main__.
    @seed(SEED)
    @settings(
        max_examples=EXAMPLES,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(scenarios())
    def every(made):
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
    print(f"{counted['valid']} valid, {counted['wrong']} refused, {counted['runs']} runs")
    assert counted["valid"] + counted["wrong"] == EXAMPLES
    # Most of what is tried says something.
    assert counted["valid"] > EXAMPLES / 3
    assert counted["wrong"] > EXAMPLES / 10
    assert counted["runs"] > counted["valid"]


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
