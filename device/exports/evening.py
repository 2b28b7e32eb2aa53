"""Results of the matches of one evening, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime, timedelta

import msgspec

from device.exports.account import Account
from engines.contract import winners
from engines.words import scores_of

ENDS = timedelta(hours=6)
"""An evening lasts until this hour of the next morning."""


class EveningResult(msgspec.Struct, frozen=True):
    """A match's standing: ``points`` and ``names`` by seat, ``ahead`` who has won or leads."""

    match_id: str
    began_ms: int
    game: str
    names: tuple[str, ...]
    points: tuple[int, ...]
    ahead: tuple[str, ...]
    over: bool
    abandoned: bool
    simulated: bool

    @property
    def evening(self) -> date:
        """The day on whose evening it began, in local time."""
        return (local(self.began_ms) - ENDS).date()


def local(utc_ms: int) -> datetime:
    """A moment in the time zone of this machine."""
    return datetime.fromtimestamp(utc_ms / 1000).astimezone()


def result(account: Account) -> EveningResult | None:
    """The result of a match; None where nothing tells when it was played."""
    if account.log is None or not account.log.records:
        return None
    game, state, names = account.match.game, account.match.state, account.header.names
    return EveningResult(
        account.log.match_id,
        account.log.began_ms,
        game.id,
        names,
        tuple(scores_of(game, state, len(names))),
        tuple(names[seat] for seat in winners(game, state)),
        account.over,
        account.abandoned,
        account.simulated,
    )


def together(of: EveningResult, others: Iterable[EveningResult]) -> tuple[EveningResult, ...]:
    """``of`` and those of the same players on the same evening, in the order they began in.

    A match that is there twice (a copy, what was kept of a damaged file) counts once; what was simulated
    stands beside nothing real.
    """
    found = {one.match_id: one for one in (*others, of) if _company(one) == _company(of)}
    return tuple(sorted(found.values(), key=lambda one: one.began_ms))


def wins(results: Iterable[EveningResult]) -> Counter[str]:
    """Count the finished matches that each player has won; a shared first place counts."""
    return Counter(name for one in results if one.over for name in one.ahead)


def _company(one: EveningResult) -> tuple[list[str], date, bool]:
    return sorted(map(str.casefold, one.names)), one.evening, one.simulated
