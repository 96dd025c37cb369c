"""The script that builds the kernel for virtual time: what it refuses, and does only once."""

import hashlib
import importlib.util
import shutil
from pathlib import Path

import pytest

from ackclock.emulation.virtual_time import guest, kernel

SCRIPT = Path(__file__).parents[2] / "virtual-time" / "build.py"
PATCH = """Says why.

--- a/file
+++ b/file
@@ -1,2 +1,2 @@
 one
-two
+three
"""


@pytest.fixture
def build(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    spec = importlib.util.spec_from_file_location("build", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "TOOLS", {"sh": "dash"})
    return module


def test_missing_tools_are_named_with_their_packages(build, monkeypatch, capsys):
    monkeypatch.setattr(build, "TOOLS", {"sh": "dash", "no-flex": "flex", "no-xz": "xz-utils"})
    assert build.main([]) == 2
    assert capsys.readouterr().err == (
        "missing: no-flex, no-xz; on Debian, apt install flex xz-utils\n"
    )


def test_a_folder_that_is_no_source_is_refused(build, tmp_path, capsys):
    assert build.main([str(tmp_path)]) == 2
    assert "holds no source of a kernel" in capsys.readouterr().err


needs_patch = pytest.mark.skipif(shutil.which("patch") is None, reason="patch is not installed")


@needs_patch
def test_a_patch_is_applied_once(build, tmp_path):
    (tmp_path / "its.patch").write_text(PATCH)
    (tmp_path / "file").write_text("one\ntwo\n")
    for _ in range(2):
        build.apply(tmp_path / "its.patch", tmp_path)
        assert (tmp_path / "file").read_text() == "one\nthree\n"
    (tmp_path / "file").write_text("something else\n")
    with pytest.raises(ValueError, match=r"its\.patch does not fit the source in"):
        build.apply(tmp_path / "its.patch", tmp_path)
    assert (tmp_path / "file").read_text() == "something else\n"


def test_a_package_is_fetched_whole_from_the_first_place_that_has_it(build, tmp_path, monkeypatch):
    (tmp_path / "wrong").mkdir()
    (tmp_path / "right").mkdir()
    (tmp_path / "wrong" / build.PACKAGE).write_text("another")
    (tmp_path / "right" / build.PACKAGE).write_text("the source")
    places = [(tmp_path / name).as_uri() for name in ("none", "wrong", "right")]
    monkeypatch.setattr(build, "PLACES", places)
    monkeypatch.setattr(build, "SHA256", hashlib.sha256(b"the source").hexdigest())
    assert build.fetched(tmp_path).read_text() == "the source"
    monkeypatch.setattr(build, "PLACES", [])
    assert build.fetched(tmp_path).read_text() == "the source", "not fetched again"
    (tmp_path / build.PACKAGE).unlink()
    monkeypatch.setattr(build, "PLACES", places[:2])
    with pytest.raises(ValueError, match=r"cannot be fetched .*none: .*; .*another file than"):
        build.fetched(tmp_path)


def test_a_kernel_is_described_by_itself_and_is_not_built_twice(
    build, tmp_path, monkeypatch, capsys
):
    built = tmp_path / "linux"
    built.write_text("a program")
    built.chmod(0o700)
    kernel.folder().mkdir(parents=True)
    told = {"release": "1.2.3", "congestion_controls": ["reno"]}
    monkeypatch.setattr(guest, "run", lambda *_: told)
    build.install(built, build._inputs(None))
    assert kernel.kernel() == kernel.Kernel("1.2.3", ("reno",), build._inputs(None))
    assert build.main([]) == 0
    assert "is there already" in capsys.readouterr().out


def test_a_failed_step_says_how_to_go_on(build, monkeypatch, capsys):
    monkeypatch.setattr(build, "PLACES", [])
    assert build.main([]) == 1
    said = capsys.readouterr()
    assert "15 minutes of processor time" in said.out
    assert "cannot be fetched" in said.err
    assert "run the same command to go on" in said.err


def test_every_patch_has_its_licence_and_its_reason():
    patches = sorted((SCRIPT.parent / "patches").glob("*.patch"))
    assert len(patches) == 3
    for path in patches:
        licence, empty, reason, *_ = path.read_text().splitlines()
        assert licence == "SPDX-License-Identifier: GPL-2.0"
        assert not empty
        assert reason.endswith(".")
