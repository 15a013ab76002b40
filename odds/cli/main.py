"""The command `odds`: reads what is asked, calls the library and prints what it returns.

Results go to standard output; warnings and errors, one line each, to standard error. Exit code 0: done; 1: a
check failed; 2: bad input.
"""

import io
import sys
from collections.abc import Sequence
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from odds import __version__
from odds.cli.commands import COMMANDS, load
from odds.cli.completion import words_of_bash
from odds.cli.interrupts import interrupted, interruptible, was_interrupted
from odds.cli.streams import emit, say
from odds.errors import OddsError

_BAD_INPUT = 2


class _Commands(TyperGroup):
    """The commands, and the one place where an error becomes a line on standard error and an exit code."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for command in COMMANDS:
            if command.name == command.word:
                self.add_command(TyperCommand(command.name, help=command.words, short_help=command.summary))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Return the command that is called, which until now was a name and its help."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, None if name is None else _command(name), rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command that is called, until it is done or interrupted."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise typer.Exit(interrupted()) from None

    def main(self, *args: Any, **options: Any) -> NoReturn:
        """Run a command line and exit."""
        try:
            with words_of_bash():
                code = super().main(*args, **{**options, "standalone_mode": False})
        except OddsError as error:
            say("error", str(error))
            code = _BAD_INPUT
        except typer.TyperException as error:  # the command line cannot be read
            say("error", _command_line_words(error))
            code = _BAD_INPUT
        except (KeyboardInterrupt, typer.Abort):
            code = interrupted()
        except Exception:
            if not was_interrupted():
                raise
            code = interrupted()
        sys.exit(code if isinstance(code, int) else 0)


def _command(name: str) -> Any:
    """Return a command, or a group of them, that reads its arguments and options as a question."""
    questions = load("questions")
    within = [command for command in COMMANDS if command.name.startswith(f"{name} ")]
    row = next(command for command in COMMANDS if command.name == name)
    program = typer.Typer(add_completion=False, rich_markup_mode=None, help=row.words, epilog=row.epilog)
    for command in within or [row]:
        add = program.command(
            command.word, cls=_Command, help=command.words, short_help=command.summary, epilog=command.epilog
        )
        add(getattr(questions, command.question))
    return get_command(program)


class _Command(TyperCommand):
    """A command: its callback makes the question, which the function answers that the table has for it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuse a value that is empty, and one that is given twice, of which only the last would count."""
        for item in self.params:
            if getattr(item, "is_flag", True):
                continue
            given = [place for place, arg in enumerate(args) if arg.partition("=")[0] in item.opts]
            if len(given) > 1 and not item.multiple:
                raise OddsError(f"{item.opts[0]}: given twice")
            for place in given:
                _, sign, value = args[place].partition("=")
                if any(not text.strip() for text in ([value] if sign else args[place + 1 : place + 2])):
                    raise OddsError(f"{item.opts[0]}: expected a value, got an empty text")
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> None:
        """Read the question, refuse it if it has to be, and answer it."""
        question = super().invoke(ctx)
        typed = [item for item in self.params if ctx.get_parameter_source(item.name).name == "COMMANDLINE"]
        given = {item.name: item.opts[0] if item.opts[0][0] == "-" else str(item.metavar) for item in typed}
        load("checks").check(question, given)
        row = next(command for command in COMMANDS if command.question == type(question).__name__)
        getattr(load(row.module), row.word)(question)


app = typer.Typer(
    name="odds",
    cls=_Commands,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run a command line, that of the process if left out, and exit."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with interruptible():
        app(args, prog_name="odds")
    sys.exit(0)


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Exact combinatorial odds for the blackjack family: house edge, RTP, best play and charts."""
    if version:
        emit(f"odds {__version__}\n")
        raise typer.Exit
    if context.invoked_subcommand is None:
        emit(context.get_help() + "\n")


def _command_line_words(error: typer.TyperException) -> str:
    words = error.format_message().rstrip(".")
    words = words[:1].lower() + words[1:]
    path = getattr(getattr(error, "ctx", None), "command_path", "odds")
    return f"{words} (see {path} --help)"
