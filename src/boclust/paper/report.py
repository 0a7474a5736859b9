"""The HTML page with every figure, which loads nothing from elsewhere."""

import base64
import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape

from boclust import __version__
from boclust.paper.base_figure import Table
from boclust.paper.reproduce import Reproduction, tally

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --held: #00795a; --part: #8a6100; --not: #b3400a; }
@media (prefers-color-scheme: dark) { :root { --held: #3ecf9f; --part: #e6b23c; --not: #ff8a50; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem; }
img { width: 100%; background: white; border-radius: 6px; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; }
caption { text-align: left; font-weight: 600; padding: .25rem .7rem; }
figure { margin: 0; }
td, th { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; }
td:first-child, th:first-child, td.text { text-align: left; }
.verdict { font-weight: 600; white-space: nowrap; }
.held { color: var(--held); } .part { color: var(--part); } .not { color: var(--not); }
figcaption, .evidence { opacity: .75; }
"""
_CLASS = {"held": "held", "held in part": "part", "not held": "not", "undecided": "part"}


def report(made: Sequence[Reproduction], missing: Sequence[tuple[str, str]], quick: bool) -> str:
    """Return the page; ``missing`` lists figures that could not be made, each with the reason."""
    length = "quick run, few trials" if quick else "full run"
    when = datetime.now(UTC).strftime("%d %B %Y")
    machine = (
        f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"
    )
    body = [
        "<h1>The paper reproduced</h1>",
        "<p><em>Online Clustering of Data Sequences with Bandit Information</em>: every figure and "
        "table. Open markers are the paper's points, filled markers those measured here. "
        f"boclust {escape(__version__)}, {length}, {when}; {escape(machine)}.</p>",
        f"<p>{tally(made).capitalize()}.</p>",
        *(f"<p>Not made: {escape(name)}. {escape(why)}</p>" for name, why in missing),
        _overview(made),
        *(_section(one) for one in made),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>The paper reproduced</title><style>{_STYLE}</style></head>\n<body><main>\n"
        + "\n".join(body)
        + "\n</main></body></html>\n"
    )


def _verdict(verdict: str) -> str:
    return f'<span class="verdict {_CLASS[verdict]}">{verdict}</span>'


def _overview(made: Sequence[Reproduction]) -> str:
    rows = [
        f'<tr><td><a href="#{one.figure.name}">{escape(one.figure.place)}</a></td>'
        f'<td class="text">{escape(s.claim)}</td><td>{s.kind}</td>'
        f"<td>{_verdict(s.verdict)}</td></tr>"
        for one in made
        for s in one.statements
    ]
    return _framed("Claims of the paper and checks of ours",
                   ("where", "statement", "kind", "verdict"), "".join(rows))  # fmt: skip


def _framed(caption: str, columns: Sequence[str], rows: str) -> str:
    """Make a table that scrolls on a narrow page."""
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def _section(one: Reproduction) -> str:
    figure = one.figure
    picture = base64.b64encode(one.picture.encode()).decode()
    claims = "".join(
        f"<li>{_verdict(s.verdict)}: {escape(s.claim)} "
        f'<span class="evidence">{escape(s.evidence)}</span></li>'
        for s in one.statements
    )
    notes = "".join(f"<p>{escape(note)}</p>" for note in one.notes)
    series = ", ".join(dict.fromkeys(p.series for p in one.points))
    shown = f"{figure.title}: {figure.y_name} over {figure.x_name} for {series}"
    return (
        f'<h2 id="{figure.name}">{escape(figure.title)}</h2><figure>'
        f'<img alt="{escape(shown)}" src="data:image/svg+xml;base64,{picture}">'
        f"<figcaption>{escape(figure.place)} of the paper; "
        f"<code>boclust paper fig {figure.name}</code></figcaption></figure>"
        f"<ul>{claims}</ul>{notes}{_table(figure.title, one.table)}"
    )


def _table(caption: str, table: Table | None) -> str:
    if table is None:
        return ""
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(value)}</td>" for value in row) + "</tr>"
        for row in table.rows
    )
    return _framed(caption, table.columns, rows)
