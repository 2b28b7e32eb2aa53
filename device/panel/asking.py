"""The question a match asks, as a page shows it: what may be answered, in words, and what it would record.

Nothing is kept here: a page sends the tokens chosen so far, and hears the next question, or what the whole
step would be. All read this page, so it tells what everybody may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from device.match import Kind, Replay, numbered
from engines import bags
from engines.board import Board
from engines.contract import (
    AnyDomain,
    Choice,
    Decide,
    Domain,
    Multiset,
    Number,
    Over,
    Picker,
    Printed,
)
from engines.errors import Malformed, Refused, Stale
from engines.fact_kinds import item_of, read, write, write_word
from engines.fact_words import FactWords
from engines.facts import Facts, schema
from engines.match import Match
from engines.refusals import why_none
from engines.remedies import Attempt
from engines.rules import load
from engines.words import Words


class Answer(msgspec.Struct, frozen=True):
    """One answer: its token, its name, whether it is legal, and the cell that it names, empty for none."""

    token: str
    label: str
    legal: bool
    cell: str = ""


class Verb(msgspec.Struct, frozen=True):
    """Answers that people call by one word; ``name`` is what the game calls it."""

    name: str
    label: str
    tokens: tuple[str, ...]


class Count(msgspec.Struct, frozen=True):
    """One kind to be counted: its letter, its name, how many to begin with, and the most, None for any."""

    letter: str
    label: str
    start: int
    cap: int | None


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What is entered where the answers are not listed: a ``number``, ``counts`` or a printed ``fact``.

    ``says`` is what it takes, in words. A number and a sum of counts is ``least`` to ``most``. ``value`` is
    what the fact begins with, as people write it, empty for nothing. ``words`` are what a fact is one of, or
    what the items of a ``several`` are, each with what it is called.
    """

    kind: str
    says: str
    least: int = 0
    most: int = 0
    start: int = 0
    counts: tuple[Count, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    several: bool = False
    value: str = ""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A question and what was chosen before it.

    ``head`` is the last record it takes into account, see :func:`entered`. ``tokens`` are all chosen so far,
    those among them that nobody had a choice about. ``act`` is whether the page may record it. ``said`` is
    the step as far as it goes, in words; once ``whole`` it is what would be recorded, and nothing more is
    asked; ``gives_up`` asks whether they mean it: it ends or gives up something, or a sure scale counts
    otherwise. ``covered`` says what people do before a choice that each makes unseen; until they say that it
    is done no answer is told. ``board`` is the sight whose cells the answers name, empty for none.
    """

    head: int
    tokens: tuple[str, ...]
    act: bool = True
    who: str
    seat: int | None
    prompt: str
    about: tuple[str, ...] = ()
    said: str = ""
    gives_up: str = ""
    whole: bool = False
    over: bool = False
    covered: str = ""
    board: str = ""
    answers: tuple[Answer, ...] = ()
    verbs: tuple[Verb, ...] = ()
    entry: Entry | None = None


class Why(msgspec.Struct, frozen=True):
    """A refusal: the reason with its figures, what would do, the entries behind it, and the clause."""

    what: str
    reason: str
    remedy: str
    evidence: tuple[str, ...]
    clause: str
    text: str


class Begun(msgspec.Struct, frozen=True):
    """A step as far as it is chosen: the state it begins in, its choices, where they lead, who makes it."""

    before: Any
    choices: tuple[Choice, ...]
    state: Any
    seat: int | None
    sealed: bool
    whole: bool


def begun(match: Match, tokens: Sequence[str]) -> Begun:
    """The step that ``tokens`` begin, with every choice after them that is the only one.

    Raises :class:`engines.errors.Malformed` for a token that answers nothing, ``Refused`` for one that is not
    legal, ``Stale`` once the match is over.
    """
    game, state, pending = match.game, match.state, match.pending
    if isinstance(pending, Over):
        raise Stale("the match is over")
    seat = pending.seats[0] if isinstance(pending, Decide) else None
    asked = game.rules.pending(state)
    sealed = isinstance(asked, Decide) and len(asked.seats) > 1
    choices: list[Choice] = []
    for text in tokens:
        if isinstance(pending, Over) or (choices and (sealed or not pending.open)):
            raise Malformed(f"{text!r}: the step is whole before it")
        choice = Choice(pending.question, _token(pending.domain, text))
        if refusal := game.rules.why_not(state, choice, seat):
            raise Refused(refusal, choice.token)
        choices.append(choice)
        if not sealed:
            state = game.rules.apply(state, choice)
            pending = game.rules.pending(state)
    while choices and not sealed and pending.open and len(only := game.rules.legal(state)) == 1:
        choices += only
        state = game.rules.apply(state, only[0])
        pending = game.rules.pending(state)
    return Begun(
        match.state, tuple(choices), state, seat, sealed, bool(choices) and (sealed or not pending.open)
    )


def _token(domain: AnyDomain, text: str) -> str:
    """The domain's own token; of a printed fact what people write."""
    if domain.holds(text):
        return text
    if isinstance(domain, Printed):
        try:
            return write_word(domain.kind, read(domain.kind, text))
        except msgspec.MsgspecError:
            pass
    takes = "" if isinstance(domain, Domain) else f"; it is {domain.said}"
    raise Malformed(f"{text!r} does not answer that{takes}")


def entered(replay: Replay) -> int:
    """The number of the last record that may have changed the question, 0 before the first.

    Notes and readings change nothing: a camera that looks does not outdate a step half chosen.
    """
    changing = (Kind.STEP, Kind.REPORT, Kind.RULING)
    return next((record.seq for record in reversed(replay.log) if record.kind in changing), 0)


def asked(replay: Replay, words: Words, tokens: Sequence[str] = (), *, shown: bool = False) -> Asked:
    """What is asked after ``tokens``, or what they make. What the table has shown already is chosen.

    ``shown`` says that all have chosen what they choose unseen. Raises as :func:`begun`.
    """
    match, game = replay.match, replay.game
    head = entered(replay)
    pending = match.pending
    if isinstance(pending, Over) or replay.abandoned:
        prompt = words("play.abandoned") if replay.abandoned else words.prompt(pending)
        return Asked(head=head, tokens=(), who="", seat=None, prompt=prompt, over=True)
    if not tokens:
        tokens = [choice.token for choice in replay.remembered()[0]]
    step = begun(match, tokens)
    now = Asked(
        head=head,
        tokens=tuple(choice.token for choice in step.choices),
        who=words.name(step.seat) if step.sealed else words.actor(pending),
        seat=step.seat,
        prompt="",
        said=words.by(step.seat, words.said(match.state, step.choices)) if step.choices else "",
        gives_up=_given_up(match, words, step),
        whole=step.whole,
    )
    if step.whole:
        return now
    pending = pending if not step.choices else game.rules.pending(step.state)
    assert not isinstance(pending, Over)
    now = msgspec.structs.replace(
        now, prompt=words.prompt(pending), about=tuple(words.told(game.telling.about(step.state)))
    )
    if step.sealed and not shown:
        return msgspec.structs.replace(now, covered=words("play.reveal"))
    domain = pending.domain
    if not isinstance(domain, Domain):
        return msgspec.structs.replace(now, entry=_entry(words, pending.question, domain))
    board, name = _board(replay, step.state, domain)
    legal = game.rules.legal(step.state, step.seat)
    every = dict.fromkeys((*(Choice(pending.question, token) for token in domain.tokens), *legal))
    may = set(legal)
    answers = (
        Answer(one.token, words.answer(one, pending.figures), one in may, _cell(board, one.token))
        for one in every
    )
    verbs = (
        Verb(verb.name, words(f"verb.{verb.name}", pending.figures), verb.tokens) for verb in domain.verbs
    )
    return msgspec.structs.replace(now, board=name, answers=tuple(answers), verbs=tuple(verbs))


def _given_up(match: Match, words: Words, step: Begun) -> str:
    """What a step ends or gives up, as a question to whoever makes it; empty where it does neither."""
    state, rules = match.state, match.game.rules
    for choice in () if step.sealed else step.choices:
        if label := rules.gives_up(state, choice):
            return words(label.key, label.figures)
        state = rules.apply(state, choice)
    return ""


def _board(replay: Replay, state: Any, domain: Domain) -> tuple[Board | None, str]:
    """The board that a domain's cells stand on, and its sight's name."""
    if domain.picker is not Picker.GRID:
        return None, ""
    game = replay.game
    sight = game.in_sight(state)[domain.sight] if domain.sight else game.sight
    board = sight.board(sight.of(state))
    return board, sight.NAME if board else ""


def _cell(board: Board | None, token: str) -> str:
    place = board.place(token) if board else None
    return board.name(place) if board and place is not None else ""


def _entry(words: Words, question: str, domain: Multiset | Number | Printed) -> Entry:
    if isinstance(domain, Number):
        return Entry(
            kind="number", says=domain.said, least=domain.least, most=domain.most, start=domain.begun
        )
    if isinstance(domain, Printed):
        facts = schema(words.game.id)
        told, fact = FactWords(facts, words.texts), facts.fact(domain.name)
        one, item = told.choices(domain.kind), item_of(domain.kind)
        said = told.range(domain.kind, Facts.of(facts)) or told.domain(domain.kind)
        return Entry(
            kind="fact",
            says=told.label(fact) if one else f"{told.label(fact)}: {said}",
            words=told.choices(item) if item else one,
            several=item is not None,
            value="" if domain.supposed is None else write(domain.kind, domain.supposed),
        )
    size = len(domain.kinds)
    caps = [None] * size if domain.caps is None else bags.counts(domain.caps, size)
    start = bags.counts(domain.start, size)
    counts = (
        Count(letter, words.choice(Choice(question, letter)), begun, cap)
        for letter, begun, cap in zip(domain.kinds, start, caps, strict=True)
    )
    return Entry(kind="counts", says=domain.said, least=domain.least, most=domain.most, counts=tuple(counts))


def why(replay: Replay, words: Words, tokens: Sequence[str], verb: str = "") -> Why | None:
    """Why the last of ``tokens`` is not legal after the others, or nothing of ``verb`` after them all; None
    where it is. Raises as :func:`begun`.
    """
    if not tokens and not verb:
        return None
    match, game = replay.match, replay.game
    *before, last = (*tokens, verb) if verb else tokens
    step = begun(match, before)
    pending = game.rules.pending(step.state)
    if isinstance(pending, Over) or step.whole:
        raise Malformed(f"{last!r}: the step is whole before it")
    if verb:
        choice, refusal = why_none(game.rules, step.state, verb, step.seat) or (
            Choice(pending.question, verb),
            None,
        )
        what = words(f"verb.{verb}", pending.figures)
    else:
        choice = Choice(pending.question, _token(pending.domain, last))
        what, refusal = words.choice(choice), game.rules.why_not(step.state, choice, step.seat)
    if not refusal:
        return None
    clause = load(game.id).clause(refusal.clause)
    return Why(
        what=what,
        reason=words.refusal(refusal),
        remedy=words.remedy(Attempt(match, step.choices, choice, refusal, step.seat)),
        evidence=tuple(numbered(replay, words, line) for line in replay.evidence(refusal)),
        clause=clause.id,
        text=clause.text,
    )
