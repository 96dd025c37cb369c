"""The study's scenario file, and what ``--set`` may change in it."""

from __future__ import annotations

from ackclock import scenario
from ackclock.studies.common.file import StudyFile
from ackclock.studies.common.parts import Parts
from ackclock.studies.newreno.levels import BACKGROUND, RUN_PARTS
from ackclock.studies.newreno.parts import FILE, OWN_SETS
from ackclock.studies.newreno.result import Request

_PACKETS, _SHARE, _TIME, _SIZE, _NUMBER = (
    "a number of packets",
    "a share",
    "a time",
    "a size",
    "a whole number",
)
STUDY = StudyFile(
    FILE,
    "--parts",
    {
        "run_time": (_TIME, "Simulated time of a run; section V has its own."),
        "settling": (_SHARE, "Share of a run that counts for nothing; section V has its own."),
        "rate": ("a rate", "Rate of the bottleneck; sections IV-B, IV-G and V have their own."),
        "buffer": (_PACKETS, "Queue limit; several sections have their own."),
        "rtt": (_TIME, "Round-trip propagation delay of the foreground flows."),
        "newreno": (_NUMBER, "Foreground flows of NewReno."),
        "reno": (_NUMBER, "Foreground flows of Reno."),
        "background": (_NUMBER, "Web sessions and file transfers at each bottleneck."),
        "http_share": (_SHARE, "Share of web sessions among them."),
        "udp": (_NUMBER, "UDP flows."),
        "loss": ("a number", "Loss events a packet, or losses in percent of the packets."),
        "burst": (_NUMBER, "Packets that are lost in a loss event."),
        "losses_of": (
            "all, data, new_data or acks",
            "The packets that imposed single losses may hit.",
        ),
        "events_of": ("all, data, new_data or acks", "The packets that loss events are made of."),
        "red_max_p": (_SHARE, "RED: drops at the upper threshold, a share of the packets."),
        "red_weight": (_SHARE, "RED: weight of a packet's arrival in the mean queue."),
        "red_gentle": ("true or false", "RED: drops grow on beyond the upper threshold."),
        "red_adaptive": ("true or false", "RED: red_max_p follows the mean queue."),
        "foreground_window": (_SIZE, "Receive buffer of the foreground flows."),
        "foreground_start": (_TIME, "Earliest start of a foreground flow."),
        "start_spread": (_TIME, "Starts are uniform in a time so long."),
        "least_rtt": (_TIME, "Least round-trip propagation delay of a background flow."),
        "most_rtt": (_TIME, "Largest round-trip propagation delay of a background flow."),
        "request_size": (_SIZE, "Web sessions: data of a request."),
        "file_mean": (_SIZE, "Web sessions: mean size of a file."),
        "file_shape": ("a number above 1", "Web sessions: shape of the sizes' Pareto law."),
        "think_time": (_TIME, "Web sessions: mean time before the next request."),
        "udp_rate": ("a rate", "UDP: rate of a flow while it sends."),
        "udp_packet": (_SIZE, "UDP: size of a packet."),
        "udp_delay": (_TIME, "UDP: one-way propagation delay."),
        "udp_on": (_TIME, "UDP: mean time for which a flow sends."),
        "udp_off": (_TIME, "UDP: mean time for which it does not."),
        "udp_shape": ("a number above 1", "UDP: shape of the Pareto laws of these times."),
        "testbed_smss": (_SIZE, "Section V: segment with its timestamps, which take 12 B."),
        "testbed_min_rto": (_TIME, "Section V: floor of the sender's time-out."),
        "testbed_min_rto_of": ("rto or variance", "Section V: what that is the floor of."),
        "testbed_limited_transmit": ("true or false", "Section V: tcp.limited_transmit."),
        "testbed_initial_window": (_NUMBER, "Section V: initial window, segments."),
        "testbed_delayed_ack": (_TIME, "Section V: how long an ACK may wait."),
        "testbed_quick_acks": (_NUMBER, "Section V: ACKs at the start that do not wait."),
    },
    decided=("topology.long_flows", "topology.cross_flows"),
    sweep_stays=True,
)
_PARTS = Parts(STUDY, OWN_SETS)


def study_scenario(request: Request) -> scenario.Scenario:
    """The scenario of section IV-D, or of the first part that is to be run if it is not among them.

    Raises:
        InputError: with all that is wrong with what the request changes, in any part.
    """
    found = part_scenarios(request)
    first = found.get(BACKGROUND) or next(iter(found.values()), None)
    return first or _PARTS.load(BACKGROUND, request.sets, request.seed)


def part_scenarios(request: Request) -> dict[str, scenario.Scenario]:
    """The scenario of each part that is to be run, with what the request changes.

    Raises:
        InputError: with all that is wrong with the changes.
    """
    parts = [part for part in request.selection.parts if part in RUN_PARTS]
    return _PARTS.scenarios(parts, request.sets, request.seed)
