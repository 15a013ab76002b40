"""The command `odds sidebet`."""

from odds.cli.commands import load
from odds.cli.common import cards_asked, check_play, report
from odds.cli.questions import Sidebet
from odds.cli.streams import progress, say
from odds.errors import PaytableError, RulesError
from odds.game.catalog import Game, load_game
from odds.game.fields import FREE_FIELDS
from odds.game.subject import Subject
from odds.report import sidebet as pages
from odds.results.round import analyze
from odds.results.round_bets import RoundLaw
from odds.results.side_bets import law_of
from odds.sidebets.count import seen_by
from odds.sidebets.meter import read_value
from odds.sidebets.paytable import Paytable, SideBet, load_side_bet, side_bets
from odds.sidebets.results import check_lines, read_decks, rules_without_game, table_of
from odds.sidebets.shoe import shoe_for
from odds.sidebets.solve import Solution, read_rtp, solve
from odds.sidebets.symbolic import symbolic

# The fields at which bets on cards look.
_OF_CARDS = ("decks", "removed_ranks", "dealer_hits_soft_17", *FREE_FIELDS)


def sidebet(asked: Sidebet) -> None:
    """Count a side bet, or list those of the catalogue."""
    if asked.bet is None:
        bets = [load_side_bet(name) for name in side_bets()]
        report(asked.json, lambda: pages.catalogue_json(bets), lambda: pages.catalogue_tables(bets))
        return
    found = _found(asked.bet, asked)
    report(asked.json, lambda: pages.sidebet_json(found), lambda: pages.sidebet_tables(found))


def _found(name: str, asked: Sidebet) -> pages.Asked:
    """Return what was asked for, and found."""
    removed, left = cards_asked(asked.removed, asked.left)
    bet = load_side_bet(name)
    game = None if asked.game is None else load_game(asked.game)
    rules = (rules_without_game(bet) if game is None else game.rules).replace_text(asked.settings or ())
    chosen = _paytables(bet, asked.paytables)
    meters = tuple(map(read_value, asked.meters or ()))
    progressive = any(paytable.meter is not None for paytable in chosen)
    if meters:
        if not progressive:
            raise PaytableError(f"--meter: no line of {bet.name} pays a share of a meter")
        chosen = [paytable if paytable.meter is None else paytable.with_meter(meters[0]) for paytable in chosen]
    if asked.target_rtp is not None and asked.solve is None and not progressive:
        raise PaytableError("--target-rtp: expected --solve LINE with it, as no line pays a share of a meter")
    played = [paytable for paytable in chosen if paytable.plays_round]
    names = [setting.partition("=")[0].strip() for setting in asked.settings or ()]
    if not played and not set(names) <= set(_OF_CARDS):
        allowed = f"expected {', '.join(_OF_CARDS[:-1])} or {_OF_CARDS[-1]}"
        raise RulesError(f"--set: {allowed}, as side bets look at no other rule unless they go by the result of a hand")
    for paytable in chosen:
        check_lines(bet, paytable, rules)
    looked_at = {"decks", "removed_ranks", *(name for paytable in chosen for name in paytable.rules)}
    moot = [name for name in names if name not in looked_at]
    standard = game is not None and not game.rules.deck.lacks and not any(paytable.rules for paytable in chosen)
    for words in [*moot, *(["--game"] if standard and (asked.decks or left) else [])]:
        say("note", f"{words} has no effect: the bet does not look at {_looked_at(words)}")
    check_play(asked.play)
    if played and game is None:
        say("note", "no --game: rounds are played under the default rules")
    if asked.play != "composition" and not played:
        say("note", "--play has no effect: the bet does not look at how hands are played")
    target = None if asked.target_rtp is None else read_rtp(asked.target_rtp)
    formulas = tuple(symbolic(bet, paytable, rules) for paytable in chosen) if asked.symbolic else ()
    numbers = list(dict.fromkeys(read_decks(number, rules) for number in asked.decks or [str(rules.decks)]))
    of_decks = {number: rules if left else rules.replace(decks=number) for number in numbers}
    laws = {}
    for number in numbers if played else ():
        about = Subject(game or Game("", "", rules, ""), of_decks[number], removed, left)
        laws[number] = _law(played, about, asked.play)
    tables = tuple(
        table_of(
            bet,
            paytable,
            shoe_for(number, rules.deck, removed, left, seen_by(paytable)),
            *((of_decks[number], laws[number]) if paytable in played else (rules,)),
        )
        for paytable in chosen
        for number in numbers
    )
    solutions: tuple[Solution, ...] = ()
    if target is not None and asked.solve is not None:
        solutions = tuple(solve(bet, table, asked.solve, target) for table in tables)
    return pages.Asked(
        bet,
        rules,
        game,
        removed,
        left,
        tables,
        tuple(number for _ in chosen for number in numbers),
        formulas,
        solutions,
        asked.exact,
        asked.latex,
        meters,
        target if asked.solve is None else None,
    )


def _law(paytables: list[Paytable], about: Subject, play: str) -> RoundLaw:
    """Return how the rounds of a game end under a play, as far as some paytables ask."""
    if play == "composition":
        played = analyze(about.rules, shoe=about.shoe())
    else:
        played, _ = load("strategies").play(about, play)
    with progress("Counting rounds") as bar:
        return law_of(paytables, played, bar)


def _looked_at(name: str) -> str:
    return "what is free" if name in FREE_FIELDS else "how the dealer plays"


def _paytables(bet: SideBet, names: list[str] | None) -> list[Paytable]:
    if not names:
        return [bet.paytable()]
    if "all" in names:
        return list(bet.paytables)
    return list(dict.fromkeys(bet.paytable(name) for name in names))
