"""Fingerprints of random games, printed: run in another mode of numba they must be the same.

``python -m tests.walks <decisions> <case> ...`` prints one JSON line: {case: fingerprint}.
"""

from __future__ import annotations

import hashlib
import json
import sys

from core.game import Game
from tests.suite import CASES, walk


def fingerprint(game: Game, decisions: int, seed: int = 1) -> str:
    """A hash of everything that a walk shows: records, masks, observations of all seats, scores, returns."""
    digest = hashlib.blake2b(digest_size=8)
    for state in walk(game, seed, decisions):
        digest.update(state.states.tobytes())
        digest.update(state.legal_actions_mask().tobytes())
        for player in range(game.num_players):
            digest.update(state.observation(player).tobytes())
        digest.update(repr((state.scores(), state.winners(), state.returns())).encode())
    for player in range(game.num_players):
        digest.update(state.determinize(player, seed).states.tobytes())
    vector = game.vector(3, seed=seed)
    tally = vector.play_random(decisions // 10)
    digest.update(repr(tally[:3]).encode())
    for step in range(decisions // 10):
        vector.step([int(mask.nonzero()[0][step % mask.sum()]) for mask in vector.action_mask])
        for part in (vector.states, *vector._result):
            digest.update(part.tobytes())
    return digest.hexdigest()


def main() -> None:
    chosen = {str(case): case for case in CASES}
    decisions = int(sys.argv[1])
    print(json.dumps({name: fingerprint(chosen[name].game(), decisions) for name in sys.argv[2:]}))


if __name__ == "__main__":
    main()
