"""What is printed on the expansions' parts of a copy (MK-17)."""

from __future__ import annotations

from typing import Annotated, Any

from engines.contract import Figures
from engines.fact_kinds import number, one_of, several
from engines.facts import UNKNOWN, Check, Fact
from engines.marrakesh.boards import LINES, LINKS, MarrakeshCopy
from engines.marrakesh.expansions.tiles import (
    OFFICE_LINES,
    OFFICES,
    SPACES,
    STAIR_TILES,
    TOWN_EFFECTS,
    TOWNS,
)

DISC = 8
"""The sections of the disc."""
_STAIRCASE = (("staircase_tiles", ("yes",)),)


class WholeCopy(MarrakeshCopy, frozen=True, kw_only=True):
    """The facts of Marrakesh with all that the box has."""

    stair_tile: Annotated[
        dict[Annotated[str, one_of(STAIR_TILES)], Annotated[str, one_of(LINKS, "reward")]],
        Fact("MK-17.1", late=True, when=_STAIRCASE),
    ] = UNKNOWN
    line_spaces: Annotated[
        dict[
            Annotated[str, one_of(LINES)],
            Annotated[tuple[Annotated[str, one_of((*SPACES, *LINKS), "reward")], ...], several(1, 6)],
        ],
        Fact("MK-17.1", late=True, when=_STAIRCASE),
    ] = UNKNOWN
    imam_step: Annotated[
        int, number(1, 40), Fact("MK-17.2", late=True, when=(("imam_and_sultan", ("yes",)),))
    ] = UNKNOWN
    sultan_step: Annotated[
        int, number(1, 40), Fact("MK-17.2", late=True, when=(("imam_and_sultan", ("yes",)),))
    ] = UNKNOWN
    office: Annotated[
        dict[
            Annotated[str, one_of(OFFICES)],
            Annotated[
                tuple[Annotated[str, one_of(OFFICE_LINES, "reward")], ...],
                several(3, 3, ("yellow", "purple", "orange")),
            ],
        ],
        Fact("MK-17.3", late=True, when=(("more_offices", ("yes",)),)),
    ] = UNKNOWN
    purple_disc: Annotated[
        tuple[Annotated[int, number(0, 4, "spectators")], ...],
        several(DISC, DISC),
        Fact("MK-17.4", late=True, when=(("spectators", ("purple",)),)),
    ] = UNKNOWN
    town: Annotated[
        dict[Annotated[str, one_of(list(TOWNS))], Annotated[str, one_of(TOWN_EFFECTS, "tile")]],
        Fact("MK-17.5", TOWNS, late=True, when=(("desert_towns", ("yes",)),)),
    ] = UNKNOWN


def _on_the_stair(steps: int, step: int) -> Figures | None:
    return None if step <= steps else (("steps", steps), ("step", step))


def _one_of_each(disc: tuple[int, ...]) -> Figures | None:
    """One section of the purple side has nobody, one has four; as soon as there are two is too many."""
    none, four = disc.count(0), disc.count(4)
    lacking = len(disc) == DISC and not (none and four)
    return (("none", none), ("four", four)) if lacking or max(none, four) > 1 else None


CHECKS = (
    Check("imam", ("mosque_steps", "imam_step"), "MK-17.2", _on_the_stair),
    Check("sultan", ("palace_steps", "sultan_step"), "MK-17.2", _on_the_stair),
    Check("purple_disc", ("purple_disc",), "MK-17.4", _one_of_each, early=True),
)

MADE_UP: dict[str, Any] = {
    **{f"stair_tile.{face}": LINKS[5 * at % len(LINKS)] for at, face in enumerate(STAIR_TILES)},
    **{
        f"line_spaces.{line}": (
            *(SPACES[(5 * at + 7 * step) % len(SPACES)] for step in range(at % 4)),
            ("dinar1", "vp1", "river")[at % 3],
        )
        for at, line in enumerate(LINES)
    },
    "imam_step": 4,
    "sultan_step": 5,
    **{f"office.{name}": OFFICE_LINES[at : at + 3] for at, name in enumerate(OFFICES)},
    "purple_disc": (0, 2, 1, 4, 1, 2, 1, 2),
}
"""Values of a sample."""
