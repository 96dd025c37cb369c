"""The kernel's report on a connection: ``struct tcp_info`` of <linux/tcp.h>.

Newer kernels append fields to the struct; fields that a kernel does not report are missing.
"""

from __future__ import annotations

import socket
import struct
from typing import Any

_WORDS = (
    *("rto", "ato", "snd_mss", "rcv_mss"),
    *("unacked", "sacked", "lost", "retrans", "fackets"),
    *("last_data_sent", "last_ack_sent", "last_data_recv", "last_ack_recv"),
    *("pmtu", "rcv_ssthresh", "rtt", "rttvar", "snd_ssthresh", "snd_cwnd", "advmss", "reordering"),
    *("rcv_rtt", "rcv_space", "total_retrans"),
)
_FIELDS = (
    *((name, "B") for name in ("state", "ca_state", "retransmits", "probes", "backoff")),
    *((name, "B") for name in ("options", "wscale", "flags")),
    *((name, "I") for name in _WORDS),
    *((name, "Q") for name in ("pacing_rate", "max_pacing_rate", "bytes_acked", "bytes_received")),
    *((name, "I") for name in ("segs_out", "segs_in", "notsent_bytes", "min_rtt")),
    *((name, "I") for name in ("data_segs_in", "data_segs_out")),
    *((name, "Q") for name in ("delivery_rate", "busy_time", "rwnd_limited", "sndbuf_limited")),
    *((name, "I") for name in ("delivered", "delivered_ce")),
    *((name, "Q") for name in ("bytes_sent", "bytes_retrans")),
    *((name, "I") for name in ("dsack_dups", "reord_seen", "rcv_ooopack", "snd_wnd")),
    *((name, "I") for name in ("rcv_wnd", "rehash")),
    *((name, "H") for name in ("total_rto", "total_rto_recoveries")),
    ("total_rto_time", "I"),
)
_ALL = struct.Struct("<" + "".join(code for _, code in _FIELDS))
_ENDS: list[tuple[str, int]] = []
_at = 0
for _name, _code in _FIELDS:
    _at += struct.calcsize(f"<{_code}")
    _ENDS.append((_name, _at))
_COUNTS = (
    *("bytes_acked", "bytes_received", "bytes_sent", "bytes_retrans"),
    *("segs_out", "segs_in", "data_segs_in", "data_segs_out", "total_retrans"),
    *("delivered", "delivered_ce", "dsack_dups", "reord_seen", "rcv_ooopack"),
    *("total_rto", "total_rto_recoveries", "total_rto_time"),
    *("busy_time", "rwnd_limited", "sndbuf_limited"),
)
_TCP_CC_INFO = 26
_NAME_BYTES = 16
_BBR = "bbr"
_BBR_INFO = struct.Struct("<IIIII")
_GAIN_1 = 256
_UNBOUNDED = 0x7FFF_FFFF
"""Linux' value of a slow-start threshold that was never set."""


def tcp_info(connection: socket.socket) -> dict[str, int]:
    """Return the fields that this kernel reports: counts, bytes; times in us, also rto and ato.

    Raises:
        OSError: the socket is closed.
    """
    return parsed(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _ALL.size))


def congestion_of(connection: socket.socket) -> str:
    """Return the name of a socket's congestion control.

    Raises:
        OSError: the socket is closed.
    """
    name = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, _NAME_BYTES)
    return name.partition(b"\0")[0].decode()


def of_congestion_control(connection: socket.socket, name: str) -> dict[str, int]:
    """Return the report of BBR; empty for other congestion controls.

    Raises:
        OSError: the socket is closed.
    """
    if name != _BBR:
        return {}
    return parsed_bbr(connection.getsockopt(socket.IPPROTO_TCP, _TCP_CC_INFO, _BBR_INFO.size))


def parsed_bbr(described: bytes) -> dict[str, int]:
    """Parse ``struct tcp_bbr_info``: bandwidth in bytes/s, RTT in us, gains in 1/256."""
    if len(described) < _BBR_INFO.size:
        return {}
    low, high, min_rtt, pacing_gain, cwnd_gain = _BBR_INFO.unpack_from(described)
    return {
        "bbr_bw": high << 32 | low,
        "bbr_min_rtt": min_rtt,
        "bbr_pacing_gain": pacing_gain,
        "bbr_cwnd_gain": cwnd_gain,
    }


def state_of(info: dict[str, int]) -> str | None:
    """Return the state of BBR, from its gains; none for other congestion controls.

    The gain of cwnd is 2.89 in startup and drain, 2 while BBR probes the bandwidth, and 1 while it
    probes the RTT. The pacing gain is above 1 in startup and below 1 in drain.
    """
    if "bbr_cwnd_gain" not in info:
        return None
    if info["bbr_cwnd_gain"] == _GAIN_1:
        return "probe_rtt"
    if info["bbr_cwnd_gain"] <= 2 * _GAIN_1:
        return "probe_bw"
    return "startup" if info["bbr_pacing_gain"] > _GAIN_1 else "drain"


def in_flight(info: dict[str, int]) -> int:
    """Return the data in flight by the sender's count, bytes."""
    segments = info["unacked"] - info["sacked"] - info["lost"] + info["retrans"]
    return max(segments, 0) * info["snd_mss"]


def parsed(described: bytes) -> dict[str, int]:
    """Parse a struct from the kernel; unknown fields of later kernels are left out."""
    described = described[: _ALL.size]
    values = _ALL.unpack(described.ljust(_ALL.size, b"\0"))
    pairs = zip(_ENDS, values, strict=True)
    return {name: value for (name, end), value in pairs if end <= len(described)}


def window(info: dict[str, int]) -> tuple[int, int, int]:
    """Return cwnd, ssthresh and flight size in bytes; the kernel counts segments.

    An unset slow-start threshold is 2**62, as in the simulator.
    """
    mss, ssthresh = info["snd_mss"], info["snd_ssthresh"]
    threshold = 1 << 62 if ssthresh >= _UNBOUNDED else ssthresh * mss
    return info["snd_cwnd"] * mss, threshold, info["unacked"] * mss


def summed(*infos: dict[str, int]) -> dict[str, int]:
    """Merge the fields of several connections: sums of counters, else the last value.

    Args:
        infos: fields of ``tcp_info`` of each connection, from the same kernel; may be empty.
    """
    described: dict[str, int] = {}
    for info in filter(None, infos):
        counts = {name: info[name] + described.get(name, 0) for name in _COUNTS if name in info}
        least = min(one["min_rtt"] for one in (described, info) if "min_rtt" in one)
        described = {**described, **info, **counts, "min_rtt": least}
    return described


def chosen(info: dict[str, Any]) -> dict[str, int]:
    """Return the fields of a connection that results contain."""
    names = (
        *("data_segs_out", "total_retrans", "total_rto", "rtt", "min_rtt", "rto", "bytes_acked"),
        *("pacing_rate", "delivery_rate", "delivered", "delivered_ce"),
        *("bbr_bw", "bbr_min_rtt", "bbr_pacing_gain", "bbr_cwnd_gain"),
    )
    return {name: info[name] for name in names if name in info}
