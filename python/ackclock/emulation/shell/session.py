"""Run any program over the path of a scenario: ``ackclock shell``.

COMMAND runs at one end of the path, the chosen host. The other end is the peer of this host's first
flow. The network is that of the scenario, but its flows do not run: it carries only the packets of
programs.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock.campaign.identity import replication_seed
from ackclock.capture.points import plain_name, points_of
from ackclock.emulation.layout import Node, driver_setup
from ackclock.emulation.shell.caller import converse
from ackclock.emulation.shell.program import FOR_COMMAND, START_FILE
from ackclock.emulation.tcp_settings import code_problems, settings
from ackclock.emulation.verdict import deadline_ns, least_rtt_ns, verdict
from ackclock.emulation.virtual_time import guest, kernel
from ackclock.errors import InputError
from ackclock.scenario.plan import canonical_json, written_out

if TYPE_CHECKING:
    from ackclock.scenario import Compiled, Point

NAME = "ACKCLOCK_SHELL"
_LONGEST_PS = 10**18
"""Eleven days: the longest time that the core takes."""
_MTU = 1500
_SHOWN = 12
_USUAL_SHELL = "sh"
# Closes its own file, and then reads the files that an interactive bash reads.
_BASH = f"""exec {START_FILE}<&-
[ ! -r ~/.bashrc ] || . ~/.bashrc
PS1='[${NAME}] '"$PS1"
"""


@dataclass(frozen=True)
class Options:
    """The options of a shell in addition to the scenario and COMMAND.

    Attributes:
        at: name of the host at which COMMAND runs; by default the receiver of the first flow.
        server: command line of a program at the other end.
        profile: one of ``tcp_settings.PROFILES`` to apply the scenario's TCP as far as the kernel
            supports it; by default the kernel's TCP is unchanged.
        limit_s: time after which COMMAND is terminated, s.
        scheduling: "eevdf" or "plain" to prevent better scheduling classes.
        unprivileged: use a user namespace even as root.
        virtual_time: whether a kernel of its own runs all programs in virtual time.
    """

    at: str | None = None
    server: str | None = None
    profile: str | None = None
    limit_s: float | None = None
    scheduling: str | None = None
    unprivileged: bool = False
    virtual_time: bool = False


@dataclass(frozen=True)
class Ended:
    """The result of a shell.

    Attributes:
        code: exit code of COMMAND; 128 and more stand for a signal, as in shells.
        problem: reason why COMMAND could not be run; else empty.
        server_code: exit code of the server, if it had ended by itself.
        lost: number of packets that the scenario lost.
        verdict: "valid", "degraded" or "invalid".
        report: report of the driver.
        reasons: reasons for the verdict.
    """

    code: int
    problem: str
    server_code: int | None
    lost: int
    verdict: str
    report: Mapping[str, Any]
    reasons: list[str] = field(default_factory=list)


def shell(point: Point, words: Sequence[str], name: str, options: Options) -> Ended:
    """Run a program at one end of a scenario's path, with the terminal of this process.

    Args:
        point: point of the sweep.
        words: COMMAND and its arguments; if empty, the user's shell.
        name: name of the scenario, for prompts.
        options: other options.

    Raises:
        InputError: there is no such host, or no path of packet links; in virtual time, also if
            there is no kernel for it.
        RuntimeError: the emulation went wrong.
        KeyboardInterrupt: Ctrl-C before COMMAND began.
    """
    request = request_for(point, words, name, options)
    described = _in_virtual_time(request) if options.virtual_time else converse(request)
    rtt_ns = request["least_rtt_ns"]
    decided, reasons = verdict(described["report"], described["device_drops"], rtt_ns)
    return Ended(
        described["code"],
        described["problem"],
        described["server"],
        described["lost"],
        decided,
        described["report"],
        reasons,
    )


def _in_virtual_time(request: Mapping[str, Any]) -> dict[str, Any]:
    """Run the supervisor in a guest, with what standard input holds, and return its report.

    Raises:
        InputError: nothing can run in virtual time here, or the input would come from a terminal.
        RuntimeError: the guest reports a problem, or has died.
    """
    if why_not := kernel.problems():
        raise InputError(why_not)
    # While it waited for somebody who types, years would pass.
    given = b"" if sys.stdin.isatty() else sys.stdin.buffer.read()
    for program in filter(None, (request["command"], request["server"])):
        program["environment"]["TMPDIR"] = guest.TEMPORARY
    request = {**request, "folder": os.getcwd()}
    return guest.run("shell", request, nodes=len(request["nodes"]), given=given, shows=True)


def request_for(point: Point, words: Sequence[str], name: str, options: Options) -> dict[str, Any]:
    """Return the request to the launcher; ``supervisor.run`` reads it.

    Raises:
        InputError: there is no such host, or no path of packet links.
    """
    if not sys.platform.startswith("linux"):
        raise InputError("a shell needs Linux: packet sockets and namespaces")
    compiled = point.compile()
    if problems := code_problems(compiled.plan):
        raise InputError(problems)
    near, far = _ends(point, compiled, options.at)
    plan = path_of(compiled.without_probes(), near, far)
    made = _made(plan, near, options.profile)
    mtu = max([one.mtu for one in made], default=_MTU)
    nodes = [Node(near, "", 0), Node(far, "", 1)]
    setup = driver_setup(
        plan, nodes, mtu, deadline_ns(plan), 0, "veth", few_wakes=options.virtual_time
    )
    setup["capture"] = None
    ends: list[dict[str, Any]] = [{"sysctls": {}, "route": {}} for _ in nodes]
    for end, one in zip(ends, made, strict=False):
        end |= {"sysctls": one.sysctls, "route": one.route | {"congctl": one.congestion}}
    # Inner shells are reached through the host of this shell.
    ends[0]["sysctls"] = ends[0]["sysctls"] | {"ip_forward": "1"}
    return {
        "unprivileged": options.unprivileged,
        "nodes": [near, far],
        "ends": ends,
        "mtu": mtu,
        "least_rtt_ns": least_rtt_ns(plan),
        "driver": {
            "plan": canonical_json(plan),
            "seed": replication_seed(point.scenario.seed, 0),
            "setup": setup,
            "scheduling": options.scheduling,
        },
        "command": _command(words, name, options.limit_s),
        "server": None if options.server is None else _server(options.server),
    }


def path_of(plan: Mapping[str, Any], near: int, far: int) -> dict[str, Any]:
    """Return a plan of the same network for flows between two nodes, with a long duration."""
    plan = written_out(plan)
    flows = plan["flows"]
    chosen = [
        number
        for number, flow in enumerate(flows)
        if {flow["sender"], flow["receiver"]} == {near, far}
    ]
    links = [
        {**link, "flow_services": [link["flow_services"][number] for number in chosen]}
        if "flow_services" in link
        else link
        for link in plan["links"]
    ]
    return {
        **plan,
        "duration_ps": _LONGEST_PS,
        "warm_up_ps": 0,
        "links": links,
        "flows": [flows[number] for number in chosen],
    }


def _ends(point: Point, compiled: Compiled, at: str | None) -> tuple[int, int]:
    """Return the node of COMMAND and the node of its peer."""
    flows = written_out(compiled.plan)["flows"]
    if not flows:
        raise InputError(
            "the scenario has no flow of packets, and so no path for a program; cells cannot be"
            " emulated"
        )
    if at is None:
        return flows[0]["receiver"], flows[0]["sender"]
    peers: dict[int, int] = {}
    for flow in flows:
        peers.setdefault(flow["receiver"], flow["sender"])
        peers.setdefault(flow["sender"], flow["receiver"])
    places = points_of(point, compiled).places
    names = {name: place["node"] for name, place in places.items() if place.get("node") in peers}
    known = {plain_name(name): node for name, node in names.items()}
    if plain_name(at) not in known:
        listed = ", ".join(f'"{name}"' for name in list(names)[:_SHOWN])
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        raise InputError(f'--at "{at}": there is no such host; the hosts are {listed}{more}')
    near = known[plain_name(at)]
    return near, peers[near]


def _made(plan: Mapping[str, Any], near: int, profile: str | None) -> list[Any]:
    """Return the settings of both ends; none to leave the kernel's TCP unchanged."""
    if profile is None:
        return []
    [first, *_] = written_out(plan)["flows"]
    roles = ["receiver_tcp", "sender_tcp"]
    if first["sender"] == near:
        roles.reverse()
    return [settings(plan["tcps"][first[role]], profile) for role in roles]


def _command(words: Sequence[str], name: str, limit_s: float | None) -> dict[str, Any]:
    """Return COMMAND, or the user's shell with a prompt that shows the scenario."""
    environment = dict(os.environ)
    around = environment.get(NAME)
    environment[NAME] = f"{around}/{name}" if around else name
    start_file = None
    chosen = list(words)
    if not chosen:
        its = environment.get("SHELL") or shutil.which(_USUAL_SHELL) or _USUAL_SHELL
        chosen = [its]
        if os.path.basename(its) == "bash":
            chosen, start_file = [its, "--rcfile", START_FILE], _BASH
        else:
            environment["PS1"] = f"[{environment[NAME]}] $ "
    return {
        "words": chosen,
        "environment": environment,
        "start_file": start_file,
        "ignored": _ignored(),
        "is_server": False,
        "limit_s": limit_s,
    }


def _server(line: str) -> dict[str, Any]:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise InputError(f"--server {line}: {error}") from None
    if not words or shutil.which(words[0]) is None:
        what = f"{words[0]} is not found" if words else "names no program"
        raise InputError(f'--server "{line}": {what}; write for example "iperf3 -s"')
    return {
        "words": words,
        "environment": dict(os.environ),
        "start_file": None,
        "ignored": _ignored(),
        "is_server": True,
        "limit_s": None,
    }


def _ignored() -> list[int]:
    """Return the signals for COMMAND that this process ignores, as after nohup."""
    return [int(one) for one in FOR_COMMAND if signal.getsignal(one) == signal.SIG_IGN]
