"""The script that compares conventions by the errors of all printed numbers."""

from __future__ import annotations

import runpy
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "docs/validation/alternatives.py"))


def written(folder: Path, half: float, simulated: list[float], misprinted: str = "") -> Path:
    """A folder with three printed numbers of two links beside simulated ones."""
    folder.mkdir()
    frame = pd.DataFrame(
        {
            "link": ["WAN", "WAN", "GEO"],
            "metric": ["efficiency", "fairness", "efficiency"],
            "published": [0.5, 0.8, 0.0],
            "simulated": simulated,
        }
    )
    frame["delta"] = frame["simulated"] - frame["published"]
    frame["run_lo"], frame["run_hi"] = frame["simulated"] - half, frame["simulated"] + half
    if misprinted:
        frame["misprinted"] = ["", "", misprinted]
    frame.to_csv(folder / "comparison.csv", index=False)
    starved = pd.DataFrame(
        {
            "link": ["WAN", "WAN", "WAN"],
            "buffer_rtt": [0.5, 0.5, 1.0],
            "starved_servers": [2.0, 4.0, 9.0],
            "starved_servers_most": [5, 7, 30],
        }
    )
    starved.to_csv(folder / "results.csv", index=False)
    return folder


def test_distances_by_hand(tmp_path: Path) -> None:
    folders = {
        "a": written(tmp_path / "a", 0.11, [0.6, 0.7, 0.3]),
        "b": written(tmp_path / "b", 0.29, [0.5, 0.8, 0.0]),
    }
    table = SCRIPT["alternatives"]("ubr-web", folders).set_index(["label", "group", "metric"])
    every = table.loc[("a", "all", "all")]
    assert every["n"] == 3
    assert every["error"] == pytest.approx(0.5 / 3)
    assert every["rms"] == pytest.approx(((0.01 + 0.01 + 0.09) / 3) ** 0.5)
    assert every["bias"] == pytest.approx(0.1)
    assert every["distance"] == pytest.approx(0.5 / 3 / 0.2), "half-widths of both on average"
    assert every["inside"] == 2
    assert every["relative"] == pytest.approx((0.2 + 0.125) / 2), "a printed 0 has none"
    assert table.loc[("a", "WAN", "fairness"), "bias"] == pytest.approx(-0.1)
    assert table.loc[("b", "all", "all"), "error"] == 0
    assert table.loc[("a", "WAN", "all"), "starved"] == 3
    assert table.loc[("a", "WAN", "all"), "starved_most"] == 7


def test_a_misprinted_number_does_not_count(tmp_path: Path) -> None:
    folders = {"a": written(tmp_path / "a", 0.1, [0.6, 0.7, 0.3], misprinted="row of another")}
    table = SCRIPT["alternatives"]("ubr-web", folders).set_index(["label", "group", "metric"])
    assert table.loc[("a", "all", "all"), "n"] == 2
