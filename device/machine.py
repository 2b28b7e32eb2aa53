"""The machine that this is."""

from __future__ import annotations

from pathlib import Path

MODEL = Path("/proc/device-tree/model")


def on_a_pi(model: Path = MODEL) -> bool:
    """Return True if this is a Raspberry Pi, by what its firmware says."""
    try:
        return "Raspberry Pi" in model.read_text("utf-8", "replace")
    except OSError:
        return False
