"""``boclust study status``, in 80 columns."""

from math import ceil, isfinite
from typing import TYPE_CHECKING, Any

from boclust.cli.options import as_json
from boclust.cli.study.common import (
    STATES,
    counted,
    follow_up,
    opened,
    print_json,
    shown_time,
    study_command,
)

if TYPE_CHECKING:
    from rich.table import Table

    from boclust.study import Status

#: The largest number of asks in the table.
_MOST_ASKS = 20
#: The largest number of coordinates of an estimate.
_MOST_NUMBERS = 2


@study_command("status")
@as_json
def command(study: str, url: str, as_json: bool) -> None:
    """Show the clusters, the progress, what the certificate still needs, and the guarantee.

    The interval around the number of samples still needed is not a guarantee: it assumes that the
    present clusters are right.
    """
    with opened(url, study) as one:
        status, algorithm = one.status(), one.parameters["algorithm"]
    if as_json:
        print_json(status)
    else:
        _print(status, algorithm)


def _print(status: "Status", algorithm: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    from boclust.cli.terminal import bar, plain, screen

    facts = {"study": plain(status.name), "state": STATES[status.state]}
    goal = f"{status.n_clusters} clusters of {len(status.arms)} arms, delta = {status.delta:g}"
    facts["goal"] = goal
    facts["algorithm"] = _algorithm(**algorithm)
    facts["samples"] = _samples(status)
    facts["progress"] = f"{_percent(status.progress)} of the certificate {bar(status.progress)}"
    if status.state in ("open", "paused"):
        facts["remaining"] = _remaining(status)
    facts["guarantee"] = status.guarantee
    grid = Table.grid(padding=(0, 2))
    for name, fact in facts.items():
        grid.add_row(name, Text(fact))
    for note in status.notes:
        grid.add_row("note", Text(plain(note), style="yellow"))
    out = screen()
    out.print(grid)
    out.print(_arms(status))
    if status.asks:
        out.print(_asks(status))
    if status.state == "open":
        out.print(Text(f"Next: {follow_up('ask', status.name)}"), soft_wrap=True)


def _algorithm(name: str | None, sampling: str, stopping: str, options: dict[str, Any]) -> str:
    rules = ", ".join([sampling, stopping, *(f"{key} = {value}" for key, value in options.items())])
    return rules if name is None else f"{name} ({rules})"


def _percent(share: float) -> str:
    """Rounded down, so that only a certified study has 100 %."""
    return f"{int(100 * share)} %"


def _samples(status: "Status") -> str:
    from boclust.cli.terminal import number

    samples, budget = f"{counted(status.samples, 'sample')}", status.budget
    if budget.samples is not None:
        samples += f" of {budget.samples:,}"
    cost = f", cost {number(status.cost)}"
    if budget.cost is not None:
        cost += f" of {number(budget.cost)}"
    revised = [
        f"{count:,} {how}"
        for count, how in ((status.voided, "voided"), (status.corrected, "corrected"))
        if count
    ]
    return samples + cost + (f" ({', '.join(revised)})" if revised else "")


def _remaining(status: "Status") -> str:
    samples, cost = status.remaining_samples, status.remaining_cost
    if samples is None or cost is None:
        return "unknown yet"
    count, low, high = (
        _rounded(ceil(x) if isfinite(x) else x) for x in (samples.value, samples.low, samples.high)
    )
    price, least, most = map(_rounded, (cost.value, cost.low, cost.high))
    return f"about {count} samples ({low} to {high}), cost {price} ({least} to {most})"


def _rounded(value: float) -> str:
    """Three digits, because it is an estimate."""
    from boclust.cli.terminal import number

    return number(float(f"{value:.3g}"))


def _arms(status: "Status") -> "Table":
    from boclust.cli.terminal import arm_table, number

    arms = status.arms
    columns = {
        "number": [str(i) for i in range(len(arms))],
        "samples": [f"{arm.samples:,}" for arm in arms],
    }
    if status.asks:
        columns["pending"] = [str(arm.pending or "") for arm in arms]
    if any(arm.cost != 1 for arm in arms):
        columns["cost"] = [number(arm.cost) for arm in arms]
    columns["estimate"] = [_estimate(arm.estimate) for arm in arms]
    labels = [arm.cluster for arm in arms]
    made = arm_table(None if None in labels else labels, [arm.name for arm in arms], columns)
    made.columns[1].justify = "left"
    return made


def _estimate(numbers: list[float] | None) -> str:
    from boclust.cli.terminal import number

    if numbers is None:
        return "-"
    shown = [number(x) for x in numbers[:_MOST_NUMBERS]]
    return ", ".join(shown + ["..."] * (len(numbers) > _MOST_NUMBERS))


def _asks(status: "Status") -> "Table":
    from boclust.cli.terminal import cell, table

    made = table("ask", "arm", "client", "until")
    made.title, made.title_style = "pending asks", ""
    made.title_justify = made.caption_justify = "left"
    for column in made.columns:
        column.justify = "left"
    for column in made.columns[1:3]:
        column.no_wrap = False
    for ask in status.asks[:_MOST_ASKS]:
        made.add_row(ask.id, cell(ask.name), cell(ask.client or ""), shown_time(ask.until))
    if (more := len(status.asks) - _MOST_ASKS) > 0:
        made.caption = f"and {counted(more, 'other ask')} (--json lists all)"
    return made
