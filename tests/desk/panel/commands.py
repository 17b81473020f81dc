"""Commands as a browser posts them, for tests."""

from typing import Final, get_args

from pydantic import TypeAdapter

from desk.panel.match.requests import Command, CommandRequest

_ADAPTER: Final[TypeAdapter[CommandRequest]] = TypeAdapter(CommandRequest)
NAMES: Final = sorted(
    name
    for kind in get_args(get_args(CommandRequest)[0])
    for name in get_args(kind.model_fields["name"].annotation)
)
"""The names of all commands."""


def command(name: str, origin: str = "operator", **arguments: object) -> Command:
    """Return a command; it is refused here if no browser could post it."""
    return Command(_ADAPTER.validate_python({"name": name, **arguments}), origin)
