"""Boxes that tell a desk of their matches, no broker between: what each says, and a post that may err."""

from functools import lru_cache

import msgspec

from device.event.messages import DeskShare, Presence, Seated, TableView, TopicKind, Topics
from device.event.publisher import Outbox, Outgoing
from device.match import Replay, read

TOPICS = Topics.of("Friday cup")


def outgoing(path):
    """A journal as it may leave the box."""
    return _replayed(path, path.read_bytes())[0]


@lru_cache(maxsize=32)
def _replayed(path, written):
    """Return what may leave the box of a journal as it was ``written``, and its replay, which costs most."""
    reading = read(path)
    replay = Replay(reading.header, reading.records)
    return Outgoing.of(reading.header, reading.records, replay), replay


class Teller:
    """A box at a broker with one match, as far as ``path`` has it."""

    def __init__(self, box, path):
        self.box, self.path, self.outbox = box, path, Outbox()

    @property
    def match(self):
        return outgoing(self.path)

    def at(self, kind, told):
        return TOPICS.at(self.box, kind), msgspec.json.encode(told)

    def presence(self, online=True):
        return self.at(TopicKind.STATE, Presence(online=online))

    def view(self, **more):
        match, replay = _replayed(self.path, self.path.read_bytes())
        call = replay.affairs.call
        fields = {
            "table": match.header["table_id"],
            "match": match.match,
            "records": len(match.records),
            "names": replay.names,
            "over": replay.over,
            "call": call.seq if call else 0,
        }
        return self.at(TopicKind.VIEW, TableView(**fields | more))

    def offer(self):
        match = self.match
        return [self.at(TopicKind.RECORDS, match.message())] if self.outbox.owes(match.message()) else []

    def hear(self, answers):
        """Return what is said to answers that are for this box."""
        for topic, payload in answers:
            if topic == TOPICS.to(self.box):
                told = msgspec.json.decode(payload, type=DeskShare | Seated)
                if isinstance(told, DeskShare):
                    self.outbox.hear(told)
        return [self.at(TopicKind.RECORDS, sent) for sent in self.outbox.due(self.match)]


def tell(live, *tellers, post=lambda messages: messages, rounds=60):
    """Let boxes and desk talk until nobody has anything to say; ``post`` carries each lot of messages."""
    waiting = [one.presence() for one in tellers] + [one.view() for one in tellers]
    for _ in range(rounds):
        offers = [message for one in tellers for message in one.offer()]
        if not offers and not waiting:
            break
        if not waiting:
            for one in tellers:
                one.outbox.forget(refusals=False)
            waiting = offers
        answers = live.take(post(waiting))
        waiting = [message for one in tellers for message in one.hear(answers)]
    live.settle()
    return not [one for one in tellers if one.offer()]
