"""Base class of the parts of ``Results.plot``."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ackclock.plots.quantities import quantity, words

if TYPE_CHECKING:
    import pandas as pd

    from ackclock.results.results import Results

CONFIDENCE = 0.95


class Drawing:
    """Draws results.

    Args:
        results: results of a campaign.
    """

    def __init__(self, results: Results) -> None:
        self._results = results

    def _rest(self, used: Collection[str | None], frame: pd.DataFrame, what: str) -> str:
        """Return the foot's text about factors that a figure does not separate; may be empty.

        Args:
            used: columns that the figure separates, for example by line or panel.
            frame: values in the figure, with one column per factor.
            what: how the figure combines the other factors: "averaged over".
        """
        rest = [name for name in self._results.factors if name not in used]
        rest = [name for name in rest if frame[name].nunique() > 1]
        if not rest:
            return ""
        between = ": " if what.endswith("together") else " "
        return f" · {what}{between}{', '.join(words(quantity(name).name) for name in rest)}"
