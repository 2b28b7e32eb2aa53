"""Rulings in words, for whoever reads the screen, a sheet or an explanation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from device.match.rulings import (
    JUDGE,
    Abandon,
    Adjust,
    Agree,
    Amend,
    By,
    Call,
    Dispute,
    Give,
    Insert,
    Over,
    Override,
    Rollback,
    Ruling,
    Strike,
    Undo,
    seat_letter,
)
from engines.contract import SEATS
from engines.texts import Texts


class Phrases:
    """Says rulings in one language for these players."""

    def __init__(self, texts: Texts, names: Sequence[str]) -> None:
        """``names`` by seat."""
        self.texts = texts
        self.names = tuple(names)

    def name(self, seat: int) -> str:
        """A seat's player."""
        return self.names[seat] if seat < len(self.names) else SEATS[seat]

    def who(self, by: str) -> str:
        """Who agreed, by name: ``Adso, William``, or the judge."""
        if by == JUDGE:
            return self.texts("ruling.judge")
        return ", ".join(self.name(SEATS.index(letter)) for letter in by)

    def say(self, ruled: Ruling, what: Callable[[Ruling], str], by: str = "", text: str = "") -> str:
        """One sentence; ``what`` gives the text of the entry a ruling is about, ``text`` what it says now
        where that is not to be its notation.
        """
        word = str(ruled).partition(" ")[0]
        blanks = self._blanks(ruled) | ({"text": text} if text else {})
        said = self.texts(f"ruling.{word}", **blanks, what=what(ruled))
        reason = getattr(ruled, "reason", "")
        if reason:
            said = self.texts("ruling.reason", ruling=said, reason=reason)
        if by and not isinstance(ruled, By):
            said = self.texts("ruling.agreed", ruling=said, who=self.who(by))
        return said

    def _blanks(self, ruled: Ruling) -> dict[str, object]:
        match ruled:
            case Amend(record, text):
                return {"record": record, "text": text}
            case Insert(record, seat, text):
                return {"record": record, "text": f"{seat_letter(seat)} {text}"}
            case Rollback(record) | Strike(record):
                return {"record": record}
            case Override(clauses):
                return {"clauses": ", ".join(clauses)}
            case Adjust(seat, points):
                return {"seat": self.name(seat), "points": f"{points:+d}"}
            case Give(seat, number, good):
                return {"seat": self.name(seat), "n": f"{number:+d}", "good": self.texts(f"given.{good}")}
            case Agree(seat):
                return {"seat": self.name(seat)}
            case Dispute(seat, points):
                return {"seat": self.name(seat), "points": " : ".join(map(str, points))}
            case By(who):
                return {"who": self.who(who)}
            case Over(termination):
                return {"termination": termination}
            case Undo() | Call() | Abandon():
                return {}
        return {}
