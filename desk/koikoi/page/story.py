"""The story of a round: each event with the table after it, the yaku it made, and its flags; and in words."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from desk.koikoi.desk import Game
from desk.koikoi.lines import event_json, flag_json
from desk.koikoi.page.phrases import STEPS
from desk.koikoi.page.state import round_json
from desk.koikoi.page.view import called_yaku, ending_text, flag_view, groups, move_text, sum_text
from desk.koikoi.scribe.notes import Noted, TableFlag
from desk.panel.films.port import FilmPage, FilmPart
from desk.panel.phrases import phrase
from desk.panel.table.names import seat_name
from desk.panel.words import Words
from desk.tables.evidence.events import evidence_at
from desk.tables.log_follower import Numbered
from referee.koikoi.flags import Flag
from referee.koikoi.match import Match, RoundRecord, step
from referee.koikoi.piles import cards_of

_LAID: Final = ("deal", "play", "draw")  # steps at which cards are laid; a word cannot be seen


def story(game: Game, number: int, history: Sequence[Numbered] = ()) -> dict[str, Any] | None:
    """Return the story of a round, the latest one if it was redealt, with pictures that `history` names."""
    records = game.match.rounds
    index = next((i for i in reversed(range(len(records))) if records[i].table.number == number), None)
    if index is None:
        return None
    told = _story(game, index)
    for each in told["steps"]:
        if each["kind"] in _LAID:
            each["evidence"] = evidence_at(history, each["t_ms"])
    return told


def stories(game: Game) -> list[dict[str, Any]]:
    return [_story(game, index) for index in range(len(game.match.rounds))]


def _story(game: Game, index: int) -> dict[str, Any]:
    record, steps = game.match.rounds[index], list[dict[str, Any]]()
    match = Match(game.opened.rules)
    so_far = game.so_far
    t_ms = 0.0 if so_far.look is None else so_far.look.t_ms
    begun = [Noted(t_ms, event) for event in so_far.begun]
    for line, noted in enumerate([*game.scribe.notes, *begun]):
        before, match = match, step(match, noted.event)
        if len(match.rounds) - 1 == index:
            steps.append(_step(noted, before, match, _flags(game, record, index, line), line))
    return {**round_json(record), "steps": steps}


def _step(
    noted: Noted, before: Match, after: Match, flags: list[dict[str, Any]], line: int
) -> dict[str, Any]:
    table, told = after.table, event_json(noted.event)
    assert table is not None, "a round begins with its deal"
    return {
        "event": line,
        "t_ms": noted.t_ms,
        "kind": told["kind"],
        "player": told.get("player"),
        "card": told.get("card"),
        "taken": told.get("taken", []),
        "said": told.get("what"),
        "field": list(cards_of(table.field)),
        "piles": [list(cards_of(pile)) for pile in table.piles],
        "stock": table.stock,
        "reached": _reached(before, after),
        "flags": flags,
        "evidence": None,
    }


def _reached(before: Match, after: Match) -> list[str]:
    old, new = before.table, after.table
    if old is None or new is None or old.number != new.number or len(before.rounds) != len(after.rounds):
        return []
    return [
        row.name
        for seat in range(new.players)
        for row in new.score(seat).yaku
        if row.name not in {each.name for each in old.score(seat).yaku}
    ]


def _flags(game: Game, record: RoundRecord, index: int, line: int) -> list[dict[str, Any]]:
    of_table = [flag for flag in game.scribe.flags if flag.round == index]
    found: list[Flag | TableFlag] = [*record.flags, *of_table]
    return [flag_json(flag) for flag in found if flag.event == line]


def story_view(story: Mapping[str, Any], names: list[str], said: Words) -> dict[str, Any]:
    return {
        "number": story["number"],
        "dealer": names[story["dealer"]],
        "ending": ending_text(story, names, said),
        "formula": sum_text(story["formula"], said),
        "names": names,
        "flagged": sum(bool(step["flags"]) for step in story["steps"]),
        "steps": [_step_view(step, names, said) for step in story["steps"]],
    }


def _step_view(step: dict[str, Any], names: list[str], said: Words) -> dict[str, Any]:
    seat, card = step["player"], step["card"]
    player = "" if seat is None else names[seat]
    if card is None:
        text = phrase(said, STEPS, step["said"] or step["kind"], player=player)
    else:
        text = move_text(step["kind"], player, card, step["taken"], said)
    return {
        "text": text,
        "cards": [] if card is None else [card, *step["taken"]],
        "reached": [called_yaku(name, said) for name in step["reached"]],
        "flags": [flag_view(flag, names, said) for flag in step["flags"]],
        "field": step["field"],
        "stock": step["stock"],
        "evidence": step["evidence"],
        "piles": [groups(pile, said) for pile in step["piles"]],
    }


def film_page(judged: Mapping[str, Any], stories: Sequence[Mapping[str, Any]], said: Words) -> FilmPage:
    """Return the points and the rounds; `stories` has one entry for each round that was not lost."""
    names = [seat_name(seat, None, said) for seat in range(len(judged["totals"]))]
    points = " · ".join(f"{name}: {total}" for name, total in zip(names, judged["totals"], strict=True))
    told = iter(stories)
    parts = [
        _lost(played, said) if played.get("lost") else _round(played, next(told), names, said)
        for played in judged["rounds"]
    ]
    return {"sentence": said("Points: {points}", points=points), "parts": parts}


def _lost(played: Mapping[str, Any], said: Words) -> FilmPart:
    t = f"{played['flags'][0]['t_ms'] / 1e3:.1f}"
    title = said("A round at {t} s was not understood, for its deal was not.", t=t)
    return {"title": title, "more": "", "doubt": "", "late": [], "steps": []}


def _round(played: Mapping[str, Any], story: Mapping[str, Any], names: list[str], said: Words) -> FilmPart:
    view, told = story_view(story, names, said), {step["event"] for step in story["steps"]}
    ended = f"{view['ending']} · {view['formula']}" if view["formula"] else view["ending"]
    is_certain = played.get("certain", True)
    return {
        "title": said("Round {n}", n=view["number"]),
        "more": f"{said('{player} dealt', player=view['dealer'])} · {ended}",
        "doubt": "" if is_certain else said("Not certain: a part was not seen or not understood."),
        "late": [flag_view(flag, names, said) for flag in played["flags"] if flag["event"] not in told],
        "steps": [
            {
                "t_ms": step["t_ms"],
                "text": shown["text"],
                "flags": shown["flags"],
                "reached": shown["reached"],
                "taken_back": False,
            }
            for step, shown in zip(story["steps"], view["steps"], strict=True)
        ],
    }
