from dataclasses import FrozenInstanceError

import pytest

from privet.privacy import STEPS, Bound, Terms, like_threshold, unit

TERMS = Terms(users=943, items=1682, profile=20, scale=(1, 5))


@pytest.mark.parametrize(
    ("scale", "quarter", "threshold"),
    [
        ((1, 5), 1, 4),
        ((0.5, 5), 1.125, 3.875),
        ((1, 10), 2.25, 7.75),
        ((-10, 10), 5, 5),
        ((0, 5), 1.25, 3.75),
        ((0, 1), 0.25, 0.75),
    ],
)
def test_units_and_likes_follow_from_the_scale(scale, quarter, threshold):
    """A unit is a quarter of the scale, a like three of them above its lower end: both from public numbers alone."""
    terms = Terms(users=2, items=3, profile=1, scale=scale)
    assert (terms.unit, terms.threshold) == (quarter, threshold)
    assert (unit(scale), like_threshold(scale)) == (quarter, threshold)


@pytest.mark.parametrize("like", [0.0, 2.5, -3.0])
def test_a_declared_like_is_the_threshold(like):
    """Whatever the scale, 0 included."""
    assert Terms(users=2, items=3, profile=1, scale=(-5, 5), like=like).threshold == like
    assert like_threshold((-5, 5), like) == like


def test_a_bound_is_as_wide_as_its_wider_side():
    """Whichever of the two that is; and it is a pair."""
    assert Bound(2.0, 1.0).widest == Bound(1.0, 2.0).widest == 2
    assert Bound(changed=0.5, inserted=0.25) == (0.5, 0.25)


def test_what_was_not_said():
    """Nobody is chosen, no like is declared, nothing is declared, the grid is 1/64."""
    assert (TERMS.k, TERMS.like, TERMS.declared, TERMS.steps, STEPS) == (None, None, frozenset(), 64, 64)


def test_terms_and_bounds_are_frozen():
    """A promise must not move after it was made; nor can more be told than the public numbers."""
    with pytest.raises(FrozenInstanceError):
        TERMS.users = 1
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        TERMS.ratings = "private"
    with pytest.raises(AttributeError):
        Bound(1.0, 1.0).changed = 0.5
    assert hash(TERMS) == hash(Terms(users=943, items=1682, profile=20, scale=(1, 5)))


def test_terms_are_named():
    """Seven numbers in a row would be mixed up."""
    with pytest.raises(TypeError):
        Terms(943, 1682, 20, (1, 5))
