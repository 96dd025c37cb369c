"""``ackclock help``."""

from __future__ import annotations

from ackclock.errors import InputError


def help(*command: str) -> None:
    """Print the help text of all commands, or of one.

    Args:
        command: Name of a command, if needed with its subcommand: reproduce ubr-web.
    """
    from ackclock.cli import app
    from ackclock.suggestions import hint

    chain, apps, unknown = app.parse_commands(command)
    if unknown:
        above = " ".join(("ackclock", *chain))
        known = [name for name in apps[-1] if not name.startswith("-")]
        meant = hint(unknown[0], known) or f"`{above} --help` lists the commands"
        raise InputError(f'"{" ".join(unknown)}" is not a command of {above}; {meant}')
    app.help_print(command)
