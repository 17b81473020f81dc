"""Both languages are complete: every English text of the panel has a Japanese one."""

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.extract import extract_from_dir

import desk.panel
from desk.errors import DeskError
from desk.karuta.engine.events import PauseReason
from desk.karuta.engine.minutes import Standing
from desk.karuta.engine.snapshot import _DECISIONS
from desk.karuta.simulated_hall.source import SimulatorWish
from desk.log.event_codec import EventShape
from desk.log.event_log import EventLog
from desk.panel import phrases
from desk.panel.match.port import Refusal
from desk.panel.match.view import NOTICES
from desk.panel.pages import spoken
from desk.panel.words import read_catalogue, words
from recitation.reading.order import Order, OrderError, reading_order
from recitation.reading.rhythm import RhythmError, parse_rhythm
from referee.complaint import sentence_of
from referee.karuta.flow.follow_ups import NoticeId
from referee.karuta.rulebook import doubts, reasons
from referee.sentence import Sentence
from tests.desk.panel.refusals import in_english_alone, modules, said
from vision.recordings.recording import RecordingError, load_recording
from vision.sources.source import SourceError
from vision.sources.source_address import open_source

PANEL = Path(desk.panel.__file__).parent
KEYWORDS = {"words": None, "said": None, "counted": (1, 2), "N_": None, "_": None}
METHODS = [("**.py", "python"), ("templates/**.html", "jinja2.ext:babel_extract")]
PAGES = [PANEL.parent / folder for folder in ("koikoi/page", "kendo/page", "hall/page", "shelf", "tables")]
"""Modules with texts of pages outside the panel's own folder."""
OPTIONS = {"templates/**.html": {"silent": "false"}}


def said_in_english() -> set[str]:
    found = [*extract_from_dir(str(PANEL), METHODS, OPTIONS, keywords=KEYWORDS)]
    for page in PAGES:
        found += extract_from_dir(str(page), METHODS[:1], keywords=KEYWORDS)
    tables = [tomllib.loads(path.read_text("utf-8")) for path in PANEL.parent.rglob("texts.toml")]
    assert len(tables) > 10, "the texts of the pages were not found"
    texts = {message[0] if isinstance(message, tuple) else message for _, _, message, _, _ in found}
    return texts | {*leaves(tables)} | said()


def leaves(node: Any) -> Iterator[str]:
    """Yield every text in nested tables."""
    if isinstance(node, str):
        yield from [node] if node else []
    else:
        for each in node.values() if isinstance(node, dict) else node:
            yield from leaves(each)


def test_english_has_no_quotes_that_japanese_fonts_draw_wide() -> None:
    """Where no Latin serif is installed, a heading's ’ came from a Mincho: "Jun’ s"."""
    assert [text for text in said_in_english() if re.search("[‘’“”]", text)] == []


def test_refusals_can_be_said_in_both_languages() -> None:
    assert len(modules()) > 700, "the modules were not found"
    assert [*in_english_alone()] == [], "make them sentences, and translate these"


@pytest.mark.parametrize(
    ("refused", "told"),
    [
        (lambda: reading_order(Order.SHUFFLE, 1, [101]), "歌の番号は1～100"),
        (lambda: parse_rhythm("1-2"), "読みの速さは"),
        (lambda: SimulatorWish(cards=3).match(), "一人の枚数は4～25枚"),
        (lambda: open_source("nowhere"), "「nowhere」という入力はありません"),
        (lambda: load_recording("nowhere"), "nowhere はフォルダーではありません"),
        (lambda: EventLog.open(Path("/dev/null/match.sqlite")), "試合のログ"),
    ],
)
def test_a_refusal_is_said_in_japanese(refused: Callable[[], object], told: str) -> None:
    with pytest.raises((OrderError, RhythmError, SourceError, RecordingError, DeskError)) as caught:
        refused()
    assert told in words("ja").complaint(sentence_of(caught.value))
    assert words("en").complaint(sentence_of(caught.value)) == str(caught.value)


def test_a_sentence_in_a_sentence_is_said_in_the_same_language() -> None:
    inner = Sentence("expected at least one poem to read, got none")
    text = words("ja").complaint(Sentence("the simulator cannot do this: {error}", error=inner))
    assert text == "シミュレーターではできません：読む歌が一首もありません"


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_japanese_is_complete_and_has_nothing_that_is_no_longer_said() -> None:
    catalogue = read_catalogue("ja")
    translated = {
        message.id[0] if isinstance(message.id, tuple) else message.id
        for message in catalogue
        if message.id and message.string and not message.fuzzy
    }
    english = said_in_english()
    assert len(english) > 100, "the texts were not found: has the extraction broken?"
    assert english - translated == set(), "add these to locale/ja/LC_MESSAGES/panel.po"
    assert translated - english == set(), "remove these from locale/ja/LC_MESSAGES/panel.po"


SAID_OTHERWISE = {
    "段目": "上段・中段・下段",
    "初音": "読み始め",
    "出だしの音": "読み始め",
    "早い出": "フライング",
    "反対の手": "有効手でない手",
    "逆の手": "有効手でない手",
    "取り手でない": "有効手でない",
    "双方のお手つき": "共お手",
    "共お手つき": "共お手",
    "証明でき": "確認でき",
    "人が判断します": "審判の確認待ち",
    "準備よし": "準備完了",
    "待っている席": "準備待ち",
    "一首目の前": "一首目を読む前",
    "の種：": "のシード値",
    "掲示板": "進行表示",
    "本体": "パソコン側",
    "復習どき": "そろそろ復習したい",
    "断って": "宣言して",
}
"""What is not said in Japanese any more, and what karuta people say instead."""


@pytest.mark.parametrize("old", SAID_OTHERWISE)
def test_japanese_is_what_karuta_people_say(old: str) -> None:
    shown = [PANEL / "locale/ja/LC_MESSAGES/panel.po", PANEL.parents[1] / "referee/karuta/rulebook.toml"]
    shown += [PANEL.parents[1] / "README.ja.md", *(PANEL.parents[1] / "docs/ja").rglob("*.md")]
    found = [path.name for path in shown if old in path.read_text("utf-8")]
    assert not found, f"say {SAID_OTHERWISE[old]}"


def test_a_game_of_karuta_is_a_shiai_and_a_time_is_in_ms() -> None:
    for message in read_catalogue("ja"):
        assert not re.search("対戦(?!相手|成績)|ミリ秒", str(message.string)), message.string


def test_japanese_reasons_have_full_width_punctuation() -> None:
    for text in [reason.ja for reason in reasons().values()] + [doubt.ja for doubt in doubts().values()]:
        assert not re.search("[:(),.]", text), text
    for message in read_catalogue("ja"):
        assert not re.search("[ぁ-ヿ一-龥][(:]|[)][ぁ-ヿ一-龥]", str(message.string)), message.string


def test_templates_say_plurals_where_the_extraction_finds_them() -> None:
    for template in (PANEL / "templates").iterdir():
        assert ".counted(" not in template.read_text("utf-8"), "call counted(...) itself"


def test_translations_use_only_fields_that_are_filled() -> None:
    for message in read_catalogue("ja"):
        if not message.id:
            continue
        ids = (message.id,) if isinstance(message.id, str) else message.id
        known = set().union(*(fields(text) for text in ids))
        texts = (message.string,) if isinstance(message.string, str) else message.string or ()
        for text in texts:
            # the plural's number is always filled, though English does not say "1" everywhere
            assert fields(text) <= known | ({"n"} if len(ids) > 1 else set()), message.id


def scripts_of(entry: str) -> set[Path]:
    """Return a page's script and all that it imports."""
    found, waiting = set(), [PANEL / "static" / entry]
    while waiting:
        script = waiting.pop()
        found.add(script)
        imports = re.findall(r'from "\./(\w+\.js)"', script.read_text("utf-8"))
        waiting += [path for name in imports if (path := PANEL / "static" / name) not in found]
    return found


@pytest.mark.parametrize(
    ("template", "entry", "dynamic"),
    [("match.html", "panel.js", {"connected", "lost", "over"}), ("set_up.html", "set_up.js", set())],
)
def test_the_script_says_only_what_the_page_hands_it(template: str, entry: str, dynamic: set[str]) -> None:
    text = (PANEL / "templates" / template).read_text("utf-8")
    handed = set(re.findall(r'^    "(\w+)": _\(', text, re.MULTILINE))
    used = set()
    for script in scripts_of(entry):
        used |= set(re.findall(r"strings\.(\w+)", script.read_text("utf-8")))
    assert used | dynamic == handed  # dynamic: strings[state] in panel.js


def test_every_notice_of_the_referee_has_words() -> None:
    assert set(NOTICES) == {notice.value for notice in NoticeId}


def test_every_event_that_can_be_taken_back_has_words() -> None:
    kinds = {EventShape(event).kind for event in _DECISIONS}
    assert kinds <= set(phrases.EVENTS)


def test_every_reason_to_pause_has_words() -> None:
    engine_gives = {reason.value for reason in PauseReason} | {"review", "revert"}
    assert engine_gives == set(phrases.PAUSES)


def test_every_standing_and_refusal_has_words() -> None:
    assert {standing.value for standing in Standing} == set(phrases.STATES)
    assert {refusal.value for refusal in Refusal} == set(phrases.REFUSALS)


@pytest.mark.parametrize(
    ("name", "marked"), [("蒼", True), ("ひな Mei", True), ("Ｈａｎａ", False), ("Zoë", False), ("", False)]
)
def test_a_japanese_name_is_marked(name: str, marked: bool) -> None:
    assert str(spoken(name)) == (' lang="ja"' if marked else "")


def test_no_key_handler_takes_a_key_with_which_somebody_composes_kana() -> None:
    heard = [
        (script.name, line)
        for script in (PANEL / "static").rglob("*.js")
        for line in script.read_text("utf-8").splitlines()
        if re.search(r"key(down|up|press)", line)
    ]
    assert len(heard) > 10, "the handlers were not found"
    assert [found for found in heard if not re.search(r"keydown(\", |: )typed\(", found[1])] == []
    templates = {page.name: page.read_text("utf-8") for page in (PANEL / "templates").glob("*.html")}
    assert [name for name, text in templates.items() if re.search(r"key(down|up|press)", text)] == []
