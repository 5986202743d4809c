"""What keeps a promise: noise under a key, and the public terms that a promise may depend on."""

from privet.privacy.stream import Label, Noise, Stream, Wanted
from privet.privacy.terms import STEPS, Bound, Terms, like_threshold, unit

__all__ = ["STEPS", "Bound", "Label", "Noise", "Stream", "Terms", "Wanted", "like_threshold", "unit"]
