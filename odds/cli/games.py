"""The commands `odds games` and `odds show`: the games of the catalogue, and the rules of one."""

from odds.cli.common import report, subject
from odds.cli.questions import Games, Show
from odds.cli.streams import progress
from odds.engine.split_classes import check_split_class, refuse_full
from odds.game.catalog import games as game_names
from odds.game.catalog import load_game
from odds.parallel import tell
from odds.report import exact, rounds, rules_page
from odds.results.exact import closest_decisions
from odds.results.round import analyze


def games(asked: Games) -> None:
    """List the games of the catalogue."""
    names, listed = game_names(), []
    with progress("Computing") as bar:
        for name in names:
            game = load_game(name)
            listed.append((game, analyze(game.rules)))
            tell(bar, len(listed) / len(names))
    report(asked.json, lambda: rounds.games_json(listed), lambda: rounds.games_tables(listed))


def show(asked: Show) -> None:
    """Show the rules of a game, and its closest decisions if asked for."""
    check_split_class(asked.split_class)
    about = subject(asked)
    if asked.close:
        refuse_full(asked.split_class, "--close")
        with progress("Computing") as bar:
            decisions = closest_decisions(analyze(about.rules, split_class=asked.split_class), asked.close, bar)
    else:
        decisions = []
    title = f"The {len(decisions)} closest decisions, splits as in {asked.split_class}"
    report(
        asked.json,
        lambda: (
            rules_page.show_json(about) | ({"close": [item.to_dict() for item in decisions]} if asked.close else {})
        ),
        lambda: rules_page.show_tables(about) + (exact.close_tables(decisions, title) if asked.close else []),
    )
