"""The command `odds rules`: the fields of the rules."""

from odds.cli.common import report
from odds.cli.questions import Rules
from odds.game.fields import FIELDS
from odds.report import rules_page


def rules(asked: Rules) -> None:
    """List the fields of the rules, or describe one in full."""
    fields = list(FIELDS.values()) if asked.field is None else rules_page.fields_called(asked.field)
    report(
        asked.json,
        lambda: rules_page.fields_json(fields),
        lambda: rules_page.fields_tables(fields) if asked.field is None else rules_page.field_tables(fields),
    )
