"""The expansions of Marrakesh (MK-17): each a chapter that says what it changes and what it adds."""
