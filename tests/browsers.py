"""Chromium, for tests of the page.

``BOCLUST_TEST_CHROMIUM`` may give its path, or say "skip" or, as in CI, "required": then tests fail
where it is missing.
"""

import os
import shutil
from contextlib import contextmanager

import pytest

VARIABLE = "BOCLUST_TEST_CHROMIUM"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def executable():
    """Where Chromium is; skips, or fails, where there is none."""
    said = os.environ.get(VARIABLE, "")
    if said == "skip":
        pytest.skip(f"{VARIABLE} says so")
    found = shutil.which("chromium") if said in ("", "required") else said
    if found is None and said == "required":
        pytest.fail("there is no Chromium, which is required here")
    if found is None:
        pytest.skip("there is no Chromium")
    return found


@contextmanager
def chromium():
    """A browser; its event loop is this thread's, so nothing else may run one meanwhile."""
    path = executable()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """A page of a server, by somebody; what it asked for and complained of."""

    def __init__(self, browser, origin, **settings):
        self.origin = origin
        self.context = browser.new_context(viewport={"width": 1280, "height": 900}, **settings)
        self.requests, self.complaints = [], []
        self.context.on("request", lambda request: self.requests.append(request.url))
        self.page = self.context.new_page()
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))

    def _said(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def open(self, query=""):
        self.page.goto(f"{self.origin}/{query}")
        return self.page

    def check(self, refusals=0):
        """No request left the server, and nothing was complained of but so many refusals.

        None: any number of them.
        """
        own = (f"{self.origin}/", f"blob:{self.origin}/")
        assert [url for url in self.requests if not url.startswith(own)] == []
        other = [text for text in self.complaints if "Failed to load resource" not in text]
        assert other == []
        assert refusals is None or len(self.complaints) == refusals, self.complaints
