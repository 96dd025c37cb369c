"""``ackclock emulate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from ackclock.cli.options import Several
from ackclock.cli.output import say
from ackclock.cli.progress import campaign_progress
from ackclock.cli.reading import console, warnings_shown
from ackclock.cli.stopping import stopped_at_once

if TYPE_CHECKING:
    from ackclock.campaign import Campaign

FAILED = 1
_WORST = ("valid", "degraded", "invalid")


def emulate(
    file: Path,
    /,
    *,
    duration: str | None = None,
    profile: Literal["newreno-classic", "reno-sack", "reno", "cubic", "bbr"] | None = None,
    cc: str | None = None,
    out: Path | None = None,
    replications: int | None = None,
    set: Several | None = None,
    application: Literal["auto", "iperf3", "plain"] = "auto",
    ports: Literal["veth", "tun"] = "veth",
    scheduling: Literal["eevdf", "plain"] | None = None,
    spin: Annotated[bool, Parameter(negative=())] = False,
    unprivileged: Annotated[bool, Parameter(negative=())] = False,
    virtual_time: Annotated[bool, Parameter(negative=())] = False,
    jobs: int | None = None,
    retry_failed: Annotated[bool, Parameter(negative=())] = False,
    retry_invalid: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Run a scenario in real time, with the TCP of this computer's kernel (Linux only).

    Each group of flows uses the congestion control of its flavor, if this kernel has it. The
    results have the same format as those of `ackclock run`, plus a verdict on each run, and are
    kept in another folder. Exit code 1: a run failed, or this computer was too slow for it
    (verdict invalid).

    With --virtual-time, each run has a Linux kernel of its own, whose clock stands still while it
    computes. So no computer is too slow, and a run gives the same results every time. Build that
    kernel first, with `make virtual-time-kernel`.

    Args:
        file: A scenario file (TOML).
        duration: Duration of each run, for example "30 s"; by default as in the file.
        profile: Set of kernel mechanisms to use in all groups of flows; by default, for each group,
            the set that is nearest to its tcp.flavor.
        cc: Congestion control of all groups (reno, cubic, bbr), instead of the profile's.
        out: Folder for the runs; by default FILE.emulated, without .toml.
        replications: Number of runs of each point; by default as in the file.
        set: Change one key of the scenario: KEY=VALUE; may be repeated.
        application: Program that makes bulk transfers: iperf3, or ackclock's own sockets (plain);
            auto uses iperf3 if it is installed.
        ports: Network devices of the hosts: veth pairs, with timestamps by the kernel, or TUN.
        scheduling: Do not use a real-time scheduling policy; use eevdf or plain instead.
        spin: Busy-wait for the last 50 us before a packet is due, at rates below 50 Mbit/s.
        unprivileged: Create a user namespace, even if you are root.
        virtual_time: Run in virtual time instead of real time, with the TCP of the kernel of `make
            virtual-time-kernel`: slower or faster than real time, never late, and always the same.
        jobs: Number of runs at the same time; by default 1, in virtual time the number of
            processors. In real time, more than one reduces accuracy, because the runs compete for
            the processors; the verdicts show it.
        retry_failed: Repeat the runs that failed in an earlier command.
        retry_invalid: Repeat the runs whose verdict is invalid.
    """
    from ackclock.campaign import Campaign
    from ackclock.emulation.campaign import Options, application_of, emulation_folder
    from ackclock.emulation.campaign import emulate as emulated
    from ackclock.scenario import load

    if virtual_time:
        refuse_real_time(scheduling=scheduling, spin=spin, unprivileged=unprivileged)
    sets = [*(set or []), *([f'duration="{duration}"'] if duration else [])]
    folder = out or emulation_folder(file)
    options = Options(
        profile,
        cc,
        scheduling,
        spin,
        unprivileged,
        application=application_of(application, virtual_time=virtual_time),
        ports=ports,
        virtual_time=virtual_time,
    )
    scenario = load(file, sets)
    with stopped_at_once(), warnings_shown(), campaign_progress(as_json=False) as on_progress:
        summary = emulated(
            scenario,
            folder,
            options,
            sets=sets,
            replications=replications,
            jobs=jobs,
            retry_failed=retry_failed,
            retry_invalid=retry_invalid,
            on_progress=on_progress,
        )
    say(summary)
    campaign = Campaign.open(folder)
    _show(folder, campaign)
    worst = _print(campaign)
    if worst == "invalid":
        say("this computer was too slow or busy for some runs; repeat them with --retry-invalid")
    return FAILED if summary.failed or worst == "invalid" else 0


def refuse_real_time(**options: object) -> None:
    """Refuse options that have no meaning in virtual time.

    Raises:
        InputError: one of the options is given.
    """
    from ackclock.errors import InputError

    if given := [f"--{name}" for name, value in options.items() if value]:
        raise InputError(f"{given[0]}: is about real time; leave out either that or --virtual-time")


def _show(folder: Path, campaign: Campaign) -> None:
    """The table that ``ackclock show`` prints; and why runs have failed."""
    from ackclock.results.grids import rich_table
    from ackclock.results.results import Results

    for failure in campaign.failures:
        say(f"ackclock: failed: {failure.reason}")
    if campaign.runs:
        with warnings_shown():
            console().print(rich_table(Results.open(folder).grid()))


def _print(campaign: Campaign) -> str:
    """The verdict on each run, and differences between scenario and kernel; the worst verdict."""
    differences: dict[str, None] = {}
    used: dict[str, None] = {}
    from ackclock.plots.quantities import point_text

    worst = _WORST[0]
    for run in campaign.runs:
        described = run.row["emulation"]
        where = point_text(run.levels)
        name = f"{where}, replication {run.replication}" if where else f"run {run.replication}"
        say(f"{name}: {described['verdict']}; {lateness(described)}")
        for reason in described["reasons"]:
            say(f"  {reason}")
        worst = max(worst, described["verdict"], key=_WORST.index)
        for settings in described.get("settings", ()):
            differences |= dict.fromkeys(settings["differences"])
            used |= dict.fromkeys(_used(settings))
    if len(used) > 1:
        for sentence in used:
            say(sentence)
    for difference in differences:
        say(f"the kernel differs: {difference}")
    return worst


def _used(settings: dict[str, Any]) -> list[str]:
    """What each group of flows ran."""
    return [
        f'group "{group}": flavor {settings["flavor"]}, in the kernel {settings["congestion"]}'
        f" (profile {settings['profile']})"
        for group in settings.get("groups", ())
    ]


def lateness(described: dict[str, Any]) -> str:
    """Describe how late packets were sent."""
    late = described["left_late"]
    return (
        f"packets left late by {late['p50_us']:.0f} us (median), {late['p99_us']:.0f} us (99 %),"
        f" {late['max_us']:.0f} us at most; scheduling {described['scheduling']}"
    )
