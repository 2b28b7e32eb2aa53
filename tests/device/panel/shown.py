"""Recorded matches as a page shows them."""

from contextlib import contextmanager
from pathlib import Path

from device.match import Header, Library
from device.texts import Texts
from engines import matchfile
from tests.device.games import enter

MATCHES = Path(__file__).parents[2] / "matches"


def file_of(name):
    return matchfile.read((MATCHES / f"{name}.match").read_text("utf-8"))


@contextmanager
def playing(folder, name, steps=None):
    """A library in whose open match the first ``steps`` of a recorded one were entered, by default all."""
    file = file_of(name)
    library = Library(folder)
    try:
        referee = library.open_match(Header(file.game, file.names, file.setup))
        enter(referee, file.steps[:steps])
        yield library
    finally:
        library.leave()


def before(name, begins):
    """Return how many steps of a recorded match come before the first whose text begins so."""
    steps = file_of(name).steps
    return next(at for at, step in enumerate(steps) if step.text.startswith(begins))


def texts(game):
    return Texts.load("en", game, strict=True)
