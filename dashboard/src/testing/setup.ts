import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";

// A test that expects a request stubs its answer; every other request fails as if the service were away.
beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network in component tests")));
});

// Testing Library unmounts by itself only where the test functions are globals.
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
