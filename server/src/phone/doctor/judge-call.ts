import type { DoctorFinding } from "@parley/contract/doctor";
import type { LegEnd, LegEndDetail, LegStatistics } from "@parley/telephony/carrier";
import { explainLegEnd } from "@parley/telephony/explain-leg-end";
import type { Trunk } from "@parley/telephony/sip-carrier/trunks/trunk";
import { isOutOfReach } from "./address-kind.ts";
import type { CallFacts } from "./facts.ts";
import { fault, ok, seconds, skipped, warning } from "./finding.ts";
import { notSip, SUPPORTED_CHALLENGES, undeliverable } from "./judge-signalling.ts";

/** These say that the trunk did carry the call as far as the phone, or to where the phone should be. */
const REACHED_THE_PHONE: ReadonlySet<LegEnd["cause"]> = new Set(["busy", "no_answer", "declined", "unreachable"]);

/** How the test call came about. `isHeardBefore` says whether the trunk answered anything in the steps before. */
export function judgeCall(trunk: Trunk, facts: CallFacts, isHeardBefore: boolean): DoctorFinding {
  const { to, rangAfterMs, hadEarlyMedia, answeredAfterMs, end, unreadable } = facts;
  const rang = rangAfterMs === null ? "did not ring" : `rang after ${seconds(rangAfterMs)}`;
  const early = hadEarlyMedia ? ", with something to hear before the answer," : "";
  if (answeredAfterMs !== null)
    return ok("call", `${to} ${rang}${early} and was answered after ${seconds(answeredAfterMs)}.`);
  if (end === null)
    return fault("call", `${to} ${rang}${early} and nothing more happened.`, "Ask the carrier about this call.");
  if (end.detail === "no_response" && unreadable !== null) {
    const [finding, remedy] = notSip(unreadable);
    return fault("call", `${to} ${rang}. ${finding}`, remedy);
  }
  const sentence = `${to} ${rang}: ${explainLegEnd(end)} ${quoted(end)}`;
  const isReached = REACHED_THE_PHONE.has(end.cause) && (end.code !== null || rangAfterMs !== null);
  if (isReached)
    return warning("call", sentence, "The trunk carries calls; try a number that answers to test the audio.");
  return fault("call", sentence, remedyFor(trunk, end, isHeardBefore));
}

/** What the trunk sent, verbatim; or our own observation. */
function quoted({ code, reason }: LegEnd): string {
  if (code !== null) return `The trunk said "${code} ${reason}".`;
  const seen = reason.trim().replace(/\.$/, "");
  return seen === "" ? "" : `What was seen here: ${seen}.`;
}

function remedyFor(trunk: Trunk, end: LegEnd, isHeardBefore: boolean): string {
  if (end.detail !== undefined) return remedyForDetail(trunk, end.detail, isHeardBefore);
  const { numberFormat, dialPrefix, callerIds } = trunk;
  const shown = callerIds[0] === undefined ? "no caller id" : `the caller id ${callerIds[0]}`;
  switch (end.code) {
    case 401:
    case 407:
      return "Enter username and password again.";
    case 402:
      return "Settle the account with the carrier.";
    case 403:
      return `Ask the carrier whether this machine's address and ${shown} may place calls.`;
    case 488:
    case 606:
      return codecsOf(trunk);
  }
  switch (end.cause) {
    case "invalid_number":
      return `Ask how numbers are to be written: here numberFormat is ${numberFormat} and dialPrefix is "${dialPrefix}".`;
    case "blocked":
      return `Ask the carrier why calls with ${shown} are blocked, and try another caller id.`;
    case "unavailable":
      if (end.retryAfterS !== undefined)
        return `The trunk asks for a pause of ${seconds(end.retryAfterS * 1000)}: try again after that, and ask the carrier if it persists.`;
      return end.code === null
        ? "See what the previous steps say about the connection."
        : "The failure is on the carrier's side: try again later, and ask the carrier if it persists.";
    case "lost":
      return "The connection to the trunk broke during the call: check the network in between, and ask the carrier.";
    default:
      return "Ask the carrier about this call.";
  }
}

function remedyForDetail(trunk: Trunk, detail: LegEndDetail, isHeardBefore: boolean): string {
  const { sip } = trunk;
  switch (detail) {
    case "no_response":
      if (!isHeardBefore)
        return "Check host, port and transport, let this machine out through the firewall, and ask the carrier to let it in.";
      return sip.transport === "udp"
        ? "It answers other requests, so call requests may be too large for UDP: try tcp. Otherwise, ask the carrier."
        : "It answers other requests: ask the carrier why it does not answer calls.";
    case "not_delivered":
      return undeliverable(sip);
    case "unusable_answer":
      return codecsOf(trunk);
    case "credentials_missing":
      return "The trunk asks for a password: set username and password.";
    case "challenged_after_ringing":
      return "Ask the carrier to ask for the password before the phone rings.";
    case "challenge_unsupported":
      return SUPPORTED_CHALLENGES;
    case "already_sent":
      return "Check the trunk again.";
  }
}

function codecsOf({ codecs, srtp }: Trunk): string {
  return `Ask the carrier for its codecs and whether it encrypts sound: here it is ${codecs.join(", ")} with srtp ${srtp}.`;
}

/** Whether the call was ended as it should be. */
export function judgeHangup({ end, endedFirst }: CallFacts): DoctorFinding {
  if (endedFirst) return ok("hangup", "The callee hung up before we did, and the trunk told us.");
  if (end !== null && end.cause !== "lost") return ok("hangup", "The trunk confirmed our hang-up.");
  return fault(
    "hangup",
    "The trunk did not confirm our hang-up, so calls may go on and be charged.",
    "The address that its answer names may be out of reach: set staysOnFirstHop, and let our messages through the firewall.",
  );
}

/** Quieter than any line noise: there is no audio. */
const SILENCE_BELOW_DBFS = -60;
/** Above these people begin to notice. */
const LOSS_PERCENT_MAX = 2;
const JITTER_MS_MAX = 40;

export interface SoundSurroundings {
  readonly trunkAddress: string;
  readonly rtpPorts: { readonly firstPort: number; readonly lastPort: number };
}

/** Whether audio went both ways, and if not, the probable reason. */
export function judgeSound(facts: CallFacts, surroundings: SoundSurroundings): DoctorFinding[] {
  const { statistics, heardDbfs, heardTone } = facts;
  if (statistics === null || statistics.packetsReceived === 0) return [nothingCame(facts, surroundings)];
  const line = lineQuality(statistics);
  if (heardTone) return [ok("sound", "Our tone came back, so audio works both ways."), ...line];
  if (statistics.isHeard === false)
    return [
      warning(
        "sound",
        "We hear the callee, but the trunk reports (RTCP) that it receives nothing of what we send.",
        "Let UDP from this machine out to the trunk's media addresses, and ask the carrier where it expects our audio from.",
      ),
      ...line,
    ];
  const outward = statistics.isHeard
    ? "The trunk reports that it gets our sound."
    : "Only a number that echoes can show whether we are heard.";
  if (heardDbfs === null || heardDbfs < SILENCE_BELOW_DBFS)
    return [
      warning(
        "sound",
        `Sound arrives, but it is silence. ${outward}`,
        "Call a number that speaks or echoes, such as the trunk's own test number.",
      ),
      ...line,
    ];
  return [ok("sound", `The callee is heard at ${Math.round(heardDbfs)} dB of full scale. ${outward}`), ...line];
}

function nothingCame({ offeredMedia }: CallFacts, { trunkAddress, rtpPorts }: SoundSurroundings): DoctorFinding {
  const what = "Not a single packet of sound arrived";
  if (offeredMedia !== null && isOutOfReach(offeredMedia, trunkAddress))
    return fault(
      "sound",
      `${what}: the trunk was asked to send it to ${offeredMedia}, which it cannot reach.`,
      "Set publicMediaHost of the trunk, or PARLEY_SIP_PUBLIC_HOST, to the public address of this network.",
    );
  return fault(
    "sound",
    `${what}, although it was asked for at ${offeredMedia ?? "our address"}.`,
    `Let UDP ports ${rtpPorts.firstPort} to ${rtpPorts.lastPort} through to this machine, and switch off what rewrites SIP on the way (often called SIP ALG).`,
  );
}

function lineQuality({ packetsReceived, packetsLost, jitterMs }: LegStatistics): DoctorFinding[] {
  const lost = Math.max(0, packetsLost);
  const lossPercent = (lost / (packetsReceived + lost)) * 100;
  if (lossPercent <= LOSS_PERCENT_MAX && jitterMs <= JITTER_MS_MAX) return [];
  return [
    warning(
      "sound",
      `${lossPercent.toFixed(1)} % of the sound was lost and it came ${Math.round(jitterMs)} ms out of step.`,
      "Look for a congested or wireless link between this machine and the trunk.",
    ),
  ];
}

/** Whether a key that we pressed was heard, as far as that can be known. */
export function judgeKeys(pressed: string, { keysHeard, heardTone }: CallFacts): DoctorFinding {
  if (keysHeard.includes(pressed)) return ok("keys", `The key ${pressed} that we pressed came back.`);
  if (!heardTone) return skipped("keys", "A key was pressed; only a number that echoes can show whether it was heard.");
  return warning(
    "keys",
    `Sound came back and the key ${pressed} that we pressed did not.`,
    "The trunk may accept key presses only as audio, or not at all: ask the carrier about RFC 4733 (telephone-event).",
  );
}
