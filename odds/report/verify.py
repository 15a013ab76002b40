"""The table, JSON and CSV of `odds verify`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from odds import __version__
from odds.files import to_csv
from odds.numbers.decimals import fixed, percentage
from odds.published.verify import VERDICT_COLUMNS
from odds.report.common import new_table, titled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from odds.published.verify import Verdict

_WORDS = {"both": "pass", "rounded": "pass if rounded", "truncated": "pass if cut off", None: "FAIL"}


def verify_json(name: str, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return the verdicts as JSON takes them."""
    passed = sum(verdict.passes for verdict in verdicts)
    return {
        "file": name,
        "version": __version__,
        "passed": passed,
        "failed": len(verdicts) - passed,
        "lines": [verdict.to_dict() for verdict in verdicts],
    }


def verify_csv(verdicts: Sequence[Verdict]) -> str:
    """Return the verdicts as CSV; computed figures in percent, differences in percentage points."""
    rows: list[Sequence[Any]] = [VERDICT_COLUMNS]
    for verdict in verdicts:
        row = verdict.to_dict()
        row["computed"] = percentage(verdict.computed, 6)
        row["difference"] = fixed(100 * verdict.difference, 6, sign=True)
        rows.append([row[name] for name in VERDICT_COLUMNS])
    return to_csv(rows)


def verify_tables(name: str, verdicts: Sequence[Verdict]) -> list[RenderableType]:
    """Return the verdicts as a table."""
    table = new_table("Line", "Game", "Published", "Computed", "Off by", "Verdict", left=(0, 1, 5), wrap=(1, 5))
    for verdict in verdicts:
        claim = verdict.claim
        per_total = not verdict.passes and verdict.matches_per_total_wager
        played = "" if claim.play == "composition" else f"play {claim.play}"
        table.add_row(
            str(claim.line),
            "\n".join(filter(None, (claim.game.name, claim.overrides, played))),
            claim.published.text + ("\nedge" if claim.published.quantity == "house_edge" else ""),
            percentage(verdict.computed, max(4, claim.published.digits + 2)),
            fixed(100 * verdict.difference, 4, sign=True),
            _WORDS[verdict.matches] + ("; right per total wager" if per_total else ""),
        )
    failed = sum(not verdict.passes for verdict in verdicts)
    note = (
        f"{len(verdicts) - failed} of {len(verdicts)} agree at the printed digits. Off by: computed less published, in "
        "percentage points; edge: a house edge. Played best for the exact cards where no play is named."
    )
    return titled(f"Published figures of {name}", table, note)[1:]
