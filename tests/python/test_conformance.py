"""Rules, scripts, verdicts and the page that is made of them."""

import contextlib
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock import _core
from ackclock.conformance import Kind, complaints, judge, read
from ackclock.conformance.__main__ import drill, main
from ackclock.conformance.page import page
from ackclock.errors import InputError

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "conformance"
PAGE = ROOT / "docs" / "conformance.md"
SCRIPTS = sorted(FOLDER.glob("scripts/**/*.pkt"))
FLAVORS = [row[0] for row in _core.flavors()]

RULES = """
title = "A Protocol"
[[rule]]
id = "1-2-a"
section = "2"
level = "MUST"
text = "Nothing is sent twice."
scripts = ["rfc1/once.pkt"]
flavors = "all"
[[rule]]
id = "1-2-b"
section = "2"
level = "SHOULD"
text = "Something is sent | first."
scripts = ["rfc1/once.pkt", "rfc1/first.pkt"]
flavors = ["b"]
set = ["tcp.x=1"]
[[rule]]
id = "1-3-a"
section = "3"
level = "MAY"
text = "Anything may happen."
why_no_script = "Nobody sees it."
"""
DEVIATIONS = """
[[deviation]]
rule = "1-2-a"
flavors = ["a"]
reason = "It is an old one."
[[deviation]]
rule = ["1-2-b"]
set = ["tcp.x=2"]
scripts = ["rfc1/first.pkt"]
reason = "The study's setting."
"""


def written(folder, rules=RULES, deviations=DEVIATIONS):
    """A small suite of rules in a folder."""
    for name in ("once", "first"):
        script = folder / "scripts" / "rfc1" / f"{name}.pkt"
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text("// RFC 1.\n", encoding="utf-8")
    (folder / "rules").mkdir(exist_ok=True)
    (folder / "rules" / "rfc1.toml").write_text(rules, encoding="utf-8")
    (folder / "deviations.toml").write_text(deviations, encoding="utf-8")
    return folder


def failing(*fail):
    """A runner for which these (script, flavor, settings) fail."""

    def run(path, flavor, sets):
        return "no" if (path.stem, flavor, *sets) in fail else ""

    return run


AS_STATED = failing(("once", "a"), ("first", "b", "tcp.x=2"))


def test_the_rules_scripts_and_deviations_belong_together():
    suite = read(FOLDER, FLAVORS)
    assert len(list(suite.rules())) > 100


@pytest.mark.parametrize(
    "path", sorted(FOLDER.glob("scripts/**/*.pkt")), ids=lambda path: path.stem
)
def test_a_script_opens_with_the_rule_that_it_checks(path):
    head = re.match(r"(//.*\n)*", path.read_text(encoding="utf-8"))[0]
    assert re.search(r"\bRFC \d{4}\b", head), (
        "say which RFC and section, and where the numbers come from"
    )


def test_every_verdict_is_as_stated_and_the_page_tells_it(capsys):
    code = main(["--check", "--folder", str(FOLDER), str(PAGE)])
    assert (code, capsys.readouterr().err) == (0, "")


def test_a_runner_without_an_endpoint_fails_every_rule():
    suite = read(FOLDER, FLAVORS)
    verdicts = judge(suite, lambda path, flavor, sets: "nothing was sent")
    assert {verdict.kind for verdict in verdicts} == {Kind.FAILS, Kind.DEVIATES}


def test_each_combination_is_run_once_and_judged_for_each_rule(tmp_path):
    runs = []

    def run(path, flavor, sets):
        runs.append((path.stem, flavor, sets))
        return AS_STATED(path, flavor, sets)

    verdicts = judge(read(written(tmp_path), ["a", "b"]), run)
    assert runs == [
        ("once", "a", ()),
        ("once", "b", ()),
        ("once", "b", ("tcp.x=1",)),
        ("first", "b", ("tcp.x=1",)),
        ("first", "b", ("tcp.x=2",)),
    ]
    kinds = [verdict.kind.value for verdict in verdicts]
    assert kinds == ["deviates", "passes", "passes", "passes", "deviates"]
    assert all(verdict.as_stated for verdict in verdicts)


def test_what_is_not_as_stated_is_told_once_for_a_script(tmp_path):
    suite = read(written(tmp_path), ["a", "b", "c"])
    verdicts = judge(suite, failing(("once", "b"), ("once", "c")))
    assert Counter(each.kind for each in verdicts if not each.as_stated) == {
        Kind.PASSES_UNEXPECTEDLY: 2,
        Kind.FAILS: 2,
    }
    passes, fails, setting = complaints(verdicts)
    command = "ackclock drill conformance/scripts/rfc1"
    assert fails.endswith(f"1-2-a: fails for b, c: {command}/once.pkt --flavor b\nno")
    assert fails.startswith(f"{tmp_path}/rules/rfc1.toml:3: ")
    assert passes == (
        f"{tmp_path}/deviations.toml:2: 1-2-a: passes for a, so this is no longer a deviation: "
        f"{command}/once.pkt --flavor a"
    )
    assert setting.endswith(f'{command}/first.pkt --flavor b --set "tcp.x=2"')


def test_what_cannot_be_run_is_told_at_once(tmp_path):
    def run(path, flavor, sets):
        raise InputError(f"{path.name}: is no script")

    with pytest.raises(InputError) as caught:
        judge(read(written(tmp_path), ["a", "b"]), run)
    assert caught.value.messages == ["once.pkt: is no script", "first.pkt: is no script"]


def test_the_page_has_a_row_a_rule_and_a_column_a_flavor(tmp_path):
    suite = read(written(tmp_path), ["a", "b"])
    text = page(suite, judge(suite, AS_STATED))
    once = "[once](../conformance/scripts/rfc1/once.pkt)"
    first = "[first](../conformance/scripts/rfc1/first.pkt)"
    assert f"| 1-2-a | MUST | Nothing is sent twice. | {once} | D1 | ✓ |\n" in text
    row = (
        f"| 1-2-b | SHOULD | Something is sent \\| first. | {once}, {first} `x=1` (D2) | – | ✓ |\n"
    )
    assert row in text
    assert "- 1-3-a, MAY: Anything may happen. Nobody sees it.\n" in text
    assert "| D1 | 1-2-a | `a` |  | It is an old one. |\n" in text
    assert "| D2 | 1-2-b | `b` | `tcp.x=2` | The study's setting. |\n" in text
    assert "| 1 | 3 | 1 | 1 | 1 | 1 | 5 | 3 | 2 |\n" in text
    assert page(suite, judge(suite, AS_STATED)) == text


def changed(text, old, new):
    assert old in text
    return text.replace(old, new)


def check_that_it_is_refused(folder, message, **files):
    with pytest.raises(InputError) as caught:
        read(written(folder, **files), ["a", "b"])
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('level = "MUST"', 'level = "must"', "rfc1.toml:3: level: is 'must'; write one of MUST,"),
        ('id = "1-2-a"', 'id = "2-2-a"', "rfc1.toml:3: id: is '2-2-a'; write RFC-section-letter"),
        ('id = "1-2-b"', 'id = "1-2-a"', "rfc1.toml:10: id: 1-2-a is also in"),
        ('flavors = ["b"]', 'flavors = ["c"]', "rfc1.toml:10: flavors: there is no flavor 'c'"),
        ('flavors = ["b"]', "flavors = []", "rfc1.toml:10: flavors: is empty"),
        ("rfc1/first.pkt", "rfc1/last.pkt", "rfc1.toml:10: scripts: there is no"),
        (', "rfc1/first.pkt"', "", "first.pkt: no rule names this script"),
        ('set = ["tcp.x=1"]', "set = 1", "rfc1.toml:10: set: is 1; write a list of texts"),
        ('text = "Noth', 'txt = "Noth', "rfc1.toml:3: txt: there is no such key; choose from"),
        ('why_no_script = "Nobody sees it."', "", "rfc1.toml:18: a rule has either scripts or a"),
        ("title =", "titel =", "rfc1.toml: titel: there is no such key; choose from note, title"),
        ("title =", "title ==", "rfc1.toml: is not TOML"),
    ],
)
def test_a_wrong_rule_is_told_with_its_place(tmp_path, old, new, message):
    check_that_it_is_refused(tmp_path, message, rules=changed(RULES, old, new))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('rule = "1-2-a"', 'rule = "1-2-c"', "deviations.toml:2: rule: there is no rule 1-2-c"),
        (
            'rule = "1-2-a"',
            'rule = "1-2-b"',
            "deviations.toml:2: flavors: 1-2-b does not apply to a",
        ),
        ('rule = "1-2-a"', "", "deviations.toml:2: rule: is missing"),
        ("rfc1/first.pkt", "rfc1/x.pkt", "deviations.toml:6: scripts: none of its rules names"),
        ('reason = "It is', 'why = "It is', "deviations.toml:2: reason: is ''; write a text"),
    ],
)
def test_a_wrong_deviation_is_told_with_its_place(tmp_path, old, new, message):
    check_that_it_is_refused(tmp_path, message, deviations=changed(DEVIATIONS, old, new))


KEYS = re.findall(r"^(\w+) =", RULES, re.MULTILINE)
VALUES = ["1", "true", '""', '"x"', "[]", "[1]", '["x", "x"]', "{}", "1979-05-27", "[[]]"]


@given(key=st.sampled_from(KEYS), value=st.sampled_from(VALUES))
def test_no_value_breaks_the_reader(tmp_path_factory, key, value):
    rules = re.sub(rf"^{key} = .*$", f"{key} = {value}", RULES, flags=re.MULTILINE)
    with contextlib.suppress(InputError):
        read(written(tmp_path_factory.mktemp("suite"), rules=rules), ["a", "b"])


def test_the_command_tells_what_is_wrong(tmp_path, capsys):
    assert main(["--folder", str(tmp_path), "page.md"]) == 2
    assert "has no rules/*.toml" in capsys.readouterr().err
    assert main(["--folder", str(FOLDER), "--rule", "1-1-a", "page.md"]) == 2
    assert capsys.readouterr().err == "--rule 1-1-a: there is no such rule\n"


def test_the_command_compares_the_page(tmp_path, capsys):
    stale = tmp_path / "conformance.md"
    stale.write_text("old\n", encoding="utf-8")
    assert main(["--check", "--folder", str(FOLDER), str(stale)]) == 1
    assert "is not up to date; run python -m ackclock.conformance" in capsys.readouterr().err
    assert main(["--folder", str(FOLDER), str(stale)]) == 0
    assert stale.read_text(encoding="utf-8") == PAGE.read_text(encoding="utf-8")


def test_a_failing_script_is_told_with_its_line(tmp_path):
    script = tmp_path / "wrong.pkt"
    lines = [
        "    0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3",
        "   +0 bind(3, ..., ...) = 0",
        "   +0 listen(3, 1) = 0",
        "   +0 < S 0:0(0) win 65535 <mss 1000>",
        "   +0 > S. 0:0(0) ack 2 <...>",
    ]
    script.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert f"{script}:5" in drill(script, "reno", ())
