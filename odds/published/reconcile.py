"""Which readings of a game's rules give the RTP that is published for it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from odds.engine.splitting import shoe_can_run_out
from odds.errors import OddsError, ShoeError
from odds.game.fields import show_value
from odds.game.quantities import percentage
from odds.game.subject import PLAYS
from odds.numbers.decimals import agreement
from odds.parallel import run
from odds.published.readings import readings
from odds.results.round import analyze
from odds.strategy.search import search
from odds.strategy.table import evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from odds.game.catalog import Game
    from odds.game.rules import Rules
    from odds.published.readings import Reading

QUANTITIES: Final = ("rtp", "house_edge")
# Of neighbouring rules, charts are searched for those whose best play gives so much less or more than the published
# RTP: a chart loses up to 0.04 points to the best play with one deck, and less with more.
NEAR: Final = (-0.0001, 0.0006)


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
        OddsError: it is no percentage.
    """
    try:
        return Published(quantity, percentage(text))
    except ValueError as error:
        reason = f" ({error})" if str(error) else ""
        raise OddsError(f"expected a published percentage such as 99.15%, got {show_value(text)}{reason}") from None


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
        matches: how it prints the same as the published figure, see `Published.matches`; None where it does not.
    """

    reading: Reading
    play: str
    rtp: float
    matches: str | None

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as JSON takes it."""
        return {
            "changes": self.reading.plain_changes(),
            "play": self.play,
            "rtp": self.rtp,
            "matches": self.matches,
            "words": self.reading.words,
            "neighbour": self.reading.neighbour or None,
            "joined": list(self.reading.joined),
            "parted": list(self.reading.parted),
        }


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """The readings of a game beside its published RTP.

    Attributes:
        published: the published figure; None where there is none.
        answers: nearest to it first; without a figure in the order of readings.
        wide: neighbouring rules are among them.
        shoe_can_run_out: under the rules as they are, so that the values of splits are not exact.
    """

    published: Published | None
    answers: tuple[Answer, ...]
    wide: bool
    shoe_can_run_out: bool

    @property
    def matching(self) -> tuple[Answer, ...]:
        """The answers that print the same as the published figure."""
        return tuple(answer for answer in self.answers if answer.matches)

    def to_dict(self) -> dict[str, Any]:
        """Return the answers as JSON takes them."""
        published = self.published
        return {
            "published": None if published is None else published.text,
            "published_quantity": None if published is None else published.quantity,
            "published_rtp": None if published is None else published.rtp,
            "digits": None if published is None else published.digits,
            "wide": self.wide,
            "readings": [answer.to_dict() for answer in self.answers],
        }


def reconcile(
    game: Game,
    published: Published | None = None,
    *,
    rules: Rules | None = None,
    fixed: Collection[str] = (),
    wide: bool = False,
    workers: int = 1,
    progress: Callable[[float], None] | None = None,
) -> Reconciliation:
    """Return the RTP of every reading of a game, for best play and for the best chart, nearest to what is published.

    Args:
        game: the game.
        published: the figure to explain, by default the one in the game's file.
        rules: the game's rules, some of them set otherwise.
        fixed: the fields that are set, and are not read in other ways.
        wide: look at every reading with one rule more changed too. Charts are then searched for the readings
            themselves, and of the rest for those that come near to the published RTP.
        workers: how many processes to use.
        progress: called with the share done, from 0 to 1.

    Raises:
        ShoeError: the shoe of the game is too small for a deal.
    """
    figure = published_figure(game) if published is None else published
    found = readings(game, rules, fixed=fixed, wide=wide)
    done = _share(progress, 0.0, 0.4 if wide else 0.2)
    best = run(_rtp, [(reading.rules, "composition") for reading in found], workers=workers, progress=done)
    if best[0] is None:
        raise ShoeError("the shoe is too small for a deal under these rules")
    charted = [
        place
        for place, (reading, rtp) in enumerate(zip(found, best, strict=True))
        if not reading.neighbour or (figure is not None and rtp is not None and NEAR[0] <= rtp - figure.rtp <= NEAR[1])
    ]
    done = _share(progress, 0.4 if wide else 0.2, 1.0)
    charts = run(_rtp, [(found[place].rules, "total") for place in charted], workers=workers, progress=done)
    order = list(PLAYS)
    values = [("composition", place, rtp) for place, rtp in enumerate(best)]
    values += [("total", place, rtp) for place, rtp in zip(charted, charts, strict=True)]
    answers = [
        Answer(found[place], play, rtp, None if figure is None else figure.matches(rtp))
        for play, place, rtp in sorted(values, key=lambda value: (value[1], order.index(value[0])))
        if rtp is not None
    ]
    if figure is not None:
        target = figure.rtp
        answers.sort(key=lambda answer: (abs(answer.rtp - target), len(answer.reading.changes)))
    first = found[0].rules
    run_out = shoe_can_run_out(first.shoe().counts, first.max_hands)
    return Reconciliation(figure, tuple(answers), wide, run_out)


def played_rtp(rules: Rules, play: str) -> float:
    """Return the RTP of a game under best play (`composition`, splits as in cdp1) or the best chart (`total`)."""
    if play == "composition":
        return analyze(rules).rtp
    return evaluate(rules, search(rules).strategy).rtp


def _rtp(item: tuple[Rules, str]) -> float | None:
    """Return the RTP of a game under a play, or None where its shoe is too small for a deal."""
    try:
        return played_rtp(*item)
    except ShoeError:
        return None


def _share(progress: Callable[[float], None] | None, low: float, high: float) -> Callable[[float], None] | None:
    if progress is None:
        return None
    return lambda share: progress(low + (high - low) * share)
