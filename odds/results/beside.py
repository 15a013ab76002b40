"""Every two-card hand against every dealer start, with further cards known to be gone: another hand's, or other boxes'.

Whoever has seen such cards plays in the shoe without them. What the other hands do later tells nothing more to a play
that does not look at it, as the cards still in the shoe are exchangeable; so expectations of hands add up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from odds.engine.dealer import remove_start, start_probability
from odds.engine.full import solve
from odds.engine.split_classes import DEFAULT_SPLIT_CLASS, FULL
from odds.engine.start import FollowedStart, StartAnalysis
from odds.engine.together import evaluate_together
from odds.results.deals import Deals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from odds.engine.passes import Passes
    from odds.engine.play import StartTable
    from odds.engine.terms import Terms
    from odds.game.shoe import Shoe
    from odds.parallel import Progress

# So many sets of cards together: the starts behind which a blackjack may hide, two of each, then fill a block.
_TOGETHER = 4


def deals_beside(
    terms: Terms,
    shoe: Shoe,
    gone: Sequence[int],
    split_class: str = DEFAULT_SPLIT_CLASS,
    tables: Mapping[tuple[int, ...], StartTable] | None = None,
    progress: Progress | None = None,
    threads: int = 1,
    passes: Passes | None = None,
) -> Deals:
    """Return the two-card hands against the dealer's starts that a shoe can deal without some cards, and their play.

    Values and probabilities are given that these cards are gone; `Deals.analyses` are the starts, each in the shoe
    without it and them, and `Deals.table` is the play against one of them.

    Args:
        terms: the rules, read.
        shoe: the cards before the deal.
        gone: value indexes of further cards that are seen, none of them the hand's or the dealer's.
        split_class: how the hands of a split are played.
        tables: the play to follow, by the dealer's cards; the best is found if left out.
        progress: called with the share that is done, from 0 to 1, by the class `full`.
        threads: how many threads work on it.
        passes: what is known of the dealer, and is kept for others.

    Raises:
        ShoeError: the shoe does not hold the cards, or is too small to split a pair that it can deal.
    """
    return next(beside_each(terms, shoe, [gone], split_class, tables, progress, threads, passes))


def beside_each(
    terms: Terms,
    shoe: Shoe,
    each: Sequence[Sequence[int]],
    split_class: str = DEFAULT_SPLIT_CLASS,
    tables: Mapping[tuple[int, ...], StartTable] | None = None,
    progress: Progress | None = None,
    threads: int = 1,
    passes: Passes | None = None,
) -> Iterator[Deals]:
    """Yield what `deals_beside` returns for each of some sets of cards, some together, which is faster."""
    full_splits = split_class == FULL and not shoe.endless
    apart = None if full_splits else DEFAULT_SPLIT_CLASS if split_class == FULL else split_class
    for first in range(0, len(each), _TOGETHER):
        batch: list[list[StartAnalysis]] = []
        for gone in each[first : first + _TOGETHER]:
            left = shoe.without(gone)
            batch.append([])
            for start in terms.dealer.starts:
                if start_probability(start, left):
                    analysis = StartAnalysis(start, remove_start(left, start), terms, split_class)
                    if tables is not None and not start.is_blackjack:
                        analysis = FollowedStart(analysis, tables[start.cards])
                    batch[-1].append(analysis)
        played = [analysis for of_gone in batch for analysis in of_gone if not analysis.start.is_blackjack]
        starts = [(analysis.start, analysis.shoe) for analysis in played]
        together = evaluate_together(starts, terms, apart, tables, threads, passes)
        for analysis, known in zip(played, together, strict=True):
            analysis.know(known.values, known.splits)
        for of_gone in batch:
            if full_splits:
                by_start = {analysis.start.cards: analysis for analysis in of_gone if not analysis.start.is_blackjack}
                unsolved = [(analysis.start, analysis.shoe) for analysis in by_start.values()]
                for start, pair, split in solve(unsolved, terms, progress, threads):
                    by_start[start.cards].know_split(pair, split)
            yield Deals(of_gone, terms)
