"""Report pages in a real browser: what is cut or folded away on A4 or a phone, and how many pages they print on.

usage: fit.py PAGE.html …   prints one line per fault; exit 1 if there are any
"""
import base64
import pathlib
import re
import sys

from selenium import webdriver

# A4 landscape less the margins of the pages, and a phone, in CSS pixels.
LOOKS = {"print": (1031, 703), "phone": (390, 844)}
PAGES_MAX = 8

# Text outside of what shows it: the window, a box that hides its overflow, or the plot it belongs to. Text of a box that scrolls can be
# reached. A number or a date is broken where it takes more than one line.
MEASURE = r"""
const faults = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode, text = node.data.trim(), parent = node.parentElement;
  if (!text || ['SCRIPT', 'STYLE', 'TITLE', 'title'].includes(parent.tagName) || !parent.checkVisibility()) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  const box = range.getBoundingClientRect();
  if (!box.width) continue;
  let [left, right, scrolls] = [0, window.innerWidth, false];
  for (let at = parent; at && at !== document.body; at = at.parentElement) {
    const flow = getComputedStyle(at).overflowX;
    if (at.tagName !== 'svg' && (flow === 'auto' || flow === 'scroll')) scrolls = true;
    if (at.tagName === 'svg' || at.tagName === 'FIGURE' || flow === 'hidden' || flow === 'clip') {
      const own = at.getBoundingClientRect();
      [left, right] = [Math.max(left, own.left), Math.min(right, own.right)];
    }
  }
  if (!scrolls && (box.left < left - 1 || box.right > right + 1)) faults.push('cut: ' + text.slice(0, 60));
  const lines = new Set([...range.getClientRects()].map(rect => Math.round(rect.top))).size;
  if (lines > 1 && /^[−\d.,]+$|^\d{4}-\d\d-\d\d$|^\d{4}-P\d\d$/.test(text)) faults.push('broken: ' + text);
}
return faults;
"""

# Print shows the rows of a folded table, or says beside its heading that they are not printed.
FOLDED = """
return [...document.querySelectorAll('.rows')].filter(rows => !(rows.classList.contains('unprinted')
  ? rows.previousElementSibling.querySelector('.unprinted') : rows).checkVisibility()).map(rows => 'folded away: ' + rows.id);
"""


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]:
        options.add_argument(flag)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


def faults(driver, path):
    """What is wrong with one page."""
    found = []
    driver.get(pathlib.Path(path).resolve().as_uri())
    for look, (width, height) in LOOKS.items():
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print" if look == "print" else "screen"})
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": look == "phone"}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        wide = driver.execute_script("return document.documentElement.scrollWidth")
        found += [f"{look}: {wide} pixels wide in {width}"] if wide > width else []
        found += [f"{look}: {fault}" for fault in driver.execute_script(MEASURE)[:10]]
        found += [f"print: {fault}" for fault in driver.execute_script(FOLDED)[:10]] if look == "print" else []
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    printed = base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
    count = len(re.findall(rb"/Type\s*/Page\b(?!s)", printed))
    found += [f"print: {count} pages"] if not 1 <= count <= PAGES_MAX else []
    return found


def main(paths):
    driver = browser()
    try:
        lines = [f"{path}: {fault}" for path in paths for fault in faults(driver, path)]
    finally:
        driver.quit()
    print("\n".join(lines))
    return 1 if lines or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
