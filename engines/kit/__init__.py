"""What two games would both write, and no caller needs: games are made of it.

============ ============================================================
module       what it holds
============ ============================================================
``rulebook``  chapters put together: what is legal, why not, what happens
``checks``    named checks, each with its clause
``options``   what a set-up chooses, and whether a position agrees
``position``  the shell of a position text
``notation``  a step's text, a word a token
``ranking``   points given by hand; places by points and tie-breaks
``worlds``    sampled truths of a game in which everything lies open
============ ============================================================
"""
