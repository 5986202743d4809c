"""Urns: plans, their laws, and the draw."""

from privet.urns import wallenius
from privet.urns.draw import draw
from privet.urns.laws import LAWS, Law
from privet.urns.plan import Neighbours, Plan, Urn, slots_in, slots_of

__all__ = ["LAWS", "Law", "Neighbours", "Plan", "Urn", "draw", "slots_in", "slots_of", "wallenius"]
