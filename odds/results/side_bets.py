"""Side bets counted: of the cards that are dealt, or of how rounds end under a play."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from odds.errors import RulesError, ShoeError
from odds.game.catalog import rules_of
from odds.game.deck import by_rank
from odds.game.shoe import Shoe
from odds.results.round import RoundResult, analyze
from odds.results.round_bets import round_law
from odds.sidebets.conditions import tests_of
from odds.sidebets.count import seen_by
from odds.sidebets.paytable import Paytable, SideBet, load_side_bet
from odds.sidebets.results import check_lines, read_decks, rules_without_game, table_of
from odds.sidebets.shoe import SuitedShoe, shoe_for

if TYPE_CHECKING:
    import os
    from fractions import Fraction

    from odds.game.catalog import AnyGame
    from odds.game.rules import Rules
    from odds.game.subject import Subject
    from odds.parallel import Progress
    from odds.results.round_bets import RoundLaw
    from odds.sidebets.results import SideBetResult


def sidebet(
    bet: str | os.PathLike[str] | SideBet,
    game: AnyGame | RoundResult | None = None,
    *,
    decks: int | str | None = None,
    paytable: str | Paytable | None = None,
    rules: Rules | None = None,
    shoe: SuitedShoe | Shoe | None = None,
    meter: Fraction | float | str | None = None,
) -> SideBetResult:
    """Return a side bet counted exactly.

    >>> round(100 * sidebet("lucky-ladies", decks=8).house_edge, 4)
    16.7326

    Args:
        bet: a name of the catalogue, the path of a .toml file, or a side bet.
        game: whose decks and dealer's rule to take, and what is free: a game or rules, also by name or file; or a round
            whose play a bet on its result follows, which else goes by the best play for the exact cards.
        decks: 1 to 100,000, or `infinite`; by default those of the rules.
        paytable: its name where the bet has several, by default the first; or a paytable of one's own.
        rules: the same as `game`, where only rules are meant; both left out, the default rules, with
            the usual free bets where the bet counts them.
        shoe: the cards before the deal, instead of `decks`; it need not know the suits of its cards, or the ranks of
            its tens, where the bet does not look at them.
        meter: what the meter of a progressive bet shows, in units of the bet; by default what it starts from, and 0
            where the file does not say it.

    Raises:
        PaytableError: the bet or the paytable is unknown or cannot be read, or has a line that is never paid; or a
            meter is given that is no number of units, or that no line pays a share of.
        ShoeError: the number of decks is out of range, or the shoe has too few cards for the bet, or is not that of the
            round; or might run out in a round, for a bet on its result.
        RulesError: a game and rules, or decks and a shoe, are both given; or there are two hands, for such a bet.
        CatalogError: the game is unknown.
    """
    chosen = bet if isinstance(bet, SideBet) else load_side_bet(bet)
    table = paytable if isinstance(paytable, Paytable) else chosen.paytable(paytable)
    if meter is not None:
        table = table.with_meter(meter)
    if game is not None and rules is not None:
        raise RulesError("expected a game or rules, got both")
    if shoe is not None and decks is not None:
        raise RulesError("expected decks or a shoe, got both")
    played = game if isinstance(game, RoundResult) else None
    if played is not None and decks is not None:
        raise RulesError("expected decks or a round, got both")
    asked = played.rules if played is not None else rules if isinstance(game, RoundResult) or game is None else game
    used = rules_without_game(chosen) if asked is None else rules_of(asked)
    given = played.shoe if played is not None and shoe is None else shoe
    cards = (
        SuitedShoe.of_decks(read_decks(decks, used), used.deck)
        if given is None
        else SuitedShoe.of_shoe(given, used.deck, seen_by(table))
    )
    check_lines(chosen, table, used)
    law = None
    if table.plays_round:
        if played is None:
            if decks is not None:
                used = used.replace(decks=read_decks(decks, used))
            played = analyze(used, shoe=given if isinstance(given, Shoe) else _plain(cards))
        law = law_of([table], played)
        if cards.by_value != played.shoe.counts:
            raise ShoeError(f"expected the shoe of the round, {played.shoe}, got {cards}")
    return table_of(chosen, table, cards, used, law)


def sidebet_of(
    subject: Subject, bet: SideBet, paytable: Paytable | None = None, played: RoundResult | None = None
) -> SideBetResult:
    """Return a side bet, with its usual paytable if none is given, counted for the shoe of a game that is asked about.

    Args:
        subject: the game.
        bet: the side bet.
        paytable: what is paid.
        played: the round whose play a bet on its result follows; the best for the exact cards if left out.

    Raises:
        ShoeError: what the bet looks at is not said of its cards, or there are too few.
    """
    rules, table = subject.rules, paytable or bet.paytable()
    shoe = shoe_for(read_decks(None, rules), rules.deck, subject.removed, subject.left, seen_by(table))
    if not table.plays_round:
        return sidebet(bet, paytable=table, rules=rules, shoe=shoe)
    return sidebet(bet, played or analyze(rules, shoe=subject.shoe()), paytable=table, shoe=shoe)


def law_of(paytables: list[Paytable], played: RoundResult, progress: Progress | None = None) -> RoundLaw:
    """Return how the rounds of a computed result end, as far as some paytables of side bets ask."""
    tests = (test for paytable in paytables for condition in paytable.conditions for test in tests_of(condition))
    return round_law(played, {place for test in tests for place in test.places}, progress)


def _plain(shoe: SuitedShoe) -> Shoe:
    """Return the cards of a shoe without their suits."""
    return replace(Shoe.of_counts(by_rank(shoe.counts)), endless=shoe.endless)
