"""What `import privet` gives, and what it does not load."""

import subprocess
import sys
from importlib import metadata

import pytest

import privet

HEAVY = (
    "pyarrow",
    "pandas",
    "polars",
    "scipy",
    "numba",
    "pyspark",
    "matplotlib",
    "fastapi",
    "sqlalchemy",
    "hypothesis",
)

PROMISED = {
    *("Ratings", "Profile", "Catalogue", "Recommender", "Method", "Prediction", "KNN", "PPNS", "WeightedMean"),
    *("Terms", "World"),
    *("similarity", "urns", "theory", "errors", "lab"),
}


def loaded_by(program: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_import_loads_nothing_heavy():
    """`import privet` loads none of the heavy libraries, and neither does naming everything it gives."""
    assert not loaded_by("import privet") & set(HEAVY)
    assert not loaded_by("import privet\nfor name in privet.__all__: getattr(privet, name)") & set(HEAVY)


def test_import_is_light():
    """`import privet` alone loads not even NumPy."""
    assert "numpy" not in loaded_by("import privet")


def test_opening_saved_ratings_loads_nothing_heavy(tmp_path):
    """A saved file is opened and looked at without anything heavy, and asked without anything but numba."""
    path = tmp_path / "saved"
    privet.Ratings.of(["ann", "bob"], ["tea", "tea"], [5, 4]).save(path)
    program = f"import privet; r = privet.Ratings.open({str(path)!r}); r.profile(0); r.user_means"
    assert not loaded_by(program) & set(HEAVY)
    program += "; privet.Recommender(r, 'knn').recommend('ann')"
    assert loaded_by(program) & set(HEAVY) - {"scipy"} == {
        "numba"
    }  # numba looks at the version of scipy, if it is there


def test_the_promised_names():
    """The public names are exactly those that are promised, and each is what it says."""
    assert set(privet.__all__) == PROMISED
    for name in privet.__all__:
        assert getattr(privet, name).__name__.rpartition(".")[2] == name
    assert set(dir(privet)) == PROMISED | {"__version__"}
    with pytest.raises(AttributeError, match="Ratingz"):
        _ = privet.Ratingz


def test_the_version_is_the_installed_one():
    """The version of the module is that of the distribution."""
    assert metadata.version("privet") == privet.__version__


def test_the_lab_opens_on_first_use():
    """`privet.lab.datasets` and `privet.lab.synthetic` are there without an import of their own."""
    program = "import privet; assert 'ml-100k' in privet.lab.datasets.names(); privet.lab.synthetic.synthetic"
    assert "privet" in loaded_by(program)
    with pytest.raises(AttributeError, match="peerz"):
        _ = privet.lab.peerz
