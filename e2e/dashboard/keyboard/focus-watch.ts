/** What has the focus, as the page sees it. */
export interface Stop {
  /** Its role and name, in words; null if nothing has the focus. */
  readonly name: string | null;
  /** What is wrong with it, or with the previous stop now that it can be seen without the focus. */
  readonly faults: readonly string[];
  /** Whether it is the target. */
  readonly isWanted: boolean;
  /** Whether the target comes before it. */
  readonly isWantedBefore: boolean;
  /** Whether the target is no longer on the page. */
  readonly isWantedGone: boolean;
  readonly isInDialog: boolean;
  /** Whether the focus was already here, since the walk began. */
  readonly isOld: boolean;
}

/** A page that is watched. */
export interface Watched {
  readonly focusWatch: {
    focused(): unknown;
    look(wanted: unknown): Promise<Stop>;
  };
}

/**
 * Runs in the page, put there by the debugging protocol. It inspects what has the focus: whether it is visible and not
 * covered, and whether it looks different from without focus.
 */
export const FOCUS_WATCH = `globalThis.focusWatch ??= (() => {
  let before = null;
  let met = new Set();
  const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";
  const NOTES = "[aria-label^=Notifications]";
  const MANY_PARTS = "input[type=date], input[type=time], input[type=datetime-local]";
  const ROLES = { A: "link", BUTTON: "button", SELECT: "list", TEXTAREA: "field", SUMMARY: "disclosure", INPUT: "field" };

  const focused = () => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at === document.body || at === document.documentElement ? null : at;
  };
  const words = (node) => (node?.textContent ?? "").replace(/\\s+/g, " ").trim().slice(0, 60);
  const nameOf = (element) => {
    const labels = (element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => words(document.getElementById(id)));
    const own = "value" in element && element.tagName !== "BUTTON" ? "" : words(element);
    const name = element.getAttribute("aria-label") || labels.join(" ").trim() || words(element.labels?.[0]) || own;
    return (element.getAttribute("role") ?? ROLES[element.tagName] ?? element.tagName.toLowerCase()) + " “" + name + "”";
  };
  // A ring may be drawn by what surrounds the control, as around the picture of a recording.
  const lookOf = (element) => {
    const looks = [];
    for (let at = element; at && looks.length < 4; at = at.parentElement ?? at.getRootNode().host) {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(at);
      looks.push(outlineStyle === "none" ? "" : [outlineStyle, outlineWidth, outlineColor].join(" "), boxShadow);
    }
    return looks.join("|");
  };
  const whyOutOfSight = (element) => {
    if (!element.checkVisibility()) return "is hidden";
    const box = element.getClientRects()[0];
    if (!box) return "takes no room";
    const x = (Math.max(0, box.left) + Math.min(innerWidth, box.right)) / 2;
    const y = (Math.max(0, box.top) + Math.min(innerHeight, box.bottom)) / 2;
    if (box.right <= 0 || box.left >= innerWidth || box.bottom <= 0 || box.top >= innerHeight) return "is out of view";
    if (box.width < 2 || box.height < 2) return "takes no room";
    const shown = element.getRootNode().elementFromPoint(x, y);
    // A notification at the bottom of the page may cover something, until it disappears or is closed with Escape.
    if (!shown || shown.closest(NOTES)) return null;
    return shown.contains(element) || element.contains(shown) ? null : "is covered by " + nameOf(shown);
  };
  const isInDialog = (element) => element.closest("[role=dialog]") !== null;
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

  return {
    focused,
    begin() {
      met = new Set();
      before = null;
    },
    async look(wanted) {
      const element = focused();
      const faults = [];
      const isLeft = before && before.element !== element && before.element.isConnected;
      // A place that is given the focus by the page, and not by Tab, is read out and need not be seen.
      if (isLeft && before.element.tabIndex >= 0 && lookOf(before.element) === before.look)
        faults.push(before.name + " does not show that it has the focus");
      // A field for a date has several parts, each a stop of its own.
      const isSame = before?.element === element && element.matches(MANY_PARTS);
      before = null;
      const isWantedGone = wanted?.isConnected === false;
      if (!element) return { name: null, faults, isWanted: false, isWantedBefore: false, isWantedGone, isInDialog: false, isOld: false };
      let why = whyOutOfSight(element);
      // The canvas scrolls what has the focus into view, a few frames later.
      for (let left = 6; why && left > 0; left -= 1) {
        await frame();
        why = focused() === element ? whyOutOfSight(element) : null;
      }
      const name = nameOf(element);
      if (why) faults.push(name + " has the focus and " + why);
      before = { element, name, look: lookOf(element) };
      const isOld = met.has(element) && !isSame;
      met.add(element);
      const isWantedBefore = wanted && (element.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
      return { name, faults, isWanted: element === wanted, isWantedBefore, isWantedGone, isInDialog: isInDialog(element), isOld };
    },
    /** What can be pressed or filled in and was never reached, within the open dialog or the page. */
    missed() {
      const place = document.querySelector("[data-dialog]") ?? document.body;
      return [...place.querySelectorAll(CONTROLS)]
        .filter((element) => element.tabIndex >= 0 && !element.disabled && element.type !== "radio")
        .filter((element) => element.checkVisibility() && element.getClientRects().length > 0)
        // Only one item of an arrow-key group is reached; notifications come and go.
        .filter((element) => ![...met].some((one) => element.contains(one)))
        .filter((element) => !element.closest(NOTES))
        .map(nameOf);
    },
  };
})();`;
