"""p, q, R and RTO from captures: against the counters of the same run."""

import struct
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock import _core
from ackclock.campaign.identity import replication_seed
from ackclock.capture.run import capture
from ackclock.errors import InputError
from ackclock.models import estimate_trace, newreno
from ackclock.models.trace.estimation import estimate
from ackclock.models.trace.files import packets, parsed
from ackclock.models.trace.segments import connections
from ackclock.models.trace.sender import follow
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json
from capture_packets import OUT
from capture_packets import packets as read_by_hand

SCENARIO = """
duration = "{seconds} s"
[topology]
kind = "dumbbell"
access = {{ rate = "100 Mbit/s", delay = "1 ms" }}
[topology.bottleneck]
rate = "10 Mbit/s"
delay = "24 ms"
queue = {{ limit = "{queue} packets" }}
impairments = [{impairments}]
[tcp]
flavor = "{flavor}"
smss = "1000 B"
receive_buffer = "1 MB"
delayed_ack = "{delayed_ack}"
[workload]
kind = "bulk"
"""
ONE_PERCENT = '{ kind = "bernoulli", loss = 0.01 }'
FIVE_PERCENT = '{ kind = "bernoulli", loss = 0.05 }'


@pytest.fixture
def point_of(tmp_path):
    """The only point of a scenario of one flow."""

    def made(flavor, impairments="", queue=1000, delayed_ack="off", seconds=30, seed=1):
        file = tmp_path / "flow.toml"
        file.write_text(
            SCENARIO.format(
                flavor=flavor,
                impairments=impairments,
                queue=queue,
                delayed_ack=delayed_ack,
                seconds=seconds,
            )
        )
        (point,) = load(file, [f"seed={seed}"]).points()
        return point

    return made


@pytest.fixture
def captured(point_of, tmp_path):
    """A file, and the capture in it."""

    def made(flavor, at=("server 1",), **settings):
        its = capture(point_of(flavor, **settings), at)
        file = tmp_path / "seen.pcapng"
        its.write(file)
        return file, its

    return made


def counters(point):
    """What the simulator counted in the same run: of the flow, and of its losses."""
    plan = point.compile().without_probes()
    plan["flows"][0]["foreground"] = True
    columns = _core.run(canonical_json(plan), replication_seed(point.scenario.seed, 0))
    tables = {**columns["flows"], **columns["foreground"]}
    return {name: values[0].item() for name, values in tables.items()}


@pytest.mark.parametrize("flavor", ["vanilla", "reno", "newreno", "sack"])
@pytest.mark.parametrize("delayed_ack", ["off", "200 ms"])
@pytest.mark.parametrize("loss", [ONE_PERCENT, FIVE_PERCENT])
def test_an_estimate_agrees_with_the_counters_of_the_run(
    captured, point_of, flavor, delayed_ack, loss
):
    settings = {"impairments": loss, "delayed_ack": delayed_ack}
    found = estimate_trace(captured(flavor, **settings)[0])
    counted = counters(point_of(flavor, **settings))
    assert found.segments_sent == counted["segments_sent"]
    assert found.segments_retransmitted == counted["segments_retransmitted"]
    assert abs(found.timeouts - counted["timeouts"]) <= 1
    assert abs(found.fast_retransmits - counted["fast_retransmits"]) <= 1
    # What was lost last is not acknowledged yet.
    assert found.segments_lost == pytest.approx(counted["segments_lost"], rel=0.03, abs=3)
    # Of such a TCP one segment a round trip is a sample; here it is every one.
    waits = delayed_ack != "off"
    assert found.rtt_s == pytest.approx(counted["rtt_mean_s"], rel=0.15 if waits else 0.03)
    if counted["first_timeouts"] and not isnan(found.rto_s):
        assert found.rto_s == pytest.approx(counted["first_rto_mean_s"], rel=0.08)
    delivered = 8 * counted["delivered_bytes"] / found.duration_s
    assert found.throughput_bit_s == pytest.approx(delivered, rel=0.01)
    assert found.gaps == 0


@pytest.mark.parametrize("flavor", ["vanilla", "reno", "newreno", "sack"])
@pytest.mark.parametrize("delayed_ack", ["off", "200 ms"])
@pytest.mark.parametrize("loss", [ONE_PERCENT, FIVE_PERCENT])
def test_loss_events_agree_with_those_of_the_simulator(
    captured, point_of, flavor, delayed_ack, loss
):
    """Over several runs: cwnd is not seen, only what is in flight, so single events differ."""
    found = counted = 0
    for seed in range(1, 7):
        settings = {"impairments": loss, "delayed_ack": delayed_ack, "seed": seed}
        found += estimate_trace(captured(flavor, **settings)[0]).loss_events
        counted += counters(point_of(flavor, **settings))["loss_events"]
    assert found == pytest.approx(counted, rel=0.05)


@pytest.mark.parametrize(
    ("flavor", "settings"),
    [
        ("newreno", {"impairments": ONE_PERCENT}),
        ("newreno", {"queue": 25}),
        ("newreno", {"queue": 25, "delayed_ack": "200 ms"}),
        ("vanilla", {"queue": 25}),
        ("sack_rfc6675", {"impairments": ONE_PERCENT}),
    ],
)
def test_the_lost_transmissions_are_those_that_were_lost(captured, flavor, settings):
    """One by one, against the comments of the capture; but for the last round trips."""
    file, its = captured(flavor, **settings, seconds=10)
    truth = {
        (each.time, each.seq)
        for each in read_by_hand(its.pcapng)
        if each.direction == OUT and each.size and (each.says("lost by") or each.says("dropped by"))
    }
    (connection,) = connections(packets(file))
    # Numbers are counted from the first byte of data here.
    seen = {(each.time, each.seq + 1) for each in follow(connection).losses}
    end = 9 * 10**9
    assert {each for each in truth if each[0] < end} == {each for each in seen if each[0] < end}
    assert len(seen) > 10


def test_the_model_is_near_what_was_measured(captured):
    found = estimate_trace(captured("newreno", impairments=ONE_PERCENT, seconds=60)[0])
    path = {"q": found.q, "rto_s": found.rto_s, "smss_bytes": found.smss_bytes}
    predicted = float(newreno(found.p, found.rtt_s, **path).throughput_bit_s)
    assert predicted == pytest.approx(found.throughput_bit_s, rel=0.2)
    assert found.p_average_interval == pytest.approx(found.p, rel=1)
    assert found.q == pytest.approx(0.01, abs=0.01)


def test_a_second_interface_changes_nothing(captured):
    one = estimate_trace(captured("newreno", impairments=ONE_PERCENT)[0])
    # Of packets that two points see at the same time, those of the first interface come first.
    two = captured("newreno", at=("server 1", "r1 -> r2"), impairments=ONE_PERCENT)[0]
    assert estimate_trace(two) == one


def test_a_capture_at_the_receiver_is_told(captured):
    found = estimate_trace(captured("newreno", at=("client 1",), impairments=ONE_PERCENT)[0])
    assert found.gaps > 50


def test_without_loss_there_is_nothing_to_tell(captured):
    found = estimate_trace(captured("newreno", seconds=1)[0])
    assert (found.p, found.loss_rate, found.p_average_interval) == (0, 0, 0)
    assert all(isnan(each) for each in (found.q, found.q_eq30, found.rto_s))


# Other formats.


def ethernet(data, tags=0):
    return b"\2" * 12 + b"\x81\x00\x00\x05" * tags + b"\x08\x00" + data


def pcap(seen, order, magic, link_type, wrap=bytes):
    unit = 1000 if magic == 0xA1B2C3D4 else 1
    parts = [struct.pack(f"{order}IHHIIII", magic, 2, 4, 0, 0, 65535, link_type)]
    for each in seen:
        data = wrap(each.packet)
        length = each.length + len(data) - len(each.packet)
        seconds, rest = divmod(each.time, 10**9)
        parts += [struct.pack(f"{order}IIII", seconds, rest // unit, len(data), length), data]
    return b"".join(parts)


@pytest.mark.parametrize(
    ("order", "magic", "link_type", "wrap"),
    [
        ("<", 0xA1B23C4D, 101, bytes),
        (">", 0xA1B23C4D, 228, bytes),
        ("<", 0xA1B23C4D, 1, ethernet),
        (">", 0xA1B23C4D, 1, lambda data: ethernet(data, tags=2)),
        ("<", 0xA1B23C4D, 113, lambda data: b"\0" * 14 + b"\x08\x00" + data),
        ("<", 0xA1B23C4D, 276, lambda data: b"\x08\x00" + b"\0" * 18 + data),
        ("<", 0xA1B23C4D, 0, lambda data: b"\2\0\0\0" + data),
    ],
)
def test_pcap_tells_the_same(captured, tmp_path, order, magic, link_type, wrap):
    file, its = captured("newreno", impairments=ONE_PERCENT, seconds=10)
    other = tmp_path / "seen.pcap"
    other.write_bytes(pcap(read_by_hand(its.pcapng), order, magic, link_type, wrap))
    assert estimate_trace(other) == estimate_trace(file)


def test_microseconds_are_nearly_the_same(captured, tmp_path):
    file, its = captured("newreno", impairments=ONE_PERCENT, seconds=10)
    other = tmp_path / "seen.pcap"
    other.write_bytes(pcap(read_by_hand(its.pcapng), "<", 0xA1B2C3D4, 101))
    one, two = estimate_trace(file), estimate_trace(other)
    assert two.rtt_s == pytest.approx(one.rtt_s, abs=1e-6)
    assert two._replace(rtt_s=0, rto_s=0, duration_s=0, throughput_bit_s=0) == one._replace(
        rtt_s=0, rto_s=0, duration_s=0, throughput_bit_s=0
    )


def section(order):
    body = struct.pack(f"{order}IHHq", 0x1A2B3C4D, 1, 0, -1)
    return struct.pack(f"{order}II", 0x0A0D0D0A, 28) + body + struct.pack(f"{order}I", 28)


def block(order, kind, body):
    body += b"\0" * (-len(body) % 4)
    size = struct.pack(f"{order}I", len(body) + 12)
    return struct.pack(f"{order}I", kind) + size + body + size


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize(
    ("resolution", "ticks", "expected"),
    [
        (b"\x09", 5_000_000_001, 5_000_000_001),
        (b"\x06", 7, 7000),
        (b"\x8a", 1024, 10**9),
        (b"\x0c", 1_500_000, 1500),
    ],
)
def test_times_of_pcapng(order, resolution, ticks, expected):
    option = struct.pack(f"{order}HH", 9, 1) + resolution + b"\0\0\0"
    offset = struct.pack(f"{order}HHq", 14, 8, 3)
    interface = struct.pack(f"{order}HHI", 101, 0, 0) + option + offset + b"\0" * 4
    packet = struct.pack(f"{order}5I", 0, ticks >> 32, ticks & 0xFFFFFFFF, 3, 40) + b"abc"
    content = section(order) + block(order, 1, interface) + block(order, 5, b"statistics")
    (found,) = parsed(content + block(order, 6, packet))
    assert found.time_ns == expected + 3 * 10**9
    assert (found.data, found.length, found.link_type) == (b"abc", 40, 101)


@given(st.binary(max_size=200), st.sampled_from(["", "<", ">"]))
def test_no_bytes_break_the_reader(content, order):
    try:
        found = list(parsed((section(order) if order else b"") + content))
    except ValueError:
        return
    connections(found)


@given(st.data())
def test_no_damage_breaks_the_reader(content_of_a_capture, data):
    content = bytearray(content_of_a_capture)
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = list(parsed(bytes(content[: data.draw(st.integers(0, len(content)))])))
    except ValueError:
        return
    for each in connections(found):
        if any(each.data_bytes):
            estimate(each)


@pytest.fixture(scope="module")
def content_of_a_capture(tmp_path_factory):
    file = tmp_path_factory.mktemp("capture") / "flow.toml"
    file.write_text(
        SCENARIO.format(
            flavor="sack", impairments=FIVE_PERCENT, queue=10, delayed_ack="off", seconds=1
        )
    )
    (point,) = load(file, []).points()
    return capture(point, ["server 1"]).pcapng[:20_000]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is not a capture; expected a pcapng or pcap file"),
        (b"duration = 30", "is not a capture"),
        (section("<") + b"\6\0\0\0\x40\0\0\0", "is cut short at byte 28"),
        (
            section("<") + b"\6\0\0\0\x0d\0\0\0\0\0\0\0",
            "is damaged at byte 28: a block of 13 bytes",
        ),
        (section("<") + block("<", 6, b"\0" * 20), "a packet of interface 0, unknown"),
        (section("<"), "no TCP data over IPv4 is in it"),
    ],
)
def test_files_that_are_no_captures(tmp_path, content, told):
    file = tmp_path / "seen.pcapng"
    file.write_bytes(content)
    with pytest.raises(InputError, match=told) as caught:
        estimate_trace(file)
    assert str(caught.value).startswith(f"{file}: ")


def test_files_and_connections_that_are_not_there(captured, tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        estimate_trace(tmp_path / "none.pcapng")
    file, _ = captured("newreno", seconds=1)
    with pytest.raises(InputError, match=r"connection 1: .* has 0: 198.51.100.1:49152 to 192"):
        estimate_trace(file, 1)
