"""A game: its name, and the parts that know its rules.

Each part is a protocol. A module with its functions fulfils it; a class that inherits it also gets the
defaults of most games. States are ``S``, sampled worlds ``W``.
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

    ``apply`` trusts its caller: pass only choices that ``legal`` lists or ``why_not`` lets pass. ``seat``
    matters only if several seats are asked at once. A state has a ``termination``, the way the match ended
    (empty while it goes on), and a ``seat``, whose turn it is, also while another seat is asked in between;
    it is None in a turn of all.
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
        """Return every certain or possible choice, in the domain's order; none if the domain is not listed or
        the match is over.
        """
        ...

    def why_not(self, state: S, choice: Choice, seat: int | None = None, /) -> Refusal | None:
        """Return the refusal of the first check that refuses ``choice``, or None if it is legal."""
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

        The state gives up the knowledge that the choice contradicts, so that play can go on. ``status`` no
        longer names breaches of an overruled clause. Raises :class:`engines.errors.Impossible` if no table
        can look like that (a ninth 8 in sight): an entry is then wrong.
        """
        ...

    def adjust(self, state: S, seat: int, points: int, /) -> S:
        """Return the state after people give ``points`` to ``seat`` by hand, or take them if below 0.

        They are booked under :data:`ADJUSTMENT` and count in every total.
        """
        ...

    def goods(self, state: S, seat: int, /) -> tuple[Good, ...]:
        """Return the goods that people may give a seat by hand or take from it, without any rule."""
        return ()

    def give(self, state: S, seat: int, good: str, n: int, /) -> S:
        """Return the state after ``seat`` gets ``n`` of one of its :meth:`goods` by hand, or returns them if
        below 0.

        Raises :class:`engines.errors.Malformed` if there are not so many, or if the pending question then has
        no answer.
        """
        raise NotImplementedError

    def seen(self, state: S, /) -> str:
        """Name the subject of the pending report: after going back, a report on it is answered as before.

        Return an empty name if an earlier answer says nothing. Distinguish things by their number (the third
        throw, the card over 35 others) and by what was done to them, not by the whole position.
        """
        return ""

    def stays(self, state: S, choice: Choice, /) -> str:
        """Return the part of an answer to a report that stays on the table if people go back before it.

        It is one word, for example of what was thrown into a tower and what came out; :meth:`remember` takes
        it. Empty if nothing stays.
        """
        return ""

    def remember(self, state: S, word: str, /) -> S:
        """Return the state after going back: it knows ``word``, which :meth:`stays` gave for a report that
        was taken back.

        A known word changes nothing. A report that people make again unchanged is the same one: it is not
        taken back any more. Raises :class:`engines.errors.Malformed` for an unknown word.
        """
        return state

    @property
    def hides(self) -> bool:
        """Return True if seats hold pieces that the others do not see."""
        ...

    def legal_for(self, state: S, seat: int, held: str, /) -> list[Choice]:
        """List ``legal`` for ``seat``, which holds the hidden pieces ``held``, written as in a position.

        Raises :class:`engines.errors.Malformed` for a text that cannot be read, or that contradicts what
        everybody saw. A game without hidden pieces does not need it.
        """
        ...

    def hidden(self, state: S, seat: int, /) -> Hidden:
        """Return the pieces that ``seat`` may hold unseen, going by what everybody saw.

        Their words, once for each piece and with commas between them, are a text for :meth:`legal_for`.
        """
        return Hidden()

    def likely(self, state: S, choice: Choice, /) -> int:
        """Return the rank of a legal choice where a cursor goes through many: 0 first, then 1, 2 …

        It orders the screen and decides nothing. It follows habit and what everybody sees, never the value of
        a choice: a referee gives no advice.
        """
        return 0

    def gives_up(self, state: S, choice: Choice, /) -> Label | None:
        """Return a question to the player whose legal choice ends or gives something up: ``End with 2 action
        points left?`` None for any other choice.
        """
        return None

    def extends(self, before: S, after: S, /) -> tuple[str, str] | None:
        """Return a fact of the copy that is a list, and the word that a step adds to it, or None."""
        return None

    def exposes(self, state: S, choice: Choice, /) -> bool:
        """Return True if the choice shows somebody a hidden piece: no undo takes that back."""
        return False

    def fact(self, state: S, key: Key, /) -> int:
        """Return the value of a fact that a refusal's ``basis`` names; raises KeyError for an unknown one."""
        raise KeyError(f"no fact {key[0]!r}")


class Points(Protocol[S_contra]):
    """The part of a scoring that every game writes itself: points and places."""

    @property
    def CATEGORIES(self) -> tuple[str, ...]:  # noqa: N802 – a module serves it as a constant
        """The categories of bookings, in the order of a breakdown."""
        ...

    def bookings(self, state: S_contra, /) -> tuple[Booking, ...]:
        """Return all points if the match ended now."""
        ...

    def ranking(self, state: S_contra, /) -> tuple[Place, ...]:
        """Return the places if the match ended now, in order: see :func:`engines.kit.parts.ranked`."""
        ...


class Scoring(Points[S_contra], Protocol[S_contra]):
    """Points, places, and tracks beside them. :func:`scoring` makes one of a module."""

    def tallies(self, state: S_contra, /) -> tuple[Tally, ...]:
        """Return the tracks beside the score, in the order on the screen."""
        return ()

    def counted(self, state: S_contra, /) -> tuple[str, ...]:
        """Return the categories that this match can score in with its options, in order."""
        return self.CATEGORIES

    @property
    def GROUPS(self) -> Mapping[str, tuple[str, ...]]:  # noqa: N802 – a module serves it as a constant
        """Categories grouped in a short breakdown, by the group's name; all others stand alone."""
        return {}

    def parts_over(self, state: S_contra, /) -> int:
        """Return the number of scored deals, phases or rounds if bookings have parts, otherwise 0."""
        return 0


class Notation(Protocol):
    """A step in one line."""

    def tokens(self, text: str, /) -> list[str]:
        """Split a step's text into tokens and spell out shorthand; raises :class:`.errors.Malformed`."""
        ...

    def fitted(self, state: Any, tokens: list[str], /) -> list[str]:
        """Drop the tokens that this state plays by itself, and add those that people may leave out."""
        return tokens

    def text(self, choices: Sequence[Choice], /) -> str:
        """Return a step's choices in canonical notation."""
        ...

    def label(self, choice: Choice, /) -> Label:
        """Return a person's name for the choice."""
        ...


class Telling(Protocol[S_contra]):
    """The match as a game master tells it at the table, and the table as everybody sees it.

    Its methods return labels, each a sentence or a part of one in the game's texts. :func:`telling` makes one
    of a module that has any of these.
    """

    def said(self, before: S_contra, choices: Sequence[Choice], /) -> tuple[Label, ...]:
        """Say a step, or its choices so far: ``exchanges 7, 9 for a 10``.

        ``before`` is the state that it begins in; the player's name stands in front of the words. Empty if
        the names of the choices, side by side, say it.
        """
        return ()

    def opening(self, state: S_contra, /) -> tuple[Label, ...]:
        """Tell what hands lay out before the first step beyond every match's set-up; empty later on."""
        return ()

    def hands(self, before: S_contra, choices: Sequence[Choice], after: S_contra, /) -> tuple[Label, ...]:
        """Tell what hands do now beyond the step's own words: take a marker, refill a market.

        ``choices`` are those of the whole step that led from one state to the other, empty after a ruling.
        Tell apart what came and what went, even if one hides the other in the difference of the states.
        """
        return ()

    def news(self, before: S_contra, after: S_contra, /) -> tuple[Label, ...]:
        """Tell the news that everybody must see: the ending phase, a new phase or round."""
        return ()

    def about(self, state: S_contra, /) -> tuple[Label, ...]:
        """Explain the pending question to a player who did not expect it; empty if it explains itself."""
        return ()

    def zones(self, state: S_contra, /) -> tuple[Zone, ...]:
        """Return the zones beside the boards of :class:`Sight`, in the order of looking."""
        return ()

    def scene(self, state: S_contra, /) -> Scene | None:
        """Return the drawing of the table; None in a game without one, whose table is its boards and zones in
        rows.
        """
        return None

    def odometer(self, kept: Sequence[Sequence[str]], /) -> tuple[Label, ...]:
        """Tell what a device that keeps pieces did, such as a tower, from the words that :meth:`Rules.stays`
        gave match by match; empty in a game without one.
        """
        return ()


class Positions(Protocol[S]):
    """A state in one line, like chess's FEN.

    A line does not contain facts of the copy: ``facts`` are those that it relies on, as in
    :class:`engines.contract.Setup`. Without any a game uses its defaults.
    """

    def write(self, state: S, /) -> str:
        """Return the line of a state; :meth:`read` reads it back."""
        ...

    def read(self, text: str, facts: Told = (), /) -> S:
        """Return the state that a position text describes; raises :class:`engines.errors.BadPosition`."""
        ...

    def status(self, text: str, facts: Told = (), /) -> list[Problem]:
        """Return every fault of a position text; empty if it may stand."""
        ...


class Layouts(Protocol[S_contra]):
    """The part of a sight that every game writes itself: its layouts, and their differences."""

    @property
    def NAME(self) -> str:  # noqa: N802 – a module serves it as a constant
        """The name that sensors give a reading of it."""
        ...

    def of(self, state: S_contra, /) -> Any:
        """Return the layout of a state."""
        ...

    def read(self, text: str, /) -> Any:
        """Return the layout that an observation describes; raises :class:`engines.errors.Malformed`."""
        ...

    def differences(self, seen: Any, expected: Any, /) -> tuple[str, ...]:
        """Return the differences of two layouts, each place in words of the notation."""
        ...


class Sight(Layouts[S_contra], Protocol[S_contra]):
    """A camera's view of a state in one place: its *layout*, a value that is equal if it looks equal.

    A game has a sight for each place that sensors read by itself: a board, a display, the pieces in front of
    a seat. :func:`sight` makes one of a module.
    """

    @property
    def SEAT(self) -> int | None:  # noqa: N802
        """The seat that it lies in front of, None for all."""
        return None

    def written(self, layout: Any, /) -> str:
        """Return the text of a layout; :meth:`read` reads it back."""
        return str(layout)

    def lying(self, state: S_contra, /) -> int | None:
        """Return the number of pieces in a place that sensors count, such as a tray; None for any other."""
        return None

    def visible(self, choice: Choice, /) -> bool:
        """Return True if a choice may lead to a change of the layout."""
        return True

    def board(self, state: S_contra, seen: Any = None, /) -> Board | None:
        """Return the layout of a state, or one that was ``seen`` there, as a board of squares or hexes; None
        for no board.
        """
        return None

    def explain(self, state: S_contra, seen: Any, /) -> Interpretation | None:
        """Return the ways in which the seat to move can have come from ``state`` to the layout ``seen``.

        Games with too many turns to try have one. Others return None: :func:`engines.search.explain` then
        tries all turns.
        """
        return None


class Worlds(Protocol[S_contra, W]):
    """Whole truths that agree with what the referee knows."""

    def sample(self, state: S_contra, rng: Random, /) -> W:
        """Return a world drawn from those that agree with the state."""
        ...

    def true(self, world: W, state: S_contra, choice: Choice, seat: int | None = None, /) -> bool:
        """Return True if the world's pieces really allow a legal choice; ``seat`` as in ``legal``."""
        ...

    def answer(self, world: W, state: S_contra, rng: Random, /) -> Choice:
        """Return the world's answer to the pending report."""
        ...

    def advance(self, world: W, state: S_contra, choice: Choice, rng: Random, /) -> W:
        """Return the world after ``choice`` was made in ``state``."""
        ...

    def held(self, world: W, state: S_contra, seat: int, /) -> str:
        """Return the pieces that only ``seat`` sees, as :meth:`Rules.legal_for` takes them; empty in a game
        without hidden pieces.
        """
        return ""


def scoring(part: Points[S]) -> Scoring[S]:
    """Return a module as a game's scoring, with the defaults of most games for what it lacks."""
    made: Scoring[S] = _fill(Scoring, part)
    return made


def sight(part: Layouts[S]) -> Sight[S]:
    """Return a module as a game's sight, with the defaults of most games for what it lacks."""
    made: Sight[S] = _fill(Sight, part)
    return made


def notation(part: object) -> Notation:
    """Return a module as a game's notation; one without shorthand has nothing to fit."""
    made: Notation = _fill(Notation, part)
    return made


def telling(part: object) -> Telling[Any]:
    """Return a module as a game's telling, with the defaults of most games for what it lacks."""
    made: Telling[Any] = _fill(Telling, part)
    return made


def _fill(protocol: type[Any], part: object) -> Any:
    """Return an object with the protocol's names from ``part``, and its defaults for those that it lacks."""
    names = {name for name in dir(protocol) if not name.startswith("_") and hasattr(part, name)}
    own = {name: getattr(part, name) for name in names}
    methods = {name: staticmethod(value) if callable(value) else value for name, value in own.items()}
    return type(protocol.__name__, (protocol,), methods)()


class Game(msgspec.Struct, Generic[S, W], frozen=True, eq=False, kw_only=True):
    """The rules of one game as pure functions over its states, part by part.

    ``earlier`` are the versions before ``rules_version`` that a match made under them keeps: it goes on and
    verifies by them. A match made under any other version follows the current rules, and the box says so.
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
    """One or more; callers that name none mean the first."""
    worlds: Worlds[S, W]
    telling: Telling[S] = msgspec.field(default_factory=lambda: telling(None))

    def kept(self, version: int, /) -> int:
        """Return :attr:`Setup.rules_version` for a match made under ``version``: itself if it is one of the
        ``earlier`` ones, otherwise 0, the current one.
        """
        return version if version in self.earlier else 0

    def played_by(self, setup: Setup, /) -> int:
        """Return the version of the rules of a match with this set-up."""
        return setup.rules_version or self.rules_version

    @property
    def sight(self) -> Sight[S]:
        """The first of the sights: in most games the only one."""
        return self.sights[0]

    def in_sight(self, state: S, /) -> dict[str, Sight[S]]:
        """Return the sights by name, without those of empty seats."""
        seated = self.rules.seated(state)
        return {sight.NAME: sight for sight in self.sights if sight.SEAT is None or seated > sight.SEAT}


def winners(game: Game[S, Any], state: S) -> tuple[int, ...]:
    """Return the seats that would win if the match ended now; several share the victory."""
    return game.scoring.ranking(state)[0].seats
