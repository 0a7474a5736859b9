"""Sensors that answer late: batches of five, answers in any order, an explanation on the way."""

import random

import numpy as np

import boclust

SENSORS = {"hall": 18.0, "attic": 18.6, "office": 20.9, "lab": 21.4, "oven": 30.0, "kiln": 30.5}
names, truth = list(SENSORS), list(SENSORS.values())
noise = np.random.default_rng(0)
shuffle = random.Random(0).shuffle

learner = boclust.Learner(len(names), 3, delta=0.01, family=boclust.Gaussian(sigma=0.5))
out: list[int] = []  # measurements under way
while not learner.done:
    out += learner.ask(5)
    shuffle(out)
    for sensor in out[:4]:
        learner.tell(sensor, noise.normal(truth[sensor], 0.5))
    del out[:4]
    if not learner.done and learner.n_samples % 20 == 0:
        print(f"{learner.n_samples:4} samples: {learner.explain(names)}")

for name, label in zip(names, learner.labels, strict=True):
    print(f"{name:7} cluster {label}")
print(f"Guarantee: {learner.guarantee}")
