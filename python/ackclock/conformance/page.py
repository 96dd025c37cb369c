"""``docs/conformance.md``: rules, scripts, flavors, verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ackclock.conformance.rules import Document, Rule, Suite
from ackclock.conformance.verdicts import Kind, Verdict

_SCRIPTS = "../conformance/scripts"
_HEAD = """# TCP conformance

This page lists the rules of the RFCs for a TCP, and whether the simulated TCP follows them. Each
rule has a script in packetdrill's language that fails if the rule is broken. The script runs for
every flavor to which the rule applies. `python -m ackclock.conformance docs/conformance.md` runs
all scripts and writes this page; a test fails if the page is not up to date. To write a rule, see
[Add a rule](howto/add-a-rule.md).

In the tables, ✓ means that all scripts of the rule pass. D with a number means that the flavor
deviates for the [reason](#deviations) with that number, and that the scripts fail as stated. –
means that the rule does not apply to the flavor. The level "states" marks a statement of an RFC
without a key word of RFC 2119. The settings of a run follow its script, without `tcp.`, with
deviations of further settings in brackets. This command checks the rule in the first line below:

```sh
{command}
```
"""
_RULES = ("rule", "level", "requirement", "script")
_DEVIATIONS = """## Deviations

Each deviation is checked: the scripts of the rule fail for the flavor. If a setting is named, this
setting makes them fail.
"""
_COUNTED = (
    "rules",
    "MUST",
    "SHOULD",
    "others",
    "without a script",
    "runs",
    "pass",
    "deviate",
)
_COUNTS = """
MUST includes MUST NOT and REQUIRED; SHOULD includes SHOULD NOT and RECOMMENDED. A run is a rule, a
script, a flavor and its settings. A script may serve several rules: there are {scripts} scripts and
{runs} different runs.
"""


def page(suite: Suite, verdicts: Sequence[Verdict]) -> str:
    """The page in Markdown.

    Args:
        suite: the rules and deviations.
        verdicts: of `ackclock.conformance.judge`, at least one, and all as stated.
    """
    first = verdicts[0].run.command().replace(" --set", " \\\n  --set")
    parts = [_HEAD.format(command=first)]
    parts += [_document(each, suite, verdicts) for each in suite.documents]
    parts += [_deviations(suite, verdicts), _counts(suite, verdicts)]
    return "\n".join(parts)


def _document(document: Document, suite: Suite, verdicts: Sequence[Verdict]) -> str:
    lines = [f"## RFC {document.number}: {document.title}", ""]
    if document.note:
        lines += [document.note, ""]
    checked = [rule for rule in document.rules if rule.scripts]
    if checked:
        lines += _head([*_RULES, *(f"`{each}`" for each in suite.flavors)])
        lines += [_checked(rule, suite, verdicts) for rule in checked]
        lines.append("")
    without = [rule for rule in document.rules if not rule.scripts]
    if without:
        lines += ["Without a script:", ""]
        lines += [f"- {_described(rule)} {rule.why_no_script}" for rule in without]
        lines.append("")
    return "\n".join(lines)


def _checked(rule: Rule, suite: Suite, verdicts: Sequence[Verdict]) -> str:
    scripts = ", ".join(
        f"[{each.rpartition('/')[2].removesuffix('.pkt')}]({_SCRIPTS}/{each})"
        for each in rule.scripts
    )
    sets = " ".join(f"`{each.removeprefix('tcp.')}`" for each in rule.sets)
    its = [each for each in verdicts if each.rule is rule]
    apart = sorted({each.deviation.number for each in its if each.deviation and _apart(each)})
    more = f"({', '.join(f'D{number}' for number in apart)})" if apart else ""
    cells = [
        _cell([each for each in its if each.run.flavor == name and not _apart(each)])
        for name in suite.flavors
    ]
    how = " ".join(part for part in (scripts, sets, more) if part)
    return _row([rule.id, rule.level, rule.text, how, *cells])


def _cell(its: Sequence[Verdict]) -> str:
    if not its:
        return "–"
    numbers = sorted({each.deviation.number for each in its if each.deviation})
    passes = ["✓"] if any(each.deviation is None for each in its) else []
    return " ".join([*passes, *(f"D{number}" for number in numbers)])


def _apart(verdict: Verdict) -> bool:
    """Whether it is of a deviation that needs settings besides the rule's."""
    return verdict.deviation is not None and bool(verdict.deviation.sets)


def _described(rule: Rule) -> str:
    return f"{rule.id}, {rule.level}: {rule.text}"


def _head(cells: Sequence[str], mark: str = "---") -> list[str]:
    return [_row(cells), _row(["---", *[mark] * (len(cells) - 1)])]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _deviations(suite: Suite, verdicts: Sequence[Verdict]) -> str:
    lines = [_DEVIATIONS, *_head(["", "rules", "flavors", "with", "reason"])]
    for each in suite.deviations:
        hit = {verdict.run.flavor for verdict in verdicts if verdict.deviation is each}
        flavors = " ".join(f"`{name}`" for name in suite.flavors if name in hit)
        sets = " ".join(f"`{setting}`" for setting in each.sets)
        lines.append(_row([f"D{each.number}", ", ".join(each.rules), flavors, sets, each.reason]))
    return "\n".join([*lines, ""])


def _counts(suite: Suite, verdicts: Sequence[Verdict]) -> str:
    lines = ["## Counts", "", *_head(["RFC", *_COUNTED], "---:")]
    total: Counter[str] = Counter()
    for document in suite.documents:
        counts = _counted(document, verdicts)
        total += counts
        lines.append(_row([str(document.number), *(str(counts[head]) for head in _COUNTED)]))
    lines.append(_row(["all", *(str(total[head]) for head in _COUNTED)]))
    scripts = {script for rule in suite.rules() for script in rule.scripts}
    runs = {verdict.run for verdict in verdicts}
    return "\n".join([*lines, _COUNTS.format(scripts=len(scripts), runs=len(runs))])


def _counted(document: Document, verdicts: Sequence[Verdict]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for rule in document.rules:
        counts["rules"] += 1
        counts[_class(rule.level)] += 1
        counts["without a script"] += not rule.scripts
    ids = {rule.id for rule in document.rules}
    for verdict in verdicts:
        if verdict.rule.id in ids:
            counts["runs"] += 1
            counts["deviate" if verdict.kind is Kind.DEVIATES else "pass"] += 1
    return counts


def _class(level: str) -> str:
    if level.startswith("MUST") or level == "REQUIRED":
        return "MUST"
    return "SHOULD" if level.startswith("SHOULD") or level.endswith("RECOMMENDED") else "others"
