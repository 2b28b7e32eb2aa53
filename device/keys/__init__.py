"""The keys: pins and contacts in, presses, holds and turns out; LED and buzzer.

============ =============================================================================
module       what it holds
============ =============================================================================
``debounce`` a person's presses and turns, as values; contacts into them: detents, debounce, hold, quiet time
``pins``     real or mock pins: :class:`Controls` gives these events, :class:`Cues` light and sound
``evdev``    :class:`Keypads`: number pads and knobs on USB or in the kernel
``injector`` presses and turns on mock pins
============ =============================================================================
"""

from device.keys.debounce import LONG_FORM, Hold, Holding, Key, KeyEvent, Press, Timing, Turn
from device.keys.evdev import Input, Keypads, KeypadState, list_inputs, locate
from device.keys.injector import Gesture, Injector, OvertakenError
from device.keys.pins import Controls, ControlsError, Cue, Cues, is_held_down, pin_factory
