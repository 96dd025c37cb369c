"""On which line a key stands, and messages that say so."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.errors import InputError
from ackclock.scenario import load
from ackclock.scenario.source_lines import Source, lines_of

ROOT = Path(__file__).parents[2]
FILES = [
    *sorted(ROOT.glob("scenarios/**/*.toml")),
    *sorted(ROOT.glob("python/ackclock/**/*.toml")),
    *(
        path
        for path in sorted(ROOT.glob("tests/python/malformed/*.toml"))
        if path.stem[:5] != "toml_"
    ),
]
TRICKY = r'''# [comment] "with a quote
title = "a # b = [c]"
description = """
one = "1"
[two]
quoted \""" and ""quotes"""""
path = 'C:\[x]'
"a.b" = 1.5e-3
dotted . key = 1979-05-27T07:32:00
dotted."other key" = QQQ''it''s = [1]''QQQ
list = [ # comment ]
  "a", [1, 2],

  { x = 1, y = [ "}" ] },
]
inline = { a.b = 1, "c" = { d = [ 1,
  2 ] } }
[table.inner]   # [not.this]
key = true
[table]
key = "\u00e9"
[[many]]
name = "first"
[many.sub]
x = 1
[[many]]
[[many.deep]]
y = 2
[[many.deep]]
["quo\"ted".'x y']
z = 0
'''.replace("QQQ", "'" * 3)
EXPECTED = {
    ("title",): 2,
    ("description",): 3,
    ("path",): 7,
    ("a.b",): 8,
    ("dotted",): 9,
    ("dotted", "key"): 9,
    ("dotted", "other key"): 10,
    ("list",): 11,
    ("list", 0): 12,
    ("list", 1): 12,
    ("list", 1, 0): 12,
    ("list", 1, 1): 12,
    ("list", 2): 14,
    ("list", 2, "x"): 14,
    ("list", 2, "y"): 14,
    ("list", 2, "y", 0): 14,
    ("inline",): 16,
    ("inline", "a"): 16,
    ("inline", "a", "b"): 16,
    ("inline", "c"): 16,
    ("inline", "c", "d"): 16,
    ("inline", "c", "d", 0): 16,
    ("inline", "c", "d", 1): 17,
    ("table",): 20,
    ("table", "inner"): 18,
    ("table", "inner", "key"): 19,
    ("table", "key"): 21,
    ("many",): 22,
    ("many", 0): 22,
    ("many", 0, "name"): 23,
    ("many", 0, "sub"): 24,
    ("many", 0, "sub", "x"): 25,
    ("many", 1): 26,
    ("many", 1, "deep"): 27,
    ("many", 1, "deep", 0): 27,
    ("many", 1, "deep", 0, "y"): 28,
    ("many", 1, "deep", 1): 29,
    ('quo"ted',): 30,
    ('quo"ted', "x y"): 30,
    ('quo"ted', "x y", "z"): 31,
}


def paths(value, path=()):
    """The paths of all keys and elements of what a TOML reader has read."""
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    found = {path} if path else set()
    for part, each in items:
        found |= paths(each, (*path, part))
    return found


def test_tricky_lines_by_hand():
    assert lines_of(TRICKY) == EXPECTED
    assert lines_of(TRICKY.replace("\n", "\r\n")) == EXPECTED
    assert paths(tomllib.loads(TRICKY)) == {*EXPECTED}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_key_of_every_file_has_its_line(file):
    text = file.read_text(encoding="utf-8")
    lines = text.split("\n")
    found = lines_of(text)
    assert paths(tomllib.loads(text)) == {*found}
    for path, line in found.items():
        names = [part for part in path if isinstance(part, str)]
        assert isinstance(path[-1], int) or escaped(names[-1]) in lines[line - 1]


def escaped(name):
    """A key as a file has it, whose control characters must be escaped."""
    return "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in name)


def toml(value):
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{quoted(key)} = {toml(each)}' for key, each in value.items())} }}"
    if isinstance(value, list):
        return f"[\n{','.join(f' {toml(each)}' + chr(10) for each in value)}]"
    return quoted(value) if isinstance(value, str) else str(value)


def quoted(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


NAMES = st.text(alphabet="ab.=[]{}#\"\\\n '", min_size=1, max_size=4)
VALUES = st.recursive(
    st.one_of(st.integers(), NAMES),
    lambda inside: st.one_of(
        st.lists(inside, max_size=3), st.dictionaries(NAMES, inside, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(NAMES, VALUES, max_size=3), st.dictionaries(NAMES, VALUES, max_size=3))
def test_any_document_has_a_line_for_each_key(top, table):
    lines = [f"{quoted(name)} = {toml(value)}" for name, value in top.items()]
    if "ab" not in top:
        lines += ["[ab]", *(f"{quoted(name)} = {toml(value)}" for name, value in table.items())]
    text = "\n".join(lines)
    assert paths(tomllib.loads(text)) == {*lines_of(text)}


@given(st.text(alphabet="ab.=[]{}#\"'\\\n ,", max_size=20))
def test_no_text_is_read_without_end(text):
    lines_of(text)


def test_what_is_not_written_has_the_line_of_what_holds_it():
    source = Source("lab.toml", TRICKY)
    assert source.at(("table", "inner", "other")) == "lab.toml:18"
    assert source.at(("table", "key")) == "lab.toml:21"
    assert source.at(("none",)) == source.at(()) == "lab.toml"
    assert Source("scenario").at(("title",)) == "scenario"


GOOD = """duration = "10 s"

[topology]
kind = "dumbbell"

[topology.bottleneck]
rate = "10 Mbit/s"
delay = "20 ms"

[sweep.factors]
"tcp.flavor" = ["reno", "sack"]
"tcp.smss" = [
    "1000 B",
]
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('"reno", "sack"', '"reno", "sck"', 11, 'sweep.factors."tcp.flavor" = "sck": choose'),
        ("1000 B", "1000 X", 12, 'sweep.factors."tcp.smss" = "1000 X": unknown unit'),
        ('rate = "10 Mbit/s"\n', "", 6, "topology.bottleneck.rate: is missing"),
        ('duration = "10 s"\n', "", None, "duration: is missing"),
        ("bottleneck]", "botleneck]", 6, "topology.botleneck"),
        ("topology", "topolgy", 3, "topolgy: unknown key; did you mean topology?"),
        ('kind = "dumbbell"', 'knd = "dumbbell"', 4, 'topology.knd = "dumbbell": unknown key; did'),
        ("kind =", "knd =", 4, "topology.knd"),
        ('"tcp.flavor"', "tcp.flavor", 11, "sweep.factors.tcp.flavor"),
        (".factors", "", 11, 'sweep."tcp.flavor" = ["reno", "sack"]: is a factor; write'),
    ],
)
def test_a_message_names_the_line(tmp_path, old, new, line, said):
    path = tmp_path / "lab.toml"
    path.write_text(GOOD.replace(old, new))
    with pytest.raises(InputError) as refused:
        load(path)
    place = f"{path}: " if line is None else f"{path}:{line}: "
    assert refused.value.messages[0].startswith(f"{place}{said}")
    # A key whose name is misspelt is not missing, too.
    assert ("is missing" in said) == ("is missing" in str(refused.value))


@pytest.mark.parametrize(
    ("sweep", "messages"),
    [
        (
            "[sweep]\ntcp.flavor = ['reno']\ntcp.smss = ['1 kB']",
            [
                'sweep.tcp.flavor = ["reno"]: is a factor; write [sweep.factors] and below it, in '
                'quotes, "tcp.flavor" = [...]',
                'sweep.tcp.smss = ["1 kB"]: is a factor; write [sweep.factors] and below it, in '
                'quotes, "tcp.smss" = [...]',
            ],
        ),
        (
            "[sweep]\nbottleneck.rate = ['1 Mbit/s']",
            [
                'sweep.bottleneck.rate = ["1 Mbit/s"]: is a factor; write [sweep.factors] and '
                'below it, in quotes, "topology.bottleneck.rate" = [...]'
            ],
        ),
        (
            "[sweep.factors]\nbottleneck.rate = ['1 Mbit/s']",
            [
                'sweep.factors.bottleneck.rate = ["1 Mbit/s"]: quote the key; write '
                '"topology.bottleneck.rate" = [...]'
            ],
        ),
        (
            "[sweep.factors]\ntcp.flavor = ['reno']",
            ['sweep.factors.tcp.flavor = ["reno"]: quote the key; write "tcp.flavor" = [...]'],
        ),
        (
            "[sweep.factors.topology.bottleneck]\nrate = { from = '1 Mbit/s', to = '2 Mbit/s' }",
            [
                'sweep.factors.topology.bottleneck.rate = { from = "1 Mbit/s", to = "2 Mbit/s" }: '
                'quote the key; write "topology.bottleneck.rate" = [...]'
            ],
        ),
    ],
)
def test_a_dotted_key_without_quotes_is_to_be_quoted(sweep, messages):
    text = GOOD[: GOOD.index("[sweep")] + sweep + "\n"
    with pytest.raises(InputError) as refused:
        load(text)
    assert refused.value.messages == [f"scenario: {each}" for each in messages]
