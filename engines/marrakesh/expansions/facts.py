"""What is printed on the expansions' parts of a copy (MK-17)."""

from __future__ import annotations

from typing import Annotated, Any

from engines.fact_kinds import number, one_of, several
from engines.facts import UNKNOWN, Fact
from engines.marrakesh.boards import MarrakeshCopy
from engines.marrakesh.expansions.tiles import OFFICE_LINES, OFFICES


class WholeCopy(MarrakeshCopy, frozen=True, kw_only=True):
    """The facts of Marrakesh with all that the box has."""

    office: Annotated[
        dict[
            Annotated[str, one_of(OFFICES)],
            Annotated[
                tuple[Annotated[str, one_of(OFFICE_LINES, "office_line")], ...],
                several(3, 3, ("yellow", "purple", "orange")),
            ],
        ],
        Fact("MK-17.3", late=True, when=(("more_offices", ("yes",)),)),
    ] = UNKNOWN
    purple_disc: Annotated[
        tuple[Annotated[int, number(0, 4, "spectators")], ...],
        several(8, 8),
        Fact("MK-17.4", late=True, when=(("spectators", ("purple",)),)),
    ] = UNKNOWN


MADE_UP: dict[str, Any] = {
    **{f"office.{name}": OFFICE_LINES[at : at + 3] for at, name in enumerate(OFFICES)},
    "purple_disc": (0, 2, 1, 4, 1, 2, 1, 2),
}
"""Values of a sample."""
