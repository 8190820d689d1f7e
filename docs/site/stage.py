# SPDX-License-Identifier: MIT
"""Collect the sources of the documentation site in one folder.

The pages of this repository are plain Markdown that reads well without Sphinx: they lie in `docs/`,
at the root and in `research/results/`, and link to each other by relative paths. This script copies
them to the layout of the site, rewrites their links, and writes the pages that follow from the
code, such as those of the API reference.

    python docs/site/stage.py build/docs/source build/docs/examples build/docs/xml
"""

from __future__ import annotations

import ast
import os
import re
import sys
from pathlib import Path

from cpp_reference import cpp_pages
from python_reference import python_pages

ROOT = Path(__file__).resolve().parents[2]
PLAYGROUND = ROOT / "build" / "playground"
PLAYGROUND_MARK = "<!-- playground -->"
GALLERY = "gallery"  # Sphinx-Gallery writes it, and draws again only what has changed

LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^)\s]+)\)")
FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)
FOLDERS = {"examples": "gallery/index.rst", "include/lbw": "reference/cpp.rst", "docs": "index.md"}


def pages() -> dict[str, str]:
    """Return the place in the site of every page, by its path in the repository."""
    found = {page.relative_to(ROOT).as_posix(): page.name for page in (ROOT / "docs").glob("*.md")}
    found |= {"README.md": "index.md", "CHANGELOG.md": "changelog.md"}
    found |= {"CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}
    found |= {"research/README.md": "studies.md"}
    for page in (ROOT / "research" / "results").glob("*/README.md"):
        found[page.relative_to(ROOT).as_posix()] = f"studies/{page.parent.name}.md"
    return found


class Site:
    """The folder of the site's sources."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages = pages()
        self.written: set[Path] = set()

    def write(self, place: str, content: str | bytes) -> None:
        """Write a file unless it has this content, so that Sphinx reads only what has changed."""
        path = self.folder / place
        data = content.encode() if isinstance(content, str) else content
        self.written.add(path)
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def page(self, path: str) -> None:
        """Copy a page and rewrite its links."""
        text = (ROOT / path).read_text(encoding="utf-8")
        self.write(self.pages[path], with_playground(self.linked(text, path)))

    def linked(self, text: str, path: str) -> str:
        """Return the text of a page whose links fit the layout of the site."""

        def rewritten(match: re.Match[str]) -> str:
            return f"{match[1]}({self.target(match[2], path)})"

        parts, end = [], 0
        for fence in FENCE.finditer(text):  # code stays as it is
            parts += [LINK.sub(rewritten, text[end : fence.start()]), fence[0]]
            end = fence.end()
        return "".join([*parts, LINK.sub(rewritten, text[end:])])

    def target(self, link: str, path: str) -> str:
        """Return the link as seen from the place of the page in the site."""
        if re.match(r"[a-z]+:|#", link):
            return link
        file, _, anchor = link.partition("#")
        source = os.path.normpath(os.path.join(os.path.dirname(path), file))
        if not (ROOT / source).exists():
            raise SystemExit(f"{path}: the link to {file} leads nowhere")
        place = self.place(source)
        here = os.path.dirname(self.pages.get(path, os.path.basename(path)))
        return os.path.relpath(place, here or ".") + (f"#{anchor}" if anchor else "")

    def place(self, source: str) -> str:
        """Return the place of a file or folder of the repository; copy it if it is no page."""
        if source in self.pages:
            return self.pages[source]
        if source in FOLDERS:
            return FOLDERS[source]
        if source.startswith("examples/"):
            return f"gallery/{Path(source).stem}.rst"
        if (ROOT / source).is_dir():
            if f"{source}/README.md" in self.pages:
                return self.pages[f"{source}/README.md"]
            return self.pages["research/README.md"]
        self.write(f"files/{source}", (ROOT / source).read_bytes())
        return f"files/{source}"

    def remove_stale(self) -> None:
        """Remove files of earlier runs that no longer belong to the site."""
        examples = {script.stem for script in (ROOT / "examples").glob("*.py")}
        for path in list(self.folder.rglob("*")):
            in_gallery = path.parent == self.folder / GALLERY
            stale = path.suffix == ".py" and path.stem not in examples
            if in_gallery and stale:
                for of_example in path.parent.glob(f"{path.stem}.*"):
                    of_example.unlink()
            elif path.is_file() and path not in self.written and GALLERY not in path.parts:
                path.unlink()


def with_optional_entries(text: str, pages: dict[str, str]) -> str:
    """Return a table of contents without the entries marked by "?" whose page does not exist."""

    def entry(match: re.Match[str]) -> str:
        return f"{match[1]}\n" if f"{match[1]}.md" in pages.values() else ""

    return re.sub(r"^([\w-]+)\?\n", entry, text, flags=re.MULTILINE)


def with_playground(text: str) -> str:
    """Return a page with a link to the playground where it has a mark, if `make playground` ran."""
    link = (
        '<p><a class="lbw-playground" href="playground/index.html">Open the playground</a> and '
        "watch lbw move one shape to another, in this browser.</p>"
    )
    return text.replace(PLAYGROUND_MARK, link if PLAYGROUND.is_dir() else "")


def stage_examples(folder: Path) -> None:
    """Copy the examples, so that what they write stays out of the repository."""
    examples = Site(folder)
    examples.write("GALLERY_HEADER.rst", (ROOT / "docs/site/gallery.rst").read_text())
    for script in sorted((ROOT / "examples").glob("*.py")):
        examples.write(script.name, with_title(script.read_text(encoding="utf-8")))
    examples.remove_stale()


def with_title(code: str) -> str:
    """Return a script whose docstring starts with a title, as Sphinx-Gallery needs it."""
    docstring = ast.get_docstring(ast.parse(code), clean=False) or ""
    title, _, rest = docstring.strip().partition("\n")
    if rest.startswith("==="):
        return code
    title = title.rstrip(".")
    return code.replace(docstring, f"\n{title}\n{'=' * len(title)}\n{rest}\n", 1)


def main() -> None:
    """Collect all sources of the site."""
    site = Site(Path(sys.argv[1]).resolve())
    for path in site.pages:
        if path != "README.md":  # docs/index.md is the start page instead
            site.page(path)
    for page in sorted((ROOT / "docs/site/pages").glob("*")):
        text = page.read_text(encoding="utf-8")
        if page.name == "index.md":  # the tables of contents of the start page
            text = site.linked((ROOT / "docs/index.md").read_text(), "docs/index.md") + "\n" + text
        site.write(page.name, with_optional_entries(with_playground(text), site.pages))
    for place, text in (*python_pages(), *cpp_pages(ROOT / "include/lbw", Path(sys.argv[3]))):
        site.write(place, text)
    site.remove_stale()
    stage_examples(Path(sys.argv[2]).resolve())


if __name__ == "__main__":
    main()
