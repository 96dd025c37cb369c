"""``ackclock schema``."""

from __future__ import annotations

import json
from pathlib import Path


def schema(*, out: Path | None = None) -> None:
    """Print the JSON Schema of scenario files, for editors.

    Args:
        out: Write the schema to this file; by default to standard output.
    """
    from ackclock.campaign.files import write_whole
    from ackclock.cli.new import writable
    from ackclock.scenario.schema import json_schema

    text = json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
    if out is None:
        print(text, end="")
        return
    with writable(out):
        write_whole(out, lambda path: path.write_text(text, encoding="utf-8"))
