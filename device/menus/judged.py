"""A judge's word from the desk of the event: read at the box, recorded once everybody agrees.

Whoever does not agree calls the judge again; the record has either answer.
"""

from __future__ import annotations

from functools import partial

from device.keys import Cue
from device.match import JUDGE, Abandon, Adjust, Answered, Call, Judged, Phrases, Referee, Ruling, Source
from device.menus import standstill
from device.menus.adjustment import summary
from device.menus.consent import Consent, Vote
from device.menus.ui import Ui
from device.menus.views import attempt
from engines.words import Words


class JudgesWord(Consent):
    """The word of ``judge``; it stays until people have said whether they agree."""

    def __init__(
        self, box: Ui, referee: Referee, words: Words, judge: str, ruling: Ruling, source: Source
    ) -> None:
        self.source = source
        vote = Vote(words("consent.all"), words("consent.not_all"))
        agreed = partial(self._agreed, referee, judge, ruling)
        declined = partial(self._rule, referee, Call(words.texts.original("reason.declined.word")))
        super().__init__(box, referee, words, _said(referee, words, judge, ruling), [vote], agreed, declined)

    def back(self) -> None:
        """Go from a question to what is read, and a page back there; from the first nowhere."""
        if self._reading and not self._index:
            self.box.toast(self._words("standstill.first"))
        else:
            super().back()

    def _agreed(self, referee: Referee, judge: str, ruling: Ruling) -> None:
        rulings = [ruling]
        if isinstance(ruling, Judged):
            settled = [Answered()] if referee.replay.affairs.call else []
            end = [] if referee.replay.over else [Abandon(ruling.reason)]
            rulings = [*settled, ruling, *end]
        self._rule(referee, *rulings, by=f"{JUDGE} {judge}")

    def _rule(self, referee: Referee, *rulings: Ruling, by: str = "") -> None:
        attempt(self.box, lambda: self.box.desk.rule(*rulings, source=self.source, by=by))
        standstill.follow(self.box, referee, self._words)


def _said(referee: Referee, words: Words, judge: str, ruling: Ruling) -> str:
    """Return a judge's word with the name, and what comes of it."""
    if isinstance(ruling, Adjust):
        said = summary(referee, words, ruling)
    elif isinstance(ruling, Answered) and ruling.reason:
        said = ruling.reason
    else:
        said = Phrases(words.texts, words.names).say(ruling, lambda _: "")
    told = [words("standstill.word", judge=judge, said=said)]
    if isinstance(ruling, Judged) and not referee.replay.over:
        told.append(words("standstill.ends"))
    return "\n".join(told)


def show(box: Ui, referee: Referee, words: Words, judge: str, ruling: Ruling, source: Source) -> None:
    """Show a judge's word on top."""
    box.on_cue(Cue.CALL)
    box.push(JudgesWord(box, referee, words, judge, ruling, source))
