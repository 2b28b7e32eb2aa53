"""The line's door, asked by names: one call a kind of line, as tests read best."""

from collections.abc import Mapping, Sequence

from device.line.door import LineDoor
from device.line.messages import Ask, Open, Reading, Step, Tell
from device.line.nodes import Sender


class NamedLineDoor(LineDoor):
    """Takes what a node's line says word by word; ``channel`` is the node's, with the line's number."""

    async def open(self, game: str, names: Sequence[str], settings: Mapping[str, str], **by) -> int:
        return await self.enter(Open(game, tuple(names), tuple(settings.items())), sender(**by))

    async def step(self, text: str, *, head=None, named=None, **by) -> int:
        return await self.enter(Step(text, head, named), sender(**by))

    async def reading(self, what: str, candidates: Sequence[tuple[float, str]], **by) -> int:
        return await self.enter(Reading(what, tuple(candidates)), sender(**by))

    async def tell(self, held: str, **by) -> int:
        return await self.enter(Tell(held), sender(**by))

    def answer(self, what: str | Ask, text: str | Sender = "", **by) -> str:
        if isinstance(what, Ask):
            return super().answer(what, text)
        return super().answer(Ask(what, text), sender(**by))

    def find_done(self, by: Sender | str, number: int = 0, said: bytes = b"") -> int | None:
        return super().find_done(by if isinstance(by, Sender) else Sender(by, number=number, said=said))


def sender(*, seat=None, channel="line:keypad-1#1", said=b"", source="", voices=None) -> Sender:
    """Whoever says it; ``source`` is a node with its line, such as ``keypad-1 on usb``."""
    node, _, number = channel.removeprefix("line:").partition("#")
    named, _, line = source.partition(" on ")
    return Sender(named or node, line, seat, int(number or 1), said, voices or {})
