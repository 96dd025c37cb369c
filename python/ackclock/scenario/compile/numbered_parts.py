"""Parts of a plan to which others refer by number."""

from __future__ import annotations

import json
from typing import Any


class Distinct:
    """Values in the order of their first use, each once.

    Attributes:
        values: all of them.
    """

    def __init__(self) -> None:
        """Hold none yet."""
        self.values: list[dict[str, Any]] = []
        self._numbers: dict[str, int] = {}

    def number(self, value: dict[str, Any]) -> int:
        """The number of a value, which is added if it is new."""
        key = json.dumps(value, sort_keys=True)
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(value)
        return self._numbers[key]
