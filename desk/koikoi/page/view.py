"""The data of the Koi-Koi page in one language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from desk.koikoi.page.phrases import ENDINGS, FACTORS, FLAGS, KINDS, PHASES, STEPS, UNDEALT
from desk.panel.cells import csv_of
from desk.panel.phrases import phrase
from desk.panel.table.names import by_names, seat_name
from desk.panel.words import Words, words
from referee.cards.hanafuda import FLOWERS, HANAFUDA, Category, by_index
from referee.koikoi.yaku import MONTH_YAKU, YAKU_BY_NAME


def koikoi_view(game: Mapping[str, Any], said: Words) -> dict[str, Any]:
    names = [seat_name(seat, shown["name"], said) for seat, shown in enumerate(game["seats"])]
    deciding = game["deciding"]
    player = names[deciding if deciding is not None else game["turn"] or 0]
    phase = "decision" if deciding is not None else game["phase"]
    sentence = phrase(said, PHASES, phase, player=player)
    last_round = game["rounds"][-1] if game["rounds"] else None
    if game["deal"] is not None:
        sentence = said_of_deal(game["deal"], said)
    elif phase == "over" and last_round is not None:
        sentence = ending_text(last_round, names, said)
    if game["over"]:
        sentence = _winners(game["ranking"][0], names, said)
    return {
        **game,
        "sentence": sentence,
        "last_text": _last_text(game["last"], names, said),
        "round_text": said("Round {n} of {rounds}", n=game["round"] or 1, rounds=game["rounds_in_game"]),
        "own_names": [seat["name"] for seat in game["seats"]],
        "places": [1 + sum(map(len, game["ranking"][:place])) for place in range(len(game["ranking"]))],
        "seats": [
            {
                **seat,
                "name": names[number],
                "total_text": _points(seat["total"], said),
                "formula": sum_text(seat["formula"], said),
                "yaku": [_yaku(row, said) for row in seat["yaku"]],
                "away": [_away(row, game["field"], said) for row in seat["away"]],
                "groups": groups(seat["captures"], said),
                "points_text": _points(seat["points"], said),
            }
            for number, seat in enumerate(game["seats"])
        ],
        "flags": [
            {
                **flag,
                **flag_view(flag, names, said),
                "who": None if flag["player"] is None else names[flag["player"]],
            }
            for flag in game["flags"]
        ],
        "rounds": [
            {
                **shown,
                "ending": ending_text(shown, names, said),
                "formula": sum_text(shown["formula"], said),
                "dealer_name": names[shown["dealer"]],
                "yaku": [[_yaku(row, said) for row in rows] for rows in shown["yaku"]],
            }
            for shown in game["rounds"]
        ],
        "statistics": _statistics(game["statistics"], said),
    }


def _winners(seats: Sequence[int], names: Sequence[str], said: Words) -> str:
    players = said(" and ").join(names[seat] for seat in seats)
    if len(seats) > 1:
        return said("The game is over: {players} share the first place", players=players)
    return said("The game is over: {player} wins", player=players)


def groups(captures: Sequence[int], said: Words) -> list[dict[str, Any]]:
    """Return captured cards by kind: brights, animals, ribbons and chaff, each by month."""
    return [
        {
            "kind": kind.value,
            "kanji": "" if said.language == "ja" else kind.kanji,
            "label": said(KINDS[kind]),
            "cards": [card for card in captures if by_index(card).category is kind],
        }
        for kind in Category
    ]


def said_of_deal(deal: Mapping[str, Any], said: Words) -> str:
    """Return why the referee still waits for a deal, and what to do."""
    return phrase(said, UNDEALT, deal["why"], seen=deal["seen"], unread=deal["unread"], size=deal["size"])


def _statistics(seats: Sequence[Mapping[str, Any]], said: Words) -> list[dict[str, Any]]:
    rows = [
        (said("Rounds won"), [str(seat["won"]) for seat in seats]),
        (said("Best round"), [_points(seat["best"], said) for seat in seats]),
        (said("Koi-Koi calls, of which paid"), [f"{seat['calls']} / {seat['calls_paid']}" for seat in seats]),
        (said("Captured cards, mean"), [f"{seat['captured']:g}" for seat in seats]),
        (said("Flagged moves"), [str(seat["faults"]) for seat in seats]),
        (said("Won with"), [_won_with(seat, said) for seat in seats]),
    ]
    return [{"label": label, "seats": texts} for label, texts in rows]


def _won_with(seat: Mapping[str, Any], said: Words) -> str:
    called = [called_yaku(row["name"], said) for row in seat["yaku"]]
    names = [name["meaning"] or name["kanji"] for name in called]
    times = [row["times"] for row in seat["yaku"]]
    return ", ".join(f"{name} × {number}" for name, number in zip(names, times, strict=True)) or "–"


@cache
def card_names(language: str) -> list[str]:
    """Return the names of the 48 cards by index, such as `Crane · pine (1)`."""
    said = words(language)
    if language == "ja":
        return [f"{card.month}月 {card.flower_ja}・{card.name_ja}" for card in HANAFUDA.values()]
    return [
        said(
            "{card}, {flower} (month {month})",
            card=card.name_en,
            flower=FLOWERS[card.month][1],
            month=card.month,
        )
        for card in HANAFUDA.values()
    ]


def move_text(kind: str, player: str, card: int, taken: Sequence[int], said: Words) -> str:
    """Return what a played or drawn card did; in Japanese the cards are called as players call them."""
    if said.language == "ja":
        own, names = _called(card), [by_index(each).name_ja for each in taken]
    else:
        every = card_names(said.language)
        own, names = every[card], [every[each] for each in taken]
    step = f"{kind}_{'took' if taken else 'left'}"
    return phrase(said, STEPS, step, player=player, card=own, cards=said(" and ").join(names))


def _called(card: int) -> str:
    """Return a card's name in Japanese: 藤に不如帰, but 菖蒲のカス."""
    shown = by_index(card)
    return f"{shown.flower_ja}{'の' if shown.category is Category.KASU else 'に'}{shown.name_ja}"


def _last_text(last: Mapping[str, Any] | None, names: Sequence[str], said: Words) -> str:
    if last is None or "card" not in last:
        return ""
    return move_text(last["kind"], names[last["player"]], last["card"], last["taken"], said)


def _points(points: int, said: Words) -> str:
    return said.counted("{n} point", "{n} points", points)


def yaku_name(name: str, said: Words) -> str:
    yaku = MONTH_YAKU[0] if name == "month" else YAKU_BY_NAME[name]
    return yaku.kanji if said.language == "ja" else f"{yaku.kanji} {yaku.english}"


def called_yaku(name: str, said: Words) -> dict[str, str]:
    """Return a yaku's Japanese name and, in other languages, its meaning."""
    yaku = MONTH_YAKU[0] if name == "month" else YAKU_BY_NAME[name]
    return {"kanji": yaku.kanji, "meaning": "" if said.language == "ja" else yaku.english}


def _yaku(row: Mapping[str, Any], said: Words) -> dict[str, Any]:
    return {**row, **called_yaku(row["name"], said), "points_text": _points(row["points"], said)}


def _away(row: Mapping[str, Any], field: Sequence[int], said: Words) -> dict[str, Any]:
    there = [card for card in row["cards"] if card in field]
    return {
        **row,
        **called_yaku(row["name"], said),
        "there": there,
        "base_text": said("then {points}", points=_points(row["base"], said)),
    }


def flag_view(flag: Mapping[str, Any], names: list[str], said: Words) -> dict[str, str]:
    """Return the explanation of a flag, the remedy, and the referee's note."""
    told = FLAGS[flag["id"]]
    text = by_names(flag["text"], names, said, card_names(said.language))
    return {"what": said(told.what), "mend": said(told.mend), "text": text}


def sum_text(formula: str, said: Words) -> str:
    """Return the calculation of points in the visitor's language; empty if nothing was calculated."""
    if "=" not in formula:
        return ""
    for factor, name in FACTORS.items():
        formula = formula.replace(f"({factor})", said(name))
    return formula.replace(" x ", " × ").replace(" （", "（") if said.language == "ja" else formula


def ending_text(shown: Mapping[str, Any], names: list[str], said: Words) -> str:
    end, winner = shown["end"], shown["winner"]
    if end is None:
        return said("being played")
    if winner is None:
        end = "redeal" if end == "redeal" else "exhausted"
        return phrase(said, ENDINGS, end)
    points = _points(shown["points"][winner], said)
    return phrase(said, ENDINGS, end, player=names[winner], points=points)


def koikoi_csv(game: Mapping[str, Any], said: Words) -> str:
    names = [seat_name(number, seat["name"], said) for number, seat in enumerate(game["seats"])]
    columns = (said("points"), said("total"), said("Koi-Koi calls"), said("yaku"))
    heads = [f"{name}: {column}" for name in names for column in columns]
    rows: list[Iterable[object]] = [[said("Round"), said("Dealer"), said("How it ended"), *heads]]
    totals = [0] * len(names)
    for shown in game["rounds"]:
        totals = [total + points for total, points in zip(totals, shown["points"], strict=True)]
        row = [shown["number"], names[shown["dealer"]], ending_text(shown, names, said)]
        rows.append([*row, *_of_seats(shown, totals, said)])
    return csv_of(rows)


def _of_seats(shown: Mapping[str, Any], totals: list[int], said: Words) -> Iterator[object]:
    for seat, total in enumerate(totals):
        yaku = [f"{yaku_name(row['name'], said)} {row['points']}" for row in shown["yaku"][seat]]
        yield from (shown["points"][seat], total, shown["calls"][seat], "; ".join(yaku))
