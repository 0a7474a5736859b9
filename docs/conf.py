"""How Sphinx builds these pages: ``make docs``."""

import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert

import boclust

sys.path.insert(0, str(Path(__file__).parent))
from http_api import PLACE, calls

project = "boclust"
author = project_copyright = "The boclust developers"
release = version = boclust.__version__
html_title = f"boclust {version}"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
]
html_math_renderer = "mathml"
html_theme = "furo"
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
exclude_patterns = ["_build"]
html_extra_path = ["paper-report.html"]


def _formula(display: str) -> Any:
    """Formulas as MathML, which browsers draw by themselves: the pages need no network."""

    def visit(translator: Any, node: Any) -> None:
        translator.body.append(convert(node.astext(), display=display))
        raise nodes.SkipNode

    return visit, None


def _with_calls(app: Any, name: str, source: list[str]) -> None:
    """The page of the HTTP calls is written from what the server says of itself."""
    if PLACE in source[0]:
        source[0] = source[0].replace(PLACE, calls())


def setup(app: Any) -> None:
    """What Sphinx calls."""
    app.connect("source-read", _with_calls)
    app.add_html_math_renderer("mathml", _formula("inline"), _formula("block"))
