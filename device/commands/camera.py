"""`podesta camera calibrate`: calibrates a lens, once for each camera, size of picture and focus.

`podesta camera enrol`: learns the look of a copy's pieces. `podesta markers`: writes a PDF to print at true
size, with the markers of a field, the calibration board, or a sheet for enrolling pieces.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import count, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from device.commands import Command, CommandError, Options, UsageError, action, check_free, command, say, take
from device.commands.box import choose_section, find_state, load_settings
from device.errors import DeviceError
from device.files import replace_file
from device.screen.pixels import SMALL, load_font
from device.sensors import learnt, readers, sources
from device.sensors.readers import ENROLMENTS, FIELDS, shelf
from device.settings import CameraSettings
from device.texts import Texts, in_words, reason
from engines.texts import DEFAULT_LANGUAGE
from vision import calibrate as lens
from vision import sheets
from vision.calibrate import CalibrationRefused, Collection
from vision.sheets import DrawnSheet, Paper, SheetWords

Pictures = Iterator[tuple[str, sources.PictureFrame]]
"""Pictures by name."""

UNSEEN_FRAMES = 300
"""The number of pictures without the board after which the camera does not look at it."""

PART_ROWS, PART_COLUMNS = ("top", "middle", "bottom"), ("left", "middle", "right")
"""Names of the parts of a picture in the texts."""


def find_camera(options: Options) -> tuple[CameraSettings, Path]:
    """Return the camera of the options and the box's state; raises :class:`CommandError` without one."""
    config = load_settings(options)
    return choose_section(config.camera, "camera", options.camera), find_state(options, config)


# Pictures


@contextmanager
def _open_pictures(options: Options, camera: CameraSettings) -> Iterator[Pictures]:
    """Give the pictures of the folder in the options, else the camera's."""
    if options.pictures is not None:
        yield list_pictures(options.pictures)
        return
    with closing(sources.open_source(camera)) as source:
        yield grab_pictures(source)


def list_pictures(folder: Path) -> Pictures:
    """Yield the pictures of a folder in the order of their names, and tell the fault of any other file;
    raises OSError without a folder.
    """
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in sources.PICTURES:
            try:
                picture = sources.read_picture(path)
            except sources.CameraError as error:
                say(str(error))
            else:
                yield path.name, sources.PictureFrame(picture, sources.small_of(picture), 0.0)


def grab_pictures(source: sources.PictureSource) -> Pictures:
    """Yield a camera's pictures, numbered from 1, until it has no more; raises CameraError if it goes."""
    for number in count(1):
        try:
            yield str(number), source.grab()
        except sources.PicturesEnded:
            return


def check_pictures(camera: CameraSettings, pictures: Pictures) -> Pictures:
    """Yield the pictures of a camera; raise LearntError for a size or focus unlike the settings."""
    for name, frame in pictures:
        height, width = frame.picture.shape[:2]
        learnt.check_picture(camera, (width, height), frame.facts.get("focus"))
        yield name, frame


# Calibrate


@action(
    "find out what the lens does, by pictures of the printed board (podesta markers --field board)",
    take.option("--pictures FOLDER", "pictures taken before by this camera (default: take them now)"),
    take.section("camera"),
    take.box,
)
def calibrate(options: Options) -> None:
    """Calibrate the lens of a camera."""
    (camera, state), texts = find_camera(options), Texts.load()
    with _open_pictures(options, camera) as pictures:
        found = calibrate_lens(camera, pictures, texts, say, live=options.pictures is None)
    file = learnt.save_lens(state, camera, found)
    print(f"{file}: {found.views} views, {found.rms_px:.2f} px")


def calibrate_lens(
    camera: CameraSettings,
    pictures: Pictures,
    texts: Texts,
    say: Callable[[str], None],
    *,
    live: bool = False,
) -> learnt.Calibrated:
    """Calibrate the lens by as many pictures as it takes, or by all of them unless they are ``live``.

    ``say`` gets the next thing to do; for existing pictures, the faults of those not used. Raises
    :class:`CommandError` with everything that is missing or wrong, and as :func:`check_pictures`.
    """
    views = Collection()
    unseen, said = 0, ""
    for name, frame in check_pictures(camera, pictures):
        fault = views.add(frame.picture, name)
        unseen = 0 if fault is None else unseen + 1
        if live:
            if not views.missing:
                break
            if unseen >= UNSEEN_FRAMES:
                raise CommandError(*list_lacking(views, texts))
            line = f"{_tell_views(views, texts)} {next(_list_missing(views, texts))}"
            if line != said:
                say(line)
            said = line
        elif fault is not None:
            wrong = texts(f"calibrate.fault.{fault.value}")
            say(f"{name}: {wrong}")
    if views.missing:
        raise CommandError(*list_lacking(views, texts))
    try:
        found = lens.calibrate(views)
    except CalibrationRefused as refused:
        figures = {"rms": f"{refused.rms_px:.2f}", "worst": ", ".join(refused.worst)}
        raise CommandError(texts(f"calibrate.refused.{refused.reason.value}", **figures)) from refused
    for name in found.left_out:
        say(f"{name}: {texts('calibrate.left_out')}")
    made = datetime.now(UTC).date().isoformat()
    return learnt.Calibrated(camera.source, camera.focus, found.lens, found.rms_px, len(found.views), made)


def list_lacking(views: Collection, texts: Texts) -> list[str]:
    """Tell the progress of the calibration, and everything that is still to show."""
    return [_tell_views(views, texts), *_list_missing(views, texts)]


def _tell_views(views: Collection, texts: Texts) -> str:
    return texts("calibrate.views", views=len(views.views), needed=lens.LEAST_VIEWS)


def _list_missing(views: Collection, texts: Texts) -> Iterator[str]:
    missing = views.missing
    for column, row in missing.parts:
        yield texts("calibrate.part", part=texts(f"calibrate.parts.{PART_ROWS[row]}_{PART_COLUMNS[column]}"))
    for side in missing.sides:
        yield texts("calibrate.tilt", side=texts(f"calibrate.sides.{side.value}"))
    if missing.views:
        yield texts("calibrate.more", count=missing.views)


# Enrol


def _add_sizes(parser: argparse.ArgumentParser) -> None:
    """Add an option for the size of each kind of piece that a camera can learn."""
    for game, enrolment in ENROLMENTS.items():
        for name, usual in enrolment.sizes.items():
            default = f", default: {usual[0]:g} {usual[1]:g}" if usual else ""
            what = f"{game}: {Texts.load()(f'teach.size.{name}')}, in mm{default}"
            parser.add_argument(f"--{name}", metavar=("WIDTH", "HEIGHT"), nargs=2, type=float, help=what)


@action(
    "learn what a copy's pieces look like",
    take.option(
        "[GAME]",
        "; ".join(
            f"{game}: {Texts.load()(f'teach.what.{game}')} (markers --field {one.sheet})"
            for game, one in ENROLMENTS.items()
        )
        + " (default: the one of the camera's field)",
        choices=(*ENROLMENTS, None),
    ),
    _add_sizes,
    take.option("--pictures FOLDER", "pictures taken before by this camera (default: take one now)"),
    take.section("camera"),
    take.box,
)
def enrol(options: Options) -> None:
    """Teach a camera the look of a copy's pieces."""
    camera, state = find_camera(options)
    game = options.game or _choose_game(options, camera)
    texts = Texts.load(DEFAULT_LANGUAGE, game)
    sizes = {name: getattr(options, name) for name in ENROLMENTS[game].sizes}
    try:
        lens = learnt.load_lens(state, camera).lens
        with _open_pictures(options, camera) as shown:
            some = check_pictures(camera, islice(shown, 1) if options.pictures is None else shown)
            pictures = ((name, frame.picture) for name, frame in some)
            file, found, missing = shelf.enrol(game, (state, camera), lens, pictures, sizes)
    except DeviceError as error:
        raise CommandError(reason(error, texts)) from error
    except ValueError as error:
        raise UsageError(reason(error, texts)) from error
    if missing:
        say(in_words(missing, texts))
    print(f"{file}: {in_words(found, texts)}")


def _choose_game(options: Options, camera: CameraSettings) -> str:
    """Return the game whose sizes are given, or whose field the camera reads; print it."""
    given = [game for game, one in ENROLMENTS.items() if any(getattr(options, name) for name in one.sizes)]
    for game in (*given, *readers.list_teachable(camera.fields)):
        say(f"{game}: {Texts.load()(f'teach.what.{game}')}")
        return game
    raise UsageError(f"say which game: {', '.join(ENROLMENTS)}")


run = Command(actions={"calibrate": calibrate, "enrol": enrol})

# podesta markers

FIRST = next(iter(FIELDS))
BOARD, ALL = "board", "all"
SHEETS = tuple(enrolment.sheet for enrolment in ENROLMENTS.values())
"""The sheets for enrolling pieces, by name."""


@command(
    take.option(
        "--field FIELD",
        f"{', '.join(FIELDS)}; {BOARD}, which calibrates a lens; {' and '.join(SHEETS)}, on which pieces are "
        f"enrolled; {ALL} of the fields (default: {FIRST})",
        choices=(*FIELDS, BOARD, *SHEETS, ALL),
        default=FIRST,
    ),
    take.option("--paper", "(default: a4)", choices=[paper.name.lower() for paper in Paper], default="a4"),
    take.option("--out FILE", "(default: podesta-FIELD.pdf)"),
    take.force("FILE if it exists"),
    take.language,
)
def markers(options: Options) -> None:
    """Write the file; raises OSError if the disk refuses it."""
    out: Path = options.out or Path(f"podesta-{options.field}.pdf")
    check_free(out, force=options.force)
    pages = draw_pages(options.field, Paper[options.paper.upper()], options.language)
    replace_file(out, make_pdf(pages), 0o666)
    number = "1 page" if len(pages) == 1 else f"{len(pages)} pages"
    print(f"{out}: {number}; print at 100 % and check that the line is {sheets.CONTROL_MM:g} mm long")


def draw_pages(field: str, paper: Paper, language: str) -> list[DrawnSheet]:
    """Draw the pages that ``--field`` names."""
    games = [game for game, one in ENROLMENTS.items() if one.sheet == field]
    texts = Texts.load(language, *games)
    about = field if field == BOARD or games else "markers"
    control = texts("sheets.control", length=f"{sheets.CONTROL_MM:g}")
    words = SheetWords(
        control, texts(f"sheets.{about}"), None if language == DEFAULT_LANGUAGE else _draw_text
    )
    if field == BOARD:
        return sheets.board(words, paper)
    if games:
        sheet = readers.load_part(games[0], "teaching").SHEET
        return [sheet.draw([in_words(name, texts) for name in sheet.names], words, paper)]
    names = FIELDS if field == ALL else {field: FIELDS[field]}
    fields = {texts(f"sheets.field.{name}"): figures for name, figures in names.items()}
    corners = [texts(f"sheets.corner.{corner.name.lower()}") for corner in sheets.Corner]
    return sheets.markers(fields, corners, words, paper)


def _draw_text(text: str) -> NDArray[np.bool_]:
    """Write a line in the display's small font, which covers every language."""
    face = load_font(SMALL)
    line = Image.new("1", (face.measure(text), SMALL))
    face.write(line, 0, 0, text)
    return np.asarray(line, bool)


def make_pdf(pages: Sequence[DrawnSheet]) -> bytes:
    """Return the pages as a PDF, each one black-and-white picture that fills the page at true size."""
    first, *rest = (Image.fromarray(page.dots).convert("1", dither=Image.Dither.NONE) for page in pages)
    file = io.BytesIO()
    first.save(file, "PDF", resolution=float(pages[0].dpi), save_all=True, append_images=rest)
    return file.getvalue()
