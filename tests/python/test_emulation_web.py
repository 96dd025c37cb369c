"""Pages, batches of requests and datagrams over a real kernel's TCP and UDP, without privilege.

What is asked for is that of the simulated run with the same seed; when it comes is not.
"""

import json
import re
import socket
from dataclasses import asdict
from functools import cache
from math import isnan, nan
from threading import Thread

import numpy as np
import pytest

from ackclock import _core
from ackclock.emulation import core, tcp_info
from ackclock.emulation.campaign import Options as Asked
from ackclock.emulation.connection import Connection, Options
from ackclock.emulation.connection_samples import Record
from ackclock.emulation.event_loop import Loop
from ackclock.emulation.hosts import FIRST_PORT, PORTS, number_of
from ackclock.emulation.http_messages import request, response
from ackclock.emulation.measuring import measure
from ackclock.errors import InputError
from ackclock.scenario import load
from emulated import needs_namespaces
from scenario_calls import written

TEXT = """
title = "Everything that a flow can carry"
duration = "4 s"

[topology]
kind = "dumbbell"
access = { rate = "100 Mbit/s", delay = "1 ms" }

[topology.bottleneck]
rate = "10 Mbit/s"
delay = "8 ms"
queue = { limit = "100 packets" }

[tcp]
flavor = "newreno"
receive_buffer = "32 kB"

[[flows]]
name = "pages"
count = 2
workload = { kind = "http10", sizes = "mah_http", pause_min = "200 ms", pause_max = "400 ms" }

[[flows]]
name = "files"
workload = { kind = "ftp", file_size = "50 kB" }

[[flows]]
name = "batches"

[flows.workload]
kind = "www_batches"
period = "1 s"
start_spread = "500 ms"
gap_min = "10 ms"
gap_max = "100 ms"
class_shares = [0.6, 0.4, 0, 0, 0]

[[flows]]
name = "constant"
workload = { kind = "cbr", rate = "800 kbit/s", packet_size = "500 B" }

[[flows]]
name = "turns"

[flows.workload]
kind = "on_off"
rate = "1 Mbit/s"
packet_size = "2000 B"
mean_on = "200 ms"
mean_off = "300 ms"
shape = 1.5
"""
PAGES, FILES, BATCHES, CONSTANT, TURNS = (0, 1), 2, 3, 4, 5
SEED = 3


def compiled(*sets: str):
    (point,) = load(TEXT, sets).points()
    return written(point.compile())


@cache
def both() -> tuple[dict, dict]:
    """The tables of the simulated and of the emulated run."""
    needs_namespaces()
    plan = compiled().plan
    how = {"emulation": asdict(Asked(unprivileged=True))}
    return _core.run(json.dumps(plan), SEED), core.run(json.dumps(plan | how), SEED)


def objects(tables: dict) -> dict[tuple[int, int], int]:
    """Bytes of each connection, by flow and number."""
    its = tables["transfers"]
    names = ("flow", "connection", "bytes")
    rows = zip(*(its[name].tolist() for name in names), strict=True)
    return {(flow, connection): size for flow, connection, size in rows}


def test_the_same_pages_and_files_are_fetched():
    simulated, emulated = map(objects, both())
    shared = simulated.keys() & emulated.keys()
    assert {key: simulated[key] for key in shared} == {key: emulated[key] for key in shared}
    for flow in (*PAGES, FILES):
        many = [sum(key[0] == flow for key in keys) for keys in (simulated, emulated)]
        assert many[1] >= 0.5 * many[0] >= 4, f"flow {flow} has fetched too little"


def test_pages_go_through_their_stages():
    its = both()[1]["transfers"]
    assert list(its) == list(both()[0]["transfers"])
    assert set(its["stage"][its["flow"] == PAGES[0]]) == {0, 1}
    assert (its["opened_s"] < its["established_s"]).all()
    assert (its["established_s"] < its["completed_s"]).all()
    # A round trip is 20 ms, and a connection takes two.
    assert (its["completed_s"] - its["opened_s"]).min() >= 0.04
    first = its["page"] == 0
    assert its["completed_s"][first].min() < 1


def test_the_same_requests_are_made_in_batches():
    simulated, emulated = (tables["responses"] for tables in both())
    for name in ("flow", "batch", "request", "bytes"):
        assert emulated[name].tolist() == simulated[name].tolist(), name
    late = emulated["requested_s"] - simulated["requested_s"]
    assert late.min() >= -0.001
    assert np.median(late) < 0.05
    answered = ~np.isnan(emulated["completed_s"])
    assert answered.mean() > 0.8


@pytest.mark.parametrize("flow", [CONSTANT, TURNS])
def test_as_many_datagrams_leave_as_are_due(flow):
    simulated, emulated = (tables["flows"] for tables in both())
    sent = emulated["segments_sent"][flow]
    # One may be due at the very end.
    assert abs(sent - simulated["segments_sent"][flow]) <= 1
    assert sent == emulated["requests"][flow]
    size = {CONSTANT: 500, TURNS: 2000}[flow]
    assert emulated["scheduled_bytes"][flow] == sent * size
    assert emulated["delivered_bytes"][flow] % size == 0
    assert emulated["delivered_bytes"][flow] >= 0.8 * sent * size
    assert emulated["timeouts"][flow] == 0


def test_metrics_are_those_of_a_run():
    row = measure(both()[1], compiled().facts)
    assert row["pages"] > 0
    assert 0.04 < row["page_delay_s"] < 2
    assert 0.02 < row["response_s"] < 2
    assert row["files"] > 3
    assert row["emulation"]["device_drops"] == 0
    assert not any("flow" in reason for reason in row["emulation"]["reasons"])


def test_pages_begun_in_the_warm_up_do_not_count():
    needs_namespaces()
    how = {"emulation": asdict(Asked(unprivileged=True))}
    plan = compiled('warm_up="1 s"', 'duration="2 s"').plan
    tables = core.run(json.dumps(plan | how), SEED)
    for table, begins in (("transfers", "opened_s"), ("responses", "requested_s")):
        assert (tables[table][begins] >= 1).all(), table
    due = 800_000 / 8 / 500
    assert tables["flows"]["segments_sent"][CONSTANT] == pytest.approx(due, abs=60)
    # Of datagrams nobody waits for what has not come.
    assert tables["flows"]["backlog_bytes"][CONSTANT] == 0


def test_an_application_asks_for_what_it_would_in_a_simulation():
    receiver, sender, departures = _core.applications(json.dumps(compiled().plan), SEED)[FILES]
    assert departures is None
    assert sender.starts_at is None
    new = (0, None, None, 0, 0, False, False)
    assert receiver.next(receiver.starts_at, new) == ("open", 0, 0)
    step, connection, size = receiver.next(receiver.starts_at, new)
    assert (step, connection) == ("write", 0)
    asked = (0, None, 5, 0, size, False, False)
    assert sender.next(10, asked) == ("write", 0, 50_000)
    written = (0, None, 5, 50_000, size, False, False)
    assert sender.next(10, written) == ("close", 0, 0)


def test_a_broken_plan_has_no_applications():
    with pytest.raises(ValueError, match="not a plan"):
        _core.applications("{}", 1)


def test_a_node_takes_the_longest_of_its_packets():
    request = core.request_for(compiled().plan, asdict(Asked()), 1)
    senders = {end["flow"]: node for node in request["nodes"] for end in node["sources"]}
    assert senders[TURNS]["mtu"] == 2000
    # Its TCP would have segments as long as those of the others.
    assert senders[TURNS]["route"]["advmss"] == "1460"
    assert senders[CONSTANT]["mtu"] == 1500
    assert "advmss" not in senders[CONSTANT]["route"]


def test_a_host_with_tcps_that_one_kernel_cannot_have_is_refused():
    plan = compiled().plan
    plan["tcps"] = [plan["tcps"][0], compiled('tcp.flavor="cubic"').plan["tcps"][0]]
    ends = plan["flows"][FILES]
    plan["flows"][CONSTANT] |= {"sender": ends["sender"], "sender_tcp": 1}
    # Datagrams do without.
    core.request_for(plan, asdict(Asked()), 1)
    plan["flows"][BATCHES] |= {"sender": ends["sender"], "sender_tcp": 1}
    with pytest.raises(InputError, match="one kernel cannot be set to both"):
        core.request_for(plan, asdict(Asked()), 1)


def test_a_connection_has_the_number_of_its_port():
    ahead = [(0, 0), (1, 0), (0, 1), (5, 3), (PORTS, PORTS), (PORTS + 2, PORTS - 1)]
    for number, accepted in [*ahead, (PORTS - 1, PORTS + 2), (3 * PORTS, 3 * PORTS)]:
        assert number_of(FIRST_PORT + number % PORTS, accepted) == number


def its_info(rto_us: int, series: int) -> dict[str, int]:
    names = (
        *("snd_mss", "snd_ssthresh", "snd_cwnd", "rtt"),
        *("unacked", "sacked", "lost", "retrans"),
    )
    return dict.fromkeys(names, 1) | {"rto": rto_us, "total_rto_recoveries": series}


def test_the_first_timeout_of_a_series_had_waited_what_was_told_before():
    record = Record()
    for now_ms, rto_ms, series in (
        (0, 300, 0),
        (100, 250, 0),
        (300, 500, 1),
        (700, 1000, 1),
        (900, 220, 1),
        (2000, 440, 2),
    ):
        record.note(now_ms * 1_000_000, 0, its_info(rto_ms * 1000, series))
    # The second series: who looked last does not know what was waited for.
    assert (record.first_timeouts, record.first_rto_us) == (1, 250_000)
    assert len(record.samples) == 6


@pytest.mark.parametrize("size", [70, 80, 128, 1000])
def test_a_request_is_http_of_its_length(size):
    (message,) = re.findall(
        rb"\AGET /7 HTTP/1.0\r\nHost: server\r\n.*\r\n\r\n\Z", request("1.0")(size, 7)
    )
    assert len(message) == size


@pytest.mark.parametrize("size", [100, 105, 999, 1000, 1001, 1060, 1_000_000])
def test_a_response_is_http_of_its_length(size):
    head = response("1.1")(size, 7).decode()
    (length,) = re.findall(
        r"\AHTTP/1.1 200 OK\r\n.*Content-Length: (\d+)\r\n\r\n\Z", head, re.DOTALL
    )
    assert int(length) + len(head) == size


def test_a_message_too_short_for_its_header_has_none():
    assert request("1.0")(20, 7) == response("1.0")(50, 7) == b""


def test_data_comes_in_the_order_in_which_it_was_written():
    told = Told()
    with socket.create_server(("127.0.0.1", 0)) as server:
        told.connection.open(("127.0.0.1", 0), server.getsockname())
        peer, _ = server.accept()
    told.connection.write(100_000, b"first")
    told.connection.write(3, b"two")
    told.connection.write(4)
    told.connection.close()
    told.loop.at(0, told.connection.send)
    got = Thread(target=told.loop.run)
    got.start()
    data = b"".join(iter(lambda: peer.recv(1 << 16), b""))
    peer.close()
    got.join()
    assert data == b"first" + bytes(99_995) + b"two" + bytes(4)
    assert told.connection.problem == ""


def test_what_is_counted_of_connections_adds_up():
    one = {"data_segs_out": 3, "min_rtt": 20, "rtt": 30}
    other = {"data_segs_out": 4, "min_rtt": 25, "rtt": 50}
    assert tcp_info.summed({}, one, other) == {"data_segs_out": 7, "min_rtt": 20, "rtt": 50}
    assert tcp_info.summed() == tcp_info.summed({}) == {}
    assert isnan(tcp_info.summed(one).get("total_rto", nan))


class Told:
    """Takes note of what a connection tells; stops the loop at its end."""

    def __init__(self) -> None:
        self.loop = Loop()
        self.ends: list[bool] = []
        options = Options("reno", nodelay=True, window=32_000)
        self.connection = Connection(
            7, self.loop, options, lambda: 1, self.on_news, lambda _: self.loop.stop()
        )

    def on_news(self, connection: Connection) -> None:
        self.ends.append(connection.ended)


def test_a_connection_that_nobody_takes_has_ended():
    with socket.create_server(("127.0.0.1", 0)) as gone:
        target = gone.getsockname()
    told = Told()
    told.connection.open(("127.0.0.1", 0), target)
    told.connection.write(80)
    told.connection.send()
    told.loop.run()
    assert told.ends == [True]
    assert told.connection.problem == "Connection refused"
    assert told.connection.established is None


def test_a_reset_ends_a_connection():
    told = Told()
    with socket.create_server(("127.0.0.1", 0)) as server:
        told.connection.open(("127.0.0.1", 0), server.getsockname())
        peer, _ = server.accept()
    # With nothing to linger for, closing resets.
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    peer.close()
    told.loop.run()
    assert told.ends == [True]
    assert told.connection.problem == "Connection reset by peer"


def test_an_address_that_is_not_here_is_told():
    told = Told()
    told.connection.open(("192.0.2.1", 0), ("127.0.0.1", 9))
    told.loop.run()
    assert told.ends == [True]
    assert told.connection.problem == "Cannot assign requested address"
