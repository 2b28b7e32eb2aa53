"""Torres: rules TO-1 to TO-6 (``rules.toml``), two to four players.

=============== =============================================================
module          what it holds
=============== =============================================================
``cells``       the 64 spaces, sets of them, what lies beside what
``ground``      heights, castles, where a block may go
``facts``       what is printed on a copy and in no sure source
``ways``        where a knight may go: on foot, through doors, by the cards
``cards``       the ten action cards
``stacks``      blocks in front of players, and what a turn leaves of them
``state``       what the referee knows
``questions``   the questions, their domains and tokens
``moves``       the fast list of what is legal
``checks``      the same with reasons: named checks, each with its clause
``play``        what a choice does in a turn
``phases``      set-up, rounds, phases, and what is entered by hand
``scoring``     the track, the end of a phase, who wins
``possible``    what the pieces allow where a clause was overruled
``overrule``    an illegal choice that stands
``problems``    what can be wrong with a state
``position``    a state in one line
``notation``    a step in one line
``layout``      the board as a camera sees it
``reading``     a layout read as the turn that leads there (with ``reading_plans``, ``_far``,
                ``_search``, ``_steps`` and ``_doubts``)
``worlds``      sampled truths for playouts
``likely``      where a cursor comes first
=============== =============================================================

For a search over whole turns: :func:`.ways.reach` (everywhere a knight gets to, by action points),
:func:`.ways.beside_own` (where a new one may stand), ``Ground.room`` (where a block may go),
:func:`.ground.with_block` and :func:`.ground.targets` are pure functions of sets of spaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from engines.board import Board
from engines.contract import (
    Booking,
    Choice,
    Decide,
    Game,
    Key,
    Label,
    Level,
    Option,
    Pending,
    Problem,
    Refusal,
    Setup,
)
from engines.errors import BadSetup
from engines.search import Interpretation
from engines.torres import (
    facts,
    layout,
    likely,
    moves,
    notation,
    overrule,
    phases,
    play,
    position,
    possible,
    questions,
    scoring,
    worlds,
)
from engines.torres.cards import CARDS
from engines.torres.checks import CHECKS
from engines.torres.layout import Layout
from engines.torres.state import State, Variant, hand_size
from engines.torres.worlds import World


class Torres(Game[State, World]):
    """The game as the contract has it; every method says which module does the work."""

    id = "torres"
    title = "Torres"
    seats = (2, 3, 4)
    rules_version = 1
    options = (
        Option("doors", ("castle", "descend"), "TO-3.3"),
        Option("scoring_order", ("start_player", "leader_first"), "TO-5.1"),
        Option("next_start", ("last", "last_chooses"), "TO-5.4"),
        Option("master", ("no", "yes"), "TO-6.2"),
        Option("master_cards", ("no", "yes"), "TO-6.3", needs=("master", ("yes",))),
    )
    levels = (Level.FULL, Level.SCORE)
    """Nothing that ``full`` asks for is hidden, so ``table`` would be the same again."""
    categories = scoring.CATEGORIES

    def start(self, setup: Setup) -> State:
        """The set-up of TO-1.5 (TO-6.1), the layout to report, or the setup's position."""
        variant = self._variant(setup)
        if setup.position:
            state = position.read(setup.position)
            self._agree(state, setup, variant)
            return state
        if setup.level not in self.levels:
            raise BadSetup(f"Torres is followed full or score, not {setup.level.value}")
        return phases.opening(variant, setup.start, setup.level, facts.start_castles(setup))

    def _variant(self, setup: Setup) -> Variant:
        """The options chosen; raises BadSetup for an unknown option or value, or too many seats."""
        if setup.seats not in self.seats or not 0 <= setup.start < setup.seats:
            raise BadSetup("Torres is for two to four players, one of whom starts (TO-1.1)")
        known = {option.name: option for option in self.options}
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

    def seated(self, state: State) -> int:
        """Two to four."""
        return state.variant.seats

    def pending(self, state: State) -> Pending:
        """See :mod:`engines.torres.questions`."""
        return questions.pending(state)

    def legal(self, state: State, seat: int | None = None) -> list[Choice]:
        """See :mod:`engines.torres.moves`."""
        return moves.legal(state) if not state.waived else possible.choices(state)

    def why_not(self, state: State, choice: Choice, seat: int | None = None) -> Refusal | None:
        """See :mod:`engines.torres.checks`."""
        refusal = CHECKS.why_not(state, choice)
        if refusal and state.waived and choice in possible.choices(state):
            return None
        return refusal

    def apply(self, state: State, choice: Choice) -> State:
        """See :mod:`engines.torres.play`."""
        return overrule.apply(state, choice) if state.waived else play.apply(state, choice)

    def overrule(self, state: State, choice: Choice, clause: str, seat: int | None = None) -> State:
        """See :mod:`engines.torres.overrule`."""
        return overrule.overrule(state, choice, clause)

    def adjust(self, state: State, seat: int, points: int) -> State:
        """The marker moves by exactly so much, even onto another (TO-3.11 binds the game, not people)."""
        given = list(state.adjusted)
        given[seat] += points
        return replace(state, adjusted=tuple(given))

    def legal_for(self, state: State, seat: int, held: str) -> list[Choice]:
        """The list of a seat that sees its cards, ``jump,ap7,+leap``; empty where another is asked."""
        cards = position.read_hand(state, seat, held)
        asked = questions.pending(state)
        if not isinstance(asked, Decide) or asked.seats != (seat,):
            return []
        return possible.choices(state, cards)

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

    def bookings(self, state: State) -> tuple[Booking, ...]:
        """See :mod:`engines.torres.scoring`."""
        return scoring.bookings(state)

    def counted(self, state: State) -> tuple[str, ...]:
        """See :mod:`engines.torres.scoring`."""
        return scoring.counted(state)

    def parts_over(self, state: State) -> int:
        """See :mod:`engines.torres.scoring`."""
        return scoring.phases_over(state)

    def winners(self, state: State) -> tuple[int, ...]:
        """See :mod:`engines.torres.scoring`."""
        return scoring.winners(state)

    def tokens(self, text: str) -> list[str]:
        """See :mod:`engines.torres.notation`."""
        return notation.tokens(text)

    def text(self, choices: Sequence[Choice]) -> str:
        """See :mod:`engines.torres.notation`."""
        return notation.text(choices)

    def position(self, state: State) -> str:
        """See :mod:`engines.torres.position`."""
        return position.write(state)

    def read_position(self, text: str) -> State:
        """See :mod:`engines.torres.position`."""
        return position.read(text)

    def status(self, text: str) -> list[Problem]:
        """See :mod:`engines.torres.position`."""
        return position.status(text)

    def layout(self, state: State) -> Layout:
        """Heights, knights and the king."""
        return layout.of(state)

    def board_of(self, seen: Layout) -> Board:
        """The same as a picture."""
        return layout.board(seen)

    def read_layout(self, text: str) -> Layout:
        """See :mod:`engines.torres.layout`."""
        return layout.read(text)

    def differences(self, seen: Layout, expected: Layout) -> tuple[str, ...]:
        """See :mod:`engines.torres.layout`."""
        return layout.differences(seen, expected)

    def visible(self, choice: Choice) -> bool:
        """See :mod:`engines.torres.layout`."""
        return layout.visible(choice)

    def explain(self, state: State, seen: Layout) -> Interpretation | None:
        """See :mod:`engines.torres.reading`."""
        from engines.torres import reading  # noqa: PLC0415 – only a table with a camera needs it

        return reading.explain(self, state, seen)

    def sample(self, state: State, rng: Random) -> World:
        """See :mod:`engines.torres.worlds`."""
        return worlds.sample(state, rng)

    def true(self, world: World, state: State, choice: Choice, seat: int | None = None) -> bool:
        """See :mod:`engines.torres.worlds`."""
        return worlds.true(world, state, choice)

    def answer(self, world: World, state: State, rng: Random) -> Choice:
        """See :mod:`engines.torres.worlds`."""
        return worlds.answer(state, rng)

    def advance(self, world: World, state: State, choice: Choice, rng: Random) -> World:
        """See :mod:`engines.torres.worlds`."""
        return worlds.advance(world, state, choice, self.apply(state, choice), rng)

    def label(self, choice: Choice) -> Label:
        """See :mod:`engines.torres.notation`."""
        return notation.label(choice)
