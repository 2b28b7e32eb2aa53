"""The frames of a state: the stack of what a player is in the middle of.

A frame is a question in progress or an :class:`Effect` to come; the pending question is last. There is a
class for each question, named like it: :class:`GatePlace` is asked as ``gate_place``. Its docstring says what
its answer is, and which effect, action or question pushes it; the answer takes it off the stack. An effect
waits until all above it is answered; its meaning stands at the function that :func:`.book.happens` registers.

In a position a frame is ``question:text:number:why:source:open``, without empty ends: a class has at most one
text and one number of its own.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, ClassVar, Self

import msgspec


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """A question in progress; ``open`` is True if it continues a step that an answer began."""

    question: ClassVar[str]
    open: bool = False

    def __init_subclass__(cls) -> None:
        """Name the question after the class."""
        super().__init_subclass__()
        cls.question = re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()

    @property
    def own_text(self) -> str:
        """Its text, empty without one."""
        text, _ = _own_fields(type(self))
        return getattr(self, text) if text else ""

    @property
    def own_number(self) -> int:
        """Its number, 0 without one."""
        _, number = _own_fields(type(self))
        return getattr(self, number) if number else 0

    @classmethod
    def of(cls, text: str, number: int, **others: Any) -> Self | None:
        """Return the frame with its own text and number, and with ``others``; None if it has no field for one
        of them.
        """
        told = [*zip(_own_fields(cls), (text, number), strict=True), *others.items()]
        if any(value and name not in cls.__struct_fields__ for name, value in told):
            return None
        return cls(**{name: value for name, value in told if name in cls.__struct_fields__})


class SourcedFrame(Frame, frozen=True, kw_only=True):
    """A question whose answer may give VP: ``why`` is their category, ``source`` the tile that gives them."""

    why: str = ""
    source: str = ""


@cache
def _own_fields(kind: type[Frame]) -> tuple[str, str]:
    """Return the names of a question's text and number, empty for none."""
    own = [one for one in msgspec.structs.fields(kind) if one.name not in SourcedFrame.__struct_fields__]
    text, number = (next((one.name for one in own if one.type is type_), "") for type_ in (str, int))
    return text, number


# Set-up


class Stock(Frame, frozen=True):
    """The keshi for the next place of the oasis track behind ``placed`` others; pushed by ``stock``."""

    placed: int = 0


class TurnUp(Frame, frozen=True):
    """The provision tile to turn up; pushed by ``turn_up``."""


# Keshis and assistants


class Choose(Frame, frozen=True):
    """The next keshi from behind the screen; ``colours`` are chosen. Pushed by ``choose`` and by itself."""

    colours: str = ""


class RedArea(Frame, frozen=True):
    """The area for red's assistant; pushed by the last :class:`Choose`."""


class Tray(Frame, frozen=True):
    """The keshis that came out of the tower; pushed by ``throw``."""


class Claim(Frame, frozen=True):
    """The keshis to claim from the tray; pushed by ``claim``."""


class Vendor(Frame, frozen=True):
    """The area for a red keshi; pushed by ``deploy``."""


class Spot(Frame, frozen=True):
    """The place on the square for a pink keshi; pushed by ``deploy``."""


class Caravan(Frame, frozen=True):
    """The path for a brown keshi; pushed by ``deploy``."""


class Action(Frame, frozen=True):
    """The use of the next assistant; pushed by ``assistant``."""


class Sector(SourcedFrame, frozen=True):
    """The action to do without an assistant, in ``area`` unless that is empty; pushed by ``act``."""

    area: str = ""


# Gains


class Print(Frame, frozen=True):
    """The value of a ``fact`` of the copy; pushed by whatever needs it first."""

    fact: str


class Resource(Frame, frozen=True):
    """A resource of choice, one of ``left``; pushed by ``any`` and by itself."""

    left: int


class Keshi(SourcedFrame, frozen=True):
    """The colour of a keshi from the supply, one of ``colours`` if there are any; with ``alike`` so many of
    the chosen colour. Pushed by ``keshi`` and ``alike``.
    """

    colours: str = ""
    alike: int = 0


class Goods(Frame, frozen=True):
    """The colour of ``number`` goods keshis from the supply; pushed by ``goods``."""

    number: int


class Settle(SourcedFrame, frozen=True):
    """The colour of a keshi whose area then acts (scroll 64); pushed by ``settle``."""


class ScoreOasis(SourcedFrame, frozen=True):
    """The claimed oasis that scores now (scroll 71); pushed by ``score_oasis``."""


class Returned(SourcedFrame, frozen=True):
    """The number of resources to return for ``oasis``, by its number; pushed by ``score``."""

    oasis: str


class Sell(SourcedFrame, frozen=True):
    """The resources to sell for VP (scroll 72); pushed by ``sell``."""


# Payment


class Instead(Frame, frozen=True):
    """The resource that pays one of ``left`` dinars (scroll 33), leaving ``kept`` dates; or with
    :data:`.paying.ANY` as ``kept`` the one resource that an oasis costs (scroll 45). Pushed by payments.
    """

    kept: str = ""
    left: int = 1


class Lenient(Frame, frozen=True):
    """Yes to pay a dinar, then any resource for each provision tile (scroll 44); pushed by ``provision``."""


class Part(Frame, frozen=True):
    """The resource for a provision tile (scroll 44); pushed by ``part``."""


# The river and the orchard


class Sail(Frame, frozen=True):
    """The fisherman's goal after ``steps`` won steps, paid water apart; pushed by ``river``."""

    steps: int


class Rapid(Frame, frozen=True):
    """The crossed rapid whose bonus is taken; pushed by ``rapids``."""


class Harvest(Frame, frozen=True):
    """The kinds of what date pickers bring (scrolls 23 to 25); pushed by the orchard's action."""


# The souk


class Line(Frame, frozen=True):
    """The gains that the office shows for goods of ``colour``; pushed by an exchange or :class:`Office`."""

    colour: str


class SellMore(Frame, frozen=True):
    """The next goods keshi to exchange (scroll 46); pushed by an exchange, asked again after each."""


class Good(Frame, frozen=True):
    """A luxury good: bought, with :data:`.souk.MANY` as ``terms`` one of several, with :data:`.souk.FREE`
    won. ``declinable`` is 1 if it may be declined under version 1. Pushed by the souk's action or ``prize``.
    """

    terms: str = ""
    declinable: int = 0


# The square


class Disc(Frame, frozen=True):
    """The turn of the disc; pushed by an effect that needs it and waits below."""


class Spectators(SourcedFrame, frozen=True):
    """The next of ``places``, a set of :data:`.facts.SQUARE`, to give its bonus. ``cause`` is the effect of
    the scroll that gives all of them, empty for the action, which gives one. Pushed by bonuses of places.
    """

    cause: str = ""
    places: int = 0


# The stairs


class Stair(Frame, frozen=True):
    """The stair to move on by ``steps``; with :data:`.stairs.BOTH` as ``which`` the first of both. Pushed by
    ``stair`` and ``both_stairs``.
    """

    which: str = ""
    steps: int = 1


class Climb(Frame, frozen=True):
    """The payment for one more step on ``stair`` beyond ``steps`` (scrolls 26 and 27); pushed by ``mosque``
    and ``palace``, and by itself.
    """

    stair: str
    steps: int


class First(SourcedFrame, frozen=True):
    """The order of scroll 16's river step and the bonus of ``line``; pushed by ``first``."""

    line: str


class Link(SourcedFrame, frozen=True):
    """A bonus of a line, one of ``left``. ``taken`` is the line with the bonuses chosen of it before,
    ``12+date``. Pushed by ``link`` and by itself.
    """

    taken: str
    left: int


# The madrasa


class Scroll(Frame, frozen=True):
    """The next scroll to buy while ``engaged`` scholars support others. ``since`` is :data:`.madrasa.BOUGHT`
    after a purchase, or the colour just turned up, of which one must be bought. Pushed by the madrasa's
    action, asked again after each.
    """

    since: str = ""
    engaged: int = 0


class Learn(Frame, frozen=True):
    """A displayed scroll that would need exactly so many ``scholars``, or :data:`.madrasa.ANY`, without
    them; pushed by ``learn`` and ``prize``.
    """

    scholars: int


# The medina


class Workshop(SourcedFrame, frozen=True):
    """The workshop to buy the next gate from. ``colours`` are those of the gates bought, ``guards`` may buy
    more; ``source`` is the tile that gives a gate. Pushed by the medina's action or a tile, asked again after
    each.
    """

    colours: str = ""
    guards: int = 0


class Gate(Frame, frozen=True):
    """The colour of the gate from ``workshop``; pushed by :class:`Workshop`, which waits below."""

    workshop: str


class GatePlace(Frame, frozen=True):
    """The place for the gate of ``colour`` from ``workshop``; pushed by :class:`Gate`."""

    colour: str
    workshop: int


class GateKeshi(SourcedFrame, frozen=True):
    """The next of the keshis of ``colours`` to deploy, of gates or claimed with scroll 61; pushed by
    ``gate_keshis``.
    """

    colours: str


# The Sahara


class Oasis(Frame, frozen=True):
    """The next oasis to claim: for its price, ``number`` 1 after the first, or with :data:`.sahara.FREE` as
    ``terms`` for nothing, up to ``number``. Pushed by the Sahara's action and ``oases``, asked again after
    each.
    """

    terms: str = ""
    number: int = 0


class OasisNumber(Frame, frozen=True):
    """The number of the oasis that was at ``place``, counted from 1 along :data:`.state.OASES`, 0 if unknown.
    ``origin`` is :data:`.sahara.FOUND` for one discovered, :data:`.sahara.SPARE` for one from beside the
    board, empty for one claimed. Pushed by claims, ``found``, ``numbered`` and ``spare_oasis``.
    """

    origin: str = ""
    place: int = 0


class GiveBack(Frame, frozen=True):
    """The colour of the keshi to exchange; pushed by ``exchange``."""


class BackFrom(Frame, frozen=True):
    """The place that the exchanged keshi of ``colour``, red or pink, leaves; pushed by :class:`GiveBack`."""

    colour: str


# The season's end


class RiverTile(Frame, frozen=True):
    """The face of the season's river tile; pushed by ``river_tile``."""


class RiverChoice(SourcedFrame, frozen=True):
    """The half of the river tile with this ``effect`` that the winner takes; pushed by ``won``, above
    ``second``.
    """

    effect: str


# Expansions


class StairTile(Frame, frozen=True):
    """The staircase tile on a middle ``space``, from 1; pushed by a ``link`` that passes it."""

    space: int


class Office(Frame, frozen=True):
    """The exchange office of the season; pushed by an exchange of ``colour``."""

    colour: str


class Spared(Frame, frozen=True):
    """The keshi of ``price`` that the imam spares; pushed by the purchase of a luxury good."""

    price: str


class Town(Frame, frozen=True):
    """The town to take at ``end`` of a path; pushed by a fourth :class:`Caravan` there."""

    end: str


QUESTIONS: dict[str, type[Frame]] = {
    kind.question: kind
    for kind in (*Frame.__subclasses__(), *SourcedFrame.__subclasses__())
    if kind is not SourcedFrame
}
"""The class of each question by its name."""


# Effects

ASSISTANT = "assistant"
ONCE = -1
"""The number of an effect whose word has none."""


class Effect(msgspec.Struct, frozen=True):
    """A frame that asks nothing: it happens once the frames above it are answered (:mod:`.book`).

    ``subject`` is a seat, a colour, a place or a tile, as the effect needs. ``number`` says how often or how
    far. ``why`` and ``source`` are those of a :class:`SourcedFrame`.
    """

    question: ClassVar[str] = "effect"
    open: ClassVar[bool] = False
    name: str
    subject: str = ""
    number: int = ONCE
    why: str = ""
    source: str = ""

    @property
    def times(self) -> int:
        """Its number, 1 without one."""
        return 1 if self.number == ONCE else self.number


AnyFrame = Frame | Effect
IN_TURN = Effect(ASSISTANT)
"""The next assistant of the seat's turn; it waits below all that the assistant before it does (MK-6.1)."""
