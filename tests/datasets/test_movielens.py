"""MovieLens: small files in the format of GroupLens, damaged ones, and the real ones."""

import numpy as np
import pytest

import boclust
from boclust.datasets import movielens
from support.realdata import real_data

MOVIES = """movieId,title,genres
1,"American President, The (1995)",Comedy|Drama|Romance
2,"Say ""Yes"", Ağa (1999)",Comedy
3,Heat (1995),Action|Drama
4,Casino (1995),Drama
5,Nothing (2000),(no genres listed)
6,Clerks (1994),Comedy
"""
# user 1 by time: 6 (4.0), 3 (2.0), 1 (3.5), 4 (5.0), 2 (0.5); films 1 and 4 at the same time
RATINGS = """userId,movieId,rating,timestamp
1,1,3.5,300
1,2,0.5,900
1,3,2.0,200
1,4,5.0,300
1,5,1.0,100
1,6,4.0,100
7,2,3.0,20
7,3,1.0,10
7,4,1.5,30
7,6,4.5,10
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "movies.csv").write_text(MOVIES, encoding="utf-8")
    (tmp_path / "ratings.csv").write_text(RATINGS, encoding="utf-8")
    return tmp_path


def load(folder, **options):
    return movielens(folder, **{"users": (1, 7), "n_clusters": 2, **options})


def test_pairs_in_the_order_of_time(folder):
    data = load(folder)
    assert data.arms == ("1", "7")
    # film 1 is a comedy and a drama: in both lists
    np.testing.assert_array_equal(data.records[0], [[4.0, 2.0], [3.5, 3.5], [0.5, 5.0]])
    np.testing.assert_array_equal(data.records[1], [[4.5, 1.0], [3.0, 1.5]])
    assert data.bounds == (0.5, 5.0)
    assert data.family == boclust.SubGaussian(2.25 * 2**0.5)
    assert any("Bounded holds as well if" in sentence for sentence in data.assumptions)


def test_one_genre_is_bounded(folder):
    data = load(folder, genres=["Drama"], users=np.array([7, 1]))
    np.testing.assert_array_equal(data.records[0].ravel(), [1.0, 1.5])
    assert data.family == boclust.Bounded(0.5, 5)
    assert not any("Bounded holds as well" in sentence for sentence in data.assumptions)


def test_line_ends_marks_and_blank_lines_do_no_harm(folder):
    expected = load(folder).records
    text = "\ufeff" + RATINGS.replace("7,2", "\n7,2") + "\n"
    (folder / "ratings.csv").write_bytes(text.replace("\n", "\r\n").encode())
    for found, right in zip(load(folder).records, expected, strict=True):
        np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("7,3,1.0,10", "7,3,good,10", r"for rating in line 9 an invalid value 'good'"),
        ("7,3,1.0,10", "7,3,,10", "line 9: rating must be a value, got an empty cell"),
        ("7,3,1.0,10", "7,3,nan,10", "line 9: rating must be a rating from 0.5 to 5, got nan"),
        ("7,3,1.0,10", "7,3,5.5,10", "line 9: rating must be a rating from 0.5 to 5, got 5.5"),
        ("1,1,3.5", "1,1,0.0", "line 2: rating must be a rating from 0.5 to 5, got 0.0"),
        ("7,3,1.0,10", "7,3,1.0", "3 columns instead of 4 in line 9"),
        ("7,3,1.0,10", "7.5,3,1.0,10", "for userId in line 9 an invalid value '7.5'"),
        ("7,3,1.0,10", "7,99,1.0,10", r"line 9: movieId must be .* the same edition, got 99"),
        (",timestamp", ",time", "no column 'timestamp' but 'userId,.* in line 1"),
        (RATINGS, "", "got an empty file"),
        (RATINGS, "\n" + RATINGS, "got a blank line 1"),
        (RATINGS, '"' + "x" * 200_000, "field larger than .* in line 1"),
        ("7,3,1.0,10", '7,3,"1.0,10', "3 columns instead of 4 in line 9"),
        (RATINGS, RATINGS.splitlines()[0], "got no line of data"),
        (RATINGS, "1::1193::5::978300760\n", "no column 'userId' but '1::1193::5::978300760'"),
        (RATINGS, MOVIES, "no column 'userId'"),
    ],
)
def test_ratings_that_do_not_fit(folder, old, new, message):
    assert old in RATINGS
    (folder / "ratings.csv").write_text(RATINGS.replace(old, new), encoding="utf-8")
    with pytest.raises(boclust.InvalidInputError, match=message) as told:
        load(folder)
    assert "ratings.csv" in str(told.value)
    assert "grouplens.org/datasets/movielens" in str(told.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (MOVIES.replace("3,Heat", "three,Heat"), "for movieId in line 4 an invalid value 'three'"),
        (MOVIES.replace("Action|Drama", ""), "line 4: genres must be a value, got an empty cell"),
        (MOVIES.replace("4,Casino", "4,Casino,Royale"), "4 columns instead of 3 in line 5"),
        (MOVIES.replace('"Say', "Say"), "4 columns instead of 3 in line 3"),
        ("", "got an empty file"),
        (RATINGS, "no column 'genres'"),
    ],
)
def test_films_that_do_not_fit(folder, content, message):
    (folder / "movies.csv").write_text(content, encoding="utf-8")
    with pytest.raises(boclust.InvalidInputError, match=message) as told:
        load(folder)
    assert "movies.csv" in str(told.value)


@pytest.mark.parametrize("name", ["ratings.csv", "movies.csv"])
def test_missing_files(folder, name):
    (folder / name).unlink()
    with pytest.raises(
        boclust.InvalidInputError, match=f"{name} must be .* got no such file .*grouplens"
    ):
        load(folder)
    (folder / name).mkdir()
    with pytest.raises(
        boclust.InvalidInputError, match=f"{name} must be .* 'Is a directory' .*grouplens"
    ):
        load(folder)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (dict(users=(1, 2)), "users must be ids of the 2 users in .*, 1 to 7, got 2"),
        (dict(users=(1,)), "users must be at least two"),
        (dict(users=(1, 1)), "users must be at least two"),
        (dict(users="17"), "users must be .* got '17'"),
        (dict(users=(1, "7")), "users must be at least two"),
        (dict(users=(1, True)), "users must be at least two"),
        (dict(users=7), "users must be .* got 7"),
        (
            dict(genres=("Comedy", "Horror")),
            "genres must be genres of .*Comedy, Drama.* got 'Horror'",
        ),
        (dict(genres=("Comedy", "Romance")), "users must be .* got 1 with 1 ratings in 'Romance'"),
        (dict(genres=()), "genres must be a sequence"),
        (dict(genres="Comedy"), "genres must be .* got 'Comedy'"),
        (dict(genres=("Drama", "Drama")), "genres must be a sequence"),
        (dict(n_clusters=3), r"^n_clusters\b.* 3"),
        (dict(path=None), r"^path\b.* None"),
    ],
)
def test_arguments_that_do_not_fit(folder, options, message):
    with pytest.raises(boclust.InvalidInputError, match=message):
        load(**{"folder": folder, **options} if "path" not in options else {"folder": None})


def test_a_user_who_always_says_the_same(folder):
    same = "".join(f"9,{film},3.0,{film}\n" for film in (2, 3, 4, 6))
    (folder / "ratings.csv").write_text(RATINGS + same, encoding="utf-8")
    data = load(folder, users=(9, 7))
    assert data.deviations[0].tolist() == [0, 0]


def test_the_real_files():
    data = movielens(real_data("movielens-latest-small"))
    expected = [(2.430, 2.972), (2.591, 3.008), (3.346, 3.421), (3.178, 3.218), (3.035, 3.695),
                (3.821, 4.151)]  # fmt: skip
    np.testing.assert_allclose(data.means, expected, atol=0.00051)
    assert data.labels.tolist() == [0, 0, 1, 1, 2, 3]
    assert data.instance().is_separated
    assert data.counts.tolist() == [341, 121, 221, 489, 269, 156]
