"""What RFC 2415 prints, in rows of one number."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ackclock.studies.rfc2415.levels import HALF_IWS, IWS, SPLIT

_FOLDER = Path(__file__).parent / "published"
MISPRINTED_FTPS = (0, 1, 2)
"""With 32 webs, Table 2 repeats the drop rates of 16 webs: never a target."""
COLUMNS = ["table", "webs", "ftps", "http", "iw", "metric", "published"]


def tables() -> pd.DataFrame:
    """Tables 1 to 5.

    Returns:
        Columns table (its number), webs, ftps, http, iw, metric, published. Metrics: page_delay_s
        (IW 1), decrease_pct (IW 2 to 4), utilisation_pct, drop_pct, ftp_power.
    """
    rows = []
    for table, http, name in (
        (1, "1.0", "page_delay_http10"),
        (2, "1.0", "utilisation_drops"),
        (3, "1.0", "ftp_power_http10"),
        (4, "1.1", "page_delay_http11"),
        (5, "1.1", "ftp_power_http11"),
    ):
        for row in _read(name).to_dict("records"):
            webs, ftps = row["webs"], row["ftps"]
            rows += [
                (table, webs, ftps, http, iw, metric, row[column])
                for iw in IWS
                for metric, column in _columns(name, iw)
            ]
    return pd.DataFrame(rows, columns=COLUMNS)


def half_and_half() -> pd.DataFrame:
    """Table 6.

    Returns:
        Columns webs (all clients), variant (empty, or ``SPLIT``), iw (of the clients that the row
        is about), metric, published. Metrics: goodput_mb, page_delay_s, utilisation_pct, drop_pct;
        the last two, of a split, stand with the smaller IW.
    """
    rows = []
    for row in _read("half_and_half").to_dict("records"):
        clients = [int(number) for number in str(row["webs"]).split("/")]
        variant = SPLIT if len(clients) > 1 else ""
        for iw in HALF_IWS:
            for metric, column in (
                ("goodput_mb", f"iw{iw}_goodput_mb"),
                ("page_delay_s", f"iw{iw}_delay_s"),
                ("utilisation_pct", f"iw{iw}_utilisation_pct"),
                ("drop_pct", f"iw{iw}_drop_pct"),
            ):
                rows.append((sum(clients), variant, iw, metric, row[column]))
    table = pd.DataFrame(rows, columns=["webs", "variant", "iw", "metric", "published"])
    return table.dropna(ignore_index=True)


def is_misprinted(table: pd.DataFrame) -> pd.Series:
    """Whether each row of ``tables`` is known to be wrong in print."""
    return (
        (table["metric"] == "drop_pct")
        & (table["webs"] == 32)
        & table["ftps"].isin(MISPRINTED_FTPS)
    )


def _columns(name: str, iw: int) -> list[tuple[str, str]]:
    """The metrics of a file at an initial window, and their columns."""
    if name.startswith("page_delay"):
        column = "iw1_median_s" if iw == 1 else f"iw{iw}_pct_decrease"
        return [("page_delay_s" if iw == 1 else "decrease_pct", column)]
    if name.startswith("ftp_power"):
        return [("ftp_power", f"power_iw{iw}")]
    return [(metric, f"{metric}_iw{iw}") for metric in ("utilisation_pct", "drop_pct")]


def _read(name: str) -> pd.DataFrame:
    return pd.read_csv(_FOLDER / f"{name}.csv")
