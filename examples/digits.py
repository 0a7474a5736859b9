"""Group images of handwritten digits: each digit is cut into two arms that belong together."""

import boclust

images = boclust.datasets.digits(parts=2, dim=10)
# Estimated from the images: the guarantee assumes tails no heavier than Gaussian ones.
sigma = images.scale.largest_eigenvalue**0.5
result = boclust.cluster(
    images.replay(seed=3), n_arms=20, n_clusters=10, delta=0.05,
    family=boclust.SubGaussian(sigma), max_samples=100_000,
)  # fmt: skip
print(f"{result.stopped} after {result.n_samples} images: {result.labels.tolist()}")
print(f"Guarantee: {result.guarantee}")
assert result.labels.tolist() == images.labels.tolist()
result.plot("digits.png", names=images.arms)
