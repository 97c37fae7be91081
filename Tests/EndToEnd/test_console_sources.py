"""The files of the console's pages, read as text: what none of them may do, and what none of them needs any more."""
import re

from console_browser import ROOT

WEB = ROOT / "Web"
#: Classes that scripts put together: kinds of buttons and notices, sizes of notifications, lines of charts.
MADE = {"danger", "info", "expanded", "s1", "s2", "s3", "s4", "s5"}


def texts(*kinds):
    return {file: file.read_text() for file in sorted(WEB.rglob("*")) if file.suffix in kinds}


def test_no_file_of_the_pages_parses_html_or_names_another_host():
    for file in sorted((ROOT / "Web").rglob("*")):
        if file.suffix not in {".js", ".html", ".css", ".svg"}:
            continue
        text = file.read_text().replace("http://www.w3.org/", "")
        for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc"]:
            assert word not in text, f"{file.name}: {word}"
        assert not re.search(r"""["'(]https?://\w""", text), file.name


def test_every_class_of_the_styles_is_one_that_pages_have():
    rules = re.sub(r"\{[^}]*\}", " ", re.sub(r"/\*.*?\*/", "", "".join(texts(".css").values()), flags=re.S))
    styled = set(re.findall(r"\.([a-z][\w-]*)", rules))
    given = set()
    for text in texts(".js", ".html").values():
        for line in re.findall(r"(?:class(?:Name)?['\"]?\s*[:=]|classList\.\w+\()(.*)", text):
            given.update(re.findall(r"[\w-]+", line))
    assert styled - given - MADE == set()


def test_every_name_that_a_file_imports_or_exports_is_used():
    scripts = texts(".js")
    for file, text in scripts.items():
        code = re.sub(r"^import .*?;$", "", text, flags=re.M | re.S)
        for names, place in re.findall(r"^import \{([^}]*)\} from '([^']+)';", text, flags=re.M):
            exports = (file.parent / place).resolve().read_text()
            for name in filter(None, map(str.strip, names.split(","))):
                origin, own = (name.split(" as ") * 2)[:2] if " as " in name else (name, name)
                assert re.search(rf"^export (async )?(function|const|class) {origin}\b", exports, re.M), (file.name, name)
                assert re.search(rf"\b{own}\b", code), f"{file.name} does not use {own}"
        for name in re.findall(r"^export (?:async )?(?:function|const|class) (\w+)", text, flags=re.M):
            others = "".join(each for other, each in scripts.items() if other != file)
            assert re.search(rf"\b{name}\b", others), f"{file.name}: nobody imports {name}"
