"""The study's scenario file, and what ``--set`` may change in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ackclock import scenario
from ackclock.studies.common.file import StudyFile
from ackclock.studies.ubr_web.levels import Point, Selection
from ackclock.studies.ubr_web.result import Request

STUDY = StudyFile(
    Path(__file__).with_name("scenario.toml"),
    "--links, --policies, --flavors and --buffers",
    {
        "newreno": ("a flavor", "Which of the core's NewRenos the level NewReno is."),
        **{
            f"{link.lower()}_buffers": (
                "[three numbers of cells]",
                f"Buffers that stand for 0.5, 1 and 2 RTT on the {link} link.",
            )
            for link in Selection().links
        },
        "buffers": ("", "Those of the link that is run."),
        "buffer_rtt": ("", "Which of them."),
    },
)


def study_scenario(request: Request, probes: Sequence[str] = ()) -> scenario.Scenario:
    """The study's scenario with what the request changes.

    Args:
        request: what to run.
        probes: texts ``key=value`` of what to record.

    Raises:
        InputError: with all that is wrong with the changes.
    """
    levels = {tuple(zip(Point._fields, point, strict=True)) for point in Selection().points()}
    return STUDY.load(request.sets, request.seed, probes, levels)
