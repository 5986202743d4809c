from math import ceil

import numpy as np
import pytest

from privet.errors import Unattainable
from privet.theory import exponential, feasible_from, partitioned, quotas
from privet.urns import Urn


def test_the_quotas_of_the_usual_case():
    """k = 50, p = .5: 25, 13, 7 and, clipped at 49, 4; then one from behind the four partitions."""
    assert quotas(942, 50, 0.5) == [25, 13, 7, 4]
    assert partitioned(942, 50, 0.5, short="refuse")[-2:] == (Urn(150, 200, 4), Urn(200, 942, 1))


def test_ceilings_do_not_trip_over_rounding():
    """.07 of 100 is 7 and .55 of 100 is 55, whatever doubles say."""
    assert ceil(0.07 * 100) == 8
    assert quotas(10_000, 100, 0.07)[0] == 7
    assert quotas(10_000, 100, 0.55)[0] == 55


def test_p_1_is_the_k_nearest():
    """Not k - 1 of them and an outsider."""
    assert partitioned(942, 50, 1.0, short="refuse") == (Urn(0, 50, 50),)


@pytest.mark.parametrize("n", [1, 7, 50])
def test_few_candidates_are_all_taken(n):
    """With k candidates or fewer there is nothing to choose."""
    assert partitioned(n, 50, 0.5, short="refuse") == (Urn(0, n, n),)


def test_nobody_and_nothing():
    """No candidates or no neighbours wanted: no urns."""
    assert partitioned(0, 50, 0.5, short="refuse") == partitioned(9, 0, 0.5, short="refuse") == ()


def test_one_neighbour_comes_from_behind_nothing():
    """k = 1 visits no partition, and the last neighbour is the first."""
    assert partitioned(9, 1, 0.5, short="refuse") == (Urn(0, 9, 1),)


@pytest.mark.parametrize(("n", "found"), [(200, 49), (147, 45)])
def test_partitions_that_run_out_are_refused_with_a_way_out(n, found):
    """The error names how many were found and a p that works; that p works, and a little less does not."""
    with pytest.raises(Unattainable, match=f"they yield {found} and nobody is left. Take p of ") as refusal:
        partitioned(n, 50, 0.5, short="refuse")
    _, steady = feasible_from(n, 50)
    assert f"p of {steady:g} or more" in str(refusal.value)
    assert sum(urn.draws for urn in partitioned(n, 50, steady, short="refuse")) == 50
    with pytest.raises(Unattainable):
        partitioned(n, 50, steady - 1e-4, short="refuse")


@pytest.mark.parametrize(
    ("n", "k", "p"), [(200, 50, 0.5), (147, 50, 0.5), (51, 50, 0.1), (942, 50, 0.01), (100, 50, 0.3)]
)
def test_filling_takes_what_is_missing_from_the_nearest(n, k, p):
    """k come out; the nearest partition gives what is missing, the others their quotas."""
    urns = partitioned(n, k, p, short="fill")
    before = quotas(n, k, p)
    assert sum(urn.draws for urn in urns) == k == 50
    assert urns[0].draws == before[0] + 50 - sum(before)
    assert [urn.draws for urn in urns[1:]] == before[1:]


def test_feasible_shares_of_the_usual_list():
    """942 candidates, k = 50: from .0801 on; and every such claim is what the quotas do."""
    smallest, steady = feasible_from(942, 50)
    assert (smallest, steady) == (0.0801, 0.0801)
    for p in np.arange(0.06, 1, 0.003):
        taken = quotas(942, 50, p)
        assert (sum(taken) == 49 and len(taken) * 50 < 942) == (p >= steady)


def test_the_weights_of_the_exponential_mechanism():
    """Eq. (1) by hand: epsilon 2, k 5, RS a half: s / 5."""
    logs = exponential(np.array([1.0, 0.5]), np.array([0.5, 0.5]), epsilon=2, k=5)
    assert logs.tolist() == pytest.approx([0.2, 0.1])


def test_a_vanishing_sensitivity_leaves_weights_finite():
    """On signed scales two equal records have RS 0; their weight is large and a number."""
    assert np.isfinite(exponential(np.array([1.0]), np.array([0.0]), epsilon=1, k=1)).all()
