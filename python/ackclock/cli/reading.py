"""What the commands that read results have in common."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.cli.output import say

if TYPE_CHECKING:
    from rich.console import Console

    from ackclock.results.results import Results

_ANY_WIDTH = 10_000


def results_of(place: Path) -> Results:
    """The results in a folder, or of a scenario file whose runs are beside it.

    Raises:
        InputError: there are none.

    Warns:
        CampaignWarning: emulated runs among them are not to be trusted; and what ``Results.open``
            warns of.
    """
    from ackclock.results.results import Results

    results = Results.open(folder_of(place))
    _warn_of_verdicts(results)
    return results


def folder_of(place: Path) -> Path:
    """The folder of a campaign, or that of the simulated runs of a scenario file.

    Raises:
        InputError: a scenario file has none.
    """
    from ackclock.errors import InputError
    from ackclock.results.scenario_run import results_folder

    if place.is_dir() or place.suffix != ".toml":
        return place
    folder = results_folder(place)
    if not folder.is_dir():
        raise InputError(f"{place}: has no results yet; make them with: ackclock run {place}")
    return folder


def _warn_of_verdicts(results: Results) -> None:
    from ackclock.campaign import CampaignWarning
    from ackclock.results.emulated import banner

    its = banner(results.campaign.runs)
    if its is not None:
        # What is warned of begins with the place, as the campaign's own warnings do.
        said = f"{its.headline[0].lower()}{its.headline[1:]}; {its.lateness}"
        warnings.warn(f"{results.campaign.folder}: {said}", CampaignWarning, stacklevel=3)


def names(words: list[str] | None) -> list[str] | None:
    """Names that were given one by one or with commas between; none if none were."""
    if words is None:
        return None
    found = [name.strip() for word in words for name in word.split(",") if name.strip()]
    # An empty name does not exist: whoever looks it up reports which names do.
    return found or [""]


def console() -> Console:
    """For tables on standard output: a file or a pipe has room for all columns."""
    from ackclock.cli.screen import Screen

    made = Screen(highlight=False)
    if not made.is_terminal:
        made.width = _ANY_WIDTH
    return made


def print_notes(*several: Results) -> None:
    """Print what there is to know beside the numbers of results, as wide as the terminal."""
    from ackclock.results.notes import notes
    from ackclock.terminal import paragraph

    for note in notes(*several):
        say(paragraph(f"Note: {note}", console().width))


@contextmanager
def warnings_shown() -> Iterator[None]:
    """Print what is to be checked as this command's own; other warnings as usual."""
    from ackclock.campaign import CampaignWarning

    with warnings.catch_warnings():
        warnings.simplefilter("always", CampaignWarning)
        usual = warnings.showwarning

        def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
            if issubclass(category, CampaignWarning):
                say(f"ackclock: warning: {message}", err=True)
            else:
                usual(message, category, *where, **more)

        warnings.showwarning = show
        yield
