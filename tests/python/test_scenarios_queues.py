"""The scenarios about queues and paths that change show what their first lines say.

As in test_scenarios.py: with fewer replications than they have, and with room to spare.
"""

import pytest

from teaching_set import goodputs, means


def test_red(lab):
    results = lab(2)
    queue = means(results, "mean_queue").unstack()
    assert (queue["drop-tail"] > 60).all()
    assert (queue["RED"] < 35).all()
    assert queue["RED"].is_monotonic_increasing
    assert 15 < queue["adaptive RED"][32] < queue["RED"][32] - 4
    assert means(results, "utilisation").min() > 0.93
    drops = means(results, "drop_share").unstack()
    assert drops["RED"][32] > 1.5 * drops["drop-tail"][32]


def test_bufferbloat(lab):
    results = lab(2)
    click, median, slowest = (
        means(results, name).unstack(sort=False)
        for name in ("page_delay_s", "queue_delay_p50_s", "queue_delay_p99_s")
    )
    downloads = ["1 download", "4 downloads", "16 downloads"]
    assert (median["drop-tail"][downloads] > 0.4).all()
    assert (median[["RED", "CoDel", "PIE", "CAKE"]].loc[downloads] < 0.02).all(axis=None)
    assert (slowest["drop-tail"][downloads] > 0.47).all()
    assert (slowest["RED"] < 0.03).all()
    assert (slowest["CoDel"][downloads] < 0.07).all()
    assert means(results, "utilisation")[downloads].min() > 0.93
    assert (click["drop-tail"][downloads] > 0.85).all()
    assert click[["FQ-CoDel", "CAKE"]].max(axis=None) < 0.086
    assert median["FQ-CoDel"]["16 downloads"] > 0.03
    drops = means(results, "drop_share")["16 downloads"]
    assert drops["CAKE"] > 1.5 * drops["FQ-CoDel"]
    # An upload makes the acknowledgements of the download come in clumps.
    both = means(results, "utilisation")["1 download, 1 upload"]
    assert both["RED"] < both["CoDel"] < 0.9 < both[["FQ-CoDel", "CAKE"]].min()
    assert (click[["CoDel", "PIE"]].loc["1 download, 1 upload"] > 0.18).all()


def test_speed_test(lab):
    results = lab(1)
    rtt, click, slow, busy = (
        means(results, name)
        for name in ("rtt_s", "page_delay_s", "queue_delay_p95_s", "utilisation")
    )
    assert 0.24 < rtt["as it is"] < 0.3
    assert slow["as it is"] == pytest.approx(0.28, rel=0.02)
    assert click["as it is"] > 0.48
    assert 0.06 < click["PIE"] < 0.08
    assert click[["FQ-CoDel", "CAKE at 95 %"]].max() < 0.042
    assert slow[["FQ-CoDel", "CAKE at 95 %"]].max() < 0.01
    assert busy["FQ-CoDel"] > 0.99
    assert busy["CAKE at 95 %"] == pytest.approx(0.95, abs=0.002)


def test_fq_codel(lab):
    results = lab(2)
    click, transfer, slowest = (
        means(results, name).unstack(sort=False)
        for name in ("page_delay_s", "foreground_goodput_bit_s", "queue_delay_p99_s")
    )
    assert (click["FQ-CoDel"] < 0.083).all()
    assert (slowest["FQ-CoDel"]["flood"] > 0.15).all()
    assert (click["drop-tail"][["nothing", "15 CUBIC"]] > 0.5).all()
    assert click["CoDel"]["15 CUBIC"] > 1.15 * click["FQ-CoDel"]["15 CUBIC"]
    assert transfer["CoDel"]["3 BBR"] < 1e6 < 4e6 < transfer["FQ-CoDel"]["3 BBR"]
    assert transfer[["drop-tail", "CoDel"]].loc["flood"].max() < 0.3e6
    assert transfer["FQ-CoDel"]["flood"] > 8e6
    for beside in ("nothing", "15 CUBIC", "3 BBR", "flood"):
        assert heard(results, beside, "FQ-CoDel") == pytest.approx(1, abs=0.002)
    assert heard(results, "15 CUBIC", "CoDel") < 0.985
    assert max(heard(results, "flood", queue) for queue in ("drop-tail", "CoDel")) < 0.8


def heard(results, beside, queue):
    """What arrives of the call after the warm-up, as a share of 80 kbit/s."""
    trace = results.trace("call", point={"beside": beside, "queue": queue}).goodput
    return trace[trace["time_s"] >= 10]["goodput_bit_s"].mean() / 80e3


def test_l4s(lab):
    results = lab(2)
    median, slowest, fairness = (
        means(results, name).unstack(0)
        for name in ("queue_delay_p50_s", "queue_delay_p99_s", "jain_fairness")
    )
    assert median["Prague"]["DualPI2"] < 0.0005
    assert slowest["Prague"]["DualPI2"] < 0.0025
    assert 0.01 < median["CUBIC"]["DualPI2"] < 0.02
    assert (median["Prague"][["CoDel", "PIE", "FQ-CoDel"]] > 0.005).all()
    assert (fairness["both"][["CoDel", "PIE"]] < 0.65).all()
    assert fairness["both"]["FQ-CoDel"] > 0.99
    assert fairness["both"]["DualPI2"] > 0.8
    goodput = goodputs(results).loc["both"]
    assert (goodput["prague"] > 8 * goodput["cubic"])[["CoDel", "PIE"]].all()
    assert 1 < goodput["prague"]["DualPI2"] / goodput["cubic"]["DualPI2"] < 2.7
    flows = results.flows.query("senders == 'both' and queue == 'DualPI2'")
    rtt = flows.groupby("flow", observed=True)["rtt_s"].mean()
    assert rtt["prague"] < 0.022
    assert rtt["cubic"] > 0.03


def test_starlink(lab):
    results = lab(2)
    goodput, again, slow = (
        means(results, name).unstack(0)
        for name in ("goodput_bit_s", "retransmitted_share", "queue_delay_p95_s")
    )
    assert (goodput.loc["slots"] > 0.85 * goodput.loc["steady"]).all()
    assert goodput["cubic"]["slots and losses"] < 0.4 * goodput["cubic"]["slots"]
    assert goodput["bbr"]["slots and losses"] > 0.95 * goodput["bbr"]["slots"]
    assert again["cubic"]["slots"] > 4 * again["cubic"]["steady"]
    assert slow["cubic"]["slots"] > 1.1 * slow["cubic"]["steady"]
    # Nothing leaves for a while before each edge, and CUBIC's queue of 100 ms overflows.
    point = {"tcp_flavor": "cubic", "satellite": "slots"}
    queue = results.queue(point=point).set_index("time_s")["max_length"]
    for edge in (27, 42, 57, 72):
        assert queue[edge - 0.5 : edge + 0.5].max() == 333


def test_lte(lab):
    results = lab(2)
    goodput, median, slow, dropped = (
        means(results, name).unstack(0)
        for name in ("goodput_bit_s", "queue_delay_p50_s", "queue_delay_p95_s", "drop_share")
    )
    assert median["cubic"]["drop-tail"] > 0.7
    assert slow["cubic"]["drop-tail"] > 1.8
    assert slow["cubic"]["CoDel"] < 0.1
    assert slow["cubic"]["PIE"] < 0.2
    assert goodput["cubic"]["CoDel"] < 0.7 * goodput["cubic"]["drop-tail"]
    assert goodput["cubic"]["PIE"] < 0.9 * goodput["cubic"]["drop-tail"]
    assert goodput["bbr"]["drop-tail"] > 9.5e6
    assert median["bbr"]["drop-tail"] < 0.3
    assert dropped["bbr"]["drop-tail"] == 0
    assert dropped["bbr"][["CoDel", "PIE"]].min() > 0.03


def test_policer(lab):
    results = lab(2)
    goodput, dropped, slow = (
        means(results, name).unstack(0)
        for name in ("goodput_bit_s", "drop_share", "queue_delay_p95_s")
    )
    shallow = "policer, 10 kB"
    assert goodput["cubic"][shallow] < 2.5e6
    assert goodput["bbr"][shallow] > 18e6
    assert goodput["bbr3"][shallow] > 15e6
    assert goodput["cubic"]["policer, 100 kB"] > 17e6
    policed = ["policer, 10 kB", "policer, 100 kB", "policer, 1 MB"]
    assert (dropped["bbr"][policed] > 0.025).all()
    assert dropped["cubic"]["policer, 100 kB"] < 0.006
    assert dropped["bbr3"][shallow] < 0.1 * dropped["bbr"][shallow]
    assert (dropped.loc["shaper"] < 0.002).all()
    assert (slow.loc[policed] < 0.001).all(axis=None)
    assert slow["cubic"]["shaper"] > 0.03


def test_handover(lab):
    results = lab(1)
    goodput, timeouts, again = (
        means(results, name) for name in ("goodput_bit_s", "timeouts", "retransmitted_share")
    )
    for handover in ("to mobile", "to Wi-Fi"):
        assert (timeouts[handover]["wait"] >= 1).all()
        assert (timeouts[handover]["are lost"] == timeouts[handover]["wait"] + 1).all()
        assert (goodput[handover]["are lost"] < 0.97 * goodput[handover]["wait"]).all()
        waited = again[handover]["wait"]
        assert waited[["CUBIC without undo", "CUBIC, RFC 6675"]].min() > 3 * waited["CUBIC"]
    lost = goodput["to mobile"]["are lost"]
    assert lost["BBR"] < 0.8 * lost["CUBIC"]
    assert again["to mobile", "wait", "BBR"] > 0.05
    assert again["to Wi-Fi", "wait", "BBR"] < 0.001


def test_dctcp_incast(lab):
    results = lab(2)
    seconds, dropped, longest, delay = (
        means(results, name).unstack()
        for name in ("page_delay_s", "drop_share", "max_queue", "mean_queue_delay_s")
    )
    assert (seconds.loc[:20] < 0.012).all(axis=None)
    assert seconds["CUBIC"][40] > 0.2
    assert seconds["DCTCP"].max() < 0.012
    assert (dropped["CUBIC"] > 0.1).all()
    assert dropped["DCTCP"].loc[:20].max() == 0 < dropped["DCTCP"][40]
    assert (delay["DCTCP"].loc[:10] < 0.5 * delay["CUBIC"].loc[:10]).all()
    assert longest["DCTCP"][5] < 60 < longest["CUBIC"][5]
