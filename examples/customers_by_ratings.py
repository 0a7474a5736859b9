"""Group customers by their ratings, assuming only that a rating is from 0.5 to 5 stars.

Run ``python customers_by_ratings.py FOLDER`` with the folder of MovieLens' ratings.csv and
movies.csv (ml-latest-small from grouplens.org/datasets/movielens).
"""

import sys

import boclust

users = boclust.datasets.movielens(
    sys.argv[1], users=(298, 517, 19, 339, 290, 74), genres=["Drama"], n_clusters=2
)
print(users)

result = boclust.cluster(
    users.replay(seed=1), n_arms=6, n_clusters=2, delta=0.05, family=users.family
)
print(f"\n{result.n_samples} ratings were used, per user {result.pulls.tolist()}")
for user, label in zip(users.arms, result.labels, strict=True):
    print(f"user {user}: cluster {label}")
print(f"Guarantee: {result.guarantee}")
assert result.labels.tolist() == users.labels.tolist()
