"""Compares a page of `align --html` with the report of `align --json` of the same run: check_html_report.py HTML JSON.
The page loads nothing, its ids and links fit, every plot and table has a name, and its numbers are those of JSON."""
import html.parser, json, re, sys

VOID = {"meta", "br", "hr", "img", "input", "link"}


class Page(html.parser.HTMLParser):
    """Ids, links, numbers with a path in the JSON report, and the rows of each figure's table."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.numbers, self.figures = [], [], [], [], {}
        self.text, self.figure, self.captions, self.tables = None, None, 0, 0
        self.plots = self.named_plots = 0

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if len(a) != len(attributes):
            sys.exit(f"<{tag}> has an attribute twice")
        if "id" in a:
            self.ids.append(a["id"])
        for name in ("src", "href", "xlink:href", "data", "poster", "srcset", "action"):
            if name in a:
                self.links.append(a[name])
        if "style" in a and "url(" in a["style"]:
            sys.exit("a style has a url")
        if any(name.startswith("on") for name in a):
            sys.exit(f"<{tag}> has a script of its own")
        if tag == "table":
            self.tables += 1
        if tag == "caption":
            self.captions += 1
        if a.get("class") == "plot":
            self.plots += 1
            self.named_plots += a.get("role") == "img" and len(a.get("aria-label", "")) > 20
        if tag == "figure":
            self.figure = self.figures.setdefault(a["id"], [])
        if tag == "tr" and self.figure is not None and "data-x" in a:
            self.figure.append([])
        if tag in ("td", "th", "b"):
            self.text = ""
            if "data-json" in a:
                self.numbers.append([a["data-json"], a["data-value"], None])
            self.has_path = "data-json" in a

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            sys.exit(f"</{tag}> closes another element")
        if tag in ("td", "th", "b") and self.text is not None:
            if self.has_path:
                self.numbers[-1][2] = self.text
            if tag != "b" and self.figure:
                self.figure[-1].append(self.text)
            self.text = None
        if tag == "figure":
            self.figure = None

    def handle_data(self, data):
        if self.text is not None:
            self.text += data


def same(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {str(found)[:200]}, wanted {str(wanted)[:200]}")


def decimal(value, digits):
    return "\u2013" if value is None else f"{value:,.{digits}f}"


def close(what, texts, wanted, digits):
    """Texts rounded to so many digits, of numbers that JSON has with six."""
    same(f"{what}, size", len(texts), len(wanted))
    for text, value in zip(texts, wanted):
        if (text == "\u2013") != (value is None):
            sys.exit(f"{what}: {text} for {value}")
        if value is not None and abs(float(text.replace(",", "")) - value) > 0.51 * 10**-digits + 2e-5 * abs(value):
            sys.exit(f"{what}: {text} for {value}")


text = open(sys.argv[1], encoding="utf-8").read()
report = json.load(open(sys.argv[2]))
page = Page()
page.feed(text)
page.close()
same("open elements at the end", page.open, [])
same("ids that are there twice", sorted({i for i in page.ids if page.ids.count(i) > 1}), [])
for link in page.links:
    if not link.startswith("#") or link[1:] not in page.ids:
        sys.exit(f"a link leads to {link}")
outside = re.findall(r"@import[^\n]*|url\([^\n]*|https?://[^\s\"']*", text)
same("addresses", set(outside), {"http://www.w3.org/1999/xhtml"})  # the name of XHTML, which nobody loads
same("tables with captions", page.captions, page.tables)
same("plots with names", page.named_plots, page.plots)
if page.plots < 4 or page.tables < 8:
    sys.exit(f"only {page.plots} plots and {page.tables} tables")

seen = set()
for path, value, shown in page.numbers:
    member = report
    for name in path.split("."):
        member = member[int(name)] if isinstance(member, list) else member[name]
    same(path, float(value) if value != "null" else None, member)
    if isinstance(member, int) and not path.endswith(("_depth", "_share")):
        same(f"{path}, as shown", shown, f"{member:,}")
    seen.add(path)
for group in ("reads", "records", "duplicates"):
    for name in report.get(group, {}):
        path = f"{group}.{name}" if name != "libraries" else "duplicates.libraries.0.read_pairs_examined"
        if path not in seen and (group, name) != ("reads", "mapped"):
            sys.exit(f"{group}.{name} is not on the page")

figures = page.figures
column = lambda name, i: [row[i] for row in figures[name]]
same("mapping qualities", column("mapq", 1), [f"{n:,}" for n in report["mapping_qualities"]])
windows = [depth for contig in report["coverage"]["contigs"] for depth in contig["depth"]]
if len(report["coverage"]["contigs"]) <= 100:
    close("depth", column("depth", 1), windows, 2)
ends = [end for end in ("reads", "first_mates", "second_mates") if end in report["base_qualities"]]
for i, end in enumerate(ends):
    at = report["base_qualities"][end]
    if not at["bases"]:
        continue
    rows = figures[f"qualities-{i + 1}"]
    if len(rows) == len(at["bases"]):
        for k, name in enumerate(("lower_quartile", "upper_quartile", "median")):
            same(f"{end} {name}", [row[1 + k] for row in rows], [str(n) for n in at[name]])
        close(f"{end} mean quality", [row[4] for row in rows], at["mean"], 2)
    for name, rate in (("mismatches", "mismatch"), ("insertions", "insertion"), ("deletions", "deletion"), ("clips", "soft_clip")):
        percent = [n if n is None else 100 * n for n in report["by_position"][end][f"{rate}_rate"]]
        shown = column(name, 1 + i)
        if len(percent) <= 300:
            close(f"{end} {name}", shown[: len(percent)], percent, 4)
for i, end in enumerate(end for end in [*ends, "long_reads"] if sum(report["gc_percent"].get(end, []))):
    reads = report["gc_percent"][end]
    total = sum(float(share) for share in column("gc", 1 + i))
    if len(reads) != 101 or not 99 < total < 101:
        sys.exit(f"GC content of {end} adds up to {total} %")
for i, group in enumerate(sorted(report.get("insert_sizes", []), key=lambda group: -group["pairs"])[:12]):
    if group["proper_sizes"]:
        pairs = sum(int(n.replace(",", "")) for row in figures[f"inserts-{i + 1}"] for n in row[1:])
        same("pairs by insert size", pairs, sum(n for size, n in group["proper_sizes"]))
if "long_reads" in report:
    reads = [int(n.replace(",", "")) for n in column("lengths", 1)]
    same("long reads by length", sum(reads), report["long_reads"]["reads"])
    identities = [int(n.replace(",", "")) for n in column("identities", 1)]
    same("identities", identities, report["long_reads"]["identity_percent"][-len(identities):])
print(f"{len(page.numbers)} numbers, {page.plots} plots, {len(text)} bytes")
