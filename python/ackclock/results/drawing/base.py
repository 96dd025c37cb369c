"""What the parts of ``Results.plot`` have in common."""

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
        results: of a campaign.
    """

    def __init__(self, results: Results) -> None:
        self._results = results

    def _rest(self, used: Collection[str | None], frame: pd.DataFrame, what: str) -> str:
        """For the foot: the factors that a figure does not tell apart; empty if there is none.

        Args:
            used: columns that it tells apart.
            frame: what it shows, with a column a factor.
            what: is done with the others: "averaged over".
        """
        rest = [name for name in self._results.factors if name not in used]
        rest = [name for name in rest if frame[name].nunique() > 1]
        if not rest:
            return ""
        between = ": " if what.endswith("together") else " "
        return f" · {what}{between}{', '.join(words(quantity(name).name) for name in rest)}"
