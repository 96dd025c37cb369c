"""ATM networks: their plans, what the results are told of them, and what `explain` says."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ackclock import _core
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json
from atm_texts import ATM_CLIENTS, ATM_GFR, ATM_NETWORK, K_N
from plan_checker import check_plan
from scenario_calls import compiled_or_refused, first_compiled, network

MS = 10**9
S = 10**12
CELL = 424
SMSS = ("tcp.smss=512 B",)


def control(*sets):
    (port,) = network(K_N, *sets)["ports"][:1]
    return port["rate_control"]


def test_the_plan_of_the_k_n_configuration():
    made = first_compiled(K_N)
    (link,) = made.plan["links"]
    hosts, sw1, sw2 = 8, 8, 9
    assert made.plan["nodes"] == hosts
    assert (link["first"], link["hosts"], link["switches"]) == (0, hosts, 2)
    trunk = {"cell_time_ps": 9_422_222, "delay_ps": 5 * MS, "cost": 1}
    access = {"cell_time_ps": 2_726_337, "delay_ps": 5 * MS, "cost": 1}
    assert link["lines"][:2] == [
        {"from": sw2, "to": sw1, **trunk, "port": 0},
        {"from": sw1, "to": sw2, **trunk, "port": 0},
    ]
    for host in range(hosts):
        switch = sw1 if host < 6 else sw2
        assert link["lines"][2 + 2 * host : 4 + 2 * host] == [
            {"from": host, "to": switch, **access, "port": None},
            {"from": switch, "to": host, **access, "port": 0},
        ]
    ends = [(flow["sender"], flow["receiver"]) for flow in made.plan["flows"]]
    assert ends == [(6, 0), (6, 1), (6, 2), (7, 3), (7, 4), (7, 5)]
    assert link["flow_services"] == [0] * 6
    assert link["sources"] == []
    facts = made.facts
    assert facts.link_names[:4] == (
        "SW2 -> SW1",
        "SW1 -> SW2",
        "client 1 -> SW1",
        "SW1 -> client 1",
    )
    assert len(facts.link_names) == len(link["lines"])
    assert facts.vc_names == (
        *(f"flow {at} (back)" for at in range(1, 7)),
        *(f"flow {at}" for at in range(1, 7)),
    )
    assert (facts.bottleneck_link, facts.reverse_link) == (0, 1)


def test_the_end_systems_are_those_of_tm_4_0_by_default():
    (service,) = network(K_N)["services"]
    assert service == {
        "name": "abr",
        "pcr_bps": 155_520_000,
        "mcr_bps": 0,
        "icr_bps": 155_520_000,
        "nrm": 32,
        "mrm": 2,
        "trm_ps": 100 * MS,
        "rif_inverse": 16,
        "rdf_inverse": 16,
        "adtf_ps": 500 * MS,
        "tbe_cells": 16_777_215,
        "crm": 524_288,
        "cdf_inverse": 16,
        "tcr_cells_s": 10,
        "frtt_ps": None,
    }


def test_every_parameter_of_the_end_systems_arrives():
    sets = {
        "pcr": "100 Mbit/s",
        "mcr": "1 Mbit/s",
        "icr": "10 Mbit/s",
        "nrm": "16",
        "mrm": "3",
        "trm": "50 ms",
        "rif": "1",
        "rdf": "0.03125",
        "adtf": "1 s",
        "tbe": "1000 cells",
        "cdf": "0",
        "tcr": "5 cells/s",
        "frtt": "20 ms",
    }
    written = [f"topology.abr.{key}={value}" for key, value in sets.items()]
    (service,) = network(K_N, *written)["services"]
    assert service == {
        "name": "abr",
        "pcr_bps": 10**8,
        "mcr_bps": 10**6,
        "icr_bps": 10**7,
        "nrm": 16,
        "mrm": 3,
        "trm_ps": 50 * MS,
        "rif_inverse": 1,
        "rdf_inverse": 32,
        "adtf_ps": S,
        "tbe_cells": 1000,
        "crm": 63,  # 1000 / 16, rounded up
        "cdf_inverse": None,
        "tcr_cells_s": 5,
        "frtt_ps": 20 * MS,
    }


def test_the_lines_of_a_network_are_those_that_are_listed():
    made = first_compiled(ATM_NETWORK)
    (link,) = made.plan["links"]
    assert made.facts.link_names == (
        *("a -> S1", "S1 -> a", "S3 -> b", "b -> S3", "c -> S1", "S1 -> c"),
        *("d -> S3", "S3 -> d", "S1 -> S2", "S2 -> S1", "S2 -> S3", "S3 -> S2"),
    )
    assert [line["port"] is None for line in link["lines"]] == [
        name.split()[0] in "abcd" for name in made.facts.link_names
    ]
    assert made.facts.vc_names == (
        *("file 1 (back)", "file 2 (back)", "up (back)", "file 1", "file 2", "up"),
        *("long", "long (back)", "vbr", "vbr (back)"),
    )
    names = [link["services"][at]["name"] for at in link["flow_services"]]
    assert names == ["ubr", "ubr", "abr"]
    # PCR is the rate of the slower link of both hosts; c has a slow one.
    peaks = {each["pcr_bps"] for each in link["services"] if each["name"] == "abr"}
    assert peaks == {25_000_000, 155_520_000}
    assert made.facts.bottleneck_link is None


@pytest.mark.parametrize(("written", "crm"), [("off", None), ("7", 7), ("tbe", 524_288)])
def test_crm(written, crm):
    (service,) = network(K_N, f"topology.abr.crm={written}")["services"]
    assert service["crm"] == crm


@pytest.mark.parametrize("written", ["1/16", "0.0625", "= 1 / 16", " 1 / 16 "])
def test_a_rate_factor_may_be_a_number_or_a_text(written):
    scenario = load(K_N, [f"topology.abr.rif={written}"])
    assert scenario.topology.abr.rif == Fraction(1, 16)


def test_the_default_rate_control_is_erica_plus_with_the_values_of_004():
    assert control() == {
        "name": "erica",
        "interval_cells": 500,
        "interval_ps": 5 * MS,
        "delta_ppb": 100_000_000,
        "queue_control": {
            "kind": "hyperbolic",
            "target_delay_ps": MS // 2,
            "a_ppb": 1_150_000_000,
            "b_ppb": 1_050_000_000,
            "floor_ppb": 500_000_000,
        },
        "ccr": "field",
        "load_average": "none",
        "load_weight_ppb": 200_000_000,
        "vc_decay_ppb": 0,
        "immediate_fair_share": False,
        "count_both_directions": False,
        "limit_jump": True,
    }


def test_other_rate_controls():
    assert control("topology.switch.rate_control=none") == {"name": "none"}
    efci = control("topology.switch.rate_control=efci", "topology.switch.efci_threshold=300 cells")
    assert efci == {"name": "efci", "threshold_cells": 300}
    plain = control("topology.switch.rate_control=erica")
    assert plain["queue_control"] == {"kind": "constant", "target_ppb": 900_000_000}


@pytest.mark.parametrize(
    ("kind", "own"),
    [
        ("inverse_hyperbolic", {"a_ppb": 1_150_000_000, "b_ppb": 1_050_000_000}),
        ("linear", {"slope_under_ppb": 62_500_000, "slope_over_ppb": 62_500_000}),
        ("step", {"a_ppb": 2 * 10**9, "b_ppb": 1_050_000_000, "step_ppb": 125_000_000}),
    ],
)
def test_queue_controls(kind, own):
    made = control(f"topology.switch.queue_control={kind}")["queue_control"]
    assert made == {
        "kind": kind,
        "target_delay_ps": MS // 2,
        **own,
        "floor_ppb": 500_000_000,
    }


@pytest.mark.parametrize(
    ("key", "value", "name", "number"),
    [
        ("interval_cells", "30", "interval_cells", 30),
        ("interval", "1 ms", "interval_ps", MS),
        ("delta", "0.2", "delta_ppb", 200_000_000),
        ("ccr", "measured", "ccr", "measured"),
        ("load_average", "parts", "load_average", "parts"),
        ("load_weight", "50 %", "load_weight_ppb", 500_000_000),
        ("vc_decay", "0.9", "vc_decay_ppb", 900_000_000),
        ("immediate_fair_share", "true", "immediate_fair_share", True),
        ("count_both_directions", "true", "count_both_directions", True),
        ("limit_jump", "false", "limit_jump", False),
    ],
)
def test_a_key_of_erica_is_the_only_thing_that_it_changes(key, value, name, number):
    changed = control(f"topology.switch.{key}={value}")
    assert changed == {**control(), name: number}


def test_buffers():
    def buffers(*sets):
        ports = network(K_N, *sets)["ports"]
        return [[port[f"{name}_buffer_cells"] for name in ("vbr", "abr", "ubr")] for port in ports]

    assert buffers() == [[None, None, 12_000]]
    # 30 ms at 45 Mbit/s are 3183.96 cells, at 155.52 Mbit/s 11003.8
    rtt = "topology.switch.ubr_buffer=1 rtt"
    assert buffers(rtt) == [[None, None, 3184], [None, None, 11_004]]
    half = "topology.switch.ubr_buffer=0.5 rtt"
    cells = "topology.switch.abr_buffer=700 cells"
    assert buffers(half, cells) == [[None, 700, 1592], [None, 700, 5502]]
    same = [f"topology.switch.{name}_buffer=90 cells" for name in ("vbr", "abr", "ubr")]
    assert buffers(*same) == [[90, 90, 90]]


def test_a_buffer_without_limit_refuses_no_frame():
    policy = "topology.switch.policy=selective_drop"
    (port, *_) = network(K_N, policy)["ports"]
    assert port["policy"] == {"name": "selective_drop", "r_cells": 9600, "z_ppm": 800_000}
    (port,) = network(K_N, policy, "topology.switch.ubr_buffer=unlimited")["ports"]
    assert port["policy"] == {"name": "tail"}


def test_services_go_by_group():
    text = K_N.replace("servers = 2\n", "") + (
        '[[flows]]\nname = "a"\ncount = 2\n[[flows]]\nname = "b"\nservice = "ubr"\nreverse = true\n'
    )
    made = first_compiled(text)
    (link,) = made.plan["links"]
    assert [each["name"] for each in link["services"]] == ["abr", "ubr"]
    assert link["flow_services"] == [0, 0, 1]
    # Both flows of a have one server, that of b has another; b sends from its client.
    ends = [(flow["sender"], flow["receiver"]) for flow in made.plan["flows"]]
    assert ends == [(3, 0), (3, 1), (2, 4)]
    assert math.isnan(made.facts.payload_capacity_bit_s)


def test_reversed_flows_look_at_the_other_line():
    text = K_N.replace("servers = 2\n", "") + '[[flows]]\nname = "a"\nreverse = true\n'
    facts = first_compiled(text).facts
    assert (facts.bottleneck_link, facts.reverse_link) == (1, 0)


def test_background_has_hosts_of_its_own():
    made = first_compiled(ATM_CLIENTS)
    (link,) = made.plan["links"]
    assert link["hosts"] == 8 + 2 * 4
    voices, film, bursts = link["sources"][:2], link["sources"][2], link["sources"][3]
    assert [(each["from"], each["to"]) for each in link["sources"]] == [
        (8, 9),
        (10, 11),
        (12, 13),
        (14, 15),
    ]
    sw1, sw2 = 16, 17
    joined = {line["from"]: line["to"] for line in link["lines"] if line["port"] is None}
    assert [joined[host] for host in range(8, 16)] == [sw2, sw1, sw2, sw1, sw1, sw2, sw2, sw1]
    assert voices[0]["law"] == voices[1]["law"] == {"kind": "constant", "rate_bps": 2 * 10**6}
    assert film["stop_ps"] == 5 * S
    assert film["law"] == {
        "kind": "video",
        "frame_ps": 33_367_000_000,
        "gop": "IBB",
        "mean_bytes": [40_000, 20_000, 8_000],
        "cv_ppm": 300_000,
        "correlation_ppm": 800_000,
    }
    assert bursts["start_ps"] == S
    assert bursts["law"] == {
        "kind": "on_off",
        "rate_bps": 10**7,
        "on": {"law": "exponential", "mean_ps": 20 * MS},
        "off": {"law": "exponential", "mean_ps": 60 * MS},
    }
    assert {link["services"][each["service"]]["name"] for each in link["sources"]} == {"vbr"}
    assert made.facts.vc_names[-4:] == ("film", "film (back)", "bursts", "bursts (back)")


@pytest.mark.parametrize(
    ("times", "law"),
    [
        ("constant", {"law": "uniform", "min_ps": 300 * MS, "max_ps": 300 * MS}),
        ("pareto", {"law": "pareto", "mean_ps": 300 * MS, "shape_ppm": 1_200_000}),
    ],
)
def test_times_of_a_source(times, law):
    source = f'{{ kind = "on_off", rate = "1 Mbit/s", times = "{times}", shape = 1.2 }}'
    (made,) = network(K_N + f"background = [{source}]\n")["sources"]
    assert made["law"]["on"] == made["law"]["off"] == law


def test_a_probe_of_acr():
    sets = ("probes.acr=10 ms", "probes.queue=5 ms")
    made = first_compiled(K_N, *sets)
    assert made.plan["probes"] == {
        "queue_bin_ps": 5 * MS,
        "goodput_bin_ps": None,
        "cwnd_of": [],
        "acr_bin_ps": 10 * MS,
        "transport_bin_ps": None,
    }
    assert made.without_probes()["probes"]["acr_bin_ps"] is None
    # A network without an ABR VC has nothing to record, so that the service can be swept.
    over_ubr = first_compiled(K_N, "topology.service=ubr", *sets).plan
    assert over_ubr["probes"]["acr_bin_ps"] == 10 * MS


def test_a_client_may_wait_for_its_first_answer():
    workload = 'workload = { kind = "www_batches", first_alone = true }\n'
    (made,) = first_compiled(workload + K_N).plan["workloads"]
    assert made["first_alone"] is True


@pytest.mark.parametrize("text", [ATM_CLIENTS, ATM_NETWORK, ATM_GFR])
def test_the_core_runs_what_is_compiled(text):
    for point in load(text, ["duration=100 ms", "warm_up=0 s", *earlier(text)]).points():
        made = point.compile()
        columns = _core.run(canonical_json(made.plan), 1)
        names = made.facts.link_names
        ports = [at for at, name in enumerate(names) if name.startswith("S")]
        assert columns["ports"]["link"].tolist() == ports
        assert set(columns["classes"]["port"].tolist()) <= set(ports)
        assert columns["vcs"]["vc"].tolist() == list(range(len(made.facts.vc_names)))
        assert columns["vcs"]["cells_received"].sum() > 0


def earlier(text):
    """Sources begin within a short run."""
    if text != ATM_CLIENTS:
        return []
    return ["topology.background[1].stop=never", "topology.background[2].start=0 s"]


RATES = st.sampled_from(["64 kbit/s", "1.5 Mbit/s", "45 Mbit/s", "155.52 Mbit/s", "1 Gbit/s"])
TIMES = st.sampled_from(["0 ms", "1 us", "3.5 ms", "0.25 s"])
MCRS = st.sampled_from(["0 bit/s", "424 bit/s", "20 kbit/s"])
SERVICES = st.sampled_from(["abr", "ubr", "gfr"])
SWITCHES = st.fixed_dictionaries(
    {},
    optional={
        "rate_control": st.sampled_from(["erica_plus", "erica", "efci", "none"]),
        "queue_control": st.sampled_from(["hyperbolic", "linear", "step"]),
        "abr_buffer": st.sampled_from(["unlimited", "2000 cells"]),
        "ubr_buffer": st.sampled_from(["unlimited", "200 cells"]),
        "policy": st.sampled_from([name for name, _ in _core.frame_policies()]),
        "ubr_share": st.sampled_from([0, 0.25, 1]),
        "ubr_queueing": st.sampled_from(["fifo", "per_vc"]),
        "excess": st.sampled_from(["equal", "proportional"]),
    },
)


@st.composite
def networks(draw):
    """Switches in a tree with a host or two at each, and VCs between any two hosts."""
    count = draw(st.integers(1, 5))
    switches = [f"S{number}" for number in range(count)]
    links = [
        {"between": [switches[at], switches[draw(st.integers(0, at - 1))]]}
        for at in range(1, count)
    ]
    places = [*switches, *draw(st.lists(st.sampled_from(switches), min_size=1, max_size=3))]
    hosts = [f"h{number}" for number in range(len(places))]
    links += [
        {"between": ends}
        for ends in (list(draw(st.permutations(pair))) for pair in zip(hosts, places, strict=True))
    ]
    links = [{**link, "rate": draw(RATES), "delay": draw(TIMES)} for link in links]
    pairs = st.permutations(hosts).map(lambda names: {"from": names[0], "to": names[1]})
    flows = [
        {"name": f"f{at}", "service": service, **ends, **({"mcr": mcr} if service == "gfr" else {})}
        for at, (ends, service, mcr) in enumerate(
            draw(st.lists(st.tuples(pairs, SERVICES, MCRS), min_size=1, max_size=3))
        )
    ]
    kinds = [
        {"kind": "greedy"},
        {"kind": "cbr", "rate": "10 kbit/s"},
        {"kind": "on_off", "rate": "60 kbit/s", "service": "abr"},
        {"kind": "video", "frame_time": "10 s"},
    ]
    sources = [
        {"name": f"s{at}", **kind, **ends}
        for at, (ends, kind) in enumerate(
            draw(st.lists(st.tuples(pairs, st.sampled_from(kinds)), max_size=3))
        )
    ]
    topology = {"hosts": hosts, "switches": switches, "links": links, "sources": sources}
    topology |= {"kind": "atm_network", "service": draw(SERVICES), "switch": draw(SWITCHES)}
    return {"duration": "50 ms", "topology": topology, "flows": flows}


@given(networks())
@settings(max_examples=30, deadline=None)
def test_any_tree_of_switches_compiles_and_runs(document):
    made = first_compiled(document)
    assert _core.run(canonical_json(made.plan), 1)["vcs"]["vc"].size == len(made.facts.vc_names)
    vcs = 2 * (len(document["flows"]) + len(document["topology"]["sources"]))
    assert len(made.facts.vc_names) == len(set(made.facts.vc_names)) == vcs


@given(networks(), st.data())
@settings(max_examples=60)
def test_a_network_without_a_link_compiles_or_is_refused(document, data):
    links = document["topology"]["links"]
    links.remove(data.draw(st.sampled_from(links)))
    _, told = compiled_or_refused(document)
    wanted = ("no path", "no link", "has no link")
    assert all(any(word in message for word in wanted) for message in told), told


@given(
    servers=st.integers(1, 4),
    per_server=st.integers(1, 4),
    service=SERVICES,
    switch=SWITCHES,
    count=st.integers(0, 3),
    direction=st.sampled_from(["data", "reverse"]),
)
@settings(max_examples=60)
def test_any_k_n_configuration_compiles(servers, per_server, service, switch, count, direction):
    topology = {
        "kind": "atm_clients",
        "servers": servers,
        "clients_per_server": per_server,
        "trunk": {"rate": "45 Mbit/s", "delay": "5 ms"},
        "service": service,
        "switch": switch,
        "background": [{"kind": "cbr", "rate": "1 Mbit/s", "count": count, "direction": direction}],
    }
    made = load({"duration": "10 s", "topology": topology}).points()[0].compile()
    check_plan(made.plan)
    flows = servers * per_server
    assert made.plan["nodes"] == flows + servers + 2 * count
    assert len(made.facts.vc_names) == 2 * (flows + count)
    names = made.facts.link_names
    assert len(names) == len(set(names)) == len(made.plan["links"][0]["lines"])
