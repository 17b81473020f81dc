"""The view of a match: rulings as text, marks only after the ruling, and no poem too early."""

import asyncio
import json
from typing import Any

import pytest

from desk.panel.match.poem_view import caption_of, poem_words
from desk.panel.match.port import NoticeShown
from desk.panel.match.view import Views, ku_heard, notice_text, view
from desk.panel.words import words
from referee.cards.poems import POEMS
from tests.desk.panel.panel_port import S, ScriptedPort

EN, JA = words("en"), words("ja")


def shown(port: ScriptedPort, language: Any = EN) -> dict[str, Any]:
    return view(port.state(), ku_heard(port.state(), port.now_ns), language)


async def ruled(port: ScriptedPort, poem: int, *touches: Any) -> dict[str, Any]:
    await port.read(poem)
    await port.rule(poem, list(touches))
    return shown(port)


def test_a_take_from_the_opponent_is_one_sentence_in_both_languages() -> None:
    port = ScriptedPort()
    target = port.card_of("far", 3)
    latest = asyncio.run(ruled(port, target, port.touch(target, "near", 800)))["latest"]
    assert latest["sentence"] == "Near takes from Far's territory; Near sends 1 card to Far."
    assert shown(port, JA)["latest"]["sentence"] == "手前が奥の陣から取り。手前から奥へ1枚送る。"
    assert shown(port)["sides"]["near"]["owes_text"] == "owes 1 card"
    assert shown(port)["sides"]["far"]["owes_text"] is None


def test_a_shared_clip_says_the_ruling_and_each_contact_and_leaves_out_what_changes_nothing() -> None:
    port = ScriptedPort()
    target, brushed = port.card_of("far", 3), port.card_of("far", 4)
    touches = (port.touch(target, "near", 800), port.touch(brushed, "near", 810))
    asyncio.run(ruled(port, target, *touches))
    poem: Any = {**port.state()["poems"][-1]}
    poem["touches"][0]["hand"] = "right"
    names: Any = {"near": "Aki", "far": "奥"}
    caption = caption_of(poem, names, JA)
    assert caption.lines[:2] == [
        f"1首目：{POEMS[target].kimariji}　{POEMS[target].kami}",
        "Akiが奥の陣から取り。Akiから奥へ1枚送る。",
    ]
    (text,) = caption.contacts.values()
    assert "Aki" in text
    assert "（右手）: 800.0 ± " in text
    assert caption.plain is not None
    assert caption.plain.lines[1].startswith("Aki takes from")
    assert caption.plain.plain is None


def test_two_players_who_touch_one_card_at_one_instant_have_a_line_each() -> None:
    port = ScriptedPort()
    target = port.card_of("far", 3)
    asyncio.run(ruled(port, target, port.touch(target, "near", 800), port.touch(target, "far", 800)))
    caption = caption_of(port.state()["poems"][-1], {"near": "Aki", "far": "Mei"}, EN)
    assert sorted(text.split()[0] for text in caption.contacts.values()) == ["Aki", "Mei"]


def test_a_double_fault_says_who_faulted_and_how_much_is_sent() -> None:
    port = ScriptedPort()
    dead = port.dead_card()
    near, far = port.card_of("near"), port.card_of("far")
    told = asyncio.run(ruled(port, dead, port.touch(near, "far", 700), port.touch(far, "far", 750)))
    assert (
        told["latest"]["sentence"]
        == "Dead card: it is not on the field, Far faults twice; Near sends 2 cards to Far."
    )
    assert told["sides"]["far"]["faults_text"] == "2 faults"
    assert told["to_do"] == ["Near still has to send: 2"]


@pytest.mark.parametrize(
    ("near_ms", "taken_by", "told"),
    [(801, "near", "Too close to call: 1.0 ms apart"), (850, "far", "Far was 50.0 ms earlier")],
)
def test_a_race_tells_who_was_earlier_or_that_it_is_too_close(near_ms: int, taken_by: str, told: str) -> None:
    port = ScriptedPort()
    target = port.card_of("near")
    touches = (port.touch(target, "far", 800), port.touch(target, "near", near_ms))
    latest = asyncio.run(ruled(port, target, *touches))["latest"]
    assert latest["taken_by"] == taken_by
    assert latest["lead_text"].startswith(told)


def test_contacts_that_change_nothing_are_free_and_not_marked() -> None:
    port = ScriptedPort()
    target, neighbour, wrong = port.card_of("near", 0), port.card_of("near", 1), port.card_of("far", 0)
    touches = [
        port.touch(target, "near", 800),
        port.touch(neighbour, "near", 805),
        port.touch(wrong, "near", 900),
    ]
    told = asyncio.run(ruled(port, target, *touches))
    assert [touch["free"] for touch in told["latest"]["touches"]] == [False, True, False]
    contacts = [mark for mark in told["marks"] if mark["kind"] == "touch"]
    assert [mark["order"] for mark in contacts] == [1, 2]
    assert [mark["kind"] for mark in told["marks"]].count("target") == 1


def test_nothing_tells_the_poem_before_it_is_heard_or_its_card_before_it_is_ruled() -> None:
    async def story() -> None:
        port = ScriptedPort()
        target = port.card_of("near")
        port.now_ns -= 1
        await port.read(target)
        port.snapshot["reading"]["t_ku_ns"] = [port.now_ns + 1 + number * S for number in range(5)]  # type: ignore[index]
        told = shown(port)
        assert told["reading"]["ku"] == []
        assert told["marks"] == []
        assert POEMS[target].kami.split()[0] not in json.dumps(told, ensure_ascii=False)
        port.now_ns += 1
        assert shown(port)["reading"]["ku"] == poem_words(target)[:1]
        port.now_ns += 2 * S
        assert shown(port)["reading"]["ku"] == poem_words(target)[:3]

    asyncio.run(story())


def test_a_view_is_made_once_for_all_viewers_and_anew_when_the_match_moves_on() -> None:
    async def story() -> None:
        port = ScriptedPort()
        views = Views(port)
        before = views.text(EN)
        assert views.text(EN) is before
        assert views.text(JA) != before
        await port.read(port.card_of("near"))
        assert views.text(EN) != before

    asyncio.run(story())


def test_all_but_two_ku_of_the_hundred_poems_are_split_kanji_by_kanji() -> None:
    ku = [ku for number in range(101) for ku in poem_words(number)]
    assert len(ku) == 101 * 5
    kana_inside = [
        text for ((text, kana), *more) in ku if not more and kana and any("ぁ" <= c <= "ん" for c in text)
    ]
    assert sorted(kana_inside) == ["吉野の里に", "小野の篠原"]  # の stands in their readings twice


@pytest.mark.parametrize(
    ("notice", "english", "japanese"),
    [
        (
            {"id": "card_missing", "params": {"side": "near", "card": 17}},
            "Near's card ちは (17) is missing",
            "手前の「ちは」（17番）の札がありません",
        ),
        (
            {"id": "sent_without_right", "params": {"side": "far", "count": 1, "cards": (17, 87)}},
            "Far sent without a right, 1 to hand back: ちは (17), む (87)",
            "奥に送る権利がありません。1枚返してください：「ちは」（17番）、「む」（87番）",
        ),
        (
            {"id": "row_empty", "params": {"side": "near", "row": 0}},
            "Near has no card in the upper row",
            "手前の上段に札がありません",
        ),
        ({"id": "not_known_yet", "params": {}}, "not known yet", "not known yet"),
    ],
)
def test_notices_name_cards_as_people_do(notice: Any, english: str, japanese: str) -> None:
    for words_, text in ((EN, english), (JA, japanese)):
        names = {"near": words_("Near"), "far": words_("Far")}
        assert notice_text(notice, names, words_) == text  # type: ignore[arg-type]


def test_news_tell_what_happened_and_not_what_is_still_to_do() -> None:
    port = ScriptedPort()
    card = port.card_of("near")
    raised: NoticeShown = {"id": "hand_raised", "params": {"side": "near"}}
    port.snapshot["news"] = [
        {"id": "card_missing", "params": {"side": "near", "card": card}},
        {"id": "card_sent", "params": {"side": "far", "card": 17}},
        *[raised] * 4,
    ]
    assert shown(port)["news"] == ["Near has a hand raised: the reader waits"] * 4
    port.snapshot["news"] = port.snapshot["news"][:2]
    assert shown(port)["news"] == ["Far sent card ちは (17)"]
