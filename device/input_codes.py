"""The kernel's names for keys and turning axes, as ``evtest`` prints them (linux/input-event-codes.h)."""

from __future__ import annotations

from collections.abc import Iterator

_ROWS = (
    (
        1,
        "ESC 1 2 3 4 5 6 7 8 9 0 MINUS EQUAL BACKSPACE TAB Q W E R T Y U I O P LEFTBRACE RIGHTBRACE ENTER "
        "LEFTCTRL A S D F G H J K L SEMICOLON APOSTROPHE GRAVE LEFTSHIFT BACKSLASH Z X C V B N M COMMA DOT "
        "SLASH RIGHTSHIFT KPASTERISK LEFTALT SPACE CAPSLOCK F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 NUMLOCK "
        "SCROLLLOCK KP7 KP8 KP9 KPMINUS KP4 KP5 KP6 KPPLUS KP1 KP2 KP3 KP0 KPDOT",
    ),
    (86, "102ND F11 F12"),
    (
        96,
        "KPENTER RIGHTCTRL KPSLASH SYSRQ RIGHTALT LINEFEED HOME UP PAGEUP LEFT RIGHT END DOWN PAGEDOWN "
        "INSERT DELETE MACRO MUTE VOLUMEDOWN VOLUMEUP POWER KPEQUAL KPPLUSMINUS PAUSE",
    ),
    (121, "KPCOMMA"),
    (139, "MENU CALC"),
    (158, "BACK FORWARD"),
    (163, "NEXTSONG PLAYPAUSE PREVIOUSSONG STOPCD"),
    (172, "HOMEPAGE"),
    (179, "KPLEFTPAREN KPRIGHTPAREN"),
    (183, "F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24"),
    (353, "SELECT"),
)


def _codes() -> Iterator[tuple[str, int]]:
    for first, names in _ROWS:
        yield from ((f"KEY_{name}", code) for code, name in enumerate(names.split(), start=first))
    yield from ((f"BTN_{number}", 0x100 + number) for number in range(10))


KEYS = dict(_codes())
"""What a key of a number pad, keyboard, knob or button box may be called, and its code."""

AXES = {"REL_X": 0, "REL_Y": 1, "REL_HWHEEL": 6, "REL_DIAL": 7, "REL_WHEEL": 8, "REL_MISC": 9}
"""What may turn, and its code; the kernel's rotary-encoder overlay says REL_X unless told otherwise."""
