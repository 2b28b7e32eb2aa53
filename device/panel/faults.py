"""Faults of a simulated box, switched from a page that does not act by itself: people at the box are asked.

::

    POST /fault/NAME/on      ask whether the fault may begin; /off, whether it may end
"""

from __future__ import annotations

from typing import NoReturn

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import BaseRoute, Route

from device.panel.phones import Phones
from device.simulate import SimulatedHardware
from device.voices import Voices


class Faults:
    """The faults of ``hardware``, for phones that propose them."""

    def __init__(self, hardware: SimulatedHardware, phones: Phones, voices: Voices) -> None:
        """Serve the switches of faults; people at the box are asked in the box's own language."""
        self._hardware, self._phones, self._voices = hardware, phones, voices

    def routes(self) -> list[BaseRoute]:
        """Return the route, for :func:`device.panel.make_app`, which guards it."""
        return [Route("/fault/{name}/{switch}", self._propose, methods=["POST"])]

    async def _propose(self, request: Request) -> NoReturn:
        self._phones.check(request)
        name, switch = request.path_params["name"], request.path_params["switch"]
        if name not in self._hardware.faults:
            raise HTTPException(404, f'there is no fault "{name}": {", ".join(self._hardware.faults)}')
        if switch not in ("on", "off"):
            raise HTTPException(400, f'a fault is switched "on" or "off", not "{switch}"')
        key = "confirm.fault" if switch == "on" else "confirm.mend"
        says = self._voices.box.texts(key, name=name.replace("_", " "))
        self._phones.propose(says, lambda: self._hardware.set_fault(name, switch == "on"))
