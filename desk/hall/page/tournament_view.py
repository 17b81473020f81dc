"""The data of the tournament's page, in one language."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from desk.panel.phrases import mat_number
from desk.panel.words import Words, texts
from referee.tournament.division import System
from referee.tournament.pairing import Board, Pairing, Result
from referee.tournament.standings import standings
from referee.tournament.state import Course, MatchId, Tournament

if TYPE_CHECKING:
    from desk.hall.board.schedule import Proposed


def tournament_view(
    tournament: Tournament, seq: int, proposals: "Mapping[str, Proposed]", mats: Sequence[str], said: Words
) -> dict[str, Any]:
    """Return the tournament after event `seq` with all texts of its page."""
    return {
        "seq": seq,
        "name": tournament.name,
        "seed": said("Lots are drawn by: {seed}", seed=tournament.seed),
        "mats": [{"mat": mat, "number": mat_number(mat)} for mat in mats],
        "classes": [_course(course, proposals, said) for course in tournament.courses.values()],
    }


def _course(course: Course, proposals: "Mapping[str, Proposed]", said: Words) -> dict[str, Any]:
    division = course.division
    latest = course.rounds[-1] if course.rounds else None
    boards = [board for pairing in latest.pairings for board in pairing.boards] if latest else []
    system = texts("desk.hall.page")["systems"][division.system.value]
    # `小学生の部` says by itself that it is a class
    title = said("Class {name}", name=division.name) if division.name.isascii() else division.name
    champion = None if course.champion is None else course.entrants[course.champion].name
    return {
        "name": division.name,
        "title": title,
        "system": said(system),
        "teams": division.boards > 1,
        "entrants": said.counted("{n} entrant", "{n} entrants", len(course.entrants)),
        "round": _round_name(course, said) if latest else said("Not drawn yet"),
        "champion": champion and said("{name} wins {division}", name=champion, division=title),
        "is_over": course.is_over,
        "can_draw": not course.is_over and len(course.playing) > 1 and (latest is None or latest.is_over),
        "can_cancel": latest is not None and not any(map(_is_played, latest.pairings)),
        "can_enter": latest is None,
        "open": sum(board.result is None for board in boards),
        "unplaced": sum(board.result is None and board.mat is None for board in boards),
        "rounds": [_round(course, number, proposals, said) for number in range(len(course.rounds), 0, -1)],
        "standings": _standings(course, said),
        "columns": _columns(course, said),
    }


def _is_played(pairing: Pairing) -> bool:
    return any(board.result is not None and not board.result.by_default for board in pairing.boards)


def _round_name(course: Course, said: Words, number: int | None = None) -> str:
    """Return the name of a round; the last two of an elimination have special names."""
    drawn = number or len(course.rounds)
    this = course.rounds[drawn - 1]
    still = 2 * len(this.pairings) + len(this.byes)
    if course.division.system is System.ELIMINATION and still in {2, 4}:
        return said("Final") if still == 2 else said("Semi-finals")
    return said("Round {round}", round=drawn)


def _round(course: Course, number: int, proposals: "Mapping[str, Proposed]", said: Words) -> dict[str, Any]:
    drawn, name = course.rounds[number - 1], course.division.name
    is_latest = number == len(course.rounds)
    told = proposals if is_latest else {}
    return {
        "number": number,
        "name": _round_name(course, said, number),
        "pairings": [
            _pairing(course, MatchId(name, number, place), pairing, told, said)
            for place, pairing in enumerate(drawn.pairings, 1)
        ],
        "byes": [course.entrants[bye].name for bye in drawn.byes],
        "is_latest": is_latest,
    }


def _pairing(
    course: Course, match: MatchId, pairing: Pairing, proposals: "Mapping[str, Proposed]", said: Words
) -> dict[str, Any]:
    boards = course.division.boards
    return {
        "place": match.pairing,
        "entrants": [_entrant(course, number, pairing) for number in pairing.entrants],
        "wins": [pairing.wins(0), pairing.wins(1)] if boards > 1 else None,
        "boards": [
            _board(replace(match, board=number).text(boards), board, proposals, said)
            for number, board in enumerate(pairing.boards, 1)
        ],
    }


def _entrant(course: Course, number: int, pairing: Pairing) -> dict[str, Any]:
    return {
        **_named(course, number),
        "won": pairing.winner == number,
        "lost": pairing.is_over and pairing.winner != number,
        "withdrawn": number in course.withdrawn,
    }


def _named(course: Course, number: int) -> dict[str, Any]:
    entrant = course.entrants[number]
    return {"number": number, "name": entrant.name, "club": entrant.club, "members": list(entrant.members)}


def _board(match: str, board: Board, proposals: "Mapping[str, Proposed]", said: Words) -> dict[str, Any]:
    result, told = board.result, None
    if result is None and (proposed := proposals.get(match)) is not None:
        name = board.players[proposed["winner"]] or ""
        told = {**proposed, "text": said("The mat says: {name} by {n}", name=name, n=proposed["cards"])}
    return {
        "match": match,
        "players": list(board.players),
        "mat": board.mat,
        "mat_number": None if board.mat is None else mat_number(board.mat),
        "winner": None if result is None else result.winner,
        "is_open": result is None,
        "result": None if result is None else _result_text(result, said),
        "proposed": told,
    }


def _result_text(result: Result, said: Words) -> str:
    if result.by_default:
        return said("by default")
    return said("won") if result.cards is None else said("by {n}", n=result.cards)


def _columns(course: Course, said: Words) -> list[str]:
    head = [said("Rank"), said("Name"), said("Club")]
    if course.division.system is System.ELIMINATION:
        return [*head, said("Won")]
    boards = [said("Boards")] if course.division.boards > 1 else []
    return [*head, said("Points"), *boards, "SOS", "SODOS", said("Cards")]


def _standings(course: Course, said: Words) -> list[dict[str, Any]]:
    rows = []
    for row in standings(course):
        figures: list[float] = [row.points]
        if course.division.system is System.SWISS:
            boards = [row.boards_won] if course.division.boards > 1 else []
            figures += [*boards, row.sos, row.sodos, row.cards]
        rows.append(
            {
                "rank": row.rank,
                **_named(course, row.number),
                "figures": figures,
                "is_in": row.is_in and not course.is_over,
                "withdrawn": row.number in course.withdrawn,
                "note": said("withdrawn") if row.number in course.withdrawn else "",
            }
        )
    return rows
