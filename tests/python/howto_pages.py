"""The pages docs/howto/add-a-*.md as what they ask for: new files, changed files, commands.

A page is Markdown that a program reads, too:

- a fenced block after the words "one file, `PATH`" or with ``<!-- file: PATH -->`` above
  it is a new file;
- a later block of the same language that begins with ``#[cfg(test)]`` goes to its end;
- a ``diff`` block changes files, or makes one of ``/dev/null``. Where a hunk belongs is found by
  its lines, not by their numbers, so that a page survives what is added above; lines that stand
  there twice are an error;
- a ``sh`` block is commands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "howto").glob("add-a-*.md"))
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"\b[Oo]ne file,\s+`([^`]+)`|<!-- file: (\S+) -->")
_HUNK = re.compile(r"^@@ [^@]*@@.*$", re.MULTILINE)


class PageError(AssertionError):
    """A page asks for what cannot be done."""


@dataclass
class Page:
    """What a page asks for.

    Attributes:
        name: of the page.
        files: the new files.
        hunks: of each changed file, pairs of what stands there and what shall.
        commands: the blocks of commands.
    """

    name: str
    files: dict[str, str] = field(default_factory=dict)
    hunks: list[tuple[str, str, str]] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)


def read(path: Path) -> Page:
    """What a page asks for."""
    page = Page(path.name)
    text = path.read_text(encoding="utf-8")
    last, new = 0, ""
    for block in _BLOCK.finditer(text):
        language, body = block.groups()
        named = _FILE.findall(text[last : block.start()])
        last = block.end()
        if language == "diff":
            _read_diff(page, body)
        elif language == "sh":
            page.commands.append(body)
        elif named:
            new = next(filter(None, named[-1]))
            page.files[new] = body
        elif new and body.startswith("#[cfg(test)]"):
            page.files[new] += f"\n{body}"
    return page


def _read_diff(page: Page, diff: str) -> None:
    for part in re.split(r"^--- (?=a/|/dev/null)", diff, flags=re.MULTILINE)[1:]:
        before, after, rest = part.split("\n", 2)
        path = after.removeprefix("+++ b/")
        for hunk in _HUNK.split(rest)[1:]:
            lines = hunk.strip("\n").split("\n")
            old = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "+")
            new = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "-")
            if before == "/dev/null":
                page.files[path] = new
            else:
                page.hunks.append((path, old, new))


def apply(page: Page, root: Path) -> dict[str, str]:
    """The files that a page makes of those below a folder, by their paths.

    Raises:
        PageError: a new file is there already, or lines that are to be changed are not there once.
    """
    made = {}
    for path, text in page.files.items():
        if (root / path).exists():
            raise PageError(f"{page.name}: {path} is there already")
        made[path] = text
    for path, old, new in page.hunks:
        text = made.get(path)
        if text is None:
            if not (root / path).exists():
                raise PageError(f"{page.name}: there is no {path}")
            text = (root / path).read_text(encoding="utf-8")
        count = f"\n{text}".count(f"\n{old}")
        if count != 1:
            raise PageError(f"{page.name}: {path} has these lines {count} times:\n{old}")
        at = f"\n{text}".index(f"\n{old}")
        made[path] = text[:at] + new + text[at + len(old) :]
    return made
