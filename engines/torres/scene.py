"""The drawn table: the board nearly from above, the goods of the seat to move, the others' cards.

A level lifts a roof by a fifth of a space, so that every space has a visible roof to tap; a tower at the back
rises no further than the panel's edge. The height shows in the number, the courses of brick, the rise of the
roof and its tone.
"""

from __future__ import annotations

from collections.abc import Iterator

from engines.contract import SEATS, Label, Mark, Panel, Scene
from engines.kit.drawing import disc, figure, icon, line, path, pile, rect, said, sign, title
from engines.torres.cells import NAMES, NOWHERE, SIDE
from engines.torres.layouts import NAME
from engines.torres.scoring import KING
from engines.torres.stacks import DEALT, PHASES
from engines.torres.state import CARDS, KNIGHTS, POINTS, State

WIDE, DEEP, LIFT = 102, 92, 18
"""The size of a space, and the rise of a roof by a level, in pixels."""
LEFT, TOP = 66, 66
TONES = 5
"""The level from which a roof grows no darker."""


def scene(state: State) -> Scene:
    """Return the table: the board in the middle, the seat to move on its left, the others on its right."""
    others = [seat for seat in state.order(state.seat) if seat != state.seat]
    return Scene(
        (
            Panel("board", 408, 0, 920, 836, tuple(_draw_board(state))),
            Panel("own", 0, 0, 396, 836, tuple(_draw_own(state)), state.seat, 1, _draw_own_flat(state)),
            Panel("phase", 1340, 0, 548, 130, tuple(_draw_phase(state)), None, 1, _draw_phase_flat(state)),
            *(_draw_other(state, seat, 142 + 172 * at) for at, seat in enumerate(others)),
        ),
        (1340, 142 + 172 * len(others), 548, 178),
        Label("scene.when", (("phase", state.phase), ("round", state.round))),
    )


# The board


def _draw_board(state: State) -> Iterator[Mark]:
    width, height = SIDE * WIDE, SIDE * DEEP
    x, y = LEFT + width / 2, TOP + height / 2
    yield rect(x, y, width + 24, height + 24, "rim")
    yield rect(x, y, width, height, "field")
    across = "".join(f"M{WIDE * n} 0V{height}" for n in range(1, SIDE))
    down = "".join(f"M0 {DEEP * n}H{width}" for n in range(1, SIDE))
    yield path(LEFT, TOP, across + down, edge="grid")
    for n in range(SIDE):
        yield said(LEFT + WIDE * (n + 0.5), 820, "abcdefgh"[n], align="middle")
        yield said(30, TOP + DEEP * (n + 0.5), str(n + 1), align="middle")
    for cell in range(SIDE * SIDE):  # from the back to the front: a tower hides what is behind it
        yield from _draw_tower(state, cell)
    for cell in range(SIDE * SIDE):
        yield from _draw_top(state, cell)


def _find_middle(cell: int) -> tuple[float, float]:
    """Return the middle of a space on the ground."""
    row, column = divmod(cell, SIDE)
    return LEFT + WIDE * (column + 0.5), TOP + DEEP * (row + 0.5)


def _find_rise(state: State, cell: int) -> float:
    """Return the height of a space's roof above the ground, in pixels."""
    return min(LIFT * state.ground.heights[cell], _find_middle(cell)[1] - DEEP / 2)


def _draw_tower(state: State, cell: int) -> Iterator[Mark]:
    height = state.ground.heights[cell]
    x, y = _find_middle(cell)
    at = {"board": NAME, "cell": NAMES[cell]}
    if not height:
        yield rect(x, y, WIDE - 2, DEEP - 2, **at)
        return
    tone, rise = min(height, TONES), _find_rise(state, cell)
    lift = rise / height
    foot, half = y + DEEP / 2 - rise / 2, WIDE / 2
    yield rect(x, foot, WIDE - 2, rise + 8, f"wall{tone}", edge="ink")
    courses = "".join(f"M{-half} {rise / 2 - lift * n:g}h{WIDE}" for n in range(1, height))
    bricks = "".join(
        f"M{part * WIDE - half:g} {rise / 2 - lift * n:g}v{-lift:g}"
        for n in range(height)
        for part in ((0.25, 0.6), (0.45, 0.85))[n % 2]
    )
    yield path(x, foot, courses + bricks, edge="joint", line=1)
    yield rect(x, y - rise, WIDE - 2, DEEP - 2, f"level{tone}", edge="ink", key=f"space:{NAMES[cell]}", **at)


def _draw_top(state: State, cell: int) -> Iterator[Mark]:
    """Yield a roof's number and the piece there, in the part that the tower in front leaves free."""
    height, piece = state.ground.heights[cell], state.piece_on(cell)
    x, y = _find_middle(cell)
    rise = _find_rise(state, cell)
    top = y - rise - DEEP / 2
    front = cell + SIDE
    before, hiding = (
        (state.ground.heights[front], _find_rise(state, front)) if front < SIDE * SIDE else (0, 0)
    )
    free = DEEP - max(0, hiding - rise)
    middle = top + max(free, 28) / 2
    hidden = free < 28  # then the number stands on the tower in front, over its edge
    tone = f"level{min(before if hidden else height, TONES)}"
    if height and piece:
        yield figure(x - 34, top + 22, str(height), 32, align="middle", fill=tone, ink="")
    elif height:
        size = min(46, max(24, free - 14))
        yield figure(x, middle, str(height), size, align="middle", fill=tone, ink="")
    if piece == "K":
        yield icon("crown", x + 12, max(middle, top + 38), 64, key=f"king:{NAMES[cell]}")
    elif piece:
        seat = SEATS.index(piece)
        yield sign(seat, x + 12, max(middle, top + 38), 58, key=f"knight:{piece}:{NAMES[cell]}")


# Beside it


def _draw_own(state: State) -> Iterator[Mark]:
    """Yield action points, blocks, knights and cards of the seat to move."""
    seat = state.seat
    yield from title(seat)
    yield said(20, 100, Label("scene.points"))
    yield from _draw_points(state.left, 40, 144, 56, 280)
    yield figure(376, 144, str(state.left))
    yield line(20, 190, 356)
    yield said(20, 220, Label("scene.stacks"))
    for at, blocks in enumerate(state.stacks[seat]):
        for n in range(blocks):
            yield from _draw_block(72 + 84 * at, 372 - 38 * n, f"stack:{at}:{n}")
        yield figure(72 + 84 * at, 432, str(blocks), 34, align="middle")
    if used := state.placed + state.under:
        yield said(376, 466, Label("scene.used", (("n", used),)), ink="accent", align="end")
    yield line(20, 490, 356)
    yield said(20, 520, Label("scene.knights"))
    free = KNIGHTS - state.knights[seat].bit_count()
    for n in range(free):
        yield sign(seat, 42 + 50 * n, 566, 40, text=" ", key=f"free:{seat}:{n}")
    yield figure(376, 566, str(free))
    yield line(20, 606, 356)
    yield from pile(56, 654, 56, 64, state.decks[seat], "back", key=f"deck:{seat}")
    yield said(56, 706, Label("scene.deck"), 24, align="middle")
    yield from pile(56, 758, 56, 64, state.hand_size(seat), "back", key=f"hand:{seat}")
    yield said(56, 810, Label("scene.hand"), 24, align="middle")
    yield from _draw_played(state, seat, 102, 644, 286, 38)


def _draw_points(left: int, x: float, y: float, most: float, room: float) -> Iterator[Mark]:
    """Yield a row of discs, full ones for the action points left; one takes ``most`` of the ``room``."""
    points = max(POINTS, left)
    step = min(most, room / points)
    for n in range(points):
        if n < left:
            yield disc(x + step * n, y, step - 8, 0, "accent", key=f"point:{n}")
        else:
            yield disc(x + step * n, y, step - 8, edge="line")


def _draw_block(x: float, y: float, key: str, half: float = 32) -> Iterator[Mark]:
    """Yield a block seen from its corner, the front one of its top at ``x``, ``y``, twice ``half`` wide."""
    far, low, foot = half / 2, half * 0.6875, half * 1.1875
    yield path(x, y, f"M{-half:g} {-far:g}V{low:g}L0 {foot:g}V0Z", fill="wall2", edge="ink")
    yield path(x, y, f"M{half:g} {-far:g}V{low:g}L0 {foot:g}V0Z", fill="wall1", edge="ink")
    top = f"M0 {-half:g}L{half:g} {-far:g}L0 0L{-half:g} {-far:g}Z"
    yield path(x, y, top, fill="level2", edge="ink", key=key)


def _draw_played(state: State, seat: int, x: float, y: float, width: float, step: float) -> Iterator[Mark]:
    """Yield the cards that a seat has played, by name, in two columns."""
    played = [kind for kind in range(len(CARDS)) if state.played[seat] >> kind & 1]
    for at, kind in enumerate(played):
        column, row = divmod(at, 5)
        name, key = Label(f"scene.card.{CARDS[kind]}"), f"played:{seat}:{kind}"
        middle = x + width * (1 + 2 * column) / 4
        wide, high = width / 2 - 4, step - 4
        yield rect(
            middle, y + step * row, wide, high, "chip", edge="line", line=1, text=name, size=24, key=key
        )


def _draw_other(state: State, seat: int, y: float) -> Panel:
    """Return the pieces of a seat that is not to move."""
    free = KNIGHTS - state.knights[seat].bit_count()
    return Panel(
        *("other", 1340, y, 548, 160),
        (
            *title(seat, y=34, size=34),
            *pile(48, 112, 52, 68, state.decks[seat], "back", key=f"deck:{seat}"),
            *pile(122, 112, 52, 68, state.hand_size(seat), "back", key=f"hand:{seat}"),
            sign(seat, 184, 112, 40, text=" ", key=f"free:{seat}"),
            figure(214, 112, str(free), 34, align="start"),
            *_draw_played(state, seat, 258, 22, 282, 29),
        ),
        seat,
        1,
        _draw_other_flat(state, seat),
    )


def _draw_phase(state: State) -> Iterator[Mark]:
    """Yield the progress of the match, and the king's bonus at the end of the phase."""
    yield figure(18, 34, Label("scene.phase", (("n", state.phase), ("of", PHASES))), 34, align="start")
    turn = Label("scene.round", (("n", state.round), ("of", state.rounds())))
    yield said(530, 34, turn, 30, "ink", align="end")
    dealt = DEALT[state.variant.seats]
    step = (512 - 20 * (PHASES - 1)) / max(12, sum(map(len, dealt)))
    x = 18 + step / 2
    for phase, stacks in enumerate(dealt, 1):
        for n in range(1, len(stacks) + 1):
            now, here = (state.phase, state.round), (phase, n)
            colour = "accent" if here == now else "quiet" if here < now else "line"
            yield disc(x, 68, step - 6, 14, colour)
            x += step
        x += 20
    if state.king != NOWHERE:
        bonus = Label("scene.king", (("level", state.phase), ("points", KING[state.phase])))
        yield said(18, 104, bonus, ink="ink")


# On a tablet, beside the keys: as wide as they are, and flat


FLAT = 588
"""The width of the panels beside the keys of a tablet 1280 wide."""


def _draw_own_flat(state: State) -> Panel:
    """Return the pieces of the seat to move in two rows."""
    seat, free = state.seat, KNIGHTS - state.knights[state.seat].bit_count()
    marks = [sign(seat, 32, 30, 36), said(60, 30, Label("scene.points"), 22, w=168)]
    marks += _draw_points(state.left, 250, 30, 44, 260)
    marks += [figure(572, 30, str(state.left), 36), line(16, 58, FLAT - 32)]
    for at, blocks in enumerate(state.stacks[seat]):
        marks += _draw_block(42 + 86 * at, 110, f"stack:{at}:{blocks - 1}", 24) if blocks else ()
        marks.append(figure(72 + 86 * at, 112, str(blocks), 32, align="start"))
    words = Label("scene.used", (("n", state.placed + state.under),))
    marks += [
        said(16, 166, words if state.placed + state.under else Label("scene.stacks"), 22),
        sign(seat, 376, 112, 36, text=" ", key=f"free:{seat}:{free - 1}" if free else ""),
        figure(402, 112, str(free), 32, align="start"),
        *pile(462, 110, 44, 52, state.decks[seat], "back", key=f"deck:{seat}"),
        said(462, 166, Label("scene.deck"), 22, align="middle"),
        *pile(546, 110, 44, 52, state.hand_size(seat), "back", key=f"hand:{seat}"),
        said(546, 166, Label("scene.hand"), 22, align="middle"),
    ]
    return Panel("own", 0, 0, FLAT, 182, tuple(marks), seat)


def _draw_other_flat(state: State, seat: int) -> Panel:
    """Return the pieces of another seat in one row, with the number of cards played."""
    free = KNIGHTS - state.knights[seat].bit_count()
    played = Label("scene.played", (("n", state.played[seat].bit_count()),))
    marks = (
        sign(seat, 30, 25, 36),
        Mark(x=56, y=25, w=190, seat=seat, size=26, bold=True, align="start"),
        sign(seat, 272, 25, 28, text=" ", key=f"free:{seat}"),
        figure(292, 25, str(free), 28, align="start"),
        rect(346, 25, 28, 36, "back", edge="ink", text=str(state.hand_size(seat)), key=f"hand:{seat}"),
        said(366, 25, Label("scene.hand"), 22),
        said(572, 25, played, 22, align="end"),
    )
    return Panel("other", 0, 0, FLAT, 50, marks, seat)


def _draw_phase_flat(state: State) -> Panel:
    """Return the king's bonus; the foot below the table shows the progress of the match."""
    turn = Label("scene.round", (("n", state.round), ("of", state.rounds())))
    marks = [said(572, 20, turn, 22, "ink", align="end")]
    if state.king != NOWHERE:
        bonus = Label("scene.king", (("level", state.phase), ("points", KING[state.phase])))
        marks.append(said(16, 20, bonus, 22, "ink"))
    return Panel("phase", 0, 0, FLAT, 40, tuple(marks))
