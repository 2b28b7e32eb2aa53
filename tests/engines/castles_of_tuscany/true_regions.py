"""Regions of The Castles of Tuscany a second time: hexes by name, where their centres stand (CT-1.5)."""


class Region:
    """Thirty hexes by name: their kinds, and which touch."""

    def __init__(self, boards, seams, outline, turned=(False, False, False)):
        """``boards`` are three texts of ten kinds from the top, each as it is printed; ``turned`` are those
        that lie the other way up.
        """
        self.kinds, centres = {}, {}
        spots = []
        row, begin = 0, 0
        step = 2 if level(outline) else 1
        for board, seam, upside_down in zip(boards, (0, *seams), turned, strict=True):
            begin += seam * step
            rows = rows_of(outline[::-1] if upside_down else outline)
            hexes = iter(reversed(board) if upside_down else board)
            for shift, length in rows:
                spots += [(row, begin + shift + 2 * n, next(hexes)) for n in range(length)]
                row += 1
        left = min(halves for _, halves, _ in spots)
        for row, halves, kind in spots:
            name = "abcdefghi"[(halves - left) // 2] + str(row + 1)
            assert name not in self.kinds
            self.kinds[name] = kind
            centres[name] = halves, row
        # A hex is two half hexes wide and the next row √3 of them lower: neighbours are one width away.
        self.beside = {
            name: {other for other, (x2, y2) in centres.items() if (x - x2) ** 2 + 3 * (y - y2) ** 2 == 4}
            for name, (x, y) in centres.items()
        }

    def area(self, name):
        """The connected spaces of one colour around a space."""
        found, edge = set(), {name}
        while edge:
            one = edge.pop()
            found.add(one)
            edge |= {n for n in self.beside[one] if self.kinds[n] == self.kinds[name]} - found
        return found

    def of_kind(self, kind):
        return {name for name, its in self.kinds.items() if its == kind}


def half_a_hex(outline, turned):
    """The seams below a board whose next row stands half a hex to the left or to the right of its last."""
    last = rows_of(outline[::-1] if turned else outline)[-1][0]
    step = 2 if level(outline) else 1
    return [seam for seam in range(-9, 10) if seam * step - last in (-1, 1)]


def level(outline):
    """Return True if boards interlock level: a seam is then a whole hex, else half a one (CT-1.5)."""
    return rows_of(outline)[-1][0] % 2 == 1


def rows_of(outline):
    """(half hexes to the right of the first row, length) of a board's rows."""
    rows = [(0, outline[0])]
    for length in outline[1:]:
        begin, above = rows[-1]
        rows.append((begin + 1, length) if length == above else (begin + above - length, length))
    return rows
