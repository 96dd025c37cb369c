"""One point of a scenario, without a look at the others; files from its folder only."""

import pytest

from ackclock.errors import InputError
from ackclock.scenario import load
from ackclock.scenario.document import read_text
from ackclock.scenario.loading import load_point
from ackclock.scenario.plan import canonical_json
from teaching_set import SCENARIOS

TEXT = """
duration = "4 s"
[topology]
kind = "dumbbell"
[topology.bottleneck]
rate = "10 Mbit/s"
delay = "20 ms"
"""


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_a_point_is_that_of_the_whole(name):
    points = load(SCENARIOS[name]).points()
    for number in {0, len(points) // 2, len(points) - 1}:
        one = load_point(SCENARIOS[name], (), number)
        assert canonical_json(one.point.compile().plan) == canonical_json(
            points[number].compile().plan
        )
        assert one.point.combination == points[number].combination
        assert one.point.as_written == points[number].as_written
        without_figures = one.scenario.model_copy(update={"figures": ()})
        assert without_figures == points[number].scenario
        assert len(one.combinations) == len(points)


def test_what_is_wrong_at_another_point_does_not_matter():
    text = TEXT + '[sweep.factors]\n"topology.bottleneck.rate" = ["1 Mbit/s", "no rate"]\n'
    assert load_point(text, (), 0).scenario.topology.bottleneck.rate == 10**6
    for wrong in (lambda: load(text), lambda: load_point(text, (), 1)):
        with pytest.raises(InputError, match="no rate"):
            wrong()


@pytest.mark.parametrize(
    ("text", "sets", "number", "said"),
    [
        (TEXT, [], 1, "point 1: there is only point 0"),
        (TEXT, ["x=1"], 0, "--set x=1: unknown key"),
        (TEXT + "[sweep]\n", [], 0, "sweep"),
        ("duration = 1\n", [], 0, "topology: is missing"),
    ],
)
def test_problems_are_those_of_the_whole(text, sets, number, said):
    with pytest.raises(InputError, match=said):
        load_point(text, sets, number)


def test_a_text_from_elsewhere_names_files_of_its_folder_only(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    steps = "time_s,rate_bit_s\n0,1000000\n"
    (folder / "in.csv").write_text(steps)
    (tmp_path / "out.csv").write_text(steps)
    (folder / "link.csv").symlink_to(tmp_path / "out.csv")

    def named(name):
        text = TEXT + f'varies = {{ kind = "csv", file = "{name}" }}\n'
        return load(read_text("lab", text, folder))

    assert named("in.csv").text.count("1000000") == 1
    for name in ("../out.csv", "link.csv", str(tmp_path / "out.csv")):
        with pytest.raises(InputError, match="is not in the folder of the scenario"):
            named(name)


def test_messages_name_the_lines_of_a_text(tmp_path):
    with pytest.raises(InputError, match=r"^mine:7: topology\.bottleneck\.delay"):
        load(read_text("mine", TEXT.replace("20 ms", "20"), tmp_path))
