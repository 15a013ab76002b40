"""Hands that were doubled, as the engine has them: by levels."""

from typing import Any

import numpy as np
import pytest

from odds import Rules, RulesError, analyze
from odds.engine.dealer import start_probability
from odds.engine.hands import player_hands
from odds.engine.player import StartValues, sweep_hands
from odds.engine.split_weights import split_weights
from odds.engine.splitting import split_hands
from odds.engine.terms import terms_of

BONUSES = "cards=5 total=21 pays=3/2; cards=6 total=21 pays=2; cards=7+ total=21 pays=3"


def rescued_anew(at: StartValues, pair: int) -> float:
    """The value of a split whose hands, once doubled, know how many pair cards are gone from all of them."""
    play, size = split_hands(at, pair, "cdp1").play, player_hands().graph.size
    weights = split_weights([at.shoe], at.terms.legal, [pair])[0, :, :, 0]
    value = 0.0
    for extra in range(1, len(weights)):
        here = np.zeros_like(play)
        sweep_hands(at, here, optimise=True, pair=pair, extra=extra)
        here[:size] = play[:size]
        rows = sweep_hands(at, here, optimise=False, pair=pair, extra=extra)
        value += sum(
            weight * rows[3, player_hands().two_cards[pair, second]] for second, weight in enumerate(weights[extra])
        )
    return value


def test_a_published_figure_decides_rescues_anew() -> None:
    """Spanish 21 of an independent program is met to 1e-12 if rescues look at what no play of one hand can know."""
    rules = Rules(
        decks=6, dealer_hits_soft_17=True, removed_ranks="10", player_21="wins", blackjack_tie="win",
        double_cards="any", resplit_aces=True, hit_split_aces=True, double_split_aces=True, surrender="late",
        double_rescue=True, bonuses=BONUSES,
    )  # fmt: skip
    result = analyze(rules)
    difference = 0.0
    for start in result.by_start:
        analysis = result.analysis(start.start)
        deals = analysis.shoe.total * (analysis.shoe.total - 1)
        for decision in start.decisions:
            if decision.action == "split" and decision.hand.pair is not None:
                weight = float(decision.hand.ways) / deals * float(start_probability(analysis.start, result.shoe))
                pair = decision.hand.pair
                difference += weight * (rescued_anew(analysis.values, pair) - analysis.split(pair).value)
    assert -1e-11 < difference < -1e-12
    assert result.ev + difference == pytest.approx(-0.009499126700170, abs=1e-12)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"double_multiples": "2,3", "double_split_aces": True}, "double_split_aces=true and hit_split_aces=false"),
        ({"double_multiples": "2,3", "redoubles": 1}, "redoubles=1 is not computed unless double_cards=any"),
        (
            {"surrender": "early", "surrender_cards": "any", "hole_card": "none", "dealer_blackjack_takes": "original"},
            "surrender_cards=any with surrender=early",
        ),
    ],
)
def test_rules_that_are_not_computed_together(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(RulesError, match=words):
        terms_of(Rules(**fields))


def test_what_is_not_computed_on_everything_seen() -> None:
    for fields in ({"redoubles": 1}, {"double_rescue": True}, {"double_multiples": 3}):
        with pytest.raises(RulesError, match=f"split class full is not computed with {next(iter(fields))}"):
            analyze(Rules(decks=1, max_hands=2, **fields), split_class="full")
