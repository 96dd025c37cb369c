"""The modern studies as the tests of all studies run them, and made-up runs for their claims.

A study has a module ``modern_<name>`` here with ``EXAMPLE``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ackclock.studies import study_of
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Runs, chosen_points
from study_cases import Case, made_of

NAMES = (
    "bbr-share",
    "bbr-paths",
    "buffer-sizing",
    "codel",
    "bufferbloat",
    "dctcp",
    "l4s",
    "slow-start",
    "tail-loss",
    "initial-window",
    "leo",
    "fairness-rtt",
)
SCATTER = 0.001
"""Standard deviation of a run, as a share of its mean; the mean over the replications is exact."""


class Break(NamedTuple):
    """A change after which a claim is false.

    Attributes:
        claim: its id.
        part: whose runs change.
        metric: which.
        factor: by which it is multiplied.
        where: at which points.
        also: ids of other claims that may then be false, too.
    """

    claim: str
    part: str
    metric: str
    factor: float
    where: Callable[[Any], bool] = lambda point: True
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Example:
    """A modern study under test.

    Attributes:
        name: of the study.
        small: levels that are run; their runs take little time.
        command: the words of the command for them.
        files: names of the files that these levels give, without ".csv", but for the claims.
        other: levels without which some files are not there.
        gone: these files.
        row: of a part's name and a point, metrics with which every claim holds.
        breaks: at least one for every claim.
        changes: a setting.
        changed: what the report says of it.
    """

    name: str
    small: Mapping[str, tuple[Any, ...]]
    command: str
    files: tuple[str, ...]
    other: Mapping[str, tuple[Any, ...]]
    gone: tuple[str, ...]
    row: Callable[[str, Any], Mapping[str, float]]
    breaks: tuple[Break, ...]
    changes: tuple[str, ...] = ("tcp.min_rto=400 ms",)
    changed: str = "400 ms changed from preset"

    @property
    def case(self) -> Case:
        """What the tests of all studies run."""
        return Case(
            name=self.name,
            fake="counted_core",
            small=self.small,
            command=self.command,
            claims=len(study_of(self.name).claims),
            headers=dict.fromkeys((*self.files, "claims"), ""),
            other=self.other,
            gone=frozenset(f"{each}.csv" for each in self.gone),
            changes=self.changes,
            changed=self.changed,
        )

    def frames(self, replications: int = 10) -> dict[str, pd.DataFrame]:
        """Made-up runs by part: a row a run."""
        noise = np.linspace(-1, 1, replications)
        noise *= SCATTER / noise.std()
        return {
            part: pd.DataFrame(
                [
                    {
                        **point._asdict(),
                        "replication": at,
                        "seed": at,
                        **self._run(part, point, one),
                    }
                    for place, point in enumerate(points)
                    # Not the same at every point, so that differences of points scatter, too.
                    for at, one in enumerate(np.roll(noise, place))
                ]
            )
            for part, points in chosen_points(Request(study_of(self.name))).items()
            if points
        }

    def _run(self, part: str, point: Any, noise: float) -> dict[str, float]:
        return {name: value * (1 + noise) for name, value in self.row(part, point).items()}

    def runs(self, change: Break | None = None) -> Runs:
        """The made-up runs, changed or not."""
        frames, study = self.frames(), study_of(self.name)
        if change:
            frame, point = frames[change.part], study.part(change.part).point
            points = frame[list(point._fields)].itertuples(index=False, name=None)
            rows = [change.where(point(*levels)) for levels in points]
            assert any(rows), change
            frame.loc[rows, change.metric] *= change.factor
        return made_of(study, frames)


def example(name: str) -> Example:
    """The example of a study."""
    found: Example = import_module(f"modern_{name.replace('-', '_')}").EXAMPLE
    return found


EXAMPLES = tuple(example(name) for name in NAMES)
