/** What does something when it is pressed: nobody is put there who did not choose to go there. */
const CONTROLS = "a, button, input, select, textarea, summary";

/**
 * Keeps the place of whoever works by keyboard. When what has the focus goes away, such as a row that was deleted, a
 * browser puts the focus nowhere, and a screen reader begins at the top. Here it goes to what stands beside that place now:
 * never to a control, so that a key pressed twice does nothing unmeant.
 */
export function keepFocus(page: Document): void {
  let focused: Element | null = null;
  page.addEventListener("focusin", ({ target }) => {
    focused = target instanceof Element ? target : null;
  });
  // Whoever presses beside everything has let go of what had the focus.
  const forget = () => {
    focused = null;
  };
  page.addEventListener("pointerdown", forget, { capture: true });
  new MutationObserver((changes) => {
    if (focused === null || focused.isConnected) return;
    const gone = focused;
    focused = null;
    const change = changes.find(({ removedNodes }) => Array.from(removedNodes).some((node) => node.contains(gone)));
    // A dialog or a menu, which stands beside the page, gives the focus back itself.
    if (!change || change.target === page.body) return;
    // What comes in the place of what went may be a frame behind.
    requestAnimationFrame(() => requestAnimationFrame(() => focusBeside(page, change)));
  }).observe(page.body, { childList: true, subtree: true });
}

function focusBeside(page: Document, { nextSibling, previousSibling, target }: MutationRecord): void {
  if (page.activeElement !== null && page.activeElement !== page.body) return;
  const place = [nextSibling, previousSibling, ...withParents(target)].find(isPlace) ?? page.querySelector("main");
  if (!(place instanceof HTMLElement)) return;
  if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

function withParents(node: Node): readonly Node[] {
  return node.parentNode ? [node, ...withParents(node.parentNode)] : [node];
}

/** Something to be at, in sight, within the content of a page. */
function isPlace(node: Node | null): node is HTMLElement {
  return (
    node instanceof HTMLElement &&
    node.isConnected &&
    node.closest("main, [role=dialog]") !== null &&
    !node.matches(CONTROLS) &&
    node.checkVisibility()
  );
}
