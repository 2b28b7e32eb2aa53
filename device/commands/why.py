"""Why a match's score is what it is: what each entry gained, as the match counts after all rulings."""

from __future__ import annotations

from collections.abc import Iterator

from device.commands import CommandError, Exit
from device.commands.steps import cited, totals
from device.exports import Account
from engines.contract import ADJUSTMENT, SEATS
from engines.gains import Gain, along, gains
from engines.words import Words


def why(account: Account, words: Words, seat: str | None = None, category: str | None = None) -> list[str]:
    """The score, or the points asked for, then every entry that changed them and how; clauses last.

    ``seat`` and ``category`` leave out all others. Raises :class:`CommandError` for those that there are not.
    """
    match = account.match
    game, state = match.game, match.state
    if seat is not None and SEATS.index(seat) >= len(words.names):
        raise CommandError(f"nobody sits at {seat}", code=Exit.USAGE)
    known = (*game.scoring.counted(state), ADJUSTMENT)
    if category not in (None, *known):
        raise CommandError(f"no category {category!r} in this match: {', '.join(known)}", code=Exit.USAGE)

    def asked(one: Gain) -> bool:
        return seat in (None, SEATS[one.seat]) and category in (None, one.category)

    shown = [f"score {totals(words, state)}"]
    if seat or category:
        now = [words.held(one) for one in gains((), game.scoring.bookings(state)) if asked(one)]
        shown += now or ["nothing is booked there now"]
    clauses: dict[str, None] = {}
    for head, those in _entries(account, words):
        kept = [one for one in those if asked(one)]
        if kept:
            shown += ["", head, *(f"  {words.gain(one)}" for one in kept)]
            clauses |= dict.fromkeys(one.clause for one in kept if one.clause)
    return [*shown, *cited(words, tuple(clauses))]


def _entries(account: Account, words: Words) -> Iterator[tuple[str, tuple[Gain, ...]]]:
    """Every entry that counts, what it is called, and what it gained; first what the match began with."""
    what = "record" if account.log else "step"
    heads = [words("why.start")]
    for at, row in enumerate(row for row in account.rows if not row.sealed):
        reason = f" ({row.reason})" if row.reason and row.kind != "adjustment" else ""
        heads.append(f"{what} {row.number}  {words.made(account.match, at)}{reason}")
    return zip(heads, along(account.match), strict=True)
