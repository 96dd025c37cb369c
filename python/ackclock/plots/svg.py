"""A figure as SVG text for an HTML page.

Several figures can be on one page. So every id gets the figure's id as a prefix, and matplotlib's
style sheet, which would apply to the whole page, becomes an attribute of the figure.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import matplotlib
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from ackclock.plots.style import style

SYSTEM_FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_DRAWN_WITH = re.compile(r"'DejaVu Sans'|DejaVu Sans")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_GEOMETRY = ("d", "x", "y", "width", "height", "transform", "points")
_NO_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}


def svg_text(figure: Figure) -> str:
    """Return the figure as an SVG file: deterministic text, in the fonts of the viewer."""
    text = io.StringIO()
    metadata: dict[str, Any] = {"Date": None, "Creator": None}
    with matplotlib.rc_context({"svg.hashsalt": "ackclock", "svg.fonttype": "none"}):
        figure.savefig(text, format="svg", metadata=metadata)
    return text.getvalue()


def inline_svg(figure: Figure, id: str, title: str, description: str) -> str:
    """Return the figure as an ``<svg>`` element without namespaces, metadata or dates.

    Args:
        figure: figure to draw.
        id: id of the element, unique in the page; every id inside starts with it.
        title: short name, for screen readers.
        description: description of the content, for screen readers.

    Returns:
        The same text for the same figure; its width is the width of its container.
    """
    root = ElementTree.fromstring(_draw(figure, id))
    _remove_namespaces(root)
    _remove(root, "metadata")
    _remove(root, "style")
    _prefix_ids(root, id)
    for element in root.iter():
        _tidy(element)
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.attrib |= {
        "id": id,
        "role": "img",
        "aria-labelledby": f"{id}-title {id}-desc",
        "style": "stroke-linejoin: round; stroke-linecap: butt",
    }
    root.insert(0, _text("title", f"{id}-title", title))
    root.insert(1, _text("desc", f"{id}-desc", description))
    return ElementTree.tostring(root, encoding="unicode")


def _draw(figure: Figure, salt: str) -> bytes:
    buffer = io.BytesIO()
    with style(), matplotlib.rc_context({"svg.hashsalt": salt}):
        # Not savefig, which draws everything twice.
        FigureCanvasSVG(figure).print_svg(buffer, metadata=_NO_METADATA)
    return buffer.getvalue()


def _remove_namespaces(root: Element) -> None:
    """Remove namespaces: an HTML parser does not need them inside ``<svg>``."""
    for element in root.iter():
        element.tag = _local(element.tag)
        element.attrib = {_local(name): value for name, value in element.attrib.items()}


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _remove(root: Element, tag: str) -> None:
    for parent in root.iter():
        for child in parent.findall(tag):
            parent.remove(child)


def _prefix_ids(root: Element, prefix: str) -> None:
    """Remove ids without a reference, and prefix the others."""
    used = set(_references(root))
    for element in root.iter():
        for name, value in list(element.attrib.items()):
            if name == "id":
                del element.attrib[name]
                if value in used:
                    element.attrib[name] = f"{prefix}-{value}"
            elif name == "href" and value.startswith("#"):
                element.attrib[name] = f"#{prefix}-{value[1:]}"
            else:
                element.attrib[name] = _REFERENCE.sub(rf"url(#{prefix}-\1)", value)


def _references(root: Element) -> Iterator[str]:
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == "href":
                yield value.removeprefix("#")
            else:
                yield from _REFERENCE.findall(value)


def _tidy(element: Element) -> None:
    for name in _GEOMETRY:
        if name in element.attrib:
            # A hundredth of a point is not visible, and the page is half as long.
            element.attrib[name] = _LONG_NUMBER.sub(_rounded, element.attrib[name])
    if "style" in element.attrib:
        element.attrib["style"] = _DRAWN_WITH.sub(SYSTEM_FONTS, element.attrib["style"])


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _text(tag: str, id: str, text: str) -> Element:
    element = Element(tag, {"id": id})
    element.text = text
    return element
