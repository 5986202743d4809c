"""The facade and its answers."""

from privet.recommender.answers import Neighbourhood, Prediction, PredictionTable, Recommendations
from privet.recommender.facade import Recommender

__all__ = ["Neighbourhood", "Prediction", "PredictionTable", "Recommendations", "Recommender"]
