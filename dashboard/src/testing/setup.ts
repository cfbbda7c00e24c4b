import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";

// A test that expects a request stubs its reply; every other request fails as if the service were down.
beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network in component tests")));
});

// Testing Library unmounts automatically only if the test functions are globals.
afterEach(() => {
  // An element that is removed with the focus keeps it here, and the next Tab key would go on from it.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  cleanup();
  // Two menus that are unmounted at once leave the page behind them without clicks.
  document.body.removeAttribute("style");
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
