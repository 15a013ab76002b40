"""What of a solved set is kept: figures of its round, and the cells of its best chart."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from odds.engine.split_classes import FULL
from odds.errors import OddsError, suggestion
from odds.results.outcomes import outcomes
from odds.results.resplits import MOST_ROUNDS
from odds.results.side_bets import sidebet
from odds.sidebets.paytable import load_side_bet
from odds.strategy.search import NOTHING

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
    from fractions import Fraction

    from odds.results.round import RoundResult
    from odds.strategy.search import BestChart

# Columns that may be asked for, and what each is.
COLUMNS: Final = {
    "standard_deviation": "of the net result of a round",
    "variance": "of the net result of a round",
    "skewness": "of the net result of a round",
    "hit_frequency": "probability of a net result above 0",
    "push_frequency": "probability of a net result of 0",
    "p_split": "probability that a pair is split",
    "p_double": "probability that at least one hand is doubled",
    "p_surrender": "probability that at least one hand is surrendered",
    "p_paid_blackjack": "probability that a blackjack is dealt and paid, by which EV rises with what it pays",
    "insurance_ev": "of a unit insured against an ace",
}
# Known for every pay of a blackjack from one of them, see `at_pay`.
LINEAR: Final = frozenset(COLUMNS) - {"skewness"}
_SPREAD: Final = ("standard_deviation", "variance")
_BESIDE: Final = ("p_paid_blackjack", "insurance_ev")
# Results of three hands or more are dealt; of what is exact all the same, few have to be.
_FEW_ROUNDS: Final = 1


class ChartCell(NamedTuple):
    """A cell of the best chart of a set, or of the strategy that is followed.

    Attributes:
        row: its section and row, such as `hard 16` or `pairs 8,8`.
        upcard: its column.
        code: what the chart says.
        runner_up: the best other code, where it makes a difference.
        margin: what that would cost, in initial wagers a round; negative where a strategy's cell is wrong.
    """

    row: str
    upcard: str
    code: str
    runner_up: str | None
    margin: float | None


def check_columns(names: Iterable[str]) -> frozenset[str]:
    """Return the columns that are asked for.

    Raises:
        OddsError: there is no such column.
    """
    found = frozenset(names)
    for name in sorted(found - COLUMNS.keys()):
        hint = suggestion(name, COLUMNS, f"there are {', '.join(COLUMNS)}")
        raise OddsError(f"columns: unknown {name!r}; {hint}")
    return found


def chart_cells(best: BestChart) -> tuple[ChartCell, ...]:
    """Return the cells of a chart, row by row."""
    cells = []
    for (section, row), codes in best.strategy.codes.items():
        for upcard, code in zip(best.strategy.columns, codes, strict=True):
            cost = best.costs.get((section, row, upcard))
            # Of the best chart no gain is over 0 by more than rounding.
            other = (None, None) if cost is None else (cost.other, 0.0 if abs(cost.gain) <= NOTHING else -cost.gain)
            cells.append(ChartCell(f"{section} {row}", upcard, code, *other))
    return tuple(cells)


def figures_of(
    result: RoundResult,
    columns: Collection[str] = (),
    side_bets: Iterable[str] = (),
    known: dict[Hashable, float | None] | None = None,
) -> dict[str, float | None]:
    """Return the figures of a round that rows are made of; None for what there is not in a shoe that may be too small.

    Args:
        result: the round.
        columns: those that are asked for.
        side_bets: their names.
        known: what side bets return that are the same in many sets; it is added to.

    Raises:
        OddsError: there is no such figure of such a round.
    """
    figures: dict[str, float | None] = {
        "ev": result.ev,
        "average_wager": result.average_wager,
        "p_paid_blackjack": result.p_paid_blackjack,
        "shoe_can_run_out": float(result.shoe_can_run_out),
    }
    if "insurance_ev" in columns:
        figures["insurance_ev"] = None if result.insurance is None else float(result.insurance.ev)
    if of_net := sorted({*columns} - {*_BESIDE}):
        figures |= _net(result, of_net)
    for name in side_bets:
        figures[f"sidebet:{name}"] = _side_bet(name, result, {} if known is None else known)
    return figures


def at_pay(figures: Mapping[str, float | None], canonical: Fraction, pay: Fraction) -> dict[str, float | None]:
    """Return the figures of a set where a blackjack pays otherwise than in the set itself.

    The play does not change with it, so that the EV is linear in it, and the mean of the squared net in its square.

    Args:
        figures: of the set, see `Solved`.
        canonical: what a blackjack pays in the set.
        pay: what it pays.
    """
    found, paid = dict(figures), figures["p_paid_blackjack"]
    if pay != canonical:
        assert paid is not None
        found["ev"] = _plus(found["ev"], float(pay - canonical) * paid)
        if "mean_square" in found:
            found["mean_square"] = _plus(found["mean_square"], float(pay**2 - canonical**2) * paid)
    if (square := found.get("mean_square")) is not None:
        ev = found["ev"]
        assert ev is not None
        variance = max(square - ev * ev, 0.0)
        found |= {"variance": variance, "standard_deviation": sqrt(variance)}
    return found


def _plus(value: float | None, more: float) -> float | None:
    return None if value is None else value + more


def _net(result: RoundResult, columns: Sequence[str]) -> dict[str, float | None]:
    """Return figures of the distribution of the net result of a round."""
    exact = [name for name in columns if name in _SPREAD]
    names = [*(["mean_square"] if exact else []), *(columns)]
    if result.shoe_can_run_out:
        return dict.fromkeys(names)
    found = outcomes(result, most_rounds=_FEW_ROUNDS if len(exact) == len(columns) else MOST_ROUNDS)
    figures: dict[str, float | None] = {name: getattr(found, name) for name in columns}
    return figures | ({"mean_square": found.variance + found.mean**2} if exact else {})


def _side_bet(name: str, result: RoundResult, known: dict[Hashable, float | None]) -> float | None:
    """Return the RTP of a side bet, of which one not on the round looks at the shoe, the dealer and what is free."""
    bet, rules = load_side_bet(name), result.rules
    paytable = bet.paytable()
    of_dealer = rules.decks, rules.removed_ranks, rules.dealer_hits_soft_17, rules.hole_card, rules.peek_under
    free = rules if rules.free_double_on != "none" or rules.free_split != "none" or paytable.plays_round else None
    key = name, of_dealer, result.shoe, free
    if key not in known:
        follows = result if paytable.plays_round and result.split_class != FULL else rules
        shoe = None if result.shoe == rules.shoe() else result.shoe
        try:
            known[key] = sidebet(bet, follows, paytable=paytable, shoe=shoe).rtp
        except OddsError:  # it does not fit the rules, or the cards
            known[key] = None
    return known[key]
