import type { Signal } from "./signal.ts";

/** ITU-T Q.23: each key is one frequency of its row and one of its column. */
export const DTMF_LOW_HZ = [697, 770, 852, 941] as const;
export const DTMF_HIGH_HZ = [1209, 1336, 1477, 1633] as const;
/** Row after row. */
export const DTMF_KEYS = "123A456B789C*0#D";

/** The two frequencies of a key, or nothing for a character that is not a key. */
export function dtmfFrequenciesOf(key: string): readonly [lowHz: number, highHz: number] | null {
  const index = key.length === 1 ? DTMF_KEYS.indexOf(key.toUpperCase()) : -1;
  const lowHz = DTMF_LOW_HZ[index >> 2];
  const highHz = DTMF_HIGH_HZ[index & 3];
  return index < 0 || lowHz === undefined || highHz === undefined ? null : [lowHz, highHz];
}

export interface DtmfPace {
  keyMs: number;
  gapMs: number;
  /** Of each of the two sines. */
  levelDbfs: number;
}

/** Q.24 requires receivers to accept 40 ms; menus behind bad lines prefer twice that. About -6 dBm0 per sine. */
export const DEFAULT_DTMF_PACE: DtmfPace = { keyMs: 100, gapMs: 80, levelDbfs: -12 };

/** The audio of keys pressed one after the other. Characters that are not keys are refused. */
export function dtmfSignal(keys: string, { keyMs, gapMs, levelDbfs }: DtmfPace = DEFAULT_DTMF_PACE): Signal {
  const steps = Array.from(keys).flatMap((key) => {
    const frequenciesHz = dtmfFrequenciesOf(key);
    if (frequenciesHz === null) throw new RangeError(`${JSON.stringify(key)} is not a key of a telephone`);
    return [
      { frequenciesHz, durationMs: keyMs },
      { frequenciesHz: [], durationMs: gapMs },
    ];
  });
  return { steps, repeats: false, levelDbfs };
}
