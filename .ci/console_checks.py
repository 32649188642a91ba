"""Checks of a page of the console; for the scenarios of .ci/browser_test.py."""

import importlib.util
from pathlib import Path

from console_page import Page

# The rules of axe-core: WCAG 2.2, levels A and AA, and those of good practice.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

# axe-core compares the sizes of targets also with notifications that the lock screen clips.
FINDINGS = """
const [rules, done] = arguments;
const isClipped = ({ relatedNodes }) => relatedNodes.some(({ html }) => html.includes('class="card"'));
axe.run(document, { runOnly: rules, resultTypes: ["violations"] }).then(({ violations }) => done(
    violations.flatMap(({ id, nodes }) => nodes
        .filter(({ any }) => id !== "target-size" || !any.every(isClipped))
        .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)}\n${failureSummary}`)),
));
"""


def axe() -> str:
    """The script of axe-core, without the package around it."""
    package = importlib.util.find_spec("axe_playwright_python")
    return (Path(package.submodule_search_locations[0]) / "axe.min.js").read_text()


def require(condition: object, message: str) -> None:
    if not condition:
        raise AssertionError(message)


def require_fit(page: Page) -> None:
    """Requires that nothing is wider than the page."""
    overflow = page.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    width = page.run("return innerWidth")
    require(overflow <= 0, f"at {width} pixels the page is {overflow} pixels too wide")


def require_readable(page: Page, scheme: str, width: int, height: int = 1000) -> None:
    """Requires that the page fits its width, and that axe-core finds nothing, such as too little contrast."""
    # Without motion, so that no colour is in transition.
    page.browser.prefer(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
    page.browser.resize(width, height)
    require_fit(page)
    if not page.run("return 'axe' in window"):
        page.run(axe())
    findings = page.driver.execute_async_script(FINDINGS, RULES)
    require(not findings, f"at {width} pixels, {scheme}: " + "\n".join(findings))
