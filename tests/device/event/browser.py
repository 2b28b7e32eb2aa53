"""The page of tables in real Chromium, as `podesta bench event` looks at it."""

from __future__ import annotations

import asyncio
from http.cookiejar import CookieJar
from urllib.request import HTTPCookieProcessor

from device.bench.event.box import Entered
from device.bench.event.measure import TablesPage
from tests.device.panel.chromium import chromium

LOOK_S = 0.2

NOTE_WHAT_IS_PAINTED = """(() => {
  const last = {};
  window.painted = [];
  const note = () => requestAnimationFrame(() => setTimeout(() => {
    for (const card of document.querySelectorAll("main li a")) {
      const record = / record (\\d+)/.exec(card.textContent), table = card.querySelector("b").textContent;
      if (!record || last[table] === record[1]) continue;
      last[table] = record[1];
      painted.push([table, Number(record[1]), Date.now()]);
    }
  }));
  new MutationObserver(note).observe(document.body, {childList: true, subtree: true});
  note();
})()"""
"""A card counts after the frame that shows it."""


class ChromiumPage(TablesPage):
    """Somebody who looks at the tables of round 1 in Chromium; ``done`` ends it."""

    done = False

    def run(self):
        asyncio.run(self._watch())

    async def _watch(self):
        (jar,) = (one.cookiejar for one in self._browser.handlers if isinstance(one, HTTPCookieProcessor))
        assert isinstance(jar, CookieJar)
        async with chromium() as page:
            await page.open(f"{self._address}/login")
            for cookie in jar:
                await page.call("Network.setCookie", name=cookie.name, value=cookie.value, url=self._address)
            await page.open(f"{self._address}/?round=1")
            await page.until("document.querySelector('main[data-mark]') !== null")
            await page.eval(NOTE_WHAT_IS_PAINTED)
            while not self.done:
                for table, record, at_ms in await page.eval("painted.splice(0)"):
                    self._seen.setdefault(table, []).append(Entered(record, at_ms / 1000))
                await asyncio.sleep(LOOK_S)
