"""Draw: from a plan and its noise to neighbours, for every selector and every law."""

import numpy as np

from privet.arrays import FloatArray
from privet.errors import ParameterError
from privet.similarity import Candidates
from privet.urns.laws import LAWS
from privet.urns.plan import Neighbours, Plan


def draw(plan: Plan, candidates: Candidates, noise: FloatArray | None = None) -> Neighbours:
    """The neighbours that a plan yields with this noise: one uniform number per slot of `plan.slots`, in its order."""
    given = 0 if noise is None else len(noise)
    if given != len(plan.slots):
        raise ParameterError(f"This plan needs noise for {len(plan.slots)} slots; got {given}.", name="noise")
    law = LAWS[plan.law]
    positions, urns, used = [], [], 0
    for number, urn in enumerate(plan.urns):
        if urn.sure:
            chosen = np.arange(max(0, min(urn.draws, urn.size)))
        else:
            assert noise is not None
            chosen = law.draw(plan.log_weights[urn.start : urn.stop], urn.draws, noise[used : used + urn.size])
            used += urn.size
        positions.append(urn.start + chosen)
        urns.append(np.full(len(chosen), number, np.int64))
    places = np.concatenate(positions) if positions else np.empty(0, np.int64)
    # Not by place: behind the ordered head a place means nothing.
    order = np.lexsort((candidates.rows[places], -candidates.similarities[places]))
    places = places[order]
    return Neighbours(
        rows=candidates.rows[places],
        positions=places,
        similarities=candidates.similarities[places],
        weights=np.ones(len(places)) if plan.weights is None else plan.weights[places],
        urns=np.concatenate(urns)[order] if urns else np.empty(0, np.int64),
    )
