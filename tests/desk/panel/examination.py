"""Requests made from the panels' own descriptions (OpenAPI), fitting and misfitting, by schemathesis."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.desk.panel.pages import Page

_HERE = "http://127.0.0.1"
_ENDLESS = ("/events", ".mjpeg", "/sound")
_CHECKS = [
    schemathesis.checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


class Examination:
    """Asks all addresses of a page.

    `requests`: how many were sent. `problems`: what the answers had that the description has not, by address,
    with how often.
    """

    def __init__(self, page: Page) -> None:
        self.requests = 0
        self.problems: Counter[str] = Counter()
        self._page = page

    def ask_all(self, examples: int, dice: int) -> None:
        """Send `examples` requests of each kind to each address, from the dice's number `dice`."""
        for operation in self._operations():
            for mode in GenerationMode:
                if mode is GenerationMode.POSITIVE or _can_misfit(operation):
                    self._ask(operation.as_strategy(generation_mode=mode), examples, dice)

    def _operations(self) -> Iterator[Any]:
        described = schemathesis.openapi.from_dict(self._page.app.openapi())
        for found in described.get_all_operations():
            assert isinstance(found, Ok), found
            operation = found.ok()
            if not operation.path.endswith(_ENDLESS):
                yield operation

    def _ask(self, strategy: Any, examples: int, dice: int) -> None:
        @seed(dice)
        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            verbosity=Verbosity.quiet,
            suppress_health_check=list(HealthCheck),
        )
        @given(strategy)
        def asked(case: Any) -> None:
            self._one(case)

        asked()

    def _one(self, case: Any) -> None:
        self.requests += 1
        where = f"{case.method} {case.operation.path}"
        try:
            response = self._answer(case.as_transport_kwargs(base_url=_HERE))
        except Exception as error:  # noqa: BLE001 (whatever leaves the application is a server error)
            self.problems[f"{where}: {type(error).__name__}: {error}"[:200]] += 1
            return
        try:
            case.validate_response(response, checks=_CHECKS)
        except FailureGroup as group:
            for failure in group.exceptions:
                self.problems[f"{where}: {response.status_code}: {failure}"[:200]] += 1

    def _answer(self, asked: dict[str, Any]) -> httpx.Response:
        """Send a request from an address of its own: how often one may ask is another matter."""
        number = self.requests
        client = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}", 1
        answers: list[httpx.Response] = []

        async def ask() -> None:
            door = httpx.ASGITransport(self._page.app, client=client)
            async with httpx.AsyncClient(transport=door) as browser:
                answers.append(await asyncio.wait_for(browser.request(**_fitted(asked)), 10.0))

        self._page.run(ask())
        return answers[0]


def _can_misfit(operation: Any) -> bool:
    """Tell whether an address can be asked wrongly: whatever stands in an address is text."""
    return bool(operation.body) or any(
        '"integer"' in json.dumps(one.definition) for one in operation.iter_parameters()
    )


def _fitted(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what `requests` would send as `httpx` sends it."""
    kept = {"method", "url", "params", "json"}
    fitted = {name: value for name, value in asked.items() if name in kept and value is not None}
    fitted["headers"] = {name: str(value) for name, value in dict(asked.get("headers") or {}).items()}
    if asked.get("data") is not None:
        fitted["content"] = asked["data"] if isinstance(asked["data"], str | bytes) else str(asked["data"])
    return fitted
