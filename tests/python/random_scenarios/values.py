"""A value of a key, from the words in which the reference says what the key accepts."""

import json
import re
from functools import cache

from hypothesis import strategies as st

from ackclock.scenario.metric_names import METRIC_NAMES
from own_tcp_runs import CLASSES

TIMES = ["1 ns", "1 us", "100 us", "1 ms", "7 ms", "20 ms", "50 ms", "0.1 s", "= 2 * '5 ms'", "3 s"]
FILES = {
    "path.csv": "time_ms,rate_mbit_s,delay_ms,loss,up\n0,5,3,0,\n40,,,0.1,\n60,1,9,,0\n90,,,0,1\n",
    "trace.down": "1\n1\n4\n9\n9\n9\n",
    "flows.csv": "start_s,bytes\n0.001,900\n0.02,30000\n0.02,1\n0.3,5000\n",
    "reno.py": (CLASSES / "reno.py").read_text(encoding="utf-8"),
}
"""Texts of the files that scenarios name."""
RATES = ["10 Mbit/s", "1 Mbit/s", "2.5 Mbit/s", "33.3 Mbit/s", "= 3 * '1 Mbit/s'", "56 kbit/s"]
SIZES = ["1 B", "40 B", "536 B", "1460 B", "9180 B", "4 KiB", "64 kB", "= 100 + 400", "1 MB"]
_POOLS = {
    "time": TIMES,
    "rate": RATES,
    "size": SIZES,
    "amount of data": SIZES,
    "number of packets": ["1 packet", "3 packets", "20 packets", "500 packets"],
    "number of round-trip times": ["0.01 rtt", "0.5 rtt", "1 rtt", "4 rtt"],
    "number of cells": ["1 cell", "50 cells", "531 cells", "5000 cells"],
    "number of segments": ["1 segment", "4 segments", "44 segments"],
    "rate of cells": ["1 cells/s", "10 cells/s", "5000 cells/s"],
    "power of two from 2 to 256": [2, 16, 32, 256],
    "1, 1/2, 1/4 ... 1/32768: a text or a number": [1, "1/2", "1/16", "1/32768", 0.25],
    "1, 1/2, 1/4 ... 1/64, or 0: a text or a number": [0, 1, "1/16", "1/64"],
    '"common" | "open" | "uniform" and a time': ["common", "open", "uniform 1 ms", "uniform 0.1 s"],
    '"off" | "all" | list of names of flows': ["off", "all", ["flow 1"], ["nobody"]],
    'true | false | "all" | list of names of links': [True, False, "all", ["r1 -> r2"], ["no"]],
    "true | list of names of links": [True, ["r1 -> r2"], ["no"]],
    '"mah_http" | "web_search" | "data_mining" | "campus" | "campus_10mb", name of a CSV file, '
    "or size above 0": [
        "mah_http",
        "web_search",
        "campus",
        "2 kB",
        "100 kB",
    ],
    "name of a metric": list(METRIC_NAMES),
    "number": [0, 1, 2, 20],
    "frequency": ["0.1 Hz", "1 Hz", "3.2 Hz", "1 kHz"],
    "name of a file": ["path.csv", "trace.down"],
    '{ python = "my_tcp.py:MyControl" }': [{"python": "reno.py:Reno"}, {"python": "no.py:Reno"}],
    "name of a DSCP": ["EF", "CS1", "AF41", "LE"],
}
_ZERO = {"time": "0 ms", "rate": "0 Mbit/s", "size": "0 B"}
_WORD = re.compile(r'"[^"]*"( \| "[^"]*")*')
_WHOLE = re.compile(r"whole number from (\d+) to (\d+)")
_NUMBER = re.compile(r"number (from|above) (\d+) (?:to|and at most) (\d+)")
_SHARE = re.compile(r"share (from|above) 0 (?:to|and at most|and below) 1: a number, or per cent")
_MORE = 8
"""Whole numbers are drawn up to so many above the least; now and then any is."""


@cache
def of(accepts):
    """A strategy for what is accepted, in words of the reference.

    Raises:
        NotImplementedError: nothing here knows the words.
    """
    if accepts in _POOLS:
        return st.sampled_from(_POOLS[accepts])
    if accepts.startswith("list of "):
        return st.lists(of(accepts.removeprefix("list of ")), max_size=5)
    known = [_plain(part) for part in re.split(r",? or (?!per cent)", accepts)]
    if None in known:
        raise NotImplementedError(f"no strategy for a key that accepts {accepts}")
    return st.one_of(known)


def _plain(accepts):
    bare = accepts.removesuffix(" above 0")
    if _WORD.fullmatch(accepts):
        return st.sampled_from([json.loads(word) for word in accepts.split(" | ")])
    if accepts == "true | false":
        return st.booleans()
    if bare in _POOLS:
        zero = [_ZERO[bare]] if bare == accepts and bare in _ZERO else []
        return st.sampled_from([*_POOLS[bare], *zero])
    if match := _WHOLE.fullmatch(accepts):
        least, most = map(int, match.groups())
        few = st.integers(least, min(most, least + _MORE))
        return few | few | few | st.integers(least, most)
    if match := _NUMBER.fullmatch(accepts):
        least, most = int(match[2]), int(match[3])
        return _decimals(least, min(most, least + 3), match[1] == "from")
    if match := _SHARE.fullmatch(accepts):
        of_one = accepts.replace("at most", "to").find(" to 1") > 0
        ends = ["0", "100 %"] if of_one else []
        return _decimals(0, 1, match[1] == "from") | st.sampled_from(
            ["5 %", 0.5, "12.5 %", *ends[1:]]
        )
    return None


def _decimals(least, most, equal):
    """Numbers of three decimals."""
    thousandths = st.integers(1000 * least + (not equal), 1000 * most - 1)
    return thousandths.map(lambda number: number / 1000)
