"""One run in numbers: what RFC 2415 reports of it, sections 2 and 3.

The page delay is measured by every clock of ``ackclock.results.pages``; the analysis chooses one.
Goodput is what the clients received in order in the whole run, in MB of 10^6 bytes. Network power
is goodput over median delay; the RFC's "Mbytes/ms" fits its tables as MB/s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Number
from ackclock.results.metrics import METRICS
from ackclock.results.pages import CLOCKS, median_or_nan, pages_of

if TYPE_CHECKING:
    from ackclock.scenario import Facts

WEB, NEW, FTP, REVERSE = "web", "new", "ftp", "reverse"
"""Groups of flows: web clients, those with the other initial window, ftp clients, and those whose
data goes in the opposite direction."""
_BYTES_PER_MB = 10**6
_SENDERS = ("timeouts", "fast_retransmits", "retransmitted_share")


def measure(columns: Columns, facts: Facts) -> dict[str, Number]:
    """One run in numbers.

    Args:
        columns: tables "flows", "links" and "transfers", as the core returns them.
        facts: of the point.

    Returns:
        - utilisation_pct, drop_pct: of the bottleneck towards the clients; drops, early_drops,
          mean_queue_packets, max_queue_packets: there;
        - goodput_mb, pages, page_delay_open_s, page_delay_request_s, page_delay_no_setup_s: of the
          web clients; new_goodput_mb and so on: of those with the other initial window;
        - ftp_goodput_mb, files, file_delay_s: of the ftp clients; reverse_goodput_mb;
        - web_power_open and so on, ftp_power: network power, MB/s; nan without a page or a file;
        - timeouts, fast_retransmits, retransmitted_share: of all senders.

        Delays are medians over all pages, or files, of the clients together; nan if there is none.
    """
    groups = np.array(facts.flow_groups)
    delivered = columns["flows"]["delivered_bytes"]
    row: dict[str, Number] = {
        "utilisation_pct": 100 * METRICS["utilisation"].of(columns, facts),
        "drop_pct": 100 * METRICS["drop_share"].of(columns, facts),
        "drops": METRICS["drops"].of(columns, facts),
        "early_drops": METRICS["early_drops"].of(columns, facts),
        "mean_queue_packets": METRICS["mean_queue"].of(columns, facts),
        "max_queue_packets": METRICS["max_queue"].of(columns, facts),
    }
    pages = pages_of(columns["transfers"])
    goodput = {
        group: int(delivered[groups == group].sum()) / _BYTES_PER_MB
        for group in (WEB, NEW, FTP, REVERSE)
    }
    for group, prefix in ((WEB, ""), (NEW, "new_")):
        its = pages.of(groups == group)
        row[f"{prefix}goodput_mb"] = goodput[group]
        row[f"{prefix}pages"] = its.flow.size
        for clock in CLOCKS:
            row[f"{prefix}page_delay_{clock}_s"] = median_or_nan(its.delay_s(clock))
    files = pages.of(groups == FTP)
    row |= {
        "ftp_goodput_mb": goodput[FTP],
        "files": files.flow.size,
        "file_delay_s": median_or_nan(files.delay_s()),
        "reverse_goodput_mb": goodput[REVERSE],
        "ftp_power": goodput[FTP] / median_or_nan(files.delay_s()),
        **{f"web_power_{clock}": goodput[WEB] / row[f"page_delay_{clock}_s"] for clock in CLOCKS},
    }
    return row | {name: METRICS[name].of(columns, facts) for name in _SENDERS}
