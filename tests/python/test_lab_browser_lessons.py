"""Each lesson in a browser: it opens, its steps follow each other, right answers are accepted."""

import pytest
from playwright.sync_api import expect

from ackclock.lab.lessons import lesson_files
from lab_browser import until

IDS = [each["id"] for each in lesson_files.lessons()]


@pytest.mark.parametrize("lesson", IDS)
def test_a_lesson_can_be_gone_through(tab, lesson):
    its = tab.lab.get(f"lessons/{lesson}")
    page = tab.page
    tab.open(f"/lessons/{lesson}")
    for number, step in enumerate(its["steps"]):
        expect(page.locator(".lesson-steps [aria-current=step]")).to_have_text(str(number + 1))
        expect(page.locator("h1")).to_have_text(its["title"])
        expect(page.locator(".panel-stack")).to_have_attribute("aria-busy", "false")
        for each in step["read"]:
            assert each["metric"]
        if step["read"]:
            expect(page.locator(".read-outs dd").first).to_contain_text("")
        assert page.locator(".lesson-controls .field").count() == len(step["sliders"])
        verdict = page.locator(".verdict strong")
        if step["goal"]:
            assert page.locator(".goal.is-reached").count() == 0, "the goal is reached at once"
            page.get_by_role("button", name="Show a way").click()
            expect(verdict).to_have_text("Reached.")
        else:
            answers = page.locator(".answers .answer")
            assert answers.count() == len(step["answers"])
            wrong = (step["right"] + 1) % len(step["answers"])
            answers.nth(wrong).click()
            expect(verdict).to_contain_text("No, not that")
            assert page.locator(".because").count() == 0
            answers.nth(step["right"]).click()
            expect(verdict).to_have_text("Right.")
        expect(page.locator(".because")).to_be_visible()
        if number + 1 < len(its["steps"]):
            page.locator(".lesson-way").get_by_role("link", name="Next").click()
    expect(page.locator(".lesson-steps .is-done")).to_have_count(len(its["steps"]))
    assert tab.refused == []


def test_how_far_one_has_come_is_kept(tab):
    first = tab.lab.get(f"lessons/{IDS[0]}")
    tab.open(f"/lessons/{IDS[0]}")
    tab.page.locator(".answers .answer").nth(first["steps"][0]["right"]).click()
    expect(tab.page.locator(".verdict strong")).to_have_text("Right.")
    tab.page.reload()
    tab.page.goto(f"{tab.origin}/#/lessons")
    card = tab.page.locator(".lesson-card").first
    expect(card).to_contain_text(f"1 of {len(first['steps'])} steps done")
    expect(card.locator("a")).to_have_attribute("href", f"#/lessons/{IDS[0]}?step=2")
    tab.page.get_by_role("button", name="Forget my progress").click()
    expect(card).to_contain_text(f"{len(first['steps'])} steps")
    expect(card).not_to_contain_text("done")


def test_a_step_opens_in_the_lab_as_it_is(tab):
    tab.open("/lessons/buffer?step=2")
    expect(tab.page.locator(".read-outs dd").first).to_contain_text("ms")
    field = tab.page.get_by_label("Buffer, number")
    field.fill("2")
    field.press("Enter")
    reading = tab.page.locator(".read-outs dd").first
    expect(tab.page.locator(".read-outs")).to_have_attribute("aria-busy", "false")
    moved = until(reading.inner_text, lambda now: now not in ("22.1 ms", ""), "the queue's delay")
    assert 52.5 <= float(moved.split()[0]) <= 54
    tab.page.get_by_role("button", name="Open in the lab").click()
    tab.wait()
    assert tab.address.startswith("/lab")
    tab.page.get_by_label("all", exact=True).check()
    delay = until(tab.metrics, lambda now: "mean_queue_delay_s" in now, "the numbers of the lab")
    assert float(delay["mean_queue_delay_s"].split()[0]) == pytest.approx(
        float(moved.split()[0]), abs=0.06
    )


def test_a_lesson_that_is_not_there_leads_to_the_list(tab):
    tab.open("/lessons/nothing")
    expect(tab.page.locator("main")).to_contain_text("There is no such lesson")
    tab.page.get_by_role("link", name="All lessons").click()
    expect(tab.page.locator(".lesson-card")).to_have_count(len(IDS))
