"""MovieLens: ratings of users, in the CSV files of GroupLens."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from boclust import Bounded, Family
from boclust._validate import FloatArray, IntArray, invalid, shown
from boclust.datasets.dataset import Dataset
from boclust.datasets.files import Columns, checked_path, read_csv
from boclust.datasets.scale import subgaussian_of_width

_ORIGIN = "GroupLens, grouplens.org/datasets/movielens"
_SOURCE = (
    f"{_ORIGIN}; for research with acknowledgement, redistribution only under the same terms, "
    "no commercial use without permission"
)
_LOW, _HIGH = 0.5, 5.0
_RATINGS = {"userId": "int64", "movieId": "int64", "rating": "float64", "timestamp": "int64"}
_MOVIES = {"movieId": "int64", "genres": "string"}


def movielens(
    path: Any,
    users: Sequence[int] = (307, 50, 438, 68, 590, 103),
    genres: Sequence[str] = ("Comedy", "Drama"),
    n_clusters: int = 4,
) -> Dataset:
    """Load users as arms; the i-th record of a user is the i-th rating in each of the genres.

    Parameters
    ----------
    path:
        The folder of ``ratings.csv`` and ``movies.csv``, of any edition with these files. The
        default users are those of "ml-latest-small" (100,836 ratings).
    users, n_clusters:
        Ids of at least two users, and the number of clusters.
    genres:
        The coordinates. The films that a user rated in a genre are sorted by time (then by
        ``movieId``), and all lists are cut to the length of the shortest. A film with several of
        the genres is in each of their lists, usually at different places, so that its rating
        counts in more than one coordinate.
    """
    folder = checked_path(path)
    chosen, wanted = _users(users), _genres(genres)
    films = read_csv(folder / "movies.csv", _MOVIES, _ORIGIN)
    members = _members(films, wanted)
    ratings = read_csv(folder / "ratings.csv", _RATINGS, _ORIGIN)
    outside = ~((ratings["rating"] >= _LOW) & (ratings["rating"] <= _HIGH))  # NaN too
    ratings.refuse(outside, "rating", f"a rating from {_LOW} to {_HIGH:g}")
    records = [_records(ratings, films["movieId"], user, members) for user in chosen]
    dim = len(wanted)
    family: Family = Bounded(_LOW, _HIGH) if dim == 1 else subgaussian_of_width(_HIGH - _LOW, dim)
    several = "" if dim == 1 else "; coordinates may depend on each other, hence a factor sqrt(d)"
    return Dataset(
        name=f"MovieLens, {' and '.join(wanted)}",
        arms=tuple(str(user) for user in chosen),
        records=records,
        n_clusters=n_clusters,
        family=family,
        reason=f"a rating is half a star to five stars{several}",
        bounds=(_LOW, _HIGH),
        source=_SOURCE,
        caveats=() if dim == 1 else (_independence(records),),
    )


def _independence(records: list[FloatArray]) -> str:
    """Explain why ``Bounded`` is not the default family."""
    with np.errstate(invalid="ignore"):  # a user who always gives the same rating
        tables = [np.nan_to_num(np.corrcoef(array, rowvar=False)) for array in records]
    largest = max(np.abs(table - np.diag(np.diag(table))).max() for table in tables)
    return (
        "Bounded holds as well if the coordinates of a record are assumed independent; "
        f"their correlations are at most {largest:.2f} in size."
    )


def _users(value: Any) -> list[int]:
    expected = "at least two different user ids, as integers"
    whole = isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str)
    if not whole or not all(
        isinstance(user, (int, np.integer)) and not isinstance(user, bool) for user in value
    ):
        raise invalid("users", expected, shown(value))
    if len(value) < 2 or len({int(user) for user in value}) < len(value):
        raise invalid("users", expected, shown(list(value)))
    return [int(user) for user in value]


def _genres(value: Any) -> list[str]:
    whole = isinstance(value, Sequence) and not isinstance(value, str) and len(value) > 0
    if not whole or len(set(map(str, value))) < len(value):
        raise invalid("genres", "a sequence of different genres of movies.csv", shown(value))
    return [str(genre) for genre in value]


def _members(films: Columns, genres: list[str]) -> dict[str, IntArray]:
    """Return the ids of the films of each genre."""
    sets = [set(text.split("|")) for text in films["genres"]]
    known = sorted(set().union(*sets))
    for genre in genres:
        if genre not in known:
            expected = f"genres of {films.path}, which are {', '.join(known)}"
            raise invalid("genres", expected, repr(genre))
    ids = films["movieId"]
    return {genre: ids[[genre in found for found in sets]] for genre in genres}


def _records(
    ratings: Columns, known: IntArray, user: int, members: dict[str, IntArray]
) -> FloatArray:
    """Return the ratings of one user, n x genres."""
    own = np.flatnonzero(ratings["userId"] == user)
    if len(own) == 0:
        present = np.unique(ratings["userId"])
        expected = (
            f"ids of the {len(present)} users in {ratings.path}, {present[0]} to {present[-1]}"
        )
        raise invalid("users", expected, user)
    strange = np.zeros(len(ratings["userId"]), dtype=bool)
    strange[own] = ~np.isin(ratings["movieId"][own], known)
    ratings.refuse(strange, "movieId", "a film of the movies.csv of the same edition")
    own = own[np.lexsort((ratings["movieId"][own], ratings["timestamp"][own]))]
    lists = []
    for genre, ids in members.items():
        lists.append(ratings["rating"][own[np.isin(ratings["movieId"][own], ids)]])
        if len(lists[-1]) < 2:
            got = f"{user} with {len(lists[-1])} ratings in {genre!r}"
            raise invalid("users", "users with at least two ratings in each genre", got)
    shortest = min(map(len, lists))
    return np.column_stack([column[:shortest] for column in lists])
