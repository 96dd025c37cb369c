"""``ackclock drill``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from ackclock.cli.json_output import say_json
from ackclock.cli.options import Several
from ackclock.cli.output import say
from ackclock.errors import InputError

if TYPE_CHECKING:
    from ackclock.drill import Outcome

FAILED = 1
UNREADABLE = 2


def drill(
    *files: Path,
    flavor: str | None = None,
    set: Several | None = None,
    check_psh: Annotated[bool, Parameter(negative=())] = False,
    check_left: Annotated[bool, Parameter(negative=())] = False,
    tolerance_usecs: int | None = None,
    verbose: Annotated[bool, Parameter(negative=())] = False,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Run packetdrill scripts against the simulated TCP, in simulated time.

    Exit code: 0 if all scripts passed, 1 if one failed, 2 if one could not be read.

    Args:
        files: Scripts in packetdrill's language (.pkt).
        flavor: TCP flavor under test; by default "cubic".
        set: Change the TCP under test: tcp.KEY=VALUE, with any key of [tcp], or clock.tick=VALUE.
        check_psh: Compare the PSH flag, too.
        check_left: Fail if the TCP sends segments after the last expected one; packetdrill ignores
            them.
        tolerance_usecs: Largest error of a time, in microseconds, for scripts that do not set one;
            by default 4000.
        verbose: Print all segments of the exchange.
        json: Print all results as one JSON document.
    """
    from ackclock.drill import run_script, subject
    from ackclock.drill.rendering import as_json, not_applied, unreadable_as_json, verdict

    if not files:
        raise InputError("name a script; docs/howto/write-a-script.md shows how to write one")
    if tolerance_usecs is not None and tolerance_usecs < 0:
        raise InputError(
            f"--tolerance-usecs {tolerance_usecs}: must be 0 or more; write for example 4000"
        )
    under_test = subject(flavor, set or [])
    outcomes: list[Outcome] = []
    described: list[dict[str, Any]] = []
    unreadable = 0
    for file in files:
        try:
            outcome = run_script(
                file,
                under_test,
                check_psh=check_psh,
                check_left=check_left,
                tolerance_us=tolerance_usecs,
            )
        except InputError as error:
            unreadable += 1
            described.append(unreadable_as_json(str(file), error.messages))
            for message in error.messages:
                say(f"ackclock: {message}", err=True)
            continue
        outcomes.append(outcome)
        described.append(as_json(outcome))
        if not json:
            say("\n".join(verdict(outcome, verbose=verbose)))
    failed = sum(outcome.failure is not None for outcome in outcomes)
    if json:
        say_json(described)
    else:
        for line in not_applied(outcomes):
            say(line)
        counts = f"{len(outcomes) - failed} passed, {failed} failed"
        say(counts + (f", {unreadable} could not be read" if unreadable else ""))
    return UNREADABLE if unreadable else FAILED if failed else 0
