import type { LineTransfer } from "@parley/voice/ports/line";

/**
 * How a call may be passed on. A bridge is a second connection that somebody has to pay for, and what a call costs knows
 * of one connection only: a call that is charged is passed on by the callee's own phone, or not at all, which is null.
 */
export function wayOfTransfer(mode: "test" | "live", how: LineTransfer["how"]): LineTransfer["how"] | null {
  if (mode === "test") return how;
  return how === "bridge" ? null : "refer";
}
