"""What the display of hardware/extend shows, on a line of its own time."""

import importlib.util
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "hardware" / "extend" / "display"


class Told:
    """A line that says what the test has it say."""

    def __init__(self) -> None:
        self.ready, self.heard, self.asked = True, [], []

    def poll(self):
        heard, self.heard = self.heard, []
        return heard

    def send(self, *words):
        self.asked.append(words)
        return len(self.asked)


@pytest.fixture
def module(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location("extend_display", FOLDER / "display.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.modules.pop("podesta_line", None)


def test_a_box_that_is_not_there_or_silent_is_no_box(module):
    line, now = Told(), [2**30 - 10_000]
    display = module.Display(line, lambda: now[0] % 2**30)
    line.heard = [("event", "1 open")]
    display.poll()
    assert display.rows(16) == ["no match"]
    now[0] += 3 * module.LOOK_MS  # the ticks have come round meanwhile
    assert display.rows(16) == ["no match"]
    now[0] += 1
    assert display.rows(16) == ["no box"]
    line.heard = [("event", "2 open")]
    display.poll()
    assert display.rows(16) == ["no match"]
    line.ready = False
    assert display.rows(16) == ["no box"]


def test_it_asks_for_the_match_then_the_score_and_again_after_a_while(module):
    line, now = Told(), [0]
    display = module.Display(line, lambda: now[0])
    display.poll()
    assert line.asked == [("ask", "match")]
    line.heard = [("match", "1 san_gimignano Adso,Guglielmo da Baskerville level=full")]
    display.poll()
    assert line.asked[1:] == [("ask", "score")]
    line.heard = [("score", "2 a:3 b:16")]
    display.poll()
    assert display.rows(16) == ["San Gimignano", f"{'Adso':15}3", "Guglielmo da", f"{'Baskerville':14}16"]
    now[0] = module.LOOK_MS - 1
    display.poll()
    assert len(line.asked) == 2
    now[0] += 1
    display.poll()
    assert line.asked[2:] == [("ask", "match")]
    line.heard = [("err", "3 noseat no match is open")]
    display.poll()
    assert display.rows(16) == ["no match"]
