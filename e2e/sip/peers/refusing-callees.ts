import { KEEP_VIA_AND_CSEQ, pause, receive, reply, scenario, TALKS_UNTIL_WE_HANG_UP } from "./sipp-scenario.ts";
import { AUDIO } from "./sipp-sdp.ts";

// Callees that are never talked to, each a scenario for sipp.

export function refuses(
  status: number,
  reason: string,
  headers: readonly string[] = [],
  ringMs: number | null = null,
): string {
  return scenario(
    receive("INVITE"),
    ...(ringMs === null ? [] : [reply(180), pause(ringMs)]),
    reply(status, { reason, headers, repeats: true }),
    receive("ACK"),
  );
}

export function ringsUntilCanceled(): string {
  return scenario(
    receive("INVITE", KEEP_VIA_AND_CSEQ),
    reply(180),
    receive("CANCEL"),
    reply(200),
    reply(487, { reason: "Request Terminated", repeats: true, toKeptInvite: true }),
    receive("ACK"),
  );
}

/** RFC 3261 section 9.1: the answer was already sent when the CANCEL arrived. */
export function answersWhenCanceled(): string {
  return scenario(
    receive("INVITE", KEEP_VIA_AND_CSEQ),
    reply(180),
    receive("CANCEL"),
    reply(200),
    reply(200, { sdp: AUDIO, repeats: true, toKeptInvite: true, addsTag: true }),
    ...TALKS_UNTIL_WE_HANG_UP,
  );
}

/** Answers, but in a way that allows no audio; null is an answer without a description. */
export function answersUnusably(sdp: string | null): string {
  return scenario(
    receive("INVITE"),
    reply(180),
    reply(200, { ...(sdp === null ? {} : { sdp }), repeats: true }),
    ...TALKS_UNTIL_WE_HANG_UP,
  );
}
