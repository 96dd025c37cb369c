"""The JSON Schema and the reference, both made from the models."""

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest

from ackclock.scenario import load, reference
from ackclock.scenario.document import read
from ackclock.scenario.model.base import Table, keys
from ackclock.scenario.model.queues import TABLES as QUEUE_TABLES
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.schema import DIALECT, json_schema
from ackclock.scenario.starters import KINDS, starter
from scenario_texts import ALL, DUMBBELL

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "scenario.md"
SCHEMA = json_schema()
FILES = sorted(ROOT.glob("scenarios/**/*.toml"))
TEXTS = {
    **ALL,
    **{f"starter {kind}": starter(kind) for kind in KINDS},
    **{path.stem: path.read_text(encoding="utf-8") for path in FILES},
}
TYPES = {
    "string": str,
    "boolean": bool,
    "array": list,
    "object": dict,
    "number": (int, float, Decimal),
    "integer": int,
}
KNOWN = {
    "$defs",
    "$ref",
    "$schema",
    "additionalProperties",
    "anyOf",
    "const",
    "default",
    "description",
    "enum",
    "examples",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minProperties",
    "minimum",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
}


def is_of(value, name):
    if name in ("number", "integer") and isinstance(value, bool):
        return False
    return isinstance(value, TYPES[name])


def faults(value, schema, path="$"):
    """What a value has against a schema, as far as the schema uses words of the standard."""
    if schema is True:
        return []
    unknown = set(schema) - KNOWN
    assert not unknown, f"the schema uses {unknown}, which this test does not know"
    if "$ref" in schema:
        return faults(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")], path)
    if "anyOf" in schema:
        tried = [faults(value, each, path) for each in schema["anyOf"]]
        if all(tried):
            return min(tried, key=len)
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    if names and not any(is_of(value, name) for name in names):
        return [f"{path}: {value!r} is no {names}"]
    found = []
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{path}: {value!r} is not in {schema['enum']}")
    if "const" in schema and value != schema["const"]:
        found.append(f"{path}: {value!r} is not {schema['const']!r}")
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        found.append(f"{path}: {value!r} does not match {schema['pattern']}")
    if isinstance(value, int | Decimal):
        low, high = schema.get("minimum", value), schema.get("maximum", value)
        if not low <= value <= high:
            found.append(f"{path}: {value!r} is not from {low} to {high}")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{path}: wrong number of values")
        for at, each in enumerate(value):
            found += faults(each, schema.get("items", True), f"{path}[{at}]")
    if isinstance(value, dict):
        found += [
            f"{path}: {name} is missing" for name in schema.get("required", ()) if name not in value
        ]
        for name, each in value.items():
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties", True))
            if inner is False:
                found.append(f"{path}: {name} is unknown")
            else:
                found += faults(each, inner, f"{path}.{name}")
    return found


@pytest.mark.parametrize("name", TEXTS)
def test_every_valid_scenario_passes(name):
    load(TEXTS[name])
    assert faults(read(TEXTS[name]).values, SCHEMA) == []


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ('[tcp]\nflavour = "reno"', "flavour is unknown"),
        ('[tcp]\nflavor = "tahoe"', "tahoe"),
        ('[tcp]\nmin_rto = "1 sec"', "does not match"),
        ("[tcp]\nnagle = 1", "is no"),
        ("[tcp]\ninitial_window = 0", "is not from 1"),
        ('[workload]\nkind = "bulk"\nperiod = "1 s"', "is unknown"),
        ("[[flows]]\ncount = true", "is no"),
        ('[[figures]]\ny = "speed"', "speed"),
    ],
)
def test_a_fault_is_found(changed, message):
    found = faults(read(DUMBBELL + changed + "\n").values, SCHEMA)
    assert any(message in each for each in found), found


def test_any_value_may_be_an_expression():
    def expressions(table: type[Table]):
        document = {}
        for name, key in keys(table).items():
            if key.kind is not None:
                document[name] = "= k"
            else:
                inner = expressions(key.tables[0])
                document[name] = [inner] if key.many else inner
        return document

    assert faults(expressions(Scenario), SCHEMA) == []


def test_it_can_be_written_as_json_and_says_which_dialect_it_is():
    again = json.loads(json.dumps(SCHEMA))
    assert again == SCHEMA
    assert again["$schema"] == DIALECT


def test_every_key_has_a_description():
    tables = [SCHEMA, *SCHEMA["$defs"].values()]
    for table in tables:
        for key in table["properties"].values():
            assert key["description"].endswith(".")


def test_every_example_and_default_is_accepted():
    def check(schema):
        if isinstance(schema, dict):
            for example in [
                *schema.get("examples", []),
                *([schema["default"]] if "default" in schema else []),
            ]:
                value = Decimal(repr(example)) if isinstance(example, float) else example
                if value != "":
                    assert faults(value, schema) == []
            for each in schema.values():
                check(each)
        elif isinstance(schema, list):
            for each in schema:
                check(each)

    check({name: each for name, each in SCHEMA.items() if name != "$schema"})


def test_the_page_has_the_tables_that_the_models_make():
    text = PAGE.read_text(encoding="utf-8")
    command = f"python -m ackclock.scenario.reference {PAGE.relative_to(ROOT).as_posix()}"
    assert reference.filled(text) == text, f"run {command}"


def test_the_page_has_every_table():
    marked = re.findall(r"<!-- keys: (\w+) -->", PAGE.read_text(encoding="utf-8"))
    assert sorted(marked) == sorted(reference.TABLES)
    queues = {table.__name__ for table in QUEUE_TABLES.values()}
    assert {*reference.TABLES, *queues} == {"Scenario", *SCHEMA["$defs"]}


def test_toml_on_the_page_is_toml():
    for block in re.findall(r"^```toml\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S):
        assert read(block).values
