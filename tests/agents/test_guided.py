"""Search with a network: the network in the kernels, what its chances do, and that it does not peep."""

from dataclasses import replace

import numpy as np
import pytest

from agents import guided, load
from agents.learning import blank_learner, from_policy
from agents.network import Network, write
from agents.scripted import LONE, advise, foretell, script, script_parts, view
from agents.selfplay import play_match
from agents.vec_env import SelfPlayVecEnv
from core import registry
from core.batch import compile_over
from tests.suite import walk
from tests.toy_game import ToyGame


def blank(game, trunk=(16,), heads=(12,), seed=0):
    return from_policy(blank_learner(SelfPlayVecEnv(game, 1, [load("random", game)]), trunk, heads, seed))


def kept(folder, game, network):
    path = folder / f"{game.name}.safetensors"
    write(path, network, game, {})
    return path


def leaning(game, action, value=0.0):
    """A network that finds one action e^3 times as likely as any other, and every position worth the same."""
    seen, actions = game.observation_size, game.num_actions
    bias = np.zeros(actions, np.float32)
    bias[action] = 3.0
    policy = (np.zeros((actions, seen), np.float32), bias)
    return Network((), (policy,), ((np.zeros((1, seen), np.float32), np.array([value], np.float32)),))


def with_base(game, network, rng, base):
    """The network on top of a script: random weights for its advice, and a random trust in it."""
    based = network.with_base(base, script(base, game, as_base=True).insight)
    (weight, bias), *rest = based.trunk
    weight[:, game.observation_size :] = rng.normal(size=(len(bias), weight.shape[1] - game.observation_size))
    trust = rng.normal(size=(2, game.num_actions)).astype(np.float32)
    return replace(based, trunk=((weight, bias), *rest), trust=trust)


@pytest.mark.parametrize(("trunk", "heads"), [((), ()), ((8,), ()), ((), (5,)), ((16, 9), (12,)), ((7, 6, 20), (4, 5))])
def test_the_network_in_the_kernels_is_the_one_in_numpy(tmp_path, trunk, heads):
    game = registry.game("xenon", num_players=3)
    network = blank(game, trunk, heads)
    agent = load(f"ppo-mcts:4:{kept(tmp_path, game, network)}", game)
    parts = {"layer": guided.layer, "advise": guided.no_advice, "view": guided.no_view, "foretell": guided.no_foretell}
    kernel = compile_over(game.kernels, [guided.run_network], parts).run_network
    for number, state in enumerate(walk(game, 1, 60)):
        if number % 9 == 0:
            value = kernel(state.states, game.tables, 2, agent.guide)
            seen = state.observation(state.current_player())[np.newaxis]
            np.testing.assert_allclose(agent.guide[5][2], network.logits(seen)[0], rtol=1e-4, atol=1e-5)
            np.testing.assert_allclose(value, network.values(seen)[0], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "base"), [("xenon", "greedy"), ("tesla", "greedy"), ("pax", "greedy"), ("pax", "tuned+1")]
)
def test_the_network_in_the_kernels_asks_its_base(tmp_path, name, base):
    game = registry.game(name, num_players=3)
    network = with_base(game, blank(game), np.random.default_rng(5), base)
    path = kept(tmp_path, game, network)
    agent, adviser, policy = (
        load(f"ppo-mcts:4:{path}", game),
        script(base, game, as_base=True),
        load(f"ppo:{path}", game),
    )
    inner = {"layer": guided.layer, "advise": advise, "view": view}
    inner |= {"foretell": foretell if adviser.turns else guided.no_foretell}
    inner |= script_parts(adviser.best_action, adviser.outlook.look)
    kernel = compile_over(game.kernels, [guided.run_network], inner).run_network
    rng = np.random.default_rng(0)
    checked = 0
    for number, state in enumerate(walk(game, 1, 60)):
        if number % 9 == 0:
            value = kernel(state.states, game.tables, 2, agent.guide)
            mover = state.current_player()
            seen = np.hstack((state.observation(mover)[np.newaxis], adviser.advice(state.states, LONE, game)))
            logits = network.logits(seen)[0]
            np.testing.assert_allclose(agent.guide[5][2], logits, rtol=1e-4, atol=1e-4)
            np.testing.assert_allclose(value, network.values(seen)[0], rtol=1e-4, atol=1e-4)
            legal = state.legal_actions()
            assert policy.act(state, rng) == legal[int(np.argmax(logits[legal]))]
            checked += 1
    assert (
        checked > 3 and agent.act(game.new_initial_state(seed=0), rng) in game.new_initial_state(seed=0).legal_actions()
    )


def test_its_first_look_is_at_the_likeliest_action(tmp_path):
    game = ToyGame(2)
    state = game.new_initial_state(seed=0)
    for action in state.legal_actions():
        agent = load(f"ppo-mcts:1:{kept(tmp_path, game, leaning(game, action))}", game)
        assert agent.act(state, np.random.default_rng(0)) == action


def test_it_finds_what_the_network_does_not_like(tmp_path):
    """Both tokens together win, one loses; the network leans to one."""
    game = ToyGame(2)
    state = game.state_from_dict({"pile": 2, "taken": [1, 3], "card": [1, 0]})
    agent = load(f"ppo-mcts:300:{kept(tmp_path, game, leaning(game, game.string_to_action('take:1')))}", game)
    assert agent.act(state, np.random.default_rng(0)) == game.string_to_action("take:2")


def test_it_looks_at_nothing_that_its_seat_cannot_know(tmp_path):
    game = registry.game("xenon")
    agent = load(f"ppo-mcts:25:{kept(tmp_path, game, blank(game))}", game)
    seen = 0
    for number, state in enumerate(walk(game, 3, 120)):
        if number % 8:
            continue
        action = agent.act(state, np.random.default_rng(number))
        assert action in state.legal_actions()
        for seed in range(3):
            other = state.determinize(state.current_player(), seed)
            seen += other != state
            assert agent.act(other, np.random.default_rng(number)) == action
    assert seen > 0


@pytest.mark.parametrize("players", [2, 3])
def test_search_to_the_end_makes_up_for_a_network_that_knows_nothing(tmp_path, players):
    game = ToyGame(players)
    nothing = leaning(game, 0)
    nothing.policy[0][1][:] = 0.0
    path = kept(tmp_path, game, nothing)
    match = play_match(game, [f"ppo-mcts:3000:{path}", *["random"] * (players - 1)], games=120, seed=1)
    assert match.entries[0].wins / match.games > 1.35 / players


def test_its_name_says_how_it_searches(tmp_path):
    game = ToyGame(2)
    path = kept(tmp_path, game, blank(game))
    assert load(f"ppo-mcts:7:{path}", game).name == f"ppo-mcts:7:{path}"
    for spec, words in [
        ("ppo-mcts:0", "simulations: expected a whole number from 1"),
        ("ppo-mcts:7", "no checkpoint is shipped for toy"),
        (f"ppo-mcts:7:{tmp_path / 'none.safetensors'}", "No such file"),
    ]:
        with pytest.raises(ValueError, match=words):
            load(spec, game)
