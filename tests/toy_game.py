"""How a game is added: Countdown, complete in one short file.

Two to four players take 1 to 3 tokens from a pile in turn; each holds a secret card worth 0 to 5. When the pile is
empty, a player's score is the tokens taken from even pile sizes plus the card; ties go to the smaller card.
"""

import numpy as np

from core.batch import bind, record
from core.game import Game
from core.jit import jit
from core.layout import ActionLayout, Block, ObservationLayout
from core.rng import below, draw_from_counts

SEATS, CARDS, MOST = 4, 6, 3
STATE = record([("pile", "i2"), ("deck", "i2", (CARDS,)), ("taken", "i2", (SEATS,)), ("card", "i2", (SEATS,))])
TABLES = np.dtype([("pile", "i2"), ("copies", "i2", (CARDS,))], align=True)
ACTIONS = ActionLayout([Block.of("take", range(1, MOST + 1), "take so many tokens")])
OBSERVATION = ObservationLayout(
    [
        Block("pile", ("pile",), "tokens left / 30"),
        Block("card", ("card",), "own card / 5"),
        Block.of("taken", range(SEATS), "points taken by seat, self first / 30", joint="."),
    ]
)
TAKE = ACTIONS.start("take")
PILE, CARD, TAKEN = (OBSERVATION.start(block) for block in ("pile", "card", "taken"))
TAKING, OVER = range(2)  # phases


@jit
def deal_card(states, i, seat):
    s = states[i]
    left = 0
    for card in range(CARDS):
        left += s["deck"][card]
    s["card"][seat] = draw_from_counts(s["rng"], s["deck"], left)
    s["deck"][s["card"][seat]] -= 1


@jit
def deal(states, i, tables):
    s = states[i]
    s["pile"] = tables[0]["pile"] + below(s["rng"], 4)
    for card in range(CARDS):
        s["deck"][card] = tables[0]["copies"][card]
    for seat in range(SEATS):
        s["card"][seat] = -1
    for seat in range(s["num_players"]):
        deal_card(states, i, seat)
    s["player"] = 0
    s["phase"] = TAKING


@jit
def legal(states, i, tables, actions):
    count = min(MOST, np.int64(states[i]["pile"]))
    for k in range(count):
        actions[k] = TAKE + k
    return count


@jit
def step(states, i, tables, action):
    s = states[i]
    number = action - TAKE + 1
    if s["pile"] % 2 == 0:
        s["taken"][s["player"]] += number
    s["pile"] -= number
    s["player"] = (s["player"] + 1) % s["num_players"]
    if s["pile"] == 0:
        s["phase"] = OVER
        s["done"] = 1


@jit
def truncate(states, i, tables):
    states[i]["phase"] = OVER


@jit
def standings(states, i, tables, table):
    s = states[i]
    for seat in range(s["num_players"]):
        table[seat, 0] = s["taken"][seat] + s["card"][seat]
        table[seat, 1] = -s["card"][seat]
    return np.int64(s["num_players"])


@jit
def observe(states, i, tables, seat, out):
    s = states[i]
    out[PILE] = s["pile"] / 30.0
    out[CARD] = s["card"][seat] / 5.0
    for k in range(SEATS):
        n = s["num_players"]
        out[TAKEN + k] = s["taken"][(seat + k) % n] / 30.0 if k < n else 0.0


@jit
def determinize(states, i, tables, seat):
    s = states[i]
    for other in range(s["num_players"]):
        if other != seat:
            s["deck"][s["card"][other]] += 1
    for other in range(s["num_players"]):
        if other != seat:
            deal_card(states, i, other)


class ToyGame(Game):
    name, title, version = "toy", "Countdown", 0
    min_players, max_players, parties, standing_keys = 2, SEATS, SEATS, 2
    default_max_decisions, margin_scale = 100, 10.0
    dtype, observation_layout, action_layout = STATE, OBSERVATION, ACTIONS
    phases = ("take", "over")
    kernels = bind("toy_game", {k.__name__: k for k in (deal, legal, step, truncate, standings, observe, determinize)})

    def load_components(self, path):
        self.tables = np.array([(21, (2, 2, 2, 2, 2, 2))], TABLES)

    def options(self, record):
        return {"max_decisions": int(record["max_decisions"])}

    def write_position(self, record):
        n = self.num_players
        return {"pile": int(record["pile"]), "taken": record["taken"][:n].tolist(), "card": record["card"][:n].tolist()}

    def read_position(self, position, states):
        s, n = states[0], self.num_players
        with position.fields("options") as options:
            s["max_decisions"] = options.integer("max_decisions", self.max_decisions, 1)
        s["pile"] = position.integer("pile", 21, 0, 24)
        s["taken"][:n] = position.items("taken", exactly=n) or [0] * n
        s["card"][:] = -1
        s["card"][:n] = position.items("card", exactly=n) or [0] * n
        s["deck"] = self.tables[0]["copies"] - np.bincount(s["card"][:n], minlength=CARDS)
        s["decisions"] = position.integer("decisions", 0)
        s["truncated"] = position.flag("truncated", False)
        s["done"] = position.flag("terminal", bool(s["pile"] == 0))
        s["phase"] = OVER if s["done"] else TAKING
        s["player"] = -4 if s["done"] else position.integer("current_player", 0, 0, n - 1)
        for key in ("phase", "current_player"):
            position.raw(key)

    def draw(self, state, observer=None):
        s = state.states[0]
        cards = [int(s["card"][p]) if observer in (None, p) else "?" for p in range(self.num_players)]
        return f"pile {s['pile']}, taken {s['taken']}, cards {cards}, player {state.current_player()}"

    def check_invariants(self, state):
        s = state.states[0]
        assert s["pile"] >= 0 and s["pile"] + s["taken"].sum() <= 24, "tokens come from the pile of at most 24"
        assert np.bincount(s["card"][: self.num_players], minlength=CARDS).max() <= 2, "two cards of each value"
