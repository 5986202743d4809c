"""The lab: what one asks of a recommender, and what one tries it on. Its rooms load on first use."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from privet.lab import datasets, synthetic

__all__ = ["datasets", "synthetic"]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module 'privet.lab' has no attribute {name!r}")
    return import_module(f"privet.lab.{name}")
