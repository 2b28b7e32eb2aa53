"""The pictures of the display in ``hardware/``: ``python -m tests.device.screen.scenes`` draws them anew.

``screen.png`` shows four pages of recorded matches. ``before_after.png`` shows moments in which the box fell
short, a row each, as ``hardware/screens.md`` lists them: at the left as they looked, kept from the picture
that is there, at the right as they look now.
"""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from device.keys import Key, KeyEvent, Press, Turn
from device.match import KEYS, Header, Library, MatchDoor
from device.match.records import Stamp
from device.match.rulings import Adjust
from device.menus import Box
from device.screen.pixels import draw, pages_of
from engines import matchfile
from engines.match import Step

ROOT = Path(__file__).parents[3]
HARDWARE, MATCHES = ROOT / "hardware", ROOT / "tests/matches"
TWO, FOUR = ("Mara", "Tom"), ("Maximilian", "Bartholomea", "Wilhelmina", "Theodora")
EVENING_MS = 1_700_000_000_000
SIZE, SCALE, GAP = (128, 64), 3, 8
LIT = (0xBF, 0xDF, 0xFF)


class Evening:
    """A box on a table of its own, a person who takes time, and matches that are entered."""

    def __init__(self, folder: str) -> None:
        self._now = 0
        library = Library(Path(folder), stamp=lambda: Stamp(EVENING_MS + self._now, self._now, "evening"))
        self.box = Box(MatchDoor(library), pages=pages_of, now_ms=lambda: self._now)

    def play(
        self, name: str, players: Sequence[str], until: Callable[[Step], bool] = lambda _: False
    ) -> None:
        """Enter a recorded match up to the first step that is ``until``, else to its end."""
        file = matchfile.read((MATCHES / f"{name}.match").read_text("utf-8"))
        self.box.open(Header(file.game, tuple(players), file.setup))
        for step in file.steps:
            if isinstance(step, Step):
                if until(step):
                    break
                self.box.door.step(step.text, seat=step.seat, source=KEYS)
        self.written()
        while len(self.box.stack) > 2:
            self.box.pop()

    def enter(self, text: str, seat: int) -> None:
        """One more step, and what is told of it."""
        self.key(Turn(1))
        self.key(Turn(-1))
        self.box.door.step(text, seat=seat, source=KEYS)
        self.box.library.referee.wait(30)

    def written(self) -> None:
        """Wait for the disk, then until what was told is read."""
        self.box.library.referee.wait(30)
        self.later()
        while self.box.is_for_news(Press(Key.OK)):
            self.ok()

    def later(self) -> None:
        """Time passes: what was said is gone."""
        self._now += 100_000
        self.box.page()

    def key(self, event: KeyEvent) -> None:
        """Press a key after a look."""
        self.box.page()
        self._now += 1000
        self.box.key(event)

    def ok(self, times: int = 1) -> None:
        """OK, so many times."""
        for _ in range(times):
            self.key(Press(Key.OK))

    def choose(self, *labels: str) -> None:
        """Turn to the line that begins so, and OK; then to the next."""
        for label in labels:
            page = self.box.page()
            self.key(
                Turn(next(at for at, item in enumerate(page.items) if item.startswith(label)) - page.index)
            )
            self.ok()


def exchange(step: Step) -> bool:
    return step.text.startswith("X")


def step_begun(evening: Evening) -> None:
    evening.play("closed", TWO, exchange)
    evening.choose("Exchange")
    evening.ok()


def recorded(evening: Evening) -> None:
    evening.play("closed", TWO, exchange)
    evening.enter("X 9 10 > d d", 1)


def out_of_turn(evening: Evening) -> None:
    evening.play("closed", TWO, lambda step: step.text == "use")
    evening.enter("use", 0)


def first_page(evening: Evening) -> None:
    evening.play("torres_two", TWO, lambda step: step.text.startswith("ap6"))


def refused(evening: Evening) -> None:
    first_page(evening)
    evening.choose("Block", "Block column h", "Block h1")


def no_longer_fits(evening: Evening) -> None:
    evening.play("closed", TWO, exchange)
    evening.key(Press(Key.UNDO))
    evening.choose("Correct an entry", "11", "")


def undo_by_hand(evening: Evening) -> None:
    evening.play("closed", TWO, exchange)
    evening.box.door.rule(Adjust(0, 5, "a miscount"), source=KEYS, by="ab")
    evening.written()
    evening.key(Press(Key.UNDO))


def to_confirm(evening: Evening) -> None:
    evening.play("closed", TWO)
    while evening.box.page().header.left != "The end":
        evening.ok()
    evening.choose("To confirm", "yes", "later")
    evening.box.library.referee.wait(30)
    evening.later()


def breakdown(evening: Evening) -> None:
    evening.play("torres_four", FOUR)
    evening.key(Turn(2))


def past(evening: Evening) -> None:
    for match, names in (("closed", TWO), ("closed", TWO), ("torres_four", FOUR)):
        evening.play(match, names)
        evening.box.library.leave()
    evening.box.go_home()
    evening.choose("Past matches")


def home(evening: Evening) -> None:
    evening.play("closed", TWO, exchange)
    evening.box.go_home()


ROWS = (
    *(step_begun, recorded, out_of_turn, first_page, refused, no_longer_fits, undo_by_hand, to_confirm),
    *(breakdown, past, home),
)
"""The moments of ``before_after.png``, from the top."""
PAGES = (recorded, first_page, refused, breakdown)
"""The scenes of ``screen.png``."""


def drawn(scene: Callable[[Evening], None]) -> Image.Image:
    """The page that a scene ends on, as the display shows it."""
    with TemporaryDirectory() as folder:
        evening = Evening(folder)
        scene(evening)
        picture = lit(draw(evening.box.page()))
        evening.box.library.leave()
    return picture


def lit(picture: Image.Image) -> Image.Image:
    """In the display's colour, enlarged."""
    large = picture.convert("L").resize((SIZE[0] * SCALE, SIZE[1] * SCALE), Image.Resampling.NEAREST)
    return Image.merge("RGB", [large.point(lambda grey, most=most: grey * most // 255) for most in LIT])


def sheet(pictures: Sequence[Image.Image]) -> Image.Image:
    """Pictures two by two, on grey."""
    wide, high = SIZE[0] * SCALE + GAP, SIZE[1] * SCALE + GAP
    whole = Image.new("RGB", (2 * wide + GAP, -(-len(pictures) // 2) * high + GAP), (64, 64, 64))
    for at, picture in enumerate(pictures):
        whole.paste(picture, (GAP + at % 2 * wide, GAP + at // 2 * high))
    return whole


def left(whole: Image.Image, row: int) -> Image.Image:
    """The left picture of a row of a sheet."""
    top = GAP + row * (SIZE[1] * SCALE + GAP)
    return whole.crop((GAP, top, GAP + SIZE[0] * SCALE, top + SIZE[1] * SCALE))


def save(whole: Image.Image, path: Path) -> None:
    """Few colours, so that the file is small."""
    whole.quantize(4).save(path, optimize=True)


def main() -> None:
    """Draw both pictures."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    save(sheet([drawn(scene) for scene in PAGES]), HARDWARE / "screen.png")
    before = Image.open(HARDWARE / "before_after.png").convert("RGB")
    pairs = [(left(before, row), drawn(scene)) for row, scene in enumerate(ROWS)]
    save(sheet([picture for pair in pairs for picture in pair]), HARDWARE / "before_after.png")


if __name__ == "__main__":
    main()
