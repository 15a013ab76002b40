"""The table of the commands, and the one place of theirs that imports a module when it is needed."""

from importlib import import_module
from typing import Any, NamedTuple


class Command(NamedTuple):
    """A command.

    Its arguments and options are a class of `odds.cli.questions`; a function in its module, named by the last word of
    its name, answers such a question.

    Attributes:
        name: as it is typed.
        module: of `odds.cli`; none for a group of commands.
        words: its help, of which the first paragraph is its line in `odds --help`.
    """

    name: str
    module: str
    words: str

    @property
    def word(self) -> str:
        """The last word of the name."""
        return self.name.rpartition(" ")[2]

    @property
    def question(self) -> str:
        """The name of the class of its questions."""
        return self.word.capitalize()


COMMANDS = (
    Command("games", "games", "List the games of the catalogue, with published and computed RTP."),
    Command("show", "games", "Show the rules of a game in words, how each is known, its source and its side bets."),
    Command("rtp", "rounds", "Compute EV, RTP and house edge of a round, by upcard too, and insurance."),
    Command("hand", "hands", "Compute what each action is worth for one hand, best first."),
    Command("dealer", "hands", "Compute how the dealer's hand ends, with his blackjacks and given that he has none."),
    Command(
        "chart",
        "charts",
        "Make the best strategy chart that looks at totals only, or list where exact cards ask for something else.\n\n"
        "Pictures (svg, png, pdf) need matplotlib and pages (html) jinja2: the extras figures and pages. Pages hold "
        "all values and exceptions whatever the options.",
    ),
    Command(
        "deviations",
        "charts",
        "Show what one card less of each rank does to the game and to its chart, and the exceptions to the chart.",
    ),
    Command(
        "outcomes",
        "outcomes",
        "Compute the exact distribution of a round's net result, its variance and its frequencies.",
    ),
    Command(
        "confidence",
        "outcomes",
        "Compute where the observed RTP of so many rounds must lie, and how many rounds a precision takes.",
    ),
    Command(
        "sidebet",
        "sidebets",
        "Count a side bet: combinations, probability and return of each line, house edge, variance.",
    ),
    Command(
        "simulate",
        "simulation",
        "Play rounds by the written rules, card by card, and compare them with what is computed.",
    ),
    Command(
        "reconcile",
        "published",
        "Compute every reading of a game's rules, and say which of them give the published RTP.",
    ),
    Command("verify", "published", "Check the published figures of many games; exit code 1 if one of them is wrong."),
    Command("fill", "published", "Fill the RTPs of a game and its side bets into a help text."),
    Command("tables", "", "Write the tables of games, side bets and rules, or check that they are as computed."),
    Command("tables build", "tables", "Compute the tables and write them, or the PAR sheet of one game."),
    Command(
        "tables check",
        "tables",
        "Compute the tables and compare them with those that are there; exit code 1 if one differs.",
    ),
)


def load(module: str) -> Any:
    """Return a module of `odds.cli`."""
    return import_module(f"odds.cli.{module}")
