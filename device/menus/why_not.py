"""Why not: what a refusal says, and what people can do about it; and the rules at the table, by chapter, or
by a word that stands in them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from device.match import Question
from device.menus.grid import GridMenu
from device.menus.ui import Ui, View
from device.menus.views import Act, Item, LabelWheel, Menu, TextReader, show
from device.screen import HeaderMark, Page, PageHeader, TextPage
from engines.contract import Choice, Refusal
from engines.match import Match
from engines.remedies import Attempt
from engines.rules import Clause, Rules, spoken
from engines.texts import breadth
from engines.words import Words


def rules_menu(box: Ui, game: str) -> Menu:
    """List the rules of the game with this id."""
    rules, t = spoken(game, box.game_texts[game]), box.texts
    items = [Item(t("rules.find"), show(box, _letters, rules))]
    items += [Item(title, show(box, _among, rules, title, found)) for title, found in rules.sections.items()]
    return Menu(box, t("rules.title"), "", items)


def clause_page(box: Ui, clause: Clause) -> TextReader:
    """Show a clause under the title of its chapter."""
    return TextReader(box, clause.section, clause.text)


def _letters(box: Ui, rules: Rules) -> View:
    """Offer what words begin with: a letter, or a row of those that a wheel does not hold all."""
    rows = box.texts("new.letters").split("|")
    begun: dict[str, list[str]] = {}
    for word in rules.index:
        letter = rules.reading(word)[0].upper()
        row = next((row for row in rows[1:] and rows if letter in row), letter)
        begun.setdefault(row[0], []).append(word)
    items = [Item(first, show(box, _words, rules, first, words)) for first, words in begun.items()]
    return LabelWheel(box, box.texts("rules.title"), box.texts("rules.letter"), items)


def _words(box: Ui, rules: Rules, first: str, words: Sequence[str]) -> View:
    items = [Item(word, show(box, _found, rules, word)) for word in words]
    return Menu(box, first, box.texts("rules.word"), items)


def _found(box: Ui, rules: Rules, word: str) -> View:
    return _among(box, rules, word, rules.search(word))


def _among(box: Ui, rules: Rules, title: str, clauses: Sequence[Clause]) -> View:
    """List clauses, or show the only one."""
    if len(clauses) == 1:
        return clause_page(box, clauses[0])
    items = [Item(rules.subject(clause), show(box, clause_page, clause)) for clause in clauses]
    return Menu(box, box.texts("rules.title"), title, items)


Evidence = tuple[str, Callable[[], None]]
"""An entry that rules something out: how it is shown, and what opens it."""

Verb = tuple[str, Act]
"""What a choice stands for that is refused with all its like: what it is called, and what opens them."""

TITLE = 18
"""How many characters fit into a header without scores."""

SIGN = 5
"""How many of them the signs beside it take."""


class RefusedAt(View):
    """The question that a choice was refused at: a step being put together."""

    words: Words
    drafts: list[Question]
    """The points of the draft, the one that it has reached last."""

    @property
    def match(self) -> Match:
        """The match that the step is made in, at the point where the step begins."""
        raise NotImplementedError

    def evidence(self, refusal: Refusal) -> list[Evidence]:
        """Return the entries that a refusal by knowledge rests on, as far as they open from here."""
        return []

    def choose(self, choice: Choice, overruled: str = "") -> None:
        """Take a choice; ``overruled`` is the clause that forbids it, where it is to stand all the same."""
        raise NotImplementedError

    def return_to(self, choice: Choice | None = None) -> None:
        """Come back to the question from what was opened over it, the cursor on ``choice`` if given."""
        raise NotImplementedError


def say(step: RefusedAt, choice: Choice, refusal: Refusal, verb: Verb | None = None) -> None:
    """Say why, and let people ask further or overrule."""
    step.box.refused()
    step.box.push(WhyNot(step, choice, refusal, verb))


def reason(words: Words, attempt: Attempt, pages: Callable[[str], int]) -> str:
    """Say why, and what would do: two paragraphs, or one if ``pages`` finds two longer than a screen."""
    told = [text for text in (words.refusal(attempt.refusal), words.remedy(attempt)) if text]
    apart = "\n".join(told)
    return apart if pages(apart) == 1 else " ".join(told)


class WhyNot(TextReader):
    """A refusal: what was tried, why not, what would do. OK leads on to what people can do about it."""

    def __init__(self, step: RefusedAt, choice: Choice, refusal: Refusal, verb: Verb | None = None) -> None:
        """Show why ``choice`` is refused, or all of its ``verb`` if one is given; ``step`` stands below."""
        box, words, draft = step.box, step.words, step.drafts[-1]
        self._attempt = draft.attempt(step.match, choice, refusal)
        text = reason(words, self._attempt, lambda text: box.pages(TextPage(PageHeader(), text)))
        super().__init__(box, "", text, HeaderMark.REFUSED)
        name = verb[0] if verb else words.choice(choice)
        self.title = self._tried(*map(words.choice, draft.choices), name) or words.actor(draft.asked)
        self._verb = verb
        self._step, self._choice, self._refusal = step, choice, refusal
        self._draft = draft

    def _tried(self, *names: str) -> str:
        """Name what was chosen, as much of its end as fits whole; empty where nothing does."""
        shown = self.box.header()
        room = TITLE - SIGN * (shown.simulated or shown.sample)
        tries = (" ".join(names[at:]) for at in range(len(names)))
        words = names[-1].split()
        begun = (" ".join(words[:count]).rstrip(":") for count in range(len(words), 0, -1))
        return next((text for text in (*tries, *begun) if breadth(text) <= room), "")

    def page(self) -> Page:
        """Show the reason, without the scores: they would take the title's room."""
        page = super().page()
        return replace(page, header=replace(page.header, right="", private=self._draft.sealed))

    def go_on(self) -> None:
        """Show what people can do about it."""
        self.box.push(self._menu())

    def _menu(self) -> Menu:
        box, step, words, refusal = self.box, self._step, self._step.words, self._refusal
        prompt = words("play.what_now")
        items = [Item(words("refusal.leave"), step.return_to)]
        if not self._draft.sealed:
            if self._attempt.may_stand:
                items.append(Item(words("refusal.overrule"), self._overrule))
            else:
                prompt = words("refusal.impossible")
        if self._draft.legal:
            items.append(Item(words("refusal.possible"), lambda: box.push(self._possible())))
        clause = spoken(words.game.id, words.texts).clause(refusal.clause)
        items.append(Item(words("refusal.rule"), show(box, clause_page, clause)))
        seen = step.evidence(refusal)
        items += [Item(words("refusal.seen", (), entry=entry), act) for entry, act in seen]
        return Menu(box, self.title, prompt, items)

    def _overrule(self) -> None:
        step = self._step
        step.return_to()
        if step.drafts[-1] is self._draft and self._verb:
            self._verb[1]()
        elif step.drafts[-1] is self._draft:
            step.choose(self._choice, self._refusal.clause)
        else:  # entries lost, or made elsewhere, have changed the question
            step.box.toast(step.words("consent.moved_on"))

    def _possible(self) -> Menu:
        """List what is legal; OK goes there. Cells stand on their board."""
        box, step, words, board = self.box, self._step, self._step.words, self._draft.board
        placed = [(board.place(one.token) if board else None, one) for one in self._draft.legal]
        if board:  # cells first, in reading order
            placed.sort(key=lambda each: (each[0] is None, each[0] or 0))
        items = [Item(words.choice(one), partial(step.return_to, one)) for _, one in placed]
        if not board:
            return Menu(box, words("refusal.legal"), "", items)
        places = [-1 if place is None else place for place, _ in placed]
        return GridMenu(box, words, "", words("refusal.possible"), items, board, places)
