"""The command `odds sidebet`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from odds.cli.options import Json, Shared
from odds.errors import PaytableError

if TYPE_CHECKING:
    from odds.report.sidebet import Asked
    from odds.sidebets.paytable import Paytable, SideBet


def add_to(app: typer.Typer, shared: Shared) -> None:
    """Add the commands to a program."""

    @app.command()
    def sidebet(
        bet: Annotated[
            str | None,
            typer.Argument(
                metavar="[BET]", help="A side bet of the catalogue, or a .toml file. Lists all if left out."
            ),
        ] = None,
        decks: Annotated[
            list[str] | None, typer.Option("--decks", metavar="N", help="How many decks. Repeatable.")
        ] = None,
        paytables: Annotated[
            list[str] | None,
            typer.Option("--paytable", metavar="NAME", help="Which of the bet's paytables, or all. Repeatable."),
        ] = None,
        game: Annotated[
            str | None, typer.Option("--game", metavar="GAME", help="Take decks and the dealer's rule from a game.")
        ] = None,
        settings: Annotated[
            list[str] | None,
            typer.Option("--set", metavar="FIELD=VALUE", help="Change a rule, such as dealer_hits_soft_17=true."),
        ] = None,
        removed: Annotated[
            list[str] | None,
            typer.Option("--remove", metavar="CARDS", help="Take known cards, such as Qh,5d, out of the shoe."),
        ] = None,
        exact: Annotated[bool, typer.Option("--exact", help="Show fractions too.")] = False,
        symbolic: Annotated[
            bool, typer.Option("--symbolic", help="Show formulas in the number of decks; needs sympy.")
        ] = False,
        target_rtp: Annotated[
            str | None,
            typer.Option(
                "--target-rtp", metavar="X", help="The RTP, such as 0.965, that the line of --solve is to give."
            ),
        ] = None,
        solve: Annotated[
            str | None, typer.Option("--solve", metavar="LINE", help="The line whose pay is to be found.")
        ] = None,
        json: Json = False,
    ) -> None:
        """Count a side bet: combinations, probability and return of each line, house edge, variance."""
        from odds.report import sidebet as pages
        from odds.sidebets.paytable import load_side_bet, side_bets

        if bet is None:
            bets = [load_side_bet(name) for name in side_bets()]
            shared.report(json, lambda: pages.catalogue_json(bets), lambda: pages.catalogue_tables(bets))
            return
        asked = _ask(
            bet, decks, paytables, game, settings, removed, (target_rtp, solve), exact=exact, symbolic=symbolic
        )
        shared.report(json, lambda: pages.sidebet_json(asked), lambda: pages.sidebet_tables(asked))


def _ask(
    name: str,
    decks: list[str] | None,
    paytables: list[str] | None,
    game: str | None,
    settings: list[str] | None,
    removed: list[str] | None,
    target: tuple[str | None, str | None],
    *,
    exact: bool,
    symbolic: bool,
) -> Asked:
    """Return what was asked for, and found."""
    from odds.game.cards import parse_cards
    from odds.game.catalog import load_game
    from odds.game.rules import Rules
    from odds.report.sidebet import Asked
    from odds.sidebets.paytable import load_side_bet
    from odds.sidebets.results import check_lines, read_decks, table_of
    from odds.sidebets.shoe import SuitedShoe
    from odds.sidebets.solve import read_rtp, solve
    from odds.sidebets.symbolic import symbolic as formula_of

    rtp, line = target
    if (rtp is None) != (line is None):
        raise PaytableError("expected --target-rtp and --solve together: the return, and the line that is to give it")
    if symbolic and removed:
        raise PaytableError("--symbolic is for full decks, and does not go with --remove")
    bet = load_side_bet(name)
    found = None if game is None else load_game(game)
    rules = (Rules() if found is None else found.rules).replace_text(settings or ())
    hits = rules.dealer_hits_soft_17
    gone = [card for text in removed or () for card in parse_cards(text)]
    chosen = _paytables(bet, paytables)
    for paytable in chosen:
        check_lines(bet, paytable, hits)
    numbers = list(dict.fromkeys(read_decks(number, rules) for number in decks or [str(rules.decks)]))
    shoes = [SuitedShoe.of_decks(number, rules.deck).without(gone) for number in numbers]
    tables = tuple(table_of(bet, paytable, shoe, hits) for paytable in chosen for shoe in shoes)
    return Asked(
        bet,
        rules,
        found,
        ",".join(map(str, gone)),
        tables,
        tuple(number for _ in chosen for number in numbers),
        tuple(formula_of(bet, paytable, hits) for paytable in chosen) if symbolic else (),
        tuple(solve(bet, table, line, read_rtp(rtp)) for table in tables)
        if rtp is not None and line is not None
        else (),
        exact,
    )


def _paytables(bet: SideBet, names: list[str] | None) -> list[Paytable]:
    if not names:
        return [bet.paytable()]
    if "all" in names:
        return list(bet.paytables)
    return list(dict.fromkeys(bet.paytable(name) for name in names))
