"""The parts of a box and their reports: status page, panel JSON, header, an event's desk."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import msgspec

from device.event import Publisher
from device.keys import Controls, Keypads
from device.line import LineService, describe_turn
from device.machine import has_undervoltage
from device.match import Library, describe_score
from device.menus import Box
from device.screen.pixels import ScreenWorker
from device.sensors.host import SensorService
from device.settings import DRIVERS, Config
from device.starts import SafeMode
from device.supervise import Surprises
from device.texts import Texts, Why, in_words, quoted, said
from device.voices import Voice
from engines.texts import plain


class Parts:
    """The parts of a box that exist so far.

    ``controls`` are None while the keys cannot be opened, for the reason ``controls_why``.
    """

    config: Config
    state_dir: Path
    simulated: bool
    safe_mode: SafeMode | None
    surprises: Surprises
    library: Library
    box: Box
    controls: Controls | None = None
    controls_why: Why = ""
    screen: ScreenWorker
    keypads: Keypads
    lines: LineService
    sensors: SensorService
    publisher: Publisher | None = None

    def warning(self) -> str:
        """Return the name of a part that is away, for the header; "" if all are there."""
        keys = [f"warning.{name}" for name in self.surprises.away][-1:]
        if self.controls is None or self.controls.stuck:
            keys.append("warning.keys")
        if not all(one.online for one in self.keypads.states):
            keys.append("warning.keypad")
        if self.publisher and self.publisher.why:
            keys.append("warning.event")
        away = [f"warning.{one.sensor}" for one in self.sensors.states if not one.online]
        keys += [key if key in self.box.texts else "warning.sensors" for key in away[-1:]]
        if any(one.why or not one.online for one in self.lines.states):
            keys.append("warning.line")
        return self.box.texts(keys[0]) if keys else ""

    def status_lines(self) -> list[str]:
        """Return one line a part, for the status page."""
        t = self._tells(self.box.voices.box)
        keys = "" if self.controls else in_words(self.controls_why, t) or t("status.starting")
        plugged = self.config.display.driver not in DRIVERS
        away = (in_words(self.screen.why, t) if plugged else "") or t("status.away")
        parts = [(t("status.keys"), keys), (t("status.display"), "" if self.screen.online else away)]
        parts += [
            (t("status.keypad", device=one.device), in_words(one.why, t)) for one in self.keypads.states
        ]
        parts += [(t("status.line", url=one.url), one.says(t)) for one in self.lines.states]
        parts += [(one.name_for_people(t), one.describe(t)) for one in self.sensors.states]
        if self.publisher:
            parts.append((t("status.event", url=self.publisher.credential.url), self.publisher.says(t)))
        if has_undervoltage():
            parts.append((t("status.supply"), t("status.voltage")))
        said = [t("status.part", part=part, how=how or t("status.ok")) for part, how in parts]
        return [*said, *self._troubles(t), t("status.folder", folder=self.state_dir)]

    def elsewhere(self) -> list[str]:
        """Return what an event's desk should know: parts that are away, and sensors' troubles."""
        t = self._tells(self.box.voices.box)
        hindered = [one for one in self.sensors.states if one.troubles or not one.online]
        return [
            *(t("status.part", part=one.name_for_people(t), how=one.describe(t)) for one in hindered),
            *self._troubles(t),
        ]

    def safely(self, t: Texts) -> list[str]:
        """Say that the box was started in its safe mode, if it was."""
        if not self.safe_mode:
            return []
        return [t("surprise.safe", names=t.by_commas(self.safe_mode.left_out) or t("safe.none"))]

    def _tells(self, voice: Voice) -> Texts:
        """Return the texts to tell by, with those of the match's game: sensors name its pieces."""
        referee = self.library.referee
        return voice.game(referee.replay.header.game) if referee else voice.texts

    def _troubles(self, t: Texts) -> list[str]:
        """Name the parts that an error keeps away, and those whose error is over, each with its cause."""
        away, over = self.surprises.away.items(), self.surprises.over.items()
        refused = self.publisher.refused if self.publisher else ()
        found = [
            *(said("status.part", part=_name_part(name, t), how=why) for name, why in away),
            *(said("surprise.desk", why=quoted(why)) for why in refused),
            *(said("surprise.over", part=_name_part(name, t), why=why) for name, why in over),
        ]
        return [*self.safely(t), *(in_words(one, t) for one in found)]

    def _unsaved(self, t: Texts) -> str:
        """Say that entries of the match did not reach the disk, and why; "" if all did."""
        lost = self.library.referee.lost if self.library.referee else None
        return t("status.part", part=t(lost.title), how=t(lost.reason)) if lost else ""

    def _asking(self, voice: Voice, t: Texts) -> str:
        """Say what people at the box are asked, an entry's question in the words of ``voice``; "" for
        nothing.
        """
        referee, confirming = self.library.referee, self.box.confirming
        entry = confirming.tell(voice.words(referee.replay)) if referee and confirming else ""
        what = entry or self.box.asking
        return t("status.asking", what=what) if what else ""

    def status(self, voice: Voice | None = None) -> dict[str, Any]:
        """Return the status for the panel, with the match's standing, by default in the box's language."""
        voice = voice or self.box.voices.box
        referee, t, crop = self.library.referee, self._tells(voice), self.box.crop_asked
        return {
            "simulated": self.simulated,
            "display": self.screen.online,
            "keys": self.controls is not None,
            "keypads": [
                pick_fields(one, "device", "online") | {"why": plain(in_words(one.why, t))}
                for one in self.keypads.states
            ],
            "lines": [
                pick_fields(one, "url", "online", "node", "health") | {"why": plain(in_words(one.why, t))}
                for one in self.lines.states
            ],
            "sensors": [
                pick_fields(one, "sensor", "name", "online")
                | {"title": plain(one.name_for_people(t)), "says": plain(one.describe(t))}
                | {"hindered": bool(one.troubles or one.before)}
                for one in self.sensors.states
            ],
            "asked": None if crop is None else {"crop": base64.b64encode(crop).decode()},
            "typing": self.box.typing,
            "language": voice.language,
            "unsaved": self._unsaved(t),
            "asking": self._asking(voice, t),
            "problems": [
                *filter(None, [self._unsaved(t)]),
                *(plain(in_words(why, t)) for why in (*self.library.problems, *self._troubles(t))),
            ],
            "turn": plain(describe_turn(referee)) if referee else "",
            "score": describe_score(referee.replay, voice.words(referee.replay)) if referee else None,
            "head": referee.head if referee else 0,
            "recorded": referee.recorded if referee else 0,
        }


def _name_part(part: str, t: Texts) -> str:
    """Name a part of the box; anything else, such as a sensor, keeps its own name."""
    return t(f"part.{part}") if f"part.{part}" in t else part


def pick_fields(state: msgspec.Struct, *names: str) -> dict[str, Any]:
    """Return some fields of a state, fit for JSON and a terminal."""
    found = {name: getattr(state, name) for name in names}
    return {name: plain(value) if isinstance(value, str) else value for name, value in found.items()}
