"""The drawing of the table: tower and tray, river and stairs, the market, and each board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engines import bags
from engines.contract import HEIGHT, WIDTH, Label, Mark, Panel, Scene
from engines.kit.drawing import arch, disc, figure, icon, octagon, path, rect, said, sign, spread
from engines.marrakesh import pieces, souk
from engines.marrakesh.book import list_played
from engines.marrakesh.facts import look_up
from engines.marrakesh.medina import OF_WORKSHOP, WORKSHOPS
from engines.marrakesh.pieces import GOODS, LETTERS
from engines.marrakesh.scene_board import HIGH, WIDE, draw_board, draw_keshi
from engines.marrakesh.state import State

GAP = 8
BAND = 256
"""The height of the panels above the boards."""
TRAY_WIDE, RIVER_WIDE, FREE_WIDE = 486, 1046, 336
CROWDED, SMALL = 4, 0.66
"""The number of players from which only the mover's board has its full size, and the scale of the others."""


def scene(state: State) -> Scene:
    """Return the table: tower, tray, river and stairs above the boards.

    With two players the tray is between their boards; with four only the mover's board has its full size.
    With more than two a camera's picture covers the market while it is shown; with three the expansions'
    pieces take its place.
    """
    seats, low, right = state.variant.seats, BAND + GAP + 4, WIDE + GAP
    free = ScenePlace(WIDTH - FREE_WIDE, 0, FREE_WIDE, BAND)
    tray, river = ScenePlace(0, 0, TRAY_WIDE, BAND), TRAY_WIDE + GAP + 2.0
    market, added = free, free
    if seats == CROWDED:
        others = iter(range(seats - 1))
        boards = [
            _place_board(state, seat, 0, low, 1)
            if seat == state.seat
            else _place_board(state, seat, right + (WIDE * SMALL + GAP) * next(others), low, SMALL)
            for seat in range(seats)
        ]
        below = low + HIGH * SMALL + GAP
        added = ScenePlace(right, below, WIDTH - right, HEIGHT - below)
    else:
        step = right if seats > 2 else 2 * right
        boards = [_place_board(state, seat, step * seat, low, 1) for seat in range(seats)]
        if seats == 2:
            tray, river = ScenePlace(right, low, WIDE, BAND * WIDE / TRAY_WIDE), 0
            market = ScenePlace(RIVER_WIDE + GAP + 2.0, 0, FREE_WIDE, BAND)
            below = low + tray.high + GAP
            added = ScenePlace(right, below, WIDE, HEIGHT - below)
    on_tray = tuple(_draw_tray(state))
    beside = tuple(_draw_added(state, added.wide, added.high))
    sold = tuple(_draw_market(state)) if not (beside and added == market) else ()
    return Scene(
        (
            Panel("tray", tray.x, tray.y, TRAY_WIDE, BAND, on_tray, None, tray.wide / TRAY_WIDE),
            *boards,
            Panel("river", river, 0, RIVER_WIDE, BAND, (*_draw_river(state), *_draw_stairs(state))),
            *(
                [Panel("market", *market[:2], FREE_WIDE, BAND, sold, None, market.high / BAND)]
                if sold
                else []
            ),
            *([Panel("beside", *added, beside)] if beside else []),
        ),
        ScenePlace(0, 0, 0, 0) if beside and added == free else free,
        Label("scene.when", (("season", state.season), ("round", state.round))),
    )


class ScenePlace(NamedTuple):
    """A place on the table: its corner and size."""

    x: float
    y: float
    wide: float
    high: float


def _place_board(state: State, seat: int, x: float, y: float, scale: float) -> Panel:
    return Panel("board", x, y, WIDE, HIGH, draw_board(state, seat), seat, scale)


# Tower and tray


def _draw_tray(state: State) -> Iterator[Mark]:
    """Yield the tower with the keshis inside, and the tray with those on it."""
    merlons = "V-206H-54V-192H-30V-206H-12V-192H12V-206H30V-192H54V-206H74"
    yield path(88, 240, f"M-66 0V-158H-74{merlons}V-158H66V0Z", fill="stone", edge="ink")
    yield path(88, 240, "M-34 0V-30A34 34 0 0 1 34 -30V0Z", fill="dark")
    inside = list(bags.elements(state.inside))
    columns = 2 if len(inside) <= 6 else 3 if len(inside) <= 12 else 4
    rows = max(3, -(-len(inside) // columns))
    step = round(min(40, 112 / columns, 124 / rows))
    yield rect(88, 118, 116, 128, "dark")
    for at, kind in enumerate(inside):
        row, column = divmod(at, columns)
        x = 88 + step * (column - (columns - 1) / 2)
        yield draw_keshi(kind, x, 62 + step * (row + 0.5), step - 3, f"inside:{at}:{LETTERS[kind]}")
    yield path(322, 150, "M-140 -96H140L156 92H-172Z", fill="wood", edge="ink")
    yield path(322, 150, "M-124 -82H126L138 76H-152Z", fill="tray")
    lies = list(bags.elements(state.tray))
    yield figure(176, 28, Label("scene.tray", (("n", len(lies)),)), 32, align="start")
    yield said(472, 28, Label("scene.inside", (("n", len(inside)),)), align="end")
    rows = 1 if len(lies) <= 3 else 2 if len(lies) <= 10 else 3
    columns = -(-len(lies) // rows) if lies else 1
    step = round(min(88, 260 / columns, 146 / rows))
    mover = state.sides[state.seat]
    for at, kind in enumerate(lies):
        row, column = divmod(at, columns)
        x = 320 + step * (column - (columns - 1) / 2)
        y = 148 + step * (row - (rows - 1) / 2)
        letter, nth = LETTERS[kind], lies[: at + 1].count(kind)
        room = mover.has_room(kind)
        answers = (f"claim 1{letter}", f"claim 2{letter}", f"keshi {letter}")
        yield draw_keshi(kind, x, y, step - 8, f"tray:{letter}:{nth}", pale=not room, answers=answers)
        if not room:
            yield disc(x, y + step * 0.36, 64, 28, "card", edge="ink", text=Label("scene.full"), size=24)


# The river


def _draw_river(state: State) -> Iterator[Mark]:
    """Yield the river from the boats to the jetty, with rapids, their bonuses, and the fishermen."""
    copy = state.copy
    spaces, y = copy.river_length, 62
    step = round((RIVER_WIDE - 130 - 110) / spaces, 1)
    left = 108.0
    wave = "M0 30C120 -2 220 38 340 22S620 24 760 20S900 34 930 16V96C700 112 560 78 420 96S160 86 0 100Z"
    yield path(0, 0, wave, fill="water")
    yield icon("boat", 34, y, 46)
    numbers = ""
    for n in range(1, spaces + 1):
        x = round(left + step * (n - 0.5), 1)
        yield disc(x, y, 38, 0, "foam", edge="quiet", text=str(n), size=24, answers=(f"sail {n}",))
    for n, bonus in zip(copy.rapids, copy.rapid_bonus, strict=True):
        x = left + step * (n - 1)
        numbers += "".join(f"M{x + dx:.0f} 30c-8 12 8 20 0 32s8 20 0 32" for dx in (-7, 0, 7))
        yield from _draw_rapid(bonus, x + step * 0.1)
    yield path(0, 0, numbers, edge="foam", line=3)
    end = RIVER_WIDE - 66
    yield rect(end, y, 126, 68, "wood", edge="ink", answers=("sail jetty",))
    places = spread(len(copy.jetty), end, 30)
    for x, points in zip(places, copy.jetty, strict=True):
        yield disc(x, y, 28, 0, "card", edge="ink", text=str(points), size=24, bold=True)
    for seat, side in enumerate(state.sides):
        at = side.fisherman
        nth = sum(other.fisherman == at for other in state.sides[:seat])
        if at > spaces:
            x = places[side.spot - 1] if 0 < side.spot <= len(places) else end
        else:
            x = left + step * (at - 0.5) + 12 * nth if at else 74 + 18 * nth
        yield sign(seat, x, y - 10 * nth if at else y + 14 * nth - 12, 42, key=f"fisher:{seat}:{at}")


def _draw_rapid(bonus: str, x: float) -> Iterator[Mark]:
    """Yield the bonus of a rapid."""
    if bonus.startswith("vp"):
        text = Label("scene.points", (("n", int(bonus[2:] or 1)),))
        yield disc(x, 112, 78, 34, "card", edge="line", text=text, size=26, bold=True)
        return
    yield disc(x, 112, 86, 34, "card", edge="line")
    for at, dx in enumerate((-26, 0, 26)):
        if bonus == "goods":
            yield octagon(x + dx, 112, 24, 0, f"keshi_{GOODS[at]}", edge="ink", line=1)
        else:
            name = ("water", "date", "dinar")[at]
            yield icon(name, x + dx, 112, 24, f"res_{name}")


# The stairs


def _draw_stairs(state: State) -> Iterator[Mark]:
    copy, sides = state.copy, state.sides
    mosque, palace = [side.mosque for side in sides], [side.palace for side in sides]
    yield from _draw_stair("mosque", copy.mosque_steps, copy.mosque_lines, 20, "k", mosque)
    yield from _draw_stair("palace", copy.palace_steps, copy.palace_lines, 542, "w", palace)


def _draw_stair(
    name: str, steps: int, lines: Sequence[int], left: float, area: str, at: Sequence[int]
) -> Iterator[Mark]:
    """Yield a stair that rises to the right, with gold lines between its sections, and the pawns."""
    wide, foot = round(420 / steps, 1), 246

    def top(step: int) -> float:
        return round(foot - 24 - 66 * step / steps, 1)

    outline = f"M0 0V{top(1) - foot:.1f}" + "".join(
        f"h{wide:.1f}V{(top(step + 1) if step < steps else foot) - foot:.1f}" for step in range(1, steps + 1)
    )
    yield path(left, foot, f"{outline}Z", fill=f"area_{area}", edge="ink", line=1)
    treads = "".join(f"M{wide * step:.1f} 0V{top(step + 1) - foot:.1f}" for step in range(1, steps))
    yield path(left, foot, treads, edge="faint", line=1)
    marks = "".join(f"M{wide * step:.1f} 0V{top(step) - foot - 22:.1f}" for step in lines)
    yield path(left, foot, marks, edge="gold", line=4)
    for step in lines:
        yield icon("dinar", left + wide * step, foot - 20, 22, "res_dinar")
        yield said(left + wide * (step - 0.5) - 4, foot - 14, str(step), 24, "ink", align="middle")
    yield icon(name, left + 452, foot - 50, 62)
    for seat, step in enumerate(at):
        nth = at[:seat].count(step)
        x = left + wide * (step - 0.5) if step else left - 2
        yield sign(seat, x + 10 * nth, top(max(1, step)) - 20 - 22 * nth, 40, key=f"{name}:{seat}:{step}")


# Workshops, exchange office, luxury goods


def _draw_market(state: State) -> Iterator[Mark]:
    """Yield the workshops with price and gates left, the season's office, and the luxury goods left."""
    for at, (workshop, bought) in enumerate(zip(WORKSHOPS, state.bought, strict=True)):
        yield from _draw_workshop(state, workshop, OF_WORKSHOP - bought, 46 + 81 * at)
    for at, (letter, shown) in enumerate(zip(GOODS, state.lines, strict=True)):
        yield from _draw_office(letter, shown, 60 + 108 * at)
    taken = {good for side in state.sides for good in side.goods}
    asked = state.frames[-1].question == "good" if state.frames else False
    for at, kind in enumerate(pieces.LUXURY):
        goods = [good for good in pieces.LUXURY_GOODS if good[:-1] == kind and good not in taken]
        x = 40 + 64 * at
        names = dict.fromkeys(souk.name_good(state.copy, good) for good in goods) if asked else ()
        answers = tuple(f"good {name}" for name in names) or ("action s.buy",)
        yield rect(x, 216, 60, 70, "area_s", answers=answers)
        yield icon(kind, x, 202, 36, "ink" if goods else "faint_ink")
        left = str(len(goods))
        yield figure(x, 236, left, 26, align="middle", key=f"luxury:{kind}:{left}")


def _draw_workshop(state: State, workshop: str, left: int, x: float) -> Iterator[Mark]:
    """Yield a workshop: its gates left, and their cost and VP if known."""
    printed = look_up(state.copy, f"workshop.{workshop}")
    yield rect(x, 48, 77, 84, "area_b", answers=(f"workshop {workshop}",))
    key = f"workshop:{workshop}:{left}"
    yield arch(x - 20, 48, 30, 66, "stone", edge="ink", text=str(left), size=24, bold=True, key=key)
    dinars, points = ("?", "?") if printed is None else (str(printed[0]), f"{printed[1]:+d}")
    yield icon("dinar", x + 6, 30, 20, "res_dinar")
    yield figure(x + 35, 30, dinars, 26)
    yield figure(x + 37, 64, points, 26)


def _draw_office(letter: str, shown: str, x: float) -> Iterator[Mark]:
    """Yield the gains that the season's office gives for a colour, if known."""
    yield rect(x, 132, 103, 72, "area_s", answers=(f"action s.sell_{letter}",))
    yield draw_keshi(LETTERS.index(letter), x - 28, 132, 36)
    given = souk.read_line(shown)
    if not given:
        yield said(x + 22, 132, "?", 28, "ink", bold=True, align="middle")
    for (name, n), y in zip(given, spread(len(given), 132, min(32, 68 / max(1, len(given)))), strict=True):
        size = min(26, 60 / len(given))
        yield figure(x + 18, y, str(n), size, key=f"line:{letter}:{name}:{n}")
        yield from _draw_gift(name, x + 34, y, size)


def _draw_gift(name: str, x: float, y: float, size: float) -> Iterator[Mark]:
    """Yield the picture of a gain: a resource, VP, a step on the river or on a stair."""
    if name == "vp":
        yield said(x - 12, y, Label("scene.vp"), size * 0.8, "ink")
    else:
        picture = {"river": "boat", "stair": "mosque"}.get(name, name)
        yield icon(picture, x, y, size, f"res_{name}" if name == picture else "ink")


# Expansions


def _draw_added(state: State, wide: float, high: float) -> Iterator[Mark]:
    """Yield the names of the expansions' pieces, in front of all and of each player, in columns."""
    every = (None, *range(state.variant.seats))
    found = (zone for each in list_played(state) for seat in every for zone in each.zones(state, seat))
    zones = [zone for zone in found if zone.pieces]
    columns = max(1, int(wide // 400))
    lines = sum(1 + len(zone.pieces) for zone in zones)
    down = max(4, -(-lines // columns) + 1)
    step, across = min(32, high / down), wide / columns
    at = 0
    for zone in zones:
        for nth, text in enumerate((Label(f"zone.{zone.name}"), *(piece.label for piece in zone.pieces))):
            column, row = divmod(at, down)
            x, y = across * column + 12, step * (row + 0.5)
            if not nth and zone.seat is not None:
                yield sign(zone.seat, x + 10, y, step - 6)
            ink = "quiet" if nth else "ink"
            yield said(x + 26, y, text, min(26, step - 2), ink, bold=not nth, w=across - 44)
            at += 1
