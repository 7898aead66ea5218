"""What imitation and PPO share: the learner of sb3-contrib, and its network as plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from agents.network import Layer, Network, choose

__all__ = ["MaskedPolicy", "Trunk", "blank_learner", "from_policy", "into_policy", "policy_settings", "widths"]

NEVER = -1e8
"""The logit of an illegal action; its chance is 0 exactly."""


class Trunk(BaseFeaturesExtractor):
    """The layers that policy and value share.

    Args:
        observation_space: of vectors.
        widths: of the layers; none: the observation itself goes on.
    """

    def __init__(self, observation_space: spaces.Box, widths: Sequence[int]) -> None:
        sizes = [observation_space.shape[0], *widths]
        super().__init__(observation_space, sizes[-1])
        self.layers = nn.Sequential()
        for before, after in pairwise(sizes):
            self.layers.extend((nn.Linear(before, after), nn.ReLU()))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return self.layers(observations)


class MaskedPolicy(MaskableActorCriticPolicy):
    """The policy of sb3-contrib without its distribution objects.

    They normalise hundreds of logits twice and draw by ``torch.multinomial``, which takes longer than the network does.
    The chances, the log-probabilities and the entropy are the same.
    """

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        log_chances, values = self._log_chances(obs, action_masks)
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
        log_chances, values = self._log_chances(obs, action_masks)
        entropy = -(log_chances.exp() * log_chances).sum(1)
        return values, log_chances.gather(1, actions.long()[:, None])[:, 0], entropy

    def _log_chances(self, obs: torch.Tensor, masks: Any) -> tuple[torch.Tensor, torch.Tensor]:
        hidden, value_hidden = self.mlp_extractor(self.extract_features(obs))
        logits = self.action_net(hidden)
        if masks is not None:
            legal = torch.as_tensor(masks, dtype=torch.bool, device=logits.device).reshape(logits.shape)
            logits = logits.masked_fill(~legal, NEVER)
        return torch.log_softmax(logits, 1), self.value_net(value_hidden)


def policy_settings(trunk: Sequence[int], heads: Sequence[int]) -> dict[str, Any]:
    """``policy_kwargs`` of ``MaskablePPO`` for a shared trunk, and hidden layers of each head, of these widths."""
    return {
        "features_extractor_class": Trunk,
        "features_extractor_kwargs": {"widths": tuple(trunk)},
        "net_arch": {"pi": list(heads), "vf": list(heads)},
        "activation_fn": nn.ReLU,
    }


def from_policy(policy: MaskableActorCriticPolicy) -> Network:
    """The network of a learner, as copies of its weights."""
    return Network(*(tuple(_arrays(layer) for layer in part) for part in _parts(policy)))


def into_policy(network: Network, policy: MaskableActorCriticPolicy) -> None:
    """Give a learner the weights of a network.

    Raises:
        ValueError: it has other layers.
    """
    parts = _parts(policy)
    wanted = [[tuple(layer.weight.shape) for layer in part] for part in parts]
    given = [[weight.shape for weight, _ in part] for part in (network.trunk, network.policy, network.value)]
    if wanted != given:
        raise ValueError(f"the network has layers {given}, the learner {wanted}: set trunk and heads alike")
    with torch.no_grad():
        for part, layers in zip(parts, (network.trunk, network.policy, network.value), strict=True):
            for layer, (weight, bias) in zip(part, layers, strict=True):
                layer.weight.copy_(torch.from_numpy(weight))
                layer.bias.copy_(torch.from_numpy(bias))


def widths(network: Network) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Of the trunk's layers and of the hidden layers of the heads."""
    trunk = tuple(weight.shape[0] for weight, _ in network.trunk)
    return trunk, tuple(weight.shape[0] for weight, _ in network.policy[:-1])


def blank_learner(env: Any, trunk: Sequence[int], heads: Sequence[int], seed: int) -> MaskableActorCriticPolicy:
    """A policy as ``MaskablePPO`` would begin with."""
    return MaskablePPO(MaskedPolicy, env, policy_kwargs=policy_settings(trunk, heads), seed=seed, device="cpu").policy


def _parts(policy: Any) -> tuple[list[nn.Linear], list[nn.Linear], list[nn.Linear]]:
    return (
        _linear(policy.features_extractor),
        [*_linear(policy.mlp_extractor.policy_net), policy.action_net],
        [*_linear(policy.mlp_extractor.value_net), policy.value_net],
    )


def _linear(module: nn.Module) -> list[nn.Linear]:
    return [layer for layer in module.modules() if isinstance(layer, nn.Linear)]


def _arrays(layer: nn.Linear) -> Layer:
    weight, bias = (tensor.detach().cpu().numpy().astype(np.float32).copy() for tensor in (layer.weight, layer.bias))
    return weight, bias
