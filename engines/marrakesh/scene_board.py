"""The drawing of a player's board: areas with their keshis, square, watchtower, desert, souk."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin
from typing import Any

from msgspec.structs import replace

from engines.contract import Label, Mark
from engines.kit.drawing import arch, disc, figure, icon, octagon, path, rect, said, sign, spread, title
from engines.marrakesh.facts import OASES
from engines.marrakesh.paying import sum_tiles
from engines.marrakesh.pieces import AREAS, BEIGE, BROWN, GOODS, LETTERS, PINK, RED, SOUK
from engines.marrakesh.square import list_sections, write_facing
from engines.marrakesh.state import LEFT, ON_PATH, ON_TRACK, PATHS, PLACES, RESOURCES, Side, State

WIDE, HIGH = 624, 568
POINTS = "10"
"""The VP of a full area (MK-5.3)."""
FULL_AREAS = {letter: kind for kind, letter in enumerate(AREAS)}
GOODS_KINDS = tuple(LETTERS.index(letter) for letter in GOODS)
_PICTURES = ("boat", "palm", "mosque", "palace", "scroll", "tower", "camel", "juggler", "souk")
_EMPTY: dict[str, Any] = {"edge": "faint", "dashed": True}
"""The outline of a thing that is not there yet."""
_AREA_ICONS = dict(zip(AREAS + SOUK, _PICTURES, strict=True))


def draw_board(state: State, seat: int) -> tuple[Mark, ...]:
    """Return a seat's board, in :data:`WIDE` × :data:`HIGH` pixels; only the asked seat may tap it."""
    marks = _draw_whole(state, seat)
    if seat == state.seat:
        return marks
    return tuple(replace(mark, answers=()) if mark.answers else mark for mark in marks)


def _draw_whole(state: State, seat: int) -> tuple[Mark, ...]:
    side = state.sides[seat]
    return (
        *_draw_head(state, side, seat),
        *(
            mark
            for at, area in enumerate("tgkw")
            for mark in _draw_area(side, seat, area, 10 + 152 * at, 58, 146, 136)
        ),
        *_draw_square(state, side, seat),
        *_draw_area(side, seat, "y", 200, 202, 138, 112),
        *_draw_scrolls(side, seat),
        *_draw_medina(state, side, seat),
        *_draw_sahara(side, seat),
        *_draw_souk(side, seat),
    )


def _shorten(letter: str) -> Label:
    """Name a colour in a sign or two, for eyes that see few."""
    return Label(f"short.{letter}")


def draw_keshi(kind: int, x: float, y: float, w: float, key: str = "", **more: object) -> Mark:
    """Return a keshi."""
    letter = LETTERS[kind]
    look: dict[str, object] = {"edge": "rim", "text": _shorten(letter), "key": key, **more}
    return octagon(x, y, w, 0, f"keshi_{letter}", **look)


# The head: resources, in hand and due


def _draw_head(state: State, side: Side, seat: int) -> Iterator[Mark]:
    yield from title(seat, 8, 30, 34, 190)
    asked = sum_tiles(state.copy, side.demands)
    for kind, name in enumerate(RESOURCES):
        have, needed, x = side.resource(kind), asked and asked[kind], 272 + 120 * kind
        short = needed is not None and have < needed
        yield icon(name, x, 30, 30, f"res_{name}")
        yield figure(x + 40, 30, str(have), 36, key=f"{name}:{seat}", align="middle")
        if side.demands:
            text = f"/{'?' if needed is None else needed}"
            yield said(x + 60, 32, text, 26, "accent" if short else "quiet", bold=short)


# Areas


def _draw_ground(side: Side, seat: int, area: str, x: float, y: float, w: float, h: float) -> Iterator[Mark]:
    """Yield an area's card with its pictogram, its assistants, and the place of its water vendor."""
    whole = area in FULL_AREAS and area != "n" and side.deployed(FULL_AREAS[area]) >= PLACES
    edge = "gold" if whole else ""
    yield rect(x + w / 2, y + h / 2, w, h, f"area_{area}", edge=edge, line=4, answers=_list_answers(area))
    yield icon(_AREA_ICONS[area], x + 20, y + 25, 30)
    yield from _draw_vendor(side, seat, area, x + w - 24, y + 26)
    yield from _draw_assistants(side, seat, area, x + w * 0.62, y + 26, 32, 30)
    if whole:
        yield disc(x + 55, y + 26, 36, 30, "gold", edge="ink", text=POINTS, bold=True, size=24)


def _list_answers(area: str) -> tuple[str, ...]:
    """Return the answers of a tap on an area."""
    return (f"action {area}.act", f"action {area}.keshi", f"red_area {area}", f"vendor {area}")


def _draw_assistants(
    side: Side, seat: int, area: str, x: float, y: float, w: float, across: float, down: float = 0
) -> Iterator[Mark]:
    """Yield the assistants in an area, ``across`` and ``down`` from each other."""
    for nth in range(side.assistants.count(area)):
        key = f"assistant:{seat}:{area}:{nth}"
        yield sign(seat, x + across * nth, y + down * nth, w, text=" ", key=key)


def _draw_vendor(side: Side, seat: int, area: str, x: float, y: float) -> Iterator[Mark]:
    """Yield the water vendor of an area, or a drop on its free place."""
    if side.vendors >> AREAS.index(area) & 1:
        yield draw_keshi(RED, x, y, 34, f"vendor:{seat}:{area}")
    else:
        yield path(x, y, "M0-13C7-4 9 1 9 5A9 9 0 0 1-9 5C-9 1-7-4 0-13Z", edge="faint", dashed=True)


def _draw_area(side: Side, seat: int, area: str, x: float, y: float, w: float, h: float) -> Iterator[Mark]:
    """Yield an area of eight places in two rows."""
    yield from _draw_ground(side, seat, area, x, y, w, h)
    kind = FULL_AREAS[area]
    count, step = side.deployed(kind), (w - 10) / 4
    high = min(step, (h - 50) / 2)
    for n in range(PLACES):
        row, column = divmod(n, 4)
        at = x + 5 + step * (column + 0.5), y + 46 + high * (row + 0.5)
        yield _draw_place(kind, *at, high - 2, n < count, f"{area}:{seat}:{n}")


def _draw_place(kind: int, x: float, y: float, w: float, taken: bool, key: str) -> Mark:
    """Return a place with its keshi, or its empty outline."""
    return draw_keshi(kind, x, y, w, key) if taken else octagon(x, y, w, edge="faint")


def _draw_scrolls(side: Side, seat: int) -> Iterator[Mark]:
    """Yield the scrolls of a madrasa by their numbers."""
    yield rect(269, 356, 138, 76, "area_y")
    if not side.scrolls:
        yield icon("scroll", 269, 356, 34, "faint")
        return
    columns = 3 if len(side.scrolls) <= 6 else 4
    rows = -(-len(side.scrolls) // columns)
    wide, high = 132 / columns, 72 / max(2, rows)
    for at, number in enumerate(side.scrolls):
        row, column = divmod(at, columns)
        x, y = 203 + wide * (column + 0.5), 320 + high * (row + 0.5)
        key = f"scroll:{seat}:{number}"
        yield rect(x, y, wide - 4, high - 4, "chip", edge="ink", text=f"{number:02}", size=24, key=key)


# The square


def _draw_square(state: State, side: Side, seat: int) -> Iterator[Mark]:
    """Yield the ring of places, and in it the disc with the spectators that face them."""
    x, y = 102, 298
    yield rect(x, y, 184, 192, "area_p", answers=_list_answers("p"))
    yield from _draw_vendor(side, seat, "p", 28, 220)
    yield from _draw_assistants(side, seat, "p", 172, 222, 36, -30)
    yield disc(x, y, 172, edge="faint", line=1)
    crowd = write_facing(list_sections(state), side.disc) if side.disc >= 0 else ""
    yield disc(x, y, 84, 0, "disc", edge="ink", key=f"disc:{seat}:{side.disc}")
    if not crowd:
        yield figure(x, y, "?", 44, align="middle")
    dots = ""
    for place, bonus in enumerate(state.copy.square):
        angle = 2 * pi * place / PLACES - pi / 2
        px, py = round(x + 66 * sin(angle + pi / 2)), round(y - 66 * cos(angle + pi / 2))
        if side.square >> place & 1:
            yield draw_keshi(PINK, px, py, 36, f"p:{seat}:{place}")
        elif bonus == "vp2":
            yield said(px, py, "2", 28, "faint_ink", align="middle", bold=True)
        else:
            yield icon(_BONUS.get(bonus, bonus), px, py, 28, "faint_ink")
        seen = int(crowd[place]) if crowd else 0
        for off in spread(seen, angle + pi / 2, 0.26):
            dx, dy = 34 * sin(off), -34 * cos(off)
            dots += f"M{dx - 4:.0f} {dy:.0f}a4 4 0 1 0 8 0a4 4 0 1 0-8 0"
    if dots:
        yield path(x, y, dots, fill="ink")
        yield icon("juggler", x, y, 34)


_BONUS = {"river": "fish", "goods": "souk"}


# Watchtower and gates


_WATCHTOWER = "M-34 0V-112H-40V-138H-24V-128H-8V-138H8V-128H24V-138H40V-112H34V0Z"


def _draw_medina(state: State, side: Side, seat: int) -> Iterator[Mark]:
    """Yield the watchtower with its guards, and the gates in two rows."""
    yield from _draw_ground(side, seat, "b", 348, 202, 266, 192)
    guards = side.on_tower
    yield path(386, 388, _WATCHTOWER, fill="stone", edge="ink")
    if guards:
        key = f"guards:{seat}:{guards}"
        yield draw_keshi(BEIGE, 394, 328, 40, f"guards:{seat}")
        yield figure(386, 368, str(guards), 30, align="middle", ink="", fill="stone", key=key)
    for n, gate in enumerate(side.gates):
        row, column = divmod(n, 4)
        x, y = 458 + 45 * column, 280 + 76 * row
        answers = (f"gate_place {n + 1}",)
        if gate == "-":
            printed = _shorten(state.copy.gate_places[n])
            yield arch(x, y, 38, 68, text=printed, size=22, ink="faint_ink", answers=answers, **_EMPTY)
        else:
            colour = f"keshi_{gate}"
            yield arch(x, y, 40, 70, colour, edge="ink", key=f"gate:{seat}:{n}")
            yield figure(x, y - 14, _shorten(gate), 22, bold=True, align="middle", ink="", fill=colour)
            yield octagon(x, y + 18, 28, 0, "keshi_b", edge="ink")


# The Sahara


def _draw_sahara(side: Side, seat: int) -> Iterator[Mark]:
    """Yield caravans along the paths, oases between them, and the track with the claimed ones."""
    yield rect(208, 482, 396, 160, "area_n", answers=_list_answers("n"))
    yield icon("camel", 34, 426, 38)
    yield from _draw_vendor(side, seat, "n", 34, 474)
    yield from _draw_assistants(side, seat, "n", 34, 520, 34, 0, 34)
    start, *paths = side.caravans
    yield rect(88, 448, 46, 80, "oasis", answers=("caravan start",))
    for n in range(ON_PATH[0]):
        yield _draw_place(BROWN, 88, 430 + 38 * n, 32, n < start, f"caravan:{seat}:start:{n}")
    found, at = side.discovered, 0
    for way, (count, y) in enumerate(zip(paths, (430, 470), strict=True), LEFT):
        answers = (f"caravan {PATHS[way]}",)
        yield path(116, y, "M0 0H270", edge="sand", line=3, dashed=True, answers=answers)
        for n in range(ON_PATH[way]):
            x = 140 + 92 * n
            yield _draw_place(BROWN, x, y, 32, n < count, f"caravan:{seat}:{way}:{n}")
            yield from _draw_oasis(side, found, at, x + 46, y, seat)
            at += 1
    yield icon("palm", 34, 540, 30, "faint_ink")
    for n in range(ON_TRACK):
        x = 88 + 54 * n
        if n < len(side.oases):
            number, key = f"{side.oases[n]:02}", f"claimed:{seat}:{n}"
            yield rect(x, 532, 48, 40, "oasis", edge="ink", text=number, size=28, bold=True, key=key)
        else:
            yield rect(x, 532, 46, 38, edge="faint", dashed=True, line=1)
        if (waits := side.stock[n]) != "-":
            yield draw_keshi(LETTERS.index(waits), x, 532, 32, f"stock:{seat}:{n}")


def _draw_oasis(side: Side, found: int, at: int, x: float, y: float, seat: int) -> Iterator[Mark]:
    """Yield an oasis: face down, discovered, or claimed."""
    key = f"oasis:{seat}:{at}"
    if side.claimed >> at & 1:
        yield disc(x, y, 32, **_EMPTY, icon="tick", ink="faint_ink", key=key)
    elif found >> at & 1:
        answers = (f"oasis {OASES[at]}",)
        yield disc(x, y, 34, 0, "oasis", edge="ink", icon="palm", key=key, answers=answers)
    else:
        yield disc(x, y, 34, 0, "sand", edge="ink", text="?", size=24, bold=True)


# The souk


def _draw_souk(side: Side, seat: int) -> Iterator[Mark]:
    """Yield goods by colour, luxury goods, vendor and assistants."""
    goods = tuple(f"s.{way}{letter}" for letter in GOODS for way in ("", "sell_"))
    answers = tuple(f"action {token}" for token in ("s.buy", *goods))
    yield rect(514, 482, 200, 160, "area_s", answers=(*answers, f"red_area {SOUK}"))
    yield icon("souk", 436, 426, 34)
    if side.goods:
        yield icon("lamp", 474, 426, 32)
        yield figure(494, 426, str(len(side.goods)), 30, align="start", key=f"goods:{seat}:{len(side.goods)}")
    if side.stall:
        yield draw_keshi(RED, 544, 426, 32, f"vendor:{seat}:{SOUK}")
    yield from _draw_assistants(side, seat, SOUK, 594, 426, 34, -36)
    for x, kind in zip((452, 514, 576), GOODS_KINDS, strict=True):
        count = side.deployed(kind)
        yield _draw_place(kind, x, 486, 42, count > 0, f"good:{seat}:{kind}")
        ink, key = "ink" if count else "quiet", f"good:{seat}:{kind}:{count}"
        yield figure(x, 534, str(count), 34, align="middle", ink=ink, key=key)
