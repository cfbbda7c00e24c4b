import { ALLOWED_METHODS } from "../agent-core.ts";
import type { SessionTerms } from "../dialog/session-timer.ts";
import type { HeaderLine } from "./message.ts";

/** The session timer headers of our INVITE and UPDATE inside a call: we send it, so `uac` is us. */
export function refreshHeaders(terms: SessionTerms | null, minS: number): readonly HeaderLine[] {
  if (terms === null) return [];
  return [
    ["Supported", "timer"],
    ["Session-Expires", `${terms.intervalS};refresher=${terms.weRefresh ? "uac" : "uas"}`],
    ["Min-SE", String(minS)],
  ];
}

/** What every request or answer that (re)describes the call carries. */
export function describingHeaders(contact: string): readonly HeaderLine[] {
  return [
    ["Contact", contact],
    ["Allow", ALLOWED_METHODS],
  ];
}

export const SDP_TYPE: HeaderLine = ["Content-Type", "application/sdp"];
