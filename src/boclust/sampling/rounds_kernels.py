"""Rules that go in rounds: each arm of a set once, then a look at all intervals."""

from boclust.kernels import kernel
from boclust.run.state import Rules, Run
from boclust.sampling.codes import ELIMINATION
from boclust.sampling.boc_elim import elimination_round
from boclust.sampling.maxgap_round import maxgap_round


@kernel
def look_at_rounds(rules: Rules, run: Run) -> None:
    """Once the arms of a round have been sampled: what the next one samples, or the end."""
    owed = run.rounds.owed
    for j in range(owed.shape[0] - 1, -1, -1):  # the last ones are sampled last
        if owed[j] > 0.0:
            return
    if run.rounds.done[0] == 0:
        end_round(rules, run)


@kernel
def end_round(rules: Rules, run: Run) -> None:
    """What the intervals tell now."""
    rounds = run.rounds
    m = run.counts.shape[0]
    places = run.places.reshape(m)
    low = rounds.limits[0]
    high = rounds.limits[1]
    for i in range(m):
        low[i] = places[i] - run.band.below[i]
        high[i] = places[i] + run.band.above[i]
    if rules.sampling == ELIMINATION:
        n_clusters = run.start.shape[0] - 1
        done = elimination_round(
            places, low, high, n_clusters, rounds.status, rounds.owed, run.labels
        )
    else:
        done = maxgap_round(
            rules.sampling, places, low, high, rounds.status, rounds.owed, run.labels
        )
    rounds.done[0] = 1 if done else 0


@kernel
def owed_arm(rules: Rules, run: Run) -> int:
    """An arm of this round that is neither sampled nor pending; else its least sampled one."""
    owed = run.rounds.owed
    counts = run.counts
    pulls = run.pulls
    arm = -1
    for j in range(pulls.shape[0]):
        if owed[j] > 0.0:
            if owed[j] > pulls[j] - counts[j]:
                return j
            if arm < 0 or pulls[j] < pulls[arm]:
                arm = j
    return max(arm, 0)
