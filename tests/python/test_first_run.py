"""What a first run shows: one bulk flow on an ordinary path, all defaults but the flavor's name."""

import pytest

import ackclock
from ackclock import _core
from ackclock.scenario import load

FLAVORS = [row[0] for row in _core.flavors()]
WITHOUT_FAST_RETRANSMIT = "vanilla"
PATHS = [
    ("10 Mbit/s", "20 ms", "1 rtt"),
    ("1 Mbit/s", "100 ms", "1 rtt"),
    ("20 Mbit/s", "20 ms", "1 rtt"),
    ("10 Mbit/s", "20 ms", "100 packets"),
    ("1 Mbit/s", "1 ms", "10 packets"),
    ("10 Mbit/s", "1 ms", "10 packets"),
]


def last_part(folder, rate, delay, queue, *sets):
    """Utilisation and time-outs in the last 40 of 60 s."""
    scenario = folder / "lab.toml"
    bottleneck = f'{{ rate = "{rate}", delay = "{delay}", queue = {{ limit = "{queue}" }} }}'
    scenario.write_text(
        'duration = "60 s"\nwarm_up = "20 s"\nmetrics = ["utilisation", "timeouts"]\n'
        f'[topology]\nkind = "dumbbell"\nbottleneck = {bottleneck}\n'
    )
    row = ackclock.run(scenario, folder / "out", sets=sets, jobs=1).metrics.iloc[0]
    return row["utilisation"], row["timeouts"]


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
@pytest.mark.parametrize("flavor", [name for name in FLAVORS if name != WITHOUT_FAST_RETRANSMIT])
def test_one_flow_fills_the_link_without_time_outs(tmp_path, flavor, path):
    utilisation, timeouts = last_part(tmp_path, *path, f"tcp.flavor={flavor}")
    assert timeouts <= 1
    assert utilisation >= 0.95


def test_newreno_goes_from_time_out_to_time_out_by_the_flight_size_alone(tmp_path):
    """What the default is for: a recovery inflates the flight size, too, as RFC 5681 counts it."""
    sets = ("tcp.flavor=newreno", "tcp.ssthresh_from=flight_size")
    utilisation, timeouts = last_part(tmp_path, *PATHS[0], *sets)
    assert timeouts > 20
    assert utilisation < 0.8


def test_the_first_run_is_of_cubic(tmp_path):
    utilisation, timeouts = last_part(tmp_path, *PATHS[0])
    assert load(tmp_path / "lab.toml").tcp.flavor == "cubic"
    assert timeouts == 0
    assert utilisation > 0.99
