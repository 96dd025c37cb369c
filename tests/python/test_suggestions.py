"""Names that do not exist: what was meant, or what comes nearest."""

import pytest

from ackclock import _core
from ackclock.cli import main
from ackclock.errors import InputError
from ackclock.results.names import point_of, unknown
from ackclock.scenario.metric_names import METRIC_NAMES
from ackclock.scenario.model.queues import DISCIPLINES
from ackclock.scenario.values.plain import choice
from ackclock.suggestions import _IN_PLACE_OF, hint, instead_of, nearest, there_are
from results_campaigns import lab

KINDS = tuple(DISCIPLINES)
PATHS = ("csv", "mahimahi", "starlink", "lte", "wifi")
FLAVORS = ("vanilla", "reno", "newreno", "cubic")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("fairness", "jain_fairness"),
        ("goodput", "goodput_bit_s"),
        ("rtt", "rtt_s"),
        ("drop", "drops"),
        ("queue", "max_queue"),
        ("Utilization", "utilisation"),
        ("jane_fairness", "jain_fairness"),
        ("throughput-bit-s", "throughput_bit_s"),
        ("zebra", None),
        ("", None),
        (3, None),
    ],
)
def test_the_metric_that_was_meant(word, meant):
    assert nearest(word, METRIC_NAMES) == meant


@pytest.mark.parametrize(
    ("word", "known", "said"),
    [
        ("bic", FLAVORS, 'ackclock has no bic, the nearest is "cubic"'),
        ("HTCP", FLAVORS, 'ackclock has no HTCP, the nearest is "cubic"'),
        ("sfq", KINDS, 'ackclock has no sfq, the nearest is "drr"'),
        ("PFIFO-fast", KINDS, 'ackclock has no PFIFO-fast, the nearest is "priority"'),
        ("FQ-CoDel", KINDS, 'did you mean "fq_codel"?'),
        ("5G", PATHS, 'ackclock has no 5G, the nearest is "lte"'),
        ("latency", METRIC_NAMES, 'ackclock has no latency, the nearest is "rtt_s"'),
        ("pie", FLAVORS, ""),
        ("droptail", KINDS, 'did you mean "drop_tail"?'),
        ("newreon", FLAVORS, 'did you mean "newreno"?'),
        ("zebra", KINDS, ""),
    ],
)
def test_what_is_said_of_it(word, known, said):
    assert hint(word, known) == said


def test_what_comes_nearest_is_there_and_what_is_missing_is_not():
    there = {
        *METRIC_NAMES,
        *(name for name, *_ in _core.flavors()),
        *KINDS,
        *PATHS,
        *("bulk", "http11", "cbr", "arrivals", "rpc", "video"),
    }
    words = [word for words in _IN_PLACE_OF.values() for word in words.split()]
    assert len(words) == len({*words})
    assert not there & {*words}
    # The flavor of today's systems is called cubic, whatever else it is called.
    assert {*_IN_PLACE_OF} - there <= {"cubic"}
    assert instead_of("htcp", KINDS) is None


def test_a_choice_names_what_there_is():
    with pytest.raises(ValueError, match=r'"cubic"; ackclock has no bic, the nearest'):
        choice(FLAVORS).read("bic")
    with pytest.raises(ValueError, match=r"^is not the name of a metric; ackclock has no"):
        choice(METRIC_NAMES, "name of a metric").read("latency")


def test_a_metric_that_an_earlier_version_did_not_measure(tmp_path, capsys):
    its = lab(tmp_path / "runs")
    its.measured = tuple(name for name in its.measured if name != "rtt_s")
    with pytest.raises(InputError, match=r"did not measure rtt_s; make them again"):
        its.summary(["rtt_s"])
    assert main(["show", str(tmp_path / "runs"), "--metric", "fairness"]) == 2
    assert "'fairness' is not a metric; did you mean 'jain_fairness'?" in capsys.readouterr().err


def test_one_is_not_told_as_several():
    assert there_are(["fairness"]) == "there is only fairness"
    assert there_are(["a", "b"]) == "there are a, b"
    assert unknown("power", ["fairness"], "a figure") == (
        "'power' is not a figure; there is only fairness"
    )
    assert unknown("fairnes", ["fairness"], "a figure") == (
        "'fairnes' is not a figure; did you mean 'fairness'? There is only fairness"
    )
    for number, points, says in (
        (1, [{}], "point 1: there is only point 0"),
        (2, [{"k": 1}, {"k": 2}], "point 2: there are points 0 to 1"),
    ):
        with pytest.raises(InputError, match=says):
            point_of(number, points)
