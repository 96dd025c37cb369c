"""What the results and people are told of ATM networks: capacities, bottlenecks, paths, tables."""

import math

import pytest

from ackclock.cli.explain import explain
from ackclock.errors import InputError
from ackclock.scenario import load
from ackclock.scenario.compile.atm.network import cell_network
from ackclock.scenario.compile.groups import groups
from ackclock.scenario.summary import group_rows, link_rows
from ackclock.scenario.summary_of_cells import abr_rows, source_rows, switch_rows
from atm_texts import ATM_CLIENTS, ATM_NETWORK, K_N
from scenario_calls import first_compiled, told
from scenario_texts import ATM, DUMBBELL

CELL = 424
SMSS = ("tcp.smss=512 B",)


def test_what_the_trunk_can_carry():
    # 512 B in 12 cells, and one cell of 32 is a forward RM cell (004 section 6: 35.1 Mbit/s).
    abr = 45e6 * 512 / (12 * 53) * 31 / 32
    assert first_compiled(K_N, *SMSS).facts.payload_capacity_bit_s == pytest.approx(abr)
    assert abr == pytest.approx(35.1e6, rel=1e-3)
    ubr = first_compiled(K_N, *SMSS, "topology.service=ubr").facts.payload_capacity_bit_s
    assert ubr == pytest.approx(abr * 32 / 31)
    often = first_compiled(K_N, *SMSS, "topology.abr.nrm=4").facts.payload_capacity_bit_s
    assert often == pytest.approx(45e6 * 512 / (12 * 53) * 3 / 4)


def test_what_sources_of_a_higher_priority_leave():
    def left(sources, *sets):
        text = K_N + f"background = [{sources}]\n"
        whole = first_compiled(K_N, *SMSS, *sets).facts.payload_capacity_bit_s
        return first_compiled(text, *SMSS, *sets).facts.payload_capacity_bit_s / whole

    cbr = '{ kind = "cbr", rate = "9 Mbit/s" }'
    assert left(cbr) == pytest.approx(36 / 45)
    assert left('{ kind = "cbr", rate = "9 Mbit/s", direction = "reverse" }') == 1
    assert left('{ kind = "cbr", rate = "9 Mbit/s", count = 2 }') == pytest.approx(27 / 45)
    assert left('{ kind = "cbr", rate = "9 Mbit/s", service = "abr" }') == 1
    # It is there for 4 of the 8 s that are measured.
    half = '{ kind = "cbr", rate = "9 Mbit/s", start = "1 s", stop = "6 s" }'
    assert left(half, "warm_up=2 s") == pytest.approx(1 - 0.2 / 2)
    on_off = '{ kind = "on_off", rate = "30 Mbit/s", on = "10 ms", off = "20 ms" }'
    assert left(on_off) == pytest.approx(35 / 45)
    # A frame of 7000 B has 146 cells and half a cell, with its trailer: 62.1 kbit each 40 ms.
    video = '{ kind = "video", gop = "P", p_frame = "7 kB", frame_time = "40 ms" }'
    rate = (7008 / 48 + 0.5) * CELL / 0.04
    assert left(video) == pytest.approx(1 - rate / 45e6)
    assert math.isnan(left('{ kind = "cbr", rate = "50 Mbit/s" }'))
    greedy = '{ kind = "greedy" }'
    assert left(greedy) == 1
    assert math.isnan(left(greedy, "topology.service=ubr"))


def test_the_bottleneck_of_a_network_is_the_narrowest_line_that_all_cross():
    text = ATM_NETWORK[: ATM_NETWORK.index('[[flows]]\nname = "up"')]
    facts = first_compiled(text, *SMSS).facts
    assert facts.link_names[facts.bottleneck_link] == "S1 -> S2"
    assert facts.link_names[facts.reverse_link] == "S2 -> S1"
    # long is of ABR, which comes before UBR, and takes what it can get.
    assert math.isnan(facts.payload_capacity_bit_s)
    abr = first_compiled(text, *SMSS, "topology.service=abr").facts.payload_capacity_bit_s
    left = 45e6 - 2.5e6  # vbr sends half of the time
    assert abr == pytest.approx(left * 512 / (12 * 53) * 31 / 32)


def test_a_network_may_have_sources_alone():
    text = ATM_NETWORK[: ATM_NETWORK.index("[[flows]]")].replace("25 Mbit/s", "155.52 Mbit/s")
    made = first_compiled(text)
    assert made.plan["flows"] == made.plan["tcps"] == made.plan["workloads"] == []
    assert made.facts.link_names[made.facts.bottleneck_link] == "S1 -> S2"
    assert math.isnan(made.facts.payload_capacity_bit_s)
    assert made.facts.vc_names == ("long", "long (back)", "vbr", "vbr (back)")
    one = first_compiled(text.replace('name = "long"', 'name = "long"\ncount = 0'))
    assert one.facts.vc_names == ("vbr", "vbr (back)")
    only = text[: text.index("[[topology.sources]]")]
    with pytest.raises(InputError, match="no flow and no source"):
        load(only)


def test_vcs_take_the_cheapest_path_and_back_over_the_same_switches():
    text = """
duration = "1 s"
[topology]
kind = "atm_network"
hosts = ["a", "b"]
switches = ["S1", "S2", "S3"]
links = [
    { between = ["a", "S1"], rate = "45 Mbit/s", delay = "1 ms" },
    { between = ["S3", "b"], rate = "45 Mbit/s", delay = "1 ms" },
    { between = ["S1", "S2"], rate = "45 Mbit/s", delay = "1 ms" },
    { between = ["S2", "S3"], rate = "45 Mbit/s", delay = "1 ms" },
    { between = ["S1", "S3"], rate = "45 Mbit/s", delay = "1 ms", cost = 3 },
]
[[flows]]
from = "a"
to = "b"
"""

    def way(*sets):
        scenario = load(text, sets)
        cells = cell_network(scenario.topology, groups(scenario))
        names = cells.network.line_names()
        return [[names[line] for line in vc.way] for vc in cells.vcs]

    assert way() == [
        ["b -> S3", "S3 -> S2", "S2 -> S1", "S1 -> a"],
        ["a -> S1", "S1 -> S2", "S2 -> S3", "S3 -> b"],
    ]
    direct = [["b -> S3", "S3 -> S1", "S1 -> a"], ["a -> S1", "S1 -> S3", "S3 -> b"]]
    assert way("topology.links[4].cost=1") == direct
    # Both ways cost 2: the link that is named first is taken, S1 -> S2 there and S3 -> S2 back.
    assert way("topology.links[4].cost=2") == way()


def test_the_lines_and_their_ports():
    rows = {row[0]: row for row in told(link_rows, ATM_CLIENTS, "topology.switch.ubr_buffer=1 rtt")}
    assert rows["SW2 -> SW1 and 1 more"] == (
        "SW2 -> SW1 and 1 more",
        "45 Mbit/s",
        "5 ms",
        "vbr unlimited; abr 20000 cells = 6.28 rtt; erica_plus",
        "",
        "10 VCs",
    )
    assert rows["client 1 -> SW1 and 13 more"][3] == "of the VCs"
    ubr = ("topology.switch.ubr_buffer=1 rtt", 'sweep.factors.topology.service=["ubr"]')
    rows = {row[0]: row for row in told(link_rows, ATM_CLIENTS, *ubr)}
    queue = "vbr unlimited; ubr 3184 cells = 1 rtt, epd, r_cells 2547"
    assert rows["SW2 -> SW1 and 1 more"][3] == queue


def test_the_flows_and_the_sources():
    (row,) = told(group_rows, ATM_CLIENTS)
    assert row[:4] == ("flow 1 to 6", "server 1 -> client 1", "SW2 SW1", "30 ms")
    assert told(source_rows, ATM_CLIENTS) == [
        (
            "voice 1 to 2",
            "voice 1 sender -> voice 1 receiver",
            "SW2 SW1",
            "vbr",
            "cbr: rate 2 Mbit/s",
        ),
        (
            "film",
            "film sender -> film receiver",
            "SW1 SW2",
            "vbr",
            "video: frame_time 33.367 ms, gop IBB, i_frame 40 kB, p_frame 20 kB, b_frame 8 kB, "
            "cv 0.3, correlation 0.8, "
            "4.95 Mbit/s on average, until 5 s",
        ),
        (
            "bursts",
            "bursts sender -> bursts receiver",
            "SW2 SW1",
            "vbr",
            "on_off: rate 10 Mbit/s, on 20 ms, off 60 ms, times exponential, "
            "2.5 Mbit/s on average, from 1 s on",
        ),
    ]
    assert told(group_rows, ATM_NETWORK)[0][1:4] == ("a -> d", "S1 S2 S3", "26 ms")
    assert told(source_rows, ATM_NETWORK)[0] == ("long", "a -> b", "S1 S2 S3", "abr", "greedy")


def test_the_end_systems_and_the_rate_control():
    abr = dict(told(abr_rows, ATM_CLIENTS))
    assert abr["pcr"] == "155.52 Mbit/s (line)"
    assert abr["frtt"] == "30 ms (path)"
    assert abr["crm"] == "off"
    assert abr["rdf"] == "1/8"
    assert dict(told(abr_rows, K_N))["crm"] == "524288 (tbe)"
    assert dict(told(abr_rows, ATM_NETWORK))["pcr"] == "25 Mbit/s to 155.52 Mbit/s (line)"
    switch = dict(told(switch_rows, ATM_CLIENTS))
    assert switch["target_delay"] == "1 ms"
    assert {"a", "b", "qdlf"} <= set(switch)
    assert not {"slope_over", "step", "efci_threshold", "load_weight"} & set(switch)
    assert told(switch_rows, ATM_NETWORK) == [
        ("rate_control", "efci"),
        ("efci_threshold", "1000 cells"),
    ]


@pytest.mark.parametrize("text", [ATM, DUMBBELL, K_N + 'service = "ubr"\n'])
def test_other_networks_have_no_abr(text):
    assert told(abr_rows, text) == told(switch_rows, text) == told(source_rows, text) == []


def test_explain_has_a_table_of_each(tmp_path, capsys):
    path = tmp_path / "lab.toml"
    path.write_text(ATM_CLIENTS)
    explain(path)
    shown = capsys.readouterr().out
    for title in ("Links", "Flows", "Sources of cells", "ABR end systems", "Rate control"):
        assert title in shown
    explain(path, point=2)
    assert "ABR end systems" not in capsys.readouterr().out
