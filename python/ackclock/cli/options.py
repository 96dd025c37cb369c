"""Types of options that several commands have."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

Several = Annotated[list[str], Parameter(consume_multiple=1, negative=())]
"""At least one text, up to the next option."""
AllowCode = Annotated[bool, Parameter(negative=())]
"""Whether the Python code that a scenario names may run."""
Executor = Literal["threads", "processes", "dask://"] | str
"""Where runs are made; the address of a scheduler follows dask://."""
