"""A game's side bet that does not fit its rules is said so by name, and the others are counted."""

from __future__ import annotations

import dataclasses

from odds import analyze, load_game
from odds.errors import OddsError
from odds.game.subject import Subject
from odds.report.rounds import side_bets, side_bets_warnings


def test_a_bet_on_free_bets_in_a_game_without_them() -> None:
    game = dataclasses.replace(load_game("single-deck"), side_bets=("pot-of-gold", "21+3"))
    found = dict(side_bets(Subject(game, game.rules), analyze(game.rules)))
    assert isinstance(found["pot-of-gold"], OddsError)
    assert not isinstance(found["21+3"], OddsError)
    (warning,) = side_bets_warnings(list(found.items()))
    assert warning.startswith("not counted among the side bets: pot-of-gold: ")
