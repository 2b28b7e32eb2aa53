"""Values of kinds at random, and a game of the other kind: tables of dozens of values."""

from typing import Annotated

import msgspec
from hypothesis import strategies as st

from engines.contract import Setup
from engines.fact_kinds import fields_of, item_of, number, one_of, opened, several
from engines.facts import UNKNOWN, Copy, Fact, FactCheck, Known, Schema, Standing, Use

SIGNS = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Cf"))


def values(kind):
    """Values of a kind, as TOML would give them."""
    bare, said = opened(kind)
    if "words" in said:
        return st.sampled_from(said["words"])
    if "signs" in said:
        return st.text(said["signs"], min_size=said["number"], max_size=said["number"])
    if fields := fields_of(kind):
        return st.fixed_dictionaries({name: values(inner) for name, inner in fields.items()})
    if bare is int:
        return st.integers(said["low"], said["high"])
    if bare is float:
        tenths = st.integers(int(said["low"] * 10), int(said["high"] * 10))
        return tenths.map(lambda tenths: tenths / 10)
    if bare is str:
        fits = st.text(SIGNS, min_size=1, max_size=said["most"])
        return fits.filter(lambda text: text.strip() == text and text)
    unique = bare.__origin__ is frozenset
    return st.lists(values(item_of(kind)), min_size=said["least"], max_size=said["most"], unique=unique)


COLOURS = ("green", "gray", "white", "black", "pink", "beige")
OASES = [f"{number:02}" for number in range(1, 31)]
SIDES = ("left", "right")

Digit = Annotated[int, number(0, 9)]


class Oasis(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    points: Digit
    colours: Annotated[tuple[Annotated[str, one_of(COLOURS)], ...], several(1, 3)]


class Cost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    dates: Digit
    dinars: Digit
    water: Digit


class BazaarCopy(Copy, frozen=True, kw_only=True):
    """Not the facts of any real game: their shape."""

    river: Annotated[int, number(5, 40, "spaces"), Fact("MK-1", may_wait=False)] = UNKNOWN
    rapids: Annotated[frozenset[Annotated[int, number(1, 40)]], several(1, 6), Fact("MK-1")] = UNKNOWN
    oasis: Annotated[
        dict[Annotated[str, one_of(OASES)], Oasis],
        Fact(
            "MK-14",
            {
                "03": Known(Oasis(2, ("pink",)), Standing.SURE),
                "05": Known(Oasis(3, ("white",)), Standing.LIKELY),
                "07": Known(Oasis(3, ("black", "green")), Standing.LIKELY),
            },
        ),
    ] = UNKNOWN
    cost: Annotated[
        dict[Annotated[str, one_of(SIDES)], Cost], Fact("MK-14", when=(("desert", ("yes", "long")),))
    ] = UNKNOWN
    gain: Annotated[
        dict[Annotated[str, one_of(SIDES)], Digit], Fact("MK-14", when=(("desert", ("long",)),))
    ] = UNKNOWN
    disc: Annotated[
        tuple[Annotated[int, number(0, 4)], ...],
        several(8, 8),
        Fact("MK-9", unless=(("disc", ("purple",)),)),
    ] = UNKNOWN
    tray: Annotated[float, number(40, 300, "mm"), Fact("MK-1", Known(90.0, Standing.SURE), use=Use.SIGHT)] = (
        UNKNOWN
    )
    fines: Annotated[tuple[Cost, ...], several(0, 2), Fact("MK-1")] = UNKNOWN


BAZAAR = Schema(
    "bazaar",
    BazaarCopy,
    (
        FactCheck(
            "rapids_fit",
            ("river", "rapids"),
            "MK-1",
            lambda river, rapids: (("rapid", max(rapids)),) if max(rapids) > river else None,
        ),
    ),
)
SETUPS = [
    Setup(),
    Setup(options=(("desert", "yes"),)),
    Setup(options=(("disc", "purple"), ("desert", "no"))),
    Setup(position="x"),
]
