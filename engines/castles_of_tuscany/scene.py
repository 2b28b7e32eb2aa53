"""The drawn table: the display, the tracks, and the regions of all players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines import bags
from engines.castles_of_tuscany.kinds import BONUS_SIDES, DISPLAY, FARM, FARMS, KINDS, NAMES, SQUARES, kind_of
from engines.castles_of_tuscany.regions import Region
from engines.castles_of_tuscany.scoring import bookings, green
from engines.castles_of_tuscany.state import ROUNDS, Side, State, sight
from engines.contract import HEIGHT, WIDTH, Label, Level, Mark, Panel, Scene, totals
from engines.kit.drawing import disc, figure, hexagon, icon, line, path, pile, rect, said, sign, title

GAP = 12
BAND = 208
"""The height of the shared panels."""
TALL = 1.1547
"""The height of a hex of width 1, a corner above."""
KIND_ICONS = dict(zip(KINDS, NAMES, strict=True))


def scene(state: State) -> Scene:
    """Return the table: the shared panels, below them the regions side by side."""
    seats = state.variant.seats
    wide = (WIDTH - GAP * (seats - 1)) / seats
    regions = (
        Panel(
            *("region", (wide + GAP) * seat, BAND + GAP, wide, HEIGHT - BAND - GAP),
            _draw_region(state, seat, wide),
            seat,
        )
        for seat in range(seats)
    )
    return Scene(
        (
            Panel("display", 0, 0, 900, BAND, tuple(_draw_display(state))),
            Panel("tracks", 912, 0, 650, BAND, tuple(_draw_tracks(state))),
            *regions,
        ),
        (1574, 0, 314, BAND),
        Label("scene.when", (("round", state.round), ("of", ROUNDS))),
    )


def _draw_hex(x: float, y: float, w: float, fill: str = "", **more: Any) -> Mark:
    """Return a hex of that width."""
    return hexagon(x, y, w, w * TALL, fill, **more)


def _draw_tile(tile: str, x: float, y: float, w: float, **more: Any) -> Iterator[Mark]:
    """Yield a tile with a double edge; a farm has the letters of its farm kinds."""
    kind = kind_of(tile)
    if kind not in KIND_ICONS:
        yield _draw_hex(x, y, w, "card", edge="ink", icon="star", ink="ink", **more)
        return
    yield _draw_hex(x, y, w, f"kind_{kind}", edge="ink", **more)
    yield _draw_hex(x, y, w - 9, edge="rim", line=2)
    low = kind == FARM and len(tile) > 1
    yield icon(KIND_ICONS[kind], x, y - w * 0.14 * low, w * (0.44 if low else 0.54), "", fill=f"kind_{kind}")
    if low:
        letters = tile[1:].upper()
        yield figure(x, y + w * 0.3, letters, w * 0.27, align="middle", ink="", fill=f"kind_{kind}")


# The shared panels


def _draw_display(state: State) -> Iterator[Mark]:
    yield figure(18, 30, Label("scene.display"), 32, align="start")
    if state.level is Level.SCORE:
        return
    room = 680 / max(4, state.copy.farms)
    for at, letter in enumerate(FARMS[: state.copy.farms]):
        called = Label("scene.farm", (("letter", letter.upper()), ("farms", letter)))
        yield said(206 + room * at, 32, called, 24, w=room - 12)
    met: dict[str, int] = {}
    for at in range(DISPLAY):
        x, y = 58 + 86 * at, 104
        if at >= len(state.display):
            yield _draw_hex(x, y, 78, edge="line", dashed=True)
            continue
        tile = state.display[at]
        met[tile] = nth = met.get(tile, 0) + 1
        answers = (f"action T{tile}", f"discard {tile}")
        yield from _draw_tile(tile, x, y, 78, key=f"display:{tile}:{nth}", answers=answers)
        yield said(x, 164 + 23 * (at % 2), Label(f"kind.{kind_of(tile)}"), 24, align="middle", w=160)
    neutral = str(bags.total(state.neutral))
    yield _draw_hex(746, 104, 66, "back", edge="ink", text=neutral, size=28, bold=True, key="neutral")
    yield said(746, 164, Label("scene.neutral"), 24, align="middle", w=100)
    yield from pile(820, 104, 54, 74, state.deck, "back", key="deck", answers=("action D",))
    yield icon("cards", 820, 178, 34, "quiet")
    yield from pile(874, 104, 42, 74, state.yields, "back", key="yields")
    yield icon("yield", 874, 178, 30, "quiet")


def _draw_tracks(state: State) -> Iterator[Mark]:
    """Yield the bonus tiles that are left, and the markers on both tracks."""
    for number, kind in enumerate(KINDS):
        taken, x = state.taken[number], 50 + 78 * number
        if taken >= BONUS_SIDES:
            yield rect(x, 36, 70, 52, edge="line", dashed=True)
            yield icon(KIND_ICONS[kind], x, 36, 30, "line")
            continue
        values = state.copy.bonus[number]
        worth = "?" if values is None else str(values[taken])
        yield rect(x, 36, 70, 52, f"kind_{kind}", edge="ink", key=f"bonus:{kind}:{taken}")
        yield icon(KIND_ICONS[kind], x - 16, 36, 30, "", fill=f"kind_{kind}")
        yield figure(x + 17, 36, worth, 28, align="middle", ink="", fill=f"kind_{kind}")
    seats = range(state.variant.seats)
    orange = totals(bookings(state), state.variant.seats)
    rows = (("green", [green(state, seat) for seat in seats]), ("orange", orange))
    most = max(50, -(-max(max(points) for _, points in rows) // 25) * 25)
    for (name, points), y in zip(rows, (98, 166), strict=True):
        yield said(18, y, Label(f"category.{name}"), 26)
        yield disc(384, y, 484, 22, f"track_{name}", edge="line")
        ticks = "".join(f"M{484 * at / most:g} -11v22" for at in range(0, most + 1, most // 5))
        yield path(142, y, ticks, edge="quiet")
        last = 0.0
        for seat in sorted(seats, key=points.__getitem__):
            last = max(last + 22, 142 + 484 * points[seat] / most)  # equal markers do not hide one another
            yield sign(seat, last, y, 38, key=f"{name}:{seat}:{points[seat]}")
    for at in range(0, most + 1, most // 5):
        yield said(142 + 484 * at / most, 133, str(at), 22, align="middle")


# A player's panel


def _draw_region(state: State, seat: int, wide: float) -> tuple[Mark, ...]:
    return (
        *_draw_header(state, seat, wide),
        *_draw_spaces(state, seat, wide),
        *_draw_beside(state.sides[seat], seat, wide),
    )


def _draw_header(state: State, seat: int, wide: float) -> Iterator[Mark]:
    """Yield the owner, and the piles of own tiles."""
    yield from title(seat, room=wide - 280)
    side = state.sides[seat]
    for at, size in enumerate(side.piles):
        x, where = wide - 42 - 62 * (len(side.piles) - 1 - at), {"key": f"pile:{seat}:{at}"}
        if size:
            yield hexagon(
                x, 38, 52, 56, f"seat{seat}", edge="ink", text=str(size), size=28, bold=True, **where
            )
        else:
            yield hexagon(x, 38, 52, 56, edge="line", dashed=True)


def _draw_spaces(state: State, seat: int, wide: float) -> Iterator[Mark]:
    """Yield the hexes of a region, empty ones as a tint of their colour with a pale pictogram."""
    land, known = state.known_region(seat), True
    if land is None:
        land, known = state.blank_region(seat), False
    if land is None:
        yield said(wide / 2, 280, Label("scene.no_boards"), 30, align="middle")
        return
    side, size = state.sides[seat], _find_size(land, wide)
    left = min(half for _, half in land.spots)
    right = max(half for _, half in land.spots)
    begin = (wide - (right - left) * size / 2) / 2
    top = 288 - (land.rows - 1) * size * 0.433
    shown = dict(side.shown)
    for space, (name, kind, (row, half)) in enumerate(zip(land.names, land.kinds, land.spots, strict=True)):
        x, y = round(begin + (half - left) * size / 2), round(top + row * size * 0.866)
        where: Any = {"board": sight(seat), "cell": name}
        if side.filled >> space & 1:
            tile = kind + shown.get(space, "")
            yield from _draw_tile(tile, x, y, size - 2, key=f"tile:{seat}:{name}", **where)
            if side.wild >> space & 1:
                yield disc(x + size * 0.3, y - size * 0.3, 26, 0, "card", edge="ink", icon="star")
        elif known:
            yield _draw_hex(x, y, size - 6, f"tint_{kind}", edge=f"kind_{kind}", line=3, **where)
            yield icon(KIND_ICONS[kind], x, y, size * 0.4, f"faint_{kind}")
        else:
            yield _draw_hex(x, y, size - 6, edge="line", dashed=True, text="?", size=28, **where)


def _find_size(land: Region, wide: float) -> float:
    """Return the width of a hex with which the region fits."""
    halves = [half for _, half in land.spots]
    across = (max(halves) - min(halves)) / 2 + 1
    down = (land.rows - 1) * 0.866 + TALL
    return int(min(78, (wide - 32) / across, 424 / down))


def _draw_beside(side: Side, seat: int, wide: float) -> Iterator[Mark]:
    """Yield storage, cards, marble, workers and square tiles."""
    yield line(16, 506, wide - 32)
    size = 52 if wide > 500 else 42
    for at in range(max(side.places(), len(side.stored))):
        x = 18 + size / 2 + (size + 4) * at
        if at < len(side.stored):
            tile = side.stored[at]
            answers = (f"tile {tile}", f"discard {tile}")
            yield from _draw_tile(tile, x, 548, size, key=f"stored:{seat}:{at}:{tile}", answers=answers)
        else:
            yield _draw_hex(x, 548, size, edge="line", dashed=True)
    step = 96 if wide > 500 else 82
    counted = (("cards", side.hand), ("marble", side.marble), ("worker", side.workers))
    for at, (name, n) in enumerate(counted):
        end = wide - 20 - step * (2 - at)
        yield icon(name, end - 36 - 20 * len(str(n)), 548, 36)
        ink = "ink" if n else "quiet"
        yield figure(end, 548, str(n), 36, ink=ink, key=f"{name}:{seat}:{n}")
    x = wide - 34
    for kind, n in reversed(list(bags.items(side.squares))):
        for nth in range(n):
            name, key = SQUARES[kind], f"square:{seat}:{kind}:{nth}"
            yield rect(x, 594, 42, 36, "chip", edge="quiet", line=1, icon=name, key=key)
            x -= 46
    yield said(18, 596, Label("scene.storage"), 24)
