"""``ackclock reproduce``: published studies, re-run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from ackclock.cli import studies
from ackclock.cli.options import Several
from ackclock.errors import InputError

app = App(name="reproduce", help="Re-run a published study and compare.")

Switch = Annotated[bool, Parameter(negative=())]
_EMULATED_AT_A_TIME = 3


@app.command(name="ubr-web")
def ubr_web(
    *,
    replications: int = 1,
    jobs: int | None = None,
    seed: int = 1,
    set: Several | None = None,
    out: Path = Path("out/ubr-web"),
    links: Several | None = None,
    policies: Several | None = None,
    flavors: Several | None = None,
    buffers: Several | None = None,
    list_settings: Switch = False,
) -> None:
    """WWW traffic over UBR+ (ATM Forum 98-0876): 3 links, 2 drop policies, 4 TCPs, 3 buffers.

    An interrupted command goes on where it was when it is given again.

    Args:
        replications: Runs of each point, each with a seed of its own.
        jobs: Runs at the same time; by default one for each processor.
        seed: From which the seeds of all replications are derived.
        set: Change settings: key=value; see --list-settings.
        out: Folder for the tables and the report.
        links: Run these links only: WAN, MEO, GEO.
        policies: Run these drop policies only: EPD, SD.
        flavors: Run these TCPs only: Vanilla, Reno, NewReno, SACK.
        buffers: Run these buffers only: 0.5, 1, 2 RTT.
        list_settings: List all settings with their defaults, units and meanings, and run nothing.
    """
    if list_settings:
        studies.list_settings("ubr_web")
        return
    levels = {
        "links": links,
        "drop_policies": policies,
        "tcp_flavors": flavors,
        "buffers_rtt": buffers,
    }
    studies.run_study("ubr_web", studies.Asked(replications, seed, jobs, out, set, levels))


@app.command(name="rfc2415")
def rfc2415(
    *,
    replications: int = 1,
    jobs: int | None = None,
    seed: int = 1,
    set: Several | None = None,
    out: Path = Path("out/rfc2415"),
    parts: Several | None = None,
    webs: Several | None = None,
    ftps: Several | None = None,
    iw: Several | None = None,
    http: Several | None = None,
    page_clock: Literal["no_setup", "request", "open"] = "no_setup",
    list_settings: Switch = False,
) -> None:
    """Increased initial windows (RFC 2415): 12 scenarios, IW 1 to 4, HTTP/1.0 and HTTP/1.1.

    An interrupted command goes on where it was when it is given again.

    Args:
        replications: Runs of each point, each with a seed of its own.
        jobs: Runs at the same time; by default one for each processor.
        seed: From which the seeds of all replications are derived.
        set: Change settings: key=value; see --list-settings.
        out: Folder for the tables and the report.
        parts: Run these parts only: tables, half-and-half, reverse, red.
        webs: Run these numbers of web clients only: 8, 16, 32.
        ftps: Run these numbers of ftp clients only: 0, 1, 2, 3.
        iw: Run these initial windows only: 1, 2, 3, 4 segments.
        http: Run these versions of HTTP only: 1.0, 1.1.
        page_clock: Page delay without handshakes, from the first request, or from the first SYN.
        list_settings: List all settings with their defaults, units and meanings, and run nothing.
    """
    if list_settings:
        studies.list_settings("rfc2415")
        return
    levels = {"parts": parts, "webs": webs, "ftps": ftps, "iws": iw, "https": http}
    more = {"page_clock": page_clock}
    studies.run_study("rfc2415", studies.Asked(replications, seed, jobs, out, set, levels, more))


@app.command(name="newreno")
def newreno(
    *,
    replications: int = 1,
    jobs: int | None = None,
    seed: int = 1,
    set: Several | None = None,
    out: Path = Path("out/newreno"),
    parts: Several | None = None,
    emulate: Switch = False,
    emulation_duration: str | None = None,
    emulation_replications: int = 1,
    emulation_jobs: int = _EMULATED_AT_A_TIME,
    retry_invalid: Switch = False,
    list_settings: Switch = False,
) -> int:
    """Throughput of TCP NewReno (Parvez et al.): all experiments, beside five formulas.

    An interrupted command goes on where it was when it is given again. With --emulate this
    computer's kernel makes the transfers of Table III, too, in real time (Linux only). Exit code 1:
    this computer was too slow for one of them.

    Args:
        replications: Runs of each point, each with a seed of its own.
        jobs: Runs at the same time; by default one for each processor.
        seed: From which the seeds of all replications are derived.
        set: Change settings: key=value; see --list-settings.
        out: Folder for the tables and the report.
        parts: Run these parts only: bursty, variants, bernoulli, background, bottlenecks, udp,
            scaling, buffer, emulation, internet.
        emulate: Table III with the kernel's TCP, too: six transfers of 500 s in real time.
        emulation_duration: Of each, instead of the paper's 500 s, for example "120 s".
        emulation_replications: Transfers of the kernel at each imposed loss.
        emulation_jobs: Of these at the same time; more than one may make packets late, which the
            verdicts show.
        retry_invalid: Make emulated runs again for which this computer was too slow.
        list_settings: List all settings with their defaults, units and meanings, and run nothing.
    """
    if list_settings:
        studies.list_settings("newreno")
        return 0
    asked = studies.Asked(replications, seed, jobs, out, set, {"parts": parts})
    if emulate:
        from ackclock.studies.newreno.kernel.running import Emulating
        from ackclock.studies.newreno.result import KernelRequest

        kernel = KernelRequest(emulation_duration, emulation_replications)
        how = Emulating(emulation_jobs, retry_invalid)
        asked = replace(asked, more={"kernel": kernel}, how={"emulating": how})
    elif alone := _without_emulate(
        emulation_duration, emulation_replications, emulation_jobs, retry_invalid
    ):
        raise InputError([f"{option}: belongs to --emulate" for option in alone])
    result = studies.run_study("newreno", asked)
    return studies.print_banner(result.kernel.banner if result.kernel else None)


def _without_emulate(
    duration: str | None, replications: int, jobs: int, retry_invalid: bool
) -> list[str]:
    """The options of emulated runs that were given."""
    given = {
        "--emulation-duration": duration is not None,
        "--emulation-replications": replications != 1,
        "--emulation-jobs": jobs != _EMULATED_AT_A_TIME,
        "--retry-invalid": retry_invalid,
    }
    return [option for option, is_given in given.items() if is_given]


@app.command(name="abr-web")
def abr_web(
    *,
    replications: int = 1,
    jobs: int | None = None,
    seed: int = 1,
    set: Several | None = None,
    out: Path = Path("out/abr-web"),
    parts: Several | None = None,
    servers: Several | None = None,
    list_settings: Switch = False,
) -> None:
    """WWW over ABR with ERICA+ (Vandalore et al.): 1 to 15 servers; the same load over UBR.

    An interrupted command goes on where it was when it is given again.

    Args:
        replications: Runs of each point, each with a seed of its own.
        jobs: Runs at the same time; by default one for each processor.
        seed: From which the seeds of all replications are derived.
        set: Change settings: key=value; see --list-settings.
        out: Folder for the tables and the report.
        parts: Run these parts only: table2, service.
        servers: Run these numbers of servers only: 1 to 15; services are compared at 3, 5 and 10.
        list_settings: List all settings with their defaults, units and meanings, and run nothing.
    """
    if list_settings:
        studies.list_settings("abr_web")
        return
    levels = {"parts": parts, "servers": servers}
    studies.run_study("abr_web", studies.Asked(replications, seed, jobs, out, set, levels))


@app.command(name="osu-tasks")
def osu_tasks(
    *,
    replications: int = 1,
    jobs: int | None = None,
    seed: int = 1,
    set: Several | None = None,
    out: Path = Path("out/osu-tasks"),
    parts: Several | None = None,
    list_settings: Switch = False,
) -> None:
    """TCP over UBR (Ohio State): seven tasks, from drop policies to delayed retransmission.

    An interrupted command goes on where it was when it is given again.

    Args:
        replications: Runs of each point, each with a seed of its own; of points with 50 sources or
            more a third, rounded up, but no fewer than 2 if 2 or more are asked for.
        jobs: Runs at the same time; by default one for each processor.
        seed: From which the seeds of all replications are derived.
        set: Change settings of every part that has them: key=value; see --list-settings.
        out: Folder for the tables and the report.
        parts: Run these parts only: policies, buffers, guaranteed-rate, gfr, bursty, windows,
            retransmit.
        list_settings: List all settings with their defaults, units and meanings, and run nothing.
    """
    if list_settings:
        studies.list_settings("osu_tasks")
        return
    asked = studies.Asked(replications, seed, jobs, out, set, {"parts": parts})
    studies.run_study("osu_tasks", asked)
