import type { Evidence } from "./evidence.ts";
import type { ScreeningSettings } from "./screening-settings.ts";
import type { SpeechRun, SpeechRuns } from "./speech-runs.ts";

/** Speech detection mistakes the beginning of a tone for speech. What begins this shortly before a tone is the tone. */
const TONE_ONSET_MS = 150;

/** What a tone indicates, by what was said before it. */
export function judgeTone(tone: HeardTone, speech: SpeechRuns, settings: ScreeningSettings): Evidence {
  const atMs = Math.round(tone.endMs);
  switch (tone.name) {
    case "beep":
      return judgeBeep(tone, speech, settings);
    case "fax_answer":
      return { id: tone.name, party: "fax", weight: settings.faxAnswerWeight, reason: "a fax machine answered" };
    case "fax_call":
      // After a greeting it is the tone of a voicemail that happens to have this pitch and this length.
      if (speechBefore(speech, tone.endMs - FAX_CALL_MS, settings) !== null) {
        return judgeBeep({ frequencyHz: 1_100, startMs: tone.endMs - FAX_CALL_MS }, speech, settings);
      }
      return {
        id: `fax call at ${atMs}`,
        party: "fax",
        weight: settings.faxCallWeight,
        reason: "a fax machine called",
      };
    case "announcement": {
      const reason = "the three tones of a network announcement were heard";
      return { id: tone.name, party: "announcement", weight: settings.announcementToneWeight, reason };
    }
    case "busy":
      return {
        id: tone.name,
        party: "announcement",
        weight: busyWeight(speech, settings),
        reason: "a busy tone sounded",
      };
  }
}

/** T.30: half a second. */
const FAX_CALL_MS = 500;

/** Whether the tone is one after which a voicemail records, if it is a voicemail. */
export function mayInvite(tone: HeardTone, speech: SpeechRuns, settings: ScreeningSettings): boolean {
  if (tone.name === "beep") return true;
  return tone.name === "fax_call" && speechBefore(speech, tone.endMs - FAX_CALL_MS, settings) !== null;
}

function judgeBeep(
  { frequencyHz, startMs }: { readonly frequencyHz: number; readonly startMs: number },
  speech: SpeechRuns,
  settings: ScreeningSettings,
): Evidence {
  const { suspectMs, beepAfterMonologueWeight, beepAfterSpeechWeight, loneBeepWeight } = settings;
  const tone = `a tone of ${Math.round(frequencyHz / 10) * 10} Hz`;
  const greeting = speechBefore(speech, startMs, settings);
  if (greeting === null) {
    return { id: "lone beep", party: "voicemail", weight: loneBeepWeight, reason: `${tone} sounded` };
  }
  const isLong = greeting.endMs - greeting.startMs > suspectMs;
  return {
    id: "beep after speech",
    party: "voicemail",
    weight: isLong ? beepAfterMonologueWeight : beepAfterSpeechWeight,
    reason: `${tone} followed its ${isLong ? "greeting" : "words"}`,
  };
}

/** What was said so shortly before a tone that it can have announced it. */
function speechBefore(
  { runs, isSpeaking }: SpeechRuns,
  toneStartMs: number,
  { beepAfterSpeechMs, runMinMs }: ScreeningSettings,
): SpeechRun | null {
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index];
    if (run === undefined || run.startMs > toneStartMs - TONE_ONSET_MS) continue;
    const isOpen = isSpeaking && index === runs.length - 1;
    const endMs = Math.min(toneStartMs, isOpen ? toneStartMs : run.endMs);
    if (toneStartMs - endMs > beepAfterSpeechMs) return null;
    if (endMs - run.startMs >= runMinMs) return { startMs: run.startMs, endMs };
  }
  return null;
}

/** A line with speech that is busy now was hung up; who answered is a separate question. */
function busyWeight({ runs }: SpeechRuns, { busyWeight: weight }: ScreeningSettings): number {
  return runs.length === 0 ? weight : 0;
}

/** A signal in the audio of the line. Times are positions of the leg. */
export type HeardTone =
  /** One tone, then silence. */
  | { readonly name: "beep"; readonly frequencyHz: number; readonly startMs: number; readonly endMs: number }
  /** A fax or a modem answers (T.30 CED, V.25). */
  | { readonly name: "fax_answer"; readonly endMs: number }
  /** One burst of what a fax sends when it calls (T.30 CNG). */
  | { readonly name: "fax_call"; readonly endMs: number }
  /** The three tones before an announcement of the network (E.180). */
  | { readonly name: "announcement"; readonly endMs: number }
  | { readonly name: "busy"; readonly endMs: number };
