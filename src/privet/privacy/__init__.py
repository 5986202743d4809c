"""What keeps a promise: noise under a key."""

from privet.privacy.stream import Label, Noise, Stream, Wanted

__all__ = ["Label", "Noise", "Stream", "Wanted"]
