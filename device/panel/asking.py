"""The question of a match for a page: its possible answers in words, and the step that it would record.

This module keeps nothing: a page sends the tokens chosen so far and gets the next question, or the whole
step. Everybody reads the page, so it shows only what everybody may know.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import msgspec

from device.match import CHANGING, Question, Replay, tell_numbered
from device.texts import said
from engines import bags
from engines.board import Board
from engines.contract import (
    Choice,
    Decide,
    Domain,
    Multiset,
    Number,
    Over,
    Printed,
)
from engines.errors import Malformed, Stale
from engines.fact_kinds import item_of, write
from engines.fact_words import FactWords
from engines.facts import Facts, schema
from engines.match import Match
from engines.rules import spoken
from engines.words import Words


class OfferedAnswer(msgspec.Struct, frozen=True):
    """An answer: its token, its name, True if it is legal, and the cell that it names, empty for none."""

    token: str
    label: str
    legal: bool
    cell: str = ""


class OfferedVerb(msgspec.Struct, frozen=True):
    """Answers that people call by one verb; ``name`` is the game's id of the verb."""

    name: str
    label: str
    tokens: tuple[str, ...]


class OfferedCount(msgspec.Struct, frozen=True):
    """A kind to count: its letter, its name, the count at the start, and the most, None for any number."""

    letter: str
    label: str
    start: int
    cap: int | None


class Unlisted(msgspec.Struct, frozen=True, kw_only=True):
    """An answer to enter, not to pick from a list: a ``number``, ``counts`` or a printed ``fact``.

    ``says`` describes it in words. A number, or a sum of counts, is from ``least`` to ``most``. ``value`` is
    the fact at the start, as people write it, empty for none. ``words`` are the values of a fact, or of the
    items of a ``several``, each with its name.
    """

    kind: str
    says: str
    least: int = 0
    most: int = 0
    start: int = 0
    counts: tuple[OfferedCount, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    several: bool = False
    value: str = ""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A question and the choices before it.

    ``head`` is the last record that it takes into account, see :func:`find_last_change`. ``tokens`` are all
    choices so far, including forced ones. ``act`` is True if the page may record it. ``said`` is the step so
    far in words; once ``whole``, it is the step to record, and nothing more is asked. ``gives_up`` asks for
    confirmation: the step ends or gives up something, or a sure scale counts otherwise. ``ends`` is True if
    somebody else is asked after it, or if it shows hidden pieces and so cannot be undone. ``covered`` tells
    people what to do before a choice that each makes unseen; until they confirm, there are no answers.
    ``question`` is the game's id of it, ``board`` the sight whose cells the answers name, empty for none.
    """

    head: int
    tokens: tuple[str, ...]
    act: bool = True
    who: str
    seat: int | None
    prompt: str
    question: str = ""
    about: tuple[str, ...] = ()
    said: str = ""
    gives_up: str = ""
    whole: bool = False
    ends: bool = False
    over: bool = False
    covered: str = ""
    board: str = ""
    answers: tuple[OfferedAnswer, ...] = ()
    verbs: tuple[OfferedVerb, ...] = ()
    entry: Unlisted | None = None


class WhyIllegal(msgspec.Struct, frozen=True):
    """A refusal: its reason with figures, the remedy, the entries behind it, and the clause.

    ``may_stand`` is True if people may let the choice stand all the same.
    """

    what: str
    reason: str
    remedy: str
    evidence: tuple[str, ...]
    clause: str
    text: str
    may_stand: bool = False


def begin_step(match: Match, tokens: Sequence[str], seats: Collection[int | None]) -> Question:
    """Begin a step with ``tokens`` and go on through every forced choice after them.

    If several seats are asked at once, it is the step of the first of ``seats`` without an answer. Raises
    :class:`engines.errors.Malformed` for a token that answers nothing, ``Refused`` for one that is not legal,
    ``Stale`` once the match is over.
    """
    asked = match.pending.seats if isinstance(match.pending, Decide) else ()
    own = next((seat for seat in asked if seat in seats), None)
    question = Question.at(match.game, match.state, match.pending, own)
    if isinstance(question.pending, Over):
        raise Stale(said("stopped.over"))
    for text in tokens:
        if question.whole:
            raise Malformed(f"{text!r}: the step is whole before it")
        question = question.take(text)
    return question.take_forced()


def find_last_change(replay: Replay) -> int:
    """Return the number of the last record that may have changed the question, 0 before the first.

    Notes and readings change nothing: a camera that looks does not outdate a half-chosen step. Nor does a
    call, a pause, or an opinion about the score.
    """
    log = replay.log
    changes = (one.seq for one in reversed(log) if one.play or isinstance(log.read_ruling(one), CHANGING))
    return next(changes, 0)


def ask_next(
    replay: Replay,
    words: Words,
    tokens: Sequence[str] = (),
    *,
    shown: bool = False,
    seats: Collection[int | None] = (),
    held: Callable[[int | None], str] = lambda _: "",
) -> Asked:
    """Return the question after ``tokens``, or the step that they make. Known outcomes of the table are taken
    as chosen.

    ``shown`` is True once all have made their unseen choices. ``seats`` are the seats of this page, and
    ``held`` returns the hand that it told for one of them. Raises as :func:`begin_step`.
    """
    match, pending = replay.match, replay.match.pending
    head = find_last_change(replay)
    if isinstance(pending, Over) or replay.abandoned:
        prompt = words("play.abandoned") if replay.abandoned else words.prompt(pending)
        return Asked(head=head, tokens=(), who="", seat=None, prompt=prompt, over=True)
    if not tokens:
        tokens = [choice.token for choice in replay.find_remembered()[0]]
    step = begin_step(match, tokens, seats)
    gives_up, then = step.gives_up, step.pending
    now = Asked(
        head=head,
        tokens=tuple(choice.token for choice in step.choices),
        who=words.name(step.seat) if step.sealed else words.actor(pending),
        seat=step.seat,
        prompt="",
        said=words.by(step.seat, words.said(step.before, step.choices)) if step.choices else "",
        gives_up=words(gives_up.key, gives_up.figures) if gives_up else "",
        whole=step.whole,
        ends=step.whole and (not isinstance(then, Decide) or then.seats != (step.seat,) or step.exposes),
    )
    if step.whole:
        return now
    about = tuple(words.labels(step.game.telling.about(step.state)))
    now = msgspec.structs.replace(now, prompt=words.prompt(step.pending), about=about)
    if step.sealed and not shown and seats != (step.seat,):
        return msgspec.structs.replace(now, covered=words("play.reveal"))
    domain = step.asked.domain
    now = msgspec.structs.replace(now, question=step.asked.question)
    if not isinstance(domain, Domain):
        return msgspec.structs.replace(now, entry=_describe_entry(words, step.asked.question, domain))
    name, board = step.sight
    exact = step.list_legal_for(step.seat, held(step.seat))
    may = set(step.legal if exact is None else exact)
    answers = (
        OfferedAnswer(one.token, step.label(words, one), one in may, _name_cell(board, one.token))
        for one in dict.fromkeys((*step.every, *step.legal))
    )
    verbs = (
        OfferedVerb(verb.name, words(f"verb.{verb.name}", step.pending.figures), verb.tokens)
        for verb in step.verbs
    )
    return msgspec.structs.replace(now, board=name, answers=tuple(answers), verbs=tuple(verbs))


def _name_cell(board: Board | None, token: str) -> str:
    place = board.place(token) if board else None
    return board.name(place) if board and place is not None else ""


def _describe_entry(words: Words, question: str, domain: Multiset | Number | Printed) -> Unlisted:
    if isinstance(domain, Number):
        return Unlisted(
            kind="number", says=domain.said, least=domain.least, most=domain.most, start=domain.begun
        )
    if isinstance(domain, Printed):
        facts = schema(words.game.id)
        told, fact = FactWords(facts, words.texts), facts.fact(domain.name)
        one, item = told.choices(domain.kind), item_of(domain.kind)
        values = told.range(domain.kind, Facts.of(facts)) or told.domain(domain.kind)
        return Unlisted(
            kind="fact",
            says=told.label(fact) if one else f"{told.label(fact)}: {values}",
            words=told.choices(item or domain.kind),
            several=item is not None,
            value="" if domain.supposed is None else write(domain.kind, domain.supposed),
        )
    size = len(domain.kinds)
    caps = [None] * size if domain.caps is None else bags.counts(domain.caps, size)
    start = bags.counts(domain.start, size)
    counts = (
        OfferedCount(letter, words.choice(Choice(question, letter)), begun, cap)
        for letter, begun, cap in zip(domain.kinds, start, caps, strict=True)
    )
    return Unlisted(
        kind="counts", says=domain.said, least=domain.least, most=domain.most, counts=tuple(counts)
    )


def explain_illegal(
    replay: Replay,
    words: Words,
    tokens: Sequence[str],
    verb: str = "",
    *,
    seats: Collection[int | None] = (),
    held: Callable[[int | None], str] = lambda _: "",
) -> WhyIllegal | None:
    """Say why the last of ``tokens`` is not legal after the others, or no answer of ``verb`` after them all.

    Returns None if it is legal. ``seats`` and ``held`` are as in :func:`ask_next`, which raises the
    same. A refusal only by the told hand has no clause: nobody else hears of it.
    """
    if not tokens and not verb:
        return None
    *before, last = (*tokens, verb) if verb else tokens
    step = begin_step(replay.match, before, seats)
    if step.whole:
        raise Malformed(f"{last!r}: the step is whole before it")
    mine = held(step.seat)
    exact = step.list_legal_for(step.seat, mine)
    if verb:
        found, what = step.why_none(verb), words(f"verb.{verb}", step.pending.figures)
    else:
        choice = step.read(last)
        refused, what = step.why_not(choice), words.choice(choice)
        found = (choice, refused) if refused else None
    if not found:
        lacking = exact is not None and not verb and choice not in exact
        return WhyIllegal(what, words("play.not_held", held=mine), "", (), "", "") if lacking else None
    choice, refusal = found
    clause = spoken(replay.game.id, words.texts).clause(refusal.clause)
    attempt = step.make_attempt(replay.match, choice, refusal)
    return WhyIllegal(
        what=what,
        reason=words.refusal(refusal),
        remedy=words.remedy(attempt),
        evidence=tuple(tell_numbered(replay, words, line) for line in replay.find_evidence(refusal)),
        clause=clause.id,
        text=clause.text,
        may_stand=not verb and not step.sealed and attempt.may_stand,
    )
