"""Settings of the test tools, and what several modules of tests begin with."""

import shutil

import pytest
from hypothesis import settings

# A machine may be busy: a slow example is no failure.
settings.register_profile("ackclock", deadline=None)
settings.load_profile("ackclock")


@pytest.fixture(scope="session")
def made_lab(tmp_path_factory):
    """A scenario file with its results beside it."""
    # It takes a second, which most modules need not pay.
    from results_campaigns import LAB, lab

    folder = tmp_path_factory.mktemp("made")
    (folder / "lab.toml").write_text(LAB)
    lab(folder / "lab.results")
    return folder


@pytest.fixture(scope="module")
def labs(tmp_path_factory):
    """A server of the lab and a browser, one of each for a file of tests."""
    # Only tests in a browser need one.
    from lab_browser import browsing
    from lab_server import LONG, SMALL

    folder = tmp_path_factory.mktemp("yours")
    (folder / "small.toml").write_text(SMALL)
    (folder / "long.toml").write_text(LONG)
    with browsing(folder) as labs:
        yield labs


@pytest.fixture
def tab(labs):
    """A tab; at the end none may have said something or asked another server."""
    yield labs.tab()
    labs.close()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder for a file of tests."""
    return tmp_path_factory.mktemp("place")


@pytest.fixture(scope="module")
def page(replicated, place):
    """The report of the result with intervals that a file of tests has."""
    from report_page import page_of

    return page_of(replicated, place)


@pytest.fixture(scope="module")
def small_page(single, place):
    """The report of the result without intervals that a file of tests has."""
    from report_page import page_of

    return page_of(single, place)


@pytest.fixture
def lab_folder(made_lab, tmp_path, monkeypatch):
    """A copy of these in the working directory."""
    shutil.copytree(made_lab, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def lab(request, tmp_path):
    """Runs the scenario of the teaching set that a test is named after, and draws its figures."""
    import ackclock
    from teaching_set import SCENARIOS

    name = request.node.name.removeprefix("test_")

    def run(replications):
        results = ackclock.run(SCENARIOS[name], tmp_path / name, replications=replications)
        assert results.plot.names
        for figure in results.plot.names:
            results.plot.figure(figure)
        return results

    return run
