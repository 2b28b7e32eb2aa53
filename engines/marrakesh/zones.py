"""Zones of Marrakesh: the tray, the tower, and what is before each player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Label, Piece, Zone
from engines.marrakesh import souk
from engines.marrakesh.expanding import played
from engines.marrakesh.facts import SQUARE, known
from engines.marrakesh.keshis import AREAS, BEIGE, LETTERS, RED, SOUK
from engines.marrakesh.notation import label
from engines.marrakesh.paying import NEW, fact, written
from engines.marrakesh.square import facing, sections
from engines.marrakesh.state import OASES, RESOURCES, Side, State


def zones(state: State) -> tuple[Zone, ...]:
    """Return the tray and the tower, then by seat what lies before it."""
    shared = (Zone("tray", None, _keshis(state.tray)), Zone("tower", None, _keshis(state.inside)))
    seats = range(state.variant.seats)
    beside = (zone for each in played(state) for zone in each.zones(state, None))
    before = (zone for seat in seats for zone in (*_before(state, seat), *_added(state, seat)))
    return (*shared, *beside, *before)


def _added(state: State, seat: int) -> Iterator[Zone]:
    """Yield what expansions have lie before a seat."""
    return (zone for each in played(state) for zone in each.zones(state, seat))


def _keshis(held: Bag) -> tuple[Piece, ...]:
    return tuple(Piece(Label(f"colour.{LETTERS[kind]}"), n) for kind, n in bags.items(held))


def _before(state: State, seat: int) -> Iterator[Zone]:
    """Yield what lies before a seat, what it chooses and uses first."""
    side = state.sides[seat]
    yield Zone("behind", seat, _keshis(side.behind))
    assistants = Counter(side.assistants)
    yield Zone("assistants", seat, tuple(Piece(Label(f"area.{one}"), n) for one, n in assistants.items()))
    resources = bags.items(side.resources)
    yield Zone("resources", seat, tuple(Piece(Label(f"lies.{RESOURCES[kind]}"), n) for kind, n in resources))
    yield Zone("keshis", seat, _deployed(side))
    vendors = [Piece(Label(f"area.{area}")) for area in areas(side.vendors)]
    yield Zone("vendors", seat, tuple(vendors + [Piece(Label(f"area.{SOUK}"))] * side.stall))
    square = [Piece(Label(f"reward.{SQUARE[place]}")) for place in members(side.square)]
    yield Zone("square", seat, tuple(square))
    yield Zone("pawns", seat, tuple(_standing(state, side)))
    yield Zone("oases", seat, _claimable(side))
    yield Zone("claimed", seat, tuple(_called("oasis_number", f"{number:02}") for number in side.oases))
    stock = Counter(side.stock.replace("-", ""))
    yield Zone("stock", seat, tuple(Piece(Label(f"colour.{letter}"), n) for letter, n in stock.items()))
    gates = [(place, gate) for place, gate in enumerate(side.gates, 1) if gate != "-"]
    yield Zone("gates", seat, tuple(Piece(_numbered("gate", n, gate)) for n, gate in gates))
    yield Zone("scrolls", seat, tuple(_called("scroll", str(number)) for number in side.scrolls))
    yield Zone("goods", seat, tuple(_called("good", souk.called(state.copy, name)) for name in side.goods))
    yield Zone("demands", seat, tuple(demand(state, number) for number in side.demands))


def demand(state: State, tile: int) -> Piece:
    """Return a provision tile by what it asks, while that is known."""
    asks = known(state.copy, fact(tile))
    return _called("turn_up", NEW if asks is None else written(asks))


def _called(asked: str, token: str) -> Piece:
    return Piece(label(Choice(asked, token)))


def _numbered(name: str, n: int, colour: str = "") -> Label:
    return Label(f"lies.{name}", (("n", n), ("colour", colour)))


def _deployed(side: Side) -> tuple[Piece, ...]:
    """Keshis on areas, guards apart by where they stand; vendors are told by their areas."""
    found = []
    for kind, n in bags.items(side.board):
        on = side.on_tower if kind == BEIGE else n
        if on and kind != RED:
            found.append(Piece(Label(f"colour.{LETTERS[kind]}"), on))
        if n - on:
            found.append(Piece(Label("lies.guard"), n - on))
    return tuple(found)


def _standing(state: State, side: Side) -> Iterator[Piece]:
    """Yield the places of the three pawns, and of the disc."""
    river = on_river(state, side)
    for name, n in ((river, side.fisherman), ("mosque", side.mosque), ("palace", side.palace)):
        yield Piece(_numbered(name, n))
    if side.disc >= 0:
        there = label(Choice("disc", facing(sections(state), side.disc))).figures
        yield Piece(Label("lies.disc", (*there, ("reward", state.copy.square[0]))))


def _claimable(side: Side) -> tuple[Piece, ...]:
    return tuple(_called("oasis", OASES[place]) for place in members(side.discovered))


def areas(vendors: int) -> Iterator[str]:
    """Yield the areas of a set of water vendors."""
    return (AREAS[place] for place in members(vendors))


def members(bits: int) -> Iterator[int]:
    """Yield the numbers in a set, the lowest first."""
    return (place for place in range(bits.bit_length()) if bits >> place & 1)


def on_river(state: State, side: Side) -> str:
    """Return a fisherman's place: ``river_start``, ``fisherman`` on a space, ``jetty``."""
    if not side.fisherman:
        return "river_start"
    return "jetty" if side.fisherman > state.copy.river_length else "fisherman"
