"""The command ``ackclock run`` with the fakes, also as a process: ``campaign_command.py WORDS``.

The file that is run holds keyword arguments of ``FakeScenario`` as JSON.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

import pytest

import ackclock.campaign
import campaign_fakes as fakes
from ackclock import cli


def load(file, sets):
    text = Path(file).read_text(encoding="utf-8")
    scenario = fakes.FakeScenario(**json.loads(text))
    scenario.text = text
    scenario.plan |= dict(pair.split("=") for pair in sets)
    return scenario


def faked(patch: pytest.MonkeyPatch) -> None:
    """Put the fakes in the places of the scenario, the core and the metrics."""
    patch.setattr("ackclock.scenario.seed.load", load)
    patch.setattr("ackclock.results.scenario_run.MEASURE", fakes.NAMES["measure"])
    patch.setattr("ackclock.results.scenario_run.TRACES", fakes.NAMES["traces"])
    run_campaign = partial(ackclock.campaign.run_campaign, core=fakes.NAMES["core"])
    patch.setattr("ackclock.campaign.run_campaign", run_campaign)
    # The fakes' rows have none of the metrics; test_run_command.py sees the tables.
    patch.setattr("ackclock.cli.run._show", lambda folder: None)


def command(words) -> int:
    """What the command returns."""
    return cli.app(
        ["run", *words], exit_on_error=False, print_error=False, result_action="return_value"
    )


if __name__ == "__main__":
    faked(pytest.MonkeyPatch())
    sys.exit(cli.main(["run", *sys.argv[1:]]))
