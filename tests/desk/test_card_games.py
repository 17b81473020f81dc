"""The list of card games: to judge one loads no server, and to watch one before a camera no simulator."""

import subprocess
import sys

import pytest

from desk.card_games import CARD_GAMES, card_game
from desk.errors import DeskError


@pytest.mark.parametrize(
    ("what", "banned"),
    [("desk.card_games", "fastapi"), ("desk.card_games, desk.tables.live_game", "vision.simulator")],
)
def test_a_game_loads_only_what_it_needs(what: str, banned: str) -> None:
    program = f"import sys, {what}; print([name for name in sys.modules if name.startswith({banned!r})])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_games_are_found_by_their_name() -> None:
    assert all(card_game(name) is game and game.name == name for name, game in CARD_GAMES.items())
    with pytest.raises(DeskError, match="there is no game 'poker': expected one of karuta, koikoi, kendo"):
        card_game("poker")
