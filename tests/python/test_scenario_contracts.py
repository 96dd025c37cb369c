"""GFR contracts, a guaranteed share and queues for each VC: plans, facts, and what people see."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ackclock.cli.explain import explain
from ackclock.scenario import load
from ackclock.scenario.model.links import CONTRACT_POLICIES
from ackclock.scenario.summary import link_rows, tcp_columns
from ackclock.scenario.summary_of_cells import contract_rows
from atm_texts import ATM_CLIENTS, ATM_GFR
from scenario_calls import compiled_or_refused, first_compiled, network, refused, told
from scenario_texts import ATM, DUMBBELL

PLAIN = """
duration = "10 s"
[topology]
kind = "atm_clients"
servers = 2
trunk = { rate = "149.76 Mbit/s", delay = "5 ms" }
access = { rate = "155.52 Mbit/s", delay = "5 us" }
service = "gfr"
[tcp]
smss = "1024 B"
"""
NETWORK = """
duration = "1 s"
[topology]
kind = "atm_network"
hosts = ["a", "b", "c"]
switches = ["S1", "S2"]
service = "gfr"
links = [
    { between = ["a", "S1"], rate = "155.52 Mbit/s", delay = "1 us" },
    { between = ["b", "S1"], rate = "25.6 Mbit/s", delay = "1 us" },
    { between = ["S1", "S2"], rate = "45 Mbit/s", delay = "1 ms" },
    { between = ["S2", "c"], rate = "155.52 Mbit/s", delay = "1 us" },
]
[[flows]]
name = "fast"
from = "a"
to = "c"
mcr = "18 Mbit/s"
[[flows]]
name = "slow"
count = 2
from = "b"
to = "c"
"""


def service(*sets):
    (only,) = network(PLAIN, *sets)["services"]
    return only


def port(*sets):
    return network(PLAIN, *sets)["ports"][0]


def test_a_contract_by_default():
    # 1024 + 40 + 16 bytes are 22.5 cells. A cell of the access takes 2726337.4 ps, sent in 2726337.
    assert service() == {
        "name": "gfr",
        "pcr_bps": 155_520_026,
        "mcr_bps": 0,
        "mbs_cells": 46,
        "mfs_cells": 23,
        "cdvt_ps": 0,
        "tagging": True,
    }
    assert service("topology.access.rate=149.76 Mbit/s")["pcr_bps"] == 149_760_000


def test_every_parameter_of_a_contract_arrives():
    sets = {
        "pcr": "100 Mbit/s",
        "mcr": "20 Mbit/s",
        "mbs": "500 cells",
        "mfs": "30 cells",
        "cdvt": "5 us",
        "tagging": "false",
    }
    assert service(*(f"topology.gfr.{key}={value}" for key, value in sets.items())) == {
        "name": "gfr",
        "pcr_bps": 10**8,
        "mcr_bps": 2 * 10**7,
        "mbs_cells": 500,
        "mfs_cells": 30,
        "cdvt_ps": 5_000_000,
        "tagging": False,
    }
    assert service("topology.gfr.mfs=30 cells")["mbs_cells"] == 60
    assert service("topology.gfr.mfs=frame", "topology.gfr.mbs=two_frames") == service()


def test_the_peak_rate_is_what_the_faster_of_both_lines_really_sends():
    peak = service()["pcr_bps"]
    line = network(PLAIN)["lines"][2]
    # Cells of 424 bits that leave back to back are never early by GCRA(1/PCR, 0).
    assert Fraction(424 * 10**12, peak) <= line["cell_time_ps"]
    assert Fraction(424 * 10**12, peak - 1) > line["cell_time_ps"]
    services = network(NETWORK)["services"]
    assert [each["pcr_bps"] for each in services] == [155_520_026] * 2


def test_groups_have_mcrs_of_their_own():
    made = first_compiled(ATM_GFR)
    (link,) = made.plan["links"]
    names = [link["services"][at]["name"] for at in link["flow_services"]]
    assert names == ["gfr"] * 4 + ["ubr"]
    rates = [link["services"][at].get("mcr_bps") for at in link["flow_services"]]
    assert rates == [20_000_000, 20_000_000, 10_000_000, 1_000_000, None]
    # Of both VCs of a flow, then of the source, which has no contract.
    each = (2e7, 2e7, 1e7, 1e6, None)
    assert made.facts.vc_mcr_bit_s == (*each, *each, None, None)
    assert first_compiled(ATM_CLIENTS).facts.vc_mcr_bit_s == ()
    assert first_compiled(DUMBBELL).facts.vc_mcr_bit_s == ()


def test_the_largest_frame_is_that_of_the_flow():
    text = PLAIN + '[[flows]]\nname = "a"\n[[flows]]\nname = "b"\ntcp = { smss = "9180 B" }\n'
    services = network(text.replace("servers = 2\n", ""))["services"]
    assert [(each["mfs_cells"], each["mbs_cells"]) for each in services] == [(23, 46), (193, 386)]


def test_a_port_by_default_is_that_of_before():
    plain = port("topology.service=ubr")
    assert plain["ubr_share_ppb"] == 0
    assert plain["ubr_queueing"] == {"name": "fifo"}
    # What does nothing there changes nothing.
    assert port("topology.service=ubr", "topology.switch.excess=proportional") == plain
    assert port("topology.service=ubr", "topology.switch.l=0.1") == plain


@pytest.mark.parametrize(
    ("sets", "policy"),
    [
        (["policy=dfba"], {"name": "dfba", "l_cells": 6000, "h_cells": 10800, "alpha_ppm": 500000}),
        (["policy=double_epd"], {"name": "double_epd", "l_cells": 6000, "h_cells": 10800}),
        (
            ["policy=dfba", "ubr_buffer=101 cells", "l=0.5", "h=1", "alpha=0"],
            {"name": "dfba", "l_cells": 50, "h_cells": 101, "alpha_ppm": 0},
        ),
        (["policy=dfba", "ubr_buffer=unlimited"], {"name": "tail"}),
        (["policy=dfba", "l=0.9", "h=0.5", "ubr_buffer=unlimited"], {"name": "tail"}),
    ],
)
def test_policies_of_contracts(sets, policy):
    assert port(*(f"topology.switch.{each}" for each in sets))["policy"] == policy


def test_the_share_and_the_queues_arrive():
    share = port("topology.switch.ubr_share=12.5 %")
    assert share == {**port(), "ubr_share_ppb": 125_000_000}
    for excess in ("equal", "proportional"):
        queueing = ("topology.switch.ubr_queueing=per_vc", f"topology.switch.excess={excess}")
        expected = {**port(), "ubr_queueing": {"name": "per_vc", "excess": excess}}
        assert port(*queueing) == expected


def test_a_guarantee_is_left_whatever_has_priority():
    def capacity(*sets, text=PLAIN):
        return first_compiled(text, "topology.service=ubr", *sets).facts.payload_capacity_bit_s

    whole = capacity()
    assert first_compiled(PLAIN).facts.payload_capacity_bit_s == whole
    vbr = PLAIN.replace(
        "[tcp]", '[[topology.background]]\nkind = "cbr"\nrate = "134.784 Mbit/s"\n[tcp]'
    )
    assert capacity(text=vbr) == pytest.approx(0.1 * whole)
    less, more = ("topology.switch.ubr_share=0.05",), ("topology.switch.ubr_share=0.5",)
    assert capacity(*less, text=vbr) == pytest.approx(0.1 * whole)
    assert capacity(*more, text=vbr) == pytest.approx(0.5 * whole)
    assert capacity(*more) == whole
    # ABR has no guarantee of UBR's.
    abr = first_compiled(vbr, "topology.service=abr").facts.payload_capacity_bit_s
    assert first_compiled(vbr, "topology.service=abr", *more).facts.payload_capacity_bit_s == abr


def test_a_frame_must_fit_into_the_buffer():
    (told_,) = refused(PLAIN, "topology.switch.ubr_buffer=20 cells")
    assert "ubr_buffer=20 cells: cannot hold one frame, which takes 23 cells" in told_


def test_the_sum_of_mcrs_is_told_of_one_line_only():
    sets = ("flows[1].mcr=13 Mbit/s",)
    (told_,) = refused(NETWORK, *sets)
    # The line of b carries 26 Mbit/s of 25.6, both that with the data and that with the ACKs.
    assert told_ == (
        '--set flows[1].mcr=13 Mbit/s: the MCRs of "slow 1" to "slow 2" add up to "26 Mbit/s", '
        'and the line b -> S1 has "25.6 Mbit/s"; write less, or fewer flows'
    )
    messages_ = refused(NETWORK, "flows[0].mcr=30 Mbit/s", "flows[1].mcr=8 Mbit/s")
    assert len(messages_) == 1
    assert (
        '"fast", "slow 1" to "slow 2" add up to "46 Mbit/s", and the line S1 -> S2'
        in (messages_[0])
    )
    assert network(NETWORK, "flows[1].mcr=12.5 Mbit/s")


def test_thresholds_are_those_of_the_ports_that_are_used():
    two = ("topology.switch.policy=double_epd", "topology.switch.l=0.5", "topology.switch.h=0.5")
    assert len(refused(PLAIN, *two)) == 1
    (port_,) = network(PLAIN, *two, "topology.service=abr")["ports"]
    assert port_["policy"] == {"name": "tail"}
    # Of a line without VCs a buffer in round-trip times is one cell, too small for two thresholds.
    sets = ("topology.switch.policy=dfba", "topology.switch.ubr_buffer=1 rtt")
    spare = NETWORK.replace('["S1", "S2"]\n', '["S1", "S2", "S3"]\n').replace(
        "links = [", 'links = [\n{ between = ["S2", "S3"], rate = "45 Mbit/s", delay = "1 ms" },'
    )
    policies = {port["ubr_buffer_cells"]: port["policy"] for port in network(spare, *sets)["ports"]}
    assert policies[1] == {"name": "tail"}
    assert {each["name"] for cells, each in policies.items() if cells > 1} == {"dfba"}


@pytest.mark.parametrize("policy", CONTRACT_POLICIES)
def test_the_trunk_of_a_dumbbell_knows_no_contracts(policy):
    (told_,) = refused(ATM, f"topology.port.policy={policy}")
    assert "checks contracts" in told_


def test_the_link_says_how_it_serves_ubr():
    rows = {row[0]: row[3] for row in told(link_rows, ATM_GFR)}
    assert rows["SW2 -> SW1 and 1 more"] == (
        "vbr unlimited; ubr and gfr 2000 cells = 2.8 rtt, dfba, l_cells 800, h_cells 1800, "
        "alpha_ppm 250000, 10 % of the line guaranteed"
    )
    sets = ('sweep.factors.topology.switch.ubr_queueing=["per_vc"]', "topology.switch.ubr_share=0")
    rows = {row[0]: row[3] for row in told(link_rows, ATM_GFR, *sets)}
    assert rows["SW2 -> SW1 and 1 more"].endswith(
        "alpha_ppm 250000, a queue for each VC, proportional excess"
    )
    rows = {row[0]: row[3] for row in told(link_rows, PLAIN)}
    assert rows["SW2 -> SW1 and 1 more"] == "gfr 12000 cells = 3.39 rtt, epd, r_cells 9600"


def test_contracts_are_told_by_group():
    rest = ("155.52 Mbit/s (line)", "46 cells", "23 cells", "10 us", "tagged")
    assert told(contract_rows, ATM_GFR) == [
        ("gold 1 to 2", "20 Mbit/s", *rest),
        ("silver", "10 Mbit/s", *rest),
        ("bronze", "1 Mbit/s", *rest),
    ]
    (row,) = told(contract_rows, PLAIN, "topology.gfr.tagging=false")
    assert (row[0], row[-1]) == ("flow 1 to 2", "not tagged")
    for other in (ATM, ATM_CLIENTS, DUMBBELL):
        assert told(contract_rows, other) == []


def test_explain_has_a_table_of_contracts(tmp_path, capsys):
    path = tmp_path / "lab.toml"
    path.write_text(ATM_GFR)
    explain(path)
    assert "GFR contracts of each VC" in capsys.readouterr().out
    path.write_text(ATM_CLIENTS)
    explain(path)
    assert "GFR contracts" not in capsys.readouterr().out


def test_keys_of_the_window_and_of_the_wait():
    (tcp,) = first_compiled(DUMBBELL).plan["tcps"]
    usual = {"cwnd_rounding": "up", "cwnd_ack_batch": 1, "retransmit_wait_ppm": 0}
    assert usual.items() <= tcp["historic"].items()
    sets = ("tcp.historic.cwnd_rounding=none", "tcp.historic.cwnd_ack_batch=8", "tcp.flavor=sack")
    (tcp,) = first_compiled(DUMBBELL, *sets, "tcp.historic.retransmit_wait=0.333333").plan["tcps"]
    changed = {"cwnd_rounding": "none", "cwnd_ack_batch": 8, "retransmit_wait_ppm": 333_333}
    assert changed.items() <= tcp["historic"].items()
    shown = tcp_columns(load(DUMBBELL, [*sets, "tcp.historic.retransmit_wait=4"]))["flow"]
    assert shown["historic.cwnd_rounding"] == "none"
    assert shown["historic.cwnd_ack_batch"] == "8"
    assert shown["historic.retransmit_wait"] == "4"


@pytest.mark.parametrize("growth", ["tcp.growth=bytes", "tcp.flavor=cubic"])
def test_what_has_no_effect_is_refused_wherever_it_is_written(growth):
    rounding, batch = "tcp.historic.cwnd_rounding", "tcp.historic.cwnd_ack_batch"
    assert refused(DUMBBELL, growth, f"{rounding}=none", f"{batch}=2") == [
        *refused(DUMBBELL, growth, f"{rounding}=none"),
        *refused(DUMBBELL, growth, f"{batch}=2"),
    ]
    assert first_compiled(DUMBBELL, growth, f"{rounding}=up", f"{batch}=1")
    assert len(refused(DUMBBELL, "tcp.flavor=cubic", "tcp.growth=acks", f"{batch}=2"))


CONTRACTS = st.fixed_dictionaries(
    {},
    optional={
        "mcr": st.sampled_from(["0 bit/s", "1 bit/s", "2.5 Mbit/s"]),
        "pcr": st.sampled_from(["line", "40 Mbit/s"]),
        "mfs": st.sampled_from(["frame", "200 cells", "1366 cells"]),
        "mbs": st.sampled_from(["two_frames", "400 cells", "4294967295 cells"]),
        "cdvt": st.sampled_from(["0 s", "1 ps", "1 s"]),
        "tagging": st.booleans(),
    },
)
SHARES = st.integers(0, 100).map(lambda number: f"{number} %")


@given(
    groups=st.lists(st.sampled_from([None, "0 bit/s", "424 bit/s", "12 Mbit/s"]), max_size=5),
    contract=CONTRACTS,
    policy=st.sampled_from(["epd", *CONTRACT_POLICIES]),
    low=SHARES,
    high=SHARES,
    share=SHARES,
    excess=st.sampled_from(["equal", "proportional"]),
)
@settings(max_examples=100, deadline=None)
def test_any_contracts_compile_or_are_refused(groups, contract, policy, low, high, share, excess):
    switch = {"policy": policy, "l": low, "h": high, "ubr_share": share}
    switch |= {"ubr_queueing": "per_vc", "excess": excess}
    topology = {
        "kind": "atm_clients",
        "trunk": {"rate": "45 Mbit/s", "delay": "1 ms"},
        "service": "gfr",
        "gfr": contract,
        "switch": switch,
    }
    flows = [
        {"name": f"g{at}", "count": 2, **({} if rate is None else {"mcr": rate})}
        for at, rate in enumerate(groups)
    ]
    document = {"duration": "10 s", "topology": topology} | ({"flows": flows} if flows else {})
    made, told = compiled_or_refused(document)
    wanted = ("not below", "two frames", "add up to", "a share above 0")
    assert all(any(word in each for word in wanted) for each in told)
    if made is None:
        return
    promised = [rate or 0 for rate in made.facts.vc_mcr_bit_s]
    assert sum(promised) <= 2 * 45e6
    assert len(promised) == len(made.facts.vc_names)
