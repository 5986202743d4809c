"""Ratings: who rated what, the registries of ids, profiles and the catalogue."""

from privet.ratings.catalogue import Catalogue
from privet.ratings.gathering import Duplicates
from privet.ratings.ids import Id, Side
from privet.ratings.index import Index
from privet.ratings.profile import Profile, Target
from privet.ratings.ratings import Ratings

__all__ = ["Catalogue", "Duplicates", "Id", "Index", "Profile", "Ratings", "Side", "Target"]
