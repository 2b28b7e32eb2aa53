"""What is asked, legal and happens: the chapters of the rules put together."""

from __future__ import annotations

from engines.contract import (
    Choice,
    Key,
    Level,
    Pending,
    Setup,
)
from engines.errors import BadSetup
from engines.kit import options
from engines.kit.rulebook import Rulebook
from engines.torres import (
    facts,
    likely,
    moves,
    phases,
    play,
    position,
    possible,
    problems,
    questions,
)
from engines.torres.cards import CARDS
from engines.torres.checks import CHECKS
from engines.torres.state import OPTIONS, State, hand_size, variant_of
from engines.torres.state import options as options_of

LEVELS = (Level.FULL, Level.SCORE)
"""Nothing that ``full`` asks for is hidden, so ``table`` would be the same again."""
SEATS_AT_TABLE = (2, 3, 4)


class Book(Rulebook[State, int]):
    """What is asked, legal and happens; what is held are cards, a bit each."""

    def start(self, setup: Setup) -> State:
        """The set-up of TO-1.5 (TO-6.1), the layout to report, or the setup's position."""
        if setup.seats not in SEATS_AT_TABLE or not 0 <= setup.start < setup.seats:
            raise BadSetup("Torres is for two to four players, one of whom starts (TO-1.1)")
        chosen = options.chosen("Torres", OPTIONS, setup)
        if ("master_cards", "yes") in setup.options and chosen["master_cards"] == "no":
            raise BadSetup("option master_cards belongs to the master version (TO-6.3)")
        if setup.position:
            state = position.read(setup.position, setup.facts)
            if state.variant.seats != setup.seats:
                raise BadSetup(f"the position has {state.variant.seats} seats, the match {setup.seats}")
            options.agree(OPTIONS, setup, chosen, options_of(state.variant), state.level)
            return state
        if setup.level not in LEVELS:
            raise BadSetup(f"Torres is followed full or score, not {setup.level.value}")
        return phases.opening(
            variant_of(setup.seats, chosen), setup.start, setup.level, facts.start_castles(setup)
        )

    def pending(self, state: State) -> Pending:
        """See :mod:`engines.torres.questions`."""
        return questions.pending(state)

    def by_rule(self, state: State, held: int | None = None) -> list[Choice]:
        """See :mod:`engines.torres.moves`."""
        return moves.legal(state, held)

    def play(self, state: State, choice: Choice) -> State:
        """See :mod:`engines.torres.play`."""
        return play.apply(state, choice)

    def choices(self, state: State, held: int | None = None) -> list[Choice]:
        """See :mod:`engines.torres.possible`."""
        return possible.choices(state, held)

    def leads_on(self, state: State, choice: Choice, held: int | None = None) -> State | None:
        """See :mod:`engines.torres.possible`."""
        return possible.leads_on(state, choice)

    def broken(self, state: State) -> set[str]:
        """See :mod:`engines.torres.problems`."""
        return problems.broken(state)

    def stands(self, before: State, choice: Choice) -> bool:
        """What a wrong block was lifted from shows only when it is put down."""
        return choice.question != "move_to" and super().stands(before, choice)

    def seen(self, state: State) -> str:
        """Reports in equal positions are about the same."""
        return position.write(state)

    def hand(self, state: State, seat: int, held: str) -> int:
        """Cards written ``jump,ap7,+leap``."""
        return position.read_hand(state, seat, held)

    def likely(self, state: State, choice: Choice) -> int:
        """See :mod:`engines.torres.likely`."""
        return likely.likely(state, choice)

    def exposes(self, state: State, choice: Choice) -> bool:
        """Taking an action card: its player looks at three."""
        return choice.question == "action" and choice.token in (questions.TOP, questions.BOTTOM)

    def fact(self, state: State, key: Key) -> int:
        """``("hand", seat)`` cards held, ``("jump", seat)`` whether that card was played."""
        name, seat = key
        return hand_size(state, seat) if name == "hand" else state.played[seat] >> CARDS.index(name) & 1


BOOK = Book()
BOOK.checks = CHECKS
