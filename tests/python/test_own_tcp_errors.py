"""Errors in a congestion control in Python name the line; its code runs with permission only."""

import pytest

import ackclock
from ackclock import _core
from ackclock.cli import BAD_INPUT, main
from ackclock.code_permission import code_allowed, is_code_allowed
from ackclock.errors import CodeError, InputError
from ackclock.lab import frame
from ackclock.scenario import load
from lab_calls import call, problem, settings_of
from own_tcp_runs import SCENARIO, class_text, controlled_run, plan_of

FAILS = {
    "1 / 0": "ZeroDivisionError: division by zero",
    'self.cwnd = float("nan")': "cwnd is nan; set it to a number of bytes, 0 or more",
    "self.cwnd = -1": "cwnd is -1; set it to a number of bytes, 0 or more",
    'self.ssthresh = "much"': "ssthresh is 'much'; set it to a number of bytes, 0 or more",
    "self.ssthresh = None": "ssthresh is None; set it to a number of bytes, 0 or more",
    "self.pacing_rate = 0": "pacing_rate is 0; set it to a number of bit/s above 0, or to None",
    "del self.cwnd": "cwnd is missing; set it to a number of bytes, 0 or more",
    "raise SystemExit": "SystemExit",
}
"""Bodies of a method, and what a message says about them."""
WRONG = {
    "class MyControl(:": "my_tcp.py, line 1: is not Python (invalid syntax); correct it",
    "class MyContro:\n    pass": "my_tcp.py has no class MyControl; did you mean MyContro?",
    "class Other:\n    pass\nclass More:\n    pass": (
        "my_tcp.py has no class MyControl; its classes are Other, More"
    ),
    "x = 1": "my_tcp.py has no class MyControl; write class MyControl:",
    class_text().replace("on_ack", "on_loss"): (
        "my_tcp.py, line 1: MyControl has no method on_ack; write def on_ack(self, sample):"
    ),
    class_text(on_loss="(self)\npass"): (
        "my_tcp.py, line 8: MyControl.on_loss: no run calls this method; "
        "did you mean on_congestion?"
    ),
    class_text().replace("on_ack(self, sample)", "on_ack(self)"): (
        "my_tcp.py, line 4: MyControl.on_ack: has other parameters; write def on_ack(self, sample):"
    ),
}
"""Texts of files, and the message about each."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a scenario that names a class, and with its file."""
    monkeypatch.chdir(tmp_path)
    flavor = '[tcp]\nflavor = { python = "my_tcp.py:MyControl" }'
    (tmp_path / "lab.toml").write_text(SCENARIO.replace("[tcp]", flavor))
    (tmp_path / "my_tcp.py").write_text(class_text())
    return tmp_path


def said(capsys, *words):
    """The exit code of a command, and what it printed on standard error."""
    code = main(words)
    return code, capsys.readouterr().err


@pytest.mark.parametrize(
    ("body", "executor"), [*((body, "threads") for body in FAILS), ("1 / 0", "processes")]
)
def test_an_error_ends_the_run_with_line_and_time(folder, capsys, body, executor):
    wrong = f"self.seen = getattr(self, 'seen', 0) + 1\nif self.seen == 30:\n    {body}"
    (folder / "my_tcp.py").write_text(class_text(on_ack=wrong))
    code, errors = said(capsys, "run", "lab.toml", "--allow-code", "--executor", executor)
    assert code == BAD_INPUT
    line = 7 if "=" in body or body in ("1 / 0", "raise SystemExit") else 4
    told = f"ackclock: my_tcp.py, line {line}, in MyControl.on_ack: {FAILS[body]} (at "
    assert told in errors, errors
    assert "s of the simulation, flow 0)" in errors
    assert "Traceback" not in errors
    at_s = float(errors.partition("(at ")[2].partition(" s ")[0])
    assert 0.03 < at_s < 2


@pytest.mark.parametrize(
    ("texts", "place"),
    [
        ({"__init__": "flow.nothing"}, "line 3, in MyControl.__init__: AttributeError"),
        ({"__init__": "self.cwnd = None"}, "line 3, in MyControl.__init__: cwnd is None"),
        ({"on_congestion": "self.x"}, "line 7, in MyControl.on_congestion: AttributeError"),
        ({"head": "import nothing_such"}, "line 2, in MyControl: ModuleNotFoundError"),
        ({"head": 'reduction = "rate"'}, 'MyControl.reduction is "rate"; write "prr" or "own"'),
        ({"save": "(self)\n1 / 0"}, "line 9, in MyControl.save: ZeroDivisionError"),
        ({"on_unlimited": "(self, now)\n1 / 0"}, "line 9, in MyControl.on_unlimited: Zero"),
    ],
)
def test_every_method_is_named(folder, capsys, texts, place):
    (folder / "my_tcp.py").write_text(class_text(**texts))
    limited = ["--set", "tcp.receive_buffer=30 kB"] if "on_unlimited" in texts else []
    code, errors = said(capsys, "run", "lab.toml", "--allow-code", *limited)
    assert code == BAD_INPUT
    assert place in errors


def test_the_time_of_an_error_is_that_of_its_event():
    class Fails:
        def __init__(self, flow):
            self.flow = flow

        def on_ack(self, sample):
            if sample.now > 3:
                raise ValueError(repr(sample.now))

        def on_congestion(self, cause):
            pass

    with pytest.raises(CodeError) as caught:
        controlled_run(Fails)
    described = str(caught.value)
    assert described.startswith("here, in Here.on_ack: ValueError: 3.0")
    at_s = float(described.partition("ValueError: ")[2].partition(" ")[0])
    assert f"(at {at_s:.6f}".rstrip("0") in described


def test_ctrl_c_stays_ctrl_c():
    class Interrupted:
        def __init__(self, flow):
            raise KeyboardInterrupt

        def on_ack(self, sample):
            pass

        def on_congestion(self, cause):
            pass

    with pytest.raises(KeyboardInterrupt):
        controlled_run(Interrupted)


@pytest.mark.parametrize("text", WRONG)
def test_check_finds_errors_without_running_the_code(folder, capsys, text):
    (folder / "my_tcp.py").write_text(f"{text}\nraise SystemExit\n")
    code, errors = said(capsys, "check", "lab.toml")
    assert code == BAD_INPUT
    key = 'lab.toml:18: tcp.flavor = { python = "my_tcp.py:MyControl" }: '
    assert f"{key}{WRONG[text]}" in errors


@pytest.mark.parametrize(
    ("flavor", "reason"),
    [
        ("gone.py:MyControl", "gone.py cannot be read (No such file or directory)"),
        ("my_tcp.py", 'write it like { python = "my_tcp.py:MyControl" }'),
        ('{ python = "my_tcp.py" }', 'write it like { python = "my_tcp.py:MyControl" }'),
        ('{ pyton = "my_tcp.py:MyControl" }', 'write it like { python = "my_tcp.py:MyControl" }'),
        ("cubick", 'did you mean "cubic"?'),
    ],
)
def test_a_wrong_name_is_refused(folder, flavor, reason):
    with pytest.raises(InputError) as caught:
        load(folder / "lab.toml", [f"tcp.flavor={flavor}"])
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    "words",
    [
        ["run", "lab.toml"],
        ["run", "lab.toml", "--executor", "processes"],
        ["size-buffer", "lab.toml", "--target", "utilisation >= 90 %"],
        ["capture", "lab.toml", "--at", "server 1", "--out", "x.pcapng"],
        ["compare", "my_tcp.py:MyControl", "cubic"],
    ],
)
def test_commands_that_run_code_need_permission(folder, capsys, words):
    code, errors = said(capsys, *words)
    assert code == BAD_INPUT
    message = "this scenario runs Python code from my_tcp.py; read it, then add --allow-code"
    assert message in errors
    assert sorted(path.name for path in folder.iterdir()) == ["lab.toml", "my_tcp.py"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["emulate", "lab.toml"], "cannot run; write for example flavor"),
        (["shell", "lab.toml", "--", "true"], "cannot run; write for example flavor"),
        (["drill", "x.pkt", "--flavor", "my_tcp.py:MyControl"], "a script cannot run"),
    ],
)
def test_where_no_class_can_run(folder, capsys, words, reason):
    (folder / "x.pkt").write_text("")
    code, errors = said(capsys, *words)
    assert code == BAD_INPUT
    assert "my_tcp.py:MyControl" in errors
    assert reason in errors


def test_commands_that_read_need_no_permission(folder, capsys):
    (folder / "my_tcp.py").write_text(class_text() + "raise SystemExit\n")
    assert main(["check", "lab.toml"]) == 0
    assert main(["explain", "lab.toml"]) == 0
    assert "my_tcp.py:MyControl" in capsys.readouterr().out


def test_a_permission_ends_with_its_statement(folder):
    plan = plan_of(f"{folder}/my_tcp.py:MyControl")
    assert not is_code_allowed()
    with code_allowed():
        _core.run(plan, 1)
    for refused in (lambda: _core.run(plan, 1), lambda: _core.Run(plan, 1)):
        with pytest.raises(CodeError, match="--allow-code"):
            refused()
    with pytest.raises(InputError, match="--allow-code"):
        ackclock.run(folder / "lab.toml", folder / "results")
    with code_allowed():
        with code_allowed():
            pass
        assert is_code_allowed(), "that of the other statement is left"
        with code_allowed(False):
            assert is_code_allowed()


def test_the_lab_runs_code_with_permission_only(folder):
    settings = settings_of(folder)
    body = {"scenario": "yours/lab", "order": 1}
    assert call(settings, "POST", "/api/check", body).json()["ok"]
    refused = call(settings, "POST", "/api/run", body)
    assert "--allow-code" in problem(refused)
    job = {**body, "kind": "sweep"}
    assert "--allow-code" in problem(call(settings, "POST", "/api/jobs", job))
    with code_allowed():
        assert call(settings, "POST", "/api/run", body).status_code == 200


def test_the_lab_shows_an_error_beside_what_was_simulated(folder):
    (folder / "my_tcp.py").write_text(class_text(on_congestion="1 / 0"))
    with code_allowed():
        answer = call(
            settings_of(folder), "POST", "/api/run", {"scenario": "yours/lab", "order": 1}
        )
    head, _ = frame.read(answer.content)[-1]
    assert any("line 7, in MyControl.on_congestion" in note for note in head["notes"])
    assert head["done"] < 1
