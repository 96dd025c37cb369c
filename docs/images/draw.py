"""Draw the README's figure from the tables that `make validate` keeps.

Usage, from the project's root: .venv/bin/python docs/images/draw.py
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ackclock.plots.interaction import interaction
from ackclock.report.ubr_web.figures import FLAVOR_LOOKS

DOCS = Path(__file__).parents[1]


def main() -> None:
    """WAN efficiency against the buffer, simulated with intervals and published."""
    comparison = pd.read_csv(DOCS / "validation" / "ubr-web" / "comparison.csv")
    frame = comparison[(comparison["link"] == "WAN") & (comparison["metric"] == "efficiency")]
    figure = interaction(
        frame,
        x="buffer_rtt",
        line="tcp_flavor",
        panel="drop_policy",
        looks=FLAVOR_LOOKS,
        x_name="Buffer (RTT)",
        y_name="Efficiency",
        share=True,
    )
    figure.savefig(DOCS / "images" / "ubr-web-wan.png", dpi=180, metadata={"Software": None})


if __name__ == "__main__":
    main()
