"""Le Torri di San Gimignano: rules SG-1 to SG-11 (``rules.toml``), basic and advanced, one deal or several.

=============== =============================================================
module          what it holds
=============== =============================================================
``cards``       ranks, nobles, bags of cards, towers
``state``       what the referee knows
``questions``   the questions, their domains and tokens
``moves``       the fast list of what is legal (``layout_moves``: of a layout)
``checks``      the same with reasons: named checks, each with its clause (also
                ``tower_checks``, ``answer_checks``; ``objections`` serves all)
``play``        what a choice does: by question, out of

                - ``drawing``: draws, refills, the end of a turn
                - ``building``: towers, donazione, Guard, Trade
                - ``nobles``: nobles played, Giostra, Palazzo
                - ``counting``: a final layout
                - ``deals``: one deal after the other
                - ``zones``: cards between hands, decks and the table
``possible``    what the pieces allow where a clause was overruled
``overrule``    an illegal choice that stands
``scoring``     points and winners
``problems``    what can be wrong with a state
``position``    a state in one line
``notation``    a step in one line
``layouts``     the towers as a camera sees them
``worlds``      sampled truths for playouts
=============== =============================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from engines.contract import (
    SEATS,
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
from engines.errors import BadSetup, Malformed
from engines.san_gimignano import (
    deals,
    drawing,
    layouts,
    moves,
    notation,
    overrule,
    play,
    position,
    possible,
    questions,
    scoring,
    worlds,
)
from engines.san_gimignano.checks import CHECKS, fact
from engines.san_gimignano.layouts import Layout
from engines.san_gimignano.state import (
    Deals,
    Nobles,
    State,
    may_be_hand,
)
from engines.san_gimignano.worlds import World

SEVERAL = ("2", "3", "4", "5", "6", "target")
"""How many deals a match may have that is not of one."""


class SanGimignano(Game[State, World]):
    """The game as the contract has it; every method says which module does the work."""

    id = "san_gimignano"
    title = "Le Torri di San Gimignano"
    layout_name = "towers"
    seats = (2,)
    rules_version = 1
    options = (
        Option("donazione", ("may", "must"), "SG-5.1"),
        Option("nobles", ("no", "yes"), "SG-9.1"),
        Option("pietra_guard", ("no", "yes"), "SG-9.5", needs=("nobles", ("yes",))),
        Option("deals", ("1", *SEVERAL), "SG-10.1"),
        Option("target", ("120", "60", "80", "100", "150", "200"), "SG-10.1", needs=("deals", ("target",))),
        Option("closer_penalty", ("yes", "no"), "SG-10.2", needs=("deals", SEVERAL)),
    )
    levels = tuple(Level)
    categories = scoring.CATEGORIES

    def start(self, setup: Setup) -> State:
        """The deal of SG-1.2 with the first market still to be reported, or the setup's position."""
        options = self._options(setup)
        if setup.seats != 2 or setup.start not in (0, 1):
            raise BadSetup("San Gimignano is for two players, seats a and b (SG-1.1)")
        nobles = Nobles(pietra_guard=options["pietra_guard"] == "yes") if options["nobles"] == "yes" else None
        several = None
        if options["deals"] != "1":
            up_to = options["deals"] == "target"
            count, target = (0, int(options["target"])) if up_to else (int(options["deals"]), 0)
            several = Deals(count, target, options["closer_penalty"] == "yes", 1 - setup.start)
        must = options["donazione"] == "must"
        if setup.position:
            state = position.read(setup.position)
            self._agree(state, setup, must, nobles, several)
            return state
        return deals.deal(setup.level, must, 1 - setup.start, nobles, several)

    def _options(self, setup: Setup) -> dict[str, str]:
        """Every option's value; raises BadSetup for an unknown option or value."""
        known = {option.name: option for option in self.options}
        chosen = dict(setup.options)
        for name, value in chosen.items():
            if name not in known:
                raise BadSetup(f"San Gimignano has no option {name!r}; it has {', '.join(known)}")
            if value not in known[name].values:
                values = " or ".join(known[name].values)
                raise BadSetup(f"option {name} is {values}, not {value!r} ({known[name].clause})")
        return {name: chosen.get(name, option.values[0]) for name, option in known.items()}

    @staticmethod
    def _agree(state: State, setup: Setup, must: bool, nobles: Nobles | None, several: Deals | None) -> None:
        """Raise BadSetup where the match's options say otherwise than the position it starts from."""
        if (must and not state.must_donate) or setup.level not in (Level.FULL, state.level):
            raise BadSetup("the position has another level or donazione than the match")
        if nobles and (state.nobles is None or state.nobles.pietra_guard < nobles.pietra_guard):
            raise BadSetup("the position has other nobles or another pietra_guard than the match")
        if several:
            there = state.deals
            same = there and (there.count, there.target) == (several.count, several.target)
            if not there or not same or there.penalty > several.penalty:
                raise BadSetup("the position has other deals or another closer_penalty than the match")

    def pending(self, state: State) -> Pending:
        """See :mod:`engines.san_gimignano.questions`."""
        return questions.pending(state)

    def legal(self, state: State, seat: int | None = None) -> list[Choice]:
        """See :mod:`engines.san_gimignano.moves`."""
        return moves.legal(state) if not state.waived else possible.choices(state)

    def why_not(self, state: State, choice: Choice, seat: int | None = None) -> Refusal | None:
        """See :mod:`engines.san_gimignano.checks`."""
        refusal = CHECKS.why_not(state, choice)
        if refusal and state.waived and choice in possible.choices(state):
            return None
        return refusal

    def apply(self, state: State, choice: Choice) -> State:
        """See :mod:`engines.san_gimignano.play`."""
        return overrule.apply(state, choice) if state.waived else play.apply(state, choice)

    def overrule(self, state: State, choice: Choice, clause: str, seat: int | None = None) -> State:
        """See :mod:`engines.san_gimignano.overrule`."""
        return overrule.overrule(state, choice, clause)

    def adjust(self, state: State, seat: int, points: int) -> State:
        """The points are kept beside those of the deals; they do not decide who won a deal of several."""
        given = list(state.adjusted)
        given[seat] += points
        return replace(state, adjusted=(given[0], given[1]))

    def seen(self, state: State) -> str:
        """The card turned up by its place in the deck of its deal; layouts and deals are seen anew."""
        return drawing.place(state)

    def legal_for(self, state: State, seat: int, held: str) -> list[Choice]:
        """The list of a seat that sees its hand, written ``5,8,8,via``; empty where another is asked."""
        bag = position.read_hand(held)
        if not may_be_hand(state, seat, bag):
            shown = position.hand_text(state, seat)
            raise Malformed(f"{held!r} cannot be the hand of {SEATS[seat]}: all saw that it is {shown}")
        asked = questions.pending(state)
        if not isinstance(asked, Decide) or asked.seats != (seat,):
            return []
        return possible.choices(state, worlds.seen_hand(state, seat, bag))

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

    def bookings(self, state: State) -> tuple[Booking, ...]:
        """See :mod:`engines.san_gimignano.scoring`."""
        return scoring.bookings(state)

    def counted(self, state: State) -> tuple[str, ...]:
        """Nobles score in the advanced game, the closer's penalty over several deals."""
        return scoring.counted(state)

    def parts_over(self, state: State) -> int:
        """See :mod:`engines.san_gimignano.scoring`."""
        return scoring.deals_over(state)

    def winners(self, state: State) -> tuple[int, ...]:
        """See :mod:`engines.san_gimignano.scoring`."""
        return scoring.winners(state)

    def tokens(self, text: str) -> list[str]:
        """See :mod:`engines.san_gimignano.notation`."""
        return notation.tokens(text)

    def text(self, choices: Sequence[Choice]) -> str:
        """See :mod:`engines.san_gimignano.notation`."""
        return notation.text(choices)

    def position(self, state: State) -> str:
        """See :mod:`engines.san_gimignano.position`."""
        return position.write(state)

    def read_position(self, text: str) -> State:
        """See :mod:`engines.san_gimignano.position`."""
        return position.read(text)

    def status(self, text: str) -> list[Problem]:
        """See :mod:`engines.san_gimignano.position`."""
        return position.status(text)

    def layout(self, state: State) -> Layout:
        """The towers of both sides."""
        return state.towers

    def read_layout(self, text: str) -> Layout:
        """See :mod:`engines.san_gimignano.layouts`."""
        return layouts.read(text)

    def differences(self, seen: Layout, expected: Layout) -> tuple[str, ...]:
        """See :mod:`engines.san_gimignano.layouts`."""
        return layouts.differences(seen, expected)

    def visible(self, choice: Choice) -> bool:
        """See :mod:`engines.san_gimignano.layouts`."""
        return layouts.visible(choice)

    def sample(self, state: State, rng: Random) -> World:
        """See :mod:`engines.san_gimignano.worlds`."""
        return worlds.sample(state, rng)

    def true(self, world: World, state: State, choice: Choice, seat: int | None = None) -> bool:
        """See :mod:`engines.san_gimignano.worlds`."""
        return worlds.true(world, state, choice)

    def answer(self, world: World, state: State, rng: Random) -> Choice:
        """See :mod:`engines.san_gimignano.worlds`."""
        return worlds.answer(world, state, rng)

    def advance(self, world: World, state: State, choice: Choice, rng: Random) -> World:
        """See :mod:`engines.san_gimignano.worlds`."""
        return worlds.advance(world, state, choice, rng)

    def label(self, choice: Choice) -> Label:
        """See :mod:`engines.san_gimignano.notation`."""
        return notation.label(choice)
