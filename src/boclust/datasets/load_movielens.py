"""MovieLens: the ratings of users, in the CSV files of GroupLens."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from boclust._validate import FloatArray, IntArray, fail, shown
from boclust.datasets.dataset import Dataset
from boclust.datasets.files import Columns, checked_path, read_csv
from boclust.datasets.units import widest
from boclust.problem.families import Bounded, Family

_ORIGIN = "GroupLens, grouplens.org/datasets/movielens"
_SOURCE = (
    f"{_ORIGIN}; for research, to be acknowledged, redistributed under the same terms only, "
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
    """Users as arms; the i-th record of a user is its i-th rating in each of the genres.

    Parameters
    ----------
    path:
        The folder of ``ratings.csv`` and ``movies.csv``, of any edition with these files. The
        users of the default are those of "ml-latest-small" (100,836 ratings).
    users, n_clusters:
        Ids of at least two users, and in how many clusters they are to be put.
    genres:
        The coordinates. The films that a user rated in a genre are put in the order of time (by
        ``movieId`` where times agree) and the lists are cut to the shortest of them. A film with
        several of the genres is in the list of each: its one rating then counts in more than one
        coordinate, at different places of the lists as a rule.
    """
    folder = checked_path(path)
    chosen, wanted = _users(users), _genres(genres)
    films = read_csv(folder / "movies.csv", _MOVIES, _ORIGIN)
    members = _members(films, wanted)
    ratings = read_csv(folder / "ratings.csv", _RATINGS, _ORIGIN)
    outside = ~((ratings["rating"] >= _LOW) & (ratings["rating"] <= _HIGH))  # NaN too
    ratings.refuse(outside, "rating", f"a rating from {_LOW} to {_HIGH:g} in every line")
    records = [_records(ratings, films["movieId"], user, members) for user in chosen]
    dim = len(wanted)
    family: Family = Bounded(_LOW, _HIGH) if dim == 1 else widest(_HIGH - _LOW, dim)
    several = "" if dim == 1 else "; coordinates may depend on each other, hence the root of d"
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
    """Why ``Bounded`` is not what holds by itself."""
    with np.errstate(invalid="ignore"):  # a user who always gives the same rating
        tables = [np.nan_to_num(np.corrcoef(array, rowvar=False)) for array in records]
    largest = max(np.abs(table - np.diag(np.diag(table))).max() for table in tables)
    return (
        "Bounded holds as well if the coordinates of a record are taken to be independent; "
        f"their correlations are up to {largest:.2f} in size."
    )


def _users(value: Any) -> list[int]:
    accepted = "at least two different user ids, whole numbers"
    whole = isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str)
    if not whole or not all(
        isinstance(user, (int, np.integer)) and not isinstance(user, bool) for user in value
    ):
        raise fail("users", f"is {shown(value)}", accepted)
    if len(value) < 2 or len({int(user) for user in value}) < len(value):
        raise fail("users", f"is {shown(list(value))}", accepted)
    return [int(user) for user in value]


def _genres(value: Any) -> list[str]:
    whole = isinstance(value, Sequence) and not isinstance(value, str) and len(value) > 0
    if not whole or len(set(map(str, value))) < len(value):
        raise fail("genres", f"is {shown(value)}", "a sequence of different genres of movies.csv")
    return [str(genre) for genre in value]


def _members(films: Columns, genres: list[str]) -> dict[str, IntArray]:
    """For each genre the ids of its films."""
    sets = [set(text.split("|")) for text in films["genres"]]
    known = sorted(set().union(*sets))
    for genre in genres:
        if genre not in known:
            raise fail("genres", f"{genre!r} is no genre in {films.path}", ", ".join(known))
    ids = films["movieId"]
    return {genre: ids[[genre in found for found in sets]] for genre in genres}


def _records(
    ratings: Columns, known: IntArray, user: int, members: dict[str, IntArray]
) -> FloatArray:
    """The ratings of one user, n x genres."""
    own = np.flatnonzero(ratings["userId"] == user)
    if len(own) == 0:
        present = np.unique(ratings["userId"])
        raise fail(
            "users",
            f"{user} is no user in {ratings.path}",
            f"ids of its {len(present)} users, {present[0]} to {present[-1]}",
        )
    strange = np.zeros(len(ratings["userId"]), dtype=bool)
    strange[own] = ~np.isin(ratings["movieId"][own], known)
    ratings.refuse(strange, "movieId", "films of the movies.csv of the same edition")
    own = own[np.lexsort((ratings["movieId"][own], ratings["timestamp"][own]))]
    lists = []
    for genre, ids in members.items():
        lists.append(ratings["rating"][own[np.isin(ratings["movieId"][own], ids)]])
        if len(lists[-1]) < 2:
            problem = f"{user} has rated {len(lists[-1])} films of the genre {genre!r}"
            raise fail("users", problem, "users with at least two ratings in each genre")
    shortest = min(map(len, lists))
    return np.column_stack([column[:shortest] for column in lists])
