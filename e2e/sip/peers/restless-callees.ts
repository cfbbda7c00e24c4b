import {
  acknowledgeRefusal,
  expecting,
  KEEP_FROM_AND_CONTACT,
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
import { AUDIO, audioSdp, faxSdp } from "./sipp-sdp.ts";

// Callees that send requests while we talk, each a scenario for sipp.

/** Puts the call on hold (RFC 3264 section 8.4), resumes it, changes the codec, and keeps talking. */
export function holdsAndChangesCodec({ pauseMs = 300 } = {}): string {
  const offer = (cseq: number, sdp: string, answer: string) => [
    request("INVITE", cseq, { sdp }),
    receiveStatus(200, [expecting(answer)]),
    request("ACK", cseq),
    pause(pauseMs),
  ];
  return scenario(
    receive("INVITE", KEEP_FROM_AND_CONTACT),
    reply(200, { sdp: AUDIO, repeats: true }),
    receive("ACK"),
    pause(pauseMs),
    ...offer(1, audioSdp({ version: 2, direction: "sendonly" }), "a=recvonly"),
    ...offer(2, audioSdp({ version: 3 }), "a=sendrecv"),
    ...offer(3, audioSdp({ version: 4, codec: "PCMA" }), "RTP/AVP 8"),
    ...UNTIL_WE_HANG_UP,
  );
}

/** RFC 4028: who refreshes the session. */
export function refreshesItself(): string {
  const alive = "Session-Expires: 1800;refresher=uas";
  return scenario(
    receive("INVITE", KEEP_FROM_AND_CONTACT),
    reply(200, { sdp: AUDIO, headers: [alive, "Require: timer"], repeats: true }),
    receive("ACK"),
    pause(200),
    request("UPDATE", 1, { headers: ["Session-Expires: 1800;refresher=uac", "Supported: timer"] }),
    receiveStatus(200, [expecting("Session-Expires: *1800")]),
    ...UNTIL_WE_HANG_UP,
  );
}

export function wantsToBeRefreshed(expiresS: number): string {
  const alive = `Session-Expires: ${expiresS};refresher=uac`;
  return scenario(
    receive("INVITE", KEEP_FROM_AND_CONTACT),
    reply(200, { sdp: AUDIO, headers: [alive, "Require: timer"], repeats: true }),
    receive("ACK"),
    receive("INVITE"),
    replyInCall(200, { sdp: AUDIO, headers: [alive, "Require: timer"] }),
    receive("ACK"),
    ...UNTIL_WE_HANG_UP,
  );
}

/** Promises to refresh the session, and does not. */
export function forgetsToRefresh(expiresS: number): string {
  const alive = `Session-Expires: ${expiresS};refresher=uas`;
  return scenario(
    receive("INVITE"),
    reply(200, { sdp: AUDIO, headers: [alive, "Require: timer"], repeats: true }),
    ...TALKS_UNTIL_WE_HANG_UP,
  );
}

/** A fax machine: it asks for T.38, is refused, and stays. */
export function wantsFax(): string {
  return scenario(
    receive("INVITE", KEEP_FROM_AND_CONTACT),
    reply(200, { sdp: AUDIO, repeats: true }),
    receive("ACK"),
    pause(100),
    request("INVITE", 1, { sdp: faxSdp(2) }),
    receiveStatus(488),
    acknowledgeRefusal(1),
    ...UNTIL_WE_HANG_UP,
  );
}

/** A gateway that does not support telephone events and sends keys by INFO. */
export function pressesByInfo(key: string): string {
  const body = { type: "application/dtmf-relay", text: `Signal=${key}\nDuration=160` };
  return scenario(
    receive("INVITE", KEEP_FROM_AND_CONTACT),
    reply(200, { sdp: AUDIO, repeats: true }),
    receive("ACK"),
    pause(100),
    request("INFO", 1, { body }),
    receiveStatus(200),
    ...UNTIL_WE_HANG_UP,
  );
}

/** A carrier that does not transfer on request (RFC 3515 section 2.4.2). */
export function refusesRefer(): string {
  return scenario(
    receive("INVITE"),
    reply(200, { sdp: AUDIO, repeats: true }),
    receive("ACK"),
    receive("REFER"),
    replyInCall(405),
    receive("BYE"),
    replyInCall(200),
  );
}
