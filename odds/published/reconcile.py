"""Which readings of a game's rules give the RTP that is published for it, per initial or per total wager."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from odds.engine.passes import Passes
from odds.engine.splitting import shoe_can_run_out
from odds.errors import OddsError, RulesError, ShoeError
from odds.game.catalog import game_of
from odds.game.fields import check_kind, expected
from odds.game.quantities import published
from odds.game.rules import Rules
from odds.game.subject import PLAYS
from odds.numbers.decimals import agreement
from odds.parallel import part, processes, tell
from odds.published.readings import readings, without_effect
from odds.results.round import RoundResult, analyze
from odds.shown import Shown
from odds.strategy.search import search
from odds.strategy.table import evaluate
from odds.sweep.charts import at_pay, figures_of
from odds.sweep.distinct import distinct_of
from odds.sweep.grid import Combination
from odds.sweep.run import chunks
from odds.sweep.solve import Asked, round_of_set

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from odds.game.catalog import Game
    from odds.game.shoe import Shoe
    from odds.parallel import Door, Progress
    from odds.published.readings import Reading
    from odds.sweep.distinct import Distinct

QUANTITIES: Final = ("rtp", "house_edge")
PER: Final = ("initial wager", "total wager")
# Of neighbouring rules, charts are searched for those whose best play gives so much less or more than the published
# RTP: a chart loses up to 0.04 points to the best play with one deck, and less with more.
NEAR: Final = (-0.0001, 0.0006)
_SAME: Final = 1e-13  # less is the rounding of doubles
_PARTS: Final = 2  # of the readings, for each process at least; what share the dealer's passes are best kept together
_MOST: Final = {"composition": 32, "total": 8}
_Figures: TypeAlias = "dict[str, float | None]"
_TOO_SMALL: Final = "the shoe is too small for a deal under these rules"


@dataclass(frozen=True, slots=True)
class Published:
    """A published percentage.

    Attributes:
        quantity: `rtp` or `house_edge`.
        text: as printed, such as `99.15%`.
    """

    quantity: str
    text: str

    @property
    def percentage(self) -> Decimal:
        """The figure in percent, with its printed digits."""
        return Decimal(self.text.rstrip("%"))

    @property
    def digits(self) -> int:
        """How many decimals the percentage has."""
        return len(self.text.rstrip("%").partition(".")[2])

    @property
    def rtp(self) -> float:
        """The RTP, from 100 % less the house edge where that is printed, as a fraction of 1."""
        return float((self.percentage if self.quantity == "rtp" else 100 - self.percentage) / 100)

    @property
    def words(self) -> str:
        """What is published, such as `RTP 99.15%`."""
        return f"{'RTP' if self.quantity == 'rtp' else 'house edge'} {self.text}"

    def matches(self, rtp: float | Fraction) -> str | None:
        """Return how an RTP prints the same at the published digits.

        >>> Published("rtp", "99.15%").matches(0.99146), Published("rtp", "99.15%").matches(0.9914)
        ('rounded', None)

        Args:
            rtp: a fraction of 1.

        Returns:
            `rounded`, `truncated` (towards zero), `both`, or None where it prints otherwise.
        """
        value = Fraction(rtp)
        return agreement(self.text, value if self.quantity == "rtp" else 1 - value)


def parse_published(text: str, quantity: str = "rtp") -> Published:
    """Return a published percentage.

    >>> parse_published("99.15 %")
    Published(quantity='rtp', text='99.15%')

    Args:
        text: a percentage with its sign, or a share of 1, such as `0.9915`.
        quantity: what it is of, `rtp` or `house_edge`.

    Raises:
        OddsError: it is no percentage, or none that a game can have.
    """
    try:
        return Published(quantity, published(text, quantity))
    except ValueError as error:
        raise OddsError(expected("a published percentage such as 99.15%", text, error)) from None


def published_figure(game: Game) -> Published | None:
    """Return what a game's file says is published: its RTP, else its house edge, else None."""
    for quantity in QUANTITIES:
        if quantity in game.published:
            return Published(quantity, game.published[quantity])
    return None


@dataclass(frozen=True, slots=True)
class Answer:
    """The RTP of a reading.

    Attributes:
        reading: how the rules are read.
        play: `composition`, best for the exact cards, or `total`, the best chart.
        rtp: per initial wager.
        rtp_per_total_wager: 1 + EV / average wager.
        matches: how `rtp` prints the same as the published figure, see `Published.matches`; None where it does not.
        matches_per_total_wager: likewise of `rtp_per_total_wager`.
        per: the one of `PER` by which it prints the same, else comes nearer.
        no_effect: the changes without which the reading has the same RTPs, whatever the play.
    """

    reading: Reading
    play: str
    rtp: float
    rtp_per_total_wager: float
    matches: str | None
    matches_per_total_wager: str | None
    per: str
    no_effect: tuple[str, ...] = ()

    @classmethod
    def of(cls, reading: Reading, play: str, rtps: tuple[float, float], published: Published | None) -> Answer:
        """Return the answer of the RTPs per initial and per total wager."""
        if published is None:
            return cls(reading, play, *rtps, None, None, PER[0])
        first, second = map(published.matches, rtps)
        nearer = abs(rtps[1] - published.rtp) < abs(rtps[0] - published.rtp)
        return cls(reading, play, *rtps, first, second, PER[not first and (second is not None or nearer)])

    @property
    def nearest(self) -> float:
        """The RTP that prints the same as the published one, else the nearer one."""
        return self.rtp if self.per == PER[0] else self.rtp_per_total_wager

    @property
    def prints(self) -> str | None:
        """How that RTP prints the same; None where neither does."""
        return self.matches or self.matches_per_total_wager

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as JSON takes it."""
        own = ("play", "rtp", "matches", "rtp_per_total_wager", "matches_per_total_wager", "per")
        return {
            "changes": self.reading.plain_changes(),
            **{name: getattr(self, name) for name in own},
            "no_effect": list(self.no_effect),
            "words": self.reading.words,
            "neighbour": self.reading.neighbour or None,
            "joined": list(self.reading.joined),
            "parted": list(self.reading.parted),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Reconciliation(Shown):
    """The readings of a game beside its published RTP.

    Attributes:
        game: the game.
        rules: as they are read first.
        published: the published figure; None where there is none.
        answers: nearest to it per initial wager first; without a figure in the order of readings.
        no_effect: in words, the changes that leave the RTP as it is.
        wide: neighbouring rules are among them.
        shoe_can_run_out: under the rules as they are, so that the values of splits are not exact.
    """

    game: Game
    rules: Rules
    published: Published | None
    answers: tuple[Answer, ...]
    no_effect: tuple[str, ...]
    wide: bool
    shoe_can_run_out: bool

    @property
    def ranked(self) -> tuple[Answer, ...]:
        """The answers whose changes all have an effect, nearest first by whichever wager they are nearer."""
        told = [answer for answer in self.answers if not answer.no_effect]
        target = self.published
        if target is None:
            return tuple(told)
        return tuple(sorted(told, key=lambda answer: (not answer.prints, abs(answer.nearest - target.rtp))))

    @property
    def matching(self) -> tuple[Answer, ...]:
        """Those that print the same as the published figure, per initial wager first."""
        return tuple(sorted((a for a in self.ranked if a.prints), key=lambda answer: answer.per))

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each answer, for pandas or polars.

        Columns: `rtp` and `rtp_per_total_wager`, `off_by` (the one of `per` less the published RTP), `matches` and
        `matches_per_total_wager`, `per`, `play`, `changes` as `FIELD=VALUE`, `words`, `neighbour`, `no_effect`.
        """
        published = self.published
        return [
            {
                **{name: getattr(answer, name) for name in ("rtp", "rtp_per_total_wager")},
                "off_by": None if published is None else answer.nearest - published.rtp,
                **{name: getattr(answer, name) for name in ("matches", "matches_per_total_wager", "per", "play")},
                "changes": " ".join(f"{name}={value}" for name, value in answer.reading.plain_changes().items()),
                "words": answer.reading.words or "as the rules are",
                "neighbour": answer.reading.neighbour or None,
                "no_effect": " ".join(answer.no_effect),
            }
            for answer in self.answers
        ]

    def facts(self) -> list[tuple[str, ...]]:
        """Return what is published, how many readings give it, the unit, and the rules as they are read first."""
        published = "nothing" if self.published is None else self.published.words
        return [
            ("Game", f"{self.game.title} ({self.game.name})"),
            ("Published", published),
            ("Answers", f"{len(self.answers)}, of which {len(self.matching)} print the same"),
            ("Unit", "RTPs are fractions of 1; best play with splits as in cdp1"),
            *self.rules.facts(),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the answers as JSON takes them."""
        published = self.published
        return {
            "published": published and published.text,
            "published_quantity": published and published.quantity,
            "published_rtp": published and published.rtp,
            "digits": published and published.digits,
            "wide": self.wide,
            "readings": [answer.to_dict() for answer in self.answers],
            "no_effect": list(self.no_effect),
        }


def reconcile(
    game: Game | str | os.PathLike[str],
    published: Published | str | None = None,
    *,
    rules: Rules | None = None,
    shoe_of: Callable[[Rules], Shoe] | None = None,
    fixed: Collection[str] = (),
    wide: bool = False,
    workers: int = 1,
    progress: Progress | None = None,
) -> Reconciliation:
    """Return the RTP of every reading of a game, for best play and for the best chart, nearest to what is published.

    Of two hands whose second cards may be exchanged, charts are searched where best play comes near to it.

    Args:
        game: the game, also by its name or file.
        published: the figure to explain, such as an RTP of `99.15%`; by default the one in the game's file.
        rules: the game's rules, some of them set otherwise.
        shoe_of: the shoe under some rules; full decks if left out.
        fixed: the fields that are set, and are not read in other ways.
        wide: look at every reading with one rule more changed too. Charts are then searched for the readings
            themselves, and of the rest for those that come near to the published RTP.
        workers: how many processes to use.
        progress: called with the share done, from 0 to 1.

    Raises:
        RulesError: it is no game; rules alone leave nothing open.
        ShoeError: the shoe of the game is too small for a deal.
    """
    if isinstance(published, str):
        published = parse_published(published)
    check_kind(published, (Published, type(None)), "a published percentage as a text, such as '99.15%'", OddsError)
    game = game_of(game)
    figure = published_figure(game) if published is None else published
    found = readings(game, rules, fixed=fixed, wide=wide)
    sets = [(reading, _set_of(reading.rules, shoe_of)) for reading in found]
    if sets[0][1] is None:
        raise ShoeError(_TOO_SMALL)
    middle = 0.4 if wide else 0.2
    with processes(workers) as door:
        best = _rtps(sets, "composition", door, part(progress, 0.0, middle))
        if best[0] is None:
            raise ShoeError(_TOO_SMALL)
        charted = [
            place
            for place, (reading, rtps) in enumerate(zip(found, best, strict=True))
            if not (reading.neighbour or reading.rules.switch)  # charts of two hands take long
            or (figure is not None and any(NEAR[0] <= rtp - figure.rtp <= NEAR[1] for rtp in rtps or ()))
        ]
        charts = _rtps([sets[place] for place in charted], "total", door, part(progress, middle, 1.0))
    order = list(PLAYS)
    values = [("composition", place, rtps) for place, rtps in enumerate(best)]
    values += [("total", place, rtps) for place, rtps in zip(charted, charts, strict=True)]
    answers = [
        Answer.of(found[place], play, rtps, figure)
        for play, place, rtps in sorted(values, key=lambda value: (value[1], order.index(value[0])))
        if rtps is not None
    ]
    answers, no_effect = _told(answers)
    if figure is not None:
        target = figure.rtp
        answers.sort(key=lambda answer: (abs(answer.rtp - target), len(answer.reading.changes)))
    first = found[0].rules
    hands = first.max_hands * (2 if first.switch else 1)
    run_out = shoe_can_run_out((shoe_of or Rules.shoe)(first).counts, hands)
    no_effect = [*without_effect(game, first, fixed), *no_effect]
    words = tuple(dict.fromkeys(no_effect))
    return Reconciliation(game, first, figure, tuple(answers), words, wide, run_out)


def _told(answers: list[Answer]) -> tuple[list[Answer], list[str]]:
    """Return the answers with their changes that have no effect, and these in words."""
    rtps: dict[frozenset[tuple[str, Any]], dict[str, tuple[float, float]]] = {}
    for answer in answers:
        by_play = rtps.setdefault(frozenset(answer.reading.changes.items()), {})
        by_play[answer.play] = answer.rtp, answer.rtp_per_total_wager
    told, words = [], []
    for answer in answers:
        changes = frozenset(answer.reading.changes.items())
        idle = []
        for change in answer.reading.changes.items():
            other = rtps.get(changes - {change}, {})
            pairs = [(here, other[play]) for play, here in rtps[changes].items() if play in other]
            if pairs and all(abs(a - b) < _SAME for here, there in pairs for a, b in zip(here, there, strict=True)):
                idle.append(change[0])
        told.append(replace(answer, no_effect=tuple(idle)))
        for name in idle:
            beside = [answer.reading.rules.words(other) for other in answer.reading.changes if other != name]
            if not beside or answer.reading.rules.words(name) not in words:
                words.append(answer.reading.rules.words(name) + (f" (beside {', '.join(beside)})" if beside else ""))
    return told, words


def played_rtps(rules: Rules, play: str, shoe: Shoe | None = None) -> tuple[float, float]:
    """Return the RTP per initial and per total wager, under best play (`composition`, in cdp1) or the best chart."""
    if play == "composition":
        return rtps_of(analyze(rules, shoe=shoe))
    return rtps_of(evaluate(rules, search(rules, shoe=shoe).strategy, shoe=shoe))


def rtps_of(result: RoundResult) -> tuple[float, float]:
    """Return the RTP of a round per initial and per total wager."""
    return result.rtp, 1.0 + result.ev_per_total_wager


def _set_of(rules: Rules, shoe_of: Callable[[Rules], Shoe] | None) -> Distinct | None:
    """Return what has to be worked out for a reading; None where its shoe is too small for what is taken out of it."""
    try:
        shoe = None if shoe_of is None else shoe_of(rules)
    except ShoeError:
        return None
    return distinct_of(Combination(0, rules, None if shoe == rules.shoe() else shoe, None))


def _rtps(
    sets: Sequence[tuple[Reading, Distinct | None]], play: str, door: Door, progress: Progress | None
) -> list[tuple[float, float] | None]:
    """Return the RTPs of readings; None where a shoe is too small, or it is a neighbour that is not computed."""
    wanted = {one.id: one for _, one in sets if one is not None}
    size = min(len(wanted) // (_PARTS * door.workers), _MOST[play])
    if any(reading.rules.switch for reading, _ in sets):  # which share nothing, and take long
        size = 1
    parts = chunks(Asked(play), wanted.values(), max(1, size))
    solved: dict[str, _Figures | OddsError] = {}
    for some in door.stream(_solved, parts):
        solved |= some
        tell(progress, len(solved) / len(wanted))
    found: list[tuple[float, float] | None] = []
    for reading, one in sets:
        figures = None if one is None else solved[one.id]
        if isinstance(figures, RulesError) and not reading.neighbour:
            raise figures
        if one is None or figures is None or isinstance(figures, OddsError):
            found.append(None)
        else:
            at = at_pay(figures, one.rules.blackjack_pays, reading.rules.blackjack_pays)
            ev, average_wager = at["ev"] or 0.0, at["average_wager"] or 1.0
            found.append((1.0 + ev, 1.0 + ev / average_wager))
    return found


def _solved(item: tuple[Asked, tuple[Distinct, ...]]) -> dict[str, _Figures | OddsError]:
    """Return the figures of some sets by their ids, or why there are none."""
    asked, sets = item
    passes = Passes()
    found: dict[str, _Figures | OddsError] = {}
    for one in sets:
        try:
            found[one.id] = figures_of(round_of_set(asked, one, passes)[0])
        except (RulesError, ShoeError) as error:
            found[one.id] = error
    return found
