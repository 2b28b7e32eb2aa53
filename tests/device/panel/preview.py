"""A table as a picture, drawn by the page's renderer without a box, to look at while a scene is written.

python -m tests.device.panel.preview torres_four 130 table.png --dark
"""

import argparse
import json
import re
import tempfile
from pathlib import Path

import msgspec

import engines
from engines import matchfile
from engines.contract import HEIGHT, WIDTH, Label
from engines.drawings import load
from engines.match import replay
from engines.texts import Texts, apart
from engines.words import Words
from tests.device.panel.chromium import chromium, quit_browser, run

ROOT = Path(__file__).parents[3]
BASE = """
:root { --c-ground: #e8e1d2; --c-card: #fbf8f1; --c-ink: #1c1a16; --c-quiet: #5a5449; --c-line: #cfc6b4;
  --c-accent: #a33b12; --c-changed: #d1480f; --c-gold: #b8860b;
  --c-seat0: #f0b429; --c-seat1: #7fb2f0; --c-seat2: #8fd0a0; --c-seat3: #e3a3cf;
  --on-seat0: #141210; --on-seat1: #141210; --on-seat2: #141210; --on-seat3: #141210; }
@media (prefers-color-scheme: dark) { :root { --c-ground: #101215; --c-card: #1b1f24; --c-ink: #f3efe7;
  --c-quiet: #b3b8bf; --c-line: #3a4048; --c-accent: #ffb48c; --c-changed: #ff9b66; --c-gold: #e0b040; } }
body { margin: 0; background: var(--c-ground); }
.panel { position: absolute; background: var(--c-card); border-radius: 18px; overflow: hidden; }
text { font-family: "DejaVu Sans", system-ui, sans-serif; font-variant-numeric: tabular-nums; }
.strong { font-weight: 700; }
.pale { opacity: .4; }
"""


def scene_of(name, step):
    """The match's game, players and scene after so many steps, its labels in words."""
    file = matchfile.read((ROOT / "tests" / "matches" / f"{name}.match").read_text("utf-8"), name)
    game = engines.game(file.game)
    match = replay(game, file.setup, file.steps[:step])
    words = Words(Texts.load("en", file.game, strict=True), game, file.names, file.setup.facts)

    def worded(mark):
        if isinstance(mark.text, Label):
            return msgspec.structs.replace(mark, text=words(mark.text.key, mark.text.figures))
        return mark

    scene = game.telling.scene(match.state)
    panels = tuple(
        msgspec.structs.replace(panel, marks=tuple(map(worded, panel.marks))) for panel in scene.panels
    )
    return file, msgspec.structs.replace(scene, panels=panels)


def page_of(name, step):
    """The picture as a page that loads nothing."""
    file, scene = scene_of(name, step)
    scripts = [(ROOT / "device/panel/page" / one).read_text("utf-8") for one in ("dom.js", "scene.js")]
    script = re.sub(r"^import .*$|^export ", "", "\n".join(scripts), flags=re.M)
    names = [{"name": n, "short": s} for n, s in zip(file.names, apart(file.names), strict=True)]
    told = {
        "panels": msgspec.json.decode(msgspec.json.encode(scene.panels)),
        "names": names,
        "drawing": msgspec.to_builtins(load(file.game)),
    }
    return f"""<!doctype html><meta charset="utf-8"><style>{BASE}</style><body><script type="module">{script}
const told = {json.dumps(told)};
document.head.append(element("style", {{}}, palette(told.drawing)));
for (const panel of told.panels) {{
  const shown = panelOf(panel, told.drawing.icons, told.names);
  const {{ x: left, y: top, width, height, scale }} = panel;
  const lies = {{ left, top, width: width * scale, height: height * scale }};
  for (const [side, pixels] of Object.entries(lies)) shown.style[side] = `${{pixels}}px`;
  document.body.append(shown);
}}
document.body.dataset.done = "yes";
</script>"""


async def picture(name, step, to, dark=False):
    with tempfile.TemporaryDirectory() as folder:
        html = Path(folder) / "table.html"
        html.write_text(page_of(name, step), "utf-8")
        async with chromium() as page:
            await page.open("about:blank", WIDTH, HEIGHT)
            scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
            await page.call("Emulation.setEmulatedMedia", features=scheme)
            await page.open(html.as_uri(), WIDTH, HEIGHT)
            await page.until("document.body?.dataset.done === 'yes'")
            await page.screenshot(to, full=False)
            for error in page.errors:
                print(error)


if __name__ == "__main__":
    told = argparse.ArgumentParser(description=__doc__)
    told.add_argument("match")
    told.add_argument("step", type=int)
    told.add_argument("to")
    told.add_argument("--dark", action="store_true")
    asked = told.parse_args()
    run(picture(asked.match, asked.step, asked.to, asked.dark))
    quit_browser()
