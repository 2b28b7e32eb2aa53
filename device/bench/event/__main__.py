"""A box of an event in a process of its own."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from device.bench.event.box import serve

asyncio.run(serve(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
