"""A sensor's reading, shown to people: they accept it, choose its meaning, or see what does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from device.match import Proposal, Unclear
from device.menus.pickers import OnTheCopy
from device.menus.play import Play
from device.menus.ring import GridMenu, tell_cell
from device.menus.rules import tell_reason
from device.menus.ui import Ui
from device.menus.views import Item, Menu, Onward, TextReader, close, leave
from device.screen import CropPage, GridPage, HeaderMark, Page, PageHeader, Sign, TextPage
from device.texts import in_words
from engines import bags
from engines.bags import Bag
from engines.board import Board
from engines.contract import (
    Choice,
    Decide,
    Exact,
    Interpretation,
    Multiset,
    OutOfStep,
    Report,
    Several,
)
from engines.readings import TOTAL
from engines.remedies import Attempt
from engines.search import steps_of, whole_steps
from engines.words import Words

READ = Choice("", "")
"""The choice in the refusal of a reading: it answers no question, so it cannot stand."""


def withdraw(box: Ui, proposal: Proposal) -> None:
    """Withdraw the questions, texts and drafts of an earlier reading: the table has been read again.

    A reading without change in one field withdraws no question about another field.
    """
    gone = [view for view in box.stack if has_news(proposal) or view.seen == proposal.what]
    close(box, *[view for view in gone if view.of_sensor])
    for play in gone:
        if isinstance(play, Play) and play.begun_by_sensor and not _continues(play, proposal.meaning):
            play.begin()


def _continues(play: Play, meaning: Interpretation) -> bool:
    """Return True if the draft continues the meaning of a reading."""
    choices = meaning.choices if isinstance(meaning, Exact) else ()
    return bool(choices) and play.drafts[-1].choices[: len(choices)] == choices


def has_news(proposal: Proposal) -> bool:
    """Return True if there is anything to show: the table differs from the match."""
    return proposal.asked is not None or proposal.meaning != Exact(())


def show(box: Ui, play: Play, proposal: Proposal) -> None:
    """Ask people about a reading for which :func:`has_news` is true."""
    depth = len(box.stack)
    _show(box, play, proposal)
    for view in box.stack[depth:]:
        view.of_sensor, view.seen = True, proposal.what
        if box.door.find_policy(proposal) == "other":
            view.asks_others, view.asked = True, play.words("reading.title")


def _show(box: Ui, play: Play, proposal: Proposal) -> None:
    words, meaning = play.words, proposal.meaning
    if proposal.asked:
        box.push(_make_question_menu(box, play, proposal, proposal.asked))
        return
    if isinstance(meaning, OutOfStep):
        box.play_refusal()
        box.push(_make_out_of_step_page(box, play, meaning, proposal.what))
        return
    found = (meaning.choices,) if isinstance(meaning, Exact) else meaning.explanations
    at = play.match.points[-1]
    if isinstance(play.picker, OnTheCopy):  # a printed fact counts only once people have looked
        play.picker.show(found[0][0].token, [choices[0].token for choices in found[1:]])
        _say_why(box, words, proposal)
        return
    policy = box.door.find_policy(proposal)
    if policy == "auto":
        play.propose(found[0], at, proposal.channel)
        return
    begins = policy == "ask" and box.door.is_sure(proposal) and isinstance(meaning, Exact)
    if begins and _only_begins(play, found[0]):
        if not _continues(play, meaning):  # people who have answered more already go on
            play.propose(found[0], at)
            play.begun_by_sensor, play.seen = True, proposal.what
        return
    title = words("reading.title")
    if policy == "other" and isinstance(play.question.pending, Decide):
        title = words.name((play.question.pending.seats[0] + 1) % len(words.names))
    if counts := _find_counts(play, found):
        labels = counts.list_labels([choices[0].token for choices in found])
    else:
        labels = [_label(play, choices) for choices in found]
    if isinstance(meaning, Several) and len(set(meaning.chances)) > 1:
        labels = [f"{label} ({chance:.0%})" for label, chance in zip(labels, meaning.chances, strict=True)]
    acts = [leave(box, play.propose, choices, at) for choices in found]
    items = [Item(*each) for each in zip(labels, acts, strict=True)]
    percent, crop = round(proposal.confidence * 100), proposal.crop
    prompt = words("reading.prompt", percent=percent)
    if counts and play.picker:  # counts are long: they leave no room for more
        token = found[0][0].token
        number = bags.total(counts.domain.read(token))
        title, prompt = words("reading.counts", number=number, percent=percent), ""
        items.append(Item(words("reading.correct"), leave(box, play.picker.show, token)))
    else:
        items.append(Item(words("reading.no"), box.pop))
    box.push(CropMenu(box, title, prompt, items, crop) if crop else Menu(box, title, prompt, items))
    _say_why(box, words, proposal)


def _say_why(box: Ui, words: Words, proposal: Proposal) -> None:
    if proposal.why:
        why = words.texts.sentences(in_words(one, words.texts) for one in proposal.why)
        box.toast(why, about=proposal.what)


def _only_begins(play: Play, choices: Sequence[Choice]) -> bool:
    """Return True if choices leave a question of their step open, and nobody has begun another step.

    An answer to that question also accepts the choices; Back takes them back.
    """
    steps, begun = whole_steps(play.match.game, play.match.state, choices)
    return not steps and bool(begun) and (len(play.drafts) == 1 or play.begun_by_sensor)


def _label(play: Play, choices: Sequence[Choice]) -> str:
    """Return the label of choices: for one the name in its question, for several their steps in notation."""
    pending = play.question.pending
    if len(choices) == 1 and isinstance(pending, Decide) and choices[0].question == pending.question:
        return play.words.answer(choices[0], pending.figures)
    return play.words.texts.by_commas(steps_of(play.match.game, play.match.state, choices))


class CountsQuestion(msgspec.Struct, frozen=True):
    """Answers that are counts, in words."""

    words: Words
    question: str
    domain: Multiset

    def list_labels(self, tokens: Sequence[str]) -> list[str]:
        """Tell the first counts in full, and how the others differ from them."""
        first, *others = map(self.domain.read, tokens)
        return [self.tell(first), *(self._tell_instead(other, first) for other in others)]

    def _tell_instead(self, other: Bag, first: Bag) -> str:
        more, less = bags.without(other, first), bags.without(first, other)
        key = "instead" if more and less else "more" if more else "less"
        return self.words(f"counts.{key}", more=self.tell(more), less=self.tell(less))

    def tell(self, held: Bag) -> str:
        """Tell the number of each kind: ``2 red, 1 gray``."""
        listed = self.words.texts.by_commas(
            self.words("counts.of", n=copies, kind=self.name_kind(kind)) for kind, copies in bags.items(held)
        )
        return listed or self.words("counts.none")

    def name_kind(self, kind: int) -> str:
        """Return the name of a kind."""
        return self.words.choice(Choice(self.question, self.domain.kinds[kind]))

    def list_beyond(self, token: str) -> list[str]:
        """Return a line for each kind that has more than there can be."""
        caps, held = self.domain.caps, self.domain.read(token)
        if caps is None:
            return []
        return [
            self.words("counts.beyond", kind=self.name_kind(kind), seen=seen, most=bags.count(caps, kind))
            for kind, seen in bags.items(held)
            if seen > bags.count(caps, kind)
        ]

    def find_nearest(self, token: str) -> str:
        """Return the possible counts nearest to these."""
        held, caps = self.domain.read(token), self.domain.caps
        return self.domain.write(held if caps is None else held - bags.without(held, caps))


def _find_counts(play: Play, found: Sequence[Sequence[Choice]]) -> CountsQuestion | None:
    """Return the question in counts that these choices answer; None for any other."""
    pending = play.question.pending
    if not isinstance(pending, Report) or not isinstance(pending.domain, Multiset):
        return None
    if any([choice.question for choice in choices] != [pending.question] for choices in found):
        return None
    return CountsQuestion(play.words, pending.question, pending.domain)


def _make_question_menu(box: Ui, play: Play, proposal: Proposal, asked: Unclear) -> Menu:
    """Ask the sensor's question beside its picture or, without one, beside the board."""
    words = play.words

    def answer(meaning: Interpretation) -> None:
        # A person has answered: no doubt remains.
        box.door.answers += meaning == Exact(())
        box.door.propose(replace(proposal, meaning=meaning, confidence=1.0, asked=None, crop=b""))

    items = [
        Item(tell_cell(words, board, asked.cell), partial(answer, meaning))
        for board, meaning in asked.answers
    ]
    items.append(Item(words("grid.neither"), box.pop))
    title, prompt = words("reading.title"), words("grid.which", cell=asked.cell)
    if proposal.crop:
        return CropMenu(box, title, prompt, items, proposal.crop)
    board = _find_board(play, play.match.state, proposal.what)
    place = board.place(asked.cell) if board else None
    if board is None or place is None:
        return Menu(box, title, prompt, items)
    signs = ((place, Sign.ASKED),)
    return GridMenu(box, words, title, prompt, items, board, (-1,) * len(items), signs=signs)


class CropMenu(Menu):
    """A choice about a small picture."""

    def __init__(self, box: Ui, title: str, prompt: str, items: Sequence[Item], crop: bytes) -> None:
        """List ``items`` beside ``crop``, a PNG."""
        super().__init__(box, title, prompt, items)
        self.crop = crop

    def page(self) -> CropPage:
        """Show the picture and the lines."""
        return CropPage(self.box.header(self.title), self.prompt, self.crop, self.labels, self.index)


def _find_board(play: Play, state: Any, what: str) -> Board | None:
    """Return the board of the sight that was read; None for an answer, or for a sight without a board."""
    game = play.match.game
    sight = game.in_sight(state).get(what) if what else game.sight
    return sight.board(state) if sight else None


def _make_out_of_step_page(box: Ui, play: Play, meaning: OutOfStep, what: str) -> TextReader:
    """Show what does not fit: on the board, if the sight has one, then in words."""
    words, game = play.words, play.match.game
    differ = tuple(map(words.difference, meaning.differences))
    parts = [words("reading.out_of_step"), words.texts.by_commas(differ)]
    if meaning.refusal:
        parts.append(f"{meaning.refusal.clause}: {words.refusal(meaning.refusal)}")
    title = words("reading.title")
    if counts := _find_counts(play, [meaning.nearest] if meaning.nearest else []):
        return _make_cannot_be_page(box, play, meaning, counts)
    if meaning.refusal and all(map(TOTAL.fullmatch, meaning.differences)):
        attempt = Attempt(play.match, (), READ, meaning.refusal)
        told = tell_reason(words, attempt, lambda text: box.pages(TextPage(PageHeader(), text)))
        return TextReader(box, f"{title} {meaning.refusal.clause}", told, HeaderMark.REFUSED)
    text = "\n".join(parts)
    state = play.match.state
    for choice in meaning.nearest:
        state = game.rules.apply(state, choice)
    board = _find_board(play, state, what)
    signs = _find_signs(board, meaning.differences) if board else ()
    if board is None or not signs:
        return TextReader(box, title, text)
    header, prompt, more = box.header(title), words("grid.differs"), words("grid.more", n="{n}")
    picture = GridPage(header, prompt, board, about=differ, signs=signs, more=more)
    return Pictured(box, title, text, picture)


def _make_cannot_be_page(box: Ui, play: Play, meaning: OutOfStep, counts: CountsQuestion) -> TextReader:
    """Tell impossible counts, each with the possible number; OK goes on to the nearest possible ones."""
    words, (token, *_) = play.words, meaning.differences
    held = counts.domain.holds(token)
    nearest = meaning.nearest[0].token if meaning.nearest else counts.find_nearest(token) if held else ""
    seen = [counts.tell(counts.domain.read(token))] if held else [token]
    parts = [words("reading.cannot"), *((held and counts.list_beyond(token)) or seen)]
    if meaning.refusal:
        remedy = words.remedy(Attempt(play.match, (), READ, meaning.refusal))
        refused = f"{meaning.refusal.clause}: {words.refusal(meaning.refusal)}"
        parts.append(words.texts.sentences([refused, remedy]))
    if nearest in ("", token):
        return TextReader(box, words("reading.title"), "\n".join(parts))
    parts.append(words("reading.nearest", counts=counts.list_labels([nearest])[0]))
    correct = leave(box, play.picker.show, nearest) if play.picker else box.pop
    return Onward(box, words("reading.title"), "\n".join(parts), correct)


def _find_signs(board: Board, differences: Sequence[str]) -> tuple[tuple[int, Sign], ...]:
    """Return the signs on the board: a difference begins with + or - and names its cells."""
    found: dict[int, Sign] = {}
    for difference in differences:
        sign = Sign.MISSING if difference.startswith(Sign.MISSING) else Sign.EXTRA
        for place in board.named(difference):
            found[place] = sign if found.get(place, sign) is sign else Sign.BOTH
    return tuple(sorted(found.items()))


class Pictured(TextReader):
    """A picture, then a text of any length."""

    def __init__(self, box: Ui, title: str, text: str, picture: GridPage) -> None:
        """Show the picture before the text."""
        super().__init__(box, title, text)
        self._picture = picture

    def page(self) -> Page:
        """Show the picture, or the text at the current page."""
        text = super().page()
        header = text.header
        if self.at == 0:
            return replace(self._picture, header=header)
        return replace(text, page=self.at - 1)

    @property
    def last(self) -> int:
        """The number of the last screen; the picture is 0."""
        return self.box.pages(super().page())
