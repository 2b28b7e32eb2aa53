"""What is asked, legal and happens: the chapters of the rules put together."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engines.contract import (
    SEATS,
    Choice,
    Key,
    Level,
    Option,
    Pending,
    Setup,
)
from engines.errors import BadSetup, Malformed
from engines.kit import options
from engines.kit.rulebook import Rulebook
from engines.pools import Zone
from engines.san_gimignano import (
    deals,
    drawing,
    moves,
    play,
    position,
    possible,
    problems,
    questions,
    worlds,
)
from engines.san_gimignano.checks import CHECKS, fact
from engines.san_gimignano.state import (
    HIDDEN,
    Deals,
    Hand,
    Nobles,
    State,
    may_be_hand,
)

SEVERAL = ("2", "3", "4", "5", "6", "target")
"""How many deals a match may have that is not of one."""


OPTIONS = (
    Option("donazione", ("may", "must"), "SG-5.1"),
    Option("nobles", ("no", "yes"), "SG-9.1"),
    Option("pietra_guard", ("no", "yes"), "SG-9.5", needs=("nobles", ("yes",))),
    Option("deals", ("1", *SEVERAL), "SG-10.1"),
    Option("target", ("120", "60", "80", "100", "150", "200"), "SG-10.1", needs=("deals", ("target",))),
    Option("closer_penalty", ("yes", "no"), "SG-10.2", needs=("deals", SEVERAL)),
)


class Book(Rulebook[State, Hand]):
    """What is asked, legal and happens."""

    def start(self, setup: Setup) -> State:
        """The deal of SG-1.2 with the first market still to be reported, or the setup's position."""
        if setup.seats != 2 or setup.start not in (0, 1):
            raise BadSetup("San Gimignano is for two players, seats a and b (SG-1.1)")
        chosen = options.chosen("San Gimignano", OPTIONS, setup)
        if setup.position:
            state = position.read(setup.position, setup.facts)
            options.agree(OPTIONS, setup, chosen, position.options(state), state.level)
            return state
        nobles, deals_chosen = None, chosen["deals"]
        if chosen["nobles"] == "yes":
            nobles = Nobles(pietra_guard=chosen["pietra_guard"] == "yes")
        several = None
        if deals_chosen != "1":
            up_to = deals_chosen == "target"
            count, target = (0, int(chosen["target"])) if up_to else (int(deals_chosen), 0)
            several = Deals(count, target, chosen["closer_penalty"] == "yes", 1 - setup.start)
        return deals.deal(setup.level, chosen["donazione"] == "must", 1 - setup.start, nobles, several)

    def pending(self, state: State) -> Pending:
        """See :mod:`engines.san_gimignano.questions`."""
        return questions.pending(state)

    def by_rule(self, state: State, held: Hand | None = None) -> list[Choice]:
        """See :mod:`engines.san_gimignano.moves`."""
        return moves.legal(state, held)

    def play(self, state: State, choice: Choice) -> State:
        """See :mod:`engines.san_gimignano.play`."""
        return play.apply(state, choice)

    def choices(self, state: State, held: Hand | None = None) -> list[Choice]:
        """See :mod:`engines.san_gimignano.possible`."""
        return possible.choices(state, held)

    def leads_on(self, state: State, choice: Choice, held: Hand | None = None) -> State | None:
        """See :mod:`engines.san_gimignano.possible`."""
        return possible.leads_on(state, choice, held)

    def broken(self, state: State) -> set[str]:
        """See :mod:`engines.san_gimignano.problems`."""
        return problems.broken(state)

    def knowing_less(self, state: State) -> Iterator[State]:
        """First with all that is known; then with nothing known of the hands; then not of the deck's bottom.

        What lies open stays.
        """
        yield state
        hidden = without_hands(state)
        yield hidden
        yield replace(hidden, bottom=(HIDDEN,) * len(state.bottom))

    def seen(self, state: State) -> str:
        """The card turned up by its place in the deck of its deal; layouts and deals are seen anew."""
        return drawing.place(state)

    def hand(self, state: State, seat: int, held: str) -> Hand:
        """Cards written ``5,8,8,via``."""
        bag = position.read_hand(held)
        if not may_be_hand(state, seat, bag):
            shown = position.hand_text(state, seat)
            raise Malformed(f"{held!r} cannot be the hand of {SEATS[seat]}: all saw that it is {shown}")
        return worlds.seen_hand(state, seat, bag)

    def exposes(self, state: State, choice: Choice) -> bool:
        """Cards drawn or turned up that nobody had seen, a Trade and a deal (not cards their owner shows)."""
        after = play.apply(state, choice)
        if choice.question == "deal":
            return state.level is not Level.SCORE
        passed = questions.question(after) != "traded" and worlds.traded(state, choice, after) > 0
        return passed or drawing.exposes(state, choice, after)

    def fact(self, state: State, key: Key) -> int:
        """``("unseen", rank)`` copies known nowhere (nobles from 11 on), ``("hand", seat)`` cards held."""
        return fact(state, *key)


def without_hands(state: State) -> State:
    """The state with nothing known of the hands but how many cards they hold."""
    first, second = (Zone(0, hand.size) for hand in state.hands)
    nobles = state.nobles
    if nobles:
        hidden = (Zone(0, nobles.hands[0].size), Zone(0, nobles.hands[1].size))
        nobles = replace(nobles, hands=hidden, shared=0)
    return replace(state, hands=(first, second), shared=0, nobles=nobles)


BOOK = Book()
BOOK.checks = CHECKS
