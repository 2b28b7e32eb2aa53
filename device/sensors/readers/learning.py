"""Learning a copy's pieces by the picture that a camera sees now, and showing it."""

from __future__ import annotations

from msgspec.structs import replace

from device.sensors import readers
from device.sensors.lenses import LearntError
from device.sensors.messages import Said, Taught, Teach
from device.sensors.reader import Mount
from device.sensors.readers import seeing
from device.sensors.sources import PictureFrame, PictureSource


def learn(lesson: Teach, mount: Mount, source: PictureSource, frame: PictureFrame) -> Taught:
    """Return what a picture shows or teaches."""
    shown = Taught(lesson.number, picture=seeing.coded(frame.picture, ".jpg"))
    if not lesson.learn:
        return shown
    try:
        lens = seeing.lens_of(mount, source, frame)
        where = mount.state_dir, mount.camera
        _, learnt, missing = readers.enrol(lesson.game, where, lens, [("1", frame.picture)], lesson.sizes)
    except LearntError as error:
        return replace(shown, says=((error.key, error.values),))
    except (OSError, ValueError) as error:
        return replace(shown, says=((str(error), {}),))
    says: list[Said] = [("teach.learnt", {"what": learnt})]
    says += [(missing, {})] * bool(missing) + [("teach.simulated", {})] * frame.simulated
    return replace(shown, says=tuple(says), learnt=True)
