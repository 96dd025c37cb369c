"""Convert the TCP of a plan to kernel settings: sysctls, options of a route and of sockets.

The kernel has one TCP with many settings. A setting of a scenario that the kernel does not support
is reported as a difference. A profile selects the kernel's mechanisms:

- newreno-classic: reno; no SACK, D-SACK, F-RTO, TLP, autocorking;
- reno-sack: reno with SACK, and so with RACK, which present kernels always use with SACK; no
  F-RTO, TLP, autocorking;
- reno, cubic, bbr and any other congestion control: the kernel's defaults with that congestion
  control.

Congestion control, Nagle's algorithm, window and pacing belong to a socket; sysctls, route and MTU
to a host.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ackclock.errors import InputError
from ackclock.scenario.presets import presets, properties, uses

PROFILES = ("newreno-classic", "reno-sack", "reno", "cubic", "bbr")
"""Profiles to choose from; a flavor may also give the profile of another congestion control."""
_CLASSIC = ("newreno-classic", "reno-sack")
_OF_CLASSIC = "reno"
_PACES_ITSELF = ("bbr", "bbr3", "prague")
"""Congestion controls whose sockets the kernel always paces."""

_HEADERS = 40
_PS_PER_MS = 10**9
_UNBOUNDED = 1 << 61
_FIRST_BUFFER = 128 << 10
"""Initial size of an auto-tuned buffer, bytes: the kernel's default, half of it for the window."""
_LEAST_BUFFER = 4 << 20
_MOST_BUFFER = 1 << 30
_INITIAL_RTO_PS = 10**12
"""Initial RTO by RFC 6298; the kernel has no setting for it."""


@dataclass(frozen=True)
class Settings:
    """Settings of the kernel for a TCP of a plan.

    Attributes:
        profile: one of ``PROFILES``, or the name of another congestion control.
        flavor: flavor in the plan.
        congestion: name of the congestion control.
        sysctls: sysctls of the namespace, by name below ``net.ipv4``.
        route: options of the default route, in the syntax of ``ip route``.
        window: largest advertised window, bytes; none if the kernel tunes its buffers.
        nodelay: whether sockets send without Nagle's algorithm.
        paced: whether segments are paced.
        mtu: maximum transmission unit of the device, bytes.
        differences: settings of the scenario that the kernel does not follow.
    """

    profile: str
    flavor: str
    congestion: str
    sysctls: dict[str, str]
    route: dict[str, str]
    window: int | None
    nodelay: bool
    paced: bool
    mtu: int
    differences: tuple[str, ...] = field(default=())

    def of_socket(self) -> dict[str, Any]:
        """Return the settings of each socket, for ``connection.Options``."""
        return {
            "congestion": self.congestion,
            "nodelay": self.nodelay,
            "window": self.window,
            "paced": self.paced and self.congestion not in _PACES_ITSELF,
        }

    def of_host(self) -> dict[str, Any]:
        """Return the settings that all sockets of a host share."""
        return {"sysctls": self.sysctls, "route": self.route, "mtu": self.mtu}


def code_problems(plan: Mapping[str, Any]) -> list[str]:
    """Return messages about TCPs of a plan that are Python code, which no kernel can run."""
    codes = [
        tcp["flavor"]["python"]
        for tcp in plan.get("tcps", ())
        if not isinstance(tcp["flavor"], str)
    ]
    return [
        f"the flavor {code['file']}:{code['class']} is Python code, which this computer's TCP"
        ' cannot run; write for example flavor = "cubic"'
        for code in codes
    ]


def profile_of(tcp: Mapping[str, Any]) -> str:
    """Return the profile that is closest to a TCP of a plan."""
    flavor = tcp["flavor"]
    congestion = str(properties(flavor)["in_linux"])
    if congestion != _OF_CLASSIC or _finds_by_time(tcp):
        return congestion
    return "reno-sack" if presets(flavor)["sack"] else "newreno-classic"


def _finds_by_time(tcp: Mapping[str, Any]) -> bool:
    """Return whether the simulated TCP has RACK, as the kernel has with SACK."""
    options = tcp["options"]
    return bool(options["sack"]) and options.get("loss_detection") == "rack"


def settings(
    tcp: Mapping[str, Any], profile: str | None = None, congestion: str | None = None
) -> Settings:
    """Return the kernel's settings for a TCP of a plan.

    Args:
        tcp: TCP of the plan.
        profile: one of ``PROFILES``, instead of the closest one.
        congestion: name of a congestion control, instead of the profile's.

    Raises:
        InputError: the profile does not exist.
    """
    if profile is not None and profile not in PROFILES:
        names = ", ".join(PROFILES)
        raise InputError(f'--profile {profile}: choose from {names}; write for example "cubic"')
    name = profile or profile_of(tcp)
    its = congestion or (_OF_CLASSIC if name in _CLASSIC else name)
    return Settings(
        profile=name,
        flavor=tcp["flavor"],
        congestion=its,
        sysctls=_sysctls(tcp, name),
        route=_route(tcp),
        window=None if _tunes(tcp) else _window(tcp),
        nodelay=not tcp["nagle"],
        paced=its in _PACES_ITSELF or tcp["options"].get("pacing", "off") == "rate",
        # The segment size includes the timestamps option.
        mtu=tcp["smss_bytes"] + _HEADERS,
        differences=tuple(_differences(tcp, name, its)),
    )


def _tunes(tcp: Mapping[str, Any]) -> bool:
    """Return whether the receive buffer grows on demand: kernel tuning without the 6 MB limit."""
    return "receive_buffer_initial_bytes" in tcp


def _window(tcp: Mapping[str, Any]) -> int:
    return min(int(tcp["receive_buffer_bytes"]), _MOST_BUFFER)


def _sysctls(tcp: Mapping[str, Any], profile: str) -> dict[str, str]:
    options, classic = tcp["options"], profile in _CLASSIC
    buffer = min(max(4 * tcp["receive_buffer_bytes"], _LEAST_BUFFER), _MOST_BUFFER)
    least = _FIRST_BUFFER if _tunes(tcp) else buffer
    sysctls = {
        "tcp_sack": profile != "newreno-classic",
        "tcp_timestamps": options["timestamps"],
        "tcp_window_scaling": tcp["window_scale"] is not None,
        "tcp_ecn": options["ecn"],
        "tcp_slow_start_after_idle": tcp["idle_restart"],
        "tcp_moderate_rcvbuf": _tunes(tcp),
        "tcp_no_metrics_save": True,
        "tcp_rmem": f"4096 {least} {buffer}",
        "tcp_wmem": f"4096 {_LEAST_BUFFER} {buffer}",
    }
    if classic:
        sysctls |= {
            "tcp_dsack": profile != "newreno-classic" and options["dsack"],
            "tcp_frto": False,
            "tcp_early_retrans": False,
            "tcp_autocorking": False,
        }
    elif _finds_by_time(tcp):
        # Enabled mechanisms keep the kernel's number, because it is more than a switch.
        off = {"tlp": "tcp_early_retrans", "f_rto": "tcp_frto", "dsack": "tcp_dsack"}
        sysctls |= {name: False for key, name in off.items() if not options[key]}
    return {
        name: str(int(value)) if isinstance(value, bool) else value
        for name, value in sysctls.items()
    }


def _route(tcp: Mapping[str, Any]) -> dict[str, str]:
    options = tcp["options"]
    route = {
        "initcwnd": str(tcp["initial_window_segments"]),
        "rto_min": f"{max(options['min_rto_ps'] // _PS_PER_MS, 1)}ms",
    }
    if not _tunes(tcp):
        route["window"] = str(_window(tcp))
    if options["delayed_ack_ps"] is None:
        route["quickack"] = "1"
    return route


def _differences(tcp: Mapping[str, Any], profile: str, congestion: str) -> list[str]:
    options = tcp["options"]
    described = []
    if profile_of(tcp) != profile:
        described.append(f"flavor {tcp['flavor']}: the kernel runs profile {profile}")
    elif congestion != properties(tcp["flavor"])["in_linux"]:
        described.append(f"flavor {tcp['flavor']}: the kernel runs {congestion}")
    elif profile == "newreno-classic" and not uses(tcp["flavor"], "partial_ack_timer"):
        described.append(
            f"flavor {tcp['flavor']}: the kernel's reno recovers from partial ACKs (NewReno)"
        )
    if profile != "newreno-classic" and not _finds_by_time(tcp):
        described.append(
            "with SACK the kernel detects losses by time (RACK) as well as by duplicate ACKs"
        )
    if options["growth"] == "acks" and profile in _CLASSIC:
        described.append("cwnd grows by acknowledged segments, not by ACKs")
    if options["ssthresh_rounding"] == "bytes" and profile in _CLASSIC:
        described.append("ssthresh is counted in whole segments")
    if options["delayed_ack_ps"] is not None:
        described.append(
            "ACKs are delayed by 40 to 200 ms as the kernel decides, and not at the beginning"
        )
    if tcp["initial_ssthresh_bytes"] < _UNBOUNDED:
        described.append("the initial slow-start threshold is unbounded")
    if options["initial_rto_ps"] != _INITIAL_RTO_PS:
        described.append("the first retransmission time-out is 1 s")
    if not tcp["historic"]["handshake_sample"]:
        described.append("the ACK of the SYN is a sample of the RTT")
    described += _of_today(options, congestion)
    if options["timers"] == "ticks":
        described.append("retransmission timers have the granularity of the kernel's ticks")
    return described


def _of_today(options: Mapping[str, Any], congestion: str) -> list[str]:
    """Return differences in present-day mechanisms; a missing key means it is off."""
    described = []
    if congestion in _PACES_ITSELF and options.get("pacing", "cc") == "off":
        described.append(f"{congestion} paces its segments")
    if congestion == "cubic" and options.get("slow_start", "hystart") != "hystart":
        described.append("the kernel's CUBIC leaves slow start by HyStart")
    if options["ecn"] and options.get("ecn_feedback") == "accurate":
        described.append("marks are reported as in RFC 3168: accurate ECN needs a later kernel")
    return described
