"""The alternatives whose worth is measured: each is a setting, and none is the default."""

from __future__ import annotations

import pytest

from ackclock.scenario.settings import apply, changed
from ackclock.studies.ubr_web.parameters import Parameters
from ackclock.studies.ubr_web.sensitivity import ALTERNATIVES


@pytest.mark.parametrize("setting", ALTERNATIVES)
def test_an_alternative_changes_one_setting(setting: str) -> None:
    key = setting.split("=")[0]
    assert [pair.split("=")[0] for pair in changed(apply(Parameters, [setting]))] == [key]
