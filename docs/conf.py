# SPDX-License-Identifier: MIT
"""Sphinx builds the documentation site with these settings; `make docs` calls it."""

import os
import shutil
import sys
from pathlib import Path

import lbw

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs" / "site"))
import docstrings  # noqa: E402
import gallery  # noqa: E402

project = "lbw"
author = "The lbw developers"
copyright = author
version = release = lbw.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
    "breathe",
]
root_doc = "index"
toc_object_entries_show_parents = "hide"
exclude_patterns = ["files"]
templates_path = [str(ROOT / "docs" / "site" / "templates")]  # autosummary looks beside the pages
nitpicky = True
nitpick_ignore_regex = [
    (r"cpp:identifier|c:identifier", r".*"),  # names of the standard library, Eigen and templates
]
default_role = "code"
smartquotes = False  # quotes are mostly those of code
suppress_warnings = ["config.cache"]  # the gallery's settings contain a class

# Markdown
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_fence_as_directive = ["math"]

# Python
autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

# C++
breathe_projects = {"lbw": os.environ["LBW_DOXYGEN_XML"]}
breathe_default_project = "lbw"
cpp_index_common_prefix = ["lbw::"]

# Examples
sphinx_gallery_conf = {
    "examples_dirs": [os.environ["LBW_EXAMPLES"]],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"\.py$",
    "within_subsection_order": gallery.Order,
    "image_scrapers": ("matplotlib",),
    "abort_on_example_error": True,
    "show_memory": False,
    "remove_config_comments": True,
    "download_all_examples": False,
    "write_computation_times": False,  # this page would load scripts from the network
    "thumbnail_size": (400, 280),
    "reset_modules": ("matplotlib",),
}

# Pages
html_theme = "pydata_sphinx_theme"
html_title = f"lbw {release}"
html_static_path = ["site/static"]
html_css_files = ["lbw.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "lbw"},
    "navbar_end": ["theme-switcher"],
    "header_links_before_dropdown": 6,
    "show_prev_next": True,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "gallery/index": [], "search": []}

# Formulas are drawn by a copy of MathJax that lies beside the pages, so that they work offline.
mathjax_path = "mathjax/tex-svg.js"


def copy_mathjax(app, _):
    """Copy the one file of MathJax that the pages load."""
    import importlib.util

    package = Path(importlib.util.find_spec("sphinx-mathjax-offline").origin).parent
    target = Path(app.outdir) / "_static" / "mathjax"
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(package / "static" / "mathjax" / "tex-svg.js", target)


def copy_playground(app, _):
    """Copy the playground, if `make playground` has built it."""
    source, target = ROOT / "build" / "playground", Path(app.outdir) / "playground"
    shutil.rmtree(target, ignore_errors=True)
    if source.is_dir():
        shutil.copytree(source, target)
        page = target / "index.html"
        link = ' <a href="../index.html">Documentation</a>'
        page.write_text(page.read_text(encoding="utf-8").replace("<!-- documentation -->", link))


def setup(app):
    """Connect what is done beside the extensions."""
    for priority in (100, 900):  # before numpydoc, and after it
        app.connect("autodoc-process-docstring", docstrings.process, priority=priority)
    app.connect("build-finished", copy_mathjax)
    app.connect("build-finished", copy_playground)
