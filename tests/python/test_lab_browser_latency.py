"""A step of a slider costs no more than twice what docs/validation/lab-latency.md records."""

import os
import re
import subprocess
import sys

from capture_packets import tool
from lab_browser import ROOT

RECORD = ROOT / "docs/validation/lab-latency.md"
ROW = re.compile(r"^\| 20 Mbit/s \| (\d+) \(", re.MULTILINE)
STEPS = 4


def test_a_step_of_a_slider_costs_what_it_did():
    tool("chromium")
    recorded = int(ROW.search(RECORD.read_text(encoding="utf-8"))[1])
    command = [sys.executable, ROOT / "benches/lab.py", str(STEPS), "20"]
    paths = [str(ROOT / "tests/python"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    # Its exit code tells whether the aim is met, on a quiet machine.
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    row = ROW.search(done.stdout)
    assert row, done.stdout + done.stderr
    assert int(row[1]) <= 2 * recorded, done.stdout
