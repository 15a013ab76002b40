"""All dealer starts at once: the same numbers as one by one, on any processor and with any number of threads."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from numpy.typing import NDArray

from odds import KernelError, Rules, Shoe, ShoeError, analyze, evaluate, hand_values, load_game
from odds._kernel import (
    BLOCK,
    SWEEP_ROWS,
    BlockSweep,
    block_zeros,
    dealer_probabilities,
    one_dealer_distribution,
    use_version,
    version,
    versions,
)
from odds.engine.dealer import remove_start
from odds.engine.hands import player_hands
from odds.engine.passes import Passes
from odds.engine.start import StartAnalysis
from odds.engine.terms import terms_of
from odds.engine.together import _room, evaluate_together
from odds.numbers.arithmetic import DOUBLES, tabulate
from odds.strategy.search import basic_strategy

CASES = {
    "classic": load_game("classic-blackjack").rules,
    "face-up": load_game("face-up-21").rules,
    "one deck, four hands": Rules(decks=1, max_hands=4, resplit_aces=True, hit_split_aces=True),
    "no peek, like tens": Rules(decks=2, max_hands=3, split_by="rank", hole_card="none", surrender="early"),
    "original bets": Rules(decks=4, hole_card="none", dealer_blackjack_takes="original", split_blackjack=True),
    "each hand's bet": Rules(decks=4, hole_card="none", dealer_blackjack_takes="original-per-hand", max_hands=3),
    "charlie": Rules(decks=6, charlie=5, split_blackjack=True, dealer_wins_ties="17"),
    "21 wins, doubled again, rescued": Rules(
        decks=2, player_21="wins", redoubles=2, double_rescue=True, double_cards="any", max_hands=3
    ),
    "any hand surrendered": Rules(
        decks=2, surrender="late", surrender_cards="any", hole_card="none", double_multiples=3, max_hands=2
    ),
    "bonuses by upcard": Rules(decks=6, bonuses="cards=3 total=21 upcard=7 pays=3; cards=5+ total=21 pays=2"),
    "no split": Rules(decks=2, max_hands=1),
    "exposed, like tens": Rules(decks=2, hole_card="exposed", split_by="rank", max_hands=4),
}
CLASSES = ("cdz", "cdp1")
cases = pytest.mark.parametrize("rules", CASES.values(), ids=CASES.keys())


@contextmanager
def in_version(name: str) -> Iterator[None]:
    before = version()
    use_version(name)
    try:
        yield
    finally:
        use_version(before)


def starts_of(rules: Rules) -> list[StartAnalysis]:
    shoe, terms = rules.shoe(), terms_of(rules)
    return [
        StartAnalysis(start, remove_start(shoe, start), terms, "cdp1")
        for start in terms.dealer.starts
        if not start.is_blackjack
    ]


def everything(rules: Rules, split_class: str, threads: int = 1, shoe: Shoe | None = None) -> list[object]:
    """All numbers of a round, to compare to the last digit."""
    result = analyze(rules, split_class=split_class, threads=threads, shoe=shoe)
    return [result.ev, result.average_wager, result.by_start, [start.decisions for start in result.by_start]]


@cases
@pytest.mark.parametrize("split_class", CLASSES)
def test_together_is_one_by_one(rules: Rules, split_class: str) -> None:
    """The kernel's sweep for several starts against that for one: the same operations in the same order."""
    one_by_one = starts_of(rules)
    together = evaluate_together([(one.start, one.shoe) for one in one_by_one], terms_of(rules), split_class)
    for one, many in zip(one_by_one, together, strict=True):
        one.split_class = split_class
        assert np.array_equal(one.values.values[: len(many.values.values)], many.values.values)
        assert np.array_equal(one.values.play, many.values.play)
        pairs = [pair for pair in one.terms.legal.split_pairs if one.shoe.counts[pair] > 1]
        assert list(many.splits) == pairs
        for pair in pairs:
            alone, split = one.split(pair), many.splits[pair]
            assert (alone.value, alone.wager) == (split.value, split.wager)
            holding = np.tile(player_hands().graph.counts[:, pair] > 0, max(one.terms.legal.levels, 1))
            assert np.array_equal(alone.play[holding], split.play[holding])


@cases
@pytest.mark.parametrize("split_class", CLASSES)
def test_nothing_is_read_that_was_not_worked_out(rules: Rules, split_class: str) -> None:
    """What an earlier game left behind, where hands are never come to, changes nothing."""
    before = everything(rules, split_class)
    for start in starts_of(rules):
        with _room(start.terms, start.terms.removals) as room:
            room.dealer.fill(np.nan)
            room.values.fill(np.nan)
    assert everything(rules, split_class) == before


def test_a_shoe_is_looked_at_for_the_starts_that_want_it() -> None:
    rules = Rules(decks=2, max_hands=4)
    starts, terms = starts_of(rules)[1:4], terms_of(rules)
    removed, numbers = terms.removals.removed[:3000], [tabulate(start.shoe) for start in starts]
    arguments = [terms.trie(start.start) for start in starts], removed, [of.cards for of in numbers], numbers[0].inverse
    of_all, of_some = (np.zeros((len(removed), 5, BLOCK)) for _ in range(2))
    needed = (np.arange(len(removed)) * 5 % 8).astype(np.uint8)
    dealer_probabilities(*arguments, DOUBLES.field, of_all)
    dealer_probabilities(*arguments, DOUBLES.field, of_some, needed)
    for lane in range(3):
        wanted = needed >> lane & 1 != 0
        assert np.array_equal(of_some[wanted, :, lane], of_all[wanted, :, lane])
        assert not of_some[~wanted, :, lane].any()


def test_sets_of_cards_gone_come_with_the_fewest_pair_cards_first() -> None:
    sets = terms_of(Rules(decks=6, max_hands=4, resplit_aces=True)).removals
    assert len(np.unique(sets.removed, axis=0)) == len(sets.removed) == sets.up_to[-1]
    for extra, end in enumerate(sets.up_to):
        rows = sets.rows[:, : extra + 1]
        assert sorted(set(rows[rows >= 0].tolist())) == list(range(end))


@cases
@pytest.mark.parametrize("split_class", CLASSES)
def test_any_number_of_threads_gives_the_same_numbers(rules: Rules, split_class: str) -> None:
    alone = everything(rules, split_class)
    assert everything(rules, split_class, threads=2) == alone
    assert everything(rules, split_class, threads=7) == alone


def test_threads_for_splits_on_everything_seen() -> None:
    rules, shoe = Rules(max_hands=2), Shoe.of_counts([2, 2, 2, 2, 2, 2, 2, 2, 2, 8])
    assert everything(rules, "full", 3, shoe) == everything(rules, "full", 1, shoe)


@cases
@pytest.mark.parametrize("name", versions()[1:])
def test_every_version_gives_the_same_numbers(rules: Rules, name: str) -> None:
    """Nothing is contracted or added up in another order, so the least of processors gives the same digits."""
    with in_version(versions()[0]):
        best = everything(rules, "cdp1")
    with in_version(name):
        assert version() == name
        assert everything(rules, "cdp1") == best


@pytest.mark.parametrize("deal", ["both", "in-turn"])
def test_every_version_plays_splits_alike_on_everything_seen(deal: str) -> None:
    rules = Rules(max_hands=2, split_deal=deal, hole_card="none", split_blackjack=True)
    shoe = Shoe.of_counts([2, 2, 2, 2, 2, 2, 2, 2, 2, 8])
    numbers = []
    for name in versions():
        with in_version(name):
            numbers.append(everything(rules, "full", shoe=shoe))
    assert all(others == numbers[0] for others in numbers)


def test_a_version_that_is_not_there_is_refused() -> None:
    before = version()
    with pytest.raises(KernelError, match=r"ODDS_KERNEL: expected .*baseline on this processor, got 'sse9'"):
        use_version("sse9")
    assert version() == before


def test_a_chart_is_played_together() -> None:
    """A fixed play, against the sum over the starts followed one by one."""
    rules = CASES["face-up"]
    result = evaluate(rules, basic_strategy(rules))
    assert result.fixed_play is not None
    for start in result.by_start:
        analysis = result.analysis(start.start)
        if analysis.start.is_blackjack:
            continue
        table = result.fixed_play[analysis.start.cards]
        alone = type(analysis)(analysis, table)
        assert np.array_equal(alone.values.values[:4], analysis.values.values)
        for pair in table.after_split:
            assert alone.split(pair).value == analysis.split(pair).value


def test_a_pair_that_cannot_be_split_is_refused_together_too() -> None:
    shoe = Shoe.of_counts([1, 0, 0, 0, 0, 0, 0, 3, 1, 1])
    with pytest.raises(ShoeError, match="too small to split 8,8"):
        analyze(Rules(max_hands=4), shoe=shoe)


@pytest.mark.parametrize("cards", [2, 4], ids=["a shoe that can run out", "one that cannot"])
def test_like_tens_that_cannot_be_dealt_are_no_split(cards: int) -> None:
    """No rank of tens is there twice, so that no pair of tens can be split; other tens are dealt all the same."""
    rules, shoe = Rules(split_by="rank", max_hands=2), Shoe.of_counts([cards] * 9 + [1, 1, 1, 1])
    result = analyze(rules, shoe=shoe)
    # Where there is no pair of tens to split, it does not matter whether like tens or any tens might be split,
    # apart from the tens themselves.
    for start in result.by_start:
        tens = [deal for deal in start.decisions if deal.hand.values == (9, 9)]
        assert all(deal.hand.pair is None and "split" not in deal.joint for deal in tens)
    with pytest.raises(ShoeError, match="too small to split T,T"):
        result.hand("T,T", "6")
    with pytest.raises(ShoeError, match="too small to split T,T"):
        hand_values("T,T", "6", rules, shoe=shoe)
    small = dataclasses.replace(shoe, ten_ranks=None)
    unsplit = analyze(rules.replace(split_by="value", max_hands=1), shoe=small)
    for start, other in zip(result.by_start, unsplit.by_start, strict=True):
        actions = {deal.hand.index: deal.joint for deal in start.decisions if deal.hand.values == (9, 9)}
        for deal in other.decisions:
            if deal.hand.index in actions:
                assert actions[deal.hand.index] == deal.joint


def test_the_first_pair_that_cannot_be_split_is_named() -> None:
    """The first start that is too small, and its first pair, as when one start after the other is looked at."""
    # Against 2,2 only 8,8 is left, against 8,8 only 2,2.
    shoe = Shoe.of_counts([0, 2, 0, 0, 0, 0, 0, 2, 0, 0])
    with pytest.raises(ShoeError, match="too small to split 8,8"):
        analyze(Rules(hole_card="exposed", max_hands=2), shoe=shoe)


def test_no_thread_is_refused() -> None:
    with pytest.raises(ValueError, match="threads: expected at least 1, got 0"):
        analyze(Rules(), threads=0)


def block_sweep(one: StartAnalysis, dealer: NDArray[np.float64], inverse: NDArray[np.float64]) -> BlockSweep:
    """A sweep of one start, in a block of its own."""
    pays, caught = one.terms.pays.for_kernel(DOUBLES), one.terms.settlement(one.start).for_kernel(DOUBLES)
    blackjack = block_zeros(*caught.shape)
    blackjack[...] = caught[..., None]
    hidden, peeks = np.array([one.start.hidden_blackjack], np.int32), np.array([one.start.peeks], np.uint8)
    cards = block_zeros(10, 64)
    return BlockSweep(
        player_hands().graph,
        pays,
        blackjack,
        dealer,
        cards,
        inverse,
        one.shoe.total,
        1,
        hidden,
        peeks,
        block_zeros(0, 2),
        np.empty(0),
        np.zeros((0, BLOCK), np.uint8),
        np.zeros((0, 3), np.int32),
        np.zeros(player_hands().graph.size, np.uint8),
    )


def test_a_block_wants_aligned_arrays() -> None:
    one = starts_of(Rules(decks=6))[0]
    dealer = block_zeros(len(one.terms.removals.removed), 5)
    block_sweep(one, dealer, block_zeros(64))
    shifted = np.zeros(64 * BLOCK + 1)[1:].reshape(64, BLOCK)
    if shifted.ctypes.data % (8 * BLOCK) == 0:
        shifted = np.zeros(64 * BLOCK + 2)[2:].reshape(64, BLOCK)
    with pytest.raises(ValueError, match="aligned"):
        block_sweep(one, dealer, shifted)


def test_arrays_that_do_not_belong_together_are_refused() -> None:
    """The kernel's loops take pointers: what is too short must not reach them."""
    rules = Rules(decks=6)
    graph, start = player_hands().graph, starts_of(rules)[0]
    terms, sets = start.terms, start.terms.removals
    numbers, trie = tabulate(start.shoe), terms.trie(start.start)
    n = len(sets.removed)
    with pytest.raises(ValueError, match="expected counts of ten values"):
        one_dealer_distribution(trie, (1, 2))
    for removed, out in ((sets.removed, np.zeros((n - 1, 5))), (sets.removed[:, :5].copy(), np.zeros((n, 5)))):
        with pytest.raises(ValueError, match="expected"):
            dealer_probabilities([trie], removed, [numbers.cards], numbers.inverse, DOUBLES.field, out[:, :, None])
    for tries, lanes in (([], BLOCK), ([trie], BLOCK - 1)):
        cards, inverse = [numbers.cards] * len(tries), numbers.inverse
        with pytest.raises(ValueError, match="expected"):
            dealer_probabilities(tries, sets.removed, cards, inverse, DOUBLES.field, np.zeros((n, 5, lanes)))
    sweep = block_sweep(start, block_zeros(n, 5), block_zeros(64))
    play, values, found = (
        np.zeros((graph.size, BLOCK), np.uint8),
        np.zeros((1, 4, graph.size)),
        np.zeros((1, 7), np.uint8),
    )
    room, may, kinds = block_zeros(SWEEP_ROWS, graph.size), terms.legal.before_split, terms.pays.kind
    with pytest.raises(ValueError, match="a place for each hand"):
        sweep.unsplit(sets.rows[0, 0], may, kinds, True, room, play, values, found)


KEPT = (
    *CASES.values(),
    *(rules.replace(decks=2, double_on="9-11") for rules in CASES.values()),
    Rules(decks=2, removed_ranks="10", max_hands=4),
    Rules(decks="infinite", max_hands=3),
    Rules(decks=2, dealer_22="push", max_hands=2),
    Rules(decks=2, dealer_hits_soft_17=True, max_hands=2),
    Rules(decks=2, max_hands=4, resplit_aces=True),
    Rules(decks=2, max_hands=1, hole_card="none"),
)


@pytest.mark.parametrize("ascending", [True, False])
def test_what_is_kept_of_the_dealer_changes_no_number(ascending: bool) -> None:
    passes = Passes()
    for rules in sorted(KEPT, key=lambda rules: rules.max_hands, reverse=not ascending):
        for split_class in CLASSES:
            alone, kept = (analyze(rules, split_class=split_class, passes=given) for given in (None, passes))
            assert (alone.ev, alone.average_wager, alone.by_start) == (kept.ev, kept.average_wager, kept.by_start)
    rules = Rules(decks=2, max_hands=2, surrender="late")
    chart = basic_strategy(rules, passes=passes)
    assert chart == basic_strategy(rules)
    assert evaluate(rules, chart, passes=passes).ev == evaluate(rules, chart).ev


def test_what_is_kept_of_the_dealer_is_not_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted(tries: list[object], removed: object, cards: object, inverse: object, *rest: NDArray[np.uint8]) -> None:
        asked.append(int(np.count_nonzero(rest[-1])))
        dealer_probabilities(tries, removed, cards, inverse, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("odds.engine.passes.dealer_probabilities", counted)
    passes = Passes([terms_of(Rules(decks=6, max_hands=4))])
    analyze(Rules(decks=6, max_hands=4), passes=passes)
    first, asked[:] = sum(asked), []
    analyze(Rules(decks=6, max_hands=3, hole_card="none", double_on="10-11", surrender="late"), passes=passes)
    assert sum(asked) < first / 50
    analyze(Rules(decks=6, max_hands=4, dealer_hits_soft_17=True), passes=passes)
    assert sum(asked) > first / 2
