"""Bets on how a round ends as the referee plays them: rounds card by card, and many rounds beside the count."""

from typing import Any

import pytest

from odds.errors import PaytableError
from odds.game.rules import Rules
from odds.referee import simulate as playing
from odds.referee.rounds import play_round
from odds.referee.simulate import simulate
from odds.results.round import analyze, follow
from odds.results.side_bets import sidebet
from odds.sidebets import SideBet
from odds.sidebets.paytable import CATALOGUE


def bet_of(name: str, **lines: str) -> SideBet:
    text = "".join(
        f'[[lines]]\nname = "{line}"\npays = {30 - n}\nwhen = {when}\n' for n, (line, when) in enumerate(lines.items())
    )
    return CATALOGUE.parse(f'name = "{name}"\ntitle = "Rounds"\ncards = "round"\n{text}', "rounds.toml")


RESULTS = bet_of(
    "results",
    surrender="{ result = 'surrender' }",
    push="{ result = 'push' }",
    loss="{ result = 'loss' }",
    win="{ result = 'win' }",
)
BY = bet_of("margins", **{f"by {n}": f"{{ wins_by = {n} }}" for n in (1, 2, 3, 4)})
PLAYER = bet_of("player-totals", **{str(n): f"{{ player_total = {n} }}" for n in (13, 16, 17, 18, 19, 20, 21, 22, 25)})
DEALER = bet_of("dealer-totals", **{str(n): f"{{ dealer_total = '{n}' }}" for n in (*range(17, 23), "23+")})
CARDS = bet_of("numbers", **{str(n): f"{{ player_cards = {n} }}" for n in (2, 3, 4)})
DEALT = bet_of("dealer-numbers", **{str(n): f"{{ dealer_cards = {n} }}" for n in (2, 3, 4, 5)})
OTHERS = bet_of(
    "others",
    both_bust="{ player_busts = true, dealer_busts = true }",
    both_blackjack="{ player_blackjack = true, dealer_blackjack = true }",
    blackjack="{ player_blackjack = true }",
    dealer_blackjack="{ dealer_blackjack = true }",
    doubled_after_split="{ doubled = true, split = true }",
    doubled="{ doubled = true }",
    split="{ split = true }",
)
STIFF = bet_of(
    "stiffs",
    suited="{ result = 'win', of = 'player', total = '12-16', soft = false, same = 'suit' }",
    stiff="{ result = 'win', of = 'player', total = '12-16', soft = false }",
    upcard="{ of = 'upcard', each = 'Kh' }",
)
EVERY = (RESULTS, BY, PLAYER, DEALER, CARDS, DEALT, OTHERS, STIFF)


def paid(cards: str, bet: SideBet, actions: str = "", **rules: Any) -> str | None:
    (line,) = play_round(Rules(**rules), cards, actions.split(), side_bets=[bet.paytable()]).side_bets
    return line


NONE = "All others"


class TestRounds:
    @pytest.mark.parametrize(
        ("cards", "actions", "rules", "lines"),
        [
            # A stiff of one suit that wins by one; the dealer has 17.
            ("Th Kh 6h 7d 2s", "hit", {}, ("win", "by 1", "18", "17", "3", "2", NONE, "suited")),
            ("Th Kd 6d Td", "", {}, ("loss", NONE, "16", "20", "2", "2", NONE, NONE)),
            # The dealer draws for the bet alone, once to a bust and once to 22.
            ("Th Kd 6d 6h 9d 9h", "hit", {}, ("loss", NONE, "25", "23+", "3", NONE, "both_bust", NONE)),
            ("Th Kh 6d 6h 9d 6s", "hit", {}, ("loss", NONE, "25", "22", "3", NONE, "both_bust", "upcard")),
            ("Th Kd 6d Kh", "surrender", {"surrender": "late"}, ("surrender", NONE, "16", "20", "2", "2", NONE, NONE)),
            ("Ah 9d Kd 2h 6s", "", {}, ("win", "by 4", "21", "17", "2", "3", "blackjack", NONE)),
            ("Ah Ad Kd Kh", "", {}, ("push", NONE, "21", "21", "2", "2", "both_blackjack", NONE)),
            ("Ah Ad Kd Kh", "", {"blackjack_tie": "win"}, ("win", NONE, "21", "21", "2", "2", "both_blackjack", NONE)),
            ("Th Ad 6d Kh", "", {}, ("loss", NONE, "16", "21", "2", "2", "dealer_blackjack", NONE)),
            # Without a peek the hand goes on, and loses all the same.
            (
                "Th Ad 6d 2h Kh",
                "hit",
                {"hole_card": "none"},
                ("loss", NONE, "18", "21", "3", "2", "dealer_blackjack", NONE),
            ),
            ("5h 9d 6d 8d 7c", "double", {}, ("win", "by 1", "18", "17", "3", "2", "doubled", NONE)),
            ("Th 9d 8c 6d 7c", "", {"dealer_22": "push"}, ("push", NONE, "18", "22", "2", NONE, NONE, NONE)),
            ("Th 9d 8c 6d 7c", "", {}, ("win", NONE, "18", "22", "2", NONE, NONE, NONE)),
            # Of a split it is the first hand, here with a ten and then doubled on three and eight.
            ("8h 9d 8c 8d Td 2c", "split", {}, ("win", "by 1", "18", "17", "2", "2", "split", "stiff")),
            (
                "8h 9d 8c 8d 3d 2c Tc",
                "split double",
                {},
                ("win", "by 4", "21", "17", "3", "2", "doubled_after_split", "stiff"),
            ),
            # It is split again, and the hand that keeps the first card busts.
            ("8h 9d 8c 8d 8s 2c 5d 4c Kd", "split split hit", {}, ("loss", NONE, NONE, "17", "3", "2", "split", NONE)),
        ],
    )
    def test_lines(self, cards: str, actions: str, rules: dict[str, Any], lines: tuple[str, ...]) -> None:
        found = tuple(paid(cards, bet, actions, **rules) for bet in EVERY)
        assert found == lines

    def test_two_hands(self) -> None:
        with pytest.raises(PaytableError, match="it goes by the result of one hand, and there are two"):
            paid("Th Kh 6h 7d 2s 3s", RESULTS, switch=True, dealer_22="push", max_hands=2)


class TestManyRounds:
    @pytest.mark.parametrize(
        "rules",
        [
            Rules(decks=1, surrender="late", dealer_hits_soft_17=True, removed_ranks="2,4,7,9"),
            pytest.param(
                Rules(decks=2, hole_card="none", max_hands=4, resplit_aces=True, surrender="early"),
                marks=pytest.mark.slow,
            ),
            pytest.param(Rules(decks=1, hole_card="exposed", max_hands=2, dealer_22="push"), marks=pytest.mark.slow),
        ],
        ids=["peek", "no-peek", "exposed"],
    )
    def test_they_agree(self, rules: Rules) -> None:
        """10^6 rounds; right odds fail once in 1.7 million comparisons, of which there are some 16."""
        result = analyze(rules)
        tables = [sidebet(bet, result) for bet in EVERY]
        played = simulate(result, rounds=1_000_000, seed=16, threads=2, side_bets=tables)
        assert played.agrees
        for bet in played.side_bets:
            chi_square = playing.chi_square(
                dict(enumerate(bet.observed)),  # type: ignore[arg-type]
                {n: line.probability for n, line in enumerate(bet.table.lines)},  # type: ignore[misc]
            )
            assert chi_square.agrees, bet

    def test_another_play_or_other_rules(self) -> None:
        rules = Rules(decks=1, max_hands=1, removed_ranks="2,4,7,9")
        result = analyze(rules)
        table = sidebet(RESULTS, result)
        other = follow(rules, result.tables(), play="mine.csv")
        with pytest.raises(PaytableError, match="it was counted for other rules, or another play"):
            simulate(other, rounds=1, seed=1, side_bets=[table])
        dearer = analyze(rules.replace(blackjack_pays=1))
        with pytest.raises(PaytableError, match="it was counted for other rules, or another play"):
            simulate(dearer, rounds=1, seed=1, side_bets=[table])
        assert simulate(result, rounds=1000, seed=1, side_bets=[table]).side_bets[0].trials == 1000
