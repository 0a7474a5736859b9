"""Group city districts by the waiting time for the next taxi pickup.

Run ``python districts_by_taxi_gaps.py FILE`` with a month of New York's yellow taxi trips
(yellow_tripdata_2024-01.parquet from nyc.gov/tlc, or a reduced file of pickups).
"""

import sys

import boclust

zones = boclust.datasets.nyc_taxi(sys.argv[1], hours=(8, 18), zero_gap=0.5)
print(zones)

# Gaps are not exactly exponential: the guarantee holds only under that assumption, and says so.
family = boclust.Exponential()
result = boclust.cluster(
    zones.replay(seed=1), len(zones.arms), zones.n_clusters, 0.05, family=family,
    max_samples=200_000,
)  # fmt: skip
print(f"\n{result.stopped} after {result.n_samples} gaps: {result.labels.tolist()}")
print(f"Guarantee: {result.guarantee}")
for sentence in zones.assumptions:
    print(f"- {sentence}")
