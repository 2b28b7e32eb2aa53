"""The frames of a state: the stack of what a player is in the middle of.

A frame is a question in progress or an :class:`Effect` to come; the pending question is last. There is a
class for each question, named like it: :class:`GatePlace` is asked as ``gate_place``. Its docstring has a
step that answers it (:mod:`.notation`), the answer's meaning, and, behind "from", the effect, action or
question that pushes the frame; the answer takes it off the stack. An effect waits until all above it is
answered; its meaning stands at the function that :func:`.book.happens` registers.

Colours are letters (:mod:`.pieces`). ``w`` ``d`` ``n`` and ``v`` count water, dates, dinars and VP, ``r`` and
``s`` river and stair steps.

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
        text, _ = _find_own_fields(type(self))
        return getattr(self, text) if text else ""

    @property
    def own_number(self) -> int:
        """Its number, 0 without one."""
        _, number = _find_own_fields(type(self))
        return getattr(self, number) if number else 0

    @classmethod
    def of(cls, text: str, number: int, **others: Any) -> Self | None:
        """Return the frame with its own text and number, and with ``others``; None if it has no field for one
        of them.
        """
        told = [*zip(_find_own_fields(cls), (text, number), strict=True), *others.items()]
        if any(value and name not in cls.__struct_fields__ for name, value in told):
            return None
        return cls(**{name: value for name, value in told if name in cls.__struct_fields__})


class SourcedFrame(Frame, frozen=True, kw_only=True):
    """A question whose answer may give VP: ``why`` is their category, ``source`` the tile that gives them."""

    why: str = ""
    source: str = ""


@cache
def _find_own_fields(kind: type[Frame]) -> tuple[str, str]:
    """Return the names of a question's text and number, empty for none."""
    own = [one for one in msgspec.structs.fields(kind) if one.name not in SourcedFrame.__struct_fields__]
    text, number = (next((one.name for one in own if one.type is type_), "") for type_ in (str, int))
    return text, number


# Set-up


class Stock(Frame, frozen=True):
    """``stock t``: the keshi for the oasis track's next place after ``placed`` others; from ``stock``."""

    placed: int = 0


class TurnUp(Frame, frozen=True):
    """``turn_up 1w2n``: the provision tile that asks for so much, to turn up; from ``turn_up``."""


# Keshis and assistants


class Choose(Frame, frozen=True):
    """``choose t k r p``: the next keshi from behind the screen, ``colours`` are chosen; then the area for
    red's assistant. From ``choose`` and by itself.
    """

    colours: str = ""


class RedArea(Frame, frozen=True):
    """``red p``: the area for red's assistant; from the last :class:`Choose`."""


class Tray(Frame, frozen=True):
    """``tray 2t1g``: the keshis that came out of the tower; from ``throw``."""


class Claim(Frame, frozen=True):
    """``claim 2t``: the keshis to claim from the tray, ``claim tg`` with scroll 61; from ``claim``."""


class Vendor(Frame, frozen=True):
    """``vendor t``: the area for a red keshi; from ``deploy``."""


class Spot(Frame, frozen=True):
    """``spot water``: the place on the square for a pink keshi; from ``deploy``."""


class Caravan(Frame, frozen=True):
    """``caravan left``: the path for a brown keshi; from ``deploy``."""


class Action(Frame, frozen=True):
    """``t.act``: the use of the next assistant, the area's action; ``t.keshi`` takes a keshi, ``s.l`` a
    yellow one, ``s.sell_l`` exchanges one, ``s.buy`` buys a good, ``t.leave`` does nothing. From
    ``assistant``.
    """


class Sector(SourcedFrame, frozen=True):
    """``sector t.act``: an action without an assistant, of ``area`` unless that is empty; from ``act``."""

    area: str = ""


# Gains


class Print(Frame, frozen=True):
    """``print 1,-3``: the value of a ``fact`` of the copy; from whatever needs it first."""

    fact: str


class Resource(Frame, frozen=True):
    """``take water``: a resource of choice, one of ``left``; from ``any`` and by itself."""

    left: int


class Keshi(SourcedFrame, frozen=True):
    """``keshi y``: the colour of a keshi from the supply, one of ``colours`` if there are any; with ``alike``
    so many of that colour. From ``keshi`` and ``alike``.
    """

    colours: str = ""
    alike: int = 0


class Goods(Frame, frozen=True):
    """``goods u``: the colour of ``number`` goods keshis from the supply; from ``goods``."""

    number: int


class Settle(SourcedFrame, frozen=True):
    """``settle p``: the colour of a keshi whose area then acts (scroll 64); from ``settle``."""


class ScoreOasis(SourcedFrame, frozen=True):
    """``score 12``: the claimed oasis that scores now (scroll 71); from ``score_oasis``."""


class Returned(SourcedFrame, frozen=True):
    """``return 4``: the number of resources to return for ``oasis``, by its number; from ``score``."""

    oasis: str


class Sell(SourcedFrame, frozen=True):
    """``sell 2w1d``: the resources to return for VP (scroll 72); from ``sell``."""


# Payment


class Instead(Frame, frozen=True):
    """``instead date``: the resource that pays one of ``left`` dinars (scroll 33) and leaves ``kept`` dates;
    with :data:`.paying.ANY` as ``kept`` the one resource that an oasis costs (scroll 45). From payments.
    """

    kept: str = ""
    left: int = 1


class Lenient(Frame, frozen=True):
    """``lenient yes``: a dinar, then any resource for each provision tile (scroll 44); from ``provision``."""


class Part(Frame, frozen=True):
    """``pay date``: the resource for a provision tile (scroll 44); from ``part``."""


# The river and the orchard


class Sail(Frame, frozen=True):
    """``sail 7``: the fisherman's goal before a taken space pushes it back, ``sail jetty+2`` two steps beyond
    the jetty. ``steps`` are won; the water to pay for more follows from the goal. From ``river``.
    """

    steps: int


class Rapid(Frame, frozen=True):
    """``rapid any``: the crossed rapid, by its bonus, which is taken; from ``rapids``."""


class Harvest(Frame, frozen=True):
    """``harvest 2d1w``: what date pickers bring (scrolls 23 to 25); from the orchard's action."""


# The souk


class Line(Frame, frozen=True):
    """``line 2d1v``: the office's gains for goods of ``colour``; from an exchange or :class:`Office`."""

    colour: str


class SellMore(Frame, frozen=True):
    """``sell_more l``: the next goods keshi to exchange (scroll 46), or ``none``; from an exchange."""


class Good(Frame, frozen=True):
    """``good slipper.1o2v1w``: a luxury good by its cost and gains, ``slipper.new`` if the copy does not know
    them, or ``none``. It is bought, with :data:`.souk.MANY` as ``terms`` one of several, or with
    :data:`.souk.FREE` won; ``declinable`` is 1 if version 1 lets it be declined. From the souk's action and
    ``prize``.
    """

    terms: str = ""
    declinable: int = 0


# The square


class Disc(Frame, frozen=True):
    """``disc 31131113``: the numbers of spectators who face the copy's places, clockwise from the first; from
    an effect that needs the disc's turn and waits below.
    """


class Spectators(SourcedFrame, frozen=True):
    """``spectators vp2``: the next of ``places``, a set of :data:`.facts.SQUARE`, to give its bonus.
    ``cause`` is the effect of the scroll that gives all of them, empty for the action, which gives one. From
    bonuses of places.
    """

    cause: str = ""
    places: int = 0


# The stairs


class Stair(Frame, frozen=True):
    """``stair mosque``: the stair to move on by ``steps``; with :data:`.stairs.BOTH` as ``which`` the first
    of both. From ``stair`` and ``both_stairs``.
    """

    which: str = ""
    steps: int = 1


class Climb(Frame, frozen=True):
    """``climb date``: the payment for one more step on ``stair`` beyond ``steps`` (scrolls 26 and 27), ``go``
    for none; from ``mosque`` and ``palace``, and by itself.
    """

    stair: str
    steps: int


class First(SourcedFrame, frozen=True):
    """``first river``: scroll 16's river step before the bonus of ``line``, or ``link``; from ``first``."""

    line: str


class Link(SourcedFrame, frozen=True):
    """``link dinar2``: a bonus of a line, one of ``left``. ``taken`` is the line with the bonuses chosen of
    it before, ``12+date``. From ``link`` and by itself.
    """

    taken: str
    left: int


# The madrasa


class Scroll(Frame, frozen=True):
    """``scroll 23``: the next scroll to buy while ``engaged`` scholars support others; ``turn_gray`` turns up
    new gray ones for a dinar, ``done`` ends. ``since`` is :data:`.madrasa.BOUGHT` after a purchase, or the
    colour just turned up, of which one must be bought. From the madrasa's action, asked again after each.
    """

    since: str = ""
    engaged: int = 0


class Learn(Frame, frozen=True):
    """``learn 23``: a displayed scroll that would need exactly so many ``scholars``, or :data:`.madrasa.ANY`,
    without them, or ``none``; from ``learn`` and ``prize``.
    """

    scholars: int


# The medina


class Workshop(SourcedFrame, frozen=True):
    """``gate 2 p 5``: the workshop to buy the next gate from, its colour and its place; ``gate done`` ends.
    ``colours`` are those of the gates bought, ``guards`` may buy more; ``source`` is the tile that gives a
    gate. From the medina's action or a tile, asked again after each.
    """

    colours: str = ""
    guards: int = 0


class Gate(Frame, frozen=True):
    """The colour of the gate from ``workshop``; from :class:`Workshop`, which waits below."""

    workshop: str


class GatePlace(Frame, frozen=True):
    """The place for the gate of ``colour`` from ``workshop``; from :class:`Gate`."""

    colour: str
    workshop: int


class GateKeshi(SourcedFrame, frozen=True):
    """``deploy p``: the next of the keshis of ``colours`` to deploy, of gates or claimed with scroll 61; from
    ``gate_keshis``.
    """

    colours: str


# The Sahara


class Oasis(Frame, frozen=True):
    """``oasis left1``: the next oasis to claim, ``done`` for none: for its price, ``number`` 1 after the
    first, or with :data:`.sahara.FREE` as ``terms`` for nothing, up to ``number``. From the Sahara's action
    and ``oases``, asked again after each.
    """

    terms: str = ""
    number: int = 0


class OasisNumber(Frame, frozen=True):
    """``tile 12``: the number of the oasis that was at ``place``, counted from 1 along :data:`.facts.OASES`,
    0 if unknown. ``origin`` is :data:`.sahara.FOUND` for one discovered, :data:`.sahara.SPARE` for one from
    beside the board, which ``none`` declines, empty for one claimed. From claims, ``found``, ``numbered`` and
    ``spare_oasis``.
    """

    origin: str = ""
    place: int = 0


class GiveBack(Frame, frozen=True):
    """``give_back r t``: the colour of the keshi to exchange, its place, or ``none``; from ``exchange``."""


class BackFrom(Frame, frozen=True):
    """The place that the exchanged keshi of ``colour``, red or pink, leaves; from :class:`GiveBack`."""

    colour: str


# The season's end


class RiverTile(Frame, frozen=True):
    """``river 03``: the face of the season's river tile; from ``river_tile``."""


class RiverChoice(SourcedFrame, frozen=True):
    """``bonus first``: the half of the river tile with this ``effect`` that the winner takes; from ``won``
    above ``second``.
    """

    effect: str


# Expansions


class StairTile(Frame, frozen=True):
    """``stair_tile 07a``: the tile's face on a middle ``space``, from 1; from a ``link`` that passes it."""

    space: int


class Office(Frame, frozen=True):
    """``office 2``: the season's exchange office, ``base`` for one of the base game; from an exchange of
    ``colour``.
    """

    colour: str


class Spared(Frame, frozen=True):
    """``spared l``: the keshi of ``price`` that the imam spares; from the purchase of a luxury good."""

    price: str


class Town(Frame, frozen=True):
    """``town 07``: the town to take at ``end`` of a path; from a fourth :class:`Caravan` there."""

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
