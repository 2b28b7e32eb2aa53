"""A match: what was accepted and is on the disk, what of it counts, who may add to it.

================ =========================================================================
module           what it holds
================ =========================================================================
``asking``       what is asked at a point of a step
``door``         the one door: whoever opens, steps, reads, tells or rules does it here
``library``      the matches on the disk: opening, resuming, looking back
``referee``      one open match: what is let in, what people rule, how far it is written
``writer``       the thread that writes the journal
``correction``   what may be taken back, and why not; a draft of corrections
``replay``       what a log tells: the match, what of it counts, what people ruled
``history``      a log: its records, its rulings, what they add up to
``rulings``      what people rule, a class and a line each
``journal``      the file; ``journal_text`` its lines
``records``      one entry, and how entries are chained
``clock``        the players' clock, and the system's
``judge``        the judge's PIN
``pairing``      phones that act for seats
``standings``    how matches stand or ended, and what each player won
``story``        a match told entry by entry, rulings among them; where two states differ
================ =========================================================================
"""

from device.match.asking import Question
from device.match.clock import ChessClock, ClockState, ClockTimes, SystemClock
from device.match.correction import (
    CannotUndo,
    Correction,
    Likely,
    Undoable,
    alternatives,
    last_ruling,
    last_step,
    likeliest,
    undoable,
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
    written,
)
from device.match.history import Line, Log, RulingError, place
from device.match.journal import (
    SUFFIX,
    Journal,
    JournalError,
    JournalFull,
    JournalReadOnly,
    heading,
    parsed,
    read,
    unread,
)
from device.match.journal_text import BOX, PUBLIC, Reading, decode, encode
from device.match.journal_text import line as journal_line
from device.match.judge import Judge, JudgeError, Locked, Unlocked, WrongPin, kept_pin
from device.match.library import Library, PastMatch
from device.match.pairing import PairingError, Pairings, code_shown
from device.match.records import (
    NAME,
    PHRASE,
    RECOVERED,
    Draft,
    Kind,
    Record,
    evidence_matches,
    genesis,
    phrase,
    redact,
    sound,
    strike_names,
    tip,
    whole_groups,
)
from device.match.referee import Closed, Misfit, Referee
from device.match.replay import CHANGING, Header, Replay, Tried
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
    Archive,
    Damaged,
    GamePlayed,
    MatchResult,
    Player,
    local,
    moving,
    odometer,
    players,
    scoreboard,
    scores,
    together,
    wins,
)
from device.match.story import (
    differences,
    gained,
    made_of,
    not_undone,
    numbered,
    offered,
    ruled,
    say_ruling,
    whose,
    worded,
)
