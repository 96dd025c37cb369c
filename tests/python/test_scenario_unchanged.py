"""The plans of the earlier studies say what they said before schema 5, and nothing new."""

import hashlib

import pytest

from ackclock.scenario.plan import plan_hash
from ackclock.studies.rfc2415.levels import PARTS
from ackclock.studies.rfc2415.levels import Selection as Parts
from ackclock.studies.rfc2415.result import Request as RequestOfRfc
from ackclock.studies.rfc2415.settings import part_scenarios
from ackclock.studies.ubr_web.result import Request as RequestOfUbr
from ackclock.studies.ubr_web.settings import study_scenario
from earlier_plans import as_schema_4

BEFORE = {
    "ubr-web": "92bc665f222efe3a8eb8537a7f2fc95218e293f12e0ed88872cc9d5f8dd72324",
    "tables": "75a17a30215a65816bf954c04d12131ad3dbd9a46807dfc6b541688e37d2b0b6",
    "half-and-half": "8ae405f9ff21ac18a0c71311c6bd997943910dc8b8cd3372792d875dc17da902",
    "reverse": "bc84a6a87e349511f27fc65a96adbcf26f68f3a18ea27ced4357151e9925819f",
    "red": "5ecaac9ff3a9bf45c77da180f7db3f22f41f515b0679cf92a947b21eb366fbeb",
}
"""SHA-256 of the hashes of all plans, one after the other, recorded with schema 4."""


def points_of(name):
    if name == "ubr-web":
        return study_scenario(RequestOfUbr(())).points()
    return part_scenarios(RequestOfRfc((), Parts(parts=(name,))))[name].points()


def test_every_part_is_here():
    assert list(BEFORE) == ["ubr-web", *PARTS]


@pytest.mark.parametrize("name", BEFORE)
def test_a_plan_differs_in_the_new_keys_only(name):
    hashes = [plan_hash(as_schema_4(point.compile().plan)) for point in points_of(name)]
    assert hashlib.sha256("".join(hashes).encode()).hexdigest() == BEFORE[name]
