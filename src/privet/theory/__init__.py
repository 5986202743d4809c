"""Theory: what follows from lists and plans. It reads, and never draws."""

from privet.theory.partitions import feasible_from, partitioned, quotas
from privet.theory.security import beta_formula, expected_last_partition, partition_of, partitions_used
from privet.theory.weights import exponential

__all__ = [
    "beta_formula",
    "expected_last_partition",
    "exponential",
    "feasible_from",
    "partition_of",
    "partitioned",
    "partitions_used",
    "quotas",
]
