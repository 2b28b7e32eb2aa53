"""Le Torri di San Gimignano, the basic game: rules SG-1 to SG-8 and SG-11 (``rules.toml``).

=============== =============================================================
module          what it holds
=============== =============================================================
``cards``       ranks, bags of cards, towers
``state``       what the referee knows
``questions``   the questions, their domains and tokens
``moves``       the fast list of what is legal
``checks``      the same with reasons: named checks, each with its clause
``play``        what a choice does
``scoring``     points and winners
``position``    a state in one line, and what can be wrong with it
``notation``    a step in one line
``worlds``      sampled truths for playouts
=============== =============================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.contract import (
    SEATS,
    Booking,
    Choice,
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
from engines.pools import Reach, Zone
from engines.san_gimignano import moves, notation, play, position, questions, scoring, worlds
from engines.san_gimignano.cards import CARDS, Tower, read_tower
from engines.san_gimignano.checks import CHECKS, fact
from engines.san_gimignano.state import Frame, State
from engines.san_gimignano.worlds import World

_VISIBLE = frozenset({"build", "height", "extend", "storeys", "complete", "target"})
_SHOWING = (questions.BUILD, questions.EXTEND, questions.COMPLETE, questions.USE, questions.ALLOW)

Layout = tuple[tuple[Tower, ...], tuple[Tower, ...]]


class SanGimignano(Game[State, World]):
    """The game as the contract has it; every method says which module does the work."""

    id = "san_gimignano"
    title = "Le Torri di San Gimignano"
    seats = (2,)
    rules_version = 1
    options = (Option("donazione", ("may", "must"), "SG-5.1"),)
    levels = tuple(Level)
    categories = scoring.CATEGORIES

    def start(self, setup: Setup) -> State:
        """The deal of SG-1.2 with the first market still to be reported, or the setup's position."""
        options = dict(setup.options)
        unknown = sorted(set(options) - {"donazione"})
        if unknown:
            raise BadSetup(f"San Gimignano has no option {unknown[0]!r}; it has donazione")
        donazione = options.get("donazione", "may")
        if donazione not in ("may", "must"):
            raise BadSetup(f"option donazione is may or must, not {donazione!r} (SG-5.1)")
        if setup.seats != 2 or setup.start not in (0, 1):
            raise BadSetup("San Gimignano is for two players, seats a and b (SG-1.1)")
        must = donazione == "must"
        if setup.position:
            state = position.read(setup.position)
            if (must and not state.must_donate) or setup.level not in (Level.FULL, state.level):
                raise BadSetup("the position has another level or donazione than the match")
            return state
        if setup.level is Level.SCORE:
            frames = (Frame("final", seat=0, open=False),)
            hands = (Zone(), Zone())
            return State(setup.level, must, setup.start, hands, middle=CARDS, frames=frames)
        return play.settle(State(setup.level, must, 1 - setup.start))

    def pending(self, state: State) -> Pending:
        """See :mod:`engines.san_gimignano.questions`."""
        return questions.pending(state)

    def legal(self, state: State, seat: int | None = None) -> list[Choice]:
        """See :mod:`engines.san_gimignano.moves`."""
        return moves.legal(state)

    def why_not(self, state: State, choice: Choice, seat: int | None = None) -> Refusal | None:
        """See :mod:`engines.san_gimignano.checks`."""
        return CHECKS.why_not(state, choice)

    def apply(self, state: State, choice: Choice) -> State:
        """See :mod:`engines.san_gimignano.play`."""
        return play.apply(state, choice)

    def certain(self, state: State, choice: Choice) -> bool:
        """What is legal for the known cards alone is certain."""
        frame = state.frames[-1] if state.frames else None
        seat = frame.seat if frame and frame.seat >= 0 else state.seat
        return choice in moves.legal(state, Reach(state.hands[seat], 0, 0, 0))

    def exposes(self, state: State, choice: Choice) -> bool:
        """Cards drawn or turned up that nobody had seen, and a Trade (cards shown by their owner are not)."""
        after = play.apply(state, choice)
        if choice.question in ("draw", "market"):
            return after.middle < state.middle
        return worlds.traded(state, choice, after) > 0

    def fact(self, state: State, key: Key) -> int:
        """``("unseen", rank)`` copies known to be nowhere, ``("hand", seat)`` cards in a hand."""
        return fact(state, *key)

    def bookings(self, state: State) -> tuple[Booking, ...]:
        """See :mod:`engines.san_gimignano.scoring`."""
        return scoring.bookings(state)

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
        """Towers as in a position: ``a=8x3,5-7* b=-``."""
        sides: dict[str, tuple[Tower, ...]] = {}
        for word in text.split():
            side, equals, towers = word.partition("=")
            read = [read_tower(tower) for tower in towers.split(",")] if towers != "-" else []
            if not equals or side not in SEATS[:2] or side in sides or None in read:
                raise Malformed(f"{word!r} is not a side's towers like a=8x3,5-7*")
            sides[side] = tuple(sorted(tower for tower in read if tower))
        return sides.get("a", ()), sides.get("b", ())

    def differences(self, seen: Layout, expected: Layout) -> tuple[str, ...]:
        """``+a8x3`` is there and should not be, ``-b5-7`` should be there and is not."""
        found = []
        for owner in (0, 1):
            extra, missing = list(seen[owner]), list(expected[owner])
            for tower in seen[owner]:
                if tower in missing:
                    missing.remove(tower)
                    extra.remove(tower)
            found += [f"+{questions.owned(owner, tower)}" for tower in extra]
            found += [f"-{questions.owned(owner, tower)}" for tower in missing]
        return tuple(found)

    def visible(self, choice: Choice) -> bool:
        """Building, extending, completing and what a 10 destroys show; draws and a Guard do not."""
        return choice.question in _VISIBLE or choice.token in _SHOWING

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
        """Words for actions, answers and sources; towers and figures speak for themselves."""
        token = choice.token
        if choice.question == "draw":
            if token[0] == "m":
                return Label("source.market", (("rank", token[1:]),))
            return Label("source.deck" if token == "d" else "source.deck_rest", (("n", token[1:]),))
        if choice.question in ("build", "final") and token.isdecimal():
            return Label("shape.plain", (("rank", token),))
        if choice.question == "target":
            return Label("tower.of", (("seat", SEATS.index(token[0])), ("tower", token[1:])))
        return Label(f"{choice.question}.{token}", (("token", token),))
