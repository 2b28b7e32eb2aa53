"""A match handed on: to a spreadsheet, to another program, onto paper, to somebody who wants to check it.

============== ==================================================================================
module         what it holds
============== ==================================================================================
``sight``      what of a log a seat, or everybody, may read
``account``    a match as every format tells it, out of a journal or a match file
``match_text`` a match file
``rows``       a table, a row for each thing that counts
``document``   one JSON document
``bgstats``    a play for the BG Stats app
``sheet``      a score sheet to print and sign
``phrases``    rulings in words
``standing``   a score as data and as a table
============== ==================================================================================

Each format is a pure function from an account to its text. What a viewer may not read is left out when the
account is made, so that no format can forget it.
"""
