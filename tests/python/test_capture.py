"""``ackclock capture``: what it writes, counts and refuses."""

import shutil
from pathlib import Path

import pytest

from ackclock.capture.points import points_of
from ackclock.capture.run import Passed
from ackclock.cli import main
from ackclock.scenario import load
from capture_packets import ACK, IN, OUT, SYN, captured, packets, scenario_of

SCENARIOS = Path(__file__).parents[2] / "scenarios"
LOSS = '{ kind = "scripted", lost = [35, 36] }'
DUPLICATE = '{ kind = "duplicate", probability = 0.05 }'

LARGE = ["--set", "tcp.smss=65456 B", "tcp.receive_buffer=200 kB"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    scenarios = ("drops_in_a_window", "parking_lot", "atm_ubr", "web_over_abr", "erica_parking_lot")
    for name in scenarios:
        shutil.copy(SCENARIOS / f"{name}.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys, *words):
    assert main(["capture", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys, *words):
    assert main(["capture", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert all(line.startswith("ackclock: ") for line in err.splitlines())
    return err


def test_the_same_run_gives_the_same_bytes(tmp_path):
    scenario = scenario_of(tmp_path, impairments=f"{LOSS}, {DUPLICATE}")
    one, two = (captured(scenario, "server 1", "r1 -> r2") for _ in range(2))
    assert one == two
    assert captured(scenario, "server 1", "r1 -> r2", replication=1) != one


def test_a_point_sees_what_it_sees_alone(tmp_path):
    scenario = scenario_of(tmp_path, impairments=LOSS)
    both = packets(captured(scenario, "client 1", "r1 -> r2").pcapng)
    for name in ("client 1", "r1 -> r2"):
        alone = packets(captured(scenario, name).pcapng)
        here = [each for each in both if each.point == name]
        assert [(each.time, each.packet, each.comments) for each in alone] == [
            (each.time, each.packet, each.comments) for each in here
        ]


def test_a_packet_at_every_point_of_its_way(tmp_path):
    """The SYN: 48 bytes; 1 ms and 3.84 us, then 48 ms and 48 us, then 1 ms and 3.84 us."""
    scenario = scenario_of(tmp_path)
    way = ["server 1", "end of server 1 -> r1", "r1", "r1 -> r2", "end of r1 -> r2", "r2"]
    made = captured(scenario, *way, "client 1")
    syn = [each for each in packets(made.pcapng) if each.flags == SYN]
    assert [each.point for each in syn] == [*way, "client 1"]
    assert len({each.packet for each in syn}) == 1
    assert [each.length for each in syn] == [48] * 7
    first, second, third = 1_003_840, 49_051_840, 50_055_680
    assert [each.time for each in syn] == [0, first, first, first, second, second, third]
    assert [each.direction for each in syn] == [OUT, 0, 0, 0, 0, 0, IN]
    # A node that passes packets on sees both directions; a link one.
    seen = packets(made.pcapng)
    assert {each.source for each in seen if each.point == "r1"} == {"198.51.100.1", "192.0.2.1"}
    assert {each.source for each in seen if each.point == "r1 -> r2"} == {"198.51.100.1"}


def test_headers_or_so_many_bytes_are_kept(tmp_path):
    scenario = scenario_of(tmp_path, flavor="sack", impairments=LOSS)
    headers = packets(captured(scenario, "server 1").pcapng)
    some = packets(captured(scenario, "server 1", snaplen=96).pcapng)
    whole = packets(captured(scenario, "server 1", snaplen=65535).pcapng)
    assert {each.length for each in headers} >= {40, 52, 1040}
    for short, middle, each in zip(headers, some, whole, strict=True):
        assert len(each.packet) == each.length == middle.length == short.length
        assert middle.packet == each.packet[:96]
        assert short.packet == each.packet[: each.length - each.size]


def test_counts(tmp_path):
    scenario = scenario_of(tmp_path, impairments=LOSS)
    passed = captured(scenario, "r1 -> r2", "end of r1 -> r2").passed
    data, others = 202, 3  # 200 segments and two again; SYN, its ACK with data, FIN's last ACK
    entrance, end = passed
    assert entrance.packets - end.packets == 2
    assert entrance == Passed("r1 -> r2", entrance.packets, 2, 2, 0)
    assert end == Passed("end of r1 -> r2", entrance.packets - 2, 0, 2, 0)
    assert data <= entrance.packets <= data + others
    copies = captured(
        scenario_of(tmp_path, impairments=DUPLICATE), "r1 -> r2", "end of r1 -> r2"
    ).passed
    assert copies[0].copies == 0
    assert copies[1].packets - copies[0].packets == copies[1].copies > 0


def test_comments_tell_of_the_future_and_the_reason(tmp_path):
    scenario = scenario_of(tmp_path, impairments=LOSS)
    seen = packets(captured(scenario, "server 1").pcapng)
    lost = [each for each in seen if each.says("lost by")]
    again = [each for each in seen if each.says("retransmission")]
    assert [each.seq for each in lost] == [each.seq for each in again] == [34_001, 35_001]
    (comment,) = lost[0].comments
    assert comment == "lost by the list of losses (scripted): r1 -> r2 at 0.611619 s"
    assert [each.comments for each in again] == [
        ("retransmission: fast retransmit",),
        ("retransmission: partial ACK",),
    ]
    # Where the lost ones never came, only the others are seen.
    later = packets(captured(scenario, "end of r1 -> r2").pcapng)
    assert [each.comments for each in later if each.comments] == [each.comments for each in again]


def test_each_flow_has_its_ports_and_each_host_its_address(folder):
    scenario = load(folder / "parking_lot.toml", ["duration=10 s", "warm_up=0 s"])
    point = scenario.points()[0]
    compiled = point.compile()
    points = points_of(point, compiled)
    from ackclock.capture.run import capture

    hosts = [name for name in points.places if name in ("server 1", "server 2", "server 3")]
    seen = packets(capture(point, hosts).pcapng)
    assert len({each.source for each in seen if each.direction == OUT}) == len(hosts)
    ports = {(each.packet[20:22], each.packet[22:24]) for each in seen if each.direction == OUT}
    assert len(ports) == len(compiled.facts.flow_names)
    assert all(each.ack == 0 for each in seen if not each.flags & ACK)


def test_what_it_says(folder, capsys):
    words = ("drops_in_a_window.toml", "--point", "14", "--at", "server 1", "--at", "r1->r2")
    text = said(capsys, *words, "--out", "seen.pcapng")
    assert text == (
        "server 1: 407 packets, 3 lost later on the path, 3 retransmissions\n"
        "r1 -> r2: 205 packets, 3 lost later on the path, 3 retransmissions\n"
        "seen.pcapng is written\n"
    )
    content = Path("seen.pcapng").read_bytes()
    assert b"drops_in_a_window.toml, point 14 (tcp_flavor = newreno, lost_segments = 3)" in content
    said(capsys, *words, "--out", "seen.pcapng")
    assert Path("seen.pcapng").read_bytes() == content
    said(capsys, *words, "--out", "seen.pcapng", "--snaplen", "96")
    assert Path("seen.pcapng").read_bytes() != content


def test_cells(folder, capsys):
    words = ("atm_ubr.toml", "--set", "duration=4 s", "--at", "servers -> clients")
    text = said(capsys, *words, "--at", "server 3", "--out", "seen.pcapng")
    assert "servers -> clients: " in text
    seen = packets(Path("seen.pcapng").read_bytes())
    cut = [each for each in seen if each.says("frame cut by the port's full buffer")]
    assert {each.point for each in cut} == {"servers -> clients", "server 3"}


def test_hosts_of_an_atm_network(folder, capsys):
    sets = ("--set", "duration=1 s", "workload.start_spread=0 s", "--point", "5")
    text = said(capsys, "web_over_abr.toml", *sets, "--at", "server 2", "--out", "seen.pcapng")
    assert text.startswith("server 2: ")
    seen = packets(Path("seen.pcapng").read_bytes())
    assert any(each.says("frame") for each in seen)  # refused or cut, over UBR


def test_what_is_inside_an_atm_network_is_no_point(folder, capsys):
    names = ("SW2 -> SW1", "end of sw2->sw1", "SW1", "client 1 -> SW1")
    at = [word for name in names for word in ("--at", name)]
    text = refused(capsys, "web_over_abr.toml", *at, "--out", "seen.pcapng")
    told = text.splitlines()
    assert len(told) == len(names)
    for line, name in zip(told, names, strict=True):
        assert f'--at "{name}": is inside the ATM network, where packets are cells' in line
        assert 'the points are "client 1", ' in line
        assert "ends of links" not in line
    text = refused(capsys, "erica_parking_lot.toml", "--at", "a", "--out", "seen.pcapng")
    assert "sends only ATM cells" in text


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            ["--at", "server"],
            'did you mean "server 1"? the points are "client 1", "server 1", "r1"',
        ),
        ([], "--at: name a point; the points are"),
        (["--at", "server 1", "--point", "24"], "--point 24: there are 24, from 0 to 23"),
        (["--at", "server 1", "--replication", "-1"], "--replication -1: the first is 0"),
        (["--at", "server 1", "--snaplen", "0"], "--snaplen 0: a packet has 1 to 65535 bytes"),
        (["--at", "server 1", *LARGE], 'write "65455 B" or less'),
    ],
)
def test_what_it_refuses(folder, capsys, words, expected):
    text = refused(capsys, "drops_in_a_window.toml", *words, "--out", "seen.pcapng")
    assert expected in text
    assert not Path("seen.pcapng").exists()


def test_several_problems_at_once(folder, capsys):
    words = ("--at", "nobody", "--at", "nowhere")
    text = refused(capsys, "drops_in_a_window.toml", *words, "--out", "seen.pcapng")
    assert len(text.splitlines()) == 2
    assert "end of r1 -> r2" in text


def test_a_file_is_written_whole_or_not_at_all(folder, capsys):
    Path("seen.pcapng").mkdir()
    words = ("drops_in_a_window.toml", "--at", "server 1", "--out")
    assert "--out seen.pcapng: cannot be written" in refused(capsys, *words, "seen.pcapng")
    assert "--out no/seen.pcapng: cannot be written" in refused(capsys, *words, "no/seen.pcapng")
    assert not list(folder.glob(".*"))


def test_names_of_points_are_forgiving_and_distinct(folder):
    point = load(folder / "drops_in_a_window.toml", []).points()[0]
    points = points_of(point, point.compile())
    (found,) = points.chosen(["END of R1->r2", "end of r1 -> r2"])
    assert found == {"name": "end of r1 -> r2", "place": {"exit": 0}}
