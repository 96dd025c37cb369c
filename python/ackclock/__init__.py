"""ackclock: a TCP performance laboratory.

>>> import ackclock
>>> r = ackclock.run("lab.toml")  # doctest: +SKIP
>>> r = ackclock.load_results("lab.results")  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.code_permission import code_allowed
    from ackclock.results.results import Results
    from ackclock.results.scenario_run import run

__all__ = ["Results", "__version__", "code_allowed", "load_results", "run"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import a name of the package at its first use, so that a command's help starts quickly."""
    if name == "run":
        from ackclock.results.scenario_run import run

        return run
    if name == "code_allowed":
        from ackclock.code_permission import code_allowed

        return code_allowed
    if name in ("Results", "load_results"):
        from ackclock.results.results import Results

        return Results if name == "Results" else Results.open
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, including those that are not imported yet."""
    return __all__
