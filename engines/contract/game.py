"""A game: what it is called, and the parts that know its rules.

Each part is a protocol: a module that has its functions is one, and so is a class that inherits it and with
it what most games do alike. States are ``S``, sampled worlds ``W``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from engines.board import Board
from engines.contract.scene import Scene
from engines.contract.values import (
    Booking,
    Choice,
    Good,
    Hidden,
    Interpretation,
    Key,
    Label,
    Level,
    Option,
    Pending,
    Place,
    Problem,
    Refusal,
    Setup,
    Tally,
    Told,
    Zone,
)

S = TypeVar("S")
W = TypeVar("W")
S_contra = TypeVar("S_contra", contravariant=True)


class Rules(Protocol[S]):
    """A game's questions, legal answers and their effects.

    ``apply`` trusts its caller: pass what ``legal`` listed or ``why_not`` let pass. ``seat`` matters only
    where several are asked at once. A state has a ``termination``: how the match ended, empty while it
    goes on; and a ``seat``: whose turn it is, whoever else is asked in between, None in a turn of all.
    """

    def start(self, setup: Setup, /) -> S:
        """Return the first state of a match. Raises :class:`engines.errors.BadSetup` or ``BadPosition``."""
        ...

    def seated(self, state: S, /) -> int:
        """Return the number of seats in a state."""
        ...

    def pending(self, state: S, /) -> Pending:
        """Return the question the state asks."""
        ...

    def legal(self, state: S, seat: int | None = None, /) -> list[Choice]:
        """Return every choice that is certain or possible, in the domain's order; empty if the domain is not
        listed or the match is over.
        """
        ...

    def why_not(self, state: S, choice: Choice, seat: int | None = None, /) -> Refusal | None:
        """Return the first check that refuses ``choice``, or None if it may be played."""
        ...

    def apply(self, state: S, choice: Choice, /) -> S:
        """Return the state after a legal choice or report."""
        ...

    def reveal(self, state: S, choices: Sequence[Choice], /) -> S:
        """Return the state after all asked seats' sealed ``choices`` (in the order of ``Decide.seats``)."""
        ...

    def overrule(self, state: S, choice: Choice, clause: str, seat: int | None = None, /) -> S:
        """Return the state after a choice that ``why_not`` refuses under ``clause`` and that people let
        stand.

        Knowledge that the choice contradicts is given up, so that play can go on; ``status`` no longer names
        what breaks a clause that was overruled. Raises :class:`engines.errors.Impossible` where no table
        could look so (a ninth 8 in sight): then an entry is wrong.
        """
        ...

    def adjust(self, state: S, seat: int, points: int, /) -> S:
        """Return the state after ``points`` were given to ``seat`` by hand (taken, where below 0).

        They are booked under :data:`ADJUSTMENT` and count wherever a total does.
        """
        ...

    def goods(self, state: S, seat: int, /) -> tuple[Good, ...]:
        """Return the goods that people may give a seat by hand or take from it, where no rule names it."""
        return ()

    def give(self, state: S, seat: int, good: str, n: int, /) -> S:
        """Return the state after ``seat`` got ``n`` of one of its :meth:`goods` by hand; below 0 it returned
        them.

        Raises :class:`engines.errors.Malformed` where the question asked then has no answer.
        """
        raise NotImplementedError

    def seen(self, state: S, /) -> str:
        """Name what the pending report is about: after going back, one about the same is answered as before.

        Empty where an earlier answer says nothing. Tell things apart by their number (the third throw, the
        card over 35 others) and by what was done to them, not by the whole position.
        """
        return ""

    def stays(self, state: S, choice: Choice, /) -> str:
        """Return the part of an answer to a report that stays on the table if people go back before it.

        It is one word, such as what was thrown into a tower and what came out; :meth:`remember` takes it up.
        Empty if nothing stays.
        """
        return ""

    def remember(self, state: S, word: str, /) -> S:
        """Return the state after going back: it knows ``word``, which :meth:`stays` gave of a report that
        fell.

        A word that it knows already tells it nothing new, and a report that is made again as it was is the
        same one: it falls no more. Raises :class:`engines.errors.Malformed` for no such word.
        """
        return state

    @property
    def hides(self) -> bool:
        """Return True if seats hold pieces that the others do not see."""
        ...

    def legal_for(self, state: S, seat: int, held: str, /) -> list[Choice]:
        """List ``legal`` for somebody who told what hidden pieces ``seat`` holds, as a position has them.

        Raises :class:`engines.errors.Malformed` for a text that cannot be read or that what everybody saw
        rules out. A game without hidden pieces has no use for it.
        """
        ...

    def hidden(self, state: S, seat: int, /) -> Hidden:
        """Return what ``seat`` may hold unseen by the others, by what everybody saw.

        Its words, as often as there are such pieces and with commas between them, are a text for
        :meth:`legal_for`.
        """
        return Hidden()

    def likely(self, state: S, choice: Choice, /) -> int:
        """Return how soon a legal choice is looked for where a cursor goes through many: 0 first, then 1, 2 …

        It orders what is shown and decides nothing. It goes by habit and by what everybody sees, never by
        what is worth most: a referee gives no advice.
        """
        return 0

    def gives_up(self, state: S, choice: Choice, /) -> Label | None:
        """Return a question to whoever makes a legal choice that ends or gives something up: ``End with 2
        action points left?`` None for any other choice.
        """
        return None

    def extends(self, before: S, after: S, /) -> tuple[str, str] | None:
        """Return a fact of the copy that is a list, and the word a step adds to it; None if none."""
        return None

    def exposes(self, state: S, choice: Choice, /) -> bool:
        """Return True if the choice lets somebody see what was hidden from them: no undo takes that back."""
        return False

    def fact(self, state: S, key: Key, /) -> int:
        """Return the value of a fact that a refusal's ``basis`` names; raises KeyError for no such fact."""
        raise KeyError(f"no fact {key[0]!r}")


class Points(Protocol[S_contra]):
    """The part of a scoring that every game writes itself: points and places."""

    @property
    def CATEGORIES(self) -> tuple[str, ...]:  # noqa: N802 – a module serves it as a constant
        """The categories that points are booked in, in the order of a breakdown."""
        ...

    def bookings(self, state: S_contra, /) -> tuple[Booking, ...]:
        """Return all points if the match ended now."""
        ...

    def ranking(self, state: S_contra, /) -> tuple[Place, ...]:
        """Return the places if the match ended now, in order: see :func:`engines.kit.parts.ranked`."""
        ...


class Scoring(Points[S_contra], Protocol[S_contra]):
    """Points, places, and what is counted beside them. :func:`scoring` makes one of a module."""

    def tallies(self, state: S_contra, /) -> tuple[Tally, ...]:
        """Return what the table counts beside the score, in the order it is shown."""
        return ()

    def counted(self, state: S_contra, /) -> tuple[str, ...]:
        """Return the categories that this match can score in: those of its options, in their order."""
        return self.CATEGORIES

    @property
    def GROUPS(self) -> Mapping[str, tuple[str, ...]]:  # noqa: N802 – a module serves it as a constant
        """Categories that stand together in a short breakdown, by the group's name; each other one alone."""
        return {}

    def parts_over(self, state: S_contra, /) -> int:
        """Return the number of scored deals, phases or rounds, where the bookings have parts; else 0."""
        return 0


class Notation(Protocol):
    """A step in one line."""

    def tokens(self, text: str, /) -> list[str]:
        """Split a step's text into tokens. Shorthand is spelled out; raises :class:`.errors.Malformed`."""
        ...

    def fitted(self, state: Any, tokens: list[str], /) -> list[str]:
        """Drop from a step's tokens what goes by itself in this state, and add what may go without saying."""
        return tokens

    def text(self, choices: Sequence[Choice], /) -> str:
        """Return a step's choices in canonical notation."""
        ...

    def label(self, choice: Choice, /) -> Label:
        """Return what a person calls the choice."""
        ...


class Telling(Protocol[S_contra]):
    """The match as a game master tells it at the table, and the table as everybody sees it.

    What it says are labels; each is a sentence, or a part of one, in the game's texts. :func:`telling` makes
    one of a module that has any of these.
    """

    def said(self, before: S_contra, choices: Sequence[Choice], /) -> tuple[Label, ...]:
        """Say a step, or as much of it as has been chosen: ``exchanges 7, 9 for a 10``.

        ``before`` is the state that it begins in; who makes it stands before the words. Empty where the names
        of the choices side by side say it.
        """
        return ()

    def opening(self, state: S_contra, /) -> tuple[Label, ...]:
        """Tell what hands lay out before the first step besides what every match has; empty further on."""
        return ()

    def hands(self, before: S_contra, choices: Sequence[Choice], after: S_contra, /) -> tuple[Label, ...]:
        """Tell what hands do now that the step's own words do not say: take a marker, refill a market.

        ``choices`` are those of the whole step that led from one state to the other, empty where people
        ruled. What came and what went are told apart, even if one hides the other in the difference of the
        states.
        """
        return ()

    def news(self, before: S_contra, after: S_contra, /) -> tuple[Label, ...]:
        """Tell what all must know from now on, until it is seen: the ending phase, a new phase or round."""
        return ()

    def about(self, state: S_contra, /) -> tuple[Label, ...]:
        """Say what the question asked is about, for a player who did not expect it; empty if it says so."""
        return ()

    def zones(self, state: S_contra, /) -> tuple[Zone, ...]:
        """Return what lies on the table beside the boards of :class:`Sight`, in the order of looking."""
        return ()

    def scene(self, state: S_contra, /) -> Scene | None:
        """Return the table as it is drawn; None in a game that describes none, whose table is its boards and
        zones in rows.
        """
        return None

    def odometer(self, kept: Sequence[Sequence[str]], /) -> tuple[Label, ...]:
        """Tell what a device that keeps pieces did, a tower say, from the words that :meth:`Rules.stays` gave
        match by match; empty in a game without one.
        """
        return ()


class Positions(Protocol[S]):
    """A state in one line, like chess's FEN.

    A line says nothing of the copy that is played with: ``facts`` are those that it stands on, as
    :class:`engines.contract.Setup` has them. Without any a game goes by its defaults.
    """

    def write(self, state: S, /) -> str:
        """Return the line of a state; :meth:`read` reads it back."""
        ...

    def read(self, text: str, facts: Told = (), /) -> S:
        """Return the state a position text describes. Raises :class:`engines.errors.BadPosition`."""
        ...

    def status(self, text: str, facts: Told = (), /) -> list[Problem]:
        """Return everything wrong with a position text; empty if it may stand."""
        ...


class Layouts(Protocol[S_contra]):
    """The part of a sight that every game writes itself: its layouts, and where two of them differ."""

    @property
    def NAME(self) -> str:  # noqa: N802 – a module serves it as a constant
        """The name that sensors give a reading of it."""
        ...

    def of(self, state: S_contra, /) -> Any:
        """Return the layout of a state."""
        ...

    def read(self, text: str, /) -> Any:
        """Return the layout an observation's text describes. Raises :class:`engines.errors.Malformed`."""
        ...

    def differences(self, seen: Any, expected: Any, /) -> tuple[str, ...]:
        """Return the differences of two layouts, each place in words of the notation."""
        ...


class Sight(Layouts[S_contra], Protocol[S_contra]):
    """A camera's view of a state in one place: its *layout*, a value that compares equal when it looks equal.
    A game has a sight for each place that is read by itself: a board, a display, what lies before a seat.
    :func:`sight` makes one of a module.
    """

    @property
    def SEAT(self) -> int | None:  # noqa: N802
        """The seat that it lies before; None for what lies before all."""
        return None

    def written(self, layout: Any, /) -> str:
        """Return the text of a layout, as :meth:`read` takes it."""
        return str(layout)

    def lying(self, state: S_contra, /) -> int | None:
        """Return the number of pieces in a place that is only counted, such as a tray; None for any other."""
        return None

    def visible(self, choice: Choice, /) -> bool:
        """Return True if a choice may lead to a change of the layout."""
        return True

    def fitted(self, state: S_contra, layout: Any, /) -> Any:
        """Return a layout that was read, with the ground that pieces lie on taken from ``state``."""
        return layout

    def board(self, layout: Any, /) -> Board | None:
        """Return a layout as a board of squares or hexes; None for what has no such board."""
        return None

    def explain(self, state: S_contra, seen: Any, /) -> Interpretation | None:
        """Return the ways in which the seat to move can have come from ``state`` to another layout, ``seen``.

        For games with too many turns to try; None in any other: then :func:`engines.search.explain` tries
        them.
        """
        return None


class Worlds(Protocol[S_contra, W]):
    """Whole truths that agree with what the referee knows."""

    def sample(self, state: S_contra, rng: Random, /) -> W:
        """Return a world drawn from those that agree with the state."""
        ...

    def true(self, world: W, state: S_contra, choice: Choice, seat: int | None = None, /) -> bool:
        """Return True if the pieces in the world really allow a legal choice; ``seat`` as for ``legal``."""
        ...

    def answer(self, world: W, state: S_contra, rng: Random, /) -> Choice:
        """Return the world's answer to the pending report."""
        ...

    def advance(self, world: W, state: S_contra, choice: Choice, rng: Random, /) -> W:
        """Return the world after ``choice`` was made in ``state``."""
        ...

    def held(self, world: W, state: S_contra, seat: int, /) -> str:
        """Return the pieces that only ``seat`` sees, as :meth:`Rules.legal_for` takes them; empty in a game
        that hides none from anybody.
        """
        return ""


def scoring(part: Points[S]) -> Scoring[S]:
    """Return a module as a game's scoring; what it has nothing to say of is as in most games."""
    made: Scoring[S] = _filled(Scoring, part)
    return made


def sight(part: Layouts[S]) -> Sight[S]:
    """Return a module as a game's sight; what it has nothing to say of is as in most games."""
    made: Sight[S] = _filled(Sight, part)
    return made


def notation(part: object) -> Notation:
    """Return a module as a game's notation; one without shorthand has nothing to fit."""
    made: Notation = _filled(Notation, part)
    return made


def telling(part: object) -> Telling[Any]:
    """Return a module as a game's telling; what it has nothing to say of is as in most games."""
    made: Telling[Any] = _filled(Telling, part)
    return made


def _filled(protocol: type[Any], part: object) -> Any:
    """Return an object with what ``part`` has of the protocol's names, and its defaults for the others."""
    names = {name for name in dir(protocol) if not name.startswith("_") and hasattr(part, name)}
    own = {name: getattr(part, name) for name in names}
    methods = {name: staticmethod(value) if callable(value) else value for name, value in own.items()}
    return type(protocol.__name__, (protocol,), methods)()


class Game(msgspec.Struct, Generic[S, W], frozen=True, eq=False, kw_only=True):
    """The rules of one game as pure functions over its states, part by part.

    ``earlier`` are the versions before ``rules_version`` under which a match that was made goes on and
    verifies; one made under any other is played by the current rules, which is shown.
    """

    id: str
    title: str
    seats: tuple[int, ...]
    rules_version: int
    earlier: tuple[int, ...] = ()
    options: tuple[Option, ...] = ()
    levels: tuple[Level, ...]
    rules: Rules[S]
    scoring: Scoring[S]
    notation: Notation
    position: Positions[S]
    sights: tuple[Sight[S], ...]
    """One or more; the first is meant where none is named."""
    worlds: Worlds[S, W]
    telling: Telling[S] = msgspec.field(default_factory=lambda: telling(None))

    def kept(self, version: int, /) -> int:
        """Return what :attr:`Setup.rules_version` is for a match made under ``version``: itself where it is
        one of the ``earlier``, else 0, the current one.
        """
        return version if version in self.earlier else 0

    def played_by(self, setup: Setup, /) -> int:
        """Return the version of the rules that a match with this set-up is played by."""
        return setup.rules_version or self.rules_version

    @property
    def sight(self) -> Sight[S]:
        """The first of the sights: in most games all that is read."""
        return self.sights[0]

    def in_sight(self, state: S, /) -> dict[str, Sight[S]]:
        """Return the sights by name, without those before seats at which nobody sits."""
        seated = self.rules.seated(state)
        return {sight.NAME: sight for sight in self.sights if sight.SEAT is None or seated > sight.SEAT}


def winners(game: Game[S, Any], state: S) -> tuple[int, ...]:
    """Return the seats that would win if the match ended now; several share it."""
    return game.scoring.ranking(state)[0].seats
