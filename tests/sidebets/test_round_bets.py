"""Bets on how a round ends: what files say, what is refused, and that counts agree with those of cards and results."""

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from odds.cli.main import app
from odds.errors import OddsError, PaytableError, RulesError, ShoeError
from odds.game.rules import Rules
from odds.game.shoe import Shoe
from odds.results.round import RoundResult, analyze, follow
from odds.results.round_bets import RoundLaw, round_law
from odds.results.side_bets import sidebet
from odds.sidebets import SideBet, SideBetResult, SuitedShoe, load_side_bet, solve, symbolic
from odds.sidebets.conditions import ROUND
from odds.sidebets.matcher import matcher
from odds.sidebets.paytable import CATALOGUE
from odds.sidebets.results import table_of

FEW = "2,3,4,7,9"
SMALL = Rules(decks=1, max_hands=2, surrender="late", removed_ranks=FEW)
LUCKY = """
name = "stiffs"
title = "Stiffs"
cards = "round"
losing_line = "No stiff that wins"

[[lines]]
name = "Suited stiff wins"
pays = 10
when = { result = "win", of = "player", total = "12-16", soft = false, same = "suit" }

[[lines]]
name = "Stiff wins"
pays = 5
when = { result = "win", of = "player", total = "12-16", soft = false }

[[lines]]
name = "Stiff pushes"
pays = 0
when = { result = "push", of = "player", total = "12-16", soft = false }
"""


def bet_of(*whens: str, cards: str = "round") -> SideBet:
    lines = "".join(f'[[lines]]\nname = "{n}"\npays = {99 - n}\nwhen = {when}\n' for n, when in enumerate(whens))
    return CATALOGUE.parse(f'name = "mine"\ntitle = "Mine"\ncards = "{cards}"\n{lines}', "mine.toml")


def shares(table: SideBetResult) -> list[Fraction]:
    return [line.probability for line in table.lines[:-1]]


@pytest.fixture(scope="module")
def small() -> RoundResult:
    return analyze(SMALL)


@pytest.fixture(scope="module")
def stiffs() -> SideBet:
    return CATALOGUE.parse(LUCKY, "stiffs.toml")


class TestCounts:
    def test_results_are_those_of_outcomes(self) -> None:
        """Of unsplit hands, a round nets more than 0 where the hand wins, and nothing where it pushes."""
        result = analyze(SMALL.replace(max_hands=1, dealer_22="push"))
        whens = [f"{{ result = '{name}' }}" for name in ("win", "push", "surrender", "loss")]
        win, push, given_up, lost = shares(sidebet(bet_of(*whens), result))
        net = result.outcomes().exact()
        assert net.distribution is not None
        assert (win, push) == (net.hit_frequency, net.push_frequency)
        assert given_up == net.p_surrender == net.distribution[Fraction(-1, 2)]
        assert win + push + given_up + lost == 1
        everything = sidebet(bet_of("{ result = ['win', 'push', 'loss'] }"), result)
        assert everything.lines[0].probability == 1

    @pytest.mark.parametrize(
        ("of_cards", "cards"),
        [
            ("{ of = 'player', total = '12-16', soft = false, same = 'suit' }", "player"),
            ("{ of = 'first', cards = 'Kh' }", "player"),
            ("{ of = 'second', suits = 'h' }", "player"),
            ("{ of = 'player', blackjack = true }", "player"),
            ("{ of = 'player', same = 'rank' }", "player"),
            ("{ of = 'upcard', each = ['A', 'Kd'] }", "player+upcard"),
            ("{ of = ['player', 'upcard'], same = ['rank', 'colour'] }", "player+upcard"),
        ],
    )
    def test_cards_are_those_of_counts(self, small: RoundResult, of_cards: str, cards: str) -> None:
        of_results = [f"{{ all = [{of_cards}], result = '{result}' }}" for result in ("win", "push", "loss")]
        (counted,) = shares(sidebet(bet_of(of_cards, cards=cards), rules=SMALL))
        assert sum(shares(sidebet(bet_of(*of_results), small))) == counted

    @pytest.mark.parametrize("hits", [False, True])
    def test_the_dealers_hand_is_that_of_counts(self, hits: bool) -> None:
        """He plays it out whatever the player does."""
        rules = SMALL.replace(dealer_hits_soft_17=hits)
        totals = [*range(17, 23), "'23+'"]
        played = shares(sidebet(bet_of(*(f"{{ dealer_total = {total} }}" for total in totals)), rules=rules))
        counted = shares(
            sidebet(bet_of(*(f"{{ total = {total} }}" for total in totals), cards="dealer-hand"), rules=rules)
        )
        assert played == counted
        assert sum(played) == 1
        numbers = ["2", "3", "4", "5", "'6+'"]
        played = shares(sidebet(bet_of(*(f"{{ dealer_cards = {n} }}" for n in numbers)), rules=rules))
        whens = [f"{{ cards_in_hand = {n}, busts = false }}" for n in numbers]
        assert played == shares(sidebet(bet_of(*whens, cards="dealer-hand"), rules=rules))

    def test_blackjacks(self, small: RoundResult) -> None:
        whens = "{ player_blackjack = true, dealer_blackjack = true }", "{ player_blackjack = true }"
        both, player = shares(sidebet(bet_of(*whens), small))
        assert player + both == Fraction(2 * 4 * 16, 32 * 31)
        assert both == Fraction(2 * 4 * 16, 32 * 31) * Fraction(2 * 3 * 15, 30 * 29)
        # After a split there is none, and a dealer who looks first leaves no more than two cards.
        table = sidebet(bet_of("{ player_blackjack = true, split = true }", "{ dealer_blackjack = true }"), small)
        assert shares(table) == [0, Fraction(2 * 4 * 16, 32 * 31)]
        longer = sidebet(bet_of("{ dealer_blackjack = true, player_cards = '3+' }"), small)
        assert shares(longer) == [0]

    def test_margins_and_totals(self, small: RoundResult) -> None:
        law = round_law(small, set(ROUND))
        sums: dict[tuple[int, ...], int] = defaultdict(int)
        for ending, n in law.endings[None].items():
            sums[ending[0], ending[1], ending[4], ending[6]] += n
        for result, player, dealer, margin in sums:
            assert margin == (player - dealer if result == 0 and dealer <= 21 and player <= 21 else 0)
            assert player <= 21 or result == 2

    def test_removed_cards(self, small: RoundResult, stiffs: SideBet) -> None:
        """The mean over a card taken out is the bet with all cards, as the play is the same for all."""
        rules = SMALL.replace(max_hands=1)
        whole = analyze(rules)
        mean = Fraction(0)
        for rank in "A568TJQK":
            played = followed(rules, whole, rules.shoe().without(rank))
            shoe = SuitedShoe.of_decks(1, rules.deck).without(f"{rank}h")
            mean += sidebet(stiffs, played, shoe=shoe).exact_ev / 8
        assert mean == sidebet(stiffs, whole).exact_ev

    def test_the_referees_tables(self, small: RoundResult) -> None:
        """Every ending through the tables of the referee; equality with the count, no tolerance."""
        whens = (
            "{ result = 'win', of = 'player', total = '12-16', soft = false }",
            "{ player_busts = true, dealer_busts = true }",
            "{ result = ['push', 'surrender'], of = 'upcard', each = ['A', '6'] }",
            "{ wins_by = '2+' }",
            "{ player_total = '20+', dealer_total = 21, dealer_cards = '3+' }",
            "{ any = [{ doubled = true }, { split = true }], not = { player_cards = 3 } }",
            "{ any = [{ player_blackjack = true }, { dealer_blackjack = true }] }",
        )
        bet = bet_of(*whens)
        found = matcher("mine", bet.paytable())
        law = round_law(small, {"first", "second", "upcard", *ROUND})
        lines = [Fraction(0)] * len(bet.paytable().pays)
        for dealt, endings in law.endings.items():
            assert dealt is not None
            places = zip(("first", "second", "upcard"), (*dealt.player, dealt.dealer[0]), strict=True)
            cards = {place: 4 * value for place, value in places}
            for ending, n in endings.items():
                lines[found.line({**cards, **dict(zip(ROUND, ending, strict=True))})] += Fraction(n, law.unit)
        assert lines == [line.probability for line in sidebet(bet, small).lines]


def followed(rules: Rules, whole: RoundResult, shoe: Shoe | None = None) -> RoundResult:
    return follow(rules, whole.tables(), play="mine.csv", shoe=shoe)


class TestThePlay:
    def test_it_is_said(self, stiffs: SideBet) -> None:
        result = analyze(SMALL.replace(max_hands=1), split_class="cdz")
        table = sidebet(stiffs, result)
        assert table.law is not None
        assert (table.law.play, table.law.split_class) == ("composition", "cdz")
        data = table.to_dict()
        assert (data["play"], data["split_class"]) == ("composition", "cdz")
        assert (data["unit"], data["total_combinations"], data["lines"][0]["combinations"]) == ("rounds", None, None)
        assert "Play: composition" in repr(table)
        assert table.to_rows()[0]["combinations"] is None
        assert "play" not in sidebet("21+3").to_dict()

    def test_a_play_is_followed(self, stiffs: SideBet) -> None:
        rules = SMALL.replace(max_hands=1)
        other = sidebet(stiffs, followed(rules, analyze(rules.replace(dealer_22="push"))))
        assert other.law is not None
        assert (other.law.play, other.law.split_class) == ("mine.csv", "given")
        assert other.exact_ev < sidebet(stiffs, rules).exact_ev

    def test_without_a_game_the_default_rules(self) -> None:
        bet = bet_of("{ result = 'push' }")
        assert sidebet(bet, decks=1) == sidebet(bet, Rules(decks=1))


class TestSolving:
    def test_a_line(self, stiffs: SideBet, small: RoundResult) -> None:
        table = sidebet(stiffs, small)
        solved = solve(stiffs, table, "Stiff wins", Fraction(95, 100))
        changed = table.paytable.with_pays({1: solved.pays})
        assert table_of(stiffs, changed, table.shoe, table.rules, table.law).exact_rtp == Fraction(95, 100)


class TestRefused:
    @pytest.mark.parametrize(
        ("when", "message"),
        [
            ("{ result = 'lose' }", "expected win, push, loss, surrender, or a list of them, got 'lose'"),
            ("{ result = [] }", "expected win, push, loss"),
            ("{ result = 'win', of = 'player' }", "when.of: there is no test of cards beside it"),
            ("{ total = 20 }", "when.total: needs an of beside it, such as of = 'player'"),
            ("{ of = 'hand', total = 20 }", "expected one or more of player, dealer, first, second, upcard"),
            ("{ of = 'result', total = 20 }", "expected one or more of player, dealer, first, second, upcard"),
            ("{ dealer_total = 23 }", "23 to 26 are not told apart"),
            ("{ dealer_total = '16-18' }", "is not within 17 to 26"),
            ("{ wins_by = 5 }", "5 is not within 1 to 4"),
            ("{ player_cards = 1 }", "1 is not within 2 to 22"),
            ("{ player_busts = 1 }", "expected true or false, got 1"),
            ("{ of = 'player', cards_in_hand = 3 }", "only the dealer's whole hand has a number of cards"),
        ],
    )
    def test_conditions(self, when: str, message: str) -> None:
        with pytest.raises(PaytableError) as caught:
            bet_of(when)
        assert message in str(caught.value)

    @pytest.mark.parametrize("cards", ["player", "dealer-hand", "player+dealer-hand", "free-bets"])
    def test_results_of_other_cards(self, cards: str) -> None:
        with pytest.raises(PaytableError, match=r"when\.result: goes with cards = 'round'"):
            bet_of("{ result = 'win' }", cards=cards)

    def test_a_line_that_is_never_paid(self) -> None:
        with pytest.raises(PaytableError, match="line '1' can never be paid"):
            sidebet(bet_of("{ result = 'win' }", "{ result = 'win', doubled = true }"))
        # One that merely needs other rules is no error.
        assert shares(sidebet(bet_of("{ result = 'surrender' }"), rules=SMALL.replace(surrender="none"))) == [0]

    def test_games_and_shoes(self, stiffs: SideBet) -> None:
        with pytest.raises(RulesError, match="a side bet on the result of a hand is not computed for two hands"):
            sidebet(stiffs, Rules(decks=1, switch=True, dealer_22="push", max_hands=2))
        with pytest.raises(OddsError, match="full"):
            sidebet(stiffs, analyze(SMALL.replace(max_hands=1), split_class="full"))
        with pytest.raises(ShoeError, match="expected a shoe that cannot run out"):
            sidebet(stiffs, Rules(max_hands=1), shoe=SuitedShoe.of_cards("2h,2d,2c,2s,3h,3d,3c,3s,Ah,Ad"))
        with pytest.raises(ShoeError, match="expected the shoe of the round"):
            sidebet(stiffs, analyze(SMALL.replace(max_hands=1)), shoe=SuitedShoe.of_decks(2))
        with pytest.raises(RulesError, match="expected decks or a round, got both"):
            sidebet(stiffs, analyze(SMALL.replace(max_hands=1)), decks=1)

    def test_suits_of_the_bet_and_of_bonuses(self, stiffs: SideBet) -> None:
        rules = SMALL.replace(max_hands=1, bonuses="ranks=5,6,T suits=same pays=2")
        with pytest.raises(PaytableError, match="looks at the suits of cards, which is not counted with bonuses"):
            sidebet(stiffs, rules)
        assert sidebet(bet_of("{ result = 'win' }"), rules).lines[0].probability > 0

    def test_ranks_of_the_bet_and_of_pairs(self) -> None:
        rules = SMALL.replace(split_by="rank")
        bet = bet_of("{ result = 'win', of = 'player', same = 'rank' }")
        shoe = SuitedShoe.of_decks(1, rules.deck).without("Kh")
        with pytest.raises(PaytableError, match="unequal numbers of tens, jacks, queens and kings"):
            sidebet(bet, rules, shoe=shoe)
        assert sidebet(bet, rules.replace(split_by="value"), shoe=shoe).lines[0].probability > 0

    def test_formulas(self, stiffs: SideBet) -> None:
        with pytest.raises(PaytableError, match="--symbolic: stiffs goes by the result of a hand"):
            symbolic(stiffs, stiffs.paytable(), Rules())

    def test_a_table_without_a_law(self, stiffs: SideBet) -> None:
        with pytest.raises(PaytableError, match="goes by how hands are played"):
            table_of(stiffs, stiffs.paytable(), SuitedShoe.of_decks(1), Rules())


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


class TestCommand:
    @pytest.fixture
    def path(self, tmp_path: Path) -> str:
        file = tmp_path / "stiffs.toml"
        file.write_text(LUCKY, encoding="utf-8")
        return str(file)

    def test_json(self, path: str) -> None:
        found = run("sidebet", path, "--decks", "1", "--set", "max_hands=1", "--set", f"removed_ranks={FEW}", "--json")
        assert found.exit_code == 0, found.output
        assert "note: no --game: rounds are played under the default rules" in found.stderr
        data = json.loads(found.stdout)
        (table,) = data["tables"]
        assert (table["play"], table["split_class"], table["decks"]) == ("composition", "cdp1", 1)
        assert data["rules"]["max_hands"] == 1
        expected = sidebet(load_side_bet(path), SMALL.replace(max_hands=1, surrender="none"))
        assert table["exact"] == {"ev": str(expected.exact_ev)}

    def test_tables(self, path: str) -> None:
        asked = ("sidebet", path, "--game", "single-deck", "--set", "max_hands=1", "--set", f"removed_ranks={FEW}")
        found = run(*asked, "--play", "total", "--solve", "Stiff wins", "--target-rtp", "95%", "--remove", "5h")
        assert found.exit_code == 0, found.output
        assert "total: the best chart found that looks at totals only" in " ".join(found.stdout.split())
        assert "For an RTP of 95.0000%" in found.stdout
        assert "Permutations" not in found.stdout
        assert found.stderr == ""

    def test_refused(self, path: str) -> None:
        for arguments, message in (
            (("--symbolic",), "--symbolic: stiffs goes by the result of a hand"),
            (("--play", "nothing"), "--play: expected composition, total, or a strategy file"),
            (("--game", "blackjack-switch"), "switch=true: a side bet on the result of a hand is not computed"),
        ):
            found = run("sidebet", path, *arguments)
            assert found.exit_code == 2, found.output
            assert message in " ".join(found.stderr.split())

    def test_a_play_without_effect(self) -> None:
        found = run("sidebet", "21+3", "--play", "total")
        assert found.exit_code == 0
        assert "note: --play has no effect: the bet does not look at how hands are played" in found.stderr


def test_the_law_is_of_what_is_asked_for(small: RoundResult) -> None:
    few = round_law(small, {"result"})
    assert isinstance(few, RoundLaw)
    assert set(few.endings) == {None}
    assert {ending[1:] for ending in few.endings[None]} == {(0,) * (len(ROUND) - 1)}
    assert sum(few.endings[None].values()) == few.unit
