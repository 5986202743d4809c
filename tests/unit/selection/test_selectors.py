import numpy as np
import pytest

from privet.errors import ParameterError, Unattainable
from privet.selection import KNN, PPNS
from privet.similarity import Candidates
from privet.urns import Urn


def candidates_of(similarities, rs=None):
    """A ranked list whose sensitivities are given, or 1."""
    similarities = np.array(similarities, float)
    sensitivities = np.ones(len(similarities)) if rs is None else np.array(rs, float)
    return Candidates(
        rows=np.arange(len(similarities)),
        similarities=similarities,
        ordered=len(similarities),
        bound=None,
        released=False,
        rs=lambda positions: sensitivities[positions],
    )


def test_knn_empties_one_urn_and_needs_no_noise():
    """The k nearest, or everybody where there are fewer."""
    plan = KNN().plan(candidates_of([0.9, 0.5, 0.1]), 2)
    assert plan.urns == (Urn(0, 2, 2),)
    assert len(plan.slots) == 0
    assert KNN().plan(candidates_of([0.9]), 2).urns == (Urn(0, 1, 1),)
    assert KNN().depth(100, 7) == 7


def test_ppns_lays_out_partitions_and_a_tail():
    """k = 4, p = .5: two from the first four, one from the second, the last from the rest."""
    plan = PPNS(p=0.5).plan(candidates_of(np.linspace(1, 0, 12)), 4)
    assert plan.urns == (Urn(0, 4, 2), Urn(4, 8, 1), Urn(8, 12, 1))
    assert plan.draws == 4
    assert PPNS(p=0.5).depth(12, 4) == 8


def test_ppns_weighs_by_equation_1():
    """epsilon s / (4 k RS), with RS of the pair, or with the largest."""
    candidates = candidates_of([0.8, 0.6, 0.4, 0.2], rs=[0.5, 1, 0.25, 0.5])
    by_pair = PPNS(epsilon=16).plan(candidates, 2)
    assert by_pair.log_weights.tolist() == pytest.approx([3.2, 1.2, 3.2, 0.8])
    by_largest = PPNS(epsilon=16, sensitivity="max").plan(candidates, 2)
    assert by_largest.log_weights.tolist() == pytest.approx([1.6, 1.2, 0.8, 0.4])


def test_ppns_with_p_1_reads_no_sensitivity():
    """It is kNN, draws nothing and asks for no noise."""
    plan = PPNS(p=1).plan(candidates_of(np.linspace(1, 0, 12)), 4)
    assert plan.urns == (Urn(0, 4, 4),)
    assert len(plan.slots) == 0


def test_ppns_refuses_or_fills_when_the_partitions_run_out():
    """Five candidates are too few for k = 4, p = .1; filled, four come out all the same."""
    candidates = candidates_of(np.linspace(1, 0, 5))
    with pytest.raises(Unattainable, match="a smaller k, or short='fill'"):
        PPNS(p=0.1).plan(candidates, 4)
    assert PPNS(p=0.1, short="fill").plan(candidates, 4).draws == 4


def test_settings_outside_their_domain_are_refused_in_one_sentence():
    """What must be, what came, what it means; and the fields say so too."""
    with pytest.raises(ParameterError) as refusal:
        PPNS(p=1.2)
    assert str(refusal.value) == ("PPNS needs 0 < p <= 1; got p=1.2. p is the share taken from the nearest partition.")
    assert (refusal.value.owner, refusal.value.name, refusal.value.got) == ("PPNS", "p", 1.2)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"p": 0}, "PPNS needs 0 < p <= 1; got p=0."),
        ({"p": float("nan")}, "PPNS needs 0 < p <= 1; got p=nan."),
        ({"p": True}, "PPNS needs 0 < p <= 1; got p=True."),
        ({"epsilon": 0}, "PPNS needs epsilon > 0; got epsilon=0."),
        ({"short": "guess"}, "PPNS needs short to be one of refuse, fill; got short='guess'."),
    ],
)
def test_each_setting_names_its_domain(settings, sentence):
    """One sentence for every kind of domain."""
    with pytest.raises(ParameterError) as refusal:
        PPNS(**settings)
    assert str(refusal.value).startswith(sentence)
