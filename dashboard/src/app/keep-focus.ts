/** Interactive elements, which must not get the focus without the user's intent. */
const CONTROLS = "a, button, input, select, textarea, summary";

/**
 * Keeps the position of keyboard users. When the focused element is removed, such as a deleted row, a browser drops the focus
 * and screen readers start again at the top. This moves the focus to a neighbour of the removed element: never to a control,
 * so that a key pressed twice triggers nothing by accident.
 */
export function keepFocus(page: Document): void {
  let focused: Element | null = null;
  page.addEventListener("focusin", ({ target }) => {
    focused = target instanceof Element ? target : null;
  });
  // A pointer press elsewhere gives up the focus on purpose.
  const forget = () => {
    focused = null;
  };
  page.addEventListener("pointerdown", forget, { capture: true });
  new MutationObserver((changes) => {
    if (focused === null || focused.isConnected) return;
    const gone = focused;
    focused = null;
    const change = changes.find(({ removedNodes }) => Array.from(removedNodes).some((node) => node.contains(gone)));
    // Dialogs and menus are children of the body and restore the focus themselves.
    if (!change || change.target === page.body) return;
    // The replacement may be rendered one frame later.
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

/** A visible element within the content of the page that is not a control. */
function isPlace(node: Node | null): node is HTMLElement {
  return (
    node instanceof HTMLElement &&
    node.isConnected &&
    node.closest("main, [role=dialog]") !== null &&
    !node.matches(CONTROLS) &&
    node.checkVisibility()
  );
}
