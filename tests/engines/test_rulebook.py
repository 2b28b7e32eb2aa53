"""A rulebook put together from chapters: two throws of a coin, called before each."""

import sys
from functools import partial
from types import ModuleType

import pytest
from msgspec import Struct

from engines.contract import Choice, Domain, Number
from engines.errors import Impossible
from engines.kit.checks import Objection
from engines.kit.rulebook import Rulebook

CALLS = Domain("call", ("heads", "tails", "edge"))
THROWS = Domain("throw", ("heads", "tails"))


class Frame(Struct, frozen=True):
    question: str
    open: bool = False


class State(Struct, frozen=True):
    seat: int = 0
    frames: tuple[Frame, ...] = ()
    termination: str = ""
    waived: tuple[str, ...] = ()
    adjusted: tuple[int, ...] = (0, 0)


@pytest.fixture
def book():
    book = Rulebook(ended={"out": "C-9"})
    book.asks(CALLS, "action")
    book.asks(lambda _: THROWS, "throw", report=True)

    @book.figures("throw")
    def figures_throw(state):
        return (("seat", state.seat),)

    @book.lists("action")
    def list_action(_state):
        return book.listed("action", ["heads", "tails"])

    @book.check("call.edge", "C-1", "action")
    def check_call_edge(_state, token):
        return Objection() if token == "edge" else None

    @book.effect("action")
    def effect_action(state, token):
        return State(state.seat, (Frame("throw"),), waived=state.waived)

    @book.lists("throw")
    def list_throw(_state):
        return book.listed("throw", THROWS.tokens)

    @book.effect("throw")
    def effect_throw(state, token):
        return State(1 - state.seat, waived=state.waived)

    @book.fits("throw")
    def fits_throw(state):
        return state.seat == 0

    return book


@pytest.fixture
def bidding(book, monkeypatch):
    """After a call each says a number, 13 never; every clause C-2 is broken at any time."""
    book.asks(Number("bid", 0, 99), "bid")
    book.effect("bid")(lambda state, token: State(1 - state.seat, waived=state.waived))
    book.check("bid.unlucky", "C-3", "bid")(lambda _, token: Objection() if token == "13" else None)
    monkeypatch.setattr(book, "broken", lambda _: {"C-2"})
    return book.of(sys.modules[__name__])


def test_what_is_too_much_to_list_has_an_answer(bidding):
    asked = State(0, (Frame("bid"),))
    assert bidding.legal(asked) == []
    assert bidding.answerable(asked)


def test_after_a_waived_clause_an_unlisted_answer_by_the_rules_breaks_no_more(bidding):
    asked = State(0, (Frame("bid"),), waived=("C-1",))
    assert bidding.apply(asked, Choice("bid", "57")).waived == ("C-1",)
    assert bidding.why_not(asked, Choice("bid", "13")).clause == "C-3"
    assert bidding.overrule(asked, Choice("bid", "13"), "C-3").waived == ("C-1", "C-2", "C-3")


def test_a_method_that_no_rulebook_has_is_no_part(book):
    def settle(state):
        return state

    with pytest.raises(ValueError, match="no method 'settle'"):
        book.method(settle)


@pytest.mark.parametrize("register", ["lists", "effect", "possible", "figures", "fits"])
def test_nothing_is_said_twice_of_a_question(register):
    book = Rulebook()
    getattr(book, register)("throw")(lambda *_: None)
    with pytest.raises(ValueError, match="'throw' is there twice"):
        getattr(book, register)("throw")(lambda *_: None)


def test_a_question_is_asked_by_one_chapter(book):
    with pytest.raises(ValueError, match="'action' is there twice"):
        book.asks(THROWS, "action")


def test_a_whole_book_is_itself(book, bidding):
    assert book.of(sys.modules[__name__]) is book


TOSSED = State(frames=(Frame("toss"),))


def test_a_question_without_a_list_and_a_check_lists_all_its_answers(book):
    book.asks(CALLS, "toss")
    book.effect("toss")(lambda _state, _token: State())
    assert [choice.token for choice in book.of(sys.modules[__name__]).legal(TOSSED)] == [*CALLS.tokens]


def test_a_question_without_a_list_lists_what_no_check_refuses(book):
    book.asks(CALLS, "toss")
    book.effect("toss")(lambda _state, _token: State())
    book.check("soft", "C-1", "toss")(partial(check_call, "heads"))
    passed = [token for token in CALLS.tokens if token != "heads"]
    assert [choice.token for choice in book.of(sys.modules[__name__]).legal(TOSSED)] == passed


def chapter(book, name):
    """A module that registers a check of its name, which refuses each call."""
    module = ModuleType(name)
    module.register = lambda: book.check(name, "C-1", "toss")(lambda _state, _token: Objection())
    exec("register()", vars(module))
    return module


def test_checks_are_asked_chapter_by_chapter_whichever_was_imported_first(book):
    book.asks(CALLS, "toss")
    book.effect("toss")(lambda _state, _token: State())
    second, first = (chapter(book, name) for name in ("second", "first"))
    refusal = book.of(sys.modules[__name__], first, second).why_not(TOSSED, Choice("toss", "heads"))
    assert (refusal.check, refusal.depth) == ("first", 0)


def test_what_a_check_of_pieces_refuses_does_not_stand(book):
    book.asks(CALLS, "toss")
    book.effect("toss")(lambda state, _token: State(waived=state.waived))
    book.lists("toss")(lambda _state: [])
    for name, token in (("soft", "heads"), ("hard", "edge")):
        test = partial(check_call, token)
        book.check(name, "C-1", "toss", pieces=name == "hard")(test)
    assert book.overrule(TOSSED, Choice("toss", "heads"), "C-1").waived == ("C-1",)
    with pytest.raises(Impossible):
        book.overrule(TOSSED, Choice("toss", "edge"), "C-1")


def check_call(refused, _state, token):
    return Objection() if token == refused else None


@pytest.mark.parametrize(
    ("write", "lacking"),
    [
        (lambda book: book.asks(CALLS, "toss"), "'toss' has no effect in"),
        (lambda book: book.asks(Number("n", 0, 9), "toss"), "'toss' has no effect in"),
        (lambda book: book.effect("toss")(None), r"'toss' has no answers \(asks\) in"),
        (lambda book: book.check("high", "C-1", "toss")(None), r"'toss' has no answers"),
        (lambda book: book.fits("toss")(None), r"'toss' has no answers"),
    ],
)
def test_a_question_that_lacks_something_is_named(book, write, lacking):
    write(book)
    with pytest.raises(ValueError, match=f"{lacking}.*test_rulebook"):
        book.of(sys.modules[__name__])


def test_a_book_has_the_question_of_a_turn():
    with pytest.raises(ValueError, match="question 'action' has no answers"):
        Rulebook().of(sys.modules[__name__])
    with pytest.raises(ValueError, match=r"no effect in this rulebook$"):
        Rulebook().of()
