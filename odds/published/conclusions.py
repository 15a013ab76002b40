"""What follows from the readings of a game, in sentences: when a published figure would be right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from odds.numbers.decimals import fixed, percentage

if TYPE_CHECKING:
    from odds.published.reconcile import Answer, Published, Reconciliation


def published_words(published: Published | None) -> str:
    """Return what is published in words, as an RTP too."""
    if published is None:
        return "no RTP"
    if published.quantity == "rtp":
        return published.words
    return f"{published.words}, an RTP of {percentage(published.rtp, published.digits)}"


def reading_words(answer: Answer, first: str = "as the game is listed") -> str:
    """Return a reading in words, that of the file being called `first`, and what is to be said about it."""
    words = answer.reading.words or first
    if answer.reading.joined:
        words += " (one wording says both)"
    if answer.reading.parted:
        words += " (takes one wording apart)"
    return words


def conclusions(found: Reconciliation) -> list[str]:
    """Return sentences that say when the published figure would be right; none where nothing is published."""
    published = found.published
    if published is None or not found.answers:
        return []
    sentences = [_literal(found)]
    proper = [answer for answer in found.matching if not answer.reading.neighbour]
    beside = [answer for answer in found.matching if answer.reading.neighbour]
    if proper:
        sentences += [_needs(answer, published.words) for answer in proper]
    else:
        nearest = next(answer for answer in found.ranked if not answer.reading.neighbour)
        off = 100 * (nearest.nearest - published.rtp)
        side = "above" if off > 0 else "below"
        sentences.append(
            f"No reading of the rules in question prints {published_words(published)}. The nearest is "
            f"{percentage(nearest.nearest, 4)}, {fixed(abs(off), 4)} percentage points {side}: {_condition(nearest)}."
        )
    sentences += [_needs(answer, published.words) for answer in beside]
    if found.wide and not beside:
        sentences.append(
            "Nor does any of these with one rule more changed." if not proper else "No other rule changed does."
        )
    return sentences


def _literal(found: Reconciliation) -> str:
    values = {answer.play: answer for answer in found.answers if not answer.reading.changes}
    best = values["composition"]
    printing = {answer.per for answer in values.values() if answer.prints}
    says = f"Per {min(printing)} that prints the same." if printing else "That prints otherwise."
    if "total" not in values:
        per_total = percentage(best.rtp_per_total_wager, 4)
        return f"As the game is listed: {percentage(best.rtp, 4)} by best play; per total wager {per_total}. {says}"
    chart = values["total"]
    return (
        f"As the game is listed: {percentage(best.rtp, 4)} by best play, {percentage(chart.rtp, 4)} by the best chart; "
        f"per total wager {percentage(best.rtp_per_total_wager, 4)} and {percentage(chart.rtp_per_total_wager, 4)}. "
        f"{says}"
    )


def _needs(answer: Answer, words: str) -> str:
    how = {"both": "rounded or cut off", "rounded": "rounded", "truncated": "cut off"}[answer.prints or "both"]
    return f"{words}, {how}, is right if: {_condition(answer)}. RTP {percentage(answer.nearest, 6)}."


def _condition(answer: Answer) -> str:
    played = "played by the best chart" if answer.play == "total" else "played best for the exact cards"
    return f"{reading_words(answer)}; {played}; per {answer.per}"
