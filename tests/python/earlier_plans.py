"""What a plan was in an earlier schema: a test shows so that no earlier run has changed."""

from copy import deepcopy


def as_schema_8(plan: dict) -> dict:
    """The plan with what schema 9 has added taken out; it must not say anything new.

    Raises:
        AssertionError: a plan of schema 8 could not say the same.
    """
    old = deepcopy(plan)
    assert old["schema"] == 9
    old["schema"] = 8
    for tcp in old["tcps"]:
        assert tcp.pop("handshake_sample") is True
    return old


def as_schema_7(plan: dict) -> dict:
    """The plan with what schema 8 has added taken out; it must not say anything new.

    Raises:
        AssertionError: a plan of schema 7 could not say the same.
    """
    old = deepcopy(plan)
    assert old["schema"] == 8
    old["schema"] = 7
    for tcp in old["tcps"]:
        assert tcp["options"].pop("lost_retransmission_detection") is False
        assert tcp["options"].pop("ssthresh_rounding") == "bytes"
    return old


def as_schema_6(plan: dict) -> dict:
    """The plan with what schema 7 has added taken out; it must not say anything new.

    Raises:
        AssertionError: a plan of schema 6 could not say the same.
    """
    old = deepcopy(plan)
    assert old["schema"] == 7
    old["schema"] = 6
    for tcp in old["tcps"]:
        assert tcp.pop("cwnd_rounding") == "up"
        assert tcp.pop("cwnd_ack_batch") == 1
        assert tcp.pop("retransmit_wait_ppm") == 0
    for link in old["links"]:
        if link["kind"] == "atm":
            assert all(service["name"] != "gfr" for service in link["services"])
            for port in link["ports"]:
                assert port.pop("ubr_share_ppb") == 0
                assert port.pop("ubr_queueing") == {"name": "fifo"}
                assert port["policy"]["name"] not in ("double_epd", "dfba")
    return old


def as_schema_5(plan: dict) -> dict:
    """The plan with what schema 6 has added taken out; it must not say anything new.

    Raises:
        AssertionError: a plan of schema 5 could not say the same.
    """
    old = deepcopy(plan)
    assert old["schema"] == 6
    old["schema"] = 5
    assert all(link["kind"] in ("packets", "cells") for link in old["links"])
    for workload in old["workloads"]:
        if workload["kind"] == "www_batches":
            assert workload.pop("first_alone") is False
    assert old["probes"].pop("acr_bin_ps") is None
    return old


def as_schema_4(plan: dict) -> dict:
    """The plan with what schema 5 has added taken out; it must not say anything new.

    Raises:
        AssertionError: a plan of schema 4 could not say the same.
    """
    old = deepcopy(plan)
    assert old["schema"] == 5
    old["schema"] = 4
    for link in old["links"]:
        if link["kind"] == "packets":
            assert link.pop("delay_draw") is None
            for impairment in link["impairments"]:
                assert impairment.pop("of", "all") == "all"
    for workload in old["workloads"]:
        if workload["kind"] == "pages":
            pause = workload.pop("pause")
            assert pause["law"] == "uniform"
            workload["pause_min_ps"], workload["pause_max_ps"] = pause["min_ps"], pause["max_ps"]
    for tcp in old["tcps"]:
        assert tcp["options"].pop("recovery_samples") is True
    for flow in old["flows"]:
        assert flow.pop("foreground") is False
    return old
