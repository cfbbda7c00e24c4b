import { createHash } from "node:crypto";
import {
  acknowledgeRefusal,
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
  type SippStep,
  scenario,
} from "./sipp-scenario.ts";
import { faxSdp, soundSdp } from "./sipp-sdp.ts";

/** Callees as carriers know them, each a scenario for sipp. All of them send our sound back while they talk. */

export const SOUND = soundSdp();
const UNTIL_WE_HANG_UP = [receive("BYE"), replyInCall(200)];
const TALKS_UNTIL_WE_HANG_UP = [receive("ACK"), ...UNTIL_WE_HANG_UP];

/** Where nobody looks on, the callee hangs up itself once it has done what it is there for. */
interface Ending {
  readonly hangsUp?: boolean;
}

function ends(hangsUp: boolean, cseq: number, phone = ""): SippStep[] {
  return hangsUp ? [pause(100), request("BYE", cseq, { phone }), receiveStatus(200)] : UNTIL_WE_HANG_UP;
}

export function answers({ ringMs = 100, sdp = SOUND } = {}): string {
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
    reply(200, { sdp: SOUND, repeats: true }),
    receive("ACK"),
    pause(durationMs),
    request("BYE", 1),
    receiveStatus(200),
  );
}

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

/** RFC 3261 section 9.1: the answer was on its way when the CANCEL came. */
export function answersWhenCanceled(): string {
  return scenario(
    receive("INVITE", KEEP_VIA_AND_CSEQ),
    reply(180),
    receive("CANCEL"),
    reply(200),
    reply(200, { sdp: SOUND, repeats: true, toKeptInvite: true, addsTag: true }),
    ...TALKS_UNTIL_WE_HANG_UP,
  );
}

/** Verifies the response itself, with the algorithm of sipp. */
export function wantsPassword401(username: string, password: string): string {
  const nonce = "47ebe028cda119c35d4877b383027d28da013815";
  const challenge = `WWW-Authenticate: Digest realm="trunk.test", nonce="${nonce}", qop="auth", algorithm=MD5`;
  return scenario(
    receive("INVITE"),
    reply(401, { headers: [challenge], repeats: true }),
    receive("ACK"),
    `<recv request="INVITE" crlf="true"><action><verifyauth assign_to="ok" username="${username}" password="${password}"/></action></recv>`,
    '<nop hide="true" test="ok" next="good"/>',
    reply(403, { reason: "Forbidden", repeats: true }),
    receive("ACK"),
    '<nop hide="true" next="end"/>',
    '<label id="good"/>',
    reply(200, { sdp: SOUND, repeats: true }),
    ...TALKS_UNTIL_WE_HANG_UP,
    '<label id="end"/>',
  );
}

/** sipp verifies only `Authorization`, so that the expected response to the fixed nonce is worked out here (RFC 2617, no qop). */
export function wantsPassword407(username: string, password: string, uri: string): string {
  const md5 = (text: string) => createHash("md5").update(text).digest("hex");
  const nonce = "5f3a";
  const expected = md5(`${md5(`${username}:trunk.test:${password}`)}:${nonce}:${md5(`INVITE:${uri}`)}`);
  const challenge = `Proxy-Authenticate: Digest realm="trunk.test", nonce="${nonce}"`;
  const check = 'search_in="hdr" header="Proxy-Authorization:" check_it="false" assign_to="ok"';
  return scenario(
    receive("INVITE"),
    reply(407, { headers: [challenge], repeats: true }),
    receive("ACK"),
    `<recv request="INVITE" crlf="true"><action><ereg regexp="response=.${expected}" ${check}/></action></recv>`,
    '<nop hide="true" test="ok" next="good"/>',
    reply(407, { headers: [challenge], repeats: true }),
    receive("ACK"),
    '<nop hide="true" next="end"/>',
    '<label id="good"/>',
    reply(200, { sdp: SOUND, repeats: true }),
    ...TALKS_UNTIL_WE_HANG_UP,
    '<label id="end"/>',
  );
}

/** RFC 3261 section 13.3.1.4: the answer is sent again although it was acknowledged. */
export function repeatsAnswer({ hangsUp = false }: Ending = {}): string {
  const answer = (addsTag: boolean) => reply(200, { sdp: SOUND, toKeptInvite: true, addsTag });
  return scenario(
    receive("INVITE", KEEP_INVITE),
    reply(180),
    answer(true),
    receive("ACK"),
    answer(false),
    receive("ACK"),
    ...ends(hangsUp, 1),
  );
}

/** Hears the BYE, and says so only after it was sent again. */
export function confirmsByeLate(afterMs: number): string {
  return scenario(
    receive("INVITE"),
    reply(200, { sdp: SOUND, repeats: true }),
    receive("ACK"),
    receive("BYE"),
    pause(afterMs),
    replyInCall(200),
  );
}

export function neverConfirmsBye(): string {
  return scenario(receive("INVITE"), reply(200, { sdp: SOUND, repeats: true }), receive("ACK"), receive("BYE"));
}

/** Puts the call on hold (RFC 3264 section 8.4), takes it back, changes the codec, and goes on talking. */
export function holdsAndChangesCodec({ pauseMs = 300, hangsUp = false }: Ending & { pauseMs?: number } = {}): string {
  const offer = (cseq: number, sdp: string, answer: string) => [
    request("INVITE", cseq, { sdp }),
    receiveStatus(200, [expecting(answer)]),
    request("ACK", cseq),
    pause(pauseMs),
  ];
  return scenario(
    receive("INVITE", KEEP_FROM_AND_CONTACT),
    reply(200, { sdp: SOUND, repeats: true }),
    receive("ACK"),
    pause(pauseMs),
    ...offer(1, soundSdp({ version: 2, direction: "sendonly" }), "a=recvonly"),
    ...offer(2, soundSdp({ version: 3 }), "a=sendrecv"),
    ...offer(3, soundSdp({ version: 4, codec: "PCMA" }), "RTP/AVP 8"),
    ...ends(hangsUp, 4),
  );
}

/** RFC 3261 section 13.2.2.4: two phones answered; the second is told that it is not wanted. */
export function forks({ hangsUp = false }: Ending = {}): string {
  const answer = (phone: string) => reply(200, { sdp: SOUND, toKeptInvite: true, addsTag: true, phone });
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
    ...ends(hangsUp, 1, "-first"),
  );
}

/** RFC 4028: whose turn it is to say that the call is still alive. */
export function refreshesItself({ hangsUp = false }: Ending = {}): string {
  const alive = "Session-Expires: 1800;refresher=uas";
  return scenario(
    receive("INVITE", KEEP_FROM_AND_CONTACT),
    reply(200, { sdp: SOUND, headers: [alive, "Require: timer"], repeats: true }),
    receive("ACK"),
    pause(200),
    request("UPDATE", 1, { headers: ["Session-Expires: 1800;refresher=uac", "Supported: timer"] }),
    receiveStatus(200, [expecting("Session-Expires: *1800")]),
    ...ends(hangsUp, 2),
  );
}

export function wantsToBeRefreshed(expiresS: number, { hangsUp = false }: Ending = {}): string {
  const alive = `Session-Expires: ${expiresS};refresher=uac`;
  return scenario(
    receive("INVITE", KEEP_FROM_AND_CONTACT),
    reply(200, { sdp: SOUND, headers: [alive, "Require: timer"], repeats: true }),
    receive("ACK"),
    receive("INVITE"),
    replyInCall(200, { sdp: SOUND, headers: [alive, "Require: timer"] }),
    receive("ACK"),
    ...ends(hangsUp, 1),
  );
}

/** Promises to say that it is alive, and does not. */
export function forgetsToRefresh(expiresS: number): string {
  const alive = `Session-Expires: ${expiresS};refresher=uas`;
  return scenario(
    receive("INVITE"),
    reply(200, { sdp: SOUND, headers: [alive, "Require: timer"], repeats: true }),
    ...TALKS_UNTIL_WE_HANG_UP,
  );
}

/** A fax machine: it asks for T.38, is refused, and stays. */
export function wantsFax({ hangsUp = false }: Ending = {}): string {
  return scenario(
    receive("INVITE", KEEP_FROM_AND_CONTACT),
    reply(200, { sdp: SOUND, repeats: true }),
    receive("ACK"),
    pause(100),
    request("INVITE", 1, { sdp: faxSdp(2) }),
    receiveStatus(488),
    acknowledgeRefusal(1),
    ...ends(hangsUp, 2),
  );
}

/** A gateway that knows no telephone events and tells keys by INFO. */
export function pressesByInfo(key: string): string {
  const body = { type: "application/dtmf-relay", text: `Signal=${key}\nDuration=160` };
  return scenario(
    receive("INVITE", KEEP_FROM_AND_CONTACT),
    reply(200, { sdp: SOUND, repeats: true }),
    receive("ACK"),
    pause(100),
    request("INFO", 1, { body }),
    receiveStatus(200),
    ...UNTIL_WE_HANG_UP,
  );
}

/** Answers, but not in a way that anybody could speak; null is an answer that describes nothing. */
export function answersUnusably(sdp: string | null): string {
  return scenario(
    receive("INVITE"),
    reply(180),
    reply(200, { ...(sdp === null ? {} : { sdp }), repeats: true }),
    ...TALKS_UNTIL_WE_HANG_UP,
  );
}

/** A carrier that connects nobody on request (RFC 3515 section 2.4.2). */
export function refusesRefer(): string {
  return scenario(
    receive("INVITE"),
    reply(200, { sdp: SOUND, repeats: true }),
    receive("ACK"),
    receive("REFER"),
    replyInCall(405),
    receive("BYE"),
    replyInCall(200),
  );
}

/** RFC 3262: there is something to hear before the answer, and ringing that must be acknowledged. */
export function soundsEarly({ isReliable = false, earlyMs = 1_000 } = {}): string {
  return scenario(
    receive("INVITE", KEEP_VIA_AND_CSEQ),
    reply(183, {
      reason: "Session Progress",
      sdp: SOUND,
      headers: isReliable ? ["Require: 100rel", "RSeq: 5"] : [],
      repeats: isReliable,
    }),
    ...(isReliable ? [receive("PRACK"), replyInCall(200)] : []),
    pause(earlyMs),
    reply(200, { ...(isReliable ? {} : { sdp: SOUND }), repeats: true, toKeptInvite: true, addsTag: !isReliable }),
    ...TALKS_UNTIL_WE_HANG_UP,
  );
}
