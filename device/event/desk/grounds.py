"""Why a match is refused, what helps, and what the referee says of a journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

import msgspec

from device.event.signing import Signed, Trusted
from device.match import Reading


class Grounds(StrEnum):
    """Why a match is refused, each with the ``remedy``."""

    remedy: str

    UNREADABLE = "not a journal", "upload a journal (.podesta) or a bundle of podesta bundle"
    DAMAGED = "damaged", "take another copy from the box, or from its stick"
    RULES = "not by the rules", "look at it with podesta explain; a judge rules the table"
    UNSIGNED = "not signed", "take the journal from the table's own box; else a judge types the result"
    SIGNATURE = "bad signature", "somebody changed it: take another copy from the box itself"
    STRANGER = (
        "signed by a key that is not the event's",
        "if that box is the event's, its key belongs into the file of --keys",
    )
    CUT = "not signed to its end", "take the whole journal from the box; else a judge rules the table"
    TABLE = "key of another table", "if that box stands in for the table, upload it again and say so"
    EVENT = "of another event", "set the event's name as the boxes have it, or leave this match out"
    OLDER = "older than the result that is there", "nothing is lost: the desk has the longer one"
    APART = (
        "goes apart from the result that is there",
        "two boxes went on with one match: a judge looks at both and rules the table",
    )
    UNFINISHED = (
        "not finished, and the result that is there is",
        "nothing is lost: the desk has the finished one",
    )
    BUSY = "not kept", "upload it again"

    def __new__(cls, said: str, remedy: str) -> Grounds:
        """Return the text that is ``said``, with its remedy."""
        made = str.__new__(cls, said)
        made._value_, made.remedy = said, remedy
        return made


class Refused(Exception):
    """A match is refused; carries the grounds, why, and whose table's it is as far as that is known."""

    def __init__(self, kind: Grounds, why: str = "", table: str = "") -> None:
        super().__init__(kind, why, table)
        self.kind, self.why, self.table = kind, why, table

    def __str__(self) -> str:
        """Return the grounds, why, and what helps."""
        why = f" ({self.why})" if self.why not in ("", self.kind) else ""
        return f"{self.kind}{why}; {self.kind.remedy}"


class Vetting(msgspec.Struct, frozen=True):
    """The referee's verdict on a journal: ``refused`` and ``why``, None and "" where it holds and one of the
    event's boxes signed the whole; then who, how far the match got, and how many steps were not replayed.
    """

    refused: Grounds | None = None
    why: str = ""
    names: tuple[str, ...] = ()
    game: str = ""
    finished: bool = False
    simulated: bool = False
    unchecked: int = 0
    signed: str = Signed.NONE
    signer: str = ""
    phrase: str = ""


Vet = Callable[[Reading, Mapping[str, Trusted]], Vetting]
"""Verifies a journal by keys, as ``podesta verify --keys`` does."""
