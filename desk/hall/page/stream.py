"""The streams of the board's pages: the data of a page after each change, at most four times a second."""

import json
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from desk.panel.words import Words

_FRESH_S: Final = 0.2  # time for which one text serves all viewers
PACE_S: Final = 0.25
"""Shortest time between two messages: a hundred mats change more often than anybody can follow."""


class SharedText:
    """A page's data as JSON, built once for all viewers of a language.

    `seq`: returns a number; when it changes, the data are built again at once.
    """

    def __init__(
        self, view: Callable[[Words], Mapping[str, Any]], seq: Callable[[], int] = lambda: 0
    ) -> None:
        self._view, self._seq = view, seq
        self._made: dict[str, tuple[int, float, str]] = {}

    def __call__(self, said: Words) -> str:
        """Return the text in a language."""
        now_s, seq = time.monotonic(), self._seq()
        made_seq, made_s, text = self._made.get(said.language, (-1, 0.0, ""))
        if made_seq != seq or now_s - made_s > _FRESH_S:
            text = json.dumps(self._view(said), ensure_ascii=False, separators=(",", ":"))
            self._made[said.language] = seq, now_s, text
        return text
