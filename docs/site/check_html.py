# SPDX-License-Identifier: MIT
"""Check the links of the documentation site, and that it loads nothing from the network.

    python docs/site/check_html.py build/docs/html

Every relative link must lead to a file and, if it has one, to an anchor of that file. Scripts,
styles, pictures and fonts must lie beside the pages, so that the site works offline and from
`file://`.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {
    ("script", "src"),
    ("img", "src"),
    ("iframe", "src"),
    ("source", "src"),
    ("video", "src"),
    ("object", "data"),
    ("embed", "src"),
}
NOT_LOADED = {"canonical", "alternate", "author", "license", "search", "index", "next", "prev"}
STYLE_URL = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")
REMOTE = ("http://", "https://", "//")


class Page(HTMLParser):
    """The anchors of a page, its links, and the files that it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note the anchors and addresses of a tag."""
        values = {name: value for name, value in attributes if value is not None}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        for name, value in values.items():
            if (tag, name) in LOADED:
                self.loads.append(value)
        if tag == "link" and not NOT_LOADED & set(values.get("rel", "").split()):
            self.loads.append(values.get("href", ""))
        if tag == "a" and "href" in values:
            self.links.append(values["href"])


def read_pages(folder: Path) -> dict[Path, Page]:
    """Return all pages of the site by their paths."""
    paths = (path for path in folder.rglob("*.html") if "_static" not in path.parts)
    return {path: Page(path.read_text(encoding="utf-8")) for path in paths}


def problem_of_address(address: str, path: Path, pages: dict[Path, Page]) -> str | None:
    """Return what is wrong with a relative address, or None."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return None
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return f"{address} leads nowhere"
    anchor = unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].anchors:
        return f"{address} has no such anchor"
    return None


def problems_of_page(path: Path, pages: dict[Path, Page]) -> list[str]:
    """Return what is wrong with the addresses of a page."""
    page = pages[path]
    found = [f"loads {load} from the network" for load in page.loads if load.startswith(REMOTE)]
    for address in dict.fromkeys(page.links + page.loads):
        problem = problem_of_address(address, path, pages)
        if problem and address != "#":
            found.append(problem)
    return found


def problems_of_style(path: Path) -> list[str]:
    """Return the addresses of a style sheet that are on the network or missing."""
    found = []
    for first, second in STYLE_URL.findall(path.read_text(encoding="utf-8", errors="replace")):
        address = first or second
        if address.startswith(REMOTE):
            found.append(f"loads {address} from the network")
        elif not address.startswith(("data:", "#")):
            file = path.parent / unquote(urlsplit(address).path)
            if not file.is_file():
                found.append(f"{address} leads nowhere")
    return found


def problems(folder: Path) -> list[str]:
    """Return all problems of a site."""
    folder = folder.resolve()
    pages = read_pages(folder)
    if folder / "index.html" not in pages:
        return [f"{folder} has no index.html"]
    found = {path: problems_of_page(path, pages) for path in pages}
    found |= {path: problems_of_style(path) for path in folder.rglob("*.css")}
    return sorted(f"{path.relative_to(folder)}: {text}" for path in found for text in found[path])


if __name__ == "__main__":
    broken = problems(Path(sys.argv[1]))
    print("\n".join(broken) or "all links lead somewhere, and nothing comes from the network")
    sys.exit(1 if broken else 0)
