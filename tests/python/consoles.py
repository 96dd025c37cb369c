"""What a page shows of a session in a terminal: compared with what is printed, or written anew.

A line that begins with ``$ `` is typed; a backslash at its end joins the next. What follows until
the next one is printed, messages before results. ``$ echo $?`` tells the exit code of the command
before it. A line that is only ``...`` stands for lines that are left out, and ``...`` within a line
for what differs. Blanks are not compared, nor how long the lines of a table are.
"""

import doctest
import itertools
import os
import re
from dataclasses import dataclass
from difflib import SequenceMatcher

UPDATE = bool(os.environ.get("ACKCLOCK_UPDATE"))
"""Whether pages are to show what is printed now, where they are compared with it otherwise."""
LEFT_OUT = "..."
PROGRESS = re.compile(r"^\d+ of \d+ runs done.*\n", re.MULTILINE)
"""What a command prints of its progress where a terminal has a bar instead."""
_PROMPT = "$ "
_STATUS = "$ echo $?"


@dataclass
class Typed:
    """A command of a block, and what is shown to come of it.

    Attributes:
        lines: that it takes, as they are written.
        shown: lines that are printed.
        code: exit code.
    """

    lines: list[str]
    shown: list[str]
    code: int = 0

    @property
    def command(self) -> str:
        """In one line, without the prompt."""
        joined = "".join(line.removesuffix("\\") for line in self.lines)
        return joined.removeprefix(_PROMPT)


def typed(block: str) -> list[Typed]:
    """The commands of a block of one indentation."""
    found, goes_on = [], False
    for line in block.splitlines():
        if goes_on:
            found[-1].lines.append(line)
        elif line.startswith(_PROMPT):
            found.append(Typed([line], []))
        else:
            assert found, f"nothing is typed before: {line}"
            found[-1].shown.append(line)
        goes_on = line.endswith("\\") and not found[-1].shown
    for before, status in itertools.pairwise(found):
        if status.lines == [_STATUS]:
            before.code = int(status.shown[0])
    return [each for each in found if each.lines != [_STATUS]]


def same(shown: str, printed: str) -> bool:
    """Whether something printed is as shown."""
    return doctest.OutputChecker().check_output(_words(shown), _words(printed), doctest.ELLIPSIS)


def _words(text: str) -> str:
    """Each word with its ends marked, so that nothing but whole words is left out between two."""
    words = re.sub("─+", "─", text).split()
    return "".join(word if word == LEFT_OUT else f"\n{word}\n" for word in words)


def anew(block: str, printed: list[str]) -> str:
    """A block with what its commands print now, and as much left out as before."""
    lines = []
    for each, text in zip(typed(block), printed, strict=True):
        now = [line.rstrip() for line in text.splitlines()]
        kept = same("\n".join(each.shown), text)
        lines += [*each.lines, *(each.shown if kept else _cut(each.shown, now))]
        if each.code:
            lines += [_STATUS, str(each.code)]
    return "".join(f"{line}\n" for line in lines)


def _cut(shown: list[str], now: list[str]) -> list[str]:
    """The lines that stand in the place of those that are shown."""
    now = _varying(shown, now)
    if not shown or LEFT_OUT not in shown:
        return now if shown else []
    parts, made, at = _parts(shown), [], 0
    for number, part in enumerate(parts):
        last = len(now) - len(part)
        if number == len(parts) - 1:
            at = last
        elif number:
            at = max(range(at, last + 1), key=lambda place: _alike(part, now, place))
        made += [LEFT_OUT] * bool(number) + now[at : at + len(part)]
        at += len(part)
    return made


def _varying(shown: list[str], now: list[str]) -> list[str]:
    """What is printed now; a line of which parts differ each time stays as it is shown."""
    differ = [line for line in shown if LEFT_OUT in line and line != LEFT_OUT]
    return [next((line for line in differ if same(line, each)), each) for each in now]


def _parts(shown: list[str]) -> list[list[str]]:
    """The lines between those that are left out; the first and the last part may be empty."""
    parts: list[list[str]] = [[]]
    for line in shown:
        if line == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def _alike(part: list[str], now: list[str], place: int) -> float:
    """How much lines are like those at a place; the first of equal ones is taken."""
    pairs = zip(part, now[place:], strict=False)
    return sum(SequenceMatcher(None, *pair).ratio() for pair in pairs)
