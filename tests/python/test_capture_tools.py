"""What tshark and tcptrace find in captures, against what the simulator knows.

docs/howto/look-at-packets.md says in words where the words of the tools mean something else.
"""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from ackclock import _core
from ackclock.campaign.identity import replication_seed
from ackclock.cli import main
from ackclock.scenario.plan import canonical_json
from capture_packets import (
    ACK,
    FIN,
    IN,
    OUT,
    RST,
    SYN,
    captured,
    output,
    packets,
    scenario_of,
    tool,
)

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "howto" / "look-at-packets.md"
FLAVORS = [row[0] for row in _core.flavors()]
SENDER, RECEIVER = "server 1", "client 1"
JITTER = '{ kind = "jitter", spread = "4 ms" }'
DUPLICATE = '{ kind = "duplicate", probability = 0.05 }'
BERNOULLI = '{ kind = "bernoulli", loss = 0.02 }'
AGAIN = ("retransmission", "fast_retransmission", "spurious_retransmission")
ANALYSIS = (*AGAIN, "out_of_order", "lost_segment", "duplicate_ack")


def drops(number):
    return f'{{ kind = "scripted", lost = {list(range(35, 35 + number))} }}'


@pytest.fixture
def look(tmp_path):
    """A capture, its packets and what tshark finds in them: numbers of frames by finding."""

    def look(at, snaplen=None, replication=0, **settings):
        made = captured(
            scenario_of(tmp_path, **settings), at, snaplen=snaplen, replication=replication
        )
        file = tmp_path / "seen.pcapng"
        made.write(file)
        return made, packets(made.pcapng), Findings(file)

    return look


class Findings:
    """What tshark finds in a file: numbers of frames."""

    def __init__(self, file):
        self.file = file
        self.tshark = tool("tshark")
        names = [f"tcp.analysis.{name}" for name in ANALYSIS]
        rows = self.fields("frame.number", *names)
        self.found = {name: set() for name in ANALYSIS}
        for number, *values in rows:
            for name, value in zip(ANALYSIS, values, strict=True):
                if value:
                    self.found[name].add(int(number))

    def fields(self, *names, display_filter="frame"):
        """Fields of the frames that a display filter lets through."""
        options = ("-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE")
        wanted = [word for name in names for word in ("-e", name)]
        words = (*options, "-T", "fields", *wanted, "-Y", display_filter)
        return [
            line.split("\t")
            for line in output(self.tshark, "-r", self.file, *words).split("\n")[:-1]
        ]

    def frames(self, display_filter):
        """The frames that a display filter lets through."""
        return {
            int(number) for (number,) in self.fields("frame.number", display_filter=display_filter)
        }

    def analysis(self, *names):
        """The frames of which tshark says one of these."""
        return set().union(*(self.found[name] for name in names))


def counters(tmp_path, **settings):
    """The row of the flow of the same run without a capture."""
    (point,) = scenario_of(tmp_path, **settings).points()
    plan = canonical_json(point.compile().without_probes())
    flows = _core.run(plan, replication_seed(point.scenario.seed, 0))["flows"]
    return {name: values[0] for name, values in flows.items()}


def numbers(seen):
    return {each.frame for each in seen}


def sent(seen):
    """What the captured host sends."""
    return [each for each in seen if each.direction == OUT]


def received(seen):
    return [each for each in seen if each.direction == IN]


def duplicate_acks(seen):
    """RFC 5681, section 2, without its first condition: whether data is outstanding."""
    found, last = set(), None
    for each in received(seen):
        pure = each.size == 0 and not each.flags & (SYN | FIN | RST) and each.flags & ACK
        if pure and (each.seq, each.ack, each.window) == last:
            found.add(each.frame)
        last = (each.seq, each.ack, each.window)
    return found


def since_new_data(seen, limit):
    """What is sent less than so many ns after data that had never been sent before."""
    highest, newest, found = 0, 0, set()
    for each in sent(seen):
        if each.time - newest < limit:
            found.add(each.frame)
        if each.end > highest:
            highest, newest = each.end, each.time
    return found


def retransmitted_bytes(seen):
    """Bytes of data that had been sent before."""
    highest, total = 1, 0
    for each in sent(seen):
        total += max(0, min(each.seq + each.size, highest) - each.seq)
        highest = max(highest, each.seq + each.size)
    return total


def test_every_packet_is_well_formed(look):
    """Whole packets, of all kinds: SACK, loss, reordering, copies; checksums over the data too."""
    impairments = ", ".join((drops(3), JITTER, DUPLICATE))
    _, seen, tshark = look(
        SENDER, snaplen=65535, flavor="sack", impairments=impairments, receive_buffer="200 kB"
    )
    assert tshark.frames("tcp") == numbers(seen)
    assert all(len(each.packet) == each.length for each in seen)
    assert tshark.frames("tcp.checksum.status == good and ip.checksum.status == good") == numbers(
        seen
    )
    assert not tshark.frames("_ws.malformed or _ws.expert.severity == error")
    assert tshark.frames("tcp.options.sack.count > 0")
    assert len(tshark.frames("tcp.options.wscale.shift == 2")) == 2


@pytest.mark.parametrize("lost", [1, 2, 3, 4])
@pytest.mark.parametrize("flavor", FLAVORS)
def test_retransmissions_at_the_sender(look, tmp_path, flavor, lost):
    """One that is no fast retransmission is "out of order" within 3 ms of the newest data."""
    settings = {"flavor": flavor, "impairments": drops(lost)}
    _, seen, tshark = look(SENDER, **settings)
    again = {each.frame for each in seen if each.says("retransmission")}
    counted = counters(tmp_path, **settings)
    assert len(again) == counted["segments_retransmitted"] >= lost
    fast = {each.frame for each in seen if each.says("fast retransmit")}
    assert len(fast) == counted["fast_retransmits"]
    assert tshark.analysis("fast_retransmission") == fast
    soon = (again & since_new_data(seen, 3_000_000)) - fast
    assert tshark.analysis("out_of_order") == soon
    assert tshark.analysis(*AGAIN) == again - soon
    assert not tshark.analysis("lost_segment", "spurious_retransmission")
    assert tshark.analysis("duplicate_ack") == duplicate_acks(seen)
    assert len([each for each in seen if each.says("lost by")]) == lost
    assert retransmitted_bytes(seen) == sum(each.size for each in seen if each.frame in again)
    text = output(tool("tcptrace"), "-l", "-n", tshark.file)
    (line,) = [line for line in text.splitlines() if "rexmt data bytes:" in line]
    assert int(line.split()[3]) == retransmitted_bytes(seen)


@pytest.mark.parametrize(
    "impairments",
    [drops(1), drops(4), JITTER, DUPLICATE, f"{drops(3)}, {JITTER}, {DUPLICATE}", BERNOULLI],
)
@pytest.mark.parametrize("flavor", ["vanilla", "newreno", "sack_rfc6675"])
def test_gaps_and_late_segments_at_the_receiver(look, flavor, impairments):
    """A segment above all that came so far opens a gap; one that lies below fills it or is old."""
    _, seen, tshark = look(RECEIVER, flavor=flavor, impairments=impairments)
    highest, acked, gaps, below, needless = 0, 0, set(), set(), set()
    for each in seen:
        if each.direction == OUT:
            acked = each.ack
            continue
        if each.seq > highest > 0:
            gaps.add(each.frame)
        if each.end > each.seq and each.seq < highest:
            below.add(each.frame)
            if each.size and each.seq + each.size <= acked:
                needless.add(each.frame)
        highest = max(highest, each.end)
    assert tshark.analysis("lost_segment") == gaps
    assert tshark.analysis(*AGAIN, "out_of_order") == below
    assert tshark.analysis("spurious_retransmission") == needless


@pytest.mark.parametrize("flavor", ["newreno", "cubic"])
def test_reordered_segments(look, flavor):
    """After two duplicate ACKs a segment that was overtaken passes for a fast retransmission."""
    _, seen, tshark = look(RECEIVER, impairments=JITTER, flavor=flavor)
    highest, overtaken = 0, set()
    for each in received(seen):
        if each.seq < highest and not each.says("retransmission"):
            overtaken.add(each.frame)
        highest = max(highest, each.end)
    taken_for_order = tshark.analysis("out_of_order")
    assert taken_for_order & overtaken
    assert overtaken <= taken_for_order | tshark.analysis("fast_retransmission")


def test_copies_of_a_line_look_like_retransmissions(look):
    """tshark cannot tell them apart by itself; the comment and the identification can."""
    _, seen, tshark = look(RECEIVER, impairments=DUPLICATE, flavor="sack")
    copies = [each for each in seen if each.says("copy made by")]
    with_data = {each.frame for each in copies if each.size}
    assert with_data
    assert tshark.analysis("spurious_retransmission") == with_data
    numbers_seen = [each.identification for each in received(seen)]
    assert len(numbers_seen) - len(set(numbers_seen)) == len(copies)


def test_comments_and_names_are_read(look):
    _, seen, tshark = look("r1 -> r2", impairments=drops(2))
    lines = tshark.fields("frame.interface_name", "frame.comment", display_filter="frame.comment")
    assert [name for name, _ in lines] == ["r1 -> r2"] * len(lines)
    expected = [",".join(each.comments) for each in seen if each.comments]
    assert [comment for _, comment in lines] == expected


def test_the_page_shows_what_the_tools_print(tmp_path, monkeypatch, capsys):
    """The example of docs/howto/look-at-packets.md, from its first line to its last."""
    (block,) = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    shutil.copy(ROOT / "scenarios" / "drops_in_a_window.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    typed = 0
    for entry in block.split("$ ")[1:]:
        command, shown = entry.split("\n", 1)
        program, *words = shlex.split(command)
        if program == "ackclock":
            assert main(words) == 0
            printed = capsys.readouterr().out
        else:
            tool(program)
            printed = output("sh", "-c", command)
        assert [line.split() for line in printed.splitlines()] == [
            line.split() for line in shown.splitlines()
        ]
        typed += 1
    assert typed == 4
