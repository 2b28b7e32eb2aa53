"""A match in words: entries, their points, rulings, and the differences of two states."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from contextlib import suppress
from itertools import product
from typing import Any

import msgspec

from device.match import rulings
from device.match.correction import CannotUndo, Undoable
from device.match.history import Line, Log, find_place
from device.match.records import Record
from device.match.replay import Replay
from engines.board import Cell
from engines.contract import SEATS, Decide, Label, Zone
from engines.errors import EngineError
from engines.match import Change, Match, gains_by_step
from engines.words import Words


def tell_numbered(replay: Replay, words: Words, line: Line) -> str:
    """Tell an entry as lists show it: ``12 Adso: builds 8 × 3``."""
    return f"{line.seq} {tell_line(replay, words, line)}"


def tell_line(replay: Replay, words: Words, line: Line) -> str:
    """Tell an entry in words, as everybody may read it; an entry that no longer counts in its notation."""
    text = replay.write_public(line)
    at = find_place(replay.history, line.seq)
    if at is None or not text:
        return words.by(line.seat, text)
    return words.overruled(words.made(replay.match, at), line.made)


def name_origin(words: Words, channel: str) -> str:
    """Name the origin of an entry: ``keys``, ``camera board``."""
    kind, _, which = channel.partition(":")
    part = f"part.{kind}"
    return f"{words(part) if part in words.texts else kind} {which}".rstrip()


OF_ALL = "hands_of_all."
"""The section of a game's texts for hands that no player's name stands before."""


def tell_hands(words: Words, match: Match, at: int, hands: Sequence[Label]) -> list[str]:
    """Tell the ``hands`` of the step at index ``at``, a sentence each.

    If another seat is asked now, the first begins with the player's name, unless it has a name already or is
    of :data:`OF_ALL`. A text that ends with a colon is joined with the next.
    """
    told: list[str] = []
    for one in filter(None, words.labels(hands)):
        led = told and told[-1].endswith(":")
        told.append(words.texts.sentences([told.pop(), one]) if led else one)
    seat, pending = match.steps[at].seat, match.pending
    asked = pending.seats if isinstance(pending, Decide) else ()
    begins = rf"(?:{'|'.join(map(re.escape, words.names))})(?![A-Za-z])"  # and no longer word
    named = not told or seat is None or hands[0].key.startswith(OF_ALL) or re.match(begins, told[0])
    return told if named or asked in ((), (seat,)) else [words.by(seat, told[0]), *told[1:]]


def list_gains(replay: Replay) -> list[tuple[Line | None, tuple[Change, ...]]]:
    """Return the points of each line of the history; first, without a line, those of the beginning."""
    return list(zip((None, *replay.history), gains_by_step(replay.match), strict=True))


def find_gains(replay: Replay, line: Line) -> tuple[Change, ...]:
    """Return the points of a line, none if it no longer counts."""
    return next((those for there, those in list_gains(replay) if there and there.seq == line.seq), ())


def find_changes(replay: Replay, seat: int, category: str | None = None) -> list[tuple[Line | None, Change]]:
    """Return every entry that changed a seat's points, with the change, in one category or all."""
    changed = [(line, one) for line, those in list_gains(replay) for one in those if one.seat == seat]
    return [(line, one) for line, one in changed if category in (None, one.category)]


def tell_offer(replay: Replay, words: Words, offer: Undoable, *, past: bool = False) -> str:
    """Say in a line what an undo would take back, put back or withdraw; with ``past`` in the past tense.

    Call it before the undo, which changes the history.
    """
    if not offer.rulings:
        key = "undo.redo" if offer.redo else "undo.done" if past else "undo.step"
        if offer.places:
            return words(
                key, step=words.texts.by_semicolons(words.made(replay.match, at) for at in offer.places)
            )
        return words(key, step=words.would(replay.match, offer.seat, offer.text, offer.waived))
    last = offer.rulings[-1]
    if isinstance(last, rulings.Adjust | rulings.Give):
        return words("undo.ruling", text=say_ruling(words, last))
    return words("undo.rollback" if isinstance(last, rulings.Rollback) else "undo.correction")


def tell_no_undo(replay: Replay, words: Words, error: CannotUndo) -> str:
    """Say why undo takes nothing back, and what to do instead."""
    text = words.texts.by_semicolons(tell_line(replay, words, replay.history[at]) for at in error.places)
    return words(error.key, seat=error.seat, text=text)


# Differences


Table = dict[str, Counter[str]]
"""The pieces that lie at each spot of the table, both by their names."""

Moves = dict[tuple[str, str], Counter[str]]
"""The pieces that hands move, by source and target; one of these is empty if it is no spot on the table."""


def tell_differences(words: Words, before: Any, after: Any) -> list[str]:
    """Say what hands do so that the table of one state becomes that of another: ``move block from e1 to c2``.

    If the same pieces lie otherwise at a spot (towers, piles), say how they lie.
    """
    was, now = lay_out(words, before), lay_out(words, after)
    moves, told = find_moves(was, now), []
    for (source, target), pieces in moves.items():
        what = words.texts.by_commas(words.lying(name, count) for name, count in pieces.items())
        key = "move" if source and target else "remove" if source else "add"
        told.append(words.texts(f"told.{key}", what=what, source=source, target=target))  # words by now
    before_by_name = _group_zones(words, before)
    for (seat, name), zones in _group_zones(words, after).items():
        spot, were = _tell_whose(words, seat, words(f"zone.{name}")), before_by_name.get((seat, name), zones)
        counted = any(piece.tally for zone in (*were, *zones) for piece in zone.pieces)
        if were != zones and was[spot] == now[spot] and not counted:
            told.append(_tell_whose(words, seat, words.lies(zones)[0]))
    return told


def find_moves(was: Table, now: Table) -> Moves:
    """Return what turns one table into the other: pieces go from where too many of them lie to where some are
    missing, as far as there is such a spot.
    """
    over = {spot: pieces - now.get(spot, Counter()) for spot, pieces in was.items()}
    lacks = {spot: pieces - was.get(spot, Counter()) for spot, pieces in now.items()}
    moves: Moves = {}
    for source, target in product(over, lacks):
        if moved := over[source] & lacks[target]:
            moves[source, target] = moved
            over[source] -= moved
            lacks[target] -= moved
    moves |= {(source, ""): pieces for source, pieces in over.items() if pieces}
    return moves | {("", target): pieces for target, pieces in lacks.items() if pieces}


def lay_out(words: Words, state: Any) -> Table:
    """Return the pieces on the boards and in the zones of a state, as far as everybody knows them."""
    table: Table = defaultdict(Counter)
    for sight in words.game.in_sight(state).values():
        board = sight.board(state)
        for at, cell in enumerate(board.cells if board else ()):
            if board and cell and (cell.height or cell.piece):
                table[_tell_whose(words, sight.SEAT, board.name(at))] += _count_stacked(words, cell)
    for (seat, name), zones in _group_zones(words, state).items():
        pieces = table[_tell_whose(words, seat, words(f"zone.{name}"))]
        for zone in zones:
            counts = [(words(one.label.key, one.label.figures), one.count) for one in zone.pieces]
            for (what, count), piece in zip(counts, zone.pieces, strict=True):
                pieces[counts[0][0] if piece.tally else what] += -count if piece.tally else count
    return dict(table)


def _count_stacked(words: Words, cell: Cell) -> Counter[str]:
    """Count the blocks and the piece on a cell; a piece that only covers its ground is called as that."""
    pieces = Counter({words("told.block"): cell.height})
    if cell.piece:
        *ground, piece = words.stands(cell)
        pieces[ground[0] if ground and piece == words("grid.covered") else piece] += 1
    return +pieces


def _tell_whose(words: Words, seat: int | None, what: str) -> str:
    return what if seat is None else words("told.of", name=words.name(seat), what=what)


def tell_contents(words: Words, cell: Cell | None) -> str:
    """Name the blocks and the piece on a cell: ``▲2, Mara``; say "none" in words if there is neither."""
    height = [words("grid.height", height=cell.height)] if cell and cell.height else []
    piece = [words.stands(cell)[-1]] if cell and cell.piece else []
    return words.texts.by_commas([*height, *piece]) or words("counts.none")


def _group_zones(words: Words, state: Any) -> dict[tuple[int | None, str], list[Zone]]:
    """Return the zones of a state by owner and name; towers and piles have several of one name."""
    found: dict[tuple[int | None, str], list[Zone]] = {}
    for zone in words.game.telling.zones(state):
        found.setdefault((zone.seat, zone.name), []).append(zone)
    return found


# Rulings: each with who agreed, and the entries that it is about, just before and just after it


class EntryPlace(msgspec.Struct, frozen=True):
    """An entry where it stood: the line at index ``at``, and the match as far as its lines fit."""

    line: Line
    match: Match
    at: int

    def tell(self, words: Words) -> str:
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
    was: tuple[EntryPlace, ...] = ()
    now: tuple[EntryPlace, ...] = ()
    of: Ruled | None = None

    @property
    def about(self) -> str:
        """The notation of what it is about; empty for nothing."""
        return str(self.of.ruling) if self.of else ", ".join(one.line.text for one in self.was)

    def tell(self, words: Words) -> str:
        """Tell the ruling in one sentence, with its entries in words."""
        of, undo = self.of, isinstance(self.ruling, rulings.Undo)
        if of and undo and isinstance(of.ruling, rulings.Undo):
            return words("undo.redo", step=of._tell_entries(words))
        what = of.tell(words) if of else self._tell_entries(words)
        now = words.texts.by_semicolons(one.tell(words) for one in self.now)
        return say_ruling(words, self.ruling, what, self.by, now)

    def _tell_entries(self, words: Words) -> str:
        """Tell the entries that the ruling is about; those of an undo, which the history no longer shows,
        with their numbers.
        """
        numbered = isinstance(self.ruling, rulings.Undo)
        said = (f"{one.line.seq} " * numbered + one.tell(words) for one in self.was)
        return words.texts.by_semicolons(said) or words("ruling.hidden")


def find_ruling(replay: Replay, at: int, hidden: Set[int] = frozenset()) -> Ruled | None:
    """Return the ruling at index ``at`` of a replay's log, without entries that are ``hidden``; None for one
    that is hidden itself and for any other record.
    """
    log, record = replay.log, replay.log[at]
    ruling = log.read_ruling(record)
    if ruling is None or record.seq in hidden:
        return None

    def list_spots(length: int, *numbers: int) -> tuple[EntryPlace, ...]:
        with suppress(EngineError):
            tried = replay.try_first(length)
            places = [find_place(tried.lines, seq) for seq in numbers if seq not in hidden]
            return tuple(EntryPlace(tried.lines[at], tried.match, at) for at in places if at is not None)
        return ()

    together = log.list_group(record.group)
    before, after = together[0].seq - 1, together[-1].seq
    was: tuple[EntryPlace, ...] = ()
    now: tuple[EntryPlace, ...] = ()
    of: Ruled | None = None
    match ruling:
        case rulings.Override() if at + 1 < len(log):
            was, of = list_spots(at + 2, log[at + 1].seq), find_ruling(replay, at + 1, hidden)
        case rulings.Rollback(number) | rulings.Strike(number):
            was = list_spots(before, number)
        case rulings.Amend(number):
            was, now = list_spots(before, number), list_spots(after, number)
        case rulings.Insert(number):
            was, now = list_spots(before, number), list_spots(after, record.seq)
        case rulings.Undo(group):
            undone = log.list_group(group)
            was = list_spots(before, *(one.seq for one in undone if one.play))
            if not any(one.play for one in undone):
                of = find_ruling(replay, log.index(undone[-1]), hidden)
    return Ruled(record, ruling, find_agreed(log, record), was, now, of)


def find_agreed(log: Log, agreed: Record) -> str:
    """Return who agreed to a record: the last ``by`` before it in its group; "" if nobody is named."""
    who = ""
    for record in log.list_group(agreed.group):
        ruling = log.read_ruling(record)
        if isinstance(ruling, rulings.By) and record.seq < agreed.seq:
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
    blanks = _fill_blanks(words, ruled) | ({"text": text} if text else {})
    said = t(f"ruling.{word}", **blanks, what=what)
    if reason := getattr(ruled, "reason", ""):
        said = t("ruling.reason", ruling=said, reason=t.recall("reason", reason))
    if by and not isinstance(ruled, rulings.By):
        said = t("ruling.agreed", ruling=said, who=_name_people(words, by))
    return said


def _name_people(words: Words, by: str) -> str:
    """Name the people who agreed: ``Adso, William``, or the judge."""
    if by.startswith(rulings.JUDGE):
        name = by.removeprefix(rulings.JUDGE).strip()
        return words.texts("ruling.judge_named" if name else "ruling.judge", name=name)
    return words.texts.by_commas(words.name(SEATS.index(letter)) for letter in by)


def _fill_blanks(words: Words, ruled: rulings.Ruling) -> dict[str, object]:
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
            return {"who": _name_people(words, who)}
        case rulings.Over(termination):
            return {"termination": termination}
    return {}
