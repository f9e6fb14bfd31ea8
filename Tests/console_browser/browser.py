"""A Chromium that a test drives by keys and clicks, and what is held against every page it shows."""
import importlib.util
import json
import os
import pathlib
import time

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

WAIT_SECONDS = 20
# What a key is called, its number, and what it writes.
SPECIAL_KEYS = {Keys.TAB: ("Tab", 9, ""), Keys.ENTER: ("Enter", 13, "\r")}
# Width and height in CSS pixels, and whether it is dark.
LOOKS = {"light": (1280, 900, False), "dark": (1280, 900, True), "phone": (390, 844, False)}


def axe_source():
    """The text of axe-core, as the package that carries it has it."""
    place = importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0]
    return (pathlib.Path(place) / "axe.min.js").read_text(encoding="utf-8")


class Browser:
    def __init__(self, base, folder, has_script=True):
        self.base, self.folder = base, pathlib.Path(folder)
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--force-prefers-reduced-motion"]:
            options.add_argument(flag)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        preferences = {"download.default_directory": str(self.folder)}
        if not has_script:
            preferences["profile.managed_default_content_settings.javascript"] = 2
        options.add_experimental_option("prefs", preferences)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
        self.driver.set_page_load_timeout(WAIT_SECONDS)
        self.complaints, self.size = [], None
        self.look("light")

    def quit(self):
        self.driver.quit()

    # What is there

    def path(self):
        return self.driver.current_url.removeprefix(self.base)

    def text(self):
        return self.driver.find_element(By.TAG_NAME, "body").text

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def wait_for(self, selector):
        """Something of the page that is coming, where no script can be asked whether it came."""
        for _ in range(WAIT_SECONDS * 20):
            found = self.all(selector)
            if found:
                return found[0]
            time.sleep(0.05)
        raise AssertionError(f"{selector} does not come: {self.text()[:300]}")

    def message(self):
        found = self.all("[role=status]")
        return found[0].text if found else ""

    # What somebody does

    def go(self, path):
        self.driver.get(self.base + path)
        self.listen()

    def leaving(self, act):
        """Does something that leads to another page, and waits for that."""
        before = self.find("html")
        act()
        end = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < end:
            try:
                before.is_enabled()
            except Exception:  # pylint: disable=broad-except
                if self.driver.execute_script("return document.readyState") == "complete":
                    self.listen()
                    return
            time.sleep(0.02)
        raise AssertionError(f"nothing came after {self.path()}: {self.text()[:300]}")

    def press(self, *keys):
        """Keys, as they come from the keyboard to whatever has the focus; the driver's own way takes five times as long."""
        for key in "".join(keys):
            self.hold(key)
            self.key("keyUp", key)

    def hold(self, key):
        """A key that goes down, again where it is down."""
        self.key("keyDown", key)

    def key(self, kind, key):
        number = ord(key.upper()) if key.isalnum() else 0
        name, number, text = SPECIAL_KEYS.get(key, (key, number, key))
        event = {"type": kind, "key": name, "windowsVirtualKeyCode": number, "text": text if kind == "keyDown" else ""}
        self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", event)

    def paste(self, text):
        """Text that comes at once to whatever has the focus."""
        self.driver.execute_cdp_cmd("Input.insertText", {"text": text})

    def press_to_leave(self, *keys):
        self.leaving(lambda: self.press(*keys))

    def focused(self):
        return self.driver.switch_to.active_element

    def tab_to(self, selector, tabs_max=120):
        """Goes to something by the tabulator alone."""
        wanted = self.find(selector)
        for _ in range(tabs_max):
            if self.driver.execute_script("return document.activeElement === arguments[0]", wanted):
                return
            self.hold(Keys.TAB)
        raise AssertionError(f"{selector} is not reached by the tabulator on {self.path()}")

    def log_in(self, account, password):
        self.go("/login")
        self.press(account, Keys.TAB)
        self.paste(password)
        self.press_to_leave(Keys.ENTER)
        assert self.path() == "/queue", f"{account} is not logged in: {self.text()[:300]}"

    # What is held against a page

    def listen(self):
        self.complaints += [f"{self.path()}: {entry['message']}" for entry in self.driver.get_log("browser")]

    def look(self, name):
        width, height, is_dark = LOOKS[name]
        media = {"features": [{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": name == "phone"}
        if size != self.size:
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            self.size = size

    def shoot(self, name):
        self.driver.save_screenshot(str(self.folder / f"{name}.png"))

    def faults(self, axe):
        """Whether the page is wider than the window, and what axe-core, where its text is given, finds serious on it."""
        found = self.driver.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
        faults = [f"{found[0]} pixels wide in {found[1]}"] if found[0] > found[1] else []
        if axe is None:
            return faults
        self.driver.execute_script(axe)
        result = self.driver.execute_async_script(
            "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(done, error => done({error: String(error)}))")
        assert "violations" in result, json.dumps(result)[:500]
        assert result["passes"], "axe-core looked at nothing"
        for rule in result["violations"]:
            if rule["impact"] in ("serious", "critical"):
                nodes = "; ".join(node["html"][:120] + " " + node["failureSummary"][:200] for node in rule["nodes"][:3])
                faults.append(f"{rule['id']} ({rule['impact']}): {nodes}")
        return faults
