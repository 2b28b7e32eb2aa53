"""Telemetry: messages of a scale on the line about itself, for the sensor that uses them.

Telemetry alone becomes no record and no proposal: a sensor reads it and tells its meaning.
``hardware/PROTOCOL.md``, "A scale", describes it for builders of nodes.

>>> ReceivedMessage("tray-1", "weight", "31250 12 rest", 81_000).message
Weight(mg=31250, sd_mg=12, rests=True)
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

HEALTH = (
    *("ok", "cell-gone", "saturated", "reversed", "lifted"),
    *("hand", "noisy", "gate-blocked", "rebooted"),
)
"""The words for a scale's health, explained in ``hardware/PROTOCOL.md``."""

_WEIGHT = re.compile(r"(-?[0-9]{1,7})\s+([0-9]{1,7})\s+(rest|moving)")
_GATE = re.compile(r"([1-9])\s+([0-9]{1,3})")
_FIGURE = re.compile(r"([a-z_]{1,16})=(-?[0-9]{1,9}(?:\.[0-9]{1,3})?)")


class Weight(msgspec.Struct, frozen=True):
    """The weight on a scale, and whether it ``rests``.

    ``mg`` are nominal milligrams above its zero, −9,999,999 to 9,999,999; ``sd_mg`` is their standard
    deviation, from 0.
    """

    mg: int
    sd_mg: int
    rests: bool


class GatePassed(msgspec.Struct, frozen=True):
    """Pieces that passed the gate ``name``, 1 to 9, since the scale last rested."""

    name: int
    passed: int


class Health(msgspec.Struct, frozen=True):
    """The health of a scale, a word of :data:`HEALTH`, with figures such as ``rate`` (samples a second)."""

    state: str
    figures: tuple[tuple[str, float], ...] = ()


ScaleMessage = Weight | GatePassed | Health


class ReceivedMessage(msgspec.Struct, frozen=True):
    """One message of a node's telemetry; ``ms`` is the box's monotonic clock when it was heard."""

    node: str
    kind: str
    args: str
    ms: int

    @property
    def message(self) -> ScaleMessage:
        """The message as a value."""
        return read(self.kind, self.args)


def read(kind: str, args: str) -> ScaleMessage:
    """Read the ``args`` after one of :data:`KINDS`.

    :raises ValueError: with the right way to write it.
    """
    return _READERS[kind](args)


def write(message: ScaleMessage) -> tuple[str, str]:
    """Return the kind and the arguments of a message, as :func:`read` takes them."""
    match message:
        case Weight(mg, sd_mg, rests):
            return "weight", f"{mg} {sd_mg} {'rest' if rests else 'moving'}"
        case GatePassed(name, passed):
            return "gate", f"{name} {passed}"
        case Health(state, figures):
            return "health", " ".join([state, *[f"{key}={value:.12g}" for key, value in figures]])


def _read_weight(args: str) -> Weight:
    if not (said := _WEIGHT.fullmatch(args)):
        raise ValueError(
            "write: weight MG SD STATE, whole milligrams and rest or moving, for example weight 31250 12 rest"
        )
    return Weight(int(said[1]), int(said[2]), said[3] == "rest")


def _read_gate(args: str) -> GatePassed:
    if not (said := _GATE.fullmatch(args)):
        raise ValueError("write: gate NAME COUNT, a name 1 to 9 and 0 to 999 pieces, for example gate 1 9")
    return GatePassed(int(said[1]), int(said[2]))


def _read_health(args: str) -> Health:
    state, *rest = args.split() or [""]
    if state not in HEALTH:
        raise ValueError(f"write: health WORD [KEY=NUMBER]…; WORD is one of {', '.join(HEALTH)}")
    figures: dict[str, float] = {}
    for text in rest:
        said = _FIGURE.fullmatch(text)
        if said is None or said[1] in figures:
            raise ValueError(f"a figure is KEY=NUMBER, and there once, for example rate=20, not {text}")
        figures[said[1]] = float(said[2])
    return Health(state, tuple(figures.items()))


_READERS: dict[str, Callable[[str], ScaleMessage]]
_READERS = {"weight": _read_weight, "gate": _read_gate, "health": _read_health}
KINDS = tuple(_READERS)
"""The kinds of telemetry."""
