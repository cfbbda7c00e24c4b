import type { TurnSettings } from "../turn-settings.ts";

/** The acoustic properties of a window, independent of its source. */
interface WindowSound {
  readonly levelDbfs: number;
  /** How periodic it is, from 0 for noise to 1 for a held note. */
  readonly tonality: number;
  readonly isSpeech: boolean;
  readonly durationMs: number;
}

/** The recent shares of time with audio, with speech, and with a pitch; and whether that is music. */
export interface MusicWatch {
  readonly heardMs: number;
  readonly sounding: number;
  readonly speech: number;
  readonly tonal: number;
  /** Its level while audible. */
  readonly levelDbfs: number;
  readonly quietMs: number;
  readonly isOn: boolean;
}

export const NO_MUSIC: MusicWatch = {
  heardMs: 0,
  sounding: 0,
  speech: 0,
  tonal: 0,
  levelDbfs: -120,
  quietMs: 0,
  isOn: false,
};

/** Anything quieter is a pause: hold music is played at the level of speech. */
const SOUNDING_DBFS = -45;
const TONAL_MIN = 0.6;
const SOUNDING_SHARE_MIN = 0.9;
const SPEECH_SHARE_MAX = 0.3;
const TONAL_SHARE_MIN = 0.45;
/** Music has no gaps this long, and a person who picks up the phone again creates one. */
const STOPPED_MS = 200;

/**
 * Hold music is audio without a break that has a pitch and is not speech. Noise has no pitch, and speech has breaks. It
 * is detected after `musicMs` and over at the first gap.
 */
export function watchMusic(watch: MusicWatch, sound: WindowSound, settings: TurnSettings): MusicWatch {
  const { durationMs, levelDbfs } = sound;
  const isSounding = levelDbfs > SOUNDING_DBFS;
  const quietMs = isSounding ? 0 : watch.quietMs + durationMs;
  if (quietMs >= STOPPED_MS) return { ...NO_MUSIC, quietMs };
  const heardMs = Math.min(settings.musicMs, watch.heardMs + durationMs);
  // The weight of one window in an average over everything heard so far, at most over `musicMs`.
  const weight = durationMs / heardMs;
  const mean = (before: number, now: boolean) => before + ((now ? 1 : 0) - before) * weight;
  // The first window is all that is known of the level.
  const level = watch.heardMs === 0 ? levelDbfs : watch.levelDbfs;
  const next = {
    heardMs,
    sounding: mean(watch.sounding, isSounding),
    speech: mean(watch.speech, sound.isSpeech),
    tonal: mean(watch.tonal, isSounding && sound.tonality >= TONAL_MIN),
    levelDbfs: isSounding && !sound.isSpeech ? level + (levelDbfs - level) * weight : level,
    quietMs,
  };
  return { ...next, isOn: watch.isOn || (heardMs >= settings.musicMs && isMusic(next)) };
}

function isMusic({ sounding, speech, tonal }: Omit<MusicWatch, "isOn">): boolean {
  return sounding >= SOUNDING_SHARE_MIN && speech <= SPEECH_SHARE_MAX && tonal >= TONAL_SHARE_MIN;
}

/** How much louder than the music speech of this level is; infinite without music. */
export function aboveMusicDb(watch: MusicWatch, speechDbfs: number): number {
  return watch.isOn ? speechDbfs - watch.levelDbfs : Number.POSITIVE_INFINITY;
}
