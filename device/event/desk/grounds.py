"""Why a match is refused, what helps, and what the referee says of a journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from device.event.signing import Signed, Trusted


class Grounds(StrEnum):
    """Why a match is refused."""

    UNREADABLE = "not a journal"
    DAMAGED = "damaged"
    RULES = "not by the rules"
    UNSIGNED = "not signed"
    SIGNATURE = "bad signature"
    STRANGER = "signed by a key that is not the event's"
    CUT = "not signed to its end"
    TABLE = "key of another table"
    EVENT = "of another event"
    OLDER = "older than the result that is there"
    APART = "goes apart from the result that is there"
    UNFINISHED = "not finished, and the result that is there is"
    BUSY = "not kept"


REMEDIES: Final = {
    Grounds.UNREADABLE: "upload a journal (.podesta) or a bundle of podesta bundle",
    Grounds.DAMAGED: "take another copy from the box, or from its stick",
    Grounds.RULES: "look at it with podesta explain; a judge rules the table",
    Grounds.UNSIGNED: "take the journal from the table's own box; else a judge types the result",
    Grounds.SIGNATURE: "somebody changed it: take another copy from the box itself",
    Grounds.STRANGER: "if that box is the event's, its key belongs into the file of --keys",
    Grounds.CUT: "take the whole journal from the box; else a judge rules the table",
    Grounds.TABLE: "if that box stands in for the table, upload it again and say so",
    Grounds.EVENT: "set the event's name as the boxes have it, or leave this match out",
    Grounds.OLDER: "nothing is lost: the desk has the longer one",
    Grounds.APART: "two boxes went on with one match: a judge looks at both and rules the table",
    Grounds.UNFINISHED: "nothing is lost: the desk has the finished one",
    Grounds.BUSY: "upload it again",
}


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


Vet = Callable[[Path, Mapping[str, Trusted]], Vetting]
"""Verifies a journal by keys, as ``podesta verify --keys`` does."""
