"""Published studies, re-run: a folder each, and ``machinery`` for what is common to all.

A study is a declaration, ``STUDY`` in the module ``study`` of its folder, with these beside it:

| file | what |
|---|---|
| ``scenario.toml`` or ``scenarios/`` | every number of the study |
| ``published/`` | what the paper prints |
| ``metrics`` | one run in numbers |
| ``model`` | formulas of the paper, if it has some |
| ``claims`` | what the paper concludes, as tests |
| ``figures``, ``tables`` and ``report`` | what the report shows |
"""

from __future__ import annotations

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ackclock.studies.machinery.study import Study


class Listed(NamedTuple):
    """A study in the list of all.

    Attributes:
        path: "module:name" of its declaration, which is imported only when it is needed.
        help: what it is, in one sentence.
    """

    path: str
    help: str


STUDIES: Mapping[str, Listed] = {
    "ubr-web": Listed(
        "ackclock.studies.ubr_web.study:STUDY",
        "Re-run WWW traffic over UBR+ (ATM Forum 98-0876): 3 links, 2 drop policies, 4 TCPs.",
    ),
    "rfc2415": Listed(
        "ackclock.studies.rfc2415.study:STUDY",
        "Re-run increased initial windows (RFC 2415): 12 scenarios, IW 1 to 4, HTTP/1.0 and 1.1.",
    ),
    "newreno": Listed(
        "ackclock.studies.newreno.study:STUDY",
        "Re-run the throughput of TCP NewReno (Parvez et al.), and compare with five formulas.",
    ),
    "abr-web": Listed(
        "ackclock.studies.abr_web.study:STUDY",
        "Re-run WWW over ABR with ERICA+ (Vandalore et al.), and the same load over UBR.",
    ),
    "osu-tasks": Listed(
        "ackclock.studies.osu_tasks.study:STUDY",
        "Re-run TCP over UBR (Ohio State): seven tasks, from drop policies to late retransmission.",
    ),
    "bbr-share": Listed(
        "ackclock.studies.bbr_share.study:STUDY",
        "Re-run BBR beside loss-based flows (Ware et al. 2019): buffers, crowds and a formula.",
    ),
    "bbr-paths": Listed(
        "ackclock.studies.bbr_paths.study:STUDY",
        "Re-run BBR on lossy, changing and shared paths (Cardwell, Hock, Cao), and version 3.",
    ),
    "buffer-sizing": Listed(
        "ackclock.studies.buffer_sizing.study:STUDY",
        "Re-run router buffers (Appenzeller et al. 2004): one flow, and hundreds of flows.",
    ),
    "codel": Listed(
        "ackclock.studies.codel.study:STUDY",
        "Re-run CoDel (Nichols and Jacobson 2012): changing and static links, a consumer's link.",
    ),
    "bufferbloat": Listed(
        "ackclock.studies.bufferbloat.study:STUDY",
        "Re-run delay under load: drop-tail, CoDel, PIE, FQ-CoDel and CAKE; PIE and RED by load.",
    ),
    "dctcp": Listed(
        "ackclock.studies.dctcp.study:STUDY",
        "Re-run DCTCP (Alizadeh et al. 2010): its queue, its threshold, incast and convergence.",
    ),
    "l4s": Listed(
        "ackclock.studies.l4s.study:STUDY",
        "Re-run L4S (RFC 9332): Prague beside CUBIC through DualPI2, waits, shares, and a formula.",
    ),
    "slow-start": Listed(
        "ackclock.studies.slow_start.study:STUDY",
        "Re-run the end of slow start: standard, HyStart++ (RFC 9406) and HyStart (Linux).",
    ),
    "tail-loss": Listed(
        "ackclock.studies.tail_loss.study:STUDY",
        "Re-run loss repair: RACK-TLP, rate reduction (PRR) and F-RTO against their rules.",
    ),
    "initial-window": Listed(
        "ackclock.studies.initial_window.study:STUDY",
        "Re-run initial windows of 3, 4 and 10 segments (RFC 6928): round trips, and web pages.",
    ),
    "leo": Listed(
        "ackclock.studies.leo.study:STUDY",
        "Re-run TCP over paths that change: a satellite in low orbit, and LTE (Sprout, 2013).",
    ),
    "fairness-rtt": Listed(
        "ackclock.studies.fairness_rtt.study:STUDY",
        "Re-run shares of a link: RTTs, mixes of BBR and CUBIC, Vegas, LEDBAT, CUBIC's response.",
    ),
}
"""All studies, by their names on the command line."""


def study_of(name: str) -> Study:
    """The study of a name in ``STUDIES``."""
    study: Study = resolve_name(STUDIES[name].path)
    return study
