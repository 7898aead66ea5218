"""What a seat cannot know: only what is yet to be revealed."""

from __future__ import annotations

from core.jit import jit


@jit
def determinize(states, i, tables, seat):
    """Nothing to deal anew: unrevealed decks are kept as their candidates and drawn when they are revealed.

    The fresh generator that ``State.determinize`` sets is all that changes.
    """
