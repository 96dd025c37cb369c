"""The page's files: a fixed table of names, and no folder that is listed."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ackclock.lab.bundle import FOLDER
from ackclock.lab.endpoints import NOT_THERE, problems

_INDEX = "index.html"
_TYPES = {
    _INDEX: "text/html; charset=utf-8",
    "lab.js": "text/javascript; charset=utf-8",
    "lab.css": "text/css; charset=utf-8",
    "THIRD-PARTY.txt": "text/plain; charset=utf-8",
}


def routes() -> list[Route]:
    """The page and what it consists of."""
    return [Route("/", _page), Route("/static/{name}", _file)]


def _page(request: Request) -> Response:
    return _answer(_INDEX)


def _file(request: Request) -> Response:
    return _answer(request.path_params["name"])


def _answer(name: str) -> Response:
    if name not in _TYPES:
        return problems(Exception(f"the page has the files {', '.join(_TYPES)}"), NOT_THERE)
    try:
        content = (FOLDER / name).read_bytes()
    except OSError:
        return problems(Exception("the page is not built; write `make page`"), NOT_THERE)
    return Response(content, media_type=_TYPES[name])
