import type { TurnSettings } from "../turn-settings.ts";

/**
 * Tells the callee from a television or other people in the room, by level: the person holding the phone is the
 * loudest. On a line without other voices nothing depends on it, so that a quiet callee is heard.
 */
export interface NearVoice {
  /** The callee's level; null before anyone has spoken. */
  readonly voiceDbfs: number | null;
  /** The levels of the newest windows, and how many of them in a row were speech. */
  readonly recentDbfs: readonly number[];
  readonly speechWindows: number;
  /** How much recent speech was much quieter than the callee. */
  readonly otherMs: number;
}

export const NO_VOICE: NearVoice = { voiceDbfs: null, recentDbfs: [], speechWindows: 0, otherMs: 0 };

interface Window {
  readonly levelDbfs: number;
  readonly durationMs: number;
  readonly isSpeech: boolean;
}

/** Syllables rise and fall within this many windows, a fifth of a second. */
const RECENT_WINDOWS = 6;
/** A callee who moves away from the phone is followed slowly. */
const FORGOTTEN_DB_PER_S = 0.5;
/** Other voices are assumed after this much of them, and forgotten after some time without. */
const OTHERS_MS = 1_500;
const OTHERS_MAX_MS = 6_000;
const OTHERS_FORGOTTEN = 0.2;

export function followVoice(
  voice: NearVoice,
  { levelDbfs, durationMs, isSpeech }: Window,
  settings: TurnSettings,
): NearVoice {
  const recentDbfs = [...voice.recentDbfs.slice(1 - RECENT_WINDOWS), levelDbfs];
  const speechWindows = isSpeech ? voice.speechWindows + 1 : 0;
  const faded = voice.voiceDbfs === null ? null : voice.voiceDbfs - (FORGOTTEN_DB_PER_S * durationMs) / 1_000;
  const isSteady = speechWindows >= RECENT_WINDOWS;
  const nowDbfs = meanOf(recentDbfs);
  const voiceDbfs = isSteady ? Math.max(nowDbfs, faded ?? Number.NEGATIVE_INFINITY) : faded;
  const isOther = isSteady && isFar(recentDbfs, voiceDbfs, settings);
  const otherMs = Math.max(
    0,
    Math.min(OTHERS_MAX_MS, voice.otherMs + (isOther ? durationMs : -OTHERS_FORGOTTEN * durationMs)),
  );
  return { voiceDbfs, recentDbfs, speechWindows, otherMs };
}

/** Whether the current speech is not the callee's. */
export function isOtherVoice({ voiceDbfs, recentDbfs, otherMs }: NearVoice, settings: TurnSettings): boolean {
  return otherMs >= OTHERS_MS && isFar(recentDbfs, voiceDbfs, settings);
}

/** Whether speech with this peak may be the callee's: not much quieter than what was heard of them. */
export function isNearVoice({ voiceDbfs }: NearVoice, peakDbfs: number, { nearVoiceDb }: TurnSettings): boolean {
  return voiceDbfs === null || peakDbfs >= voiceDbfs - nearVoiceDb;
}

function isFar(recentDbfs: readonly number[], voiceDbfs: number | null, { nearVoiceDb }: TurnSettings): boolean {
  return voiceDbfs !== null && meanOf(recentDbfs) < voiceDbfs - nearVoiceDb;
}

function meanOf(levels: readonly number[]): number {
  return levels.reduce((sum, level) => sum + level, 0) / levels.length;
}
