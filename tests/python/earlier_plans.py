"""What a plan was in an earlier schema: a test shows so that no earlier run has changed."""

from copy import deepcopy

from ackclock.scenario.plan import written_out


def as_schema(schema: int, plan: dict) -> dict:
    """The plan with what later schemas have added taken out; it must not say anything new.

    Raises:
        AssertionError: a plan of that schema could not say the same.
    """
    old = deepcopy(written_out(plan))
    while old["schema"] > schema:
        _TAKE_OUT[old["schema"]](old)
        old["schema"] -= 1
    assert old["schema"] == schema
    return old


_NEW_IN_12 = {
    "ecn_feedback": "classic",
    "l4s": False,
    "abe": False,
    "loss_detection": "rfc6675",
    "tlp": False,
    "tlp_timer": "rfc8985",
    "f_rto": False,
    "undo": "off",
    "slow_start": "standard",
    "whole_segments": False,
    "pacing": "off",
    "unpaced_segments": 0,
    "ledbat_target_ps": 100_000_000_000,
    "cubic_arithmetic": "rfc9438",
    "sample_every_ack": False,
}
"""Options of schema 12, and what earlier plans meant."""


def _take_out_13(plan: dict) -> None:
    assert not any("dscp" in flow for flow in plan["flows"])
    for link in plan["links"]:
        assert "varies" not in link
        if link.get("queue", {}).get("name") == "codel":
            queue = link["queue"]
            assert (queue.pop("ce_threshold_ps"), queue.pop("control_law")) == (None, "exact")


def _take_out_12(plan: dict) -> None:
    for tcp in plan["tcps"]:
        options = tcp["options"]
        assert {key: options.pop(key) for key in _NEW_IN_12} == _NEW_IN_12
    assert plan["probes"].pop("transport_bin_ps") is None


def _take_out_11(plan: dict) -> None:
    # What a run returns besides, and not what it does.
    plan.pop("queue_delays_of", None)
    plan.pop("delays_of_flows", None)
    for tcp in plan["tcps"]:
        tcp |= tcp.pop("historic")
        options = tcp["options"]
        ssthresh_from = options.pop("ssthresh_from")
        options["loss_window"] = _LOSS_WINDOWS.get(ssthresh_from, ssthresh_from)
        careful = options.pop("careful_fast_retransmit")
        of_flavor = _CAREFUL.get(tcp["flavor"], careful)
        assert careful is (options["loss_window"] == "bounded" or of_flavor)


_LOSS_WINDOWS = {"flight_size_bounded": "bounded", "cwnd_deflated": "deflated"}
_CAREFUL = {"reno": False, "newreno": True, "newreno_hoe": False, "newreno_full": False}
"""Whether a flavor was careful by itself, of those to which it makes a difference."""


def _take_out_10(plan: dict) -> None:
    for tcp in plan["tcps"]:
        assert tcp["options"]["loss_window"] != "bounded"


def _take_out_9(plan: dict) -> None:
    for tcp in plan["tcps"]:
        assert tcp.pop("handshake_sample") is True


def _take_out_8(plan: dict) -> None:
    for tcp in plan["tcps"]:
        assert tcp["options"].pop("lost_retransmission_detection") is False
        assert tcp["options"].pop("ssthresh_rounding") == "bytes"


def _take_out_7(plan: dict) -> None:
    for tcp in plan["tcps"]:
        assert tcp.pop("cwnd_rounding") == "up"
        assert tcp.pop("cwnd_ack_batch") == 1
        assert tcp.pop("retransmit_wait_ppm") == 0
    for link in plan["links"]:
        if link["kind"] == "atm":
            assert all(service["name"] != "gfr" for service in link["services"])
            for port in link["ports"]:
                assert port.pop("ubr_share_ppb") == 0
                assert port.pop("ubr_queueing") == {"name": "fifo"}
                assert port["policy"]["name"] not in ("double_epd", "dfba")


def _take_out_6(plan: dict) -> None:
    assert all(link["kind"] in ("packets", "cells") for link in plan["links"])
    for workload in plan["workloads"]:
        if workload["kind"] == "www_batches":
            assert workload.pop("first_alone") is False
    assert plan["probes"].pop("acr_bin_ps") is None


def _take_out_5(plan: dict) -> None:
    for link in plan["links"]:
        if link["kind"] == "packets":
            assert link.pop("delay_draw") is None
            for impairment in link["impairments"]:
                assert impairment.pop("of", "all") == "all"
    for workload in plan["workloads"]:
        if workload["kind"] == "pages":
            pause = workload.pop("pause")
            assert pause["law"] == "uniform"
            workload["pause_min_ps"], workload["pause_max_ps"] = pause["min_ps"], pause["max_ps"]
    for tcp in plan["tcps"]:
        assert tcp["options"].pop("recovery_samples") is True
    for flow in plan["flows"]:
        assert flow.pop("foreground") is False


_TAKE_OUT = {
    5: _take_out_5,
    6: _take_out_6,
    7: _take_out_7,
    8: _take_out_8,
    9: _take_out_9,
    10: _take_out_10,
    11: _take_out_11,
    12: _take_out_12,
    13: _take_out_13,
}
"""What takes out of a plan of this schema what that schema has added to the one before."""
