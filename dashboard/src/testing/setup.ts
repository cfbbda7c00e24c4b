import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";

// A test that expects a request stubs its reply; every other request fails as if the service were down.
beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network in component tests")));
});

// Testing Library unmounts automatically only if the test functions are globals.
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
