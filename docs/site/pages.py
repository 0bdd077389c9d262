#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: pages.py SOURCES VERSION OUTPUT DEPFILE | pages.py --links FOLDER

Writes the HTML pages to the folder OUTPUT: an index, the guide (docs/*.md) and a
page for each element. The pads, properties and signals on it are read from the
element itself, which GStreamer must find, and its text from the comment at the
beginning of its source. Fails if a link between the pages leads nowhere, or if
the guide does not name a property. DEPFILE gets the files that were read.

With --links only checks all links in a folder of pages, those of the API included.
"""

import html
import os
import pathlib
import re
import shutil
import sys

import gi
gi.require_version("Gst", "1.0")
from gi.repository import GObject, Gst
import markdown

# Further pages of docs/ follow those for users.
GUIDE = {
    "For users": ["guide", "README", "install", "elements", "foreground", "tracking", "meta",
                  "recipes", "measuring", "cameras", "archives", "containers", "cookbook-python",
                  "bindings", "SECURITY"],
    "For engineers": ["CONTRIBUTING", "design", "testing", "performance", "RELEASING", "NEWS"],
}
ABOVE = {"README": "README.md", "guide": "docs/README.md",
         "SECURITY": "SECURITY.md", "CONTRIBUTING": "CONTRIBUTING.md", "NEWS": "NEWS",
         "RELEASING": "packaging/RELEASING.md"}
PLUGINS = {"cca": "On the CPU", "cudacca": "On NVIDIA GPUs"}
FLAGS = {Gst.PARAM_MUTABLE_PLAYING: "any time", Gst.PARAM_MUTABLE_PAUSED: "PAUSED",
         Gst.PARAM_MUTABLE_READY: "READY"}

LAYOUT = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<header><a class="name" href="index.html">gst-cudacca</a> <span>{version}</span>
<a class="contents" href="#contents">Contents</a></header>
<nav id="contents">{navigation}</nav>
<main{kind}>{body}</main>
</body>
</html>
"""


def escape(text):
    return html.escape(str(text), quote=False)


def table(head, rows):
    cells = "".join(f"<th>{h}</th>" for h in head)
    lines = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows)
    return f'<div class="table"><table><tr>{cells}</tr>{lines}</table></div>'


class Element:
    """An element of ours: what it says of itself, and the comment in its source."""

    def __init__(self, name, plugin, source):
        self.name, self.plugin, self.source = name, plugin, source
        self.factory = Gst.ElementFactory.find(name)
        comment = re.search(r"SECTION:element-\w+\n(.*?)\n \*/", source.read_text(), re.S)[1]
        comment = re.sub(r"^ \* ?", "", comment, flags=re.M)
        self.short = re.search(r"@short_description: (.*)", comment)[1]
        self.text = re.sub(r"^@\w+:.*\n|^Since: .*", "", comment, flags=re.M)
        self.see = re.findall(r"\w+", (re.search(r"@see_also: (.*)", comment) or ["", ""])[1])

    def about(self):
        """The comment in Markdown: gtk-doc's marks are replaced."""
        text = re.sub(r"^\|\[\n(.*?)^\]\|", r"```\n\1```\n\n", self.text, flags=re.M | re.S)
        text = re.sub(r"^( *)[-*] ", r"\1\1* ", text, flags=re.M)
        return re.sub(r"(?<![\w`])[#%@](\w+(?:[:-]+\w+)*)", r"`\1`", text)

    def own_properties(self):
        klass = self.factory.load().get_element_type()
        base = {p.name for p in GObject.list_properties(Gst.Element)}
        return [p for p in sorted(GObject.list_properties(klass), key=lambda p: p.name)
                if p.name not in base and p.owner_type.name not in ("GstBaseTransform", "GstBin")]

    def properties(self):
        for p in self.own_properties():
            yield (f'<code id="{p.name}">{p.name}</code>', values(p), default(p),
                   change(p), escape(p.blurb))

    def page(self):
        see = ", ".join(f'<a href="{n}.html"><code>{n}</code></a>' for n in self.see)
        parts = [f"<h1>{self.name}</h1>", f'<p class="short">{escape(self.short)}</p>',
                 render(self.about()), f"<p>See also: {see}</p>" if see else ""]
        if self.factory is None:
            parts.append("<p>The properties of this element are not listed here, as these pages "
                         "were made on a machine without an NVIDIA driver. "
                         '<a href="elements.html">Elements</a> describes them, and '
                         f"<code>gst-inspect-1.0 {self.name}</code> lists them.</p>")
            return "".join(parts)
        element = self.factory.load().create(None)
        pads = [(f"<code>{t.name_template}</code>", t.direction.value_nick,
                 t.presence.value_nick, f"<pre>{escape(caps(t))}</pre>")
                for t in self.factory.get_static_pad_templates()]
        parts += ["<h2>Pads</h2>", table(["name", "direction", "presence", "caps"], pads)]
        rows = list(self.properties())
        if rows:
            parts += ["<h2>Properties</h2>",
                      table(["name", "values", "default", "changeable", "meaning"], rows)]
        rows = [signal(element, s) for s in GObject.signal_list_names(type(element))]
        if rows:
            parts += ["<h2>Signals</h2>", table(["name", "signature", "kind"], rows)]
        types, t = [], type(element).__gtype__
        while t.name != "GObject":
            types.insert(0, t.name)
            t = t.parent
        parts += ["<h2>Element</h2>", table(["", ""], [
            ("class", escape(self.factory.get_metadata("klass"))),
            ("plugin", f"<code>{self.plugin}</code>"),
            ("type", " › ".join(f"<code>{t}</code>" for t in types))])]
        return "".join(parts)


def caps(template):
    return re.sub(r", (?=[\w-]+=)", ",\n  ", template.get_caps().to_string().replace("; ", "\n"))


def preset(p):
    try:
        return p.get_default_value()
    except AttributeError:  # PyGObject before 3.50
        return getattr(p, "default_value", None)
    except TypeError:       # PyGObject has no arrays of GStreamer
        return None


def values(p):
    kind = type(preset(p))
    if issubclass(kind, GObject.GEnum):
        return "<br>".join(f"<code>{v.value_nick}</code> {escape(v.value_name)}"
                           for _, v in sorted(kind.__enum_values__.items()))
    if issubclass(kind, GObject.GFlags):
        return "<br>".join(f"<code>{v.first_value_nick}</code> {escape(v.first_value_name)}"
                           for _, v in sorted(kind.__flags_values__.items()))
    if kind is bool:
        return "boolean"
    if kind is int:
        return f"{p.minimum}..{p.maximum}"
    return "string" if p.value_type == GObject.TYPE_STRING else f"<code>{p.value_type.name}</code>"


def default(p):
    value = preset(p)
    if isinstance(value, GObject.GEnum):
        return f"<code>{value.value_nick}</code>"
    if isinstance(value, GObject.GFlags):
        return f"<code>{'+'.join(value.value_nicks) or 'none'}</code>"
    if isinstance(value, bool):
        return str(value).lower()
    return escape(value) if isinstance(value, (int, float, str)) and value != "" else "none"


def change(p):
    if not p.flags & GObject.ParamFlags.WRITABLE:
        return "read only"
    if p.flags & GObject.ParamFlags.CONSTRUCT_ONLY:
        return "at construction"
    return next((name for flag, name in FLAGS.items() if p.flags & flag), "NULL, READY")


def signal(element, name):
    query = GObject.signal_query(name, type(element))
    takes = ", ".join(t.name for t in query.param_types)
    returns = query.return_type.name
    action = query.signal_flags & GObject.SignalFlags.ACTION
    return (f'<code id="{name}">{name}</code>', f"<code>({takes}) → {returns}</code>",
            "action: the application emits it" if action else "the element emits it")


def render(text, base=None):
    """Markdown as HTML. Links to other pages of the guide become links between HTML pages."""
    made = markdown.markdown(text, extensions=["tables", "fenced_code", "toc", "sane_lists"])
    made = made.replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")
    return re.sub(r'(href|src)="([^":#]+)(#[^"]*)?"', lambda m: link(m, base), made) if base else made


def link(match, base):
    kind, target, anchor = match[1], match[2], match[3] or ""
    path = (base.parent / target).resolve()
    if path in PAGES:
        return f'{kind}="{PAGES[path]}.html{anchor}"'
    if kind == "src" or path.suffix in (".png", ".svg", ".jpg"):
        PICTURES.add(path)
        return f'{kind}="{path.name}"'
    # Sources are not part of the pages.
    return f'class="source" title="{html.escape(target)} in the sources"'


def guide_page(path):
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.S)
    if path.suffix != ".md":
        return f"<h1>{path.name}</h1><pre class='text'>{escape(text)}</pre>"
    # Python's Markdown needs a blank line before a list.
    text = re.sub(r"^(?![-*|>#\s]|\d+\. )(.+)\n(?=- |\d+\. )", r"\1\n\n", text, flags=re.M)
    return render(text, path)


def title_of(path):
    if path.name == "README.md" and path.parent.name != "docs":
        return "Quick start, installation"
    if path.suffix != ".md":
        return path.name
    return re.search(r"^# (.*)", path.read_text(encoding="utf-8"), re.M)[1].replace("`", "")


def find_elements(gst):
    for source in sorted(gst.glob("*cca/gst*.c")):
        if match := re.search(r"SECTION:element-(\w+)", source.read_text()):
            yield Element(match[1], source.parent.name, source)


def index(sources, elements):
    readme = (sources / "README.md").read_text(encoding="utf-8")
    about = readme.split("\n", 2)[2].split("\n\n")[0]
    picture, pipelines = re.search(r"(!\[.*?)\n+```\n(.*?)```", readme, re.S).groups()
    tasks = (sources / "docs/README.md").read_text(encoding="utf-8")
    tasks = render(re.search(r"(^\| I want to.*?)\n\n", tasks, re.M | re.S)[1],
                   sources / "docs/README.md")
    tasks = "".join(f"<div>{task}<span>{pages}</span></div>"
                    for task, pages in re.findall(r"<td>(.*?)</td>\s*<td>(.*?)</td>", tasks))
    cards = ""
    for plugin, heading in PLUGINS.items():
        cards += f'<h2>{heading}</h2><div class="cards">' + "".join(
            f'<a href="{e.name}.html"><b>{e.name}</b>{escape(e.short)}</a>'
            for e in elements if e.plugin == plugin) + "</div>"
    return ("<h1>gst-cudacca</h1>" + render(about, sources / "README.md")
            + f"<figure>{render(picture, sources / 'README.md')}</figure>"
            + f"<pre><code>{escape(pipelines)}</code></pre>"
            + f'<h2>I want to …</h2><div class="tasks">{tasks}</div>' + cards
            + '<h2>In programs</h2><div class="cards"><a href="api/index.html"><b>libgstcca-1.0'
              "</b>reads and writes components, lines, zones and events: API for C and "
              'introspection</a><a href="cookbook-python.html"><b>Python</b>complete programs'
              '</a><a href="bindings.html"><b>Other languages</b>Rust and others, through the '
              "C interface or JSON</a></div>")


def check_links(output):
    """Sentences on links that lead nowhere; the API may be made later."""
    pages = {p: p.read_text(encoding="utf-8") for p in output.rglob("*.html")}
    has_api = (output / "api").is_dir()
    bad, n = [], 0
    for path, text in pages.items():
        for target in re.findall(r'(?:href|src)="([^"]+)"', text):
            file, _, anchor = target.partition("#")
            if ":" in file or file.startswith("api/") and not has_api:
                continue
            n += 1
            other = pathlib.Path(os.path.normpath(path.parent / file)) if file else path
            if not other.is_file():
                bad.append(f"{path.relative_to(output)}: there is no {file}")
            elif anchor and f'id="{anchor}"' not in pages[other]:
                bad.append(f"{path.relative_to(output)}: {file or path.name} has no #{anchor}")
    print(f"{n} links on {len(pages)} pages")
    return bad


def check_properties(sources, elements):
    """Sentences on properties that the guide does not name in its tables or its text."""
    bad = []
    for element in elements:
        text = (sources / "docs" / "elements.md").read_text(encoding="utf-8")
        if element.name == "ccatrack":
            text += (sources / "docs" / "tracking.md").read_text(encoding="utf-8")
        if element.factory is not None:
            bad += [f"docs/elements.md: property {p.name} of {element.name} is missing"
                    for p in element.own_properties() if f"`{p.name}`" not in text]
    return bad


PAGES, PICTURES = {}, set()


def main(sources, version, output, depfile):
    Gst.init(None)
    sources, output = pathlib.Path(sources).resolve(), pathlib.Path(output)
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    elements = list(find_elements(sources / "gst"))
    groups = {}
    listed = {name for names in GUIDE.values() for name in names} | {"README"}
    rest = sorted(p.stem for p in (sources / "docs").glob("*.md") if p.stem not in listed)
    for group, names in GUIDE.items():
        for name in names + (rest if group == "For users" else []):
            path = sources / ABOVE.get(name, f"docs/{name}.md")
            if path.exists():
                page = PAGES[path] = name.lower()
                groups.setdefault(group, []).append((page, title_of(path), path))
    navigation = ""
    for group, pages in groups.items():
        navigation += f"<h2>{group}</h2>" + "".join(
            f'<a href="{page}.html">{escape(title)}</a>' for page, title, _ in pages)
        if group == "For users":
            navigation += "<h2>Elements</h2>" + "".join(
                f'<a href="{e.name}.html"><code>{e.name}</code></a>' for e in elements)
            navigation += '<h2>Library</h2><a href="api/index.html">API of libgstcca-1.0</a>'

    def write(page, title, body, kind=""):
        here = navigation.replace(f'href="{page}.html"', f'href="{page}.html" aria-current="page"')
        (output / f"{page}.html").write_text(
            LAYOUT.format(title=escape(title), version=version, navigation=here, body=body,
                          kind=kind),
            encoding="utf-8")

    write("index", "gst-cudacca", index(sources, elements))
    for pages in groups.values():
        for page, title, path in pages:
            write(page, f"{title} – gst-cudacca", guide_page(path))
    for element in elements:
        write(element.name, f"{element.name} – gst-cudacca", element.page(),
              ' class="element"')
    for picture in PICTURES:
        shutil.copyfile(picture, output / picture.name)
    style = pathlib.Path(__file__).with_name("style.css")
    shutil.copyfile(style, output / "style.css")
    read = [style, *PAGES, *PICTURES, *(e.source for e in elements)]
    pathlib.Path(depfile).write_text(f"{output}: " + " ".join(
        re.sub(r"([ #$\\])", r"\\\1", str(p)) for p in read) + "\n")
    bad = check_links(output) + check_properties(sources, elements)
    print(*bad, sep="\n", end="\n" if bad else "")
    print(f"{len(list(output.glob('*.html')))} pages, {len(elements)} elements")
    return int(bool(bad))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--links"] and len(sys.argv) == 3:
        sys.exit("\n".join(check_links(pathlib.Path(sys.argv[2]))) or 0)
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    os.environ.setdefault("GST_REGISTRY_FORK", "no")
    sys.exit(main(*sys.argv[1:]))
