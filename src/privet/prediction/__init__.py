"""Predictors, by name."""

from collections.abc import Mapping

from privet.prediction.predictions import BASES, Predictions, Predictor, without_person
from privet.prediction.weighted import WeightedMean, weighted_mean

PREDICTORS: Mapping[str, type[Predictor]] = {"weighted": WeightedMean}

__all__ = ["BASES", "PREDICTORS", "Predictions", "Predictor", "WeightedMean", "weighted_mean", "without_person"]
