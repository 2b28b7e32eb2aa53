"""A match: the accepted entries on the disk, those of them that count, and the right to add to them.

================ =========================================================================
module           what it holds
================ =========================================================================
``asking``       the question at a point of a step
``door``         the one door: every source opens, steps, reads, tells and rules here
``library``      the matches on the disk: opening, resuming, looking back
``referee``      one open match: accepted entries, rulings; the thread that writes the journal
``correction``   undo: what it may take back, and why not; a draft of corrections
``replay``       the match that a log tells: the entries that count, the right to read them
``history``      a log: its records, its rulings, their result
``rulings``      people's rulings, a class and a line each
``journal``      the file; ``journal_text`` its lines
``records``      one entry, and the chain of entries
``clock``        the players' clock, and the system's
``judge``        the judge's PIN
``pairing``      phones that act for seats
``standings``    scores and results of matches, and each player's wins
``story``        a match told entry by entry, its rulings; the differences of two states
================ =========================================================================
"""

from device.match.asking import Question
from device.match.clock import ChessClock, ClockState, ClockTimes, SystemClock
from device.match.correction import (
    CannotUndo,
    Correction,
    Likely,
    Undoable,
    find_last_ruling,
    find_last_step,
    find_likeliest,
    list_alternatives,
    list_undoable,
)
from device.match.door import (
    KEYS,
    PAGE,
    Busy,
    Held,
    MatchDoor,
    NotYours,
    Proposal,
    Source,
    Unclear,
    Unconfirmed,
    wait_written,
)
from device.match.history import Line, Log, RulingError, find_place
from device.match.journal import (
    SUFFIX,
    Journal,
    JournalError,
    JournalFull,
    parse,
    read,
    read_heading,
    tell_unread,
)
from device.match.journal_text import BOX, PUBLIC, JournalFile, decode, encode
from device.match.journal_text import write_line as write_journal_line
from device.match.judge import Judge, JudgeError, Locked, Unlocked, WrongPin, write_pin
from device.match.library import Library, PastMatch
from device.match.pairing import PairingError, Pairings, Phone, read_code
from device.match.records import (
    NAME,
    PHRASE,
    RECOVERED,
    Draft,
    Kind,
    Record,
    find_fault,
    find_tip,
    has_evidence,
    hash_header,
    keep_whole_groups,
    redact,
    strike_names,
    write_phrase,
)
from device.match.referee import Closed, Misfit, Referee
from device.match.replay import CHANGING, Header, Replay, Tried, Unfollowable, find_hidden, redact_hidden
from device.match.rulings import (
    JUDGE,
    MOST_BY_HAND,
    Abandon,
    Adjust,
    Agree,
    Amend,
    Answered,
    By,
    Call,
    Dispute,
    Give,
    Insert,
    Judged,
    Over,
    Override,
    Pause,
    Resume,
    Rollback,
    Ruling,
    Strike,
    Undo,
    parse_ruling,
)
from device.match.standings import (
    Damaged,
    GamePlayed,
    MatchResult,
    Player,
    count_wins,
    describe_score,
    find_running,
    find_together,
    list_players,
    list_scores,
    tell_odometer,
    to_local,
)
from device.match.story import (
    Ruled,
    find_agreed,
    find_changes,
    find_gains,
    find_ruling,
    name_origin,
    say_ruling,
    tell_contents,
    tell_differences,
    tell_hands,
    tell_line,
    tell_no_undo,
    tell_numbered,
    tell_offer,
)
