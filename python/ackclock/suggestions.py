"""Suggestions for a name that does not exist: the probable or the nearest one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Any

_IN_PLACE_OF = {
    # Congestion controls.
    "cubic": "bic ctcp compound highspeed hstcp htcp hybla illinois scalable",
    "bbr3": "bbr2 copa",
    "vegas": "fast veno yeah",
    "vanilla": "tahoe",
    # Queue disciplines.
    "red": "ared choke gred wred",
    "cobalt": "blue",
    "dualpi2": "dualq l4s pi2",
    "drop_tail": "bfifo fifo pfifo taildrop",
    "drr": "dwrr sfq wfq wrr",
    "priority": "pfifo_fast prio skbprio",
    "token_bucket": "hfsc htb shaper tbf",
    "policer": "police srtcm trtcm",
    # Models of access networks, and files of paths.
    "lte": "4g 5g cellular mobile",
    "starlink": "leo satellite",
    "wifi": "80211 wlan",
    "mahimahi": "trace",
    # Workloads.
    "bulk": "file greedy iperf iperf3",
    "http11": "http http2 http3 https web",
    "cbr": "udp voip",
    "arrivals": "open_loop poisson",
    "rpc": "netperf request_response tcp_rr",
    "video": "dash hls streaming",
    # Metrics.
    "goodput_bit_s": "bandwidth rate speed",
    "rtt_s": "latency ping",
    "mean_queue_delay_s": "queueing_delay queuing_delay",
    "queue_delay_p99_s": "bufferbloat p99 percentile tail_latency",
    "completion_s": "fct flow_completion_time",
    "drop_share": "loss_rate packet_loss",
    "rebuffer_s": "rebuffering stalls",
    "video_qoe": "qoe",
}
"""Supported names, each with the well-known unsupported names that it can replace."""
_INSTEAD = {word: name for name, words in _IN_PLACE_OF.items() for word in words.split()}
_SHORTEST_PART = 3
_MOST_COMPARED = 10_000
"""Of a million flows, the first ones show how they are named."""


def instead_of(word: Any, known: Iterable[str]) -> str | None:
    """Return the supported replacement of a well-known name; none for any other word."""
    instead = _INSTEAD.get(_plain(word))
    return instead if instead in known else None


def nearest(word: Any, known: Iterable[str]) -> str | None:
    """Return the most similar known word; none if no known word is similar."""
    by_plain = {_plain(name): name for name in reversed(list(islice(known, _MOST_COMPARED)))}
    wanted = _plain(word)
    if wanted in by_plain:
        return by_plain[wanted]
    if len(wanted) >= _SHORTEST_PART:
        for plain, name in reversed(by_plain.items()):
            if wanted in plain:
                return name
    close = get_close_matches(wanted, by_plain, n=1)
    return by_plain[close[0]] if close else None


def hint(word: Any, known: Iterable[str], quote: str = '"') -> str:
    """Return the end of a message that suggests the most similar known word; may be empty."""
    known = list(known)
    instead = instead_of(word, known)
    if instead:
        return f"ackclock has no {word}, the nearest is {quote}{instead}{quote}"
    close = nearest(word, known)
    return f"did you mean {quote}{close}{quote}?" if close else ""


def there_are(names: Sequence[str]) -> str:
    """Return the end of a message that lists the names: "there are a, b", "there is only a"."""
    if len(names) == 1:
        return f"there is only {names[0]}"
    return f"there are {', '.join(names)}"


def _plain(word: Any) -> str:
    """Return a word without the differences in spelling that do not matter."""
    return str(word).casefold().replace("-", "_").replace(" ", "_")
