"""The option ``--seed`` of the commands: the scenario's seed, as ``--set seed=`` would give it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ackclock.errors import InputError
from ackclock.scenario.loading import load
from ackclock.scenario.model.scenario import MOST_SEED, Scenario


def load_seeded(
    file: str | Path, sets: Sequence[str], seed: int | None
) -> tuple[Scenario, list[str]]:
    """The scenario of a file with a seed in place of its own, if one is given.

    Args:
        file: path of a file.
        sets: texts ``key=value`` that change any dotted key.
        seed: what ``--seed`` says.

    Returns:
        The scenario, and all the texts that changed it.

    Raises:
        InputError: with everything that is wrong with the file, the changes and the seed.
    """
    if seed is None:
        return load(file, sets), list(sets)
    problems = [*seed_problems(seed), *_given_twice(sets, seed)]
    changes = [*sets] if problems else [*sets, f"seed={seed}"]
    try:
        scenario = load(file, changes)
    except InputError as error:
        raise InputError([*problems, *error.messages]) from None
    if problems:
        raise InputError(problems)
    return scenario, changes


def seed_problems(seed: int) -> list[str]:
    """What is wrong with what ``--seed`` says."""
    if 0 <= seed <= MOST_SEED:
        return []
    return [f"--seed {seed}: must be between 0 and {MOST_SEED}, for example 1"]


def _given_twice(sets: Sequence[str], seed: int) -> list[str]:
    return [
        f"--seed {seed}: --set {pair} gives the seed, too; leave out one of the two"
        for pair in sets
        if pair.partition("=")[0].strip() == "seed"
    ]
