# SPDX-License-Identifier: MIT
"""Write the pages of the C++ reference from the public headers, in the order of the headers.

Doxygen has read the headers. A directive of Breathe for each declaration inserts what it found.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# The public headers by topic, in the order in which a reader needs them.
TOPICS = {
    "transport": ("Transport", ["fit_transport", "transport", "dither"]),
    "mixtures": ("Mixtures", ["mixture", "fit_mixture", "moment_sums", "sample_source"]),
    "gaussians": ("Gaussians", ["gaussian"]),
    "matching": ("Assignment and plans", ["assignment"]),
    "quantiles": ("Quantile maps", ["quantile"]),
    "reports": ("Reports and parity", ["report", "parity"]),
    "files": ("Files and pictures", ["io", "tensor_file", "picture"]),
    "types": ("Types and options", ["types", "samples", "matrix", "options", "suggestion"]),
    "other": ("Version and old names", ["version", "deprecated"]),
}
UMBRELLA = "lbw"  # includes all other headers
CONFIGURED = "version"  # CMake writes it

DIRECTIVES = {
    "struct": "doxygenstruct",
    "class": "doxygenclass",
    "enum": "doxygenenum",
    "typedef": "doxygentypedef",
    "variable": "doxygenvariable",
    "function": "doxygenfunction",
}
# Parts that a reader of the headers needs, but not a user of the library.
INTERNAL = {"containers_of_the_library", "is_eigen_map", "throw_unknown_name", "EigenMatrixOf"}
WITHOUT_MEMBERS = {"MatrixOf"}  # they are those of Eigen's matrices


@dataclass
class Declaration:
    """A declaration of a header, and where it stands."""

    header: str
    line: int
    kind: str
    name: str
    signature: str = ""

    @property
    def directive(self) -> str:
        """The directive of Breathe that documents it."""
        members = self.kind in ("struct", "class") and self.name not in WITHOUT_MEMBERS
        options = "   :members:\n" if members else ""
        return f".. {DIRECTIVES[self.kind]}:: lbw::{self.name}{self.signature}\n{options}"


def declarations(xml: Path) -> list[Declaration]:
    """Return what Doxygen found in the namespace lbw, in the order of the headers."""
    found = [compound_of(path) for path in (*xml.glob("struct*.xml"), *xml.glob("class*.xml"))]
    namespace = ElementTree.parse(xml / "namespacelbw.xml").getroot()
    found += [member_of(member) for member in namespace.iter("memberdef")]
    kept = [entry for entry in found if entry.name not in INTERNAL and "<" not in entry.name]
    # Breathe cannot tell specializations of one template apart
    times = Counter((entry.kind, entry.name, entry.signature) for entry in kept)
    names = Counter(entry.name for entry in kept if entry.kind == "function")
    for entry in kept:
        if names[entry.name] == 1:
            entry.signature = ""
    once = [entry for entry in kept if times[(entry.kind, entry.name, entry.signature)] <= 1]
    return sorted(once, key=lambda entry: (entry.header, entry.line))


def compound_of(path: Path) -> Declaration:
    """Return the declaration of a class, without a header if it is nested or not of lbw."""
    compound = ElementTree.parse(path).getroot().find("compounddef")
    assert compound is not None
    scope, _, name = str(compound.findtext("compoundname")).partition("::")
    header, line = place_of(compound)
    outside = scope != "lbw" or "::" in name
    return Declaration("" if outside else header, line, str(compound.get("kind")), name)


def member_of(member: ElementTree.Element) -> Declaration:
    """Return the declaration of a function, an enum, a type or a constant."""
    header, line = place_of(member)
    types = ["".join(node.itertext()) for node in member.findall("param/type")]
    kind = str(member.get("kind"))
    signature = f"({', '.join(types)})" if kind == "function" else ""
    return Declaration(header, line, kind, str(member.findtext("name")), signature)


def place_of(node: ElementTree.Element) -> tuple[str, int]:
    """Return the header, without folder and suffix, and the line of a declaration."""
    location = node.find("location")
    assert location is not None
    return Path(str(location.get("file"))).stem, int(str(location.get("line")))


def cpp_pages(headers: Path, xml: Path) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of the pages of the C++ reference."""
    listed = {name for _, names in TOPICS.values() for name in names}
    there = {header.stem for header in headers.glob("*.hpp")} | {CONFIGURED}
    if listed | {UMBRELLA} != there:
        differing = sorted(listed.symmetric_difference(there) - {UMBRELLA})
        raise SystemExit(f"docs/site/cpp_reference.py: TOPICS and {headers} differ in {differing}")
    entries = declarations(xml)
    for place, (title, names) in TOPICS.items():
        text = titled(title, "=")
        for name in names:
            text += titled(f"lbw/{name}.hpp", "-") + purpose(headers / f"{name}.hpp") + "\n\n"
            text += "\n".join(entry.directive for entry in entries if entry.header == name) + "\n"
        yield f"reference/cpp/{place}.rst", text
    topics = "".join(f"   cpp/{place}\n" for place in TOPICS)
    yield (
        "reference/cpp.rst",
        titled("C++ reference", "=")
        + (
            "``#include <lbw/lbw.hpp>`` includes all public headers. All names are in the "
            "namespace ``lbw``. :doc:`/cpp` shows how to use the library in a project.\n\n"
            f".. toctree::\n   :maxdepth: 2\n\n{topics}"
        ),
    )


def titled(title: str, line: str) -> str:
    """Return a heading of reStructuredText."""
    return f"{title}\n{line * len(title)}\n\n"


def purpose(header: Path) -> str:
    """Return the comment at the top of a header, which says what it is for."""
    if not header.is_file():
        return "The version of the library."
    lines = header.read_text(encoding="utf-8").split("#pragma once")[0].splitlines()
    return " ".join(line.removeprefix("//").strip() for line in lines if "SPDX" not in line).strip()
