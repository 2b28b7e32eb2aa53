"""The keys: pins and contacts in, presses, holds and turns out; LED and buzzer."""
