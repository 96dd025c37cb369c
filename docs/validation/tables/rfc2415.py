"""The tables of rfc2415.md."""

from __future__ import annotations

from pathlib import Path

from alternatives import ALL

from ackclock.studies.rfc2415.analysis import errors
from tables.claims import claims
from tables.markdown import read, setting_text, table


def distances(folder: Path) -> str:
    """Mean absolute distances from the published tables."""
    found = errors(read(folder, "comparison", words=["misprinted"]))
    rows = (
        (
            "median page delay at IW 1, HTTP/1.0 (Table 1)",
            f"{found.delay_http10_pct:.1f} %",
        ),
        (
            "median page delay at IW 1, HTTP/1.1 (Table 4)",
            f"{found.delay_http11_pct:.1f} %",
        ),
        ("its decrease at IW 2, 3 and 4 (Tables 1 and 4)", f"{found.decrease:.1f} points"),
        ("utilisation (Table 2)", f"{found.utilisation:.1f} points"),
        ("drops (Table 2, without the three misprinted rows)", f"{found.drops:.2f} points"),
    )
    return table(("", "mean absolute difference"), rows)


def handshake(folder: Path) -> str:
    """Distances with and without an RTT sample of the handshake, table by table."""
    found = read(folder, "alternatives", words=["group"])
    every = found[found["metric"] == ALL].set_index(["label", "group"])
    labels = list(dict.fromkeys(found["label"]))
    rows = []
    for group in dict.fromkeys(found["group"]):
        its = [every.loc[(label, group)] for label in labels]
        rows.append(
            (
                "all" if group == ALL else f"Table {group}",
                f"{its[0]['n']:.0f}",
                *(f"{each['distance']:.2f}" for each in its),
                *(f"{100 * each['relative']:.1f}" for each in its),
                *(f"{each['inside']:.0f}" for each in its),
            )
        )
    heads = ("distance in half-widths", "relative error (%)", "inside")
    columns = [f"{head}, {label}" for head in heads for label in labels]
    return table(("", "printed numbers", *columns), rows)


def attempts(folder: Path) -> str:
    """By how much drops rise from IW 1 to 4 under each setting that was tried, points."""
    rows = []
    for setting, its in read(folder, "attempts").groupby("setting", sort=False):
        drops = its.pivot(index=["webs", "ftps"], columns="iw", values="drop_pct")
        rise = drops[4] - drops[1]
        rises = [", ".join(f"{each:.1f}" for each in rise[webs]) for webs in (16, 32)]
        most = drops.loc[(32, 3)]
        rows.append((setting_text(setting), *rises, f"{most[1]:.1f}", f"{most[4]:.1f}"))
    heads = ("16 webs, 0 to 3 ftps", "32 webs, 0 to 3 ftps", "IW 1, 32/3 (%)", "IW 4, 32/3 (%)")
    return table(("setting", *heads), rows)


TABLES = {"distances": distances, "handshake": handshake, "claims": claims, "attempts": attempts}
