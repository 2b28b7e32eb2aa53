"""Rulings in words: each with who agreed, and the entries that it is about, just before and just after it."""

from __future__ import annotations

from collections.abc import Set
from contextlib import suppress

import msgspec

from device.match import rulings
from device.match.history import Line, Log, place
from device.match.records import Record
from device.match.replay import Replay
from engines.contract import SEATS
from engines.errors import EngineError
from engines.match import Match
from engines.words import Words


class Spot(msgspec.Struct, frozen=True):
    """An entry where it stood: the line at index ``at``, and the match as far as its lines fit."""

    line: Line
    match: Match
    at: int

    def said(self, words: Words) -> str:
        """Tell the entry in words, one that did not fit in its notation."""
        return words.made(self.match, self.at) if self.at < len(self.match.steps) else self.line.text


class Ruled(msgspec.Struct, frozen=True):
    """A ruling of a log, and who agreed: seats, or the judge.

    ``was`` are the entries that it is about just before its group, or just after an override, without those
    that may not be read; ``now`` is what they are after the group, all of which was agreed to together.
    ``of`` is the ruling that it is about, if it is about one.
    """

    record: Record
    ruling: rulings.Ruling
    by: str
    was: tuple[Spot, ...] = ()
    now: tuple[Spot, ...] = ()
    of: Ruled | None = None

    @property
    def about(self) -> str:
        """The notation of what it is about; empty for nothing."""
        return str(self.of.ruling) if self.of else ", ".join(one.line.text for one in self.was)

    def said(self, words: Words) -> str:
        """Tell the ruling in one sentence, with its entries in words."""
        of, undo = self.of, isinstance(self.ruling, rulings.Undo)
        if of and undo and isinstance(of.ruling, rulings.Undo):
            return words("undo.redo", step=of._entries(words))
        what = of.said(words) if of else self._entries(words)
        now = words.texts.by_semicolons(one.said(words) for one in self.now)
        return say_ruling(words, self.ruling, what, self.by, now)

    def _entries(self, words: Words) -> str:
        """Tell the entries that the ruling is about; those of an undo, which the history no longer shows,
        with their numbers.
        """
        numbered = isinstance(self.ruling, rulings.Undo)
        said = (f"{one.line.seq} " * numbered + one.said(words) for one in self.was)
        return words.texts.by_semicolons(said) or words("ruling.hidden")


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
            places = [place(tried.lines, seq) for seq in numbers if seq not in hidden]
            return tuple(Spot(tried.lines[at], tried.match, at) for at in places if at is not None)
        return ()

    together = log.group(record.group)
    before, after = together[0].seq - 1, together[-1].seq
    was: tuple[Spot, ...] = ()
    now: tuple[Spot, ...] = ()
    of: Ruled | None = None
    match ruling:
        case rulings.Override() if at + 1 < len(log):
            was, of = spots(at + 2, log[at + 1].seq), ruled(replay, at + 1, hidden)
        case rulings.Rollback(number) | rulings.Strike(number):
            was = spots(before, number)
        case rulings.Amend(number):
            was, now = spots(before, number), spots(after, number)
        case rulings.Insert(number):
            was, now = spots(before, number), spots(after, record.seq)
        case rulings.Undo(group):
            undone = log.group(group)
            was = spots(before, *(one.seq for one in undone if one.play))
            of = None if any(one.play for one in undone) else ruled(replay, log.index(undone[-1]), hidden)
    return Ruled(record, ruling, agreed(log, record), was, now, of)


def agreed(log: Log, of: Record) -> str:
    """Return who agreed to a record: the last ``by`` before it in its group; "" if nobody is named."""
    who = ""
    for record in log.group(of.group):
        ruling = log.ruling(record)
        if isinstance(ruling, rulings.By) and record.seq < of.seq:
            who = ruling.who
    return who


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
