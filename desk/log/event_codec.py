"""Events to JSON and back, for all versions of their shapes.

An event is a frozen dataclass. Its kind is the class's name in snake case, its payload the fields as JSON.
When a shape changes, its version goes up by one, and an upcaster upgrades payloads of the previous version;
the log itself is never rewritten.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter, ValidationError

from desk.errors import DeskError, misfits
from referee.complaint import sentence_of

LOST = "event_lost"  # kind of the entry in a repaired log that takes the place of an unreadable event

Payload = Mapping[str, Any]
Upcaster = Callable[[Payload], Payload]
"""Function that upgrades a payload from the version it is registered for to the next one."""


class EventCodecError(DeskError):
    """A logged event cannot be understood."""


class NewerEventError(EventCodecError):
    """An event that this shinpan does not know: of a newer one, or of another game."""


class EventLostError(EventCodecError):
    """The log was repaired, and this event is missing."""


@dataclass(frozen=True, slots=True)
class EventShape:
    """How one class of events is logged."""

    type: type[Any]
    version: int = 1  # version of its present shape, 1, 2, ...
    # for each earlier version the function that upgrades its payload by one version
    upcasters: Mapping[int, Upcaster] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if sorted(self.upcasters) != list(range(1, self.version)):
            raise ValueError(
                f"{self.kind} version {self.version} needs an upcaster for each version from 1 to "
                f"{self.version - 1}, got them for {sorted(self.upcasters)}"
            )

    @property
    def kind(self) -> str:
        return re.sub(r"(?<!^)(?=[A-Z])", "_", self.type.__name__).lower()


class EventCodec:
    """Encodes and decodes the events of one game.

    `check`: raises `EventCodecError` for what no event of this game says, whatever its types allow.
    """

    def __init__(self, shapes: Iterable[EventShape], check: Callable[[Any], None] = lambda _: None) -> None:
        self._check = check
        self._shapes = {shape.kind: shape for shape in shapes}
        self._by_type = {shape.type: shape for shape in self._shapes.values()}
        self._adapters: dict[str, TypeAdapter[Any]] = {}

    @property
    def shapes(self) -> Mapping[str, EventShape]:
        """Every shape by the name of its event in the log."""
        return MappingProxyType(self._shapes)

    def encode(self, event: object) -> tuple[str, int, dict[str, Any]]:
        """Return the event's kind, the version of its shape, and its payload as JSON.

        Raises TypeError if the event's class was not registered.
        """
        shape = self._by_type.get(type(event))
        if shape is None:
            raise TypeError(f"no event shape is registered for {type(event).__name__}")
        payload: dict[str, Any] = self._adapter(shape).dump_python(event, mode="json")
        return shape.kind, shape.version, payload

    def decode(self, kind: str, version: int, payload: Payload | str) -> Any:
        """Return the event with this kind, version and payload (parsed, or as JSON text).

        Raises EventCodecError if the kind is unknown, the version is too new, the payload does not have the
        event's shape, or the event was lost.
        """
        if kind == LOST:
            raise EventLostError(
                "it was lost before this log was repaired: what comes after it can be exported, not replayed"
            )
        shape = self._shapes.get(kind)
        if shape is None:
            raise NewerEventError(
                "this shinpan knows no event {kind!r}: update it, or is the log another game's?", kind=kind
            )
        if version > shape.version:
            raise NewerEventError(
                "event {kind!r} has version {version}, but this shinpan reads up to {known}: update shinpan",
                kind=kind,
                version=version,
                known=shape.version,
            )
        if version < 1:
            raise EventCodecError(
                "event {kind!r} has version {version}: versions begin with 1", kind=kind, version=version
            )
        adapter = self._adapter(shape)
        try:
            if version == shape.version and isinstance(payload, str):
                event = adapter.validate_json(payload)
            else:
                lifted: Payload = json.loads(payload) if isinstance(payload, str) else payload
                for earlier in range(version, shape.version):
                    lifted = shape.upcasters[earlier](lifted)
                event = adapter.validate_python(lifted)
        except ValidationError as error:
            raise EventCodecError(
                "event {kind!r} version {version} has an unexpected shape: {why}",
                kind=kind,
                version=version,
                why=misfits(error.errors()),
            ) from error
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            # from an upcaster, or from text that is no JSON
            raise EventCodecError(
                "event {kind!r} version {version} is damaged: {why}",
                kind=kind,
                version=version,
                why=sentence_of(error),
            ) from error
        self._check(event)
        return event

    def _adapter(self, shape: EventShape) -> TypeAdapter[Any]:
        """Return the shape's adapter; each is built at its first use, since most games see few kinds."""
        adapter = self._adapters.get(shape.kind)
        if adapter is None:
            adapter = self._adapters[shape.kind] = TypeAdapter(shape.type)
        return adapter
