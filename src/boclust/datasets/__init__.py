"""Real data sets as arms, each with what may be assumed of its records: one module per data set.

Nothing is downloaded: a loader takes the path of the publisher's files and says where to get them.
"""

from boclust.datasets.dataset import Dataset
from boclust.datasets.digits import digits
from boclust.datasets.mnist import mnist
from boclust.datasets.movielens import movielens
from boclust.datasets.nyc_taxi import nyc_taxi
from boclust.datasets.scale import Scale

__all__ = ["Dataset", "Scale", "digits", "mnist", "movielens", "nyc_taxi"]
