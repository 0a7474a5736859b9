"""How Sphinx builds these pages: ``make docs``."""

import boclust

project = "boclust"
author = "The boclust developers"
release = version = boclust.__version__
html_title = f"boclust {version}"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "sphinx_click",
]
html_theme = "furo"
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
exclude_patterns = ["_build"]
html_extra_path = ["paper-report.html"]
