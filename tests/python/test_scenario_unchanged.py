"""The plans of the earlier studies say what they said before later schemas, and nothing new."""

import hashlib

import pytest

from ackclock.scenario.plan import plan_hash
from ackclock.studies.abr_web.study import STUDY as ABR_WEB
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.settings import main_scenario, scenario_of, scenarios
from ackclock.studies.newreno.levels import RUN_PARTS
from ackclock.studies.newreno.study import STUDY as NEWRENO
from ackclock.studies.rfc2415.study import STUDY as RFC2415
from ackclock.studies.ubr_web.study import STUDY as UBR_WEB
from earlier_plans import as_schema

BEFORE = {
    "ubr-web": "92bc665f222efe3a8eb8537a7f2fc95218e293f12e0ed88872cc9d5f8dd72324",
    "tables": "75a17a30215a65816bf954c04d12131ad3dbd9a46807dfc6b541688e37d2b0b6",
    "half-and-half": "8ae405f9ff21ac18a0c71311c6bd997943910dc8b8cd3372792d875dc17da902",
    "reverse": "bc84a6a87e349511f27fc65a96adbcf26f68f3a18ea27ced4357151e9925819f",
    "red": "5ecaac9ff3a9bf45c77da180f7db3f22f41f515b0679cf92a947b21eb366fbeb",
}
"""SHA-256 of the hashes of all plans, one after the other, recorded with schema 4."""
BEFORE_6 = {
    "bursty": "3a74ca5be115f07321c8fcd7e924256aca39294ec907d1ddb2e982a7d70d0e3e",
    "variants": "55be846d3b14df4da01fbf942f6c45213b987e4e9fdaa77943dc6fa530659a58",
    "bernoulli": "91e99e157958cbe1904fce6a33f1534d6442bf634287978a50a224de8b73b55e",
    "background": "6cc0420cadd8d746ce57c11a39a8aa3b997cbe33bd10847936bcc5821bb3943d",
    "bottlenecks": "3e5a1ff101face3ee685be9b95551c69e3ef4458332cdc0a1ef3a23934ddbe23",
    "udp": "26fe42b5feb1704495e62c6b8a0201ce8cdf755e700556a7f569894c547c8dc9",
    "scaling": "4e3baca246e664d6af0b9e4724ef845d61d83a3ea329537d1fe7f24b0a85cb69",
    "buffer": "010822f333998f1317796edf935c071afae91255019d86a685a1a8cb9a42c9d9",
    "emulation": "f7ef9bce2490348be700ffdbc27c67def57fcd7bf4530b21308c5c242f34aa55",
}
"""The same of the plans of the NewReno study, recorded with schema 5."""
BEFORE_7 = {
    "table2": "66f069f058fc7c289e971a09b26380114c3f5c997b25b109e1af95a93d545d6e",
    "service": "f8a61420967cc0cce5d797e1efce470950e71fd592e382771366dcd5051fb05e",
}
"""The same of the plans of the study of web traffic over ABR, recorded with schema 6."""


def points_of(name):
    if name == "ubr-web":
        # The default of then; that of now is nearer to the printed results.
        return main_scenario(Request(UBR_WEB, ("clock.phase=uniform 300 us",))).points()
    as_before = ("tcp.historic.handshake_sample=true",)
    request = Request(RFC2415, as_before, {"parts": (name,)})
    return scenarios(request)[name].points()


def test_every_part_is_here():
    assert list(BEFORE) == ["ubr-web", *(part.name for part in RFC2415.parts)]
    assert list(BEFORE_6) == list(RUN_PARTS)
    assert list(BEFORE_7) == [part.name for part in ABR_WEB.parts]


def hashed(schema, points):
    plans = (as_schema(schema, point.compile().plan) for point in points)
    return hashlib.sha256("".join(map(plan_hash, plans)).encode()).hexdigest()


@pytest.mark.parametrize("name", BEFORE)
def test_a_plan_differs_in_the_new_keys_only(name):
    assert hashed(4, points_of(name)) == BEFORE[name]


@pytest.mark.parametrize("part", BEFORE_6)
def test_a_plan_of_the_newreno_study_differs_in_the_new_keys_only(part):
    scenario = scenario_of(NEWRENO.part(part), Request(NEWRENO))
    assert hashed(5, scenario.points()) == BEFORE_6[part]


@pytest.mark.parametrize("part", BEFORE_7)
def test_a_plan_of_the_abr_study_differs_in_the_new_keys_only(part):
    found = scenarios(Request(ABR_WEB, levels={"parts": (part,)}))[part]
    assert hashed(6, found.points()) == BEFORE_7[part]
