"""What imitation and PPO share: the learner of sb3-contrib, and its network as plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, cast

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from agents.network import OWN, WORTH, Layer, Network, choose
from agents.vec_env import SelfPlayVecEnv

__all__ = [
    "MaskedPolicy",
    "Trunk",
    "arrays",
    "blank_learner",
    "check_precision",
    "from_policy",
    "into_policy",
    "policy_settings",
    "widths",
]

PRECISIONS = ("highest", "high", "medium")
"""Of torch's products of matrices."""
TRUST = (5.0, 0.5)
"""In a base's own action and in the worths, at first: in a choice of ten actions that are worth the same, its own is
taken nineteen times in twenty."""
NEVER = -1e8
"""The logit of an illegal action; its chance is 0 exactly."""


def check_precision(precision: str) -> None:
    """ValueError, if it is none of torch's."""
    if precision not in PRECISIONS:
        raise ValueError(f"precision: expected one of {', '.join(PRECISIONS)}, got {precision!r}")


class Trunk(BaseFeaturesExtractor):
    """The layers that policy and value share.

    Args:
        observation_space: of vectors.
        widths: of the layers; none: the observation itself goes on.
        choices: the number of actions if a base's advice follows the observation, see ``agents.network.Network``.
    """

    def __init__(self, observation_space: spaces.Box, widths: Sequence[int], choices: int = 0) -> None:
        if choices and not widths:
            raise ValueError("trunk: with a base, expected at least one layer")
        self.choices = choices
        sizes = [observation_space.shape[0] - 1 + choices if choices else observation_space.shape[0], *widths]
        super().__init__(observation_space, sizes[-1])
        self.layers = nn.Sequential()
        for before, after in pairwise(sizes):
            self.layers.extend((nn.Linear(before, after), nn.ReLU()))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        if not self.choices:
            return self.layers(observations)
        first = cast(nn.Linear, self.layers[0])
        own, advice = first.weight.split([observations.shape[1] - 1, self.choices], 1)
        hidden = nn.functional.linear(observations[:, :-1], own, first.bias)
        return self.layers[1:](hidden + ending_with_none(advice.T)[observations[:, -1].long()])


def ending_with_none(rows: torch.Tensor) -> torch.Tensor:
    """With zeros at the end, where the action -1 is looked up."""
    return torch.cat((rows, torch.zeros_like(rows[:1])))


class MaskedPolicy(MaskableActorCriticPolicy):
    """The policy of sb3-contrib without its distribution objects.

    They normalise hundreds of logits twice and draw by ``torch.multinomial``, which takes longer than the network does.
    The chances, the log-probabilities and the entropy are the same.

    Args:
        base: the name of a base, see ``agents.network.Network``; empty without one.
        insight: the size of its outlook and forecast.
    """

    def __init__(self, *args: Any, base: str = "", insight: int = 0, **kwargs: Any) -> None:
        self.base, self.insight = base, insight
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        if self.base:
            self.trust = nn.Parameter(torch.tensor(TRUST)[:, None].repeat(1, spaces.flatdim(self.action_space)))
        super()._build(lr_schedule)

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        log_chances, values = self.log_chances(obs, action_masks)
        count = len(log_chances)
        uniforms = np.full(count, -1.0) if deterministic else torch.rand(count, dtype=torch.float64).numpy()
        table = log_chances.detach().cpu().numpy()
        chosen = np.empty(count, np.int64)
        choose(table, table > NEVER / 2, uniforms, chosen)
        actions = torch.from_numpy(chosen).to(log_chances.device)
        return actions, values, log_chances.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        log_chances, values = self.log_chances(obs, action_masks)
        entropy = -(log_chances.exp() * log_chances).sum(1)
        return values, log_chances.gather(1, actions.long()[:, None])[:, 0], entropy

    def get_distribution(self, obs: Any, action_masks: Any = None) -> Any:
        """For ``predict``, which needs one."""
        return self.action_dist.proba_distribution(action_logits=self.log_chances(obs, action_masks)[0])

    def log_chances(
        self, obs: torch.Tensor, masks: Any = None, apart: bool = False
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logarithms of the chances of all actions, without a mask of those that are not legal too; and the values.

        With ``apart`` the value teaches its own head only, not the layers that it shares with the policy.
        """
        features = cast(torch.Tensor, self.extract_features(obs))
        hidden = self.mlp_extractor.forward_actor(features)
        value_hidden = self.mlp_extractor.forward_critic(features.detach() if apart else features)
        logits = self.action_net(hidden)
        if self.base:
            action = obs[:, -1:].long()
            logits = logits + self.trust[WORTH] * obs[:, -1 - logits.shape[1] : -1]
            logits = logits.scatter_add(1, action.clamp(min=0), ending_with_none(self.trust[OWN])[action])
        if masks is not None:
            legal = torch.as_tensor(masks, dtype=torch.bool, device=logits.device).reshape(logits.shape)
            logits = logits.masked_fill(~legal, NEVER)
        return torch.log_softmax(logits, 1), self.value_net(value_hidden)


def policy_settings(
    trunk: Sequence[int], heads: Sequence[int], base: str = "", num_actions: int = 0, insight: int = 0
) -> dict[str, Any]:
    """``policy_kwargs`` of ``MaskablePPO`` for a shared trunk, and hidden layers of each head, of these widths.

    With a base, its name, the number of actions, and the size of its outlook and forecast.
    """
    return {
        "base": base,
        "insight": insight,
        "features_extractor_class": Trunk,
        "features_extractor_kwargs": {"widths": tuple(trunk), "choices": num_actions if base else 0},
        "net_arch": {"pi": list(heads), "vf": list(heads)},
        "activation_fn": nn.ReLU,
    }


def from_policy(policy: MaskableActorCriticPolicy) -> Network:
    """The network of a learner, as copies of its weights."""
    trunk, actor, critic = (tuple(arrays(layer) for layer in part) for part in _parts(policy))
    if isinstance(policy, MaskedPolicy) and policy.base:
        return Network(trunk, actor, critic, policy.base, _array(policy.trust), policy.insight)
    return Network(trunk, actor, critic)


def into_policy(network: Network, policy: MaskableActorCriticPolicy) -> None:
    """Give a learner the weights of a network.

    Raises:
        ValueError: it has other layers, or another base.
    """
    parts = _parts(policy)
    wanted = [[tuple(layer.weight.shape) for layer in part] for part in parts]
    given = [[weight.shape for weight, _ in part] for part in (network.trunk, network.policy, network.value)]
    if wanted != given:
        raise ValueError(f"the network has layers {given}, the learner {wanted}: set trunk and heads alike")
    base = policy.base if isinstance(policy, MaskedPolicy) else ""
    if network.base != base:
        raise ValueError(f"the network has the base {network.base or 'none'}, the learner {base or 'none'}")
    with torch.no_grad():
        if base:
            cast(MaskedPolicy, policy).trust.copy_(torch.from_numpy(network.trust))
        for part, layers in zip(parts, (network.trunk, network.policy, network.value), strict=True):
            for layer, (weight, bias) in zip(part, layers, strict=True):
                layer.weight.copy_(torch.from_numpy(weight))
                layer.bias.copy_(torch.from_numpy(bias))


def widths(network: Network) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Of the trunk's layers and of the hidden layers of the heads."""
    trunk = tuple(weight.shape[0] for weight, _ in network.trunk)
    return trunk, tuple(weight.shape[0] for weight, _ in network.policy[:-1])


def blank_learner(
    env: SelfPlayVecEnv, trunk: Sequence[int], heads: Sequence[int], seed: int, base: str = ""
) -> MaskedPolicy:
    """A policy as ``MaskablePPO`` would begin with; ``base`` names the base of the environment."""
    insight = env.base.insight if env.base else 0
    settings = policy_settings(trunk, heads, base, env.game.num_actions, insight)
    policy = MaskablePPO(MaskedPolicy, env, policy_kwargs=settings, seed=seed, device="cpu").policy
    return cast(MaskedPolicy, policy)


def _parts(policy: Any) -> tuple[list[nn.Linear], list[nn.Linear], list[nn.Linear]]:
    return (
        _linear(policy.features_extractor),
        [*_linear(policy.mlp_extractor.policy_net), policy.action_net],
        [*_linear(policy.mlp_extractor.value_net), policy.value_net],
    )


def _linear(module: nn.Module) -> list[nn.Linear]:
    return [layer for layer in module.modules() if isinstance(layer, nn.Linear)]


def arrays(layer: nn.Linear) -> Layer:
    """Copies of its weights."""
    return _array(layer.weight), _array(layer.bias)


def _array(tensor: torch.Tensor) -> NDArray[np.float32]:
    return tensor.detach().cpu().numpy().astype(np.float32).copy()
