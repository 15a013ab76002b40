"""A share of the sets once more, as exact fractions: what rows say in doubles has to be that."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from odds.errors import OddsError
from odds.sweep.solve import round_of_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from odds.sweep.distinct import Distinct
    from odds.sweep.solve import Asked

# What an EV may be off by. Doubles are proven to be within some 1e-13 of the value of a hand
# (`certify.rounding_bound`), and those of rounds were not seen further off than 1e-15. What is wrong in a rule, or in a
# pass that is shared, shows far above it.
BOUND: Final = 1e-13
_ID_DIGITS: Final = 16


class Audit(NamedTuple):
    """What came of an audit.

    Attributes:
        sets: how many sets were computed as fractions.
        rows: how many rows come to them, each compared at what its blackjacks pay.
        largest: the largest difference of an EV from its fraction.
        without: of sets that have no fraction the reason, by their ids.
    """

    sets: int
    rows: int
    largest: float
    without: dict[str, str]

    @property
    def words(self) -> str:
        """What was compared, and what came of it."""
        within = f"differ by {self.largest:.2g} at most, within {BOUND}"
        return f"{self.sets:,} sets as fractions, from which their {self.rows:,} rows {within}"


class AuditError(OddsError):
    """Rows are not what their fractions say."""


def check_share(share: float) -> float:
    """Return a share of the sets.

    Raises:
        OddsError: it is none.
    """
    if not 0 <= share <= 1:
        raise OddsError(f"audit: expected a share of the sets from 0 to 1, such as 1%, got {share}")
    return share


def chosen(share: float, sets: Sequence[Distinct]) -> list[Distinct]:
    """Return a share of the sets, at least one unless it is 0: which ones is in their ids, not in who solved them."""
    if not share:
        return []
    limit = ceil(share * 16**_ID_DIGITS)
    return [one for one in sets if int(one.id, 16) < limit] or [min(sets, key=lambda one: one.id)]


def exact_evs(item: tuple[Asked, Distinct, tuple[Fraction, ...]]) -> list[Fraction] | str:
    """Return the exact EV of a set where blackjacks pay this or that, or why there is none.

    Every one is computed by itself: neither shared passes nor that EV is linear in what blackjacks pay are relied on.

    Args:
        item: what is asked, the set, and the pays.
    """
    asked, one, pays = item
    try:
        return [
            round_of_set(asked._replace(charts=False), one._replace(rules=one.rules.replace(blackjack_pays=pay)))[0]
            .exact()
            .ev
            for pay in pays
        ]
    except OddsError as error:
        return str(error)


def compared(rows: Sequence[dict[str, Any]], exact: dict[tuple[str, str], Fraction], without: dict[str, str]) -> Audit:
    """Return how rows compare with fractions.

    Raises:
        AuditError: rows differ; the message names them.

    Args:
        rows: of the sets that were computed.
        exact: EVs by the set's id and what blackjacks pay, as rows have them.
        without: the reasons why there is none, by ids.
    """
    pairs = [(row, exact.get((row["distinct_id"], row["blackjack_pays"]))) for row in rows]
    found = [(row["rules_id"], float(abs(Fraction(row["ev"]) - ev))) for row, ev in pairs if ev is not None]
    largest = max((difference for _, difference in found), default=0.0)
    if differing := [rules_id for rules_id, difference in found if not difference <= BOUND]:
        raise AuditError(
            f"audit: {len(differing):,} of {len(found):,} rows differ from their fractions by more than {BOUND}, "
            f"by {largest:.3g} at most: rules_id {', '.join(differing)}"
        )
    return Audit(len({set_id for set_id, _ in exact}), len(found), largest, without)
