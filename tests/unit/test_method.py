from dataclasses import dataclass

import numpy as np
import pytest

from privet.errors import ParameterError
from privet.method import Method
from privet.prediction import WeightedMean
from privet.selection import KNN, PPNS
from privet.similarity import Cosine


def test_a_text_and_its_method():
    """The grammar's example, with everything else left out."""
    method = Method.parse("ppns:p=.9,k=400")
    assert method == Method(selector=PPNS(p=0.9), k=400, similarity=Cosine(), predictor=WeightedMean())
    selector = "ppns:p=0.9,epsilon=1,sensitivity=pair,short=refuse,k=400"
    assert str(method) == f"{selector}; similarity=cosine; predictor=weighted; candidates=all"


@pytest.mark.parametrize(
    "text",
    [
        "knn",
        "knn:k=7",
        "ppns",
        "ppns:p=1,k=1",
        "ppns:p=.30000000000000004,epsilon=1e-300",
        "ppns:epsilon=2.5,sensitivity=max,short=fill,k=3; similarity=cosine; predictor=weighted; candidates=all",
    ],
)
def test_every_method_is_written_so_that_it_can_be_read(text):
    """parse(str(m)) == m, and the text of the text is the text."""
    method = Method.parse(text)
    assert Method.parse(str(method)) == method
    assert str(Method.parse(str(method))) == str(method)


def test_spelling_does_not_matter():
    """Blanks, the order of parts, and k behind the selector or on its own."""
    forms = ["ppns:p=.5,k=9", " ppns : k = 9 ; predictor = weighted() ", "ppns; k=9; candidates=all; similarity=cosine"]
    assert {str(Method.parse(form)) for form in forms} == {str(Method(selector=PPNS(p=0.5), k=9))}


def test_digests_differ_where_methods_do():
    """Equal methods have equal digests, different ones different."""
    texts = ["knn", "knn:k=51", "ppns", "ppns:p=.6", "ppns:epsilon=2"]
    digests = [Method.parse(text).digest() for text in texts]
    assert len(set(digests)) == len(texts)
    assert Method.parse("knn:k=50").digest() == digests[0]
    assert len(digests[0]) == 32


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("kn", "There is no selector 'kn'; there is knn and ppns."),
        ("", "There is no selector ''; there is knn and ppns."),
        ("knn:p=.5", "There is no setting 'p' of knn: it has no settings and k."),
        ("ppns:q=.5", "There is no setting 'q' of ppns: it has p, epsilon, sensitivity and short and k."),
        ("ppns:p=x", "PPNS needs 0 < p <= 1; got p='x'. p is the share taken from the nearest partition."),
        ("ppns:p=2", "PPNS needs 0 < p <= 1; got p=2.0. p is the share taken from the nearest partition."),
        ("knn:k=0", "Method needs a whole number k >= 1; got k=0. k is how many neighbours are chosen."),
        ("knn:k=1.5", "Method needs a whole number k >= 1; got k='1.5'. k is how many neighbours are chosen."),
        ("knn:k", "Settings are written key=value,key=value; got 'k' in 'knn:k'."),
        ("knn:k=1,k=1", "A setting is given once; got k twice in 'knn:k=1,k=1'."),
        ("knn:k=1; k=1", "A method has each part once; got k twice in 'knn:k=1; k=1'."),
        (
            "knn; similarity=cos",
            "There is no similarity 'cos'; there is cosine, cosine_full, pearson, agreement, deviation and overlap.",
        ),
        ("knn; similarity=cosine(x=1)", "There is no setting 'x' of cosine: it has no settings."),
        ("knn; predictor=magic", "There is no predictor 'magic'; there is weighted."),
        ("knn; speed=9", "A method has the parts similarity, predictor, candidates and k behind its selector; got"),
        ("knn; similarity", "A part is written similarity=name or similarity=name(setting=value); got 'similarity'."),
        ("knn; candidates=raters", "Method needs candidates to be one of all; got candidates='raters'."),
        ("private:epsilon=1", "Private methods by a public rule are not in this version."),
        ("ppns; similarity=noisy(of=deviation,epsilon=.65)", "Private similarities are not in this version."),
        ("ppns; predictor=noisy_mean(epsilon=.65)", "Private predictions are not in this version."),
        ("ppns; world=item_effect(epsilon=.35)", "World releases are not in this version."),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(text, sentence):
    """Every refusal says what came and what is possible."""
    with pytest.raises(ParameterError) as refusal:
        Method.parse(text)
    assert str(refusal.value).startswith(sentence)


def test_a_selector_from_elsewhere_can_be_told_apart():
    """A class that is in no register is written by its full name."""

    @dataclass(frozen=True)
    class Mine(KNN):
        """Somebody else's."""

    written = str(Method(selector=Mine()))
    assert "Mine" in written
    assert written != str(Method(selector=KNN()))


@pytest.mark.parametrize("make", [np.float64, np.float32, lambda p: np.float64(p).item()])
def test_numbers_of_any_make_are_the_same_setting(make):
    """NumPy's numbers are kept as Python's own: equal methods are written alike, and draw alike."""
    method = Method(selector=PPNS(p=make(0.5)), k=np.int64(30))
    assert str(method) == str(Method(selector=PPNS(p=0.5), k=30))
    assert Method.parse(str(method)) == method


@pytest.mark.parametrize("wrong", [{"selector": "knn"}, {"selector": KNN}, {"selector": KNN(), "predictor": None}])
def test_parts_must_be_parts(wrong):
    """A method is made of values, not of names or classes, and says so at once."""
    with pytest.raises(ParameterError, match="of a method is a value"):
        Method(**wrong)
    with pytest.raises(ParameterError, match="named by text"):
        Method.parse(None)


@pytest.mark.parametrize("name", ["npns", "cbns", "mean", "private", "ramp"])
def test_what_is_to_come_is_told_from_what_is_unknown(name):
    """A selector that is not there yet is not called unknown."""
    with pytest.raises(ParameterError, match="not in this version"):
        Method.parse(name)
