"""A state in one line of ``name=value`` fields; missing fields have their usual values.

::

    seats=2 river_length=14 rapids=3,6,9,12 … known=price.left1:0,0,1/demand.3:1,0,2
    behind.a=1t1g1k chosen.a=1b1r1u assistants.a=bps board.a=2t1g1r … turn=a doing=effect:use_b/action

in one line. Colours are letters (:mod:`.pieces`), keshis ``2t1g``, or ``0`` for none; any other empty value
is ``-``.

========================= ===================================================================
field                     meaning
========================= ===================================================================
seats                     how many sit down
river_length … track      the boards of the copy, by the names of its facts
known                     its known tiles, by fact: ``price.left1:0,0,1/scroll.19:water2``
behind.a chosen.a         keshis behind the screen; those revealed for the next throw
assistants.a board.a      areas with an assistant, ``tss``; deployed keshis
vendors.a fresh.a         areas with a vendor; those placed in this turn; ``stall.a``
square.a disc.a           places with an entertainer; the section that faces the first, ``-`` unknown
caravans.a                numbers at the start oasis and on both paths, ``2.1.0``
claimed.a oases.a         places of claimed oases; their numbers. ``found.a`` numbers told before
stock.a gates.a           keshis by place of the oasis track, gates by place: ``t-----``
fisherman.a spot.a        steps; place at the jetty. ``mosque.a palace.a lines.a``
resources.a               ``1w2d3n``: water, dates, dinars
scrolls.a refreshed.a     numbers; ``yes`` if the seat turned up scrolls in this round
goods.a demands.a         luxury goods; face-up provision tiles
gains.a                   VP by season: ``river:4:jetty;orchard:1/gates:-3/-``
inside tray fallen        keshis in the tower, on the tray; throws that people went back before
out                       seats that take no more from the tray
lines tiles               gains by the exchange office, ``1d1r,-,-``; river tiles of past seasons
bought began              gates from each workshop; scrolls and goods at the beginning of the turn
turn start holder         the asked seat, those with the round tracker and the season's
season round ahead        from 1; the seat whose fisherman starts next on the crocodile space
adjusted waived           points by hand, overruled clauses; ``level`` and options by their names
rules                     1 for a match under version 1 of the rules
doing                     effects and questions, the pending one last: ``effect:use_b/keshi:pnb:2``
========================= ===================================================================

The known facts of the copy are always written. If such a field is missing, the copy at hand has its value, or
the schema's sample if that copy lacks facts that a match needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from engines.contract import SEATS, Level, Setup, Told
from engines.errors import BadPosition, Malformed
from engines.fact_kinds import read_word, write_word
from engines.facts import BadFact, Facts, lacking
from engines.kit import Fields, forms, given, joined, line, listed, reading, words, written
from engines.marrakesh import book
from engines.marrakesh import state as s
from engines.marrakesh.book import BOOK, Expansion
from engines.marrakesh.facts import OASES, SCHEMA, SQUARE, Printing, read_facts, read_printing
from engines.marrakesh.frames import ONCE, QUESTIONS, AnyFrame, Effect, SourcedFrame
from engines.marrakesh.pieces import AREAS, GOODS, LETTERS, LUXURY_GOODS, RIVER, SOUK
from engines.marrakesh.scoring import PLAYED
from engines.marrakesh.state import Gain, Side, State, Variant

_THROW = r"\d{1,2}:(?:0|(?:\d{1,2}[a-z])+)/(?:0|(?:\d{1,2}[a-z])+)"
_LINE = re.compile(r"([1-9][wdnvrs]){1,6}")
_SOURCE = r"[\w.,+~-]*"
_FRAME = re.compile(
    rf"(?P<question>[a-z_]+)(?::(?P<text>[\w.+-]*)(?::(?P<number>\d{{0,3}})(?::(?P<why>\w*)"
    rf"(?::(?P<source>{_SOURCE})(?P<open>:open)?)?)?)?)?"
)

# Fields


def _read_number(value: str) -> int:
    return int(forms.matching(value, r"\d{1,2}", "{value!r} is no number from 0 to 99"))


def _write_gains(gains: tuple[Gain, ...]) -> str:
    seasons: dict[int, list[str]] = {season: [] for season in range(1, s.SEASONS + 1)}
    for gain in gains:
        seasons[gain.season].append(f"{gain.category}:{gain.points}:{gain.source}".rstrip(":"))
    return _escape(listed((listed(each, ";") for each in seasons.values()), "/")) if gains else "-"


def _read_gains(value: str) -> Iterator[Gain]:
    seasons = words(value, "/")
    if seasons and len(seasons) != s.SEASONS:
        raise Malformed(
            "{value} is not a part for each season, like river:4:jetty;orchard:1/gates:-3/-", value
        )
    for season, each in enumerate(seasons, 1):
        for word in words(each, ";"):
            parts = re.fullmatch(rf"([a-z_]+):(-?[1-9]\d{{0,3}})(?::({_SOURCE}))?", word)
            if not parts:
                raise Malformed("{word!r} is no gain like river:4:jetty or gates:-3", word)
            yield Gain(season, forms.one_of(parts[1], PLAYED), int(parts[2]), _unescape(parts[3] or ""))


def _escape(source: str) -> str:
    """Return a text without blanks, which end a field."""
    return source.replace(" ", "~")


def _unescape(word: str) -> str:
    return word.replace("~", " ")


_KESHIS = forms.bag(LETTERS, "2t1g")
_NUMBER = forms.Form(str, _read_number)

SIDE = {
    "behind": _KESHIS,
    "chosen": _KESHIS,
    "assistants": forms.Form(
        lambda areas: areas or "-",
        lambda value: (
            ""
            if value == "-"
            else forms.matching(value, f"[{AREAS}{SOUK}]+", "{value!r} is not areas like tss")
        ),
    ),
    "board": _KESHIS,
    "vendors": forms.members(AREAS, ""),
    "fresh": forms.members(AREAS + SOUK, ""),
    "stall": forms.YES,
    "square": forms.members(SQUARE),
    "disc": forms.Form(
        lambda turns: "-" if turns < 0 else str(turns),
        lambda value: -1 if value == "-" else _read_number(value),
    ),
    "caravans": forms.counts(3, 9),
    "claimed": forms.members(OASES),
    "found": forms.counts(s.ON_TRACK, 30),
    "oases": forms.numbered(30, 2),
    "stock": forms.text(f"[{LETTERS}-]{{{s.ON_TRACK}}}", "{value!r} is no row of colours like t-g---"),
    "gates": forms.text(f"[{LETTERS}-]{{{s.PLACES}}}", "{value!r} is no row of colours like t-g-----"),
    "fisherman": _NUMBER,
    "spot": _NUMBER,
    "mosque": _NUMBER,
    "palace": _NUMBER,
    "lines": _NUMBER,
    "resources": forms.bag("wdn", "2w1n"),
    "scrolls": forms.numbered(72),
    "refreshed": forms.YES,
    "goods": forms.several(forms.word(*LUXURY_GOODS)),
    "demands": forms.numbered(12),
    "gains": forms.Form(_write_gains, lambda value: tuple(_read_gains(value))),
}
"""The fields of a side."""

TABLE = {
    "inside": _KESHIS,
    "tray": _KESHIS,
    "fallen": forms.Form(
        listed,
        lambda value: tuple(
            forms.matching(word, _THROW, "{value!r} is no throw like 3:2t1g/1t") for word in words(value)
        ),
    ),
    "out": forms.members(SEATS, ""),
    "lines": forms.row(len(GOODS), _LINE.fullmatch, "{value!r} is not what each good gives, like 1d1r,-,-"),
    "tiles": forms.several(forms.word(*RIVER)),
    "ahead": forms.holder(len(SEATS)),
    "bought": forms.counts(s.WORKSHOPS, s.PLACES),
    "began": forms.counts(2, 99),
}
"""The fields of the table."""

_BOARDS = [fact for fact in SCHEMA if not fact.late]
_OF_COPY = (*(fact.name for fact in _BOARDS), "known")


@lru_cache
def _make_turn_forms(seats: int) -> dict[str, forms.Form]:
    """Return the fields of the turn before the options."""
    return {
        "turn": forms.seat(seats).of("seat"),
        "start": forms.seat(seats),
        "holder": forms.seat(seats),
        "season": forms.number(1, s.SEASONS),
        "round": forms.number(1, s.ROUNDS),
        "level": forms.level(Level.FULL),
        "adjusted": forms.points(seats),
        "doing": forms.several(forms.Form(_write_frame, _read_frame), "/").of("frames"),
        "over": forms.ended(s.FINISHED).of("termination"),
        "waived": forms.CLAUSES,
    }


_RULES = {"rules": forms.number(s.EARLIER[0], s.RULES)}


# Writing


def write(state: State) -> str:
    """Return the state's line."""
    usual = _write_usual(state.variant.seats, state.variant, state.copy)
    return line(_write_fields(state, book.tell_options(state.variant)), usual, ("seats", *_OF_COPY, "turn"))


def _write_fields(state: State, options: Mapping[str, str]) -> dict[str, str]:
    seats = state.variant.seats
    kept = zip(_list_keeping(state.variant), state.beside, strict=True)
    return joined(
        {"seats": str(seats)},
        _write_copy(state.copy),
        *(_write_side(letter, side) for letter, side in zip(SEATS, state.sides, strict=False)),
        written(TABLE, state),
        *(written(each.fields, value) for each, value in kept),
        written(_make_turn_forms(seats), state),
        options,
        written(_RULES, state),
    )


@lru_cache(8)
def _write_usual(seats: int, variant: Variant, copy: Printing) -> dict[str, str]:
    """Return the usual values of all fields of a match with this variant and copy."""
    beside = tuple(each.keeps() for each in _list_keeping(variant) if each.keeps)
    blank = State(variant, copy, sides=(Side(),) * seats, adjusted=(0,) * seats, beside=beside)
    return _write_fields(blank, {option.name: option.values[0] for option in book.list_options()})


def _list_keeping(variant: Variant) -> list[Expansion]:
    """Return the expansions of a variant that have pieces of their own."""
    return [each for each in book.list_expansions(variant) if each.keeps]


@lru_cache(8)
def _write_copy(copy: Printing) -> dict[str, str]:
    """Return the fields of a copy's known facts."""
    boards = {fact.name: write_word(fact.kind, getattr(copy, fact.name)) for fact in _BOARDS}
    known = (f"{name}:{write_word(SCHEMA.fact(name).kind, value)}" for name, value in copy.known)
    return boards | {"known": listed(known, "/")}


@lru_cache(16)
def _write_side(letter: str, side: Side) -> dict[str, str]:
    """Return the fields of a seat."""
    return written(SIDE, side, f".{letter}")


def _write_frame(frame: AnyFrame) -> str:
    """Write ``question:text:number:why:source:open`` without empty ends.

    The number of an effect is part of its word, or has its own place if the effect has a subject.
    """
    if isinstance(frame, Effect):
        number = "" if frame.number == ONCE else str(frame.number)
        subject = frame.subject
        own = (f"{frame.name}_{subject}", number) if subject else (frame.name + number, "")
    else:
        own = frame.own_text, str(frame.own_number or "")
    sourced = (frame.why, _escape(frame.source)) if isinstance(frame, Effect | SourcedFrame) else ("", "")
    return ":".join([frame.question, *own, *sourced, "open" * frame.open]).rstrip(":")


# Reading


def parse(text: str, facts: Told = ()) -> State:
    """Return the state of a line, with its faults; raises BadPosition for a line that cannot be read."""
    told, options = given(text), book.list_options()
    at_hand = _read_at_hand(
        facts, tuple((each.name, told[each.name]) for each in options if each.name in told)
    )
    seats = Fields.seats(told)
    chosen = Fields({}, {each.name: told.get(each.name, each.values[0]) for each in options})
    variant = book.make_variant(seats, chosen.options(options))
    fields = Fields(told, _write_usual(seats, variant, at_hand))
    return State(
        variant=variant,
        copy=_read_copy(tuple((name, told[name]) for name in _OF_COPY if name in told), at_hand),
        sides=tuple(Side(**fields.all(SIDE, behind=f".{letter}")) for letter in SEATS[:seats]),
        beside=tuple(
            msgspec.structs.replace(each.keeps(), **fields.all(each.fields))
            for each in _list_keeping(variant)
            if each.keeps
        ),
        **fields.all(TABLE | _make_turn_forms(seats) | _RULES),
    )


read, status = reading(parse, BOOK)


@lru_cache(8)
def _read_at_hand(facts: Told, options: Told) -> Printing:
    """Return the copy at hand, or a sample if it lacks facts that a match needs."""
    known = read_facts(facts)
    return Printing() if lacking(known, Setup(options=options)) else read_printing(known)


@lru_cache(8)
def _read_copy(told: tuple[tuple[str, str], ...], at_hand: Printing) -> Printing:
    """Return the copy with the told fields; raises BadPosition if they contradict each other or the copy."""
    if not told:
        return at_hand
    fields = Fields(dict(told), _write_copy(at_hand))
    try:
        boards = {fact.name: _read_fact(fact.name, fields[fact.name]) for fact in _BOARDS}
        pairs = (word.partition(":") for word in words(fields["known"], "/"))
        known = tuple((name, _read_fact(name, value)) for name, _, value in pairs)
        Facts.of(SCHEMA).confirm(boards | dict(known))
    except BadFact as error:
        raise BadPosition("position: {why}", error, problems=error.problems) from error
    return Printing(**boards, known=known)


def _read_fact(name: str, word: str) -> Any:
    fact = SCHEMA.fact(name)
    try:
        return read_word(fact.kind, word)
    except msgspec.MsgspecError as error:
        raise SCHEMA.unfit(fact, word, error) from error


def _read_frame(word: str) -> AnyFrame:
    parts = _FRAME.fullmatch(word)
    if not parts:
        raise Malformed("{word!r} is not a question", word)
    text, number = parts["text"] or "", int(parts["number"] or 0)
    why, source = parts["why"] or "", _unescape(parts["source"] or "")
    if parts["question"] == Effect.question:
        effect = book.effect_of(text, why, source)
        return msgspec.structs.replace(effect, number=number) if number else effect
    kind = QUESTIONS.get(parts["question"])
    others = {"why": why, "source": source, "open": bool(parts["open"])}
    frame = kind.of(text, number, **others) if kind else None
    if frame is None:
        raise Malformed("{word!r} is not a question", word)
    return frame
