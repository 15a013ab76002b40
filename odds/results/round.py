"""One whole round: every deal against every dealer start, the house edge and the RTP."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING, Any

from odds.engine.actions import ACTIONS
from odds.engine.dealer import start_probability
from odds.engine.hands import ACE
from odds.engine.split_classes import DEFAULT_SPLIT_CLASS, GIVEN, check_split_class, refuse_full
from odds.engine.splitting import shoe_can_run_out
from odds.engine.terms import hand_terms, two_hands
from odds.errors import ShoeError
from odds.game.catalog import rules_of, shoe_or_full
from odds.results import outcomes as net
from odds.results.beside import deals_beside
from odds.results.deal import deal_values
from odds.results.deals import Round, StartResult, insurance_against, insured_ten
from odds.results.exact import exact_round
from odds.results.exact_switch import exact_switch
from odds.results.groups import round_by_first_card, round_by_group
from odds.results.hand import hand_result, parse_player, situation
from odds.results.switch import exchanges

if TYPE_CHECKING:
    from collections.abc import Mapping

    from odds.engine.passes import Passes
    from odds.engine.play import StartTable
    from odds.engine.start import StartAnalysis
    from odds.engine.terms import Terms
    from odds.game.catalog import AnyGame
    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.parallel import Progress
    from odds.results.deal import DealResult
    from odds.results.exact import ExactRound
    from odds.results.groups import FirstCardEv
    from odds.results.hand import HandResult
    from odds.results.outcomes import Outcomes
    from odds.results.switch import Exchanges


@dataclass(frozen=True, slots=True, repr=False)
class RoundResult(Round):
    """The odds of a whole round, the first of a freshly shuffled shoe.

    Attributes:
        rules: the rules.
        shoe: the shoe before the deal.
        play: how the hands are played; `composition` is the best play for the exact cards of a hand.
        split_class: how the hands of a split are played.
        ev: expected net result of a round in initial wagers.
        average_wager: expected units wagered in a round, a unit being the initial wager. A wager counts when it is
            placed, even if it is returned; a round that a peek ends counts 1; insurance and side bets are not in it.
        by_start: the dealer's starts, in the order of the ranks.
        insurance: insurance against an ace, where it is offered (`insurance_against_ten` is that against a ten).
        shoe_can_run_out: the shoe might run out within a round. Splits are not exact then; a dealer who cannot draw
            counts as bust, and a player who cannot draw stands.
        fixed_play: the play that was followed, where it was given; None where it was found.
    """

    @property
    def rtp(self) -> float:
        """Return to player, 1 + EV: what a round gives back of the initial wager."""
        return 1.0 + self.ev

    @property
    def house_edge(self) -> float:
        """The house edge, -EV, per initial wager."""
        return -self.ev

    @property
    def ev_per_total_wager(self) -> float:
        """EV divided by the average wager, also called the element of risk with its sign turned."""
        return self.ev / self.average_wager

    @property
    def p_paid_blackjack(self) -> float | None:
        """Probability that a blackjack is dealt and paid at `blackjack_pays`, by so much EV rises with it.

        None where other hands depend on what a blackjack pays.

        >>> from odds.game.rules import Rules
        >>> round(analyze(Rules(decks=6)).p_paid_blackjack, 15)
        0.045322987716064
        """
        paid = self.terms.of_blackjack_pays
        if paid is None:
            return None
        units = self.by_start[0].deals.paid_blackjacks(paid)
        return fsum(start.probability * of_start for start, of_start in zip(self.by_start, units, strict=True))

    def exact(self, progress: Progress | None = None) -> ExactRound:
        """Return the round as fractions, under a play certified to be the best of its class.

        Args:
            progress: called with the share done, from 0 to 1.

        Raises:
            ShoeError: the shoe might run out.
        """
        return exact_round(self, progress)

    def outcomes(self) -> Outcomes:
        """Return the probability of every net result of a round, variance and frequencies.

        Raises:
            ShoeError: the shoe might run out.
        """
        return net.outcomes(self)

    def hand(self, player: str, dealer: str) -> HandResult:
        """Return what each action is worth for a hand of two or more cards.

        Args:
            player: the hand, such as `8,8` or `T,4,2`.
            dealer: the upcard, or both cards of an exposed dealer.

        Returns:
            Values in initial wagers; where the dealer peeks, given that he has no blackjack.

        Raises:
            HandError: a hand cannot be read or is over 21.
            ShoeError: the shoe does not hold the cards.
        """
        return hand_result(situation(self.analysis(dealer), parse_player(player)))

    def by_first_card(self) -> tuple[FirstCardEv, ...]:
        """Return the EV of a round by the player's first card, given that card alone, dealer blackjacks included.

        >>> from odds.game.rules import Rules
        >>> [f"{row.card} {row.ev:+.3f}" for row in analyze(Rules(decks=1)).by_first_card()][-2:]
        ['T +0.143', 'A +0.528']
        """
        return round_by_first_card(self)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each two-card hand and dealer start, for pandas or polars.

        Columns: `dealer`, `player`, `probability` (of both), `best`, `ev` (of the round, dealer blackjacks included),
        `p_dealer_blackjack` (hidden, given both), `given_no_dealer_blackjack`, and the values of `stand`, `hit`,
        `double`, `split`, `surrender` as in `HandResult.actions`, None where an action is not legal.
        """
        rows = []
        for start in self.by_start:
            for decision in start.decisions:
                result = self.hand(decision.hand.label, start.start)
                rows.append(
                    {
                        "dealer": start.start,
                        "player": decision.hand.label,
                        "probability": start.probability * decision.probability,
                        "best": decision.action,
                        "ev": decision.ev,
                        "p_dealer_blackjack": decision.p_blackjack,
                        "given_no_dealer_blackjack": result.given_no_dealer_blackjack,
                        **{action: result.actions.get(action) for action in ACTIONS},
                    }
                )
        return rows

    def _shown_rows(self) -> list[dict[str, Any]]:
        """Return the dealer's starts as tables show them; `to_rows` has the hands."""
        return [
            {"dealer": row.group.label, "probability": row.probability, "ev given that": row.ev}
            for row in round_by_group(self)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the result of the round as JSON takes it, without the hands (see `to_rows`)."""
        plain = ("play", "split_class", "ev", "rtp", "house_edge", "average_wager", "ev_per_total_wager")
        return {
            "rules": self.rules.to_dict(),
            **{name: getattr(self, name) for name in plain},
            "by_upcard": [
                {"upcard": start.start, "probability": start.probability, "ev": start.ev}
                | ({"raised": start.times > 1} if self.terms.pays.raised > 1 else {})
                for start in self.by_start
            ],
            "insurance": None if self.insurance is None else self.insurance.to_dict(),
            **insured_ten(self.insurance_against_ten),
            "shoe_can_run_out": self.shoe_can_run_out,
        }


@dataclass(frozen=True, slots=True, repr=False)
class SwitchResult(RoundResult):
    """The odds of a whole round of two hands of one wager each, whose second cards may be exchanged.

    Attributes are those of `RoundResult`, per unit of one of the two wagers (half of the sum of both hands), and:
        exchanges: the better way to play every four cards, and what both ways are worth.
    """

    exchanges: Exchanges = field(kw_only=True, repr=False, compare=False)

    def exact(self, progress: Progress | None = None) -> ExactRound:
        """Return the round as fractions, under exchanges and a play certified to be the best of their class.

        Args:
            progress: called with the share done, from 0 to 1.

        Raises:
            ShoeError: the shoe might run out.
        """
        return exact_switch(self, self.exchanges, progress)

    def hand(self, player: str, dealer: str) -> DealResult:  # type: ignore[override]  # of two hands
        """Return what four cards are worth, such as `9,T / 6,A`, their second ones exchanged or not; see `deal_values`.

        Raises:
            HandError: a hand cannot be read, or has not two cards.
            ShoeError: the shoe does not hold the cards.
        """
        return deal_values(player, dealer, self.rules, shoe=self.shoe, split_class=self.split_class)

    def outcomes(self) -> Outcomes:
        """Refuse the distribution of both hands together.

        Raises:
            RulesError: always.
        """
        raise two_hands("the distribution of a round is")

    def by_first_card(self) -> tuple[FirstCardEv, ...]:
        """Refuse the EV by a first card, of which there are two.

        Raises:
            RulesError: always.
        """
        raise two_hands("the EV by the player's first card is")

    def tables(self) -> dict[tuple[int, ...], StartTable]:
        """Refuse the play of one hand without the other's cards; `exchanges` has it with them.

        Raises:
            RulesError: always.
        """
        raise two_hands("the play of one hand by itself is")

    def analysis(self, dealer: str) -> StartAnalysis:
        """Refuse the values of one hand without the other's cards.

        Raises:
            RulesError: always.
        """
        raise two_hands("what is asked for is")

    def to_dict(self) -> dict[str, Any]:
        """Return the result of the round as JSON takes it, and in what it is."""
        return {"per": "one of the two initial wagers", **RoundResult.to_dict(self)}

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each dealer start and four cards, for pandas or polars.

        Columns: `dealer`, `player` (both hands, such as `9,T / 6,A`), `probability` (of both, in any order that comes
        to the same), `best` (`keep` or `exchange`), `gain` (what the better way gains), and `ev` of the round, dealer
        blackjacks included.
        """
        return self.exchanges.to_rows()


def analyze(
    rules: AnyGame,
    *,
    shoe: Shoe | None = None,
    split_class: str = DEFAULT_SPLIT_CLASS,
    progress: Progress | None = None,
    threads: int = 1,
    passes: Passes | None = None,
) -> RoundResult:
    """Return the odds of a whole round under the best composition-dependent play.

    >>> from odds.game.rules import Rules
    >>> rules = Rules(decks=6, dealer_hits_soft_17=False, max_hands=4)
    >>> round(analyze(rules, split_class="cdz").ev, 13)
    -0.0040287023612

    Args:
        rules: the rules, or the game that has them, also by its name or file.
        shoe: the cards before the deal; `rules.decks` full decks if left out.
        split_class: how the hands of a split are played: `cdz`, `cdp1` or, of one hand, `full`.
        progress: called with the share that is done, from 0 to 1, where it takes long, as `full` does.
        threads: how many threads work on it; the results do not depend on it.
        passes: what is known of the dealer, and is kept for rules with the same shoe and drawing rule; no result
            depends on it. Of two hands it is not used.

    Returns:
        A `SwitchResult`, of two hands, under rules that let their cards be exchanged.

    Raises:
        RulesError: the split class is not known, or not for these rules.
        ShoeError: the shoe is too small for a deal, or does not tell tens apart where the rules need it.
        ValueError: fewer than one thread.
    """
    rules = rules_of(rules)
    terms = hand_terms(rules)
    check_split_class(split_class, terms.legal)
    if threads < 1:
        raise ValueError(f"threads: expected at least 1, got {threads}")
    if terms.legal.switches:
        return _switched_round(rules, terms, shoe, split_class, None, progress, threads)
    return _whole_round(rules, terms, shoe, "composition", split_class, None, progress, threads, passes)


def round_of(game: AnyGame | RoundResult) -> RoundResult:
    """Return a round as it is, or that of a game under the best play for the exact cards.

    Raises:
        RulesError: as for `analyze`.
    """
    return game if isinstance(game, RoundResult) else analyze(game)


def outcomes(game: AnyGame | RoundResult) -> Outcomes:
    """Return the probability of every net result of a round, variance and frequencies.

    Args:
        game: the round; or a game or rules, also by name or file, under the best play for the exact cards.

    Raises:
        ShoeError: the shoe might run out.
    """
    return round_of(game).outcomes()


def follow(
    rules: Rules,
    tables: Mapping[tuple[int, ...], StartTable],
    *,
    play: str,
    shoe: Shoe | None = None,
    passes: Passes | None = None,
) -> RoundResult:
    """Return the odds of a whole round under a fixed play; of two hands, with the best exchange given that play.

    Args:
        rules: the rules.
        tables: the play, by the dealer's cards; a table for every start that does not end the round at once.
        play: what the play is called.
        shoe: the cards before the deal; `rules.decks` full decks if left out.
        passes: as in `analyze`.

    Raises:
        ShoeError: the shoe is too small for a deal, or does not tell tens apart where the rules need it.
    """
    terms = hand_terms(rules)
    if terms.legal.switches:
        return _switched_round(rules, terms, shoe, GIVEN, (play, tables))
    return _whole_round(rules, terms, shoe, play, GIVEN, tables, passes=passes)


def _whole_round(
    rules: Rules,
    terms: Terms,
    shoe: Shoe | None,
    play: str,
    split_class: str,
    tables: Mapping[tuple[int, ...], StartTable] | None,
    progress: Progress | None = None,
    threads: int = 1,
    passes: Passes | None = None,
) -> RoundResult:
    full = shoe_or_full(shoe, rules)
    if full.total < 4:
        raise ShoeError(f"expected a shoe of at least 4 cards to deal a round from, got {full.total}")
    deals = deals_beside(terms, full, (), split_class, tables, progress, threads, passes)
    results = deals.results([float(start_probability(analysis.start, full)) for analysis in deals.analyses])
    return RoundResult(
        rules,
        full,
        play,
        split_class,
        fsum(start.probability * start.ev for start in results),
        fsum(start.probability * start.average_wager for start in results),
        tuple(results),
        insurance_against(ACE, full, terms),
        shoe_can_run_out(full.counts, terms.legal.most_hands),
        terms,
        {analysis.start.cards: analysis for analysis in deals.analyses},
        tables,
    )


def _switched_round(
    rules: Rules,
    terms: Terms,
    shoe: Shoe | None,
    split_class: str,
    followed: tuple[str, Mapping[tuple[int, ...], StartTable]] | None,
    progress: Progress | None = None,
    threads: int = 1,
) -> SwitchResult:
    """Return the round of two hands, with the best exchange under the best play or one that is followed."""
    refuse_full(split_class, "switch=true")
    play, tables = ("composition", None) if followed is None else followed
    full = shoe_or_full(shoe, rules)
    if full.total < 6:
        raise ShoeError(f"expected a shoe of at least 6 cards to deal a round of two hands from, got {full.total}")
    found = exchanges(terms, full, split_class, progress, threads, tables)
    results = []
    for (start, probability), (ev, wager) in zip(found.starts, found.start_means(), strict=True):
        times = terms.pays.times(ev)
        money = float(times)
        results.append(StartResult(start.label, probability, money * ev, money * wager, times))
    return SwitchResult(
        rules,
        full,
        play,
        split_class,
        fsum(start.probability * start.ev for start in results),
        fsum(start.probability * start.average_wager for start in results),
        tuple(results),
        insurance_against(ACE, full, terms),
        shoe_can_run_out(full.counts, 2 * terms.legal.most_hands),
        terms,
        {},
        exchanges=found,
    )
