"""Networks in numpy, and the files they are kept in."""

import json

import numpy as np
import pytest

from agents import load
from agents.network import Network, choose, read, sidecar, write
from agents.ppo import Policy
from core import registry
from tests.suite import NOTHING_HIDDEN, walk
from tests.toy_game import ToyGame


def network(sizes=(6, 8, 3), seed=0):
    rng = np.random.default_rng(seed)

    def layer(before, after):
        return rng.normal(size=(after, before)).astype(np.float32), rng.normal(size=after).astype(np.float32)

    inputs, width, actions = sizes
    return Network((layer(inputs, width),), (layer(width, actions),), (layer(width, 4), layer(4, 1)))


@pytest.fixture
def saved(tmp_path):
    game = ToyGame()
    path = tmp_path / "toy.safetensors"
    write(path, network((game.observation_size, 8, game.num_actions)), game, {"steps": 5})
    return path


def test_a_network_by_hand():
    trunk = ((np.array([[1.0, 0.0], [0.0, 1.0]], np.float32), np.array([0.0, -1.0], np.float32)),)
    policy = ((np.array([[1.0, 1.0], [2.0, 0.0]], np.float32), np.array([0.0, 0.5], np.float32)),)
    value = ((np.array([[0.5, -1.0]], np.float32), np.array([0.25], np.float32)),)
    by_hand = Network(trunk, policy, value)
    seen = np.array([[2.0, 3.0], [-1.0, 0.5]], np.float32)  # the trunk makes (2, 2) and, cut at zero, (0, 0)
    assert by_hand.logits(seen).tolist() == [[4.0, 4.5], [0.0, 0.5]]
    assert by_hand.values(seen).tolist() == [-0.75, 0.25]
    chances, values = by_hand.priors_and_values(seen, np.array([[True, True], [True, False]]))
    np.testing.assert_allclose(chances, [[1 / (1 + np.exp(0.5)), 1 / (1 + np.exp(-0.5))], [1.0, 0.0]], rtol=1e-6)
    assert values.tolist() == [-0.75, 0.25]


def test_a_residual_network_by_hand():
    """One feature, two actions: the trunk passes the feature on, adds their worths, and 10 or 20 for the base's one."""
    one = np.ones((1, 1), np.float32)
    trunk = ((np.array([[1, 1, 1, 10, 20]], np.float32), np.zeros(1, np.float32)),)
    policy = ((np.array([[1], [2]], np.float32), np.zeros(2, np.float32)),)
    trust = np.array([[100, 200], [1000, -1000]], np.float32)
    residual = Network(trunk, policy, ((one, np.zeros(1, np.float32)),), "greedy", trust)
    seen = np.array([[3, 0, 0, 0], [4, 0, 0, 1], [5, 0, 0, -1], [3, 2, 1, 0]], np.float32)
    assert residual.observation_size == 1
    assert residual.values(seen).tolist() == [13, 24, 5, 16]
    assert residual.logits(seen).tolist() == [[113, 26], [24, 248], [5, 10], [2116, -968]]
    plain = Network(((np.array([[1]], np.float32), np.zeros(1, np.float32)),), policy, residual.value)
    deaf = plain.with_base("greedy")
    assert deaf.logits(seen).tolist() == plain.logits(seen[:, :1]).tolist() and deaf.observation_size == 1
    again = Network.from_tensors(residual.tensors())
    assert again.base == "greedy" and again.trust.tolist() == trust.tolist()
    other = residual.with_base("tuned")
    assert other.base == "tuned" and other.logits(seen).tolist() == residual.logits(seen).tolist()


def test_a_network_sees_the_outlook_of_its_base_once_it_has_learnt_to():
    """One feature, an outlook of two numbers, two actions."""
    one = np.ones((1, 1), np.float32)
    trunk = ((np.array([[1, 1, 1, 10, 20]], np.float32), np.zeros(1, np.float32)),)
    policy = ((np.array([[1], [2]], np.float32), np.zeros(2, np.float32)),)
    trust = np.array([[100, 200], [1000, -1000]], np.float32)
    blind = Network(trunk, policy, ((one, np.zeros(1, np.float32)),), "greedy", trust)
    sighted = blind.with_base("greedy", 2)
    assert sighted.insight == 2 and sighted.observation_size == 1 and sighted.with_base("greedy", 2).insight == 2
    seen = np.array([[3, 7, 8, 2, 1, 0], [4, 7, 8, 0, 0, 1]], np.float32)
    assert sighted.logits(seen).tolist() == blind.logits(np.delete(seen, [1, 2], axis=1)).tolist()
    sighted.trunk[0][0][:, 1:3] = [[0.5, 0.25]]
    assert sighted.values(seen).tolist() == [3 + 3.5 + 2 + 3 + 10, 4 + 3.5 + 2 + 20]
    tensors = sighted.tensors()
    assert tensors["trunk.0.weight"].shape == (1, 5) and tensors["trunk.0.insight"].tolist() == [[0.5, 0.25]]
    again = Network.from_tensors(tensors)
    assert again.insight == 2 and again.logits(seen).tolist() == sighted.logits(seen).tolist()
    grown = sighted.with_base("tuned", 3)
    assert grown.logits(np.insert(seen, 3, 9, axis=1)).tolist() == sighted.logits(seen).tolist() and grown.insight == 3
    with pytest.raises(ValueError, match="sees 3 numbers of tuned, tuned tells 2: an outlook can only grow at its end"):
        grown.with_base("tuned", 2)
    with pytest.raises(ValueError, match="the weights for an outlook do not fit"):
        Network.from_tensors(tensors | {"trunk.0.insight": np.zeros((2, 2), np.float32)})


def test_the_best_legal_action_is_taken_or_one_drawn_by_its_chance():
    logits = np.log(np.array([[0.1, 0.6, 0.3]], np.float32)).repeat(10_000, axis=0)
    masks = np.array([[True, False, True]]).repeat(10_000, axis=0)
    chosen = np.empty(10_000, np.int64)
    choose(logits, masks, np.full(10_000, -1.0), chosen)
    assert (chosen == 2).all()
    choose(logits, masks, np.random.default_rng(0).random(10_000), chosen)
    counts = np.bincount(chosen, minlength=3)
    assert counts[1] == 0 and abs(counts[0] - 2500) < 260  # six standard deviations


def test_weights_survive_the_file(saved):
    game = ToyGame()
    found, story = read(saved, game)
    assert story["steps"] == 5 and story["game"] == "toy" and story["observation_size"] == 6
    for name, array in network((6, 8, 3)).tensors().items():
        assert (found.tensors()[name] == array).all()


def test_the_agent_plays_legally_alone_and_in_a_batch(saved):
    for players in (2, 4):  # one network for every number of players
        game = ToyGame(players)
        agent = load(f"ppo:{saved}", game)
        batch = game.vector(50, seed=3)
        rng = np.random.default_rng(0)
        for _ in range(20):
            together = agent.act_batch(batch, np.arange(50), rng)
            assert together.tolist() == [agent.act(batch.state(i), rng) for i in range(50)]
            batch.step(together)  # raises if one is not legal


@pytest.mark.parametrize("name", ["xenon", "tesla", "pax"])
def test_the_shipped_networks_look_at_nothing_that_their_seat_cannot_know(name):
    game = registry.game(name, num_players=3)
    agent, rng = load("ppo", game), np.random.default_rng(0)
    others = 0
    for number, state in enumerate(walk(game, 5, 160)):
        if number % 8 == 0 and not state.is_terminal():
            action = agent.act(state, rng)
            assert action in state.legal_actions()
            for seed in range(3):
                other = state.determinize(state.current_player(), seed)
                others += other != state
                assert agent.act(other, rng) == action
    assert others > 0 or name in NOTHING_HIDDEN


def test_a_drawing_policy_repeats_with_its_seed(saved):
    game = ToyGame()
    agent = Policy(read(saved, game)[0], game, sampling=True)
    batch = game.vector(200, seed=0)
    first, again = (agent.act_batch(batch, np.arange(200), np.random.default_rng(1)) for _ in range(2))
    assert (first == again).all() and len(set(first.tolist())) > 1


def change(path, **values):
    story = json.loads(sidecar(path).read_text())
    sidecar(path).write_text(json.dumps(story | values))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"game": "xenon"}, "game is 'xenon', toy here has 'toy'"),
        ({"version": 7}, "version is 7, toy here has 0"),
        ({"observation_size": 931}, "observation_size is 931, toy here has 6"),
        ({"num_actions": None}, "num_actions is None, toy here has 3"),
        ({"layout": "0"}, "layout is '0'"),
        ({"weights": "0"}, "damaged"),
    ],
)
def test_a_checkpoint_of_something_else_is_refused(saved, values, words):
    change(saved, **values)
    with pytest.raises(ValueError, match=words):
        load(f"ppo:{saved}", ToyGame())


def test_broken_files_are_refused(saved, tmp_path):
    whole = saved.read_bytes()
    for broken in (b"", whole[:-1], whole[:100], b"\x00" * len(whole)):
        saved.write_bytes(broken)
        with pytest.raises(ValueError, match="damaged"):
            read(saved, ToyGame())
    saved.write_bytes(whole)
    for text in ("", "{", "[]", "\xff"):
        sidecar(saved).write_text(text, encoding="latin-1")
        with pytest.raises(ValueError, match=r"toy\.json: (this is not JSON|expected an object)"):
            read(saved, ToyGame())
    sidecar(saved).unlink()
    with pytest.raises(ValueError, match=r"toy\.json: No such file"):
        read(saved, ToyGame())
    with pytest.raises(ValueError, match="nothing"):
        load(f"ppo:{tmp_path}/nothing.safetensors", ToyGame())


def test_weights_that_make_no_network_are_refused():
    tensors = network().tensors()
    for changed, words in [
        ({**tensors, "other": tensors["policy.0.bias"]}, "of no use: other"),
        ({k: v for k, v in tensors.items() if k != "policy.0.bias"}, "lack 'policy.0.bias'"),
        ({k: v for k, v in tensors.items() if not k.startswith("value")}, "policy and a value"),
        ({**tensors, "policy.0.bias": np.zeros(4, np.float32)}, "do not fit together"),
        ({**tensors, "trunk.0.bias": np.full(8, np.nan, np.float32)}, "not finite"),
        ({**tensors, "base.greedy": np.zeros((2, 4), np.float32)}, "not two numbers for each action"),
        ({**tensors, "base.": np.zeros((2, 3), np.float32)}, "the base has no name"),
        ({**tensors, "base.greedy": np.full((2, 3), np.inf, np.float32)}, "not finite"),
        (
            {**tensors, "base.a": np.zeros((2, 3), np.float32), "base.b": np.zeros((2, 3), np.float32)},
            r"of no use: base\.b",
        ),
        (
            {k: v for k, v in tensors.items() if "trunk" not in k} | {"base.a": np.zeros((2, 3), np.float32)},
            "needs a trunk",
        ),
    ]:
        with pytest.raises(ValueError, match=words):
            Network.from_tensors(changed)


def test_a_checkpoint_on_a_base_that_the_game_lacks_is_refused(tmp_path):
    path = tmp_path / "a.safetensors"
    write(path, network((6, 8, 3)).with_base("greedy"), ToyGame(), {})
    for kind in ("ppo", "ppo-mcts:9"):
        with pytest.raises(ValueError, match=r"a\.safetensors: base: expected nothing, got 'greedy'; toy has no such"):
            load(f"{kind}:{path}", ToyGame())


def test_a_network_of_another_size_is_not_written(tmp_path):
    with pytest.raises(ValueError, match="from 5 features to 3 actions; toy has 6 and 3"):
        write(tmp_path / "a.safetensors", network((5, 8, 3)), ToyGame(), {})
    assert not list(tmp_path.iterdir())


def test_a_game_without_a_shipped_checkpoint_says_how_to_name_one():
    with pytest.raises(ValueError, match=r"no checkpoint is shipped for toy .*ppo:PATH"):
        load("ppo", ToyGame())
