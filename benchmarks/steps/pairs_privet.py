"""privet: the co-rated cosine of all pairs of users, as a matrix. CPU of one thread, wall of two."""

from measuring import THREADS, keep, report, timed
from opening import opened

from privet.similarity import cosine, matrix

_, _, processor = timed(lambda ratings: matrix(ratings, cosine, threads=1), opened)
found, wall, _ = timed(lambda ratings: matrix(ratings, cosine, threads=THREADS), opened)
report(wall, processor)
keep(found)
