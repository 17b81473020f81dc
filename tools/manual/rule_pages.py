"""The rules of the games and their switches, each with its source, from the code that referees by them."""

from __future__ import annotations

import ast
import inspect
from dataclasses import fields, is_dataclass
from importlib import resources
from typing import Any

from manual.markdown import block, cell, code, table
from referee.karuta import rulebook, ruleset
from referee.kendo import house_rules as kendo_rules
from referee.kendo.rows import ROWS
from referee.koikoi import house_rules as koikoi_rules
from referee.rules_listing import listing, meanings


def rule_pages() -> dict[str, str]:
    """Return the pages of the rules by file name."""
    return {
        "karuta.md": _karuta(),
        "koikoi.md": _card_table(
            "Koi-Koi",
            "koikoi",
            koikoi_rules.PRESETS,
            "`Lnn` are lines of a hanafuda club's written rules of 16 March 2008.",
        ),
        "kendo.md": _card_table(
            "Kendo cards",
            "kendo",
            kendo_rules.PRESETS,
            "The sections (I, II, III.a ...) are those of the French text that comes with the cards.",
        )
        + _kendo_rows(),
    }


def japanese_reasons() -> str:
    """Return the page of karuta's reasons and doubts in Japanese."""
    titles = rulebook.sources()
    reasons = [
        (code(each.id), cell(each.ja), cell(titles[each.source].title_ja), cell(each.paragraph))
        for each in rulebook.reasons().values()
    ]
    doubts = [(code(each.id), cell(each.ja)) for each in rulebook.doubts().values()]
    return "\n".join(
        [
            "# 判定の理由の一覧\n",
            "競技かるたの判定には、必ず理由と出典が付きます。規則の切り替えは"
            "[英語の一覧](../reference/rules/karuta.md)にあります。\n",
            "## 理由\n",
            table(("記号", "理由", "出典", "箇所"), reasons),
            "## 確認が必要な点\n\n一つでもあれば、判定は審判を待ちます。\n",
            table(("記号", "内容"), doubts),
        ]
    )


def _reasons() -> str:
    """Return the tables of karuta's reasons and doubts."""
    titles = rulebook.sources()
    reasons = [
        (code(each.id), cell(each.en), cell(titles[each.source].title_en), cell(each.paragraph))
        for each in rulebook.reasons().values()
    ]
    doubts = [(code(each.id), cell(each.en)) for each in rulebook.doubts().values()]
    return "\n".join(
        [
            "## Reasons\n\nEvery ruling names its reasons, the weightiest first.\n",
            table(("id", "reason", "source", "paragraph"), reasons),
            "## Doubts\n\nA ruling with a doubt is `review`: a person looks.\n",
            table(("id", "doubt"), doubts),
        ]
    )


def _karuta() -> str:
    presets = ruleset.PRESETS
    rows = []
    said = meanings(inspect.getdoc(ruleset.RuleSet) or "")
    for field in fields(ruleset.RuleSet):
        if field.name != "name":
            values = [_value(getattr(each, field.name)) for each in presets.values()]
            rows.append((code(field.name), *values, cell(said[field.name])))
    words = [(code(value), cell(text)) for value, text in _words_of(ruleset).items()]
    return "\n".join(
        [
            "# Karuta: rules and reasons\n",
            "There are three rule sets: `kyogi` (the default), `seed-000` (a German club's rules) and "
            "`seed-001` (an English encyclopedia's). A match names one at its set-up.\n",
            "## Switches\n",
            table(("switch", *presets, "which document says so"), rows),
            "## What the words mean\n",
            table(("value", "meaning and source"), words),
            _reasons(),
        ]
    )


def _kendo_rows() -> str:
    """Return the table of what may be played, with the section that says so."""
    rows = dict.fromkeys((row.name, row.source) for row in ROWS)
    return (
        "\n## What may be played\n\nA play that no row allows is refused; the refusal names the row.\n\n"
        + table(("cards", "section"), ((cell(name), cell(source)) for name, source in rows))
    )


def _value(value: object) -> str:
    if is_dataclass(value):
        measures = (getattr(value, field.name) for field in fields(value))
        return " / ".join("-" if each is None else f"{100 * each:g} cm" for each in measures)
    return code({True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value))


def _words_of(module: Any) -> dict[str, str]:
    """Return `switch = word` with the text below it for every word of a module's enumerations."""
    found = {}
    for kind in ast.parse(inspect.getsource(module)).body:
        if isinstance(kind, ast.ClassDef) and any(
            getattr(base, "id", "") == "StrEnum" for base in kind.bases
        ):
            for word, text in zip(kind.body, kind.body[1:], strict=False):
                if isinstance(word, ast.Assign) and isinstance(text, ast.Expr):
                    switch = "".join(f"_{each.lower()}" if each.isupper() else each for each in kind.name)
                    found[f"{switch.lstrip('_')} = {ast.literal_eval(word.value)}"] = ast.literal_eval(
                        text.value
                    )
    return found


def _card_table(title: str, game: str, presets: Any, sources: str) -> str:
    parts = [
        f"# {title}: rules and switches\n",
        f"{sources} A house file names a preset as its `base` and writes only what differs; "
        f"`shinpan {game} rules` prints this list.\n",
        f"## `{presets.default}`, the preset that a house starts from\n",
        block(listing(presets[presets.default]), "toml"),
    ]
    for name in presets.names:
        if name != presets.default:
            text = resources.files(f"referee.{game}").joinpath("rulesets", f"{name}.toml").read_text("utf-8")
            parts += [f"## `{name}`\n", block(text, "toml")]
    return "\n".join(parts)
