"""``ackclock check``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ackclock.cli.json_output import say_json
from ackclock.cli.options import Several
from ackclock.cli.output import say
from ackclock.errors import InputError


def check(
    *files: Path,
    set: Several | None = None,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Check every key, value and expression of scenario files, at every point of the sweep.

    Prints the number of runs of each valid file and every error of the others. For each probe it
    prints how many rows a run records, and how much memory they take. Notes describe what arrives
    in groups of arrivals, and mark files in which all replications give the same numbers, because
    nothing is random.

    Args:
        files: Scenario files (TOML).
        set: Change one key of all scenarios: KEY=VALUE; may be repeated.
        json: Print one JSON document, including all errors.
    """
    from ackclock.scenario import load
    from ackclock.scenario.json_documents import checked_document, problems_document
    from ackclock.scenario.randomness import replications_note
    from ackclock.scenario.summary import arrival_notes, one_line
    from ackclock.scenario.summary_of_probes import probe_rows

    if not files:
        raise InputError("name a scenario file; `ackclock new` writes one to start from")
    problems = []
    described = []
    for file in files:
        try:
            scenario = load(file, set or [])
        except InputError as error:
            problems += error.messages
            described.append(problems_document(str(file), error.messages))
            continue
        if json:
            described.append(checked_document(str(file), scenario))
        else:
            say(f"{file}: ok: {one_line(scenario)}")
            for row in probe_rows(scenario.points()):
                say(f"{file}: probe {row.probe}: {row.text}")
            for note in filter(None, [*arrival_notes(scenario), replications_note(scenario)]):
                say(f"{file}: note: {note}")
    if json:
        say_json({"ok": not problems, "files": described})
    if problems:
        raise InputError(problems)
