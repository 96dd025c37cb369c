"""Figures as SVG inside a page: nothing in them collides, points outside or changes by itself."""

import subprocess
import sys
from xml.etree import ElementTree

import matplotlib
import pandas as pd
import pytest

from ackclock.plots.allocation import allocation
from ackclock.plots.style import BLUE, GREEN, GREY, SERIES, VERMILLION, new_figure, style
from ackclock.plots.svg import inline_svg


def figure():
    with style():
        it = new_figure(2)
        ax = it.add_subplot()
        ax.plot([0, 1, 2], [0.123456, 2, 1], "o-")
        ax.set_title('a < b & "c"')
    return it


def svg(id="one", drawn=None):
    return ElementTree.fromstring(inline_svg(drawn or figure(), id, "Title", "What & why"))


def test_every_id_starts_with_that_of_the_figure_and_is_referred_to():
    root = svg()
    ids = {element.get("id") for element in root.iter()} - {None, "one"}
    assert all(id.startswith("one-") for id in ids)
    references = set(root.get("aria-labelledby").split())
    for element in root.iter():
        references |= {element.get("href", "")[1:]}
        path = element.get("clip-path", "")
        references |= {path.removeprefix("url(#").removesuffix(")")}
    assert references - {""} == ids


def test_two_figures_share_no_id():
    ids = [{element.get("id") for element in svg(id).iter()} - {None} for id in ("one", "two")]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_it_is_plain_svg_without_a_style_sheet_metadata_or_a_size():
    root = svg()
    assert root.tag == "svg"
    assert {"style", "metadata"}.isdisjoint(element.tag for element in root.iter())
    assert "xmlns" not in inline_svg(figure(), "one", "", "")
    assert root.get("viewBox")
    assert {"width", "height"}.isdisjoint(root.attrib)


def test_who_cannot_see_it_is_told_what_it_is():
    root = svg()
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "one-title one-desc"
    assert [(each.tag, each.text) for each in root[:2]] == [
        ("title", "Title"),
        ("desc", "What & why"),
    ]


def test_text_stays_text_in_a_font_that_the_reader_has():
    root = svg()
    texts = {element.text for element in root.iter("text")}
    assert 'a < b & "c"' in texts
    assert "DejaVu" not in ElementTree.tostring(root, encoding="unicode")
    assert all("system-ui" in each.get("style") for each in root.iter("text"))


def test_the_same_figure_gives_the_same_text_whatever_a_user_has_set():
    first = inline_svg(figure(), "one", "", "")
    with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "path", "axes.grid": False}):
        assert inline_svg(figure(), "one", "", "") == first


def test_a_figure_has_no_more_decimals_than_can_be_seen():
    data = [element.get("d") for element in svg().iter("path")]
    numbers = [word for path in data for word in path.split() if "." in word]
    assert numbers
    assert max(len(number.partition(".")[2]) for number in numbers) <= 2


def luminance(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("color", [*(series.color for series in SERIES), GREY, BLUE, GREEN])
def test_colours_stand_out_on_white(color):
    assert 1.05 / (luminance(color) + 0.05) >= 3


def test_series_differ_in_colour_marker_and_line():
    for look in zip(*SERIES, strict=True):
        assert len(set(look)) == len(SERIES)
    assert BLUE != VERMILLION


def test_no_figure_is_kept_in_pyplot_and_help_does_not_wait_for_matplotlib():
    code = (
        "import sys, ackclock.cli; early = 'matplotlib' in sys.modules\n"
        "import ackclock.studies.ubr_web.report\n"
        "print(early, 'matplotlib.pyplot' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]


def test_a_share_that_cannot_be_told_has_no_bar():
    frame = pd.DataFrame({"component": ["A", "A × B"], "simulated": float("nan"), "published": 50})
    texts = [element.text for element in svg(drawn=allocation(frame, x_name="Share")).iter("text")]
    assert texts.count("50.0") == 2
    assert "nan" not in texts
