"""What each claim rests on: its count, its unit, and how often it may fail all the same.

`uv run python -m benchmarks.evidence [--write]` reads `claims.toml` and prints each claim with the upper end
of its one-sided 95 % interval (Clopper and Pearson, 1934), and how far the evidence is from the risk that a
match should carry. `--write` puts the tables into `docs/explanation/evidence.md` and its Japanese page.
"""

from __future__ import annotations

import tomllib
from math import ceil, log
from pathlib import Path
from typing import Any, Final

from scipy.stats import beta

from benchmarks.command import read_options

CLAIMS: Final = Path(__file__).with_name("claims.toml")
_DOCS: Final = Path(__file__).parents[1] / "docs"
PAGES: Final = {
    "en": _DOCS / "explanation" / "evidence.md",
    "ja": _DOCS / "ja" / "explanation" / "evidence.md",
}
BEGIN, END = "<!-- rows of python -m benchmarks.evidence -->", "<!-- end of these rows -->"
_HEADS: Final = {
    "en": ("claim", "failed of n", "unit", "true rate below, 95 %", "what would refute it", "command"),
    "ja": ("主張", "失敗 / n", "単位", "真の割合の上限（95 %）", "反証となるもの", "コマンド"),
}
MATCH_POEMS: Final = 90
"""Poems of a match that are decided."""
MATCH_RISK: Final = 0.05
"""A match should have a wrong decision in fewer than this share of matches."""


def bound(failed: int, n: int) -> float:
    """Return the upper end of the one-sided 95 % interval of a rate, `failed` of `n`."""
    return 1.0 if failed == n else float(beta.ppf(0.95, failed + 1, n - failed))


def wanted_risk() -> float:
    """Return the share of decided poems that may be wrong, so that a match keeps within `MATCH_RISK`."""
    return float(1 - (1 - MATCH_RISK) ** (1 / MATCH_POEMS))


def poems_needed(risk: float) -> int:
    """Return how many decided poems without a wrong one show a risk, at 95 %."""
    return ceil(log(0.05) / log(1 - risk))


def claims() -> list[dict[str, Any]]:
    """Return the claims as they stand in `claims.toml`."""
    found: list[dict[str, Any]] = tomllib.loads(CLAIMS.read_text("utf-8"))["claim"]
    return found


def table(language: str) -> str:
    """Return the table of a page."""
    rows = [_HEADS[language], ("---",) * len(_HEADS[language])]
    for one in claims():
        mark = " †" if one.get("earlier") else ""
        counted = f"{one['failed']} / {one['n']}" if language == "ja" else f"{one['failed']} of {one['n']}"
        rows.append(
            (
                one["text"][language] + mark,
                counted,
                one["unit"][language],
                f"{bound(one['failed'], one['n']):.1%}",
                one["refuted"][language],
                f"`{one['command']}`",
            )
        )
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def replaced(page: str, rows: str) -> str:
    """Return a page with other rows between its marks."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{rows}\n{END}{rest.split(END, 1)[1]}"


def main() -> None:
    """Print the claims and their bounds."""
    options = read_options(__doc__, write=False)
    print(table("en"))
    risk = wanted_risk()
    print(
        f"wanted: at most {risk:.3%} of decided poems wrong; "
        f"{poems_needed(risk):,} decided poems without a wrong one would show it"
    )
    if options.write:
        for language, path in PAGES.items():
            path.write_text(replaced(path.read_text("utf-8"), table(language)), "utf-8")


if __name__ == "__main__":
    main()
