"""`podesta markers`: a PDF to print at true size: markers for a field, the calibration board, the sheets on
which pieces are enrolled.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from PIL import Image

from device.commands import Exit, add_path
from device.commands.values import add_force, check_free
from device.files import replace_file
from device.sensors.readers import ENROLMENTS, FIELDS
from device.texts import Texts
from vision import sheets
from vision.sheets import DrawnSheet, Paper, SheetWords

FIRST = next(iter(FIELDS))
BOARD, ALL = "board", "all"
SHEETS = {enrolment.sheet: enrolment for enrolment in ENROLMENTS.values()}
"""Sheets on which pieces are laid to be enrolled, by name."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    parser.add_argument(
        "--field",
        metavar="FIELD",
        choices=(*FIELDS, BOARD, *SHEETS, ALL),
        default=FIRST,
        help=f"{', '.join(FIELDS)}; {BOARD}, which calibrates a lens; "
        f"{' and '.join(SHEETS)}, on which pieces are enrolled; {ALL} of the fields (default: {FIRST})",
    )
    parser.add_argument(
        "--paper", choices=[paper.name.lower() for paper in Paper], default="a4", help="(default: a4)"
    )
    add_path(parser, "--out", "FILE", "(default: podesta-FIELD.pdf)")
    add_force(parser, "FILE if it exists")


def run(options: argparse.Namespace) -> int:
    """Write the file; raises OSError where a disk does not take it."""
    out: Path = options.out or Path(f"podesta-{options.field}.pdf")
    check_free(out, force=options.force)
    pages = drawn(options.field, Paper[options.paper.upper()], Texts.load())
    replace_file(out, pdf(pages), 0o666)
    count = "1 page" if len(pages) == 1 else f"{len(pages)} pages"
    print(f"{out}: {count}; print at 100 % and check that the line is {sheets.CONTROL_MM:g} mm long")
    return Exit.FINE


def drawn(field: str, paper: Paper, texts: Texts) -> list[DrawnSheet]:
    """Draw the pages for what ``--field`` names."""
    control = texts("sheets.control", length=f"{sheets.CONTROL_MM:g}")
    if field == BOARD:
        return sheets.board(SheetWords(control, texts("sheets.board")), paper)
    if field in SHEETS:
        sheet = import_module(SHEETS[field].module).sheet
        return [sheet(SheetWords(control, texts(f"sheets.{field}")), paper)]
    names = FIELDS if field == ALL else {field: FIELDS[field]}
    fields = {texts(f"sheets.field.{name}"): figures for name, figures in names.items()}
    corners = [texts(f"sheets.corner.{corner.name.lower()}") for corner in sheets.Corner]
    return sheets.markers(fields, corners, SheetWords(control, texts("sheets.markers")), paper)


def pdf(pages: Sequence[DrawnSheet]) -> bytes:
    """Return the pages as a PDF: each is one picture without gray that fills the page at its true size."""
    first, *rest = (Image.fromarray(page.dots).convert("1", dither=Image.Dither.NONE) for page in pages)
    file = io.BytesIO()
    first.save(file, "PDF", resolution=float(pages[0].dpi), save_all=True, append_images=rest)
    return file.getvalue()
