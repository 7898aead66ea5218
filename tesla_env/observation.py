"""What a seat sees."""

from __future__ import annotations

from core.jit import jit
from core.layout import Block, ObservationLayout

OBSERVATION = ObservationLayout([Block("turn", ("turn",))])


@jit
def observe(states, i, tables, seat, out):
    out[0] = states[i]["turn"]
