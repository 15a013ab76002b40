"""The tables of one game: its RTP under each way of playing and reading, its chart, outcomes and dealer's hands.

Figures are printed from fractions wherever there are any; those that exist as doubles only have ten decimals.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from odds.engine.full import not_computed_with
from odds.engine.split_classes import SPLIT_CLASSES, play_words
from odds.engine.terms import hand_terms
from odds.errors import ShoeError
from odds.files import to_json
from odds.game.fields import written
from odds.game.subject import PLAYS, Subject, provenance, rules_hash
from odds.numbers.decimals import fixed, percentage, plus, root
from odds.parallel import Progress, part
from odds.published.conclusions import conclusions, reading_words
from odds.published.reconcile import published_figure, reconcile
from odds.results.after_exchange import after_exchange
from odds.results.dealer import exact_distribution
from odds.results.groups import averaged, start_groups, weighted_groups
from odds.results.round import analyze
from odds.results.side_bets import sidebet
from odds.strategy.chart import chart_of, differences, insurance_words
from odds.strategy.codes import row_name, used
from odds.strategy.search import search
from odds.strategy.table import evaluate
from odds.tables.document import (
    NO_VALUE,
    Document,
    Facts,
    Lines,
    Table,
    csv_head,
    csv_text,
    made_by,
    markdown,
    rule_facts,
)

if TYPE_CHECKING:
    from odds.published.reconcile import Answer, Reconciliation
    from odds.results.exact import ExactRound
    from odds.results.outcomes import ExactOutcomes, Outcomes
    from odds.results.round import RoundResult
    from odds.strategy.chart import Difference
    from odds.strategy.search import BestChart

_NOT_TAKEN: Final = "insurance, even money and side bets are not taken"
EXACT_DECIMALS: Final = 12
DOUBLE_DECIMALS: Final = 10
_DEALT_DECIMALS: Final = 9
_OUTCOMES: Final = ("17", "18", "19", "20", "21", "blackjack", "bust")
_CLOSEST: Final = 12


@dataclass(frozen=True, slots=True)
class Played:
    """The return of a game under one way of playing.

    Attributes:
        play: `total` or `composition`.
        split_class: how hands of a split are played; `given` where the play says so itself.
        ev: per initial wager.
        average_wager: in initial wagers.
        exact: whether the two are exact.
    """

    play: str
    split_class: str
    ev: Fraction
    average_wager: Fraction
    exact: bool

    @property
    def name(self) -> str:
        """What tables call it: `chart`, or the split class."""
        return "chart" if self.play == "total" else self.split_class

    @property
    def decimals(self) -> int:
        """How many decimals of it are printed."""
        return EXACT_DECIMALS if self.exact else DOUBLE_DECIMALS

    @property
    def numbers(self) -> dict[str, Fraction]:
        """What is printed of it, by its names in data."""
        per_total = self.ev / self.average_wager
        return {
            "ev": self.ev,
            "rtp": 1 + self.ev,
            "house_edge": -self.ev,
            "average_wager": self.average_wager,
            "ev_per_total_wager": per_total,
            "rtp_per_total_wager": 1 + per_total,
        }

    @property
    def fraction(self) -> str:
        """The EV as a fraction; where it is not exact, nothing."""
        return str(self.ev) if self.exact else ""


class GameTables:
    """Everything that is computed of a game for its tables, each thing once."""

    def __init__(self, subject: Subject, command: str, progress: Progress | None = None) -> None:
        """Take a game.

        Args:
            subject: the game, as it is listed.
            command: what makes the tables.
            progress: called with the share done of what takes long, in the order of the sections of a PAR sheet.
        """
        self.subject, self.rules, self.progress = subject, subject.rules, progress
        self._command = command
        self._exact: dict[tuple[str, str], ExactRound] = {}

    @property
    def unit(self) -> str:
        """In what the figures of a round are."""
        return f"the {self.rules.round_unit}; {_NOT_TAKEN}"

    def exact(self, result: RoundResult) -> ExactRound | None:
        """Return one of the rounds as fractions; None where there are none."""
        key = result.play, result.split_class
        if result.split_class == "full" or result.shoe_can_run_out:
            return None
        if key not in self._exact:
            self._exact[key] = result.exact()
        return self._exact[key]

    def facts(self, *more: tuple[str, str]) -> Facts:
        """Return the head of a table: the game, its rules, more, and what made it."""
        game = self.subject.game
        first = ("Game", f"{game.title} ({game.name})")
        return (first, *rule_facts(self.rules), *more, *made_by(self.rules, self._command))

    @cached_property
    def best(self) -> RoundResult:
        """The round under best play, splits as in cdp1."""
        return after_exchange(analyze(self.rules))

    @cached_property
    def chart(self) -> BestChart:
        """The best chart."""
        return search(self.rules)

    @cached_property
    def charted(self) -> RoundResult:
        """The round played by the chart."""
        return after_exchange(evaluate(self.rules, self.chart.strategy))

    @cached_property
    def played(self) -> tuple[Played, ...]:
        """The returns under every way of playing; of two hands whose cards may be exchanged, not in cdz."""
        if self.rules.switch:
            return self._played(self.charted), self._played(self.best)
        rounds = [self.charted, analyze(self.rules, split_class="cdz"), self.best]
        if self.rules.max_hands == 2 and not not_computed_with(self.best.terms):
            rounds.append(analyze(self.rules, split_class="full", progress=part(self.progress, 0.05, 0.5)))
        return tuple(map(self._played, rounds))

    def rtp(self, result: RoundResult) -> str:
        """Return the RTP of one of the rounds as a percentage."""
        exact = self.exact(result)
        return percentage(exact.rtp if exact else Fraction(result.rtp), 8)

    def _played(self, result: RoundResult) -> Played:
        exact = self.exact(result)
        if exact is not None:
            return Played(result.play, result.split_class, exact.ev, exact.average_wager, True)
        return Played(result.play, result.split_class, Fraction(result.ev), Fraction(result.average_wager), False)

    @cached_property
    def readings(self) -> Reconciliation:
        """The readings of the rules, in their order, and how they agree with what is published."""
        return reconcile(self.subject.game, rules=self.rules, progress=part(self.progress, 0.5, 0.7))

    @cached_property
    def net(self) -> Outcomes | None:
        """What a round nets, in doubles; None of two hands, or where the shoe may run out."""
        try:
            return None if self.rules.switch else self.best.outcomes()
        except ShoeError:
            return None

    @cached_property
    def outcomes(self) -> ExactOutcomes | None:
        """The same as fractions, as far as it is exact."""
        return None if self.net is None else self.net.exact(part(self.progress, 0.7, 0.9))


def _words_of(played: Played, looks: str) -> str:
    if played.play == "total":
        return play_words("total", looks)
    return f"best for the exact cards; splits: {SPLIT_CLASSES[played.split_class]}"


def rtp_files(tables: GameTables) -> dict[str, str]:
    """Return the tables of the return to player: `rtp.md`, `rtp.csv`, `rtp.json`."""
    title = f"{tables.subject.game.title}: return to player"
    method = "full enumeration; chart, cdz and cdp1 exact, printed from fractions, full in double precision"
    facts = tables.facts(
        ("Method", "full enumeration; chart and cdp1 exact, printed from fractions" if tables.rules.switch else method),
        ("Unit", tables.unit),
    )
    document = Document(
        title, facts, (*rtp_parts(tables), *_by_start(tables), *_side_bets(tables), *readings_parts(tables))
    )
    return {
        "rtp.md": markdown(document),
        "rtp.csv": csv_text(title, facts, _RTP_COLUMNS, _rtp_rows(tables)),
        "rtp.json": to_json(_rtp_json(tables)),
    }


def rtp_parts(tables: GameTables) -> list[Table | Lines]:
    """Return what a round returns under every way of playing, and the fractions."""
    columns = ("Play", "RTP", "House edge", "EV", "Average wager", "RTP per total wager")
    rows = []
    for played in tables.played:
        numbers, shares = played.numbers, ("rtp", "house_edge", "rtp_per_total_wager")
        rtp, edge, per_total = (percentage(numbers[name], played.decimals - 4) for name in shares)
        ev, wager = fixed(played.ev, played.decimals, sign=True), fixed(played.average_wager, played.decimals)
        rows.append((played.name, rtp, edge, ev, wager, per_total))
    looks = hand_terms(tables.rules).looks
    words = tuple(f"{played.name}: {_words_of(played, looks)}." for played in tables.played)
    note = "Per initial wager, but for the last column: per unit wagered, doubles and splits included."
    fractions = tuple(f"{played.name}: `{played.fraction}`" for played in tables.played if played.exact)
    parts: list[Table | Lines] = [Table("A round", columns, tuple(rows), note), Lines("Ways of playing", words)]
    if fractions:
        parts.append(Lines("EV as a fraction", fractions))
    return parts


def _by_start(tables: GameTables) -> list[Table]:
    """Return what a round returns by what the dealer shows, under best play."""
    result = tables.best
    exact = tables.exact(result)
    values = exact.by_start if exact else {start.start: Fraction(start.ev) for start in result.by_start}
    decimals = EXACT_DECIMALS if exact else DOUBLE_DECIMALS
    rows = []
    for group, starts, weight in weighted_groups(result.terms.dealer, result.shoe):
        ev = averaged(starts, values)
        rows.append((group.label, fixed(weight, EXACT_DECIMALS), fixed(ev, decimals, sign=True)))
    what = "the dealer's two cards" if tables.rules.hole_card == "exposed" else "upcard"
    note = "Best play, splits as in cdp1; EV given what he shows, dealer blackjacks included."
    return [Table(f"By {what}", ("Dealer", "Probability", "EV"), tuple(rows), note)]


def _side_bets(tables: GameTables) -> list[Table]:
    bets = [sidebet(name, rules=tables.rules) for name in tables.subject.game.side_bets]
    if not bets:
        return []
    rows = tuple(
        (bet.title, bet.paytable.label, percentage(bet.exact_rtp, 8), percentage(-bet.exact_ev, 8)) for bet in bets
    )
    return [Table("Side bets", ("Bet", "Paytable", "RTP", "House edge"), rows, "Per unit of the side bet.")]


def readings_parts(tables: GameTables) -> list[Table | Lines]:
    """Return the table of readings, and what they say about the published figure."""
    found = tables.readings
    by_reading: dict[str, dict[str, Any]] = {}
    for answer in found.answers:
        by_reading.setdefault(answer.reading.words, {})[answer.play] = answer
    ordered = sorted(by_reading.values(), key=lambda plays: _reading_order(plays["composition"].reading))
    rows: list[tuple[str, ...]] = []
    shown = {"composition": "best play", "total": "chart"}
    for plays in ordered:
        rtps = (percentage(plays[play].rtp, 6) if play in plays else NO_VALUE for play in shown)
        row = (reading_words(plays["composition"], "as listed"), *rtps)
        printing = [(name, plays[play]) for play, name in shown.items() if play in plays and plays[play].prints]
        prints = "; ".join(f"{name}: {answer.prints} per {answer.per}" for name, answer in printing)
        rows.append(row if found.published is None else (*row, prints or "no"))
    columns: tuple[str, ...] = ("Reading", *(f"RTP, {name}" for name in shown.values()))
    note = "Every combination of what the source leaves open and of what varies, those that come to the same once."
    if found.published is not None:
        columns = (*columns, f"Prints {found.published.words}")
    parts: list[Table | Lines] = [Table("Readings of the rules", columns, tuple(rows), note)]
    if sentences := conclusions(found):
        if said := tables.subject.game.published.get("note"):
            sentences = [*sentences, f"Note in the game's file: {said}"]
        parts.append(Lines("The published figure", tuple(sentences)))
    return parts


def _reading_order(reading: Any) -> tuple[int, str]:
    return len(reading.changes), reading.words


_NUMBERS: Final = ("ev", "rtp", "house_edge", "average_wager", "ev_per_total_wager", "rtp_per_total_wager")
_RTP_COLUMNS: Final = ("reading", "play", "split_class", *_NUMBERS, "exact_ev")


def _rtp_rows(tables: GameTables) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for played in tables.played:
        split_class = "" if played.play == "total" else played.split_class
        numbers = (fixed(number, played.decimals) for number in played.numbers.values())
        rows.append(("as listed", played.play, split_class, *numbers, played.fraction))
    for answer in _answers(tables):
        if answer.reading.changes:
            changes = "; ".join(f"{name}={written(value)}" for name, value in answer.reading.plain_changes().items())
            ev = Fraction(answer.rtp) - 1
            split_class = "" if answer.play == "total" else "cdp1"
            returns = tuple(fixed(number, DOUBLE_DECIMALS) for number in (ev, 1 + ev, -ev))
            rows.append((changes, answer.play, split_class, *returns, "", "", "", ""))
    return rows


def _answers(tables: GameTables) -> list[Answer]:
    return sorted(tables.readings.answers, key=lambda answer: (_reading_order(answer.reading), answer.play))


def _rtp_json(tables: GameTables) -> dict[str, Any]:
    figure = published_figure(tables.subject.game)
    results = []
    for played in tables.played:
        results.append(
            {
                "play": played.play,
                "split_class": played.split_class,
                **{name: _number(played.numbers[name], played.decimals) for name in _NUMBERS[:-1]},
                "exact": {"ev": played.fraction, "average_wager": str(played.average_wager)} if played.exact else None,
            }
        )
    return {
        **tables.subject.head(),
        "rules_hash": rules_hash(tables.rules),
        "program": provenance(tables.rules),
        "method": "full enumeration; decimals of exact fractions where there are any, else of doubles",
        "command": tables.facts()[-1][1].strip("`"),
        "unit": tables.unit,
        "published": None if figure is None else {figure.quantity: figure.text},
        "results": results,
        "readings": [
            answer.to_dict()
            | {
                name: _number(Fraction(getattr(answer, name)), DOUBLE_DECIMALS)
                for name in ("rtp", "rtp_per_total_wager")
            }
            for answer in _answers(tables)
        ],
        "conclusions": conclusions(tables.readings),
    }


def _number(value: Fraction, decimals: int) -> float:
    """Return a fraction as the double that is nearest to its decimal with so many digits."""
    return float(fixed(value, decimals))


def strategy_files(tables: GameTables) -> dict[str, str]:
    """Return the chart: `strategy.md`, and `strategy.csv`, which commands read as a play."""
    title, looks = f"{tables.subject.game.title}: strategy", hand_terms(tables.rules).looks
    facts = tables.facts(
        ("Method", f"chart: {play_words('total', looks)}; no change of a single cell improves the EV of a round"),
        ("Unit", tables.unit),
    )
    shown = chart_of(tables.chart.strategy, tables.charted, tables.best, tables.chart.costs.values())
    found = differences(tables.best, shown)
    rtps = [
        f"by this chart: {tables.rtp(tables.charted)}",
        f"by the best play for the exact cards: {tables.rtp(tables.best)}",
    ]
    parts = (*chart_parts(tables), Lines("RTP", tuple(rtps)), *_costs(tables), _exceptions(found))
    return {
        "strategy.md": markdown(Document(title, facts, parts)),
        "strategy.csv": csv_head(title, facts) + tables.chart.strategy.to_csv(),
    }


def chart_parts(tables: GameTables) -> list[Table | Lines]:
    """Return the chart, a table for each kind of column, and what its codes mean."""
    strategy = tables.chart.strategy
    groups = {group.label: group for group in start_groups(hand_terms(tables.rules).dealer)}
    parts: list[Table | Lines] = []
    for kind in dict.fromkeys(groups[label].kind for label in strategy.columns):
        places = [place for place, label in enumerate(strategy.columns) if groups[label].kind == kind]
        rows = tuple((row_name(*place), *(codes[at] for at in places)) for place, codes in strategy.codes.items())
        title = "Dealer's upcard" if kind == "upcard" else f"Dealer's two cards: {kind} total"
        columns = ("Player", *(groups[strategy.columns[place]].short for place in places))
        parts.append(Table(title, columns, rows))
    meanings = used(code for codes in strategy.codes.values() for code in codes)
    parts.append(Lines("Codes", tuple(f"{code}: {words}" for code, words in meanings.items())))
    return [*parts, Lines("Insurance", (insurance_words(tables.best),))]


def _costs(tables: GameTables) -> list[Table]:
    """Return the cells of the chart that are nearest to another code."""
    order = {place: number for number, place in enumerate(tables.chart.costs)}
    printed = {place: percentage(-cost.gain, 8).rstrip("%") for place, cost in tables.chart.costs.items()}
    # Cells that make no difference at all have no nearest other code.
    places = [place for place, text in printed.items() if Fraction(text) > 0]
    nearest = sorted(places, key=lambda place: (Fraction(printed[place]), order[place]))[:_CLOSEST]
    rows = []
    for place in nearest:
        cost = tables.chart.costs[place]
        rows.append(
            (f"{row_name(cost.section, cost.row)} against {cost.column}", cost.code, cost.other, printed[place])
        )
    note = (
        "What the other code would cost, of the RTP in percentage points, everything else as it is. Cells that make "
        "no difference are left out."
    )
    return [Table("Closest cells", ("Cell", "Says", "Nearest other", "Costs"), tuple(rows), note)]


def _exceptions(found: tuple[Difference, ...]) -> Table | Lines:
    title = "Two cards that are better played otherwise"
    if not found:
        return Lines(title, ("none",))
    rows = tuple(
        (
            f"{item.player} against {item.dealer}",
            row_name(item.section, item.row),
            item.chart,
            item.best,
            fixed(item.gain, 8, sign=True),
            percentage(item.probability, 6),
        )
        for item in found
    )
    note = "Gain: in initial wagers given the deal, dealer blackjacks included. Frequency: of the deal."
    return Table(title, ("Deal", "Row", "Chart", "Best", "Gain", "Frequency"), rows, note)


def outcomes_files(tables: GameTables) -> dict[str, str]:
    """Return the outcomes of a round: `outcomes.md` and `outcomes.csv`; none where the shoe may run out."""
    found, net = tables.outcomes, tables.net
    if found is None or net is None:
        return {}
    title = f"{tables.subject.game.title}: outcomes of a round"
    method = "full enumeration in fractions" if found.exact_share == 1 else "enumeration in fractions and dealing"
    facts = tables.facts(
        ("Method", f"{method}; played {PLAYS['composition']}, splits as in cdp1"), ("Unit", tables.unit)
    )
    kind = "net result" if found.exact_share == 1 else "net result, at most two hands"
    rows = [(kind, str(value), fixed(p, EXACT_DECIMALS), str(p)) for value, p in found.enumerated.items()]
    if net.standard_errors:
        rows += [("net result", str(value), fixed(p, _DEALT_DECIMALS), "") for value, p in net.distribution.items()]
        rows += [
            ("standard error", str(name), fixed(error, DOUBLE_DECIMALS), "")
            for name, error in net.standard_errors.items()
        ]
    for name, value, decimals in _moments(found, net):
        is_root = name == "standard_deviation"
        rows.append(
            ("round", name, fixed(value, decimals), str(value) if decimals == EXACT_DECIMALS and not is_root else "")
        )
    return {
        "outcomes.md": markdown(Document(title, facts, tuple(outcomes_parts(found, net)))),
        "outcomes.csv": csv_text(title, facts, ("kind", "name", "value", "exact"), rows),
    }


_MOMENT_WORDS: Final = {
    "exact_share": "Rounds that are enumerated",
    "mean": "Mean (EV)",
    "variance": "Variance",
    "standard_deviation": "Standard deviation",
    "hit_frequency": "Probability of a net result above 0",
    "push_frequency": "Probability of a net result of 0",
    "p_split": "Probability of a split",
    "p_double": "Probability of a double",
    "p_surrender": "Probability of a surrender",
    "average_wager": "Average wager",
}


def _moments(found: ExactOutcomes, net: Outcomes) -> list[tuple[str, Fraction, int]]:
    """Return names, values and decimals of moments and frequencies: as fractions where they are exact."""
    values = {name: getattr(found, name, None) for name in _MOMENT_WORDS}
    values["standard_deviation"] = root(found.variance, EXACT_DECIMALS + 4)
    return [
        (name, Fraction(getattr(net, name)), _DEALT_DECIMALS) if value is None else (name, value, EXACT_DECIMALS)
        for name, value in values.items()
        if name != "exact_share" or found.exact_share < 1
    ]


def outcomes_parts(found: ExactOutcomes, net: Outcomes) -> list[Table | Lines]:
    """Return the distribution of the net result and its moments."""
    columns: tuple[str, ...] = ("Net", "Probability", "One in")
    rows: list[tuple[str, ...]]
    note = ""
    if found.distribution is not None:
        rows = [(plus(value), fixed(p, EXACT_DECIMALS), fixed(1 / p, 1)) for value, p in found.distribution.items()]
    else:
        columns, errors = (*columns, "Standard error"), net.standard_errors
        for_errors = {value: fixed(errors[value], DOUBLE_DECIMALS) for value in net.distribution if value in errors}
        rows = [
            (plus(value), fixed(p, _DEALT_DECIMALS), fixed(1 / p, 1), for_errors.get(value, NO_VALUE))
            for value, p in net.distribution.items()
        ]
        note = (
            f"Rounds of three hands or more, {percentage(1 - found.exact_share, 6)} of all, are dealt, so that their "
            "probability, mean and square are exact; the rest is enumerated."
        )
    moments = tuple((_MOMENT_WORDS[name], fixed(value, decimals)) for name, value, decimals in _moments(found, net))
    more = "Dealer blackjacks are in all of them. A split or a double that a peek forestalls is not counted."
    return [
        Table("Net result of a round", columns, tuple(rows), note),
        Table("Moments and frequencies", ("", "Value"), moments, more),
    ]


def dealer_files(tables: GameTables) -> dict[str, str]:
    """Return how the dealer's hand ends: `dealer.md` and `dealer.csv`."""
    title = f"{tables.subject.game.title}: the dealer's hand"
    facts = tables.facts(
        ("Method", "every hand of the dealer from a full shoe less the cards he shows, in fractions"),
        ("Unit", "probability; 21 is without blackjack"),
    )
    shoe, groups = tables.rules.shoe(), list(weighted_groups(hand_terms(tables.rules).dealer, tables.rules.shoe()))
    labels = [start.label for start in hand_terms(tables.rules).dealer.starts]
    dealt = {label for _, starts, _ in groups for label in starts}
    found = {label: exact_distribution(shoe, label, tables.rules) for label in labels if label in dealt}
    rows = []
    for label, item in found.items():
        rows.append((label, "unconditional", *_probabilities(item.unconditional)))
        if item.given_no_blackjack is not None:
            rows.append((label, "given no blackjack", *_probabilities(item.given_no_blackjack)))
    grouped = []
    given = []
    for group, starts, weight in groups:
        mixed = {
            name: averaged(starts, {label: found[label].unconditional[name] for label in starts}) for name in _OUTCOMES
        }
        grouped.append((group.label, percentage(weight, 6), *_probabilities(mixed, 9)))
        first = found[next(iter(starts))].given_no_blackjack
        if len(starts) == 1 and first is not None:
            given.append((group.label, *_probabilities(first, 9)))
    parts = [Table("With his blackjacks", ("Shows", "Frequency", *_OUTCOMES), tuple(grouped))]
    if given:
        parts.append(Table("Given that he has no blackjack", ("Shows", *_OUTCOMES), tuple(given)))
    return {
        "dealer.md": markdown(Document(title, facts, tuple(parts))),
        "dealer.csv": csv_text(title, facts, ("shows", "condition", *_OUTCOMES), rows),
    }


def _probabilities(outcomes: Any, decimals: int = EXACT_DECIMALS) -> tuple[str, ...]:
    return tuple(fixed(outcomes.get(name, Fraction(0)), decimals) for name in _OUTCOMES)
