"""What an ATM network in a plan is; see ``plan_checker``."""

from __future__ import annotations

from plan_checker_values import MOST_PS, MOST_U32, PPB, PPM, check_law, has_keys, number

POLICIES = {
    "tail": set(),
    "ppd": set(),
    "epd": {"r_cells"},
    "selective_drop": {"r_cells", "z_ppm"},
    "fba": {"r_cells", "z_ppm"},
    "double_epd": {"l_cells", "h_cells"},
    "dfba": {"l_cells", "h_cells", "alpha_ppm"},
}
PLAIN_POLICIES = {"tail", "ppd", "epd", "selective_drop", "fba"}
"""Those of a port that knows no contracts."""
GFR = "name pcr_bps mcr_bps mbs_cells mfs_cells cdvt_ps tagging"
CURVES = {
    "constant": "target_ppb",
    "hyperbolic": "target_delay_ps a_ppb b_ppb floor_ppb",
    "inverse_hyperbolic": "target_delay_ps a_ppb b_ppb floor_ppb",
    "linear": "target_delay_ps slope_under_ppb slope_over_ppb floor_ppb",
    "step": "target_delay_ps a_ppb b_ppb step_ppb floor_ppb",
}
"""Kinds of queue control and their keys."""
ABR = (
    "name pcr_bps mcr_bps icr_bps nrm mrm trm_ps rif_inverse rdf_inverse adtf_ps tbe_cells crm "
    "cdf_inverse tcr_cells_s frtt_ps"
)
ERICA = (
    "name interval_cells interval_ps delta_ppb queue_control ccr load_average load_weight_ppb "
    "vc_decay_ppb immediate_fair_share count_both_directions limit_jump"
)


def check_network(link: dict, nodes: int) -> None:
    keys = "kind first hosts switches lines ports services flow_services sources"
    has_keys(link, keys)
    number(link["hosts"], 1, 100_000)
    number(link["first"], 0, nodes - link["hosts"])
    number(link["switches"], 1, 1000)
    begun = set()
    for line in link["lines"]:
        check_line(line, link)
        if line["port"] is None:
            assert line["from"] not in begun, "a host has one network card"
            begun.add(line["from"])
    assert begun == set(range(link["hosts"]))
    for port in link["ports"]:
        check_switch_port(port)
    for service in link["services"]:
        check_service(service)
    for service in link["flow_services"]:
        number(service, 0, len(link["services"]) - 1)
    for source in link["sources"]:
        check_source(source, link)
    for values in (link["ports"], link["services"]):
        assert all(value not in values[:at] for at, value in enumerate(values))
    used = {line["port"] for line in link["lines"]} - {None}
    assert used == set(range(len(link["ports"])))


def check_line(line: dict, link: dict) -> None:
    has_keys(line, "from to cell_time_ps delay_ps cost port")
    points = link["hosts"] + link["switches"]
    number(line["from"], 0, points - 1)
    number(line["to"], 0, points - 1)
    assert line["from"] != line["to"]
    assert max(line["from"], line["to"]) >= link["hosts"], "no line joins two hosts"
    number(line["cell_time_ps"], 424, 10**12)
    number(line["delay_ps"], 0, MOST_PS)
    number(line["cost"], 1, MOST_U32)
    assert (line["port"] is None) == (line["from"] < link["hosts"])
    if line["port"] is not None:
        number(line["port"], 0, len(link["ports"]) - 1)


def check_switch_port(port: dict) -> None:
    buffers = "vbr_buffer_cells abr_buffer_cells ubr_buffer_cells"
    has_keys(port, f"{buffers} policy eom ubr_share_ppb ubr_queueing rate_control")
    for name in buffers.split():
        if port[name] is not None:
            number(port[name], 1, MOST_U32)
    check_policy(port["policy"], port["ubr_buffer_cells"])
    assert port["eom"] in ("keep", "drop")
    number(port["ubr_share_ppb"], 0, PPB)
    check_queueing(port["ubr_queueing"])
    check_rate_control(port["rate_control"])


def check_queueing(queueing: dict) -> None:
    if queueing["name"] == "fifo":
        has_keys(queueing, "name")
        return
    has_keys(queueing, "name excess")
    assert queueing["name"] == "per_vc"
    assert queueing["excess"] in ("equal", "proportional")


def check_policy(policy: dict, buffer: int | None) -> None:
    assert set(policy) == {"name", *POLICIES[policy["name"]]}
    assert buffer is not None or policy["name"] == "tail"
    if "r_cells" in policy:
        number(policy["r_cells"], 0, buffer)
    if "z_ppm" in policy:
        number(policy["z_ppm"], 1, PPM)
    if "l_cells" in policy:
        number(policy["l_cells"], 0, policy["h_cells"] - 1)
        number(policy["h_cells"], 1, buffer)
    if "alpha_ppm" in policy:
        number(policy["alpha_ppm"], 0, PPM)


def check_rate_control(control: dict) -> None:
    if control["name"] == "none":
        has_keys(control, "name")
        return
    if control["name"] == "efci":
        has_keys(control, "name threshold_cells")
        number(control["threshold_cells"], 0, MOST_U32)
        return
    assert control["name"] == "erica"
    has_keys(control, ERICA)
    number(control["interval_cells"], 1, MOST_U32)
    number(control["interval_ps"], 10**6, MOST_PS)
    number(control["delta_ppb"], 1, PPB)
    number(control["load_weight_ppb"], 1, PPB)
    number(control["vc_decay_ppb"], 0, PPB - 1)
    assert control["ccr"] in ("field", "measured")
    assert control["load_average"] in ("none", "ratio", "parts")
    for name in ("immediate_fair_share", "count_both_directions", "limit_jump"):
        assert isinstance(control[name], bool)
    curve = control["queue_control"]
    has_keys(curve, f"kind {CURVES[curve['kind']]}")
    for name, (least, most) in {
        "target_ppb": (1, PPB),
        "floor_ppb": (1, PPB),
        "target_delay_ps": (1, MOST_PS),
        "a_ppb": (PPB + 1, 100 * PPB),
        "b_ppb": (PPB, 100 * PPB),
        "slope_under_ppb": (0, PPB),
        "slope_over_ppb": (0, PPB),
        "step_ppb": (PPM, PPB),
    }.items():
        if name in curve:
            number(curve[name], least, most)


def check_service(service: dict) -> None:
    if service["name"] == "gfr":
        check_contract(service)
        return
    if service["name"] != "abr":
        has_keys(service, "name")
        assert service["name"] in ("ubr", "vbr")
        return
    has_keys(service, ABR)
    number(service["pcr_bps"], 1, 10**12)
    number(service["mcr_bps"], 0, service["pcr_bps"])
    number(service["icr_bps"], max(1, service["mcr_bps"]), service["pcr_bps"])
    for name, most in (("nrm", 256), ("rif_inverse", 32768), ("rdf_inverse", 32768)):
        number(service[name], 1, most)
        assert service[name] & (service[name] - 1) == 0
    number(service["nrm"], 2, 256)
    number(service["mrm"], 1, MOST_U32)
    for name in ("trm_ps", "adtf_ps"):
        number(service[name], 1, MOST_PS)
    number(service["tbe_cells"], 1, 2**24 - 1)
    number(service["tcr_cells_s"], 1, MOST_U32)
    for name, most in (("crm", MOST_U32), ("cdf_inverse", 64), ("frtt_ps", MOST_PS)):
        if service[name] is not None:
            number(service[name], 1, most)


def check_contract(service: dict) -> None:
    has_keys(service, GFR)
    number(service["pcr_bps"], 1, 10**12)
    number(service["mcr_bps"], 0, service["pcr_bps"])
    number(service["mfs_cells"], 1, MOST_U32)
    number(service["mbs_cells"], 2 * service["mfs_cells"], MOST_U32)
    number(service["cdvt_ps"], 0, MOST_PS)
    assert isinstance(service["tagging"], bool)


def check_source(source: dict, link: dict) -> None:
    has_keys(source, "from to service start_ps stop_ps law")
    for end in ("from", "to"):
        number(source[end], 0, link["hosts"] - 1)
    assert source["from"] != source["to"]
    number(source["service"], 0, len(link["services"]) - 1)
    number(source["start_ps"], 0, MOST_PS)
    if source["stop_ps"] is not None:
        number(source["stop_ps"], source["start_ps"] + 1, MOST_PS)
    assert link["services"][source["service"]]["name"] != "gfr", "frames are of TCP"
    law = source["law"]
    keys = {
        "greedy": "",
        "constant": "rate_bps",
        "on_off": "rate_bps on off",
        "video": "frame_ps gop mean_bytes cv_ppm correlation_ppm",
    }[law["kind"]]
    has_keys(law, f"kind {keys}")
    if law["kind"] == "greedy":
        assert link["services"][source["service"]]["name"] == "abr"
    if "rate_bps" in law:
        number(law["rate_bps"], 1, 10**12)
    if law["kind"] == "on_off":
        check_law(law["on"])
        check_law(law["off"])
    if law["kind"] == "video":
        number(law["frame_ps"], 424, MOST_PS)
        assert set(law["gop"]) <= set("IPB")
        number(len(law["gop"]), 1, 1000)
        for size in law["mean_bytes"]:
            number(size, 1, 2**40)
        number(law["cv_ppm"], 0, MOST_U32)
        number(law["correlation_ppm"], 0, PPM - 1)
