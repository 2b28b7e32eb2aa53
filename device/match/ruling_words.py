"""Rulings in words: each with who agreed, and the entries that it is about, just before and just after it."""

from __future__ import annotations

from collections.abc import Set
from contextlib import suppress

import msgspec

from device.match import rulings
from device.match.history import Log, place
from device.match.records import Kind, Record
from device.match.replay import Replay
from engines.contract import SEATS
from engines.errors import EngineError
from engines.match import Match
from engines.words import Words


class Spot(msgspec.Struct, frozen=True):
    """An entry where it stood: its number, and its place in ``match.steps``."""

    number: int
    match: Match
    at: int


class Ruled(msgspec.Struct, frozen=True):
    """A ruling of a log, and who agreed: seats, or the judge.

    ``was`` are the entries that it is about just before it, or just after an override; ``now`` is what became
    of them. Left out are those that may not be read or did not fit. ``about`` has their notation, ``undoes``
    the ruling that was taken back.
    """

    record: Record
    ruling: rulings.Ruling
    by: str
    about: str
    was: tuple[Spot, ...] = ()
    now: tuple[Spot, ...] = ()
    undoes: Ruled | None = None

    def said(self, words: Words) -> str:
        """Tell the ruling in one sentence, its entries in words, and in their notation where they have
        none.
        """
        if self.undoes and isinstance(self.undoes.ruling, rulings.Undo):
            return words("undo.redo", step=self.undoes._entries(words))
        what = self.undoes.said(words) if self.undoes else self._entries(words)
        now = words.texts.by_semicolons(words.made(one.match, one.at) for one in self.now)
        return say_ruling(words, self.ruling, what, self.by, now)

    def _entries(self, words: Words) -> str:
        """Tell the entries that the ruling is about; those of an undo, which the history no longer shows,
        with their numbers.
        """
        numbered = isinstance(self.ruling, rulings.Undo)
        said = (f"{one.number} " * numbered + words.made(one.match, one.at) for one in self.was)
        return words.texts.by_semicolons(said) or self.about or words("ruling.hidden")


def ruled(replay: Replay, at: int, hidden: Set[int] = frozenset()) -> Ruled | None:
    """Return the ruling at index ``at`` of a replay's log, without entries that are ``hidden``; None for one
    that is hidden itself and for any other record.
    """
    log, record = replay.log, replay.log[at]
    ruling = log.ruling(record)
    if ruling is None or record.seq in hidden:
        return None

    def spots(length: int, *numbers: int) -> tuple[Spot, ...]:
        with suppress(EngineError):
            tried = replay.first(length)
            places = [(seq, place(tried.lines, seq)) for seq in numbers if seq not in hidden]
            last = len(tried.match.steps)
            return tuple(Spot(seq, tried.match, at) for seq, at in places if at is not None and at < last)
        return ()

    was: tuple[Spot, ...] = ()
    now: tuple[Spot, ...] = ()
    undoes = None
    match ruling:
        case rulings.Override():
            was = spots(at + 2, *(one.seq for one in log[at + 1 : at + 2]))
        case rulings.Rollback(number) | rulings.Strike(number):
            was = spots(at, number)
        case rulings.Amend(number):
            was, now = spots(at, number), spots(at + 1, number)
        case rulings.Insert():
            now = spots(at + 1, record.seq)
        case rulings.Undo(group):
            undone = log.group(group)
            was = spots(at, *(one.seq for one in undone if one.play))
            undoes = None if any(one.play for one in undone) else ruled(replay, log.index(undone[-1]), hidden)
    about = _about(log, at, ruling, hidden)
    return Ruled(record, ruling, agreed(log, record), about, was, now, undoes)


def agreed(log: Log, of: Record) -> str:
    """Return who agreed to a record: the last ``by`` before it in its group; "" if nobody is named."""
    who = ""
    for record in log.group(of.group):
        ruling = log.ruling(record)
        if isinstance(ruling, rulings.By) and record.seq < of.seq:
            who = ruling.who
    return who


def _about(log: Log, at: int, ruling: rulings.Ruling, hidden: Set[int]) -> str:
    """Return the notation of the entries that a ruling is about, just before it; "" for none and hidden
    ones.
    """
    match ruling:
        case rulings.Override():
            return "".join(one.payload for one in log[at + 1 : at + 2] if one.seq not in hidden)
        case rulings.Undo(group):
            undone = log.group(group)
            played = [one for one in undone if one.kind is not Kind.RULING]
            return ", ".join(one.payload for one in played or undone[-1:] if one.seq not in hidden)
        case rulings.Rollback() | rulings.Amend() | rulings.Strike() | rulings.Insert():
            lines = () if ruling.record in hidden else log.first(at).history
            return next((line.text for line in lines if line.seq == ruling.record), "")
    return ""


def say_ruling(words: Words, ruled: rulings.Ruling, what: str = "", by: str = "", text: str = "") -> str:
    """Tell a ruling in one sentence.

    ``what`` is the text of the entry that it is about, ``text`` the new text of that entry in place of its
    notation; ``by`` names the people who agreed.
    """
    t, word = words.texts, str(ruled).partition(" ")[0]
    if isinstance(ruled, rulings.Judged):
        word = f"judged.{ruled.how if ruled.how.isalpha() else 'points'}"
    blanks = _blanks(words, ruled) | ({"text": text} if text else {})
    said = t(f"ruling.{word}", **blanks, what=what)
    if reason := getattr(ruled, "reason", ""):
        said = t("ruling.reason", ruling=said, reason=t.recall("reason", reason))
    if by and not isinstance(ruled, rulings.By):
        said = t("ruling.agreed", ruling=said, who=_people(words, by))
    return said


def _people(words: Words, by: str) -> str:
    """Name the people who agreed: ``Adso, William``, or the judge."""
    if by.startswith(rulings.JUDGE):
        name = by.removeprefix(rulings.JUDGE).strip()
        return words.texts("ruling.judge_named" if name else "ruling.judge", name=name)
    return words.texts.by_commas(words.name(SEATS.index(letter)) for letter in by)


def _blanks(words: Words, ruled: rulings.Ruling) -> dict[str, object]:
    match ruled:
        case rulings.Amend(record, text):
            return {"record": record, "text": text}
        case rulings.Insert(record, seat, text):
            return {"record": record, "text": f"{rulings.seat_letter(seat)} {text}"}
        case rulings.Rollback(record) | rulings.Strike(record):
            return {"record": record}
        case rulings.Override(clauses):
            return {"clauses": words.texts.by_commas(clauses)}
        case rulings.Adjust(seat, points):
            return {"seat": words.name(seat), "points": f"{points:+d}"}
        case rulings.Give(seat, number, good):
            return {"seat": words.name(seat), "n": f"{number:+d}", "good": words.texts(f"given.{good}")}
        case rulings.Agree(seat):
            return {"seat": words.name(seat)}
        case rulings.Dispute(seat, points):
            return {"seat": words.name(seat), "points": " : ".join(map(str, points))}
        case rulings.Judged(how):
            return {"points": how.replace(":", " : ")}
        case rulings.By(who):
            return {"who": _people(words, who)}
        case rulings.Over(termination):
            return {"termination": termination}
    return {}
