"""The command ``podesta``: checks that the packages it needs are its own, then runs it."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

LACKING = 4
"""The exit status if something that it needs is missing."""


def main() -> int:
    """Run the command and return its exit status; report anything in the way of a package."""
    for name in ("device", "vision", "engines"):
        if found := in_the_way(name):
            from importlib.metadata import packages_distributions  # noqa: PLC0415 – slow

            owner = next((one for one in packages_distributions().get(name, ()) if one != "podesta"), "")
            mend = f"pip uninstall {owner}" if owner else "move it away"
            mend += ", or install podesta into an environment of its own"
            print(f"podesta: {found} lies in the way of podesta's own {name}: {mend}", file=sys.stderr)
            return LACKING
    from device.cli import main as command  # noqa: PLC0415 – now it is known to be ours

    return command()


def in_the_way(name: str) -> Path | None:
    """Return a foreign module imported by that name, or one written over ours; None for ours."""
    spec, own = find_spec(name), Path(__file__).with_name(name)
    places = list(spec.submodule_search_locations or ()) if spec else []
    found = Path(places[0] if places else (spec and spec.origin) or own)
    over = name == "device" and "Podestà" not in (own / "__init__.py").read_text("utf-8", "replace")
    return found if over or found.resolve() != own.resolve() else None
