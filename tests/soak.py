"""Many random games with the invariants checked at every decision, and a report of the actions never taken.

``python -m tests.soak [--decisions N] [--every K] [case ...]``: N decisions in all, over all cases by default.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from core.game import Game
from core.schema import listed
from tests.suite import CASES


def soak(game: Game, decisions: int, seed: int = 0, every: int = 1) -> NDArray[np.int64]:
    """Play so many random decisions; AssertionError for a position that cannot be, looked at ``every`` so often.

    Returns:
        How often each action was taken, ``int64[num_actions]``.
    """
    rng = np.random.default_rng(seed)
    taken = np.zeros(game.num_actions, np.int64)
    state = game.new_initial_state(seed)
    for number in range(decisions):
        legal = state.legal_actions()
        action = legal[int(rng.random() * len(legal))]
        state.apply_action(action)
        taken[action] += 1
        if number % every == 0 or state.is_terminal():
            game.check_invariants(state)
        if state.is_terminal():
            seed += 1
            state = game.new_initial_state(seed)
    return taken


def main() -> None:
    chosen = {str(case): case for case in CASES}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--every", type=int, default=1, help="check every so many decisions")
    parser.add_argument("cases", nargs="*", default=list(chosen), metavar="case", help=listed(chosen, 40))
    arguments = parser.parse_args()
    unknown = [name for name in arguments.cases if name not in chosen]
    if unknown:
        parser.error(f"unknown case {unknown[0]}; there are {listed(chosen, 40)}")
    for name in arguments.cases:
        game = chosen[name].game()
        taken = soak(game, -(-arguments.decisions // len(arguments.cases)), every=arguments.every)
        missed = [game.action_to_string(action) for action in np.flatnonzero(taken == 0)]
        print(f"{name}: {taken.sum():,} decisions, {len(missed)} of {game.num_actions} actions never taken", flush=True)
        if missed:
            print(f"  {listed(missed, 40)}", flush=True)


if __name__ == "__main__":
    main()
