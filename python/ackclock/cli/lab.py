"""``ackclock lab``."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ackclock.cli.options import AllowCode
from ackclock.cli.output import say
from ackclock.errors import InputError
from ackclock.lab.settings import PORT

_MOST_PORT = 65_535
_NEEDED = ("starlette", "uvicorn", "anyio")


def lab(
    path: Path | None = None,
    /,
    *,
    port: int = PORT,
    browser: Annotated[bool, Parameter(negative="--no-browser")] = True,
    allow_code: AllowCode = False,
) -> None:
    """Open the laboratory in a browser: set values, see curves and packets, compare.

    The page is served on 127.0.0.1 only and works offline. Press Ctrl-C to stop the server.

    Args:
        path: Scenario file (TOML) to open, or a folder of such files; by default this folder.
        port: Port of the page on 127.0.0.1; 0 selects a free one.
        browser: Open the page in a browser; --no-browser only prints its address.
        allow_code: Let the Python code run that scenarios of the folder name; read it first.
    """
    import sys
    import webbrowser

    _check_installed()
    if not 0 <= port <= _MOST_PORT:
        raise InputError(f"--port {port}: a number from 0 to {_MOST_PORT}, for example {PORT}")
    folder, route = _shown(path or Path())

    from ackclock.code_permission import code_allowed
    from ackclock.lab.server.http_server import serve

    def opened(address: str) -> None:
        say(f"The laboratory is at {address}\nCtrl-C ends it.")
        sys.stdout.flush()
        if browser:
            webbrowser.open(address)

    with code_allowed(allow_code), suppress(KeyboardInterrupt):
        serve(folder, port, opened, route)
    say("The laboratory is closed.")


def _check_installed() -> None:
    from importlib.util import find_spec

    if not all(map(find_spec, _NEEDED)):
        raise InputError(
            "the laboratory in the browser needs packages that are not installed: "
            "pip install 'ackclock[lab]'"
        )


def _shown(path: Path) -> tuple[Path, str]:
    """The folder of the user's scenarios, and the route of the page that shows a file."""
    from ackclock.lab.states.catalog import id_of

    if path.is_dir():
        return path, ""
    if not path.is_file():
        raise InputError(f"{path}: there is no such file or folder; name a scenario file")
    return path.parent, f"/lab/{id_of(path)}"
