"""A day in the review console, in a real browser: what two people do there, by the keyboard alone.

usage: walk.py FOLDER   (screenshots go there)
environment: CONSOLE_URL, ANN_PASSWORD, DORA_PASSWORD: a console over a made world and its two accounts, an analyst and an
             approver, as jobs/quickstart --console prints them
"""
import os
import pathlib
import re
import sys
import time

from browser import LOOKS, Browser, axe_source
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

# Within the 90 days for which a case can be set aside from the made world's clock on.
CLOSE_DAY = "2026-12-24"
# Pages that have no part but tables and lines that others have, too.
LISTS = {"rungs", "breaks", "runs", "run", "refused", "following"}
# What the queue is called, and the pages that are looked at: all of them where the words are longest.
LANGUAGES = {
    "ru": ("Очередь", ("queue", "case", "dashboard", "breaks", "bulk", "settings")), "ja": ("キュー", ("queue", "case")),
    "zh-Hans": ("待办队列", ("queue", "case")), "en": ("Queue", ()),
}
SIGNED = re.compile(r"^eyJ[\w-]+\.[\w-]+\.[\w-]+\s*$")


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def expect_message(browser, begins):
    expect(browser.message().startswith(begins), f"{browser.path()}: {browser.message()!r}, not {begins!r}")


def take_next(browser):
    """Takes the next case by its key, and says which it is."""
    browser.press_to_leave("n")
    expect_message(browser, "Assigned to you")
    return browser.path()


def decide(browser, action, reason):
    browser.press("c")
    expect(browser.focused().get_attribute("name") == "action", "c does not lead to the decision")
    browser.press(action)
    browser.tab_to("form.decide [name=outcome]")
    browser.press("confirmed")
    browser.tab_to("form.decide [name=reason]")
    browser.press(reason)
    browser.press_to_leave(Keys.ENTER)


def say(browser, selector, reason):
    """Fills in the reason of a form and sends it."""
    browser.tab_to(f"{selector} [name=reason]")
    browser.paste(reason)
    browser.press_to_leave(Keys.ENTER)


def help_by_key(ann):
    ann.press_to_leave("?")
    expect(ann.path() == "/keys" and "take the next case" in ann.text(), "? does not show the keys")
    ann.press_to_leave("q")
    expect(ann.path() == "/queue", "q does not lead to the queue")
    ann.press("j")
    first = ann.focused().get_attribute("href")
    ann.press("j")
    second = ann.focused().get_attribute("href")
    expect("/cases/" in first and first != second, "j does not lead from row to row")
    ann.press("k")
    expect(ann.focused().get_attribute("href") == first, "k does not lead back")
    ann.press_to_leave(Keys.ENTER)
    expect(ann.path() in first, "Enter does not open the row")
    ann.press("o")
    expect(ann.focused().get_attribute("name") == "note", "o does not lead to the note")
    ann.go("/queue")


def decide_and_undo(ann):
    path = take_next(ann)
    ann.leaving(ann.driver.refresh)
    expect(not ann.message(), "a page that is loaded again repeats what was done before")
    decide(ann, "accept", "known difference")
    expect_message(ann, "Decided.")
    say(ann, "form[action$='/undo']", "the wrong line")
    expect_message(ann, "Taken back.")
    return path


def two_people(ann, dora):
    path = take_next(ann)
    decide(ann, "ban", "replayed receipt")
    expect_message(ann, "Proposed: a second person must approve.")
    expect(not ann.all("form[action$='/approve']"), "who proposed is offered to approve")
    dora.press_to_leave("q")
    dora.tab_to(f"a[href='{path}']")
    dora.press_to_leave(Keys.ENTER)
    say(dora, "form[action$='/approve']", "seen the evidence")
    expect_message(dora, "Approved and recorded.")
    say(dora, "form[action$='/undo']", "another customer")
    expect_message(dora, "A second person must let it be undone.")
    ann.go(path)
    expect("undo" in ann.text().lower(), "the card does not tell of the undo")


def set_aside(ann):
    """Sets a case aside, finds it out of the queue, and has it wait again."""
    path = take_next(ann)
    ann.press("g")
    expect(ann.focused().get_attribute("name") == "reason", "g does not lead to giving it back")
    ann.go(path)
    ann.press("s")
    expect(ann.focused().get_attribute("id") == "arrange", "s does not lead to setting it aside")
    ann.press(Keys.ENTER)
    ann.tab_to("form[action$='/snooze'] [name=until]")
    ann.paste(CLOSE_DAY)
    say(ann, "form[action$='/snooze']", "the customer is asked")
    expect_message(ann, "Set aside.")
    ann.press_to_leave("q")
    expect(not ann.all(f"a[href='{path}']"), "what is set aside stands in the queue")
    ann.go(path)
    ann.tab_to("#arrange")
    ann.press(Keys.ENTER)
    ann.tab_to("form[action$='/wake'] button")
    ann.press_to_leave(Keys.ENTER)
    expect_message(ann, "Back in the queue.")


def many(ann):
    """Decides what a filter leaves in one go, after a look at what would be done, and takes it back."""
    ann.go("/queue?severity=low")
    ann.tab_to("a[href^='/bulk']")
    ann.press_to_leave(Keys.ENTER)
    expect(not ann.all("[name=case]:checked"), "cases are chosen before anybody chose them")
    ann.tab_to("#select-all")
    ann.press_to_leave(Keys.ENTER)
    ann.press("c")
    ann.press("accept")
    ann.tab_to("main form [name=outcome]")
    ann.press("confirmed")
    say(ann, "main form", "one cause")
    expect("would be decided" in ann.text() and "nothing was done yet" in ann.text(), f"no preview: {ann.text()[:300]}")
    ann.tab_to("#confirm")
    ann.press_to_leave(Keys.ENTER)
    expect(ann.path().startswith("/batches/") and "accept" in ann.text(), f"no batch: {ann.text()[:300]}")
    say(ann, "form[action$='/undo']", "not all of it")


def to_the_signed_bytes(ann):
    """From a figure of the dashboard's night to the bytes that Apple signed."""
    ann.go("/breaks?name=DUP_DELIVERY")
    ann.tab_to("td a[href^='/breaks/']")
    ann.press_to_leave(Keys.ENTER)
    ann.tab_to("td a[href^='/evidence/']")
    ann.press_to_leave(Keys.ENTER)
    expect("transactionId" in ann.text() and "eyJ" not in ann.text(), "the evidence is not decoded")
    name = ann.path().split("/")[2] + ".txt"
    ann.tab_to("a[href$='/raw']")
    ann.press(Keys.ENTER)
    kept = pathlib.Path(ann.folder) / name
    for _ in range(200):
        if kept.exists():
            break
        time.sleep(0.05)
    expect(kept.exists() and SIGNED.match(kept.read_text(encoding="utf-8")), "no signed bytes came")
    kept.unlink()


def search(ann):
    ann.go("/breaks?name=DUP_DELIVERY")
    order = ann.find("td a[href^='/search?q=']").text
    ann.press_to_leave("/")
    expect(ann.focused().get_attribute("name") == "q", "the search field has no focus")
    ann.paste(order)
    ann.press_to_leave(Keys.ENTER)
    expect(f"order {order}" in ann.text() and "Signed evidence" in ann.text(), f"{order} is not found")


def every_look(ann, case_path):
    """Every page in every look: nothing cut, nothing that keeps anybody out."""
    ann.go("/breaks?name=DUP_DELIVERY")
    evidence = ann.path()
    customer = ann.find("td a[href^='/customer?q=']").get_attribute("href").removeprefix(ann.base)
    broken = ann.find("td a[href^='/breaks/']").get_attribute("href").removeprefix(ann.base)
    ann.go(broken)
    evidence = ann.find("td a[href^='/evidence/']").get_attribute("href").removeprefix(ann.base)
    ann.go("/runs")
    run = ann.find("td a[href^='/runs/']").get_attribute("href").removeprefix(ann.base)
    pages = {
        "queue": "/queue", "case": case_path, "rungs": f"{case_path}/rungs", "dashboard": "/dashboard", "breaks": "/breaks",
        "break": broken, "evidence": evidence, "search": "/search", "runs": "/runs", "run": run, "keys": "/keys",
        "bulk": "/bulk", "following": "/following", "mine": "/mine", "approvals": "/approvals", "watching": "/watching", "terms": "/terms", "tokens": "/tokens", "decided": "/decided",
        "me": "/me", "api": "/api", "customer": customer, "refused": "/search?q=no-such-id",
    }
    axe, faults = axe_source(), []
    for name, path in pages.items():
        ann.go(path)
        for look in LOOKS:
            ann.look(look)
            ann.shoot(f"{name}-{look}")
            # Lists are alike, and other colours and a narrow window have the same parts: one of each is searched.
            is_searched = name not in LISTS if look == "light" else name == "case"
            faults += [f"{name}, {look}: {fault}" for fault in ann.faults(axe if is_searched else None)]
        ann.look("light")
    # A page that refuses says so with its status, which a browser tells, too.
    ann.complaints = [text for text in ann.complaints if not text.startswith("/search?q=no-such-id")]
    return faults


def in_every_language(ann, case_path):
    """What one reads all day, in one's own language: nothing wider than the window, nothing left in English."""
    pages = {"queue": "/queue", "case": case_path, "dashboard": "/dashboard", "breaks": "/breaks", "bulk": "/bulk", "settings": "/settings"}
    faults = []
    for tag, (title, names) in LANGUAGES.items():
        ann.go("/me")
        Select(ann.find("[name=language]")).select_by_value(tag)
        ann.tab_to("form[action='/me'] button")
        ann.press_to_leave(Keys.ENTER)
        expect(ann.find("html").get_attribute("lang") == tag, f"the pages do not speak {tag}")
        for name in names:
            ann.go(pages[name])
            expect(name != "queue" or ann.find("h1").text == title, f"the queue is not {title} but {ann.find('h1').text}")
            for look in ("light", "phone"):
                ann.look(look)
                ann.shoot(f"{name}-{look}-{tag}")
                faults += [f"{name}, {look}, {tag}: {fault}" for fault in ann.faults(None)]
            ann.look("light")
    return faults


def without_script(base, folder, password):
    """The same work by links and forms alone."""
    plain = Browser(base, folder, has_script=False)
    try:
        plain.driver.get(base + "/login")
        plain.press("ann", Keys.TAB)
        plain.paste(password)
        plain.press(Keys.ENTER)
        for selector in ["#next button", "form[action$='/release'] button"]:
            plain.wait_for(selector).click()
        # The browser may still show the previous page, with another status, or replace it during the read.
        wait = WebDriverWait(plain.driver, 20, ignored_exceptions=[WebDriverException])
        wait.until(lambda _: plain.wait_for("[role=status]").text == "Case returned to the queue.", "the case is not given back")
        plain.shoot("without-script")
        plain.press("q")
        expect(plain.path().startswith("/cases/"), "a key works without script: it is not off")
        return plain.driver.get_log("browser")
    finally:
        plain.quit()


def timed(step, *about):
    began = time.monotonic()
    result = step(*about)
    print(f"{step.__name__}: {time.monotonic() - began:.1f} s", flush=True)
    return result


def main(folder):
    base, passwords = os.environ["CONSOLE_URL"].rstrip("/"), (os.environ["ANN_PASSWORD"], os.environ["DORA_PASSWORD"])
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    ann, dora = Browser(base, folder), Browser(base, folder)
    try:
        ann.go("/login")
        faults = ann.faults(axe_source())
        ann.shoot("login-light")
        ann.log_in("ann", passwords[0])
        dora.log_in("dora", passwords[1])
        timed(help_by_key, ann)
        case_path = timed(decide_and_undo, ann)
        ann.press_to_leave("q")
        timed(two_people, ann, dora)
        timed(set_aside, ann)
        timed(many, ann)
        timed(search, ann)
        timed(to_the_signed_bytes, ann)
        faults += timed(every_look, ann, case_path)
        faults += timed(in_every_language, ann, case_path)
        script_off = timed(without_script, base, folder, passwords[0])
        complaints = ann.complaints + dora.complaints + [entry["message"] for entry in script_off]
        expect(not faults, "\n".join(faults))
        expect(not complaints, "the browser complains: " + "\n".join(complaints))
    except BaseException:
        ann.shoot("failed-ann")
        dora.shoot("failed-dora")
        raise
    finally:
        ann.quit()
        dora.quit()
    print("walk: done")


if __name__ == "__main__":
    main(sys.argv[1])
