"""Builds the kernel for emulation in virtual time, and installs it into the user's cache.

Usage: python virtual-time/build.py [SOURCE]

SOURCE is the folder of another kernel's source, already unpacked, to which the patches are applied;
by default the script fetches Debian's package of the source. Each step that is done is not done
again: after an interruption, run the same command. Only missing tools need root, to install them.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from ackclock.emulation.virtual_time import guest, kernel
from ackclock.errors import InputError

HERE = Path(__file__).resolve().parent
PACKAGE = "linux-source-7.2_7.2.12-1_all.deb"
SHA256 = "6ea01e48037651b01076e4a369d1c76051c97c3cce6f87d48b7f3a9f5fac46a8"
PLACES = (
    "https://deb.debian.org/debian/pool/main/l/linux",
    "http://deb.debian.org/debian/pool/main/l/linux",
    "https://snapshot.debian.org/archive/debian/20261120T000000Z/pool/main/l/linux",
)
"""Debian removes a version from its pool when a newer one is there; the archive keeps all."""
TOOLS = {
    "gcc": "gcc",
    "make": "make",
    "flex": "flex",
    "bison": "bison",
    "bc": "bc",
    "patch": "patch",
    "tar": "tar",
    "xz": "xz-utils",
    "dpkg-deb": "dpkg",
}
"""Programs, and Debian's packages with them."""
WORK = "It takes about 15 minutes of processor time, 165 MB of download and 3 GB of disk."
_BLOCK = 1 << 20


def main(arguments: Sequence[str]) -> int:
    """Build and install the kernel; return the exit code."""
    if missing := [tool for tool in TOOLS if shutil.which(tool) is None]:
        packages = " ".join(dict.fromkeys(TOOLS[tool] for tool in missing))
        print(f"missing: {', '.join(missing)}; on Debian, apt install {packages}", file=sys.stderr)
        return 2
    given = Path(arguments[0]).resolve() if arguments else None
    if given and not (given / "arch" / "um").is_dir():
        print(f"{given}: holds no source of a kernel; name its folder", file=sys.stderr)
        return 2
    made_from = _inputs(given)
    if not given and _installed() == made_from:
        print(f"{kernel.path()} is there already, and nothing has changed.")
        return 0
    work = kernel.folder() / "build"
    work.mkdir(parents=True, exist_ok=True)
    print(f"Builds a kernel in {work} and installs it as {kernel.path()}.\n{WORK}")
    if given:
        print(f"The patches of {HERE / 'patches'} are applied to {given}.")
    try:
        source = given or unpacked(fetched(work), work)
        install(build(source, work / "kernel"), made_from)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print(f"virtual-time: {error}; run the same command to go on", file=sys.stderr)
        return 1
    except RuntimeError as error:
        print(f"virtual-time: the kernel is built but does not run here: {error}", file=sys.stderr)
        return 1
    shutil.rmtree(work)
    print("Done. Try: ackclock emulate scenarios/lossy_path.toml --virtual-time")
    return 0


def _inputs(source: Path | None) -> str:
    """Return a hash of all that a kernel is made from."""
    files = [HERE / "kernel.config", *sorted((HERE / "patches").glob("*.patch"))]
    parts = [str(source or SHA256).encode(), *(file.read_bytes() for file in files)]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _installed() -> str | None:
    """Return what the installed kernel was made from; none without a kernel."""
    try:
        return kernel.kernel().made_from
    except InputError:
        return None


def install(built: Path, made_from: str) -> None:
    """Install a kernel, and start it once to learn what it has.

    Raises:
        RuntimeError: it does not start.
    """
    part = kernel.path().with_suffix(".part")
    shutil.copy(built, part)
    part.replace(kernel.path())
    described = guest.run("describe", {})
    kernel.describe(
        kernel.Kernel(described["release"], tuple(described["congestion_controls"]), made_from)
    )


def fetched(work: Path) -> Path:
    """Return the package of the source, which is fetched if it is not there."""
    package = work / PACKAGE
    if package.exists() and _sha256(package) == SHA256:
        return package
    problems = []
    for place in PLACES:
        try:
            _fetch(f"{place}/{PACKAGE}", package)
        except (OSError, urllib.error.URLError) as error:
            problems.append(f"{place}: {error}")
            continue
        if _sha256(package) == SHA256:
            return package
        problems.append(f"{place}: another file than expected")
    raise ValueError(f"{PACKAGE} cannot be fetched ({'; '.join(problems)})")


def _fetch(address: str, package: Path) -> None:
    part = package.with_suffix(".part")
    with urllib.request.urlopen(address, timeout=60) as answer, part.open("wb") as file:
        size, done = int(answer.headers.get("Content-Length", 0)), 0
        while block := answer.read(_BLOCK):
            file.write(block)
            done += len(block)
            print(f"\rfetching {address}: {done >> 20} of {size >> 20} MiB", end="", flush=True)
    print()
    part.replace(package)


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def unpacked(package: Path, work: Path) -> Path:
    """Return the folder of the source in a package."""
    source = work / "source"
    if not source.exists():
        print("unpacking", flush=True)
        outer, inner = work / "package", work / "source.part"
        for each in (outer, inner):
            shutil.rmtree(each, ignore_errors=True)
        inner.mkdir()
        subprocess.run(["dpkg-deb", "-x", package, outer], check=True)
        (archive,) = outer.glob("usr/src/*.tar.xz")
        subprocess.run(["tar", "-xf", archive, "-C", inner, "--strip-components=1"], check=True)
        shutil.rmtree(outer)
        inner.rename(source)
    return source


def build(source: Path, output: Path) -> Path:
    """Apply the patches, configure and build outside of the source; return the kernel."""
    for patch in sorted((HERE / "patches").glob("*.patch")):
        apply(patch, source)
    make = ["make", "-C", str(source), "ARCH=um", f"O={output}"]
    output.mkdir(exist_ok=True)
    shutil.copy(HERE / "kernel.config", output / ".config")
    subprocess.run([*make, "olddefconfig"], check=True, stdout=subprocess.DEVNULL)
    print("building", flush=True)
    jobs = len(os.sched_getaffinity(0))
    # The time and the name of the computer are part of a kernel, and so of its random numbers.
    fixed = {"KBUILD_BUILD_TIMESTAMP": "@0", "KBUILD_BUILD_USER": "a", "KBUILD_BUILD_HOST": "b"}
    subprocess.run(
        [*make, f"-j{jobs}", "linux"],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **fixed},
    )
    return output / "linux"


def apply(patch: Path, source: Path) -> None:
    """Apply a patch, unless the source has it already."""
    command = ["patch", "-p1", "--silent", "--force", f"--input={patch}", f"--directory={source}"]
    has_it = subprocess.run([*command, "--reverse", "--dry-run"], check=False, capture_output=True)
    if has_it.returncode == 0:
        return
    tried = subprocess.run([*command, "--dry-run"], check=False, capture_output=True, text=True)
    if tried.returncode:
        raise ValueError(f"{patch.name} does not fit the source in {source}")
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
