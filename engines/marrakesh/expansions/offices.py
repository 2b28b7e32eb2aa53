"""More exchange offices (MK-17.3): six further ones, whose every line gives a resource and a bonus.

``office 2`` is the further office that lies out this season, by a number of the owner's own; ``office base``
one of the base game, whose lines are asked as ever. ``offices=2,5`` in a position are the further ones told
so far, that of this season among them.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from engines.contract import Choice, Domain, Figures, Label, Option
from engines.kit.checks import Objection
from engines.kit.position import listed, words
from engines.marrakesh import souk
from engines.marrakesh.book import BOOK, Effect, happens, once_known
from engines.marrakesh.expanding import Expansion, Tell, keeping, kept
from engines.marrakesh.expansions.tiles import OFFICES
from engines.marrakesh.facts import known
from engines.marrakesh.forms import Form, one_of
from engines.marrakesh.keshis import GOODS
from engines.marrakesh.state import Frame, State, answered, asking, doing

OPTION = Option("more_offices", ("no", "yes"), "MK-17.3")
BASE = "base"


class Offices(msgspec.Struct, frozen=True):
    """The further offices that lay out, as far as they were told."""

    offices: tuple[str, ...] = ()


BOOK.asks(Domain("office", (*OFFICES, BASE)), "office", report=True)


@BOOK.figures("office")
def figures_office(state: State) -> Figures:
    """Of each office what it gives, as far as that is known."""
    found = ((each, known(state.copy, f"office.{each}")) for each in OFFICES)
    more = ((f"more.{each}", ",".join(lines)) for each, lines in found if lines)
    return (("season", state.season), *more)


@BOOK.lists("office")
def list_office(state: State, _: None) -> list[Choice]:
    gone = kept(state, Offices).offices
    return BOOK.listed("office", [office for office in (*OFFICES, BASE) if office not in gone])


@BOOK.check("office.gone", "MK-17.3", "office")
def check_office_gone(state: State, token: str) -> Objection | None:
    """Three are drawn at set-up, one for each season; what lay out goes."""
    return Objection({"n": token}) if token in kept(state, Offices).offices else None


@souk.asked_of_office.changed_by(OPTION.name)
def change_asked_of_office(below: Callable[[State, str], State], state: State, colour: str) -> State:
    """Which office lies out is asked once a season; of one of the base game, each line when it matters."""
    return below(state, colour) if any(state.lines) else asking(state, Frame("office", colour))


@BOOK.effect("office")
def effect_office(state: State, token: str) -> State:
    colour, state = state.frames[-1].what, answered(state)
    if token == BASE:
        return asking(state, Frame("line", colour))
    state = keeping(state, Offices((*kept(state, Offices).offices, token)))
    return doing(state, [f"office_{token}{colour}"])


@happens("office", what=f"({'|'.join(OFFICES)})[{GOODS}]")
def happen_office(state: State, effect: Effect) -> State:
    """All lines of the season's office hold from now on, and the one that was asked for gives."""
    number, colour = effect.what[:-1], effect.what[-1]
    asks = once_known(state, effect, f"office.{number}")
    if asks:
        return asks
    lines: tuple[str, ...] = known(state.copy, f"office.{number}")
    return souk.given(replace(state, lines=lines), colour, lines[GOODS.index(colour)])


@BOOK.fits("office")
def fits_office(state: State) -> bool:
    return state.frames[-1].what in tuple(GOODS) and not any(state.lines)


def _problems(state: State, problem: Tell) -> None:
    there = kept(state, Offices).offices
    if len(there) > state.season:
        problem("offices", "position.offices", "MK-17.3", number=len(there), season=state.season)
    for office in sorted({each for each in there if there.count(each) > 1}):
        problem("offices", "position.office", "MK-17.3", n=office)


_FORM = Form(listed, lambda value: tuple(one_of(word, OFFICES) for word in words(value)))


def _label(token: str) -> Label | None:
    return None if token == BASE else Label("office.n", (("n", int(token)),))


EXPANSION = Expansion(
    option=OPTION,
    laid=lambda _: Label("laid.offices"),
    keeps=lambda _: Offices(),
    fields={"offices": _FORM},
    problems=_problems,
    never_waived=("position.offices",),
    words={"office": "office"},
    labels={"office": _label},
    said={"office": lambda _, tokens: (Label("said.office"), _label(tokens[0]) or Label("office.base"))},
    about=("office",),
    seen={"office": lambda state: f"office:{state.season}"},
)
