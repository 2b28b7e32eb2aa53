"""Exports of a match: for a spreadsheet, another program, paper, or somebody who checks it.

============== ==================================================================================
module         what it holds
============== ==================================================================================
``account``    a match for every format, from a journal or a match file
``rows``       a match file, and a table with a row for each entry that counts
``document``   one JSON document
``bgstats``    a play for the BG Stats app
``sheet``      a score sheet to print and sign, with its board
``scores``     a score as data and as a table
============== ==================================================================================

Each format is a pure function from an account to its text. The account lacks what a viewer may not read, so
no format can leak it.
"""

from __future__ import annotations

from collections.abc import Callable

from device.exports import bgstats, document, rows, sheet
from device.exports.account import Account, make_readable, read_log, read_match_file, select_followable
from device.exports.bgstats import Unfit
from device.exports.rows import write_csv
from device.exports.scores import (
    STANDING,
    FinalStanding,
    align_columns,
    compute_standing,
    list_gains,
    tell_ties_behind,
    tell_winner,
    write_table,
)
from device.exports.sheet import write as write_sheet

FORMATS: dict[str, tuple[str, Callable[[Account], str]]] = {
    "match": ("a match file; rulings stand in it as remarks", rows.write_match),
    "csv": ("a table, a row for each thing that counts, the score after each", rows.write_rows),
    "json": ("one document with everything, see below", document.write),
    "bgstats": ("a play for the BG Stats app", bgstats.write),
    "sheet": ("a score sheet to print and sign, one page of HTML", sheet.write),
}
"""The formats: a description, and the function that writes an account; it raises :class:`Unfit` for a match
that the format cannot hold.
"""
PARTS = document.PARTS
"""The classes in the JSON document."""
