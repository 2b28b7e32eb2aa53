"""Some rules written again, slowly and with other means than the engine's: sets of names and plain loops.

A board is a dict of heights by name (only spaces with blocks), the pieces are sets of names.
"""

from itertools import product

COLUMNS, ROWS = "abcdefgh", "12345678"
NAMES = [column + row for row in ROWS for column in COLUMNS]


def board(state):
    """The heights of a state by name."""
    return {name: h for name, h in zip(NAMES, state.ground.heights, strict=True) if h}


def pieces(state):
    """The names of the spaces that hold a piece."""
    held = {name for own in state.knights for n, name in enumerate(NAMES) if own >> n & 1}
    return held | ({NAMES[state.king]} if state.king >= 0 else set())


def beside(name):
    column, row = COLUMNS.index(name[0]), ROWS.index(name[1])
    found = set()
    if column:
        found.add(COLUMNS[column - 1] + name[1])
    if column < 7:
        found.add(COLUMNS[column + 1] + name[1])
    if row:
        found.add(name[0] + ROWS[row - 1])
    if row < 7:
        found.add(name[0] + ROWS[row + 1])
    return found


def castles(heights):
    """The castles as sets of names, by merging: every column is a castle of its own at first."""
    groups = {name: {name} for name in heights}
    for name in heights:
        for other in beside(name) & heights.keys():
            if groups[name] is not groups[other]:
                merged = groups[name] | groups[other]
                for member in merged:
                    groups[member] = merged
    return [set(group) for group in {id(g): g for g in groups.values()}.values()]


def doors(heights, cell, descend=False, card=False):
    """Return where the doors beside ``cell`` lead, free or not: every pair (e, c) of a castle's columns is
    tried.
    """
    level = heights.get(cell, 0)
    found = set()
    for castle in castles(heights):
        for e, c in product(castle, castle):
            if cell not in beside(e) or heights[e] <= level:
                continue
            for n in beside(c):
                below = heights.get(n, 0)
                if heights[c] <= below or (below > level and not card) or n == cell:
                    continue
                if not descend or _inside(heights, castle, e, c, below):
                    found.add(n)
    return found


def _inside(heights, castle, e, c, below):
    """Return True if columns taller than ``below`` lead from e to c, both among them."""
    tall = {name: heights[name] for name in castle if heights[name] > below}
    return any({e, c} <= part for part in castles(tall))


def steps(heights, held, cell, descend=False):
    """Return where one action point leads."""
    level = heights.get(cell, 0)
    foot = {n for n in beside(cell) if heights.get(n, 0) <= level + 1}
    return (foot | doors(heights, cell, descend)) - held


def reach(heights, held, cell, points, descend=False):
    """The fewest points to every space, by trying step after step."""
    costs, edge = {}, {cell}
    for spent in range(1, points + 1):
        edge = (
            {n for one in edge for n in steps(heights, held - {cell}, one, descend)} - costs.keys() - {cell}
        )
        costs |= dict.fromkeys(edge, spent)
    return costs


def block_room(heights, held):
    """Return where a block may go by TO-3.5 to TO-3.7: put it there and look whether the rules still hold."""
    found = set()
    before = castles(heights)
    for name in set(NAMES) - held:
        after = heights | {name: heights.get(name, 0) + 1}
        now = castles(after)
        if len(now) != len(before):
            continue
        mine = next(group for group in now if name in group)
        if after[name] <= len(mine):
            found.add(name)
    return found


def moved_room(heights, held, source):
    """Return where the top block of ``source`` may go by TO-4.7: move it and look."""
    lifted = {n: h - (n == source) for n, h in heights.items() if h - (n == source)}
    before, between = castles(heights), castles(lifted)
    mine = next(group for group in before if source in group) - {source}
    if heights[source] == 1 and mine and not any(group == mine for group in between):
        return set()
    found = set()
    for name in set(NAMES) - held - {source}:
        after = lifted | {name: lifted.get(name, 0) + 1}
        now = castles(after)
        touching = [group for group in between if beside(name) & group and name not in group]
        if name not in lifted and len(touching) > 1:
            continue
        if any(after[n] > len(group) for group in now for n in group):
            continue
        if len(now) >= min(6, len(before)):
            found.add(name)
    return found


def phase_points(heights, knights, king, phase, order, track):
    """The track after a phase's scoring: ``knights`` by seat as sets of names, ``track`` totals by seat."""
    track = list(track)

    def forward(seat, points):
        if points:
            there = track[seat] + points
            while there > 0 and there in [t for other, t in enumerate(track) if other != seat]:
                there += 1
            track[seat] = there

    groups = castles(heights)
    for seat in order:
        forward(
            seat,
            sum(len(g) * max(heights[n] for n in g & knights[seat]) for g in groups if g & knights[seat]),
        )
    royal = next((g for g in groups if king in g), set())
    for seat in order:
        if any(heights[name] == phase for name in royal & knights[seat]):
            forward(seat, 5 * phase)
    return track


def knights(state):
    """The names of each seat's knights."""
    return [{name for n, name in enumerate(NAMES) if own >> n & 1} for own in state.knights]
