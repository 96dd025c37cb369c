"""The invariants of docs/architecture.md that can be read off the sources."""

import ast
import importlib
import os
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import python_modules
import rust_modules

ROOT = Path(__file__).parents[2]
LINES = 500

# The crates that make a run.
RUN = [f"crates/{crate}/src/**/*.rs" for crate in ("base", "sim", "atm", "tcp", "lab")]
# What a part of the network may not name, and where it may: about itself and in citations.
UNKNOWN = {
    "sim": (r"\b(tcp|atm|aal5|cells?|vcs?)\b", ("Knows no TCP and no ATM.", '"atm"')),
    "atm": (r"\btcp\b", ("Knows no TCP.", "Dynamics of TCP Traffic over ATM Networks")),
}
# Algorithm files without a source, and why.
WITHOUT_SOURCE = {
    "crates/tcp/src/congestion/flow.rs": "for tests",
    "crates/tcp/src/congestion/bottleneck.rs": "for tests",
    "crates/tcp/src/congestion/window.rs": "two numbers and who may change them",
    "crates/sim/src/queue/drop_tail.rs": "a bounded FIFO; nobody's invention",
    "crates/sim/src/queue/fifo.rs": "first in, first out",
    "crates/sim/src/queue/buffer.rs": "a list; decides nothing",
    "crates/sim/src/link/service/schedule.rs": "a rate at given times; nobody's invention",
    "crates/sim/src/queue/table.rs": "what a discipline says of itself; decides nothing",
}
RANDOM = (
    "crates/sim/src/rng.rs",
    "crates/sim/src/link/impairment/*.rs",
    "crates/sim/src/queue/*.rs",
    "crates/atm/src/network/config.rs",
    "crates/atm/src/network/frames.rs",
    "crates/lab/src/build/mod.rs",
    "crates/lab/src/build/applications.rs",
    "crates/lab/src/build/atm.rs",
    "crates/lab/src/build/network.rs",
    "crates/lab/src/path/*.rs",
    "crates/lab/src/workload/*.rs",
)
OUTSIDE = (
    r"\bstd::(\{.*\b)?(time|thread|fs|net|io|env|process)\b"
    r"|\b(Instant|SystemTime)\b|print(ln)?!|dbg!"
)
PICTURES = {".png", ".jpg"}
BYTES = ("fuzz/corpus/", "fuzz/regressions/")
"""What a fuzzer has made, which nobody reads."""
MAY_IMPORT = {
    "models": "",
    "scenario": "",
    "stats": "",
    "plots": "",
    "drill": "scenario",
    "conformance": "drill",
    "campaign": "scenario stats",
    "capture": "campaign scenario",
    "results": "campaign plots scenario stats",
    "sizing": "campaign plots results scenario stats",
    "gym": "results scenario",
    "emulation": "campaign capture results scenario",
    "report": "campaign plots results scenario stats",
    "studies": "campaign emulation models plots report results scenario sizing stats",
    "evaluation": "plots report results scenario stats studies",
    "kernel_validation": "campaign emulation plots results scenario",
    "lab": "campaign capture plots report results scenario sizing studies",
}
"""The packages of ``ackclock`` that each may use; ``cli`` is above all of them."""
LAB = ("states", "runs", "campaigns", "studies", "jobs", "lessons", "embedded", "server")
"""The packages of ``ackclock.lab``: each may use those before it."""
EMULATES = (
    "ackclock.emulation*",
    "ackclock.kernel_validation*",
    "ackclock.studies.newreno.kernel.running",
)
"""Modules that make emulated runs; to read such runs takes ``ackclock.results`` alone."""
DEPENDENCIES = {
    "base": set(),
    "sim": {"base", "prefetch-index", "rand", "rand_chacha", "slab"},
    "atm": {"base", "rand", "rand_chacha", "sim"},
    "tcp": {"base"},
    "lab": {
        "atm",
        "base",
        "etherparse",
        "libm",
        "pcap-file",
        "rand",
        "rand_chacha",
        "serde",
        "serde_json",
        "sim",
        "smallvec",
        "tcp",
        "thiserror",
    },
    "emu": {"lab", "serde", "serde_json", "thiserror"},
    "py": {"base", "emu", "lab", "numpy", "pyo3"},
}


def files(*patterns: str) -> list[Path]:
    """Files under the root; a pattern that matches nothing would check nothing."""
    found = []
    for pattern in patterns:
        matches = sorted(path for path in ROOT.glob(pattern) if path.is_file())
        assert matches, f"no file matches {pattern}: this rule has lost what it checks"
        found += matches
    return found


def is_tests(path: Path) -> bool:
    """Whether a Rust file holds nothing but unit tests."""
    return path.name == "tests.rs" or "tests" in path.relative_to(ROOT).parts[3:-1]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def code(path: Path) -> str:
    """A Rust file without its comments."""
    return re.sub(r"//.*", "", path.read_text())


def lines_with(pattern: str, path: Path, text: str, flags: int = 0) -> Iterator[str]:
    """Where a pattern stands in a text, as "file:line: the line"."""
    for number, line in enumerate(text.splitlines(), start=1):
        if re.search(pattern, line, flags):
            yield f"{name(path)}:{number}: {line.strip()}"


def lines_of_files(pattern: str, *globs: str) -> list[str]:
    """Where a pattern stands in files."""
    return [line for path in files(*globs) for line in lines_with(pattern, path, path.read_text())]


def fail_if(found: list[str], rule: str) -> None:
    assert not found, "\n".join([rule, *found])


@pytest.mark.parametrize("crate", UNKNOWN)
def test_the_network_knows_no_tcp_and_no_atm(crate):
    pattern, allowed = UNKNOWN[crate]
    found = []
    for path in files(f"crates/{crate}/Cargo.toml", f"crates/{crate}/**/*.rs"):
        text = path.read_text()
        for words in allowed:
            text = text.replace(words, "")
        found += lines_with(pattern, path, text, re.IGNORECASE)
    fail_if(
        found, "a payload and a component are type parameters of crates/sim, which names neither"
    )


@pytest.mark.parametrize("crate", DEPENDENCIES)
def test_a_crate_depends_on_nothing_else(crate):
    (manifest,) = files(f"crates/{crate}/Cargo.toml")
    found = set(tomllib.loads(manifest.read_text()).get("dependencies", {}))
    assert found == DEPENDENCIES[crate], f"{name(manifest)}: see docs/architecture.md first"


def test_a_run_sees_nothing_outside():
    found = []
    for path in files(*RUN):
        found += lines_with(OUTSIDE, path, code(path))
    fail_if(found, "sim, atm, tcp and lab do no I/O, read no clock and start no thread")


@pytest.mark.parametrize("crate", DEPENDENCIES)
def test_modules_of_a_crate_do_not_use_each_other_in_a_circle(crate):
    graph = rust_modules.uses(ROOT / "crates" / crate / "src")
    assert graph
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        names = ["::".join(module) or "lib" for module in error.args[1]]
        pytest.fail(
            f"crates/{crate}: each of these is used by the one before it: {', '.join(names)};"
            " move what both need to where both may look"
        )


def test_random_numbers_are_drawn_only_where_traffic_clocks_and_losses_are_made():
    found = []
    for path in files(*RUN):
        if not any(fnmatch(name(path), place) for place in RANDOM):
            found += lines_with(r"\brand(_\w+)?::", path, code(path))
    fail_if(found, f"rand belongs into {', '.join(RANDOM)}; elsewhere a draw would be hidden")


def test_nothing_in_a_run_depends_on_the_order_of_a_hash_table():
    found = []
    for path in files(*RUN):
        found += lines_with(r"\bHash(Map|Set)\b", path, code(path))
    fail_if(found, "use BTreeMap, BTreeSet or Vec: a hash table's order changes from run to run")


def test_the_binding_knows_no_protocol():
    (flavors,) = files("crates/tcp/src/flavor.rs")
    known = re.findall(r'\bname: "(\w+)"', flavors.read_text())
    assert known, "no flavor found in crates/tcp/src/flavor.rs"
    known += [path.stem for path in files("crates/atm/src/policy/*.rs") if path.stem != "mod"]
    words = "|".join([*known, "tcp", "atm", "segment", "packet", "cell"])
    found = []
    for path in files("crates/py/src/**/*.rs"):
        found += lines_with(rf"\b({words})\b", path, code(path))
        # Slices decide when Python looks at signals, which is no matter of a plan; nor are the
        # objects of Python that decide about cwnd, which no other crate can handle.
        if path.stem != "slices" and path.parent.name != "own_tcp":
            found += lines_with(r"\bif\b|\bmatch\b(?! values \{)", path, code(path))
    fail_if(found, "crates/py hands a plan in and columns out; what it means is decided in lab")


def test_no_crate_is_unsafe():
    found = []
    for path in files("crates/**/*.rs"):
        found += lines_with(r"\bunsafe\b", path, code(path))
    fail_if(found, "no crate of this workspace needs unsafe code")
    (workspace,) = files("Cargo.toml")
    lints = tomllib.loads(workspace.read_text())["workspace"]["lints"]
    assert lints["rust"]["unsafe_code"] == "forbid", "Cargo.toml must forbid unsafe_code"
    for manifest in files("crates/*/Cargo.toml"):
        inherits = tomllib.loads(manifest.read_text()).get("lints", {}).get("workspace")
        assert inherits, f"{name(manifest)} must say [lints] workspace = true"


def test_every_file_of_tests_is_run():
    """Cargo does not look for those of the laboratory: one program has them all."""
    folder = ROOT / "crates" / "lab" / "tests"
    named = re.findall(r'^#\[path = "(\w+\.rs)"\]$', (folder / "all.rs").read_text(), re.MULTILINE)
    assert sorted(named) == sorted({path.name for path in folder.glob("*.rs")} - {"all.rs"})


def test_no_file_is_longer_than_a_person_reads():
    found = []
    for path in files("crates/**/*.rs", "python/**/*.py", "tests/**/*.py"):
        count = len(path.read_text().splitlines())
        if count > LINES:
            found.append(f"{name(path)}: {count} lines")
    fail_if(found, f"split what is longer than {LINES} lines; 400 is the aim")


def test_an_algorithm_opens_with_its_source():
    found = []
    for path in files(
        "crates/tcp/src/loss/**/*.rs",
        "crates/tcp/src/congestion/**/*.rs",
        "crates/tcp/src/ecn/*.rs",
        "crates/tcp/src/transmit_queue/*.rs",
        "crates/atm/src/abr/*.rs",
        "crates/atm/src/erica/*.rs",
        "crates/atm/src/policy/*.rs",
        "crates/sim/src/queue/*.rs",
        "crates/sim/src/link/service/*.rs",
        "crates/lab/src/path/*.rs",
    ):
        if is_tests(path):
            continue
        head = re.match(r"(//!.*\n)*", path.read_text())[0]
        if not head:
            found.append(f"{name(path)}: does not begin with //!")
        elif path.stem != "mod" and "Source:" not in head and name(path) not in WITHOUT_SOURCE:
            found.append(f"{name(path)}: no source")
    fail_if(found, 'say "Source: RFC or paper, section" at the top, or add it to WITHOUT_SOURCE')


def test_every_package_says_what_it_uses():
    found = {path.parent.name for path in files("python/ackclock/*/__init__.py")}
    assert found == {*MAY_IMPORT, "cli"}


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_nothing_above_it(package):
    above = "|".join({*MAY_IMPORT, "cli"} - {package, *MAY_IMPORT[package].split()})
    pattern = rf"^\s*(from ackclock import (.*\b)?|(from|import) ackclock\.)({above})\b"
    found = lines_of_files(pattern, f"python/ackclock/{package}/**/*.py")
    fail_if(found, f"ackclock.{package} may import {MAY_IMPORT[package] or 'no other package'}")


def test_emulation_is_imported_only_where_it_is_used():
    graph = python_modules.imports(ROOT / "python")
    found = {each: python_modules.chain(graph, each, "ackclock.emulation") for each in graph}
    others = {
        each: modules
        for each, modules in found.items()
        if modules and not any(fnmatch(each, known) for known in EMULATES)
    }
    fail_if(
        [" imports ".join(modules) for modules in others.values()],
        "import ackclock.emulation in the function that emulates; move what others read to results",
    )
    for known in EMULATES:
        assert any(found[each] for each in graph if fnmatch(each, known)), f"{known}: not any more"


@pytest.mark.parametrize("package", ["results", "scenario", "stats"])
def test_a_name_that_a_package_imports_late_is_no_module_of_it(package):
    """Python would put the module, once imported, in the place of the name."""
    its = importlib.import_module(f"ackclock.{package}")
    modules = {path.stem for path in files(f"python/ackclock/{package}/*.py")}
    assert not modules & set(its.__all__)


@pytest.mark.parametrize("package", LAB)
def test_a_package_of_the_lab_imports_nothing_above_it(package):
    above = "|".join(LAB[LAB.index(package) + 1 :] or ("nothing",))
    pattern = rf"^\s*(from|import) ackclock\.lab\.({above})\b"
    found = lines_of_files(pattern, f"python/ackclock/lab/{package}/**/*.py")
    fail_if(found, f"ackclock.lab.{package} uses the packages before it only: {', '.join(LAB)}")


def test_what_all_of_the_lab_uses_stands_alone():
    pattern = rf"^from ackclock\.lab\.({'|'.join(LAB)})\b"
    found = lines_of_files(pattern, "python/ackclock/lab/*.py")
    fail_if(found, "a module beside the packages of ackclock.lab uses none of them")


def test_claims_never_see_a_published_number():
    pattern = r"\bimport\b.*\bpublished\b|\bpublished\(|read_csv"
    modules = ("*/claims.py", "*/claims/*.py")
    found = [
        line
        for each in modules
        for line in lines_of_files(pattern, f"python/ackclock/studies/{each}")
    ]
    fail_if(found, "a claim is decided from this study's own results alone")


def test_no_file_names_a_place_on_one_machine():
    """An absolute path of two parts or more; but for those that every system or the lab has."""
    system = "usr/bin/env|dev/|etc/hosts|proc/|boot/config-|sys/module/"
    lab = "api/|static/|lab/|lessons/|campaigns/|studies/|reports/|jobs/"
    everywhere = rf"(?!{system}|{lab})"
    pattern = rf"(?<![\w.~:/<>)\]}}*+?-])/{everywhere}[a-z]\w*/[\w.-]"
    lines = (ROOT / ".gitignore").read_text().split()
    ignored = [*(line.strip("/").rpartition("/")[2] for line in lines), ".git"]
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [each for each in folders if not any(fnmatch(each, i) for i in ignored)]
        for path in (Path(folder, each) for each in names):
            is_text = path.suffix not in PICTURES and not name(path).startswith(BYTES)
            if is_text and not any(fnmatch(path.name, i) for i in ignored):
                found += lines_with(pattern, path, path.read_text(encoding="utf-8"))
    fail_if(found, "write a path that holds on every machine")


NAMES_A_FLAVOR = {
    "crates/tcp/src/flavor.rs": "the table",
    "python/ackclock/scenario/model/tcp.py": "the default of `tcp.flavor`, and its earlier name",
    "python/ackclock/suggestions.py": "what comes nearest to a TCP that is not here",
    "python/ackclock/kernel_validation/*.py": "a validation of some flavors against Linux",
    "python/ackclock/emulation/tcp_info.py": "a congestion control of Linux",
    "python/ackclock/emulation/tcp_settings.py": "names of Linux and of profiles of its settings",
    "python/ackclock/cli/evaluate.py": "the TCPs that others are compared with by default",
    "python/ackclock/evaluation/suite.py": "standard TCP, as the suite's source means it",
    "python/ackclock/cli/emulate.py": "profiles of a kernel's settings",
    "python/ackclock/cli/shell.py": "profiles of a kernel's settings",
    "python/ackclock/cli/model.py": "a formula that is called so",
    "python/ackclock/models/*.py": "formulas that are called so",
    "crates/lab/src/drill/parser/options.rs": "the TCP option in the language of scripts",
    "crates/lab/src/drill/print.rs": "the TCP option in the language of scripts",
    "crates/lab/src/drill/shell.rs": "`tcp_sack`, a sysctl",
    "crates/lab/src/probes/segments.rs": "a kind of row",
    "python/ackclock/plots/quantities.py": "capitals of words in titles",
    "python/ackclock/plots/sequence.py": "ranges that the TCP option reports, a kind of rows",
}
"""Where a flavor's name, or the same word for something else, stands in code, and why."""


def flavors_named(path: Path, flavors: list[str]) -> set[str]:
    """The names of flavors that are whole strings in the code of a file, its tests apart."""
    code = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        constants = (each for each in ast.walk(ast.parse(code)) if isinstance(each, ast.Constant))
        return {each.value for each in constants if each.value in flavors}
    code = re.sub(r"(^|\s)//.*", "", code.partition("#[cfg(test)]\nmod tests")[0])
    return set(re.findall(r'"(\w+)"', code)) & set(flavors)


def test_no_code_branches_on_the_name_of_a_flavor():
    table = (ROOT / "crates/tcp/src/flavor.rs").read_text(encoding="utf-8")
    flavors = re.findall(r'^        name: "(\w+)"', table, re.MULTILINE)
    assert len(flavors) >= 8
    folders = ("crates/*/src/**/*.rs", "fuzz/src/**/*.rs", "python/ackclock/**/*.py")
    found = {
        path.relative_to(ROOT).as_posix(): names
        for folder in folders
        for path in sorted(ROOT.glob(folder))
        if "studies" not in path.parts
        and not is_tests(path)
        and (names := flavors_named(path, flavors))
    }
    assert {
        path: names
        for path, names in found.items()
        if not any(fnmatch(path, known) for known in NAMES_A_FLAVOR)
    } == {}
    for known in NAMES_A_FLAVOR:
        assert any(fnmatch(path, known) for path in found), f"{known} names none any more"
