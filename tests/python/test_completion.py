"""``ackclock completion``: the scripts, and what bash makes of its own."""

import shutil
import subprocess
from pathlib import Path

import pytest

from ackclock.cli import app, main

SHELLS = ("bash", "zsh", "fish")
COMMANDS = [name for name in app if not name.startswith("-")]


def script(shell, capsys):
    assert main(["completion", shell]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_has_all_commands_and_their_options(shell, capsys):
    text = script(shell, capsys)
    assert not [name for name in COMMANDS if name not in text]
    for option in ("seed", "json", "replications", "list-settings"):
        assert option in text
    assert "ubr-web" in text


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_reads_its_script(shell, tmp_path, capsys):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    path = tmp_path / "script"
    path.write_text(script(shell, capsys))
    subprocess.run([shell, "-n", str(path)], check=True)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["sh"], {"show", "shell"}),
        (["reproduce", "ub"], {"ubr-web"}),
        (["run", "--se"], {"--set", "--seed"}),
        (["run", "--executor", "d"], {"dask://"}),
        (["reproduce", "rfc2415", "--executor", "p"], {"processes"}),
        (["show", "lab.t"], {"lab.toml"}),
        (["check", "lab.t"], {"lab.toml"}),
    ],
)
def test_bash_completes(words, found, tmp_path, capsys):
    (tmp_path / "lab.toml").touch()
    (tmp_path / "script").write_text(script("bash", capsys))
    typed = " ".join(["ackclock", *words])
    told = (
        f"source ./script; COMP_WORDS=({typed}); COMP_CWORD={len(words)}; "
        '_ackclock; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", told], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert set(done.stdout.split()) == found


@pytest.mark.parametrize("shell", SHELLS)
def test_it_is_installed_where_the_shell_looks(shell, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("ZSH", "ZSH_CUSTOM"):
        monkeypatch.delenv(name, raising=False)
    assert main(["completion", shell, "--install"]) == 0
    path = capsys.readouterr().out.partition(" is written")[0]
    assert path.startswith(str(tmp_path))
    assert "validate-kernel" in Path(path).read_text()


def test_another_shell_is_told(monkeypatch, capsys):
    for name in ("BASH_VERSION", "ZSH_VERSION", "FISH_VERSION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SHELL", "tcsh")
    monkeypatch.setenv("PATH", "")
    assert main(["completion"]) == 2
    said = capsys.readouterr()
    assert "name one, for example `ackclock completion bash`" in said.err
    assert main(["completion", "csh"]) == 2


def test_a_home_that_cannot_be_written_is_told(tmp_path, monkeypatch, capsys):
    (tmp_path / ".local").write_text("no folder")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert main(["completion", "bash", "--install"]) == 2
    assert "cannot be written" in capsys.readouterr().err
