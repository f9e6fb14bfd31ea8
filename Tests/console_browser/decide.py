"""An analyst decides at least twenty mixed cases from their cards alone, at 1440 x 900 and without scrolling.

usage: decide.py FOLDER   (screenshots of cards that miss a fact go there)
environment: CONSOLE_URL, ANN_PASSWORD: a console over a made world and its analyst, as jobs/quickstart --console prints them

decisions.csv lists per class and rule the facts that a decision needs, by their labels on the card, the usual action, and the
action, finding and reason of the analyst. A case of several classes and rules needs the facts of all of them.
"""
import csv
import os
import pathlib
import sys

from browser import LOOKS, Browser
from selenium.webdriver.support.ui import Select

CASES_MIN = 20
LOOKS["desk"] = (1440, 900, False)
# Facts of every case.
ALWAYS = {
    "headline": "h1", "badges": ".badges .badge", "usual decision": ".usual strong", "decision": "form.decide [name=action]",
    "finding": "form.decide [name=outcome]", "reason": "form.decide [name=reason]", "button": "form.decide button.main",
}
CANDIDATES = ".candidates td:not(:empty), .candidates [name=reason], .candidates button.main"
ROLES = {
    "order": ["Our order", "Order that claims the purchase"], "holder": ["Order that holds the purchase"],
    "charge": ["Charge by Apple", "Charge in question"], "first_charge": ["First charge"],
}
# Returns the facts that the page lacks, or shows outside the window, empty or covered by something else.
SCRIPT = """
const label = (node) => (node.firstChild?.textContent ?? '').trim();
const all = (selector) => [...document.querySelectorAll(selector)];
const find = {
  css: (selector) => all(selector),
  card: (name) => all('.story > .facts dt').filter(dt => label(dt) === name).flatMap(dt => [...dt.parentNode.querySelectorAll('dd')]),
  detail: (name) => all('.details li').filter(li => li.dataset.name === name),
  cell: (roles, name) => {
    const column = all('.sides thead tr > *').findIndex(head => roles.includes(label(head)));
    return all('.sides tbody tr').filter(row => label(row.cells[0]) === name).map(row => row.cells[column]).filter(Boolean);
  },
};
const isSeen = (node) => {
  const isField = ['INPUT', 'SELECT'].includes(node.tagName), range = document.createRange();
  range.selectNodeContents(node);
  const boxes = isField ? [node.getBoundingClientRect()] : [...range.getClientRects()].filter(box => box.width && box.height);
  return boxes.length > 0 && (isField || node.innerText.trim() !== '')
    && node.checkVisibility({opacityProperty: true, visibilityProperty: true}) && boxes.every(box => {
      // A long id shows its beginning.
      const right = Math.min(box.right, node.getBoundingClientRect().right);
      const over = document.elementFromPoint((box.left + right) / 2, (box.top + box.bottom) / 2);
      return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && right <= innerWidth && node.contains(over);
    });
};
if (innerWidth !== 1440 || innerHeight !== 900 || scrollY !== 0) throw Error(`${innerWidth} x ${innerHeight}, scrolled by ${scrollY}`);
return arguments[0].filter(([, kind, ...words]) => {
  const nodes = find[kind](...words);
  return !nodes.length || !nodes.every(isSeen);
}).map(([fact]) => fact);
"""


def queued(ann):
    """Cases that nobody has, with their classes and rules, in the order of the queue."""
    ann.go("/queue")
    known, cases = [option.get_attribute("value") for option in ann.all("#names option")], {}
    while True:
        cases |= ann.driver.execute_script("""return Object.fromEntries([...document.querySelectorAll('tbody tr')]
            .filter(row => row.querySelector('.badge.open')).map(row => [row.querySelector("a[href^='/cases/']").getAttribute('href'),
            [...row.querySelectorAll('a.code')].map(code => code.textContent)]))""")
        if not ann.all("a[rel=next]"):
            return known, cases
        ann.leaving(ann.find("a[rel=next]").click)


def chosen(cases):
    """Cases that have every class and rule of the queue, those of the most names first."""
    left, walk = {name for names in cases.values() for name in names}, []
    while left:
        path = max(cases, key=lambda path: len(left & set(cases[path])))
        left -= set(cases[path])
        walk.append(path)
    return walk


def needed(names, rows):
    """What the card of a case must show: the name of each fact, and where it stands."""
    facts = [[fact, "css", selector] for fact, selector in ALWAYS.items()]
    for name in names:
        for fact in rows[name]["card"].split(";"):
            kind, first = {"Detail": ("detail", name), "Candidates": ("css", CANDIDATES)}.get(fact, ("card", fact))
            facts.append([f"{fact} of {name}" if kind == "detail" else fact, kind, first])
        for role, roles in ROLES.items():
            facts += [[f"{role}: {fact}", "cell", roles, fact] for fact in rows[name][role].split(";") if fact]
    return facts


def short(action):
    """The name of an action without its remarks."""
    return action.split(" (")[0].split(":")[0]


def decide(ann, path, names, rows):
    """Takes a case, decides it as the table says, and returns what its pages lack."""
    row = rows[names[0]]
    ann.go(path)
    ann.leaving(ann.find("#take").click)
    lacks = [f"not visible: {fact}" for fact in ann.driver.execute_script(SCRIPT, needed(names, rows))]
    if lacks:
        ann.shoot("decide-" + "-".join(names))
    words = {option.get_attribute("value"): option.text for option in ann.all("form.decide [name=action] option")}
    usual = ann.find(".usual strong").text
    if short(usual) != short(words[row["usual"]]):
        lacks.append(f"usual is {usual}, not {words[row['usual']]}")
    form = ".candidates form" if row["action"] == "forced_match" else "form.decide"
    for field, value in [("action", row["action"]), ("outcome", row["finding"])] if form == "form.decide" else []:
        Select(ann.find(f"{form} [name={field}]")).select_by_value(value)
    if form == ".candidates form":
        ann.find(f"{form} [name=order]").click()
    ann.find(f"{form} [name=reason]").send_keys(row["reason"])
    ann.leaving(ann.find(f"{form} button.main").click)
    is_proposed = "second person" in words[row["action"]]
    message, status = ("Proposed: a second person must approve.", "waiting_approval") if is_proposed else ("Decided.", "closed")
    outcome = " ".join(part.text for part in ann.all(".outcome"))
    if ann.message() != message or not ann.all(f".badges .{status}"):
        lacks.append(f"{row['action']} ends with {ann.message()!r} {ann.find('.badges').text!r}, not {message!r} {status}")
    if not all(text in outcome for text in ("ann", short(words[row["action"]]), row["reason"])):
        lacks.append(f"{row['action']} by ann, {row['reason']!r}, is not in the outcome: {outcome!r}")
    return [f"{path} {' '.join(names)}: {lack}" for lack in lacks]


def main(folder):
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    with open(pathlib.Path(__file__).with_name("decisions.csv"), encoding="utf-8", newline="") as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    ann = Browser(os.environ["CONSOLE_URL"].rstrip("/"), folder)
    try:
        ann.look("desk")
        ann.log_in("ann", os.environ["ANN_PASSWORD"])
        known, cases = queued(ann)
        faults = [f"{name}: no row in decisions.csv" for name in sorted(set(known) ^ set(rows))]
        walk = chosen(cases)
        faults += [] if len(walk) >= CASES_MIN else [f"only {len(walk)} cases of different classes and rules, not {CASES_MIN}"]
        faults += [fault for path in walk for fault in decide(ann, path, cases[path], rows)]
        assert not faults, "\n".join(faults)
        print(f"decide: {len(walk)} cases of {len({name for path in walk for name in cases[path]})} classes and rules")
    finally:
        ann.quit()


if __name__ == "__main__":
    main(sys.argv[1])
