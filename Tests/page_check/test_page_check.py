"""Self-test of page_check.py: a good report passes, and whatever is tampered with in it is found.

usage: PAGECHECK_REPORT=… PAGECHECK_EXPORTS=… python3 -m unittest -v test_page_check        (in this folder)
PAGECHECK_REPORT and PAGECHECK_EXPORTS name a report that the program made, and its exports.
After each change the manifest is hashed anew, so that the change itself has to be found and not only its hash.
"""
import csv
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import page_check

HERE = os.path.dirname(os.path.abspath(__file__))
REPORT = os.environ["PAGECHECK_REPORT"]
EXPORTS = os.environ["PAGECHECK_EXPORTS"]


class Tampered(unittest.TestCase):
    reads_page = True

    @classmethod
    def setUpClass(cls):
        cls.base = page_check.run(REPORT, EXPORTS).lines

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.report = os.path.join(self.folder, "report")
        shutil.copytree(REPORT, self.report)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def path(self, name):
        return os.path.join(self.report, name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return file.read()

    def write(self, name, text, rehash=True):
        with open(self.path(name), "w", encoding="utf-8", newline="") as file:
            file.write(text)
        if rehash:
            self.rehash()

    def rehash(self):
        manifest = json.loads(self.read("manifest.json"))
        for entry in manifest["files"]:
            with open(self.path(entry["name"]), "rb") as file:
                content = file.read()
            entry.update(bytes=len(content), sha256=hashlib.sha256(content).hexdigest())
        self.write("manifest.json", json.dumps(manifest), rehash=False)

    def found(self, what):
        new = [line for line in page_check.run(self.report, EXPORTS, self.reads_page).lines if line not in self.base]
        self.assertTrue(new, f"not found: {what}")
        return new

    def restore(self, name):
        shutil.copy(os.path.join(REPORT, name), self.path(name))

    def tables(self):
        return sorted(name for name in os.listdir(REPORT) if name.endswith(".csv"))


class GoodReport(Tampered):
    def test_good_report_passes(self):
        self.assertEqual(self.base, [])

    def test_exit_status(self):
        program = [sys.executable, os.path.join(HERE, "page_check.py")]
        self.assertEqual(subprocess.run(program + [REPORT, EXPORTS], capture_output=True).returncode, 1 if self.base else 0)
        self.assertEqual(subprocess.run(program + [REPORT, self.folder], capture_output=True).returncode, 2)
        self.assertEqual(subprocess.run(program, capture_output=True).returncode, 2)
        self.write("inputs.csv", self.read("inputs.csv").replace(",import,", ",api,"))
        self.assertEqual(subprocess.run(program + [self.report, EXPORTS], capture_output=True).returncode, 1)


class Page(Tampered):
    def change(self, page, start, end, text):
        self.write("report.html", page[:start] + text + page[end:])
        new = self.found(page[start:end])
        self.assertTrue(any("report.html" in line for line in new), new)

    def test_every_figure(self):
        page = self.read("report.html")
        section = page.index('class="figures"'), page.index('class="charts"')
        spans = [match.span(1) for match in re.finditer(r">([^<>]*\d[^<>]*)<", page) if section[0] < match.start() < section[1]]
        self.assertGreaterEqual(len(spans), 12)
        for start, end in spans:
            self.change(page, start, end, bump(page[start:end]))

    def test_figures_all_over_the_page(self):
        page = self.read("report.html")
        spans = [match.span(1) for match in re.finditer(r">([^<>]*\d[^<>]*)<", page) if match.start() > page.index("</style>")]
        for start, end in spans[::max(1, len(spans) // 60)]:
            self.change(page, start, end, bump(page[start:end]))

    def test_every_sentence(self):
        page = self.read("report.html")
        texts = re.finditer(r"<(?:strong|span|p|h1|h2|dt|figcaption|th|footer|title)[^>]*>([^<>]+)<", page)
        for start, end in [match.span(1) for match in texts]:
            self.change(page, start, end, page[start:end].replace("e", "3", 1) if "e" in page[start:end] else page[start:end] + "s")

    def test_bars_and_lines(self):
        page = self.read("report.html")
        bar = re.search(r'<rect class="k1" x="210" y="\d+" width="(3\d\d)"', page)
        self.change(page, *bar.span(1), "222")
        line = re.search(r'<polyline class="l2" points="[^"]*,(\d+)"', page)
        self.change(page, *line.span(1), "30")

    def test_removed_rows(self):
        page = self.read("report.html")
        tables = [match.start() for match in re.finditer("<tbody>", page)]
        self.assertGreaterEqual(len(tables), 7)
        for table in tables:
            row = re.compile("<tr.*?</tr>\n?", re.S).search(page, table)
            self.change(page, *row.span(), "")

    def test_rows_behind(self):
        page = self.read("report.html")
        link = re.search(r'<td class="n"[^>]*><a href="#(rows-[a-z-]+)">', page)
        self.change(page, *link.span(1), "rows-every-identity")
        self.change(page, *re.search(r'<details(>)', page).span(1), " open>")
        self.change(page, *re.search(r'<div class="rows[^"]*" id="rows-(charges)', page).span(1), "changes")

    def test_commands(self):
        page = self.read("report.html")
        self.change(page, *re.search(r' title="payrecon rows daily [^"]*/(tx_count) ', page).span(1), "break_opening_count")
        self.change(page, *re.search(r'<td class="n"( title="[^"]*")', page).span(1), "")

    def test_what_it_does_not_know(self):
        page = self.read("report.html")
        for text in ("<p>All is well.</p>", "<section class=\"block\"><h2>Outlook</h2></section>", "<p>0 forged</p>",
                     "<script>1</script>", "<img src=\"https://example.com/a.png\">", "<div><b>7</b></div>"):
            place = page.index("<footer>")
            self.write("report.html", page[:place] + text + page[place:])
            self.assertTrue(any(line.startswith("unchecked") or "layout" in line for line in self.found(text)))

    def test_hidden_colour(self):
        page = self.read("report.html")
        place = page.index('<div class="alarm">')
        self.change(page, place, place + len('<div class="alarm">'), '<div class="good">')


def bump(text):
    """The same text with its last digit changed."""
    place = max(position for position, letter in enumerate(text) if letter.isdigit())
    return text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1:]


class Files(Tampered):
    reads_page = False            # most of a check, and a change in a file has to be found without it

    def test_one_cell_of_every_column(self):
        for name in self.tables():
            with open(os.path.join(REPORT, name), newline="", encoding="utf-8") as file:
                rows = list(csv.reader(file))
            for column in range(len(rows[0])):
                place = next((row for row in range(len(rows) - 1, 0, -1) if rows[row][column]), 1)
                self.change_cell(name, rows, place, column)
            self.restore(name)

    def change_cell(self, name, rows, place, column):
        changed = [list(row) for row in rows]
        cell = changed[place][column]
        changed[place][column] = bump(cell) if any(letter.isdigit() for letter in cell) else cell + "x"
        with open(self.path(name), "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(changed)
        self.rehash()
        self.found(f"{name} {rows[0][column]}")

    def test_removed_and_doubled_rows(self):
        for name in self.tables():
            lines = self.read(name).splitlines(True)
            place = len(lines) // 2
            for text in (lines[:place] + lines[place + 1:], lines[:place] + lines[place - 1:]):
                if "".join(text).count('"') % 2 == 0:
                    self.write(name, "".join(text))
                    self.assertTrue(any(name in line for line in self.found(name)), name)
            self.restore(name)

    def test_swapped_rows(self):
        for name in ("breaks.csv", "top_exposure.csv", "daily.csv"):
            lines = self.read(name).splitlines(True)
            lines[1], lines[-1] = lines[-1], lines[1]
            self.write(name, "".join(lines))
            self.found(name)
            self.restore(name)

    def test_json(self):
        for name, fields in page_check.JSON_FILES.items():
            content = json.loads(self.read(name))
            for field in list(content):
                changed = json.loads(json.dumps(content))
                changed[field] = changed[field][:-1] if isinstance(changed[field], list) else str(changed[field]) + "0"
                self.write(name, json.dumps(changed))
                self.assertTrue(any(name in line for line in self.found(f"{name} {field}")))
            self.restore(name)

    def test_text_instead_of_number(self):
        content = json.loads(self.read("daily.json"))
        content["daily"][0]["tx_count"] = str(content["daily"][0]["tx_count"])
        self.write("daily.json", json.dumps(content))
        self.found("a number as text")

    def test_manifest(self):
        manifest = json.loads(self.read("manifest.json"))
        for entry in manifest["files"]:
            good = entry["sha256"]
            entry["sha256"] = ("0" if good[0] != "0" else "1") + good[1:]
            self.write("manifest.json", json.dumps(manifest), rehash=False)
            self.assertTrue(any(entry["name"] in line and "sha256" in line for line in self.found(entry["name"])))
            entry["sha256"] = good
        self.write("manifest.json", json.dumps(dict(manifest, files=manifest["files"][1:])), rehash=False)
        self.found("a file that the manifest does not name")

    def test_additional_file(self):
        self.write("notes.txt", "x", rehash=False)
        self.found("a file too much")


class Exports(Tampered):
    def test_exports_that_say_something_else(self):
        """The other side: one fact less in an export has to show as well."""
        exports = os.path.join(self.folder, "exports")
        for name in ("orders", "charges", "matches", "breaks", "pending", "parked", "quarantine", "runs"):
            shutil.rmtree(exports, ignore_errors=True)
            shutil.copytree(EXPORTS, exports)
            path = os.path.join(exports, name + ".csv")
            with open(path, newline="", encoding="utf-8") as file:
                rows = list(csv.reader(file))
            if name == "orders":
                rows = [row for row in rows if row[0] != self.a_booked_order()]
            elif name == "charges":
                rows = [row for row in rows if row[0] != self.an_open_charge()]
            else:
                rows = rows[:-1]
            with open(path, "w", newline="", encoding="utf-8") as file:
                csv.writer(file, lineterminator="\n").writerows(rows)
            new = [line for line in page_check.run(REPORT, exports).lines if line not in self.base]
            self.assertTrue(new, name)

    @staticmethod
    def a_booked_order():
        world = page_check.World(EXPORTS, page_check.Report(REPORT).as_of)
        return next(row["order_id"] for row in world.orders if world.booked(row) and row["order_id"] not in world.match_of_order)

    @staticmethod
    def an_open_charge():
        world = page_check.World(EXPORTS, page_check.Report(REPORT).as_of)
        return next(row["charge_id"] for row in world.charges if world.part_of(row) == "broken")


if __name__ == "__main__":
    unittest.main()
