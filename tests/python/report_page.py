"""A report as a browser reads it, and what is checked of every report."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from ackclock.report import campaigns
from ackclock.studies.machinery.report import write_report

VOID = {"meta", "br", "wbr", "col", "img", "link", "hr", "input"}


class Page(HTMLParser):
    """What a browser would make of the page: elements, ids, references, text; ends must match."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.source = text
        self.open, self.elements, self.words = [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split()).replace("\u00a0", " ")

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]

    def values(self, attribute):
        return [each[attribute] for _, each in self.elements if attribute in each]

    @property
    def captions(self):
        """What the figures say of the runs that produced them."""
        return re.findall(r'<span class="source">(.*?)</span>', self.source)

    def check_drawings(self, number):
        drawings = self.all("svg")
        assert len(drawings) == number
        assert all(each["role"] == "img" for each in drawings)

    def check_verdicts(self, result, whose, times=1):
        """The verdict on a claim stands there so many times, and the page counts them."""
        counts = result.claims["holds"].value_counts()
        held, failed, undecided, missing = (
            int(counts.get(each, 0)) for each in ("true", "false", "undecided", "")
        )
        classes = self.values("class")
        assert classes.count("verdict holds") == times * held
        assert classes.count("verdict fails") == times * failed
        assert classes.count("verdict open") == times * (undecided + missing)
        assert self.source.count('<span class="verdict open">undecided</span>') == times * undecided
        hold = "holds" if held == 1 else "hold"
        fail = "fails" if failed == 1 else "fail"
        told = f"{held} of the {whose} claims {hold}"
        if undecided:
            are = "is" if undecided == 1 else "are"
            assert f"{told}, {failed} {fail} and {undecided} {are} undecided" in self.text
        else:
            assert f"{told} and {failed} {fail}" in self.text

    def check_that_it_needs_no_other_file(self):
        assert not re.search(r"https?:|//|@import|javascript:", self.source)
        tags = {tag for tag, _ in self.elements}
        assert not {"script", "link", "img", "iframe", "object"} & tags
        assert "src" not in {name for _, each in self.elements for name in each}
        assert all(target.startswith("#") for target in self.values("href"))
        assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)\)", self.source))

    def check_references(self):
        ids = self.values("id")
        assert len(set(ids)) == len(ids)
        references = {target[1:] for target in self.values("href")}
        references |= set(re.findall(r"url\(#([^)]*)\)", self.source))
        references |= {id for text in self.values("aria-labelledby") for id in text.split()}
        assert references
        assert references <= set(ids)


def page_of(result, folder):
    """The report of a study's result, written there."""
    path = folder / "report.html"
    write_report(result, path)
    return Page(path.read_bytes().decode())


def page_of_campaigns(folder, *several):
    """The report of results of scenarios, written there."""
    path = folder / "report.html"
    campaigns.write_report(several, path)
    return Page(path.read_text(encoding="utf-8"))
