"""The rules of the games and their switches, each with its source, from the code that referees by them."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import resources
from typing import Any

from manual.markdown import block, cell, code, table
from referee.karuta import house_rules as karuta_rules
from referee.karuta import rulebook
from referee.karuta.ruleset import RuleSet
from referee.kendo import house_rules as kendo_rules
from referee.kendo.rows import ROWS
from referee.koikoi import house_rules as koikoi_rules
from referee.rules_listing import listing


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
    named = rulebook.presets()
    rows = []
    for field in fields(RuleSet):
        if field.name in rulebook.switches():
            values = [_value(getattr(karuta_rules.PRESETS[name], field.name)) for name in named]
            rows.append((code(field.name), *values))
    return "\n".join(
        [
            "# Karuta: rules and reasons\n",
            "A match names its rule set at its set-up, or a TOML file that says what differs from one; "
            "`shinpan rules` prints all of it as such a file. `kyogi` is the default. "
            "[What each switch means, and who says so](../../explanation/karuta-rules.md).\n",
            *(f"- `{each.id}`, {each.title_en}: {' '.join(each.about_en)}" for each in named.values()),
            "\n## Switches\n",
            table(("switch", *named), rows),
            _reasons(),
        ]
    )


def disputed_rules(language: str) -> str:
    """Return the page of karuta's switches: the rule, each reading of it, its source, and the presets."""
    japanese = language == "ja"
    titles = {key: one.title_ja if japanese else one.title_en for key, one in rulebook.sources().items()}
    rows = []
    for switch in rulebook.switches().values():
        rule = (
            f"**{switch.title_ja}** {switch.about_ja}"
            if japanese
            else f"**{switch.title_en}** {switch.about_en}"
        )
        if not switch.values:
            usual = code(switch.id), _value(getattr(karuta_rules.PRESETS["kyogi"], switch.id))
            rows.append((cell(rule), cell(" = ".join(usual)), "", _said_by(switch, titles), ""))
        for value in switch.values.values():
            meant = value.ja if japanese else value.en
            key = code(f"{switch.id} = {value.id}")
            rows.append(
                (cell(rule), key, cell(meant), _said_by(value, titles), _presets_with(switch.id, value.id))
            )
            rule = ""
    head = DISPUTED_JA if japanese else DISPUTED_EN
    columns = (
        ("規則", "切り替え", "本審判の読み方", "出典", "採用する規則セット")
        if japanese
        else ("rule", "switch", "our reading", "source", "rule sets")
    )
    fixed = [
        (*(japanese_words if japanese else english), titles[source] + paragraph)
        for (source, paragraph), english, japanese_words in UNSWITCHED
    ]
    title = "切り替えのないもの" if japanese else "What no switch changes"
    return f"{head}\n{table(columns, rows)}\n## {title}\n\n{table((columns[0], *columns[2:4]), fixed)}"


DISPUTED_EN = """# Where the rule documents of karuta disagree

For every point on which the documents disagree or say nothing there is one switch. This table names the
reading that each value stands for, the document it comes from, and the rule sets that go by it.

The association's competition rules and bylaws could be read here only in excerpts that clubs publish: the
former rules, and single articles and notes of the present ones. What they say of a hand that draws back after
a take could not be read, so no rule set claims to follow it: such a hand is judged by *End of play* below.
Strikes come within a second of the take, and three seconds are longer than any sweep; between the two an
official decides. Once all hands have left the field the eye reports nothing more of the poem.
Bylaw 23, paragraph 2, as it stands since May 2019, could be read: a card that the hand takes along into the
other territory is no fault there, whatever it meets, unless the hand itself touches a card.

A card that lies across the middle is sent if a player laid it there: straight, and facing its receiver, as
no sweep leaves it. Turned away it was swept and goes home; aslant nobody knows, so it is put straight or
taken home. A card that nobody saw at home since the play was over is not sent by lying across, however
straight, for the play may have carried it there: a hand takes it home or lays it anew, an official accepts
the field, or the next poem is read.

What is proven by nobody is never a fault. Notes (a swing before the last two minutes, a hand raised after
the reader was asked to go on, a changed playing hand, the closing bow) are said and have no other effect.
"""
DISPUTED_JA = """# 競技かるたの規則書が食い違うところ

規則書どうしが食い違うところ、定めのないところには、切り替えが一つずつあります。この表は、それぞれの値の読み方、出典、採用する規則セットを示します。

協会の競技規程と細則は、かるた会が公開している抜粋（旧規程と、現行の一部の条文・補足）だけを確認できました。取った後に引く手についての条文は確認できなかったため、それに従うと称する規則セットはありません。引く手は、下の「取りの終わり」によって判定します。取りから1秒までは競技中、3秒の後は片付けで、その間は審判が決めます。双方の手が場を離れた後の接触は、カメラが報告しません。細則第23条第2項（2019年5月から）は確認できました。手が連れて行った札が他方の陣の札に当たっても、手が他方の陣の札に触れていなければ、そこはお手つきではありません。

中央を越えて置かれた札は、まっすぐで受け手の方を向いていれば送り札とみなします（払いではそうなりません）。向きの違う札は、払われた札として元に戻します。斜めの札はどちらとも決めず、まっすぐに直すか戻すかを待ちます。取りの後に自陣で一度も見えていない札は、払われたのかもしれないので、まっすぐ置かれていても送り札とはみなしません。手で戻すか置き直すか、審判が場を認めるか、次の歌が読まれるのを待ちます。

確認できない接触は、お手つきにしません。知らせるだけのこと（最後の二分より前の素振り、次の読みに進むことになってから上げた手、有効手の交替、終わりの礼）は、ほかに何の効果もありません。
"""
UNSWITCHED = (
    (
        ("official", ", bylaw 1, note"),
        ("**Field accepted** An official accepts where the cards lie.",
         "Places only: what is owed stays owed until the next kami, and nobody wins by it."),
        ("**場の承認** 審判が、今ある札の場所を認めたとき。",
         "場所だけを認める。送るべき札は次の上の句まで残り、それで勝ちにはならない。"),
    ),
    (
        ("reading", ""),
        ("**Scattered card** A card lies across the middle after a play.",
         "As above: displaced, until a hand, an official or the next poem says that it was sent. "
         "The sender chooses freely."),
        ("**散った札** 競技の後、札が中央を越えているとき。",
         "上のとおり、手か審判か次の歌によって送り札と分かるまでは、元に戻す札とする。送る札は自由に選べる。"),
    ),
    (
        ("official", ", articles 14 and 23"),
        ("**Outside** Somebody touches a card outside that was pushed or swept out.",
         "No fault, whoever touches it."),
        ("**競技線の外** 押し出された札、払い出された札に、外で触れたとき。",
         "誰が触れてもお手つきではない。"),
    ),
    (
        ("seed-001", ", If the correct Torifuda is on the floor"),
        ("**Rearranging** A player moves cards of the own territory.",
         "At any time, if the opponent was told before; else the card goes back."),
        ("**札の移動** 自陣の札を並べ替えるとき。",
         "先に相手に告げれば、いつでもよい。告げなければ元に戻す。"),
    ),
    (
        ("official", ", article 2"),
        ("**Overruling** An official decides otherwise.",
         "It binds. Refused is only what no play leads to: a dead card that was taken, more cards sent than "
         "are left."),
        ("**審判の裁定** 審判が別の判定をしたとき。",
         "それに従う。空札の取りや、残りの札より多い送り札のように、ありえない判定だけは受け付けない。"),
    ),
    (
        ("official", ", bylaw 16"),
        ("**Raised hand** A player asks the reader to wait.",
         "In time until the reader is asked to go on with the shimo; later a note."),
        ("**手を上げる** 読手に待ってもらうとき。", "次の読みに進むことになるまで。その後は知らせるだけ。"),
    ),
)  # fmt: skip
"""What no switch changes: source and paragraph, rule and reading in English, the same in Japanese."""


def _said_by(text: rulebook.SwitchText | rulebook.Reason, titles: Mapping[str, str]) -> str:
    return cell(f"{titles[text.source]}, {text.paragraph}")


def _presets_with(switch: str, value: str) -> str:
    """Return the presets whose switch has this value."""
    wanted = {"true": True, "false": False}.get(value, value)
    names = (name for name in karuta_rules.PRESETS.names)
    return ", ".join(code(name) for name in names if getattr(karuta_rules.PRESETS[name], switch) == wanted)


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
