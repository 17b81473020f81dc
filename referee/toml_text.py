"""Read TOML from other people's disks; every text that cannot be read gives the same error."""

import re
import tomllib
from typing import Any

from referee.sentence import Sentence

_MOST = 1 << 20  # a person types such a file; the parser takes seconds for a longer one
_DEEP_KEY = re.compile(r"(?<![^\s.=,#])(?:[^\s.=,#]++[ \t]*+\.[ \t]*+){100}")
"""A key of tables in tables, such as `a.b.c`: the parser takes 35 s for one of 50,000 parts.

It is sought from the beginning of a word only, and without going back: one word may fill the file.
"""


def parse(text: str) -> dict[str, Any]:
    """Return the table of a TOML text.

    Raises ValueError if it is no TOML, is nested too deeply or too long, or holds a number of thousands of
    digits.
    """
    if len(text) > _MOST:
        raise ValueError(Sentence("it is too long, expected at most {n} MiB", n=_MOST >> 20))
    if _DEEP_KEY.search(text):
        raise ValueError(Sentence("it is nested too deeply"))
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError(Sentence("it is nested too deeply")) from error
