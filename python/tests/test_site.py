# SPDX-License-Identifier: MIT
"""The tools of docs/site, without Sphinx: links are rewritten, and broken pages are found."""

import importlib.util
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "site"
ROOT = FOLDER.parents[1]


@pytest.fixture(scope="module", autouse=True)
def _path_of_the_tools():
    sys.path.insert(0, str(FOLDER))
    yield
    sys.path.remove(str(FOLDER))


def tool(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


def test_links_between_pages_lead_to_their_new_places(tmp_path):
    site = tool("stage").Site(tmp_path)
    text = "[a](../../../docs/beyond.md#keys) [b](../shapes/README.md) [c](#here) [d](https://x.y)"
    moved = site.linked(text, "research/results/fairness/README.md")
    assert moved == "[a](../beyond.md#keys) [b](shapes.md) [c](#here) [d](https://x.y)"


def test_files_that_are_not_pages_are_copied(tmp_path):
    site = tool("stage").Site(tmp_path)
    moved = site.linked("![a cat](images/simplex.png) [C](../CITATION.cff)", "docs/index.md")
    assert moved == "![a cat](files/docs/images/simplex.png) [C](files/CITATION.cff)"
    copied = tmp_path / "files" / "docs" / "images" / "simplex.png"
    assert copied.read_bytes() == (ROOT / "docs" / "images" / "simplex.png").read_bytes()


def test_examples_and_headers_lead_to_generated_pages(tmp_path):
    site = tool("stage").Site(tmp_path)
    text = "[m](../examples/morph.py) [all](../examples) [h](../include/lbw)"
    moved = site.linked(text, "docs/python.md")
    assert moved == "[m](gallery/morph.rst) [all](gallery/index.rst) [h](reference/cpp.rst)"


def test_code_keeps_its_brackets(tmp_path):
    site = tool("stage").Site(tmp_path)
    text = "```python\nx[0](no.md)\n```\n"
    assert site.linked(text, "docs/python.md") == text


def test_a_link_that_leads_nowhere_names_the_page(tmp_path):
    site = tool("stage").Site(tmp_path)
    with pytest.raises(SystemExit, match=r"docs/python.md: the link to no.md leads nowhere"):
        site.linked("[x](no.md)", "docs/python.md")


def test_files_of_earlier_runs_are_removed_but_not_those_of_other_tools(tmp_path):
    (tmp_path / "gallery").mkdir()
    gallery = ["morph.py", "morph.rst", "gone.py", "gone.rst", "gone.py.md5"]
    for name in ("old.md", *(f"gallery/{name}" for name in gallery)):
        (tmp_path / name).write_text("")
    site = tool("stage").Site(tmp_path)
    site.write("new.md", "text")
    site.remove_stale()
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {"new.md", "gallery/morph.py", "gallery/morph.rst"}


def test_optional_entries_of_a_table_of_contents_need_their_page():
    stage = tool("stage")
    text = "```{toctree}\npython\nonnx?\nprogram?\n```\n"
    expected = "```{toctree}\npython\nonnx\n```\n"
    assert stage.with_optional_entries(text, {"docs/onnx.md": "onnx.md"}) == expected


def test_pages_link_to_the_playground_only_if_it_was_built(tmp_path, monkeypatch):
    stage = tool("stage")
    monkeypatch.setattr(stage, "PLAYGROUND", tmp_path / "playground")
    assert stage.with_playground("before\n<!-- playground -->\nafter") == "before\n\nafter"
    (tmp_path / "playground").mkdir()
    assert 'href="playground/index.html"' in stage.with_playground("<!-- playground -->")
    assert "<!-- playground -->" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")


def test_a_docstring_without_a_title_gets_one():
    stage = tool("stage")
    code = '# SPDX\n"""Say what it does.\n\nMore text.\n"""\nprint()\n'
    assert '"""\nSay what it does\n================\n\nMore text.\n' in stage.with_title(code)
    titled = '"""\nTitle\n=====\n\nText.\n"""\n'
    assert stage.with_title(titled) == titled


def test_examples_keep_their_order_and_new_ones_come_last():
    gallery = tool("gallery")
    assert {f"{name}.py" for name in gallery.FIRST} <= {
        path.name for path in (ROOT / "examples").glob("*.py")
    }
    names = sorted(["zebra.py", "from_cpp.py", "morph.py"], key=gallery.Order(""))
    assert names == ["morph.py", "from_cpp.py", "zebra.py"]


def test_every_public_header_has_a_topic_and_names_its_purpose():
    reference = tool("cpp_reference")
    listed = {name for _, names in reference.TOPICS.values() for name in names}
    headers = {path.stem for path in (ROOT / "include" / "lbw").glob("*.hpp")}
    assert listed == (headers - {"lbw"}) | {"version"}
    for name in headers:
        assert reference.purpose(ROOT / "include" / "lbw" / f"{name}.hpp").endswith(".")


def test_the_python_reference_lists_every_export():
    import lbw

    reference = tool("python_reference")
    page = reference.module_page("lbw")
    for name in lbw.__all__:
        if name not in {"__version__", "io", "metrics", "plot"}:
            assert f"   {name}\n" in page


def page(body):
    return f"<html><head></head><body>{body}</body></html>"


def site_of(folder, **pages):
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(page(text))
    return tool("check_html").problems(folder)


def test_a_good_site_has_no_problems(tmp_path):
    index = (
        '<a href="other.html#there">x</a><a href="https://a.b">y</a><a href="#top" id="top">z</a>'
    )
    assert site_of(tmp_path, index=index, other='<p id="there"></p>') == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<a href="gone.html">x</a>', "index.html: gone.html leads nowhere"),
        ('<a href="#gone">x</a>', "index.html: #gone has no such anchor"),
        ('<img src="gone.png">', "index.html: gone.png leads nowhere"),
        (
            '<script src="https://cdn.x/y.js"></script>',
            "index.html: loads https://cdn.x/y.js from the network",
        ),
        (
            '<link rel="stylesheet" href="//x.y/z.css">',
            "index.html: loads //x.y/z.css from the network",
        ),
    ],
)
def test_problems_of_pages_are_found(tmp_path, body, expected):
    assert site_of(tmp_path, index=body) == [expected]


def test_problems_of_styles_are_found(tmp_path):
    (tmp_path / "a.css").write_text('@import "https://x.y/f.css"; p { background: url(gone.png) }')
    assert site_of(tmp_path, index="") == [
        "a.css: gone.png leads nowhere",
        "a.css: loads https://x.y/f.css from the network",
    ]


def test_a_folder_without_a_start_page_is_a_problem(tmp_path):
    assert "has no index.html" in tool("check_html").problems(tmp_path)[0]
