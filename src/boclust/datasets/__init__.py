"""Real data as arms, each with what may honestly be assumed of it: one file a loader.

Nothing is downloaded: a loader takes the path of the publisher's files and says where to get them.
"""

from boclust.datasets.dataset import Dataset
from boclust.datasets.load_digits import digits
from boclust.datasets.load_mnist import mnist
from boclust.datasets.load_movielens import movielens
from boclust.datasets.load_nyc_taxi import nyc_taxi
from boclust.datasets.units import Scale

__all__ = ["Dataset", "Scale", "digits", "mnist", "movielens", "nyc_taxi"]
