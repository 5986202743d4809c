"""privet, a hedge between neighbours: neighbourhood recommendation, and the truth about how private it is."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from privet import errors, lab, similarity, theory, urns
    from privet.method import Method
    from privet.prediction import WeightedMean
    from privet.privacy import Terms
    from privet.ratings import Catalogue, Profile, Ratings
    from privet.recommender import Prediction, Recommender
    from privet.selection import KNN, PPNS
    from privet.world import World

__all__ = [
    "KNN",
    "PPNS",
    "Catalogue",
    "Method",
    "Prediction",
    "Profile",
    "Ratings",
    "Recommender",
    "Terms",
    "WeightedMean",
    "World",
    "errors",
    "lab",
    "similarity",
    "theory",
    "urns",
]

# Names load on first use, so that a program that wants one of them waits for that one alone.
_ROOMS = {
    "KNN": "selection",
    "PPNS": "selection",
    "Catalogue": "ratings",
    "Method": "method",
    "Prediction": "recommender",
    "Profile": "ratings",
    "Ratings": "ratings",
    "Recommender": "recommender",
    "Terms": "privacy",
    "WeightedMean": "prediction",
    "World": "world",
}
_MODULES = ("errors", "lab", "similarity", "theory", "urns")


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        found: Any = import_module(f"privet.{name}")
    elif name in _ROOMS:
        found = getattr(import_module(f"privet.{_ROOMS[name]}"), name)
    else:
        raise AttributeError(f"module 'privet' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
