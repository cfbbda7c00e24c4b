import type { Mode } from "@parley/contract/shared-fields";

const KEPT_AS = "parley.mode";

/** The mode that was used last, for addresses that name no page. */
export function lastMode(): Mode {
  return localStorage.getItem(KEPT_AS) === "live" ? "live" : "test";
}

export function keepMode(mode: Mode): void {
  localStorage.setItem(KEPT_AS, mode);
}
