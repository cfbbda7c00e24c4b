import type { DoctorFinding } from "@parley/contract/doctor";
import type { LegStatistics } from "@parley/telephony/carrier";
import { isOutOfReach } from "./address-kind.ts";
import type { CallFacts } from "./facts.ts";
import { fault, ok, skipped, warning } from "./finding.ts";

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
  if (heardTone) return [ok("sound", "Our tone came back, so sound goes both ways."), ...line];
  if (statistics.isHeard === false)
    return [
      warning(
        "sound",
        "We hear the callee, but the trunk reports (RTCP) that it receives nothing of what we send.",
        "Let UDP from this machine out to the trunk's media addresses, and ask its operator where it expects our audio from.",
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
      `${what}: the trunk was told to send it to ${offeredMedia}, which it cannot reach.`,
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
      "Look for a crowded line or a wireless one between this machine and the trunk.",
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
    "The trunk may take keys only as sound or not at all: ask its operator about RFC 4733 (telephone-event).",
  );
}
