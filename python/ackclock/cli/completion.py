"""``ackclock completion``."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from ackclock.errors import InputError

Shell = Literal["bash", "zsh", "fish"]


def completion(
    shell: Shell | None = None,
    /,
    *,
    install: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Complete commands and options in a shell with the Tab key.

    Prints the completion script of a shell. With --install, writes the script to the place where
    the shell looks for it, and for bash and zsh adds the line that loads it to ~/.bashrc or
    ~/.zshrc.

    Args:
        shell: The shell; by default the one that you use now.
        install: Install the script, so that all your new shells load it.
    """
    from cyclopts.completion.detect import ShellDetectionError, detect_shell

    from ackclock.cli import app
    from ackclock.cli.output import say

    if shell is None:
        try:
            found = detect_shell()
        except ShellDetectionError:
            found = None
        if found not in Shell.__args__:
            raise InputError(
                "the current shell is not bash, zsh or fish; name one, for example"
                " `ackclock completion bash`"
            )
        shell = found
    if not install:
        say(app.generate_completion(shell=shell).rstrip("\n"))
        return
    try:
        path = app.install_completion(shell=shell)
    except OSError as error:
        raise InputError(
            f"--install: {error.filename} cannot be written ({error.strerror}); print the script"
            f" with `ackclock completion {shell}` and put it where {shell} finds it"
        ) from error
    say(f"{path} is written; a new {shell} completes ackclock's commands")
