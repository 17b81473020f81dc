"""The tournament as a pure function: a state and an event in, the next state out."""

import re
from collections import ChainMap, Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from typing import assert_never

from referee.tournament.division import FEWEST_MEMBERS, TEAM_BOARDS, Division, Entrant, System
from referee.tournament.events import (
    DivisionOpened,
    DrawCancelled,
    EntrantEntered,
    EntrantWithdrawn,
    Event,
    LineupNamed,
    MatPlaced,
    ResultCleared,
    ResultEntered,
    RoundDrawn,
    TournamentOpened,
)
from referee.tournament.pairing import Board, Pairing, Result, Round
from referee.tournament.state import Course, MatchId, RefusedError, Tournament

__all__ = ["RefusedError", "apply", "begin", "replayed"]

_MOST_CARDS = 50  # cards on the field. The loser may be left with all of them but one.


def begin(event: TournamentOpened) -> Tournament:
    """Return a tournament without classes."""
    return Tournament(event.name, event.seed)


def replayed(events: Iterable[Event]) -> Tournament:
    """Return the tournament after all events of its log; RefusedError if the opening is not first."""
    following = iter(events)
    first = next(following, None)
    if not isinstance(first, TournamentOpened):
        raise RefusedError("a tournament begins with its opening, got {got}", got=type(first).__name__)
    return reduce(apply, following, begin(first))


def apply(tournament: Tournament, event: Event) -> Tournament:
    """Return the tournament after `event`; RefusedError if the event is not allowed now."""
    match event:
        case TournamentOpened():
            raise RefusedError("the tournament is open already")
        case DivisionOpened(division):
            return tournament.with_course(Course(_checked(tournament, division)))
        case EntrantEntered(division, entrant):
            return _entered(tournament, tournament.course(division), entrant)
        case EntrantWithdrawn(number):
            return tournament.with_course(_withdrawn(tournament.course_of(number), number))
        case RoundDrawn(division, pairs, byes):
            return tournament.with_course(_drawn(tournament.course(division), pairs, byes))
        case DrawCancelled(division):
            return tournament.with_course(_cancelled(tournament.course(division)))
        case LineupNamed(number, players):
            return tournament.with_course(_lined_up(tournament.course_of(number), number, players))
        case MatPlaced(match, mat):
            return _placed(tournament, match, mat)
        case ResultEntered(match, result):
            return _decided(tournament, match, result)
        case ResultCleared(match):
            return _decided(tournament, match, None)
        case _:  # pragma: no cover
            assert_never(event)


def _checked(tournament: Tournament, division: Division) -> Division:
    name = division.name
    if re.fullmatch(r"\w{1,20}", name) is None:
        raise RefusedError("a class is named by up to 20 letters, digits or _, got {got!r}", got=name)
    if name in tournament.courses:
        raise RefusedError("the class {division} is open already", division=name)
    if division.boards not in {1, TEAM_BOARDS}:
        raise RefusedError(
            "class {division}: players meet at 1 board, teams at {boards}, got {got}",
            division=name,
            boards=TEAM_BOARDS,
            got=division.boards,
        )
    if division.system is System.SWISS and not 1 <= (division.rounds or 0) <= 20:
        raise RefusedError(
            "class {division}: a Swiss has 1 to 20 rounds, got {got}", division=name, got=division.rounds
        )
    if division.system is System.ELIMINATION and division.rounds is not None:
        raise RefusedError(
            "class {division}: an elimination ends with its final: expected no number of rounds, got {got}",
            division=name,
            got=division.rounds,
        )
    return division


def _entered(tournament: Tournament, course: Course, entrant: Entrant) -> Tournament:
    number, name = entrant.number, course.division.name
    if number < 1:
        raise RefusedError("numbers of entrants begin with 1, got {number}", number=number)
    everybody = ChainMap(*(each.entrants for each in tournament.courses.values()))
    if holder := everybody.get(number):
        raise RefusedError(
            "number {number} is {holder}'s; {name} needs another",
            number=number,
            holder=holder.name,
            name=entrant.name,
        )
    if not entrant.name.strip():
        raise RefusedError("number {number} has no name", number=number)
    if course.rounds:
        raise RefusedError(
            "class {division} is drawn already; cancel the draw before {name} enters",
            division=name,
            name=entrant.name,
        )
    if course.division.boards == 1 and entrant.members:
        raise RefusedError(
            "class {division} is for players, and {name} has members", division=name, name=entrant.name
        )
    if course.division.boards > 1 and len(entrant.members) < FEWEST_MEMBERS:
        raise RefusedError(
            "class {division}: a team has {fewest} members or more, {name} has {n}",
            division=name,
            fewest=FEWEST_MEMBERS,
            name=entrant.name,
            n=len(entrant.members),
        )
    twice = [member for member, count in Counter(entrant.members).items() if count > 1]
    if twice:
        raise RefusedError("team {name} names {member} twice", name=entrant.name, member=twice[0])
    return tournament.with_course(replace(course, entrants={**course.entrants, number: entrant}))


def _withdrawn(course: Course, number: int) -> Course:
    if number in course.withdrawn:
        raise RefusedError("{name} has withdrawn already", name=course.entrants[number].name)
    course = replace(course, withdrawn=course.withdrawn | {number})
    for place, pairing in enumerate(course.rounds[-1].pairings if course.rounds else ()):
        if number in pairing.entrants:
            gone = pairing.entrants.index(number)
            boards = tuple(
                replace(board, result=Result(1 - gone if board.players[1 - gone] else None, by_default=True))
                if board.result is None
                else board
                for board in pairing.boards
            )
            return course.with_pairing(place, replace(pairing, boards=boards))
    return course


def _drawn(course: Course, pairs: tuple[tuple[int, int], ...], byes: tuple[int, ...]) -> Course:
    name = course.division.name
    if course.rounds and not course.rounds[-1].is_over:
        raise RefusedError(
            "class {division}: round {round} is not over yet", division=name, round=len(course.rounds)
        )
    if course.is_over or len(course.playing) < 2:
        raise RefusedError(
            "class {division}: there is no further round, {n} still play",
            division=name,
            n=len(course.playing),
        )
    drawn = Counter([number for pair in pairs for number in pair] + list(byes))
    if drawn != Counter(course.playing):
        wrong = sorted((drawn - Counter(course.playing)) + (Counter(course.playing) - drawn))
        raise RefusedError(
            "class {division}: a draw names everybody who still plays once; wrong are {wrong}",
            division=name,
            wrong=wrong,
        )
    if not pairs:
        raise RefusedError("class {division}: a draw has at least one pair", division=name)
    pairings = tuple(_defaults(Pairing(pair, _boards(course, pair))) for pair in pairs)
    return replace(course, rounds=(*course.rounds, Round(pairings, byes)))


def _boards(course: Course, pair: tuple[int, int]) -> tuple[Board, ...]:
    one, other = (course.entrants[number] for number in pair)
    count = course.division.boards
    if count == 1:
        return (Board((one.name, other.name)),)
    sides = [(*entrant.members, *[None] * count)[:count] for entrant in (one, other)]
    return tuple(Board((first, second)) for first, second in zip(*sides, strict=True))


def _defaults(pairing: Pairing) -> Pairing:
    """Decide boards that one team leaves empty for the other team; reopen boards that are filled again."""
    boards = list(pairing.boards)
    for at, board in enumerate(boards):
        if None in board.players:
            winner = next((place for place in (0, 1) if board.players[place] is not None), None)
            boards[at] = replace(board, result=Result(winner, by_default=True))
    return replace(pairing, boards=tuple(boards))


def _cancelled(course: Course) -> Course:
    name = course.division.name
    if not course.rounds:
        raise RefusedError("class {division} is not drawn", division=name)
    played = [
        board
        for pairing in course.rounds[-1].pairings
        for board in pairing.boards
        if board.result is not None and not board.result.by_default
    ]
    if played:
        raise RefusedError(
            "class {division}: {n} matches of this round have a result; clear them first",
            division=name,
            n=len(played),
        )
    return replace(course, rounds=course.rounds[:-1])


def _lined_up(course: Course, number: int, players: tuple[str | None, ...]) -> Course:
    team, boards = course.entrants[number], course.division.boards
    pairing = course.rounds[-1].pairing_of(number) if course.rounds else None
    if pairing is None or boards == 1:
        raise RefusedError("{team} is no team with an opponent in this round", team=team.name)
    if len(players) != boards:
        raise RefusedError(
            "a team names who sits at {boards} boards, got {got}", boards=boards, got=len(players)
        )
    named = [player for player in players if player is not None]
    strangers = [player for player in named if player not in team.members]
    if strangers:
        raise RefusedError("{name} is no member of {team}", name=strangers[0], team=team.name)
    if len(set(named)) < len(named):
        raise RefusedError("team {team} seats somebody at two boards", team=team.name)
    if any(board.result is not None and not board.result.by_default for board in pairing.boards):
        raise RefusedError("{team} has begun; its line-up stays", team=team.name)
    place = pairing.entrants.index(number)
    seated = tuple(
        Board((player, board.players[1]) if place == 0 else (board.players[0], player), board.mat)
        for board, player in zip(pairing.boards, players, strict=True)
    )
    at = course.rounds[-1].pairings.index(pairing)
    return course.with_pairing(at, _defaults(replace(pairing, boards=seated)))


def _placed(tournament: Tournament, match: str, mat: str | None) -> Tournament:
    if mat is not None and not mat:
        raise RefusedError("a mat has a name such as mat-07, got none")
    taken = next((name for name, board in tournament.open_matches() if board.mat == mat), None)
    course, found, board = _found(tournament, match)
    if mat is not None and taken is not None and taken != found:
        boards = tournament.course(taken.division).division.boards
        raise RefusedError(
            "{mat} has match {match}, which is not over yet", mat=mat, match=taken.text(boards)
        )
    return tournament.with_course(_with_board(course, found, replace(board, mat=mat)))


def _decided(tournament: Tournament, match: str, result: Result | None) -> Tournament:
    course, found, board = _found(tournament, match)
    if None in board.players:
        raise RefusedError("match {match}: a team has nobody there, which decides it", match=match)
    if result is not None:
        _check(match, result)
    return tournament.with_course(_with_board(course, found, replace(board, result=result)))


def _check(match: str, result: Result) -> None:
    if result.winner not in {0, 1, None}:
        raise RefusedError(
            "match {match}: the winner is 0 or 1, or nobody, got {got}", match=match, got=result.winner
        )
    if result.winner is None and not result.by_default:
        raise RefusedError("match {match}: a match that was played has a winner", match=match)
    if result.cards is not None and (result.by_default or not 1 <= result.cards < _MOST_CARDS):
        raise RefusedError(
            "match {match}: the loser of a played match has 1 to 49 cards left, got {got}",
            match=match,
            got=result.cards,
        )


def _found(tournament: Tournament, match: str) -> tuple[Course, MatchId, Board]:
    """Return a match of the current round."""
    found = MatchId.parse(match)
    course = tournament.course(found.division)
    board = dict(course.matches()).get(found)
    if board is None:
        raise RefusedError("there is no match {match}", match=match)
    if found.round != len(course.rounds):
        raise RefusedError(
            "match {match}: round {round} is drawn, so its result stays; cancel that draw first",
            match=match,
            round=found.round + 1,
        )
    return course, found, board


def _with_board(course: Course, match: MatchId, board: Board) -> Course:
    pairing = course.rounds[-1].pairings[match.pairing - 1]
    boards = (*pairing.boards[: match.board - 1], board, *pairing.boards[match.board :])
    return course.with_pairing(match.pairing - 1, replace(pairing, boards=boards))
