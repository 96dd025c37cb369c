"""The page and its server: token, one that is gone, the origin, the policy of contents."""

from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from lab_browser import Labs, until
from lab_server import running

SMALL = "yours/small"
ATTACKS = {
    # In a callback, since Playwright's own evaluation may use eval.
    "eval": """() => new Promise((done) => setTimeout(() => {
      try { window.eval("1"); done("ran"); } catch (error) { done(error.name); }
    }))""",
    "a script of the page": """() => new Promise((done) => {
      const script = document.createElement("script");
      script.textContent = "window.ran = true";
      document.head.append(script);
      setTimeout(() => done(window.ran ? "ran" : "blocked"), 50);
    })""",
    "a script from elsewhere": """() => new Promise((done) => {
      const script = document.createElement("script");
      script.src = "https://example.org/a.js";
      script.onload = () => done("ran");
      script.onerror = () => done("blocked");
      document.head.append(script);
    })""",
    "an address elsewhere": """() => fetch("https://example.org/")
      .then(() => "ran", () => "blocked")""",
    "a picture from elsewhere": """() => new Promise((done) => {
      const picture = new Image();
      picture.onload = () => done("ran");
      picture.onerror = () => done("blocked");
      picture.src = "https://example.org/a.png";
    })""",
    "a page in the page": """() => new Promise((done) => {
      const frame = document.createElement("iframe");
      frame.srcdoc = "<script>parent.ran = true</" + "script>";
      frame.onload = () => done(window.ran ? "ran" : "blocked");
      document.body.append(frame);
    })""",
    "style of an attribute": """() => {
      const box = document.createElement("p");
      box.setAttribute("style", "position: fixed");
      document.body.append(box);
      return getComputedStyle(box).position === "fixed" ? "ran" : "blocked";
    }""",
}


def test_the_policy_is_in_force(tab):
    tab.open()
    expect(tab.page.locator(".card").first).to_be_visible()
    # Without the test's own guard: the browser's alone.
    tab.page.context.unroute_all()
    for attack, script in ATTACKS.items():
        assert tab.page.evaluate(script) in ("blocked", "EvalError"), attack
        # It is said on the console, where nothing catches it.
        said = any("Content Security Policy" in line for line in tab.console)
        assert said or attack == "eval", attack
        tab.console.clear()


def test_the_policy_lets_nothing_in_but_the_page_itself(tab):
    answer = tab.page.goto(tab.origin)
    policy = dict(
        part.strip().split(" ", 1)
        for part in answer.headers["content-security-policy"].split(";")
        if part.strip()
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"


def test_the_token_leaves_the_address_and_is_kept(tab, labs):
    tab.open(f"/lab/{SMALL}").wait()
    assert tab.lab.settings.token not in tab.page.url
    tab.page.reload()
    tab.wait()
    other = labs.beside(tab.page.context)
    other.page.goto(f"{tab.origin}/#/lab/{SMALL}")
    other.wait()
    # No address that was ever in the history has it.
    for _ in range(tab.entries() - 1):
        assert tab.lab.settings.token not in tab.page.url
        if tab.page.go_back() is None and tab.page.url == "about:blank":
            break


@pytest.mark.parametrize("wrong", ["", "#token=wrong&to=/", "#token=&to=/"])
def test_without_the_token_the_page_says_what_to_do(tab, wrong):
    tab.page.goto(f"{tab.origin}/{wrong}")
    expect(tab.page.get_by_role("alert").first).to_contain_text("no valid token")
    assert tab.page.locator(".card").count() == 0
    assert set(tab.refused) == {"GET /api/scenarios 401"}
    # Another tab of this browser is opened with the right one.
    token = tab.lab.settings.token
    tab.page.evaluate("token => localStorage.setItem('ackclock-token', token)", token)
    tab.page.reload()
    expect(tab.page.locator(".card").first).to_be_visible()
    expect(tab.page.locator(".banner")).to_have_count(0)


def test_a_server_that_is_gone_and_comes_back(labs, tmp_path):
    (tmp_path / "small.toml").write_text((labs.lab.settings.folder / "small.toml").read_text())
    with ExitStack() as first:
        lab = first.enter_context(running(tmp_path))
        its = Labs(lab, labs.browser)
        tab = its.tab().open_lab(SMALL)
        before = tab.metrics()
        first.close()
        field = tab.page.get_by_label("Bottleneck rate, number")
        field.fill("20")
        field.press("Enter")
        banner = tab.page.get_by_role("alert").filter(has_text="does not answer")
        expect(banner).to_be_visible()
        # What is there stays, as a picture of before.
        expect(tab.panels).to_have_attribute("aria-busy", "true")
        assert tab.metrics() == before
    with running(tmp_path, lab.settings.port):
        expect(banner).to_have_count(0)
        tab.wait()
        until(tab.metrics, lambda now: now and now != before, "the state of now is run")
        its.close()


def test_a_server_with_a_new_token_is_known_by_another_tab(labs, tmp_path):
    with running(tmp_path, token="an-older-one") as lab:
        its = Labs(lab, labs.browser)
        tab = its.tab().open("/")
        expect(tab.page.locator(".card").first).to_be_visible()
    with running(tmp_path, lab.settings.port) as again:
        tab.page.locator(".card a").first.click()
        expect(tab.page.locator(".banner")).to_contain_text("no valid token")
        other = its.beside(tab.page.context)
        other.lab = again
        other.open("/")
        expect(other.page.locator(".card").first).to_be_visible()
        expect(tab.page.locator(".banner")).to_have_count(0)
        tab.wait()
        its.close()
