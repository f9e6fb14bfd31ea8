"""An ambiguous match of several candidates, decided from its card at 1440 x 900 without scrolling, in light and dark.

usage: candidates.py FOLDER PATH   (screenshots go to FOLDER; PATH is that of the case)
environment: CONSOLE_URL, ANN_PASSWORD
"""
import os
import pathlib
import sys

from browser import LOOKS, Browser
from decide import ALWAYS, CANDIDATES, SCRIPT
from selenium.webdriver.common.keys import Keys

LOOKS["desk"], LOOKS["desk-dark"] = (1440, 900, False), (1440, 900, True)
FACTS = [[fact, "css", selector] for fact, selector in (ALWAYS | {"candidates": CANDIDATES}).items()]


def main(folder, path):
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    ann = Browser(os.environ["CONSOLE_URL"].rstrip("/"), folder)
    try:
        ann.look("desk")
        ann.log_in("ann", os.environ["ANN_PASSWORD"])
        ann.go(path)
        ann.leaving(ann.find("#take").click)
        for look in ("desk", "desk-dark"):
            ann.look(look)
            ann.shoot(f"candidates-{look}")
            lacks = ann.driver.execute_script(SCRIPT, FACTS)
            assert not lacks, f"{look}: not visible: {lacks}"
        orders = ann.all(".candidates [name=order]")
        assert len(orders) > 2 and not ann.all(".candidates :checked"), f"{len(orders)} candidates"
        # A reason alone sends nothing.
        ann.find(".candidates [name=reason]").send_keys("paid at once", Keys.ENTER)
        assert not ann.all(".outcome")
        orders[2].click()
        chosen = orders[2].get_attribute("value")
        ann.leaving(ann.find(".candidates button.main").click)
        outcome = " ".join(part.text for part in ann.all(".outcome"))
        assert chosen in outcome and "paid at once" in outcome, outcome
        print("candidates: done")
    finally:
        ann.quit()


if __name__ == "__main__":
    main(*sys.argv[1:])
