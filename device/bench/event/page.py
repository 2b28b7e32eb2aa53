"""The page of tables as a browser keeps it: fetched anew at each change that the desk tells."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Sequence
from html import unescape
from http.cookiejar import CookieJar
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

from device.bench.event.box import Entered

_CARD = re.compile(r"<b>([^<]+)</b> [^<]*? record (\d+)")


class TablesPage(threading.Thread):
    """Somebody who looks at the tables of round 1, logged in as the organiser."""

    def __init__(self, address: str, password: str) -> None:
        super().__init__(name="page", daemon=True)
        self._address = address.rstrip("/")
        self._browser = build_opener(HTTPCookieProcessor(CookieJar()))
        token = re.search(r'name="csrf" value="([^"]+)"', self._fetched("/login"))
        form = {"csrf": token[1] if token else "", "name": "organiser", "password": password}
        self._browser.open(f"{self._address}/login", urlencode(form).encode(), timeout=60).close()
        self._seen: dict[str, list[Entered]] = {}
        self.fetches: list[float] = []
        """Seconds that each fetch took."""

    def _fetched(self, path: str) -> str:
        with self._browser.open(f"{self._address}{path}", timeout=60) as answer:
            return unescape(answer.read().decode("utf-8"))

    def run(self) -> None:
        """Look until the desk is gone."""
        try:
            with self._browser.open(f"{self._address}/changes?round=1", timeout=60) as told:
                for line in told:
                    if line.startswith(b"data:"):
                        self._look()
        except OSError:
            return

    def _look(self) -> None:
        began = time.time()
        page = self._fetched("/?round=1")
        self.fetches.append(time.time() - began)
        self.note(page, began + self.fetches[-1])

    def note(self, page: str, at: float) -> None:
        """Take note of the record that each table's card tells."""
        for table, record in _CARD.findall(page):
            self._seen.setdefault(table, []).append(Entered(int(record), at))

    def lags(self, table: str, made: Sequence[Entered]) -> list[float | None]:
        """Return how long after each step at a table the page had it, None where it has not yet."""
        seen = list(self._seen.get(table, ()))
        found = (next((one.at for one in seen if one.record >= step.record), None) for step in made)
        return [at - step.at if at else None for at, step in zip(found, made, strict=True)]
