"""The table of the commands, and the one place of theirs that imports a module when it is needed."""

import re
from collections.abc import Iterator
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
        examples: lines that can be typed.
    """

    name: str
    module: str
    words: str
    examples: tuple[str, ...]

    @property
    def word(self) -> str:
        """The last word of the name."""
        return self.name.rpartition(" ")[2]

    @property
    def summary(self) -> str:
        """Its line in `odds --help`."""
        return self.words.partition("\n\n")[0]

    @property
    def epilog(self) -> str:
        """What its help ends with; the mark is for lines that are not to be joined."""
        return "\n".join(["Examples:\n\n\b", *(f"  {example}" for example in self.examples)])

    @property
    def question(self) -> str:
        """The name of the class of its questions."""
        return self.word.capitalize()


# Of each command its name, module, summary, more words, and examples.
_TABLE = """\
games (games): List the games of the catalogue, published and computed.
    $ odds games
    $ odds games --json
show (games): Show the rules of a game, and how each is known.
    In words, with what its source states, leaves open or contradicts, where it can be read, and the side
    bets.
    $ odds show face-up-21
    $ odds show single-deck --close 10
rtp (rounds): Compute EV, RTP and house edge of a round.
    Also by upcard, with insurance and the game's side bets; or of the last of several boxes, which has seen the
    first cards of the others.
    $ odds rtp classic-blackjack
    $ odds rtp face-up-21 --set max_hands=3 --json
    $ odds rtp single-deck --by first-card
    $ odds rtp single-deck --boxes 2 --sees-others
hand (hands): Compute what each action is worth for one hand, best first.
    $ odds hand classic-blackjack T,6 9
    $ odds hand face-up-21 8,8 T,6
    $ odds hand free-bet T,2 4 --free
dealer (hands): Compute how the dealer's hand ends.
    With his blackjacks, and given that he has none.
    $ odds dealer classic-blackjack
    $ odds dealer single-deck 9,4,3 --remove 3x5
chart (charts): Make the best strategy chart, by totals.
    Or list where exact cards ask for something else than totals. Pictures as png and pdf need matplotlib.
    Pages (html) hold all values and exceptions whatever the options.
    $ odds chart classic-blackjack
    $ odds chart classic-blackjack --format csv
    $ odds chart single-deck --against decks=2
    $ odds chart classic-blackjack --compact --out card.svg --width 120mm
exchanges (exchanges): Say which cards of two hands to exchange, in games that let one.
    A short table of points, what playing by it costs, and the exchanges that gain most.
    $ odds exchanges blackjack-switch
    $ odds exchanges blackjack-switch --columns 3 --points 10
deviations (charts): Show what known cards change: values, and exceptions.
    What one card less of each rank does to the game and to its chart, and the exceptions to the chart.
    $ odds deviations single-deck
outcomes (outcomes): Compute the distribution of a round's net result.
    Also its variance and its frequencies: exact, but for results of three hands or more, which are dealt.
    $ odds outcomes classic-blackjack
confidence (outcomes): Compute where the RTP of so many rounds must lie.
    Or how many rounds a precision takes.
    $ odds confidence classic-blackjack --rounds 1000000
    $ odds confidence classic-blackjack --precision 0.001
sidebet (sidebets): Count a side bet: combinations, probabilities, return.
    Of each line, with house edge and variance; without a bet, list those of the catalogue.
    $ odds sidebet
    $ odds sidebet 21+3 --decks 6 --decks 8
    $ odds sidebet lucky-ladies --game classic-blackjack
    $ odds sidebet blazing-7s --meter 20000 --meter 30000
    $ odds sidebet 21+3 --target-rtp 95% --solve Flush --solve Straight
simulate (simulation): Play rounds with real cards, and compare.
    They are played by the written rules, card by card, and compared with what is computed.
    $ odds simulate classic-blackjack --rounds 1000000 --seed 1
reconcile (published): Find the readings of the rules that give a published RTP.
    $ odds reconcile face-up-21
    $ odds reconcile single-deck --published 100.04%
sweep (sweep): Compute every combination of rules: a grid.
    One row each, whoever works; combinations that come to the same are computed once. Ctrl-C keeps what is done.
    $ odds sweep classic-blackjack --vary decks=1,2,4..8 --vary dealer_hits_soft_17=true,false
    $ odds sweep classic-blackjack --vary max_hands=1..4 --vary double_on=any,9-11 --out grid.csv
    $ odds sweep examples/my-grid.toml --out grid.jsonl --audit 1%
verify (published): Check the published figures of many games.
    Exit code 1 if one of them is wrong.
    $ odds verify examples/figures.csv
fill (published): Fill the RTPs of a game and its side bets into a help text.
    $ odds fill examples/help.txt classic-blackjack
rules (rules): List the rules: values, defaults, shorthand.
    $ odds rules
    $ odds rules surrender
new: Write a template: a game, a side bet, a grid, a strategy.
    $ odds new game my-game.toml
    $ odds new strategy mine.csv
new game (new): Write a game file with every key explained.
    $ odds new game my-game.toml
new bet (new): Write a side bet file with every key explained.
    $ odds new bet my-bet.toml
new grid (new): Write a grid file with every key explained.
    $ odds new grid my-grid.toml
new strategy (new): Write the best chart of a game as CSV, to be changed.
    $ odds new strategy mine.csv --game classic-blackjack
tables: Write or check the published tables.
    Of games, side bets and rules.
    $ odds tables build --only single-deck
    $ odds tables check
tables build (tables): Compute the tables and write them, or one game's PAR sheet.
    $ odds tables build --only single-deck
    $ odds tables build --par my-game.toml --out par
tables check (tables): Compare the tables with what is computed.
    Exit code 1 if one differs.
    $ odds tables check --only single-deck
"""


def _read(table: str) -> Iterator[Command]:
    for entry in re.split(r"\n(?=\S)", table.rstrip()):
        head, *lines = entry.split("\n    ")
        name, _, summary = head.partition(": ")
        name, _, module = name.rstrip(")").partition(" (")
        more = " ".join(line for line in lines if line[0] != "$")
        examples = tuple(line[2:] for line in lines if line[0] == "$")
        yield Command(name, module, "\n\n".join(filter(None, (summary, more))), examples)


COMMANDS = tuple(_read(_TABLE))


def load(module: str) -> Any:
    """Return a module of `odds.cli`."""
    return import_module(f"odds.cli.{module}")
