"""The texts of lessons: the numbers and the abbreviations in them, and what accounts for these."""

import re
from math import isclose

from lesson_facts import unit_of

ABBREVIATIONS = {
    "ACK": "acknowledgement",
    "AIMD": "additive increase, multiplicative decrease",
    "AQM": "active queue management",
    "BBR": "bottleneck bandwidth and round-trip propagation time",
    "BDP": "bandwidth-delay product",
    "CoDel": "controlled delay",
    "cwnd": "congestion window",
    "DCTCP": "data center TCP",
    "ECN": "explicit congestion notification",
    "FQ": "fair queuing",
    "L4S": "low latency, low loss, scalable throughput",
    "MSS": "maximum segment size",
    "RACK": "recent acknowledgement",
    "RTO": "retransmission time-out",
    "RTT": "round-trip time",
    "rwnd": "receive window",
    "SACK": "selective acknowledgement",
    "ssthresh": "slow-start threshold",
    "TLP": "tail loss probe",
}
"""What each stands for, in the words of the texts."""
NAMES = {"TCP", "RFC", "NewReno", "HyStart", "DualPI2", "ProbeRTT", "CUBIC", "MB"}
"""The subject of the lab, names that stand for no words in a text, and units."""
_ABBREVIATION = re.compile(r"\b(?:[A-Z][A-Za-z0-9]*[A-Z0-9][A-Za-z0-9]*|cwnd|rwnd|ssthresh)\b")
_UNITS = {
    "us": ("s", 1e-6),
    "ms": ("s", 1e-3),
    "s": ("s", 1.0),
    "kbit/s": ("bit/s", 1e3),
    "Mbit/s": ("bit/s", 1e6),
    "bytes": ("bytes", 1.0),
    "B": ("bytes", 1.0),
    "kB": ("bytes", 1e3),
    "MB": ("bytes", 1e6),
    "%": ("1", 1e-2),
    **dict.fromkeys(("segments", "packets", "drops", "marks", "losses", "times"), ("count", 1.0)),
    **dict.fromkeys(("rtt", "BDP", "round trips"), ("rtt", 1.0)),
}
_QUANTITY = re.compile(
    rf"(?<![\d.,/-])(\d[\d,]*(?:\.\d+)?) ({'|'.join(map(re.escape, _UNITS))})(?![\w/])"
)
_RANGE = re.compile(
    rf"(\d[\d.,]*) (?:to|and|or) (?=\d[\d.,]* ({'|'.join(map(re.escape, _UNITS))})\b)"
)
_WIDEST = 0.4
"""A fact for "about 2 s" may leave so much room, as a share of the number."""
_EXACT = 0.006


def said(step):
    """All texts of a step, with what is asked and answered rightly."""
    right = step.answers[step.right] if step.right is not None else step.goal.text
    return plain(" ".join([step.text, step.question, right, step.because]))


def plain(text):
    """A text without its signs, on one line."""
    return re.sub(r"\s+", " ", re.sub(r"[`*]", "", text))


def quantities(text):
    """The numbers of a text with their units: ("2.5 Mbit/s", 2.5e6, "bit/s")."""
    text = _RANGE.sub(r"\1 \2, ", text)
    for number, unit in _QUANTITY.findall(text):
        base, worth = _UNITS[unit]
        yield f"{number} {unit}", float(number.replace(",", "")) * worth, base


def is_given(quantity, lesson, step):
    """Whether a number is a setting of the step, a goal, a time in sight, or an RFC's constant."""
    facts = [change for fact in step.facts for change in fact.sets]
    goal = [f"{end:g} {step.goal.unit}" for end in _ends(step.goal) if end is not None]
    times = [f"{at:g} s" for at in (*(step.window or ()), *(fact.at_s or 0 for fact in step.facts))]
    choices = [value for slider in lesson.sliders for value, _ in slider.choices]
    if quantity in (*goal, *times, *choices, *lesson.constants):
        return True
    written = "\n".join([lesson.source, *step.sets, *step.solution, *facts])
    return re.search(rf"(?<![\d.]){re.escape(quantity)}(?![\w.])", written) is not None


def _ends(goal):
    return () if goal is None else (goal.at_least, goal.at_most)


def is_a_sum(quantity, value, step):
    """Whether a number follows from others, as the step says how: in its unit, or in base units."""
    ends = [float(each.partition("=")[2]) for each in step.sums]
    as_written = float(quantity.split()[0].replace(",", ""))
    return any(isclose(each, end, rel_tol=_EXACT) for each in (value, as_written) for end in ends)


def is_a_fact(value, base, facts):
    """Whether a number lies within the bounds of a fact, which are near it."""
    return any(_accounts(fact, value, base) for fact in facts)


def _accounts(fact, value, base):
    unit = fact.unit or ("count" if fact.over else unit_of(fact))
    its, worth = _UNITS.get(unit, ("count" if unit in ("1", "packets or cells") else unit, 1.0))
    if fact.over is not None:
        its = "count"
    bounds = [bound * worth for bound in (fact.at_least, fact.at_most) if bound is not None]
    if its != base:
        return False
    if any(isclose(value, bound, rel_tol=0.01) for bound in bounds):
        return True
    low, high = bounds[0], bounds[-1]
    return high - low <= _WIDEST * value and low <= value <= high


def unspelled(lesson):
    """Abbreviations of a lesson that are not spelled out in the step that first has them."""
    text, missing = "", []
    for step in lesson.steps:
        text += plain(" ".join(_parts(step))).lower()
        known = (word for word in _abbreviations(step) if word in ABBREVIATIONS)
        missing += [word for word in known if ABBREVIATIONS[word].lower() not in text]
    return missing


def unknown_abbreviations(lesson):
    """Words like abbreviations that nobody knows here."""
    found = {word for step in lesson.steps for word in _abbreviations(step)}
    return sorted(found - ABBREVIATIONS.keys() - NAMES)


def _abbreviations(step):
    """The abbreviations of a step in the singular."""
    for word in _ABBREVIATION.findall(plain(" ".join(_parts(step)))):
        yield word.removesuffix("s") if word.removesuffix("s").isupper() else word


def _parts(step):
    goal = step.goal.text if step.goal else ""
    return [step.text, step.question, *step.answers, goal, step.because]
