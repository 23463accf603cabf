"""The documentation as a site, by Sphinx: ./slotwise docs writes it to target/site. It loads nothing from anywhere else."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import pages  # noqa: E402

project = "Slotwise"
author = "Slotwise"
html_title = "Slotwise"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["examples"]
# The anchors of headings, the same as on GitHub.
myst_heading_anchors = 4
html_theme = "furo"
html_baseurl = "https://slotwise.io/docs/"
html_favicon = html_logo = str(pages.ROOT / "src/main/resources/META-INF/resources/board/mark.svg")
html_copy_source = False
html_show_sphinx = False
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]


def setup(app):
    app.connect("source-read", pages.read)
