import {
  expecting,
  KEEP_FROM_AND_CONTACT,
  KEEP_INVITE,
  KEEP_VIA_AND_CSEQ,
  pause,
  receive,
  receiveStatus,
  reply,
  replyInCall,
  request,
  scenario,
  TALKS_UNTIL_WE_HANG_UP,
  UNTIL_WE_HANG_UP,
} from "./sipp-scenario.ts";
import { AUDIO } from "./sipp-sdp.ts";

// Callees that answer, each a scenario for sipp. They echo our audio until someone hangs up.

export function answers({ ringMs = 100, sdp = AUDIO } = {}): string {
  return scenario(
    receive("INVITE"),
    reply(180),
    pause(ringMs),
    reply(200, { sdp, repeats: true }),
    ...TALKS_UNTIL_WE_HANG_UP,
  );
}

export function hangsUpAfter(durationMs: number): string {
  return scenario(
    receive("INVITE", KEEP_FROM_AND_CONTACT),
    reply(180),
    reply(200, { sdp: AUDIO, repeats: true }),
    receive("ACK"),
    pause(durationMs),
    request("BYE", 1),
    receiveStatus(200),
  );
}

/** RFC 3262: early media before the answer, and ringing that must be acknowledged. */
export function soundsEarly({ isReliable = false, earlyMs = 1_000 } = {}): string {
  return scenario(
    receive("INVITE", KEEP_VIA_AND_CSEQ),
    reply(183, {
      reason: "Session Progress",
      sdp: AUDIO,
      headers: isReliable ? ["Require: 100rel", "RSeq: 5"] : [],
      repeats: isReliable,
    }),
    ...(isReliable ? [receive("PRACK"), replyInCall(200)] : []),
    pause(earlyMs),
    reply(200, { ...(isReliable ? {} : { sdp: AUDIO }), repeats: true, toKeptInvite: true, addsTag: !isReliable }),
    ...TALKS_UNTIL_WE_HANG_UP,
  );
}

/** RFC 3261 section 13.3.1.4: the answer is sent again although it was acknowledged. */
export function repeatsAnswer(): string {
  const answer = (addsTag: boolean) => reply(200, { sdp: AUDIO, toKeptInvite: true, addsTag });
  return scenario(
    receive("INVITE", KEEP_INVITE),
    reply(180),
    answer(true),
    receive("ACK"),
    answer(false),
    receive("ACK"),
    ...UNTIL_WE_HANG_UP,
  );
}

/** RFC 3261 section 13.2.2.4: two phones answered; the second is hung up on. */
export function forks(): string {
  const answer = (phone: string) => reply(200, { sdp: AUDIO, toKeptInvite: true, addsTag: true, phone });
  const second = expecting("To: .*-second");
  return scenario(
    receive("INVITE", [...KEEP_INVITE, { header: "To:", pattern: ".*", as: "to" }]),
    reply(180),
    answer("-first"),
    receive("ACK"),
    answer("-second").replace("[last_To:]", "To:[$to]"),
    receive("ACK", [second]),
    receive("BYE", [second]),
    replyInCall(200),
    ...UNTIL_WE_HANG_UP,
  );
}

/** Receives the BYE, and confirms it only after it was sent again. */
export function confirmsByeLate(afterMs: number): string {
  return scenario(
    receive("INVITE"),
    reply(200, { sdp: AUDIO, repeats: true }),
    receive("ACK"),
    receive("BYE", KEEP_VIA_AND_CSEQ),
    pause(afterMs),
    replyInCall(200, { toKept: "BYE" }),
  );
}

export function neverConfirmsBye(): string {
  return scenario(receive("INVITE"), reply(200, { sdp: AUDIO, repeats: true }), receive("ACK"), receive("BYE"));
}
