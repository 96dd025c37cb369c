"""The committed bundle of the page belongs to its sources; no node is needed to see that."""

import hashlib
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "page"
STATIC = ROOT / "python/ackclock/lab/static"
BUILDS = [*sorted(STATIC.glob("*.js")), *sorted(STATIC.glob("*.css"))]


def sources() -> list[str]:
    """The files that decide about the bundle, as ``page/build.mjs`` lists them."""
    names = ["build.mjs", "package-lock.json", "package.json", "tsconfig.json"]
    files = (path for path in (PAGE / "src").rglob("*") if path.is_file())
    names += [path.relative_to(PAGE).as_posix() for path in files if ".test." not in path.name]
    return sorted(names)


def digest() -> str:
    found = hashlib.sha256()
    for name in sources():
        found.update(f"{name}\n".encode() + (PAGE / name).read_bytes() + b"\n")
    return found.hexdigest()


def test_there_is_a_bundle():
    assert {path.name for path in BUILDS} >= {"lab.js", "lab.css"}


@pytest.mark.parametrize("path", BUILDS, ids=lambda path: path.name)
def test_the_bundle_is_built_from_these_sources(path):
    first = path.read_text().partition("\n")[0]
    assert f"sources {digest()}" in first, "the page has changed since: run `make page`"


def test_the_licences_of_what_is_in_the_bundle_are_beside_it():
    text = (STATIC / "THIRD-PARTY.txt").read_text()
    package = json.loads((PAGE / "package.json").read_text())
    for name, version in package["dependencies"].items():
        assert f"{name} {version} (MIT)" in text
    assert text.count("Permission is hereby granted") >= len(package["dependencies"])
