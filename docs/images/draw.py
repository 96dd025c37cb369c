"""Draw the pictures of the documentation: comparisons of TCPs and queues, and a figure of ubr-web.

The comparisons are of runs made for them, the figure of the tables that `make validate` keeps.

Usage, from the project's root: .venv/bin/python docs/images/draw.py
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from ackclock.cli import main as cli
from ackclock.plots.interaction import interaction
from ackclock.results.flavors import compare_flavors
from ackclock.studies.ubr_web.figures import FLAVOR_LOOKS

DOCS = Path(__file__).parents[1]
IMAGES = DOCS / "images"


def main() -> None:
    """All pictures."""
    draw_comparison()
    draw_bbr_and_cubic()
    draw_speed_test()
    draw_efficiency()


def draw_comparison() -> None:
    """What `ackclock compare reno cubic` draws."""
    with TemporaryDirectory() as folder:
        compared = compare_flavors(["reno", "cubic"], Path(folder), format="png")
        shutil.copyfile(compared.figure, IMAGES / "compare.png")


def draw_bbr_and_cubic() -> None:
    """What the page about BBR and CUBIC draws."""
    with TemporaryDirectory() as folder:
        runs = ["run", str(DOCS.parent / "scenarios" / "bbr_and_cubic.toml"), "--out", folder]
        share = ["plot", folder, "--figure", "share", "--out", str(IMAGES / "bbr-share.png")]
        over_time = ["--over-time", "--point", "3", "--from", "60 s", "--to", "90 s"]
        windows = ["plot", folder, *over_time, "--out", str(IMAGES / "bbr-windows.png")]
        if any(cli(command) for command in (runs, share, windows)):
            raise SystemExit("the scenario bbr_and_cubic cannot be drawn")


def draw_speed_test() -> None:
    """What the page about AQMs draws."""
    with TemporaryDirectory() as folder:
        run = ["run", str(DOCS.parent / "scenarios" / "speed_test.toml"), "--out", folder]
        clicks = ["plot", folder, "--figure", "clicks", "--out", str(IMAGES / "aqm-clicks.png")]
        if any(cli(command) for command in (run, clicks)):
            raise SystemExit("the scenario speed_test cannot be drawn")


def draw_efficiency() -> None:
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
    figure.savefig(IMAGES / "ubr-web-wan.png", dpi=180, metadata={"Software": None})


if __name__ == "__main__":
    main()
