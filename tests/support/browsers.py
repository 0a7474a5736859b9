"""Chromium, for tests of the page.

``BOCLUST_TEST_CHROMIUM`` is its path, "skip", or "required" as in CI: then tests fail without it.
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
    """The path of Chromium; skips or fails the test if there is none."""
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
    """A browser; its event loop blocks others in this thread."""
    path = executable()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """A page of a server in its own browser context, with its requests and messages."""

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
        """Check that all requests went to the server, and that only ``refusals`` were refused.

        Pass None for any number of refusals.
        """
        own = (f"{self.origin}/", f"blob:{self.origin}/")
        assert [url for url in self.requests if not url.startswith(own)] == []
        other = [text for text in self.complaints if "Failed to load resource" not in text]
        assert other == []
        assert refusals is None or len(self.complaints) == refusals, self.complaints
