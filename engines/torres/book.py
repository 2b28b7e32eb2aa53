"""What is asked, legal and happens: the chapters of the rules put together."""

from __future__ import annotations

from engines.contract import (
    Choice,
    Key,
    Level,
    Option,
    Pending,
    Setup,
)
from engines.errors import BadSetup
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
from engines.torres.state import State, Variant, hand_size

OPTIONS = (
    Option("doors", ("castle", "descend"), "TO-3.3"),
    Option("scoring_order", ("start_player", "leader_first"), "TO-5.1"),
    Option("next_start", ("last", "last_chooses"), "TO-5.4"),
    Option("master", ("no", "yes"), "TO-6.2"),
    Option("master_cards", ("no", "yes"), "TO-6.3", needs=("master", ("yes",))),
)
LEVELS = (Level.FULL, Level.SCORE)
"""Nothing that ``full`` asks for is hidden, so ``table`` would be the same again."""
SEATS_AT_TABLE = (2, 3, 4)


class Book(Rulebook[State, int]):
    """What is asked, legal and happens; what is held are cards, a bit each."""

    def start(self, setup: Setup) -> State:
        """The set-up of TO-1.5 (TO-6.1), the layout to report, or the setup's position."""
        variant = self._variant(setup)
        if setup.position:
            state = position.read(setup.position)
            self._agree(state, setup, variant)
            return state
        if setup.level not in LEVELS:
            raise BadSetup(f"Torres is followed full or score, not {setup.level.value}")
        return phases.opening(variant, setup.start, setup.level, facts.start_castles(setup))

    def _variant(self, setup: Setup) -> Variant:
        """The options chosen; raises BadSetup for an unknown option or value, or too many seats."""
        if setup.seats not in SEATS_AT_TABLE or not 0 <= setup.start < setup.seats:
            raise BadSetup("Torres is for two to four players, one of whom starts (TO-1.1)")
        known = {option.name: option for option in OPTIONS}
        chosen = dict(setup.options)
        for name, value in chosen.items():
            if name not in known:
                raise BadSetup(f"Torres has no option {name!r}; it has {', '.join(known)}")
            if value not in known[name].values:
                values = " or ".join(known[name].values)
                raise BadSetup(f"option {name} is {values}, not {value!r} ({known[name].clause})")
        if chosen.get("master_cards") == "yes" and chosen.get("master") != "yes":
            raise BadSetup("option master_cards belongs to the master version (TO-6.3)")
        return Variant(
            setup.seats,
            descend=chosen.get("doors") == "descend",
            leader_first=chosen.get("scoring_order") == "leader_first",
            last_chooses=chosen.get("next_start") == "last_chooses",
            master=chosen.get("master") == "yes",
            master_cards=chosen.get("master_cards") == "yes",
        )

    @staticmethod
    def _agree(state: State, setup: Setup, variant: Variant) -> None:
        """Raise BadSetup where the match says otherwise than the position it starts from."""
        there = state.variant
        if there.seats != setup.seats:
            raise BadSetup(f"the position has {there.seats} seats, the match {setup.seats}")
        if setup.level not in (Level.FULL, state.level):
            raise BadSetup(f"the position has level {state.level.value}, the match {setup.level.value}")
        for field in Variant.__struct_fields__[1:]:
            if getattr(variant, field) > getattr(there, field):
                raise BadSetup(f"the position has {position.option(there, field)}, the match another option")

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
