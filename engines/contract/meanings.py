"""The meaning of a reading: one explanation, several, or none."""

from __future__ import annotations

import msgspec

from engines.contract.values import Choice, Refusal


class Exact(msgspec.Struct, frozen=True, tag=True):
    """One explanation: the choices that lead from the state to what was seen.

    They may leave the step open: what a camera cannot see (which cards were drawn) is then asked. They may be
    those of several steps of a turn, reports among them: see :func:`engines.search.steps_of`.
    """

    choices: tuple[Choice, ...]


class Several(msgspec.Struct, frozen=True, tag=True):
    """Several explanations, of which people choose; the likeliest or the plainest first, where that is known.

    ``chances``, 0 to 1, are those of a sensor that weighed as many; else empty.
    """

    explanations: tuple[tuple[Choice, ...], ...]
    chances: tuple[float, ...] = ()


class Misread(msgspec.Struct, frozen=True):
    """An explanation if the sensor was wrong in one place: there its reading shows ``differences`` from what
    ``choices`` lead to.
    """

    choices: tuple[Choice, ...]
    differences: tuple[str, ...]


class OutOfStep(msgspec.Struct, frozen=True, tag=True):
    """No turn leads there. ``nearest`` is the best explanation, ``differences`` what it leaves unexplained,
    ``refusal`` the rule in the way of the plainest try, where one is known.

    ``misread`` are explanations that each hold if a single place was misread, the plainest first; it is empty
    where the game cannot tell or where no single place would do.
    """

    nearest: tuple[Choice, ...]
    differences: tuple[str, ...]
    refusal: Refusal | None
    misread: tuple[Misread, ...] = ()


Interpretation = Exact | Several | OutOfStep
