"""The line's protocol is the same in every language of the box."""

import re

import pytest

from device.line.messages import ASKS
from device.match import Header
from engines import matchfile
from tests.device.conftest import in_a_loop
from tests.device.here import at_the_line
from tests.e2e.line_node import said
from tests.recorded import MATCHES

STEPS = 12
REFUSED = (
    *("step X 99", "step", "open chess Adso,William", "ask nothing", "reading towers 5", "key ok", "what"),
    *("hello other 1 step seat=z", "hello laptop 1 key", "tell nothing"),
)
GAMES = ("closed", "castles_of_tuscany_two")


async def conversation(state, file, language):
    """Return what a box of a language answers to a match's first steps, to all that is asked, and to
    nonsense.
    """
    state.mkdir(parents=True)
    (state / "language").write_text(f"{language}\n")
    answers = []

    async def say(line):
        answers.append(await here.say(line))

    async with at_the_line(state) as here:
        assert here.daemon.box.voices.box.language == language
        await say("hello laptop 1 step,open,ask,watch,reading")
        here.daemon.box.open(Header(file.game, file.names, file.setup))
        for number, step in enumerate(file.steps[:STEPS]):
            for asked in ASKS:
                await say(f"ask {asked}")
            await say(said(step, number))
        for line in REFUSED:
            await say(line)
    return answers


@pytest.mark.parametrize("name", GAMES)
@in_a_loop
async def test_a_node_hears_the_same_in_every_language(tmp_path, name):
    (path,) = [one for one in MATCHES if one.stem == name]
    file = matchfile.read(path.read_text("utf-8"), name)
    english, japanese = [await conversation(tmp_path / code / "state", file, code) for code in ("en", "ja")]
    assert japanese == english
    assert not re.findall("[ぁ-ヿ]", "".join(japanese))
    assert sum(answer.startswith("ack") for answer in english) == STEPS
    assert sum(answer.startswith("err") for answer in english) >= len(REFUSED)
