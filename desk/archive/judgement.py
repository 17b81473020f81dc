"""Judging one recording of any game."""

from pathlib import Path
from typing import Any

from desk.archive.recordings import HouseRules
from desk.errors import DeskError
from vision.recordings.recording import RecordingError, load_recording


def judged_recording(folder: Path, house: HouseRules) -> tuple[str, dict[str, Any]]:
    """Judge a recording's folder; return its game and its rulings as JSON in the recording format.

    Raises DeskError if it cannot be judged; the message says what to do.
    """
    with DeskError.wrapping("", RecordingError):
        game = load_recording(folder).game
    if game != "karuta":
        from desk.card_games import card_game

        return game, card_game(game).judge(folder, house.rules)
    from desk.karuta.eye.prior_knowledge import known_of
    from desk.karuta.eye.recorded_match import judge_recording, rules_named

    known = known_of(house.deck, filmed_by=house.filmed_by)
    return game, judge_recording(folder, rules_named(house.rules), known)


def counts_of(game: str, judged: dict[str, Any]) -> dict[str, int]:
    """Return the numbers of what was judged in a recording and of what a person has to look at."""
    if game == "karuta":
        states = [poem["ruling"]["status"] for poem in judged["poems"]]
        return {"poems": len(states), "review": states.count("review")}
    if "rounds" in judged:
        lost = sum(not played.get("certain", True) for played in judged["rounds"])
        return {"rounds": len(judged["rounds"]), "review": lost}
    return {"bouts": 1, "review": int(not judged.get("certain", True))}
