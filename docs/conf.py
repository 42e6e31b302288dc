# The book, for Sphinx with the Markdown parser of Debian. `make docs` builds it.
project = "pychoralc"
copyright = "MIT licence"
extensions = ["myst_parser"]
html_theme = "alabaster"
html_show_sphinx = False
html_copy_source = False
myst_heading_anchors = 3
# Programs with errors, and selections of what a shell shows, are no text that a lexer can read.
suppress_warnings = ["misc.highlighting_failure"]
