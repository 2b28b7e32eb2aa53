"""What the tests of the menus share: people at a box, and a match that they have begun."""

import pytest

from tests.device.games import enter, game_steps
from tests.device.menus.people import Person


@pytest.fixture
def person(box, ticks):
    return Person(box, ticks)


@pytest.fixture
def match(person):
    """Five steps are entered, and what they told has been read."""
    referee = person.open()
    enter(referee, game_steps(1)[:5])
    person.later()
    return referee
