"""What each claim rests on: its count, its unit, and how often it may fail all the same.

`uv run python -m benchmarks.evidence [--write]` reads `claims.toml` and prints each claim with the upper end
of its one-sided 95 % interval (Clopper and Pearson, 1934), and what is shown of the risk that a decided
ruling states (`referee.karuta.risk`). `--write` puts both into the pages that tell them, in both languages.
"""

import tomllib
from math import ceil
from pathlib import Path
from typing import Any, Final

from benchmarks.command import read_options
from desk.panel.house.rules import risk_text
from desk.panel.words import words
from referee.karuta.risk import risk_of, upper_bound
from referee.karuta.ruleset import KYOGI

CLAIMS: Final = Path(__file__).with_name("claims.toml")
_ROOT: Final = Path(__file__).parents[1]
PAGES: Final = {
    "en": _ROOT / "docs" / "explanation" / "evidence.md",
    "ja": _ROOT / "docs" / "ja" / "explanation" / "evidence.md",
}
ROWS: Final = "<!-- rows of python -m benchmarks.evidence -->", "<!-- end of these rows -->"
COUNTS: Final = "<!-- counts of python -m benchmarks.evidence -->", "<!-- end of the counts -->"
RISK: Final = "<!-- risk of python -m benchmarks.evidence -->", "<!-- end of the risk -->"
_HEADS: Final = {
    "en": ("claim", "failed of n", "unit", "true rate below, 95 %", "what would refute it", "command"),
    "ja": ("主張", "失敗 / n", "単位", "真の割合の上限（95 %）", "反証となるもの", "コマンド"),
}
_COUNT_HEADS: Final = {
    "en": ("count", "unit", "independent", "true share, 95 %"),
    "ja": ("数（正しい数 of 全体）", "単位", "独立な数", "真の割合（95 %）"),
}
_BOUNDS: Final = {"en": ("above ", "below "), "ja": ("下限 ", "上限 ")}


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
                f"{upper_bound(one['failed'], one['n']):.1%}",
                one["refuted"][language],
                f"`{one['command']}`",
            )
        )
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def counts(language: str) -> str:
    """Return the counts of README.md and the pages of results: unit, independent units, bound of the share.

    Where counted things share a film, a photo or a reader, they count as so many independent units with the
    same share, rounded against the claim.
    """
    rows = [_COUNT_HEADS[language], ("---",) * 4]
    for one in tomllib.loads(CLAIMS.read_text("utf-8"))["count"]:
        for told in one["told"]:
            k, n = (int(number.replace(",", "")) for number in told.split(" of "))
            units = min(n, one.get("units", n))
            if 2 * k >= n:
                bound = _BOUNDS[language][0] + _percent(1 - upper_bound(ceil((n - k) * units / n), units))
            else:
                bound = _BOUNDS[language][1] + _percent(upper_bound(ceil(k * units / n), units))
            rows.append((told, one["unit"][language], f"{units:,}", bound))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _percent(share: float) -> str:
    least = 0.001
    return f"{share:.1%}" if share > least else f"{share:.3%}"


def stated(language: str) -> str:
    """Return what is shown of the risk that the usual rules state."""
    return risk_text(risk_of(KYOGI).to_json(), words(language))


def replaced(page: str, marks: tuple[str, str], text: str) -> str:
    """Return a page with another text between its marks."""
    begin, end = marks
    before, rest = page.split(begin)
    return f"{before}{begin}\n{text}\n{end}{rest.split(end, 1)[1]}"


def main() -> None:
    """Print the claims and their bounds."""
    options = read_options(__doc__, write=False)
    print(table("en"))
    print(stated("en"))
    print(counts("en"))
    if options.write:
        for language, path in PAGES.items():
            page = replaced(path.read_text("utf-8"), ROWS, table(language))
            page = replaced(page, RISK, stated(language))
            path.write_text(replaced(page, COUNTS, counts(language)), "utf-8")


if __name__ == "__main__":
    main()
