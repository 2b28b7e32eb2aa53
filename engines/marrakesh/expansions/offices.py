"""More exchange offices (MK-17.3): six further ones, whose every line gives a resource and a bonus.

``office 2`` is the further office that lies out this season, by a number of the owner's own; ``office base``
one of the base game, whose lines are asked as ever.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from engines.contract import Choice, Domain, Figures, Label, Option
from engines.marrakesh import souk
from engines.marrakesh.book import BOOK, Effect, happens, once_known
from engines.marrakesh.expanding import Expansion
from engines.marrakesh.expansions.tiles import OFFICES
from engines.marrakesh.facts import known
from engines.marrakesh.keshis import GOODS
from engines.marrakesh.state import Frame, State, answered, asking, doing

OPTION = Option("more_offices", ("no", "yes"), "MK-17.3")
BASE = "base"

BOOK.asks(Domain("office", (*OFFICES, BASE)), "office", report=True)


@BOOK.figures("office")
def _(state: State) -> Figures:
    """Of each office what it gives, as far as that is known."""
    found = ((each, known(state.copy, f"office.{each}")) for each in OFFICES)
    more = ((f"more.{each}", ",".join(lines)) for each, lines in found if lines)
    return (("season", state.season), *more)


@BOOK.lists("office")
def _(_state: State, _: None) -> list[Choice]:
    return BOOK.listed("office", (*OFFICES, BASE))


@souk.asked_of_office.changed_by(OPTION.name)
def _(below: Callable[[State, str], State], state: State, colour: str) -> State:
    """Which office lies out is asked once a season; of one of the base game, each line when it matters."""
    return below(state, colour) if any(state.lines) else asking(state, Frame("office", colour))


@BOOK.effect("office")
def _(state: State, token: str) -> State:
    colour, state = state.frames[-1].what, answered(state)
    return (
        asking(state, Frame("line", colour)) if token == BASE else doing(state, [f"office_{token}{colour}"])
    )


@happens("office", what=f"({'|'.join(OFFICES)})[{GOODS}]")
def _(state: State, effect: Effect) -> State:
    """All lines of the season's office hold from now on, and the one that was asked for gives."""
    number, colour = effect.what[:-1], effect.what[-1]
    asks = once_known(state, effect, f"office.{number}")
    if asks:
        return asks
    lines: tuple[str, ...] = known(state.copy, f"office.{number}")
    return souk.given(replace(state, lines=lines), colour, lines[GOODS.index(colour)])


@BOOK.fits("office")
def _(state: State) -> bool:
    return state.frames[-1].what in tuple(GOODS) and not any(state.lines)


def _label(token: str) -> Label | None:
    return None if token == BASE else Label("office.n", (("n", int(token)),))


EXPANSION = Expansion(
    option=OPTION,
    words={"office": "office"},
    labels={"office": _label},
    said={"office": lambda _, tokens: (Label("said.office"), _label(tokens[0]) or Label("office.base"))},
    about=("office",),
    seen={"office": lambda state: f"office:{state.season}"},
)
