"""Who may speak to the server of the lab: each row of docs/validation/lab-security.md.

With ACKCLOCK_UPDATE=1 in the environment the page shows what came back now.
"""

import os
import shutil
import socket
from pathlib import Path

import pytest

from ackclock.lab.campaigns.folders import campaign_id
from ackclock.lab.server.guard import FRAMED, HEADERS, seal
from ackclock.lab.server.http_server import listening
from ackclock.results import run
from lab_attacks import KEPT, OTHER, SENT, Sent
from lab_server import SMALL, running
from teaching_set import ROOT

PAGE = ROOT / "docs" / "validation" / "lab-security.md"
HEAD = """\
# Security of the lab's server

`ackclock lab` listens on 127.0.0.1 only. Each row of the table is a request that a test sends,
byte by byte, to a running server, and the status of the response. `PORT` is the port of that
server. All responses of the lab have the headers below the table, whatever the status. Status 400
comes from the HTTP parser before the request reaches the lab. A frame of the page cannot send the
token, so the address of a report in a frame contains a seal. The seal is derived from the token
and gives access to this report only. `tests/python/test_lab_security.py` checks every row.
Python code that a scenario names runs only if the lab was started with `--allow-code`;
`test_own_tcp_errors.py` checks it.

| threat | what was sent | what came back |
|---|---|---|
"""
REPORTS = """
For a report in a frame, these headers replace those of the same name. The report loads no other
resources, runs no scripts, and only the page of the lab may show it.

"""
MEANINGS = {
    200: "answered",
    400: "malformed",
    401: "no token",
    403: "refused",
    404: "not found",
    405: "method not allowed",
    413: "too large",
    422: "refused with a message",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server of a folder beside which are files that it must not read."""
    root = tmp_path_factory.mktemp("lab")
    folder = root / "folder"
    folder.mkdir()
    (folder / "mine.toml").write_text(SMALL)
    (root / "outside.toml").write_text(SMALL)
    (root / "outside.csv").write_text("time_s,rate_bit_s\n0,1000000\n")
    (folder / "link.toml").symlink_to(root / "outside.toml")
    (folder / "link.csv").symlink_to(root / "outside.csv")
    run(SMALL, folder / KEPT, replications=1)
    shutil.copytree(folder / KEPT, folder / OTHER)
    with running(folder) as lab:
        yield lab


@pytest.mark.parametrize("sent", SENT, ids=[f"{each.threat}: {each.what}" for each in SENT])
def test_every_request_gets_the_status_of_its_row(server, sent: Sent):
    its = seal(server.settings, campaign_id(Path(), Path(KEPT)))
    answer = server.raw(sent.head.replace("SEAL", its), sent.body)
    assert answer.status == sent.status, answer
    assert "access-control-allow-origin" not in answer.headers
    assert "set-cookie" not in answer.headers
    assert "server" not in answer.headers
    if sent.status == 400:
        return
    for name, value in sent.headers.items():
        assert answer.headers[name.lower()] == value
    if sent.status in (401, 403, 404, 405, 413, 422):
        assert all(answer.messages)
        assert server.settings.token.encode() not in answer.body
        assert str(server.settings.folder.parent).encode() not in answer.body


def _block(headers):
    lines = "".join(f"{name}: {value}\n" for name, value in headers.items())
    return f"```text\n{lines}```\n"


def test_the_page_has_every_row():
    rows = [
        f"| {each.threat} | {each.what} | {each.status} {MEANINGS[each.status]} |" for each in SENT
    ]
    text = HEAD + "\n".join(rows) + f"\n\n{_block(HEADERS)}{REPORTS}{_block(FRAMED)}"
    if os.environ.get("ACKCLOCK_UPDATE"):
        PAGE.write_text(text)
    assert PAGE.read_text() == text


def test_what_the_page_makes_is_neither_shown_in_a_frame_nor_as_a_picture():
    # A report has an address of its own, and files are saved by a link.
    policy = dict(
        each.strip().split(" ", 1) for each in HEADERS["Content-Security-Policy"].split(";")
    )
    assert policy["frame-src"] == "'self'"
    assert policy["img-src"] == "'self' data:"
    assert not any("blob:" in sources for sources in policy.values())


def test_nothing_of_a_file_outside_the_folder_is_told(server):
    for name in ("../outside.csv", "link.csv"):
        source = SMALL + f'varies = {{ kind = "csv", file = "{name}" }}\n'
        said = server.messages("run", {"source": source, "slot": name})
        assert f"{name} is not in the folder of the scenario" in said
    inside = server.settings.folder / "inside.csv"
    inside.write_text("time_s,rate_bit_s\n0,1000000\n")
    source = SMALL + 'varies = { kind = "csv", file = "inside.csv" }\n'
    assert "is not in the folder" not in str(server.post("check", {"source": source}))


def test_only_this_computer_is_listened_to():
    with listening(0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
        assert listener.family == socket.AF_INET


def test_tokens_are_new_at_each_start():
    from ackclock.lab.server.http_server import token

    tokens = {token() for _ in range(50)}
    assert len(tokens) == 50
    assert min(map(len, tokens)) >= 32  # 192 bits in base64
