"""Training: the learner's parts, and runs that are killed and go on."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

import tests.toy_game
from agents import Agent, load
from agents.export import Export
from agents.imitate import Imitation, lessons
from agents.learning import TRUST, MaskedPolicy, blank_learner, from_policy, into_policy, policy_settings
from agents.network import read, sidecar
from agents.ppo import Policy
from agents.story import command
from agents.tables import win_rate
from agents.train import Training
from agents.vec_env import SelfPlayVecEnv
from core import registry
from tests.toy_game import ToyGame

SMALL = {"trunk": (16,), "heads": (8,), "envs": 16, "rollout": 16, "minibatch": 64, "evaluation_games": 20, "pool": 3}
SMALL |= {"snapshot_every": 2, "checkpoint_every": 2, "evaluate_every": 3, "stage": 2, "steps": 256 * 12}


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(tests.toy_game, "Game", ToyGame, raising=False)
    monkeypatch.setitem(registry.GAMES, "toy", ("tests.toy_game", 0))


@pytest.fixture
def console(tmp_path):
    with open(tmp_path / "console.txt", "w") as file:
        yield Console(file=file, width=110)


def policy(seed=0):
    return blank_learner(SelfPlayVecEnv(ToyGame(), 2, [load("random", ToyGame())]), (16,), (8,), seed)


def test_the_policy_is_that_of_sb3_but_quicker():
    learner = policy()
    rng = np.random.default_rng(0)
    seen = torch.from_numpy(rng.normal(size=(64, 6)).astype(np.float32))
    masks = rng.random((64, 3)) < 0.6
    masks[:, 1] = True
    actions, values, log_chances = learner(seen, action_masks=masks)
    assert masks[np.arange(64), actions.numpy()].all()
    expected = MaskableActorCriticPolicy.evaluate_actions(learner, seen, actions, action_masks=masks)
    found = learner.evaluate_actions(seen, actions, action_masks=torch.from_numpy(masks.astype(np.float32)))
    for mine, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(mine, theirs)
    torch.testing.assert_close(log_chances, expected[1])
    torch.testing.assert_close(values, expected[0])
    best = learner(seen, deterministic=True, action_masks=masks)[0]
    assert (best.numpy() == learner.predict(seen.numpy(), deterministic=True, action_masks=masks)[0]).all()


def test_actions_are_drawn_by_their_chances():
    learner = policy()
    seen, masks = torch.ones(20_000, 6), np.array([[True, False, True]]).repeat(20_000, axis=0)
    actions, _, log_chances = learner(seen, action_masks=masks)
    share = float((actions == 0).float().mean())
    assert not (actions == 1).any()
    assert share == pytest.approx(
        float(log_chances.detach()[actions == 0][0].exp()), abs=0.02
    )  # over five standard deviations


def test_the_learners_network_is_the_same_in_numpy_and_back():
    learner = policy()
    network = from_policy(learner)
    seen = np.random.default_rng(0).normal(size=(5, 6)).astype(np.float32)
    with torch.no_grad():
        distribution = learner.get_distribution(torch.from_numpy(seen)).distribution
        values = learner.predict_values(torch.from_numpy(seen))[:, 0]
    np.testing.assert_allclose(
        network.priors_and_values(seen, np.ones((5, 3), bool))[0], distribution.probs.numpy(), rtol=1e-5
    )
    np.testing.assert_allclose(network.values(seen), values.numpy(), rtol=1e-5)
    other = policy(seed=1)
    into_policy(network, other)
    assert all((a == b).all() for a, b in zip(learner.state_dict().values(), other.state_dict().values(), strict=True))
    wider = blank_learner(SelfPlayVecEnv(ToyGame(), 2, [load("random", ToyGame())]), (16, 16), (8,), 0)
    with pytest.raises(ValueError, match="set trunk and heads alike"):
        into_policy(network, wider)


def test_a_learner_becomes_better_than_random(toy, console, tmp_path):
    settings = SMALL | {"steps": 40_000, "learning_rate": 3e-3, "scripted": ("random",), "shares": (0.5,)}
    network = Training("toy", tmp_path / "run", **settings, players=(2, 3)).train(console)
    game = ToyGame(2)
    assert win_rate(game, Policy(network, game), load("random", game), 2000) > 0.6  # random itself: a half
    story = json.loads((tmp_path / "run" / "policy.json").read_text())
    assert story["steps"] >= 40_000 and story["curve"][-1]["random"] > 0.5 and story["settings"]["players"] == [2, 3]
    out = tmp_path / "toy.safetensors"
    exported = Export(tmp_path / "run", out, games=100).run(console)
    assert len(exported["commands"]) == 2
    assert json.loads(sidecar(out).read_text())["results"]["2 players"]["random"] > 0.5


def test_a_residual_policy_begins_as_its_base_and_survives_its_run(console, tmp_path):
    run = tmp_path / "run"
    small = SMALL | {"steps": 256, "base": "greedy", "players": (2, 3), "scripted": ("greedy",), "shares": (0.5,)}
    Training("xenon", run, **small).train(console)
    Training("xenon", run, resume=True, steps=512).train(console)
    game = registry.game("xenon", num_players=2)
    network, story = read(run / "policy.safetensors", game)
    assert network.base == "greedy" and story["steps"] == 512 and abs(network.trust.T - TRUST).max() < 0.1
    agent, base = load(f"ppo:{run / 'policy.safetensors'}", game), load("greedy", game)
    batch, rng, every = game.vector(64, seed=1), np.random.default_rng(0), np.arange(64)
    for _ in range(30):
        theirs = base.act_batch(batch, every, rng)
        assert (agent.act_batch(batch, every, rng) == theirs).all()
        batch.step(theirs)
    assert [line.rsplit(maxsplit=1)[-1] for line in story["commands"]] == [command().rsplit(maxsplit=1)[-1]] * 2
    again = Training("xenon", tmp_path / "again", init=run / "policy.safetensors", **SMALL | {"steps": 256})
    assert again.train(console).base == "greedy"
    plain = Training("xenon", tmp_path / "plain", **SMALL | {"steps": 256}).train(console)
    grafted = SMALL | {"init": tmp_path / "plain" / "policy.safetensors", "base": "greedy", "steps": 256}
    network = Training("xenon", tmp_path / "grafted", **grafted).train(console)
    assert network.base == "greedy" and abs(network.trust).max() < 0.1 and not plain.base
    with pytest.raises(ValueError, match="has a base, greedy; imitation makes networks without one"):
        Imitation("xenon", tmp_path / "out.safetensors", init=run / "policy.safetensors").run(console)


@pytest.mark.parametrize("name", ["xenon", "pax"])
def test_the_residual_learner_is_its_network_in_numpy(name):
    """Their scripts have outlooks of their own, which the network sees."""
    game = registry.game(name)
    base = load("greedy", game)
    env = SelfPlayVecEnv(game, 32, [base], base=base)
    learner = MaskedPolicy(
        env.observation_space,
        env.action_space,
        lambda _: 0.0,
        **policy_settings((16,), (8,), "greedy", game.num_actions, base.insight),
    )
    rng = np.random.default_rng(0)
    with torch.no_grad():
        for weights in learner.parameters():
            weights.copy_(torch.from_numpy(rng.normal(size=weights.shape).astype(np.float32)))
    network, seen = from_policy(learner), env.reset()
    assert seen[:, -1 - game.num_actions : -1].any() and env.observation_space.contains(seen[0])
    assert from_policy(learner).insight == base.insight > 0
    seen[5, -1] = -1
    assert set(seen[:, -1].tolist()) - {-1.0} and (seen[:5, -1] >= 0).all()
    with torch.no_grad():
        log_chances, values = learner.log_chances(torch.from_numpy(seen))
    logits = network.logits(seen)
    expected = (
        logits
        - np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1, keepdims=True))
        - logits.max(1, keepdims=True)
    )
    np.testing.assert_allclose(log_chances.numpy(), expected, rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(values.numpy()[:, 0], network.values(seen), rtol=1e-4, atol=1e-3)
    masks = env.action_masks()
    played = learner.predict(seen, action_masks=masks, deterministic=True)[0]
    assert (played == np.where(masks, logits, -np.inf).argmax(1)).all()
    other = blank_learner(env, (16,), (8,), 0)
    with pytest.raises(ValueError, match="the network has layers"):
        into_policy(network, other)


def test_only_doubtful_decisions_go_to_the_teacher():
    """The opponent's decisions are no lessons, and where the pupil is sure it is its own teacher."""
    game = ToyGame(2)

    class Least(Agent):
        name = "least"
        asked = 0

        def act(self, state, rng):
            Least.asked += 1
            return state.legal_actions()[0]

    pupil = Policy(from_policy(policy()), game, sampling=True)
    options = {"size": 50, "noise": 0.0, "seed": 1}
    shared = options | {"part": 0.5, "opponent": load("random", game), "opponents": 0.5}
    middle = 0.0  # half of the time the pupil is less sure
    for case, least, most in (("all", 1.0, 1.0), ("some", 0.2, 0.8), ("none", 0.0, 0.0)):
        Least.asked, sure = 0, {"all": 1.0, "some": middle, "none": 0.0}[case]
        lesson = next(lessons([game], Least(), lambda: pupil, **shared, sure=sure))
        assert Least.asked == lesson.asked.sum() and least <= lesson.asked.mean() <= most
        chances = pupil.network.priors_and_values(lesson.observations.astype(np.float32), lesson.masks)[0]
        middle = float(np.median(chances.max(1)))
        best = np.where(lesson.asked, lesson.masks.argmax(1), chances.argmax(1))
        assert (lesson.actions == best).mean() > 0.99  # observations are kept in half precision
        assert sure == 1 or ((chances.max(1) < sure) == lesson.asked).mean() > 0.99
    whole, half = (
        next(lessons([game], Least(), lambda: pupil, **options, part=0.0, opponent=Least(), opponents=share)).actions
        for share in (0.0, 0.5)
    )
    assert 0.35 < len(half) / len(whole) < 0.65


MAIN = """
import sys
import tests.toy_game
from core import registry
tests.toy_game.Game = tests.toy_game.ToyGame
registry.GAMES["toy"] = ("tests.toy_game", 0)
from agents.train import main
sys.argv[0] = "train"
main()
"""


def start(run, *more):
    script = run.with_suffix(".py")
    script.write_text(MAIN)
    options = [f"--{name.replace('_', '-')}={value}" for name, value in SMALL.items() if not isinstance(value, tuple)]
    options += [part for name in ("trunk", "heads") for part in (f"--{name}", str(SMALL[name][0]))]
    command = [sys.executable, str(script), "toy", "--run", str(run), *options, *more]
    root = str(Path(tests.toy_game.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": root}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)


def finish(run, *more):
    with start(run, *more) as process:
        said = process.communicate(timeout=300)[0]
    assert process.returncode == 0, said


@pytest.mark.long
def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    finish(whole)
    with start(killed) as process:
        deadline = time.monotonic() + 200
        while not (killed / "checkpoint.pt").exists():
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    saved = torch.load(killed / "checkpoint.pt", weights_only=True)
    assert saved["counters"]["steps"] < SMALL["steps"]
    finish(killed, "--resume")
    (one, story), (other, other_story) = (read(run / "policy.safetensors", ToyGame()) for run in (whole, killed))
    for name, array in one.tensors().items():
        assert (array == other.tensors()[name]).all(), name
    without_time = [
        [{k: v for k, v in row.items() if k != "seconds"} for row in s["curve"]] for s in (story, other_story)
    ]
    assert without_time[0] == without_time[1] and len(without_time[0]) == 5


def test_what_a_run_refuses(toy, console, tmp_path):
    run = tmp_path / "run"
    Training("toy", run, **SMALL | {"steps": 256}).train(console)
    for settings, words in [
        ({}, "holds a run already; add --resume"),
        ({"resume": True, "rollout": 99}, "rollout: the run has 16, which cannot be changed to 99"),
    ]:
        with pytest.raises(ValueError, match=words):
            Training("toy", run, **SMALL | settings).train(console)
    with pytest.raises(ValueError, match=r"checkpoint\.pt: No such file"):
        Training("toy", tmp_path / "none", resume=True).train(console)
    with pytest.raises(ValueError, match="run is of toy, not of xenon"):
        Training("xenon", run, resume=True).train(console)
    for settings, words in [
        ({"steps": 0}, "steps: expected a whole number of at least 1"),
        ({"gamma": 1.5}, "gamma: expected a number from 0 to 1"),
        ({"shares": (0.3,)}, "shares: expected a number for each"),
        ({"players": (9,)}, "players: expected numbers from 2 to 4, got 9"),
        ({"reward": "gold"}, "reward: expected one of win, rank, margin"),
        ({"base": "random"}, "base: expected nothing, got 'random'; toy has no such script"),
        ({"scripted": ("gredy",), "shares": (0.5,)}, "scripted: unknown agent 'gredy'; there are random, greedy"),
        ({"scripted": ("random", "random"), "shares": (0.2, 0.2)}, "scripted: expected each agent once"),
    ]:
        with pytest.raises(ValueError, match=words):
            Training("toy", run, **settings)
    with pytest.raises(ValueError, match="unknown game 'chess'"):
        Training("chess", run)
    (run / "checkpoint.pt").write_bytes(b"PK\x03\x04 nonsense")
    with pytest.raises(ValueError, match="damaged or no checkpoint"):
        Training("toy", run, resume=True).train(console)


def test_a_longer_run_goes_on_from_a_shorter_one(toy, console, tmp_path):
    run = tmp_path / "run"
    Training("toy", run, **SMALL | {"steps": 512}).train(console)
    Training("toy", run, resume=True, steps=1024).train(console)
    assert read(run / "policy.safetensors", ToyGame())[1]["steps"] == 1024


def test_imitation_learns_its_teacher_and_begins_a_run(toy, console, tmp_path):
    # the teacher takes the most tokens it may; nothing else gets these games
    tests.toy_game.__dict__.setdefault("Game", ToyGame)
    out = tmp_path / "taught.safetensors"
    teacher = Imitation("toy", tmp_path / "first.safetensors", "random", 500, trunk=(16,), heads=(8,), games=16)
    teacher.run(console)
    first = f"ppo:{tmp_path / 'first.safetensors'}"
    Imitation("toy", out, first, 60_000, trunk=(16,), heads=(8,), games=64, batch=128, learning_rate=5e-3).run(console)
    game = ToyGame(2)
    pupil, model = load(f"ppo:{out}", game), load(first, game)
    batch = game.vector(500, seed=77)
    rng = np.random.default_rng(0)
    agree = 0.0
    for _ in range(6):
        mine, theirs = (agent.act_batch(batch, np.arange(500), rng) for agent in (pupil, model))
        agree += (mine == theirs).mean() / 6
        batch.step(theirs)
    assert agree > 0.9
    run = Training("toy", tmp_path / "run", init=out, **SMALL | {"steps": 256, "trunk": (5,)})
    run.train(console)
    network, story = read(tmp_path / "run" / "policy.safetensors", game)
    assert network.trunk[0][0].shape == (16, 6) and len(story["commands"]) == 2
