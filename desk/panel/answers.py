"""Responses besides pages and JSON data, and their OpenAPI descriptions."""

from typing import Any

from fastapi import Response

Answers = dict[int | str, dict[str, Any]]


_REFUSED = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("error", "detail", "refusal")},
    "anyOf": [{"required": ["error"]}, {"required": ["detail"]}],
}
"""Schema of a refusal: the text comes from the route (`error`) or from the framework (`detail`)."""


def _refused(why: str) -> dict[str, Any]:
    return {"description": why, "content": {"application/json": {"schema": _REFUSED}}}


EVERYWHERE: Answers = {
    400: {
        "description": "another host's name, or no text",
        "content": {"text/plain": {}, "application/json": {"schema": _REFUSED}},
    },
    403: _refused("not for this visitor, or asked by a page of another site"),
    404: _refused("nothing is there, or not now"),
    408: _refused("the request did not arrive in time"),
    413: _refused("the request is too large"),
    422: _refused("the request is not what is expected"),
    429: _refused("too many commands a second"),
    503: _refused("the desk cannot do it now"),
}
"""Responses that any address may give."""
NOT_NOW: Answers = {409: _refused("it means nothing at this moment of the game")}
DELETED: Answers = {410: _refused("the pictures were deleted")}
ELSEWHERE: Answers = {303: {"description": "another page"}}


def data(*media_types: str) -> Answers:
    """Return the responses of an address that sends other data than JSON."""
    return {200: {"description": "the data", "content": {kind: {} for kind in media_types}}}


def file(media_type: str) -> Answers:
    """Return the responses of an address that sends a file and supports range requests."""
    return {
        **data(media_type),
        206: {"description": "a part of it", "content": {media_type: {}}},
        416: {"description": "no such part", "content": {"text/plain": {}}},
    }


def attachment(text: str, name: str) -> Response:
    """Return a text that browsers store as a file, `.csv` or `.json`."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    media_type = "text/csv" if name.endswith(".csv") else "application/json"
    return Response(text, media_type=media_type, headers=headers)
