"""Claims of the modern studies: each holds on runs made so, and fails when just that changes."""

import pytest

from ackclock.studies import study_of
from ackclock.studies.machinery.claims import EXPLORATORY, verdicts
from modern_cases import EXAMPLES

BREAKS = [(its, change) for its in EXAMPLES for change in its.breaks]


def holds(its, change=None):
    study = study_of(its.name)
    table = verdicts(study.claims, study.evidence(its.runs(change))).set_index("id")
    # What an exploratory claim would come to stands in front of its numbers.
    by_itself = table["evidence"].str.extract(r"^by itself it would (\w+);")[0]
    words = by_itself.map({"hold": "true", "fail": "false"})
    return table["holds"].where(table["holds"] != EXPLORATORY, words).to_dict()


@pytest.mark.parametrize("its", EXAMPLES, ids=lambda its: its.name)
def test_every_claim_holds_on_the_example(its):
    assert holds(its) == {claim.id: "true" for claim in study_of(its.name).claims}


@pytest.mark.parametrize("its", EXAMPLES, ids=lambda its: its.name)
def test_every_claim_can_fail(its):
    broken = {change.claim for change in its.breaks}
    assert broken == {claim.id for claim in study_of(its.name).claims}


@pytest.mark.parametrize(
    ("its", "change"), BREAKS, ids=lambda each: getattr(each, "claim", getattr(each, "name", ""))
)
def test_a_claim_fails_when_what_it_speaks_of_changes(its, change):
    found = holds(its, change)
    assert found[change.claim] == "false"
    others = {id for id, verdict in found.items() if verdict != "true"}
    assert others - {change.claim} <= set(change.also)
