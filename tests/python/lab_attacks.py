"""Requests that the server of the lab must refuse, beside some that it must not, and the page."""

import json
from pathlib import Path
from typing import NamedTuple

from ackclock.lab.campaigns.folders import campaign_id
from ackclock.lab.server.guard import FRAMED, HEADERS
from lab_server import SMALL

KEPT, OTHER = "kept", "other"
"""Folders of campaigns."""

_OWN = "Host: 127.0.0.1:PORT"
_BEARS = "Authorization: Bearer TOKEN"
_LARGE = 70_000


class Sent(NamedTuple):
    """A request.

    Attributes:
        threat: that it stands for.
        what: is in it, in words.
        head: its first line and its headers; SEAL stands for that of the first report.
        body: after these.
        status: of the answer that is right.
    """

    threat: str
    what: str
    head: str
    status: int
    body: bytes = b""

    @property
    def headers(self) -> dict[str, str]:
        """Those of the answer that is right."""
        is_report = self.status == 200 and self.head.startswith("GET /reports/")
        return {**HEADERS, **(FRAMED if is_report else {})}


def _get(threat: str, what: str, path: str, status: int, *headers: str) -> Sent:
    return Sent(threat, what, "\n".join([f"GET {path} HTTP/1.1", *headers]), status)


def _post(
    threat: str, what: str, path: str, status: int, body: bytes, length: str | None = None
) -> Sent:
    told = f"Content-Length: {len(body)}" if length is None else length
    return Sent(
        threat, what, "\n".join([f"POST {path} HTTP/1.1", _OWN, _BEARS, told]), status, body
    )


def _chunked(body: bytes) -> bytes:
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


def _asks(**body: object) -> bytes:
    return json.dumps(body).encode()


_ABOUT = "/api/about"
_REBINDING, _PAGES, _USERS = "DNS rebinding", "other pages", "other users"
_SIZE, _PATHS, _FORM, _LOAD = "large bodies", "paths", "malformed bodies", "load"
_REPORT, _OTHERS = (f"/reports/{campaign_id(Path(), Path(each))}" for each in (KEPT, OTHER))
_NO_LENGTH = "Transfer-Encoding: chunked"
_UPLINK = SMALL.replace("[topology.bottleneck]", "[topology.bottleneck]\nvaries = { kind = ")
SENT = [
    _get("none", "what the page sends", _ABOUT, 200, _OWN, _BEARS),
    _get("none", "the other name of this computer", _ABOUT, 200, "Host: localhost:PORT", _BEARS),
    _get("none", "`Sec-Fetch-Site: same-origin`", _ABOUT, 200, _OWN, _BEARS,
         "Origin: http://127.0.0.1:PORT", "Sec-Fetch-Site: same-origin"),
    _get("none", "an address that was typed", _ABOUT, 200, _OWN, _BEARS, "Sec-Fetch-Site: none"),
    _get(_REBINDING, "`Host: evil.example:PORT`", _ABOUT, 403, "Host: evil.example:PORT", _BEARS),
    _get(_REBINDING, "the same for the page itself", "/", 403, "Host: evil.example:PORT"),
    _get(_REBINDING, "the same for a file of the page", "/static/lab.js", 403,
         "Host: evil.example:PORT"),
    _get(_REBINDING, "the same for an unknown path", "/nothing", 403, "Host: evil.example:PORT"),
    _get(_REBINDING, "`Host` without a port", _ABOUT, 403, "Host: 127.0.0.1", _BEARS),
    _get(_REBINDING, "`Host` with another port", _ABOUT, 403, "Host: 127.0.0.1:1", _BEARS),
    _get(_REBINDING, "`Host: 127.0.0.1.evil.example:PORT`", _ABOUT, 403,
         "Host: 127.0.0.1.evil.example:PORT", _BEARS),
    _get(_REBINDING, "`Host: 0.0.0.0:PORT`", _ABOUT, 403, "Host: 0.0.0.0:PORT", _BEARS),
    _get(_REBINDING, "no `Host`", _ABOUT, 400, _BEARS),
    _get(_REBINDING, "two of them", _ABOUT, 400, _OWN, "Host: evil.example:PORT", _BEARS),
    _get(_PAGES, "`Origin: http://evil.example`", _ABOUT, 403, _OWN, _BEARS,
         "Origin: http://evil.example"),
    _get(_PAGES, "the same for the page itself", "/", 403, _OWN, "Origin: http://evil.example"),
    _get(_PAGES, "`Origin: null`, of a sandbox or a file", _ABOUT, 403, _OWN, _BEARS,
         "Origin: null"),
    _get(_PAGES, "this computer with another port", _ABOUT, 403, _OWN, _BEARS,
         "Origin: http://127.0.0.1:1"),
    _get(_PAGES, "this computer by https", _ABOUT, 403, _OWN, _BEARS,
         "Origin: https://127.0.0.1:PORT"),
    _get(_PAGES, "two `Origin`s, one of them right", _ABOUT, 403, _OWN, _BEARS,
         "Origin: http://127.0.0.1:PORT", "Origin: http://evil.example"),
    _get(_PAGES, "`Sec-Fetch-Site: cross-site`", _ABOUT, 403, _OWN, _BEARS,
         "Sec-Fetch-Site: cross-site"),
    _get(_PAGES, "`Sec-Fetch-Site: same-site`", _ABOUT, 403, _OWN, _BEARS,
         "Sec-Fetch-Site: same-site"),
    Sent(_PAGES, "a preflight from another page",
         f"OPTIONS /api/run HTTP/1.1\n{_OWN}\nOrigin: http://evil.example\n"
         "Access-Control-Request-Method: POST", 403),
    Sent(_PAGES, "a form of another page",
         f"POST /api/run HTTP/1.1\n{_OWN}\nOrigin: http://evil.example\n"
         "Content-Type: text/plain\nContent-Length: 2", 403, b"{}"),
    _get(_PAGES, "a WebSocket from another page", _ABOUT, 403, _OWN,
         "Origin: http://evil.example", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="),
    _get(_USERS, "no token", _ABOUT, 401, _OWN),
    _get(_USERS, "another token", _ABOUT, 401, _OWN, "Authorization: Bearer another"),
    _get(_USERS, "a part of the token", _ABOUT, 401, _OWN, "Authorization: Bearer a-token"),
    _get(_USERS, "the token and more", _ABOUT, 401, _OWN, f"{_BEARS}x"),
    _get(_USERS, "the token with another scheme", _ABOUT, 401, _OWN, "Authorization: Basic TOKEN"),
    _get(_USERS, "a token that is not ASCII", _ABOUT, 401, _OWN, "Authorization: Bearer \xe9"),
    _get(_USERS, "the token in the query", f"{_ABOUT}?token=TOKEN", 401, _OWN),
    _get(_USERS, "the token in a cookie", _ABOUT, 401, _OWN, "Cookie: token=TOKEN"),
    _get(_USERS, "no token, and no such path", "/api/nothing", 401, _OWN),
    _get(_USERS, "no token, `/api` itself", "/api", 401, _OWN),
    _get(_USERS, "no token, a WebSocket", _ABOUT, 401, _OWN, "Upgrade: websocket",
         "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="),
    _get("none", "the address of a report, with its seal", f"{_REPORT}/SEAL", 200, _OWN,
         "Sec-Fetch-Site: same-origin", "Sec-Fetch-Dest: iframe"),
    _get(_REBINDING, "the same, `Host: evil.example:PORT`", f"{_REPORT}/SEAL", 403,
         "Host: evil.example:PORT"),
    _get(_PAGES, "the same in a frame of another page", f"{_REPORT}/SEAL", 403, _OWN,
         "Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: iframe"),
    _get(_USERS, "a report without a seal", _REPORT, 404, _OWN),
    _get(_USERS, "a report with nothing as its seal", f"{_REPORT}/", 404, _OWN),
    _get(_USERS, "a report with another seal", f"{_REPORT}/{'0' * 64}", 404, _OWN),
    _get(_USERS, "a report with the seal of another", f"{_OTHERS}/SEAL", 404, _OWN),
    _get(_USERS, "a report with its seal and more", f"{_REPORT}/SEALx", 404, _OWN),
    _get(_USERS, "a report with the token as its seal", f"{_REPORT}/TOKEN", 404, _OWN),
    _get(_USERS, "a report with a seal that is not ASCII", f"{_REPORT}/%e9", 404, _OWN),
    _get(_USERS, "an unknown report", f"/reports/nothing/{'0' * 64}", 404, _OWN),
    _get(_USERS, "the seal of a report as a token", _ABOUT, 401, _OWN,
         "Authorization: Bearer SEAL"),
    _post(_SIZE, "70 kB", "/api/check", 413, bytes(_LARGE)),
    _post(_SIZE, "70 kB without a length", "/api/check", 413, _chunked(bytes(_LARGE)), _NO_LENGTH),
    _post(_SIZE, "a length of 10 GB, and nothing", "/api/check", 413, b"",
          "Content-Length: 10000000000"),
    _post(_SIZE, "a length below 0", "/api/check", 400, b"", "Content-Length: -1"),
    _post(_SIZE, "two lengths", "/api/check", 400, b"", "Content-Length: 1\nContent-Length: 2"),
    _post(_SIZE, "1 MB for a path that takes none", _ABOUT, 413, bytes(10**6)),
    _post("none", "a small body without a length", "/api/check", 200,
          _chunked(_asks(source=SMALL)), _NO_LENGTH),
    _get(_PATHS, "`/static/../app.py`", "/static/../app.py", 404, _OWN),
    _get(_PATHS, "`/static/%2e%2e/app.py`", "/static/%2e%2e/app.py", 404, _OWN),
    _get(_PATHS, "`/static/..%2fapp.py`", "/static/..%2fapp.py", 404, _OWN),
    _get(_PATHS, "`/static/..%5capp.py`", "/static/..%5capp.py", 404, _OWN),
    _get(_PATHS, "`/static/lab.js%00.txt`", "/static/lab.js%00.txt", 404, _OWN),
    _get(_PATHS, "`/static/`", "/static/", 404, _OWN),
    _get(_PATHS, "`//etc/passwd`", "//etc/passwd", 404, _OWN),
    _get(_PATHS, "the id `../pyproject`", "/api/scenarios/../pyproject", 404, _OWN, _BEARS),
    _get(_PATHS, "the id `%2e%2e/pyproject`", "/api/scenarios/%2e%2e/pyproject", 404, _OWN, _BEARS),
    _get(_PATHS, "the id `yours/../outside`", "/api/scenarios/yours/../outside", 404, _OWN, _BEARS),
    _get(_PATHS, "an id with NUL", "/api/scenarios/yours/mine%00", 404, _OWN, _BEARS),
    _get(_PATHS, "an id that is a path", "/api/scenarios//etc/hosts", 404, _OWN, _BEARS),
    _get(_PATHS, "a link that leads out of the folder", "/api/scenarios/yours/link", 404, _OWN,
         _BEARS),
    _get(_PATHS, "the seal of a report, and `..`", f"{_REPORT}/../SEAL", 404, _OWN),
    _get("none", "a scenario of the folder", "/api/scenarios/yours/mine", 200, _OWN, _BEARS),
    *(
        _post(_PATHS, f"a scenario that names {what}", "/api/run", 422,
              _asks(source=f'{_UPLINK}"csv", file = "{name}" }}', slot=name))
        for what, name in (
            ("`../outside.csv`", "../outside.csv"),
            ("`/etc/hosts`", "/etc/hosts"),
            ("a link that leads out", "link.csv"),
            ("a folder", "."),
            ("a NUL", "a\\u0000b.csv"),
        )
    ),
    _post(_PATHS, "a text that is a path", "/api/check", 200, _asks(source="/etc/hosts")),
    _post(_FORM, "no JSON", "/api/run", 422, b"{"),
    _post(_FORM, "a list", "/api/run", 422, b"[]"),
    _post(_FORM, "nothing", "/api/run", 422, b""),
    _post(_FORM, "lists in lists, 30,000 of them", "/api/run", 422, b"[" * 30_000),
    _post(_FORM, "bytes that are no text", "/api/run", 422, b"\xff\xfe{}"),
    _post(_FORM, "numbers where texts belong", "/api/run", 422, _asks(scenario=1, sets=[1])),
    _post(_FORM, "a window of infinite times", "/api/run", 422,
          b'{"scenario": "red", "window": [0, Infinity]}'),
    _post(_FORM, "tables in tables, 10,000 of them", "/api/run", 422,
          _asks(source="a = " + "[" * 10_000)),
    _post(_LOAD, "10 Gbit/s for 30 s", "/api/run", 422,
          _asks(source=SMALL, sets=["duration=30 s", "topology.bottleneck.rate=10 Gbit/s"])),
    _post(_LOAD, "a million flows", "/api/run", 422,
          _asks(source=SMALL, sets=["topology.pairs=1000000"])),
    _post(_LOAD, "a run of 11 days", "/api/run", 422,
          _asks(source=SMALL, sets=["duration=1000000 s"])),
    _post(_LOAD, "a picture of a million columns", "/api/run", 422,
          _asks(source=SMALL, width=1_000_000)),
    _post(_LOAD, "more segments than are drawn", "/api/detail/segments", 422,
          _asks(source=SMALL, to=4, most=10)),
    Sent("other methods", "`PUT`", f"PUT /api/check HTTP/1.1\n{_OWN}\n{_BEARS}", 405),
    Sent("other methods", "`TRACE`", f"TRACE {_ABOUT} HTTP/1.1\n{_OWN}\n{_BEARS}", 405),
]  # fmt: skip
